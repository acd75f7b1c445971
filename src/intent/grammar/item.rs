//! Patterns with their words numbered, and what must stand in a clause for one to fit at all.

use std::collections::HashMap;
use std::sync::Arc;

use super::lexicon::{Lexicon, WordSet};
use super::need::{Need, Needed};
use super::pattern::{Fault, Node};
use super::slot::{Kinds, Slot};

/// Conditions that a clause must meet for a pattern to fit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Needs {
    /// Words that it can begin with, if it must begin with one of some.
    pub first: Option<Edge>,
    /// Words that it can end with, if it must end with one of some.
    pub last: Option<Edge>,
    /// A word of each of these must stand in it, in this order.
    pub required: Vec<Arc<WordSet>>,
    /// The same, whatever their order, and more exactly.
    pub ways: Vec<u16>,
    /// The kinds of words that it must fill slots with.
    pub kinds: Kinds,
    /// The fewest and the most words it can have.
    pub length: (usize, usize),
}

/// Words and kinds of words, one of which must stand at an edge of a clause.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edge {
    /// The words.
    pub words: WordSet,
    /// The kinds: those of slots that not any word fills.
    pub kinds: Kinds,
}

impl Edge {
    /// Its words, where no kind does.
    pub(crate) fn only_words(&self) -> Option<&WordSet> {
        (self.kinds == Kinds::default()).then_some(&self.words)
    }
}

/// A pattern with its classes put in and its words numbered. A class is shared by all that name it.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// A word of this set.
    Set(Arc<WordSet>),
    /// One after the other.
    Seq(Arc<[Item]>),
    /// Any one.
    Any(Arc<[Item]>),
    /// An item, or nothing.
    Maybe(Arc<Item>),
    /// Captured words.
    Slot(Slot),
    /// A comma before the next word.
    Comma,
    /// The word before ended in 's.
    Clitic,
}

/// The classes of a file.
pub(crate) type Classes = HashMap<String, Item>;

impl Item {
    /// Puts in the classes, and for the words the numbers they have in `lexicon`.
    pub(crate) fn lower(node: &Node, classes: &Classes, lexicon: &Lexicon) -> Result<Self, Fault> {
        Ok(match node {
            Node::Word(word) => {
                let mut set = WordSet::default();
                set.insert(lexicon.id(word));
                Self::Set(Arc::new(set))
            }
            Node::Class(name) => classes
                .get(name)
                .cloned()
                .ok_or_else(|| Fault::Class(name.clone()))?,
            Node::Seq(nodes) => Self::Seq(
                nodes
                    .iter()
                    .map(|node| Self::lower(node, classes, lexicon))
                    .collect::<Result<_, _>>()?,
            ),
            Node::Maybe(node) => Self::Maybe(Arc::new(Self::lower(node, classes, lexicon)?)),
            Node::Slot(slot) => Self::Slot(*slot),
            Node::Comma => Self::Comma,
            Node::Clitic => Self::Clitic,
            Node::Any(nodes) => {
                let mut set = WordSet::default();
                let mut longer = Vec::new();
                for node in nodes {
                    if let Node::Word(word) = node {
                        set.insert(lexicon.id(word));
                    } else {
                        Self::lower(node, classes, lexicon)?.spread(&mut set, &mut longer);
                    }
                }
                Self::one_of(set, longer)
            }
        })
    }

    /// Sorts an alternative to the single words or to the longer ones.
    fn spread(&self, set: &mut WordSet, longer: &mut Vec<Self>) {
        match self {
            Self::Set(words) => set.extend(words),
            Self::Any(items) => items.iter().for_each(|item| item.spread(set, longer)),
            other => longer.push(other.clone()),
        }
    }

    /// Longer alternatives are tried before single words.
    fn one_of(set: WordSet, mut longer: Vec<Self>) -> Self {
        if set.len() > 0 {
            longer.push(Self::Set(Arc::new(set)));
        }
        match longer.len() {
            1 => longer.remove(0),
            _ => Self::Any(longer.into()),
        }
    }

