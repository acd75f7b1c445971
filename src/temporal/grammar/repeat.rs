//! Repetitions: where they stand, and the rule that they give.

use chrono::Weekday;

use super::super::Unit;
use super::super::lexeme::{Cadence, Lex};
use super::{Reader, weekday};
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

impl Reader<'_> {
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
        let ordinal = self.ordinal(other);
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
        match self.lex(next) {
            Lex::Weekday { .. } => {
                let (end, found) = self.each_weekday(next, apart);
                let month = self.of_month(end);
                Some(match nth {
                    // "every second monday" is every other one to some, and one of four to others.
                    Some(nth) if month > end || nth.abs() == 1 => {
                        (month, self.nth_weekday(next, nth))
                    }
                    Some(_) => (month, None),
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
            Lex::Holiday { month, day } => Some((next + 1, yearly(month, day).map(whole))),
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
            lex if ordinal.is_some() && (lex == Lex::Of || self.closes(next)) => {
                let rule = each(Unit::Month, 1)
                    .zip(nth)
                    .and_then(|(rule, day)| rule.on_month_day(day));
                Some((self.of_month(next), rule.map(whole)))
            }
            _ => None,
        }
    }

    /// "monday, wednesday and friday", so many weeks apart.
    fn each_weekday(&self, at: usize, apart: u16) -> Repeated {
        let (end, days) = self.weekdays(at);
        (end, on_days(apart, days).map(whole))
    }

    /// One past a list of weekdays, and these: "monday, wednesday and friday", "mon/wed/fri", "tue thu".
    pub(in crate::temporal) fn weekdays(&self, at: usize) -> (usize, Vec<Weekday>) {
        let (mut end, mut next, mut days) = (at, at, Vec::new());
        while let Lex::Weekday { day, .. } = self.lex(next) {
            days.extend(weekday(day));
            end = next + 1;
            next = self.skip(self.skip_mark(end, b",&/"), Lex::Join);
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
        let link = match self.lex(end) {
            Lex::Of | Lex::In => end + 1,
            _ => end,
        };
        let monthly =
            self.lex(link) == Lex::Every && self.lex(link + 1) == Lex::Unit(Unit::Month, 1);
        if !monthly || nth < 0 && !named {
            return None;
        }
        let found = if weekday {
            self.nth_weekday(next, nth)
        } else {
            each(Unit::Month, 1)?.on_month_day(nth).map(whole)
        };
        Some((link + 2, found))
    }

    /// "every week *on monday*", "monthly *on the 15th*", "every year *on march 3*".
    fn narrowed(&self, end: usize, rule: Repeat) -> (usize, Repeat) {
        let plain =
            rule.months().is_empty() && rule.month_days().is_empty() && rule.days().is_empty();
        if !plain || rule.every() == RepeatUnit::Day {
            return (end, rule);
        }
        let mut at = end;
        while at < end + 2
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
        let dated = |close: usize| at > end || self.before(close) == Lex::DateWord;
        found
            .filter(|(close, _)| *close > at && dated(*close))
            .unwrap_or((end, rule))
    }

    /// "1st", "first monday", "last day".
    fn narrowed_month(&self, at: usize, rule: &Repeat) -> Option<(usize, Repeat)> {
        let (nth, next) = if self.lex(at) == Lex::Last {
            (-1, at + 1)
        } else {
            let (day, end, _) = self.day_number(at)?;
            (i8::try_from(day).ok()?, end)
        };
        match self.lex(next) {
            Lex::Weekday { .. } => {
                let (end, days) = self.weekdays(next);
                let days = days.into_iter().map(|weekday| RepeatDay { nth, weekday });
                Some((end, rule.clone().on_weekdays(days)?))
            }
            Lex::Unit(Unit::Day, 1) => Some((next + 1, rule.clone().on_month_day(nth)?)),
            Lex::Month { .. } | Lex::ClockUnit(_) | Lex::Meridiem(_) | Lex::Hour => None,
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
mod tests {
    use super::super::super::Unkept;
    use super::super::super::checks::{SUNDAY, days, read};
    use crate::domain::Lang;
    use crate::domain::text::Text;

    /// The words of the repetition, and its rule.
    #[track_caller]
    fn check(text: &str, lang: Lang, words: &str, rule: &str) {
        let scan = read(text, SUNDAY, lang);
        let [found] = scan.repeats.as_slice() else {
            panic!("{text:?}: {scan:?}")
        };
        let said = Text::new(text).slice(found.tokens.clone()).to_owned();
        assert_eq!(
            (&*said, &*found.rule.to_string()),
            (words, rule),
            "{text:?}"
        );
        assert_eq!((scan.dates, scan.unkept), (vec![], vec![]), "{text:?}");
    }

    #[test]
    fn english() {
        for (words, rule) in [
            ("every monday", "FREQ=WEEKLY;BYDAY=MO"),
            ("each tue", "FREQ=WEEKLY;BYDAY=TU"),
            (
                "every monday, wednesday and friday",
                "FREQ=WEEKLY;BYDAY=MO,WE,FR",
            ),
            ("on tuesdays", "FREQ=WEEKLY;BYDAY=TU"),
            ("on mondays and thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
            ("every other friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
            ("daily", "FREQ=DAILY"),
            ("every single day", "FREQ=DAILY"),
            ("every other day", "FREQ=DAILY;INTERVAL=2"),
            ("every third day", "FREQ=DAILY;INTERVAL=3"),
            ("each week", "FREQ=WEEKLY"),
            ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
            ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
            ("every fortnight", "FREQ=WEEKLY;INTERVAL=2"),
            ("weekly on monday", "FREQ=WEEKLY;BYDAY=MO"),
            ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("every weekend", "FREQ=WEEKLY;BYDAY=SA"),
            ("once per month", "FREQ=MONTHLY"),
            ("every month", "FREQ=MONTHLY"),
            ("monthly on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
            ("on the 1st of each month", "FREQ=MONTHLY;BYMONTHDAY=1"),
            ("every 15th of the month", "FREQ=MONTHLY;BYMONTHDAY=15"),
            (
                "on the last day of every month",
                "FREQ=MONTHLY;BYMONTHDAY=-1",
            ),
            ("every first monday of the month", "FREQ=MONTHLY;BYDAY=1MO"),
            (
                "every second tuesday of the month",
                "FREQ=MONTHLY;BYDAY=2TU",
            ),
            ("the last friday of every month", "FREQ=MONTHLY;BYDAY=-1FR"),
            ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
            ("every year", "FREQ=YEARLY"),
            ("every march 3", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"),
            ("every 3rd of march", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3"),
            ("every year on june 9", "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=9"),
            ("every christmas", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25"),
            (
                "every monday until march 2",
                "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260302",
            ),
            ("every monday for six weeks", "FREQ=WEEKLY;BYDAY=MO;COUNT=6"),
            ("every day for two weeks", "FREQ=DAILY;COUNT=14"),
            ("every monday six times", "FREQ=WEEKLY;BYDAY=MO;COUNT=6"),
            (
                "every monday for two months",
                "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260408",
            ),
            ("weekdays only", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ] {
            check(&format!("gym {words}"), Lang::En, words, rule);
        }
        for words in [
            "har jumma 6 baar",
            "har jumma 6 dafa",
            "har jumma chay martaba",
        ] {
            check(
                &format!("gym {words}"),
                Lang::Ur,
                words,
                "FREQ=WEEKLY;BYDAY=FR;COUNT=6",
            );
        }
        // How often within a day is no end.
        for words in [
            "pill every day 3 times a day",
            "pill every monday 3 times a day",
            "pill daily 3 times",
        ] {
            let rules = read(words, SUNDAY, Lang::En).repeats;
            assert!(
                rules
                    .iter()
                    .all(|found| !found.rule.to_string().contains("COUNT")),
                "{words}"
            );
        }
        for (words, lang) in [
            ("tous les jours 3 fois par jour", Lang::Fr),
            ("todos los días 3 veces al día", Lang::Es),
            ("dawai har roz teen dafa", Lang::Ur),
        ] {
            let rules = read(words, SUNDAY, lang).repeats;
            assert!(
                rules
                    .iter()
                    .all(|found| !found.rule.to_string().contains("COUNT")),
                "{words}"
            );
        }
        // A time of day may stand between a rule and its end, which then is said in two places.
        let scan = read("gym daily at 8am until the end of march", SUNDAY, Lang::En);
        let rules = scan.repeats.iter().map(|found| found.rule.to_string());
        assert_eq!(rules.collect::<Vec<_>>(), ["FREQ=DAILY;UNTIL=20260331"; 2]);
        assert!(scan.dates.is_empty() && scan.times.len() == 1);
        let morning = read("gym every morning", SUNDAY, Lang::En).repeats;
        assert!(morning[0].part_of_day && morning[0].rule.to_string() == "FREQ=DAILY");
        let scan = read("gym every monday starting march 2", SUNDAY, Lang::En);
        assert_eq!(scan.repeats.len(), 1);
        assert_eq!(scan.dates[0].day.to_string(), "2026-03-02");
    }

    #[test]
    fn other_languages() {
        let weekly = |days: &str| format!("FREQ=WEEKLY;BYDAY={days}");
        let first = "FREQ=MONTHLY;BYMONTHDAY=1";
        let march = "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3";
        for (lang, words, rule) in [
            (Lang::De, "jeden Montag", &*weekly("MO")),
            (Lang::De, "montags", &weekly("MO")),
            (Lang::De, "täglich", "FREQ=DAILY"),
            (Lang::De, "alle zwei Wochen", "FREQ=WEEKLY;INTERVAL=2"),
            (Lang::De, "jeden zweiten Tag", "FREQ=DAILY;INTERVAL=2"),
            (Lang::De, "jeden Werktag", &weekly("MO,TU,WE,TH,FR")),
            (Lang::De, "am 1. jedes Monats", first),
            (Lang::De, "jeden Monat am 1.", first),
            (
                Lang::De,
                "jeden ersten Montag im Monat",
                "FREQ=MONTHLY;BYDAY=1MO",
            ),
            (Lang::De, "jedes Jahr am 3. März", march),
            (Lang::Ur, "har somvar", &weekly("MO")),
            (Lang::Ur, "rozana", "FREQ=DAILY"),
            (Lang::Ur, "har hafte", "FREQ=WEEKLY"),
            (Lang::Ur, "har do hafte", "FREQ=WEEKLY;INTERVAL=2"),
            (Lang::Ur, "har mahine ki 1 tareekh", first),
            (Lang::Es, "cada lunes", &weekly("MO")),
            (Lang::Es, "todos los lunes y jueves", &weekly("MO,TH")),
            (Lang::Es, "todos los días", "FREQ=DAILY"),
            (Lang::Es, "cada dos semanas", "FREQ=WEEKLY;INTERVAL=2"),
            (Lang::Es, "el 1 de cada mes", first),
            (
                Lang::Es,
                "el último viernes de cada mes",
                "FREQ=MONTHLY;BYDAY=-1FR",
            ),
            (Lang::Es, "cada 3 de marzo", march),
            (Lang::Fr, "tous les lundis", &weekly("MO")),
            (Lang::Fr, "chaque lundi", &weekly("MO")),
            (Lang::Fr, "tous les deux jours", "FREQ=DAILY;INTERVAL=2"),
            (Lang::Fr, "le 1er de chaque mois", first),
            (Lang::Fr, "chaque année", "FREQ=YEARLY"),
            (Lang::It, "ogni lunedì", &weekly("MO")),
            (Lang::It, "tutti i giorni", "FREQ=DAILY"),
            (Lang::It, "ogni due settimane", "FREQ=WEEKLY;INTERVAL=2"),
            (Lang::It, "il primo di ogni mese", first),
            (
                Lang::It,
                "ogni primo lunedì del mese",
                "FREQ=MONTHLY;BYDAY=1MO",
            ),
            (Lang::Pt, "toda segunda", &weekly("MO")),
            (Lang::Pt, "todos os dias", "FREQ=DAILY"),
            (Lang::Pt, "a cada duas semanas", "FREQ=WEEKLY;INTERVAL=2"),
            (Lang::Pt, "todo mês no dia 1", first),
        ] {
            check(&format!("Sport {words}"), lang, words, rule);
        }
    }

    #[test]
    fn what_has_no_rule() {
        for text in [
            "gym twice a week",
            "gym 3 times a week",
            "gym every 2 hours",
            "gym hourly",
            "gym every second tuesday",
            "gym every 400 days",
            "gym every march",
        ] {
            let scan = read(text, SUNDAY, Lang::En);
            assert!(
                scan.dates.is_empty() && scan.repeats.is_empty(),
                "{text}: {scan:?}"
            );
            assert!(
                matches!(scan.unkept.as_slice(), [(_, Unkept::Recurrence)]),
                "{text}: {:?}",
                scan.unkept
            );
        }
        assert!(days("gym twice a week", SUNDAY, Lang::En).is_empty());
    }

    #[test]
    fn what_repeats_nothing() {
        for text in [
            "delete every task",
            "write the weekly report",
            "daily standup",
            "each of them",
            "three times",
        ] {
            let scan = read(text, SUNDAY, Lang::En);
            assert!(scan.unkept.is_empty() && scan.repeats.is_empty(), "{text}");
        }
    }
}
