//! Basis that a reply was composed from, as the log keeps it beside the reply.
//!
//! Proofs are not in it: they are the turn's receipt events. Nor are the message and its
//! clauses: the turn's own event holds them. What is empty is left out.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::domain::{Lang, Tool};
use crate::guard::{CheckedProse, Composition, Need};
use crate::intent::Clause;
use crate::turn::{
    CallLedger, CallResult, ChoiceMode, LedgerEntry, LeftOut, NoteKey, ServerQuestion, SuccessProof,
};

/// Returns what the log keeps of a composition, as the member `composed` of the reply's event.
pub fn basis(from: &Composition<'_>) -> Value {
    let mut basis = Map::new();
    let mut put = |name: &str, value: Value| {
        let empty = match &value {
            Value::Null | Value::Bool(false) => true,
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if !empty {
            basis.insert(name.to_owned(), value);
        }
    };
    let calls: Vec<Value> = from.ledger.entries().iter().map(entry).collect();
    put("calls", Value::Array(calls));
    put("left_out", json!(from.ledger.left_out));
    put("open", json!(from.open));
    if from.words != from.message {
        put("words", json!(from.words));
    }
    put("wanted", json!(from.wanted));
    put("listing_asked", json!(from.listing_asked));
    put("asked", json!(from.asked.map(|asked| &asked.text)));
    put("again", json!(from.again));
    put("remarks", json!(from.remarks));
    put("prose", json!(from.prose));
    put("noted", json!(from.noted));
    put("understood", json!(from.understood));
    put("speech", json!(from.speech));
    Value::Object(basis)
}

/// The arguments are in the call's own event; a reply needs those of calls that did not run alone:
/// it repeats them, or counts the same call once.
fn entry(entry: &LedgerEntry) -> Value {
    let mut kept = json!(entry);
    if !matches!(
        entry.result,
        CallResult::Failed(_) | CallResult::Refused(..)
    ) && let Value::Object(members) = &mut kept
    {
        members.insert("arguments".to_owned(), Value::Null);
    }
    kept
}

/// A basis, read back.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Basis {
    pub(super) calls: Vec<LedgerEntry>,
    left_out: Vec<LeftOut>,
    open: Vec<Need>,
    words: Option<String>,
    wanted: Vec<Tool>,
    listing_asked: bool,
    asked: Option<String>,
    again: bool,
    remarks: Vec<String>,
    prose: Option<CheckedProse>,
    noted: Vec<NoteKey>,
    understood: bool,
    speech: Lang,
}

impl Basis {
    /// Composes anew, with one version's `compose`.
    pub(super) fn compose<T>(
        &self,
        message: &str,
        clauses: &[Clause],
        proofs: Vec<SuccessProof<'_>>,
        compose: impl FnOnce(&Composition<'_>) -> T,
    ) -> T {
        let mut ledger = CallLedger::default();
        for call in &self.calls {
            ledger.push(call.clone());
        }
        ledger.left_out.clone_from(&self.left_out);
        // Of the question only its words are said.
        let asked = self.asked.clone().map(|text| ServerQuestion {
            text,
            mode: ChoiceMode::Open,
            items: Vec::new(),
            declined: String::new(),
        });
        compose(&Composition {
            ledger: &ledger,
            proofs,
            open: self.open.clone(),
            clauses,
            words: self.words.as_deref().unwrap_or(message),
            message,
            wanted: self.wanted.clone(),
            listing_asked: self.listing_asked,
            asked: asked.as_ref(),
            again: self.again,
            remarks: self.remarks.clone(),
            prose: self.prose.clone(),
            noted: &self.noted,
            understood: self.understood,
            speech: self.speech,
        })
    }
}
