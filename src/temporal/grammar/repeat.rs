//! Repetitions: where they stand, and the rule that they give.

use chrono::Weekday;

use super::super::Unit;
use super::super::lexeme::{Cadence, Feast, Lex};
use super::Reader;
use crate::domain::{Repeat, RepeatDay, RepeatUnit};

/// One past an expression, and its rule where a task can repeat so.
type Repeated = (usize, Option<Repetition>);

/// Rule that words give.
#[derive(Debug, Clone)]
pub(in crate::temporal) struct Repetition {
    pub(in crate::temporal) rule: Repeat,
    /// Set where the words also tell a part of the day: "every morning".
    pub(in crate::temporal) part_of_day: bool,
}

impl Reader {
    /// One past a repetition at `at`, with its rule: "every monday", "daily", "on fridays", "on the
    /// 1st of each month". "Twice a week" and "hourly" have none.
    pub(in crate::temporal) fn repetition(&self, at: usize) -> Option<Repeated> {
        let (end, found) = self.repeated(at)?;
        let Some(found) = found else {
            return Some((end, None));
        };
        let (end, rule) = self.narrowed(end, found.rule);
        let (end, rule) = self.end_of(end, &rule).unwrap_or((end, rule));
        Some((end, Some(Repetition { rule, ..found })))
    }

    fn repeated(&self, at: usize) -> Option<Repeated> {
        match self.lex(at) {
            Lex::Every => self.every(at + 1),
            Lex::Often(cadence) => {
                // "Daily standup" is a name.
                let stands = self.closes(at + 1)
                    || matches!(
                        (self.before(at), self.lex(at + 1)),
                        (Lex::On, _) | (_, Lex::Now)
                    );
                stands.then(|| (at + 1, named(cadence)))
            }
            Lex::Always(unit) => Some((at + 1, each(unit, 1).map(whole))),
            Lex::Weekday { .. } | Lex::Unit(..) if self.alternates(at).is_some() => {
                self.alternates(at)
            }
            Lex::Weekday { .. } if self.span_repeats(at).is_some() => {
                let (end, days) = self.span_repeats(at)?;
                Some((end, on_days(1, days).map(whole)))
            }
            Lex::One if self.alternates(at + 1).is_some() => self.alternates(at + 1),
            Lex::One if self.lex(at + 2) == Lex::AlternateBehind => {
                let Lex::Unit(unit, 1) = self.lex(at + 1) else {
                    return None;
                };
                Some((at + 3, each(unit, 2).map(whole)))
            }
            Lex::Weekday { many: true, .. } if self.closes(at + 1) => {
                Some(self.each_weekday(at, 1))
            }
            Lex::On if matches!(self.lex(at + 1), Lex::Weekday { many: true, .. }) => {
                Some(self.each_weekday(at + 1, 1))
            }
            Lex::Once(times) => {
                let (end, unit) = self.per(at + 1)?;
                let rule = unit.filter(|_| times == 1).and_then(|unit| each(unit, 1));
                Some((end, rule.map(whole)))
            }
            Lex::Last | Lex::Ord(_) | Lex::SpelledOrd(_) => self.of_each_month(at),
            Lex::Num { .. } | Lex::Spelled(_) => self.times(at).or_else(|| self.of_each_month(at)),
            _ => None,
        }
    }

    /// "3 times a week".
    fn times(&self, at: usize) -> Option<Repeated> {
        let (_, end) = self.cardinal(at)?;
        let (end, _) = (self.lex(end) == Lex::Occasions)
            .then(|| self.per(end + 1))
            .flatten()?;
        Some((end, None))
    }

