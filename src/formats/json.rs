//! The API's shape of a task, in an array with one task per line.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::draft::{self, Draft, Drafts, Field};
use super::entry::Refused;
use super::lines::LineIndex;
use super::values::{elements, object, values};
use super::{ReadOptions, Reading, Unreadable};
use crate::domain::{ReminderState, Task};

/// An array of tasks, each of which `line` writes.
pub(super) fn write(tasks: &[Task], line: fn(&Task) -> String) -> String {
    let lines: Vec<String> = tasks.iter().map(line).collect();
    if lines.is_empty() {
        return "[]\n".to_owned();
    }
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Names under which an object holds its tasks.
const LISTS: [&str; 6] = ["tasks", "todos", "items", "data", "results", "value"];

/// Tells whether it is JSON: an array or objects.
pub(super) fn sniff(text: &str) -> bool {
    text.trim_start().starts_with(['[', '{']) && values(text).is_ok()
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let mut drafts = Drafts::default();
    let lines = LineIndex::new(text);
    for item in items(text, &mut drafts)? {
        let line = lines.of(item.get());
        match draft(item.get(), line) {
            Ok(draft) => drafts.list.push(draft),
            Err(refused) => drafts.refused.push(refused),
        }
    }
    Ok(drafts.read(options))
}

/// The tasks: of an array, of an object that holds it as a page of the API does, or one object
/// after another.
fn items<'a>(text: &'a str, drafts: &mut Drafts) -> Result<Vec<&'a RawValue>, Unreadable> {
    let values = values(text)?;
    let [value] = values.as_slice() else {
        return Ok(values);
    };
    if let Some(items) = elements(value) {
        return Ok(items);
    }
    let fields = object(value).unwrap_or_default();
    if fields.keys().any(|name| is_title(name)) {
        return Ok(values);
    }
    let held = LISTS.iter().find_map(|name| {
        let value = fields.get(*name)?;
        let within = object(value).and_then(|page| page.get("tasks").copied());
        elements(value)
            .or_else(|| elements(within?))
            .map(|items| (*name, items))
    });
    let Some((held, items)) = held else {
        let fault = "it is not JSON with an array of tasks: an object needs a title, or its tasks \
                     under \"tasks\"";
        return Err(Unreadable(fault.to_owned()));
    };
    // Other lists of the page are no tasks; its totals and cursors say nothing of any.
    for (name, value) in fields {
        let others = elements(value).map_or(0, |others| others.len());
        drafts
            .left_out
            .count(&name, if name == held { 0 } else { others });
    }
    Ok(items)
}

fn is_title(name: &str) -> bool {
    draft::field(name).is_some_and(|(field, _)| field == Field::Title)
}

fn draft(text: &str, line: usize) -> Result<Draft, Refused> {
    let refuse = |reason: &str| Refused::new(line, text, reason);
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|_| refuse("a task is an object with a title"))?;
    let mut draft = Draft::at(line, []);
    let mut known = Vec::new();
    for (name, value) in fields {
        match (draft::field(&name), value) {
            (Some((Field::Reminder, _)), Value::Array(items)) => {
                for item in items {
                    match waiting(&item) {
                        Some(at) => draft.remind(&name, at),
                        None => draft.left_out.count(&name, 1),
                    }
                }
            }
            (Some((Field::Reminder, _)), value) if !value.is_string() => draft.leave(&name, &value),
            (Some((field, rank)), value) => known.push((rank, field, name, value)),
            (None, value) => draft.leave(&name, &value),
        }
    }
    known.sort_by_key(|(rank, ..)| *rank);
    for (_, field, name, value) in known {
        let value = match (field, value) {
            (Field::Owner, _) | (_, Value::Null) => continue,
            (_, Value::String(text)) => text,
            (Field::Status | Field::Done, Value::Bool(flag)) => flag.to_string(),
            (Field::Id | Field::Done | Field::Priority, Value::Number(number)) => {
                number.to_string()
            }
            (Field::Done, _) => return Err(refuse(&format!("{name} must be true or false"))),
            _ => return Err(refuse(&format!("{name} must be a string"))),
        };
        draft.put(field, &name, value);
    }
    Ok(draft)
}

/// The time of a reminder of the API's shape that waits.
fn waiting(reminder: &Value) -> Option<&str> {
    let text = |name: &str| reminder.get(name)?.as_str();
    let waits = text("state")? == ReminderState::Waiting.as_str();
    text("at").filter(|_| waits)
}
