//! Helpers that the tables of tests share: one text in, one line of what was read out.

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::domain::text::Text;

use super::{Scan, scan};

/// A Sunday: the last day of its week.
pub(super) const SUNDAY: &str = "2026-02-08";
/// A Wednesday, mid-week and mid-month.
pub(super) const WEDNESDAY: &str = "2026-08-12";

/// The days of `text` as `2026-02-09`, or `2026-02-09..2026-02-15` for a stretch.
pub(super) fn days(text: &str, today: &str, lang: Lang) -> Vec<String> {
    read(text, today, lang)
        .dates
        .iter()
        .map(|found| match found.span {
            (first, last) if first == last => found.day.to_string(),
            (first, last) => format!("{first}..{last}"),
        })
        .collect()
}

/// Everything read in `text`.
pub(super) fn read(text: &str, today: &str, lang: Lang) -> Scan {
    scan(&Text::new(text), day(today), lang)
}

pub(super) fn day(iso: &str) -> NaiveDate {
    iso.parse().unwrap()
}

/// Checks the days of each text, in English, from `today`.
#[track_caller]
pub(super) fn check(today: &str, table: &[(&str, &[&str])]) {
    for (text, expect) in table {
        assert_eq!(
            days(text, today, Lang::En),
            *expect,
            "{text:?} from {today}"
        );
    }
}

/// Checks that none of the texts holds a date.
#[track_caller]
pub(super) fn none(texts: &[&str]) {
    for text in texts {
        assert_eq!(days(text, SUNDAY, Lang::En), [""; 0], "{text:?}");
    }
}
