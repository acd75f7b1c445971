//! Stretches of days: "next week", "end of the month", "this weekend", "in March".

use chrono::{Datelike, NaiveDate, Weekday};

use super::super::lexeme::Lex;
use super::super::{Rule, Unit, calendar};
use super::{Hit, Reader, Reading};

/// A named stretch of days.
#[derive(Debug, Clone, Copy)]
pub(super) struct Period {
    pub(super) first: NaiveDate,
    pub(super) last: NaiveDate,
    pub(super) unit: Unit,
    pub(super) ahead: i32,
    /// A month without its year.
    pub(super) yearless: bool,
    pub(super) end: usize,
}

impl Reader {
    /// "next month", "the month", "march 2027", "2027": what may stand after "end of".
    pub(super) fn period_named(&self, at: usize) -> Option<Period> {
        let at = self.skip(at, Lex::The);
        if let Some((year, end)) = self.year(at) {
            let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
            return self.span(Unit::Year, year.checked_sub(self.today.year())?, first, end);
        }
        if let Lex::Month { month, .. } = self.lex(at) {
            return self.calendar_month(at, u32::from(month));
        }
        let (ahead, next) = match self.lex(at) {
            Lex::Next | Lex::Coming => (1, at + 1),
            Lex::This => (0, at + 1),
            Lex::Last => (-1, at + 1),
            _ => (0, at),
        };
        let unit = match self.lex(next) {
            Lex::Unit(unit, 1) => unit,
            Lex::Hafta => Unit::Week,
            _ => return None,
        };
        let (ahead, end) = self.trailing_word(ahead, next + 1);
        let (first, last) = unit.period(self.today, ahead)?;
        Some(Period {
            first,
            last,
            unit,
            ahead,
            yearless: false,
            end,
        })
    }

    /// "semaine prochaine": the word behind the noun.
    fn trailing_word(&self, ahead: i32, end: usize) -> (i32, usize) {
        match self.lex(end) {
            Lex::Next | Lex::Coming if self.habits.trailing => (1, end + 1),
            Lex::Last if self.habits.trailing => (-1, end + 1),
            _ => (ahead, end),
        }
    }

    fn calendar_month(&self, at: usize, month: u32) -> Option<Period> {
        let (first, end, yearless) = if let Some((year, end)) = self.year(at + 1) {
            (NaiveDate::from_ymd_opt(year, month, 1)?, end, false)
        } else {
            let this = NaiveDate::from_ymd_opt(self.today.year(), month, 1)?;
            let past = month < self.today.month();
            (
                if past {
                    Unit::Year.shift(this, 1)?
                } else {
                    this
                },
                at + 1,
                true,
            )
        };
        let months = (first.year() - self.today.year()) * 12 + i32::try_from(month).ok()?
            - i32::try_from(self.today.month()).ok()?;
        let period = self.span(Unit::Month, months, first, end)?;
        Some(Period { yearless, ..period })
    }

    fn span(&self, unit: Unit, ahead: i32, first: NaiveDate, end: usize) -> Option<Period> {
        let (first, last) = unit.period(first, 0)?;
        Some(Period {
            first,
            last,
            unit,
            ahead,
            yearless: false,
            end,
        })
    }

    /// "next friday", "this week", "next weekend", "the next 3 days", "this evening", "last night".
    pub(super) fn relative(&self, at: usize) -> Option<Hit> {
        let mut word = self.lex(at);
        let mut next = at + 1;
        if matches!(word, Lex::This | Lex::Next) && self.lex(next) == Lex::Coming {
            (word, next) = (Lex::Coming, next + 1);
        }
        match self.lex(next) {
            Lex::Weekday {
                day, many: false, ..
            } => return self.worded_weekday(word, day, next + 1),
            Lex::Weekend => return self.weekend_of(ahead(word), next + 1, true),
            Lex::Part(_) if word == Lex::This => {
                return self.single(next + 1, Some(self.today), Rule::Relative);
            }
            Lex::Part(_) if word == Lex::Last => {
                return self.single(next + 1, self.today.pred_opt(), Rule::Relative);
            }
            Lex::Month { month, weak } if word != Lex::Coming => {
                let period = self.calendar_month(next, u32::from(month))?;
                if weak && !self.led(at) && !self.ends(period.end) {
                    return None;
                }
                let period = match (word, period.ahead) {
                    (Lex::Next, 0) => self.calendar_shifted(period, 12)?,
                    (Lex::Last, _) => self.calendar_shifted(period, -12)?,
                    _ => period,
                };
                return self.closes(period.end).then(|| present(period));
            }
            Lex::Unit(Unit::Day, 1) => return self.next_day(word, next + 1),
            _ => {}
        }
        if word != Lex::This
            && word != Lex::Last
            && let Some((shift, end)) = self.duration(next)
        {
            let (count, unit) = shift.plain?;
            return self.days_ahead(count, unit, end);
        }
        let period = self.period_named(at).filter(|period| period.end > at + 1);
        let period = period.or_else(|| {
            let period = self.period_named(next)?;
            let (first, last) = period.unit.period(self.today, ahead(word))?;
            Some(Period {
                first,
                last,
                ahead: ahead(word),
                ..period
            })
        })?;
        if period.unit == Unit::Week
            && let Some(hit) = self.weekday_within(period, period.end)
        {
            return Some(hit);
        }
        // Urdu puts the end behind: "is mahine ke akhir".
        if self.lex(period.end) == Lex::Of && self.lex(period.end + 1) == Lex::End {
            let rule = Rule::Period {
                unit: period.unit,
                ahead: period.ahead,
            };
            return self.single(period.end + 2, Some(period.last), rule);
        }
        Some(present(period))
    }

