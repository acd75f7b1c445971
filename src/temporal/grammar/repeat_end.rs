//! Ends of repetitions: a last day, a number of times, a length of time.

use super::super::Unit;
use super::super::lexeme::Lex;
use super::{Hit, Reader};
use crate::domain::{Repeat, RepeatEnd, RepeatUnit};

impl Reader {
    /// One past the end of a rule at `at`, and the rule with it: "every monday *until march 2*", "daily
    /// *for six weeks*", "every friday *six times*". It may stand behind a time of day.
    pub(in crate::temporal) fn end_of(&self, at: usize, rule: &Repeat) -> Option<(usize, Repeat)> {
        let ending = |end: usize, ends: RepeatEnd| Some((end, rule.clone().ending(ends)));
        let at = self.skip_mark(at, b",");
        // "har peer ko 1 march tak"
        if let Some(Hit::Date(until)) = self.date(at)
            && self.lex(until.end) == Lex::PostUntil
        {
            return ending(until.end + 1, RepeatEnd::On(until.last));
        }
        if self.lex(at) == Lex::Until {
            return match self.date(self.skip(at + 1, Lex::The))? {
                Hit::Date(until) => ending(until.end, RepeatEnd::On(until.last)),
                Hit::Dead(_) | Hit::NoDay(_) => None,
            };
        }
        let from = self.skip(at, Lex::Prep);
        if let Some((count, end)) = self.cardinal(from)
            && self.lex(end) == Lex::Occasions
            && count > 0
        {
            // "every day 3 times", "every monday 3 times a day": how often within the day.
            let within = rule.every() == RepeatUnit::Day && from == at
                || self.per(end + 1).is_some()
                || !self.closes(end + 1);
            return (!within)
                .then(|| ending(end + 1, RepeatEnd::After(count)))
                .flatten();
        }
        let from = Some(from).filter(|from| *from > at)?;
        let (lasts, end) = self.duration(from)?;
        let ends = match times_within(rule, lasts.plain?) {
            Some(count) => RepeatEnd::After(count),
            None => RepeatEnd::On(lasts.apply(self.today, 1)?),
        };
        self.closes(end).then(|| ending(end, ends)).flatten()
    }

    /// One past "3 times" at `at`, and how many; no "3 times a day".
    pub(in crate::temporal) fn count_of_times(&self, at: usize) -> Option<(usize, u16)> {
        let (count, end) = self.cardinal(at)?;
        let counted = self.lex(end) == Lex::Occasions && self.per(end + 1).is_none();
        (counted && count > 0).then_some((end + 1, count))
    }

    /// Tells whether the words at `at` say an end that is no day: "every tuesday *until graduation*". Until some
    /// time of day is none.
    pub(in crate::temporal) fn ends_somehow(&self, at: usize) -> bool {
        let from = self.skip(at + 1, Lex::The);
        self.lex(at) == Lex::Until
            && !matches!(self.lex(at + 1), Lex::Stop | Lex::Mark(_))
            && !matches!(self.lex(from), Lex::Part(_) | Lex::Noon(_))
            && self.clock(at).is_none()
            && !matches!(self.date(from), Some(Hit::Date(_) | Hit::NoDay(_)))
    }
}

/// Number of times that a rule occurs within a length of time, where it gives a whole number of them.
fn times_within(rule: &Repeat, (count, unit): (i32, Unit)) -> Option<u16> {
    let count = u16::try_from(count).ok()?;
    let units = match (rule.every(), unit) {
        (RepeatUnit::Day, Unit::Day)
        | (RepeatUnit::Week, Unit::Week)
        | (RepeatUnit::Month, Unit::Month)
        | (RepeatUnit::Year, Unit::Year) => count,
        (RepeatUnit::Day, Unit::Week) => count.checked_mul(7)?,
        (RepeatUnit::Month, Unit::Year) => count.checked_mul(12)?,
        _ => return None,
    };
    let each = u16::try_from(rule.days().len().max(1)).ok()?;
    let whole = units.is_multiple_of(rule.interval());
    let times = (units / rule.interval()).checked_mul(each)?;
    (whole && times > 0).then_some(times)
}

#[cfg(test)]
mod tests {
    use super::super::super::Unkept;
    use super::super::super::checks::{SUNDAY, read};
    use crate::domain::Lang;

    #[test]
    fn an_end_that_is_no_day_is_found() {
        let check = |text: &str, lang, expect: bool| {
            let scan = read(text, SUNDAY, lang);
            let ends = |(_, kind): &(_, Unkept)| *kind == Unkept::RepeatEnd;
            assert_eq!(scan.unkept.iter().any(ends), expect, "{text}: {scan:?}");
        };
        for (text, lang) in [
            ("gym every tuesday until graduation", Lang::En),
            ("gym every tuesday at 6pm until the summer", Lang::En),
            ("gym daily till i can run", Lang::En),
            ("Sport jeden Dienstag bis zum Herbst", Lang::De),
            ("Sport cada martes hasta verano", Lang::Es),
            ("Sport tous les mardis jusqu'à la rentrée", Lang::Fr),
            ("Sport ogni martedì fino alla laurea", Lang::It),
            ("Sport toda terça até a formatura", Lang::Pt),
        ] {
            check(text, lang, true);
        }
        for text in [
            "gym every tuesday until march 3",
            "gym every tuesday until easter",
            "gym every tuesday at 6pm until march 3",
            "gym every tuesday until february 30",
            "gym every tuesday until 6pm",
            "gym every tuesday until noon",
            "gym every tuesday",
            "gym until easter",
            "gym every tuesday and wait until easter",
            "gym every tuesday for six weeks until easter",
        ] {
            check(text, Lang::En, false);
        }
    }
}
