//! Questions about the past, answered from committed receipts and from nothing else.

use super::lines::receipt_line;
use super::phrases::{Speech, quoted, title};
use crate::domain::{Action, ReceiptId, Task, TaskId, TurnId};
use crate::intent::{Past, PastVerb, Target, Verb};
use crate::resolver::{Among, Reference, Resolution, names};
use crate::store::{Entry, Facts};
use crate::turn::{Frame, Proof};

use super::licence::Situation;

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

/// Answers `past` from this conversation's receipts, newest first.
pub fn answer_past(
    past: &Past,
    entries: &[Entry],
    frame: &Frame,
    situation: &Situation<'_>,
    speech: Speech,
) -> PastAnswer {
    match past {
        Past::WhatWasDone => what_was_done(entries, speech),
        Past::What(verb) => what_was(*verb, entries, speech),
        Past::DidThatWork => did_that_work(entries, frame, speech),
        Past::Did { verb, target } => did(*verb, target, entries, situation, speech),
    }
}

/// Tells what a turn had done that was cut off before it could say so; its receipts, oldest first.
pub fn answer_cut(entries: &[Entry], speech: Speech) -> PastAnswer {
    let change = |entry: &&Entry| entry.receipt.facts().action.is_change();
    let changes: Vec<&Entry> = entries.iter().filter(change).collect();
    let head = speech.pick(
        "Your message before this one was cut off after:",
        "Aap ka pichla message is ke baad kat gaya:",
    );
    from_entries(Some(head.to_owned()), &changes, speech)
}

/// The changes of the latest turn that changed something, in order.
fn latest_changes(entries: &[Entry]) -> Vec<&Entry> {
    let change = |entry: &&Entry| entry.receipt.facts().action.is_change();
    let latest: Option<TurnId> = entries
        .iter()
        .find(change)
        .map(|entry| entry.receipt.facts().turn_id);
    let of_turn = entries
        .iter()
        .filter(change)
        .filter(|entry| Some(entry.receipt.facts().turn_id) == latest);
    let mut changes: Vec<&Entry> = of_turn.collect();
    changes.reverse();
    changes
}

fn from_entries(head: Option<String>, entries: &[&Entry], speech: Speech) -> PastAnswer {
    let lines = entries.iter().map(|entry| {
        let line = receipt_line(Proof::Receipt(&entry.receipt), speech);
        match entry.undone_by {
            Some(_) => format!(
                "{line} {}",
                speech.pick("(undone since)", "(baad mein wapas)")
            ),
            None => line,
        }
    });
    PastAnswer {
        lines: head.into_iter().chain(lines).collect(),
        receipts: entries
            .iter()
            .map(|entry| entry.receipt.facts().id)
            .collect(),
    }
}

/// Of what nobody can tell: what of the kind was done in this conversation. What was done in
/// others is not known here.
fn nothing_known(verb: Option<PastVerb>, entries: &[Entry], speech: Speech) -> PastAnswer {
    let any = |entry: &Entry| attests(entry.receipt.facts(), verb);
    if entries.iter().any(any) {
        return verb.map_or_else(
            || what_was_done(entries, speech),
            |verb| what_was(verb, entries, speech),
        );
    }
    let said = none_of(verb.unwrap_or(PastVerb::Change(Verb::Update)), speech);
    PastAnswer {
        lines: vec![format!("{} {said}", speech.pick("No.", "Nahi."))],
        receipts: Vec::new(),
    }
}

fn nothing(speech: Speech) -> PastAnswer {
    PastAnswer {
        lines: vec![
            speech
                .pick("No, nothing was changed.", "Nahi, kuch nahi badla.")
                .to_owned(),
        ],
        receipts: Vec::new(),
    }
}

fn what_was_done(entries: &[Entry], speech: Speech) -> PastAnswer {
    let changes = latest_changes(entries);
    if changes.is_empty() {
        let line = speech.pick(
            "Nothing has been changed in this conversation.",
            "Is guftagu mein kuch nahi badla.",
        );
        return PastAnswer {
            lines: vec![line.to_owned()],
            receipts: Vec::new(),
        };
    }
    from_entries(None, &changes, speech)
}

