//! A day and its month: "12 March", "march the third", "9th of next month", "the 27th".

use chrono::{Datelike, NaiveDate};

use super::super::lexeme::{Feast, Lex};
use super::super::{Rule, Unit, calendar};
use super::{Hit, Reader, Reading};

impl Reader {
    /// "5 May 2026", "the 20th day of next month", "31st of the month".
    pub(super) fn day_first(&self, at: usize) -> Option<Hit> {
        let (day, after, ordinal) = self.day_number(at)?;
        if let Some(hit) = self.range_first(day, after) {
            return Some(hit);
        }
        let mut next = self.skip_mark(after, b".");
        if matches!(self.lex(next), Lex::Unit(Unit::Day, 1)) && self.lex(next + 1) != Lex::The {
            next += 1;
        }
        let of = self.lex(next) == Lex::Of || matches!(self.lex(next), Lex::In if next > after);
        let plain = next;
        next = self.skip(if of { next + 1 } else { next }, Lex::The);
        if let Lex::Month { month, weak } = self.lex(next) {
            let verb =
                weak && !of && !ordinal && (month == 5 || matches!(self.lex(at), Lex::Spelled(_)));
            if verb && !self.led(at) && self.year(next + 1).is_none() && !self.closes(next + 1) {
                return None;
            }
            let close = self.skip_mark(next + 1, b".");
            let close = if self.year(close).is_some() {
                close
            } else {
                next + 1
            };
            return self.in_month(at, close, u32::from(month), u32::from(day), true);
        }
        // "the 5th of next march".
        if matches!(self.lex(next), Lex::Next | Lex::This | Lex::Last)
            && matches!(self.lex(next + 1), Lex::Month { .. })
            && let Some(Hit::Date(named)) = self.relative(next)
        {
            return self.single(
                named.end,
                named.first.with_day(u32::from(day)),
                Rule::Absolute,
            );
        }
        let (first, end) = match (self.period_named(plain + usize::from(of)), of || ordinal) {
            (Some(period), true) if period.unit == Unit::Month => (period.first, period.end),
            _ => return None,
        };
        let stated = matches!(self.lex(end - 1), Lex::Unit(..)) && self.bare_unit(next);
        if stated {
            let next = calendar::day_of_month(self.today, u32::from(day));
            return self.single(end, next, Rule::DayOfMonth);
        }
        self.single(end, first.with_day(u32::from(day)), Rule::Absolute)
    }

    /// "10-12 March", "10th to 12th of March": the days from `first` on.
    fn range_first(&self, first: u8, after: usize) -> Option<Hit> {
        let link = self.skip_mark(after, b".");
        if !matches!(self.lex(link), Lex::Mark(b'-') | Lex::To | Lex::Until) {
            return None;
        }
        let (_, second, _) = self.day_number(link + 1)?;
        let of = self.skip(self.skip_mark(second, b"."), Lex::Of);
        if !matches!(self.lex(of), Lex::Month { .. }) {
            return None;
        }
        let Hit::Date(last) = self.day_first(link + 1)? else {
            return None;
        };
        let start = last
            .day
            .with_day(u32::from(first))
            .filter(|start| *start < last.day)?;
        Some(Hit::Date(self.days_from(start, last)))
    }

    /// The days from `start` to the end of `last`: a due date is the first of them to come.
    fn days_from(&self, start: NaiveDate, last: Reading) -> Reading {
        let day = if start < self.today && self.today <= last.day {
            self.today
        } else {
            start
        };
        Reading {
            day,
            first: start,
            last: last.day,
            ..last
        }
    }

    /// "May 5", "March the third, 2027", "Sep. 9 in 2026".
    pub(super) fn month_first(&self, at: usize) -> Option<Hit> {
        let Lex::Month { month, weak } = self.lex(at) else {
            return None;
        };
        let next = self.skip_mark(at + 1, b".,");
        let next = self.skip(next, Lex::The);
        let Some((day, end, ordinal)) = self.day_number(next) else {
            return self.month_period(at);
        };
        let hour = matches!(
            self.lex(end),
            Lex::Meridiem(_) | Lex::Hour | Lex::ClockUnit(_)
        ) || (self.lex(end) == Lex::Mark(b':') && !self.spaced(end + 1));
        if hour
            || matches!(self.lex(end), Lex::Times | Lex::Occasions)
            || (weak && !ordinal && !self.surely_month(at, end))
        {
            return None;
        }
        self.in_month(at, end, u32::from(month), u32::from(day), false)
    }

