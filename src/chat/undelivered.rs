//! Conversations whose pending question does not stand in what the user was told last: the latest
//! reply may have been committed and was seen by nobody, or the latest message got none because
//! the model is down. Such a question is asked again before words can answer it.
//!
//! Only this process knows: another one takes the question for seen.

use std::collections::HashSet;

use parking_lot::Mutex;

use super::{ChatAnswer, ChatError};
use crate::domain::ConversationId;

/// So many are remembered; beyond that the database has other troubles.
const MOST: usize = 10_000;

/// Conversations whose pending question is not in what the user was told last.
#[derive(Debug, Default)]
pub(super) struct UndeliveredReplies {
    conversations: Mutex<HashSet<ConversationId>>,
}

impl UndeliveredReplies {
    /// Tells whether a question that is pending in a conversation may not be what the user saw
    /// last.
    pub(super) fn contains(&self, conversation: ConversationId) -> bool {
        self.conversations.lock().contains(&conversation)
    }

    /// Notes how a turn of a conversation ended.
    pub(super) fn note(
        &self,
        conversation: ConversationId,
        answered: &Result<ChatAnswer, ChatError>,
    ) {
        let mut conversations = self.conversations.lock();
        match answered {
            Ok(_) => {
                conversations.remove(&conversation);
            }
            Err(ChatError::Unconfirmed | ChatError::ModelDown { .. })
                if conversations.len() < MOST =>
            {
                conversations.insert(conversation);
            }
            Err(_) => {}
        }
    }
}
