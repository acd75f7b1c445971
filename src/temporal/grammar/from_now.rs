//! Whiles that are counted from now: "in 2 hours", "in an hour and a half", "90 minutes from now".

use super::super::lexeme::Lex;
use super::super::{Side, Unit};
use super::Reader;

/// One past an expression, and its seconds.
type While = (usize, u32);

/// Seconds of half an hour, where one phrase says it.
const HALF_HOUR: u16 = 30 * 60;
/// Seconds of an hour.
const HOUR: u16 = 60 * 60;
/// Seconds of a day.
const DAY: u32 = 24 * 60 * 60;

/// One past a length of time, its seconds, and the side to which the words behind it lead.
type SidedLength = (usize, u32, Option<Side>);

impl Reader {
    /// One past a while that is counted from now, and its seconds.
    pub(in crate::temporal) fn while_ahead(&self, at: usize) -> Option<While> {
        match self.lex(at) {
            Lex::In | Lex::Within => {
                let at = self.skip(self.skip(at + 1, Lex::The), Lex::Next);
                self.hours(at)
            }
            Lex::Num { .. }
            | Lex::Spelled(_)
            | Lex::One
            | Lex::Couple
            | Lex::Half
            | Lex::ClockUnit(HALF_HOUR) => {
                let (end, seconds) = self.hours(at)?;
                match (self.lex(end), self.lex(end + 1)) {
                    (Lex::InBehind, _) => Some((end + 1, seconds)),
                    (Lex::From, Lex::Now) => Some((end + 2, seconds)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Tells whether a while begins here that its first word counts from now: "in 2 hours".
    pub(in crate::temporal) fn leads_ahead(&self, at: usize) -> bool {
        matches!(self.lex(at), Lex::In | Lex::Within)
    }

    /// One past a length of time that is counted from another than now: "half an hour later", "10
    /// minutes early", "the day before", "the evening before".
    pub(in crate::temporal) fn length_of_time(&self, at: usize) -> Option<SidedLength> {
        if self.lex(at) == Lex::Eve {
            return Some((at + 1, DAY, Some(Side::Earlier)));
        }
        let (end, seconds) = self.hours(at).or_else(|| self.days_long(at))?;
        let side = match self.lex(end) {
            // "un'ora prima", which is an ordinal elsewhere.
            Lex::Before | Lex::Ago | Lex::Earlier | Lex::SpelledOrd(1) => Some(Side::Earlier),
            Lex::After | Lex::Later | Lex::InBehind => Some(Side::Later),
            _ => None,
        };
        let uncounted = matches!(
            self.lex(at),
            Lex::Unit(..) | Lex::ClockUnit(_) | Lex::Part(_)
        );
        let end = end + usize::from(side.is_some());
        (side.is_some() || !uncounted).then_some((end, seconds, side))
    }

    /// "2 days", "a week"; "day", "hour" and "evening" alone are one of them.
    fn days_long(&self, at: usize) -> Option<(usize, u32)> {
        let days = |unit: Unit, count: u32| match unit {
            Unit::Day => Some(count * DAY),
            Unit::Week => Some(count * 7 * DAY),
            Unit::Month | Unit::Year => None,
        };
        match self.lex(at) {
            Lex::Unit(unit, 1) => Some((at + 1, days(unit, 1)?)),
            // Of "un'ora" the number is gone.
            Lex::ClockUnit(seconds) => Some((at + 1, seconds.into())),
            Lex::Part(_) => Some((at + 1, DAY)),
            _ => {
                let (shift, end) = self.duration(at)?;
                let (count, unit) = shift.plain?;
                Some((end, days(unit, u32::try_from(count).ok()?)?))
            }
        }
    }

    /// "2 hours", "an hour and 30 minutes", "an hour and a half".
    fn hours(&self, at: usize) -> Option<While> {
        let (mut end, mut seconds, mut unit) = self.hours_part(at)?;
        if let Lex::HourAnd(minutes) = self.lex(end) {
            let more = unit * u32::from(minutes) / 60;
            return Some((end + 1, seconds.checked_add(more)?));
        }
        for _ in 0..2 {
            let next = self.skip(self.skip_mark(end, b","), Lex::Join);
            let half = self.skip(next, Lex::One);
            if let Some((after, more, smaller)) = self.hours_part(next) {
                (end, seconds, unit) = (after, seconds.checked_add(more)?, smaller);
            } else if self.lex(half) == Lex::Half && next > end {
                return Some((half + 1, seconds.checked_add(unit / 2)?));
            } else {
                break;
            }
        }
        Some((end, seconds))
    }

    /// "2 hours", "half an hour": with the seconds of its unit.
    fn hours_part(&self, at: usize) -> Option<(usize, u32, u32)> {
        let counted = self.skip(at, Lex::Half);
        let (count, unit) = match self.quantity(counted) {
            Some(found) => found,
            None if self.lex(counted) == Lex::ClockUnit(HALF_HOUR) => (1, counted),
            None => return None,
        };
        let each = match self.lex(unit) {
            Lex::ClockUnit(seconds) => seconds.into(),
            Lex::Hour => HOUR.into(),
            _ => return None,
        };
        let whole = u32::from(count).checked_mul(each)?;
        let seconds = if counted > at { whole / 2 } else { whole };
        Some((unit + 1, seconds, each))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::{SUNDAY, read};
    use crate::domain::Lang;
    use crate::domain::text::Text;

    #[track_caller]
    fn check(text: &str, lang: Lang, expect: &[(&str, u32)]) {
        let found = read(text, SUNDAY, lang).whiles;
        let text = Text::new(text);
        let told = found
            .iter()
            .map(|(at, seconds)| (text.slice(at.clone()), *seconds));
        assert_eq!(told.collect::<Vec<_>>(), expect, "{:?}", text.raw);
    }

    #[test]
    fn whiles_of_every_language() {
        for (text, lang, words, minutes) in [
            ("call in 2 hours", Lang::En, "in 2 hours", 120),
            ("call in an hour", Lang::En, "in an hour", 60),
            (
                "call in an hour and a half",
                Lang::En,
                "in an hour and a half",
                90,
            ),
            ("call in half an hour", Lang::En, "in half an hour", 30),
            ("call in 45 mins", Lang::En, "in 45 mins", 45),
            (
                "call in 1 hour, 5 minutes",
                Lang::En,
                "in 1 hour, 5 minutes",
                65,
            ),
            (
                "call two hours from now",
                Lang::En,
                "two hours from now",
                120,
            ),
            ("in 2 Stunden anrufen", Lang::De, "in 2 Stunden", 120),
            (
                "in einer halben Stunde",
                Lang::De,
                "in einer halben Stunde",
                30,
            ),
            ("llamar en 2 horas", Lang::Es, "en 2 horas", 120),
            ("dentro de media hora", Lang::Es, "dentro de media hora", 30),
            ("appeler dans 2 heures", Lang::Fr, "dans 2 heures", 120),
            ("dans une demi-heure", Lang::Fr, "dans une demi-heure", 30),
            (
                "dans une heure et quart",
                Lang::Fr,
                "dans une heure et quart",
                75,
            ),
            ("chiamare tra 2 ore", Lang::It, "tra 2 ore", 120),
            ("tra mezz'ora", Lang::It, "tra mezz'ora", 30),
            ("ligar em 2 horas", Lang::Pt, "em 2 horas", 120),
            ("daqui a meia hora", Lang::Pt, "daqui a meia hora", 30),
            ("2 ghante mein", Lang::Ur, "2 ghante mein", 120),
            ("aadhe ghante mein", Lang::Ur, "aadhe ghante mein", 30),
            ("20 minute baad", Lang::Ur, "20 minute baad", 20),
        ] {
            check(text, lang, &[(words, minutes * 60)]);
        }
        check("in 90 seconds", Lang::En, &[("in 90 seconds", 90)]);
    }

    #[test]
    fn what_is_counted_from_no_now() {
        for text in [
            "run for 2 hours",
            "move it 2 hours later",
            "2 hours of piano",
            "in 2 days",
            "every 2 hours",
            "in the half",
        ] {
            check(text, Lang::En, &[]);
        }
    }
}
