//! Dates written in figures: `2026-02-10`, `7/30`, `22/04/2026`, `10.02.2026`, `2026/Jul/4`.
//!
//! A run of numbers joined by signs is judged as a whole, so that versions, phone
//! numbers, ratios and sums never yield a part that looks like a day.

use chrono::NaiveDate;

use super::super::lexeme::Lex;
use super::super::{Rule, calendar};
use super::{Hit, Reader};

#[derive(Debug, Clone, Copy)]
enum NumberPart {
    Number(u16, u8),
    Month(u32),
}

/// Figures of a month and of a day, as they are written.
type MonthAndDay = (u32, u32);

/// Numbers and month names joined by one and the same sign.
#[derive(Debug)]
struct Run {
    parts: [NumberPart; 3],
    length: usize,
    sign: u8,
    mixed: bool,
    /// White space stands around its signs.
    loose: bool,
    end: usize,
}

impl Reader {
    /// The run of figures at `at`; a lone number is none.
    pub(super) fn numeric(&self, at: usize) -> Option<Hit> {
        let run = self.run(at)?;
        // "1-2pm" is a time and "10-12 March" are days.
        let beyond = self.lex(self.skip(run.end, Lex::Of));
        if run.length == 2
            && run.sign == b'-'
            && matches!(beyond, Lex::Meridiem(_) | Lex::Hour | Lex::Month { .. })
        {
            return None;
        }
        let foreign = run.length > 3 || run.mixed || self.before(at) == Lex::Label;
        if foreign || !self.stands_free(at, run.end) {
            return if run.loose {
                None
            } else {
                Some(Hit::Dead(run.end))
            };
        }
        let hit = match (run.parts, run.length) {
            (
                [NumberPart::Month(month), NumberPart::Number(day, 1 | 2), _]
                | [NumberPart::Number(day, 1 | 2), NumberPart::Month(month), _],
                2,
            ) => self.with_year(run.end, month, u32::from(day)),
            ([a, b, c], 3) if !run.loose => match self.full(a, b, c, run.sign) {
                // "2026-02-30", not "31/31/2026".
                Some((year, first, second)) if may_be(first) || may_be(second) => {
                    let day = |(month, day)| NaiveDate::from_ymd_opt(year, month, day);
                    self.day_named(run.end, day(first).or(day(second)), Rule::Absolute)
                }
                _ => Some(Hit::Dead(run.end)),
            },
            (
                [
                    NumberPart::Number(a, 1 | 2),
                    NumberPart::Number(b, 1 | 2),
                    _,
                ],
                2,
            ) if self.plausible(at, &run, a, b) => {
                let day = self.short(u32::from(a), u32::from(b));
                // German closes the short form with a dot: "12.3."
                let dotted = run.sign == b'.' && self.habits.day_first && !self.spaced(run.end);
                let end = if dotted {
                    self.skip_mark(run.end, b".")
                } else {
                    run.end
                };
                // "31/2", not "45/50" and not "0/3".
                match may_be((a.min(b).into(), a.max(b).into())) {
                    true => self.day_named(end, day, Rule::MonthDay),
                    false => self.single(end, day, Rule::MonthDay),
                }
            }
            _ => None,
        };
        match hit {
            None if !run.loose => Some(Hit::Dead(run.end)),
            hit => hit,
        }
    }

    fn run(&self, at: usize) -> Option<Run> {
        let mut run = Run {
            parts: [self.figure(at)?; 3],
            length: 1,
            sign: 0,
            mixed: false,
            loose: false,
            end: at + 1,
        };
        while let Lex::Mark(sign @ (b'/' | b'-' | b'.')) = self.lex(run.end) {
            let (left, right) = (self.spaced(run.end), self.spaced(run.end + 1));
            let loose = left && right && sign != b'.';
            if left != right || (left && !loose) || (loose && run.length > 1) {
                break;
            }
            let Some(part) = self.figure(run.end + 1) else {
                break;
            };
            run.mixed |= run.length > 1 && sign != run.sign;
            run.sign = sign;
            run.loose = loose;
            if let Some(slot) = run.parts.get_mut(run.length) {
                *slot = part;
            }
            run.length += 1;
            run.end += 2;
            if loose {
                break;
            }
        }
        (run.length > 1).then_some(run)
    }

    fn figure(&self, at: usize) -> Option<NumberPart> {
        match self.lex(at) {
            Lex::Num { value, digits } => Some(NumberPart::Number(value, digits)),
            Lex::Ord(day) => Some(NumberPart::Number(u16::from(day), 2)),
            Lex::Month { month, .. } => Some(NumberPart::Month(u32::from(month))),
            _ => None,
        }
    }

    /// `Jul-4`, perhaps with a year behind it.
    fn with_year(&self, end: usize, month: u32, day: u32) -> Option<Hit> {
        if let Some((year, end)) = self.year(end) {
            return self.single(
                end,
                NaiveDate::from_ymd_opt(year, month, day),
                Rule::Absolute,
            );
        }
        self.single(
            end,
            calendar::month_day(self.today, month, day),
            Rule::MonthDay,
        )
    }