    fn every(&self, at: usize) -> Option<Repeated> {
        let other = self.skip(at, Lex::Alternate);
        let apart: u16 = if other > at { 2 } else { 1 };
        // "jeden 15. des Monats"
        let dotted = || {
            let (day, end, _) = self.day_number(other)?;
            let next = self.skip_mark(end, b".");
            let dotted = next > end && self.of_month(next) > next;
            dotted.then_some((day, next))
        };
        let ordinal = self.ordinal(other).or_else(dotted);
        let counted = ordinal.map(|(nth, end)| (u16::from(nth), end));
        let (count, next) = match counted.or_else(|| self.cardinal(other)) {
            Some((count, end)) => (Some(count), end),
            None => (None, other),
        };
        let last = self.lex(next) == Lex::Last;
        let next = next + usize::from(last);
        let nth = match ordinal {
            _ if last => Some(-1),
            Some((nth, _)) => i8::try_from(nth).ok(),
            None => None,
        };
        let interval = count.unwrap_or(1).checked_mul(apart)?;
        // Italian "alle 9 di" is no German "alle 9 Dienstage": what is cut off is not counted.
        let counted = count.is_some() && self.habits.day_first;
        match self.lex(next) {
            Lex::Weekday { short, .. } if !(short && counted) => {
                let (end, found) = self.each_weekday(next, apart);
                let month = self.of_month(end);
                Some(match nth {
                    // "every second monday" is every other one to some, and one of four to others.
                    Some(nth) if month > end || nth.abs() == 1 => {
                        (month, self.nth_weekday(next, nth))
                    }
                    // "jeden zweiten Sonntag" is every other one elsewhere.
                    Some(2) if self.habits.day_first => self.each_weekday(next, 2),
                    Some(_) => (month, None),
                    // "cada dos domingos"
                    None if self.habits.day_first && interval > 1 => {
                        self.each_weekday(next, interval)
                    }
                    None if count.is_some() => (month, None),
                    None => (month, found),
                })
            }
            Lex::Unit(Unit::Day, _) if nth.is_some() && self.of_month(next + 1) > next + 1 => {
                let rule = each(Unit::Month, 1)
                    .zip(nth)
                    .and_then(|(rule, day)| rule.on_month_day(day));
                Some((self.of_month(next + 1), rule.map(whole)))
            }
            Lex::Unit(..) if last => Some((self.of_month(next + 1), None)),
            Lex::Often(cadence) if count.is_none() && apart == 1 => {
                Some((next + 1, named(cadence)))
            }
            Lex::Unit(Unit::Day, 1) if interval == 1 && self.excepted(next + 1).is_some() => {
                let (end, days) = self.excepted(next + 1)?;
                Some((end, on_days(1, days).map(whole)))
            }
            Lex::Unit(unit, many) => {
                let rule = interval.checked_mul(many.into());
                let rule = rule.and_then(|interval| each(unit, interval));
                Some((self.of_month(next + 1), rule.map(whole)))
            }
            Lex::Hafta => Some((next + 1, each(Unit::Week, interval).map(whole))),
            Lex::Month { .. } => {
                let from = if count.is_some() { other } else { next };
                let date = self.month_and_day(from);
                Some(date.unwrap_or_else(|| (self.of_month(next + 1), None)))
            }
            Lex::Holiday(Feast::On(month, day)) => Some((next + 1, yearly(month, day).map(whole))),
            Lex::Part(_) | Lex::Noon(_) => {
                let rule = each(Unit::Day, interval).filter(|_| count.is_none());
                let part_of_day = true;
                let found = rule.map(|rule| Repetition { rule, part_of_day });
                Some((next + 1, found))
            }
            Lex::Weekend => Some((next + 1, on_days(apart, [Weekday::Sat]).map(whole))),
            Lex::Workday => {
                let rule = workdays().filter(|_| interval == 1);
                Some((next + 1, rule.map(whole)))
            }
            Lex::ClockUnit(_) => Some((next + 1, None)),
            Lex::Of if count.is_some() && matches!(self.lex(next + 1), Lex::Month { .. }) => {
                Some(self.month_and_day(other).unwrap_or((next + 2, None)))
            }
            lex if ordinal.is_some() && (matches!(lex, Lex::Of | Lex::In) || self.closes(next)) => {
                let rule = each(Unit::Month, 1)
                    .zip(nth)
                    .and_then(|(rule, day)| rule.on_month_day(day));
                Some((self.of_month(next), rule.map(whole)))
            }
            _ => None,
        }
    }

