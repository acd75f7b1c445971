//! Planted bugs: gates of a guard that is broken on purpose.

#![cfg(test)]

use std::sync::Mutex;

use candor::chat::GuardPort;
use candor::domain::ErrorType;
use candor::guard::talk::{Judgement, Talk, judge_in};
use candor::guard::{Composed, Composition, Judge, Verdict, compose, receipt_line};
use candor::resolver::Resolution;
use candor::tools::{ChangePlan, Plan, PlannedValues, Proposal};
use candor::turn::{CallResult, LedgerEntry};

/// Once some tool ran, the model's prose is shown beside what it did.
#[derive(Debug, Default)]
pub struct OffAfterATool {
    prose: Mutex<String>,
}

impl GuardPort for OffAfterATool {
    fn prose(&self, text: &str, talk: Talk<'_>) -> Judgement {
        text.clone_into(&mut self.prose.lock().unwrap());
        judge_in(text, talk)
    }

    fn compose(&self, from: &Composition<'_>) -> Composed {
        let composed = compose(from);
        let said = std::mem::take(&mut *self.prose.lock().unwrap());
        let mut entries = from.ledger.entries().iter();
        if said.is_empty() || !entries.any(|entry| matches!(entry.result, CallResult::Done(_))) {
            return composed;
        }
        let text = format!("{}\n{said}", composed.message());
        composed.saying(text)
    }
}

/// The proof of an earlier turn is as good as one of this turn.
#[derive(Debug, Default)]
pub struct AnyReceipt {
    earlier: Mutex<Option<String>>,
}

impl GuardPort for AnyReceipt {
    fn compose(&self, from: &Composition<'_>) -> Composed {
        let composed = compose(from);
        let mut earlier = self.earlier.lock().unwrap();
        let changes = from.proofs.iter().filter(|p| p.facts().reading.is_none());
        if let Some(line) = changes
            .map(|proof| receipt_line(*proof, from.speech))
            .next_back()
        {
            *earlier = Some(line);
            return composed;
        }
        let missing = composed
            .fault()
            .is_some_and(|fault| fault.code == "tool_not_triggered");
        match &*earlier {
            Some(line) if missing => composed.saying(line.clone()),
            _ => composed,
        }
    }
}

/// The model's target is taken as it is, as long as the words ask for some change.
#[derive(Debug, Default)]
pub struct AnyTarget;

impl GuardPort for AnyTarget {
    fn judge(&self, judge: &mut Judge<'_>, proposal: Proposal) -> Verdict {
        if let Proposal::Change {
            tool,
            reference,
            values,
        } = &proposal
            && judge.licence.tools().contains(tool)
        {
            let situation = judge.situation;
            let found = situation
                .resolver()
                .resolve(reference, candor::resolver::Among::All);
            if let Resolution::One(task) = found
                && let Some(row) = situation.task(task)
            {
                let verb = match tool {
                    candor::domain::Tool::DeleteTask => candor::intent::Verb::Delete,
                    candor::domain::Tool::CompleteTask => candor::intent::Verb::Complete,
                    _ => candor::intent::Verb::Update,
                };
                return Verdict::Allow(Plan::Change(ChangePlan {
                    verb,
                    task,
                    title: row.title.as_str().to_owned(),
                    values: PlannedValues::of(values.clone(), chrono_tz::UTC),
                }));
            }
        }
        judge.judge(proposal)
    }
}

/// A guard that breaks whenever one of its questions is asked.
#[derive(Debug, Clone, Copy)]
pub enum Breaks {
    Judging,
    Prose,
    Composing,
}

impl GuardPort for Breaks {
    fn judge(&self, judge: &mut Judge<'_>, proposal: Proposal) -> Verdict {
        assert!(!matches!(self, Self::Judging), "planted");
        judge.judge(proposal)
    }

    fn prose(&self, text: &str, talk: Talk<'_>) -> Judgement {
        assert!(!matches!(self, Self::Prose), "planted");
        judge_in(text, talk)
    }

    fn compose(&self, from: &Composition<'_>) -> Composed {
        assert!(!matches!(self, Self::Composing), "planted");
        compose(from)
    }
}

/// Guard under which nobody is told what a turn did that was cut off.
#[derive(Debug, Default)]
pub struct SilentOnCutTurns;

impl GuardPort for SilentOnCutTurns {
    fn compose(&self, from: &Composition<'_>) -> Composed {
        let composed = compose(from);
        let cut = |entry: &LedgerEntry| {
            matches!(&entry.result,
                CallResult::Failed(error) if error.error_type == ErrorType::Interrupted)
        };
        let tells = |line: &&str| line.starts_with("Your message before this one was cut off");
        if from.ledger.entries().iter().any(cut) || composed.message().lines().any(|l| tells(&l)) {
            return composed.saying("You're welcome!".to_owned());
        }
        composed
    }
}
