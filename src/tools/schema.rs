//! Argument schemas, made from the argument types and from nothing else.
//!
//! What is offered to a model is strict (every property required, optional ones nullable, no
//! other keys); what a call is checked against lets optional ones be absent.

use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::arguments::CallContext;
use super::fault::ArgumentFaults;
use super::{
    Proposal, add_task, ask_user, cancel_delegation, complete_task, delegate, delete_task,
    list_delegations, list_tasks, task_output, undo, update_task,
};
use crate::domain::Tool;
use crate::llm::ToolSpec;

/// Arguments of a tool, as a model may write them.
pub(super) trait ToolArguments: JsonSchema + DeserializeOwned {
    /// The tool.
    const TOOL: Tool;
    /// Its purpose, for a model.
    const DESCRIPTION: &'static str;

    /// Makes a proposal of what the schema lets pass; notes the faults that it can't see.
    fn propose(self, context: &CallContext<'_>, faults: &mut ArgumentFaults) -> Option<Proposal>;
}

/// Entry of the registry for one tool.
pub(super) struct ToolEntry {
    /// The tool.
    pub tool: Tool,
    /// Its purpose.
    pub description: &'static str,
    /// The schema a model sees.
    pub offered: Value,
    /// Its parameters, in the order of the schema.
    pub parameters: Vec<String>,
    /// The same as they are named to a model: `tasks[].{title, prompt}`.
    pub shown: Vec<String>,
    /// The compiled check; `None` only if the schema itself were broken, which a test excludes.
    pub validator: Option<Validator>,
    /// Reads what has passed it.
    pub propose: fn(Value, &CallContext<'_>, &mut ArgumentFaults) -> Option<Proposal>,
}

impl ToolEntry {
    /// Tells whether the schema lets these arguments pass.
    pub(super) fn accepts(&self, arguments: &Value) -> bool {
        let validator = self.validator.as_ref();
        validator.is_some_and(|validator| validator.is_valid(arguments))
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.tool.as_str(),
            description: self.description.to_owned(),
            parameters: self.offered.clone(),
        }
    }
}

static REGISTRY: LazyLock<[ToolEntry; 11]> = LazyLock::new(|| {
    [
        entry::<add_task::AddTaskArgs>(),
        entry::<list_tasks::ListTasksArgs>(),
        entry::<update_task::UpdateTaskArgs>(),
        entry::<complete_task::CompleteTaskArgs>(),
        entry::<delete_task::DeleteTaskArgs>(),
        entry::<undo::UndoArgs>(),
        entry::<ask_user::AskUserArgs>(),
        entry::<delegate::DelegateCall>(),
        entry::<task_output::TaskOutputArgs>(),
        entry::<cancel_delegation::CancelCall>(),
        entry::<list_delegations::DelegationsCall>(),
    ]
});

/// `add_task{tasks}` and `update_task{assign_to}`: accepted where there are agents.
static WITH_AGENTS: LazyLock<[ToolEntry; 2]> = LazyLock::new(|| {
    [
        entry::<add_task::AddTasksArgs>(),
        entry::<update_task::AssignTaskArgs>(),
    ]
});

static SPECS: LazyLock<Arc<Vec<ToolSpec>>> = LazyLock::new(|| {
    let tasks = REGISTRY.iter().filter(|it| Tool::TASKS.contains(&it.tool));
    Arc::new(tasks.map(ToolEntry::spec).collect())
});

/// The tools as a model sees them; built once, the same for every turn.
pub fn specs() -> Arc<Vec<ToolSpec>> {
    Arc::clone(&SPECS)
}

/// The tools where there are agents: those for tasks and those for agents, with `delegating` as the
/// description of `delegate`.
pub fn specs_with_agents(delegating: &str) -> Arc<Vec<ToolSpec>> {
    let [_, assigning] = &*WITH_AGENTS;
    let specs = REGISTRY.iter().map(|entry| match entry.tool {
        Tool::UpdateTask => assigning.spec(),
        Tool::Delegate => ToolSpec {
            description: delegating.to_owned(),
            ..entry.spec()
        },
        _ => entry.spec(),
    });
    Arc::new(specs.collect())
}

/// Finds the registry's entry for `tool`.
pub(super) fn registered(tool: Tool) -> Option<&'static ToolEntry> {
    REGISTRY.iter().find(|entry| entry.tool == tool)
}

