//! Titles out of what a user wants added: as written, with dates, priorities and notes
//! and times of day taken off their edges. Inner ones stay.

use std::ops::Range;

use crate::intent::grammar::{Class, Tier};
use crate::intent::{Addition, NewTask};
use crate::language::slot::Slot;
use crate::language::words::Gap;
use crate::temporal::FoundRepeat;

use super::Reader;

/// More parts than this are one text, not a list of titles.
const PARTS: usize = 20;

/// The longest attribute other than a note, in words: "with a very high priority".
const ATTRIBUTE: usize = 6;

impl Reader<'_> {
    /// The task that the words of `range` describe.
    pub(super) fn task(&mut self, range: Range<usize>) -> NewTask {
        self.trimmed(range).1
    }

    /// The content as one task and as several.
    pub(super) fn addition(&mut self, range: Range<usize>) -> Addition {
        let range = self.corrected(range);
        let range = self.unparted(range);
        let (title, task) = self.trimmed(range.clone());
        // "dentist on monday and gym on tuesday": each has its own day.
        let own = self.joined(range).into_iter();
        let own = own.map(|piece| (piece.clone(), self.task(piece)));
        let own: Vec<_> = own.filter(|(_, task)| !task.title.is_empty()).collect();
        // "eggs tomorrow and bread on friday": as soon as one before the last has, no day is shared.
        let is_dated = |(_, task): &(_, NewTask)| task.due.is_some();
        let dated = own
            .split_last()
            .is_some_and(|(_, before)| before.iter().any(is_dated));
        let all_dated = own.iter().all(is_dated);
        let pieces = if dated {
            own.into_iter().map(|(piece, _)| piece).collect()
        } else {
            self.joined(title)
        };
        let split = pieces.len() > 1 && (dated && all_dated || self.lists(&pieces));
        let mut parts = vec![task.clone()];
        if pieces.len() > 1 {
            let mut shared = task.clone();
            if dated {
                (shared.due, shared.time, shared.after) = (None, None, None);
            }
            parts = pieces.into_iter().map(|piece| self.task(piece)).collect();
            parts.iter_mut().for_each(|part| part.fill(&shared));
        }
        Addition {
            whole: task,
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

    /// The title's words, and the task that they and what stood at their edges describe.
    fn trimmed(&mut self, mut range: Range<usize>) -> (Range<usize>, NewTask) {
        let mut task = NewTask::default();
        loop {
            let before = range.clone();
            range = self.without_times(range, &mut task);
            range = self.without_attribute(range, &mut task);
            while range.len() > 1 && self.is(Class::Loose, range.end - 1) {
                range.end -= 1;
            }
            if range == before {
                break;
            }
        }
        self.titled(range.clone()).clone_into(&mut task.title);
        task.bytes = self.bytes(range.clone());
        (range, task)
    }

    /// Takes a time of day, a while from now, a date and a repetition off the edges.
    fn without_times(&self, mut range: Range<usize>, task: &mut NewTask) -> Range<usize> {
        let time = self.clock.iter().rfind(|(words, _)| is_edge(words, &range));
        if let Some((words, time)) = time.filter(|_| task.time.is_none()) {
            task.time = Some(*time);
            range = outside(range, words);
        }
        let mut whiles = self.whiles.iter();
        let after = whiles.rfind(|(words, _)| is_edge(words, &range));
        if let Some((words, seconds)) = after.filter(|_| task.after.is_none()) {
            task.after = Some(*seconds);
            range = outside(range, words);
        }
        // "eggs after friday": a day that it is not due on.
        let later = |date: &Range<usize>| {
            let before = date.start.checked_sub(1).filter(|at| range.contains(at));
            before.is_some_and(|at| self.is(Class::After, at))
        };
        // At both edges the later one dates the task: "tomorrow's lunch on friday".
        let mut dates = self.dates.iter();
        let date = dates.rfind(|date| is_edge(date, &range) && !later(date));
        if let Some(date) = date.filter(|_| task.due.is_none()) {
            task.due = self.new_due(date);
            range = outside(range, date);
        }
        let same =
            |found: &FoundRepeat| (task.repeat.as_ref()).is_none_or(|rule| *rule == found.rule);
        let mut repeats = self.repeats.iter();
        let repeat = repeats.rfind(|(words, found)| is_edge(words, &range) && same(found));
        if let Some((words, found)) = repeat {
            task.repeat = Some(found.rule.clone());
            // One that tells a part of the day stays there.
            if !found.part_of_day {
                range = outside(range, words);
            }
        }
        range
    }

    fn without_attribute(&mut self, range: Range<usize>, task: &mut NewTask) -> Range<usize> {
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
                task.description = note.map(|note| self.written(note).to_owned());
                return range.start..start;
            }
            if near && let Some(found) = self.find(&grammar.attributes, start..range.end, Tier::All)
            {
                let priority = self.priority(found.head, &found.captures);
                task.priority = task.priority.or(priority);
                return range.start..start;
            }
        }
        range
    }
}

/// Tells whether words end `range`, or begin it; it may begin among them.
const fn is_edge(words: &Range<usize>, range: &Range<usize>) -> bool {
    let last = words.end == range.end && words.start >= range.start;
    let first = words.start <= range.start && words.end > range.start && words.end <= range.end;
    last || first
}

/// The rest of `range` without words at one of its edges.
fn outside(range: Range<usize>, edge: &Range<usize>) -> Range<usize> {
    if edge.end == range.end {
        range.start..edge.start.max(range.start)
    } else {
        edge.end..range.end
    }
}
