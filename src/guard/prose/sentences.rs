//! From clauses to the verdict on a sentence.
//!
//! A clause is what stands between commas, dashes, colons and brackets. Each must be
//! recognised by itself, or continue the one before it as a phrase that asserts nothing.

use std::ops::Range;

use super::fact;
use super::forms::Entry;
use super::lexicon::{
    ABROAD, ABSENT, ANY, BE, CAP, CONJ, DEFINITE, DEICTIC, DET, DO, DONE, EFFECT, HAVE, HELP, ING,
    MODAL, NUM, OR, OURS, PAST, POSS, PREP, PRON, SAY, SELF, SETLIKE, TASK, UNKNOWN, WH, WISH, YOU,
};
use super::pattern::{FORMS, PREFIXES, QUESTIONS};
use super::presume;
use super::restate;
use super::token::{Prose, Span, Word};
use super::verdict::{Assertion, Form, Verdict};
use super::veto::Veto;

/// How often one clause may be divided at "and", "but", "so".
const JOINTS: usize = 4;

/// What a clause was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Recognised.
    As(Entry),
    /// A failure or a statement in the shape of an offer or a refusal.
    Refuted(Assertion),
    /// Nothing known.
    Unread,
}

/// What the sentences before have prepared.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    /// The verdict on the sentence before.
    pub last: Option<Verdict>,
    /// A riddle was asked and nothing of the user's was in it.
    pub riddle: bool,
}

/// How many clauses a sentence, and how many openings a clause may have: prose has fewer.
pub(super) const CLAUSES: usize = 24;
pub(super) const OPENINGS: usize = 6;

/// The verdict on one sentence; `confirms` tells the last word up to which the text asks for
/// confirmation.
pub(super) fn judge(
    prose: &Prose,
    span: &Span,
    before: Before,
    confirms: &dyn Fn() -> Option<usize>,
) -> Verdict {
    if let Some(assertion) = span.blemish {
        return Verdict::Stopped(assertion);
    }
    let words = prose.words.as_slice();
    if span.words.is_empty() {
        return Verdict::Passes(Form::Pleasantry);
    }
    if span.item {
        return item(words, span, before);
    }
    if recites(words, span, before) {
        return Verdict::Stopped(Assertion::Unknown);
    }
    if let Some(verdict) = clauses(words, span) {
        return verdict;
    }
    if fact::holds(words, span, before) {
        return Verdict::Passes(Form::Fact);
    }
    if restate::holds(words, span, before, confirms) {
        return Verdict::Offer;
    }
    Verdict::Stopped(super::assertion::of(prose.slice(span.words.clone())))
}

/// "`deleted`": a quotation alone says what it quotes, unless it was asked for or announced.
fn recites(words: &[Word], span: &Span, before: Before) -> bool {
    let announced = matches!(
        before.last,
        Some(Verdict::Passes(Form::Help | Form::Question | Form::Request) | Verdict::Offer)
    );
    !announced
        && !span.marked
        && words
            .get(span.words.clone())
            .is_some_and(|words| words.iter().all(|word| word.quoted))
}

/// An item of a list passes only as an example of what can be said or done.
fn item(words: &[Word], span: &Span, before: Before) -> Verdict {
    let helps = matches!(before.last, Some(Verdict::Passes(Form::Help)));
    let range = span.words.clone();
    let first = words.get(range.start).map_or(0, |word| word.classes);
    let quoted = words
        .get(range.clone())
        .is_some_and(|words| words.iter().all(|word| word.quoted));
    let general =
        first & (EFFECT | SETLIKE | ING) != 0 && Veto::Ask.clear(words, range.start, range.end);
    let kinds = words.get(range).is_some_and(|words| {
        words.iter().any(|word| word.classes & TASK != 0) && definite(words).is_none()
    });
    if helps && (quoted || (general && kinds)) {
        Verdict::Passes(Form::Help)
    } else {
        Verdict::Stopped(Assertion::Listing)
    }
}

