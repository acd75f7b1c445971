//! Conversations whose latest reply may have been committed and was seen by nobody: a question
//! in it is asked again before words can answer it.
//!
//! Only this process knows: another one takes the question for seen.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Answered, ChatError};
use crate::domain::ConversationId;

/// So many are remembered; beyond that the database has other troubles.
const MOST: usize = 10_000;

/// Those conversations.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    conversations: Mutex<HashSet<ConversationId>>,
}

impl Unseen {
    /// Whether the latest reply of a conversation may be one that nobody has seen.
    pub(super) fn contains(&self, conversation: ConversationId) -> bool {
        self.conversations().contains(&conversation)
    }

    /// Notes how a turn of a conversation ended.
    pub(super) fn note(
        &self,
        conversation: ConversationId,
        answered: &Result<Answered, ChatError>,
    ) {
        let mut conversations = self.conversations();
        match answered {
            Ok(_) => {
                conversations.remove(&conversation);
            }
            Err(ChatError::Unconfirmed) if conversations.len() < MOST => {
                conversations.insert(conversation);
            }
            Err(_) => {}
        }
    }

    fn conversations(&self) -> MutexGuard<'_, HashSet<ConversationId>> {
        let locked = self.conversations.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }
}
