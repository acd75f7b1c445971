//! The edges of an expression: what may lead it, and what must not touch it.

use std::ops::Range;

use super::super::Reach;
use super::super::lexeme::Lex;
use super::Reader;

/// A word that may stand before a date and belong to it.
pub(super) fn may_lead(lex: Lex) -> bool {
    is_preposition(lex) || matches!(lex, Lex::The | Lex::Due | Lex::DateWord | Lex::With)
}

fn is_preposition(lex: Lex) -> bool {
    matches!(
        lex,
        Lex::On
            | Lex::By
            | Lex::Until
            | Lex::Prep
            | Lex::In
            | Lex::Within
            | Lex::From
            | Lex::Before
            | Lex::At
            | Lex::AgoFirst
    )
}

/// A word after a date that belongs to it.
pub(super) const fn is_behind(lex: Lex) -> bool {
    matches!(lex, Lex::Post | Lex::PostUntil)
}

/// Punctuation and walls: nothing that has to be read.
pub(super) fn is_mark(lex: Lex) -> bool {
    matches!(lex, Lex::Mark(_) | Lex::Stop)
}

impl Reader {
    /// Finds where the expression at `at` begins when its prepositions are counted in; never before
    /// `floor`.
    pub(in crate::temporal) fn lead(&self, at: usize, floor: usize) -> usize {
        let before = |at: usize| {
            if at > floor {
                self.before(at)
            } else {
                Lex::Stop
            }
        };
        let mut start = at;
        if before(start) == Lex::The {
            start -= 1;
        }
        for _ in 0..2 {
            if is_preposition(before(start)) {
                start -= 1;
            }
        }
        self.due_label(start, floor).unwrap_or(start)
    }

    /// "due", "deadline:", "with a due date of".
    fn due_label(&self, at: usize, floor: usize) -> Option<usize> {
        let before = |at: usize| {
            if at > floor {
                self.before(at)
            } else {
                Lex::Stop
            }
        };
        let mut start = at;
        if matches!(before(start), Lex::Mark(b':' | b'=') | Lex::Of | Lex::Join) {
            start -= 1;
        }
        if before(start) == Lex::DateWord {
            start -= 1;
        }
        if before(start) != Lex::Due {
            return None;
        }
        start -= 1;
        if matches!(before(start), Lex::One | Lex::The) {
            start -= 1;
        }
        if before(start) == Lex::With {
            start -= 1;
        }
        Some(start)
    }

    /// Words after the date that belong to it.
    pub(in crate::temporal) fn trail(&self, end: usize) -> usize {
        let past = |at: usize| at + usize::from(is_behind(self.lex(at)));
        past(past(end))
    }

    /// Nothing else of the text is to be read.
    pub(super) fn alone(&self, at: usize, end: usize) -> bool {
        at <= self.body.0 && end >= self.body.1
    }

    /// Reach that the prepositions at `start`, where a date begins, and the words behind its `end` give it.
    pub(in crate::temporal) fn reach(&self, start: usize, end: usize) -> Reach {
        if (end..self.trail(end)).any(|at| self.lex(at) == Lex::PostUntil) {
            return Reach::Through;
        }
        let words = (start..).map(|at| self.lex(at));
        let mut led = words.take_while(|lex| may_lead(*lex));
        led.find_map(|lex| match lex {
            Lex::Before => Some(Reach::Before),
            // "vor März"; with a while it means "ago".
            Lex::AgoFirst if self.habits.before_is_ago => Some(Reach::Before),
            // "entro venerdì"; of a while it is a part.
            Lex::By | Lex::Until | Lex::Within => Some(Reach::Through),
            Lex::From => Some(Reach::From),
            _ => None,
        })
        .unwrap_or(Reach::Named)
    }

    /// Tells whether an article stands before `at`, or a preposition that holds one ("am", "na").
    pub(in crate::temporal) fn is_definite(&self, at: usize) -> bool {
        match self.before(at) {
            Lex::The => true,
            Lex::On => self.habits.day_first,
            _ => false,
        }
    }