    /// "un dimanche sur deux", "mês sim, mês não": every other one of this weekday or unit.
    fn alternates(&self, at: usize) -> Option<Repeated> {
        let found = match self.lex(at) {
            Lex::Weekday { .. } => self.each_weekday(at, 2).1,
            Lex::Unit(unit, 1) => each(unit, 2).map(whole),
            _ => return None,
        };
        let again = self.skip_mark(at + 2, b",");
        let twice = self.lex(at) == self.lex(again) && self.lex(again + 1) == Lex::InTurn;
        match self.lex(at + 1) {
            Lex::AlternateBehind => Some((at + 2, found)),
            Lex::InTurn if twice => Some((again + 2, found)),
            _ => None,
        }
    }

    /// "except sunday" behind a day: one past it, and the weekdays that are left.
    fn excepted(&self, at: usize) -> Option<(usize, Vec<Weekday>)> {
        if self.lex(at) != Lex::Except {
            return None;
        }
        let first = self.skip(self.skip(at + 1, Lex::On), Lex::The);
        let (end, out) = self.weekdays(first);
        let mut day = Weekday::Mon;
        let mut left = Vec::new();
        for _ in 0..7 {
            if !out.contains(&day) {
                left.push(day);
            }
            day = day.succ();
        }
        (!out.is_empty()).then_some((end, left))
    }

    /// "monday, wednesday and friday", so many weeks apart.
    fn each_weekday(&self, at: usize, apart: u16) -> Repeated {
        let (end, days) = self.weekday_span(at).unwrap_or_else(|| self.weekdays(at));
        (end, on_days(apart, days).map(whole))
    }

    /// One past a list of weekdays, and these: "monday, wednesday and friday", "mon/wed/fri", "tue thu",
    /// "every monday and every thursday".
    pub(in crate::temporal) fn weekdays(&self, at: usize) -> (usize, Vec<Weekday>) {
        let (mut end, mut next, mut days) = (at, at, Vec::new());
        let each = match self.before(at) {
            lex @ (Lex::Every | Lex::On | Lex::The) => Some(lex),
            _ => None,
        };
        while let Lex::Weekday { day, weak, .. } = self.lex(next) {
            // "jeden montag so um acht"
            if weak && self.habits.day_first && next == end && !days.is_empty() {
                break;
            }
            days.push(day);
            end = next + 1;
            let mark = self.skip_mark(end, b",&/");
            next = self.skip(mark, Lex::Join);
            // "cada lunes y el jueves", which is no "…, and the thursday crew comes"
            let the = self.lex(next) == Lex::The && self.closes(next + 2);
            next +=
                usize::from(next > mark && each.is_some_and(|lex| lex == self.lex(next) || the));
            if days.len() > 6 {
                break;
            }
        }
        (end, days)
    }

    /// The nth of these weekdays in each month.
    fn nth_weekday(&self, at: usize, nth: i8) -> Option<Repetition> {
        let (_, days) = self.weekdays(at);
        let days = days.into_iter().map(|weekday| RepeatDay { nth, weekday });
        each(Unit::Month, 1)?.on_weekdays(days).map(whole)
    }

    /// "1st of each month", "first monday of every month", "last day of every month".
    fn of_each_month(&self, at: usize) -> Option<Repeated> {
        let (nth, next) = if self.lex(at) == Lex::Last {
            (-1, at + 1)
        } else {
            let (day, end, _) = self.day_number(at)?;
            (
                i8::try_from(day).ok()?,
                self.skip(self.skip_mark(end, b"."), Lex::DateWord),
            )
        };
        let weekday = matches!(self.lex(next), Lex::Weekday { .. });
        let named = weekday || matches!(self.lex(next), Lex::Unit(Unit::Day, 1));
        let end = next + usize::from(named);
        // "on the last day of the month, every month"
        let again = self.skip_mark(self.of_month(end), b",");
        let close = match (self.lex(again), self.lex(again + 1)) {
            (Lex::Every, Lex::Unit(Unit::Month, 1)) => again + 2,
            (Lex::Often(Cadence::Each(Unit::Month, 1)) | Lex::Always(Unit::Month), _) => again + 1,
            _ => again,
        };
        if named && again > end && close > again {
            return Some((close, self.nth_of_month(next, nth, weekday)));
        }
        let link = match self.lex(end) {
            Lex::Of | Lex::In => end + 1,
            _ => end,
        };
        let monthly =
            self.lex(link) == Lex::Every && self.lex(link + 1) == Lex::Unit(Unit::Month, 1);
        if !monthly || nth < 0 && !named {
            return None;
        }
        Some((link + 2, self.nth_of_month(next, nth, weekday)))
    }

