//! What changes, as server-sent events: `GET /api/{user_id}/events`.
//!
//! A user's log has one number per event and no gaps, and it grows in the order of the commits,
//! whichever process made them: so a reader is where its last number is, and `Last-Event-ID`
//! goes on exactly there. Every change of a task is a `change`; where agents can be delegated
//! to, the same stream tells what they do. What was erased can't be told again: `reset` says that
//! everything is to be read anew.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::api::Api;
use super::code::Code;
use super::delegation::{self, timeline};
use super::path;
use super::problem::Problem;
use super::sse::{self, Gone, SILENCE, Writer};
use crate::audit::{AuditRow, EventKind};
use crate::chat::receipt_of;
use crate::domain::{ReceiptId, UserId};
use crate::store::{AuditFilter, ChangeWatch, Receipt, Store, StoreError};

/// Lines of the log that are read at once.
const PAGE: u32 = 200;
/// How often a shutdown is looked for.
const LOOK: Duration = Duration::from_millis(500);

/// What a reader wants to hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// Changes of tasks.
    Changes,
    /// Those, and what agents do.
    All,
    /// What agents do, for editors.
    Acp,
}

/// What an address asks for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    after: Option<i64>,
    last_event_id: Option<i64>,
    view: Option<String>,
    follow: Option<bool>,
}

/// `GET /api/{user_id}/events?after=&last_event_id=&view=&follow=`: from the event after
/// `Last-Event-ID` on, or from now on. With `follow=false` it begins with the first and ends
/// with the last there is.
///
/// # Errors
/// [`Problem`].
pub async fn events(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let asked: Asked = path::query(&request)?;
    let view = match asked.view.as_deref() {
        None if api.desk.is_some() => View::All,
        None => View::Changes,
        Some("acp") => {
            delegation::desk(&api)?;
            View::Acp
        }
        Some(_) => {
            return Err(Problem::new(
                Code::BadQuery,
                "view must be acp, or left out.",
            ));
        }
    };
    let last = match request.headers().get("last-event-id") {
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
    let head = store.audit_head(&user).await.map_err(Problem::reading)?;
    let head = head.map_or(0, |head| head.seq);
    let (seen, begin) = match last.or(asked.after) {
        // Of another log, or of one that was restored: what came since is not known.
        Some(seen) if seen > head => (head, Some(reset(head))),
        Some(seen) => (seen, None),
        None if follow => (head, None),
        None => (0, None),
    };
    let (writer, body) = sse::stream();
    let reader = Reader {
        store: store.clone(),
        user,
        view,
        seen,
        writer,
    };
    let gate = api.gate.clone();
    tokio::spawn(async move {
        let read = reader.read(watch, begin, follow, || gate.is_closed());
        if let Err(error) = read.await {
            tracing::warn!(%error, "a stream of events broke off");
        }
    });
    Ok(sse::respond(body))
}

/// What the log's line of a receipt says first of all.
#[derive(Debug, Deserialize)]
struct Named {
    id: ReceiptId,
}

struct Reader {
    store: Store,
    user: UserId,
    view: View,
    seen: i64,
    writer: Writer,
}

impl Reader {
    /// Writes what there is and, if it is to follow, what comes, until nobody reads any more or
    /// the program is about to end.
    async fn read(
        mut self,
        mut watch: ChangeWatch,
        begin: Option<String>,
        follow: bool,
        closed: impl Fn() -> bool,
    ) -> Result<(), StoreError> {
        let mut teller = Teller::new(self.view);
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
                    if let Some(event) = self.tell(row, &mut teller).await?
                        && self.writer.write(event).await.is_err()
                    {
                        return Ok(());
                    }
                }
                if rows.is_empty() {
                    break;
                }
            }
            if !follow || self.wait(&mut watch, &closed).await.is_err() {
                return Ok(());
            }
        }
    }

    /// The event of a line of the log; none for one that is of no interest here.
    async fn tell(
        &self,
        row: &AuditRow,
        teller: &mut Teller,
    ) -> Result<Option<String>, StoreError> {
        if row.kind != EventKind::Receipt || self.view == View::Acp {
            return Ok(teller.tell(row));
        }
        // The log says which; what it attests is read from the receipt itself.
        let named = serde_json::from_str::<Named>(&row.payload).ok();
        let entry = match named {
            Some(Named { id }) => self.store.receipt(&self.user, id).await?,
            None => None,
        };
        Ok(match entry {
            Some(entry) => teller.change(row.seq, &entry.receipt),
            None => teller.anew(row.seq),
        })
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

    /// Waits until there may be something new, and shows meanwhile that it is still there.
    async fn wait(&self, watch: &mut ChangeWatch, closed: &impl Fn() -> bool) -> Result<(), Gone> {
        let mut silent = Instant::now();
        loop {
            tokio::select! {
                () = watch.changed() => return Ok(()),
                () = self.writer.gone() => return Err(Gone),
                () = sleep(LOOK) => {}
            }
            if closed() {
                return Err(Gone);
            }
            if silent.elapsed() >= SILENCE {
                silent = Instant::now();
                self.writer.keep_alive().await?;
            }
        }
    }
}

/// Makes events of lines of the log.
struct Teller {
    view: View,
    /// It was just said that everything is to be read anew.
    reset: bool,
}

impl Teller {
    const fn new(view: View) -> Self {
        Self { view, reset: false }
    }

    /// The event of a line; none for one that is of no interest here.
    fn tell(&mut self, row: &AuditRow) -> Option<String> {
        match (self.view, row.kind) {
            (View::Acp, _) => {
                let data = timeline::acp(row)?;
                Some(event(row.seq, "message", &data))
            }
            (_, EventKind::Erasure) => self.anew(row.seq),
            (View::All, _) => {
                let (name, data) = timeline::own(row)?;
                Some(event(row.seq, name, &data))
            }
            (View::Changes, _) => None,
        }
    }

    /// A change; none for a reading.
    fn change(&mut self, seq: i64, receipt: &Receipt) -> Option<String> {
        let change = change(seq, receipt)?;
        self.reset = false;
        Some(event(seq, "change", &change))
    }

    /// What can't be told any more; once for many lines in a row.
    fn anew(&mut self, seq: i64) -> Option<String> {
        let told = std::mem::replace(&mut self.reset, true);
        (!told).then(|| reset(seq))
    }
}

/// What a receipt attests, with where and why; none for a reading.
fn change(seq: i64, receipt: &Receipt) -> Option<Value> {
    let facts = receipt.facts();
    if facts.reading.is_some() {
        return None;
    }
    let mut data = json!(receipt_of(receipt));
    let object = data.as_object_mut()?;
    object.insert("turn_id".to_owned(), json!(facts.turn_id));
    object.insert("conversation_id".to_owned(), json!(facts.conversation_id));
    object.insert("seq".to_owned(), seq.into());
    Some(data)
}

fn event(seq: i64, name: &str, data: &Value) -> String {
    format!("id: {seq}\nevent: {name}\ndata: {data}\n\n")
}

fn reset(seq: i64) -> String {
    event(seq, "reset", &json!({}))
}
