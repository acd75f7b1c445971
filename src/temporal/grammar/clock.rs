//! Times of day: where they stand, and what hour they tell.

use super::super::lexeme::Lex;
use super::super::{ClockTime, DayPart};
use super::Reader;

/// One past an expression, and the hour where it tells one.
type Timed = (usize, Option<ClockTime>);

impl Reader {
    /// One past a time of day at `at`: "at 5pm", "17:30", "half past five", "in 2 hours", "in the morning".
    pub(in crate::temporal) fn clock(&self, at: usize) -> Option<Timed> {
        match self.lex(at) {
            Lex::At => self.instant(self.skip(at + 1, Lex::Prep), true),
            Lex::In | Lex::Within => {
                let hours = self.while_ahead(at).map(|(end, _)| end);
                Some((hours.or_else(|| self.part_of_day(at + 1))?, None))
            }
            Lex::By | Lex::Until | Lex::Before | Lex::After | Lex::Prep | Lex::From => {
                self.instant(at + 1, false)
            }
            _ => self.instant(at, false),
        }
    }

    /// The same right behind a day: there "at 9" counts nothing, whatever goes on from it ("mañana a
    /// las 9 ir al dentista").
    pub(in crate::temporal) fn clock_of_day(&self, at: usize) -> Option<Timed> {
        let bare = || {
            let next = self.skip(at + 1, Lex::Prep);
            let (hour, end) = self.cardinal(next).filter(|(hour, _)| *hour <= 24)?;
            let goes_on = self.lex(at) == Lex::At && self.lex(end) == Lex::Other;
            goes_on.then(|| (end, ClockTime::said(hour, 0)))
        };
        self.clock(at).or_else(bare)
    }

    pub(super) fn instant(&self, at: usize, led: bool) -> Option<Timed> {
        match self.lex(at) {
            Lex::Clock { hour, minute } => {
                Some((at + 1, ClockTime::said(hour.into(), minute.into())))
            }
            Lex::Noon(hour) => Some((at + 1, ClockTime::of_noon(hour))),
            Lex::Part(_) if led => Some((at + 1, None)),
            Lex::Half | Lex::Quarter => self.past_hour(at, led),
            Lex::HourShift(minutes) => self.shifted(at + 1, minutes),
            Lex::Num {
                value: 0..=59,
                digits: 1 | 2,
            }
            | Lex::Spelled(1..=59) => self
                .past_hour(at, led)
                .or_else(|| self.first_of_two(at))
                .or_else(|| self.hour(at, led)),
            _ => None,
        }
    }

    /// "half past five", "quarter to six", "twenty past 3", "ten to four", "halb sechs".
    fn past_hour(&self, at: usize, led: bool) -> Option<Timed> {
        let fraction = matches!(self.lex(at), Lex::Half | Lex::Quarter);
        let (minutes, link) = match self.lex(at) {
            Lex::Half => (30, at + 1),
            Lex::Quarter => (15, at + 1),
            _ => self.cardinal(at)?,
        };
        let (before, hour) = match self.lex(link) {
            Lex::Last => (false, link + 1),
            Lex::After if fraction || self.counts_on(minutes) => (false, link + 1),
            Lex::To if fraction => (true, link + 1),
            Lex::AgoFirst if fraction || self.counts_on(minutes) => (true, link + 1),
            Lex::To if self.counts_back(at, minutes, led) => (true, link + 1),
            Lex::Num { .. } | Lex::Spelled(_) if fraction && self.habits.day_first => (true, link),
            // "half nine" is half past nine in English.
            Lex::Num { .. } | Lex::Spelled(1..=12) if self.lex(at) == Lex::Half => (false, link),
            _ => return None,
        };
        let (value, end) = self.cardinal(hour)?;
        // "half 2 pizzas", "five to ten guests"
        let bare =
            link == hour && !self.habits.day_first || !fraction && self.lex(link) != Lex::Last;
        if bare && !(value <= 12 && self.closes_hour(end)) {
            return None;
        }
        let told = if before {
            ClockTime::said(value, 0).map(|told| told.earlier_by(minutes.into()))
        } else {
            ClockTime::said(value, minutes)
        };
        // "viertel sechs" is a quarter past five where it is said at all.
        let told = match minutes {
            15 if link == hour => told.map(|told| told.earlier_by(30)),
            _ => told,
        };
        let (end, told) = self.trailing_sign(end, told);
        (1..=24).contains(&value).then_some((end, told))
    }

