//! The tools as they are listed: from the registry of tools, with what a client without a
//! conversation needs to know besides.

use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool as Listed, ToolAnnotations};
use serde_json::{Map, Value, json};

use super::consent::DeletionConfirmation;
use crate::domain::{Tool, put_member};
use crate::tools::specs;

/// The argument by which a client that can't show a question says that the user was asked.
pub(super) const CONFIRM: &str = "confirm";

/// Tools that are offered, in this order.
pub(super) const OFFERED: [Tool; 6] = [
    Tool::AddTask,
    Tool::ListTasks,
    Tool::UpdateTask,
    Tool::CompleteTask,
    Tool::DeleteTask,
    Tool::Undo,
];

static BY_PERSON: LazyLock<Vec<Listed>> = LazyLock::new(|| written(DeletionConfirmation::Person));
static BY_MODEL: LazyLock<Vec<Listed>> = LazyLock::new(|| written(DeletionConfirmation::Model));

fn written(confirming: DeletionConfirmation) -> Vec<Listed> {
    let specs = specs();
    let listed = OFFERED.iter().filter_map(|tool| {
        let spec = specs.iter().find(|spec| spec.name == tool.as_str())?;
        let input = input(*tool, &spec.parameters, confirming);
        let text = description(*tool, &spec.description, confirming);
        let annotations = annotations(*tool);
        Some(
            Listed::new(tool.as_str(), text, Arc::new(input))
                .with_title(title(*tool))
                .with_raw_output_schema(Arc::new(output(*tool)))
                .with_annotations(annotations),
        )
    });
    listed.collect()
}

/// The tools, always in the same order.
pub(super) fn listed(confirming: DeletionConfirmation) -> &'static [Listed] {
    match confirming {
        DeletionConfirmation::Person => &BY_PERSON,
        DeletionConfirmation::Model => &BY_MODEL,
    }
}

/// The tool of that name, if it is offered.
pub(super) fn offered(name: &str) -> Option<Tool> {
    OFFERED.into_iter().find(|tool| tool.as_str() == name)
}

const fn title(tool: Tool) -> &'static str {
    match tool {
        Tool::AddTask => "Add a task",
        Tool::ListTasks => "List tasks",
        Tool::UpdateTask => "Change a task",
        Tool::CompleteTask => "Mark a task as done",
        Tool::DeleteTask => "Delete a task",
        _ => "Undo",
    }
}

/// All four are said: what is left out counts as the worst.
fn annotations(tool: Tool) -> ToolAnnotations {
    let destructive = matches!(tool, Tool::UpdateTask | Tool::DeleteTask | Tool::Undo);
    let idempotent = matches!(
        tool,
        Tool::ListTasks | Tool::UpdateTask | Tool::CompleteTask | Tool::DeleteTask
    );
    ToolAnnotations::with_title(title(tool))
        .read_only(!tool.mutates())
        .destructive(destructive)
        .idempotent(idempotent)
        .open_world(false)
}

fn description(tool: Tool, registered: &str, confirming: DeletionConfirmation) -> String {
    match tool {
        Tool::Undo => "Take back the latest change that was made through these tools, whole. \
                       Changes that the user made elsewhere are not touched."
            .to_owned(),
        Tool::DeleteTask => {
            let unasked = match confirming {
                DeletionConfirmation::Person => {
                    "can't delete: the user does so on candor's page or in its chat."
                }
                DeletionConfirmation::Model => {
                    "gets a confirmation to pass on after the user was asked."
                }
            };
            format!(
                "{registered} The user is asked first, and nothing is deleted without a yes; a \
                 client that can't ask {unasked}"
            )
        }
        _ => registered.to_owned(),
    }
}

/// The registry's schema with optional arguments that may be left out, and no talk of listings that
/// nobody was shown.
fn input(tool: Tool, offered: &Value, confirming: DeletionConfirmation) -> JsonObject {
    let properties = offered.get("properties").and_then(Value::as_object);
    let mut properties = properties.cloned().unwrap_or_default();
    if let Some(task) = properties.get_mut("task").and_then(Value::as_object_mut) {
        let text = "The task: its title, or the task_id that a result gave.";
        task.insert("description".to_owned(), json!(text));
    }
    let optional = |property: &Value| property.get("type").is_some_and(Value::is_array);
    let required: Vec<String> = properties
        .iter()
        .filter(|(_, property)| !optional(property))
        .map(|(name, _)| name.clone())
        .collect();
    if tool == Tool::DeleteTask && confirming == DeletionConfirmation::Model {
        properties.insert(
            CONFIRM.to_owned(),
            json!({
                "type": ["string", "null"],
                "maxLength": 200,
                "description": "Only after the user was asked and said yes: the confirmation that \
                                an earlier call of this tool gave.",
            }),
        );
    }
    object(json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    }))
}

