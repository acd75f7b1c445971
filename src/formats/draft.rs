//! One task as words, before any of them is understood: what every layout of CSV and JSON is read
//! into, so that values keep the same rules wherever they come from.

use std::collections::HashMap;

use chrono::{DateTime, Timelike, Utc};
use chrono_tz::Tz;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::day::{self, DayOrder, ToldDue};
use super::entry::{self, Entry, Key, Refused, cut};
use super::left_out::LeftOut;
use super::lines::LineIndex;
use super::table::{Row, Table};
use super::values;
use super::{ReadOptions, Reading, Unreadable};
use crate::domain::{DueTime, Priority, Repeat};

/// Times of due dates that tell more than the minute.
pub(super) const SECONDS: &str = "seconds of due times";
/// Zones by a name that is none of the IANA's, such as "PST".
const ZONES: &str = "zones";
/// Repetitions that no rule here says.
pub(super) const REPETITIONS: &str = "repetitions";
/// Priorities of a finer scale than low, medium and high.
pub(super) const PRIORITIES: &str = "finer priorities";
/// States beside open and done, such as "in progress".
pub(super) const STATES: &str = "other states";
/// Subtasks: they are kept, beside the task that they belong to.
pub(super) const SUBTASKS: &str = "places under another task";
/// Lists of other programs, by name.
pub(super) const LISTS: &str = "lists";

/// A field of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Field {
    Id,
    Title,
    Description,
    Status,
    Done,
    Priority,
    DueDate,
    DueTime,
    /// Its own zone, in which its due date is a day.
    Timezone,
    /// Rule by which it repeats, as RRULE; what is none is told as left out.
    Repeat,
    Assignee,
    Reminder,
    CreatedAt,
    UpdatedAt,
    CompletedAt,
    /// The owner: whose list it becomes is not the file's to say.
    Owner,
}

/// Names of fields, without capitals and signs; of two for one field the first counts.
const NAMES: [(Field, &str); 16] = [
    (Field::Id, "id uid uuid"),
    (
        Field::Title,
        "title task name summary subject content todo text",
    ),
    (Field::Description, "description note notes details"),
    (Field::Status, "status state"),
    (
        Field::Done,
        "iscompleted done completed complete isdone iscomplete",
    ),
    (Field::Priority, "priority importance"),
    (Field::DueDate, "duedate due dueat deadline"),
    (Field::DueTime, "duetime"),
    (Field::Timezone, "timezone"),
    (Field::Repeat, "repeat rrule recurrence"),
    (Field::Assignee, "assignee assignedto responsible"),
    (Field::Reminder, "reminder reminders"),
    (Field::CreatedAt, "createdat created createdtime"),
    (
        Field::UpdatedAt,
        "updatedat updated modified modifiedat lastmodified",
    ),
    (
        Field::CompletedAt,
        "completedat datecompleted completedtime doneat",
    ),
    (Field::Owner, "userid"),
];

/// The field that a name stands for, and the rank of the name among all of them.
pub(super) fn field(name: &str) -> Option<(Field, usize)> {
    /// No name is longer.
    const LONGEST: usize = 40;
    let plain = plain(if name.len() > LONGEST { "" } else { name });
    let names = NAMES
        .into_iter()
        .flat_map(|(field, names)| names.split(' ').map(move |name| (field, name)));
    let (rank, (field, _)) = names.enumerate().find(|(_, (_, name))| *name == plain)?;
    Some((field, rank))
}

/// A word without capitals, blanks and signs.
fn plain(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The values of one task.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub line: usize,
    values: HashMap<Field, String>,
    /// Times of reminders that wait.
    pub reminders: Vec<DateTime<Utc>>,
    /// Everything it says beside these.
    pub left_out: LeftOut,
}

impl Draft {
    /// A draft of the task at a line, with these values.
    pub(super) fn at<const N: usize>(line: usize, values: [(Field, Option<String>); N]) -> Self {
        let told = values.into_iter();
        let told = told.filter_map(|(field, value)| Some((field, value?)));
        Self {
            line,
            values: told.collect(),
            ..Self::default()
        }
    }

    pub(super) fn get(&self, field: Field) -> Option<&str> {
        self.values.get(&field).map(String::as_str)
    }

    pub(super) fn set(&mut self, field: Field, value: impl Into<String>) {
        self.values.insert(field, value.into());
    }

    /// Takes a value out, unless it is blank.
    pub(super) fn take(&mut self, field: Field) -> Option<String> {
        let value = self.values.remove(&field);
        value.filter(|text| !text.trim().is_empty())
    }

