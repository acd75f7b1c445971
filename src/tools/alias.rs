//! Names and shapes of calls that other systems use: accepted where there are agents, and never
//! shown (delegation design 2.2).
//!
//! A call under such a name is turned into a call of ours; what it was called as is kept, and the
//! answer has the shape that the name promises.

use serde_json::{Map, Value, json};

use crate::domain::Tool;

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnswerShape {
    /// Ours: `{ok, success, data}`.
    #[default]
    Own,
    /// `assign_task`: `{status, type, result, metadata}` (D-205).
    Assigned,
    /// `delegate_run`: `{ok, provider, dispatched, session_id, tool_call_id, notes}` (D-129).
    Dispatched,
    /// The four fields `title, prompt, expected_response, model` (D-006): ours, marked as old.
    Legacy,
    /// `TaskOutput`: `{status, type, result, metadata}` (D-209).
    Output,
}

/// The tool that a call asks for, and the shape of its answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CalledTool {
    /// The tool, when there is one.
    pub tool: Option<Tool>,
    /// The name it was called by, when that is not the tool's own.
    pub called_as: Option<String>,
    /// The shape of the answer.
    pub shape: AnswerShape,
}

/// Finds the tool that a call of this name asks for. `agents`: there are some.
pub fn called(name: &str, arguments: &str, agents: bool) -> CalledTool {
    let name = name.trim();
    if let Some(tool) = Tool::parse(name) {
        let known = agents || Tool::TASKS.contains(&tool);
        let legacy = agents && tool == Tool::Delegate && is_legacy(arguments);
        return CalledTool {
            tool: known.then_some(tool),
            called_as: legacy.then(|| "delegate (four fields)".to_owned()),
            shape: if legacy {
                AnswerShape::Legacy
            } else {
                AnswerShape::Own
            },
        };
    }
    let known = if agents { alias(name) } else { None };
    let Some((tool, shape)) = known else {
        return CalledTool::default();
    };
    CalledTool {
        tool: Some(tool),
        called_as: Some(name.to_owned()),
        shape,
    }
}

fn alias(name: &str) -> Option<(Tool, AnswerShape)> {
    Some(match name {
        "task_add" | "task_create" => (Tool::AddTask, AnswerShape::Own),
        "task_list" => (Tool::ListTasks, AnswerShape::Own),
        "task_update" => (Tool::UpdateTask, AnswerShape::Own),
        "task_complete" => (Tool::CompleteTask, AnswerShape::Own),
        "assign_task" => (Tool::Delegate, AnswerShape::Assigned),
        "delegate_run" | "delegate.run" => (Tool::Delegate, AnswerShape::Dispatched),
        "TaskOutput" => (Tool::TaskOutput, AnswerShape::Output),
        "task_stop" => (Tool::CancelDelegation, AnswerShape::Own),
        "list_sessions" => (Tool::ListDelegations, AnswerShape::Own),
        _ => return None,
    })
}

fn is_legacy(arguments: &str) -> bool {
    let Ok(Value::Object(map)) = serde_json::from_str(arguments) else {
        return false;
    };
    !map.contains_key("tasks") && map.contains_key("title") && map.contains_key("prompt")
}

/// The arguments of a call as the tool takes them. `persona` is the default one.
pub(super) fn translated(
    called: &CalledTool,
    arguments: Map<String, Value>,
    persona: &str,
) -> Map<String, Value> {
    let Some(tool) = called.tool else {
        return arguments;
    };
    let mut map = spelled(tool, arguments);
    match called.shape {
        AnswerShape::Assigned => assigned(&mut map),
        AnswerShape::Dispatched => dispatched(&mut map, persona),
        AnswerShape::Legacy => legacy(&mut map, persona),
        AnswerShape::Own | AnswerShape::Output => {}
    }
    map
}

