//! Tasks of Outlook, exported as comma-separated values by its import and export wizard.
//!
//! Dates have the order of the Windows that wrote them: the file's other dates show it, or it is
//! asked for.

use super::super::draft::{Draft, Drafts, Field};
use super::super::table::{Row, has_header};
use super::super::{ReadOptions, Reading, Unreadable};

const COLUMNS: [&str; 4] = ["Subject", "Due Date", "Date Completed", "Status"];

/// Values that any task has of which nobody said more.
const USUAL: [&str; 3] = ["0", "false", "normal"];

pub(in super::super) fn sniff(text: &str) -> bool {
    has_header(text, &COLUMNS)
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let drafts = Drafts::of_table(text, &COLUMNS, |row, drafts| drafts.list.push(task(row)))?;
    Ok(drafts.read(options))
}

fn task(mut row: Row) -> Draft {
    // A day that was never set.
    let mut day = |column| row.take(column).filter(|day| !day.starts_with("0/0/"));
    let (due_date, start) = (day("Due Date"), day("Start Date"));
    let completed_at = day("Date Completed");
    let mut draft = Draft::at(
        row.line,
        [
            (Field::Title, row.take("Subject")),
            (Field::Description, row.take("Notes")),
            (Field::Status, row.take("Status")),
            (Field::Priority, row.take("Priority")),
            (Field::DueDate, due_date),
            (Field::CompletedAt, completed_at),
        ],
    );
    if start.is_some() && start.as_deref() != draft.get(Field::DueDate) {
        draft.left_out.count("Start Date", 1);
    }
    // A share of 1, or of 100 %, is what the status says.
    let share = row.take("% Complete").unwrap_or_default();
    let between = !matches!(share.trim(), "" | "0" | "1" | "0%" | "100" | "100%");
    draft.left_out.count("% Complete", usize::from(between));
    if row
        .take("Reminder On/Off")
        .is_some_and(|on| on.eq_ignore_ascii_case("true"))
    {
        draft.left_out.count("reminders", 1);
    }
    row.leave(&mut draft, &["Reminder Date", "Reminder Time"], &USUAL);
    draft
}
