//! Parts of the day, and the hours whose half each of them tells: "tomorrow morning at 8".

use std::ops::Range;

use super::super::DayPart;
use super::super::lexeme::Lex;
use super::Reader;

impl Reader {
    /// The parts of the day that the words tell, each with the lexemes whose hours it holds.
    pub(in crate::temporal) fn parts_of_day(&self) -> Vec<(Range<usize>, DayPart)> {
        let mut parts: Vec<(Range<usize>, DayPart)> = Vec::new();
        let mut floor = 0;
        for at in 0..self.lexemes.len() {
            let part = match self.lex(at) {
                Lex::Day(_, part) => part,
                Lex::Part(part) if self.tells_part(at) => part,
                _ => continue,
            };
            if part == DayPart::Any {
                continue;
            }
            let held = self.held_before(at, floor)..self.held_behind(at + 1);
            // "at 9 at night" behind a morning is of the night.
            if let Some((last, _)) = parts.last_mut() {
                last.end = last.end.min(held.start);
            }
            floor = at + 1;
            parts.push((held, part));
        }
        parts
    }

    /// Tells whether a part of the day stands here as a time: behind a day or a preposition, or before
    /// an hour. "The morning meeting" names something.
    fn tells_part(&self, at: usize) -> bool {
        let mut before = at;
        while before > 0 && matches!(self.before(before), Lex::The | Lex::Of | Lex::One) {
            before -= 1;
        }
        let led = matches!(
            self.before(before),
            Lex::Weekday { .. }
                | Lex::Day(..)
                | Lex::Month { .. }
                | Lex::Ord(_)
                | Lex::Num { .. }
                | Lex::Spelled(_)
                | Lex::Clock { .. }
                | Lex::Hour
                | Lex::In
                | Lex::On
                | Lex::At
                | Lex::By
                | Lex::Until
                | Lex::From
                | Lex::Prep
                | Lex::This
                | Lex::Next
                | Lex::Every
                | Lex::Post
                | Lex::PostUntil
        );
        led || matches!(self.lex(at + 1), Lex::Before)
            || self.before(at) != Lex::Feast && self.hour_follows(at + 1)
    }

    /// Tells whether an hour stands here, behind prepositions.
    fn hour_follows(&self, at: usize) -> bool {
        let mut at = self.skip_mark(at, b",");
        while matches!(
            self.lex(at),
            Lex::Post | Lex::PostUntil | Lex::Prep | Lex::The | Lex::On
        ) {
            at += 1;
        }
        matches!(self.lex(at + 1), Lex::Ish)
            || self.clock(at).is_some_and(|(_, time)| time.is_some())
    }

    /// One past the lexemes behind a part of the day whose hours are of it: those of its clause, and
    /// what stands right behind a comma.
    fn held_behind(&self, from: usize) -> usize {
        let mut at = from;
        loop {
            match self.lex(at) {
                Lex::Stop | Lex::Part(_) => return at,
                Lex::Day(_, part) if part != DayPart::Any => return at,
                Lex::Mark(b',') if !self.hour_follows(at) => return at,
                Lex::Mark(b'.' | b'!' | b'?' | b';' | b'-') if self.spaced(at + 1) => return at,
                // "and dinner", "then call"; "please remind me" goes on.
                Lex::Join if matches!(self.lex(at + 1), Lex::Other | Lex::Command) => return at,
                _ => at += 1,
            }
        }
    }

    /// The first of the lexemes right before a part of the day that are of its expression: "at 8
    /// tomorrow morning".
    fn held_before(&self, at: usize, floor: usize) -> usize {
        let mut start = at;
        while start > floor {
            let joined = match self.before(start) {
                Lex::Mark(b':' | b'.') => !self.spaced(start),
                Lex::Mark(b'@' | b'-') => true,
                Lex::Other
                | Lex::Stop
                | Lex::Mark(_)
                | Lex::Join
                | Lex::Command
                | Lex::Pronoun
                | Lex::Label => false,
                _ => true,
            };
            if !joined {
                break;
            }
            start -= 1;
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::parse_time_of_day;
    use crate::domain::text::Text;
    use crate::temporal::times_told;

    /// Checks that words tell one time of day, and not the same hour of the other half.
    #[track_caller]
    fn check(raw: &str, told: &str, other: &str) {
        let text = Text::new(raw);
        let is_told = |time| !times_told(&text, parse_time_of_day(time).unwrap()).is_empty();
        assert!(is_told(told), "{raw:?} {told}");
        assert!(!is_told(other), "{raw:?} {other}");
    }

    #[test]
    fn a_part_of_the_day_tells_the_half_of_the_hour_beside_it() {
        for (raw, told, other) in [
            ("call Ann tomorrow morning at 8", "08:00", "20:00"),
            ("at 8 tomorrow morning", "08:00", "20:00"),
            (
                "tomorrow morning please remind me to call at 8",
                "08:00",
                "20:00",
            ),
            ("tomorrow night at 9", "21:00", "09:00"),
            ("tuesday evening dinner with Ana, at 7", "19:00", "07:00"),
            ("be there at 7 in the evening", "19:00", "07:00"),
            ("7 in the evening", "19:00", "07:00"),
            ("3 in the morning", "03:00", "15:00"),
            ("9 at night", "21:00", "09:00"),
            ("tonight at 12", "00:00", "12:00"),
            ("every morning at 6", "06:00", "18:00"),
            ("heute abend um 8 anrufen", "20:00", "08:00"),
            ("morgen früh um 7 Uhr", "07:00", "19:00"),
            ("am Abend um 6", "18:00", "06:00"),
            ("mañana por la mañana a las 8", "08:00", "20:00"),
            ("esta tarde a las 6", "18:00", "06:00"),
            ("8h du matin", "08:00", "20:00"),
            ("demain soir à 8h", "20:00", "08:00"),
            ("stasera alle 8", "20:00", "08:00"),
            ("domani mattina alle 7", "07:00", "19:00"),
            ("amanhã de manhã às 9", "09:00", "21:00"),
            ("aaj raat 9 baje", "21:00", "09:00"),
            ("subah 8 baje", "08:00", "20:00"),
        ] {
            check(raw, told, other);
        }
    }

    #[test]
    fn what_names_something_or_stands_in_another_clause_tells_no_half() {
        for raw in [
            "move the morning meeting to Bob's and dinner at 7",
            "tomorrow morning gym, call mom at 5",
            "good morning! dinner at 7",
            "tomorrow morning gym and dinner at 7",
        ] {
            let text = Text::new(raw);
            let hour = if raw.contains('5') { "05:00" } else { "07:00" };
            let early = parse_time_of_day(hour).unwrap();
            let late = early.overflowing_add_signed(chrono::TimeDelta::hours(12)).0;
            for time in [early, late] {
                assert!(!times_told(&text, time).is_empty(), "{raw:?} {time}");
            }
        }
    }
}
