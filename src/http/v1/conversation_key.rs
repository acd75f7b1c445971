//! Conversation that a message belongs to, and the key under which it is run.
//!
//! A client that names its chats is believed: the conversation is made from user and name. One
//! that names the answer it goes on from gets that answer's conversation. Else
//! the history decides: a conversation goes on where its own lines stand in what the client sends
//! before the message, and begins anew where they don't. So "it" and "the second one" mean what
//! the user sees above, never what was said in another chat; and what a client makes up, or
//! remembers wrongly, leads nowhere.
//!
//! The line that a message answers is known by then. Message and line make the key, so a history
//! that is sent again, by a retry or by "regenerate", brings the answer again and does nothing.

use std::collections::HashMap;

use super::request::{HistoryLine, ParsedRequest};
use super::responses::AnswerId;
use crate::domain::{ConversationId, UserId};
use crate::http::idempotency::{hashed, hashed_id};
use crate::store::{MessageRole, Store, StoreError, StoredMessage};

/// Number of lines of a conversation that are looked at, the newest ones.
const LOOK: u32 = 40;
/// Number of conversations that are, the last active ones.
const RECENT: usize = 20;

/// Destination of a message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ConversationKey {
    /// None: a new one.
    pub(super) conversation: Option<ConversationId>,
    /// Key that it is run under; none: whenever it comes.
    pub(super) key: Option<String>,
}

/// Finds it; none where it is said after an answer that the user never got.
pub(super) async fn find(
    store: &Store,
    user: &UserId,
    asked: &ParsedRequest,
) -> Result<Option<ConversationKey>, StoreError> {
    if let Some(previous) = &asked.previous {
        return match AnswerId::parse(previous) {
            Some(previous) => continued(store, user, asked, previous).await,
            None => Ok(None),
        };
    }
    let found = match &asked.names.chat {
        Some((chat, whole)) => named(store, user, asked, chat, *whole).await,
        None => shown(store, user, asked).await,
    };
    found.map(Some)
}

/// The words of these answers, by the ids of their messages; what is too old to be looked at, or
/// was never said, is left out.
pub(super) async fn words(
    store: &Store,
    user: &UserId,
    answers: &[AnswerId],
) -> Result<HashMap<String, String>, StoreError> {
    let mut conversations: Vec<ConversationId> = Vec::new();
    for answer in answers.iter().rev() {
        if !conversations.contains(&answer.conversation) {
            conversations.push(answer.conversation);
        }
    }
    let mut found = HashMap::new();
    for conversation in conversations.into_iter().take(RECENT) {
        let lines = store.messages(user, conversation, None, LOOK).await?;
        for line in lines.unwrap_or_default() {
            let answer = AnswerId {
                conversation,
                line: line.id,
            };
            if line.role == MessageRole::Assistant && answers.contains(&answer) {
                found.insert(format!("msg_{}", answer.digits()), line.content.clone());
            }
        }
    }
    Ok(found)
}

/// The conversation of an answer that the client names. Who went back to an earlier one and says
/// something else begins a chat of its own.
async fn continued(
    store: &Store,
    user: &UserId,
    asked: &ParsedRequest,
    previous: AnswerId,
) -> Result<Option<ConversationKey>, StoreError> {
    let conversation = previous.conversation;
    let Some(lines) = store.messages(user, conversation, None, LOOK).await? else {
        return Ok(None);
    };
    let Some(at) = lines.iter().position(|line| line.id == previous.line) else {
        let all = lines.len() < LOOK as usize;
        return Ok((!all).then(ConversationKey::default));
    };
    let place = went_on(&lines, at, &asked.lines.message).then(|| ConversationKey {
        conversation: Some(conversation),
        key: after(conversation, &lines, at, &asked.lines.message),
    });
    Ok(Some(place.unwrap_or_default()))
}

/// Tells whether nothing else than `message` was said after the line.
fn went_on(lines: &[StoredMessage], at: usize, message: &str) -> bool {
    let next = lines.get(at + 1);
    next.is_none_or(|line| same_words(&line.content, message))
}

/// The conversation of a chat that the client has a name for.
async fn named(
    store: &Store,
    user: &UserId,
    asked: &ParsedRequest,
    chat: &str,
    whole: bool,
) -> Result<ConversationKey, StoreError> {
    // One of ours, as an answer named it.
    let own = chat.parse().ok();
    let mut conversation = own.unwrap_or_else(|| derived(user, chat));
    let mut lines = store.messages(user, conversation, None, LOOK).await?;
    if own.is_some() && lines.is_none() {
        conversation = derived(user, chat);
        lines = store.messages(user, conversation, None, LOOK).await?;
    }
    let lines = lines.unwrap_or_default();
    let message = &*asked.lines.message;
    let begins = || {
        let first = match &*lines {
            [] => true,
            [said, _] => same_words(&said.content, message),
            _ => false,
        };
        (whole && asked.lines.before.is_empty() && first)
            .then(|| key(conversation, "first", message))
    };
    let by_id = || {
        let id = asked.names.message_id.as_ref()?;
        Some(key(conversation, &format!("message {id}"), message))
    };
    let after =
        answered(&lines, &asked.lines.before).map(|at| after(conversation, &lines, at, message));
    Ok(ConversationKey {
        conversation: Some(conversation),
        key: after.flatten().or_else(begins).or_else(by_id),
    })
}

