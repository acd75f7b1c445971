//! Words that take the place of what was just said: "delete milk, sorry, essay", "move the dentist,
//! I mean the essay, to monday".
//!
//! Nothing is done to both: where a slip is mended, what was said first orders nothing any more, and
//! where somebody only falters it is asked.

use std::ops::Range;

use crate::intent::grammar::{Class, HeadKind, Match};
use crate::intent::{Target, Verb};
use crate::language::slot::Slot;
use crate::language::words::Gap;

use super::Reader;

/// The most words that may be said instead where they are no order of their own.
const INSTEAD: usize = 8;

/// The most words of a name that is withdrawn in so many words: "no, not the oat milk, …".
const DENIED: usize = 5;

/// A comma, a colon or a dash.
const PAUSE: Gap = Gap::COMMA.with(Gap::COLON);

impl Reader<'_> {
    /// Finds where what is said instead of `before` begins, if the words of `after` mend it.
    pub(super) fn mending(&mut self, before: Range<usize>, after: Range<usize>) -> Option<usize> {
        let start = self.mended_at(after.clone())?;
        let rest = start..after.end;
        let spoken = self.skip(Class::Request, rest.clone());
        self.may_reread().then_some(())?;
        let said = self.piece(before);
        let kind = said.read()?.kind;
        if !matches!(
            kind,
            HeadKind::Add | HeadKind::Change(_) | HeadKind::Statement { .. }
        ) {
            return None;
        }
        let instead = self.piece(rest.clone());
        // "…, actually delete the essay too"
        if let Some(about) = instead.about()
            && matches!(self.piece(about.start..rest.end).read(), Some(head) if head.kind == HeadKind::Also)
        {
            return None;
        }
        match instead.read().map(|head| head.kind) {
            None => {
                let remark = self.is(Class::Sentence, spoken.start);
                (!remark && rest.len() <= INSTEAD).then_some(start)
            }
            Some(HeadKind::Change(_)) if said.is_change() => {
                let about = instead.about()?;
                let it = matches!(self.target(about), Target::It | Target::They { .. });
                (!it).then_some(start)
            }
            Some(HeadKind::Add) => (kind == HeadKind::Add).then_some(start),
            Some(HeadKind::Amend | HeadKind::Pick) => Some(start),
            Some(HeadKind::Statement { .. }) => matches!(
                kind,
                HeadKind::Statement { .. } | HeadKind::Change(Verb::Complete)
            )
            .then_some(start),
            _ => None,
        }
    }

    /// The words of `range` that stand, where a slip among them is mended: "milk, sorry, essay".
    pub(super) fn corrected(&mut self, mut range: Range<usize>) -> Range<usize> {
        for at in range.start + 1..range.end {
            if self.words.gap(at).has(PAUSE)
                && let Some(start) = self.mended_at(at..range.end)
                && start > range.start
            {
                range.start = start;
            }
        }
        range
    }

    /// Tells whether a change names one task, and with a sigh another: "the essay, er, the book".
    /// The second may be meant instead or as well.
    pub(super) fn falters(&mut self, verb: Verb, found: &Match) -> bool {
        let Some(words) = found.captures.first(Slot::Target) else {
            return false;
        };
        if verb == Verb::Update {
            return false;
        }
        let sighs = |reader: &mut Self, at: usize| {
            let end = reader.prefix(Class::Lead, at..words.end);
            end.is_some_and(|end| {
                end < words.end && reader.words.gap(end).has(PAUSE) && !reader.is(Class::And, end)
            })
        };
        (words.start + 1..words.end).any(|at| self.words.gap(at).has(PAUSE) && sighs(self, at))
    }

    /// Finds where the words behind "sorry", "I mean", "no, not milk" begin, if `range` begins like
    /// that and has more.
    fn mended_at(&mut self, range: Range<usize>) -> Option<usize> {
        let mut start = range.start;
        let mut mends = false;
        loop {
            let rest = start..range.end;
            if let Some(end) = self.prefix(Class::Mend, rest.clone()) {
                mends = true;
                start = end;
            } else if let Some(end) = self.prefix(Class::Lead, rest.clone()) {
                start = end;
            } else if let Some(end) = self.denied(rest.clone()) {
                start = end;
                let named = self.is_pointed(start) || self.grammar.lang.habits().denies_no_noun;
                mends |= named && !self.words.gap(start).has(PAUSE);
                if let Some(end) = self.named_wrongly(start..range.end) {
                    mends = true;
                    start = end;
                }
            } else {
                break;
            }
        }
        // "sorry for that", "sorry it is late" mend nothing.
        let pauses = self.words.gap(start).has(PAUSE);
        let bound = !pauses && (self.is(Class::Inner, start) || self.is(Class::Sentence, start));
        let joins = self.is(Class::And, start);
        (mends && start < range.end && !bound && !joins).then_some(start)
    }

    /// Finds the end of a single "no" at the front of `range` that denies no verb behind it.
    fn denied(&mut self, range: Range<usize>) -> Option<usize> {
        let end = self.prefix(Class::No, range.clone())?;
        let no = self.only_answers(&range, range.start + 1);
        (end == range.start + 1 && no).then_some(end)
    }

    /// "the" at word `at` names something, "a" of "no a joke" does not.
    fn is_pointed(&self, at: usize) -> bool {
        self.is(Class::Article, at) && self.count(&(at..at + 1)).is_none()
    }

    /// "not milk, …": where the words behind it begin.
    fn named_wrongly(&mut self, range: Range<usize>) -> Option<usize> {
        let mut words = range.start + 1..range.end.min(range.start + DENIED);
        let end = words.find(|at| self.words.gap(*at).has(PAUSE))?;
        let read = self.piece(range.start..end).read();
        let except = read.is_some_and(|head| head.kind == HeadKind::Except);
        except.then_some(end)
    }
}