/// The same for the form of `arguments`; some have another one where there are `agents`.
pub(super) fn registered_for(
    tool: Tool,
    arguments: &Map<String, Value>,
    agents: bool,
) -> Option<&'static ToolEntry> {
    let form = match tool {
        Tool::AddTask => agents && arguments.contains_key("tasks"),
        Tool::UpdateTask => agents,
        _ => false,
    };
    if form {
        return WITH_AGENTS.iter().find(|entry| entry.tool == tool);
    }
    registered(tool)
}

fn entry<T: ToolArguments>() -> ToolEntry {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut checked = schema.to_value();
    each_object(&mut checked, close);
    // The order of keys is no affair of the features that a library was built with.
    checked.sort_all_objects();
    each_object(&mut checked, flatten_options);
    let mut properties = Map::new();
    if let Some(Value::Object(found)) = checked.get("properties") {
        properties.clone_from(found);
    }
    // What must be given first, as people read it.
    let mut parameters: Vec<String> = properties.keys().cloned().collect();
    parameters.sort_by_key(|name| properties.get(name).is_some_and(is_optional));
    let shown = parameters
        .iter()
        .map(|name| shown(name, properties.get(name)))
        .collect();
    for property in properties.values_mut() {
        require_all(property);
    }
    let offered = json!({
        "type": "object",
        "properties": properties,
        "required": parameters,
        "additionalProperties": false,
    });
    ToolEntry {
        tool: T::TOOL,
        description: T::DESCRIPTION,
        offered,
        parameters,
        shown,
        validator: jsonschema::validator_for(&checked).ok(),
        propose: read::<T>,
    }
}

/// The schema has passed, so this can only fail where schema and type disagree; even then it is
/// an error and not a panic.
fn read<T: ToolArguments>(
    arguments: Value,
    context: &CallContext<'_>,
    faults: &mut ArgumentFaults,
) -> Option<Proposal> {
    match serde_json::from_value::<T>(arguments) {
        Ok(arguments) => arguments.propose(context, faults),
        Err(fault) => {
            faults.push("", fault);
            None
        }
    }
}

/// `tasks[].{title, prompt}` for a list of objects, else the name.
fn shown(name: &str, property: Option<&Value>) -> String {
    let inner = property.and_then(|property| property.pointer("/items/properties"));
    match inner.and_then(Value::as_object) {
        Some(inner) => {
            let names: Vec<&str> = inner.keys().map(String::as_str).collect();
            format!("{name}[].{{{}}}", names.join(", "))
        }
        None => name.to_owned(),
    }
}

/// Strict schemas require every property, also of the objects in a list.
fn require_all(property: &mut Value) {
    if let Some(Value::Object(items)) = property.get_mut("items")
        && let Some(Value::Object(inner)) = items.get("properties")
    {
        let names: Vec<String> = inner.keys().cloned().collect();
        items.insert("required".to_owned(), json!(names));
    }
}

/// Changes the schema of an object, and those of the objects in its lists.
fn each_object(schema: &mut Value, change: fn(&mut Map<String, Value>)) {
    let Some(object) = schema.as_object_mut() else {
        return;
    };
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        let items = properties.values_mut();
        let items = items.filter_map(|property| property.get_mut("items"));
        items
            .filter(|items| items.get("properties").is_some())
            .for_each(|items| each_object(items, change));
    }
    change(object);
}

/// Forbids other keys; a type that shares its arguments with another can't do that itself.
fn close(object: &mut Map<String, Value>) {
    object.insert("additionalProperties".to_owned(), Value::Bool(false));
}

fn is_optional(property: &Value) -> bool {
    property.get("type").is_some_and(Value::is_array)
}

