//! Work that is as long as a user's list is done apart from the threads that serve everybody:
//! to read a list of 100,000 tasks takes half a second, and nobody else is to wait for it.

use std::borrow::Cow;

use super::backend::StoreError;
use super::rows;
use crate::domain::{Task, UserId};
use crate::resolver::TaskList;

/// Text of so many bytes is long.
const LONG: usize = 64 << 10;

/// A user's tasks as the turns take them, with what is found in them by words.
pub(in crate::store) async fn task_list(user: &UserId, text: &str) -> Result<TaskList, StoreError> {
    let read = |user: &UserId, text: &str| rows::tasks(user, text).map(TaskList::from);
    reading(user, text.into(), read).await
}

/// A user's tasks.
pub(in crate::store) async fn tasks(user: &UserId, text: String) -> Result<Vec<Task>, StoreError> {
    reading(user, text.into(), rows::tasks).await
}

async fn reading<T: Send + 'static>(
    user: &UserId,
    text: Cow<'_, str>,
    read: impl FnOnce(&UserId, &str) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    if text.len() < LONG {
        return read(user, &text);
    }
    let (user, text) = (user.clone(), text.into_owned());
    whole(move || read(&user, &text)).await?
}

/// Long work, whatever it is.
pub(in crate::store) async fn whole<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|broken| StoreError::Unavailable(broken.into()))
}
