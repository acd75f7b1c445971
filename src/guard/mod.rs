//! The guard: what the user's words license, what becomes of each proposed call, what a model
//! may say, and the reply, composed from the ledger and from nothing else.
//!
//! Holds no pool and no model: it reads drafts and receipts, and must not be able to make one.
//! When it is in doubt it asks; when it errs, it errs towards an honest failure.

pub mod account;
mod answer;
mod canned;
mod compose;
mod delegation;
mod evidence;
mod facts;
mod judge;
mod language;
mod left_out;
mod licence;
mod lines;
mod parts;
mod past;
mod phrases;
mod question;
mod reminders;
mod reply;
pub mod talk;
mod unfound;
mod values;

#[cfg(test)]
mod tests;

pub use answer::{Reply as AnswerReply, amend, is_yes, part_answer, read_answer};
pub use canned::{canned, is_consent, nothing_waits, social_line};
pub use compose::{
    CUT_TURN, CheckedProse, Composed, Composition, Fault, Kind, PROOF, compose, tells_of_cut_turn,
};
pub use delegation::{
    DelegatePlan, ErrandPlan, NOTICE, WAITED, agent_fault, already_ended, conflict_live,
    delegations_lines, fault_of, not_delegated, run_lines, tells_of_notice, who,
};
pub use evidence::message::{
    asks_for_the_rest, hedges, may_take_back, may_tell, offered_verb, orders_of_the_new,
    orders_plainly, speaks_of_a_change, spoken_of, tells_beside,
};
pub use evidence::{last_question, names_a_value};
pub use judge::{Judge, Standing, Verdict};
pub use language::reply_language;
pub use left_out::{left_out, writes};
pub use licence::{Grant, GrantKind, Licence, Meaning, Need, Part, Situation, settle};
pub use lines::{action_message, receipt_line};
pub use parts::{Origin, ReplyPart};
pub use past::{
    PastAnswer, PastContext, answer_already, answer_by_rows, answer_cut, answer_past, may_ask_past,
    settle_past,
};
pub use phrases::TOOL_NOT_TRIGGERED;
pub use question::{
    QuestionContext, ask_add, ask_change, ask_hinted, ask_instead, ask_plans, ask_refused,
    ask_unnamed, ask_what_to_add, ask_what_with, ask_which,
};
pub use reminders::{
    MISSED_REMINDER, missed_line, sets_reminder, staying_line, tells_of_missed_reminder,
};
pub use reply::CheckedReply;
pub use unfound::{no_such_task, which_task};

/// Told to the audit log with every turn. Raise it when a rendered sentence changes, and keep
/// the old one: see `account/renderers.rs`.
pub const RENDERER_VERSION: &str = "11";
