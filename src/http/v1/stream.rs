//! An answer in pieces (server-sent events). Nothing of it is said before the turn is committed;
//! what comes early says who speaks, and that the turn still runs. A response says not even who
//! speaks: its id is that of the line that will be said.

use std::pin::pin;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use actix_web::{HttpResponse, HttpResponseBuilder};
use serde_json::Value;
use tokio::sync::mpsc;

use super::answer::{ChunkHead, Completion, fault};
use super::request::{AnswerEndpoint, ParsedRequest};
use super::responses;
use crate::chat::ChatAnswer;
use crate::http::api::Api;
use crate::http::idempotency;
use crate::http::problem::Problem;
use crate::http::sse;

/// Longest time that a turn may run before the stream begins: what goes wrong until then still
/// gets its own status.
const QUIET: Duration = Duration::from_secs(2);
/// Interval at which a client is told that the turn still runs.
const STILL: Duration = Duration::from_secs(5);
/// Number of pieces that may wait for a slow client.
const AHEAD: usize = 8;
/// A sign of life, which is no event.
const WAITING: &str = ": the turn still runs\n\n";
/// The end of a stream.
const DONE: &str = "data: [DONE]\n\n";

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn opened() -> HttpResponseBuilder {
    let mut answer = HttpResponse::Ok();
    answer
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header(("x-accel-buffering", "no"));
    answer
}

/// An event that names its type beside its data.
fn typed(data: &Value) -> String {
    let kind = data.get("type").and_then(Value::as_str).unwrap_or_default();
    format!("event: {kind}\ndata: {data}\n\n")
}

fn pieces(completion: &Completion, head: &ChunkHead, asked: &ParsedRequest) -> String {
    match &asked.form {
        AnswerEndpoint::Completion => {
            let rest = completion.rest(head, asked.counted);
            rest.iter().map(event).collect::<String>() + DONE
        }
        AnswerEndpoint::Response(echo) => responses::events(completion, echo)
            .iter()
            .map(typed)
            .collect(),
    }
}

/// The part of a stream that can be told before the answer is there.
fn opening(head: &ChunkHead, asked: &ParsedRequest) -> String {
    match asked.form {
        AnswerEndpoint::Completion => event(&head.first()),
        AnswerEndpoint::Response(_) => String::new(),
    }
}

/// The end of a stream that has no answer.
fn broken(problem: &Problem, unsaid: &Completion, asked: &ParsedRequest) -> String {
    match &asked.form {
        AnswerEndpoint::Completion => event(&fault(problem)),
        AnswerEndpoint::Response(echo) => responses::failed(unsaid, echo, problem)
            .iter()
            .map(typed)
            .collect(),
    }
}

/// A completion that is there already.
pub(super) fn at_once(completion: &Completion, asked: &ParsedRequest) -> HttpResponse {
    let head = completion.head();
    opened().body(opening(&head, asked) + &pieces(completion, &head, asked))
}

/// The stream of a turn. It is not cut short when its client goes away.
///
/// # Errors
/// What goes wrong before the stream begins; later it is the stream's last event.
pub(super) async fn respond(
    api: &Api,
    asked: &ParsedRequest,
    turn: impl Future<Output = Result<ChatAnswer, Problem>> + Send + 'static,
) -> Result<HttpResponse, Problem> {
    let mut turn = Box::pin(turn);
    if let Ok(answered) = tokio::time::timeout(QUIET, &mut turn).await {
        let answered = answered?;
        let completion = Completion::of(&answered, asked)?;
        let mut answer = at_once(&completion, asked);
        if answered.replayed {
            let told = HeaderValue::from_static("true");
            answer.headers_mut().insert(idempotency::REPLAYED, told);
        }
        return Ok(answer);
    }
    let now = api.chat.now().instant.timestamp();
    let unsaid = Completion::aside(api.ids.next(), now, asked, String::new());
    let head = unsaid.head();
    let asked = asked.clone();
    let (sender, receiver) = mpsc::channel(AHEAD);
    tokio::spawn(async move {
        // Nobody listens any more when sending fails; the turn runs on without this task.
        let tell = async |text: String| sender.send(text.into()).await.is_ok();
        let first = opening(&head, &asked);
        if !tell(if first.is_empty() {
            WAITING.to_owned()
        } else {
            first
        })
        .await
        {
            return;
        }
        let mut turn = pin!(turn);
        let answered = loop {
            match tokio::time::timeout(STILL, &mut turn).await {
                Ok(answered) => break answered,
                Err(_) => {
                    if !tell(WAITING.to_owned()).await {
                        return;
                    }
                }
            }
        };
        let completion = answered.and_then(|answered| Completion::of(&answered, &asked));
        let last = match completion {
            Ok(completion) => pieces(&completion, &head, &asked),
            Err(problem) => broken(&problem, &unsaid, &asked),
        };
        tell(last).await;
    });
    Ok(opened().body(sse::body(receiver)))
}
