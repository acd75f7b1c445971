//! `Tasks.json` of Google Takeout, and the same resources of Google's Tasks API: lists of tasks.
//!
//! A due date is a day: Google throws its time away, so that it is never moved to a zone.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::draft::{Draft, Drafts, Field, LISTS, SUBTASKS};
use super::super::lines::LineIndex;
use super::super::values::{elements, object, objects, string};
use super::super::{ReadOptions, Reading, Unreadable};
use super::read_each;

/// Fields of a task that say nothing of it here.
const SILENT: [&str; 8] = [
    "deleted",
    "etag",
    "hidden",
    "kind",
    "position",
    "selfLink",
    "task_type",
    "webViewLink",
];

pub(in super::super) fn sniff(text: &str) -> bool {
    let kind = |value: &&RawValue| string(value).is_some_and(|kind| kind.starts_with("tasks#"));
    let objects = objects(text);
    objects
        .iter()
        .any(|object| object.get("kind").is_some_and(kind))
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    read_each(text, options, part)
}

/// A list, lists, or a task.
fn part(value: &RawValue, lines: &LineIndex<'_>, drafts: &mut Drafts) {
    let fields = object(value).unwrap_or_default();
    let told = |name: &str| fields.get(name).and_then(|value| string(value));
    let items = fields.get("items").and_then(|items| elements(items));
    let kind = told("kind").unwrap_or_default();
    if items.is_none() && (kind == "tasks#task" || fields.contains_key("status")) {
        return drafts.add_json(value, lines, |task: GoogleTask, line, drafts| {
            if task.deleted {
                drafts.left_out.each("deleted tasks", &task.title);
                return None;
            }
            Some(task.draft(line))
        });
    }
    if let Some(title) = told("title") {
        drafts.left_out.each(LISTS, &title);
    }
    for item in items.unwrap_or_default() {
        part(item, lines, drafts);
    }
}

#[derive(Deserialize)]
struct GoogleTask {
    id: Option<String>,
    #[serde(default)]
    title: String,
    notes: Option<String>,
    status: Option<String>,
    due: Option<String>,
    completed: Option<String>,
    created: Option<String>,
    updated: Option<String>,
    parent: Option<String>,
    #[serde(default)]
    deleted: bool,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl GoogleTask {
    fn draft(self, line: usize) -> Draft {
        let day = |due: String| due.split('T').next().unwrap_or_default().to_owned();
        let mut draft = Draft::at(
            line,
            [
                (Field::Id, self.id.map(|id| format!("google-tasks {id}"))),
                (Field::Title, Some(self.title)),
                (Field::Description, self.notes),
                (Field::Status, self.status),
                (Field::DueDate, self.due.map(day)),
                (Field::CompletedAt, self.completed),
                (Field::CreatedAt, self.created),
                (Field::UpdatedAt, self.updated),
            ],
        );
        draft
            .left_out
            .count(SUBTASKS, usize::from(self.parent.is_some()));
        draft.leave_all(&self.rest, &SILENT);
        draft
    }
}
