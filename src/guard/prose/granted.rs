//! What a harmless form may not take for granted about the user's list.
//!
//! "I hope you like the new title" wishes well and tells that there is one; "Anything else
//! to delete?" asks and tells that something was. A sentence that a form was found for is
//! read once more for such descriptions, by kinds of words that the patterns do not tell
//! apart. Whether the deed was really done is not asked: no receipt stands behind this
//! prose, so nothing of the list may be presupposed in it.

use std::ops::Range;
use std::sync::LazyLock;

use super::kinds::{
    AFTERWARD, ALL, ALONE, ANYWAY, ASIDE, BACK, BEFORE, BESIDE, BRISK, DOING, DROP, FACET,
    FAREWELL, FEELS, FETCH, FITTING, FLAGGED, FORMER, FREE, FREED, FRESH, GERUND, GO, GROUND, LESS,
    LOAD, LOOK, MANY, MEANS, MISS, MORE, NEXT, OFF, ONE, ONLY, OUTCOME, POINTS, REMAIN, REST,
    RESTORE, RIGHT, SIZE, SO, STILL, TASTE, THROUGH, TIME, VANISH, WITHOUT, WITNESS, kinds,
};
use super::lexicon::{
    ABSENT, ANY, ASBE, BE, COMPARE, CONJ, DESIRE, DET, DO, DONE, GOOD, HAVE, HOW, ING, LIST, MODAL,
    NOW, NUM, PAST, POSS, PREP, PRON, SELFC, SENSE, TASK, UNKNOWN, VERY, WH, WISH, YOU,
};
use super::token::Word;
use super::verdict::Form;
use super::words::id_of;

static HOWS: LazyLock<u16> = LazyLock::new(|| id_of("how's"));
static WHERE: LazyLock<u16> = LazyLock::new(|| id_of("where"));
static DUPLICATES: LazyLock<u16> = LazyLock::new(|| id_of("duplicates"));
static THING: LazyLock<[u16; 2]> = LazyLock::new(|| [id_of("thing"), id_of("things")]);
static DUPLICATE: LazyLock<u16> = LazyLock::new(|| id_of("duplicate"));

/// How many words may stand between two that belong together.
const NEAR: usize = 3;

/// Whether a sentence that passes as `form` presupposes an effect, a list or a count.
pub(super) fn takes(words: &[Word], form: Form) -> bool {
    let said = Said(words);
    let mut all = 0;
    let mut classes = 0;
    for word in words.iter().filter(|word| !word.quoted) {
        all |= kinds(word.id);
        classes |= word.classes;
    }
    let has = |kind: u64| all & kind != 0;
    let asks = form == Form::Question;
    let wishes = matches!(form, Form::Wish | Form::Pleasantry);
    let told = matches!(form, Form::Help | Form::Request);
    form == Form::Help && said.quotes_result()
        || classes & NUM != 0 && said.counts()
        || has(TASTE) && said.tastes()
        || has(FRESH) && said.praises_change()
        || has(NEXT) && said.points_on()
        || has(FLAGGED) && said.flags()
        || classes & LIST != 0 && said.sizes_up(asks)
        || has(FREED | LESS | FREE) && said.frees(asks)
        || has(BACK | RESTORE) && !wishes && said.brings_back()
        || has(GERUND) && (said.grounded() || form == Form::Help && said.did())
        || has(DROP) && (wishes || (asks || told) && said.drops_on())
        || has(OUTCOME) && asks && said.results()
        || has(LOOK) && told && said.looks()
        || has(OFF) && said.relieves()
        || has(FEELS) && said.feels()
        || has(FORMER | REMAIN | BEFORE) && said.recalls()
        || has(ONLY | ALL) && asks && said.exhausts()
        || has(VANISH | THROUGH | DOING | WITNESS) && asks && said.witnesses()
        || asks && classes & COMPARE != 0 && said.compares()
        || asks && classes & NOW != 0 && said.moved()
        || has(LOAD) && form == Form::Wish && said.loads()
        || has(BRISK | RIGHT) && asks && said.proves()
        || has(AFTERWARD | ANYWAY | GO | WITHOUT) && asks && said.goes_on()
        || has(MISS) && (asks || told) && said.mourns()
        || told && has(FAREWELL | REST) && said.takes_leave()
}

