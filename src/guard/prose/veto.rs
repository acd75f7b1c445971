//! What no open place of a pattern may hold: the words that would make it an assertion.
//!
//! Each word is marked once per sentence with the next offender from there on, so that
//! a tail of any length is checked in one step.

use super::lexicon::{
    ABSENT, AFTER, ANY, ASBE, BE, BOUGHT, COMPARE, CONJ, DEED, DEFINITE, DEICTIC, DESIRE, DET, DO,
    DONE, EFFECT, GOOD, HAVE, ING, LIST, MODAL, NEG, NOW, NUM, PAST, POSS, PREP, PRON, SELF, SELFC,
    SETLIKE, STATIVE, SUBORD, TALE, TASK, TO, UNKEPT, UNKNOWN, WH, WISH, YOU,
};
use std::sync::LazyLock;

use super::token::Word;
use super::words::id_of;

/// "the remaining one": somebody has counted.
static REMAINING: LazyLock<u16> = LazyLock::new(|| id_of("remaining"));

/// How strict a tail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Veto {
    /// `~`: nouns, adjectives and prepositions; nothing finite.
    Quiet,
    /// `~ask`: what follows in a question or a request.
    Ask,
    /// `~restate`: what the user is asked to confirm.
    Restate,
}

/// For each veto, the index of the next word it strikes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    /// For [`Veto::Quiet`].
    pub quiet: u32,
    /// For [`Veto::Ask`].
    pub ask: u32,
    /// For [`Veto::Restate`].
    pub restate: u32,
}

impl Marks {
    /// Nothing is struck from here on.
    pub(super) const CLEAR: Self = Self {
        quiet: u32::MAX,
        ask: u32::MAX,
        restate: u32::MAX,
    };
}

impl Veto {
    /// The veto a tail is written as.
    pub(super) fn named(part: &str) -> Option<Self> {
        match part {
            "~" => Some(Self::Quiet),
            "~ask" => Some(Self::Ask),
            "~restate" => Some(Self::Restate),
            _ => None,
        }
    }

    /// Whether it strikes no word of `at..end`.
    pub(super) fn clear(self, words: &[Word], at: usize, end: usize) -> bool {
        let Some(word) = words.get(at).filter(|_| at < end) else {
            return true;
        };
        let next = match self {
            Self::Quiet => word.marks.quiet,
            Self::Ask => word.marks.ask,
            Self::Restate => word.marks.restate,
        };
        usize::try_from(next).is_ok_and(|next| next >= end)
    }
}

/// Marks the words of one sentence.
pub(super) fn mark(words: &mut [Word], range: std::ops::Range<usize>) {
    let mut next = Marks::CLEAR;
    let start = range.start;
    for at in range.rev() {
        if let Some(word) = words.get_mut(at)
            && word.classes & STRIKABLE == 0
        {
            word.marks = next;
            continue;
        }
        if only_number(words, at) {
            if let Some(word) = words.get_mut(at) {
                word.marks = next;
            }
            continue;
        }
        let Some(sight) = Sight::at(words, start, at) else {
            continue;
        };
        let here = u32::try_from(at).unwrap_or(u32::MAX);
        if sight.breaks_quiet() {
            next.quiet = here;
        }
        if sight.breaks_ask() {
            next.ask = here;
        }
        if sight.breaks_restate() {
            next.restate = here;
        }
        if let Some(word) = words.get_mut(at) {
            word.marks = next;
        }
    }
}

/// A number beside which nothing stands that it could count: "at 7 30".
fn only_number(words: &[Word], at: usize) -> bool {
    const COUNTED: u64 = ANY | LIST | DEFINITE | PREP | POSS | BE;
    let classes = |at: usize| words.get(at).map_or(0, |word| word.classes);
    classes(at) & STRIKABLE == NUM
        && (classes(at + 1) | classes(at + 2)) & TASK == 0
        && at
            .checked_sub(1)
            .is_none_or(|before| classes(before) & COUNTED == 0)
}