/// Describes what `structuredContent` holds: what was committed, or what went wrong.
fn output(tool: Tool) -> JsonObject {
    let text = || json!({"type": "string"});
    let maybe = |of: &str| json!({"type": [of, "null"]});
    let count = || json!({"type": "integer", "minimum": 0});
    let task = json!({
        "type": ["object", "null"],
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "user_id": text(),
            "title": text(),
            "description": maybe("string"),
            "status": {"enum": ["pending", "completed"]},
            "is_completed": {"type": "boolean"},
            "priority": {"enum": ["low", "medium", "high"]},
            "due_date": {"type": ["string", "null"], "format": "date"},
            "due_time": maybe("string"),
            "timezone": maybe("string"),
            "repeat": maybe("string"),
            "assignee": maybe("string"),
            "created_at": text(),
            "updated_at": text(),
            "completed_at": maybe("string"),
        },
    });
    let action = json!({
        "type": ["object", "null"],
        "description": "What one receipt attests.",
        "properties": {
            "action": text(),
            "success": {"const": true},
            "task_id": {"type": ["string", "null"], "format": "uuid"},
            "task_title": maybe("string"),
            "message": text(),
            "receipt_id": {"type": "string", "format": "uuid"},
            "task": task,
        },
        "required": ["action", "success", "task_id", "task_title", "message", "receipt_id", "task"],
    });
    let mut properties = json!({
        "ok": {"type": "boolean"},
        "success": {"type": "boolean", "description": "The same as ok."},
        "message": {"type": "string", "description": "What was done, rendered from the receipts."},
        "changed": {"type": "boolean", "description": "False: all was so already, or was only read."},
        "action_metadata": action,
        "actions": {"type": "array", "items": action},
        "error": {"type": "string", "description": "What went wrong, where ok is false."},
        "errorType": text(),
        "details": {"type": "object"},
        "candidates": {
            "type": "array",
            "description": "The tasks that could be meant.",
            "items": {"type": "object"},
        },
        "confirmation": {
            "type": "object",
            "description": "To be passed on once the user has said yes.",
        },
    });
    if tool == Tool::ListTasks {
        let rows = "At most fifty; a note is cut after 500 characters.";
        put_member(
            &mut properties,
            "tasks",
            json!({"type": "array", "description": rows, "items": task}),
        );
        put_member(&mut properties, "matched", count());
        put_member(&mut properties, "total", count());
    }
    object(json!({
        "type": "object",
        "properties": properties,
        "required": ["ok", "success"],
    }))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_listed_whole_and_says_nothing_of_listings_shown() {
        let all = [DeletionConfirmation::Person, DeletionConfirmation::Model].map(listed);
        let offered = OFFERED.map(Tool::as_str);
        for listed in all {
            let names: Vec<_> = listed.iter().map(|tool| tool.name.as_ref()).collect();
            assert_eq!(names, offered);
        }
        for tool in all.into_iter().flatten() {
            let input = Value::Object((*tool.input_schema).clone());
            assert!(jsonschema::validator_for(&input).is_ok(), "{input}");
            assert!(!input.to_string().contains("last shown"), "{input}");
            let output = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
            assert!(jsonschema::validator_for(&output).is_ok(), "{output}");
            let hints = tool.annotations.as_ref().unwrap();
            for hint in [
                hints.read_only_hint,
                hints.destructive_hint,
                hints.idempotent_hint,
                hints.open_world_hint,
            ] {
                assert!(hint.is_some(), "{}", tool.name);
            }
        }
    }

    #[test]
    fn what_may_be_left_out_is_not_required() {
        let check = |tool: Tool, expect: Value| {
            for confirming in [DeletionConfirmation::Person, DeletionConfirmation::Model] {
                let mut listed = listed(confirming).iter();
                let listed = listed.find(|listed| listed.name == tool.as_str()).unwrap();
                assert_eq!(listed.input_schema["required"], expect, "{tool}");
            }
        };
        check(Tool::AddTask, json!(["title"]));
        check(Tool::ListTasks, json!([]));
        check(Tool::UpdateTask, json!(["task"]));
        check(Tool::DeleteTask, json!(["task"]));
        check(Tool::Undo, json!([]));
    }

    #[test]
    fn only_a_model_that_may_confirm_is_told_how() {
        let deleting = |confirming| {
            let mut listed = listed(confirming).iter();
            let delete = Tool::DeleteTask.as_str();
            let tool = listed.find(|listed| listed.name == delete).unwrap();
            tool.input_schema["properties"].get(CONFIRM).is_some()
        };
        assert!(deleting(DeletionConfirmation::Model) && !deleting(DeletionConfirmation::Person));
    }
}