/// Writes "one of these words, or null" as one enum: every provider understands that, and its
/// faults read better than those of an `anyOf`.
fn flatten_options(object: &mut Map<String, Value>) {
    let Some(Value::Object(properties)) = object.get_mut("properties") else {
        return;
    };
    for property in properties.values_mut() {
        let Some(object) = property.as_object_mut() else {
            continue;
        };
        let Some(Value::Array(choices)) = object.remove("anyOf") else {
            continue;
        };
        let mut words: Vec<Value> = choices.iter().flat_map(words_of).collect();
        if !words.is_empty() {
            words.push(Value::Null);
            object.insert("type".to_owned(), json!(["string", "null"]));
            object.insert("enum".to_owned(), Value::Array(words));
        }
    }
}

/// The words of a plain enum, or of one whose variants have a description each.
fn words_of(choice: &Value) -> Vec<Value> {
    if let Some(Value::Array(words)) = choice.get("enum") {
        return words.clone();
    }
    let Some(Value::Array(variants)) = choice.get("oneOf") else {
        return Vec::new();
    };
    variants
        .iter()
        .filter_map(|variant| variant.get("const").cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_registered_with_a_working_strict_schema() {
        let names: Vec<_> = specs().iter().map(|spec| spec.name).collect();
        let expected: Vec<_> = Tool::TASKS.iter().map(|tool| tool.as_str()).collect();
        assert_eq!(names, expected);
        let all = specs_with_agents("Hand work over.");
        let names: Vec<_> = all.iter().map(|spec| spec.name).collect();
        let expected: Vec<_> = Tool::ALL.map(Tool::as_str).to_vec();
        assert_eq!(names, expected);
        for tool in Tool::ALL {
            let entry = registered(tool).unwrap();
            assert!(entry.validator.is_some(), "{tool}");
            assert_eq!(entry.offered["additionalProperties"], json!(false));
            assert_eq!(
                entry.offered["required"].as_array().unwrap().len(),
                entry.offered["properties"].as_object().unwrap().len(),
                "{tool}: strict schemas require every property"
            );
            assert!(!entry.offered.to_string().contains("$ref"), "{tool}");
            assert!(!entry.offered.to_string().contains("Of\""), "{tool}");
            for property in entry.offered["properties"].as_object().unwrap().values() {
                assert!(property.get("type").is_some(), "{tool}: {property}");
            }
        }
    }
    #[test]
    fn forms_that_share_their_arguments_are_closed() {
        let context = CallContext {
            today: chrono::NaiveDate::default(),
            lang: crate::domain::Lang::En,
            due_rule: crate::temporal::DueRule::Year,
            provider: "model",
            agents: Some("lace"),
            remind_now: chrono::DateTime::UNIX_EPOCH,
            zone: chrono_tz::UTC,
        };
        let faults = |tool: Tool, arguments: Value| {
            let call = crate::llm::RawCall {
                id: String::new(),
                name: tool.as_str().to_owned(),
                arguments: arguments.to_string(),
            };
            let proposed = crate::tools::propose(&call, &context);
            proposed.map_or_else(|error| error.details.schema_errors, |_| Vec::new())
        };
        let item = json!({"title": "a", "prompt": "b", "assigned_to": "human", "remind": null});
        let none = [""; 0];
        assert_eq!(faults(Tool::AddTask, json!({"tasks": [item]})), none);
        assert_eq!(
            faults(Tool::AddTask, json!({"tasks": [{"title": "a", "n": 1}]})),
            ["/tasks/0: additionalProperties 'n' not allowed"]
        );
        let update = json!({"task": "a", "title": "b", "assign_to": "user"});
        assert_eq!(faults(Tool::UpdateTask, update), none);
        for (tool, given) in [(Tool::UpdateTask, "task"), (Tool::TaskOutput, "run")] {
            assert_eq!(
                faults(tool, json!({ given: "a", "n": 1 })),
                ["/: additionalProperties 'n' not allowed"]
            );
        }
    }
}
