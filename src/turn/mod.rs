//! One turn as values: what was asked, what came of every call, when to ask the model again,
//! and what the turn leaves behind for the next one.
//!
//! Sans-IO: no async, no store, no model, no clock. The driver in `chat` awaits; this decides.

mod asked;
mod frame;
mod ledger;
mod machine;

#[cfg(test)]
mod tests;

pub use asked::{Answered, Asked, Item, Mode};
pub use frame::{Completed, Frame, LastVerb, NoteKey, Said, Special};
pub use ledger::{CallResult, Entry, Ledger, Proof, Refusal};
pub use machine::{Limits, Machine, MissingTool, RoundReport, Step};
