//! Requests of a client of the AI SDK: the last words said, the same again, or an answer to a
//! question that was put as a call to be approved.
//!
//! Of everything a client sends, only what is new counts: the history is ours, and of an approval
//! nothing but its id and the answer.

use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::chat::wire::AnswerChoice;
use crate::domain::{ConversationId, UserId};
use crate::http::code::Code;
use crate::http::idempotency::hashed_id;
use crate::http::problem::Problem;
use crate::http::v1::{IMAGE, TEXT_ONLY};

/// The longest id of a client's, in characters.
const LONGEST: usize = 255;

/// `POST /api/{user_id}/chat/stream`, as npm `ai` sends it; other members are not looked at.
#[derive(Debug, Deserialize, ToSchema)]
pub(in crate::http) struct StreamRequest {
    /// The client's chat: the conversation of this id, or one of its own that is begun for it.
    #[schema(min_length = 1, max_length = 255)]
    pub(super) id: String,
    /// The chat as the client has it, the newest message last. Only what is new is read.
    #[schema(value_type = Vec<Object>, min_items = 1)]
    messages: Vec<Map<String, Value>>,
    #[serde(default)]
    trigger: Trigger,
    /// The message it is about, where it is not the last.
    #[serde(default, rename = "messageId")]
    message_id: Option<String>,
    /// IANA zone that "today" is read in.
    #[serde(default)]
    #[schema(example = "Asia/Karachi")]
    pub(super) timezone: Option<String>,
    /// Language of the reply, such as `de` or `pt-BR`; an unknown one is none, and the words tell it.
    #[serde(default)]
    #[schema(schema_with = crate::chat::schema::language_hint, required = false)]
    pub(super) language_hint: Option<String>,
    /// The answer to a pending question, by a button.
    #[serde(default)]
    pub(super) answer: Option<AnswerChoice>,
}

/// Reason why a client sends its chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(in crate::http) enum Trigger {
    /// Something is said, or a question answered.
    #[default]
    SubmitMessage,
    /// The last answer is to be shown again.
    RegenerateMessage,
}

/// New part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamCommand {
    /// Something is said; as a new text of an earlier message, where it is edited.
    Say {
        message: String,
        id: String,
        edited: bool,
    },
    /// The answer to a message is to be shown again.
    Again { message: String, id: String },
    /// A question is answered.
    Approve {
        /// Id of the question, as the client was told.
        question: String,
        /// Yes or no.
        yes: bool,
        /// The call, as the client knows it.
        call: String,
        /// The message that asked.
        id: String,
    },
}

impl StreamRequest {
    /// Finds what is new in it.
    ///
    /// # Errors
    /// 422 that says what is missing, 400 for a file, which can't be read.
    pub(super) fn wish(&self) -> Result<StreamCommand, Problem> {
        known("id", &self.id)?;
        let refuse = |detail: &str| Err(Problem::new(Code::InvalidBody, detail));
        let named = self.message_id.as_deref().and_then(|id| {
            let mut named = self.messages.iter().rev();
            named.find(|message| said(message, "id") == Some(id))
        });
        let again = self.trigger == Trigger::RegenerateMessage;
        // An answer may be meant for a message further up; whatever is said is the last.
        let answered = named.filter(|message| !again && said(message, "role") == Some("assistant"));
        let Some(last) = answered.or_else(|| self.messages.last()) else {
            return refuse("messages is empty: send at least the last one.");
        };
        let id = said(last, "id").unwrap_or_default().to_owned();
        known("the id of the message", &id)?;
        match said(last, "role") {
            Some("user") => {
                let message = text_of(last)?;
                let edited = self.message_id.as_ref() == Some(&id);
                Ok(match again {
                    true => StreamCommand::Again { message, id },
                    false => StreamCommand::Say {
                        message,
                        id,
                        edited,
                    },
                })
            }
            Some("assistant") if !again => {
                let parts = parts_of(last);
                let responded = |part: &&Value| part["state"] == "approval-responded";
                let Some(part) = parts.filter(responded).last() else {
                    return refuse(
                        "The last message is an answer already, and holds no approval-responded part.",
                    );
                };
                let approval = &part["approval"];
                match (
                    approval["id"].as_str(),
                    approval["approved"].as_bool(),
                    part["toolCallId"].as_str(),
                ) {
                    (Some(question), Some(yes), Some(call)) => Ok(StreamCommand::Approve {
                        question: question.to_owned(),
                        yes,
                        call: call.to_owned(),
                        id,
                    }),
                    _ => {
                        refuse("An approval must have its id, approved, and its part a toolCallId.")
                    }
                }
            }
            _ => refuse("The last message must be the user's, or an answer with an approval."),
        }
    }
}

fn known(what: &str, id: &str) -> Result<(), Problem> {
    if (1..=LONGEST).contains(&id.chars().count()) {
        return Ok(());
    }
    let detail = format!("{what} must be a string of 1 to {LONGEST} characters.");
    Err(Problem::new(Code::InvalidBody, detail))
}

fn said<'a>(message: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    message.get(name)?.as_str()
}

fn parts_of(message: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let parts = message.get("parts").and_then(Value::as_array);
    parts.into_iter().flatten()
}

/// The text of a message.
///
/// # Errors
/// 400 for a file: what it shows would be missed in silence.
fn text_of(message: &Map<String, Value>) -> Result<String, Problem> {
    if let Some(file) = parts_of(message).find(|part| part["type"] == "file") {
        let media = file["mediaType"].as_str().unwrap_or_default();
        let detail = match media.starts_with("image/") {
            true => IMAGE,
            false => TEXT_ONLY,
        };
        return Err(Problem::new(Code::BadRequest, detail));
    }
    let parts = parts_of(message);
    let texts = parts.filter(|part| part["type"] == "text");
    let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
    Ok(texts.join("\n"))
}

