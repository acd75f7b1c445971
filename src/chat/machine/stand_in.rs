//! Answers of code where a model did nothing and said nothing that may be shown.

use super::TurnMachine;
use crate::chat::ChatError;
use crate::domain::Tool;
use crate::guard::{canned, nothing_waits, talk};
use crate::intent::{self, Act};
use crate::locales::localized;
use crate::tools::{ListFilter, Plan, StatusFilter};
use crate::turn::{BackReference, CallResult, LedgerEntry};

impl TurnMachine<'_> {
    /// Lets what code reads into the message stand in for a model that did nothing and said
    /// nothing.
    pub(super) async fn stand_in(&mut self, left: Option<BackReference>) -> Result<(), ChatError> {
        self.intent.completed.special = left;
        self.answer_special().await?;
        self.ask_what_is_hinted();
        self.offer_to_add();
        if let [clause] = self.intent.clauses() {
            let act = clause.act.clone();
            if self.is_unanswered() {
                self.answer_bare(&act);
            }
        }
        self.answer_unsaid();
        Ok(())
    }

    /// Stands in for a model whose answer fell: with the open tasks where the list was asked about,
    /// else with the one thing that can be said.
    fn answer_unsaid(&mut self) {
        let speech = self.intent.speech;
        let mut acts = self.intent.clauses().iter().map(|clause| &clause.act);
        let answered = acts.any(|act| canned(act, speech).is_some());
        // A listing that was called with faults shows what the question was about.
        let failed = |entry: &LedgerEntry| {
            entry.tool == Some(Tool::ListTasks) && matches!(entry.result, CallResult::Failed(_))
        };
        let entries = self.work.ledger.entries();
        let lists = entries.iter().any(failed);
        let told = !lists && !entries.is_empty();
        if !self.is_unanswered() || answered || told || !self.open_needs().is_empty() {
            return;
        }
        if (lists || talk::asks_about_tasks(&self.input.message))
            && !self.work.unit.tasks().is_empty()
        {
            let open = ListFilter {
                status: StatusFilter::Pending,
                ..ListFilter::default()
            };
            self.list_by_itself(&Plan::List(open));
        } else if self.talk.calls > 0 {
            self.remark(localized!(speech, "unsaid"));
        }
    }

    /// A yes or a no that nothing waits for, where what the model said of it fell.
    pub(super) fn answer_bare_alone(&mut self) {
        let silent = self.reply.prose.is_none()
            && self.reply.asked.is_none()
            && self.reply.remarks.is_empty();
        if let [clause] = self.intent.clauses()
            && silent
            && self.work.ledger.entries().is_empty()
        {
            let act = clause.act.clone();
            self.answer_bare(&act);
        }
    }

    /// A yes or a no that nothing waits for.
    pub(super) fn answer_bare(&mut self, act: &Act) {
        let speech = self.intent.speech;
        match act {
            Act::Yes => {
                let line = nothing_waits(&self.input.message, speech);
                self.remark(line);
            }
            Act::No => self.remark(localized!(speech, "nothing-to-do")),
            _ => {}
        }
    }

    /// Leaves what refers to the turn before in few words to the model, but for a correction that
    /// takes the latest change back; returned is what was left to it.
    pub(super) fn leave_special(&mut self) -> Option<BackReference> {
        if !self.is_understood() {
            return None;
        }
        let few = matches!(
            self.intent.completed.special,
            Some(
                BackReference::WhatWith(_)
                    | BackReference::NothingToDo
                    | BackReference::Instead(intent::Target::Named(_) | intent::Target::It)
            )
        );
        let left = self.intent.completed.special.take_if(|_| few)?;
        self.intent.completed.reading.clauses.push(intent::Clause {
            bytes: 0..self.input.message.len(),
            act: Act::Other,
            notes: Vec::new(),
        });
        Some(left)
    }
}
