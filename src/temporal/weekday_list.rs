//! Lists of weekdays that stand for themselves.

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::grammar::Reader;
use super::lexer::lexemes;
use super::scan::tokens;
use super::table::Table;
use crate::domain::Lang;
use crate::domain::text::Text;

/// Lists of two weekdays or more, by their tokens: "mon wed fri".
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::weekdays_listed;
/// let listed = weekdays_listed(&Text::new("gym mon/wed/fri"), Lang::En);
/// assert_eq!(listed.len(), 1);
/// assert_eq!(listed[0].1.len(), 3);
/// assert!(weekdays_listed(&Text::new("gym on monday"), Lang::En).is_empty());
/// ```
pub fn weekdays_listed(text: &Text<'_>, lang: Lang) -> Vec<(Range<usize>, Vec<Weekday>)> {
    let table = Table::of(lang);
    let lexemes = lexemes(text, table);
    let reader = Reader::new(&lexemes, table.habits, NaiveDate::default());
    let (mut at, mut listed) = (0, Vec::new());
    while at < lexemes.len() {
        let (end, days) = reader.weekdays(at);
        if days.len() > 1 {
            listed.push((tokens(&lexemes, at..end), days));
        }
        at = end.max(at + 1);
    }
    listed
}
