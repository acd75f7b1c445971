//! Statements about the world: a country's capital, a sum, the answer to a riddle.
//!
//! Nothing of the user's data, of this conversation or of its two speakers may stand
//! in one, and the verb must be a general one. The door is narrow on purpose: what it
//! refuses is only replaced by a fixed text.

use std::ops::Range;
use std::sync::LazyLock;

use super::kinds::{MEASURES, THERE, UNIT, kinds};
use super::lexicon::{
    ABSENT, BE, CAP, CONJ, DEFINITE, DEICTIC, DET, DIGIT, DO, DONE, HAVE, ING, MATH, MODAL, NAME,
    NEG, NUM, PAST, POSS, PREP, PRON, SELF, SELFC, STATIVE, SUPERLATIVE, TALE, TASK, UNKNOWN, VERY,
    WADJ, WNOUN, WORLDV, YOU,
};
use super::sentences::Before;
use super::token::{Span, Word};
use super::verdict::{Form, Verdict};
use super::words::id_of;

/// No kind of thing: "Berlin is down." tells how it stands.
static DOWN: LazyLock<u16> = LazyLock::new(|| id_of("down"));

/// The longest subject of a general statement, in words.
const SUBJECT: usize = 10;

/// Whether the sentence is a statement about the world.
pub(super) fn holds(words: &[Word], span: &Span, before: Before) -> bool {
    let clause = words.get(span.words.clone()).unwrap_or_default();
    if span.marked || clause.is_empty() || clause.iter().any(personal) {
        return false;
    }
    let after_fact = matches!(before.last, Some(Verdict::Passes(Form::Fact)));
    named(clause)
        || sum(clause)
        || measure(clause)
        || general(clause, after_fact)
        || (before.riddle && punchline(clause))
}

/// Speakers, their data, this moment, completion.
fn personal(word: &Word) -> bool {
    word.classes & (SELF | SELFC | YOU | TASK | DONE | ABSENT | DEICTIC | MODAL) != 0
        || (word.classes & POSS != 0 && word.classes & PRON == 0 && is_ours(word))
        || word.quoted
}

/// "my", "your", "our"; "its" and "their" speak of the world.
fn is_ours(word: &Word) -> bool {
    word.classes & super::lexicon::OURS != 0
}

/// "Paris.", "It's Paris, France."; "Berlin is off." tells how something stands.
fn named(clause: &[Word]) -> bool {
    clause.len() <= 8
        && clause.last().is_none_or(|word| word.classes & PREP == 0)
        && clause.iter().any(|word| word.classes & NAME != 0)
        && clause.iter().all(|word| {
            word.classes & (NAME | DET) != 0
                || word.classes & (PRON | BE) != 0 && word.classes & NEG == 0
                || word.classes & (CONJ | PREP) != 0 && word.classes & UNKNOWN == 0
        })
}

/// "2 + 2 = 4", "Seven times eight is 56."
fn sum(clause: &[Word]) -> bool {
    let math = clause
        .iter()
        .filter(|word| word.classes & MATH != 0)
        .count();
    math > 0
        && clause.iter().any(|word| word.classes & NUM != 0)
        && clause.iter().all(|word| {
            word.classes & (NUM | MATH | PREP | DET | CONJ) != 0 || is_verb(word) || digit(word)
        })
}

/// "A decade is ten years.", "There are seven days in a week.": both sides are measures, and nothing
/// else stands beside them.
fn measure(clause: &[Word]) -> bool {
    let has = |word: &Word, kind: u64| kinds(word.id) & kind != 0;
    let number = |word: &Word| word.classes & (NUM | DIGIT) != 0;
    let unit = |word: &Word| has(word, UNIT);
    let one = |word: &Word| word.classes & DET != 0 && word.classes & (DEFINITE | POSS) == 0;
    // "ten years", "a hundred", "1.6 kilometres", "twelve"
    let amount = |words: &[Word], bare: bool| {
        let counted = words
            .iter()
            .take_while(|word| number(word) || one(word))
            .count();
        let units = words.get(counted..).unwrap_or_default();
        counted > 0 && (bare && units.is_empty() || units.len() == 1 && units.iter().all(unit))
    };
    if let Some((there, rest)) = clause.split_first()
        && has(there, THERE)
    {
        let Some((verb, rest)) = rest.split_first() else {
            return false;
        };
        let Some(at) = rest.iter().position(|word| word.classes & PREP != 0) else {
            return false;
        };
        let (many, within) = rest.split_at(at);
        let within = within.get(1..).unwrap_or_default();
        let whole = matches!(within, [first, last] if one(first) && unit(last));
        return is_verb(verb) && amount(many, false) && whole;
    }
    let Some(verb) = clause.iter().position(|word| has(word, MEASURES)) else {
        return false;
    };
    let (left, right) = clause.split_at(verb);
    let right = right.get(1..).unwrap_or_default();
    let about = |word: &&Word| word.classes & (VERY | PREP) != 0;
    let skip = right.iter().take_while(about).count();
    let right = right.get(skip..).unwrap_or_default();
    let whole = match left {
        [first, rest @ ..] => {
            (one(first) || number(first))
                && !rest.is_empty()
                && rest.len() <= 2
                && rest.iter().all(unit)
        }
        [] => false,
    };
    skip <= 1 && whole && amount(right, true)
}

