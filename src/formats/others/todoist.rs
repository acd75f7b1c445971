//! A project of Todoist, exported as CSV: rows of the types task, section, note and meta.
//!
//! Layout: todoist.com/help, "Format a CSV file to import into Todoist". A note belongs to the
//! task above it and becomes a part of its description.

use chrono::{Datelike, NaiveDate};
use chrono_tz::Tz;

use super::super::day::{DayOrder, due, is_ambiguous};
use super::super::draft::{Draft, Drafts, Field, PRIORITIES, SUBTASKS};
use super::super::table::{Row, has_header};
use super::super::{ReadOptions, Reading, Unreadable};
use crate::domain::{Lang, Priority};
use crate::temporal;

const COLUMNS: [&str; 4] = ["TYPE", "CONTENT", "PRIORITY", "INDENT"];

/// Columns that say nothing of the task itself.
const SILENT: [&str; 5] = ["AUTHOR", "DEADLINE_LANG", "DURATION_UNIT", "INDENT", "TYPE"];

/// Due dates in words that name neither a day nor a repetition, such as "every! Monday", which
/// counts from the day on which a task is done.
const WORDS: &str = "due dates in words";

pub(in super::super) fn sniff(text: &str) -> bool {
    has_header(text, &COLUMNS)
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let add = |row: Row, drafts: &mut Drafts| add(row, options.today, drafts);
    Ok(Drafts::of_table(text, &COLUMNS, add)?.read(options))
}

fn add(mut row: Row, today: NaiveDate, drafts: &mut Drafts) {
    let kind = row.take("TYPE").unwrap_or_default();
    match kind.trim().to_lowercase().as_str() {
        "task" => {
            let draft = task(row, today, &mut drafts.assumed);
            drafts.list.push(draft);
        }
        "section" => {
            let name = row.take("CONTENT").unwrap_or_default();
            drafts.left_out.each("sections", &name);
        }
        "note" => note(row, drafts),
        // How Todoist shows the project.
        "meta" => {}
        _ => drafts.left_out.each("rows of another type", &kind),
    }
}

fn note(mut row: Row, drafts: &mut Drafts) {
    let text = row.take("CONTENT").unwrap_or_default();
    let Some(task) = drafts.list.last_mut() else {
        drafts.left_out.each("notes of no task", &text);
        return;
    };
    let description = match task.get(Field::Description) {
        None | Some("") => text,
        Some(description) => format!("{description}\n\n{text}"),
    };
    task.set(Field::Description, description);
}

fn task(mut row: Row, today: NaiveDate, assumed: &mut Vec<String>) -> Draft {
    let mut draft = Draft::at(
        row.line,
        [
            (Field::Title, row.take("CONTENT")),
            (Field::Description, row.take("DESCRIPTION")),
            (Field::Assignee, row.take("RESPONSIBLE")),
            (Field::Timezone, row.take("TIMEZONE")),
        ],
    );
    let indent = row.take("INDENT").unwrap_or_default();
    draft
        .left_out
        .count(SUBTASKS, usize::from(!matches!(indent.trim(), "" | "1")));
    let level = row.take("PRIORITY").unwrap_or_default();
    match level.trim() {
        "" => {}
        "1" => draft.rank(Priority::High, false),
        "2" => draft.rank(Priority::Medium, false),
        // 3 is a little more than 4, which every task has of which nobody said more.
        "3" => draft.rank(Priority::Low, true),
        "4" => draft.rank(Priority::Low, false),
        other => draft.left_out.each(PRIORITIES, other),
    }
    let lang = Lang::from_hint(&row.take("DATE_LANG").unwrap_or_default());
    for column in ["DATE", "DEADLINE"] {
        let Some(date) = row.take(column) else {
            continue;
        };
        match day(&date, today) {
            Some((day, had_year)) if draft.get(Field::DueDate).is_none() => {
                draft.set(Field::DueDate, day);
                if !had_year {
                    assumed.push(format!("dates without a year are of {}", today.year()));
                }
            }
            Some(_) => draft.left_out.count("deadlines", 1),
            None => match temporal::repetition(&date, today, lang) {
                Some(rule) if column == "DATE" => draft.set(Field::Repeat, rule.to_string()),
                _ => draft.left_out.each(WORDS, &date),
            },
        }
    }
    row.leave(&mut draft, &SILENT, &[]);
    draft
}

/// The day of `2026-02-09 17:00`, `9 Feb 2026 17:00` or `9 Feb` with what follows, and whether
/// its year is told. Todoist leaves out the current one.
fn day(text: &str, today: NaiveDate) -> Option<(String, bool)> {
    let text = text.trim();
    if is_ambiguous(text) || due("DATE", text, (Tz::UTC, Some(DayOrder::DayFirst))).is_ok() {
        return Some((text.to_owned(), true));
    }
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let (one, two) = (words.next()?, words.next()?);
    let rest: Vec<&str> = words.collect();
    let is_year = |word: &&&str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let told = rest.first().filter(is_year);
    let year = told.map_or_else(|| today.year().to_string(), |year| (*year).to_owned());
    let (day, month) = if one.starts_with(|c: char| c.is_ascii_digit()) {
        (one, two)
    } else {
        (two, one)
    };
    let date = format!("{day} {month} {year}");
    let read = |format| NaiveDate::parse_from_str(&date, format).ok();
    let date = read("%d %b %Y").or_else(|| read("%d %B %Y"))?;
    let time = rest.get(usize::from(told.is_some())..)?.join(" ");
    Some((format!("{date} {time}").trim().to_owned(), told.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_as_todoist_writes_them() {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        let check = |text: &str, expect: Option<(&str, bool)>| {
            let read = day(text, today);
            let read = read.as_ref().map(|(day, told)| (day.as_str(), *told));
            assert_eq!(read, expect, "{text}");
        };
        check("2026-02-09", Some(("2026-02-09", true)));
        check("2026-02-09 17:00", Some(("2026-02-09 17:00", true)));
        check("9 Feb", Some(("2026-02-09", false)));
        check("Feb 9", Some(("2026-02-09", false)));
        check("9 Feb 17:15", Some(("2026-02-09 17:15", false)));
        check("2 Jan 2025", Some(("2025-01-02", true)));
        check("Jan 2, 2025", Some(("2025-01-02", true)));
        check("12 December 2027 09:00", Some(("2027-12-12 09:00", true)));
        check("every Monday", None);
        check("tomorrow", None);
        check("30 Feb", None);
        check("24/7", None);
        check("10/02/2026", Some(("10/02/2026", true)));
    }
}
