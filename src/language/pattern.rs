//! Patterns with their words numbered, and what must stand in a clause for one to fit at all.

use std::collections::HashMap;
use std::sync::Arc;

use super::lexicon::{Lexicon, WordId, WordSet};
use super::notation::{Fault, Node};
use super::slot::Slot;

/// A pattern with its classes put in and its words numbered. A class is shared by all that name it.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    /// A word of this set.
    Set(Arc<WordSet>),
    /// One after the other.
    Seq(Arc<[Self]>),
    /// Any one.
    Any(Arc<Choice>),
    /// A part, or nothing.
    Maybe(Arc<Self>),
    /// Captured words.
    Slot(Slot),
    /// A comma before the next word.
    Comma,
    /// The word before ended in 's.
    Clitic,
}

/// Patterns of which one is to fit.
#[derive(Debug)]
pub(crate) struct Choice {
    /// Its number among those of its file.
    pub number: u32,
    /// In the order they are preferred.
    all: Box<[Pattern]>,
    /// The words that one must begin with, and the places of those that do.
    by_word: Box<[(WordId, u16)]>,
    /// Places of those that may begin with any word, or with none.
    open: Box<[u16]>,
    /// A word of each of these must stand where it fits, in this order.
    required: Box<[Arc<WordSet>]>,
}

impl Choice {
    fn new(number: u32, all: Vec<Pattern>) -> Self {
        let (mut by_word, mut open) = (Vec::new(), Vec::new());
        for (at, pattern) in (0..).zip(&all) {
            match pattern.opening() {
                Some(words) => by_word.extend(words.iter().map(|id| (id, at))),
                None => open.push(at),
            }
        }
        by_word.sort_unstable();
        let required = common(all.iter().map(Pattern::required).collect());
        Self {
            number,
            all: all.into(),
            by_word: by_word.into(),
            open: open.into(),
            required: required.into(),
        }
    }

    /// Its patterns, in the order they are preferred.
    pub(crate) fn all(&self) -> &[Pattern] {
        &self.all
    }

    /// Patterns of it that may begin with the word `id`.
    pub(super) fn ways(&self, id: WordId) -> impl Iterator<Item = &Pattern> {
        let begun = self.begun(id).iter().map(|(_, at)| at);
        begun
            .chain(&self.open)
            .filter_map(|at| self.all.get(usize::from(*at)))
    }

    /// Tells whether one of them may begin with the word `id`.
    pub(super) fn may_begin(&self, id: WordId) -> bool {
        !self.open.is_empty() || !self.begun(id).is_empty()
    }

    fn begun(&self, id: WordId) -> &[(WordId, u16)] {
        let start = self.by_word.partition_point(|(word, _)| *word < id);
        let rest = self.by_word.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|(word, _)| *word == id).count();
        rest.get(..length).unwrap_or_default()
    }
}

/// The classes of a file, and the choices in it.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    by_name: HashMap<String, Pattern>,
    choices: u32,
}

impl Classes {
    /// Notes a class.
    pub(crate) fn insert(&mut self, name: String, pattern: Pattern) {
        self.by_name.insert(name, pattern);
    }

    /// Puts in the classes, and for the words the numbers they have in `lexicon`.
    pub(crate) fn lower(&mut self, node: &Node, lexicon: &Lexicon) -> Result<Pattern, Fault> {
        Ok(match node {
            Node::Word(word) => {
                let mut set = WordSet::default();
                set.insert(lexicon.id(word));
                Pattern::Set(Arc::new(set))
            }
            Node::Class(name) => self
                .by_name
                .get(name)
                .cloned()
                .ok_or_else(|| Fault::Class(name.clone()))?,
            Node::Seq(nodes) => {
                let parts = nodes.iter().map(|node| self.lower(node, lexicon));
                Pattern::Seq(parts.collect::<Result<_, _>>()?)
            }
            Node::Maybe(node) => Pattern::Maybe(Arc::new(self.lower(node, lexicon)?)),
            Node::Slot(slot) => Pattern::Slot(*slot),
            Node::Comma => Pattern::Comma,
            Node::Clitic => Pattern::Clitic,
            Node::Any(nodes) => {
                let mut set = WordSet::default();
                let mut longer = Vec::new();
                for node in nodes {
                    if let Node::Word(word) = node {
                        set.insert(lexicon.id(word));
                    } else {
                        let pattern = self.lower(node, lexicon)?;
                        pattern.spread(&mut set, &mut longer);
                    }
                }
                self.one_of(set, longer)
            }
        })
    }