    /// Tells whether "next" stands in an expression.
    pub(in crate::temporal) fn says_next(&self, mut at: Range<usize>) -> bool {
        at.any(|at| self.lex(at) == Lex::Next)
    }

    /// A preposition that only a day follows stands before `at`, articles apart.
    pub(super) fn led(&self, at: usize) -> bool {
        let at = if self.before(at) == Lex::The {
            at - 1
        } else {
            at
        };
        matches!(
            self.before(at),
            Lex::On | Lex::By | Lex::Until | Lex::Before | Lex::Due
        ) || (self.before(at) == Lex::DateWord && at > 1 && self.before(at - 1) == Lex::Due)
    }

    /// `at` begins its phrase.
    pub(super) fn opens(&self, at: usize) -> bool {
        matches!(
            self.before(at),
            Lex::Stop | Lex::Join | Lex::Mark(b',' | b';' | b':' | b'(' | b'.' | b'!' | b'?')
        )
    }

    /// Tells whether what stands at `at` can't continue a noun phrase: the date before it is
    /// complete.
    pub(in crate::temporal) fn closes(&self, at: usize) -> bool {
        match self.lex(at) {
            Lex::Mark(b'%' | b'$' | b'#' | b'/' | b'*' | b'+' | b'=' | 0) => false,
            Lex::Mark(b'-' | b':' | b'.') => self.spaced(at) || self.spaced(at + 1),
            Lex::Mark(_)
            | Lex::Stop
            | Lex::Join
            | Lex::Pronoun
            | Lex::Every
            | Lex::Often(_)
            | Lex::Always(_) => true,
            Lex::At
            | Lex::Due
            | Lex::With
            | Lex::Post
            | Lex::PostUntil
            | Lex::Part(_)
            | Lex::Noon(_)
            | Lex::HourAnd(_)
            | Lex::HourLess(_)
            | Lex::Clock { .. } => true,
            Lex::To | Lex::After | Lex::Day(..) => true,
            Lex::Num { .. } => self.clock(at).is_some(),
            lex => is_preposition(lex),
        }
    }

    /// Tells whether what stands at `at` is a noun that a possessive before it belongs to.
    pub(in crate::temporal) fn describes(&self, at: usize) -> bool {
        !self.closes(at) && self.lex(at) != Lex::Feast
    }

    /// No sign glues the expression to something larger: a path, a version, a compound.
    pub(super) fn stands_free(&self, at: usize, end: usize) -> bool {
        self.free_before(at) && self.free_after(end)
    }

    fn free_before(&self, at: usize) -> bool {
        if at == 0 || self.spaced(at) {
            return true;
        }
        let number = matches!(self.lex(at), Lex::Num { .. } | Lex::Ord(_));
        let digit_before =
            at > 1 && !self.spaced(at - 1) && matches!(self.before(at - 1), Lex::Num { .. });
        match self.before(at) {
            Lex::Mark(b',' | b':') => !(number && digit_before),
            Lex::Mark(b'.') => !number && (at < 2 || !self.spaced(at - 1)),
            Lex::Mark(b'(' | b'[' | b'{' | b';' | b'!' | b'?' | b'|' | b'*' | b'\'' | b'>')
            | Lex::Stop => true,
            Lex::Mark(0) => !number,
            _ => false,
        }
    }

    fn free_after(&self, end: usize) -> bool {
        if self.spaced(end) {
            return true;
        }
        let word_follows =
            !self.spaced(end + 1) && !matches!(self.lex(end + 1), Lex::Mark(_) | Lex::Stop);
        match self.lex(end) {
            Lex::Mark(b'-' | b'/' | b'.' | b'@' | b'=' | b'+' | b'&' | b'\\' | b'_') => {
                !word_follows
            }
            Lex::Mark(b':') => {
                !matches!(self.lex(end + 1), Lex::Num { .. }) || self.spaced(end + 1)
            }
            Lex::Mark(b'%' | b'$' | b'#') => false,
            Lex::Mark(_) | Lex::Stop => true,
            _ => false,
        }
    }
}
