//! What is put up for confirmation: an order, a plan, a summary, never a result.
//!
//! Such a sentence is an offer: the server words it anew or drops it. So it may say what
//! the speaker is about to do, as long as the text goes on to ask whether that is right,
//! and the act is one that could be done here at all: nobody is reminded of anything.

use std::ops::Range;
use std::sync::LazyLock;

use super::forms::Entry;
use super::lexicon::{
    ABSENT, ANY, BE, BOUGHT, DEFINITE, DEICTIC, DIGIT, DONE, GOOD, HAVE, ING, LIST, NEG, NOW, OWN,
    PRON, SELF, SELFC, SETLIKE, WISH, YOU,
};
use super::pattern::{FORMS, PREFIXES, QUESTIONS};
use super::sentences::{Before, CLAUSES, OPENINGS, anchored, clause_end};
use super::token::{Prose, Span, Word};
use super::verdict::{Form, Verdict};
use super::veto::Veto;
use super::words::id_of;

static SO: LazyLock<u16> = LazyLock::new(|| id_of("so"));

/// The longest list of things to choose from, in words.
const CHOICE: usize = 8;

/// Where the last clause that asks for confirmation begins, as the number of a word.
pub(super) fn asks_to_confirm(prose: &Prose) -> Option<usize> {
    let words = prose.words.as_slice();
    prose
        .sentences
        .iter()
        .rev()
        .find_map(|span| confirming_clause(words, span))
}

fn confirming_clause(words: &[Word], span: &Span) -> Option<usize> {
    let mut found = None;
    let mut start = span.words.start;
    for _ in 0..CLAUSES {
        if start >= span.words.end {
            break;
        }
        let end = clause_end(words, start, span.words.end);
        if confirms(words, start..end, span.marked && end == span.words.end) {
            found = Some(start);
        }
        start = end;
    }
    found
}

fn confirms(words: &[Word], range: Range<usize>, marked: bool) -> bool {
    let clause = words.get(range.clone()).unwrap_or_default();
    if !(FORMS.may_confirm(clause) || marked && QUESTIONS.may_confirm(clause)) {
        return false;
    }
    let mut at = range.start;
    for _ in 0..OPENINGS {
        let rest = at..range.end;
        let asked = marked && QUESTIONS.whole(words, rest.clone()) == Some(Entry::Confirms);
        if asked || FORMS.whole(words, rest.clone()) == Some(Entry::Confirms) {
            return true;
        }
        match PREFIXES.longest(words, rest) {
            Some((_, next)) if next > at => at = next,
            _ => return false,
        }
    }
    false
}

/// Whether a sentence that no form takes is only put up for confirmation.
pub(super) fn holds(
    words: &[Word],
    span: &Span,
    before: Before,
    confirms: &dyn Fn() -> Option<usize>,
) -> bool {
    let range = span.words.clone();
    let clause = words.get(range.clone()).unwrap_or_default();
    if !Veto::Restate.clear(words, range.start, range.end) {
        return false;
    }
    let asked = matches!(
        before.last,
        Some(Verdict::Passes(Form::Question | Form::Request))
    );
    let linked = || clause.iter().any(|word| word.classes & BE != 0);
    if !anchored(clause) && !linked() {
        // "What do you like? Comedy, drama, action?"
        return asked && span.marked && clause.len() <= CHOICE && echoes(clause, span);
    }
    let all = clause.iter().fold(0, |all, word| all | word.classes);
    let any = |classes: u64| all & classes != 0;
    let speaks = any(SELF | SELFC);
    let acts = speaks || clause.first().is_some_and(|word| word.classes & ING != 0);
    match confirms() {
        // What the speaker is about to do has to be asked about afterwards, not before.
        Some(asked) if !acts || asked >= range.start => true,
        _ => echoes(clause, span) && !speaks || recaps(clause, span, before) && !acts,
    }
}

/// "So that's two tickets to Berlin.", "So you're flying on Friday. The date is the 3rd.":
/// what the user said, said again. Nothing that is kept here may be in it.
fn recaps(clause: &[Word], span: &Span, before: Before) -> bool {
    let sums = clause.iter().take(3).any(|word| word.id == *SO)
        && clause
            .iter()
            .take(5)
            .any(|word| word.classes & (YOU | PRON) != 0);
    let kept = |word: &Word| word.classes & (OWN | LIST | NOW | DONE | NEG | ABSENT) != 0;
    let bought = clause.iter().any(|word| word.classes & BOUGHT != 0);
    let more = before.last == Some(Verdict::Offer)
        && matches!(clause, [the, .., word] if the.classes & DEFINITE != 0 && word.classes & (DIGIT | WISH) != 0)
        && clause.iter().any(|word| word.classes & BE != 0);
    !clause.iter().any(kept) && (sums && (bought || span.marked) || more)
}

/// "Two tickets to Berlin for Friday?", "Checking or savings?": the question mark asks.
fn echoes(clause: &[Word], span: &Span) -> bool {
    const TOLD: u64 = OWN | LIST | DONE | SETLIKE | ABSENT | DEICTIC | NEG | BE | HAVE | ANY;
    span.marked
        && clause.first().is_none_or(|word| word.classes & GOOD == 0)
        && !clause
            .iter()
            .any(|word| word.classes & TOLD != 0 && word.classes & BOUGHT == 0)
}
