//! Lengths of time that count from a time that is known: "half an hour later", "the day before at 9".

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

use super::grammar::Reader;
use super::scan::scan;
use super::{FoundLength, Side};
use crate::domain::Lang;
use crate::domain::text::Text;

/// Lengths of time that are counted from another time than now, in any language: the longest at each
/// place.
///
/// ```
/// use candor::domain::text::Text;
/// use candor::temporal::{Side, lengths_told};
/// let told = lengths_told(&Text::new("move the call half an hour later"));
/// assert_eq!((told[0].seconds, told[0].side), (1800, Some(Side::Later)));
/// assert!(lengths_told(&Text::new("call Ann in 2 hours")).is_empty());
/// ```
pub fn lengths_told(text: &Text<'_>) -> Vec<FoundLength> {
    let mut told = Vec::new();
    for lang in Lang::ALL {
        let reader = Reader::of(text, lang, NaiveDate::default());
        let mut at = 0;
        while at < reader.lexemes.len() {
            // "in 2 hours" counts from now.
            if let Some((end, _)) = reader.while_ahead(at).filter(|_| reader.leads_ahead(at)) {
                told.push((reader.tokens(at..end), None));
                at = end;
            } else if let Some((end, seconds, side)) = reader.length_of_time(at) {
                told.push((reader.tokens(at..end), Some((seconds, side))));
                at = end;
            } else {
                at += 1;
            }
        }
    }
    told.sort_by_key(|(tokens, _)| (tokens.start, std::cmp::Reverse(tokens.end)));
    // Another language may know the last words of one alone, of what counts from now too.
    let mut end = 0;
    told.retain(|(tokens, _)| {
        let apart = tokens.start >= end;
        end = if apart { tokens.end } else { end };
        apart
    });
    let length = |(tokens, length): (_, Option<_>)| {
        let (seconds, side) = length?;
        Some(FoundLength {
            tokens,
            seconds,
            side,
        })
    };
    told.into_iter().filter_map(length).collect()
}

/// Reads words that count back from the day and time at which something is due, in any language.
///
/// ```
/// use candor::temporal::counted_back;
/// let day = chrono::NaiveDate::from_ymd_opt(2026, 2, 17).unwrap();
/// let time = chrono::NaiveTime::from_hms_opt(15, 30, 0);
/// let told = |words| counted_back(words, day, time).map(|at| at.to_string());
/// assert_eq!(told("an hour before").as_deref(), Some("2026-02-17 14:30:00"));
/// assert_eq!(told("the day before at 9am").as_deref(), Some("2026-02-16 09:00:00"));
/// assert_eq!(told("an hour later"), None);
/// ```
pub fn counted_back(words: &str, day: NaiveDate, time: Option<NaiveTime>) -> Option<NaiveDateTime> {
    let text = Text::new(words);
    let mut told = lengths_told(&text);
    let found = told.pop().filter(|_| told.is_empty())?;
    let back = TimeDelta::seconds(found.seconds.into());
    let mut times = Lang::ALL
        .into_iter()
        .flat_map(|lang| scan(&text, day, lang).times);
    let at = match times.next() {
        Some((_, time)) if back.num_seconds() % TimeDelta::days(1).num_seconds() == 0 => {
            time.likely()
        }
        Some(_) => return None,
        None => time?,
    };
    let earlier = found.side == Some(Side::Earlier);
    earlier.then(|| day.and_time(at) - back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, words: &str, minutes: u32, side: Option<Side>) {
        let text = Text::new(raw);
        let told = lengths_told(&text);
        let told: Vec<_> = told
            .iter()
            .map(|found| {
                (
                    text.slice(found.tokens.clone()),
                    found.seconds / 60,
                    found.side,
                )
            })
            .collect();
        assert_eq!(told, [(words, minutes, side)], "{raw:?}");
    }

    #[test]
    fn lengths_of_every_language() {
        let (earlier, later) = (Some(Side::Earlier), Some(Side::Later));
        for (raw, words, minutes, side) in [
            (
                "remind me two hours before",
                "two hours before",
                120,
                earlier,
            ),
            ("ring me 10 minutes early", "10 minutes early", 10, earlier),
            ("the day before at 9", "day before", 1440, earlier),
            ("the evening before", "evening before", 1440, earlier),
            ("push the vet back an hour", "an hour", 60, None),
            ("the vet is 20 minutes later", "20 minutes later", 20, later),
            (
                "eine halbe Stunde später",
                "eine halbe Stunde später",
                30,
                later,
            ),
            ("zwei Stunden vorher", "zwei Stunden vorher", 120, earlier),
            ("una hora antes", "una hora antes", 60, earlier),
            ("une heure avant", "une heure avant", 60, earlier),
            ("15 minutes plus tard", "15 minutes plus tard", 15, later),
            ("due ore prima", "due ore prima", 120, earlier),
            ("meia hora mais tarde", "meia hora mais tarde", 30, later),
            ("ek ghanta pehle", "ek ghanta pehle", 60, earlier),
        ] {
            check(raw, words, minutes, side);
        }
    }

    #[test]
    fn an_hour_without_its_number() {
        let told = lengths_told(&Text::new("un'ora prima"));
        let told = told.first().map(|found| (found.seconds, found.side));
        assert_eq!(told, Some((3600, Some(Side::Earlier))));
    }

    #[test]
    fn what_counts_from_now_or_names_no_length_is_none() {
        for raw in [
            "call in 2 hours",
            "en 2 horas",
            "em 2 horas",
            "dans 30 minutes",
            "in 2 Stunden",
            "tra 2 ore",
            "every day",
            "good morning",
            "pay day",
            "5 eggs",
        ] {
            assert_eq!(lengths_told(&Text::new(raw)), [], "{raw:?}");
        }
    }
}
