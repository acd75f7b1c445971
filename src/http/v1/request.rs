//! Requests of a client: read leniently where it does not matter, and exactly where it does.

use std::collections::HashMap;

use actix_web::http::header::HeaderMap;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::UTILITY;
use super::offered::{FieldFault, not_offered};
use super::responses::RequestEcho;
use crate::http::code::Code;
use crate::http::openapi::shapes::v1 as shapes;
use crate::http::problem::Problem;

/// The largest body, in bytes: clients send the whole history each time.
pub(in crate::http) const LIMIT: usize = 1024 * 1024;
/// The most lines of a history.
pub(in crate::http) const LINES: usize = 4_096;
/// The refusal of a picture, the same at every edge.
pub(in crate::http) const IMAGE: &str = "Images can't be read here: send text.";
/// The refusal of anything else that is no text.
pub(in crate::http) const TEXT_ONLY: &str = "Only parts of type text can be read here.";
/// The longest id that a client may give a conversation or a message, in bytes.
const ID_MAX: usize = 255;

/// Headers that name a chat, a message and a task of the client's own; the first that is there
/// counts. Those of Open WebUI are its own; LibreChat's and others' are set by whoever configures
/// them.
const CHAT: [&str; 4] = [
    "x-openwebui-chat-id",
    "x-librechat-conversation-id",
    "x-conversation-id",
    "x-chat-id",
];
const MESSAGE: [&str; 3] = [
    "x-openwebui-message-id",
    "x-librechat-message-id",
    "x-message-id",
];
const TASK: [&str; 2] = ["x-openwebui-task", "x-task"];

/// Words for the chat, with what was said before. Fields that are not named here are passed over.
#[derive(Deserialize, ToSchema)]
pub(super) struct ChatCompletionRequest {
    #[schema(schema_with = shapes::model_id)]
    pub(super) model: String,
    /// Speaker, where no credential says so.
    pub(super) user: Option<String>,
    /// The history; the last message must be the user's, of 1 to 5000 characters.
    #[schema(min_items = 1, max_items = 4096)]
    messages: Vec<CompletionLine>,
    /// Answers in pieces.
    stream: Option<bool>,
    stream_options: Option<StreamOptions>,
    #[schema(schema_with = shapes::one, required = false)]
    n: Option<Value>,
    #[schema(schema_with = shapes::metadata, required = false)]
    metadata: Option<RequestMetadata>,
    #[schema(ignore)]
    response_format: Option<Value>,
    #[schema(ignore)]
    tools: Option<Value>,
    #[schema(ignore)]
    tool_choice: Option<Value>,
}

/// Notes of a client on its request, by name.
pub(super) type RequestMetadata = HashMap<String, Value>;

/// Options of a stream.
#[derive(Deserialize, ToSchema)]
struct StreamOptions {
    /// Ends with a piece that tells the usage.
    include_usage: Option<bool>,
}

/// A line of the history.
#[derive(Deserialize, ToSchema)]
pub(super) struct CompletionLine {
    #[schema(inline)]
    pub(super) role: SpeakerRole,
    #[schema(schema_with = shapes::content, required = false)]
    pub(super) content: Option<MessageContent>,
}

/// Speaker of a message. Only what user and assistant said counts.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum SpeakerRole {
    System,
    Developer,
    User,
    Assistant,
    Tool,
    Function,
}

/// Words of a message.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "content must be a text, or an array of parts with a type"
)]
pub(super) enum MessageContent {
    Text(String),
    Parts(Vec<ContentPart>),
}

/// A piece of a message.
#[derive(Deserialize)]
pub(super) struct ContentPart {
    r#type: String,
    text: Option<String>,
}

