//! Turns as a stream of events, for clients of the AI SDK (npm `ai`, version 6).
//!
//! The turn runs in a task of its own and tells its course; whoever reads, late or slowly or not
//! at all, does not hold it up. What can be refused before anything is told is a problem like
//! everywhere; what goes wrong later is an event.

mod edited;
mod parts;
mod request;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};
use utoipa::ToSchema;

use self::edited::kept;
use self::parts::{Approval, PartWriter, StreamLabel};
pub(super) use self::request::StreamRequest;
use self::request::{StreamCommand, conversation, key, reply};
use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::idempotency;
use super::openapi::errors;
use super::problem::Problem;
use super::sse::{self, SILENCE, SseWriter};
use crate::chat::wire::{AnswerChoice, ChatRequest};
use crate::chat::{
    ChatAnswer, ChatError, ProgressEvent, ProgressReader, RequestOptions, TurnProgress,
};
use crate::domain::{ConversationId, UserId};

/// The largest body: clients send their whole chat, of which the last message is read.
pub(super) const LIMIT: usize = 4 * 1024 * 1024;

/// Tells whether there was a turn to stop.
#[derive(Serialize, ToSchema)]
struct Stopping {
    stopping: bool,
}

/// Says which stream it is.
const PROTOCOL: HeaderName = HeaderName::from_static("x-vercel-ai-ui-message-stream");

/// One turn as a UI message stream (npm ai, version 6): progress, receipts, the reply.
#[utoipa::path(
    post, path = "/api/{user_id}/chat/stream", tag = "chat", request_body = StreamRequest,
    responses((status = 200, body = Value, content_type = "text/event-stream"), errors::Message,
        errors::Question, errors::Answer, errors::Timezone, errors::Turn)
)]
pub async fn chat_stream(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    api.turn(&user).await?;
    let sent: StreamRequest = api.json_within(LIMIT).await?;
    let wish = sent.wish()?;
    let place = place(&api, &user, &sent.id).await?;
    match wish {
        StreamCommand::Say {
            message,
            id,
            edited,
        } => {
            let key = match edited {
                true => {
                    let kept = kept(&api, &user, place, (&message, &id), false).await?;
                    kept.key
                }
                false => key(place, &["said", &id]),
            };
            say(&api, user, place, (message, id, key), sent).await
        }
        StreamCommand::Again { message, id } => {
            let kept = kept(&api, &user, place, (&message, &id), true).await?;
            // What got no answer did nothing: it is no repetition.
            if kept.answer.is_none() && api.chat.is_unanswered(&user, place, &message).await? {
                return say(&api, user, place, (message, id, kept.key), sent).await;
            }
            if let Some(answered) = kept.answer.or(kept.before) {
                let about = StreamLabel {
                    message: Some(reply(place, &id)),
                    approval: None,
                };
                return replay(&api, user, place, about, &answered).await;
            }
            Err(Problem::new(
                Code::UnknownAnswer,
                "No answer to this message is kept: it got none, or it is more than a day old. \
                 Nothing was done again; say it anew to have it done.",
            ))
        }
        StreamCommand::Approve {
            question,
            yes,
            call,
            id,
        } => {
            let waiting = api.chat.waiting(&user, place).await?;
            let waiting = waiting.filter(|one| one.id.to_string() == question);
            let shown = waiting.map(|one| (one.tool_name().to_owned(), one.input()));
            let about = StreamLabel {
                message: Some(id),
                approval: Some(Approval { call, shown, yes }),
            };
            let value = if yes { "yes" } else { "no" };
            let Ok(question_id) = question.parse() else {
                return Ok(refused(about, NO_QUESTION));
            };
            let asked = ChatRequest {
                answer: Some(AnswerChoice {
                    id: question_id,
                    value: value.to_owned(),
                }),
                conversation_id: Some(place),
                language_hint: sent.language_hint,
                timezone: sent.timezone,
                message: None,
            };
            let key = key(place, &["approved", &question, value]);
            run(&api, user, (asked, key), about, false).await
        }
    }
}

