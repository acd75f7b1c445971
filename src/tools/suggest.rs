//! Calls that a wrong one may have meant, derived from the live schemas (delegation design 2.8,
//!
//!
//! A suggestion is proposed only if the arguments it speaks of, moved as it says, are valid for
//! the tool it names; so no tool is ever named that would refuse the same call again. Knows the
//! moves, and no pair of tools by heart.

use serde_json::{Map, Value, json};

use super::fault::ArgumentFaults;
use super::{delegate, schema};
use crate::domain::{ModelSpec, Tool};

/// A call that would have been valid.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CallSuggestion {
    /// The tool.
    pub tool: Tool,
    /// Its arguments, moved.
    pub arguments: Value,
    /// For the model.
    pub text: String,
}

/// The parts of a delegated task, by name.
const WORK: [&str; 2] = ["prompt", "expected_response"];

/// Finds the calls that a wrong call of `tool` may have meant. `agents` is the default persona
/// where there are agents.
pub(super) fn suggestions(
    tool: Tool,
    arguments: &Map<String, Value>,
    agents: Option<&str>,
) -> Vec<CallSuggestion> {
    let mut found = Vec::new();
    found.extend(as_they_are(tool, arguments, agents));
    if let Some(persona) = agents {
        found.extend(delegated(tool, arguments, persona));
    }
    found
}

/// Another tool whose live schema accepts these arguments as they are.
fn as_they_are(
    tool: Tool,
    arguments: &Map<String, Value>,
    agents: Option<&str>,
) -> Option<CallSuggestion> {
    let given = arguments.values().any(|value| !value.is_null());
    // Work that was to be handed over is not put on the list instead (C-01).
    if !given || tool == Tool::Delegate {
        return None;
    }
    let value = Value::Object(arguments.clone());
    let offered = |other: &Tool| agents.is_some() || Tool::TASKS.contains(other);
    let mut others = Tool::ALL
        .into_iter()
        .filter(|other| *other != tool && offered(other));
    let other = others.find(|other| valid(*other, &value, agents))?;
    Some(CallSuggestion {
        tool: other,
        arguments: value,
        text: format!("Use '{other}' instead: these arguments are valid there"),
    })
}

/// The same work as a call of `delegate`: the tasks moved there, their model to the agent's
/// specification.
fn delegated(tool: Tool, arguments: &Map<String, Value>, persona: &str) -> Option<CallSuggestion> {
    if !matches!(tool, Tool::AddTask | Tool::Delegate) {
        return None;
    }
    let mut rest = arguments.clone();
    let items = match rest.remove("tasks") {
        Some(Value::Array(items)) => items,
        Some(Value::Object(item)) => vec![Value::Object(item)],
        Some(_) => return None,
        // One task, written flat.
        None => vec![Value::Object(std::mem::take(&mut rest))],
    };
    let mut models = Vec::new();
    let mut tasks = Vec::with_capacity(items.len());
    for item in items {
        let Value::Object(mut item) = item else {
            return None;
        };
        models.extend(item.remove("model"));
        tasks.push(Value::Object(item));
    }
    models.extend(rest.remove("model"));
    let work = |task: &Value| WORK.iter().any(|name| task.get(name).is_some());
    if tool == Tool::AddTask && models.is_empty() && !tasks.iter().any(work) {
        return None;
    }
    models.dedup();
    let (assign_to, how) = match models.as_slice() {
        [] if rest.contains_key("assign_to") => (None, String::new()),
        [] => (Some(format!("new:{persona}")), "add".to_owned()),
        [Value::String(model)] if model.parse::<ModelSpec>().is_ok() => (
            Some(format!("new:{persona};{model}")),
            "pass model as".to_owned(),
        ),
        _ => return None,
    };
    if let Some(spec) = &assign_to {
        if rest.contains_key("assign_to") {
            return None;
        }
        rest.insert("assign_to".to_owned(), json!(spec));
    }
    rest.insert("tasks".to_owned(), Value::Array(tasks));
    let value = Value::Object(rest);
    if !valid(Tool::Delegate, &value, Some(persona)) {
        return None;
    }
    let pass = assign_to.map(|spec| format!("{how} assign_to \"{spec}\""));
    let text = match (tool, pass) {
        (Tool::Delegate, Some(pass)) => format!("Call 'delegate' again: {pass}"),
        (Tool::Delegate, None) => "Call 'delegate' again with tasks as a list".to_owned(),
        (_, Some(pass)) => {
            format!("Use 'delegate' instead: move tasks to delegate.tasks and {pass}")
        }
        (_, None) => "Use 'delegate' instead: move tasks to delegate.tasks".to_owned(),
    };
    Some(CallSuggestion {
        tool: Tool::Delegate,
        arguments: value,
        text,
    })
}