    /// Longer alternatives are tried before single words.
    fn one_of(&mut self, set: WordSet, mut longer: Vec<Pattern>) -> Pattern {
        if set.len() > 0 {
            longer.push(Pattern::Set(Arc::new(set)));
        }
        if longer.len() == 1 {
            return longer.remove(0);
        }
        self.choices += 1;
        Pattern::Any(Arc::new(Choice::new(self.choices, longer)))
    }
}

impl Pattern {
    /// Sorts an alternative to the single words or to the longer ones.
    fn spread(&self, set: &mut WordSet, longer: &mut Vec<Self>) {
        match self {
            Self::Set(words) => set.extend(words),
            Self::Any(choice) => choice.all.iter().for_each(|one| one.spread(set, longer)),
            other => longer.push(other.clone()),
        }
    }

    /// The patterns it is a choice of, in the order they are tried.
    pub(crate) fn alternatives(&self) -> &[Self] {
        match self {
            Self::Any(choice) => &choice.all,
            _ => std::slice::from_ref(self),
        }
    }

    /// Its single words, when it is nothing else; for the tables a grammar keeps.
    pub(crate) fn words(&self) -> WordSet {
        let mut set = WordSet::default();
        self.spread(&mut set, &mut Vec::new());
        set
    }

    /// The words it can begin with, if it must begin with one of some words.
    pub(crate) fn opening(&self) -> Option<WordSet> {
        let mut words = WordSet::default();
        (self.begin(&mut words) == Begin::Words).then_some(words)
    }

    /// The words that any way through it begins with, whatever the others begin with.
    pub(crate) fn first_words(&self) -> WordSet {
        let mut words = WordSet::default();
        self.begin(&mut words);
        words
    }

    // Loops, not adapters: of `map(…).find(…)` and `map(…).max()` around this recursion rustc 1.95 makes
    // code at `opt-level = 3` by which no phrase opens with a word.
    fn begin(&self, words: &mut WordSet) -> Begin {
        match self {
            Self::Set(set) => {
                words.extend(set);
                Begin::Words
            }
            Self::Seq(parts) => {
                for part in parts.iter() {
                    let found = part.begin(words);
                    if found != Begin::Nothing {
                        return found;
                    }
                }
                Begin::Nothing
            }
            Self::Any(choice) => {
                let mut most = Begin::Words;
                for one in &choice.all {
                    most = most.max(one.begin(words));
                }
                most
            }
            Self::Maybe(part) => part.begin(words).max(Begin::Nothing),
            Self::Comma | Self::Clitic => Begin::Nothing,
            Self::Slot(_) => Begin::Anything,
        }
    }

    /// Sets of words of which each must have one that stands where it fits, in this order.
    pub(crate) fn required(&self) -> Vec<Arc<WordSet>> {
        match self {
            Self::Set(set) => vec![Arc::clone(set)],
            Self::Seq(parts) => parts.iter().flat_map(Self::required).collect(),
            Self::Any(choice) => choice.required.to_vec(),
            Self::Maybe(_) | Self::Slot(_) | Self::Comma | Self::Clitic => Vec::new(),
        }
    }

    /// Adds all its words.
    pub(crate) fn know(&self, words: &mut WordSet) {
        match self {
            Self::Set(set) => words.extend(set),
            Self::Seq(parts) => parts.iter().for_each(|part| part.know(words)),
            Self::Any(choice) => choice.all.iter().for_each(|one| one.know(words)),
            Self::Maybe(part) => part.know(words),
            Self::Slot(_) | Self::Comma | Self::Clitic => {}
        }
    }
}

/// Finds what all of several alternatives require, from what each of them does.
fn common(mut each: Vec<Vec<Arc<WordSet>>>) -> Vec<Arc<WordSet>> {
    let fewest = each.iter().map(Vec::len).min().unwrap_or_default();
    if fewest == 1 {
        // One word of each: of each the rarest kind.
        for sets in &mut each {
            sets.sort_by_key(|set| set.len());
        }
    }
    let nth = |at: usize| {
        let mut all = WordSet::default();
        each.iter()
            .filter_map(|sets| sets.get(at))
            .for_each(|set| all.extend(set));
        Arc::new(all)
    };
    (0..fewest).map(nth).collect()
}

/// Start of a pattern; the larger wins among alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begin {
    /// One of some words.
    Words,
    /// Perhaps nothing: look at what stands next.
    Nothing,
    /// A slot.
    Anything,
}