fn digit(word: &Word) -> bool {
    word.classes & DIGIT != 0
}

fn is_verb(word: &Word) -> bool {
    word.classes & BE != 0
}

fn general(clause: &[Word], after_fact: bool) -> bool {
    let verb = clause.iter().take(SUBJECT).position(|word| {
        word.classes & BE != 0 && word.classes & PRON == 0
            || word.classes & HAVE != 0
            || (word.classes & WORLDV != 0 && word.classes & DET == 0)
    });
    let Some(verb) = verb.filter(|verb| *verb > 0) else {
        return false;
    };
    let often = |word: &&Word| word.classes & (VERY | NEG) != 0;
    let adverbs = clause
        .get(..verb)
        .unwrap_or_default()
        .iter()
        .rev()
        .take_while(often)
        .count();
    let subject = clause.get(..verb - adverbs).unwrap_or_default();
    let rest = clause.get(verb + 1..).unwrap_or_default();
    let skip = rest
        .iter()
        .take_while(|word| word.classes & VERY != 0)
        .count();
    let rest = rest.get(skip..).unwrap_or_default();
    let Some(head) = clause.get(verb) else {
        return false;
    };
    worldly(subject, after_fact) && steady(rest) && predicate(head, subject, rest)
}

/// Something the world knows: a name, a known noun, "the … of …", a kind in the plural.
fn worldly(subject: &[Word], after_fact: bool) -> bool {
    let any = |classes: u64| subject.iter().any(|word| word.classes & classes != 0);
    let first = subject.first().map_or(0, |word| word.classes);
    if any(PAST & !STATIVE) || any(ING) && !any(NAME | WNOUN) {
        return false;
    }
    if first & PRON != 0 {
        return after_fact && subject.len() == 1;
    }
    let prep = subject.iter().position(|word| word.classes & PREP != 0);
    let head = subject
        .get(..prep.unwrap_or(subject.len()))
        .unwrap_or_default();
    // "The capital of …", "Tall trees", "Penguins": nothing unknown, no verb before a "the".
    head.iter().any(|word| word.classes & (NAME | WNOUN) != 0)
        && head.iter().enumerate().all(|(at, word)| {
            word.classes & (NAME | WNOUN | WADJ | NUM | CONJ) != 0
                || (at == 0 && word.classes & DET != 0)
                || is_superlative(word)
                // "Albert Einstein": a first name the tables do not hold.
                || word.classes & CAP != 0
                    && head.get(at + 1).is_some_and(|next| next.classes & NAME != 0)
        })
}

/// "largest", "most": at the top of the world's scale.
fn is_superlative(word: &Word) -> bool {
    word.classes & (VERY | SUPERLATIVE) != 0
}

/// No perfect tense, no passive of effect further on.
fn steady(rest: &[Word]) -> bool {
    !rest.iter().any(|word| {
        word.classes & PAST != 0 && word.classes & (STATIVE | BE | TALE | NAME) == 0
            || word.classes & (SELF | SELFC) != 0
    })
}

fn predicate(verb: &Word, subject: &[Word], rest: &[Word]) -> bool {
    let Some(next) = rest.first() else {
        return verb.classes & WORLDV != 0 && verb.classes & (BE | HAVE) == 0;
    };
    if verb.classes & HAVE != 0 {
        return next.classes & (NUM | DET | WADJ) != 0 && next.classes & PAST == 0;
    }
    if verb.classes & BE != 0 {
        let noun =
            next.classes & UNKNOWN != 0 && next.classes & (PAST | ING) == 0 && next.id != *DOWN;
        let kinds = noun && subject.len() == 1 && rest.len() <= 3;
        return next.classes & (DET | NAME | WADJ | STATIVE | WNOUN | NUM) != 0
            || kinds
            || next.classes & PREP != 0
                && rest.iter().any(|word| word.classes & (NAME | WNOUN) != 0);
    }
    next.classes & (NEG | MODAL | DO) == 0
}

/// The answer to a riddle that was asked in the same text.
fn punchline(clause: &[Word]) -> bool {
    let first = clause.first().map_or(0, |word| word.classes);
    let opens = first & (CONJ | PRON | PREP) != 0 || first & DET != 0 && first & DEFINITE == 0;
    opens
        && clause.len() <= 20
        && !clause
            .iter()
            .any(|word| word.classes & PAST != 0 && word.classes & (TALE | STATIVE | BE) == 0)
}

/// Whether a question has the shape of a riddle and nothing of the user's in it.
pub(super) fn is_riddle(words: &[Word], range: Range<usize>) -> bool {
    let clause = words.get(range).unwrap_or_default();
    let last = clause.iter().rposition(|word| word.cut).unwrap_or_default();
    let clause = clause.get(last..).unwrap_or_default();
    clause
        .first()
        .is_some_and(|word| word.classes & super::lexicon::WH != 0)
        && clause.len() >= 4
        && !clause
            .iter()
            .any(|word| word.classes & (SELF | SELFC | TASK | DONE | ABSENT) != 0 || is_ours(word))
        && !clause
            .iter()
            .any(|word| word.classes & YOU != 0 && word.classes & BE != 0)
}
