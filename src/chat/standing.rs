//! State of a conversation: the answer under a key, the question that waits. Reads only.

use serde_json::{Value, json};

use super::{ChatAnswer, ChatError, ChatService, TurnTiming};
use crate::domain::{ConversationId, QuestionId, UserId};
use crate::guard::CheckedReply;
use crate::store::MessageRole;
use crate::tools::Plan;
use crate::turn::{ChoiceMode, ServerQuestion};

/// A question that a plain yes or no answers.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingChoice {
    /// Its id.
    pub id: QuestionId,
    asked: ServerQuestion,
}

impl PendingChoice {
    /// The tool that a yes runs; `confirm` where it runs several, or none yet.
    pub fn tool_name(&self) -> &'static str {
        let mut tools = self.asked.plans().map(Plan::tool);
        match tools.next() {
            Some(first) if tools.all(|tool| tool == first) => first.as_str(),
            _ => "confirm",
        }
    }

    /// Returns what a yes does, as it was shown.
    pub fn input(&self) -> Value {
        let labels = self.asked.items.iter().map(|one| one.label.as_str());
        let items: Vec<&str> = labels.collect();
        json!({ "question": self.asked.text, "items": items })
    }
}

impl ChatService {
    /// The answer that was stored under a key. Runs nothing.
    ///
    /// # Errors
    /// [`ChatError::Running`] while it is worked on, [`ChatError::Storage`].
    pub async fn stored(&self, user: &UserId, key: &str) -> Result<Option<ChatAnswer>, ChatError> {
        let snapshot = self.inner.store.load(user, None, Some(key)).await?;
        let Some(stored) = snapshot.keyed else {
            return Ok(None);
        };
        if stored.is_claim() {
            return Err(ChatError::Running);
        }
        let reply = CheckedReply::replay(stored);
        Ok(Some(ChatAnswer::new(&reply, TurnTiming::default())))
    }

    /// Tells whether the user has this conversation.
    ///
    /// # Errors
    /// [`ChatError::Storage`].
    pub async fn has(&self, user: &UserId, place: ConversationId) -> Result<bool, ChatError> {
        let lines = self.inner.store.messages(user, place, None, 1).await?;
        Ok(lines.is_some())
    }

    /// Tells whether the last that was said in a conversation are these words of the user's, which
    /// got no answer: nothing was done about them.
    ///
    /// # Errors
    /// [`ChatError::Storage`].
    pub async fn is_unanswered(
        &self,
        user: &UserId,
        place: ConversationId,
        words: &str,
    ) -> Result<bool, ChatError> {
        let lines = self.inner.store.messages(user, place, None, 1).await?;
        let lines = lines.unwrap_or_default();
        Ok(lines
            .last()
            .is_some_and(|line| line.role == MessageRole::User && line.content == words))
    }

    /// The question that waits in a conversation for a plain yes or no.
    ///
    /// # Errors
    /// [`ChatError::Storage`].
    pub async fn waiting(
        &self,
        user: &UserId,
        place: ConversationId,
    ) -> Result<Option<PendingChoice>, ChatError> {
        let snapshot = self.inner.store.load(user, Some(place), None).await?;
        let conversation = snapshot.conversation;
        let now = self.inner.now().instant;
        let pending = conversation.and_then(|found| ServerQuestion::pending(&found, now));
        let plain = pending.filter(|(_, asked)| asked.mode == ChoiceMode::All);
        Ok(plain.map(|(stored, asked)| PendingChoice {
            id: stored.id,
            asked,
        }))
    }
}
