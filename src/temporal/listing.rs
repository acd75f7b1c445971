//! Days of a listing in a model's words: a day, a month, and a range with one end or with two.

use chrono::{Datelike, Days, Months, NaiveDate};

use super::words::{self, ListingWord, plain};
use super::{Found, OPEN_END, Rule, Unit};
use crate::languages::PerLang;

/// First and last day.
type Range = (NaiveDate, NaiveDate);

/// Forms of a range that the error of an unread one names to a model.
pub const DAYS_ACCEPTED: &str = "write a day (\"tomorrow\", 2026-03-05), a month (\"march\", \
    2026-03), a range (\"this week\", \"march 1 to march 15\", \"after friday\", \"from monday\"), \
    \"overdue\", or \"none\" for tasks without a date";

/// Tells whether words mean tasks without a date: "none", "no due date", "undated".
pub fn is_undated(words: &str) -> bool {
    let words = plain(words);
    let edges = words.split_once(' ').zip(words.rsplit_once(' '));
    is(&words, ListingWord::Undated)
        || edges.is_some_and(|((first, _), (_, last))| {
            is(first, ListingWord::Without) && is(last, ListingWord::Date)
        })
}

/// Tells whether words mean open tasks whose day is over.
pub fn is_overdue(words: &str) -> bool {
    is(&plain(words), ListingWord::Overdue)
}

fn is(words: &str, meaning: ListingWord) -> bool {
    phrases(meaning).any(|phrase| phrase == words)
}

/// The phrases of a meaning in all languages: a model may ask in any.
fn phrases(meaning: ListingWord) -> impl Iterator<Item = &'static str> {
    static WORDS: PerLang<Vec<(ListingWord, String)>> =
        PerLang::new(|lang| words::listing(lang.files().dates));
    let all = WORDS.all().flatten();
    all.filter(move |(of, _)| *of == meaning)
        .map(|(_, phrase)| phrase.as_str())
}

/// Reads the days of a listing; `day` reads the words of one date.
pub fn days_listed(
    words: &str,
    today: NaiveDate,
    day: &dyn Fn(&str) -> Option<Found>,
) -> Option<Range> {
    let words = plain(words).replace("..", " to ");
    let words = words.trim();
    let days = |words: &str| days(words, today, day);
    let through = |words: &str, links: ListingWord| {
        let ((first, _), (_, last)) = two(words, links, &days)?;
        Some((first, last))
    };
    if let Some(rest) = behind(words, ListingWord::Between) {
        return through(rest, ListingWord::And);
    }
    if let Some(rest) = behind(words, ListingWord::After) {
        let after = days(rest)?.1.succ_opt()?;
        // "depois de amanhã" is one day, as "the day after tomorrow" is.
        let own = day(words).filter(|found| found.rule == Rule::Relative && found.day == after);
        return Some((after, own.map_or(OPEN_END, |found| found.day)));
    }
    let open = phrases(ListingWord::Onwards).find_map(|word| words.strip_suffix(word));
    let from = behind(words, ListingWord::From);
    if let Some(rest) = from.or(open) {
        let first = || Some((days(rest.trim())?.0, OPEN_END));
        return through(rest, ListingWord::To).or_else(first);
    }
    // "today and tomorrow" is one range, "monday and friday" is none.
    let joined = || {
        let ((first, end), (next, last)) = two(words, ListingWord::And, &days)?;
        (end.succ_opt()? >= next).then_some((first, last))
    };
    days(words)
        .or_else(|| through(words, ListingWord::To))
        .or_else(joined)
}

/// The days of one expression: a date, a month alone, "march 2026", "2026-03".
fn days(words: &str, today: NaiveDate, day: &dyn Fn(&str) -> Option<Found>) -> Option<Range> {
    if let Some(found) = day(words) {
        return Some(found.listed(today));
    }
    let number = |text: &str, length: usize| {
        let digits = text.len() <= length && text.chars().all(|c| c.is_ascii_digit());
        digits.then(|| text.parse::<u16>().ok()).flatten()
    };
    if let Some((year, month)) = words.split_once('-')
        && let Some((year, month)) = number(year, 4).zip(number(month, 2))
    {
        return month_of(year.into(), month.into());
    }
    let month = |words: &str| {
        let found = day(&format!("in {words}"))?;
        let unit = Unit::Month;
        matches!(found.rule, Rule::Period { unit: of, .. } if of == unit).then_some(found.span)
    };
    let of_year = || {
        let (name, year) = words.rsplit_once(' ')?;
        let year = number(year, 4).filter(|year| *year > 1000)?;
        month_of(year.into(), month(name)?.0.month())
    };
    of_year().or_else(|| month(words))
}

fn month_of(year: i32, month: u32) -> Option<Range> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some((first, first.checked_add_months(Months::new(1))?.pred_opt()?))
}

