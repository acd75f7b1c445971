//! Cause of a failed call, told to the user.

use serde_json::Value;

use crate::domain::{ErrorType, Tool, ToolError};
use crate::guard::phrases::{Speech, quoted};
use crate::turn::LedgerEntry;

/// Tells why a call failed, in words of the server's own: what a model wrote into its arguments is
/// not repeated to the user.
pub(super) fn cause(error: &ToolError, said: &str, speech: Speech) -> String {
    let faults = error.details.schema_errors.iter().map(String::as_str);
    let own = faults
        .chain(error.details.constraint.as_deref())
        .find_map(|fault| {
            let (at, text) = fault.split_once(": ").unwrap_or(("", fault));
            let parameter = error.details.parameter.as_deref().unwrap_or_default();
            let (at, text) = match at.strip_prefix('/') {
                Some(at) => (at.trim_start_matches('/'), text),
                None => (parameter, fault),
            };
            match at {
                "title" if text.starts_with("Missing") => Some("Title cannot be empty".to_owned()),
                "task" if text.starts_with("Missing") => Some(
                    speech
                        .pick("no task was named", "koi task nahi bataya")
                        .to_owned(),
                ),
                "title" if text.starts_with("Title ") || text.starts_with("too long") => {
                    Some(text.trim_end_matches('.').to_owned())
                }
                "due_date" if text.contains("due dates run from") => Some(text.to_owned()),
                "due_date" if text.contains("is not a day") => Some(not_a_day(text, said, speech)),
                "due_date" if text.contains("disagrees") => Some(
                    speech
                        .pick(
                            "the date is not the one you said",
                            "tareekh woh nahi jo aap ne kahi",
                        )
                        .to_owned(),
                ),
                "priority" if text.contains("disagrees") => Some(
                    speech
                        .pick(
                            "the priority is not the one you said",
                            "priority woh nahi jo aap ne kahi",
                        )
                        .to_owned(),
                ),
                "priority" | "status" | "status_filter" => not_one_of(at, text, said),
                _ => None,
            }
        });
    own.unwrap_or_else(|| {
        speech
            .pick("the call was not valid", "call durust na thi")
            .to_owned()
    })
}

fn not_a_day(text: &str, said: &str, speech: Speech) -> String {
    let value = text.split('\'').nth(1).unwrap_or_default();
    if !value.is_empty() && crate::resolver::covers(value, said) {
        format!("'{value}' {}", speech.pick("is not a day", "koi din nahi"))
    } else {
        speech
            .pick("the due date is not a day", "due date koi din nahi")
            .to_owned()
    }
}

/// `'very high' is not one of low, medium, high`: the value only where the user said it.
fn not_one_of(parameter: &str, text: &str, said: &str) -> Option<String> {
    let (value, rest) = text.split_once(" is not one of ")?;
    let value = value.trim_matches('\'');
    if crate::resolver::covers(value, said) {
        Some(format!("'{value}' is not one of {rest}"))
    } else {
        let name = parameter.trim_end_matches("_filter");
        Some(format!("the {name} is not one of {rest}"))
    }
}

pub(super) fn failure_text(
    entry: &LedgerEntry,
    error: &ToolError,
    said: &str,
    speech: Speech,
) -> String {
    if error.error_type != ErrorType::Validation {
        return error.error.clone();
    }
    let argument = |name: &str| {
        let text = entry.arguments.get(name).and_then(Value::as_str);
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        // Only what the user said is said back.
        let text = text.filter(|text| crate::resolver::covers(text, said));
        text.map(|text| quoted(&text.chars().take(80).collect::<String>()))
    };
    let the_task = || speech.pick("the task", "task").to_owned();
    let (verb, what) = match entry.tool {
        Some(Tool::AddTask) => ("add", argument("title").unwrap_or_else(the_task)),
        Some(Tool::DeleteTask) => ("delete", argument("task").unwrap_or_else(the_task)),
        Some(Tool::CompleteTask) => ("complete", argument("task").unwrap_or_else(the_task)),
        Some(Tool::UpdateTask) => ("update", argument("task").unwrap_or_else(the_task)),
        Some(Tool::Delegate) => ("delegate", the_task()),
        Some(Tool::TaskOutput) => ("read", speech.pick("the result", "nateeja").to_owned()),
        Some(Tool::CancelDelegation) => (
            "cancel",
            speech.pick("the delegation", "delegation").to_owned(),
        ),
        Some(Tool::ListTasks) => ("list", speech.pick("the tasks", "tasks").to_owned()),
        _ => ("do", speech.pick("that", "yeh").to_owned()),
    };
    let cause = cause(error, said, speech);
    match speech {
        Speech::English => format!("Could not {verb} {what}: {cause}."),
        Speech::RomanUrdu => format!("{what} {verb} nahi ho saka: {cause}."),
    }
}