    /// "trois prochains jours": the number goes before the word.
    pub(super) fn numbered(&self, at: usize) -> Option<Hit> {
        let (count, next) = self.cardinal(at)?;
        match (self.lex(next), self.lex(next + 1)) {
            (Lex::Next, Lex::Unit(unit, 1)) if self.habits.trailing => {
                self.days_ahead(count.into(), unit, next + 2)
            }
            _ => None,
        }
    }

    fn days_ahead(&self, count: i32, unit: Unit, end: usize) -> Option<Hit> {
        let last = unit.shift(self.today, count)?;
        let rule = Rule::Offset { count, unit };
        Some(Hit::Date(Reading::over(
            end,
            last,
            (self.today, last),
            rule,
        )))
    }

    /// "next week on thursday", "next week's friday".
    fn weekday_within(&self, period: Period, at: usize) -> Option<Hit> {
        let at = self.skip(self.skip_mark(at, b","), Lex::On);
        match self.lex(at) {
            Lex::Weekday {
                day,
                many: false,
                weak,
                ..
            } if !weak || self.closes(at + 1) => {
                let day = calendar::weekday_of(period.first, 0, day);
                self.single(at + 1, day, Rule::WeekdayOf)
            }
            _ => None,
        }
    }

    fn calendar_shifted(&self, period: Period, months: i32) -> Option<Period> {
        let first = Unit::Month.shift(period.first, months)?;
        self.span(Unit::Month, period.ahead + months, first, period.end)
    }

    fn next_day(&self, word: Lex, end: usize) -> Option<Hit> {
        let tomorrow = self.today.succ_opt();
        (matches!(word, Lex::Next) && self.closes(end))
            .then(|| self.single(end, tomorrow, Rule::Relative))
            .flatten()
    }

    /// "weekend" after a preposition or an article.
    pub(super) fn weekend(&self, at: usize) -> Option<Hit> {
        let (ahead, end) = self.trailing_word(0, at + 1);
        let the = self.before(at) == Lex::The;
        let led = !matches!(
            self.before(if the { at - 1 } else { at }),
            Lex::Other | Lex::Stop | Lex::Pronoun
        );
        (led || ahead != 0 || self.alone(at, end))
            .then(|| self.weekend_of(ahead, end, false))
            .flatten()
    }

    fn weekend_of(&self, ahead: i32, end: usize, said: bool) -> Option<Hit> {
        let (ahead, end) = self.trailing_word(ahead, end);
        // On a Sunday "the weekend" is the one to come; "this weekend" is the one that ends.
        let over = ahead == 0 && !said && self.today.weekday() == Weekday::Sun;
        let first =
            calendar::weekday_of(self.today, i64::from(ahead) + i64::from(over), Weekday::Sat)?;
        let last = first.succ_opt()?;
        let day = if first < self.today && self.today <= last {
            self.today
        } else {
            first
        };
        let rule = Rule::Period {
            unit: Unit::Week,
            ahead,
        };
        Some(Hit::Date(Reading::over(end, day, (first, last), rule)))
    }

    /// "end of the month", "start of next week", "Ende März".
    pub(super) fn edge(&self, at: usize) -> Option<Hit> {
        let last = self.lex(at) == Lex::End;
        let hyphen = self.skip_mark(at + 1, b"-");
        let of = self.skip_mark(self.skip(hyphen, Lex::Of), b"-");
        let loose = matches!(self.lex(of), Lex::Month { .. }) || self.habits.day_first;
        if of == hyphen && !loose {
            return None;
        }
        let next = self.skip(of, Lex::The);
        if let Lex::Day(ahead, _) = self.lex(next) {
            return self.named_day(next, ahead);
        }
        let period = self.period_named(of)?;
        let day = if last { period.last } else { period.first };
        let rule = Rule::Period {
            unit: period.unit,
            ahead: period.ahead,
        };
        self.single(period.end, Some(day), rule)
    }