/// Other spellings of parameters: camel case, and the words of other systems.
fn spelled(tool: Tool, arguments: Map<String, Value>) -> Map<String, Value> {
    let rename = |name: String| {
        let renamed = match (tool, name.as_str()) {
            (Tool::Delegate | Tool::UpdateTask, "assignTo") => "assign_to",
            (Tool::UpdateTask, "assigned_to" | "assignedTo") => "assign_to",
            (Tool::Delegate | Tool::AddTask, "assignedTo") => "assigned_to",
            (Tool::Delegate | Tool::AddTask, "expectedResponse") => "expected_response",
            (Tool::AddTask | Tool::UpdateTask, "dueDate") => "due_date",
            (Tool::AddTask | Tool::UpdateTask, "dueTime") => "due_time",
            (Tool::AddTask | Tool::UpdateTask, "recurrence" | "rrule") => "repeat",
            (Tool::Delegate, "runInBackground" | "background") => "run_in_background",
            (Tool::TaskOutput, "session_id" | "agentId" | "agent") => "agent_id",
            (Tool::TaskOutput, "block") => "blocking",
            (Tool::TaskOutput, "timeout") => "timeout_ms",
            (Tool::TaskOutput | Tool::CancelDelegation, "task_id" | "title") => "task",
            (Tool::CancelDelegation, "session_id" | "agentId" | "id" | "agent") => "agent_id",
            (Tool::ListDelegations, "agentType" | "agent_type" | "agent") => "persona",
            (Tool::ListTasks, "status" | "filter") => "status_filter",
            (Tool::UpdateTask | Tool::CompleteTask, "taskId" | "task_id" | "id") => "task",
            _ => return name,
        };
        renamed.to_owned()
    };
    let mut map = Map::new();
    for (name, value) in arguments {
        let value = match (name.as_str(), value) {
            // Inside the tasks the same spellings may stand.
            ("tasks", Value::Array(items)) => Value::Array(
                items
                    .into_iter()
                    .map(|item| match item {
                        Value::Object(item) => Value::Object(spelled(tool, item)),
                        other => other,
                    })
                    .collect(),
            ),
            ("priority", Value::String(word)) if word == "normal" => json!("medium"),
            (_, value) => value,
        };
        let name = rename(name);
        map.entry(name).or_insert(value);
    }
    // A blank resume is as good as none.
    let blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
    if map.get("resume").is_some_and(blank) {
        map.remove("resume");
    }
    map
}

/// `assign_task{agent, task, description, run_in_background, resume}` (D-191, D-204, D-206).
fn assigned(map: &mut Map<String, Value>) {
    let agent = map.remove("agent");
    let task = map.remove("task");
    let description = map.remove("description");
    let mut item = Map::new();
    put(
        &mut item,
        "title",
        description.or_else(|| first_words(task.as_ref())),
    );
    put(&mut item, "prompt", task);
    map.insert("tasks".to_owned(), json!([item]));
    let agent = agent.as_ref().and_then(Value::as_str);
    if let Some(agent) = agent.filter(|_| !map.contains_key("assign_to")) {
        map.insert("assign_to".to_owned(), json!(format!("new:{agent}")));
    }
}

/// `delegate_run{user_prompt, task?, description?, provider?, …}` (D-116 … D-126).
fn dispatched(map: &mut Map<String, Value>, persona: &str) {
    let prompt = map.remove("user_prompt");
    let description = map.remove("description");
    let priority = map.remove("priority");
    let work = map.remove("task");
    let mut item = Map::new();
    put(
        &mut item,
        "title",
        description.or_else(|| first_words(prompt.as_ref())),
    );
    put(&mut item, "prompt", prompt);
    put(&mut item, "priority", priority);
    map.insert("tasks".to_owned(), json!([item]));
    put(map, "intent", work);
    map.insert("assign_to".to_owned(), json!(format!("new:{persona}")));
    map.entry("run_in_background").or_insert(Value::Bool(true));
}

/// `delegate{title, prompt, expected_response, model}` (D-006).
fn legacy(map: &mut Map<String, Value>, persona: &str) {
    let mut item = Map::new();
    for name in [
        "title",
        "prompt",
        "expected_response",
        "priority",
        "description",
    ] {
        put(&mut item, name, map.remove(name));
    }
    map.insert("tasks".to_owned(), json!([item]));
    let model = map.remove("model");
    let model = model.as_ref().and_then(Value::as_str);
    let spec = model.map_or_else(
        || format!("new:{persona}"),
        |model| format!("new:{persona};{model}"),
    );
    map.entry("assign_to").or_insert(json!(spec));
}

