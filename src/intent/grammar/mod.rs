//! One grammar engine for every language: a file of patterns, read once, fitted to clauses.
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
mod item;
pub(crate) mod lexicon;
pub(crate) mod matcher;
mod need;
mod pattern;
mod program;
mod rows;
mod rules;
mod sign;
pub(crate) mod slot;
mod survey;
pub(crate) mod words;

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use crate::domain::{Lang, LangSet, Priority};
use crate::languages::WordFile;
use crate::temporal::Unit;

pub(crate) use class::Class;
use class::Entry;
pub(crate) use file::errands;
pub(crate) use head::{ErrandKind, Flags, Head, HeadKind};
use lexicon::{Lexicon, WordId, WordSet};
use matcher::{Finish, Line, Matcher};
use program::{Follow, Program};
pub(crate) use rules::{Match, Part, RuleSet, Tier};
use slot::{Kinds, Slot};
pub(crate) use survey::Marks;
use words::Word;

/// More than two words tell whether a phrase stands there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Untold;

/// Every grammar, over one lexicon.
#[derive(Debug)]
pub(crate) struct Grammars {
    /// The words of all of them.
    pub lexicon: Lexicon,
    /// For each word, the languages whose grammars know it.
    speakers: Vec<LangSet>,
    all: [Tongue; Lang::ALL.len()],
}

/// A language, whose grammar is read when it is first met.
#[derive(Debug)]
pub(crate) struct Tongue {
    /// The language.
    pub lang: Lang,
    file: WordFile,
    grammar: OnceLock<Grammar>,
}

impl Tongue {
    const fn new(lang: Lang, file: WordFile) -> Self {
        Self {
            lang,
            file,
            grammar: OnceLock::new(),
        }
    }

    /// Its grammar; `lexicon` is that of all.
    pub(crate) fn grammar(&self, lexicon: &Lexicon) -> &Grammar {
        let read = || file::read(self.lang, self.file, lexicon).0;
        self.grammar.get_or_init(read)
    }
}

static GRAMMARS: LazyLock<Grammars> = LazyLock::new(file::load);

impl Grammars {
    /// The grammars of messages. Their words are known from the first use on.
    pub(crate) fn load() -> &'static Self {
        &GRAMMARS
    }

    /// The languages whose grammars know the word `id`.
    pub(crate) fn speakers(&self, id: WordId) -> LangSet {
        self.speakers
            .get(usize::from(id))
            .copied()
            .unwrap_or_default()
    }

    /// Each language, in the order of [`Lang::ALL`].
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tongue> {
        self.all.iter()
    }

    /// Each language's grammar.
    pub(crate) fn read_all(&self) -> impl Iterator<Item = &Grammar> {
        self.iter().map(|tongue| tongue.grammar(&self.lexicon))
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
    program: Program,
    words: Tables,
}

