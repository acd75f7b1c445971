//! Undo of one receipt by its id, as a button beside it asks for.

use std::time::Instant;

use serde_json::json;

use super::machine::metadata;
use super::machine::{TurnTiming, milliseconds};
use super::service::TurnServices;
use super::wire::Undone;
use super::{ChatAnswer, ChatError, fingerprint, unit_of};
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{Lang, Moment, ReceiptId, TurnId, UserId};
use crate::guard::{CheckedReply, Kind, RENDERER_VERSION, receipt_line};
use crate::store::{CommitRecord, KeyedAnswer, ReceiptEntry, RollbackCause, TransactError};
use crate::turn::SuccessProof;

impl From<TransactError> for ChatError {
    fn from(error: TransactError) -> Self {
        match error {
            TransactError::RolledBack(RollbackCause::Storage(cause)) => Self::Storage(cause),
            TransactError::RolledBack(cause) => Self::Conflict(cause.to_string()),
            TransactError::Busy(words) => Self::Conflict(words.to_owned()),
            TransactError::Unconfirmed(_) => Self::Unconfirmed,
        }
    }
}

/// Takes one committed change back.
pub(super) async fn undo_receipt(
    service: &TurnServices,
    user: &UserId,
    id: ReceiptId,
    moment: Moment,
    key: Option<String>,
) -> Result<ChatAnswer, ChatError> {
    let started = Instant::now();
    let asked = fingerprint(&json!({ "route": "undo", "request": { "receipt_id": id } }));
    let busy = "the task kept being changed meanwhile: nothing was undone";
    let mut transaction = service.store.transact(busy);
    loop {
        let snapshot = service.store.load(user, None, key.as_deref()).await?;
        if let Some(stored) = snapshot.keyed {
            if stored.fingerprint != asked {
                return Err(ChatError::KeyReused);
            }
            return Ok(ChatAnswer::new(
                &CheckedReply::replay(stored),
                TurnTiming::since(started),
            ));
        }
        let entry = undoable(service, user, id).await?;
        let turn = TurnId::new(service.rules.ids.next());
        let conversation = entry.receipt.facts().conversation_id;
        let ids = &service.rules.ids;
        let mut unit = unit_of(user, conversation, turn, moment, ids, snapshot.tasks);
        unit.undo(&entry.receipt)
            .map_err(|fault| ChatError::Conflict(format!("could not undo: {fault}")))?;
        let proofs: Vec<SuccessProof<'_>> = unit.drafts().iter().map(SuccessProof::Draft).collect();
        let speech = Lang::En;
        let lines: Vec<String> = proofs.iter().map(|p| receipt_line(*p, speech)).collect();
        let actions: Vec<_> = proofs
            .iter()
            .map(|proof| metadata(*proof, speech))
            .collect();
        let body = json!(Undone {
            turn_id: turn,
            kind: Kind::Receipt,
            assistant_message: lines.join("\n"),
            action_metadata: actions.last().cloned(),
            actions,
        })
        .to_string();
        let record = CommitRecord {
            events: events(id, moment, &lines.join("\n")),
            keyed: key.clone().map(|key| KeyedAnswer {
                key,
                fingerprint: asked.clone(),
                status: 200,
                body: body.clone(),
            }),
            ..CommitRecord::default()
        };
        let committing = Instant::now();
        if let Some(proof) = transaction.commit(unit, record).await? {
            let reply = CheckedReply::seal(200, body, &proof);
            let timing = TurnTiming {
                commit: milliseconds(committing.elapsed()),
                ..TurnTiming::since(started)
            };
            return Ok(ChatAnswer::new(&reply, timing));
        }
    }
}

async fn undoable(
    service: &TurnServices,
    user: &UserId,
    id: ReceiptId,
) -> Result<ReceiptEntry, ChatError> {
    let found = service.store.receipt(user, id).await?;
    let entry =
        found.ok_or_else(|| ChatError::NotFound("you have no receipt of this id".to_owned()))?;
    if entry.undone_by.is_some() {
        return Err(ChatError::Conflict(
            "this change was undone already".to_owned(),
        ));
    }
    if !entry.receipt.facts().action.is_change() {
        return Err(ChatError::Conflict(
            "a reading has nothing to undo".to_owned(),
        ));
    }
    Ok(entry)
}

fn events(id: ReceiptId, moment: Moment, message: &str) -> Vec<AuditEvent> {
    vec![
        AuditEvent::of(
            EventKind::Turn,
            &json!({
                "source": "rest",
                "asked": { "action": "undo", "receipt_id": id },
                "versions": { "renderer": RENDERER_VERSION },
                "today": moment.today,
                "timezone": moment.zone.name(),
            }),
        ),
        AuditEvent::of(
            EventKind::Reply,
            &json!({ "message": message, "kind": Kind::Receipt }),
        ),
    ]
}