/// Answer where no question waits for the one that was given.
const NO_QUESTION: &str = "this question is not waiting for an answer any more";

async fn say(
    api: &Api,
    user: UserId,
    place: ConversationId,
    (message, id, key): (String, String, String),
    sent: StreamRequest,
) -> ApiResult {
    let about = StreamLabel {
        message: Some(reply(place, &id)),
        approval: None,
    };
    let asked = ChatRequest {
        message: Some(message),
        conversation_id: Some(place),
        answer: sent.answer,
        language_hint: sent.language_hint,
        timezone: sent.timezone,
    };
    run(api, user, (asked, key), about, true).await
}

/// Starts a turn and answers with its course.
async fn run(
    api: &Api,
    user: UserId,
    (asked, key): (ChatRequest, String),
    about: StreamLabel,
    begins: bool,
) -> ApiResult {
    let place = asked
        .conversation_id
        .unwrap_or_else(|| conversation(&user, ""));
    let course = TurnProgress::about(json!(about).to_string());
    let mut reader = course.reader();
    let manner = RequestOptions {
        begins,
        course: Some(course.clone()),
    };
    let (chat, whose) = (api.chat.clone(), user.clone());
    api.start(async move {
        // It is told to the course.
        drop(chat.chat_so(&whose, asked, Some(key), manner).await);
    })?;
    let first = match reader.next().await {
        Some(ProgressEvent::Ended(ended)) => match *ended {
            Ok(answered) => return replay(api, user, place, about, &answered).await,
            Err(error) => return refuse(about, error),
        },
        first => first,
    };
    Ok(follow(api, user, place, about, (course, reader, first)))
}

/// A request whose turn never began.
fn refuse(about: StreamLabel, error: ChatError) -> ApiResult {
    match error {
        ChatError::NoSuchQuestion(_) | ChatError::UnknownConversation
            if about.approval.is_some() =>
        {
            Ok(refused(about, NO_QUESTION))
        }
        ChatError::KeyReused => Err(Problem::new(
            Code::KeyReused,
            "This message was answered already and says something else now. Nothing was done: \
             send what is new as a message of its own.",
        )),
        ChatError::Running => Err(Problem::new(
            Code::StillRunning,
            "This message is being worked on. Nothing was done twice: GET its stream to follow it.",
        )
        .retry_after(Some(1))),
        error => Err(error.into()),
    }
}

fn refused(about: StreamLabel, why: &str) -> HttpResponse {
    let mut teller = PartWriter::new(about);
    teller.refuse_approval(why);
    whole(teller.take())
}

/// An answer that was given before.
async fn replay(
    api: &Api,
    user: UserId,
    place: ConversationId,
    about: StreamLabel,
    answered: &ChatAnswer,
) -> ApiResult {
    let reply = body_of(answered);
    let waiting = if reply.get("question").is_none_or(Value::is_null) {
        None
    } else {
        api.chat.waiting(&user, place).await?
    };
    let mut teller = PartWriter::new(about);
    teller.replay(&reply, waiting.as_ref());
    let mut response = whole(teller.take());
    let replayed = HeaderValue::from_static("true");
    response
        .headers_mut()
        .insert(idempotency::REPLAYED, replayed);
    Ok(response)
}

/// The turn that runs, from its beginning, as a UI message stream.
#[utoipa::path(
    get, path = "/api/{user_id}/chat/{chat}/stream", tag = "chat",
    responses((status = 200, body = Value, content_type = "text/event-stream"),
        (status = 204, description = "Nothing."), errors::BadId)
)]
pub async fn chat_resume(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let place = place(&api, &user, &api.chat_name()?).await?;
    let running = api.chat.courses(&user, place);
    let Some(course) = running.into_iter().rfind(|course| !course.has_ended()) else {
        return Ok(HttpResponse::NoContent().finish());
    };
    let about = serde_json::from_str(course.label()).unwrap_or_default();
    let reader = course.reader();
    Ok(follow(&api, user, place, about, (course, reader, None)))
}