/// The conversation whose lines stand in the history.
async fn shown(
    store: &Store,
    user: &UserId,
    asked: &ParsedRequest,
) -> Result<ConversationKey, StoreError> {
    if !asked.lines.before.last().is_some_and(|line| line.ours) {
        return Ok(ConversationKey::default());
    }
    let mut best: Option<((usize, bool), ConversationKey)> = None;
    let all = store.conversations(user).await?;
    for head in all.into_iter().take(RECENT) {
        let lines = store.messages(user, head.id, None, LOOK).await?;
        let lines = lines.unwrap_or_default();
        let Some(at) = answered(&lines, &asked.lines.before) else {
            continue;
        };
        if !went_on(&lines, at, &asked.lines.message) {
            // The client went back to an earlier line and said something else: that is a chat of
            // its own.
            continue;
        }
        let alike = alike(&lines, at, &asked.lines.before);
        let fit = (alike, alike == at + 1);
        if best.as_ref().is_none_or(|(most, _)| fit > *most) {
            let place = ConversationKey {
                conversation: Some(head.id),
                key: after(head.id, &lines, at, &asked.lines.message),
            };
            best = Some((fit, place));
        }
    }
    Ok(best.map(|(_, place)| place).unwrap_or_default())
}

/// Finds which of `lines` is the one that the history ends with: ours, with what the user had said
/// before it. The newest one that fits.
fn answered(lines: &[StoredMessage], before: &[HistoryLine]) -> Option<usize> {
    before.last().filter(|line| line.ours)?;
    // Two lines at least, where there are two: an answer alone may stand in many places.
    let needed = before.len().min(2);
    (0..lines.len())
        .rev()
        .find(|at| alike(lines, *at, before) >= needed)
}

/// Counts the lines up to `at` that are the last ones of the history.
fn alike(lines: &[StoredMessage], at: usize, before: &[HistoryLine]) -> usize {
    let ours = lines.get(..=at).unwrap_or_default().iter().rev();
    ours.zip(before.iter().rev())
        .take_while(|(line, said)| {
            said.ours == (line.role == MessageRole::Assistant)
                && same_words(&line.content, &said.text)
        })
        .count()
}

/// White space is what clients change.
pub(in crate::http) fn same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

fn after(
    conversation: ConversationId,
    lines: &[StoredMessage],
    at: usize,
    message: &str,
) -> Option<String> {
    let line = lines.get(at)?;
    Some(key(conversation, &format!("after {}", line.id), message))
}

fn key(conversation: ConversationId, place: &str, message: &str) -> String {
    let hash = hashed(["key", &conversation.to_string(), place, message]);
    format!("v1-{}", crate::audit::hex(&hash))
}

/// The conversation that a user's chat of this name is. Nobody else's chat can be the same.
fn derived(user: &UserId, chat: &str) -> ConversationId {
    ConversationId::new(hashed_id(["conversation", user.as_str(), chat]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::MessageId;
    use chrono::DateTime;
    use uuid::Uuid;

    fn stored(lines: &[&str]) -> Vec<StoredMessage> {
        let line = |(at, text): (usize, &&str)| StoredMessage {
            id: MessageId::new(Uuid::from_u128(at as u128)),
            role: if at % 2 == 0 {
                MessageRole::User
            } else {
                MessageRole::Assistant
            },
            content: (*text).to_owned(),
            created_at: DateTime::UNIX_EPOCH,
        };
        lines.iter().enumerate().map(line).collect()
    }

    fn sent(lines: &[&str]) -> Vec<HistoryLine> {
        let line = |(at, text): (usize, &&str)| HistoryLine {
            ours: at % 2 == 1,
            text: (*text).to_owned(),
        };
        lines.iter().enumerate().map(line).collect()
    }

    #[test]
    fn a_message_answers_the_newest_line_that_the_history_ends_with() {
        let lines = stored(&["hi", "Hello!", "add milk", "Added: milk", "hi", "Hello!"]);
        let check = |before: &[&str], expect| {
            assert_eq!(answered(&lines, &sent(before)), expect, "{before:?}");
        };
        check(&["hi", "Hello!"], Some(5));
        check(&["hi", "Hello!", "add milk", " Added:  milk\n"], Some(3));
        check(&["add milk", "Added: milk"], Some(3));
        check(&["add milk", "Added: milk, and deleted the rest"], None);
        check(&["delete milk", "Added: milk"], None);
        check(&["add milk"], None);
        check(&[], None);
    }

    #[test]
    fn ids_are_made_from_user_and_name_and_from_nothing_that_runs_together() {
        let user = |name| UserId::parse(name).unwrap();
        let one = derived(&user("ann"), "chat");
        assert_eq!(one, derived(&user("ann"), "chat"));
        assert_ne!(one, derived(&user("bob"), "chat"));
        assert_ne!(derived(&user("a"), "bc"), derived(&user("ab"), "c"));
        let key = |place, message| key(one, place, message);
        assert_eq!(key("first", "add milk"), key("first", "add milk"));
        assert_ne!(key("first", "add milk"), key("first", "add eggs"));
        assert_eq!(key("first", "x").len(), 67);
    }
}
