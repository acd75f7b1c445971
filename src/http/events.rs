//! Changes as server-sent events: `GET /api/{user_id}/events`.
//!
//! A user's log has one number per event and no gaps, and it grows in the order of the commits,
//! whichever process made them: so a reader is where its last number is, and `Last-Event-ID`
//! goes on exactly there. Every change of a task is a `change`, and every reminder that is delivered a `reminder`; where agents can be delegated
//! to, the same stream tells what they do. What was erased can't be told again: `reset` says that
//! everything is to be read anew.

use std::collections::HashSet;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use utoipa::IntoParams;

use super::api::{ApiRequest, ApiResult};
use super::code::Code;
use super::delegation::{self, timeline};
use super::openapi::{errors, limits};
use super::problem::Problem;
use super::sse::{self, ClientGone, SILENCE, SseWriter};
use crate::audit::{AuditRow, EventKind};
use crate::chat::receipt_of;
use crate::chat::wire::TaskView;
use crate::domain::{ReceiptId, ReminderId, ReminderState, TaskId, UserId, put_member};
use crate::reminders::{self, OfferedReminder, ReminderListener};
use crate::store::{AuditFilter, ChangeWatch, Receipt, Store, StoreError};

/// Lines of the log that are read at once.
const PAGE: u32 = 200;
/// Interval at which a shutdown is looked for.
const LOOK: Duration = Duration::from_millis(500);

/// Events that a reader wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EventView {
    /// Changes of tasks.
    Changes,
    /// Changes of tasks, and what agents do.
    All,
    /// Activity of agents, for editors.
    Acp,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventsQuery {
    /// As the header Last-Event-ID, for those that can send none.
    last_event_id: Option<i64>,
    /// Only those after this number.
    after: Option<i64>,
    /// Form of the events.
    #[param(value_type = Option<limits::EventView>, inline)]
    view: Option<String>,
    /// false: from the first, and it ends with the last there is.
    follow: Option<bool>,
}

/// Changes, and what agents do, as server-sent events; Last-Event-ID goes on.
#[utoipa::path(
    get, path = "/api/{user_id}/events", tag = "tasks", params(EventsQuery),
    responses((status = 200, body = Value, content_type = "text/event-stream"), errors::BadQuery,
        errors::BadHeader, errors::NotFound)
)]
pub async fn events(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: EventsQuery = api.query()?;
    let view = match asked.view.as_deref() {
        None if api.desk.is_some() => EventView::All,
        None => EventView::Changes,
        Some("acp") => {
            delegation::desk(&api)?;
            EventView::Acp
        }
        Some(_) => {
            return Err(Problem::new(
                Code::BadQuery,
                "view must be acp, or left out.",
            ));
        }
    };
    let last = match api.sent.headers().get("last-event-id") {
        None => asked.last_event_id,
        Some(id) => {
            let id = id.to_str().ok().and_then(|id| id.trim().parse().ok());
            let refuse =
                || Problem::new(Code::BadHeader, "Last-Event-ID must be the id of an event.");
            Some(id.ok_or_else(refuse)?)
        }
    };
    let follow = asked.follow.unwrap_or(true);
    let store = api.store();
    // Before it is known where the log stands: what comes in between wakes the reader.
    let watch = store.watch(&user);
    let head = store.audit_head(&user).await?;
    let head = head.map_or(0, |head| head.seq);
    let (seen, begin) = match last.or(asked.after) {
        // Of another log, or of one that was restored: what came since is not known.
        Some(seen) if seen > head => (head, Some(reset(head))),
        Some(seen) => (seen, None),
        None if follow => (head, None),
        None => (0, None),
    };
    let listener = (follow && view != EventView::Acp).then(|| api.reminders.listen(&user));
    let (writer, body) = sse::channel();
    let reader = LogReader {
        store: store.clone(),
        user,
        view,
        seen,
        writer,
        given: HashSet::new(),
        reset: false,
    };
    let gate = api.in_flight.clone();
    tokio::spawn(async move {
        let read = reader.read((watch, listener), begin, follow, || gate.is_closed());
        if let Err(error) = read.await {
            tracing::warn!(%error, "a stream of events broke off");
        }
    });
    Ok(sse::respond(body))
}

/// Parts of the log's line of the end of a reminder.
#[derive(Debug, Deserialize)]
struct ReminderLine {
    outcome: ReminderState,
    reminder_id: ReminderId,
    task_id: TaskId,
    #[serde(default)]
    late_ms: i64,
}

/// Beginning of the log's line of a receipt.
#[derive(Debug, Deserialize)]
struct ReceiptLine {
    id: ReceiptId,
}

struct LogReader {
    store: Store,
    user: UserId,
    view: EventView,
    seen: i64,
    writer: SseWriter,
    /// Reminders that were given to this reader before the log said that they are delivered.
    given: HashSet<ReminderId>,
    /// True when it was just said that everything is to be read anew.
    reset: bool,
}