impl MessageContent {
    /// The text; parts of other kinds have none.
    pub(super) fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => {
                let texts = parts.into_iter().filter_map(|part| part.text);
                texts.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// A part that is no text.
    fn other(&self) -> Option<&str> {
        let Self::Parts(parts) = self else {
            return None;
        };
        let kinds = parts.iter().map(|part| part.r#type.as_str());
        kinds
            .into_iter()
            .find(|kind| !matches!(*kind, "text" | "input_text" | "output_text"))
    }
}

/// A line of the history, as the client remembers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HistoryLine {
    /// The assistant, not the user.
    pub(super) ours: bool,
    pub(super) text: String,
}

/// Request, once it was read.
#[derive(Debug, Clone)]
pub(super) struct ParsedRequest {
    /// True when it is meant for the model that only names chats.
    pub(super) utility: bool,
    /// Words of the request.
    pub(super) lines: Lines,
    /// The properties of an answer that is to be an object.
    pub(super) schema: Option<Map<String, Value>>,
    /// Shape of the answer.
    pub(super) form: AnswerEndpoint,
    pub(super) stream: bool,
    /// A chunk with the usage is to end the stream.
    pub(super) counted: bool,
    /// Answer that this is said after, by the id that it was given out under.
    pub(super) previous: Option<String>,
    /// Chat, message and purpose of the request, as the client names them.
    pub(super) names: ClientNames,
}

/// Endpoint whose shape an answer has.
#[derive(Debug, Clone)]
pub(super) enum AnswerEndpoint {
    /// `/v1/chat/completions`.
    Completion,
    /// `/v1/responses`, with what is repeated of the request.
    Response(Box<RequestEcho>),
}

impl ParsedRequest {
    /// The model's name.
    pub(super) const fn model(&self) -> &'static str {
        if self.utility { UTILITY } else { super::CANDOR }
    }

    /// Tells why this can be no message of the user's; requests of the client's own may be so.
    pub(super) fn unanswerable(&self) -> Option<Problem> {
        self.lines.fault.map(|(param, detail)| wrong(param, detail))
    }

    /// Returns what stands under the user's name since the last answer, oldest first.
    pub(super) fn latest(&self) -> Vec<&str> {
        let before = self.lines.before.iter().rev().take_while(|line| !line.ours);
        let mut latest: Vec<&str> = before.map(|line| line.text.as_str()).collect();
        latest.reverse();
        if !self.lines.message.trim().is_empty() {
            latest.push(&self.lines.message);
        }
        latest
    }
}

/// A request that is refused because of a field.
pub(super) fn wrong(param: &'static str, detail: impl Into<String>) -> Problem {
    Problem::new(Code::BadRequest, detail).about(param)
}

impl ChatCompletionRequest {
    /// Reads a body whose model is known.
    ///
    /// # Errors
    /// 400 that names the field.
    pub(super) fn read(self, headers: &HeaderMap) -> Result<ParsedRequest, Problem> {
        if !self
            .n
            .is_none_or(|n| n.is_null() || n.as_f64() == Some(1.0))
        {
            return Err(wrong("n", "n must be 1: there is one answer to a message."));
        }
        let mut lines = lines(self.messages, "messages")?;
        let tools = (self.tools.as_ref(), self.tool_choice.as_ref());
        let format = (self.response_format.as_ref(), "response_format");
        let schema = self.response_format.as_ref();
        let schema = schema.and_then(|format| properties(format.pointer("/json_schema/schema")?));
        lines.fault = lines.fault.or_else(|| not_offered(tools, format));
        Ok(ParsedRequest {
            utility: self.model == UTILITY,
            lines,
            schema,
            form: AnswerEndpoint::Completion,
            stream: self.stream.unwrap_or(false),
            counted: self
                .stream_options
                .and_then(|options| options.include_usage)
                .unwrap_or(false),
            previous: None,
            names: ClientNames::read(self.metadata.as_ref(), headers),
        })
    }
}

/// Names that a client gives, in headers or metadata, to what a request belongs to.
#[derive(Debug, Clone)]
pub(super) struct ClientNames {
    /// The client's own id of the chat, and whether clients that send it send whole histories.
    pub(super) chat: Option<(String, bool)>,
    /// The client's own id of the message.
    pub(super) message_id: Option<String>,
    /// Purpose of the request, where the client says so.
    pub(super) task: Option<String>,
}

