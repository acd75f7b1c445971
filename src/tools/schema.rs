//! Argument schemas, made from the argument types and from nothing else.
//!
//! What is offered to a model is strict (every property required, optional ones nullable, no
//! other keys); what a call is checked against lets optional ones be absent.

use std::sync::{Arc, LazyLock};

use jsonschema::Validator;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::{add_task, ask_user, complete_task, delete_task, list_tasks, undo, update_task};
use crate::domain::Tool;
use crate::llm::ToolSpec;

/// What the registry knows of one tool.
pub(super) struct Entry {
    /// Which.
    pub tool: Tool,
    /// What it is for.
    pub description: &'static str,
    /// The schema a model sees.
    pub offered: Value,
    /// Its parameters, in the order of the schema.
    pub parameters: Vec<String>,
    /// The compiled check; `None` only if the schema itself were broken, which a test excludes.
    pub validator: Option<Validator>,
}

static REGISTRY: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        entry::<add_task::Args>(Tool::AddTask, add_task::DESCRIPTION),
        entry::<list_tasks::Args>(Tool::ListTasks, list_tasks::DESCRIPTION),
        entry::<update_task::Args>(Tool::UpdateTask, update_task::DESCRIPTION),
        entry::<complete_task::Args>(Tool::CompleteTask, complete_task::DESCRIPTION),
        entry::<delete_task::Args>(Tool::DeleteTask, delete_task::DESCRIPTION),
        entry::<undo::Args>(Tool::Undo, undo::DESCRIPTION),
        entry::<ask_user::Args>(Tool::AskUser, ask_user::DESCRIPTION),
    ]
});

static SPECS: LazyLock<Arc<Vec<ToolSpec>>> = LazyLock::new(|| {
    let spec = |entry: &Entry| ToolSpec {
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

/// What the registry knows of `tool`.
pub(super) fn registered(tool: Tool) -> Option<&'static Entry> {
    REGISTRY.iter().find(|entry| entry.tool == tool)
}

fn entry<T: JsonSchema>(tool: Tool, description: &'static str) -> Entry {
    let settings = SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut checked = schema.to_value();
    flatten_options(&mut checked);
    let mut properties = Map::new();
    if let Some(Value::Object(found)) = checked.get("properties") {
        properties.clone_from(found);
    }
    // What must be given first, as people read it.
    let mut parameters: Vec<String> = properties.keys().cloned().collect();
    parameters.sort_by_key(|name| properties.get(name).is_some_and(is_optional));
    let offered = json!({
        "type": "object",
        "properties": properties,
        "required": parameters,
        "additionalProperties": false,
    });
    if let Some(object) = checked.as_object_mut() {
        object.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Entry {
        tool,
        description,
        offered,
        parameters,
        validator: jsonschema::validator_for(&checked).ok(),
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
        let expected: Vec<_> = Tool::ALL.iter().map(|tool| tool.as_str()).collect();
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
}