/// What was done so in this conversation, oldest first.
fn what_was(verb: PastVerb, entries: &[Entry], speech: Speech) -> PastAnswer {
    let of_verb = entries
        .iter()
        .filter(|entry| attests(entry.receipt.facts(), Some(verb)))
        .take(TOLD_MAX);
    let mut found: Vec<&Entry> = of_verb.collect();
    found.reverse();
    if !found.is_empty() {
        return from_entries(None, &found, speech);
    }
    PastAnswer {
        lines: vec![none_of(verb, speech).to_owned()],
        receipts: Vec::new(),
    }
}

const fn none_of(verb: PastVerb, speech: Speech) -> &'static str {
    match (verb, speech) {
        (PastVerb::Add, Speech::English) => "Nothing was added in this conversation.",
        (PastVerb::Change(Verb::Delete), Speech::English) => {
            "Nothing was deleted in this conversation."
        }
        (PastVerb::Change(Verb::Complete), Speech::English) => {
            "Nothing was marked as done in this conversation."
        }
        (PastVerb::Change(Verb::Update | Verb::Reopen), Speech::English) => {
            "Nothing was changed in this conversation."
        }
        (PastVerb::Add, Speech::RomanUrdu) => "Is guftagu mein kuch add nahi hua.",
        (PastVerb::Change(Verb::Delete), Speech::RomanUrdu) => {
            "Is guftagu mein kuch delete nahi hua."
        }
        (PastVerb::Change(Verb::Complete), Speech::RomanUrdu) => {
            "Is guftagu mein kuch mukammal nahi hua."
        }
        (PastVerb::Change(Verb::Update | Verb::Reopen), Speech::RomanUrdu) => {
            "Is guftagu mein kuch nahi badla."
        }
    }
}

fn did_that_work(entries: &[Entry], frame: &Frame, speech: Speech) -> PastAnswer {
    let changes = latest_changes(entries);
    if frame.worked != Some(true) || changes.is_empty() {
        return nothing(speech);
    }
    from_entries(
        Some(speech.pick("Yes:", "Haan:").to_owned()),
        &changes,
        speech,
    )
}

/// "try again" after it worked: what was done is done, and nothing is done twice.
pub fn answer_already(entries: &[Entry], speech: Speech) -> PastAnswer {
    let changes = latest_changes(entries);
    let lines = changes.iter().map(|entry| {
        let facts = entry.receipt.facts();
        let name = quoted(facts.title().unwrap_or_default());
        let done = match facts.action {
            Action::AddTask => speech.pick("was already added", "pehle se add hai"),
            Action::DeleteTask => speech.pick("was already deleted", "pehle se delete hai"),
            Action::CompleteTask => speech.pick("was already done", "pehle se mukammal hai"),
            _ => speech.pick("was already changed", "pehle se badla hua hai"),
        };
        format!("{name} {done}.")
    });
    PastAnswer {
        lines: lines.collect(),
        receipts: changes
            .iter()
            .map(|entry| entry.receipt.facts().id)
            .collect(),
    }
}

fn did(
    verb: Option<PastVerb>,
    target: &Target,
    entries: &[Entry],
    situation: &Situation<'_>,
    speech: Speech,
) -> PastAnswer {
    let meant = meant(target, situation);
    let about = |facts: &Facts| match (&meant, target) {
        (Some(task), _) => facts.task_id == Some(task.id),
        (None, Target::Named(words)) => names(words, facts.title().unwrap_or_default()),
        // "it" of a task that is gone: the focus still holds its id.
        (None, Target::It | Target::Other) => facts
            .task_id
            .is_some_and(|id| situation.context.focus.contains(&id)),
        (None, _) => true,
    };
    let mut found = entries.iter().filter(|entry| {
        let facts = entry.receipt.facts();
        entry.undone_by.is_none() && attests(facts, verb) && about(facts)
    });
    if matches!(target, Target::They { .. }) {
        return they(found, entries, speech);
    }
    if let Some(entry) = found.next() {
        let facts = entry.receipt.facts();
        let line = receipt_line(Proof::Receipt(&entry.receipt), speech);
        let yes = speech.pick("Yes", "Haan");
        let at = facts.at.format("%Y-%m-%d %H:%M UTC");
        return PastAnswer {
            lines: vec![format!("{yes}, {line} ({at})")],
            receipts: vec![facts.id],
        };
    }
    match meant {
        Some(task) => PastAnswer {
            lines: vec![standing(verb, task, speech)],
            receipts: Vec::new(),
        },
        None => match target {
            Target::Named(words) => no_record(words, entries, about, speech),
            _ => nothing_known(verb, entries, speech),
        },
    }
}

