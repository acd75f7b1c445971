//! The rows of one user's tasks by what a listing or a set asks for: state, day, priority, note.

use chrono::NaiveDate;
use imbl::OrdMap;

use super::rows::{Row, Rows};
use crate::domain::{Priority, Task};

/// Rows by the values of their tasks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    /// Every row.
    pub(crate) all: Rows,
    /// Those of done tasks.
    pub(crate) done: Rows,
    /// Those with a due date.
    pub(crate) dated: Rows,
    /// Those with a note.
    pub(crate) described: Rows,
    due: OrdMap<NaiveDate, Rows>,
    priorities: OrdMap<&'static str, Rows>,
}

impl Facets {
    /// The rows due from the first to the last of these days.
    pub(crate) fn due(&self, days: impl std::ops::RangeBounds<NaiveDate>) -> Rows {
        Rows::union(self.due.range(days).map(|(_, rows)| rows))
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
        if let Some(day) = task.due_date
            && self.due.get(&day).is_some_and(Rows::is_empty)
        {
            self.due.remove(&day);
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
        }
        change(self.priorities.entry(task.priority.as_str()).or_default());
    }
}
