//! Grammars of messages: for each language a file of patterns, read once, fitted to clauses.
//!
//! At the start the words of all languages are numbered, which is a thirtieth of the work; a
//! language costs the rest when a message first has a word that leads to it.
//!
//! A language is a text file, `src/languages/XX/orders.txt`: classes of words, and patterns under heads
//! that say what a clause of that shape means. Order decides: the first pattern that fits
//! a clause reads it. Holds no language of its own.

mod class;
mod file;
mod head;
mod tier;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use rustc_hash::FxBuildHasher;

use crate::domain::{Lang, LangSet, Priority};
use crate::language::lexicon::{Lexicon, WordId, WordSet};
use crate::language::matcher::{Finish, Matcher, PatternText};
use crate::language::pattern::Pattern;
use crate::language::rules;
use crate::language::words::Word;
use crate::languages::PerLang;
use crate::temporal::Unit;

pub(crate) use crate::language::matcher::Captures;
pub(crate) use crate::language::rules::Part;
use crate::language::slot::Slot;
pub(crate) use class::Class;
pub(crate) use head::{ErrandKind, Flags, Head, HeadKind};
pub(crate) use tier::Tier;

/// Patterns with their heads.
pub(crate) type RuleSet = rules::RuleSet<Head>;

/// A pattern that fitted.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// Its meaning.
    pub head: Head,
    /// Its captures.
    pub captures: Captures,
}

/// Words of a message that a grammar is fitted to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'w> {
    /// The grammar.
    pub grammar: &'w Grammar,
    /// The words of the whole message.
    pub words: &'w [Word],
    /// Dates, as stretches of words, in order.
    pub dates: &'w [Range<usize>],
    /// Times of day and repetitions, as stretches of words, in order.
    pub times: &'w [Range<usize>],
    /// The sentence that is being read.
    pub sentence: &'w Range<usize>,
}

impl PatternText for Line<'_> {
    fn words(&self) -> &[Word] {
        self.words
    }

    fn around(&self, range: &Range<usize>) -> Range<usize> {
        let inside = self.sentence.start <= range.start && range.end <= self.sentence.end;
        if inside {
            self.sentence.clone()
        } else {
            range.clone()
        }
    }

    fn closed(&self, slot: Slot, range: Range<usize>) -> Option<usize> {
        let word = self.words.get(range.start).filter(|_| !range.is_empty());
        let (grammar, next) = (self.grammar, range.start + 1);
        let fills = |fills: fn(&Grammar, &Word) -> bool| {
            word.is_some_and(|word| fills(grammar, word))
                .then_some(next)
        };
        match slot {
            Slot::Date => covering(self.dates, &range, 2),
            Slot::Time => covering(self.times, &range, 1),
            Slot::Level => fills(|grammar, word| grammar.is_level(word.id)),
            Slot::Nth => fills(|grammar, word| word.place || grammar.ordinal(word.id).is_some()),
            Slot::Count => fills(|grammar, word| word.number || grammar.number(word.id).is_some()),
            Slot::Unit => fills(|grammar, word| grammar.unit(word.id).is_some()),
            _ => None,
        }
    }

    fn bars(&self, slot: Slot, word: &Word, first: bool) -> bool {
        let is = |class| self.grammar.has(class, word.id);
        match slot {
            Slot::Name => is(Class::Stop),
            Slot::Thing | Slot::Stuff => is(Class::NoThing) || (first && is(Class::NoStart)),
            _ => false,
        }
    }
}

/// Every grammar, over one lexicon.
#[derive(Debug)]
pub(crate) struct Grammars {
    /// The words of all of them.
    pub lexicon: Lexicon,
    /// For each word, the languages whose grammars know it.
    speakers: Vec<LangSet>,
    /// Each is read when its language is first met.
    all: PerLang<Grammar>,
}

/// The grammars of messages.
static ORDERS: LazyLock<Grammars> = LazyLock::new(|| {
    let read = |lang: Lang| file::read(lang, lang.files().orders, &ORDERS.lexicon).0;
    file::grammars(|files| files.orders, PerLang::new(read))
});

/// The grammars of what is said about agents; read only where there are some.
static ERRANDS: LazyLock<Grammars> = LazyLock::new(|| {
    let read = |lang: Lang| file::read(lang, lang.files().delegation, &ERRANDS.lexicon).0;
    file::grammars(|files| files.delegation, PerLang::new(read))
});

impl Grammars {
    /// The grammars of messages. Their words are known from the first use on.
    pub(crate) fn load() -> &'static Self {
        &ORDERS
    }

    /// The grammars of what is said about agents.
    pub(crate) fn errands() -> &'static Self {
        &ERRANDS
    }

    /// The languages whose grammars know the word `id`.
    pub(crate) fn speakers(&self, id: WordId) -> LangSet {
        self.speakers
            .get(usize::from(id))
            .copied()
            .unwrap_or_default()
    }

    /// The grammar of a language.
    pub(crate) fn of(&self, lang: Lang) -> &Grammar {
        self.all.of(lang)
    }

    /// Each language's grammar.
    pub(crate) fn read_all(&self) -> impl Iterator<Item = &Grammar> {
        self.all.all()
    }
}