    /// "dreiviertel neun", "saadhe nau baje".
    fn shifted(&self, at: usize, minutes: i8) -> Option<Timed> {
        let (hour, end) = self.cardinal(at).filter(|(hour, _)| *hour <= 12)?;
        if !self.closes_hour(end) {
            return None;
        }
        let told = ClockTime::said(hour, 0).map(|told| told.earlier_by(-i64::from(minutes)));
        Some(self.trailing_sign(end, told))
    }

    /// A time of day in short, which only what is proposed for it makes one: "by 3", "around ten", "ten
    /// thirty", "9.40".
    pub(in crate::temporal) fn loose_clock(&self, at: usize) -> Option<(usize, ClockTime)> {
        let led = matches!(
            self.lex(at),
            Lex::By
                | Lex::Until
                | Lex::Before
                | Lex::After
                | Lex::From
                | Lex::Prep
                | Lex::AgoFirst
                | Lex::About
        );
        let from = self.skip(at + usize::from(led), Lex::The);
        let (hour, link) = self
            .cardinal(from)
            .filter(|(hour, _)| (1..=24).contains(hour))?;
        let spelled = matches!(self.lex(link), Lex::Spelled(10..)) && hour <= 12;
        let figures = matches!(self.lex(link), Lex::Mark(b'.'));
        let (end, told) = match self.cardinal(link).filter(|_| spelled) {
            Some((minutes @ 10..=59, end)) => (end, ClockTime::said(hour, minutes)),
            None if led || figures => self.hour(from, true)?,
            _ => return None,
        };
        let whole = self.closes_hour(end);
        let exact = led || end > link;
        told.filter(|_| whole && exact).map(|told| (end, told))
    }

    /// Tells whether so many minutes before or past an hour may be meant where one word says "ago" and
    /// "before": "zehn vor acht", "zwanzig nach drei".
    fn counts_on(&self, minutes: u16) -> bool {
        self.habits.before_is_ago && matches!(minutes, 5 | 10 | 20 | 25)
    }

    /// Tells whether so many minutes before an hour may be meant: "ten to four", but not "from ten to
    /// four", and with digits "at 10 to 4" alone, for "10 to 4" are two hours.
    fn counts_back(&self, at: usize, minutes: u16, led: bool) -> bool {
        let spelled = matches!(self.lex(at), Lex::Spelled(_)) || minutes >= 20;
        let range = at > 0 && self.before(at) == Lex::From;
        let signed = |at: usize| matches!(self.lex(at), Lex::Meridiem(_) | Lex::Hour);
        let hour = self
            .cardinal(at)
            .and_then(|(_, link)| self.cardinal(link + 1));
        !self.habits.day_first
            && matches!(minutes, 5 | 10 | 20 | 25)
            && (spelled || led)
            && !range
            && hour.is_some_and(|(_, end)| !signed(end))
    }

    /// "10-11:30am", "2 to 4pm": the first of two hours, in the half of the day that the second tells.
    fn first_of_two(&self, at: usize) -> Option<Timed> {
        let (hour, link) = self.cardinal(at).filter(|(hour, _)| *hour <= 24)?;
        let minutes = match (self.lex(link), self.lex(link + 1)) {
            (
                Lex::Mark(b':' | b'.'),
                Lex::Num {
                    value: minutes @ 0..=59,
                    digits: 2,
                },
            ) => Some(minutes),
            _ => None,
        };
        let link = link + if minutes.is_some() { 2 } else { 0 };
        if !matches!(self.lex(link), Lex::To | Lex::Until | Lex::Mark(b'-')) {
            return None;
        }
        let (end, second) = self.hour(link + 1, false)?;
        let signed = matches!(self.before(end), Lex::Meridiem(_));
        let first = ClockTime::said(hour, minutes.unwrap_or_default());
        let told = first
            .zip(second)
            .and_then(|(first, second)| first.before(second));
        signed.then_some((end, told))
    }

