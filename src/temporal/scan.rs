//! One pass over a text: repetitions, times of day and dates, the longest first of each.

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};

use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, Repeat};

use super::calendar::weekday_after;
use super::grammar::{Hit, Reader, Reading};
use super::lexeme::Lex;
use super::table::Table;
use super::weekday_list::weekdays_spanned;
use super::{ClockTime, DayPart, Found, FoundRepeat, Scan, Unit, Unkept};

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
    pass(text, &Reader::of(text, lang, today))
}

/// Reads the day of a month that one word numbers, or two: "third", "twenty third"; in a language that puts
/// its prepositions behind, a number before one: "solah ko".
pub fn ordinal_day(word: &str, next: &str, lang: Lang) -> Option<u32> {
    let lex = |word| Table::of(lang).lex(word);
    let day = match (lex(word), lex(next)) {
        (Lex::SpelledOrd(day), _) => day,
        (Lex::Spelled(tens @ (20 | 30)), Lex::SpelledOrd(ones @ 1..=9)) => tens + ones,
        (Lex::Spelled(day @ 10..), Lex::Post) => day,
        _ => return None,
    };
    (day <= 31).then_some(day.into())
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
    let phrase = phrase.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '“' | '”' | '`' | '.')
    });
    let phrase = date_of_timestamp(phrase).unwrap_or(phrase);
    let text = Text::new(phrase);
    let Scan {
        mut dates, unkept, ..
    } = scan(&text, today, lang);
    let found = dates.pop().filter(|_| dates.is_empty())?;
    let table = Table::of(lang);
    let mut read = 0;
    for (index, token) in text.tokens.iter().enumerate() {
        let timed = unkept.iter().any(|(range, kind)| {
            let times = matches!(kind, Unkept::TimeOfDay | Unkept::PartOfDay);
            times && range.contains(&index)
        });
        let filler = token.kind == Kind::Punct
            || matches!(table.lex(text.spelt(index)), Lex::On | Lex::The | Lex::Prep);
        if !found.tokens.contains(&index) && !timed && !filler {
            return None;
        }
        read += 1;
    }
    (read > 0).then_some(found)
}

/// The first tokens of the expressions that may mean this time of day, in any language.
///
/// ```
/// use candor::domain::{parse_time_of_day, text::Text};
/// use candor::temporal::times_told;
/// let text = Text::new("call the plumber at 5pm");
/// assert_eq!(times_told(&text, parse_time_of_day("17:00").unwrap()), [3]);
/// assert!(times_told(&text, parse_time_of_day("05:00").unwrap()).is_empty());
/// ```
pub fn times_told(text: &Text<'_>, time: NaiveTime) -> Vec<usize> {
    // What day it is changes no hour.
    let scans = Lang::ALL.map(|lang| scan(text, NaiveDate::default(), lang));
    let said: Vec<_> = scans.into_iter().flat_map(|scan| scan.times).collect();
    // "8h du matin": to who reads French no evening, to who reads "8h" alone either.
    let open = |(tokens, time): &(Range<usize>, ClockTime)| {
        let mut others = said.iter();
        !others.any(|(other, told)| meet(tokens, other) && time.is_told_by(*told))
    };
    let told = said
        .iter()
        .filter(|said| said.1.may_mean(time) && open(said));
    let mut at: Vec<usize> = told.map(|(tokens, _)| tokens.start).collect();
    at.sort_unstable();
    at.dedup();
    at
}

/// The expressions that may be a time of day in short, in any language: words support a proposed time by
/// one, and tell none by it.
///
/// ```
/// use candor::domain::{parse_time_of_day, text::Text};
/// use candor::temporal::times_hinted;
/// let told = times_hinted(&Text::new("ring him tuesday around ten"));
/// assert!(told[0].1.may_mean(parse_time_of_day("10:00").unwrap()));
/// assert!(times_hinted(&Text::new("ten eggs")).is_empty());
/// ```
pub fn times_hinted(text: &Text<'_>) -> Vec<(Range<usize>, ClockTime)> {
    let mut told = Vec::new();
    for lang in Lang::ALL {
        let reader = Reader::of(text, lang, NaiveDate::default());
        let hints = (0..reader.lexemes.len()).filter_map(|at| {
            let (end, time) = reader.loose_clock(at)?;
            Some((reader.tokens(at..end), time))
        });
        told.extend(hints);
    }
    told
}

