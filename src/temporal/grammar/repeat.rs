//! Repetitions, which are read so that they can be said not to be kept.

use super::super::lexeme::Lex;
use super::Reader;

impl Reader<'_> {
    /// One past a repetition at `at`: "every monday", "daily", "on fridays", "twice a week".
    pub(in crate::temporal) fn repetition(&self, at: usize) -> Option<usize> {
        match self.lex(at) {
            Lex::Every => self.every(at + 1),
            Lex::Often => (self.closes(at + 1) || self.opens(at) || self.before(at) == Lex::On)
                .then_some(at + 1),
            Lex::Weekday { many: true, .. } => self
                .closes(at + 1)
                .then_some(at + 1)
                .map(|end| self.more_weekdays(end)),
            Lex::On if matches!(self.lex(at + 1), Lex::Weekday { many: true, .. }) => {
                Some(self.more_weekdays(at + 2))
            }
            Lex::Once => self.per(at + 1),
            Lex::Num { .. } | Lex::Spelled(_) => {
                let (_, end) = self.cardinal(at)?;
                (self.lex(end) == Lex::Times)
                    .then(|| self.per(end + 1))
                    .flatten()
            }
            _ => None,
        }
    }

    fn every(&self, at: usize) -> Option<usize> {
        let next = self.skip(at, Lex::Alternate);
        let counted = self.ordinal(next).map(|(_, end)| end);
        let next = counted
            .or_else(|| self.cardinal(next).map(|(_, end)| end))
            .unwrap_or(next);
        let next = if self.lex(next) == Lex::Last {
            next + 1
        } else {
            next
        };
        match self.lex(next) {
            Lex::Weekday { .. } => Some(self.of_month(self.more_weekdays(next + 1))),
            Lex::Unit(..) | Lex::Hafta | Lex::Month { .. } | Lex::ClockUnit => {
                Some(self.of_month(next + 1))
            }
            Lex::Part | Lex::Weekend | Lex::Workday | Lex::Noon(_) => Some(next + 1),
            _ if counted.is_some() && self.closes(next) => Some(self.of_month(next)),
            Lex::Of if counted.is_some() => Some(self.of_month(next)),
            _ => None,
        }
    }

    /// "monday, wednesday and friday".
    fn more_weekdays(&self, mut end: usize) -> usize {
        for _ in 0..6 {
            let next = self.skip(self.skip_mark(end, b",&"), Lex::Join);
            if next == end || !matches!(self.lex(next), Lex::Weekday { .. }) {
                break;
            }
            end = next + 1;
        }
        end
    }

    /// "of the month", "of every month".
    fn of_month(&self, end: usize) -> usize {
        let link = match self.lex(end) {
            Lex::Of | Lex::In => end + 1,
            _ => return end,
        };
        let unit = match self.lex(link) {
            Lex::The | Lex::Every => link + 1,
            _ => link,
        };
        if unit > link && matches!(self.lex(unit), Lex::Unit(..)) {
            unit + 1
        } else {
            end
        }
    }

    /// "a week", "per day", "every month".
    fn per(&self, at: usize) -> Option<usize> {
        let unit = match self.lex(at) {
            Lex::One | Lex::Every | Lex::The => at + 1,
            _ => at,
        };
        (unit > at && matches!(self.lex(unit), Lex::Unit(..) | Lex::ClockUnit)).then_some(unit + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Unkept;
    use super::super::super::checks::{SUNDAY, days, read};
    use crate::domain::Lang;

    #[test]
    fn repetitions_are_no_dates() {
        for text in [
            "gym every monday",
            "gym every monday, wednesday and friday",
            "gym on tuesdays",
            "gym daily",
            "gym every other day",
            "gym each week",
            "gym every 2 weeks",
            "gym twice a week",
            "gym 3 times a week",
            "gym every first monday of the month",
            "gym every morning",
            "gym once per month",
            "gym every weekday",
        ] {
            let scan = read(text, SUNDAY, Lang::En);
            assert!(scan.dates.is_empty(), "{text}");
            assert!(
                matches!(scan.unkept.as_slice(), [(_, Unkept::Recurrence)]),
                "{text}: {:?}",
                scan.unkept
            );
        }
        assert_eq!(
            days("gym every monday until march 2", SUNDAY, Lang::En),
            ["2026-03-02"]
        );
    }

    #[test]
    fn what_repeats_nothing() {
        for text in [
            "delete every task",
            "write the weekly report",
            "each of them",
            "three times",
        ] {
            assert!(read(text, SUNDAY, Lang::En).unkept.is_empty(), "{text}");
        }
    }
}