fn put(map: &mut Map<String, Value>, name: &str, value: Option<Value>) {
    if let Some(value) = value.filter(|value| !value.is_null()) {
        map.insert(name.to_owned(), value);
    }
}

/// The first 60 characters, for a title.
fn first_words(value: Option<&Value>) -> Option<Value> {
    let text = value?.as_str()?;
    let line = text.trim().lines().next().unwrap_or_default();
    let cut: String = line.chars().take(60).collect();
    Some(json!(cut.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::suggest::valid;

    fn check(name: &str, arguments: Value, tool: Tool, expected: &Value) {
        let called = called(name, &arguments.to_string(), true);
        assert_eq!(called.tool, Some(tool), "{name}");
        let Value::Object(map) = arguments else {
            panic!()
        };
        let translated = Value::Object(translated(&called, map, "lace"));
        assert_eq!(&translated, expected, "{name}");
        assert!(
            valid(tool, &translated, Some("lace")),
            "{name}: {translated}"
        );
    }

    #[test]
    fn other_names_and_shapes_become_ours() {
        check(
            "assign_task",
            json!({"agent": "researcher", "task": "Compare hotels.", "description": "Research hotels", "run_in_background": true}),
            Tool::Delegate,
            &json!({"tasks": [{"title": "Research hotels", "prompt": "Compare hotels."}],
                   "assign_to": "new:researcher", "run_in_background": true}),
        );
        check(
            "delegate.run",
            json!({"user_prompt": "Compare hotels.", "task": "search", "priority": "normal", "max_files": 20}),
            Tool::Delegate,
            &json!({"tasks": [{"title": "Compare hotels.", "prompt": "Compare hotels.", "priority": "medium"}],
                   "assign_to": "new:lace", "run_in_background": true, "intent": "search", "max_files": 20}),
        );
        check(
            "delegate",
            json!({"title": "A", "prompt": "B", "expected_response": "C", "model": "smart"}),
            Tool::Delegate,
            &json!({"tasks": [{"title": "A", "prompt": "B", "expected_response": "C"}], "assign_to": "new:lace;smart"}),
        );
        check(
            "delegate",
            json!({"tasks": [{"title": "A", "prompt": "B", "expectedResponse": "C"}], "assignTo": "new:lace"}),
            Tool::Delegate,
            &json!({"tasks": [{"title": "A", "prompt": "B", "expected_response": "C"}], "assign_to": "new:lace"}),
        );
        check(
            "TaskOutput",
            json!({"session_id": "agent-abc123", "block": true, "timeout": 300}),
            Tool::TaskOutput,
            &json!({"agent_id": "agent-abc123", "blocking": true, "timeout_ms": 300}),
        );
        check(
            "task_add",
            json!({"tasks": [{"title": "A", "prompt": "B", "assignedTo": "human"}]}),
            Tool::AddTask,
            &json!({"tasks": [{"title": "A", "prompt": "B", "assigned_to": "human"}]}),
        );
        check(
            "task_complete",
            json!({"taskId": "A"}),
            Tool::CompleteTask,
            &json!({"task": "A"}),
        );
        check(
            "task_list",
            json!({"status": "pending"}),
            Tool::ListTasks,
            &json!({"status_filter": "pending"}),
        );
        check(
            "task_stop",
            json!({"id": "agent-abc123"}),
            Tool::CancelDelegation,
            &json!({"agent_id": "agent-abc123"}),
        );
        check(
            "list_sessions",
            json!({"agentType": "lace"}),
            Tool::ListDelegations,
            &json!({"persona": "lace"}),
        );
    }

    #[test]
    fn without_agents_there_are_no_other_names() {
        for name in [
            "task_add",
            "assign_task",
            "delegate",
            "task_output",
            "delegate.run",
        ] {
            assert_eq!(called(name, "{}", false).tool, None, "{name}");
        }
        assert_eq!(called("add_task", "{}", false).tool, Some(Tool::AddTask));
    }
}