/// The patterns and words of one language.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// The language.
    pub lang: Lang,
    /// The patterns of clauses.
    pub clauses: RuleSet,
    /// The patterns of references to tasks.
    pub targets: RuleSet,
    /// Priorities at the edge of a title, which are not part of it.
    pub attributes: RuleSet,
    /// Notes behind a title.
    pub notes: RuleSet,
    words: Tables,
}

impl Tables {
    /// Notes of which classes each word below `size` is.
    fn link(&mut self, size: usize) {
        self.single = vec![0; size];
        self.first = vec![0; size];
        for (class, entry) in self.classes.iter().enumerate() {
            let Some(entry) = entry else { continue };
            for (set, bits) in [
                (entry.words(), &mut self.single),
                (entry.opening().unwrap_or_default(), &mut self.first),
            ] {
                for id in set.iter() {
                    if let Some(bits) = bits.get_mut(usize::from(id)) {
                        *bits |= 1 << class;
                    }
                }
            }
        }
    }
}

/// Values of words.
type WordValues<T> = HashMap<WordId, T, FxBuildHasher>;

/// Words that have a value, and words the reader asks for by name.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    numbers: WordValues<u32>,
    ordinals: WordValues<u32>,
    units: WordValues<Unit>,
    levels: WordValues<Priority>,
    /// Verbs, each set in all its forms with those that may stand for it.
    deeds: Vec<WordSet>,
    /// The classes, by their numbers.
    classes: Vec<Option<Pattern>>,
    /// Every word of this grammar.
    known: WordSet,
    /// The words that notes and attributes begin with.
    trailing: WordSet,
    /// By word: the classes of which it is a single word, one bit each.
    single: Vec<u64>,
    /// By word: the classes of which phrases begin with it.
    first: Vec<u64>,
}

impl Grammar {
    /// Tells whether `word` stands anywhere in its file.
    pub(crate) fn knows(&self, word: WordId) -> bool {
        self.words.known.contains(word)
    }

    /// Tells whether `word` is one of the single words of `class`.
    pub(crate) fn is(&self, class: Class, word: Option<&Word>) -> bool {
        word.is_some_and(|word| self.has(class, word.id))
    }

    /// Tells whether the word `id` is one of the single words of `class`.
    #[inline]
    pub(crate) fn has(&self, class: Class, id: WordId) -> bool {
        self.classes(id) & class.bit() != 0
    }

    /// The classes of which the word `id` is a single word, one bit each.
    #[inline]
    pub(crate) fn classes(&self, id: WordId) -> u64 {
        let classes = self.words.single.get(usize::from(id));
        classes.copied().unwrap_or_default()
    }

    /// Tells whether a phrase of `class` may begin with the word `id`.
    #[inline]
    pub(crate) fn leads(&self, class: Class, id: WordId) -> bool {
        let classes = self.words.first.get(usize::from(id));
        classes.is_some_and(|classes| classes & class.bit() != 0)
    }

    /// Tells whether a note or an attribute may begin with the word `id`.
    pub(crate) fn may_trail(&self, id: WordId) -> bool {
        self.words.trailing.contains(id)
    }

    /// Returns the end of a phrase of `class` when one stands at the beginning of `range`.
    pub(crate) fn starts(
        &self,
        class: Class,
        matcher: &mut Matcher,
        line: &Line<'_>,
        range: Range<usize>,
        finish: Finish,
    ) -> Option<usize> {
        let pattern = self.words.classes.get(class as usize)?.as_ref()?;
        matcher.fit(line, pattern, range, finish)
    }

    /// The first of `rules` that fits all of `range`.
    pub(crate) fn find(
        rules: &RuleSet,
        matcher: &mut Matcher,
        line: &Line<'_>,
        range: Range<usize>,
        tier: Tier,
    ) -> Option<Match> {
        let (head, captures) = rules.find(matcher, line, range, |head| tier.admits(head))?;
        Some(Match { head, captures })
    }

    /// The priority a word names.
    pub(crate) fn level(&self, id: WordId) -> Option<Priority> {
        self.words.levels.get(&id).copied()
    }

    /// The sets of verbs that a word is in, one bit each.
    pub(crate) fn deeds(&self, id: WordId) -> u64 {
        let deeds = self.words.deeds.iter().take(64).enumerate();
        deeds.fold(0, |bits, (at, set)| {
            bits | u64::from(set.contains(id)) << at
        })
    }

    /// Tells whether a word names a priority.
    pub(crate) fn is_level(&self, id: WordId) -> bool {
        self.level(id).is_some()
    }

    /// The place an ordinal word names, from 1.
    pub(crate) fn ordinal(&self, id: WordId) -> Option<u32> {
        self.words.ordinals.get(&id).copied()
    }

    /// The number a word names.
    pub(crate) fn number(&self, id: WordId) -> Option<u32> {
        self.words.numbers.get(&id).copied()
    }

    /// The unit of time a word names.
    pub(crate) fn unit(&self, id: WordId) -> Option<Unit> {
        self.words.units.get(&id).copied()
    }
}

/// The end of the stretch that begins at most `slack` words before `range` and reaches into it:
/// a preposition may belong to the pattern and to the date at once.
fn covering(stretches: &[Range<usize>], range: &Range<usize>, slack: usize) -> Option<usize> {
    let at = stretches.partition_point(|stretch| stretch.end <= range.start);
    let stretch = stretches.get(at)?;
    let near = stretch.start <= range.start && range.start - stretch.start <= slack;
    (near && stretch.end <= range.end).then_some(stretch.end)
}
