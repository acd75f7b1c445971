//! The API of OpenAI's chat completions and responses under `/v1`, so that any chat client can
//! take candor for a model. A completion is a turn like any other: same guard, same receipts, same log; what is
//! answered is the turn's reply to the letter.
//!
//! The history a client sends has no authority: only its last user message is acted on, and the
//! rest serves to find the conversation (`conversation_key`). Requests that clients make behind the user's
//! back, for titles and the like, reach neither the store nor a model (`utility_requests`).

mod answer;
mod conversation_key;
mod offered;
mod request;
mod responses;
mod stream;
mod utility_requests;

use actix_web::HttpResponse;
use serde_json::{Value, json};

use self::answer::Completion;
use self::conversation_key::ConversationKey;
use self::request::{AnswerEndpoint, ChatCompletionRequest, ParsedRequest};
use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::idempotency::IdempotencyKey;
use super::openapi::errors;
use super::openapi::shapes::v1 as shapes;
use super::problem::Problem;
use super::{auth, idempotency};
use crate::chat::wire::ChatRequest;
use crate::chat::{ChatAnswer, RequestOptions};
use crate::domain::UserId;

pub(super) use self::answer::{refuse, status, word};
pub(super) use self::conversation_key::same_words;
pub(super) use self::request::{IMAGE, LIMIT, LINES, TEXT_ONLY};

/// Name of the model that talks about tasks.
pub(super) const CANDOR: &str = "candor";
/// Name of the model that names chats, and can do nothing else.
pub(super) const UTILITY: &str = "candor-utility";

/// Time when the models were made: the first day of the year they came in, as seconds since 1970.
const MADE: i64 = 1_767_225_600;

/// Tells whether errors of this address have the form of this API: it was routed here, or would be.
pub(super) fn is_here(path: &str, pattern: Option<&str>) -> bool {
    let under = |path: &str| path == "/v1" || path.starts_with("/v1/");
    under(path) || pattern.is_some_and(under)
}

fn described(id: &str) -> Value {
    json!({"id": id, "object": "model", "created": MADE, "owned_by": "candor"})
}

/// The models there are.
#[utoipa::path(get, path = "/v1/models", responses((status = 200, body = shapes::Models)))]
pub(super) async fn models() -> HttpResponse {
    let all = [described(CANDOR), described(UTILITY)];
    HttpResponse::Ok().json(json!({"object": "list", "data": all}))
}

/// One model.
#[utoipa::path(
    get, path = "/v1/models/{model}",
    responses((status = 200, body = shapes::Model), errors::Model)
)]
pub(super) async fn model(api: ApiRequest) -> ApiResult {
    let asked = api.part("model");
    known(asked)?;
    Ok(HttpResponse::Ok().json(described(asked)))
}

fn known(model: &str) -> Result<(), Problem> {
    if matches!(model, CANDOR | UTILITY) {
        return Ok(());
    }
    let detail = "There is no such model here: there are candor and candor-utility.";
    Err(Problem::new(Code::UnknownModel, detail).about("model"))
}

/// One turn: acts on the last message of the user, and answers with what was committed.
#[utoipa::path(
    post, path = "/v1/chat/completions", params(IdempotencyKey),
    request_body = ChatCompletionRequest,
    responses((status = 200, content((shapes::ChatCompletion = "application/json"),
        (Value = "text/event-stream"))), errors::Model, errors::InvalidMessage, errors::Turn)
)]
pub(super) async fn completions(mut api: ApiRequest) -> ApiResult {
    let sent: ChatCompletionRequest = api.json_within(LIMIT).await?;
    known(&sent.model)?;
    let user = sent.user.clone();
    let asked = sent.read(api.sent.headers())?;
    let user = auth::speaker(&api.sent, user.as_deref())?;
    answer(&api, user, asked).await
}

/// One turn, as a response: acts on the last message of the user.
#[utoipa::path(
    post, path = "/v1/responses", params(IdempotencyKey), request_body = responses::ResponseRequest,
    responses((status = 200, content((shapes::Response = "application/json"),
        (Value = "text/event-stream"))), errors::Model, errors::InvalidMessage, errors::Turn,
        errors::Conversation)
)]
pub(super) async fn responses(mut api: ApiRequest) -> ApiResult {
    let sent: responses::ResponseRequest = api.json_within(LIMIT).await?;
    known(&sent.model)?;
    let user = auth::speaker(&api.sent, sent.user.as_deref())?;
    let said = conversation_key::words(api.store(), &user, &sent.references()).await;
    let asked = sent.read(api.sent.headers(), &said?)?;
    answer(&api, user, asked).await
}

/// Answers what was read, in the form that it asks for.
async fn answer(api: &ApiRequest, user: UserId, asked: ParsedRequest) -> ApiResult {
    if let Some(utility) = utility_requests::recognise(&asked) {
        let text = utility_requests::answer(&utility, &asked, api.chat.now().today);
        return Ok(aside(api, &asked, text));
    }
    if let Some(problem) = asked.unanswerable() {
        return Err(problem);
    }
    api.turn(&user).await?;
    let key = api.key()?;
    let message = asked.lines.message.clone();
    let place = conversation_key::find(api.store(), &user, &asked).await;
    let place = place?.ok_or_else(|| {
        let detail = "You have no response of this id: leave previous_response_id out to begin a \
                      conversation, or send the messages before in input.";
        Problem::new(Code::UnknownConversation, detail).about("previous_response_id")
    })?;
    let turn = turn(api, user, message, place, key);
    if asked.stream {
        return stream::respond(api, &asked, turn).await;
    }
    let answered = turn.await?;
    let replayed = answered.replayed;
    let completion = Completion::of(&answered, &asked)?;
    let mut answer = HttpResponse::Ok();
    if replayed {
        answer.insert_header((idempotency::REPLAYED, "true"));
    }
    Ok(answer.json(whole(&completion, &asked)))
}

/// An answer in one piece, in the form that was asked for.
fn whole(completion: &Completion, asked: &ParsedRequest) -> Value {
    match &asked.form {
        AnswerEndpoint::Completion => completion.whole(),
        AnswerEndpoint::Response(echo) => responses::whole(completion, echo),
    }
}

/// The turn: it runs to its end whether or not anybody waits for it.
fn turn(
    api: &Api,
    user: UserId,
    message: String,
    place: ConversationKey,
    key: Option<String>,
) -> impl Future<Output = Result<ChatAnswer, Problem>> + Send + 'static {
    let said = ChatRequest {
        message: Some(message),
        conversation_id: place.conversation,
        ..ChatRequest::default()
    };
    let (api, chat) = (api.clone(), api.chat.clone());
    let key = key.or(place.key);
    async move {
        // A chat of the client's begins with its first message.
        let manner = RequestOptions {
            begins: true,
            ..RequestOptions::default()
        };
        let turn = async move { chat.chat_so(&user, said, key, manner).await };
        Ok(api.run(turn).await??)
    }
}

/// The answer to what a client asks behind the user's back.
fn aside(api: &Api, asked: &ParsedRequest, text: String) -> HttpResponse {
    let now = api.chat.now().instant.timestamp();
    let completion = Completion::aside(api.ids.next(), now, asked, text);
    if asked.stream {
        stream::at_once(&completion, asked)
    } else {
        HttpResponse::Ok().json(whole(&completion, asked))
    }
}