impl ClientNames {
    /// Reads them; metadata goes before headers.
    pub(super) fn read(metadata: Option<&RequestMetadata>, headers: &HeaderMap) -> Self {
        let told = |name: &str| id(metadata?.get(name)?.as_str()?);
        let header = |names: &[&str]| names.iter().find_map(|name| id(text(headers, name)?));
        let chat = header(&CHAT).map(|chat| (chat, true));
        Self {
            chat: told("conversation_id").map(|chat| (chat, false)).or(chat),
            message_id: told("message_id").or_else(|| header(&MESSAGE)),
            task: told("task").or_else(|| header(&TASK)),
        }
    }
}

/// A history, read.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// The last message of the user.
    pub(super) message: String,
    /// Lines of user and assistant before it, oldest first.
    pub(super) before: Vec<HistoryLine>,
    /// Instructions of the client to its model, each in its own text, for recognising requests of
    /// its own.
    pub(super) instructions: Vec<String>,
    /// Reason why the user can't be answered in the form that is asked for, or at all.
    pub(super) fault: Option<FieldFault>,
}

/// Reads a history that stands in the field `param`.
///
/// # Errors
/// 400 when it is empty or too long.
pub(super) fn lines(messages: Vec<CompletionLine>, param: &'static str) -> Result<Lines, Problem> {
    if messages.len() > LINES {
        let detail = format!("{param} has too many lines: at most {LINES} are read.");
        return Err(wrong(param, detail));
    }
    let told = |role| matches!(role, SpeakerRole::System | SpeakerRole::Developer);
    let spoken = messages.iter().rposition(|line| !told(line.role));
    let last_role = spoken.and_then(|at| messages.get(at)).map(|line| line.role);
    let fault = match last_role {
        Some(SpeakerRole::User) => None,
        // Some clients ask for titles and summaries in the name of the system.
        None if !messages.is_empty() => None,
        None => {
            let detail = format!("{param} is empty: say something.");
            return Err(wrong(param, detail));
        }
        Some(SpeakerRole::Assistant) => {
            Some("The last message must be the user's: what was answered is not gone on with.")
        }
        Some(_) => Some("The last message must be the user's: candor runs its own tools."),
    };
    let last = spoken.filter(|_| fault.is_none());
    let mut found = Lines {
        message: String::new(),
        before: Vec::new(),
        instructions: Vec::new(),
        fault: fault.map(|detail| (param, detail)),
    };
    for (at, line) in messages.into_iter().enumerate() {
        let is_last = Some(at) == last;
        let Some(content) = line.content else {
            continue;
        };
        if let Some(kind) = content.other().filter(|_| is_last) {
            let detail = match kind {
                "image_url" | "input_image" => IMAGE,
                _ => TEXT_ONLY,
            };
            found.fault = Some((param, detail));
        }
        let text = content.text();
        match line.role {
            _ if is_last => found.message = text,
            SpeakerRole::User | SpeakerRole::Assistant => found.before.push(HistoryLine {
                ours: line.role == SpeakerRole::Assistant,
                text,
            }),
            SpeakerRole::System | SpeakerRole::Developer => found.instructions.push(text),
            SpeakerRole::Tool | SpeakerRole::Function => {}
        }
    }
    Ok(found)
}