    /// The nth of the weekdays at `at` in each month, or its nth day.
    fn nth_of_month(&self, at: usize, nth: i8, weekday: bool) -> Option<Repetition> {
        if weekday {
            return self.nth_weekday(at, nth);
        }
        each(Unit::Month, 1)?.on_month_day(nth).map(whole)
    }

    /// "every week *on monday*", "monthly *on the 15th*", "every year *on march 3*".
    fn narrowed(&self, end: usize, rule: Repeat) -> (usize, Repeat) {
        let plain =
            rule.months().is_empty() && rule.month_days().is_empty() && rule.days().is_empty();
        // "every day from monday to friday"
        let often = matches!(rule.every(), RepeatUnit::Day | RepeatUnit::Week);
        if plain
            && often
            && rule.interval() == 1
            && let Some((close, days)) = self.weekday_span(self.skip_mark(end, b",:("))
            && let Some(rule) = on_days(1, days)
        {
            return (self.skip_mark(close, b")"), rule);
        }
        if !plain || rule.every() == RepeatUnit::Day {
            return (end, rule);
        }
        // "chaque mois, le dernier jour"
        let comma = self.skip_mark(end, b",");
        let led = match self.lex(comma) {
            Lex::On | Lex::The | Lex::Last => comma,
            _ => end,
        };
        let mut at = led;
        while at < led + 2
            && matches!(
                self.lex(at),
                Lex::On | Lex::The | Lex::Of | Lex::In | Lex::Prep | Lex::At
            )
        {
            at += 1;
        }
        // "el día 1"
        let at = self.skip(at, Lex::Unit(Unit::Day, 1));
        let found = match rule.every() {
            RepeatUnit::Day => None,
            RepeatUnit::Week => {
                let (close, days) = self.weekdays(at);
                let days = days.into_iter().map(RepeatDay::each);
                rule.clone().on_weekdays(days).map(|rule| (close, rule))
            }
            RepeatUnit::Month => self.narrowed_month(at, &rule),
            RepeatUnit::Year => self.month_of(at).and_then(|(month, day, close)| {
                let rule = rule.clone().in_month(month)?.on_month_day(day)?;
                Some((close, rule))
            }),
        };
        // "alle zwei Wochen sonntags"
        let each = matches!(self.lex(end), Lex::Weekday { many: true, .. });
        let dated = |close: usize| at > end || each || self.before(close) == Lex::DateWord;
        found
            .filter(|(close, _)| *close > at && dated(*close))
            .unwrap_or((end, rule))
    }

    /// "1st", "first monday", "last day".
    fn narrowed_month(&self, at: usize, rule: &Repeat) -> Option<(usize, Repeat)> {
        let dated = matches!(
            self.lex(at + 1),
            Lex::Weekday { .. } | Lex::Unit(Unit::Day, 1) | Lex::DateWord
        );
        let (nth, next) = match self.lex(at) {
            Lex::Last => (-1, at + 1),
            // "har mahine ke aakhri din", "har mahine ke pehle itwar"
            Lex::End if dated => (-1, at + 1),
            Lex::Ago if dated => (1, at + 1),
            _ => {
                let (day, end, _) = self.day_number(at)?;
                (i8::try_from(day).ok()?, end)
            }
        };
        match self.lex(next) {
            Lex::Weekday { .. } => {
                let (end, days) = self.weekdays(next);
                let days = days.into_iter().map(|weekday| RepeatDay { nth, weekday });
                Some((self.of_month(end), rule.clone().on_weekdays(days)?))
            }
            Lex::Unit(Unit::Day, 1) => {
                Some((self.of_month(next + 1), rule.clone().on_month_day(nth)?))
            }
            Lex::DateWord if nth < 0 => Some((next + 1, rule.clone().on_month_day(nth)?)),
            Lex::Month { .. }
            | Lex::ClockUnit(_)
            | Lex::Meridiem(_)
            | Lex::Hour
            | Lex::Occasions => None,
            _ if nth < 0 => None,
            _ => {
                let end = self.skip(self.skip_mark(next, b"."), Lex::DateWord);
                Some((end, rule.clone().on_month_day(nth)?))
            }
        }
    }

