//! Work that is as long as a user's list is done apart from the threads that serve everybody:
//! to read a list of 100,000 tasks takes half a second, and others should not wait for that.

use super::backend::StoreError;
use super::reminders::remind;
use super::rows;
use crate::domain::{Task, UserId};
use crate::resolver::TaskList;

/// Text of so many bytes is long.
const LONG: usize = 64 << 10;

/// Does work, apart if it is long.
pub(in crate::store) async fn apart<T: Send + 'static>(
    is_long: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    if !is_long {
        return Ok(work());
    }
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|broken| StoreError::Unavailable(broken.into()))
}

/// A user's tasks as the turns take them, with what is found in them by words.
/// `reminders` are those of all of them.
pub(in crate::store) async fn task_list(
    user: &UserId,
    text: String,
    reminders: String,
) -> Result<TaskList, StoreError> {
    let (user, is_long) = (user.clone(), text.len() >= LONG);
    let read = move || {
        let mut tasks = rows::tasks(&user, &text)?;
        remind(&mut tasks, &reminders)?;
        let list = TaskList::from(tasks);
        Ok(if is_long { list.indexed() } else { list })
    };
    apart(is_long, read).await?
}

/// A user's tasks.
pub(in crate::store) async fn tasks(user: &UserId, text: String) -> Result<Vec<Task>, StoreError> {
    let user = user.clone();
    apart(text.len() >= LONG, move || rows::tasks(&user, &text)).await?
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A list as the database gives it.
    fn list(count: usize) -> String {
        let row = |number: usize| {
            let id = uuid::Uuid::from_u128(number as u128 + 1).to_string();
            let at = "2026-02-08T10:00:00.000000Z";
            let title = format!("Task {number}");
            json!([
                id, title, null, "pending", "medium", null, null, null, null, null, at, at, null, 1
            ])
        };
        json!((0..count).map(row).collect::<Vec<_>>()).to_string()
    }

    #[tokio::test]
    async fn a_long_list_is_read_as_a_short_one_and_on_another_thread() {
        let ann = UserId::parse("ann").unwrap();
        let here = std::thread::current().id();
        for (count, is_long) in [(3, false), (1_000, true)] {
            let text = list(count);
            assert_eq!(text.len() >= LONG, is_long);
            let expect = rows::tasks(&ann, &text).unwrap();
            assert_eq!(expect.len(), count);
            let read = task_list(&ann, text.clone(), "[]".to_owned())
                .await
                .unwrap();
            assert_eq!(read, TaskList::from(expect.clone()));
            assert_eq!(read.is_indexed(), is_long);
            assert_eq!(tasks(&ann, text).await.unwrap(), expect);
            let thread = apart(is_long, || std::thread::current().id());
            assert_eq!(thread.await.unwrap() != here, is_long);
        }
        let broken = format!("[{}", " ".repeat(LONG));
        assert!(matches!(
            tasks(&ann, broken).await,
            Err(StoreError::Corrupt { .. })
        ));
    }
}