/// The turn that runs waits for no model any more; what it did is still told.
#[utoipa::path(
    post, path = "/api/{user_id}/chat/{chat}/stop", tag = "chat",
    responses((status = 200, body = Stopping), errors::BadId)
)]
pub async fn chat_stop(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let place = place(&api, &user, &api.chat_name()?).await?;
    let mut running = api.chat.courses(&user, place);
    running.retain(|course| !course.has_ended());
    for course in &running {
        course.stop();
    }
    Ok(HttpResponse::Ok().json(Stopping {
        stopping: !running.is_empty(),
    }))
}

/// Finds the conversation that a client's chat is.
async fn place(api: &Api, user: &UserId, chat: &str) -> Result<ConversationId, Problem> {
    if let Ok(id) = chat.parse()
        && api.chat.has(user, id).await?
    {
        return Ok(id);
    }
    Ok(conversation(user, chat))
}

/// Tells a course to whoever reads, in a task of its own.
fn follow(
    api: &Api,
    user: UserId,
    place: ConversationId,
    about: StreamLabel,
    (course, reader, first): (TurnProgress, ProgressReader, Option<ProgressEvent>),
) -> HttpResponse {
    let (writer, body) = sse::channel();
    let api = api.clone();
    tokio::spawn(async move {
        let told = TurnRelay {
            api,
            user,
            place,
            course,
            teller: PartWriter::new(about),
        };
        told.tell(reader, first, writer).await;
    });
    marked(sse::respond(body))
}

struct TurnRelay {
    api: Api,
    user: UserId,
    place: ConversationId,
    course: TurnProgress,
    teller: PartWriter,
}

impl TurnRelay {
    async fn tell(
        mut self,
        mut reader: ProgressReader,
        first: Option<ProgressEvent>,
        writer: SseWriter,
    ) {
        let mut next = first;
        loop {
            if let Some(progress) = next.take() {
                self.one(progress).await;
                if writer.write(self.teller.take()).await.is_err() {
                    return;
                }
            }
            next = tokio::select! {
                biased;
                progress = reader.next() => match progress {
                    Some(progress) => Some(progress),
                    None => return,
                },
                () = writer.gone() => return,
                () = sleep(SILENCE) => {
                    if writer.keep_alive().await.is_err() {
                        return;
                    }
                    None
                }
            };
        }
    }

    async fn one(&mut self, progress: ProgressEvent) {
        let ProgressEvent::Ended(ended) = progress else {
            self.teller.tell(progress);
            return;
        };
        match *ended {
            Ok(answered) => {
                let reply = body_of(&answered);
                let waiting = if reply.get("question").is_none_or(Value::is_null) {
                    None
                } else {
                    // Whether it can be read or not, the answer stands.
                    self.waiting().await
                };
                self.teller.answer(&reply, waiting.as_ref());
            }
            Err(error) => self.teller.fail(error, self.course.is_stopped()),
        }
    }

    async fn waiting(&self) -> Option<crate::chat::PendingChoice> {
        let found = self.api.chat.waiting(&self.user, self.place);
        let found = timeout(SILENCE, found).await.ok()?;
        found.ok().flatten()
    }
}

/// The committed answer; its bytes are ours.
fn body_of(answered: &ChatAnswer) -> Value {
    serde_json::from_str(&answered.body).unwrap_or_default()
}

/// A stream that is whole already.
fn whole(events: String) -> HttpResponse {
    marked(sse::whole(events))
}

fn marked(mut response: HttpResponse) -> HttpResponse {
    let version = HeaderValue::from_static("v1");
    response.headers_mut().insert(PROTOCOL, version);
    response
}