/// The tokens at which words point at a day that was spoken of, in this language: "that day", "on the
/// day".
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::days_pointed_at;
/// assert_eq!(days_pointed_at(&Text::new("eggs for that day too"), Lang::En), [2]);
/// assert!(days_pointed_at(&Text::new("on the day after tomorrow"), Lang::En).is_empty());
/// ```
pub fn days_pointed_at(text: &Text<'_>, lang: Lang) -> Vec<usize> {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let lex = |at: usize| reader.lex(at);
    let on_the_day = |at: usize| {
        let named = (lex(at), lex(at + 1)) == (Lex::On, Lex::The);
        let more = matches!(
            lex(at + 3),
            Lex::After | Lex::Before | Lex::Of | Lex::Num { .. }
        );
        named && lex(at + 2) == Lex::Unit(Unit::Day, 1) && !more
    };
    let all = 0..reader.lexemes.len();
    let points = all.filter(|at| lex(*at) == Lex::SameDay || on_the_day(*at));
    points.map(|at| reader.tokens(at..at + 1).start).collect()
}

/// The numbers that a text says in this language, with their tokens: "ten", "12".
pub fn numbers_told(text: &Text<'_>, lang: Lang) -> Vec<(usize, usize)> {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let numbers = reader
        .lexemes
        .iter()
        .enumerate()
        .filter_map(|(at, lexeme)| {
            let number = match lexeme.lex {
                Lex::Num { value, .. } => value.into(),
                Lex::Spelled(value) => value.into(),
                _ => return None,
            };
            Some((reader.tokens(at..at + 1).start, number))
        });
    numbers.collect()
}

/// Tells whether a number of hours or minutes may stand in a text, in this language.
pub fn tells_number(text: &Text<'_>, lang: Lang) -> bool {
    let reader = Reader::of(text, lang, NaiveDate::default());
    let mut said = reader.lexemes.iter();
    said.any(|lexeme| matches!(lexeme.lex, Lex::Num { .. } | Lex::Spelled(_) | Lex::Half))
}

/// The days that single words may mean, with their tokens: weekdays that are cut off or misspelled, and
/// feasts. Words support a proposed day by one, and tell none by it.
///
/// ```
/// use candor::domain::{Lang, text::Text};
/// use candor::temporal::days_hinted;
/// let today = chrono::NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let hinted = days_hinted(&Text::new("gym thrsday"), today, Lang::En);
/// assert_eq!(hinted, [(1, today + chrono::Days::new(4))]);
/// ```
pub fn days_hinted(text: &Text<'_>, today: NaiveDate, lang: Lang) -> Vec<(usize, NaiveDate)> {
    let (reader, table) = (Reader::of(text, lang, today), Table::of(lang));
    let hinted = (0..reader.lexemes.len()).filter_map(|at| {
        let token = reader.tokens(at..at + 1).start;
        let day = match reader.lex(at) {
            // "the dog sat down"
            Lex::Weekday {
                day,
                short: true,
                weak,
                many: false,
            } if !weak || reader.habits.day_first || reader.closes(at + 1) => {
                weekday_after(today, day)
            }
            Lex::Holiday(feast) if reader.closes(at + 1) => reader.day_of(feast),
            Lex::Other => weekday_after(today, table.slip_of_weekday(text.word(token))?),
            _ => None,
        };
        Some((token, day?))
    });
    hinted.collect()
}

/// Tells whether a word is a weekday cut off in a language.
pub fn is_short_weekday(word: &str, lang: Lang) -> bool {
    matches!(Table::of(lang).lex(word), Lex::Weekday { short: true, .. })
}

