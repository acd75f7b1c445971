//! Argument schemas, made from the argument types and from nothing else.
//!
//! What is offered to a model is strict (every property required, optional ones nullable, no
//! other keys); what a call is checked against lets optional ones be absent.

use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::{
    add_task, ask_user, cancel_delegation, complete_task, delegate, delete_task, list_delegations,
    list_tasks, task_output, undo, update_task,
};
use crate::domain::Tool;
use crate::llm::ToolSpec;

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
}

static REGISTRY: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
    vec![
        entry::<add_task::AddTaskArgs>(Tool::AddTask, add_task::DESCRIPTION),
        entry::<list_tasks::ListTasksArgs>(Tool::ListTasks, list_tasks::DESCRIPTION),
        entry::<update_task::Args>(Tool::UpdateTask, update_task::DESCRIPTION),
        entry::<complete_task::CompleteTaskArgs>(Tool::CompleteTask, complete_task::DESCRIPTION),
        entry::<delete_task::DeleteTaskArgs>(Tool::DeleteTask, delete_task::DESCRIPTION),
        entry::<undo::UndoArgs>(Tool::Undo, undo::DESCRIPTION),
        entry::<ask_user::AskUserArgs>(Tool::AskUser, ask_user::DESCRIPTION),
    ]
});

/// The tools for agents. What `delegate` is for is said by whoever knows the agents.
static AGENTS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
    vec![
        entry::<delegate::DelegateArgs>(Tool::Delegate, delegate::DESCRIPTION),
        entry::<task_output::TaskOutputArgs>(Tool::TaskOutput, task_output::DESCRIPTION),
        entry::<cancel_delegation::CancelDelegationArgs>(
            Tool::CancelDelegation,
            cancel_delegation::DESCRIPTION,
        ),
        entry::<list_delegations::ListDelegationsArgs>(
            Tool::ListDelegations,
            list_delegations::DESCRIPTION,
        ),
    ]
});

/// `add_task{tasks}` and `update_task{assign_to}`: accepted where there are agents.
static WITH_AGENTS: LazyLock<Vec<ToolEntry>> = LazyLock::new(|| {
    vec![
        entry::<add_task::AddTasksArgs>(Tool::AddTask, add_task::DESCRIPTION),
        entry::<update_task::Assigning>(Tool::UpdateTask, update_task::DESCRIPTION),
    ]
});

static SPECS: LazyLock<Arc<Vec<ToolSpec>>> = LazyLock::new(|| {
    let spec = |entry: &ToolEntry| ToolSpec {
        name: entry.tool.as_str(),
        description: entry.description.to_owned(),
        parameters: entry.offered.clone(),
    };
    Arc::new(REGISTRY.iter().map(spec).collect())
});

/// The tools as a model sees them; built once, the same for every turn.
pub fn specs() -> Arc<Vec<ToolSpec>> {
    Arc::clone(&SPECS)
}

/// The tools where there are agents: those for tasks and those for agents, with `delegating` as the
/// description of `delegate`.
pub fn specs_with_agents(delegating: &str) -> Arc<Vec<ToolSpec>> {
    let spec = |entry: &ToolEntry| ToolSpec {
        name: entry.tool.as_str(),
        description: match entry.tool {
            Tool::Delegate => delegating.to_owned(),
            _ => entry.description.to_owned(),
        },
        parameters: entry.offered.clone(),
    };
    let assigning = |entry: &'static ToolEntry| match entry.tool {
        Tool::UpdateTask => WITH_AGENTS
            .iter()
            .find(|other| other.tool == Tool::UpdateTask)
            .unwrap_or(entry),
        _ => entry,
    };
    let tasks = REGISTRY.iter().map(assigning);
    Arc::new(tasks.chain(AGENTS.iter()).map(spec).collect())
}

/// Finds the registry's entry for `tool`.
pub(super) fn registered(tool: Tool) -> Option<&'static ToolEntry> {
    let mut entries = REGISTRY.iter().chain(AGENTS.iter());
    entries.find(|entry| entry.tool == tool)
}

/// The same for the form of `arguments`, where there are agents.
pub(super) fn registered_for(
    tool: Tool,
    arguments: &Map<String, Value>,
) -> Option<&'static ToolEntry> {
    let form = match tool {
        Tool::AddTask => arguments.contains_key("tasks"),
        Tool::UpdateTask => true,
        _ => false,
    };
    let other = WITH_AGENTS.iter().find(|entry| entry.tool == tool && form);
    other.or_else(|| registered(tool))
}

/// Tells whether these arguments are valid for `tool` by its live schema, where there are agents.
pub fn is_valid(tool: Tool, arguments: &Value) -> bool {
    let Value::Object(map) = arguments else {
        return false;
    };
    registered_for(tool, map)
        .and_then(|entry| entry.validator.as_ref())
        .is_some_and(|validator| validator.is_valid(arguments))
}

fn entry<T: JsonSchema>(tool: Tool, description: &'static str) -> ToolEntry {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut checked = schema.to_value();
    // The order of keys is no affair of the features that a library was built with.
    checked.sort_all_objects();
    flatten_options(&mut checked);
    flatten_items(&mut checked);
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
    if let Some(object) = checked.as_object_mut() {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    ToolEntry {
        tool,
        description,
        offered,
        parameters,
        shown,
        validator: jsonschema::validator_for(&checked).ok(),
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
    let Some(Value::Object(items)) = property.get_mut("items") else {
        return;
    };
    if let Some(Value::Object(inner)) = items.get("properties") {
        let names: Vec<String> = inner.keys().cloned().collect();
        items.insert("required".to_owned(), json!(names));
        items.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
}

/// The same as [`flatten_options`] for the objects in lists.
fn flatten_items(schema: &mut Value) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
        return;
    };
    for property in properties.values_mut() {
        if let Some(items) = property.get_mut("items") {
            flatten_options(items);
        }
    }
}

fn is_optional(property: &Value) -> bool {
    property.get("type").is_some_and(Value::is_array)
}

/// Writes "one of these words, or null" as one enum: every provider understands that, and its
/// faults read better than those of an `anyOf`.
fn flatten_options(schema: &mut Value) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else {
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
        let expected: Vec<_> = Tool::all().map(Tool::as_str).collect();
        assert_eq!(names, expected);
        for tool in Tool::all() {
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
}