/// The classes that any veto looks at; all other words pass unseen.
const STRIKABLE: u64 = SELF
    | SELFC
    | BE
    | HAVE
    | DO
    | MODAL
    | PAST
    | DONE
    | ABSENT
    | SUBORD
    | TASK
    | NEG
    | ING
    | SETLIKE
    | DEICTIC
    | TALE
    | NUM
    | LIST
    | NOW
    | DEED
    | UNKEPT
    | COMPARE
    | AFTER;

/// A word and its neighbours within the clause.
struct Sight<'a> {
    word: &'a Word,
    before: u64,
    second: u64,
    after: u64,
    beyond: u64,
    /// A question word stands a few words before, with no verb between.
    asked: bool,
    /// A wish stands a few words before: "want it done", "to have it done".
    desired: bool,
    /// A wish, an order or a plan governs it: "you want it on your list".
    planned: bool,
    /// The speaker would do it, and nothing here could: "I'll remind you".
    promised: bool,
    first: bool,
    last: bool,
    capital: bool,
}

impl<'a> Sight<'a> {
    fn at(words: &'a [Word], start: usize, at: usize) -> Option<Self> {
        let word = words.get(at)?;
        let classes = |at: Option<usize>| {
            at.and_then(|at| words.get(at))
                .map_or(0, |word| word.classes)
        };
        let first = at == start || word.cut;
        let before_at = at.checked_sub(1).filter(|_| !first);
        let second_at = before_at
            .filter(|before| *before > start && !words.get(*before).is_some_and(|word| word.cut))
            .and_then(|before| before.checked_sub(1));
        let follows = |at: usize| words.get(at).is_some_and(|word| !word.cut);
        let last = !follows(at + 1);
        Some(Self {
            word,
            before: classes(before_at),
            second: classes(second_at),
            after: if last { 0 } else { classes(Some(at + 1)) },
            beyond: if last || !follows(at + 2) {
                0
            } else {
                classes(Some(at + 2))
            },
            asked: word.classes & (BE | HAVE) != 0 && asked(words, start, at),
            desired: desired(words, start, at),
            planned: planned(words, start, at),
            promised: promised(words, start, at),
            first,
            last,
            capital: word.capital && !first,
        })
    }

    fn is(&self, classes: u64) -> bool {
        self.word.classes & classes != 0
    }

    fn breaks_quiet(&self) -> bool {
        const LOUD: u64 =
            SELF | SELFC | BE | HAVE | MODAL | DO | PAST | DONE | ABSENT | SUBORD | TASK | NEG;
        self.is(LOUD)
            || (self.is(DEED) && self.before & (DEFINITE | POSS) != 0)
            || (self.is(ING) && !self.capital)
            || self.bare_setlike()
            || self.deictic_inside()
    }

    /// "set", "clear", "complete" where they can't be base forms or adjectives of a noun.
    fn bare_setlike(&self) -> bool {
        if self.desired {
            return false;
        }
        const LICENSE: u64 = SELF | YOU | CONJ | MODAL | DO | DET | POSS;
        self.is(SETLIKE) && !self.first && self.before & (LICENSE | PREP | DESIRE | EFFECT) == 0
            || self.is(SETLIKE) && self.before & BE != 0
    }

    /// "now that …", "already …": only the end of a clause is a place for them.
    fn deictic_inside(&self) -> bool {
        self.is(DEICTIC)
            && !self.last
            && self.after & (CONJ | PREP | DEICTIC) == 0
            && self.after & NUM == 0
            || self.is(DEICTIC) && self.after & PRON != 0
    }

    fn breaks_ask(&self) -> bool {
        if self.word.quoted {
            return false;
        }
        self.is(SELFC | ABSENT | SUBORD)
            || self.speaker_acts()
            || self.perfect()
            || self.accomplished()
            || self.bare_setlike()
            || self.states()
            || (self.is(NEG) && self.after & TASK != 0)
            || self.counts()
            || (self.is(DEED) && self.before & (DET | POSS | PRON | ING) != 0)
            || (self.is(LIST)
                && self.second & (DEFINITE | POSS) != 0
                && self.is_renewed()
                // "the new due date" is no list.
                && self.after & UNKNOWN == 0)
            || (self.is(COMPARE) && self.after & LIST != 0)
            || (self.word.id == *REMAINING && self.before & (DEFINITE | POSS) != 0)
            || (self.is(AFTER) && self.after & (ING | POSS | DET | PRON | SELF) != 0)
            || (self.is(DEICTIC)
                && self.after & (PRON | SELF | POSS | DET | PAST | UNKNOWN | TASK) != 0)
    }

