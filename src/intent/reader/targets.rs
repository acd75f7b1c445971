//! References: which tasks the words of a clause are about.

use std::ops::Range;

use crate::intent::grammar::{Class, Flags, HeadKind, Match, Tier};
use crate::intent::{DueFilter, Set, Target, Targets};
use crate::language::slot::Slot;
use crate::language::words::Gap;
use crate::resolver::Position;

use super::Reader;

impl Reader<'_> {
    /// The references in the words of `range`.
    pub(super) fn targets(&mut self, range: Range<usize>) -> Targets {
        let range = self.trim(Class::Late, range);
        let range = self.corrected(range);
        if let Some(firsts) = self.firsts(&range) {
            return firsts;
        }
        let whole = self.target(range.clone());
        let pieces = self.joined(range);
        let named = matches!(whole, Target::Named(_));
        if !named || pieces.len() < 2 {
            return Targets::of(whole);
        }
        let parts = pieces.into_iter().map(|piece| self.target(piece)).collect();
        Targets { whole, parts }
    }

    /// "the first two": as many positions.
    fn firsts(&mut self, range: &Range<usize>) -> Option<Targets> {
        let grammar = self.grammar;
        let found = self.find(&grammar.targets, range.clone(), Tier::Firsts)?;
        // "the first one" is a place.
        let count = self.count(&found.captures.first(Slot::Count)?)?;
        let count = (count > 1).then_some(count)?;
        let place = if found.head.flags.has(Flags::LAST) {
            Position::FromEnd
        } else {
            Position::Nth
        };
        let parts: Vec<Target> = (1..=count.min(20))
            .map(place)
            .map(Target::Position)
            .collect();
        let whole = Target::Named(self.written(range.clone()).to_owned());
        Some(Targets { whole, parts })
    }

    /// One reference.
    pub(super) fn target(&mut self, range: Range<usize>) -> Target {
        if range.is_empty() {
            return Target::Missing;
        }
        let grammar = self.grammar;
        match self.find(&grammar.targets, range.clone(), Tier::All) {
            Some(found) => self.referred(&found, range),
            None => self.named(range),
        }
    }

    fn referred(&mut self, found: &Match, range: Range<usize>) -> Target {
        let flags = found.head.flags;
        match found.head.kind {
            HeadKind::It => Target::It,
            HeadKind::TheOther => Target::Other,
            HeadKind::Nothing => Target::Missing,
            HeadKind::They => {
                let counted = found.captures.first(Slot::Count);
                let two = flags.has(Flags::TWO).then_some(2);
                Target::They {
                    count: counted.and_then(|at| self.count(&at)).or(two),
                }
            }
            HeadKind::Nth => {
                let nth = found
                    .captures
                    .first(Slot::Nth)
                    .or_else(|| found.captures.first(Slot::Count));
                let place = nth.and_then(|at| self.place(&at));
                let last = flags.has(Flags::LAST);
                match (place, last) {
                    (Some(place), false) => Target::Position(Position::Nth(place)),
                    (Some(place), true) => Target::Position(Position::FromEnd(place)),
                    (None, true) => Target::Position(Position::FromEnd(1)),
                    (None, false) => self.named(range),
                }
            }
            HeadKind::Set => Target::Set(self.set(found)),
            _ => match found.captures.first(Slot::Target) {
                Some(inner) if inner.len() < range.len() => self.target(inner),
                _ => self.named(range),
            },
        }
    }

    /// The tasks that words behind "the tasks" leave of all: those of a day, or in a state.
    pub(super) fn narrowed(&mut self, words: Range<usize>) -> Option<Set> {
        if let Some(due) = self.only_date(&words) {
            return Some(Set {
                due: Some(due),
                ..Set::default()
            });
        }
        if let Some(priority) = self.only_level(&words) {
            return Some(Set {
                priority: Some(priority),
                ..Set::default()
            });
        }
        match self.target(words) {
            Target::Set(set) => Some(set),
            _ => None,
        }
    }

    fn set(&mut self, found: &Match) -> Set {
        let flags = found.head.flags;
        let date = found.captures.first(Slot::Date);
        let query = found.captures.first(Slot::Query);
        Set {
            completed: completed(flags),
            due: due(flags).or_else(|| date.and_then(|date| self.set_filter(&date))),
            priority: self.priority(found.head, &found.captures),
            query: query.map(|query| self.written(query).to_owned()),
            list: found
                .captures
                .first(Slot::Name)
                .filter(|_| flags.has(Flags::LISTED))
                .and_then(|name| self.list_name(name)),
            without: match found.captures.first(Slot::Target) {
                Some(left_out) => self.targets(left_out).parts,
                None if flags.has(Flags::OTHERS) => vec![Target::They { count: None }],
                None => Vec::new(),
            },
        }
    }

    /// The name of a list that is not the one list: "shopping list".
    pub(super) fn list_name(&mut self, name: Range<usize>) -> Option<String> {
        let plain = name.clone().all(|at| self.is(Class::PlainList, at));
        // "erledigte Aufgaben", "tareas completadas": the state is no name.
        let plain = plain || name.clone().any(|at| self.tells_state(at));
        // "list completed tasks": the verb is no name.
        let plain = plain || self.is(Class::ListWord, name.start);
        // "on the list, high priority"
        let plain = plain || self.only_level(&name).is_some();
        // "on the list, but only the good one": behind a comma something else is said.
        let plain = plain || name.clone().any(|at| self.words.gap(at).has(Gap::COMMA));
        let noun = (name.end..name.end + 3).take_while(|at| self.is(Class::ListWord, *at));
        let end = name.end + noun.count();
        (!plain).then(|| self.written(name.start..end).to_owned())
    }

    /// Tells whether a word says which tasks are meant by their state.
    fn tells_state(&self, at: usize) -> bool {
        let states = [Class::OpenWord, Class::DoneWord, Class::OverdueWord];
        states.into_iter().any(|class| self.is(class, at))
    }

    fn named(&self, mut range: Range<usize>) -> Target {
        while range.len() > 1 && self.is(Class::Article, range.start) {
            range.start += 1;
        }
        Target::Named(self.titled(range).to_owned())
    }
}

/// Reads what a head says about the state of tasks.
pub(super) fn completed(flags: Flags) -> Option<bool> {
    if flags.has(Flags::DONE) {
        Some(true)
    } else if flags.has(Flags::OPEN) {
        Some(false)
    } else {
        None
    }
}

/// Reads what a head says about days.
pub(super) fn due(flags: Flags) -> Option<DueFilter> {
    if flags.has(Flags::OVERDUE) {
        Some(DueFilter::Overdue)
    } else if flags.has(Flags::UNDATED) {
        Some(DueFilter::Undated)
    } else {
        None
    }
}
