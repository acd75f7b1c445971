//! `data.json` of Vikunja's user export: projects, each with its tasks.
//!
//! Older exports hold namespaces of lists of tasks.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::draft::{Draft, Drafts, Field, REPETITIONS};
use super::super::lines::LineIndex;
use super::super::values::{elements, object, objects, string};
use super::super::{ReadOptions, Reading, Unreadable};
use super::read_each;
use crate::domain::Priority;

/// Fields of projects that hold others.
const WITHIN: [&str; 3] = ["projects", "child_projects", "lists"];

/// Fields of a project that hold neither tasks nor names, one of which a project has.
const OF_PROJECTS: [&str; 5] = [
    "buckets",
    "hex_color",
    "identifier",
    "is_archived",
    "parent_project_id",
];

/// Fields of a task that say nothing of it here.
const SILENT: [&str; 13] = [
    "bucket_id",
    "buckets",
    "created_by",
    "identifier",
    "index",
    "is_unread",
    "kanban_position",
    "list_id",
    "position",
    "positions",
    "project_id",
    "related_tasks",
    "subscription",
];

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Instant that stands for none.
const NEVER: &str = "0001-01-01T00:00:00Z";

pub(in super::super) fn sniff(text: &str) -> bool {
    objects(text).iter().any(|object| {
        let holds = |name: &&str| object.contains_key(*name);
        object.contains_key("title")
            && (object.contains_key("tasks") && OF_PROJECTS.iter().any(holds)
                || object.contains_key("lists"))
    })
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    read_each(text, options, project)
}

fn project(value: &RawValue, lines: &LineIndex<'_>, drafts: &mut Drafts) {
    let fields = object(value).unwrap_or_default();
    let held = |name: &str| fields.get(name).and_then(|value| elements(value));
    if let Some(title) = fields.get("title").and_then(|title| string(title)) {
        drafts.left_out.each("projects", &title);
    }
    for bucket in held("buckets").unwrap_or_default() {
        let title = object(bucket).and_then(|bucket| string(bucket.get("title")?));
        drafts.left_out.each("buckets", &title.unwrap_or_default());
    }
    for item in held("tasks").unwrap_or_default() {
        drafts.add_json(item, lines, |task: VikunjaTask, line, _| {
            Some(task.draft(line))
        });
    }
    for name in WITHIN {
        for within in held(name).unwrap_or_default() {
            project(within, lines, drafts);
        }
    }
}

#[derive(Deserialize)]
struct VikunjaTask {
    #[serde(default)]
    id: i64,
    title: String,
    description: Option<String>,
    #[serde(default)]
    done: bool,
    done_at: Option<String>,
    due_date: Option<String>,
    #[serde(default)]
    priority: i64,
    created: Option<String>,
    updated: Option<String>,
    related_tasks: Option<BTreeMap<String, Vec<Value>>>,
    /// Seconds from one occurrence to the next.
    #[serde(default)]
    repeat_after: i64,
    /// 0: so many seconds after the due date, 1: each month, 2: so many after it is done.
    #[serde(default)]
    repeat_mode: i64,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

impl VikunjaTask {
    fn draft(self, line: usize) -> Draft {
        let told = |instant: Option<String>| instant.filter(|instant| instant != NEVER);
        let created_at = told(self.created);
        // Two servers both have a task 1.
        let id = format!(
            "vikunja {} {}",
            self.id,
            created_at.as_deref().unwrap_or_default()
        );
        let mut draft = Draft::at(
            line,
            [
                (Field::Id, (self.id > 0).then_some(id)),
                (Field::Title, Some(self.title)),
                (
                    Field::Description,
                    self.description.filter(|text| text != "<p></p>"),
                ),
                (Field::Done, Some(self.done.to_string())),
                (Field::DueDate, told(self.due_date)),
                (Field::CompletedAt, told(self.done_at).filter(|_| self.done)),
                (Field::CreatedAt, created_at),
                (Field::UpdatedAt, told(self.updated)),
            ],
        );
        match self.priority {
            1 => draft.rank(Priority::Low, false),
            2 => draft.rank(Priority::Medium, false),
            3 => draft.rank(Priority::High, false),
            // Urgent, and "do now".
            4.. => draft.rank(Priority::High, true),
            // Nobody said.
            ..=0 => {}
        }
        match (self.repeat_mode, self.repeat_after) {
            (1, _) => draft.set(Field::Repeat, "FREQ=MONTHLY"),
            (0, 0) => {}
            (0, after) if after % DAY == 0 => {
                draft.set(
                    Field::Repeat,
                    format!("FREQ=DAILY;INTERVAL={}", after / DAY),
                );
            }
            _ => draft.left_out.count(REPETITIONS, 1),
        }
        let related = self.related_tasks.unwrap_or_default();
        draft
            .left_out
            .count("related_tasks", related.values().map(Vec::len).sum());
        let rest = self.rest.into_iter().filter(|(_, value)| value != NEVER);
        draft.leave_all(&rest.collect(), &SILENT);
        draft
    }
}
