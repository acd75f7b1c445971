//! One turn as values: what was asked, what came of every call, when to ask the model again,
//! and what the turn leaves behind for the next one.
//!
//! Sans-IO: no async, no store, no model, no clock. The machine in `chat` asks for effects.

mod asked;
mod frame;
mod ledger;
mod machine;

#[cfg(test)]
mod tests;

pub use asked::{ChoiceItem, ChoiceMode, QuestionAnswer, ServerQuestion};
pub use frame::{
    BackReference, CompletedReading, LastVerb, NoteKey, QuotedCommand, TurnFrame, is_conditional,
};
pub use ledger::{CallLedger, CallResult, LedgerEntry, LeftOut, Refusal, SuccessProof, ValueKind};
pub use machine::{
    CALLS_MAX, FAILURES_MAX, MissingTool, ROUNDS_MAX, RoundMachine, RoundReport, RoundStep,
};