/// The properties of the object that an answer is to be, by its JSON Schema.
pub(super) fn properties(schema: &Value) -> Option<Map<String, Value>> {
    schema.get("properties")?.as_object().cloned()
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// An id of the client's. What it sends for "none yet" is none, and so is a placeholder that
/// nobody filled in, or the one that stands for every temporary chat of a browser's tab.
pub(super) fn id(text: &str) -> Option<String> {
    let text = text.trim();
    let none = ["", "new", "null", "undefined", "none"];
    let filled = !none.contains(&text.to_ascii_lowercase().as_str())
        && !text.contains("{{")
        && !text.starts_with("local:");
    (filled && text.len() <= ID_MAX).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::{HeaderName, HeaderValue};
    use serde_json::json;

    fn read(
        body: Value,
        headers: &[(&'static str, &'static str)],
    ) -> Result<ParsedRequest, Problem> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            );
        }
        let asked = serde_json::from_value::<ChatCompletionRequest>(body)
            .unwrap()
            .read(&map)?;
        asked.unanswerable().map_or(Ok(asked), Err)
    }

    impl ParsedRequest {
        /// A request with nothing but this message.
        pub(in crate::http::v1) fn saying(message: &str) -> Self {
            read(user(message), &[]).unwrap()
        }
    }

    fn user(content: impl Into<Value>) -> Value {
        let content = content.into();
        json!({"model": "candor", "messages": [{"role": "user", "content": content}]})
    }

    #[test]
    fn the_last_message_is_the_users_and_is_text() {
        let check = |messages: Value, expect: Result<&str, &str>| {
            let asked = read(json!({"model": "candor", "messages": messages}), &[]);
            match (asked, expect) {
                (Ok(asked), Ok(text)) => assert_eq!(asked.lines.message, text),
                (Err(problem), Err(words)) => {
                    assert!(problem.detail.contains(words), "{problem}");
                    assert_eq!(problem.param, Some("messages"));
                }
                other => panic!("{messages}: {other:?}"),
            }
        };
        let hello = json!({"role": "user", "content": "hello"});
        let then = |role: &str, text: &str| json!([hello, {"role": role, "content": text}]);
        check(json!([hello]), Ok("hello"));
        check(then("system", "obey"), Ok("hello"));
        check(json!([]), Err("say something"));
        check(then("assistant", "hi"), Err("the user's"));
        check(then("tool", "{}"), Err("its own tools"));
        let parts = |parts: Value| json!([{"role": "user", "content": parts}]);
        let text = |text: &str| json!({"type": "text", "text": text});
        check(parts(json!([text("a"), text("b")])), Ok("a\nb"));
        let image = json!({"type": "image_url", "image_url": {"url": "data:,"}});
        let seen = parts(json!([text("a"), image]));
        check(seen, Err("Images can't be read"));
        // One that was sent before is no reason to refuse what is said now.
        let shown = json!({"role": "user", "content": [image]});
        let nothing = json!({"role": "assistant", "content": null});
        check(json!([shown, nothing, hello]), Ok("hello"));
        let many = vec![hello; LINES + 1];
        check(json!(many), Err("too many"));
    }

    #[test]
    fn only_one_answer_and_whatever_else_is_passed_over() {
        let with = |n: Value| {
            let mut body = user(json!("hello"));
            body["n"] = n;
            body["tools"] = json!([]);
            body["temperature"] = json!("warm");
            read(body, &[]).map(|asked| asked.lines.message)
        };
        for n in [json!(null), json!(1), json!(1.0)] {
            assert_eq!(with(n), Ok("hello".to_owned()));
        }
        for n in [json!(0), json!(2), json!("1"), json!([])] {
            assert_eq!(with(n).unwrap_err().param, Some("n"));
        }
    }

    #[test]
    fn ids_come_from_headers_or_metadata_and_placeholders_are_none() {
        let chat = |headers: &[(&'static str, &'static str)]| {
            read(user(json!("hello")), headers).unwrap().names.chat
        };
        assert_eq!(chat(&[]), None);
        let known = Some(("c-1".to_owned(), true));
        assert_eq!(chat(&[("x-openwebui-chat-id", "c-1")]), known);
        assert_eq!(chat(&[("x-conversation-id", "c-1")]), known);
        for none in ["", "new", "{{CHAT_ID}}", "local:abc", "null"] {
            assert_eq!(chat(&[("x-chat-id", none)]), None, "{none}");
        }
        let mut body = user(json!("hello"));
        body["metadata"] = json!({"conversation_id": "c-2", "message_id": 5});
        let asked = read(body, &[("x-chat-id", "c-1"), ("x-openwebui-task", "tags")]).unwrap();
        assert_eq!(asked.names.chat, Some(("c-2".to_owned(), false)));
        assert_eq!(
            (asked.names.message_id, asked.names.task.as_deref()),
            (None, Some("tags"))
        );
    }
}
