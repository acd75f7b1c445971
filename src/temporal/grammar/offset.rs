//! Counting: "in two weeks", "3 days from now", "a week after tomorrow", "two fridays from now", "+2 days".

use super::super::lexeme::Lex;
use super::super::{Rule, Unit, calendar};
use super::number::Shift;
use super::{Hit, Reader, Reading};

impl Reader {
    /// A count of units and where it counts from.
    pub(super) fn offset(&self, at: usize, depth: u8) -> Option<Hit> {
        match self.lex(at) {
            Lex::In | Lex::Within => self.ahead(at, depth),
            Lex::Mark(b'+') => {
                let (shift, end) = self.duration(at + 1)?;
                self.today_plus(shift, end, 1)
            }
            Lex::After | Lex::By => {
                let (shift, end) = self.duration(at + 1)?;
                (self.closes(end) && self.lex(end) != Lex::From)
                    .then(|| self.today_plus(shift, end, 1))
                    .flatten()
            }
            Lex::AgoFirst => {
                let (shift, end) = self.duration(at + 1)?;
                self.today_plus(shift, end, -1)
            }
            _ => self.weekdays_on(at).or_else(|| self.counted(at, depth)),
        }
    }

    /// "in 3 days", "within the next two weeks", "in two weeks' time", "in 9 days on monday".
    fn ahead(&self, at: usize, depth: u8) -> Option<Hit> {
        let next = self.skip(at + 1, Lex::The);
        let next = match self.lex(next) {
            Lex::Next | Lex::Coming => next + 1,
            _ => next,
        };
        let (shift, end) = self.duration(next)?;
        if self.lex(end) == Lex::From
            && let Some(Hit::Date(reading)) = self.counted(next, depth)
        {
            return Some(Hit::Date(reading));
        }
        let end = self.skip(self.skip_mark(end, b"'"), Lex::Time);
        let on = self.skip(end, Lex::On);
        if let Lex::Weekday {
            day,
            many: false,
            weak,
            ..
        } = self.lex(on)
            && (!weak || on > end)
        {
            return self.in_week_of(shift.apply(self.today, 1)?, day, on + 1);
        }
        let window = self.lex(at) == Lex::Within || next > at + 1;
        match self.today_plus(shift, end, 1)? {
            Hit::Date(reading) if window => Some(Hit::Date(Reading {
                first: self.today,
                ..reading
            })),
            hit => Some(hit),
        }
    }

    /// "two weeks later", "3 days ago", "a week after tomorrow", "3 weeks from July 4".
    fn counted(&self, at: usize, depth: u8) -> Option<Hit> {
        let (shift, end) = self.duration(at)?;
        let sign = match self.lex(end) {
            Lex::Later | Lex::InBehind => return self.today_plus(shift, end + 1, 1),
            Lex::Ago => return self.today_plus(shift, end + 1, -1),
            Lex::From | Lex::After => 1,
            Lex::Before => -1,
            Lex::On => return self.weeks_on(shift, end),
            _ => return None,
        };
        if self.lex(end + 1) == Lex::Now {
            return self.today_plus(shift, end + 2, sign);
        }
        let base = self.inner(end + 1, depth)?;
        if base.day == self.today && base.rule == Rule::Relative {
            return self.today_plus(shift, base.end, sign);
        }
        let from = if sign > 0 { base.last } else { base.first };
        self.single(base.end, shift.apply(from, i64::from(sign)), Rule::Relative)
    }

    /// "a week on friday".
    fn weeks_on(&self, shift: Shift, end: usize) -> Option<Hit> {
        match (shift.plain, self.lex(end + 1)) {
            (
                Some((_, Unit::Week)),
                Lex::Weekday {
                    day, many: false, ..
                },
            ) => {
                let next = calendar::weekday_after(self.today, day)?;
                self.single(end + 2, shift.apply(next, 1), Rule::WeekdayOf)
            }
            _ => None,
        }
    }

    /// "two fridays from now".
    fn weekdays_on(&self, at: usize) -> Option<Hit> {
        let (count, next) = self.quantity(at)?;
        let Lex::Weekday { day, .. } = self.lex(next) else {
            return None;
        };
        let end = match (self.lex(next + 1), self.lex(next + 2)) {
            (Lex::Later | Lex::InBehind, _) => next + 2,
            (Lex::From, Lex::Now | Lex::Day(0, _)) => next + 3,
            _ => return None,
        };
        let first = calendar::weekday_after(self.today, day)?;
        let day = calendar::days(first, (i64::from(count) - 1) * 7).filter(|_| count > 0);
        self.single(end, day, Rule::WeekdayOf)
    }

    fn today_plus(&self, shift: Shift, end: usize, sign: i32) -> Option<Hit> {
        let day = shift.apply(self.today, i64::from(sign))?;
        let (count, unit) = match shift.plain {
            Some((count, unit)) => (count * sign, unit),
            None => (
                i32::try_from((day - self.today).num_days()).ok()?,
                Unit::Day,
            ),
        };
        self.single(end, Some(day), Rule::Offset { count, unit })
    }

