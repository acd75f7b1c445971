//! Which tasks a listing shows, and the reading that its receipt keeps.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::domain::{Priority, Task};
use crate::resolver::{TaskList, Words, names};
use crate::store::{Line, Reading};

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

/// Which days.
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

/// What to read. The reply is rendered from this and the lines, so the receipt keeps both.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ListFilter {
    /// Open, done, or both.
    #[serde(default)]
    pub status: StatusFilter,
    /// Which days.
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
    /// Whether one thing is on the list is asked for.
    #[serde(default)]
    pub one: bool,
}

impl ListFilter {
    /// Whether the whole list is asked for.
    pub fn is_everything(&self) -> bool {
        self.status == StatusFilter::All
            && self.due.is_none()
            && self.priority.is_none()
            && self.query.is_none()
    }

    /// Whether `task` is among what is asked for.
    pub fn matches(&self, task: &Task) -> bool {
        let completed = task.status.is_completed();
        let status = match self.status {
            StatusFilter::All => true,
            StatusFilter::Pending => !completed,
            StatusFilter::Completed => completed,
        };
        let due = match (&self.due, task.due_date) {
            (None, _) | (Some(DueRange::Undated), None) => true,
            (Some(DueRange::Between { from, to }), Some(day)) => (*from..=*to).contains(&day),
            (Some(DueRange::Overdue { before }), Some(day)) => !completed && day < *before,
            (Some(_), _) => false,
        };
        status
            && due
            && self.priority.is_none_or(|level| level == task.priority)
            && self
                .query
                .as_deref()
                .is_none_or(|query| query_matches(query, task))
    }
}

/// Reads `tasks` (oldest first) as `filter` says.
pub fn read_list(tasks: &TaskList, filter: &ListFilter) -> Reading {
    let matching: Vec<&Task> = tasks.iter().filter(|task| filter.matches(task)).collect();
    Reading::Tasks {
        question: serde_json::to_value(filter).unwrap_or_default(),
        lines: matching
            .iter()
            .take(LINES_MAX)
            .copied()
            .map(Line::from)
            .collect(),
        matched: matching.len(),
        total: tasks.len(),
    }
}

fn query_matches(query: &str, task: &Task) -> bool {
    names(query, task.title.as_str())
        || task
            .description
            .as_deref()
            .is_some_and(|text| Words::of(text).contains_all(query))
}
