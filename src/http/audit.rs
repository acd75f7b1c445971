//! The audit log over HTTP (CONTRACT §6): a user's own events.
//!
//! What a turn's sentences are worth (`/audit/turns/{turn_id}`) is recomputed by the guard;
//! this only asks for it.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};

use super::api::Api;
use super::code::Code;
use super::path;
use super::problem::Problem;
use crate::audit::{AuditRow, EventKind, TreeHead, TreeProof};
use crate::domain::{ReceiptId, TurnId, UserId};
use crate::guard::account::{Account, account};
use crate::store::AuditFilter;

/// How many events are read when nobody says, and at most.
const EVENTS: (u32, u32) = (100, 1_000);

/// `GET /api/{user_id}/audit?turn_id=&conversation_id=&kind=&after=&limit=`: oldest first.
///
/// # Errors
/// [`Problem`].
pub async fn list(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        turn_id: Option<String>,
        conversation_id: Option<String>,
        kind: Option<String>,
        after: Option<String>,
        limit: Option<String>,
    }
    let user = path::user(&request)?;
    let query: Query = path::query(&request)?;
    let filter = AuditFilter {
        user: Some(user),
        turn: path::id_parameter("turn_id", query.turn_id.as_deref())?,
        conversation: path::id_parameter("conversation_id", query.conversation_id.as_deref())?,
        kind: query.kind.as_deref().map(kind).transpose()?,
        after: query.after.as_deref().map(after).transpose()?,
        limit: Some(path::limit(query.limit.as_deref(), EVENTS)?),
    };
    let rows = api
        .store()
        .audit_events(&filter)
        .await
        .map_err(Problem::reading)?;
    let events: Vec<Value> = rows.iter().map(event).collect();
    Ok(HttpResponse::Ok().json(json!({"events": events})))
}

/// `GET /api/{user_id}/audit/turns/{turn_id}`: the turn recomputed from its receipts, what each
/// sentence of its reply is worth, and its events.
///
/// # Errors
/// [`Problem`].
pub async fn turn(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let id: TurnId = path::id(&request, "turn_id")?;
    let rows = turn_events(&api, &user, id).await?;
    let kept = api.store().turn_receipts(&user, id).await;
    let kept = kept.map_err(Problem::reading)?;
    let account = account(&rows).ok_or_else(unknown_turn)?;
    let account = account.beside(&rows, &kept);
    #[derive(serde::Serialize)]
    struct Told {
        holds: bool,
        #[serde(flatten)]
        account: Account,
        events: Vec<Value>,
    }
    Ok(HttpResponse::Ok().json(Told {
        holds: account.holds(),
        account,
        events: rows.iter().map(event).collect(),
    }))
}

async fn turn_events(api: &Api, user: &UserId, turn: TurnId) -> Result<Vec<AuditRow>, Problem> {
    let filter = AuditFilter {
        user: Some(user.clone()),
        turn: Some(turn),
        ..AuditFilter::default()
    };
    let rows = api.store().audit_events(&filter).await;
    let rows = rows.map_err(Problem::reading)?;
    if rows.is_empty() {
        return Err(unknown_turn());
    }
    Ok(rows)
}

fn unknown_turn() -> Problem {
    Problem::new(Code::UnknownTurn, "You have no turn of this id.")
}

/// `GET /api/{user_id}/audit/receipts/{receipt_id}/proof`: that the log holds the receipt.
///
/// The receipt's event; its place in the Merkle tree over all events, with the hashes beside
/// the path from its leaf to the root (RFC 6962: a leaf is SHA-256 of a zero byte and the
/// event's 32-byte hash); and the tree's head, as a signed note where the server has a key.
///
/// # Errors
/// [`Problem`].
pub async fn proof(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let id: ReceiptId = path::id(&request, "receipt_id")?;
    let proven = api.store().audit_proof(&user, id).await;
    let Some(proven) = proven.map_err(Problem::reading)? else {
        return Err(Problem::new(
            Code::UnknownReceipt,
            "You have no receipt of this id.",
        ));
    };
    let checkpoint = checkpoint(&api, &proven.head)?;
    Ok(HttpResponse::Ok().json(json!({
        "receipt_id": id,
        "event": event(&proven.event),
        "proof": proven.inclusion,
        "root": crate::audit::hex(&proven.head.root),
        "checkpoint": checkpoint,
    })))
}

