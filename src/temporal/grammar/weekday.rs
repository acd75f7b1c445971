//! Weekdays: "friday", "next friday", "friday next week", "Tue, 7 July", "the friday after".

use chrono::{NaiveDate, Weekday};

use super::super::lexeme::Lex;
use super::super::{Rule, Unit, calendar};
use super::{Hit, Reader, Reading};

impl Reader {
    /// An expression that begins with a weekday.
    pub(super) fn weekday(&self, at: usize, depth: u8) -> Option<Hit> {
        let (named, weak) = match self.lex(at) {
            Lex::Weekday {
                day,
                weak,
                many: false,
                ..
            } => (day, weak),
            Lex::Hafta => (Weekday::Sat, true),
            _ => return None,
        };
        if self.before(at) == Lex::Feast && !self.alone(at, at + 1) {
            return Some(Hit::Dead(at + 1));
        }
        let hit = self
            .dated(at, named)
            .or_else(|| self.in_week(at, named))
            .or_else(|| self.after_other(at, named, depth))
            .or_else(|| self.with_offset(at, named, depth));
        if hit.is_some() {
            return hit;
        }
        if weak && !self.surely_weekday(at) {
            return None;
        }
        let end = at + 1;
        match self.lex(end) {
            Lex::Next if self.habits.trailing => self.worded_weekday(Lex::Next, named, end + 1),
            Lex::Coming if self.habits.trailing => self.worded_weekday(Lex::Coming, named, end + 1),
            Lex::Last if self.habits.trailing => self.worded_weekday(Lex::Last, named, end + 1),
            Lex::Unit(Unit::Week, 1) if self.closes(end + 1) => {
                let day = calendar::weekday_after(self.today, named)
                    .and_then(|day| calendar::days(day, 7));
                self.single(end + 1, day, Rule::WeekdayOf)
            }
            _ => self.single(
                end,
                calendar::weekday_after(self.today, named),
                Rule::Weekday,
            ),
        }
    }

    /// The weekday after "next", "this", "coming" or "last".
    pub(super) fn worded_weekday(&self, word: Lex, named: Weekday, end: usize) -> Option<Hit> {
        let (day, rule) = match word {
            Lex::Next => (calendar::weekday_of(self.today, 1, named), Rule::WeekdayOf),
            Lex::Last => (calendar::weekday_before(self.today, named), Rule::WeekdayOf),
            Lex::Coming => (calendar::weekday_after(self.today, named), Rule::Weekday),
            // "this monday" said on a Wednesday can only mean the one to come.
            _ => (
                calendar::weekday_of(self.today, 0, named)
                    .filter(|day| *day >= self.today)
                    .or_else(|| calendar::weekday_after(self.today, named)),
                Rule::WeekdayOf,
            ),
        };
        self.single(end, day, rule)
    }

    /// "Tuesday, July 7", "friday 2026-02-13", "tuesday the 19th".
    fn dated(&self, at: usize, named: Weekday) -> Option<Hit> {
        let after = at + 1;
        let dot = if self.spaced(after) {
            after
        } else {
            self.skip_mark(after, b".")
        };
        let next = self.skip_mark(dot, b",");
        let the = self.skip(next, Lex::The);
        // "sexta, dia 20"
        let figure = self.skip(the, Lex::Unit(Unit::Day, 1));
        let called = figure > the && matches!(self.lex(figure), Lex::Num { .. });
        let the = if called { figure } else { the };
        let figure = match self.lex(the) {
            Lex::Num { .. } | Lex::Ord(_) => self.numeric(the).or_else(|| self.day_first(the)),
            Lex::Spelled(_) | Lex::SpelledOrd(_) => self.day_first(the),
            Lex::Month { .. } => self.numeric(the).or_else(|| self.month_first(the)),
            _ => return None,
        };
        if let Some(hit) = figure {
            return match hit {
                Hit::Date(reading) if reading.rule == Rule::MonthDay => self.single(
                    reading.end,
                    self.on_weekday(reading.day, named),
                    Rule::MonthDay,
                ),
                Hit::Date(Reading {
                    rule: Rule::Absolute | Rule::DayOfMonth,
                    ..
                }) => Some(hit),
                Hit::Date(_) => None,
                // "friday 17:30" and "monday 1-2" keep their weekday.
                Hit::Dead(_) | Hit::NoDay(_) if matches!(self.lex(the), Lex::Month { .. }) => {
                    Some(hit)
                }
                Hit::Dead(_) | Hit::NoDay(_) => None,
            };
        }
        let (day, end, ordinal) = self.day_number(the)?;
        if self.clock(the).is_some() || !(1..=31).contains(&day) || self.lex(end) == Lex::Of {
            return None;
        }
        let spelled = matches!(self.lex(the), Lex::SpelledOrd(_) | Lex::Spelled(_));
        let meant = if ordinal {
            !spelled || the > next || self.closes(end)
        } else {
            (called || day > 12) && self.closes(end)
        };
        meant
            .then(|| {
                self.single(
                    end,
                    calendar::weekday_on_day(self.today, named, day.into()),
                    Rule::DayOfMonth,
                )
            })
            .flatten()
    }