/// The conversation of a client's chat that is none of ours.
pub(super) fn conversation(user: &UserId, chat: &str) -> ConversationId {
    ConversationId::new(hashed_id(["chat", user.as_str(), chat]))
}

/// The idempotency key of a message or of an answer.
pub(super) fn key(conversation: ConversationId, said: &[&str]) -> String {
    let place = conversation.to_string();
    let parts = ["key", &place].into_iter().chain(said.iter().copied());
    format!("ui-{}", hashed_id(parts))
}

/// The id of the message that answers another.
pub(super) fn reply(conversation: ConversationId, said: &str) -> String {
    hashed_id(["reply", &conversation.to_string(), said]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wish(sent: Value) -> Result<StreamCommand, Code> {
        let sent: StreamRequest = serde_json::from_value(sent).unwrap();
        sent.wish().map_err(|problem| problem.code)
    }

    fn user(id: &str, text: &str) -> Value {
        json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]})
    }

    fn answered(id: &str, approved: impl Into<Value>) -> Value {
        let approved = approved.into();
        json!({"id": id, "role": "assistant", "parts": [
            {"type": "text", "text": "Delete milk?"},
            {"type": "tool-delete_task", "toolCallId": "ask_q", "state": "approval-responded",
             "input": {"task": "everything"}, "approval": {"id": "q", "approved": approved}},
        ]})
    }

    #[test]
    fn only_what_is_new_is_read() {
        let said = |message: &str, id: &str| {
            Ok(StreamCommand::Say {
                message: message.to_owned(),
                id: id.to_owned(),
                edited: false,
            })
        };
        let history = [user("1", "add milk"), answered("2", true)];
        let with = |last: Value| json!({"id": "c", "messages": [history[0], history[1], last]});
        assert_eq!(wish(with(user("3", "add eggs"))), said("add eggs", "3"));
        let two = json!({"id": "3", "role": "user", "parts": [
            {"type": "text", "text": "add"}, {"type": "data-place", "data": {}}, {"type": "text", "text": "eggs"}]});
        assert_eq!(wish(with(two)), said("add\neggs", "3"));
        let mut edit = with(user("1", "add tea"));
        edit["messageId"] = json!("1");
        let edited = StreamCommand::Say {
            message: "add tea".to_owned(),
            id: "1".to_owned(),
            edited: true,
        };
        assert_eq!(wish(edit), Ok(edited));
        for file in [
            json!({"type": "file", "url": "data:"}),
            json!({"type": "file", "mediaType": "image/png"}),
        ] {
            let with_file = json!({"id": "3", "role": "user", "parts": [{"type": "text", "text": "add"}, file]});
            assert_eq!(wish(with(with_file)), Err(Code::BadRequest));
        }
        let again = json!({"id": "c", "trigger": "regenerate-message", "messageId": "2",
            "messages": [user("1", "add milk")]});
        let expect = StreamCommand::Again {
            message: "add milk".to_owned(),
            id: "1".to_owned(),
        };
        assert_eq!(wish(again), Ok(expect));
    }

    #[test]
    fn an_answer_is_its_id_and_yes_or_no() {
        let expect = |yes| {
            Ok(StreamCommand::Approve {
                question: "q".to_owned(),
                yes,
                call: "ask_q".to_owned(),
                id: "2".to_owned(),
            })
        };
        for yes in [true, false] {
            let last = json!({"id": "c", "messages": [user("1", "x"), answered("2", yes)]});
            assert_eq!(wish(last), expect(yes));
            let further_up = json!({"id": "c", "messageId": "2",
                "messages": [user("1", "x"), answered("2", yes), user("3", "y")]});
            assert_eq!(wish(further_up), expect(yes));
        }
        for wrong in [json!(null), json!("yes"), json!(1)] {
            let sent = json!({"id": "c", "messages": [answered("2", wrong)]});
            assert_eq!(wish(sent), Err(Code::InvalidBody));
        }
    }

    #[test]
    fn what_can_not_be_meant_is_refused() {
        for sent in [
            json!({"id": "c", "messages": []}),
            json!({"id": "", "messages": [user("1", "x")]}),
            json!({"id": "c".repeat(256), "messages": [user("1", "x")]}),
            json!({"id": "c", "messages": [user("", "x")]}),
            json!({"id": "c", "messages": [{"role": "user", "parts": []}]}),
            json!({"id": "c", "messages": [{"id": "1", "role": "system"}]}),
            json!({"id": "c", "messages": [{"id": "1", "role": "assistant"}]}),
            json!({"id": "c", "messages": [{}]}),
            json!({"id": "c", "trigger": "regenerate-message", "messages": [answered("2", true)]}),
        ] {
            assert_eq!(wish(sent.clone()), Err(Code::InvalidBody), "{sent}");
        }
    }

    #[test]
    fn ids_are_the_same_for_the_same_and_others_for_others() {
        let ann = UserId::parse("ann").unwrap();
        let bob = UserId::parse("bob").unwrap();
        let one = conversation(&ann, "c");
        assert_eq!(one, conversation(&ann, "c"));
        assert_ne!(one, conversation(&bob, "c"));
        assert_ne!(one, conversation(&ann, "d"));
        assert_ne!(key(one, &["ab", "c"]), key(one, &["a", "bc"]));
        assert_ne!(key(one, &["m"]), format!("ui-{}", reply(one, "m")));
    }
}