impl LogReader {
    /// Writes what there is and, if it is to follow, what comes, until nobody reads any more or
    /// the program is about to end.
    async fn read(
        mut self,
        (mut watch, mut listener): (ChangeWatch, Option<ReminderListener>),
        begin: Option<String>,
        follow: bool,
        closed: impl Fn() -> bool,
    ) -> Result<(), StoreError> {
        // Whoever loses the line before anything happened goes on from here.
        let begin = begin.unwrap_or_else(|| format!("retry: 1000\nid: {}\n\n", self.seen));
        if self.writer.write(begin).await.is_err() {
            return Ok(());
        }
        loop {
            loop {
                let rows = self.page().await?;
                for row in &rows {
                    self.seen = row.seq;
                    if let Some(event) = self.tell(row).await?
                        && self.writer.write(event).await.is_err()
                    {
                        return Ok(());
                    }
                }
                if rows.is_empty() {
                    break;
                }
            }
            if !follow {
                return Ok(());
            }
            let woken = self.wait(&mut watch, listener.as_mut(), &closed).await;
            let went_on = match woken {
                Ok(Some(offer)) => self.remind(&offer).await,
                Ok(None) => Ok(()),
                Err(gone) => Err(gone),
            };
            if went_on.is_err() {
                return Ok(());
            }
        }
    }

    /// Gives a reminder to the reader, and says so once it was read. It has no number: the log does
    /// not know of it yet.
    async fn remind(&mut self, offer: &OfferedReminder) -> Result<(), ClientGone> {
        let event = format!("event: reminder\ndata: {}\n\n", offer.data);
        self.writer.write(event).await?;
        self.writer.read().await?;
        self.given.insert(offer.id);
        offer.taken();
        Ok(())
    }

    /// The event of a reminder that was delivered; to whom it was given before, its number alone.
    async fn reminded(&mut self, row: &AuditRow) -> Result<Option<String>, StoreError> {
        let told = serde_json::from_str::<ReminderLine>(&row.payload).ok();
        let Some(told) = told.filter(|told| told.outcome == ReminderState::Delivered) else {
            return Ok(None);
        };
        if self.given.remove(&told.reminder_id) {
            return Ok(Some(format!("id: {}\n\n", row.seq)));
        }
        let task = self.store.task(&self.user, told.task_id).await?;
        Ok(task.and_then(|task| {
            let reminder = task.reminders.get(told.reminder_id)?;
            let shown = json!(TaskView::from(&task));
            let data = reminders::describe(&task, &shown, reminder, told.late_ms);
            Some(event(row.seq, "reminder", &data))
        }))
    }

    /// The event of a line of the log; none for one that is of no interest here.
    async fn tell(&mut self, row: &AuditRow) -> Result<Option<String>, StoreError> {
        Ok(match (self.view, row.kind) {
            (EventView::Acp, _) => timeline::acp(row).map(|data| event(row.seq, "message", &data)),
            (_, EventKind::Reminder) => return self.reminded(row).await,
            (_, EventKind::Receipt) => return self.changed(row).await,
            (_, EventKind::Erasure) => self.anew(row.seq),
            (EventView::All, _) => {
                timeline::own(row).map(|(name, data)| event(row.seq, name, &data))
            }
            (EventView::Changes, _) => None,
        })
    }

    /// The event of a change; none for a reading. The log says which receipt; what it attests is
    /// read from the receipt itself.
    async fn changed(&mut self, row: &AuditRow) -> Result<Option<String>, StoreError> {
        let named = serde_json::from_str::<ReceiptLine>(&row.payload).ok();
        let entry = match named {
            Some(ReceiptLine { id }) => self.store.receipt(&self.user, id).await?,
            None => None,
        };
        let Some(entry) = entry else {
            return Ok(self.anew(row.seq));
        };
        let change = change(row.seq, &entry.receipt);
        self.reset &= change.is_none();
        Ok(change.map(|change| event(row.seq, "change", &change)))
    }

    /// Says that something can't be told any more; once for many lines in a row.
    fn anew(&mut self, seq: i64) -> Option<String> {
        let told = std::mem::replace(&mut self.reset, true);
        (!told).then(|| reset(seq))
    }

    async fn page(&self) -> Result<Vec<AuditRow>, StoreError> {
        let filter = AuditFilter {
            user: Some(self.user.clone()),
            after: Some(self.seen),
            limit: Some(PAGE),
            ..AuditFilter::default()
        };
        self.store.audit_events(&filter).await
    }

    /// Waits until there may be something new, or a reminder is to be given, and shows meanwhile that it is still there.
    async fn wait(
        &self,
        watch: &mut ChangeWatch,
        mut listener: Option<&mut ReminderListener>,
        closed: &impl Fn() -> bool,
    ) -> Result<Option<OfferedReminder>, ClientGone> {
        let mut silent = Instant::now();
        loop {
            let offered = async {
                match &mut listener {
                    Some(listener) => listener.next().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = watch.changed() => return Ok(None),
                offer = offered => return Ok(Some(offer)),
                () = self.writer.gone() => return Err(ClientGone),
                () = sleep(LOOK) => {}
            }
            if closed() {
                return Err(ClientGone);
            }
            if silent.elapsed() >= SILENCE {
                silent = Instant::now();
                self.writer.keep_alive().await?;
            }
        }
    }
}

/// Describes what a receipt attests, with where and why; none for a reading.
fn change(seq: i64, receipt: &Receipt) -> Option<Value> {
    let facts = receipt.facts();
    if facts.reading.is_some() {
        return None;
    }
    let mut data = json!(receipt_of(receipt));
    put_member(&mut data, "turn_id", json!(facts.turn_id));
    put_member(&mut data, "conversation_id", json!(facts.conversation_id));
    put_member(&mut data, "seq", seq);
    Some(data)
}

fn event(seq: i64, name: &str, data: &Value) -> String {
    format!("id: {seq}\nevent: {name}\ndata: {data}\n\n")
}

fn reset(seq: i64) -> String {
    event(seq, "reset", &json!({}))
}