/// Whether a question or an offer tells beside itself that something was dealt with: "With milk out
/// of the way, what would you like next?"
pub(super) fn tells_beside(words: &[Word]) -> bool {
    Said(words).absolves()
}

fn is_thing(word: &Word) -> bool {
    THING.contains(&word.id)
}

/// The words of one sentence; what is quoted in it is only mentioned.
struct Said<'a>(&'a [Word]);

impl Said<'_> {
    fn classes(&self, at: usize) -> u64 {
        let word = self.0.get(at).filter(|word| !word.quoted);
        word.map_or(0, |word| word.classes)
    }

    fn kinds(&self, at: usize) -> u64 {
        let word = self.0.get(at).filter(|word| !word.quoted);
        word.map_or(0, |word| kinds(word.id))
    }

    fn is(&self, at: usize, classes: u64) -> bool {
        self.classes(at) & classes != 0
    }

    fn has(&self, at: usize, kind: u64) -> bool {
        self.kinds(at) & kind != 0
    }

    /// Whether the word `back` places before `at` is of the kind.
    fn had(&self, at: usize, back: usize, kind: u64) -> bool {
        at.checked_sub(back).is_some_and(|at| self.has(at, kind))
    }

    /// Whether the word `back` places before `at` is of the classes.
    fn was(&self, at: usize, back: usize, classes: u64) -> bool {
        at.checked_sub(back).is_some_and(|at| self.is(at, classes))
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a clause ends after the word at `at`.
    fn ends(&self, at: usize) -> bool {
        self.0.get(at + 1).is_none_or(|next| next.cut)
    }

    /// Where words of a kind stand.
    fn places(&self, kind: u64) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(move |at| self.has(*at, kind))
    }

    fn some(&self, mut range: Range<usize>, kind: u64) -> bool {
        range.any(|at| self.has(at, kind))
    }

    fn any(&self, mut range: Range<usize>, classes: u64) -> bool {
        range.any(|at| self.is(at, classes))
    }

    /// "the", "your" one or two words before.
    fn pointed(&self, at: usize) -> bool {
        self.had(at, 1, POINTS) || self.had(at, 2, POINTS)
    }

    /// A task, a list, or what makes one up.
    fn is_data(&self, at: usize) -> bool {
        self.is(at, TASK) || self.has(at, FACET)
    }

    /// "Would you like to see the result?": something was done that has one.
    fn results(&self) -> bool {
        self.places(OUTCOME)
            .any(|at| self.pointed(at) && self.ends(at) && self.any(0..at, SENSE))
    }

    /// "Let me know how it looks": something is there to be looked at.
    fn looks(&self) -> bool {
        self.places(LOOK).any(|at| {
            self.was(at, 1, PRON) && at.checked_sub(2).is_some_and(|how| self.is_how(how))
        })
    }

    /// "How do you like your new task list?", "What do you think of the order?"
    fn tastes(&self) -> bool {
        self.places(TASTE).any(|at| {
            // "Would you like your tasks sorted?" and "I'd love to see your list" want it.
            let from = at.saturating_sub(NEAR);
            let wanted = self.any(from..at, MODAL | SELFC) || self.was(at, 1, DESIRE & !PREP);
            let skipped = (at + 1..at + 3)
                .take_while(|at| self.is(*at, PREP | WH) && !self.has(*at, POINTS))
                .count();
            let points = at + 1 + skipped;
            let noun = (points + 1..points + 1 + NEAR).find(|at| self.is_data(*at));
            !wanted && !self.is(at, SENSE) && self.has(points, POINTS) && noun.is_some()
        })
    }

    /// "Is the new date okay?", "How's the new title?", "Can you see the new task?"
    fn praises_change(&self) -> bool {
        self.places(FRESH).any(|at| {
            let noun = (at + 1..at + 3).find(|at| self.is_data(*at) || self.has(*at, ONE));
            let Some(noun) = noun.filter(|_| self.pointed(at)) else {
                return false;
            };
            let fits =
                |range: Range<usize>| self.some(range.clone(), FITTING) || self.any(range, GOOD);
            fits(noun + 1..self.len())
                || self.some(0..at, FITTING)
                || self.any(0..at, SENSE)
                || self.ends(noun) && self.is_how(0) && !self.any(0..at, YOU)
        })
    }

    /// "how", "how's"
    fn is_how(&self, at: usize) -> bool {
        let word = self.0.get(at);
        word.is_some_and(|word| word.classes & HOW != 0 || word.id == *HOWS)
    }

    /// "Good luck with the last one!", "Ready for the next one on your list?", "the rest"
    fn points_on(&self) -> bool {
        // "Do you mean the last one?" asks which.
        !self.some(0..self.len(), MEANS)
            && self.places(NEXT).any(|at| {
                if self.has(at, ALONE) && self.had(at, 1, POINTS) {
                    let of = self.is(at + 1, PREP);
                    return self.ends(at) || of && self.any(at + 2..at + 5, TASK);
                }
                self.pointed(at)
                    && (at + 1..at + 3).any(|at| {
                        self.has(at, ONE) || self.is(at, TASK) || self.is(at, NUM) && self.ends(at)
                    })
            })
    }

    /// "the overdue one", "the one due today", "all due today"
    fn flags(&self) -> bool {
        self.places(FLAGGED).any(|at| {
            if self.had(at, 1, ALL) {
                return at == 1 || self.0.get(at - 1).is_some_and(|word| word.cut);
            }
            if self.had(at, 1, MORE) {
                return self.is_copy(at);
            }
            if self.had(at, 1, ONE) {
                return self.had(at, 2, POINTS);
            }
            let noun = self.has(at + 1, ONE)
                || self.is(at + 1, TASK | UNKNOWN) && !self.has(at + 1, FACET)
                || self.ends(at) && self.has(at, FLAGGED) && self.is_copy(at);
            let shown = self.any(0..at, SENSE);
            noun && !shown && self.pointed(at)
        })
    }

    fn is_copy(&self, at: usize) -> bool {
        self.0
            .get(at)
            .is_some_and(|word| word.id == *DUPLICATE || word.id == *DUPLICATES)
    }

    /// "the three others", "the three on your list", "so many tasks"
    fn counts(&self) -> bool {
        (0..self.len()).any(|at| {
            let listed =
                self.is(at + 1, PREP) && self.has(at + 2, POINTS) && self.any(at + 3..at + 5, LIST);
            let others = self.is(at + 1, ANY) && !self.ends(at);
            self.is(at, NUM)
                && (self.had(at, 1, POINTS) && (listed || others)
                    || self.has(at, MANY) && self.had(at, 1, SO) && self.is(at + 1, TASK))
        })
    }

    /// "How does your list look?", "Why is your list so short?", "Why is it on your list?"
    fn sizes_up(&self, asks: bool) -> bool {
        let end = self.len();
        (0..end)
            .filter(|at| self.is(*at, LIST) && self.pointed(*at))
            .any(|list| {
                let rest = list + 1..end;
                let looks = self.some(rest.clone(), LOOK) && !self.any(0..end, MODAL);
                let sized = rest
                    .clone()
                    .any(|at| self.has(at, SO) && self.has(at + 1, SIZE));
                let now = asks && self.is(0, WH) && self.any(rest, NOW);
                let still = asks && self.some(0..list, STILL) && self.any(1..list, PREP);
                looks || sized || now || still
            })
    }

    /// "Feeling lighter?", "with less to do", "the free time"
    fn frees(&self, asks: bool) -> bool {
        // "less to do", "fewer tasks", "one less thing"
        let less = |at: usize| {
            let thing = self.0.get(at + 1).is_some_and(is_thing);
            self.is(at + 1, PREP) && self.has(at + 2, DOING) || self.is(at + 1, TASK) || thing
        };
        // "the free time", "your free day": nobody said that there was one.
        let free = |at: usize| {
            let time = self.has(at + 1, TIME);
            let theirs = self.had(at, 1, POINTS | SO) && self.is(at + 1, WISH);
            theirs && !(time && self.was(at, 1, POSS))
                || asks && self.ends(at) && self.was(at, 1, BE | ASBE) && self.was(at, 2, PREP)
        };
        self.places(FREED).next().is_some()
            || self.places(LESS).any(less)
            || self.places(FREE).any(free)
    }

    /// "Do you want milk back?", "Say "undo" to restore milk."
    fn brings_back(&self) -> bool {
        let thing = |at: usize| self.is(at, UNKNOWN | WISH | PRON | TASK);
        self.places(BACK).any(|at| {
            self.ends(at)
                && at > 1
                && thing(at - 1)
                && !self.has(at - 1, FETCH | GO)
                && self.some(0..at - 1, FETCH)
        }) || self
            .places(RESTORE)
            .any(|at| thing(at + 1) && !self.is(at + 1, TASK | DET))
    }

    /// "Deleting milk helps." names a deed; "Completing tasks can be fun." is general.
    fn did(&self) -> bool {
        self.has(0, GERUND) && !self.is_general(1)
    }

    /// "tasks", "a task": whichever.
    fn is_general(&self, at: usize) -> bool {
        self.is(at, TASK | DET) && !self.has(at, POINTS)
    }

    /// "Anything else to delete?", "How did you finish so fast?"
    fn drops_on(&self) -> bool {
        self.places(DROP).any(|at| {
            self.some(0..at, MORE)
                || self.is(0, WH) && (1..NEAR).any(|at| self.is(at, DO) && self.is(at, PAST))
                || self.is(0, WH) && self.was(at, 1, YOU) && self.was(at, 2, PAST)
        })
    }

    /// "It helps to have milk off your mind."
    fn relieves(&self) -> bool {
        self.places(OFF)
            .any(|at| self.has(at + 1, POINTS) && self.some(0..at, FETCH) && !self.is(at - 1, POSS))
    }

    /// "Tell me how it feels to be done."
    fn feels(&self) -> bool {
        self.places(FEELS).any(|at| {
            (at + 1..self.len())
                .any(|at| self.is(at, DONE | ABSENT) && self.was(at, 1, BE | ASBE | ING))
        })
    }

    /// "Is Friday better for the dentist now?", "Can you find milk now?"
    fn moved(&self) -> bool {
        let last = self.len().saturating_sub(1);
        let better = self.is(0, BE) && !self.is(1, YOU) && self.any(0..last, COMPARE);
        let found = self.is(0, MODAL)
            && self.is(1, YOU)
            && (2..last).any(|at| self.has(at, TASTE) && !self.is(at, DESIRE));
        self.is(last, NOW) && (better || found)
    }

    /// "You have a busy week ahead."
    fn loads(&self) -> bool {
        (0..self.len()).any(|at| {
            let opens =
                at == 0 || self.was(at, 1, SENSE) || self.0.get(at).is_some_and(|word| word.cut);
            opens && self.is(at, YOU) && self.any(at..at + NEAR, HAVE)
        })
    }

    /// "Was that quick enough?", "Was that the right task?", "How's that for fast?"
    fn proves(&self) -> bool {
        let past = self.is(0, BE) && self.is(0, PAST) && self.is(1, PRON);
        self.places(BRISK)
            .any(|at| past || self.was(at, 1, PREP) && self.was(at, 2, PRON))
            || past
                && self.places(RIGHT).any(|at| {
                    self.had(at, 1, POINTS) && (self.has(at + 1, ONE) || self.is(at + 1, TASK))
                })
    }

    /// "With milk out of the way, …?", "After deleting milk, …?", "Milk out, …?"
    fn absolves(&self) -> bool {
        let end = |at: usize| {
            let cut = (at + 1..self.len()).find(|at| self.0.get(*at).is_some_and(|word| word.cut));
            cut.unwrap_or(self.len())
        };
        // "with which task", "with whom" asks.
        let beside = |at: usize| {
            let rest = at + 2..end(at);
            let asks = self.is(at + 1, WH);
            let put = self.is(at, PREP) && self.some(rest.clone(), ASIDE);
            let done = self.is(at, PREP) && self.any(rest, DONE);
            let deed =
                self.has(at, AFTERWARD) && self.has(at + 1, GERUND) && !self.is_general(at + 2);
            !asks && (put || done || deed)
        };
        let first = end(0);
        let bare = first > 1
            && first < self.len()
            && self.has(first - 1, ASIDE)
            && !self.any(0..first, BE | DO | HAVE | MODAL | YOU | PREP & UNKNOWN)
            && self.any(0..first - 1, UNKNOWN | WISH | TASK);
        bare || self.places(BESIDE).any(beside)
    }

    /// "What's next after milk?", "Where did it go?", "Who needs milk anyway?"
    fn goes_on(&self) -> bool {
        let last = self.len().saturating_sub(1);
        let after_it = || self.places(AFTERWARD).any(|at| self.had(at, 1, NEXT));
        let anyway = || self.has(last, ANYWAY) && last > 1 && self.is(0, WH);
        let gone = || {
            self.has(last, GO)
                && self.0.first().is_some_and(|word| word.id == *WHERE)
                && self.is(1, PAST)
                && !self.any(0..last, YOU | POSS)
        };
        let without = || {
            self.places(WITHOUT).any(|at| {
                self.some(0..at, LOOK) || self.had(at, 1, DOING) && self.any(0..at, MODAL)
            })
        };
        after_it() || anyway() || gone() || without()
    }

    /// "Do you miss milk?", "Let me know if you miss it."
    fn mourns(&self) -> bool {
        self.places(MISS)
            .any(|at| self.was(at, 1, YOU) && !self.is(at + 1, POSS | ING) && !self.ends(at))
    }

    /// "Would you like a reward for finishing?"
    fn grounded(&self) -> bool {
        self.places(GERUND)
            .any(|at| self.had(at, 1, GROUND) && !self.is_general(at + 1))
    }

    /// "What was the old title?", "What remains?", "What was on your list before?"
    fn recalls(&self) -> bool {
        let old =
            |at: usize| self.had(at, 1, POINTS) && (self.is_data(at + 1) || self.has(at + 1, ONE));
        let last = self.len().saturating_sub(1);
        let before = self.is(0, WH) && self.has(last, BEFORE) && self.is(1, PAST);
        self.places(FORMER).any(old)
            || before
            || self.is(0, WH) && self.places(REMAIN).next().is_some()
    }

    /// "Is milk your only task?", "Are those all your tasks?"
    fn exhausts(&self) -> bool {
        let data = |at: usize| self.is(at, TASK) || self.has(at, ONE);
        self.places(ONLY)
            .any(|at| self.had(at, 1, POINTS) && data(at + 1))
            || self.is(0, BE)
                && self
                    .places(ALL)
                    .any(|at| self.has(at + 1, POINTS) && self.is(at + 2, TASK))
    }

    /// "Did it go through?", "Did that do it?", "Did you see the list?", "Like what you see?"
    fn witnesses(&self) -> bool {
        let last = self.len().saturating_sub(1);
        let did = self.is(0, DO);
        let it = did && self.is(1, PRON);
        let seen = |at: usize| {
            let list = self.has(at + 1, POINTS) && self.is(at + 2, LIST);
            let that = self.is(at + 1, PRON) && self.ends(at + 1);
            self.is(0, PAST) && self.is(1, YOU) && (list || that)
        };
        it && (self.some(0..self.len(), VANISH)
            || self.has(last, THROUGH)
            || self.has(2, DOING) && self.is(3, PRON) && last == 3)
            || self.places(WITNESS).any(seen)
            || self.has(last, WITNESS) && self.is(last - 1, YOU) && !self.some(0..last, MORE)
    }

    /// "Does it look better?", "Could it be any cleaner?"
    fn compares(&self) -> bool {
        let it = self.is(0, DO | MODAL) && self.is(1, PRON);
        it && (self.some(2..4, LOOK) || self.any(2..self.len(), ANY) && self.is(2, BE | ASBE))
    }

    /// "You can rest now.", "You can tell milk goodbye."
    fn takes_leave(&self) -> bool {
        let last = self.len().saturating_sub(1);
        self.places(REST)
            .any(|_| self.is(0, YOU) && self.is(last, NOW))
            || self.places(FAREWELL).any(|at| {
                at > 1 && !self.was(at, 1, PREP | CONJ) && self.is(at - 1, UNKNOWN | PRON)
            })
    }

    /// "Say "milk is gone".": words put into the user's mouth that tell of a result.
    fn quotes_result(&self) -> bool {
        let quoted: Vec<&Word> = self.0.iter().filter(|word| word.quoted).collect();
        quoted.iter().enumerate().any(|(at, word)| {
            word.classes & (BE | HAVE) != 0
                && word.classes & (WH | DONE) == 0
                && quoted
                    .iter()
                    .skip(at + 1)
                    .take(NEAR)
                    .take_while(|word| word.classes & VERY == 0 || word.classes & DONE != 0)
                    .any(|word| word.classes & (DONE | PAST | ABSENT) != 0)
        })
    }
}
