//! One pass over a text: repetitions, times of day and dates, the longest first of each.

use std::ops::Range;

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::domain::text::{Kind, Text};

use super::grammar::{Hit, Reader, Reading};
use super::lexeme::{Lex, Lexeme};
use super::lexer::lexemes;
use super::table::Table;
use super::{Found, Scan, Unit, Unkept};

/// All date expressions and all unkept expressions of time in `text`, left to right.
///
/// Quoted words are literal and never read. When `lang` isn't English, its words come
/// first and the English ones count as well. Linear in the length of the text.
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::{Unkept, scan};
/// let today = chrono::NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let text = Text::new("call the plumber by friday at 5pm");
/// let scan = scan(&text, today, Lang::En);
/// assert_eq!(scan.dates[0].day.to_string(), "2026-02-13");
/// assert_eq!(text.slice(scan.dates[0].tokens.clone()), "by friday");
/// assert_eq!(text.slice(scan.dates[0].core.clone()), "friday");
/// assert_eq!(scan.unkept, [(5..7, Unkept::TimeOfDay)]);
/// ```
pub fn scan(text: &Text<'_>, today: NaiveDate, lang: Lang) -> Scan {
    let table = Table::of(lang);
    let lexemes = lexemes(text, table);
    let reader = Reader::new(&lexemes, table.language, today);
    let mut scan = Scan::default();
    let (mut at, mut floor) = (0, 0);
    while let Some(lexeme) = lexemes.get(at) {
        if !may_begin(lexeme.lex) || reader.idle(at) {
            at += 1;
            continue;
        }
        if let Some(end) = reader.repetition(at) {
            scan.unkept
                .push((tokens(&lexemes, at..end), Unkept::Recurrence));
            (at, floor) = (end, end);
        } else if let Some(end) = reader.clock(at) {
            scan.unkept
                .push((tokens(&lexemes, at..end), Unkept::TimeOfDay));
            (at, floor) = (end, end);
        } else {
            match reader.date(at) {
                Some(Hit::Date(reading)) => {
                    let end = reader.trail(reading.end);
                    let next = found(&lexemes, &reader, at, floor, &reading);
                    match scan.dates.last_mut() {
                        Some(last) if same_day_again(text, last, &next) => {
                            last.tokens.end = next.tokens.end;
                            last.core.end = next.core.end;
                        }
                        _ => scan.dates.push(next),
                    }
                    (at, floor) = (end, end);
                    if let Some(end) = reader.part_behind(at) {
                        scan.unkept
                            .push((tokens(&lexemes, at..end), Unkept::TimeOfDay));
                        (at, floor) = (end, end);
                    }
                }
                Some(Hit::Dead(end)) => (at, floor) = (end.max(at + 1), end.max(at + 1)),
                None => at += 1,
            }
        }
    }
    scan
}

/// Reads a phrase that is one date and nothing else but prepositions, punctuation or a time of day:
/// a model's `due_date`, an answer to "when?". A repetition is no date.
///
/// ```
/// use candor::domain::Lang;
/// use candor::temporal::read;
/// let today = chrono::NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let day = |phrase| read(phrase, today, Lang::En).map(|found| found.day.to_string());
/// assert_eq!(day("next Monday").as_deref(), Some("2026-02-09"));
/// assert_eq!(day("2026-02-10T09:00:00Z").as_deref(), Some("2026-02-10"));
/// assert_eq!(day("buy milk tomorrow"), None);
/// assert_eq!(day("every monday"), None);
/// ```
pub fn read(phrase: &str, today: NaiveDate, lang: Lang) -> Option<Found> {
    let phrase = phrase
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '`'));
    let phrase = date_of_timestamp(phrase).unwrap_or(phrase);
    let text = Text::new(phrase);
    let Scan { mut dates, unkept } = scan(&text, today, lang);
    let found = dates.pop().filter(|_| dates.is_empty())?;
    let table = Table::of(lang);
    let mut read = 0;
    for (index, token) in text.tokens.iter().enumerate() {
        let timed = unkept
            .iter()
            .any(|(range, kind)| *kind == Unkept::TimeOfDay && range.contains(&index));
        let filler = token.kind == Kind::Punct
            || matches!(table.lex(text.word(index)), Lex::On | Lex::The | Lex::Prep);
        if !found.tokens.contains(&index) && !timed && !filler {
            return None;
        }
        read += 1;
    }
    (read > 0).then_some(found)
}

