//! Input of a turn, and how an attempt at it ends.

use std::time::Instant;

use super::ChatError;
use super::progress::TurnProgress;
use super::wire::AnswerChoice;
use crate::domain::{ConversationId, Lang, Moment, UserId};

/// Input of a turn.
#[derive(Debug)]
pub(super) struct TurnInput {
    pub(super) user: UserId,
    pub(super) conversation: ConversationId,
    pub(super) fresh: bool,
    /// True when it is begun under this id where the user has none of it.
    pub(super) begins: bool,
    pub(super) message: String,
    pub(super) answer: Option<AnswerChoice>,
    /// The language that the request asks for.
    pub(super) hint: Option<Lang>,
    pub(super) moment: Moment,
    pub(super) keyed: Option<(String, String)>,
    pub(super) started: Instant,
    /// The reply before this turn may have been seen by nobody.
    pub(super) unseen: bool,
    /// Somebody watches it.
    pub(super) course: Option<TurnProgress>,
}

/// Reason why an attempt at a turn has no answer.
#[derive(Debug)]
pub(super) enum AttemptFault {
    /// The error is the request's answer.
    Failed(ChatError),
    /// Another hand was faster; nothing was written.
    Overtaken,
    /// Somebody took this turn for dead and ended it: what it had committed was told.
    TakenOver,
}

impl From<ChatError> for AttemptFault {
    fn from(error: ChatError) -> Self {
        Self::Failed(error)
    }
}
