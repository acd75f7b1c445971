//! Days of a listing in a model's words: a day, a month, and a range with one end or with two.

use chrono::{Datelike, Days, Months, NaiveDate};

use crate::temporal::{Found, OPEN_END, Rule, Unit};

/// First and last day.
type Range = (NaiveDate, NaiveDate);

/// Forms of a range that the error of an unread one names to a model.
pub(super) const ACCEPTED: &str = "write a day (\"tomorrow\", 2026-03-05), a month (\"march\", \
    2026-03), a range (\"this week\", \"march 1 to march 15\", \"after friday\", \"from monday\"), \
    \"overdue\", or \"none\" for tasks without a date";

const FROM: [&str; 13] = [
    "on or after",
    "starting",
    "from",
    "since",
    "ab",
    "seit",
    "vom",
    "von",
    "desde",
    "depuis",
    "a partir de",
    "dal",
    "da",
];
const AFTER: [&str; 9] = [
    "later than",
    "after",
    "nach",
    "despues de",
    "después de",
    "apres",
    "après",
    "dopo",
    "depois de",
];
const BETWEEN: [&str; 5] = ["between", "zwischen", "entre", "tra", "fra"];
const TO: [&str; 15] = [
    "to", "until", "till", "through", "thru", "-", "–", "bis", "hasta", "a", "al", "au", "à",
    "ate", "até",
];
const AND: [&str; 8] = ["and", "&", "or", "und", "y", "et", "e", "aur"];
const ONWARDS: [&str; 4] = ["onwards", "onward", "or later", "and later"];
const NO: [&str; 7] = ["no", "without", "ohne", "sin", "sans", "senza", "sem"];
const DATE: [&str; 8] = [
    "date", "dates", "day", "deadline", "datum", "fecha", "data", "due",
];
const UNDATED: [&str; 4] = ["none", "undated", "unscheduled", "dateless"];

/// Tells whether words mean tasks without a date: "none", "no due date", "undated".
pub(super) fn is_undated(words: &str) -> bool {
    let words = words.to_lowercase();
    let mut each = words.split_whitespace();
    let (first, last) = (each.next(), each.next_back());
    UNDATED.contains(&words.as_str())
        || first.is_some_and(|first| NO.contains(&first))
            && last.is_some_and(|last| DATE.contains(&last))
}

/// Tells whether words mean open tasks whose day is over.
pub(super) fn is_overdue(words: &str) -> bool {
    ["overdue", "past due", "late"].contains(&words.to_lowercase().as_str())
}

/// Reads the days of a listing; `day` reads the words of one date.
pub(super) fn range(
    words: &str,
    today: NaiveDate,
    day: &dyn Fn(&str) -> Option<Found>,
) -> Option<Range> {
    let words = words.to_lowercase().replace("..", " to ");
    let words = words.trim();
    let days = |words: &str| days(words, today, day);
    let through = |words: &str, links: &[&str]| {
        let ((first, _), (_, last)) = two(words, links, &days)?;
        Some((first, last))
    };
    if let Some(rest) = behind(words, &BETWEEN) {
        return through(rest, &AND);
    }
    if let Some(rest) = behind(words, &AFTER) {
        return Some((days(rest)?.1.succ_opt()?, OPEN_END));
    }
    let open = ONWARDS.iter().find_map(|word| words.strip_suffix(word));
    let from = behind(words, &FROM);
    if let Some(rest) = from.or(open) {
        let first = || Some((days(rest.trim())?.0, OPEN_END));
        return through(rest, &TO).or_else(first);
    }
    // "today and tomorrow" is one range, "monday and friday" is none.
    let joined = || {
        let ((first, end), (next, last)) = two(words, &AND, &days)?;
        (end.succ_opt()? >= next).then_some((first, last))
    };
    days(words).or_else(|| through(words, &TO)).or_else(joined)
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
    links: &[&str],
    days: &dyn Fn(&str) -> Option<Range>,
) -> Option<(Range, Range)> {
    let parts: Vec<&str> = words.split_whitespace().collect();
    let linked = parts
        .iter()
        .enumerate()
        .filter(|(_, part)| links.contains(part));
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
fn behind<'w>(words: &'w str, leading: &[&str]) -> Option<&'w str> {
    leading.iter().find_map(|lead| {
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
        let said = range(words, today, &day).map(|(from, to)| (from.to_string(), to.to_string()));
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
            "sans date",
        ] {
            assert!(is_undated(words), "{words}");
        }
        for words in ["today", "no", "date", "next monday", "undated monday"] {
            assert!(!is_undated(words), "{words}");
        }
        assert!(is_overdue("Past due") && !is_overdue("due"));
    }
}