    /// "now + 2 days".
    pub(super) fn now(&self, at: usize) -> Option<Hit> {
        if self.lex(at + 1) != Lex::Mark(b'+') {
            return None;
        }
        let (shift, end) = self.duration(at + 2)?;
        self.today_plus(shift, end, 1)
    }

    /// "day after tomorrow", "week after next", "the week of march 5", "month end".
    pub(super) fn unit_head(&self, at: usize, depth: u8) -> Option<Hit> {
        let unit = match self.lex(at) {
            Lex::Unit(unit, 1) => unit,
            Lex::Hafta => Unit::Week,
            _ => return None,
        };
        let link = self.skip_mark(at + 1, b"-");
        let next = self.skip_mark(link + 1, b"-");
        match self.lex(link) {
            Lex::After if self.lex(next) == Lex::Next && self.closes(next + 1) => {
                let days = unit.period(self.today, 2)?;
                let rule = Rule::Period { unit, ahead: 2 };
                return Some(Hit::Date(Reading::over(next + 1, days.0, days, rule)));
            }
            Lex::After | Lex::Before if unit == Unit::Day => {
                let base = self.inner(next, depth)?;
                let sign = if self.lex(link) == Lex::After { 1 } else { -1 };
                let from = if sign > 0 { base.last } else { base.first };
                return self.single(base.end, calendar::days(from, sign), Rule::Relative);
            }
            Lex::Of if unit == Unit::Week && self.lex(next) != Lex::End => {
                let base = self.inner(next, depth)?;
                let days = unit.period(base.day, 0)?;
                let rule = Rule::Absolute;
                return Some(Hit::Date(Reading::over(base.end, days.0, days, rule)));
            }
            Lex::Of if self.lex(next) == Lex::End => return self.last_of(unit, next + 1),
            Lex::End if self.closes(link + 1) => return self.last_of(unit, link + 1),
            _ => {}
        }
        let trailing =
            self.habits.trailing && matches!(self.lex(at + 1), Lex::Next | Lex::Coming | Lex::Last);
        if trailing && unit != Unit::Day {
            return self.period_named(at).map(super::period::present);
        }
        // Spanish and Portuguese "el día 27".
        if unit == Unit::Day && self.habits.day_first && matches!(self.lex(at + 1), Lex::Num { .. })
        {
            let (day, end, _) = self.day_number(at + 1)?;
            return match self.day_first(at + 1) {
                Some(hit) => Some(hit),
                None if self.closes(end) => self.single(
                    end,
                    calendar::day_of_month(self.today, day.into()),
                    Rule::DayOfMonth,
                ),
                None => None,
            };
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, check, none, read};
    use super::super::super::{Rule, Unit};
    use crate::domain::Lang;

    #[test]
    fn counting_from_today() {
        check(
            SUNDAY,
            &[
                ("in 4 days", &["2026-02-12"]),
                ("in a couple of weeks", &["2026-02-22"]),
                ("within three weeks", &["2026-02-08..2026-03-01"]),
                ("in the next 2 days", &["2026-02-08..2026-02-10"]),
                ("five days from now", &["2026-02-13"]),
                ("in twenty one days", &["2026-03-01"]),
                ("in a week's time", &["2026-02-15"]),
                ("1 month and 2 days later", &["2026-03-10"]),
                ("+3 weeks", &["2026-03-01"]),
                ("now + 2 days", &["2026-02-10"]),
                ("a year hence", &["2027-02-08"]),
                ("four days ago", &["2026-02-04"]),
                ("after 4 days", &["2026-02-12"]),
                ("three tuesdays from now", &["2026-02-24"]),
            ],
        );
        let rule = |text| read(text, SUNDAY, Lang::En).dates[0].rule;
        assert_eq!(
            rule("push it by 2 weeks"),
            Rule::Offset {
                count: 2,
                unit: Unit::Week
            }
        );
        assert_eq!(
            rule("3 days earlier"),
            Rule::Offset {
                count: -3,
                unit: Unit::Day
            }
        );
    }

    #[test]
    fn counting_from_another_day() {
        check(
            SUNDAY,
            &[
                ("the day after tomorrow", &["2026-02-10"]),
                ("the day before yesterday", &["2026-02-06"]),
                ("two weeks from tomorrow", &["2026-02-23"]),
                ("3 days before march 1", &["2026-02-26"]),
                ("a month after next friday", &["2026-03-13"]),
                ("next friday + 3 days", &["2026-02-16"]),
                ("a week on tuesday", &["2026-02-17"]),
                ("the week after next", &["2026-02-16..2026-02-22"]),
            ],
        );
        none(&[
            "day after day",
            "30 days",
            "for 3 days",
            "two weeks notice",
            "one day",
            "some day",
            "+49 30 1234",
        ]);
    }
}