/// Tells whether the tool would take these arguments: by its schema and by the grammar of agents.
pub(super) fn valid(tool: Tool, arguments: &Value, agents: Option<&str>) -> bool {
    let Some(map) = arguments.as_object() else {
        return false;
    };
    let mut faults = ArgumentFaults::default();
    if tool == Tool::Delegate {
        delegate::check(map, &mut faults);
    }
    let entry = schema::registered_for(tool, map, agents.is_some());
    faults.is_empty() && entry.is_some_and(|entry| entry.accepts(arguments))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(map) => map,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn work_on_the_wrong_tool_is_moved_to_delegate() {
        let wrong = object(json!({"tasks": [
            {"title": "Research hotels", "prompt": "Compare.", "expected_response": "A table", "model": "fast"},
        ]}));
        let found = suggestions(Tool::AddTask, &wrong, Some("lace"));
        assert_eq!(
            found[0].text,
            "Use 'delegate' instead: move tasks to delegate.tasks and pass model as assign_to \"new:lace;fast\""
        );
        assert!(suggestions(Tool::AddTask, &wrong, None).is_empty());
    }

    #[test]
    fn delegate_without_an_agent_is_never_sent_to_add_task() {
        let wrong = object(json!({"tasks": [{"title": "a", "prompt": "b"}]}));
        let found = suggestions(Tool::Delegate, &wrong, Some("lace"));
        assert!(found.iter().all(|other| other.tool == Tool::Delegate));
        assert_eq!(
            found[0].text,
            "Call 'delegate' again: add assign_to \"new:lace\""
        );
    }

    #[test]
    fn a_call_that_is_wrong_everywhere_suggests_nothing() {
        let wrong = object(json!({"nonsense": [1, 2], "priority": 7}));
        for tool in Tool::ALL {
            assert_eq!(suggestions(tool, &wrong, Some("lace")), [], "{tool}");
        }
    }

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(json!("Research hotels")),
            Just(json!("  ")),
            Just(json!("high")),
            Just(json!("fast")),
            Just(json!("new:lace;fast")),
            Just(json!("new:lace;junk")),
            Just(json!(7)),
            Just(json!(true)),
            Just(Value::Null),
        ]
    }

    const NAMES: [&str; 16] = [
        "title",
        "prompt",
        "expected_response",
        "model",
        "priority",
        "task",
        "assign_to",
        "assigned_to",
        "due_date",
        "due_time",
        "repeat",
        "question",
        "agent_id",
        "resume",
        "status",
        "nonsense",
    ];

    fn flat() -> impl Strategy<Value = Map<String, Value>> {
        let field = (prop::sample::select(NAMES.as_slice()), value());
        prop::collection::vec(field, 0..5).prop_map(|fields| {
            fields
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()
        })
    }

    fn call() -> impl Strategy<Value = (Tool, Map<String, Value>)> {
        let tools = Tool::ALL.to_vec();
        let nested = prop::option::of(prop::collection::vec(flat(), 0..3));
        (prop::sample::select(tools), flat(), nested).prop_map(|(tool, mut map, nested)| {
            if let Some(items) = nested {
                let items = items.into_iter().map(Value::Object).collect();
                map.insert("tasks".to_owned(), Value::Array(items));
            }
            (tool, map)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]
        /// whatever is suggested is accepted when it is done.
        #[test]
        fn a_02_every_suggestion_validates_when_applied((tool, arguments) in call()) {
            for agents in [None, Some("lace")] {
                for suggestion in suggestions(tool, &arguments, agents) {
                    prop_assert!(valid(suggestion.tool, &suggestion.arguments, agents), "{suggestion:?}");
                    prop_assert!(suggestion.text.contains(suggestion.tool.as_str()));
                    prop_assert!(agents.is_some() || Tool::TASKS.contains(&suggestion.tool));
                    prop_assert!(tool != Tool::Delegate || suggestion.tool == Tool::Delegate);
                }
            }
        }
    }
}