    /// "friday next week", "thursday of this week", "monday of the following week".
    fn in_week(&self, at: usize, named: Weekday) -> Option<Hit> {
        let next = self.skip_mark(at + 1, b",");
        let next = match self.lex(next) {
            Lex::Of | Lex::In => next + 1,
            _ => next,
        };
        let the = self.skip(next, Lex::The);
        let worded = matches!(
            self.lex(the),
            Lex::Next | Lex::This | Lex::Coming | Lex::Last
        ) || (self.habits.trailing
            && matches!(self.lex(the), Lex::Unit(Unit::Week, 1)));
        let period = self
            .period_named(next)
            .filter(|period| worded && period.unit == Unit::Week)?;
        self.single(
            period.end,
            calendar::weekday_of(period.first, 0, named),
            Rule::WeekdayOf,
        )
    }

    /// "friday after next", "the friday after", "the monday after march 5", "the friday before".
    fn after_other(&self, at: usize, named: Weekday, depth: u8) -> Option<Hit> {
        let forward = match self.lex(at + 1) {
            Lex::After => true,
            Lex::Before => false,
            _ => return None,
        };
        let next = at + 2;
        if forward
            && self.lex(next) == Lex::Next
            && !matches!(self.lex(next + 1), Lex::Unit(..) | Lex::Weekday { .. })
        {
            return self.single(
                next + 1,
                calendar::weekday_of(self.today, 2, named),
                Rule::WeekdayOf,
            );
        }
        if let Some(other) = self.inner(next, depth) {
            let day = if forward {
                calendar::weekday_after(other.last, named)
            } else {
                calendar::weekday_before(other.first, named)
            };
            return self.single(other.end, day, Rule::WeekdayOf);
        }
        if forward && self.is_definite(at) && self.ends_clause(next) {
            let day =
                calendar::weekday_after(self.today, named).and_then(|day| calendar::days(day, 7));
            return self.single(next, day, Rule::Following(named));
        }
        None
    }

    fn ends_clause(&self, at: usize) -> bool {
        matches!(
            self.lex(at),
            Lex::Stop | Lex::Mark(_) | Lex::Join | Lex::Pronoun
        )
    }

    /// "friday in two weeks", "friday a month from now": that day of the week it falls in.
    fn with_offset(&self, at: usize, named: Weekday, depth: u8) -> Option<Hit> {
        let next = self.skip_mark(at + 1, b",");
        let counted = matches!(
            self.lex(next),
            Lex::In | Lex::Num { .. } | Lex::Spelled(_) | Lex::One | Lex::Couple
        );
        match self.offset(next, depth).filter(|_| counted)? {
            Hit::Date(reading) => self.in_week_of(reading.day, named, reading.end),
            Hit::Dead(_) | Hit::NoDay(_) => None,
        }
    }

    /// The weekday of the week that holds `date`.
    pub(super) fn in_week_of(&self, date: NaiveDate, named: Weekday, end: usize) -> Option<Hit> {
        self.single(end, calendar::weekday_of(date, 0, named), Rule::WeekdayOf)
    }

    /// Tells whether a time stands at `end`, which is more than a number that would count something: "sat
    /// 7.30", "sat 7pm", "sab alle 3".
    pub(super) fn timed(&self, end: usize) -> bool {
        let time = self.clock(end).filter(|_| self.lex(end) == Lex::At);
        let time = time.or_else(|| self.instant(end, true));
        time.is_some_and(|(stop, _)| stop > end + 1)
    }

