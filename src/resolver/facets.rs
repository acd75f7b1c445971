//! The rows of one user's tasks by what a listing or a set asks for: state, day, priority, note.

use chrono::{Datelike, Months, NaiveDate};
use imbl::OrdMap;

use super::rows::{Row, Rows};
use crate::domain::{Priority, Task};

/// Rows by the values of their tasks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    /// Every row.
    pub(crate) all: Rows,
    /// Rows of done tasks.
    pub(crate) done: Rows,
    /// Rows of tasks with a due date.
    pub(crate) dated: Rows,
    /// Rows of tasks with a note.
    pub(crate) described: Rows,
    due: OrdMap<NaiveDate, Rows>,
    /// The same by month, under its first day, so that long ranges are few sets.
    months: OrdMap<NaiveDate, Rows>,
    priorities: OrdMap<&'static str, Rows>,
}

impl Facets {
    /// The rows due from the first to the last of these days.
    pub(crate) fn due(&self, from: NaiveDate, to: NaiveDate) -> Rows {
        let first = if from.day() == 1 {
            from
        } else {
            next_month(from)
        };
        let end = month(to);
        if first >= end {
            return Rows::union(self.due.range(from..=to).map(|(_, rows)| rows));
        }
        let before = self.due.range(from..first);
        let between = self.months.range(first..end);
        let after = self.due.range(end..=to);
        Rows::union(before.chain(between).chain(after).map(|(_, rows)| rows))
    }

    /// The rows of a priority.
    pub(crate) fn of_priority(&self, priority: Priority) -> Rows {
        let rows = self.priorities.get(priority.as_str());
        rows.cloned().unwrap_or_default()
    }

    /// Puts a task in.
    pub(crate) fn add(&mut self, row: Row, task: &Task) {
        self.each(task, |rows| rows.insert(row));
    }

    /// Takes a task out.
    pub(crate) fn remove(&mut self, row: Row, task: &Task) {
        self.each(task, |rows| rows.remove(row));
        if let Some(day) = task.due_date {
            for (days, day) in [(&mut self.due, day), (&mut self.months, month(day))] {
                if days.get(&day).is_some_and(Rows::is_empty) {
                    days.remove(&day);
                }
            }
        }
    }

    fn each(&mut self, task: &Task, change: impl Fn(&mut Rows)) {
        change(&mut self.all);
        if task.status.is_completed() {
            change(&mut self.done);
        }
        if task.description.is_some() {
            change(&mut self.described);
        }
        if let Some(day) = task.due_date {
            change(&mut self.dated);
            change(self.due.entry(day).or_default());
            change(self.months.entry(month(day)).or_default());
        }
        change(self.priorities.entry(task.priority.as_str()).or_default());
    }
}

/// The first day of the month of `day`.
fn month(day: NaiveDate) -> NaiveDate {
    day.with_day(1).unwrap_or(day)
}

/// The first day of the month after that of `day`.
fn next_month(day: NaiveDate) -> NaiveDate {
    let next = month(day).checked_add_months(Months::new(1));
    next.unwrap_or(NaiveDate::MAX)
}