    /// Returns the place where it lies, if it is of several items and others hold it too: a class
    /// that patterns name.
    pub(super) fn shared(&self) -> Option<usize> {
        match self {
            Self::Seq(items) | Self::Any(items) if Arc::strong_count(items) > 1 => {
                Some(items.as_ptr().addr())
            }
            _ => None,
        }
    }

    /// The patterns it is a choice of, in the order they are tried.
    pub(crate) fn alternatives(&self) -> &[Self] {
        match self {
            Self::Any(items) => items,
            _ => std::slice::from_ref(self),
        }
    }

    /// Its single words, when it is nothing else; for the tables a grammar keeps.
    pub(crate) fn words(&self) -> WordSet {
        let mut set = WordSet::default();
        let mut longer = Vec::new();
        self.spread(&mut set, &mut longer);
        set
    }

    /// Collects what a clause must have for it to fit.
    pub(crate) fn needs(&self, needed: &mut Needed) -> Needs {
        let mut required = Vec::new();
        self.required(needed, &mut required);
        let ways = match self {
            Self::Seq(items) => items.iter().filter_map(|item| item.way(needed)).collect(),
            other => other.way(needed).into_iter().collect(),
        };
        Needs {
            kinds: self.kinds(),
            first: self.edge(End::First),
            last: self.edge(End::Last),
            required,
            ways,
            length: self.length(),
        }
    }

    /// The words it can begin with, if it must begin with one of some words.
    pub(crate) fn opening(&self) -> Option<WordSet> {
        let edge = self.edge(End::First)?;
        edge.only_words().is_some().then_some(edge.words)
    }

    /// The words that any way through it begins with, whatever the others begin with.
    pub(crate) fn first_words(&self) -> WordSet {
        let mut edge = Edge::default();
        self.at_edge(End::First, &mut edge);
        edge.words
    }

    fn edge(&self, end: End) -> Option<Edge> {
        let mut edge = Edge::default();
        (self.at_edge(end, &mut edge) == Begin::Words).then_some(edge)
    }

    fn at_edge(&self, edge: End, into: &mut Edge) -> Begin {
        match self {
            Self::Set(set) => {
                into.words.extend(set);
                Begin::Words
            }
            Self::Seq(items) => {
                let mut each = |item: &Self| {
                    let found = item.at_edge(edge, into);
                    (found != Begin::Nothing).then_some(found)
                };
                match edge {
                    End::First => items.iter().find_map(&mut each),
                    End::Last => items.iter().rev().find_map(&mut each),
                }
                .unwrap_or(Begin::Nothing)
            }
            Self::Any(items) => items
                .iter()
                .map(|item| item.at_edge(edge, into))
                .max()
                .unwrap_or(Begin::Nothing),
            Self::Maybe(item) => match item.at_edge(edge, into) {
                Begin::Anything => Begin::Anything,
                Begin::Words | Begin::Nothing => Begin::Nothing,
            },
            Self::Comma | Self::Clitic => Begin::Nothing,
            Self::Slot(slot) if slot.extent().is_none() => {
                into.kinds = into.kinds.with(slot.kind());
                Begin::Words
            }
            Self::Slot(_) => Begin::Anything,
        }
    }

    /// The fewest and the most words that fit it.
    fn length(&self) -> (usize, usize) {
        match self {
            Self::Set(_) => (1, 1),
            Self::Comma | Self::Clitic => (0, 0),
            Self::Maybe(item) => (0, item.length().1),
            Self::Slot(slot) => slot.length(),
            Self::Seq(items) => items.iter().fold((0, 0), |(least, most), item| {
                let (fewest, longest) = item.length();
                (least + fewest, longest.saturating_add(most))
            }),
            Self::Any(items) => {
                let lengths = items.iter().map(Self::length);
                let wider = |(least, most): (usize, usize), (fewest, longest)| {
                    (least.min(fewest), most.max(longest))
                };
                lengths.reduce(wider).unwrap_or_default()
            }
        }
    }

