//! Questions about the past and the present, answered from committed receipts and from the rows.
//!
//! What is so is read from rows, what was done from receipts; a question that is not read whole
//! gets what is known, and neither a yes nor a no.

mod answer;
mod lines;
mod question;
mod records;
mod reminded;
#[cfg(test)]
mod tests;
mod words;

use super::evidence::{Named, named};
use super::licence::Situation;
use super::lines::receipt_line;
use super::phrases::quoted;
use crate::domain::text::Text;
use crate::domain::{Action, ConversationId, Lang, Moment, ReceiptId, TurnId};
use crate::intent::{Act, Clause, Past, PastVerb, Reading, Target, Verb};
use crate::locales::localized;
use crate::store::ReceiptEntry;
use crate::turn::{SuccessProof, TurnFrame};

use answer::Answering;
use question::{Aspect, Deed, Quantity, Question, read};
use records::Records;
use words::may_tell_past;

/// At most so many changes are told of.
const TOLD_MAX: usize = 50;

/// An answer about the past, with the receipts it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct PastAnswer {
    /// The sentences.
    pub lines: Vec<String>,
    /// The receipts they were rendered from.
    pub receipts: Vec<ReceiptId>,
}

/// Data that a question about the past is answered from.
#[derive(Debug, Clone, Copy)]
pub struct PastContext<'a> {
    /// Receipts of every conversation and of other hands, newest first.
    pub entries: &'a [ReceiptEntry],
    /// Frame that the turn before left behind.
    pub frame: &'a TurnFrame,
    /// The tasks, and what the conversation adds to the words.
    pub situation: Situation<'a>,
    /// Id of this conversation.
    pub conversation: ConversationId,
    /// Time of the question.
    pub now: Moment,
    /// The language of the words.
    pub lang: Lang,
    /// The language of the reply.
    pub speech: Lang,
}

impl<'a> PastContext<'a> {
    fn records(&self) -> Records<'a> {
        Records::of(
            self.entries,
            self.situation.tasks,
            self.conversation,
            self.now,
        )
    }
}

/// Answers `past`, which was asked in `words`.
pub fn answer_past(past: &Past, words: &str, context: PastContext<'_>) -> PastAnswer {
    let records = context.records();
    let read = read(words, &records, context.now.today, context.lang);
    let answering = Answering {
        records: &records,
        context,
    };
    match past {
        Past::DidThatWork => answering.did_that_work(),
        Past::Reminded(target) => answering.reminded(target),
        Past::WhatWasDone | Past::What(_) => {
            let read = read.unwrap_or_default();
            let said = match past {
                Past::What(verb) => deed_of(*verb),
                _ => read.deed.unwrap_or(Deed::Any),
            };
            // "what did you rename?" asks for one kind of change.
            let kind = |deed: &Deed| *deed == said || is_change(*deed) && is_change(said);
            match (read.deed.filter(kind), read.asked) {
                (Some(_), Some(asked)) => answering.asked(asked, &read),
                (Some(deed), None) => answering.every(deed, &read),
                (None, _) => answering.every(said, &Question::default()),
            }
        }
        Past::Did { verb, target } => {
            let mut question = read.unwrap_or_else(|| {
                // "did I water them?": the verb is a title's own, and the row tells. "is the rent paid?" asks
                // for more than *Email landlord about rent* says.
                let own = *verb == Some(PastVerb::Change(Verb::Complete));
                let text = Text::new(words);
                let partly = |named: &Named| !named.whole;
                let named = named(&text, &records.known);
                Question {
                    state: own,
                    whole: own && (named.is_empty() || !named.iter().all(partly)),
                    ..Question::default()
                }
            });
            if question.deed.is_none() && question.parts.is_empty() {
                question.deed = verb.map(deed_of);
            }
            match question.asked {
                Some(asked) => answering.asked(asked, &question),
                None => answering.did(question, target),
            }
        }
    }
}

/// Reads words that nothing else reads as a question about the past or the present, if they are
/// one and read whole: "Call mom is done, right?". What a listing answers is left to it, but for
/// what the server did; what only sounds like one ("is it ok to delete it?") is left to the model.
pub fn settle_past(reading: &mut Reading, words: &str, context: PastContext<'_>) {
    let records = context.records();
    let Some(question) = read(words, &records, context.now.today, context.lang) else {
        return;
    };
    if let [Clause { act, .. }] = reading.clauses.as_mut_slice()
        && matches!(act, Act::Past(Past::Did { .. }))
        && !question.reminded
    {
        if question.of_orders {
            *act = Act::Other;
        }
        return;
    }
    let listed = |clause: &Clause| match &clause.act {
        Act::List(listing) => !listing.unasked,
        _ => false,
    };
    let listed = reading.clauses.iter().any(listed);
    let asked = question.asked.is_some();
    // "when did I pay the rent?": a row does not tell.
    let when = question.asks_when && !question.state;
    let certain = question.certain && (!listed || question.of_deeds);
    let named = !question.parts.is_empty();
    // "what did you change about the rent?": what is known of it is told.
    let changed = question.of_deeds || matches!(question.deed, Some(Deed::Update(_)));
    let told = question.read && question.certain && changed && named;
    if asked || question.reminded || question.whole && (certain || when) || told {
        reading.clauses = vec![Clause {
            bytes: 0..words.len(),
            act: Act::Past(asked_of(&question)),
            notes: Vec::new(),
        }];
    }
}