    /// "I" passes after an auxiliary ("shall I") or before a modal ("that I can").
    fn speaker_acts(&self) -> bool {
        if !self.is(SELF) {
            return false;
        }
        let asked = self.before & (MODAL | DO) != 0 && self.before & PAST == 0;
        let able = self.after & MODAL != 0 && !self.is_will_after();
        !(asked || able)
    }

    /// "the new list", "your updated agenda": an adjective no list knows stands before it.
    fn is_renewed(&self) -> bool {
        self.before & (UNKNOWN | DONE | PAST) != 0 && self.before & (TASK | GOOD) == 0
    }

    fn is_will_after(&self) -> bool {
        // "that I will do", "that I couldn't do"
        self.after & NEG != 0
    }

    /// "has", "had", "have been": a perfect tense, or a possession that is stated.
    fn perfect(&self) -> bool {
        self.is(HAVE)
            // "does it have to be …": a duty, not a possession.
            && !(self.after & TO != 0 && self.beyond & (PAST | DONE) == 0)
            && !(self.last && (self.asked || self.second & MODAL != 0))
            && (self.after & (PAST | DONE | BE) != 0
                || (self.before & (YOU | MODAL | DO | PREP | CONJ | SELF) == 0 && !self.first)
                || (self.before & YOU != 0
                    && self.second & (DO | MODAL | WH) == 0
                    && self.after & (TASK | NUM | NEG) != 0))
    }

    /// A past tense, a participle or a word of completion, unless it is wanted, not stated.
    fn accomplished(&self) -> bool {
        if self.is(DO) && self.is(PAST) {
            return !self.first && (self.last || self.before & SELF != 0);
        }
        if !self.is(PAST | DONE | TALE) || self.is(BE | HAVE | DO) {
            return false;
        }
        let stated = self.before & (BE | HAVE | DET | POSS | SELF | SELFC | PRON | PAST) != 0;
        let wanted = self.before & (DESIRE | ASBE) != 0;
        // "want that booked", but not "like the booked one".
        let wished = self.desired
            && self.before & (BE | HAVE | SELF | SELFC | YOU | PAST) == 0
            && (self.before & (DET | POSS) == 0 || self.before & PRON != 0);
        !wished && (stated || !wanted)
    }

    /// A second statement inside the question: "that it is …", "your list is …".
    fn states(&self) -> bool {
        if !self.is(BE) || self.is(WH) || self.last || self.first {
            return false;
        }
        let asked = self.asked || self.after & (YOU | SELF) != 0 || self.before & CONJ != 0;
        let ours = self.before & YOU != 0;
        let inverted = self.after & (POSS | DET | PRON) != 0 && self.before & (PRON | TASK) == 0;
        self.is(PRON) || !(asked || ours || inverted)
    }

    /// "3 tasks", "two more items".
    fn counts(&self) -> bool {
        let tasks = self.after & TASK != 0 || (self.beyond & TASK != 0 && self.after & PREP == 0);
        // "the other two", "your list of three"
        let others = self.before & (ANY | LIST) != 0
            && self.second & (DEFINITE | POSS) != 0
            && (self.after | self.beyond) & BOUGHT == 0;
        let those = self.before & DEFINITE != 0
            && self.second & BE != 0
            && self.after & (TASK | BOUGHT | WISH) == 0;
        let rest =
            others || those || self.last && self.before & PREP != 0 && self.second & TASK != 0;
        self.is(NUM) && self.before & WH == 0 && (tasks || rest)
    }