    /// The year of a full date, and its month and day in either order, the likely one first.
    fn full(
        &self,
        a: NumberPart,
        b: NumberPart,
        c: NumberPart,
        sign: u8,
    ) -> Option<(i32, MonthAndDay, MonthAndDay)> {
        use NumberPart::{Month, Number};
        let (year, digits, first, second) = match (a, b, c) {
            (Number(year, 4), Number(month, 1 | 2), Number(day, 1 | 2)) => {
                let named = (month.into(), day.into());
                (year, 4, named, named)
            }
            (Number(year, 4), Month(month), Number(day, 1 | 2))
            | (Month(month), Number(year, 4), Number(day, 1 | 2)) => {
                let named = (month, day.into());
                (year, 4, named, named)
            }
            (Number(day, 1 | 2), Month(month), Number(year, digits @ (2 | 4)))
            | (Month(month), Number(day, 1 | 2), Number(year, digits @ (2 | 4))) => {
                let named = (month, day.into());
                (year, digits, named, named)
            }
            (Number(a, 1 | 2), Number(b, 1 | 2), Number(year, digits @ (2 | 4))) => {
                // `1.10.30` is a version before it is a day, unless the language dates with dots.
                if digits == 2 && sign == b'.' && !self.habits.day_first {
                    return None;
                }
                let (us, world) = ((a.into(), b.into()), (b.into(), a.into()));
                match self.habits.day_first || sign == b'.' {
                    true => (year, digits, world, us),
                    false => (year, digits, us, world),
                }
            }
            _ => return None,
        };
        Some((calendar::full_year(year, digits)?, first, second))
    }

    fn short(&self, a: u32, b: u32) -> Option<NaiveDate> {
        let us = calendar::month_day(self.today, a, b);
        let world = calendar::month_day(self.today, b, a);
        if self.habits.day_first {
            world.or(us)
        } else {
            us.or(world)
        }
    }

    /// Two figures are a day only where nothing else fits: not in "1/2 cup", "24/7", "1-1", "6.5 kg".
    fn plausible(&self, at: usize, run: &Run, a: u16, b: u16) -> bool {
        if self.alone(at, run.end) {
            return match run.sign {
                b'.' => self.habits.day_first && self.lex(run.end) == Lex::Mark(b'.'),
                _ => (a, b) != (24, 7),
            };
        }
        let closes = self.closes(run.end);
        let led = self.led(at) && (closes || self.opens(at - 1));
        match run.sign {
            b'/' if run.loose => led,
            b'/' => led || (closes && !is_fraction(a, b) && (a, b) != (24, 7)),
            b'-' => led && closes,
            _ if self.habits.day_first && self.lex(run.end) == Lex::Mark(b'.') => true,
            _ => (led || self.before(at) == Lex::In) && closes,
        }
    }
}

fn is_fraction(a: u16, b: u16) -> bool {
    matches!((a, b), (1, 2..=5 | 8 | 10) | (2, 3) | (3, 4 | 8))
}

/// Tells whether some month has that number, and some month that day.
fn may_be((month, day): MonthAndDay) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, check, days, none};
    use crate::domain::Lang;

    #[test]
    fn figures() {
        check(
            SUNDAY,
            &[
                ("ship 2026-07-04 at last", &["2026-07-04"]),
                ("ship 2026/7/4", &["2026-07-04"]),
                ("ship on 7/4", &["2026-07-04"]),
                ("ship 25/12", &["2026-12-25"]),
                ("ship 1/30", &["2027-01-30"]),
                ("ship 30.06.2026, then rest", &["2026-06-30"]),
                ("06/30/26", &["2026-06-30"]),
                ("30-Jun-2026", &["2026-06-30"]),
                ("2026/Jun/30", &["2026-06-30"]),
                ("rent Jun/30", &["2026-06-30"]),
                ("by 6-30", &["2026-06-30"]),
            ],
        );
    }

    #[test]
    fn what_only_looks_like_figures_of_a_day() {
        none(&[
            "2026-02-31",
            "31/31/2026",
            "7/32",
            "1/2 cup of flour",
            "open 24/7",
            "version 2.11.26",
            "v 2.11",
            "pages 3-14",
            "a 1-1 with Kim",
            "a 16:9 screen",
            "ratio 3/7",
            "10.5 kg",
            "3.7%",
            "$6/12",
            "192.168.2.12",
            "call 030-12-3456",
            "5-4-3",
            "see /logs/2026-07-04/x",
            "report-2026-07-04.pdf",
            "http://example.org/2026-07-04",
            "BMI 7/8.9",
            "1,204.05",
            "#7/4",
        ]);
    }

    #[test]
    fn order_is_of_the_language() {
        assert_eq!(days("am 3/4", SUNDAY, Lang::De), ["2026-04-03"]);
        assert_eq!(days("on 3/4", SUNDAY, Lang::En), ["2026-03-04"]);
        assert_eq!(
            days("Zahnarzt am 3.4. um 8", SUNDAY, Lang::De),
            ["2026-04-03"]
        );
    }
}