    fn hour(&self, at: usize, led: bool) -> Option<Timed> {
        let (hour, mut end) = self.cardinal(at)?;
        let (mut exact, mut minutes) = (false, 0);
        if hour <= 24
            && let Lex::Mark(sign @ (b':' | b'.')) = self.lex(end)
            && let Lex::Num {
                value: value @ 0..=59,
                digits: 2,
            } = self.lex(end + 1)
            && !self.spaced(end)
            && !self.spaced(end + 1)
        {
            let marked = matches!(self.lex(end + 2), Lex::Meridiem(_) | Lex::Hour);
            if sign == b':' || marked || led {
                end += 2;
                (exact, minutes) = (true, value);
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
        // "a las siete y media", "sept heures et demie"
        let named = self.skip(end, Lex::Hour);
        if let Lex::HourAnd(more) = self.lex(named)
            && !exact
            && (led || named > end)
        {
            (exact, minutes, end) = (true, more.into(), named + 1);
        }
        let mut less = 0;
        // "9 meno un quarto"; "9 menos 5" is a sum.
        if let Lex::HourLess(minutes) = self.lex(named)
            && !exact
            && (led || named > end || minutes == 15)
        {
            (exact, less, end) = (true, minutes, named + 1);
        }
        let told = ClockTime::said(hour, minutes).map(|told| told.earlier_by(less.into()));
        // Nobody writes 05:30 for the afternoon.
        let early = matches!(
            self.lex(at),
            Lex::Num {
                value: 0..=9,
                digits: 2
            }
        );
        let told = told.and_then(|told| if early { told.in_half(0) } else { Some(told) });
        let (after, signed) = self.trailing_sign(end, told);
        if after > end {
            return Some((after, signed));
        }
        let joined = at > 0
            && !self.spaced(at)
            && matches!(self.before(at), Lex::Mark(b':' | b'.' | b'-' | b'/'));
        (!joined && (exact || (led && self.closes_hour(end)))).then_some((end, told))
    }

    /// "pm", "o'clock", "Uhr 30", "Uhr abends", with what it makes of the hour before it.
    fn trailing_sign(&self, end: usize, told: Option<ClockTime>) -> Timed {
        match self.lex(end) {
            Lex::Meridiem(hours) => (end + 1, told.and_then(|told| told.in_half(hours))),
            // "7 in the evening", "9 at night"
            Lex::In | Lex::At => match self.part_of_hour(end + 1) {
                Some((end, part)) => (end, told.map(|told| told.in_part(part))),
                None => (end, told),
            },
            Lex::Hour if matches!(self.lex(end + 1), Lex::Meridiem(_)) => {
                self.trailing_sign(end + 1, told)
            }
            Lex::Hour => match self.lex(end + 1) {
                Lex::Num {
                    value: minutes @ 0..=59,
                    digits: 2,
                } if self.habits.day_first => {
                    (end + 2, told.and_then(|told| told.at_minute(minutes)))
                }
                Lex::Spelled(5..) if self.habits.day_first => match self.cardinal(end + 1) {
                    Some((minutes @ ..=59, close)) if self.closes_hour(close) => {
                        (close, told.and_then(|told| told.at_minute(minutes)))
                    }
                    _ => (end + 1, told),
                },
                _ => (end + 1, told),
            },
            _ => (end, told),
        }
    }

    /// "at 5" is a time where nothing is counted by it: not in "at 5 stores" or "um zwei Wochen".
    fn closes_hour(&self, end: usize) -> bool {
        match self.lex(end) {
            Lex::Num { .. } | Lex::Other | Lex::Month { .. } => false,
            Lex::Unit(..) | Lex::ClockUnit(_) | Lex::Times | Lex::Occasions | Lex::Hafta => false,
            Lex::Mark(b'.' | b':' | b'-' | b'/' | b'%' | 0) => {
                self.spaced(end) || self.spaced(end + 1)
            }
            _ => true,
        }
    }

    fn part_of_day(&self, at: usize) -> Option<usize> {
        let part = self.skip(at, Lex::The);
        (part > at && matches!(self.lex(part), Lex::Part(_))).then_some(part + 1)
    }

    /// One past a part of the day that tells a half of it, behind its article.
    fn part_of_hour(&self, at: usize) -> Option<(usize, DayPart)> {
        let at = self.skip(at, Lex::The);
        match self.lex(at) {
            Lex::Part(part) if part != DayPart::Any => Some((at + 1, part)),
            _ => None,
        }
    }

    /// "morning" right behind a date.
    pub(in crate::temporal) fn part_behind(&self, at: usize) -> Option<usize> {
        matches!(self.lex(at), Lex::Part(_)).then_some(at + 1)
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
    fn the_hour_that_is_told() {
        let check = |text: &str, lang: Lang, expect: &[&str]| {
            let times = read(text, SUNDAY, lang).times;
            let minutes = (0..24 * 60).filter_map(|minute| {
                let time = chrono::NaiveTime::from_hms_opt(minute / 60, minute % 60, 0)?;
                let said = times.iter().any(|(_, said)| said.may_mean(time));
                said.then(|| time.format("%H:%M").to_string())
            });
            assert_eq!(minutes.collect::<Vec<_>>(), expect, "{text:?}");
        };
        for (text, expect) in [
            ("call at 5", &["05:00", "17:00"][..]),
            ("call at 5pm", &["17:00"]),
            ("call at 5 a.m.", &["05:00"]),
            ("call at 12am", &["00:00"]),
            ("call at 12 pm", &["12:00"]),
            ("call at 12", &["00:00", "12:00"]),
            ("call 5:30", &["05:30", "17:30"]),
            ("call 05:30", &["05:30"]),
            ("call 17:00", &["17:00"]),
            ("call 00:15", &["00:15"]),
            ("call at noon", &["12:00"]),
            ("call at midnight", &["00:00", "23:59"]),
            ("call at half past seven", &["07:30", "19:30"]),
            ("call at quarter to 1", &["00:45", "12:45"]),
            ("call at twenty past 3 pm", &["15:20"]),
            ("call at ten to four", &["03:50", "15:50"]),
            ("leave five to nine", &["08:55", "20:55"]),
            ("call at 10 to 4", &["03:50", "15:50"]),
            ("call 25 to 6", &["05:35", "17:35"]),
            ("call half nine", &["09:30", "21:30"]),
            ("call tomorrow at half 4", &["04:30", "16:30"]),
            ("work from ten to four", &[]),
            ("twenty to thirty guests", &[]),
            ("cook for five to ten people", &[]),
            ("half 2 pizzas", &[]),
            ("call at seven o'clock", &["07:00", "19:00"]),
            ("call in 2 hours", &[]),
            ("call in the morning", &[]),
            ("call at 7pm or at 8pm", &["19:00", "20:00"]),
        ] {
            check(text, Lang::En, expect);
        }
        check("um 17 Uhr", Lang::De, &["17:00"]);
        check("um 17 Uhr 30", Lang::De, &["17:30"]);
        check("um halb sieben", Lang::De, &["06:30", "18:30"]);
        for (text, lang) in [
            ("llamar a las siete y media de la tarde", Lang::Es),
            ("appeler à sept heures et demie du soir", Lang::Fr),
            ("chiamare alle sette e mezza della sera", Lang::It),
            ("ligar às sete e meia da tarde", Lang::Pt),
        ] {
            check(text, lang, &["19:30"]);
        }
        check("a las 6 y cuarto", Lang::Es, &["06:15", "18:15"]);
        check("um viertel vor acht", Lang::De, &["07:45", "19:45"]);
        check("à 18h15", Lang::Fr, &["18:15"]);
        check("a mezzogiorno", Lang::It, &["12:00"]);
        check("um 7 Uhr abends", Lang::De, &["19:00"]);
        check("a las 5 de la tarde", Lang::Es, &["17:00"]);
        check("à 7h du matin", Lang::Fr, &["07:00"]);
        check("alle 8 della sera", Lang::It, &["20:00"]);
        check("às 9 da manhã", Lang::Pt, &["09:00"]);
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
