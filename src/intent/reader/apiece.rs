//! One order for several tasks, each with a day of its own: "move the dentist to thursday and the
//! essay to friday".

use std::ops::Range;

use crate::intent::grammar::{Class, HeadKind};
use crate::intent::{Act, Change, Clause, Values, Verb};
use crate::language::slot::Slot;
use crate::language::words::Gap;

use super::Reader;

/// The most tasks that are given a day in one sentence.
const TASKS: usize = 8;

impl Reader<'_> {
    /// Reads such a sentence. False when it is none; then nothing was read.
    pub(super) fn moves_each(&mut self, range: &Range<usize>, out: &mut Vec<Clause>) -> bool {
        let spoken = self.trim(Class::Tail, range.clone());
        let Some(pieces) = self.dated_pieces(&spoken) else {
            return false;
        };
        let Some(((first, _), others)) = pieces.split_first() else {
            return false;
        };
        if !self.is_move(first.clone()) {
            return false;
        }
        // What is an order of its own is read as one.
        let own = |reader: &mut Self, piece: &Range<usize>| {
            reader.is(Class::Sentence, piece.start) || reader.piece(piece.clone()).is_firm()
        };
        if others.iter().any(|(piece, _)| own(self, piece)) {
            return false;
        }
        let mut clauses = Vec::with_capacity(others.len());
        for (piece, date) in others {
            let mut name = piece.start..date.start;
            let bound = |at: usize| self.is(Class::Loose, at) || self.is(Class::Inner, at);
            while name.len() > 1 && bound(name.end - 1) {
                name.end -= 1;
            }
            let change = Change {
                verb: Verb::Update,
                targets: self.targets(name),
                values: Values {
                    due: self.new_due(date),
                    ..Values::default()
                },
                splits: Vec::new(),
            };
            clauses.push(self.clause(piece.clone(), Act::Change(change)));
        }
        self.sentence(first.clone(), out);
        out.extend(clauses);
        true
    }

    /// The pieces of `range` that end in a day each, with their days; none where a day stands
    /// elsewhere.
    fn dated_pieces(&mut self, range: &Range<usize>) -> Option<Vec<(Range<usize>, Range<usize>)>> {
        let within = |date: &&Range<usize>| date.start > range.start && date.end <= range.end;
        let dates: Vec<_> = self
            .dates
            .iter()
            .filter(within)
            .take(TASKS + 1)
            .cloned()
            .collect();
        if !(2..=TASKS).contains(&dates.len()) {
            return None;
        }
        let mut pieces = Vec::with_capacity(dates.len());
        let mut start = range.start;
        for date in dates {
            let last = date.end == range.end;
            let joined = self.is(Class::And, date.end) || self.words.gap(date.end).has(Gap::COMMA);
            if date.start < start || !(last || joined) {
                return None;
            }
            let end = date.end;
            pieces.push((start..end, date));
            start = self.skip(Class::And, end..range.end).start;
        }
        (start == range.end).then_some(pieces)
    }

    /// Tells whether the words of `range` give one task a day.
    fn is_move(&mut self, range: Range<usize>) -> bool {
        let piece = self.piece(range);
        let dated = piece.read.as_ref().is_some_and(|(found, _)| {
            found.captures.first(Slot::Date).is_some()
                && found.captures.first(Slot::Target).is_some()
        });
        let update = piece.read().map(|head| head.kind) == Some(HeadKind::Change(Verb::Update));
        update && dated && piece.is_firm()
    }
}
