//! Lists and stretches of weekdays that stand for themselves.

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::grammar::Reader;
use super::lexeme::Lex;
use crate::domain::text::Text;
use crate::domain::{Lang, Repeat, RepeatDay, RepeatUnit};

/// Lists of two weekdays or more, by their tokens: "mon wed fri", and of one that its article may repeat. A
/// stretch is one where `stretches`: "monday to friday".
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::weekdays_listed;
/// let listed = weekdays_listed(&Text::new("gym mon/wed/fri"), Lang::En, false);
/// assert_eq!(listed.len(), 1);
/// assert_eq!(listed[0].1.len(), 3);
/// let days = |stretches| weekdays_listed(&Text::new("gym monday to friday"), Lang::En, stretches);
/// assert_eq!((days(true)[0].1.len(), days(false).len()), (5, 0));
/// // "il martedì" may be every Tuesday, "the tuesday" is one.
/// assert_eq!(weekdays_listed(&Text::new("yoga il martedì"), Lang::It, false).len(), 1);
/// assert!(weekdays_listed(&Text::new("yoga on the tuesday"), Lang::En, false).is_empty());
/// ```
pub fn weekdays_listed(
    text: &Text<'_>,
    lang: Lang,
    stretches: bool,
) -> Vec<(Range<usize>, Vec<Weekday>)> {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let (mut at, mut listed) = (0, Vec::new());
    while at < reader.lexemes.len() {
        let span = Some(at).filter(|_| stretches);
        let span = span.and_then(|at| reader.weekday_span(at));
        let (end, days) = span.unwrap_or_else(|| reader.weekdays(at));
        let before = at.checked_sub(1).and_then(|at| reader.lexemes.get(at));
        let each = reader.habits.the_repeats && before.is_some_and(|one| one.lex == Lex::The);
        if days.len() > usize::from(!each) {
            listed.push((reader.tokens(at..end), days));
        }
        at = end.max(at + 1);
    }
    listed
}

/// The rule of a text that is a stretch of weekdays and nothing else: "from monday to friday".
pub(super) fn weekdays_spanned(text: &Text<'_>, lang: Lang) -> Option<Repeat> {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let days = reader.whole_span()?;
    Repeat::each(RepeatUnit::Week, 1)?.on_weekdays(days.into_iter().map(RepeatDay::each))
}

/// The expressions that count how often, in a language: "3 times", of a day or of all.
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::times_counted;
/// let told = times_counted(&Text::new("piano every day 3 times"), Lang::En);
/// assert_eq!(told, [(3..5, 3)]);
/// assert!(times_counted(&Text::new("piano 3 times a day"), Lang::En).is_empty());
/// ```
pub fn times_counted(text: &Text<'_>, lang: Lang) -> Vec<(Range<usize>, u16)> {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let counted = (0..reader.lexemes.len()).filter_map(|at| {
        let (end, count) = reader.count_of_times(at)?;
        Some((reader.tokens(at..end), count))
    });
    counted.collect()
}
