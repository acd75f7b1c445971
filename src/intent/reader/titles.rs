//! Titles out of what a user wants added: as written, with dates, priorities and notes
//! and times of day taken off their edges. Inner ones stay.

use std::ops::Range;

use chrono::NaiveTime;

use crate::domain::{Priority, Repeat};
use crate::intent::grammar::slot::Slot;
use crate::intent::grammar::{Class, Tier};
use crate::intent::{Addition, Due, NewTask};
use crate::language::words::Gap;
use crate::temporal::FoundRepeat;

use super::Reader;

/// More parts than this are one text, not a list of titles.
const PARTS: usize = 20;

/// The longest attribute other than a note, in words: "with a very high priority".
const ATTRIBUTE: usize = 6;

/// Values taken off the edges of a title.
#[derive(Default)]
struct Taken {
    due: Option<Due>,
    priority: Option<Priority>,
    description: Option<String>,
    time: Option<NaiveTime>,
    after: Option<u32>,
    repeat: Option<Repeat>,
}

impl Reader<'_> {
    /// The task that the words of `range` describe.
    pub(super) fn task(&mut self, range: Range<usize>) -> NewTask {
        let (title, taken) = self.trimmed(range);
        self.new_task(title, taken)
    }

    /// The content as one task and as several.
    pub(super) fn addition(&mut self, range: Range<usize>) -> Addition {
        let range = self.corrected(range);
        let range = self.unparted(range);
        let (title, taken) = self.trimmed(range.clone());
        // "dentist on monday and gym on tuesday": each has its own day.
        let mut whole = self.joined(range.clone());
        // "eggs tomorrow and bread on friday": as soon as one before the last has, no day is shared.
        let mut days = Vec::with_capacity(whole.len());
        whole.retain(|piece| {
            let (named, dated) = if *piece == range {
                (!title.is_empty(), taken.due.is_some())
            } else {
                let (title, taken) = self.trimmed(piece.clone());
                (!title.is_empty(), taken.due.is_some())
            };
            days.extend(named.then_some(dated));
            named
        });
        let (last, before) = days.split_last().unwrap_or((&false, &[]));
        let dated = before.contains(&true);
        let all_dated = *last && !before.contains(&false);
        let pieces = if dated {
            whole
        } else {
            self.joined(title.clone())
        };
        let split = pieces.len() > 1 && (dated && all_dated || self.lists(&pieces));
        let whole = self.new_task(title, taken);
        let parts = if pieces.len() > 1 {
            let mut parts: Vec<_> = pieces.into_iter().map(|piece| self.task(piece)).collect();
            for part in &mut parts {
                let shared = whole.due.as_ref().filter(|_| !dated);
                part.due = part.due.take().or_else(|| shared.cloned());
                part.time = part.time.or(whole.time.filter(|_| !dated));
                part.after = part.after.or(whole.after.filter(|_| !dated));
                part.priority = part.priority.or(whole.priority);
                part.repeat = part.repeat.take().or_else(|| whole.repeat.clone());
            }
            parts
        } else {
            vec![whole.clone()]
        };
        Addition {
            whole,
            parts,
            split,
            described: false,
        }
    }

    /// A thing without the article that says that there is some of it: "du lait", "de l'eau".
    fn unparted(&mut self, range: Range<usize>) -> Range<usize> {
        let behind = self.words.list.get(range.start + 1);
        let behind = behind.filter(|_| range.len() > 1);
        let tied = behind.map(|word| self.text.word(word.token as usize));
        if self.is(Class::BeforeElided, range.start)
            && tied.is_some_and(|word| self.untied(word).is_some())
        {
            return range.start + 1..range.end;
        }
        match self.prefix(Class::Partitive, range.clone()) {
            Some(end) if end < range.end => end..range.end,
            _ => range,
        }
    }

    /// The stretches that commas and "and" make of `range`.
    pub(super) fn joined(&mut self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = range.start;
        let mut joined = range.start;
        for at in range.clone() {
            // "and also", "and then" are one joint.
            if at < joined {
                continue;
            }
            let joint = self.is(Class::PlainAnd, at);
            if at > start && (joint || self.words.gap(at).has(Gap::COMMA)) {
                pieces.push(start..at);
                start = at;
            }
            // "milk, then eggs"
            if !joint && start == at && at > range.start && self.is(Class::Apart, at) {
                start = (at + 1).min(range.end - 1);
                joined = start;
            }
            if joint {
                start = self.skip(Class::And, at..range.end).start.max(at + 1);
                joined = start;
            }
        }
        if start < range.end {
            pieces.push(start..range.end);
        }
        if pieces.len() > PARTS {
            return vec![range];
        }
        for piece in &mut pieces {
            *piece = self.unparted(piece.clone());
        }
        // "bread, oh and butter"
        let first = pieces.first().map(|piece| piece.start);
        pieces.retain(|piece| Some(piece.start) == first || !self.is_sigh(piece.clone()));
        pieces
    }

    /// Tells whether the pieces read as a list of things: short, alike, and without a phrase that
    /// belongs to all of them ("pick up milk and eggs from the store").
    fn lists(&mut self, pieces: &[Range<usize>]) -> bool {
        let pieces = pieces.iter().map(|piece| self.trimmed(piece.clone()).0);
        let pieces: Vec<_> = pieces.collect();
        let verb = |piece: &Range<usize>| self.is(Class::Doing, piece.start);
        let verbs = pieces.iter().filter(|piece| verb(piece)).count();
        let tied = |piece: &Range<usize>| {
            piece.len() > 4 || piece.clone().any(|at| self.is(Class::Inner, at))
        };
        if verbs == pieces.len() {
            return true;
        }
        verbs == 0 && !pieces.iter().any(tied)
    }

    fn new_task(&self, title: Range<usize>, taken: Taken) -> NewTask {
        NewTask {
            title: self.titled(title.clone()).to_owned(),
            bytes: if title.is_empty() {
                0..0
            } else {
                self.bytes(title)
            },
            due: taken.due,
            time: taken.time,
            after: taken.after,
            priority: taken.priority,
            description: taken.description,
            repeat: taken.repeat,
        }
    }

    /// The title's words, and what stood at their edges.
    fn trimmed(&mut self, mut range: Range<usize>) -> (Range<usize>, Taken) {
        let mut taken = Taken::default();
        loop {
            let before = range.clone();
            range = self.without_time(range, &mut taken);
            range = self.without_while(range, &mut taken);
            range = self.without_date(range, &mut taken);
            range = self.without_repeat(range, &mut taken);
            range = self.without_attribute(range, &mut taken);
            while range.len() > 1 && self.is(Class::Loose, range.end - 1) {
                range.end -= 1;
            }
            if range == before {
                return (range, taken);
            }
        }
    }

    /// Takes a date off an edge; the words of a quoted title are left alone.
    fn without_date(&self, mut range: Range<usize>, taken: &mut Taken) -> Range<usize> {
        if taken.due.is_some() {
            return range;
        }
        // "eggs after friday": a day that it is not due on.
        let later = |date: &Range<usize>| {
            let before = date.start.checked_sub(1).filter(|at| range.contains(at));
            before.is_some_and(|at| self.is(Class::After, at))
        };
        let edge = |date: &&Range<usize>| {
            let last = date.end == range.end && date.start >= range.start;
            let first =
                date.start <= range.start && date.end > range.start && date.end <= range.end;
            !later(date) && (last || first)
        };
        // At both edges the later one dates the task: "tomorrow's lunch on friday".
        if let Some(date) = self.dates.iter().rfind(edge) {
            taken.due = self.new_due(date);
            if date.end == range.end {
                range.end = date.start.max(range.start);
            } else {
                range.start = date.end;
            }
        }
        range
    }

    /// Takes a repetition off an edge; one that tells a part of the day stays there.
    fn without_repeat(&self, mut range: Range<usize>, taken: &mut Taken) -> Range<usize> {
        let edge = |(words, found): &&(Range<usize>, FoundRepeat)| {
            if taken
                .repeat
                .as_ref()
                .is_some_and(|rule| *rule != found.rule)
            {
                return false;
            }
            let last = words.end == range.end && words.start >= range.start;
            let first =
                words.start <= range.start && words.end > range.start && words.end <= range.end;
            last || first
        };
        if let Some((words, found)) = self.repeats.iter().rfind(edge) {
            taken.repeat = Some(found.rule.clone());
            if found.part_of_day {
                return range;
            }
            if words.end == range.end {
                range.end = words.start.max(range.start);
            } else {
                range.start = words.end;
            }
        }
        range
    }

    /// Takes a time of day off an edge.
    fn without_time(&self, mut range: Range<usize>, taken: &mut Taken) -> Range<usize> {
        if taken.time.is_some() {
            return range;
        }
        if let Some((time, clock)) = at_edge(&self.clock, &range) {
            taken.time = Some(*clock);
            range = outside(range, time);
        }
        range
    }

    /// Takes a while from now off an edge.
    fn without_while(&self, mut range: Range<usize>, taken: &mut Taken) -> Range<usize> {
        if taken.after.is_some() {
            return range;
        }
        if let Some((words, seconds)) = at_edge(&self.whiles, &range) {
            taken.after = Some(*seconds);
            range = outside(range, words);
        }
        range
    }

    fn without_attribute(&mut self, range: Range<usize>, taken: &mut Taken) -> Range<usize> {
        let grammar = self.grammar;
        let words = self.words.list.get(range.clone()).unwrap_or_default();
        for (start, word) in range.clone().zip(words) {
            if !grammar.may_trail(word.id) {
                continue;
            }
            let note = grammar.notes.begins(word.id);
            let near = range.end - start <= ATTRIBUTE
                && (grammar.attributes.begins(word.id) || grammar.is_level(word.id));
            if note && let Some(found) = self.find(&grammar.notes, start..range.end, Tier::All) {
                let note = found.captures.first(Slot::Note);
                taken.description = note.map(|note| self.written(note).to_owned());
                return range.start..start;
            }
            if near && let Some(found) = self.find(&grammar.attributes, start..range.end, Tier::All)
            {
                let priority = self.priority(found.head, &found.captures);
                taken.priority = taken.priority.or(priority);
                return range.start..start;
            }
        }
        range
    }
}

/// The last of these that begins or ends `range`.
fn at_edge<'w, T>(
    all: &'w [(Range<usize>, T)],
    range: &Range<usize>,
) -> Option<&'w (Range<usize>, T)> {
    all.iter().rfind(|(words, _)| {
        let inside = range.start <= words.start && words.end <= range.end;
        inside && (words.end == range.end || words.start == range.start)
    })
}

/// The rest of `range` without words at one of its edges.
const fn outside(range: Range<usize>, edge: &Range<usize>) -> Range<usize> {
    if edge.end == range.end {
        range.start..edge.start
    } else {
        edge.end..range.end
    }
}
