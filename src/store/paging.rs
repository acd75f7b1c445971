//! Pages of tasks: what a backend is asked for, and what is cut from its answer.
//!
//! Words are searched for here and not in SQL, so that case and accents fold as they do
//! wherever else a title is compared, on every database.

use chrono::{DateTime, Utc};

use super::backend::StoreError;
use super::blocking;
use super::read::{TaskPage, TaskQuery};
use crate::domain::text::fold;
use crate::domain::{Task, TaskId};

/// Number of tasks to ask a backend for: one more than asked for tells whether another page follows. A
/// search by words asks for everything, since it can't know how many will fit.
pub(in crate::store) fn limit(query: &TaskQuery) -> Option<i64> {
    let limit = query.limit.filter(|_| query.q.is_none())?;
    Some(i64::from(limit) + 1)
}

/// A place in the order of tasks, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) struct TaskCursor {
    /// Time at which the task at that place was added.
    pub created_at: DateTime<Utc>,
    /// Its id, which orders tasks of one instant.
    pub id: TaskId,
}

impl TaskCursor {
    pub(in crate::store) fn parse(text: &str) -> Result<Self, StoreError> {
        let (micros, id) = text.split_once('.').ok_or(StoreError::Cursor)?;
        let micros = micros.parse().map_err(|_| StoreError::Cursor)?;
        Ok(Self {
            created_at: DateTime::from_timestamp_micros(micros).ok_or(StoreError::Cursor)?,
            id: id.parse().map_err(|_| StoreError::Cursor)?,
        })
    }

    fn of(task: &Task) -> String {
        format!("{}.{}", task.created_at.timestamp_micros(), task.id)
    }
}

/// So many tasks are searched apart from the threads that serve everybody.
const MANY: usize = 1_000;

/// Cuts a page from what a backend found.
pub(in crate::store) async fn page(
    tasks: Vec<Task>,
    query: &TaskQuery,
) -> Result<TaskPage, StoreError> {
    let (query, is_long) = (query.clone(), query.q.is_some() && tasks.len() >= MANY);
    blocking::apart(is_long, move || cut(tasks, &query)).await
}

fn cut(mut tasks: Vec<Task>, query: &TaskQuery) -> TaskPage {
    if let Some(words) = query.q.as_deref().map(fold) {
        let contains = |text: &str| fold(text).contains(&words);
        tasks.retain(|task| {
            contains(task.title.as_str()) || task.description.as_deref().is_some_and(contains)
        });
    }
    let limit = query.limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    });
    let more = tasks.len() > limit;
    tasks.truncate(limit);
    TaskPage {
        next_cursor: tasks.last().filter(|_| more).map(TaskCursor::of),
        tasks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_asks_for_everything_and_a_page_for_one_more() {
        let asked = |q: Option<&str>, at_most| {
            limit(&TaskQuery {
                q: q.map(str::to_owned),
                limit: at_most,
                ..TaskQuery::default()
            })
        };
        assert_eq!(asked(None, Some(20)), Some(21));
        assert_eq!(asked(None, None), None);
        assert_eq!(asked(Some("milk"), Some(20)), None);
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        for text in [
            "1770544800123456.0198c0de-0000-7000-8000-000000000001",
            "-1.0198c0de-0000-7000-8000-000000000001",
        ] {
            let cursor = TaskCursor::parse(text).unwrap();
            let again = format!("{}.{}", cursor.created_at.timestamp_micros(), cursor.id);
            assert_eq!(again, text);
        }
        for text in ["", ".", "1", "99999999999999999999.x", "1.0198c0de"] {
            assert!(
                matches!(TaskCursor::parse(text), Err(StoreError::Cursor)),
                "{text}"
            );
        }
    }
}