    /// Keeps a value by the name of its field; a second one for the same field is left out.
    pub(super) fn put(&mut self, field: Field, name: &str, value: String) {
        match (field, self.get(field)) {
            (Field::Reminder, _) => self.remind(name, &value),
            (Field::Owner, _) => {}
            _ if value.is_empty() => {}
            (_, None) => self.set(field, value),
            (_, Some(kept)) if kept == value => {}
            (_, Some(_)) => self.left_out.count(name, 1),
        }
    }

    /// Keeps the first reminder, which must be an instant (RFC 3339); what else is told is left out.
    pub(super) fn remind(&mut self, name: &str, at: &str) {
        match entry::instant(at) {
            Some(at) if self.reminders.is_empty() => self.reminders.push(at),
            _ => self.left_out.count(name, usize::from(!at.is_empty())),
        }
    }

    /// Maps a priority of another scale; `None` where it is no level of it. A level that is not
    /// the only one for its word is `finer`.
    pub(super) fn rank(&mut self, priority: Priority, finer: bool) {
        self.set(Field::Priority, priority.as_str());
        self.left_out.count(PRIORITIES, usize::from(finer));
    }

    fn entry(&mut self, options: &ReadOptions) -> Result<Entry, String> {
        let order = options.day_order;
        let instant = |name, text: Option<String>| {
            text.map(|text| day::instant(name, &text, order))
                .transpose()
        };
        let mut completed_at = instant("completed_at", self.take(Field::CompletedAt))?;
        let said = self.take(Field::Status).map(|word| state(&word));
        let said = said.transpose()?;
        self.left_out
            .count(STATES, usize::from(said == Some(State::Between)));
        let said = said.map(|state| state == State::Done);
        let mut flag = None;
        if let Some(word) = self.take(Field::Done) {
            match (state(&word), day::instant("", &word, order)) {
                (Ok(state), _) => flag = Some(state == State::Done),
                // A column "completed" may hold the day.
                (Err(_), Ok(when)) => completed_at = completed_at.or(Some(when)),
                (Err(_), Err(_)) => return Err("is_completed must be true or false".to_owned()),
            }
        }
        let completed = match (said, flag) {
            (Some(said), Some(flag)) if said != flag => {
                return Err("status and is_completed contradict each other".to_owned());
            }
            (said, flag) => said.or(flag),
        };
        if completed == Some(false) && completed_at.is_some() {
            return Err("it is pending and has a completed_at".to_owned());
        }
        let zone = self.own_zone().unwrap_or(options.zone);
        let reminders = std::mem::take(&mut self.reminders).into_iter();
        let reminders = reminders.map(|at| (at, zone)).collect();
        let due = self.due(options)?;
        let time = due.and_then(|(due, zone)| Some((due.time?, zone)));
        let exact = time.is_some_and(|(time, _)| time.second() > 0);
        self.left_out.count(SECONDS, usize::from(exact));
        let done = completed.unwrap_or(completed_at.is_some());
        let repeat = self.take(Field::Repeat).and_then(|text| {
            let rule = Repeat::parse(&text).ok();
            // What is done and has no day has none to go on from.
            let rule = rule.filter(|_| due.is_some() || !done);
            if rule.is_none() {
                self.left_out.each(REPETITIONS, &text);
            }
            rule
        });
        let priority = self.take(Field::Priority).map(|word| priority(&word));
        let description = self.values.remove(&Field::Description);
        let assignee = self.take(Field::Assignee);
        Ok(Entry {
            line: self.line,
            key: Key::of(self.get(Field::Id).unwrap_or_default()),
            title: entry::title(self.get(Field::Title).unwrap_or_default())?,
            description: entry::description(description.unwrap_or_default())?,
            priority: priority.transpose()?.unwrap_or_default(),
            due_date: due.map(|(due, _)| due.day),
            due_time: time.map(|(time, zone)| DueTime::new(time, zone)),
            repeat,
            reminders,
            floating: due.is_some_and(|(due, _)| due.floating),
            assignee: assignee.map(|name| entry::assignee(&name)).transpose()?,
            completed: done,
            completed_at,
            created_at: instant("created_at", self.take(Field::CreatedAt))?,
            updated_at: instant("updated_at", self.take(Field::UpdatedAt))?,
        })
    }

    /// The zone that it names.
    fn own_zone(&self) -> Option<Tz> {
        self.get(Field::Timezone)?.trim().parse().ok()
    }