/// A length of time and nothing else: "a week", "2 days", "two months". For a caller that counts
/// from another day than today, as in "push it two days".
///
/// ```
/// use candor::domain::Lang;
/// use candor::temporal::{Unit, length};
/// assert_eq!(length("a couple of weeks", Lang::En), Some((2, Unit::Week)));
/// assert_eq!(length("milk", Lang::En), None);
/// ```
pub fn length(phrase: &str, lang: Lang) -> Option<(i32, Unit)> {
    let text = Text::new(phrase);
    let table = Table::of(lang);
    let lexemes = lexemes(&text, table);
    let reader = Reader::new(&lexemes, table.language, NaiveDate::MIN);
    let start = lexemes
        .iter()
        .position(|lexeme| !matches!(lexeme.lex, Lex::By | Lex::Prep | Lex::In))?;
    let (shift, end) = reader.duration(start)?;
    let rest = lexemes.get(end..)?;
    rest.iter()
        .all(|lexeme| matches!(lexeme.lex, Lex::Mark(_)))
        .then_some(shift.plain)?
}

fn found(
    lexemes: &[Lexeme],
    reader: &Reader<'_>,
    at: usize,
    floor: usize,
    reading: &Reading,
) -> Found {
    // "monday's fine" says "is", "monday's call" describes.
    let owner = reading
        .end
        .checked_sub(1)
        .and_then(|last| lexemes.get(last))
        .is_some_and(|last| last.owner);
    let attributive = owner && reader.describes(reading.end);
    let start = if attributive {
        at
    } else {
        reader.lead(at, floor)
    };
    Found {
        tokens: tokens(lexemes, start..reader.trail(reading.end)),
        core: tokens(lexemes, at..reading.end),
        day: reading.day,
        span: (reading.first, reading.last),
        rule: reading.rule,
        attributive,
    }
}

/// "tomorrow, monday": one day said twice.
fn same_day_again(text: &Text<'_>, last: &Found, next: &Found) -> bool {
    let gap = next.tokens.start.saturating_sub(last.tokens.end);
    let joined = gap == 0 || (gap == 1 && matches!(text.word(last.tokens.end), "," | "("));
    joined && last.span == next.span && !last.attributive
}

fn tokens(lexemes: &[Lexeme], range: Range<usize>) -> Range<usize> {
    let first = lexemes.get(range.start).map_or(0, |lexeme| lexeme.first);
    let last = range
        .end
        .checked_sub(1)
        .and_then(|last| lexemes.get(last))
        .map_or(first, |lexeme| lexeme.last);
    let index = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    index(first)..index(last) + 1
}

/// The words an expression can begin with; prepositions join later, from the left.
fn may_begin(lex: Lex) -> bool {
    !matches!(
        lex,
        Lex::Other
            | Lex::Stop
            | Lex::Join
            | Lex::Pronoun
            | Lex::Label
            | Lex::The
            | Lex::Of
            | Lex::Command
    ) && !matches!(lex, Lex::Mark(sign) if sign != b'+')
}

/// `2026-02-10` of `2026-02-10T09:00:00Z`.
fn date_of_timestamp(phrase: &str) -> Option<&str> {
    let (date, rest) = phrase.split_at_checked(10)?;
    let timed =
        rest.starts_with(['T', 't']) && rest.get(1..)?.starts_with(|c: char| c.is_ascii_digit());
    (timed && date.parse::<NaiveDate>().is_ok()).then_some(date)
}
