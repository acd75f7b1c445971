//! Numbers: digits, spelled ones, ordinals, and durations made of them.

use chrono::NaiveDate;

use super::super::lexeme::Lex;
use super::super::{Unit, calendar};
use super::Reader;

/// A length of calendar time.
#[derive(Debug, Clone, Copy)]
pub(in crate::temporal) struct Shift {
    months: i64,
    days: i64,
    /// The count and unit when it has one part, as the words say it.
    pub(in crate::temporal) plain: Option<(i32, Unit)>,
}

impl Shift {
    /// `base` moved forward (`sign` 1) or back (-1): months first, then days.
    pub(super) fn apply(&self, base: NaiveDate, sign: i64) -> Option<NaiveDate> {
        calendar::days(
            calendar::months(base, sign * self.months)?,
            sign * self.days,
        )
    }
}

impl Reader {
    /// "a week", "2 weeks", "1 year 6 months", "3 months, 2 days".
    pub(in crate::temporal) fn duration(&self, at: usize) -> Option<(Shift, usize)> {
        let (mut shift, mut end) = self.part(at)?;
        for _ in 0..3 {
            let next = self.skip(self.skip_mark(end, b","), Lex::Join);
            let Some((more, after)) = self.part(next) else {
                break;
            };
            shift = Shift {
                months: shift.months + more.months,
                days: shift.days + more.days,
                plain: None,
            };
            end = after;
        }
        Some((shift, end))
    }

    fn part(&self, at: usize) -> Option<(Shift, usize)> {
        let (count, end) = self.quantity(at)?;
        let (unit, factor) = match self.lex(end) {
            Lex::Unit(unit, factor) => (unit, factor),
            Lex::Hafta => (Unit::Week, 1),
            _ => return None,
        };
        let count = i32::from(count) * i32::from(factor);
        let wide = i64::from(count);
        let (months, days) = match unit {
            Unit::Day => (0, wide),
            Unit::Week => (0, wide * 7),
            Unit::Month => (wide, 0),
            Unit::Year => (wide * 12, 0),
        };
        Some((
            Shift {
                months,
                days,
                plain: Some((count, unit)),
            },
            end + 1,
        ))
    }

    /// Reads a quantity: "a", "two", "3", "a couple of".
    pub(super) fn quantity(&self, at: usize) -> Option<(u16, usize)> {
        let couple = self.skip(at, Lex::One);
        if self.lex(couple) == Lex::Couple {
            return Some((2, self.skip(couple + 1, Lex::Of)));
        }
        if couple > at {
            return Some((1, couple));
        }
        self.cardinal(at)
    }

    /// A cardinal below a thousand.
    pub(super) fn cardinal(&self, at: usize) -> Option<(u16, usize)> {
        match self.lex(at) {
            Lex::Num {
                value,
                digits: 1..=3,
            } => Some((value, at + 1)),
            Lex::Spelled(tens @ 20..) => {
                let next = self.skip_mark(at + 1, b"-");
                match self.lex(next) {
                    Lex::Spelled(ones @ 1..=9) => Some((u16::from(tens + ones), next + 1)),
                    _ => Some((u16::from(tens), at + 1)),
                }
            }
            Lex::Spelled(value) => Some((u16::from(value), at + 1)),
            _ => None,
        }
    }

    /// "27th", "second", "twenty-second".
    pub(super) fn ordinal(&self, at: usize) -> Option<(u8, usize)> {
        match self.lex(at) {
            Lex::Ord(value) | Lex::SpelledOrd(value) => Some((value, at + 1)),
            Lex::Spelled(tens @ (20 | 30)) => {
                let next = self.skip_mark(at + 1, b"-");
                match self.lex(next) {
                    Lex::SpelledOrd(ones @ 1..=9) => Some((tens + ones, next + 1)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A number that could be a day of a month, and whether it is an ordinal.
    pub(super) fn day_number(&self, at: usize) -> Option<(u8, usize, bool)> {
        if let Some((value, end)) = self.ordinal(at) {
            return Some((value, end, true));
        }
        if matches!(self.lex(at), Lex::Num { digits: 3.., .. }) {
            return None;
        }
        let (value, end) = self.cardinal(at)?;
        let value = u8::try_from(value)
            .ok()
            .filter(|value| (1..=31).contains(value))?;
        Some((value, end, false))
    }

    /// A four-digit year, after "in", "of" or a comma at most.
    pub(super) fn year(&self, at: usize) -> Option<(i32, usize)> {
        let at = self.skip_mark(at, b",");
        let at = match self.lex(at) {
            Lex::In | Lex::Of => at + 1,
            _ => at,
        };
        match self.lex(at) {
            Lex::Num {
                value,
                digits: digits @ 4,
            } => Some((calendar::full_year(value, digits)?, at + 1)),
            _ => None,
        }
    }
}
