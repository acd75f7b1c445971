//! Answer to a call, and its account for the log: composed by the guard, as a reply of a chat turn
//! is.

use crate::domain::{Lang, put_member};
use serde_json::{Value, json};

use super::{CallAttempt, ConsentChoice, DecidedCall, SOURCE};
use crate::audit::{AuditEvent, EventKind};
use crate::chat::machine::metadata;
use crate::chat::wire::TaskView;
use crate::guard::account::basis;
use crate::guard::{Composition, Kind, RENDERER_VERSION, compose};
use crate::store::{CommitRecord, KeyedAnswer, ReadResult, Unit};
use crate::turn::{CallLedger, CallResult, LedgerEntry, SuccessProof};

/// The body of the answer and what is written beside the change.
pub(super) fn told(
    attempt: &CallAttempt<'_>,
    decided: &DecidedCall,
    unit: &Unit,
    key: Option<String>,
) -> (String, CommitRecord) {
    let CallAttempt { call, moment, .. } = attempt;
    let (result, asked, declined) = match decided {
        DecidedCall::Came(result) => (result, None, None),
        DecidedCall::Asks(asked, _) => (&CallResult::Asked, Some(asked), None),
        DecidedCall::Declined(words) => (&CallResult::Asked, None, Some(words)),
    };
    let mut ledger = CallLedger::default();
    ledger.push(LedgerEntry {
        call_id: Some("call_1".to_owned()),
        name: call.tool.as_str().to_owned(),
        called_as: None,
        tool: Some(call.tool),
        arguments: Value::Object(call.arguments.clone()),
        round: 1,
        spans: Vec::new(),
        result: result.clone(),
    });
    let composition = Composition {
        proofs: ledger.proofs(unit.drafts()),
        ledger: &ledger,
        open: Vec::new(),
        clauses: &[],
        message: "",
        words: "",
        wanted: vec![call.tool],
        listing_asked: true,
        asked,
        again: false,
        remarks: declined.cloned().into_iter().collect(),
        prose: None,
        noted: &[],
        understood: false,
        speech: Lang::En,
    };
    let composed = compose(&composition);
    let actions: Vec<_> = composition
        .proofs
        .iter()
        .map(|proof| metadata(*proof, Lang::En))
        .collect();
    let receipts: Vec<_> = actions.iter().map(|action| action.receipt_id).collect();
    let task_ids: Vec<_> = actions.iter().filter_map(|action| action.task_id).collect();
    let mut body = json!({
        "ok": true,
        "success": true,
        "message": composed.message(),
        "changed": unit.has_effect(),
        "action_metadata": actions.last(),
        "actions": actions,
    });
    list(&mut body, &composition.proofs, unit);
    let (outcome, reason) = match result {
        CallResult::Done(_) => ("committed", Value::Null),
        CallResult::Unchanged(_) => ("unchanged", Value::Null),
        CallResult::Failed(error) => ("failed", json!(error)),
        CallResult::Asked | CallResult::Refused(..) => match attempt.consent {
            Some(_) => ("unchanged", json!({"error": "the user did not confirm it"})),
            None => ("asked", Value::Null),
        },
    };
    let event = |kind, told: Value| AuditEvent::of(kind, &told);
    let events = vec![
        event(
            EventKind::Turn,
            json!({
                "source": SOURCE,
                "asked": {"action": call.tool, "arguments": call.arguments},
                "client": call.client,
                "answer": attempt.consent.map(|consent| match consent.said {
                    ConsentChoice::Accept => "accept",
                    ConsentChoice::Decline => "decline",
                    ConsentChoice::Cancel => "cancel",
                }),
                "today": moment.today,
                "timezone": moment.zone.name(),
                "versions": {"renderer": RENDERER_VERSION},
            }),
        ),
        event(
            EventKind::ToolCall,
            json!({
                "what": "call",
                "call_id": "call_1",
                "name": call.tool,
                "arguments": call.arguments,
                "user_id": attempt.user,
                "task_ids": task_ids,
                "outcome": outcome,
                "reason": reason,
            }),
        ),
        event(
            EventKind::Reply,
            json!({
                "message": composed.message(),
                "kind": composed.kind(),
                "error": composed.fault().map(|fault| &fault.code),
                "composed": basis(&composition),
                "receipts": receipts,
                "language": "en",
            }),
        ),
    ];
    tracing::info!(tool = %call.tool, outcome, kind = Kind::as_str(composed.kind()), "tool call");
    // What failed did not use the answer up: it may have been another call's.
    let used = attempt.consent.zip(key);
    let used = used.filter(|_| !matches!(result, CallResult::Failed(_)));
    let keyed = used.map(|(consent, key)| KeyedAnswer {
        key,
        fingerprint: crate::audit::hex(&consent.bound.0),
        status: 200,
        body: body.to_string(),
    });
    let record = CommitRecord {
        events,
        keyed,
        ..CommitRecord::default()
    };
    (body.to_string(), record)
}

/// Writes what a listing shows, as rows.
fn list(body: &mut Value, proofs: &[SuccessProof<'_>], unit: &Unit) {
    let readings = proofs
        .iter()
        .filter_map(|proof| proof.facts().reading.as_ref());
    for reading in readings {
        let ReadResult::Tasks {
            lines,
            matched,
            total,
            ..
        } = reading
        else {
            continue;
        };
        let rows = lines.iter().filter_map(|line| unit.task(line.id));
        let rows: Vec<TaskView> = rows.map(TaskView::from).collect();
        put_member(body, "tasks", json!(rows));
        put_member(body, "matched", json!(matched));
        put_member(body, "total", json!(total));
    }
}