    /// The due date and its time, with the zone of both.
    fn due(&mut self, options: &ReadOptions) -> Result<Option<(ToldDue, Tz)>, String> {
        let own = self.own_zone();
        let named = self.take(Field::Timezone);
        let zone = own.unwrap_or(options.zone);
        let time = self.take(Field::DueTime);
        let time = time.map(|text| day::time_of_day("due_time", &text));
        let Some(text) = self.take(Field::DueDate) else {
            return match time {
                Some(_) => Err("due_time needs a due_date".to_owned()),
                None => Ok(None),
            };
        };
        let mut due = day::due("due_date", &text, (zone, options.day_order))?;
        if let Some(time) = time.transpose()? {
            (due.time, due.floating) = (Some(time), true);
        }
        due.floating &= due.time.is_some() && own.is_none();
        if let Some(name) = named.filter(|_| due.floating) {
            self.left_out.each(ZONES, &name);
        }
        Ok(Some((due, zone)))
    }

    fn dates(&self) -> impl Iterator<Item = &str> {
        let dates = [
            Field::DueDate,
            Field::CreatedAt,
            Field::UpdatedAt,
            Field::CompletedAt,
        ];
        dates.into_iter().filter_map(|field| self.get(field))
    }
}

/// The tasks of a file as words.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    pub list: Vec<Draft>,
    pub refused: Vec<Refused>,
    pub left_out: LeftOut,
    pub assumed: Vec<String>,
}

impl Drafts {
    /// The drafts of a table with these columns, a row at a time.
    ///
    /// # Errors
    /// [`Unreadable`], where it is no such table.
    pub(super) fn of_table(
        text: &str,
        columns: &[&str],
        mut add: impl FnMut(Row, &mut Self),
    ) -> Result<Self, Unreadable> {
        let mut drafts = Self::default();
        let table = Table::read(text, columns, |row| add(row, &mut drafts))?;
        drafts.refused.extend(table.refused);
        Ok(drafts)
    }

    /// Reads a task of a JSON text, at its line; `draft` makes one of it, or leaves it out.
    pub(super) fn add_json<'a, T: Deserialize<'a>>(
        &mut self,
        value: &'a RawValue,
        lines: &LineIndex<'_>,
        draft: impl FnOnce(T, usize, &mut Self) -> Option<Draft>,
    ) {
        let (text, line) = (value.get(), lines.of(value.get()));
        match values::task(text) {
            Ok(task) => {
                let draft = draft(task, line, self);
                self.list.extend(draft);
            }
            Err(reason) => self.refused.push(Refused::new(line, text, reason)),
        }
    }

    /// Understands them. The order of day and month is the whole file's.
    pub(super) fn read(self, options: &ReadOptions) -> Reading {
        let mut options = *options;
        let mut reading = Reading {
            refused: self.refused,
            left_out: self.left_out,
            assumed: self.assumed.into_iter().collect(),
            ..Reading::default()
        };
        let dates = || self.list.iter().flat_map(Draft::dates);
        if options.day_order.is_none()
            && let Some((order, date)) = DayOrder::shown_by(dates())
        {
            options.day_order = Some(order);
            if dates().any(day::is_ambiguous) {
                let assumed = format!("dates are {}, as {} shows", order.as_str(), cut(date));
                reading.assumed.insert(assumed);
            }
        }
        for mut draft in self.list {
            match draft.entry(&options) {
                Ok(entry) => {
                    reading.push(entry, options.zone);
                    reading.left_out.merge(draft.left_out);
                }
                Err(reason) => {
                    let title = draft.get(Field::Title).unwrap_or_default();
                    let refused = Refused::new(draft.line, title, reason);
                    reading.refused.push(refused);
                }
            }
        }
        reading
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    /// Neither quite open nor done: kept as open.
    Between,
    Done,
}

fn state(word: &str) -> Result<State, String> {
    match plain(word).as_str() {
        "pending" | "open" | "todo" | "needsaction" | "notstarted" | "false" | "no" | "0" => {
            Ok(State::Open)
        }
        "inprogress"
        | "inprocess"
        | "started"
        | "doing"
        | "waiting"
        | "waitingonothers"
        | "waitingonsomeoneelse"
        | "deferred" => Ok(State::Between),
        "completed" | "complete" | "done" | "true" | "yes" | "x" | "1" => Ok(State::Done),
        "cancelled" | "canceled" => {
            Err("it is cancelled: a task here is pending or completed".to_owned())
        }
        _ => {
            let shown = cut(word);
            Err(format!(
                "status must be pending or completed, not \"{shown}\""
            ))
        }
    }
}

fn priority(word: &str) -> Result<Priority, String> {
    let word = word.trim().to_lowercase();
    let known = match word.as_str() {
        "normal" | "none" => Some(Priority::Medium),
        word => Priority::parse(word),
    };
    let shown = cut(&word);
    known.ok_or_else(|| format!("priority must be low, medium or high, not \"{shown}\""))
}
