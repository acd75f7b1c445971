//! The audit log over HTTP (CONTRACT §6): a user's own events.
//!
//! What a turn's sentences are worth (`/audit/turns/{turn_id}`) is recomputed by the guard;
//! this only asks for it.

use actix_web::HttpResponse;
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::openapi::{errors, limits, shapes};
use super::path;
use super::problem::Problem;
use crate::audit::{AuditRow, EventKind, TreeHead, TreeProof};
use crate::domain::{ReceiptId, TurnId, UserId};
use crate::guard::account::{Account, account};
use crate::store::AuditFilter;

/// Number of events that are read when nobody says, and at most.
const EVENTS: (u32, u32) = (100, 1_000);

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Only those of a turn.
    #[param(value_type = Option<Uuid>)]
    turn_id: Option<String>,
    /// Only those of a conversation.
    #[param(value_type = Option<Uuid>)]
    conversation_id: Option<String>,
    /// Only these.
    #[param(value_type = Option<limits::Kind>, inline)]
    kind: Option<String>,
    /// Only those after this seq.
    #[param(value_type = Option<i64>, minimum = 0)]
    after: Option<String>,
    /// At most so many; 100 when nothing is said.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
}

/// Events of the audit log, the oldest first.
#[utoipa::path(
    get, path = "/api/{user_id}/audit", params(AuditQuery),
    responses((status = 200, body = shapes::Events), errors::BadQuery)
)]
pub async fn audit(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let query: AuditQuery = api.query()?;
    let filter = AuditFilter {
        user: Some(user),
        turn: path::id_parameter("turn_id", query.turn_id.as_deref())?,
        conversation: path::id_parameter("conversation_id", query.conversation_id.as_deref())?,
        kind: query.kind.as_deref().map(kind).transpose()?,
        after: query.after.as_deref().map(after).transpose()?,
        limit: Some(path::limit(query.limit.as_deref(), EVENTS)?),
    };
    let rows = api.store().audit_events(&filter).await?;
    let events: Vec<Value> = rows.iter().map(event).collect();
    Ok(HttpResponse::Ok().json(json!({"events": events})))
}

/// A turn computed again from its receipts: what each sentence is worth.
#[utoipa::path(
    get, path = "/api/{user_id}/audit/turns/{turn_id}",
    responses((status = 200, body = shapes::TurnAccount), errors::AuditTurn)
)]
pub async fn audit_turn(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let id: TurnId = api.id("turn_id")?;
    let rows = turn_events(&api, &user, id).await?;
    let kept = api.store().turn_receipts(&user, id).await?;
    let account = account(&rows).ok_or_else(unknown_turn)?;
    let account = account.beside(&rows, &kept);
    #[derive(serde::Serialize)]
    struct TurnAccount {
        holds: bool,
        #[serde(flatten)]
        account: Account,
        events: Vec<Value>,
    }
    Ok(HttpResponse::Ok().json(TurnAccount {
        holds: account.holds(),
        account,
        events: rows.iter().map(event).collect(),
    }))
}

async fn turn_events(api: &Api, user: &UserId, turn: TurnId) -> Result<Vec<AuditRow>, Problem> {
    let rows = api.store().turn_events(user, turn).await?;
    if rows.is_empty() {
        return Err(unknown_turn());
    }
    Ok(rows)
}

fn unknown_turn() -> Problem {
    Problem::new(Code::UnknownTurn, "You have no turn of this id.")
}

/// Proof that the log holds a receipt.
#[utoipa::path(
    get, path = "/api/{user_id}/audit/receipts/{receipt_id}/proof",
    responses((status = 200, body = shapes::ReceiptProof), errors::Receipt)
)]
pub async fn audit_receipt(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let id: ReceiptId = api.id("receipt_id")?;
    let proven = api.store().audit_proof(&user, id).await;
    let Some(proven) = proven? else {
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

/// Proof that a turn did what its receipts say and nothing else.
#[utoipa::path(
    get, path = "/api/{user_id}/audit/turns/{turn_id}/absence",
    responses((status = 200, body = shapes::AbsenceProof), errors::AuditTurn)
)]
pub async fn audit_absence(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let id: TurnId = api.id("turn_id")?;
    let found = api.store().audit_stretch(&user, id).await;
    let (stretch, head) = found?.ok_or_else(unknown_turn)?;
    Ok(HttpResponse::Ok().json(TreeProof::Turn {
        turn_id: id,
        events: stretch.events,
        proof: stretch.inclusion,
        root: crate::audit::hex(&head.root),
        checkpoint: checkpoint(&api, &head)?,
    }))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ConsistencyQuery {
    /// Events in the earlier tree.
    #[param(value_type = i64, minimum = 1)]
    from: String,
    /// Events in the later tree; all when nothing is said.
    #[param(value_type = Option<i64>, minimum = 1)]
    to: Option<String>,
}

/// Proof that the tree of one checkpoint begins with that of another.
#[utoipa::path(
    get, path = "/api/{user_id}/audit/consistency", params(ConsistencyQuery),
    responses((status = 200, body = shapes::ConsistencyProof), errors::BadQuery)
)]
pub async fn audit_consistency(api: ApiRequest) -> ApiResult {
    api.user()?;
    let query: ConsistencyQuery = api.query()?;
    let store = api.store();
    let newest = store.audit_tree().await?;
    let to = query.to.as_deref().map(size).transpose()?;
    let (from, to) = (size(&query.from)?, to.unwrap_or(newest.size));
    if from > to || to > newest.size {
        let words = format!(
            "from must not exceed to, nor to the {} events in the tree.",
            newest.size
        );
        return Err(Problem::new(Code::BadQuery, words));
    }
    let hashes = store.audit_consistency(from, to).await?;
    let head = store.tree_of(to).await?;
    let old = store.tree_of(from).await?;
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