    /// The kinds of words that every way through it fills slots with.
    fn kinds(&self) -> Kinds {
        match self {
            Self::Slot(slot) => slot.kind(),
            Self::Seq(items) => items
                .iter()
                .map(Self::kinds)
                .fold(Kinds::default(), Kinds::with),
            _ => Kinds::default(),
        }
    }

    fn required(&self, needed: &mut Needed, into: &mut Vec<Arc<WordSet>>) {
        match self {
            Self::Set(set) => into.push(Arc::clone(set)),
            Self::Seq(items) => items.iter().for_each(|item| item.required(needed, into)),
            Self::Any(items) => {
                if let Some(known) = self.shared().and_then(|place| needed.required(place)) {
                    into.extend(known.iter().cloned());
                    return;
                }
                let each = items.iter().map(|item| {
                    let mut inner = Vec::new();
                    item.required(needed, &mut inner);
                    inner
                });
                let sets = common(each.collect());
                if self.shared().is_some() {
                    needed.keep_required(self, sets.clone());
                }
                into.extend(sets);
            }
            Self::Maybe(_) | Self::Slot(_) | Self::Comma | Self::Clitic => {}
        }
    }

    /// Returns the need for all that it requires in whatever order, with the ways of each choice;
    /// nothing where it may fit anything.
    fn way(&self, needed: &mut Needed) -> Option<u16> {
        let Some(place) = self.shared() else {
            return self.own_way(needed);
        };
        if let Some(known) = needed.way(place) {
            return known;
        }
        let way = self.own_way(needed);
        needed.keep_way(self, way);
        way
    }

    fn own_way(&self, needed: &mut Needed) -> Option<u16> {
        let need = match self {
            Self::Set(set) => Need::Word(needed.number(set)),
            Self::Seq(items) => {
                let ways = items.iter().filter_map(|item| item.way(needed));
                Need::All(ways.collect())
            }
            Self::Any(items) => {
                let ways: Option<_> = items.iter().map(|item| item.way(needed)).collect();
                Need::Any(ways?)
            }
            Self::Maybe(_) | Self::Slot(_) | Self::Comma | Self::Clitic => return None,
        };
        match need {
            Need::All(needs) if needs.is_empty() => None,
            need => Some(needed.need(need)),
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

/// An end of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Start of an item at an edge; the larger wins among alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begin {
    /// One of some words, or of some kinds of words.
    Words,
    /// Perhaps nothing: look at what stands next.
    Nothing,
    /// A slot that any word fills.
    Anything,
}

#[cfg(test)]
mod tests {
    use super::super::pattern::{each_word, parse};
    use super::*;

    fn item(line: &str, lexicon: &mut Lexicon) -> Item {
        each_word(line, |word| {
            lexicon.learn(word);
        });
        Item::lower(&parse(line).unwrap(), &Classes::new(), lexicon).unwrap()
    }

    #[test]
    fn a_pattern_knows_how_it_begins() {
        let mut lexicon = Lexicon::default();
        let needs = item("[please] (delete | take out) {target}", &mut lexicon)
            .needs(&mut Needed::default());
        assert_eq!(needs.first.unwrap().words.len(), 3);
        let needs = item("{target} is (done | over)", &mut lexicon).needs(&mut Needed::default());
        assert!(needs.first.is_none());
        assert_eq!(needs.required.len(), 2);
        assert_eq!(needs.last.unwrap().words.len(), 2);
        let needs = item("[now] {date}", &mut lexicon).needs(&mut Needed::default());
        let (first, last) = (needs.first.unwrap(), needs.last.unwrap());
        assert_eq!((first.words.len(), last.words.len()), (1, 0));
        assert_eq!([first.kinds, last.kinds], [Slot::Date.kind(); 2]);
        assert!(needs.required.is_empty());
    }
}
