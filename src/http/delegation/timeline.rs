//! The timeline as server-sent events: what the log tells of a user's runs and tool calls.
//!
//! The log has one number per user and no gaps, so it is the timeline; `Last-Event-ID` goes on
//! exactly where a reader was. Each event is one line of the log and is sent once. With
//! `view=acp` the same lines come as `session/update` notifications of the Agent Client Protocol.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use actix_web::body::{BodySize, MessageBody};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::desk;
use crate::audit::{EventKind, Row};
use crate::domain::UserId;
use crate::http::api::Api;
use crate::http::code::Code;
use crate::http::path;
use crate::http::problem::Problem;
use crate::store::{AuditFilter, Store, Told};
use crate::telemetry::OpenStream;

/// Lines of the log that are read at once.
const PAGE: u32 = 200;
/// How long the line is silent at most.
const SILENCE: Duration = Duration::from_secs(15);
/// How often a shutdown is looked for.
const LOOK: Duration = Duration::from_millis(500);
/// What waits for a slow reader.
const AHEAD: usize = 32;

/// How events are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    Own,
    Acp,
}

/// `GET /api/{user_id}/events?after=&view=&follow=`: from the event after `Last-Event-ID` (or
/// `after`, or the first) on. With `follow=false` it ends with the last there is.
///
/// # Errors
/// [`Problem`].
pub async fn events(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        after: Option<i64>,
        view: Option<String>,
        follow: Option<bool>,
    }
    let user = path::user(&request)?;
    desk(&api)?;
    let query: Query = path::query(&request)?;
    let view = match query.view.as_deref() {
        None => View::Own,
        Some("acp") => View::Acp,
        Some(_) => {
            return Err(Problem::new(
                Code::BadQuery,
                "view must be acp, or left out.",
            ));
        }
    };
    let seen = match request.headers().get("last-event-id") {
        None => query.after.unwrap_or_default(),
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.trim().parse().ok());
            id.ok_or_else(|| {
                Problem::new(Code::BadHeader, "Last-Event-ID must be the id of an event.")
            })?
        }
    };
    let (sender, receiver) = mpsc::channel(AHEAD);
    let follow = query.follow.unwrap_or(true);
    let reader = Reader {
        store: api.store().clone(),
        user,
        view,
        seen,
        sender,
    };
    let open = OpenStream::begin();
    tokio::spawn(async move {
        let _open = open;
        let gate = api.gate.clone();
        let read = reader.read(follow, || gate.is_closed());
        if let Err(error) = read.await {
            tracing::warn!(%error, "a timeline broke off");
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(Body(receiver)))
}

struct Body(mpsc::Receiver<Bytes>);

impl MessageBody for Body {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(Ok))
    }
}

struct Reader {
    store: Store,
    user: UserId,
    view: View,
    seen: i64,
    sender: mpsc::Sender<Bytes>,
}

impl Reader {
    async fn read(
        mut self,
        follow: bool,
        closed: impl Fn() -> bool,
    ) -> Result<(), crate::store::StoreError> {
        let mut watch = self.store.watch(&self.user);
        let mut silent = tokio::time::Instant::now();
        loop {
            let filter = AuditFilter {
                user: Some(self.user.clone()),
                after: Some(self.seen),
                limit: Some(PAGE),
                ..AuditFilter::default()
            };
            let rows = self.store.audit_events(&filter).await?;
            for row in &rows {
                self.seen = row.seq;
                if let Some(text) = written(row, self.view) {
                    silent = tokio::time::Instant::now();
                    if self.sender.send(text.into()).await.is_err() {
                        return Ok(());
                    }
                }
            }
            if !rows.is_empty() {
                continue;
            }
            if !follow || closed() {
                return Ok(());
            }
            if silent.elapsed() >= SILENCE {
                silent = tokio::time::Instant::now();
                // Also how it is found out that nobody listens any more.
                if self
                    .sender
                    .send(Bytes::from_static(b": still here\n\n"))
                    .await
                    .is_err()
                {
                    return Ok(());
                }
            }
            tokio::select! {
                () = watch.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
                () = self.sender.closed() => return Ok(()),
            }
        }
    }
}

/// An event as it is sent; none for a line of the log that is no part of the timeline.
fn written(row: &Row, view: View) -> Option<String> {
    let (name, data) = match view {
        View::Own => own(row)?,
        View::Acp => ("message", acp(row)?),
    };
    Some(format!("id: {}\nevent: {name}\ndata: {data}\n\n", row.seq))
}

fn own(row: &Row) -> Option<(&'static str, Value)> {
    if let Some(told) = Told::read(row) {
        let name = match &told {
            Told::RunState { .. } | Told::CancelRequested { .. } => "run.state",
            Told::ToolCall { .. } => "tool.call",
            Told::ToolResult { .. } => "tool.result",
            Told::RunNote { .. } | Told::RunResult { .. } => "run.progress",
            Told::LateResult { .. } | Told::Review { .. } => "notification",
        };
        let mut data = json!(told);
        if let Some(data) = data.as_object_mut() {
            data.insert("seq".to_owned(), row.seq.into());
            data.insert("at".to_owned(), json!(row.created_at));
        }
        return Some((name, data));
    }
    let name = match row.kind {
        EventKind::ToolCall | EventKind::Refusal => "tool.result",
        EventKind::Reply => "message",
        _ => return None,
    };
    let payload: Value = serde_json::from_str(&row.payload).ok()?;
    let part = |name: &str| payload.get(name).cloned().unwrap_or_default();
    let data = match name {
        "message" => json!({
            "type": "assistant_message", "seq": row.seq, "at": row.created_at,
            "content": part("message"),
        }),
        _ => json!({
            "type": "tool_result", "seq": row.seq, "at": row.created_at,
            "tool_call_id": part("call_id"), "name": part("name"), "called_as": part("called_as"),
            "arguments": part("arguments"), "outcome": part("outcome"), "result": part("reason"),
            "is_error": matches!(part("outcome").as_str(), Some("failed" | "refused")),
        }),
    };
    Some((name, data))
}

/// The same as a notification of the Agent Client Protocol, version 1.
fn acp(row: &Row) -> Option<Value> {
    let told = Told::read(row)?;
    let text =
        |text: &Option<String>| json!({"type": "text", "text": text.clone().unwrap_or_default()});
    let (session, update) = match &told {
        Told::ToolCall {
            agent_id,
            run,
            number,
            name,
            arguments,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "tool_call", "toolCallId": format!("{run}-r{number}"),
                "title": name, "kind": "other", "status": "pending", "rawInput": arguments}),
        ),
        Told::ToolResult {
            agent_id,
            run,
            number,
            ok,
            result,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "tool_call_update", "toolCallId": format!("{run}-r{number}"),
                "status": if *ok { "completed" } else { "failed" }, "rawOutput": result}),
        ),
        Told::RunState {
            agent_id, run, to, ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_thought_chunk",
                "content": {"type": "text", "text": format!("{run} is {to}")}}),
        ),
        Told::RunNote {
            agent_id,
            text: note,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_thought_chunk", "content": text(note)}),
        ),
        Told::RunResult {
            agent_id,
            text: result,
            ..
        }
        | Told::LateResult {
            agent_id,
            text: result,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_message_chunk", "content": text(result)}),
        ),
        Told::CancelRequested { .. } | Told::Review { .. } => return None,
    };
    Some(json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": session, "update": update},
    }))
}