/// `GET /api/{user_id}/audit/turns/{turn_id}/absence`: that the turn did what its receipts say
/// and nothing else, so that "nothing was deleted" can be shown.
///
/// The turn's events with the one before and the one after them, without a gap and without
/// anybody's words; the place of the last one in the tree; and the tree's head.
///
/// # Errors
/// [`Problem`].
pub async fn absence(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let id: TurnId = path::id(&request, "turn_id")?;
    let found = api.store().audit_stretch(&user, id).await;
    let (stretch, head) = found.map_err(Problem::reading)?.ok_or_else(unknown_turn)?;
    Ok(HttpResponse::Ok().json(TreeProof::Turn {
        turn_id: id,
        events: stretch.events,
        proof: stretch.inclusion,
        root: crate::audit::hex(&head.root),
        checkpoint: checkpoint(&api, &head)?,
    }))
}

/// `GET /api/{user_id}/audit/consistency?from=&to=`: that the tree of `to` events (of all, when
/// nobody says) begins with the tree of `from` events. Trees tell nothing of anybody.
///
/// # Errors
/// [`Problem`].
pub async fn consistency(
    request: HttpRequest,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        from: String,
        to: Option<String>,
    }
    path::user(&request)?;
    let query: Query = path::query(&request)?;
    let store = api.store();
    let newest = store.audit_tree().await.map_err(Problem::reading)?;
    let to = query.to.as_deref().map(size).transpose()?;
    let (from, to) = (size(&query.from)?, to.unwrap_or(newest.size));
    if from > to || to > newest.size {
        let words = format!(
            "from must not exceed to, nor to the {} events in the tree.",
            newest.size
        );
        return Err(Problem::new(Code::BadQuery, words));
    }
    let hashes = store.audit_consistency(from, to).await;
    let hashes = hashes.map_err(Problem::reading)?;
    let head = store.tree_of(to).await.map_err(Problem::reading)?;
    let old = store.tree_of(from).await.map_err(Problem::reading)?;
    Ok(HttpResponse::Ok().json(TreeProof::Consistency {
        from: (&old).into(),
        to: (&head).into(),
        consistency: hashes.iter().map(|hash| crate::audit::hex(hash)).collect(),
        checkpoint: checkpoint(&api, &head)?,
    }))
}

fn size(text: &str) -> Result<u64, Problem> {
    let number = text.parse().ok().filter(|number| *number > 0);
    let words = "from and to are sizes of checkpoints: numbers of events from 1.";
    number.ok_or_else(|| Problem::new(Code::BadQuery, words))
}

fn checkpoint(api: &Api, head: &TreeHead) -> Result<Option<String>, Problem> {
    let signed = api.signer.as_ref().map(|key| key.checkpoint(head));
    signed.transpose().map_err(Problem::internal)
}

/// An event as clients see it: the payload as JSON beside the exact text that was hashed.
pub fn event(row: &AuditRow) -> Value {
    json!({
        "user_id": row.user_id,
        "seq": row.seq,
        "turn_id": row.turn_id,
        "kind": row.kind.as_str(),
        "payload": serde_json::from_str::<Value>(&row.payload).unwrap_or(Value::Null),
        "payload_text": row.payload,
        "prev_hash": row.prev_hash,
        "hash": row.hash,
        "created_at": row.created_at,
    })
}

fn kind(word: &str) -> Result<EventKind, Problem> {
    EventKind::parse(word).ok_or_else(|| {
        let words: Vec<_> = EventKind::ALL.iter().map(|kind| kind.as_str()).collect();
        Problem::new(
            Code::BadQuery,
            format!("kind must be one of {}.", words.join(", ")),
        )
    })
}

fn after(text: &str) -> Result<i64, Problem> {
    let number = text.parse().ok().filter(|number| *number >= 0);
    number.ok_or_else(|| Problem::new(Code::BadQuery, "after must be an event's seq."))
}
