//! The audit log over HTTP (CONTRACT §6): a user's own events.
//!
//! What a turn's sentences are worth (`/audit/turns/{turn_id}`) is recomputed by the chat
//! layer; this only asks for it.

use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};

use super::api::Api;
use super::code::Code;
use super::path;
use super::problem::Problem;
use crate::audit::{EventKind, Row};
use crate::domain::{ReceiptId, TurnId};
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

/// `GET /api/{user_id}/audit/turns/{turn_id}`: the turn recomputed from its receipts.
///
/// # Errors
/// [`Problem`].
pub async fn turn(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let id: TurnId = path::id(&request, "turn_id")?;
    let filter = AuditFilter {
        user: Some(user),
        turn: Some(id),
        ..AuditFilter::default()
    };
    let rows = api
        .store()
        .audit_events(&filter)
        .await
        .map_err(Problem::reading)?;
    if rows.is_empty() {
        return Err(Problem::new(
            Code::UnknownTurn,
            "You have no turn of this id.",
        ));
    }
    let events: Vec<Value> = rows.iter().map(event).collect();
    Ok(HttpResponse::Ok().json(json!({"turn_id": id, "events": events})))
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
    let checkpoint = api.signer.as_ref().map(|key| key.checkpoint(&proven.head));
    let checkpoint = checkpoint.transpose().map_err(Problem::internal)?;
    Ok(HttpResponse::Ok().json(json!({
        "receipt_id": id,
        "event": event(&proven.event),
        "proof": proven.inclusion,
        "root": crate::audit::hex(&proven.head.root),
        "checkpoint": checkpoint,
    })))
}

/// An event as clients see it: the payload as JSON beside the exact text that was hashed.
pub fn event(row: &Row) -> Value {
    json!({
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
