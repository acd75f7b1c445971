//! Times of day, which are read so that they can be said not to be kept.

use super::super::lexeme::Lex;
use super::Reader;

impl Reader<'_> {
    /// One past a time of day at `at`: "at 5pm", "17:30", "half past five", "in 2 hours", "in the morning".
    pub(in crate::temporal) fn clock(&self, at: usize) -> Option<usize> {
        match self.lex(at) {
            Lex::At => {
                let next = if self.lex(at + 1) == Lex::Prep {
                    at + 2
                } else {
                    at + 1
                };
                self.instant(next, true)
            }
            Lex::In | Lex::Within => self.in_hours(at + 1).or_else(|| self.part_of_day(at + 1)),
            Lex::By | Lex::Until | Lex::Before | Lex::After | Lex::Prep | Lex::From => {
                self.instant(at + 1, false)
            }
            _ => self.instant(at, false),
        }
    }

    fn instant(&self, at: usize, led: bool) -> Option<usize> {
        match self.lex(at) {
            Lex::Clock | Lex::Noon => Some(at + 1),
            Lex::Part if led => Some(at + 1),
            Lex::Half | Lex::Quarter => self.past_hour(at),
            Lex::Num {
                value: 0..=59,
                digits: 1 | 2,
            }
            | Lex::Spelled(1..=59) => self.past_hour(at).or_else(|| self.hour(at, led)),
            _ => None,
        }
    }

    /// "half past five", "quarter to six", "twenty past 3", "halb sechs".
    fn past_hour(&self, at: usize) -> Option<usize> {
        let fraction = matches!(self.lex(at), Lex::Half | Lex::Quarter);
        let link = if fraction {
            at + 1
        } else {
            self.cardinal(at)?.1
        };
        let hour = match self.lex(link) {
            Lex::Last => link + 1,
            Lex::To | Lex::After | Lex::AgoFirst if fraction => link + 1,
            Lex::Num { .. } | Lex::Spelled(_) if fraction && self.language.day_first => link,
            _ => return None,
        };
        let (value, end) = self.cardinal(hour)?;
        (1..=24).contains(&value).then(|| self.trailing_sign(end))
    }

    fn hour(&self, at: usize, led: bool) -> Option<usize> {
        let (hour, mut end) = self.cardinal(at)?;
        let mut exact = false;
        if hour <= 24
            && let Lex::Mark(sign @ (b':' | b'.')) = self.lex(end)
            && let Lex::Num {
                value: 0..=59,
                digits: 2,
            } = self.lex(end + 1)
            && !self.spaced(end)
            && !self.spaced(end + 1)
        {
            let marked = matches!(self.lex(end + 2), Lex::Meridiem | Lex::Hour);
            if sign == b':' || marked || led {
                end += 2;
                exact = true;
                if self.lex(end) == Lex::Mark(b':')
                    && matches!(self.lex(end + 1), Lex::Num { digits: 2, .. })
                {
                    end += 2;
                }
            }
        }
        if hour > 24 {
            return None;
        }
        let after = self.trailing_sign(end);
        if after > end {
            return Some(after);
        }
        let joined = at > 0
            && !self.spaced(at)
            && matches!(self.before(at), Lex::Mark(b':' | b'.' | b'-' | b'/'));
        (!joined && (exact || (led && self.closes_hour(end)))).then_some(end)
    }

    /// "pm", "o'clock", "Uhr 30".
    fn trailing_sign(&self, end: usize) -> usize {
        match self.lex(end) {
            Lex::Meridiem => end + 1,
            Lex::Hour => match self.lex(end + 1) {
                Lex::Num {
                    value: 0..=59,
                    digits: 2,
                } if self.language.day_first => end + 2,
                _ => end + 1,
            },
            _ => end,
        }
    }

    /// "at 5" is a time where nothing is counted by it: not in "at 5 stores".
    fn closes_hour(&self, end: usize) -> bool {
        match self.lex(end) {
            Lex::Num { .. } | Lex::Other | Lex::Month { .. } => false,
            Lex::Mark(b'.' | b':' | b'-' | b'/' | b'%' | 0) => {
                self.spaced(end) || self.spaced(end + 1)
            }
            _ => true,
        }
    }

    /// "in 2 hours", "in half an hour", "within 30 minutes".
    fn in_hours(&self, at: usize) -> Option<usize> {
        let at = self.skip(self.skip(at, Lex::The), Lex::Next);
        let at = self.skip(at, Lex::Half);
        let (_, end) = self.quantity(at)?;
        (self.lex(end) == Lex::ClockUnit).then_some(end + 1)
    }

    fn part_of_day(&self, at: usize) -> Option<usize> {
        let part = self.skip(at, Lex::The);
        (part > at && self.lex(part) == Lex::Part).then_some(part + 1)
    }

    /// "morning" right behind a date.
    pub(in crate::temporal) fn part_behind(&self, at: usize) -> Option<usize> {
        (self.lex(at) == Lex::Part).then_some(at + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, days, read};
    use super::super::super::{Unkept, checks};
    use crate::domain::Lang;
    use crate::domain::text::Text;

    #[track_caller]
    fn check(text: &str, lang: Lang, expect: &[&str]) {
        let found = read(text, SUNDAY, lang).unkept;
        assert!(
            found.iter().all(|(_, kind)| *kind == Unkept::TimeOfDay),
            "{text:?}"
        );
        let text = Text::new(text);
        let words: Vec<_> = found
            .iter()
            .map(|(range, _)| text.slice(range.clone()))
            .collect();
        assert_eq!(words, expect, "{:?}", text.raw);
    }

    #[test]
    fn times_of_day() {
        for (text, expect) in [
            ("call at 7", "at 7"),
            ("call at 7:30pm", "at 7:30pm"),
            ("call 19:30", "19:30"),
            ("call at 7 p.m. sharp", "at 7 p.m."),
            ("call around 7 pm", "around 7 pm"),
            ("call at noon", "at noon"),
            ("call at half past six", "at half past six"),
            ("call quarter to 9", "quarter to 9"),
            ("call at six o'clock", "at six o'clock"),
            ("call in 20 minutes", "in 20 minutes"),
            ("call in half an hour", "in half an hour"),
            ("call in the morning", "in the morning"),
        ] {
            check(text, Lang::En, &[expect]);
        }
        check("um halb sieben", Lang::De, &["um halb sieben"]);
        check("à 18h15", Lang::Fr, &["à 18h15"]);
    }

    #[test]
    fn numbers_that_are_no_time() {
        for text in [
            "at 7 shops",
            "a 4:3 photo",
            "7 eggs",
            "good morning",
            "I am 7",
            "between 700-900",
        ] {
            check(text, Lang::En, &[]);
        }
    }

    #[test]
    fn a_time_does_not_disturb_the_day_beside_it() {
        for text in [
            "monday at 7pm",
            "7pm on monday",
            "monday 19:00",
            "monday morning",
            "at 7 on monday",
        ] {
            assert_eq!(
                days(text, checks::SUNDAY, Lang::En),
                ["2026-02-09"],
                "{text}"
            );
            assert_eq!(read(text, SUNDAY, Lang::En).unkept.len(), 1, "{text}");
        }
    }
}
