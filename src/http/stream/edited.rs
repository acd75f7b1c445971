//! A message that may be an edited one: which turn it stands for, and what that was answered.
//!
//! An edited message keeps its id, so its turn is known by its words and the line that they were
//! said after. The same edit sent twice is one turn; words that are said again after others are
//! another, for what was done about them may have been taken back meanwhile.

use serde_json::Value;

use super::body_of;
use super::request::key;
use crate::chat::ChatAnswer;
use crate::domain::{ConversationId, UserId};
use crate::http::api::Api;
use crate::http::problem::Problem;
use crate::http::v1::same_words;
use crate::store::{MessageRole, StoredMessage};

/// Number of lines of a conversation that are looked at, the newest ones.
const LOOK: u32 = 40;

/// Answers kept for a message.
pub(super) struct KeptAnswers {
    /// Idempotency key of its turn.
    pub(super) key: String,
    /// The answer to these words.
    pub(super) answer: Option<ChatAnswer>,
    /// The answer to what was said first under its id.
    pub(super) before: Option<ChatAnswer>,
}

/// Finds them; `again` asks for what these words were answered, whatever was said since.
pub(super) async fn kept(
    api: &Api,
    user: &UserId,
    place: ConversationId,
    (message, id): (&str, &str),
    again: bool,
) -> Result<KeptAnswers, Problem> {
    let first = key(place, &["said", id]);
    let Some(stored) = api.chat.stored(user, &first).await? else {
        return Ok(KeptAnswers {
            key: first,
            answer: None,
            before: None,
        });
    };
    let lines = api
        .store()
        .messages(user, place, None, LOOK)
        .await?
        .unwrap_or_default();
    let line = said(&lines, message, again);
    let own = line.and_then(|at| lines.get(at));
    if own.is_some_and(|line| answers(&stored, line)) {
        return Ok(KeptAnswers {
            key: first,
            answer: Some(stored),
            before: None,
        });
    }
    let at = line.unwrap_or(lines.len());
    let after = at.checked_sub(1).and_then(|before| lines.get(before));
    let after = after.map(|line| line.id.to_string()).unwrap_or_default();
    let key = key(place, &["edited", id, message, &after]);
    Ok(KeptAnswers {
        answer: api.chat.stored(user, &key).await?,
        key,
        before: Some(stored),
    })
}

/// The newest line in which the user said these words; unless they are asked for `again`, none
/// where something else was said since.
fn said(lines: &[StoredMessage], message: &str, again: bool) -> Option<usize> {
    let same = |line: &StoredMessage| same_words(&line.content, message);
    let mut users = lines.iter().enumerate().rev();
    let mut users = users
        .by_ref()
        .filter(|(_, line)| line.role == MessageRole::User);
    let found = match again {
        true => users.find(|(_, line)| same(line)),
        false => users.next().filter(|(_, line)| same(line)),
    };
    found.map(|(at, _)| at)
}

/// Tells whether an answer was given to this line.
fn answers(answered: &ChatAnswer, line: &StoredMessage) -> bool {
    let reply = body_of(answered);
    let lines = reply.get("messages").and_then(Value::as_array);
    let said = lines.and_then(|lines| lines.iter().rev().find(|line| line["role"] == "user"));
    said.is_some_and(|said| said["id"] == line.id.to_string())
}