    fn breaks_restate(&self) -> bool {
        let told = self.is(PAST | DONE) && !self.capital && !self.is(BE | HAVE | DO);
        let told = told && self.before & (BE | PREP | DESIRE | CONJ | ASBE) == 0;
        let passive = self.is(PAST | DONE) && self.before & BE != 0 && !self.is(STATIVE);
        let did = self.is(DO) && self.is(PAST);
        self.is(ABSENT | SUBORD)
            || self.promised
            || (self.is(SETLIKE) && self.before & BE != 0)
            || (self.is(LIST) && !self.planned && !self.capital)
            || (self.is(NOW) && !self.planned)
            || (self.is(DEED) && self.before & (DET | POSS) != 0)
            || (self.is(HAVE) && (self.first || self.before & (YOU | TASK) != 0))
            || told
            || (passive && !self.capital)
            || did
            || (self.counts()
                && self.before & (POSS | DEFINITE | BE | HAVE) != 0
                && (self.after | self.beyond) & BOUGHT == 0)
            || (self.is(HAVE) && self.after & (PAST | DONE | BE | NUM | TASK | NEG) != 0)
            || (self.is(SELFC) && self.after & (PAST | DONE) != 0)
            || (self.is(NEG)
                && !self.is(DO)
                && self.before & (BE | DO | PREP) == 0
                && !self.is(PREP))
    }
}

/// How far a question word reaches over the noun that it asks about: "which of the two rooms is".
const REACH: usize = 5;

fn asked(words: &[Word], start: usize, at: usize) -> bool {
    let mut back = at;
    for _ in 0..REACH {
        let here = words.get(back);
        if back <= start || here.is_some_and(|word| word.cut) {
            return false;
        }
        back -= 1;
        let classes = words.get(back).map_or(0, |word| word.classes);
        if classes & WH != 0 {
            return true;
        }
        if classes & (BE | HAVE | PRON | POSS) != 0 {
            return false;
        }
    }
    false
}

/// Whether a wish governs the participle at `at`.
fn desired(words: &[Word], start: usize, at: usize) -> bool {
    if words
        .get(at)
        .is_none_or(|word| word.classes & (PAST | DONE | SETLIKE) == 0)
    {
        return false;
    }
    let mut back = at;
    for _ in 0..REACH {
        if back <= start || words.get(back).is_some_and(|word| word.cut) {
            return false;
        }
        back -= 1;
        let classes = words.get(back).map_or(0, |word| word.classes);
        if classes & DESIRE != 0 {
            return true;
        }
        if classes & HAVE != 0 {
            let before = back.checked_sub(1).and_then(|at| words.get(at));
            return before.is_some_and(|word| word.classes & PREP != 0);
        }
        if classes & (BE | SUBORD | DEICTIC | SELF | PAST) != 0 {
            return false;
        }
    }
    false
}

/// Whether the speaker stands before a verb of a promise that nothing here could keep.
fn promised(words: &[Word], start: usize, at: usize) -> bool {
    let Some(word) = words.get(at) else {
        return false;
    };
    // A name may be spelt like that: "Wake up".
    if word.classes & UNKEPT == 0 || word.capital && word.classes & ING == 0 {
        return false;
    }
    let clause = words.get(start..at).unwrap_or_default();
    let opening = clause.iter().rposition(|word| word.cut).unwrap_or_default();
    let said = clause.get(opening..).unwrap_or_default();
    let any = |classes: u64| said.iter().any(|word| word.classes & classes != 0);
    // "So reminding you at noon": nobody else is named who would do it.
    any(SELF | SELFC) || word.classes & ING != 0 && (word.cut || !any(YOU | PREP | PRON | POSS))
}

/// Whether a wish, an order or a plan stands before the word at `at`, in its clause.
fn planned(words: &[Word], start: usize, at: usize) -> bool {
    if words
        .get(at)
        .is_none_or(|word| word.classes & (LIST | NOW) == 0)
    {
        return false;
    }
    let clause = words.get(start..at).unwrap_or_default();
    clause
        .iter()
        .rev()
        .take(4 * REACH)
        .take_while(|word| !word.cut)
        .any(|word| word.classes & (DESIRE | EFFECT) != 0 && word.classes & TASK == 0)
}
