//! The grammar of dates: one expression, read from a given lexeme.
//!
//! Deterministic descent with a bounded look ahead, so that a scan stays linear.
//! A form that is clearly meant as a date and names no day ("Feb 30") is
//! [`Hit::Dead`]: its parts must not be read as something smaller.

mod clock;
mod day_part;
mod edges;
mod from_now;
mod month;
mod number;
mod numeric;
mod offset;
mod period;
mod repeat;
mod repeat_end;
mod repeat_span;
mod weekday;

use std::ops::Range;

use chrono::NaiveDate;

use super::lexeme::{Lex, Lexeme};
use super::lexer::lexemes;
use super::table::Table;
use super::words::Habits;
use super::{Rule, calendar};
use crate::domain::Lang;
use crate::domain::text::Text;

/// A date expression, in lexemes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// One past the last lexeme.
    pub(super) end: usize,
    /// The day a due date gets.
    pub(super) day: NaiveDate,
    /// The first day.
    pub(super) first: NaiveDate,
    /// The last day.
    pub(super) last: NaiveDate,
    /// By which rule.
    pub(super) rule: Rule,
}

impl Reading {
    /// The first and the last of some days, of which a due date gets `day`.
    fn over(end: usize, day: NaiveDate, (first, last): (NaiveDate, NaiveDate), rule: Rule) -> Self {
        Self {
            end,
            day,
            first,
            last,
            rule,
        }
    }
}

/// Expression that stands at a lexeme.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hit {
    /// A date.
    Date(Reading),
    /// The form of a date without a day; reading goes on at this lexeme.
    Dead(usize),
    /// A day that no month has: "february 30".
    NoDay(usize),
}

/// Depth to which a date may count from another date ("a week after the day after tomorrow").
const DEPTH: u8 = 3;

/// Reads the expressions of one list of lexemes.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) lexemes: Vec<Lexeme>,
    pub(super) habits: Habits,
    pub(super) today: NaiveDate,
    /// Range without punctuation and prepositions at the edges: an expression that covers it is the
    /// whole text.
    body: (usize, usize),
    /// Number of looks at a lexeme: the measure of the test that a scan is linear.
    #[cfg(test)]
    pub(super) looks: std::cell::Cell<usize>,
}

impl Reader {
    /// A reader of `text` in a language, as of `today`.
    pub(super) fn of(text: &Text<'_>, lang: Lang, today: NaiveDate) -> Self {
        let table = Table::of(lang);
        let mut reader = Self {
            lexemes: lexemes(text, table),
            habits: table.habits,
            today,
            body: (0, 0),
            #[cfg(test)]
            looks: std::cell::Cell::default(),
        };
        let mut all = reader.lexemes.iter();
        let head = all.position(|l| !edges::may_lead(l.lex) && !edges::is_mark(l.lex));
        let mut all = reader.lexemes.iter();
        let tail = all.rposition(|l| !edges::is_mark(l.lex) && !edges::is_behind(l.lex));
        reader.body = (head.unwrap_or(0), tail.map_or(0, |tail| tail + 1));
        reader
    }

    /// The tokens of a range of lexemes.
    pub(super) fn tokens(&self, range: Range<usize>) -> Range<usize> {
        let first = self.lexemes.get(range.start);
        let first = first.map_or(0, |lexeme| lexeme.first);
        let last = range.end.checked_sub(1).and_then(|at| self.lexemes.get(at));
        let last = last.map_or(first, |lexeme| lexeme.last);
        let index = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        index(first)..index(last) + 1
    }

    /// The date expression that begins at lexeme `at`, if one does and stands free.
    pub(super) fn date(&self, at: usize) -> Option<Hit> {
        let hit = self.expression(at, DEPTH)?;
        let Hit::Date(reading) = hit else {
            return Some(hit);
        };
        let reading = self.plus(reading);
        if self.stands_free(at, reading.end) {
            Some(Hit::Date(reading))
        } else {
            Some(Hit::Dead(reading.end))
        }
    }