    /// "march 3" or "3 march", each year.
    fn month_and_day(&self, at: usize) -> Option<Repeated> {
        let (month, day, end) = self.month_of(at)?;
        Some((end, yearly(month, u8::try_from(day).ok()?).map(whole)))
    }

    fn month_of(&self, at: usize) -> Option<(u8, i8, usize)> {
        if let Lex::Month { month, .. } = self.lex(at) {
            let (day, end, _) = self.day_number(self.skip(at + 1, Lex::The))?;
            return Some((month, i8::try_from(day).ok()?, end));
        }
        let (day, end, _) = self.day_number(at)?;
        let of = self.skip(self.skip_mark(end, b"."), Lex::Of);
        match self.lex(of) {
            Lex::Month { month, .. } => Some((month, i8::try_from(day).ok()?, of + 1)),
            _ => None,
        }
    }

    /// "of the month", "of every month".
    fn of_month(&self, end: usize) -> usize {
        let link = match self.lex(end) {
            Lex::Of | Lex::In => end + 1,
            // German "im", "des" and the like hold the article.
            _ => return end,
        };
        let unit = match self.lex(link) {
            Lex::The | Lex::Every => link + 1,
            _ => link,
        };
        let joined = unit == link && self.habits.day_first;
        if (unit > link || joined) && matches!(self.lex(unit), Lex::Unit(..)) {
            unit + 1
        } else {
            end
        }
    }

    /// "a week", "per day", "every month".
    pub(super) fn per(&self, at: usize) -> Option<(usize, Option<Unit>)> {
        let unit = match self.lex(at) {
            Lex::One | Lex::Every | Lex::The => at + 1,
            _ => return None,
        };
        match self.lex(unit) {
            Lex::Unit(of, 1) => Some((unit + 1, Some(of))),
            Lex::Unit(..) | Lex::ClockUnit(_) => Some((unit + 1, None)),
            _ => None,
        }
    }
}

fn named(cadence: Cadence) -> Option<Repetition> {
    let part_of_day = cadence == Cadence::EachPart;
    let rule = match cadence {
        Cadence::Each(unit, count) => each(unit, count.into()),
        Cadence::EachPart => each(Unit::Day, 1),
        Cadence::Workdays => workdays(),
        Cadence::Weekends => on_days(1, [Weekday::Sat]),
        Cadence::WithinDay => None,
    };
    rule.map(|rule| Repetition { rule, part_of_day })
}

fn whole(rule: Repeat) -> Repetition {
    Repetition {
        rule,
        part_of_day: false,
    }
}

fn each(unit: Unit, interval: u16) -> Option<Repeat> {
    let unit = match unit {
        Unit::Day => RepeatUnit::Day,
        Unit::Week => RepeatUnit::Week,
        Unit::Month => RepeatUnit::Month,
        Unit::Year => RepeatUnit::Year,
    };
    Repeat::each(unit, interval)
}

fn on_days(apart: u16, days: impl IntoIterator<Item = Weekday>) -> Option<Repeat> {
    each(Unit::Week, apart)?.on_weekdays(days.into_iter().map(RepeatDay::each))
}

fn workdays() -> Option<Repeat> {
    use Weekday::{Fri, Mon, Thu, Tue, Wed};
    on_days(1, [Mon, Tue, Wed, Thu, Fri])
}

fn yearly(month: u8, day: u8) -> Option<Repeat> {
    let day = i8::try_from(day).ok()?;
    each(Unit::Year, 1)?.in_month(month)?.on_month_day(day)
}

#[cfg(test)]
mod tests;