/// "did you delete them?": all of the latest turn that such a receipt is of.
fn they<'a>(
    found: impl Iterator<Item = &'a Entry>,
    entries: &[Entry],
    speech: Speech,
) -> PastAnswer {
    let latest = latest_changes(entries);
    let turn = latest.first().map(|entry| entry.receipt.facts().turn_id);
    let of_turn = found.filter(|entry| Some(entry.receipt.facts().turn_id) == turn);
    let mut these: Vec<&Entry> = of_turn.collect();
    these.reverse();
    if these.is_empty() {
        return nothing(speech);
    }
    from_entries(
        Some(speech.pick("Yes:", "Haan:").to_owned()),
        &these,
        speech,
    )
}

/// Of words that mean no one task, and no such receipt: what else was done to what they name.
fn no_record(
    words: &str,
    entries: &[Entry],
    about: impl Fn(&Facts) -> bool,
    speech: Speech,
) -> PastAnswer {
    let other = entries.iter().filter(|entry| {
        let facts = entry.receipt.facts();
        facts.action.is_change() && about(facts)
    });
    let mut other: Vec<&Entry> = other.take(TOLD_MAX).collect();
    other.reverse();
    let words = quoted(words);
    let head = match (other.is_empty(), speech) {
        (true, Speech::English) => format!("No. Nothing was done to {words} in this conversation."),
        (true, Speech::RomanUrdu) => {
            format!("Nahi. Is guftagu mein {words} ke saath kuch nahi hua.")
        }
        (false, Speech::English) => format!("No. What was done to {words} in this conversation:"),
        (false, Speech::RomanUrdu) => format!("Nahi. Is guftagu mein {words} ke saath yeh hua:"),
    };
    from_entries(Some(head), &other, speech)
}

/// What can be said of a task that stands on the list and has no such receipt.
fn standing(verb: Option<PastVerb>, task: &Task, speech: Speech) -> String {
    let name = title(task.title.as_str());
    let completed = task.status.is_completed();
    match (verb, speech) {
        (Some(PastVerb::Change(Verb::Complete)), Speech::English) if completed => {
            format!("Yes. {name} is marked as done.")
        }
        (Some(PastVerb::Change(Verb::Complete)), Speech::English) => {
            format!("No. {name} is still pending.")
        }
        (Some(PastVerb::Add), Speech::English) => format!("Yes. {name} is on your list."),
        (_, Speech::English) => format!("No. {name} is still on your list."),
        (Some(PastVerb::Change(Verb::Complete)), Speech::RomanUrdu) if completed => {
            format!("Haan. {name} mukammal hai.")
        }
        (Some(PastVerb::Add), Speech::RomanUrdu) => format!("Haan. {name} list par hai."),
        (_, Speech::RomanUrdu) => format!("Nahi. {name} abhi list par hai."),
    }
}

fn attests(facts: &Facts, verb: Option<PastVerb>) -> bool {
    match verb {
        None => facts.action.is_change(),
        Some(PastVerb::Add) => facts.action == Action::AddTask,
        Some(PastVerb::Change(Verb::Delete)) => facts.action == Action::DeleteTask,
        Some(PastVerb::Change(Verb::Complete)) => facts.action == Action::CompleteTask,
        Some(PastVerb::Change(Verb::Update | Verb::Reopen)) => facts.action == Action::UpdateTask,
    }
}

fn meant<'a>(target: &Target, situation: &Situation<'a>) -> Option<&'a Task> {
    let resolver = situation.resolver();
    let resolution = match target {
        Target::Named(words) => resolver.resolve(words, Among::All),
        Target::Position(p) => resolver.resolve_reference(&Reference::Position(*p), Among::All),
        Target::It | Target::Missing => resolver.resolve_reference(&Reference::It, Among::All),
        Target::Other => resolver.resolve_reference(&Reference::Other, Among::All),
        Target::They { .. } | Target::Set(_) => return None,
    };
    let id: TaskId = match resolution {
        Resolution::One(id) => id,
        Resolution::Many(_) | Resolution::None { .. } => return None,
    };
    situation.task(id)
}