    fn expression(&self, at: usize, depth: u8) -> Option<Hit> {
        let depth = depth.checked_sub(1)?;
        match self.lex(at) {
            Lex::Num { .. } if self.stands_alone(at + 1) => self.day_of_month(at),
            Lex::Num { .. } | Lex::Ord(_) => self
                .numeric(at)
                .or_else(|| self.day_first(at))
                .or_else(|| self.nth(at))
                .or_else(|| self.numbered(at))
                .or_else(|| self.offset(at, depth))
                .or_else(|| self.day_of_month(at)),
            Lex::Spelled(_) | Lex::SpelledOrd(_) => self
                .day_first(at)
                .or_else(|| self.nth(at))
                .or_else(|| self.numbered(at))
                .or_else(|| self.offset(at, depth))
                .or_else(|| self.day_of_month(at)),
            Lex::Month { .. } => self.numeric(at).or_else(|| self.month_first(at)),
            Lex::Weekday { .. } => self.weekday(at, depth),
            Lex::Hafta => self
                .weekday(at, depth)
                .or_else(|| self.unit_head(at, depth)),
            Lex::Last => self.nth(at).or_else(|| self.relative(at)),
            Lex::Next | Lex::This | Lex::Coming => self.relative(at),
            Lex::Day(ahead, _) => self.named_day(at, ahead),
            Lex::Now => self.now(at),
            Lex::Holiday(feast) => self.holiday(at, feast),
            Lex::Unit(..) => self.unit_head(at, depth),
            Lex::Weekend => self.weekend(at),
            Lex::End | Lex::Start => self.edge(at),
            Lex::EndOf(unit) => self.last_of(unit, at + 1),
            Lex::One
            | Lex::Couple
            | Lex::In
            | Lex::Within
            | Lex::After
            | Lex::AgoFirst
            | Lex::By => self.offset(at, depth).or_else(|| self.month_period(at)),
            Lex::Mark(b'+') => self.offset(at, depth),
            Lex::Until | Lex::Before | Lex::Prep => self.month_period(at),
            _ => None,
        }
    }

    /// A number, an article or a preposition among other words, as most of them are: nothing can begin
    /// with it.
    pub(super) fn idle(&self, at: usize) -> bool {
        match self.lex(at) {
            Lex::Num { .. } => {
                self.stands_alone(at + 1)
                    && !edges::may_lead(self.before(at))
                    && !self.alone(at, at + 1)
            }
            Lex::One => self.lex(at + 1) == Lex::Other,
            Lex::In
            | Lex::Within
            | Lex::On
            | Lex::At
            | Lex::By
            | Lex::Until
            | Lex::Before
            | Lex::After
            | Lex::AgoFirst
            | Lex::From
            | Lex::Prep => self.lex(self.skip(at + 1, Lex::The)) == Lex::Other,
            _ => false,
        }
    }

    /// No form of a date goes on from a number with what stands at `at`.
    fn stands_alone(&self, at: usize) -> bool {
        matches!(
            self.lex(at),
            Lex::Num { .. } | Lex::Other | Lex::Stop | Lex::Join | Lex::Pronoun
        )
    }

    /// A date as part of another expression.
    fn inner(&self, at: usize, depth: u8) -> Option<Reading> {
        match self.expression(self.skip(at, Lex::The), depth)? {
            Hit::Date(reading) => Some(reading),
            Hit::Dead(_) | Hit::NoDay(_) => None,
        }
    }

    /// "today", "tomorrow"; German "heute in einer Woche" counts on from it.
    fn named_day(&self, at: usize, ahead: i8) -> Option<Hit> {
        let day = calendar::days(self.today, i64::from(ahead))?;
        if self.lex(at + 1) == Lex::In
            && let Some((shift, end)) = self.duration(at + 2)
        {
            return self.single(end, shift.apply(day, 1), Rule::Relative);
        }
        self.single(at + 1, Some(day), Rule::Relative)
    }

    /// "next friday + 3 days".
    fn plus(&self, reading: Reading) -> Reading {
        let sum = match self.lex(reading.end) {
            Lex::Mark(b'+') => self.duration(reading.end + 1),
            _ => None,
        };
        sum.and_then(|(shift, end)| {
            let day = shift.apply(reading.day, 1)?;
            Some(Reading::over(end, day, (day, day), Rule::Relative))
        })
        .unwrap_or(reading)
    }

    fn single(&self, end: usize, day: Option<NaiveDate>, rule: Rule) -> Option<Hit> {
        Some(match day {
            Some(day) => Hit::Date(Reading::over(end, day, (day, day), rule)),
            None => Hit::Dead(end),
        })
    }

    /// The day of a month that is named, which may not have it.
    fn day_named(&self, end: usize, day: Option<NaiveDate>, rule: Rule) -> Option<Hit> {
        match day {
            Some(_) => self.single(end, day, rule),
            None => Some(Hit::NoDay(end)),
        }
    }

    /// The meaning at `at`.
    pub(super) fn lex(&self, at: usize) -> Lex {
        #[cfg(test)]
        self.looks.set(self.looks.get() + 1);
        self.lexemes.get(at).map_or(Lex::Stop, |lexeme| lexeme.lex)
    }

    fn before(&self, at: usize) -> Lex {
        at.checked_sub(1).map_or(Lex::Stop, |at| self.lex(at))
    }

    /// White space stands before `at`, or nothing does.
    fn spaced(&self, at: usize) -> bool {
        self.lexemes.get(at).is_none_or(|lexeme| lexeme.spaced)
    }

    fn skip(&self, at: usize, lex: Lex) -> usize {
        if self.lex(at) == lex { at + 1 } else { at }
    }

    fn skip_mark(&self, at: usize, marks: &[u8]) -> usize {
        match self.lex(at) {
            Lex::Mark(mark) if marks.contains(&mark) => at + 1,
            _ => at,
        }
    }
}
