//! Port at which a turn asks the guard: three questions, each behind a gate that fails closed.
//!
//! The program knows one set of gates, the guard itself. Tests and the simulator may hand in
//! another (feature `simulator`), to show that a broken guard is noticed and lets nothing out.

use std::collections::HashSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::domain::TaskId;
use crate::guard::talk::{self, Judgement, Talk};
use crate::guard::{Composed, Composition, Judge, Verdict, compose};
use crate::resolver::TaskList;
use crate::tools::Proposal;

/// The questions a turn asks the guard. What is not overridden is the guard's own answer.
pub trait GuardPort: Send + Sync + fmt::Debug {
    /// May this call run?
    fn judge(&self, judge: &mut Judge<'_>, proposal: Proposal) -> Verdict {
        judge.judge(proposal)
    }

    /// May this prose be shown as an answer?
    fn prose(&self, text: &str, talk: Talk<'_>) -> Judgement {
        talk::judge_in(text, talk)
    }

    /// Composes what the user is told.
    fn compose(&self, from: &Composition<'_>) -> Composed {
        compose(from)
    }
}

/// The titles that an answer may name, and those that its message touches.
pub(super) fn titles_in<'t>(tasks: &'t TaskList, text: &str, message: &str) -> Vec<&'t str> {
    let mut found = tasks.standing_in(text);
    let known: HashSet<TaskId> = found.iter().map(|task| task.id).collect();
    let asked = tasks.touched_by(message, TOUCHED).into_iter();
    found.extend(asked.filter(|task| !known.contains(&task.id)));
    found.into_iter().map(|task| task.title.as_str()).collect()
}

/// The most titles that a message is taken to touch.
const TOUCHED: usize = 20;

/// The guard.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardGuard;

impl GuardPort for StandardGuard {}

/// The guard broke while it was asked. It says nothing of what it would have answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GuardPanicked;

/// Asks a gate. One that panics has not answered, and nobody may answer in its place.
pub(super) fn ask<T>(question: impl FnOnce() -> T) -> Result<T, GuardPanicked> {
    // What the question borrows is thrown away with the turn, or only read after this.
    catch_unwind(AssertUnwindSafe(question)).map_err(|_| {
        tracing::error!("the guard broke; what it was asked about is refused");
        GuardPanicked
    })
}