/// Reads all clauses; `None` when one of them is not known.
fn clauses(words: &[Word], span: &Span) -> Option<Verdict> {
    let mut verdict = None;
    let mut open = None;
    let mut start = span.words.start;
    let mut left = CLAUSES;
    let mut answered = false;
    while start < span.words.end {
        left = left.checked_sub(1)?;
        let end = clause_end(words, start, span.words.end);
        let entry = clause(words, start..end, span, open, JOINTS);
        match entry {
            Reading::Refuted(assertion) => return Some(Verdict::Stopped(assertion)),
            Reading::Unread => return None,
            Reading::As(entry) => {
                answered |= entry == Entry::Is(Form::Answer);
                if entry != Entry::Joins {
                    verdict = Some(heavier(verdict, verdict_of(entry)));
                }
                open = match entry {
                    // A comma does not close what "please" or "so" began.
                    Entry::Joins | Entry::Is(Form::Assent | Form::Answer) => open,
                    entry => Some(entry),
                };
            }
        }
        start = end;
    }
    match verdict {
        None => Some(Verdict::Passes(Form::Assent)),
        // "Yes, have a nice day!" answers something, and says no more than its yes.
        Some(Verdict::Passes(Form::Assent | Form::Pleasantry | Form::Wish)) if answered => {
            Some(Verdict::Passes(Form::Answer))
        }
        verdict => verdict,
    }
}

/// The weightier of two verdicts: an offer over a question over the rest.
fn heavier(so_far: Option<Verdict>, next: Verdict) -> Verdict {
    let weight = |verdict: Verdict| match verdict {
        Verdict::Stopped(_) => 9,
        Verdict::Offer => 8,
        Verdict::Passes(form) => match form {
            Form::Question => 7,
            Form::Request => 6,
            Form::Help | Form::Refusal => 5,
            Form::Fact => 4,
            Form::Wish => 3,
            Form::Pleasantry => 2,
            Form::Answer => 1,
            Form::Assent => 0,
        },
    };
    match so_far {
        Some(so_far) if weight(so_far) >= weight(next) => so_far,
        _ => next,
    }
}

fn verdict_of(entry: Entry) -> Verdict {
    match entry {
        Entry::Is(form) => Verdict::Passes(form),
        Entry::Offers | Entry::Confirms => Verdict::Offer,
        Entry::Able | Entry::Advises => Verdict::Passes(Form::Help),
        Entry::Unable => Verdict::Passes(Form::Refusal),
        Entry::Joins => Verdict::Passes(Form::Assent),
    }
}

fn clause(
    words: &[Word],
    range: Range<usize>,
    span: &Span,
    open: Option<Entry>,
    joints: usize,
) -> Reading {
    let mut at = range.start;
    let mut said = Entry::Joins;
    for _ in 0..OPENINGS {
        let rest = at..range.end;
        if rest.is_empty() {
            return Reading::As(said);
        }
        match read(words, rest.clone(), span) {
            Reading::Unread => {}
            known => return known,
        }
        if let Some(open) = open
            && continues(words, rest.clone(), open, span.words.end)
        {
            return Reading::As(open);
        }
        match PREFIXES.longest(words, rest) {
            Some((entry, end)) if end > at => {
                if entry != Entry::Joins {
                    said = entry;
                }
                at = end;
            }
            _ => break,
        }
    }
    divided(words, at..range.end, span, joints)
}

/// "… and …": each part must be known by itself.
fn divided(words: &[Word], range: Range<usize>, span: &Span, joints: usize) -> Reading {
    let Some(left) = joints.checked_sub(1) else {
        return Reading::Unread;
    };
    let inner = words.get(range.start + 1..range.end).unwrap_or_default();
    let Some(joint) = inner.iter().position(|word| word.classes & CONJ != 0) else {
        return Reading::Unread;
    };
    let middle = range.start + 1 + joint;
    let first = match read(words, range.start..middle, span) {
        Reading::As(entry) => entry,
        other => return other,
    };
    match clause(words, middle + 1..range.end, span, Some(first), left) {
        Reading::As(Entry::Joins) => Reading::As(first),
        Reading::As(Entry::Offers | Entry::Confirms) => Reading::As(Entry::Offers),
        Reading::As(_) => Reading::As(first),
        other => other,
    }
}

