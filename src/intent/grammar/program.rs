//! Patterns turned into steps, and what must stand in a clause for a pattern to fit at all.

use std::collections::HashMap;
use std::rc::Rc;

use super::lexicon::{Lexicon, WordHash, WordId, WordSet};
use super::need::{Need, Needed};
use super::pattern::{Fault, Node};
use super::slot::{Kinds, Slot};

/// One step of a pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// A word of this set.
    Set(u32),
    /// Captured words, and the number of what may follow them.
    Slot(Slot, u32),
    /// A comma before the next word.
    Comma,
    /// The word before ended in 's.
    Clitic,
    /// Go on at the next step; if that fails, here.
    Split(u32),
    /// The same where the next step needs a word of this set: without one, here at once.
    Try(u32, u32),
    /// Go on there.
    Jump(u32),
    /// Go on at the next step, but without a word of this set there.
    Skip(u32, u32),
    /// A word of this set must stand here; it is not taken.
    Need(u32),
    /// The pattern is over: at the end of the clause, unless it is a pattern for its beginning.
    End,
}

/// What a clause must have for a pattern to fit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Needs {
    /// The words it can begin with, if it must begin with one of some words.
    pub first: Option<WordSet>,
    /// The words it can end with, if it must end with one of some words.
    pub last: Option<WordSet>,
    /// A word of each of these must stand in it, in this order.
    pub required: Vec<WordSet>,
    /// The same, whatever their order, and more exactly.
    pub ways: Vec<Need>,
    /// The kinds of words that it must fill slots with.
    pub kinds: Kinds,
    /// The fewest and the most words it can have.
    pub length: (usize, usize),
}