/// Answers what a listing would have told, where rows tell it too: "when is the rent due?", "which
/// reminders do I have?".
pub fn answer_by_rows(words: &str, context: PastContext<'_>) -> Option<(Past, PastAnswer)> {
    let records = context.records();
    let question = read(words, &records, context.now.today, context.lang)?;
    let told = question.reminded || question.whole && question.asks_due;
    told.then(|| {
        let past = asked_of(&question);
        let answer = answer_past(&past, words, context);
        (past, answer)
    })
}

fn asked_of(question: &Question) -> Past {
    let named = question.parts.first().map(|part| part.subject.name.clone());
    match (question.reminded, named) {
        (true, Some(name)) => Past::Reminded(Target::Named(name)),
        (true, None) if question.quantity == Some(Quantity::It) => Past::Reminded(Target::It),
        (true, None) => Past::Reminded(Target::Missing),
        (false, _) => Past::Did {
            verb: None,
            target: Target::Missing,
        },
    }
}

/// Tells whether a message may be a question about the past or the present that its reading does
/// not know.
pub fn may_ask_past(reading: &Reading, words: &str) -> bool {
    let end = words.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '!' | '"'));
    let marked = end.ends_with(['?', '؟']) || words.contains(',');
    let open = |clause: &Clause| {
        !matches!(
            clause.act,
            Act::Past(Past::What(_) | Past::WhatWasDone | Past::DidThatWork | Past::Reminded(_))
                | Act::Help(_)
                | Act::Errand(_)
                | Act::Undo
                | Act::Hypothetical(_)
        )
    };
    let marked = marked || may_tell_past(words);
    marked && words.len() < 400 && reading.clauses.iter().all(open)
}

const fn is_change(deed: Deed) -> bool {
    matches!(deed, Deed::Update(_))
}

const fn deed_of(verb: PastVerb) -> Deed {
    match verb {
        PastVerb::Add => Deed::Add,
        PastVerb::Change(Verb::Delete) => Deed::Delete,
        PastVerb::Change(Verb::Complete) => Deed::Complete,
        PastVerb::Change(Verb::Reopen) => Deed::Reopen,
        PastVerb::Change(Verb::Update) => Deed::Update(Aspect::Any),
    }
}

/// Tells what a turn had done that was cut off before it could say so; its receipts, oldest first.
pub fn answer_cut(entries: &[ReceiptEntry], speech: Lang) -> PastAnswer {
    let change = |entry: &&ReceiptEntry| entry.receipt.facts().action.is_change();
    let changes: Vec<&ReceiptEntry> = entries.iter().filter(change).collect();
    let head = localized!(speech, "past-cut-off");
    let line = |entry: &&ReceiptEntry| {
        let line = receipt_line(SuccessProof::Receipt(&entry.receipt), speech);
        match entry.undone_by {
            Some(_) => format!("{line} {}", localized!(speech, "past-undone-since")),
            None => line,
        }
    };
    let lines = changes.iter().map(line);
    PastAnswer {
        lines: std::iter::once(head).chain(lines).collect(),
        receipts: records::ids(changes.iter().copied()),
    }
}

/// "try again" after it worked: what was done is done, and nothing is done twice; receipts of this
/// conversation, newest first.
pub fn answer_already(entries: &[ReceiptEntry], speech: Lang) -> PastAnswer {
    let changes = latest_changes(entries.iter());
    let lines = changes.iter().map(|entry| {
        let facts = entry.receipt.facts();
        let name = quoted(facts.title().unwrap_or_default());
        match facts.action {
            Action::AddTask => localized!(speech, "was-already-added", name = name),
            Action::DeleteTask => localized!(speech, "already-deleted", name = name),
            Action::CompleteTask => localized!(speech, "already-done", name = name),
            _ => localized!(speech, "was-already-changed", name = name),
        }
    });
    PastAnswer {
        lines: lines.collect(),
        receipts: records::ids(changes.iter().copied()),
    }
}

/// The changes of the latest turn that changed something, in order; `entries` newest first.
fn latest_changes<'e>(entries: impl Iterator<Item = &'e ReceiptEntry>) -> Vec<&'e ReceiptEntry> {
    let mut latest: Option<TurnId> = None;
    let mut changes: Vec<&ReceiptEntry> = entries
        .filter(|entry| entry.receipt.facts().action.is_change())
        .filter(|entry| {
            let turn = entry.receipt.facts().turn_id;
            *latest.get_or_insert(turn) == turn
        })
        .collect();
    changes.reverse();
    changes
}