    /// "sat", "sun", "wed" and "mon" are days only where they can't be words.
    fn surely_weekday(&self, at: usize) -> bool {
        let end = at + 1;
        if self.led(at) && self.before(at) != Lex::The || self.alone(at, end) || self.timed(end) {
            return true;
        }
        // "so", "mar": where words of the language are cut off so, an end makes no day of them.
        if self.habits.day_first {
            return matches!(self.lex(end), Lex::Part(_) | Lex::Post | Lex::PostUntil);
        }
        let subject = match self.before(at) {
            // "it sat" tells; "make it wed" sets a day.
            Lex::Pronoun => at < 2 || !matches!(self.before(at - 1), Lex::Other),
            Lex::The | Lex::One => true,
            Lex::Other => {
                at > 1
                    && matches!(
                        self.before(at - 1),
                        Lex::Pronoun | Lex::The | Lex::One | Lex::To
                    )
            }
            _ => false,
        };
        !subject && self.closes(end)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, WEDNESDAY, check, none};

    #[test]
    fn from_a_sunday() {
        check(
            SUNDAY,
            &[
                ("gym monday", &["2026-02-09"]),
                ("sunday", &["2026-02-15"]),
                ("next monday", &["2026-02-09"]),
                ("next sunday", &["2026-02-15"]),
                ("this thursday", &["2026-02-12"]),
                ("last thursday", &["2026-02-05"]),
                ("the thursday after", &["2026-02-19"]),
                ("thursday after next", &["2026-02-19"]),
                ("thursday next week", &["2026-02-12"]),
                ("next week, on thursday", &["2026-02-12"]),
                ("friday the 13th", &["2026-02-13"]),
                ("wensday", &["2026-02-11"]),
            ],
        );
    }

    #[test]
    fn from_a_wednesday() {
        check(
            WEDNESDAY,
            &[
                ("wednesday", &["2026-08-19"]),
                ("this wednesday", &["2026-08-12"]),
                ("coming wednesday", &["2026-08-19"]),
                ("next wednesday", &["2026-08-19"]),
                ("next friday", &["2026-08-21"]),
                ("friday", &["2026-08-14"]),
                ("this monday", &["2026-08-17"]),
                ("monday of this week", &["2026-08-10"]),
                ("friday after next", &["2026-08-28"]),
                ("monday in two weeks", &["2026-08-24"]),
                ("friday week", &["2026-08-21"]),
                ("the monday after august 20", &["2026-08-24"]),
                ("the monday before august 20", &["2026-08-17"]),
                ("monday, august 31", &["2026-08-31"]),
            ],
        );
    }

    #[test]
    fn short_names_are_words_first() {
        check(
            SUNDAY,
            &[
                ("lunch on sat", &["2026-02-14"]),
                ("lunch sat", &["2026-02-14"]),
                ("push the review to wed", &["2026-02-11"]),
                ("Sun 9am", &["2026-02-15"]),
            ],
        );
        none(&[
            "the dog sat down",
            "he sat",
            "sit in the sun",
            "sun cream",
            "they wed young",
            "mon ami",
            "sun-dried figs",
            "black friday list",
            "monday.com invoice",
            "\"friday\" by a band",
        ]);
    }

    #[test]
    fn a_short_name_that_is_a_word_needs_a_time_beside_it() {
        use super::super::super::checks::days;
        use crate::domain::Lang::{De, Es, Fr, It, Pt};
        for (text, lang, day) in [
            ("Friseur do um 10", De, Some("2026-02-12")),
            ("Friseur am so", De, Some("2026-02-15")),
            ("Friseur mi früh", De, Some("2026-02-11")),
            ("Müll mo", De, Some("2026-02-09")),
            ("das ist so", De, None),
            ("jeden Tag so um halb acht", De, None),
            ("cine el sáb", Es, Some("2026-02-14")),
            ("ver el mar", Es, None),
            ("dîner sam à 20h", Fr, Some("2026-02-14")),
            ("appeler sam", Fr, None),
            ("cena gio alle 8", It, Some("2026-02-12")),
            ("chiamare gio", It, None),
            ("jantar qua às 20h", Pt, Some("2026-02-11")),
            ("vou ter", Pt, None),
        ] {
            let found = days(text, SUNDAY, lang);
            assert_eq!(found.first().map(String::as_str), day, "{text}");
        }
    }
}