    /// The day of a month, with the year or the weekday that may follow.
    fn in_month(
        &self,
        at: usize,
        end: usize,
        month: u32,
        day: u32,
        day_first: bool,
    ) -> Option<Hit> {
        if let Some((year, end)) = self.year(end).or_else(|| self.short_year(end, day_first)) {
            let end = self.trailing_weekday(end).map_or(end, |(_, end)| end);
            return self.day_named(
                end,
                NaiveDate::from_ymd_opt(year, month, day),
                Rule::Absolute,
            );
        }
        let next = calendar::month_day(self.today, month, day);
        if let Some((named, end)) = self.trailing_weekday(end)
            && !matches!(self.before(at), Lex::Weekday { .. })
        {
            let day = next.and_then(|next| matching(next, month, day, named));
            return self.single(end, day, Rule::MonthDay);
        }
        let Some((until, close)) = self.range_end(end, day).filter(|_| !day_first) else {
            return self.day_named(end, next, Rule::MonthDay);
        };
        let last = calendar::month_day(self.today, month, until)?;
        let start = last.with_day(day)?;
        let last = Reading {
            end: close,
            day: last,
            first: start,
            last,
            rule: Rule::MonthDay,
        };
        Some(Hit::Date(self.days_from(start, last)))
    }

    /// "-12" behind "Feb 10".
    fn range_end(&self, at: usize, day: u32) -> Option<(u32, usize)> {
        let (value, end) = match (self.lex(at), self.lex(at + 1)) {
            (
                Lex::Mark(b'-'),
                Lex::Num {
                    value,
                    digits: 1 | 2,
                },
            ) => (u32::from(value), at + 2),
            (Lex::Mark(b'-') | Lex::To | Lex::Until, Lex::Ord(value)) => (u32::from(value), at + 2),
            _ => return None,
        };
        (value > day && value <= 31 && self.spaced(at) == self.spaced(at + 1) && self.closes(end))
            .then_some((value, end))
    }

    /// `3 July 27`: two digits are a year only where the phrase ends.
    fn short_year(&self, at: usize, day_first: bool) -> Option<(i32, usize)> {
        match self.lex(at) {
            Lex::Num { value, digits: 2 }
                if day_first
                    && self.spaced(at)
                    && self.clock(at).is_none()
                    && self.closes(at + 1) =>
            {
                Some((calendar::full_year(value, 2)?, at + 1))
            }
            _ => None,
        }
    }

    /// ", Fri" behind a day.
    fn trailing_weekday(&self, at: usize) -> Option<(chrono::Weekday, usize)> {
        let next = self.skip_mark(at, b",(");
        match self.lex(next) {
            Lex::Weekday {
                day, many: false, ..
            } if next > at => Some((day, self.skip_mark(next + 1, b")"))),
            _ => None,
        }
    }

    /// The next such day of a month, or the one after it if only that one falls on `named`.
    pub(super) fn on_weekday(&self, date: NaiveDate, named: chrono::Weekday) -> Option<NaiveDate> {
        matching(date, date.month(), date.day(), named)
    }

    /// "march" and "may" are months beside a day only where they can't be verbs.
    fn surely_month(&self, at: usize, end: usize) -> bool {
        let verb = match self.before(at) {
            Lex::Pronoun => true,
            Lex::Other => !self.closes(end),
            _ => false,
        };
        self.led(at) || self.year(end).is_some() || !verb
    }

