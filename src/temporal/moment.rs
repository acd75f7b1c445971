//! A moment in words: a day with a time of day, or a time that comes next.

use chrono::NaiveDateTime;

use super::{FoundRepeat, Unkept, read, scan};
use crate::domain::Lang;
use crate::domain::text::{Kind, Text};

/// Reads a phrase that is one time of day, with a day or without one, and nothing else, in any language;
/// without a day it is the next such time after `now`.
pub(super) fn moment_told(phrase: &str, now: NaiveDateTime) -> Option<NaiveDateTime> {
    let text = Text::new(phrase);
    Lang::ALL.into_iter().find_map(|lang| {
        let found = scan(&text, now.date(), lang);
        let [(_, time)] = found.times.as_slice() else {
            return None;
        };
        let time = time.likely();
        if let Some(date) = read(phrase, now.date(), lang) {
            return Some(date.day.and_time(time));
        }
        let mut rest = text.tokens.iter().enumerate().filter(|(index, _)| {
            let timed = |(range, kind): &(std::ops::Range<usize>, Unkept)| {
                *kind == Unkept::TimeOfDay && range.contains(index)
            };
            let repeated = |repeat: &FoundRepeat| repeat.tokens.contains(index);
            !found.unkept.iter().any(timed) && !found.repeats.iter().any(repeated)
        });
        let nothing = rest.all(|(_, token)| token.kind == Kind::Punct);
        let over = time <= now.time();
        let day = match (found.repeats.as_slice(), over) {
            ([], false) => now.date(),
            ([], true) => now.date().succ_opt()?,
            // The first of "every monday at 9".
            ([repeat, ..], over) => {
                let first = repeat.rule.first(now.date())?;
                match over && first == now.date() {
                    true => repeat.rule.next(first, first)?.0,
                    false => first,
                }
            }
        };
        nothing.then(|| day.and_time(time))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(phrase: &str, expect: Option<&str>) {
        let now = "2026-02-08T10:00:00".parse().unwrap();
        let found = moment_told(phrase, now).map(|at| at.format("%Y-%m-%dT%H:%M").to_string());
        assert_eq!(found.as_deref(), expect, "{phrase}");
    }

    #[test]
    fn a_day_with_a_time_is_that_moment() {
        check("tomorrow at 9am", Some("2026-02-09T09:00"));
        check("Friday 17:00", Some("2026-02-13T17:00"));
        check("at 5pm on friday", Some("2026-02-13T17:00"));
        check("morgen um 9", Some("2026-02-09T09:00"));
        check("kal 9 baje", Some("2026-02-09T09:00"));
        check("demain à 18h", Some("2026-02-09T18:00"));
    }

    #[test]
    fn of_a_repetition_it_is_the_first() {
        check("every day at 8am", Some("2026-02-09T08:00"));
        check("every day at 11am", Some("2026-02-08T11:00"));
        check("every monday at 9", Some("2026-02-09T09:00"));
        check("jeden Montag um 9", Some("2026-02-09T09:00"));
    }

    #[test]
    fn a_time_alone_is_the_next_such() {
        check("at 5", Some("2026-02-08T17:00"));
        check("9am", Some("2026-02-09T09:00"));
        check("um 18 Uhr", Some("2026-02-08T18:00"));
    }

    #[test]
    fn what_holds_more_or_less_is_none() {
        for phrase in [
            "",
            "tomorrow",
            "call mum at 5",
            "at 5 or at 6",
            "every day at 5 or at 6",
            "buy milk tomorrow at 9",
        ] {
            check(phrase, None);
        }
    }
}