/// One clause without its prefixes.
fn read(words: &[Word], range: Range<usize>, span: &Span) -> Reading {
    let found = FORMS.whole(words, range.clone());
    let found = match found {
        None if span.marked && presume::carries_question(words, &range, span) => QUESTIONS
            .whole(words, range.clone())
            // "…, okay?" asks to confirm; "Okay, …?" does not.
            .filter(|entry| *entry != Entry::Confirms || range.end == span.words.end),
        found => found,
    };
    let Some(entry) = found else {
        return Reading::Unread;
    };
    let opens = range.start == span.words.start;
    let clause = words.get(range).unwrap_or_default();
    match entry {
        Entry::Is(Form::Question | Form::Help) | Entry::Offers | Entry::Confirms
            if presume::in_question(clause, opens) =>
        {
            Reading::Refuted(Assertion::State)
        }
        Entry::Is(Form::Refusal) | Entry::Unable if presume::denies_itself(clause) => {
            Reading::Refuted(Assertion::Failure)
        }
        Entry::Is(Form::Request) if presume::claims_ignorance(clause) => {
            Reading::Refuted(Assertion::Failure)
        }
        Entry::Able if presume::denies_the_rest(clause) => Reading::Refuted(Assertion::Failure),
        Entry::Able => able(clause),
        Entry::Unable if in_general(clause) => Reading::As(entry),
        Entry::Unable => Reading::Refuted(Assertion::Failure),
        Entry::Advises => match definite(advice(clause)) {
            None if clause.iter().any(|word| word.classes & TASK != 0) => {
                Reading::As(Entry::Is(Form::Help))
            }
            _ => Reading::Unread,
        },
        Entry::Offers if !touches_data(clause) && !retells(clause) => {
            Reading::As(Entry::Is(Form::Question))
        }
        Entry::Is(Form::Question) if proposes(clause) => Reading::As(Entry::Offers),
        entry => Reading::As(entry),
    }
}

/// "I can add tasks" is help, "I can add it" an offer.
fn able(clause: &[Word]) -> Reading {
    let acts = clause.iter().any(|word| word.classes & EFFECT != 0);
    let tasks = clause
        .iter()
        .any(|word| word.classes & TASK != 0 && word.classes & EFFECT == 0);
    let named = clause.iter().any(|word| word.classes & UNKNOWN != 0);
    match definite(clause) {
        Some(_) if acts => Reading::As(Entry::Offers),
        None if acts && named && !tasks => Reading::As(Entry::Offers),
        _ => Reading::As(Entry::Able),
    }
}

/// "I can't set alarms" speaks in general, "I can't delete it" of one try that failed.
fn in_general(clause: &[Word]) -> bool {
    let any = |classes: u64| {
        clause
            .iter()
            .skip(1)
            .any(|word| word.classes & classes != 0)
    };
    let pointed = clause.iter().skip(2).any(|word| word.quoted || word.classes & (NUM | PRON) != 0)
        || clause
            .windows(2)
            .any(|pair| matches!(pair, [the, task] if the.classes & (DEFINITE | OURS) != 0 && task.classes & TASK != 0));
    let verb = clause
        .iter()
        .skip(1)
        .find(|word| word.classes & (EFFECT | ABROAD) != 0);
    let abroad = verb.is_some_and(|word| word.classes & ABROAD != 0);
    !pointed && (abroad || any(TASK))
}

/// A word that points at something in particular; "the" of "the list" does, a quotation too.
fn definite(clause: &[Word]) -> Option<&Word> {
    clause
        .iter()
        .skip(1)
        .find(|word| word.classes & (DEFINITE | NUM) != 0 || word.quoted)
}

/// "You asked for milk": told of the user, so never shown.
fn retells(clause: &[Word]) -> bool {
    matches!(clause, [you, verb, ..] if you.classes & YOU != 0 && verb.classes & (PAST | HAVE) != 0)
}

/// A piece of advice without the words it gives the user to say.
fn advice(clause: &[Word]) -> &[Word] {
    let says = clause.windows(2).position(
        |pair| matches!(pair, [say, word] if say.classes & (SAY | PREP) != 0 && word.quoted),
    );
    clause
        .get(..says.unwrap_or(clause.len()))
        .unwrap_or_default()
}