    /// "on the 27th", "the 1st" alone: the next such day.
    pub(super) fn day_of_month(&self, at: usize) -> Option<Hit> {
        let (day, end, ordinal) = self.day_number(at)?;
        if !(1..=31).contains(&day) || self.before(at) == Lex::Label {
            return None;
        }
        if self.lex(end) == Lex::DateWord {
            return self.single(
                end + 1,
                calendar::day_of_month(self.today, day.into()),
                Rule::DayOfMonth,
            );
        }
        // A dot makes the ordinal in German: "am 27."
        let dotted = self.skip_mark(end, b".");
        let end = if self.habits.day_first && !self.spaced(end) && self.spaced(dotted) {
            dotted
        } else {
            end
        };
        // "dia vinte e quatro"
        let called = self.before(at) == Lex::Unit(Unit::Day, 1)
            && self.habits.trailing
            && matches!(self.lex(at), Lex::Spelled(_));
        let article = called || self.before(at) == Lex::The;
        let start = if article { at - 1 } else { at };
        let figures = matches!(self.lex(at), Lex::Ord(_));
        // "antes del 20" holds its article.
        let held = self.habits.trailing && self.before(at) == Lex::Before;
        let dotted = held || self.before(end) == Lex::Mark(b'.');
        let romance = self.habits.trailing && article && !ordinal;
        let prepared = matches!(self.before(start), Lex::Prep | Lex::From | Lex::On);
        let complete =
            self.closes(end) || (self.lex(end) == Lex::Command && self.opens(self.lead(at, 0)));
        let meant = if self.alone(at, end) {
            figures
                || (self.led(at) && (ordinal || article || dotted))
                || romance
                || (article && prepared)
        } else if !complete {
            false
        } else if self.led(at) {
            ordinal || article || dotted
        } else if prepared {
            article && (figures || day > 10 || romance)
        } else {
            // Without a preposition a small number is a position: "delete the 1st".
            let position = self.before(start) == Lex::Command;
            article && !position && ((figures && day > 3) || (romance && day > 10))
        };
        if !meant || self.lex(end) == Lex::Of {
            return None;
        }
        self.single(
            end,
            calendar::day_of_month(self.today, day.into()),
            Rule::DayOfMonth,
        )
    }

    /// "by Christmas": only after a preposition or before an hour, since most talk of a feast is about
    /// presents.
    pub(super) fn holiday(&self, at: usize, feast: Feast) -> Option<Hit> {
        let counted = matches!(self.before(at), Lex::After | Lex::From);
        let led = (self.led(at) || counted) && self.closes(at + 1);
        let meant = self.alone(at, at + 1) || led || self.timed(at + 1);
        meant
            .then(|| self.single(at + 1, self.day_of(feast), Rule::MonthDay))
            .flatten()
    }

    /// The next day of a feast.
    pub(in crate::temporal) fn day_of(&self, feast: Feast) -> Option<NaiveDate> {
        match feast {
            Feast::On(month, day) => calendar::month_day(self.today, month.into(), day.into()),
            Feast::Easter(days) => calendar::from_easter(self.today, days.into()),
        }
    }

    /// "first friday of next month", "last day of March 2027", "the third day in october".
    pub(super) fn nth(&self, at: usize) -> Option<Hit> {
        let (nth, next) = match self.lex(at) {
            Lex::Last => (None, at + 1),
            _ => {
                let (nth, end) = self.ordinal(at)?;
                (Some(nth), end)
            }
        };
        let named = match self.lex(next) {
            Lex::Weekday {
                day, many: false, ..
            } => Some(day),
            Lex::Unit(Unit::Day, 1) => None,
            _ => return None,
        };
        let of = matches!(self.lex(next + 1), Lex::Of | Lex::In);
        let period = if of {
            self.period_named(next + 2)
        } else {
            None
        };
        let Some(period) = period else {
            // "sixth sunday" of nothing is no Sunday at all.
            return (nth.is_some() && named.is_some()).then_some(Hit::Dead(next + 1));
        };
        let pick = |first: NaiveDate, last: NaiveDate| match (nth, named) {
            (Some(nth), Some(named)) if period.unit == Unit::Month => {
                calendar::nth_weekday(first, nth, named)
            }
            (Some(nth), None) => {
                calendar::days(first, i64::from(nth) - 1).filter(|day| nth > 0 && *day <= last)
            }
            (None, Some(named)) => calendar::weekday_before(calendar::days(last, 1)?, named),
            (None, None) => Some(last),
            _ => None,
        };
        let mut day = pick(period.first, period.last);
        let bare = self.bare_unit(self.skip(next + 2, Lex::The));
        if day.is_none_or(|day| day < self.today) && bare {
            let later = period.unit.period(self.today, 1);
            day = later.and_then(|(first, last)| pick(first, last));
        } else if day.is_some_and(|day| day < self.today) && period.yearless {
            let later = Unit::Year
                .shift(period.first, 1)
                .and_then(|first| Unit::Month.period(first, 0));
            day = later.and_then(|(first, last)| pick(first, last));
        }
        let next = bare || period.yearless;
        let rule = if next { Rule::MonthDay } else { Rule::Absolute };
        self.single(period.end, day, rule)
    }

    /// A unit without "this" or "next": "of the month".
    fn bare_unit(&self, at: usize) -> bool {
        matches!(self.lex(at), Lex::Unit(..))
            && !(self.habits.trailing
                && matches!(self.lex(at + 1), Lex::Next | Lex::Coming | Lex::Last))
    }
}

