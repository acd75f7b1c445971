//! The filter of the tasks that a listing shows, and the reading that its receipt keeps.

use chrono::{NaiveDate, Weekday};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::{Priority, Task};
use crate::resolver::{Days, Selected, Selection, TaskList, abbreviates};
use crate::store::{ListedTask, ReadResult};

/// At most so many lines are shown; the count is always whole.
pub const LINES_MAX: usize = 50;

/// Open, done, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusFilter {
    /// Both.
    #[default]
    All,
    /// Open ones.
    Pending,
    /// Done ones.
    Completed,
}

/// Days that a listing covers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DueRange {
    /// From the first to the last of these days.
    Between {
        /// First day.
        from: NaiveDate,
        /// Last day.
        to: NaiveDate,
    },
    /// Open and due before this day.
    Overdue {
        /// Today.
        before: NaiveDate,
    },
    /// Without a due date.
    Undated,
}

impl DueRange {
    /// The days that a listing means: who asks for this week on its last two days looks ahead, to
    /// the end of the next one.
    #[must_use]
    pub fn looking_ahead(self, today: NaiveDate) -> Self {
        let week = today.week(Weekday::Mon).checked_days();
        match (self, week) {
            (Self::Between { from, to }, Some(week)) if (from..=to) == week => {
                let late = to.signed_duration_since(today).num_days() <= 1;
                let next = to.checked_add_days(chrono::Days::new(7)).filter(|_| late);
                next.map_or(Self::Between { from, to }, |to| Self::Between {
                    from: today,
                    to,
                })
            }
            (range, _) => range,
        }
    }
}

/// The filter of a listing. The reply is rendered from this and the lines, so the receipt keeps
/// both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ListFilter {
    /// Open, done, or both.
    #[serde(default)]
    pub status: StatusFilter,
    /// The days that it covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DueRange>,
    /// Of this priority: only where the user's own words say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Words of a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The count alone is asked for.
    #[serde(default)]
    pub count_only: bool,
    /// Set when the question is whether one thing is on the list.
    #[serde(default)]
    pub one: bool,
    /// Reminders are asked about: each line tells the one that waits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reminders: bool,
    /// Notes are asked about: each line tells its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notes: bool,
}

impl ListFilter {
    /// Tells whether the whole list is asked for.
    pub fn is_everything(&self) -> bool {
        self.status == StatusFilter::All
            && self.due.is_none()
            && self.priority.is_none()
            && self.query.is_none()
    }

    /// Returns the filter as the selection that the list of tasks is asked for.
    pub fn selection(&self) -> Selection<'_> {
        let (due, open) = match &self.due {
            None => (None, false),
            Some(DueRange::Between { from, to }) => (Some(Days::Between(*from, *to)), false),
            // Overdue is what is open, whatever state is asked for.
            Some(DueRange::Overdue { before }) => (Some(Days::Before(*before)), true),
            Some(DueRange::Undated) => (Some(Days::Undated), false),
        };
        let done = match self.status {
            StatusFilter::All => open.then_some(false),
            StatusFilter::Pending => Some(false),
            StatusFilter::Completed => Some(true),
        };
        Selection {
            done,
            // Done and overdue is nothing.
            due: match (due, done) {
                (Some(Days::Before(_)), Some(true)) => Some(Days::Before(NaiveDate::MIN)),
                _ => due,
            },
            priority: self.priority,
            words: self.query.as_deref(),
        }
    }
}

fn short_for<'t>(tasks: &'t TaskList, selection: &Selection<'_>) -> Selected<'t> {
    let words = selection.words.unwrap_or_default();
    let others = Selection {
        words: None,
        ..*selection
    };
    let of = tasks.iter().filter(|task| others.matches(task));
    let mut oldest: Vec<&Task> = of
        .filter(|task| abbreviates(words, task.title.as_str()))
        .collect();
    let matched = oldest.len();
    oldest.truncate(LINES_MAX);
    Selected { matched, oldest }
}

/// Reads `tasks` as `filter` says: all are counted, and the oldest shown.
pub fn read_list(tasks: &TaskList, filter: &ListFilter) -> ReadResult {
    let selection = filter.selection();
    let Selected { matched, oldest } = match tasks.select(&selection, LINES_MAX) {
        // Nothing has these words: what they may be short for ("the endo").
        Selected { matched: 0, .. } if !filter.one => short_for(tasks, &selection),
        selected => selected,
    };
    let line = |task: &Task| {
        let waiting = task.reminders.waiting().filter(|_| filter.reminders);
        // "show my notes" tells those there are; of a task that is asked about, that there is none.
        let note = task.description.clone();
        let note = note.or_else(|| filter.query.is_some().then(String::new));
        ListedTask {
            reminder: waiting.map(|reminder| reminder.when),
            note: note.filter(|_| filter.notes),
            ..ListedTask::from(task)
        }
    };
    ReadResult::Tasks {
        question: serde_json::to_value(filter).unwrap_or_default(),
        lines: oldest.into_iter().map(line).collect(),
        matched,
        total: tasks.len(),
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::DueRange;

    #[test]
    fn this_week_looks_ahead_on_its_last_two_days() {
        let day = |day: &str| day.parse::<NaiveDate>().unwrap();
        let range = |from: &str, to: &str| DueRange::Between {
            from: day(from),
            to: day(to),
        };
        let week = range("2026-02-02", "2026-02-08");
        let seen = |today: &str| week.clone().looking_ahead(day(today));
        assert_eq!(seen("2026-02-06"), week);
        assert_eq!(seen("2026-02-07"), range("2026-02-07", "2026-02-15"));
        assert_eq!(seen("2026-02-08"), range("2026-02-08", "2026-02-15"));
        // Another week is the one that was named.
        assert_eq!(seen("2026-02-15"), week);
        let weekend = range("2026-02-07", "2026-02-08");
        assert_eq!(weekend.clone().looking_ahead(day("2026-02-08")), weekend);
    }
}
