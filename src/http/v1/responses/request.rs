//! A request to `/v1/responses`, read into what every message of `/v1` is read into.

use std::collections::HashMap;

use actix_web::http::header::HeaderMap;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::AnswerId;
use crate::http::openapi::shapes::responses as shapes;
use crate::http::openapi::shapes::v1::model_id;
use crate::http::problem::Problem;
use crate::http::v1::UTILITY;
use crate::http::v1::offered::not_offered;
use crate::http::v1::request::{
    AnswerEndpoint, ClientNames, CompletionLine, MessageContent, ParsedRequest, RequestMetadata,
    SpeakerRole, id, lines, properties, wrong,
};

/// Words for the chat. Fields that are not named here are passed over.
#[derive(Deserialize, ToSchema)]
pub(in crate::http::v1) struct ResponseRequest {
    #[schema(schema_with = model_id)]
    pub(in crate::http::v1) model: String,
    /// Speaker, where no credential says so.
    pub(in crate::http::v1) user: Option<String>,
    #[schema(schema_with = shapes::input)]
    input: ResponseInput,
    /// Answers in events.
    stream: Option<bool>,
    /// The answer that this is said after: its conversation goes on.
    previous_response_id: Option<String>,
    #[schema(schema_with = shapes::conversation, required = false)]
    conversation: Option<ConversationRef>,
    #[schema(ignore)]
    instructions: Option<ResponseInput>,
    #[schema(ignore)]
    background: Option<bool>,
    #[schema(ignore)]
    text: Option<TextOptions>,
    #[schema(ignore)]
    tools: Option<Value>,
    #[schema(ignore)]
    tool_choice: Option<Value>,
    #[schema(ignore)]
    metadata: Option<RequestMetadata>,
    #[schema(ignore)]
    temperature: Option<f64>,
    #[schema(ignore)]
    top_p: Option<f64>,
    #[schema(ignore)]
    max_output_tokens: Option<u64>,
    #[schema(ignore)]
    store: Option<bool>,
}

/// One text, or items of a conversation.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text, or an array of items")]
enum ResponseInput {
    Text(String),
    Items(Vec<InputItem>),
}

/// A message, or something else that is told apart by its type.
#[derive(Deserialize)]
struct InputItem {
    r#type: Option<String>,
    id: Option<String>,
    role: Option<SpeakerRole>,
    content: Option<MessageContent>,
}

/// A conversation's id, alone or in an object.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "conversation must be an id, or an object with one"
)]
enum ConversationRef {
    Id(String),
    Object { id: String },
}

#[derive(Deserialize)]
struct TextOptions {
    format: Option<Value>,
}

/// Parts of a request that its response repeats.
#[derive(Debug, Clone)]
pub(in crate::http::v1) struct RequestEcho {
    pub(super) instructions: Option<String>,
    pub(super) previous: Option<String>,
    pub(super) conversation: Option<String>,
    pub(super) metadata: RequestMetadata,
    pub(super) temperature: Option<f64>,
    pub(super) top_p: Option<f64>,
    pub(super) max_output_tokens: Option<u64>,
    pub(super) store: bool,
    pub(super) user: Option<String>,
}

impl ResponseRequest {
    /// Messages of ours that the input names by their ids alone.
    pub(in crate::http::v1) fn references(&self) -> Vec<AnswerId> {
        let ResponseInput::Items(items) = &self.input else {
            return Vec::new();
        };
        let named = items.iter().filter(|item| item.is("item_reference"));
        named
            .filter_map(|item| AnswerId::parse(item.id.as_deref()?))
            .collect()
    }

    /// Reads a body whose model is known; `said` has the words of the messages it refers to.
    ///
    /// # Errors
    /// 400 that names the field.
    pub(in crate::http::v1) fn read(
        self,
        headers: &HeaderMap,
        said: &HashMap<String, String>,
    ) -> Result<ParsedRequest, Problem> {
        let conversation = self.conversation.map(|named| match named {
            ConversationRef::Id(id) | ConversationRef::Object { id } => id,
        });
        if conversation.is_some() && self.previous_response_id.is_some() {
            let detail = "Name a conversation or a previous_response_id, not both.";
            return Err(wrong("conversation", detail));
        }
        if self.background == Some(true) {
            let detail = "background is not offered: leave it out and wait for the answer, or \
                          stream it.";
            return Err(wrong("background", detail));
        }
        let instructions = self.instructions.map(ResponseInput::text);
        let mut lines = lines(self.input.lines(said), "input")?;
        lines.instructions.splice(0..0, instructions.clone());
        let format = self.text.and_then(|text| text.format);
        let tools = (self.tools.as_ref(), self.tool_choice.as_ref());
        let schema = format.as_ref().and_then(|format| format.get("schema"));
        let form = (format.as_ref(), "text.format");
        lines.fault = lines.fault.or_else(|| not_offered(tools, form));
        let mut names = ClientNames::read(self.metadata.as_ref(), headers);
        let chat = conversation.as_deref().and_then(id).map(|chat| {
            let ours = chat.strip_prefix("conv_").unwrap_or(&chat);
            (ours.to_owned(), false)
        });
        names.chat = chat.or(names.chat);
        Ok(ParsedRequest {
            utility: self.model == UTILITY,
            lines,
            schema: schema.and_then(properties),
            stream: self.stream.unwrap_or(false),
            counted: true,
            previous: self.previous_response_id.clone(),
            names,
            form: AnswerEndpoint::Response(Box::new(RequestEcho {
                instructions,
                previous: self.previous_response_id,
                conversation,
                metadata: self.metadata.unwrap_or_default(),
                temperature: self.temperature,
                top_p: self.top_p,
                max_output_tokens: self.max_output_tokens,
                store: self.store.unwrap_or(true),
                user: self.user,
            })),
        })
    }
}