    /// The last day of the present unit.
    pub(super) fn last_of(&self, unit: Unit, end: usize) -> Option<Hit> {
        let (_, last) = unit.period(self.today, 0)?;
        self.single(end, Some(last), Rule::Period { unit, ahead: 0 })
    }

    /// "in March", "by may 2027": a month as a whole, only after a preposition or with its year.
    pub(super) fn month_period(&self, at: usize) -> Option<Hit> {
        let (led, next) = match self.lex(at) {
            Lex::Month { .. } => (false, at),
            Lex::In | Lex::By | Lex::Until | Lex::Before | Lex::AgoFirst | Lex::Within => {
                (true, at + 1)
            }
            _ => return None,
        };
        let Lex::Month { month, weak } = self.lex(next) else {
            return None;
        };
        if self.hit_day(next).is_some() && led {
            return None;
        }
        let period = self.calendar_month(next, u32::from(month))?;
        let meant = if led {
            !period.yearless || (self.closes(period.end) && !weak) || self.ends(period.end)
        } else {
            !period.yearless && !weak
        };
        meant.then(|| present(period))
    }

    fn hit_day(&self, at: usize) -> Option<Hit> {
        if self
            .day_number(self.skip(self.skip_mark(at + 1, b".,"), Lex::The))
            .is_some()
        {
            return Some(Hit::Dead(at));
        }
        self.numeric(at)
    }

    fn ends(&self, at: usize) -> bool {
        matches!(
            self.lex(at),
            Lex::Stop | Lex::Mark(b'.' | b',' | b'!' | b'?' | b')' | b';')
        )
    }
}

fn ahead(word: Lex) -> i32 {
    match word {
        Lex::Next => 1,
        Lex::Last => -1,
        _ => 0,
    }
}

/// A period as a date: what is under way is due by its last day, what is to come on its first.
pub(super) fn present(period: Period) -> Hit {
    let day = if period.ahead == 0 {
        period.last
    } else {
        period.first
    };
    let rule = Rule::Period {
        unit: period.unit,
        ahead: period.ahead,
    };
    let days = (period.first, period.last);
    Hit::Date(Reading::over(period.end, day, days, rule))
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, WEDNESDAY, check, day, none, read};
    use crate::domain::Lang;

    #[test]
    fn stretches() {
        check(
            SUNDAY,
            &[
                ("next week", &["2026-02-09..2026-02-15"]),
                ("this month", &["2026-02-01..2026-02-28"]),
                ("next year", &["2027-01-01..2027-12-31"]),
                ("last week", &["2026-01-26..2026-02-01"]),
                ("this weekend", &["2026-02-07..2026-02-08"]),
                ("next weekend", &["2026-02-14..2026-02-15"]),
                ("travel in april", &["2026-04-01..2026-04-30"]),
                ("april 2027", &["2027-04-01..2027-04-30"]),
                ("by end of month", &["2026-02-28"]),
                ("at the end of next month", &["2026-03-31"]),
                ("the end of april", &["2026-04-30"]),
                ("beginning of next month", &["2026-03-01"]),
                ("by eow", &["2026-02-08"]),
                ("by eod", &["2026-02-08"]),
                ("this evening", &["2026-02-08"]),
                ("last night", &["2026-02-07"]),
            ],
        );
        check(
            WEDNESDAY,
            &[
                ("end of the week", &["2026-08-16"]),
                ("end of the year", &["2026-12-31"]),
            ],
        );
    }

    #[test]
    fn a_period_gives_its_first_day_and_the_present_one_its_last() {
        let due = |text, today| read(text, today, Lang::En).dates[0].day;
        assert_eq!(due("next week", WEDNESDAY), day("2026-08-17"));
        assert_eq!(due("this week", WEDNESDAY), day("2026-08-16"));
        assert_eq!(due("this weekend", WEDNESDAY), day("2026-08-15"));
        assert_eq!(due("this weekend", SUNDAY), day("2026-02-08"));
    }

    #[test]
    fn no_stretch_at_all() {
        none(&[
            "have a great week",
            "the end of the line",
            "next one",
            "next 5 tasks",
            "weekend bag",
            "for the month",
        ]);
    }
}
