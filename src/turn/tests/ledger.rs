//! The ledger keeps what came of each call, and tells it apart.

use serde_json::json;

use crate::domain::{ErrorType, Tool, ToolError};
use crate::turn::{CallLedger, CallResult, LedgerEntry, LeftOut, Refusal, ValueKind};

fn entry(tool: Tool, result: CallResult) -> LedgerEntry {
    LedgerEntry {
        call_id: Some("call_1".to_owned()),
        name: tool.as_str().to_owned(),
        called_as: None,
        tool: Some(tool),
        arguments: json!({}),
        round: 1,
        spans: Vec::new(),
        result,
    }
}

#[test]
fn a_refused_call_is_counted_as_refused_and_was_not_dispatched() {
    let error = ToolError::new(ErrorType::Permission, "no");
    let results = [
        (CallResult::Done(0..1), true, true),
        (CallResult::Failed(error.clone()), true, false),
        (CallResult::Refused(Refusal::TooMany, error), false, false),
        (CallResult::Asked, false, true),
    ];
    let mut ledger = CallLedger::default();
    for (result, dispatched, succeeded) in results {
        let entry = entry(Tool::DeleteTask, result);
        assert_eq!(entry.dispatched(), dispatched, "{entry:?}");
        assert_eq!(entry.succeeded(), succeeded, "{entry:?}");
        ledger.push(entry);
    }
    let asked = entry(Tool::AskUser, CallResult::Asked);
    assert!(asked.dispatched());
    ledger.push(asked);
    let refused: Vec<Refusal> = ledger.refused().map(|(_, reason)| reason).collect();
    assert_eq!(refused, [Refusal::TooMany]);
    assert_eq!(ledger.entries().len(), 5);
}

#[test]
fn what_was_not_committed_failed() {
    let error = ToolError::new(ErrorType::Conflict, "overtaken");
    let mut ledger = CallLedger::default();
    ledger.push(entry(Tool::AddTask, CallResult::Done(0..1)));
    ledger.push(entry(Tool::ListTasks, CallResult::Done(0..0)));
    ledger.fail_unsealed(&error);
    let results: Vec<&CallResult> = ledger.entries().iter().map(|entry| &entry.result).collect();
    assert_eq!(
        results,
        [&CallResult::Failed(error), &CallResult::Done(0..0)]
    );
}

#[test]
fn what_a_later_call_writes_was_not_left_out() {
    let left = |value, title: &str| LeftOut {
        value,
        title: title.to_owned(),
    };
    let (day, time) = (left(ValueKind::Day, "milk"), left(ValueKind::Time, "milk"));
    let other = left(ValueKind::Day, "rent");
    let mut ledger = CallLedger::default();
    ledger.note_left_out(vec![day.clone(), time.clone(), other.clone()], &[]);
    ledger.note_left_out(vec![time.clone()], std::slice::from_ref(&day));
    assert_eq!(ledger.left_out, [time, other]);
}
