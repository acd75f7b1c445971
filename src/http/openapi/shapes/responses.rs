//! Shapes of `/v1/responses`, as far as they are read and written here.
#![expect(dead_code, reason = "shapes are described and never made")]

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder, SchemaType, Type};
use utoipa::openapi::{Object, Schema};

use super::v1::{CompletionReceipts, model_id};
use crate::http::v1::LINES;

pub(in crate::http) fn input() -> Schema {
    let item = Object::with_type(Type::Object);
    let items = ArrayBuilder::new()
        .items(item)
        .min_items(Some(1))
        .max_items(Some(LINES));
    let either = OneOfBuilder::new()
        .item(Object::with_type(Type::String))
        .item(Schema::Array(items.build()))
        .description(Some(
            "A text, or the history as items; the last message must be the user's.",
        ));
    Schema::OneOf(either.build())
}

pub(in crate::http) fn conversation() -> Object {
    let kinds = SchemaType::from_iter([Type::String, Type::Object, Type::Null]);
    ObjectBuilder::new()
        .schema_type(kinds)
        .description(Some(
            "An id of the client's or of a conversation, or an object with one.",
        ))
        .build()
}

/// The reply to a message.
#[derive(ToSchema)]
pub(in crate::http) struct Response {
    id: String,
    /// `response`.
    object: String,
    /// Seconds since 1970.
    created_at: i64,
    completed_at: Option<i64>,
    /// `completed`.
    status: String,
    background: bool,
    #[schema(value_type = Option<Object>)]
    error: Option<Value>,
    #[schema(value_type = Option<Object>)]
    incomplete_details: Option<Value>,
    instructions: Option<String>,
    max_output_tokens: Option<u64>,
    #[schema(schema_with = model_id)]
    model: String,
    /// The one message of the answer.
    #[schema(value_type = Vec<Object>)]
    output: Vec<Value>,
    parallel_tool_calls: bool,
    previous_response_id: Option<String>,
    #[schema(value_type = Option<Object>)]
    conversation: Option<Value>,
    #[schema(value_type = Object)]
    reasoning: Value,
    store: bool,
    temperature: f64,
    #[schema(value_type = Object)]
    text: Value,
    /// `auto`.
    tool_choice: String,
    #[schema(value_type = Vec<Object>)]
    tools: Vec<Value>,
    top_p: f64,
    /// `disabled`.
    truncation: String,
    #[schema(value_type = Option<Object>)]
    usage: Option<Value>,
    user: Option<String>,
    #[schema(value_type = Object)]
    metadata: Value,
    candor: CompletionReceipts,
}