impl ResponseInput {
    fn lines(self, said: &HashMap<String, String>) -> Vec<CompletionLine> {
        match self {
            Self::Text(text) => vec![CompletionLine {
                role: SpeakerRole::User,
                content: Some(MessageContent::Text(text)),
            }],
            Self::Items(items) => {
                let lines = items.into_iter().filter_map(|item| item.line(said));
                lines.collect()
            }
        }
    }

    /// The words alone, whoever said them.
    fn text(self) -> String {
        let lines = self.lines(&HashMap::new()).into_iter();
        let texts = lines.filter_map(|line| Some(line.content?.text()));
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl InputItem {
    fn is(&self, kind: &str) -> bool {
        self.r#type.as_deref() == Some(kind)
    }

    /// The message that it is; results of tools stand for who ran them, and what a model keeps
    /// for itself is nobody's message.
    fn line(self, said: &HashMap<String, String>) -> Option<CompletionLine> {
        if self.is("item_reference") {
            return Some(CompletionLine {
                role: SpeakerRole::Assistant,
                content: Some(MessageContent::Text(said.get(&self.id?)?.clone())),
            });
        }
        let kind = self.r#type.as_deref().unwrap_or("message");
        if kind.ends_with("_output") || kind == "mcp_approval_response" {
            return Some(CompletionLine {
                role: SpeakerRole::Tool,
                content: None,
            });
        }
        (kind == "message").then_some(CompletionLine {
            role: self.role?,
            content: self.content,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<ParsedRequest, Problem> {
        let mut body = body;
        body["model"] = json!("candor");
        let sent: ResponseRequest = serde_json::from_value(body).unwrap();
        let said = sent.references().into_iter();
        let said = said.map(|known| (format!("msg_{}", known.digits()), "Added: milk".to_owned()));
        let asked = sent.read(&HeaderMap::new(), &said.collect())?;
        asked.unanswerable().map_or(Ok(asked), Err)
    }

    #[test]
    fn a_text_or_items_are_a_history() {
        let asked = read(json!({"input": "add milk", "instructions": "Be brief."})).unwrap();
        assert_eq!(asked.lines.message, "add milk");
        assert_eq!(asked.lines.instructions, ["Be brief."]);
        let known = format!("msg_{}", "0".repeat(63) + "1");
        let asked = read(json!({"input": [
            {"role": "developer", "content": "x"},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "add milk"}]},
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "item_reference", "id": known},
            {"type": "item_reference", "id": "msg_unknown"},
            {"role": "user", "content": "and eggs"},
        ]}))
        .unwrap();
        let before: Vec<_> = asked
            .lines
            .before
            .iter()
            .map(|one| (one.ours, &*one.text))
            .collect();
        assert_eq!(before, [(false, "add milk"), (true, "Added: milk")]);
        assert_eq!(
            (&*asked.lines.message, asked.lines.instructions.len()),
            ("and eggs", 1)
        );
    }

    #[test]
    fn fields_that_can_not_be_are_named() {
        let check = |body: Value, param: &'static str| {
            let problem = read(body.clone()).unwrap_err();
            assert_eq!(problem.param, Some(param), "{body}");
        };
        for input in [
            json!([]),
            json!([{"role": "assistant", "content": "x"}]),
            json!([{"type": "function_call_output", "call_id": "c", "output": "x"}]),
            json!([{"role": "user", "content": [{"type": "input_image"}]}]),
        ] {
            check(json!({ "input": input }), "input");
        }
        check(json!({"input": "x", "background": true}), "background");
        let both = json!({"input": "x", "conversation": "c", "previous_response_id": "r"});
        check(both, "conversation");
        let formed = json!({"input": "x", "text": {"format": {"type": "json_object"}}});
        check(formed, "text.format");
        let tools = json!({"input": "x", "tools": [{"type": "web_search"}]});
        check(tools, "tools");
    }
}
