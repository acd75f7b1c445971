//! The API's shape of a task, in an array with one task per line.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::entry::{Entry, Raw, Refused, stamp};
use super::{Reading, Unreadable};
use crate::domain::{Priority, Status, Task, TaskId, UserId};

/// A task on the wire (CONTRACT §3).
#[derive(Serialize)]
struct Shape<'a> {
    id: TaskId,
    user_id: &'a UserId,
    title: &'a str,
    description: Option<&'a str>,
    status: &'static str,
    is_completed: bool,
    priority: Priority,
    due_date: Option<String>,
    assignee: Option<&'a str>,
    created_at: String,
    updated_at: String,
    completed_at: Option<String>,
}

pub(super) fn write(tasks: &[Task]) -> String {
    let lines = tasks.iter().map(|task| {
        let shape = Shape {
            id: task.id,
            user_id: &task.user_id,
            title: task.title.as_str(),
            description: task.description.as_deref(),
            status: task.status.as_str(),
            is_completed: task.status.is_completed(),
            priority: task.priority,
            due_date: task.due_date.map(|day| day.to_string()),
            assignee: task.assignee.as_deref(),
            created_at: stamp(task.created_at),
            updated_at: stamp(task.updated_at),
            completed_at: match task.status {
                Status::Pending => None,
                Status::Completed { at } => Some(stamp(at)),
            },
        };
        // Strings always serialise.
        serde_json::to_string(&shape).unwrap_or_default()
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return "[]\n".to_owned();
    }
    format!("[\n{}\n]\n", lines.join(",\n"))
}

pub(super) fn read(text: &str) -> Result<Reading, Unreadable> {
    let items = items(text)?;
    let mut reading = Reading::default();
    let mut lines = Lines::new(text);
    for item in items {
        let line = lines.of(item.get());
        match entry(item.get(), line, &mut reading) {
            Ok(entry) => reading.entries.push(entry),
            Err(refused) => reading.refused.push(refused),
        }
    }
    Ok(reading)
}

/// The items of an array, or of an object that holds it under `tasks` as a page of the API does.
fn items(text: &str) -> Result<Vec<&RawValue>, Unreadable> {
    let unreadable = |error: serde_json::Error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let text = error.to_string();
        let fault = text.split(" at line ").next().unwrap_or_default();
        Unreadable(format!(
            "it is not JSON with an array of tasks: {fault} ({place})"
        ))
    };
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).map_err(unreadable);
    }
    #[derive(Deserialize)]
    struct Page<'a> {
        #[serde(borrow)]
        tasks: Vec<&'a RawValue>,
    }
    let page: Page<'_> = serde_json::from_str(text).map_err(unreadable)?;
    Ok(page.tasks)
}

fn entry(text: &str, line: usize, reading: &mut Reading) -> Result<Entry, Refused> {
    let refuse = |reason: &str| Refused::new(line, text, reason);
    let fields: Map<String, Value> =
        serde_json::from_str(text).map_err(|_| refuse("a task is an object with a title"))?;
    let mut raw = Raw::default();
    for (name, value) in fields {
        let slot = match name.as_str() {
            "id" => &mut raw.id,
            "title" => &mut raw.title,
            "description" => &mut raw.description,
            "status" => &mut raw.status,
            "priority" => &mut raw.priority,
            "due_date" => &mut raw.due_date,
            "assignee" => &mut raw.assignee,
            "created_at" => &mut raw.created_at,
            "updated_at" => &mut raw.updated_at,
            "completed_at" => &mut raw.completed_at,
            "is_completed" => {
                raw.is_completed = match value {
                    Value::Null => None,
                    Value::Bool(flag) => Some(flag),
                    _ => return Err(refuse("is_completed must be true or false")),
                };
                continue;
            }
            // Whose list it becomes is not the file's to say.
            "user_id" => continue,
            _ => {
                reading.unkept.insert(name);
                continue;
            }
        };
        *slot = match value {
            Value::Null => None,
            Value::String(text) => Some(text),
            Value::Number(number) if name == "id" => Some(number.to_string()),
            _ => return Err(refuse(&format!("{name} must be a string"))),
        };
    }
    raw.entry(line)
}

/// Where parts of a text begin, asked for in their order.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
        }
    }

    /// The line of a part, which must be a slice of the text.
    fn of(&mut self, part: &str) -> usize {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let passed = self.text.get(self.at..start).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at = self.at.max(start);
        self.line
    }
}