/// A pattern with its classes put in and its words numbered. A class is shared by all that name it.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// A word of this set.
    Set(Rc<WordSet>),
    /// One after the other.
    Seq(Rc<[Item]>),
    /// Any one.
    Any(Rc<[Item]>),
    /// It, or nothing.
    Maybe(Rc<Item>),
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
    /// Puts in the classes and numbers the words.
    pub(crate) fn lower(
        node: &Node,
        classes: &Classes,
        lexicon: &mut Lexicon,
    ) -> Result<Self, Fault> {
        Ok(match node {
            Node::Word(word) => {
                let mut set = WordSet::default();
                set.insert(lexicon.learn(word));
                Self::Set(Rc::new(set))
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
            Node::Maybe(node) => Self::Maybe(Rc::new(Self::lower(node, classes, lexicon)?)),
            Node::Slot(slot) => Self::Slot(*slot),
            Node::Comma => Self::Comma,
            Node::Clitic => Self::Clitic,
            Node::Any(nodes) => {
                let mut set = WordSet::default();
                let mut longer = Vec::new();
                for node in nodes {
                    Self::lower(node, classes, lexicon)?.spread(&mut set, &mut longer);
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
            longer.push(Self::Set(Rc::new(set)));
        }
        match longer.len() {
            1 => longer.remove(0),
            _ => Self::Any(longer.into()),
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

    /// What a clause must have for it to fit.
    pub(crate) fn needs(&self, needed: &mut Needed) -> Needs {
        let (mut required, mut ways) = (Vec::new(), Vec::new());
        self.required(&mut required);
        self.ways(needed, &mut ways);
        Needs {
            kinds: self.kinds(),
            first: self.opening(),
            last: self.edge(Edge::Last),
            required,
            ways,
            length: self.length(),
        }
    }

    /// The words it can begin with, if it must begin with one of some words.
    pub(crate) fn opening(&self) -> Option<WordSet> {
        self.edge(Edge::First)
    }

    fn edge(&self, edge: Edge) -> Option<WordSet> {
        let mut words = WordSet::default();
        (self.at_edge(edge, &mut words) == Begin::Words).then_some(words)
    }

    fn at_edge(&self, edge: Edge, into: &mut WordSet) -> Begin {
        match self {
            Self::Set(set) => {
                into.extend(set);
                Begin::Words
            }
            Self::Seq(items) => {
                let mut each = |item: &Self| {
                    let found = item.at_edge(edge, into);
                    (found != Begin::Nothing).then_some(found)
                };
                match edge {
                    Edge::First => items.iter().find_map(&mut each),
                    Edge::Last => items.iter().rev().find_map(&mut each),
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
                let lengths = || items.iter().map(Self::length);
                let least = lengths().map(|(least, _)| least).min();
                let most = lengths().map(|(_, most)| most).max();
                (least.unwrap_or_default(), most.unwrap_or_default())
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

    fn required(&self, into: &mut Vec<WordSet>) {
        match self {
            Self::Set(set) => into.push(WordSet::clone(set)),
            Self::Seq(items) => items.iter().for_each(|item| item.required(into)),
            Self::Any(items) => {
                let each = items.iter().map(|item| {
                    let mut inner = Vec::new();
                    item.required(&mut inner);
                    inner
                });
                into.extend(common(each.collect()));
            }
            Self::Maybe(_) | Self::Slot(_) | Self::Comma | Self::Clitic => {}
        }
    }

    /// What it requires in whatever order, with the ways of each choice.
    fn ways(&self, needed: &mut Needed, into: &mut Vec<Need>) {
        match self {
            Self::Set(set) => {
                let number = needed.number(set);
                match into.last_mut() {
                    Some(Need::Words(words)) => words.push(number),
                    _ => into.push(Need::Words(vec![number])),
                }
            }
            Self::Seq(items) => items.iter().for_each(|item| item.ways(needed, into)),
            Self::Any(items) => {
                let ways = items.iter().map(|item| {
                    let mut way = Vec::new();
                    item.ways(needed, &mut way);
                    way
                });
                let ways: Vec<_> = ways.collect();
                if !ways.iter().any(Vec::is_empty) {
                    into.push(Need::Any(ways));
                }
            }
            Self::Maybe(_) | Self::Slot(_) | Self::Comma | Self::Clitic => {}
        }
    }
}

/// What all of several alternatives require, from what each of them does.
fn common(mut each: Vec<Vec<WordSet>>) -> Vec<WordSet> {
    let fewest = each.iter().map(Vec::len).min().unwrap_or_default();
    if fewest == 1 {
        // One word of each: of each the rarest kind.
        for sets in &mut each {
            sets.sort_by_key(WordSet::len);
        }
    }
    let nth = |at: usize| {
        let mut all = WordSet::default();
        each.iter()
            .filter_map(|sets| sets.get(at))
            .for_each(|set| all.extend(set));
        all
    };
    (0..fewest).map(nth).collect()
}

/// An end of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    First,
    Last,
}

/// What an item has at an edge; the larger wins among alternatives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Begin {
    /// One of some words.
    Words,
    /// It may be nothing: look at what stands next.
    Nothing,
    /// A slot.
    Anything,
}

/// Fewer alternatives than this are tried one after the other.
const FEW: usize = 6;

/// What may follow a slot: an open slot is closed only before such a word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Follow {
    /// One of these words.
    pub words: WordSet,
    /// The end of the clause.
    pub end: bool,
    /// Anything.
    pub any: bool,
    /// Nothing but the end.
    pub only_end: bool,
}

/// All steps of one grammar.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// What may follow the slots.
    pub follows: Vec<Follow>,
    /// Of all patterns, one after the other.
    pub steps: Vec<Step>,
    /// The word sets they speak of.
    pub sets: Vec<WordSet>,
    /// The sets that the patterns need.
    pub needed: Needed,
    numbers: HashMap<WordSet, u32, WordHash>,
}

impl Program {
    /// Adds a pattern; gives the place of its first step.
    pub(crate) fn add(&mut self, item: &Item) -> u32 {
        let start = self.here();
        self.emit(item);
        self.steps.push(Step::End);
        start
    }

    /// Works out what may follow each slot, once all patterns are there.
    pub(crate) fn link(&mut self) {
        for at in 0..self.steps.len() {
            let Some(Step::Slot(slot, _)) = self.steps.get(at).copied() else {
                continue;
            };
            let mut follow = Follow::default();
            self.follow(at + 1, &mut follow);
            follow.only_end = follow.end && !follow.any && follow.words.len() == 0;
            let number = u32::try_from(self.follows.len()).unwrap_or(u32::MAX);
            self.follows.push(follow);
            if let Some(step) = self.steps.get_mut(at) {
                *step = Step::Slot(slot, number);
            }
        }
    }

    fn follow(&self, at: usize, into: &mut Follow) {
        match self.steps.get(at) {
            Some(Step::Set(set)) => {
                if let Some(words) = self.sets.get(*set as usize) {
                    into.words.extend(words);
                }
            }
            // What `Skip` leaves out leads on to the same.
            Some(Step::Comma | Step::Clitic | Step::Skip(..) | Step::Need(_)) => {
                self.follow(at + 1, into);
            }
            Some(Step::Jump(to)) => self.follow(*to as usize, into),
            Some(Step::Split(other) | Step::Try(_, other)) => {
                self.follow(at + 1, into);
                self.follow(*other as usize, into);
            }
            Some(Step::Slot(..)) => into.any = true,
            Some(Step::End) | None => into.end = true,
        }
    }

    /// The words that fit the pattern at `start` alone, and those that can stand second in what
    /// fits it. `None` where more than words decides.
    pub(crate) fn openings(&self, start: u32) -> Option<(WordSet, WordSet)> {
        let (mut alone, mut second) = (WordSet::default(), WordSet::default());
        let (firsts, _) = self.next(start as usize)?;
        for (set, at) in firsts {
            let (seconds, ends) = self.next(at + 1)?;
            if ends {
                alone.extend(set);
            }
            seconds.iter().for_each(|(set, _)| second.extend(set));
        }
        Some((alone, second))
    }

    /// The steps that may take the next word from step `at` on, with their sets, and whether the
    /// pattern may be over. `None` where more than words decides.
    fn next(&self, at: usize) -> Option<(Vec<(&WordSet, usize)>, bool)> {
        let (mut found, mut ends) = (Vec::new(), false);
        let mut seen = Vec::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            match self.steps.get(at)? {
                Step::Set(set) => found.push((self.set(*set)?, at)),
                Step::Jump(to) => open.push(*to as usize),
                Step::Skip(_, other) | Step::Split(other) | Step::Try(_, other) => {
                    open.extend([at + 1, *other as usize]);
                }
                Step::Need(_) => open.push(at + 1),
                Step::End => ends = true,
                Step::Slot(..) | Step::Comma | Step::Clitic => return None,
            }
        }
        Some((found, ends))
    }

    /// The step at that place.
    pub(crate) fn step(&self, at: u32) -> Step {
        self.steps.get(at as usize).copied().unwrap_or(Step::End)
    }

    /// Whether `id` is in the set of that number.
    pub(crate) fn has(&self, set: u32, id: WordId) -> bool {
        self.set(set).is_some_and(|set| set.contains(id))
    }

    /// The set of that number.
    pub(crate) fn set(&self, number: u32) -> Option<&WordSet> {
        self.sets.get(number as usize)
    }

    fn here(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, item: &Item) {
        match item {
            Item::Set(set) => {
                let number = self.number(set);
                self.steps.push(Step::Set(number));
            }
            Item::Seq(items) => items.iter().for_each(|item| self.emit(item)),
            Item::Slot(slot) => self.steps.push(Step::Slot(*slot, 0)),
            Item::Comma => self.steps.push(Step::Comma),
            Item::Clitic => self.steps.push(Step::Clitic),
            Item::Maybe(inner) => {
                let choice = self.choose(inner);
                self.emit(inner);
                self.otherwise(choice);
            }
            Item::Any(items) => self.emit_any(items),
        }
    }

    /// Many alternatives stand in groups that one look at the next word leaves out.
    fn emit_any(&mut self, items: &[Item]) {
        let mut jumps = Vec::new();
        let size = match items.len() {
            0..FEW => items.len().max(1),
            many => many.isqrt(),
        };
        let groups = items.chunks(size).len();
        for (number, group) in items.chunks(size).enumerate() {
            let last = number + 1 == groups;
            let skip = if groups > 1 {
                self.emit_skip(group, last)
            } else {
                None
            };
            for (at, item) in group.iter().enumerate() {
                if last && at + 1 == group.len() {
                    self.emit(item);
                    break;
                }
                let choice = self.choose(item);
                self.emit(item);
                jumps.push(self.here());
                self.steps.push(Step::Jump(0));
                self.otherwise(choice);
            }
            if let Some(skip) = skip {
                self.otherwise(skip);
            }
        }
        let end = self.here();
        for jump in jumps {
            self.put(jump, Step::Jump(end));
        }
    }

    /// Begins a group of alternatives that all need a word at their front; after the last
    /// group there is nowhere to go.
    fn emit_skip(&mut self, group: &[Item], last: bool) -> Option<u32> {
        let mut words = WordSet::default();
        for item in group {
            words.extend(&item.opening()?);
        }
        let place = self.here();
        let words = self.number(&words);
        self.steps.push(if last {
            Step::Need(words)
        } else {
            Step::Skip(words, 0)
        });
        Some(place)
    }

    /// Begins a choice for `item`; where else to go on is told by [`Self::otherwise`].
    fn choose(&mut self, item: &Item) -> u32 {
        let place = self.here();
        let step = match item.opening() {
            Some(first) => Step::Try(self.number(&first), 0),
            None => Step::Split(0),
        };
        self.steps.push(step);
        place
    }

    fn otherwise(&mut self, choice: u32) {
        let here = self.here();
        if let Some(Step::Split(other) | Step::Try(_, other) | Step::Skip(_, other)) =
            self.steps.get_mut(choice as usize)
        {
            *other = here;
        }
    }

    /// The number of `set`, given now if it has none.
    pub(crate) fn number(&mut self, set: &WordSet) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    fn put(&mut self, at: u32, step: Step) {
        if let Some(place) = self.steps.get_mut(at as usize) {
            *place = step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::parse;
    use super::*;

    fn item(line: &str, lexicon: &mut Lexicon) -> Item {
        Item::lower(&parse(line).unwrap(), &Classes::new(), lexicon).unwrap()
    }

    #[test]
    fn a_pattern_knows_how_it_begins() {
        let mut lexicon = Lexicon::default();
        let needs = item("[please] (delete | take out) {target}", &mut lexicon)
            .needs(&mut Needed::default());
        assert_eq!(needs.first.unwrap().len(), 3);
        let needs = item("{target} is (done | over)", &mut lexicon).needs(&mut Needed::default());
        assert!(needs.first.is_none());
        assert_eq!(needs.required.len(), 2);
        assert_eq!(needs.last.unwrap().len(), 2);
        let needs = item("[now] {date}", &mut lexicon).needs(&mut Needed::default());
        assert!(needs.first.is_none() && needs.last.is_none() && needs.required.is_empty());
    }
}
