//! A backup of TickTick as CSV: some lines about the file, then one row for each task.
//!
//! A due date is an instant, and its day is the one in the row's own zone. A task is known again
//! by its title and when it was made: `taskId` counts the rows of one backup.

use super::super::draft::{Draft, Drafts, Field, LISTS, SUBTASKS};
use super::super::entry::Refused;
use super::super::table::{Row, has_header};
use super::super::{ReadOptions, Reading, Unreadable};
use crate::domain::Priority;

const COLUMNS: [&str; 4] = ["List Name", "Title", "Status", "Created Time"];

/// Columns that say nothing of the task itself.
const SILENT: [&str; 8] = [
    "Order",
    "Timezone",
    "Is Floating",
    "Column Order",
    "View Mode",
    "taskId",
    "Is Check list",
    "Is All Day",
];

pub(in super::super) fn sniff(text: &str) -> bool {
    has_header(text, &COLUMNS)
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    Ok(Drafts::of_table(text, &COLUMNS, add)?.read(options))
}

fn add(mut row: Row, drafts: &mut Drafts) {
    for (column, kind) in [
        ("Folder Name", "folders"),
        ("List Name", LISTS),
        ("Column Name", "columns of boards"),
    ] {
        let name = row.take(column).unwrap_or_default();
        drafts.left_out.distinct(kind, &name);
    }
    let (line, title) = (row.line, row.take("Title").unwrap_or_default());
    match task(row, title.clone()) {
        Ok(draft) => drafts.list.push(draft),
        Err(reason) => drafts.refused.push(Refused::new(line, &title, reason)),
    }
}

fn task(mut row: Row, title: String) -> Result<Draft, String> {
    let mut draft = Draft::at(
        row.line,
        [
            (Field::Title, Some(title)),
            (Field::Description, row.take("Content")),
            (Field::DueDate, row.take("Due Date")),
            (Field::CreatedAt, row.take("Created Time")),
            (Field::CompletedAt, row.take("Completed Time")),
            (Field::Timezone, row.take("Timezone")),
            (Field::Repeat, row.take("Repeat")),
        ],
    );
    let status = row.take("Status").unwrap_or_default();
    let done = match status.trim() {
        "" | "0" => {
            // A task that was reopened keeps the time.
            draft.take(Field::CompletedAt);
            "false"
        }
        "1" | "2" => "true",
        "-1" => {
            return Err(
                "it is marked \"won't do\": a task here is pending or completed".to_owned(),
            );
        }
        other => return Err(format!("Status must be 0, 1 or 2, not \"{other}\"")),
    };
    draft.set(Field::Done, done);
    match row.take("Priority").unwrap_or_default().trim() {
        "" | "0" => {}
        "1" => draft.rank(Priority::Low, false),
        "3" => draft.rank(Priority::Medium, false),
        "5" => draft.rank(Priority::High, false),
        other => return Err(format!("Priority must be 0, 1, 3 or 5, not \"{other}\"")),
    }
    match (draft.get(Field::DueDate), row.take("Start Date")) {
        (None, Some(start)) => draft.set(Field::DueDate, start),
        // A start that is the due date says nothing more.
        (Some(due), Some(start)) if due != start => draft.left_out.count("start dates", 1),
        _ => {}
    }
    if row
        .take("Kind")
        .is_some_and(|kind| kind.eq_ignore_ascii_case("note"))
    {
        draft.left_out.count("notes, which become tasks", 1);
    }
    draft
        .left_out
        .count(SUBTASKS, usize::from(row.take("parentId").is_some()));
    row.leave(&mut draft, &SILENT, &["DEFAULT"]);
    Ok(draft)
}
