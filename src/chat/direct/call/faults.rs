//! Reasons why a call was not carried out, in words for people and models.

use super::{CallAttempt, ConsentChoice};
use crate::domain::{Details, ErrorType, ToolError};
use crate::store::{RollbackCause, StoreError, TransactError};

pub(super) fn one_at_a_time(reference: &str) -> ToolError {
    let named = crate::domain::shown(reference);
    let text = format!(
        "\"{named}\" names several tasks, and this tool takes one at a time. Call list_tasks, then \
         this tool once for each task that is meant."
    );
    ToolError::new(ErrorType::Ambiguous, text)
}

/// A time of day of a task that is due on no day.
pub(super) fn no_day() -> ToolError {
    let text = "due_time needs a due_date: give both.";
    ToolError::new(ErrorType::Validation, text).with(Details {
        parameter: Some("due_time".to_owned()),
        suggestion: Some("Give due_date too".to_owned()),
        ..Details::default()
    })
}

pub(super) fn answered_before() -> ToolError {
    let text = "This confirmation was used before, so nothing was done now. Call again to be asked \
                anew.";
    ToolError::new(ErrorType::Conflict, text)
}

pub(super) fn not_confirmed(attempt: &CallAttempt<'_>, declined: &str) -> ToolError {
    match attempt.consent.map(|consent| consent.said) {
        Some(ConsentChoice::Decline) => {
            let text = format!("{declined} The user said no.");
            ToolError::new(ErrorType::Permission, text)
        }
        _ => {
            let text = format!("{declined} The user gave no answer.");
            ToolError::new(ErrorType::Cancelled, text)
        }
    }
}

pub(super) fn unavailable(error: &StoreError) -> ToolError {
    tracing::error!(%error, "the database failed");
    storage()
}

fn storage() -> ToolError {
    let text = "The database could not answer, so nothing was changed. Try again shortly.";
    ToolError::new(ErrorType::Unavailable, text)
}

pub(super) fn uncommitted(error: &TransactError) -> ToolError {
    match error {
        TransactError::Busy(words) => ToolError::new(ErrorType::Conflict, *words),
        TransactError::RolledBack(cause) => {
            if let RollbackCause::Storage(cause) = cause {
                tracing::error!(%cause, "the database failed");
            }
            storage()
        }
        TransactError::Unconfirmed(_) => {
            let text = "It could not be confirmed whether this was saved. Look with list_tasks \
                        before you try again.";
            ToolError::new(ErrorType::Unavailable, text)
        }
    }
}
