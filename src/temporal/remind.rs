//! Times to be reminded at: a date with a time of day, an exact while from now, or words for either.

use chrono::{DateTime, NaiveDateTime, SubsecRound, TimeDelta, Utc};
use chrono_tz::Tz;

use super::moment::moment_told;
use super::whiles_told;
use crate::domain::first_shown;
use crate::domain::text::Text;

/// The longest while, and the furthest time, that can be asked for.
const FURTHEST: TimeDelta = TimeDelta::days(3 * 366);

/// Forms of a date with a time of day.
const FORMS: [&str; 4] = [
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S",
];

/// Seconds of each unit, by the letters that words for it begin with, or are.
const UNITS: [(&[&str], i64); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], 60 * 60),
    (&["d", "day", "days"], 24 * 60 * 60),
    (&["w", "week", "weeks"], 7 * 24 * 60 * 60),
];

/// Reason why words give no time to be reminded at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RemindFault {
    /// No time that is understood.
    #[error(
        "is not a time: give YYYY-MM-DDTHH:MM, or words such as \"in 90 seconds\" or \"friday at 5pm\""
    )]
    Unknown,
    /// The time has passed.
    #[error("is past: give a time to come")]
    Past,
    /// Too far off.
    #[error("is more than three years away")]
    Far,
}

/// Reads a time that is written out: a date with a time of day, or a while in English ("in 90 seconds").
pub fn exact_time(words: &str, now: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
    moment(words, zone).or_else(|| Some(now + whole(words)?))
}

/// Reads words that are a while from now and nothing else, in any language: "in 2 Stunden".
pub fn while_told(words: &str) -> Option<TimeDelta> {
    let text = Text::new(words);
    let (said, seconds) = whiles_told(&text).pop()?;
    let whole = said == (0..text.tokens.len());
    whole.then(|| TimeDelta::seconds(seconds.into()))
}

/// Reads the words of a reminder's time, as `now` and `zone` have it; exact to the second.
///
/// # Errors
/// [`RemindFault`].
pub fn remind_at(words: &str, now: DateTime<Utc>, zone: Tz) -> Result<DateTime<Utc>, RemindFault> {
    let words = words.trim();
    let at = exact_time(words, now, zone).or_else(|| Some(now + while_told(words)?));
    let told = || {
        instant(
            moment_told(words, now.with_timezone(&zone).naive_local())?,
            zone,
        )
    };
    let at = at.or_else(told);
    let at = at.ok_or(RemindFault::Unknown)?;
    // A part of a second is none that the user could mean: never before its time.
    let at = match at.trunc_subsecs(0) {
        cut if cut < at => cut + TimeDelta::seconds(1),
        cut => cut,
    };
    match at - now {
        off if off <= TimeDelta::zero() => Err(RemindFault::Past),
        off if off > FURTHEST => Err(RemindFault::Far),
        _ => Ok(at),
    }
}

/// `2026-02-13T17:00`, in the zone unless it names its own.
fn moment(words: &str, zone: Tz) -> Option<DateTime<Utc>> {
    if let Ok(at) = DateTime::parse_from_rfc3339(words) {
        return Some(at.to_utc());
    }
    let read = |form: &&str| NaiveDateTime::parse_from_str(words, form).ok();
    instant(FORMS.iter().find_map(read)?, zone)
}

/// The instant at which the clocks of a zone show a time, or the next that they show.
fn instant(local: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    Some(first_shown(local, zone)?.at)
}

/// `in 90 seconds`, `in 1 hour and 30 minutes`, `2h`.
fn whole(words: &str) -> Option<TimeDelta> {
    let words = words.to_lowercase();
    let words = words.strip_prefix("in ").unwrap_or(&words);
    let spaced = words.chars().fold(String::new(), |mut text, c| {
        let digit = text
            .chars()
            .last()
            .is_some_and(|last| last.is_ascii_digit());
        if digit && c.is_alphabetic() {
            text.push(' ');
        }
        text.push(c);
        text
    });
    let mut parts = spaced.split_whitespace().filter(|part| *part != "and");
    let mut seconds: i64 = 0;
    let mut any = false;
    while let Some(count) = parts.next() {
        let count: i64 = match count {
            "a" | "an" | "one" => 1,
            number => number.parse::<u32>().ok()?.into(),
        };
        let unit = parts.next()?.trim_end_matches(',');
        let (_, each) = UNITS.iter().find(|(names, _)| names.contains(&unit))?;
        seconds = seconds.checked_add(count.checked_mul(*each)?)?;
        any = true;
    }
    let whole = TimeDelta::try_seconds(seconds)?;
    any.then_some(whole.min(FURTHEST + TimeDelta::days(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-02-08T10:00:00.25Z".parse().unwrap()
    }

    fn check(words: &str, expect: Result<&str, RemindFault>) {
        let found = remind_at(words, now(), Tz::Europe__Berlin);
        let expect = expect.map(|text| text.parse::<DateTime<Utc>>().unwrap());
        assert_eq!(found, expect, "{words}");
    }

    #[test]
    fn a_date_with_a_time_is_of_the_zone() {
        check("2026-02-13T17:00", Ok("2026-02-13T16:00:00Z"));
        check(" 2026-02-13 17:00:30 ", Ok("2026-02-13T16:00:30Z"));
        check("2026-02-13T17:00:00Z", Ok("2026-02-13T17:00:00Z"));
        check("2026-02-13T17:00:00+05:30", Ok("2026-02-13T11:30:00Z"));
        // The clocks go from 2:00 to 3:00, and from 3:00 back to 2:00.
        check("2026-03-29T02:30", Ok("2026-03-29T01:00:00Z"));
        check("2026-03-29T02:59:30", Ok("2026-03-29T01:00:00Z"));
        check("2026-10-25T02:30", Ok("2026-10-25T00:30:00Z"));
    }

    #[test]
    fn an_exact_while_is_counted_from_now_and_never_short() {
        check("in 90 seconds", Ok("2026-02-08T10:01:31Z"));
        check("in 2 hours", Ok("2026-02-08T12:00:01Z"));
        check("In an hour and 30 minutes", Ok("2026-02-08T11:30:01Z"));
        check("5m", Ok("2026-02-08T10:05:01Z"));
        check("in 1 week, 1 day", Ok("2026-02-16T10:00:01Z"));
        check("in 2 Stunden", Ok("2026-02-08T12:00:01Z"));
        check("2 ghante mein", Ok("2026-02-08T12:00:01Z"));
    }

    #[test]
    fn words_are_of_the_zone_and_of_the_time_to_come() {
        check("friday at 5pm", Ok("2026-02-13T16:00:00Z"));
        check("at 5", Ok("2026-02-08T16:00:00Z"));
        check("11:00", Ok("2026-02-09T10:00:00Z"));
        check("today at 9am", Err(RemindFault::Past));
    }

    #[test]
    fn what_is_past_or_no_time_is_said_to_be() {
        check("2026-02-08T11:00", Err(RemindFault::Past));
        check("2025-02-13T17:00", Err(RemindFault::Past));
        check("in 0 seconds", Ok("2026-02-08T10:00:01Z"));
        check("in 4000000000 weeks", Err(RemindFault::Far));
        check("2099-01-01T00:00", Err(RemindFault::Far));
        for words in [
            "",
            "soon",
            "in",
            "in five",
            "in 5",
            "soon at night",
            "2026-02-13",
            "in -5 minutes",
        ] {
            check(words, Err(RemindFault::Unknown));
        }
    }
}
