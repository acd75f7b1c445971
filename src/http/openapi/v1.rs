//! The API of OpenAI's chat completions, described: its operations, and its shapes as far as
//! they are read and written here. Fields that are passed over are not named.
#![expect(dead_code, reason = "shapes are described and never made")]

use utoipa::openapi::schema::{AllOfBuilder, ArrayBuilder, ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{Content, Object, Ref, Response, ResponseBuilder, Schema};
use utoipa::{OpenApi, ToSchema};

use super::limits::anything;
use super::operation::{Good, Operation, Reach, told};
use super::paths::{get, operation, post};
use crate::chat::schema::words;
use crate::chat::wire::{ActionMetadata, ChatFault, QuestionView};
use crate::guard::Kind;
use crate::http::code::Code;
use crate::http::v1::{CANDOR, LINES, UTILITY, word};

#[derive(OpenApi)]
#[openapi(components(schemas(
    Models,
    Model,
    ChatCompletionRequest,
    ChatCompletion,
    CompletionLine,
    CompletionError
)))]
pub(super) struct Schemas;

pub(super) fn all() -> Vec<Operation> {
    vec![
        operation(
            get("/v1/models"),
            ("models", "The models there are."),
            Reach::Known,
            Good::Json(200, "Models"),
            &[],
        ),
        operation(
            get("/v1/models/{model}"),
            ("model", "One model."),
            Reach::Known,
            Good::Json(200, "Model"),
            &[Code::UnknownModel],
        ),
        operation(
            post("/v1/chat/completions"),
            (
                "completions",
                "One turn: acts on the last message of the user, and answers with what was committed.",
            ),
            Reach::Own("ChatCompletionRequest"),
            Good::Pieces(200, "ChatCompletion"),
            &[Code::UnknownModel, Code::InvalidMessage],
        ),
    ]
}

/// Errors of one status, in the form of this API.
pub(super) fn error(codes: &[Code]) -> Response {
    let says = codes.iter().map(|code| {
        let title = code.title();
        format!("`{}`: {title}.", word(*code))
    });
    let says: Vec<String> = says.collect();
    let listed = words("The kind of error.", codes.iter().map(|code| word(*code)));
    let inner = ObjectBuilder::new().property("code", listed).build();
    let ours = ObjectBuilder::new().property("error", inner).build();
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name("CompletionError"))
        .item(ours)
        .build();
    let content = Content::new(Some(Schema::AllOf(schema)));
    let answer = ResponseBuilder::new()
        .description(says.join(" "))
        .content("application/json", content);
    told(answer, codes).build()
}

pub(super) fn model_id() -> Object {
    let says = "candor talks about tasks; candor-utility only names chats.";
    words(says, [CANDOR, UTILITY])
}

fn role() -> Object {
    let says = "Who said it. Only what user and assistant said counts.";
    let all = [
        "system",
        "developer",
        "user",
        "assistant",
        "tool",
        "function",
    ];
    words(says, all)
}

fn content() -> Schema {
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

fn one() -> Object {
    ObjectBuilder::from(nullable(Type::Integer))
        .minimum(Some(1))
        .maximum(Some(1))
        .description(Some("There is one answer to a message."))
        .build()
}

fn lines() -> Schema {
    let lines = ArrayBuilder::new()
        .items(Ref::from_schema_name("CompletionLine"))
        .min_items(Some(1))
        .max_items(Some(LINES))
        .description(Some(
            "The history; the last message must be the user's, of 1 to 5000 characters.",
        ));
    Schema::Array(lines.build())
}

fn metadata() -> Object {
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
struct Models {
    /// `list`.
    object: String,
    data: Vec<Model>,
}

/// A model.
#[derive(ToSchema)]
struct Model {
    #[schema(schema_with = model_id)]
    id: String,
    /// `model`.
    object: String,
    /// Seconds since 1970.
    created: i64,
    owned_by: String,
}

/// What is said, with what was said before. Fields that are not named here are passed over.
#[derive(ToSchema)]
struct ChatCompletionRequest {
    #[schema(schema_with = model_id)]
    model: String,
    #[schema(schema_with = lines)]
    messages: Vec<CompletionLine>,
    /// Whether to answer in pieces.
    #[schema(required = false)]
    stream: Option<bool>,
    #[schema(required = false)]
    stream_options: Option<StreamOptions>,
    #[schema(schema_with = one, required = false)]
    n: Option<i64>,
    /// Who speaks, where no credential says so.
    #[schema(required = false)]
    user: Option<String>,
    #[schema(schema_with = metadata, required = false)]
    metadata: Option<serde_json::Value>,
}

/// How to stream.
#[derive(ToSchema)]
struct StreamOptions {
    /// Whether a last piece tells the usage.
    #[schema(required = false)]
    include_usage: Option<bool>,
}

/// A line of the history.
#[derive(ToSchema)]
struct CompletionLine {
    #[schema(schema_with = role)]
    role: String,
    #[schema(schema_with = content, required = false)]
    content: Option<String>,
}

/// The reply to a message.
#[derive(ToSchema)]
struct ChatCompletion {
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
struct CompletionChoice {
    index: u32,
    message: CompletionMessage,
    #[schema(schema_with = null)]
    logprobs: Option<String>,
    /// `stop`.
    finish_reason: String,
}

/// What is said.
#[derive(ToSchema)]
struct CompletionMessage {
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
struct CompletionUsage {
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
}

/// What candor knows beside the text.
#[derive(ToSchema)]
pub(super) struct CompletionReceipts {
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
struct CompletionError {
    error: CompletionFault,
}

/// What went wrong.
#[derive(ToSchema)]
struct CompletionFault {
    /// The fault and the cure, in plain words.
    message: String,
    r#type: String,
    /// The field it is about.
    param: Option<String>,
    /// The kind of error, for programs.
    code: String,
}
