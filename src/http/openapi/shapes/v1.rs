//! Shapes of OpenAI's chat completions, as far as they are read and written here. Fields that are
//! passed over are not named.
#![expect(dead_code, reason = "shapes are described and never made")]

use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Object, Schema};

use super::super::limits::anything;
pub(in crate::http) use super::responses::Response;
use crate::chat::schema::words;
use crate::chat::wire::{ActionMetadata, ChatFault, QuestionView};
use crate::guard::Kind;
use crate::http::v1::{CANDOR, UTILITY};

pub(in crate::http) fn model_id() -> Object {
    let says = "candor talks about tasks; candor-utility only names chats.";
    words(says, [CANDOR, UTILITY])
}

pub(in crate::http) fn content() -> Schema {
    let part = ObjectBuilder::new()
        .property("type", anything())
        .required("type")
        .property("text", nullable(Type::String));
    let parts = ArrayBuilder::new().items(part.build()).build();
    let either = OneOfBuilder::new()
        .item(nullable(Type::String))
        .item(Schema::Array(parts))
        .description(Some(
            "A text, or parts: those of type text are read. In the last message there is no other.",
        ));
    Schema::OneOf(either.build())
}

fn nullable(kind: Type) -> Object {
    let kinds = utoipa::openapi::schema::SchemaType::from_iter([kind, Type::Null]);
    ObjectBuilder::new().schema_type(kinds).build()
}

pub(in crate::http) fn one() -> Object {
    ObjectBuilder::from(nullable(Type::Integer))
        .minimum(Some(1))
        .maximum(Some(1))
        .description(Some("There is one answer to a message."))
        .build()
}

pub(in crate::http) fn metadata() -> Object {
    let says = "conversation_id and message_id name what they belong to, task what a request \
                behind the user's back is for; the rest is passed over.";
    ObjectBuilder::from(nullable(Type::Object))
        .description(Some(says))
        .build()
}

fn kind() -> Object {
    let all = [Kind::Question, Kind::Failure, Kind::Receipt, Kind::Chat];
    let says = "What the reply is; background: nothing was read or changed.";
    words(
        says,
        all.map(Kind::as_str).into_iter().chain(["background"]),
    )
}

/// The models there are.
#[derive(ToSchema)]
pub(in crate::http) struct Models {
    /// `list`.
    object: String,
    data: Vec<Model>,
}

/// A model.
#[derive(ToSchema)]
pub(in crate::http) struct Model {
    #[schema(schema_with = model_id)]
    id: String,
    /// `model`.
    object: String,
    /// Seconds since 1970.
    created: i64,
    owned_by: String,
}

/// The reply to a message.
#[derive(ToSchema)]
pub(in crate::http) struct ChatCompletion {
    id: String,
    /// `chat.completion`.
    object: String,
    /// Seconds since 1970.
    created: i64,
    #[schema(schema_with = model_id)]
    model: String,
    choices: Vec<CompletionChoice>,
    usage: CompletionUsage,
    candor: CompletionReceipts,
}

/// The one answer.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionChoice {
    index: u32,
    message: CompletionMessage,
    #[schema(schema_with = null)]
    logprobs: Option<String>,
    /// `stop`.
    finish_reason: String,
}

/// Words of the answer.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionMessage {
    /// `assistant`.
    role: String,
    content: String,
    #[schema(schema_with = null)]
    refusal: Option<String>,
}

fn null() -> Object {
    Object::with_type(Type::Null)
}

/// Tokens, as the model's server counted them, or estimated.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

/// Facts of candor beside the text.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionReceipts {
    #[schema(schema_with = kind)]
    kind: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(value_type = Option<String>, format = Uuid)]
    conversation_id: Option<String>,
    action_metadata: Option<ActionMetadata>,
    actions: Vec<ActionMetadata>,
    question: Option<QuestionView>,
    error: Option<ChatFault>,
}

/// An error.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionError {
    error: CompletionFault,
}

/// Kind and cause of an error.
#[derive(ToSchema)]
pub(in crate::http) struct CompletionFault {
    /// The fault and the cure, in plain words.
    message: String,
    r#type: String,
    /// The field it is about.
    param: Option<String>,
    /// The kind of error, for programs.
    code: String,
}