/// Whether an offer is about data at all: "Would you like a joke?" is not.
fn touches_data(clause: &[Word]) -> bool {
    if let [first, second, third, ..] = clause
        && first.classes & MODAL != 0
        && second.classes & SELF != 0
        && third.classes & HELP == 0
    {
        return true;
    }
    clause.iter().skip(1).any(|word| {
        word.classes & (TASK | SETLIKE) != 0
            || word.classes & EFFECT != 0 && word.classes & super::lexicon::HELP == 0
    })
}

/// "Shall I …?", "Do you want me to …?" with a verb of effect in it.
fn proposes(clause: &[Word]) -> bool {
    let classes = |at: usize| clause.get(at).map_or(0, |word| word.classes);
    let asks = classes(0) & (MODAL | DO) != 0;
    asks && clause
        .windows(2)
        .any(|pair| matches!(pair, [before, word] if word.classes & EFFECT != 0 && word.classes & ANY == 0
            && before.classes & (super::lexicon::SELF | PREP) != 0 && word.classes & super::lexicon::HELP == 0
            && word.classes & DO == 0))
}

/// A phrase after a comma that belongs to what came before it.
fn continues(words: &[Word], range: Range<usize>, open: Entry, last: usize) -> bool {
    let (start, end) = (range.start, range.end);
    let clause = words.get(range).unwrap_or_default();
    let has = |classes: u64| {
        clause
            .iter()
            .any(|word| word.classes & classes != 0 && !word.quoted)
    };
    let clear = match open {
        Entry::Confirms => Veto::Restate.clear(words, start, end),
        Entry::Offers
        | Entry::Able
        | Entry::Advises
        | Entry::Is(Form::Question | Form::Request | Form::Help) => {
            let tells = tells_of_it(clause);
            !tells && Veto::Ask.clear(words, start, end) && !has(BE | HAVE | MODAL | ABSENT)
        }
        Entry::Unable | Entry::Is(Form::Wish | Form::Pleasantry | Form::Refusal) => {
            let first = clause.first().map_or(0, |word| word.classes);
            // ", Read book": not the name of somebody.
            let named = clause.first().is_some_and(|word| word.capital) && clause.len() > 1;
            Veto::Quiet.clear(words, start, end)
                && !has(NUM)
                && (first & (PREP | CONJ) != 0 || first & WISH != 0 && !named || is_address(clause))
        }
        Entry::Is(_) | Entry::Joins => false,
    };
    // "music, sports, or something else": a bare word is an item when "or" comes later.
    let listed = || {
        let rest = words.get(end..last).unwrap_or_default();
        clause.len() <= 3
            && !has(PAST | DONE)
            && (rest.iter().any(|word| word.cut && word.classes & CONJ != 0)
                || rest.iter().any(|word| word.classes & OR != 0))
    };
    clear && (anchored(clause) || listed())
}

/// ", it works now": a statement of its own, whatever it follows.
fn tells_of_it(clause: &[Word]) -> bool {
    matches!(clause, [it, verb, ..] if it.classes & PRON != 0 && it.classes & DET == 0
        && verb.classes & (CONJ | PREP | OR) == 0)
}

/// ", Sam": a name, nothing more.
fn is_address(clause: &[Word]) -> bool {
    matches!(clause, [name] if name.classes & CAP != 0)
}

/// At least one word of English grammar: phrases of another language continue nothing.
pub(super) fn anchored(clause: &[Word]) -> bool {
    const ANCHORS: u64 =
        NUM | DET | POSS | PREP | YOU | EFFECT | ANY | WH | TASK | CONJ | ING | WISH | DEICTIC;
    clause
        .iter()
        .any(|word| word.classes & ANCHORS != 0 || word.quoted)
        || clause.iter().all(|word| word.classes & CAP != 0)
}

/// Where the clause that starts at `start` ends: before the next comma, dash or colon.
pub(super) fn clause_end(words: &[Word], start: usize, end: usize) -> usize {
    let rest = words.get(start + 1..end).unwrap_or_default();
    start + 1 + rest.iter().position(|word| word.cut).unwrap_or(rest.len())
}