/// The parts of the day that words tell in any language, with the tokens whose hours are of them.
///
/// ```
/// use candor::domain::{parse_time_of_day, text::Text};
/// use candor::temporal::parts_told;
/// let told = parts_told(&Text::new("tomorrow morning at 8"));
/// assert!(told[0].0.contains(&3));
/// assert!(!told[0].1.holds(parse_time_of_day("20:00").unwrap()));
/// ```
pub fn parts_told(text: &Text<'_>) -> Vec<(Range<usize>, DayPart)> {
    let scans = Lang::ALL.map(|lang| scan(text, NaiveDate::default(), lang));
    scans.into_iter().flat_map(|scan| scan.parts).collect()
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The expressions of whiles from now, in any language, by their first tokens, with their seconds.
///
/// ```
/// use candor::domain::text::Text;
/// use candor::temporal::whiles_told;
/// assert_eq!(whiles_told(&Text::new("call Ann in 2 hours")), [(2..5, 7200)]);
/// ```
pub fn whiles_told(text: &Text<'_>) -> Vec<(Range<usize>, u32)> {
    let scans = Lang::ALL.map(|lang| scan(text, NaiveDate::default(), lang));
    let mut told: Vec<_> = scans.into_iter().flat_map(|scan| scan.whiles).collect();
    told.sort_by_key(|(tokens, _)| (tokens.start, std::cmp::Reverse(tokens.end)));
    told.dedup_by_key(|(tokens, _)| tokens.start);
    told
}

/// Tells whether a word leads to an end, in any language: "until", or Urdu "tak" behind it.
pub fn leads_to_end(word: &str) -> bool {
    let mut langs = Lang::ALL.iter();
    langs.any(|lang| matches!(Table::of(*lang).lex(word), Lex::Until | Lex::PostUntil))
}

/// Reads a phrase that is one repetition and nothing else but prepositions and punctuation: a model's
/// `repeat`.
///
/// ```
/// use candor::domain::Lang;
/// use candor::temporal::repetition;
/// let today = chrono::NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let rule = |phrase| repetition(phrase, today, Lang::En).map(|rule| rule.to_string());
/// assert_eq!(rule("every other Monday").as_deref(), Some("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"));
/// assert_eq!(rule("daily until march 3").as_deref(), Some("FREQ=DAILY;UNTIL=20260303"));
/// assert_eq!(rule("twice a week"), None);
/// ```
pub fn repetition(phrase: &str, today: NaiveDate, lang: Lang) -> Option<Repeat> {
    let text = Text::new(phrase);
    if let Some(rule) = weekdays_spanned(&text, lang) {
        return Some(rule);
    }
    let Scan { mut repeats, .. } = scan(&text, today, lang);
    let found = repeats.pop().filter(|_| repeats.is_empty())?;
    let rest = text.tokens.iter().enumerate();
    let mut rest = rest.filter(|(index, _)| !found.tokens.contains(index));
    rest.all(|(_, token)| token.kind == Kind::Punct)
        .then_some(found.rule)
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
    let reader = Reader::of(&text, lang, NaiveDate::MIN);
    let mut all = reader.lexemes.iter();
    let start = all.position(|lexeme| !matches!(lexeme.lex, Lex::By | Lex::Prep | Lex::In))?;
    let (shift, end) = reader.duration(start)?;
    let rest = reader.lexemes.get(end..)?;
    rest.iter()
        .all(|lexeme| matches!(lexeme.lex, Lex::Mark(_)))
        .then_some(shift.plain)?
}

fn pass(text: &Text<'_>, reader: &Reader) -> Scan {
    let mut scan = Scan::default();
    let (mut at, mut floor) = (0, 0);
    // One past the latest day or repetition, and past a repetition that may still be told an end, with
    // and without its time of day.
    let (mut day, mut rule, mut endless) = (usize::MAX, usize::MAX, usize::MAX);
    while let Some(lexeme) = reader.lexemes.get(at) {
        if at == endless && reader.ends_somehow(at) {
            let said = reader.tokens(at..at + 1);
            scan.unkept.push((said, Unkept::RepeatEnd));
        }
        if !may_begin(lexeme.lex) || reader.idle(at) {
            at += 1;
            continue;
        }
        if let Some((end, found)) = reader.repetition(at) {
            let trailed = reader.trail(end);
            endless = match &found {
                Some(found) if found.rule.end().is_none() => trailed,
                _ => usize::MAX,
            };
            match found {
                Some(found) => scan.repeats.push(FoundRepeat {
                    tokens: reader.tokens(reader.lead(at, floor)..trailed),
                    rule: found.rule,
                    part_of_day: found.part_of_day,
                }),
                None => scan
                    .unkept
                    .push((reader.tokens(at..end), Unkept::Recurrence)),
            }
            (at, floor, day, rule) = (trailed, trailed, trailed, trailed);
        } else if let Some((end, seconds)) = reader.while_ahead(at) {
            let end = reader.trail(end);
            let said = reader.tokens(at..end);
            scan.whiles.push((said.clone(), seconds));
            scan.unkept.push((said, Unkept::TimeOfDay));
            (at, floor) = (end, end);
        } else if let Some((end, time)) = if at == day {
            reader.clock_of_day(at)
        } else {
            reader.clock(at)
        } {
            let said = reader.tokens(at..end);
            scan.times.extend(time.map(|time| (said.clone(), time)));
            scan.unkept.push((said, Unkept::TimeOfDay));
            let ended = scan.repeats.last_mut().filter(|_| at == rule);
            endless = if at == endless { end } else { usize::MAX };
            (at, floor) = (end, end);
            if let Some(last) = ended
                && let Some((close, rule)) = reader.end_of(end, &last.rule)
            {
                last.rule = rule;
                let tokens = reader.tokens(end..close);
                let ended = FoundRepeat {
                    tokens,
                    ..last.clone()
                };
                scan.repeats.push(ended);
                (at, floor, day, endless) = (close, close, close, usize::MAX);
            }
        } else {
            match reader.date(at) {
                Some(Hit::Date(reading)) => {
                    let end = reader.trail(reading.end);
                    let next = found(reader, at, floor, &reading);
                    match scan.dates.last_mut() {
                        Some(last) if same_day_again(text, last, &next) => {
                            last.tokens.end = next.tokens.end;
                            last.core.end = next.core.end;
                        }
                        _ => scan.dates.push(next),
                    }
                    (at, floor, day) = (end, end, end);
                    if let Some(end) = reader.part_behind(at).map(|end| reader.trail(end)) {
                        scan.unkept
                            .push((reader.tokens(at..end), Unkept::PartOfDay));
                        (at, floor) = (end, end);
                    }
                }
                Some(Hit::NoDay(end)) => {
                    let said = reader.tokens(at..end);
                    scan.unkept.push((said, Unkept::NoDay));
                    (at, floor) = (end, end);
                }
                Some(Hit::Dead(end)) => (at, floor) = (end.max(at + 1), end.max(at + 1)),
                None => at += 1,
            }
        }
    }
    scan.parts = reader
        .parts_of_day()
        .into_iter()
        .map(|(range, part)| (reader.tokens(range), part))
        .collect();
    for (said, time) in &mut scan.times {
        let next = (scan.parts).partition_point(|(held, _)| held.end <= said.start);
        match scan.parts.get(next) {
            Some((held, part)) if held.contains(&said.start) => *time = time.in_part(*part),
            _ => {}
        }
    }
    scan
}

fn found(reader: &Reader, at: usize, floor: usize, reading: &Reading) -> Found {
    // "monday's fine" says "is", "monday's call" describes.
    let owner = reading
        .end
        .checked_sub(1)
        .and_then(|last| reader.lexemes.get(last))
        .is_some_and(|last| last.owner);
    let attributive = owner && reader.describes(reading.end);
    let start = if attributive {
        at
    } else {
        reader.lead(at, floor)
    };
    Found {
        tokens: reader.tokens(start..reader.trail(reading.end)),
        core: reader.tokens(at..reading.end),
        day: reading.day,
        span: (reading.first, reading.last),
        rule: reading.rule,
        attributive,
        reach: reader.reach(start, reading.end),
        definite: reader.is_definite(at),
        next: reader.says_next(at..reading.end),
    }
}

/// "tomorrow, monday": one day said twice.
fn same_day_again(text: &Text<'_>, last: &Found, next: &Found) -> bool {
    let gap = next.tokens.start.saturating_sub(last.tokens.end);
    let joined = gap == 0 || (gap == 1 && matches!(text.word(last.tokens.end), "," | "("));
    joined && last.span == next.span && !last.attributive
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
            | Lex::InTurn
            | Lex::Except
            | Lex::SameDay
            | Lex::About
            | Lex::Ish
            | Lex::Earlier
            | Lex::Occasions
    ) && !matches!(lex, Lex::Mark(sign) if sign != b'+')
}

/// `2026-02-10` of `2026-02-10T09:00:00Z`.
fn date_of_timestamp(phrase: &str) -> Option<&str> {
    let (date, rest) = phrase.split_at_checked(10)?;
    let timed =
        rest.starts_with(['T', 't']) && rest.get(1..)?.starts_with(|c: char| c.is_ascii_digit());
    (timed && date.parse::<NaiveDate>().is_ok()).then_some(date)
}

#[cfg(test)]
mod tests;