impl Tables {
    /// Notes which slots for one word each word below `size` fills.
    fn link(&mut self, size: usize) {
        let kinds = |id: WordId| {
            let level = self.levels.iter().any(|(set, _)| set.contains(id));
            let unit = value(&self.units, id).is_some();
            let all = Slot::Level.kind().when(level);
            all.with(Slot::Nth.kind().when(value(&self.ordinals, id).is_some()))
                .with(Slot::Count.kind().when(value(&self.numbers, id).is_some()))
                .with(Slot::Unit.kind().when(unit))
        };
        let ids = || (0..size).filter_map(|id| WordId::try_from(id).ok());
        self.kinds = ids().map(kinds).collect();
        for (level, _) in &self.levels {
            self.trailing.extend(level);
        }
        self.single = vec![0; size];
        self.first = vec![0; size];
        for (class, entry) in self.classes.iter().enumerate() {
            for (set, bits) in [
                (&entry.words, &mut self.single),
                (&entry.first, &mut self.first),
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

/// Words that have a value, and words the reader asks for by name.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    numbers: Vec<(WordId, u32)>,
    ordinals: Vec<(WordId, u32)>,
    units: Vec<(WordId, Unit)>,
    levels: Vec<(WordSet, Priority)>,
    /// Verbs, each set in all its forms with those that may stand for it.
    deeds: Vec<WordSet>,
    classes: Vec<Entry>,
    /// Every word of this grammar.
    known: WordSet,
    /// The words that notes and attributes begin with.
    trailing: WordSet,
    /// By word: the slots for one word that it fills.
    kinds: Vec<Kinds>,
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

    fn follow(&self, number: u16) -> Option<&Follow> {
        self.program.follows.get(usize::from(number))
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
        line: Line<'_>,
        range: Range<usize>,
        finish: Finish,
    ) -> Option<usize> {
        let start = self.words.classes.get(class as usize)?.start?;
        matcher.fit(self, line, start, range, finish)
    }

    /// The length of the phrase of `class` that begins `words`, the first of which leads one, where the
    /// second of them tells it: mostly that none is there.
    pub(crate) fn told(
        &self,
        class: Class,
        words: &[Word],
        finish: Finish,
    ) -> Result<Option<usize>, Untold> {
        let entry = self.words.classes.get(class as usize);
        let (Some(entry), Some((first, rest))) = (entry, words.split_first()) else {
            return Ok(None);
        };
        let pairs = entry.goes_on.as_ref().ok_or(Untold)?;
        if pairs.may_go_on(first.id, rest.first().map(|word| word.id)) {
            return Err(Untold);
        }
        // Only a phrase of one word can stand there.
        let ends = finish == Finish::Anywhere || rest.is_empty();
        Ok((ends && entry.alone.contains(first.id)).then_some(1))
    }

    /// Tells whether `word` can't stand in a slot of that kind, as its first or a later word.
    fn bars(&self, slot: Slot, word: Option<&Word>, first: bool) -> bool {
        match slot {
            Slot::Name => self.is(Class::Stop, word),
            Slot::Thing | Slot::Stuff => {
                self.is(Class::NoThing, word) || (first && self.is(Class::NoStart, word))
            }
            _ => false,
        }
    }

    /// The end of a slot that only certain words can fill.
    fn closed(&self, slot: Slot, line: Line<'_>, range: Range<usize>) -> Option<usize> {
        let word = line.words.get(range.start).filter(|_| !range.is_empty());
        match slot {
            Slot::Date => covering(line.dates, &range, 2),
            Slot::Time => covering(line.times, &range, 1),
            _ => word
                .is_some_and(|word| self.kinds(word).has_all(slot.kind()))
                .then_some(range.start + 1),
        }
    }

    /// The slots that what begins `range` fills, and those that what ends it does; of a sentence with
    /// words of the kinds `all`.
    #[inline]
    fn edge_kinds(&self, line: Line<'_>, range: &Range<usize>, all: Kinds) -> [Kinds; 2] {
        if all == Kinds::default() {
            return [all; 2];
        }
        let kinds = |at: usize| {
            let word = line.words.get(at);
            word.map_or(Kinds::default(), |word| self.kinds(word))
        };
        let begins = |slot: Slot| {
            let kind = slot.kind();
            let stands = all.has(kind) && self.closed(slot, line, range.clone()).is_some();
            kind.when(stands)
        };
        let ends = |slot: Slot, stretches: &[Range<usize>]| {
            let kind = slot.kind();
            let stands = || stretches.iter().any(|one| one.end == range.end);
            kind.when(all.has(kind) && stands())
        };
        let first = begins(Slot::Date).with(begins(Slot::Time));
        let last = ends(Slot::Date, line.dates).with(ends(Slot::Time, line.times));
        [
            kinds(range.start).with(first),
            kinds(range.end.saturating_sub(1)).with(last),
        ]
    }

    /// The slots for one word that `word` fills.
    fn kinds(&self, word: &Word) -> Kinds {
        let known = self.words.kinds.get(usize::from(word.id)).copied();
        known
            .unwrap_or_default()
            .with(Slot::Nth.kind().when(word.place))
            .with(Slot::Count.kind().when(word.number))
    }

    /// The priority a word names.
    pub(crate) fn level(&self, id: WordId) -> Option<Priority> {
        let mut levels = self.words.levels.iter();
        levels
            .find(|(set, _)| set.contains(id))
            .map(|(_, level)| *level)
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
        let kinds = self.words.kinds.get(usize::from(id));
        kinds.is_some_and(|kinds| kinds.has_all(Slot::Level.kind()))
    }

    /// The place an ordinal word names, from 1.
    pub(crate) fn ordinal(&self, id: WordId) -> Option<u32> {
        value(&self.words.ordinals, id)
    }

    /// The number a word names.
    pub(crate) fn number(&self, id: WordId) -> Option<u32> {
        value(&self.words.numbers, id)
    }

    /// The unit of time a word names.
    pub(crate) fn unit(&self, id: WordId) -> Option<Unit> {
        value(&self.words.units, id)
    }
}

fn value<T: Copy>(table: &[(WordId, T)], id: WordId) -> Option<T> {
    table
        .binary_search_by_key(&id, |(word, _)| *word)
        .ok()
        .and_then(|at| table.get(at))
        .map(|(_, value)| *value)
}

/// The end of the stretch that begins at most `slack` words before `range` and reaches into it:
/// a preposition may belong to the pattern and to the date at once.
fn covering(stretches: &[Range<usize>], range: &Range<usize>, slack: usize) -> Option<usize> {
    let at = stretches.partition_point(|stretch| stretch.end <= range.start);
    let stretch = stretches.get(at)?;
    let near = stretch.start <= range.start && range.start - stretch.start <= slack;
    (near && stretch.end <= range.end).then_some(stretch.end)
}