fn matching(next: NaiveDate, month: u32, day: u32, named: chrono::Weekday) -> Option<NaiveDate> {
    let following = next
        .succ_opt()
        .and_then(|after| calendar::month_day(after, month, day));
    match following {
        Some(following) if next.weekday() != named && following.weekday() == named => {
            Some(following)
        }
        _ => Some(next),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Rule;
    use super::super::super::checks::{SUNDAY, WEDNESDAY, check, none, read};
    use crate::domain::Lang;

    #[test]
    fn a_day_and_its_month() {
        check(
            SUNDAY,
            &[
                ("party on 4 July", &["2026-07-04"]),
                ("party July 4th, 2027", &["2027-07-04"]),
                ("the fourth of july", &["2026-07-04"]),
                ("july twenty-third", &["2026-07-23"]),
                ("23rd of July in 2028", &["2028-07-23"]),
                ("Jul4", &["2026-07-04"]),
                ("4jul", &["2026-07-04"]),
                ("Feb 8", &["2026-02-08"]),
                ("Feb 7", &["2027-02-07"]),
                ("29 Feb", &["2028-02-29"]),
                ("Tue, 7 July", &["2026-07-07"]),
                ("may 9", &["2026-05-09"]),
                ("3 july 27", &["2027-07-03"]),
                ("3 july 17:30", &["2026-07-03"]),
                ("july 3-5", &["2026-07-03..2026-07-05"]),
                ("3 to 5 july", &["2026-07-03..2026-07-05"]),
                ("wrap by Christmas", &["2026-12-25"]),
                ("lunch on good friday", &["2026-04-03"]),
                ("hide the eggs before easter", &["2026-04-05"]),
                ("parade easter monday at noon", &["2026-04-06"]),
            ],
        );
        // The weekday picks the year where it can.
        check(
            WEDNESDAY,
            &[
                ("Sat, Jul 3", &["2027-07-03"]),
                ("Sun, Jul 3", &["2027-07-03"]),
            ],
        );
    }

    #[test]
    fn a_day_of_some_month() {
        check(
            SUNDAY,
            &[
                ("rent on the 1st", &["2026-03-01"]),
                ("rent by the 17th please", &["2026-02-17"]),
                ("on the first", &["2026-03-01"]),
                ("the 31st", &["2026-03-31"]),
                ("the 12th of this month", &["2026-02-12"]),
                ("12 of next month", &["2026-03-12"]),
                ("the 5th of the month", &["2026-03-05"]),
                ("last day of the month", &["2026-02-28"]),
                ("second monday of march", &["2026-03-09"]),
                ("the last friday in january", &["2027-01-29"]),
                ("first monday of the month", &["2026-03-02"]),
            ],
        );
    }

    /// Named by "last", "this", "next" or a year it may be past, and no "next such day".
    #[test]
    fn a_day_of_a_named_month_is_that_day() {
        check(
            SUNDAY,
            &[
                ("the 5th of last march", &["2025-03-05"]),
                ("Thu, the 5th of last march", &["2025-03-05"]),
                ("the 9th of last month", &["2026-01-09"]),
                ("first friday of this month", &["2026-02-06"]),
                ("last day of march 2020", &["2020-03-31"]),
            ],
        );
        let rule = |text| read(text, SUNDAY, Lang::En).dates[0].rule;
        for text in [
            "the 5th of last march",
            "the 9th of last month",
            "first friday of this month",
            "last day of march 2020",
        ] {
            assert_eq!(rule(text), Rule::Absolute, "{text}");
        }
        assert_eq!(rule("the 5th of the month"), Rule::DayOfMonth);
        assert_eq!(rule("second monday of march"), Rule::MonthDay);
        assert_eq!(rule("last day of the month"), Rule::MonthDay);
    }

    #[test]
    fn no_month_and_no_day() {
        none(&[
            "Feb 30",
            "31 June",
            "February 29, 2027",
            "31st of next february",
            "the 30th of this month",
            "we may 3 times",
            "it may be 5",
            "6 may be too many",
            "march to the sea",
            "march 5 miles",
            "june",
            "delete the 2nd",
            "finish the second one",
            "read The 3rd Man",
            "on the 4th floor",
            "for the 2nd time",
            "task 12",
            "12 eggs",
            "sixth sunday",
            "buy christmas lights",
        ]);
    }
}