/// Two expressions with one of these words between them, the second no earlier than the first: "march
/// 16 to 20" is in one month, and from Monday "to friday" is the Friday behind it.
fn two(
    words: &str,
    links: ListingWord,
    days: &dyn Fn(&str) -> Option<Range>,
) -> Option<(Range, Range)> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    let linked = parts.iter().enumerate().filter(|(_, part)| is(part, links));
    linked.into_iter().find_map(|(at, _)| {
        let left = parts.get(..at)?.join(" ");
        let right = parts.get(at + 1..)?.join(" ");
        let first = days(&left)?;
        let second = days(&right);
        if let Some(second) = second.filter(|second| second.1 >= first.1) {
            return Some((first, second));
        }
        let same_month = || {
            let (month, _) = left.split_once(' ')?;
            days(&format!("{month} {right}"))
        };
        let next_week = || {
            let (from, to) = second?;
            let week = Days::new(7);
            let near = (first.0 - to).num_days() < 7;
            let later = (from.checked_add_days(week)?, to.checked_add_days(week)?);
            near.then_some(later)
        };
        let second = same_month().or_else(next_week)?;
        (second.1 >= first.1).then_some((first, second))
    })
}

/// The words behind one of these leading ones.
fn behind(words: &str, leading: ListingWord) -> Option<&str> {
    phrases(leading).find_map(|lead| {
        let rest = words.strip_prefix(lead)?.strip_prefix(' ')?;
        Some(rest.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Lang;
    use crate::temporal;

    /// Sunday.
    const TODAY: &str = "2026-02-08";

    fn check(words: &str, expect: Option<(&str, &str)>) {
        let today: NaiveDate = TODAY.parse().unwrap();
        let day = |words: &str| {
            let mut langs = Lang::ALL.iter();
            langs.find_map(|lang| temporal::read(words, today, *lang))
        };
        let open = OPEN_END.to_string();
        let said =
            days_listed(words, today, &day).map(|(from, to)| (from.to_string(), to.to_string()));
        let expect = expect.map(|(from, to)| {
            let to = if to == "open" { &open } else { to };
            (from.to_owned(), to.to_owned())
        });
        assert_eq!(said, expect, "{words:?}");
    }

    #[test]
    fn months_and_ranges() {
        for (words, from, to) in [
            ("march", "2026-03-01", "2026-03-31"),
            ("March 2026", "2026-03-01", "2026-03-31"),
            ("february 2027", "2027-02-01", "2027-02-28"),
            ("2026-03", "2026-03-01", "2026-03-31"),
            ("märz", "2026-03-01", "2026-03-31"),
            ("march 16", "2026-03-16", "2026-03-16"),
            ("march 16 to march 20", "2026-03-16", "2026-03-20"),
            ("from march 16 to 20", "2026-03-16", "2026-03-20"),
            ("between march 1 and march 15", "2026-03-01", "2026-03-15"),
            ("2026-03-01..2026-03-15", "2026-03-01", "2026-03-15"),
            ("2026-03-01 - 2026-03-15", "2026-03-01", "2026-03-15"),
            ("today and tomorrow", "2026-02-08", "2026-02-09"),
            ("this week and next week", "2026-02-02", "2026-02-15"),
            ("monday to friday", "2026-02-09", "2026-02-13"),
            ("friday to monday", "2026-02-13", "2026-02-16"),
            ("vom 1. märz bis 15. märz", "2026-03-01", "2026-03-15"),
            ("after thursday", "2026-02-13", "open"),
            ("from march 16", "2026-03-16", "open"),
            ("since march 15", "2026-03-15", "open"),
            ("march 16 onwards", "2026-03-16", "open"),
            ("after march", "2026-04-01", "open"),
            ("after tomorrow", "2026-02-10", "open"),
            ("depois de amanhã", "2026-02-10", "2026-02-10"),
            ("depois de sexta", "2026-02-14", "open"),
            ("nach donnerstag", "2026-02-13", "open"),
            ("before march", "2026-02-08", "2026-02-28"),
            ("until friday", "2026-02-08", "2026-02-13"),
        ] {
            check(words, Some((from, to)));
        }
        for words in [
            "soon",
            "monday and friday",
            "from here",
            "march to nowhere",
            "5",
        ] {
            check(words, None);
        }
    }

    #[test]
    fn words_of_no_date() {
        for words in [
            "none",
            "no date",
            "No due date",
            "undated",
            "without a date",
            "without any deadline",
            "sans date",
            "sem data",
        ] {
            assert!(is_undated(words), "{words}");
        }
        for words in ["today", "no", "date", "next monday", "undated monday"] {
            assert!(!is_undated(words), "{words}");
        }
        assert!(is_overdue("Past due") && !is_overdue("due"));
    }
}
