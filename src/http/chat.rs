//! Chat over HTTP: turns, messages, conversations, undo of one receipt.

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::api::{ApiRequest, ApiResult};
use super::code::Code;
use super::idempotency::IdempotencyKey;
use super::openapi::errors;
use super::problem::Problem;
use super::{idempotency, path};
use crate::chat::ChatAnswer;
use crate::chat::wire::{ChatReply, ChatRequest, Undone};
use crate::domain::{ConversationId, MessageId, ReceiptId};
use crate::store::{ConversationHead, StoredMessage};

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// A part of a conversation.
#[derive(Serialize, ToSchema)]
struct Messages {
    #[schema(schema_with = crate::chat::schema::messages)]
    messages: Vec<StoredMessage>,
}

/// Conversations, the last active first.
#[derive(Serialize, ToSchema)]
struct Conversations {
    conversations: Vec<ConversationHead>,
}

/// Number of messages that are read when nobody says, and at most.
const MESSAGES: (u32, u32) = (50, 200);

/// One turn: says something, and answers with what was committed.
#[utoipa::path(
    post, path = "/api/{user_id}/chat", params(IdempotencyKey), request_body = ChatRequest,
    responses((status = 200, body = ChatReply, headers(("Server-Timing" = String,
        description = "Milliseconds: in all, and of them for the model."))),
        errors::Message, errors::Question, errors::Timezone, errors::Turn)
)]
pub async fn chat(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    api.turn(&user).await?;
    let key = api.key();
    let asked: ChatRequest = api.json().await?;
    let (key, chat) = (key?, api.chat.clone());
    let answered = api
        .run(async move { chat.chat(&user, asked, key).await })
        .await??;
    Ok(respond(answered))
}

/// Takes back the turn of a receipt, whole.
#[utoipa::path(
    post, path = "/api/{user_id}/receipts/{receipt_id}/undo", params(IdempotencyKey),
    responses((status = 200, body = Undone, headers(("Server-Timing" = String,
        description = "Milliseconds: in all, and of them for the model."))),
        errors::Receipt, errors::Turn)
)]
pub async fn undo(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    api.turn(&user).await?;
    let receipt: ReceiptId = api.id("receipt_id")?;
    let (key, chat) = (api.key()?, api.chat.clone());
    let answered = api
        .run(async move { chat.undo_receipt(&user, receipt, key).await })
        .await??;
    Ok(respond(answered))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MessagesQuery {
    /// Conversation to read.
    #[param(value_type = Uuid)]
    conversation_id: Option<String>,
    /// Only what was said before this line.
    #[param(value_type = Option<Uuid>)]
    before: Option<String>,
    /// At most so many; 50 when nothing is said.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

/// Lines of a conversation, the oldest first.
#[utoipa::path(
    get, path = "/api/{user_id}/chat/messages", params(MessagesQuery),
    responses((status = 200, body = Messages), errors::BadQuery, errors::Conversation)
)]
pub async fn messages(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let query: MessagesQuery = api.query()?;
    let conversation: ConversationId =
        path::id_parameter("conversation_id", query.conversation_id.as_deref())?.ok_or_else(
            || {
                Problem::new(
                    Code::BadQuery,
                    "Say which conversation: ?conversation_id=UUID.",
                )
            },
        )?;
    let before: Option<MessageId> = path::id_parameter("before", query.before.as_deref())?;
    let limit = path::limit(query.limit.as_deref(), MESSAGES)?;
    let messages = api
        .store()
        .messages(&user, conversation, before, limit)
        .await?;
    let messages = messages.ok_or_else(Problem::no_conversation)?;
    Ok(HttpResponse::Ok().json(Messages { messages }))
}

/// All conversations, the last active first.
#[utoipa::path(
    get, path = "/api/{user_id}/chat/conversations",
    responses((status = 200, body = Conversations))
)]
pub async fn conversations(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let conversations = api.store().conversations(&user).await?;
    Ok(HttpResponse::Ok().json(Conversations { conversations }))
}

/// The stored answer, with what took how long.
fn respond(answered: ChatAnswer) -> HttpResponse {
    let took = answered.latency;
    let timing = format!(
        "total;dur={:.3}, model;dur={:.3}, commit;dur={:.3}, own;dur={:.3}",
        took.total,
        took.model,
        took.commit,
        took.own()
    );
    let ChatAnswer {
        status,
        body,
        replayed,
        ..
    } = answered;
    let mut response = idempotency::stored(status, body, replayed);
    if let Ok(timing) = HeaderValue::from_str(&timing) {
        response.headers_mut().insert(SERVER_TIMING, timing);
    }
    response
}
