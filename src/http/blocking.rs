//! Work that is as long as a list is done apart from the thread that serves everybody: to write
//! out 100,000 tasks takes a tenth of a second, and others should not wait for that.

use actix_web::web;

use super::problem::Problem;

/// So many tasks are many.
const MANY: usize = 1_000;

/// Work on so many tasks, here where they are few.
///
/// # Errors
/// 500 where the work broke off.
pub(super) async fn run_blocking<T: Send + 'static>(
    tasks: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    if tasks < MANY {
        return Ok(work());
    }
    web::block(work).await.map_err(Problem::internal)
}

#[cfg(test)]
mod tests {
    use std::thread::{ThreadId, current};

    use super::*;

    #[actix_web::test]
    async fn long_work_leaves_the_thread_and_short_work_does_not() {
        let thread = || -> ThreadId { current().id() };
        assert_eq!(
            run_blocking(MANY - 1, thread).await.ok(),
            Some(current().id())
        );
        let other = run_blocking(MANY, thread).await.ok();
        assert!(other.is_some_and(|other| other != current().id()));
        assert!(
            run_blocking(MANY, || panic!("broken"))
                .await
                .map(|(): ()| ())
                .is_err()
        );
    }
}
