//! One pass over a text: repetitions, times of day and dates, the longest first of each.

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};

use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, Repeat};

use super::grammar::{Hit, Reader, Reading};
use super::lexeme::{Lex, Lexeme};
use super::lexer::lexemes;
use super::table::Table;
use super::{Found, FoundRepeat, Scan, Unit, Unkept};

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
    pass(text, &lexemes, &Reader::new(&lexemes, table.habits, today))
}

/// Reads the day of a month that one word numbers, or two: "third", "twenty third".
pub fn ordinal_day(word: &str, next: &str, lang: Lang) -> Option<u32> {
    let lex = |word| Table::of(lang).lex(word);
    let day = match (lex(word), lex(next)) {
        (Lex::SpelledOrd(day), _) => day,
        (Lex::Spelled(tens @ (20 | 30)), Lex::SpelledOrd(ones @ 1..=9)) => tens + ones,
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
            || matches!(table.lex(text.word(index)), Lex::On | Lex::The | Lex::Prep);
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
    let said = scans.into_iter().flat_map(|scan| scan.times);
    let told = said.filter(|(_, said)| said.may_mean(time));
    let mut at: Vec<usize> = told.map(|(tokens, _)| tokens.start).collect();
    at.sort_unstable();
    at.dedup();
    at
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

/// Tells whether a word leads to an end, in any language: "until".
pub fn leads_to_end(word: &str) -> bool {
    let mut langs = Lang::ALL.iter();
    langs.any(|lang| Table::of(*lang).lex(word) == Lex::Until)
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
    let table = Table::of(lang);
    let lexemes = lexemes(&text, table);
    let reader = Reader::new(&lexemes, table.habits, NaiveDate::MIN);
    let start = lexemes
        .iter()
        .position(|lexeme| !matches!(lexeme.lex, Lex::By | Lex::Prep | Lex::In))?;
    let (shift, end) = reader.duration(start)?;
    let rest = lexemes.get(end..)?;
    rest.iter()
        .all(|lexeme| matches!(lexeme.lex, Lex::Mark(_)))
        .then_some(shift.plain)?
}

fn pass(text: &Text<'_>, lexemes: &[Lexeme], reader: &Reader<'_>) -> Scan {
    let mut scan = Scan::default();
    let (mut at, mut floor) = (0, 0);
    // One past the latest day or repetition, and past a repetition that may still be told an end, with
    // and without its time of day.
    let (mut day, mut rule, mut endless) = (usize::MAX, usize::MAX, usize::MAX);
    while let Some(lexeme) = lexemes.get(at) {
        if at == endless && reader.ends_somehow(at) {
            let said = tokens(lexemes, at..at + 1);
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
                    tokens: tokens(lexemes, reader.lead(at, floor)..trailed),
                    rule: found.rule,
                    part_of_day: found.part_of_day,
                }),
                None => scan
                    .unkept
                    .push((tokens(lexemes, at..end), Unkept::Recurrence)),
            }
            (at, floor, day, rule) = (trailed, trailed, trailed, trailed);
        } else if let Some((end, seconds)) = reader.while_ahead(at) {
            let end = reader.trail(end);
            let said = tokens(lexemes, at..end);
            scan.whiles.push((said.clone(), seconds));
            scan.unkept.push((said, Unkept::TimeOfDay));
            (at, floor) = (end, end);
        } else if let Some((end, time)) = if at == day {
            reader.clock_of_day(at)
        } else {
            reader.clock(at)
        } {
            let said = tokens(lexemes, at..end);
            scan.times.extend(time.map(|time| (said.clone(), time)));
            scan.unkept.push((said, Unkept::TimeOfDay));
            let ended = scan.repeats.last_mut().filter(|_| at == rule);
            endless = if at == endless { end } else { usize::MAX };
            (at, floor) = (end, end);
            if let Some(last) = ended
                && let Some((close, rule)) = reader.end_of(end, &last.rule)
            {
                last.rule = rule;
                let tokens = tokens(lexemes, end..close);
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
                    let next = found(lexemes, reader, at, floor, &reading);
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
                            .push((tokens(lexemes, at..end), Unkept::PartOfDay));
                        (at, floor) = (end, end);
                    }
                }
                Some(Hit::NoDay(end)) => {
                    let said = tokens(lexemes, at..end);
                    scan.unkept.push((said, Unkept::NoDay));
                    (at, floor) = (end, end);
                }
                Some(Hit::Dead(end)) => (at, floor) = (end.max(at + 1), end.max(at + 1)),
                None => at += 1,
            }
        }
    }
    scan
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
        reach: reader.reach(start),
    }
}

/// "tomorrow, monday": one day said twice.
fn same_day_again(text: &Text<'_>, last: &Found, next: &Found) -> bool {
    let gap = next.tokens.start.saturating_sub(last.tokens.end);
    let joined = gap == 0 || (gap == 1 && matches!(text.word(last.tokens.end), "," | "("));
    joined && last.span == next.span && !last.attributive
}

pub(super) fn tokens(lexemes: &[Lexeme], range: Range<usize>) -> Range<usize> {
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
mod tests {
    use super::super::checks::{self, SUNDAY, day, days};
    use super::*;
    use proptest::prelude::*;

    /// The date's tokens with and without its prepositions.
    #[track_caller]
    fn check(raw: &str, tokens: &str, core: &str) {
        let text = Text::new(raw);
        let scan = scan(&text, day(SUNDAY), Lang::En);
        let [found] = scan.dates.as_slice() else {
            panic!("{raw:?}: {scan:?}")
        };
        assert_eq!(text.slice(found.tokens.clone()), tokens, "{raw:?}");
        assert_eq!(text.slice(found.core.clone()), core, "{raw:?}");
    }

    #[test]
    fn prepositions_belong_to_the_date() {
        check("send it by thursday", "by thursday", "thursday");
        check("send it on the 17th, please", "on the 17th", "17th");
        check("send it, due: tomorrow", "due: tomorrow", "tomorrow");
        check(
            "send it with a due date of march 3",
            "with a due date of march 3",
            "march 3",
        );
        check("hold it until next week", "until next week", "next week");
        check("tickets for saturday night", "for saturday", "saturday");
        check("no later than tuesday", "no later than tuesday", "tuesday");
        check(
            "send it tomorrow, monday",
            "tomorrow, monday",
            "tomorrow, monday",
        );
    }

    #[test]
    fn a_possessive_describes_a_noun_or_says_is() {
        let attributive = |text| checks::read(text, SUNDAY, Lang::En).dates[0].attributive;
        assert!(attributive("read today's paper"));
        assert!(attributive("clear next week's tasks"));
        assert!(!attributive("thursday's fine"));
        assert!(!attributive("tomorrow"));
    }

    #[test]
    fn several_in_order_and_quotes_are_literal() {
        assert_eq!(
            days("milk today, eggs on friday", SUNDAY, Lang::En),
            ["2026-02-08", "2026-02-13"]
        );
        assert_eq!(
            days("add \"call friday\" for monday", SUNDAY, Lang::En),
            ["2026-02-09"]
        );
        assert!(days("“tomorrow”", SUNDAY, Lang::En).is_empty());
    }

    #[test]
    fn phrases() {
        let phrase = |text| read(text, day(SUNDAY), Lang::En).map(|found| found.day.to_string());
        for (text, expect) in [
            ("tomorrow", Some("2026-02-09")),
            (" \"next Monday\". ", Some("2026-02-09")),
            ("by the 17th", Some("2026-02-17")),
            ("on Thursday at 17:00", Some("2026-02-12")),
            ("2026-03-01T08:30:00Z", Some("2026-03-01")),
            ("2026-02-30", None),
            ("soon", None),
            ("", None),
            ("monday or tuesday", None),
            ("milk tomorrow", None),
            ("daily", None),
        ] {
            assert_eq!(phrase(text).as_deref(), expect, "{text:?}");
        }
    }

    #[test]
    fn lengths() {
        assert_eq!(length("by two weeks", Lang::En), Some((2, Unit::Week)));
        assert_eq!(length("drei Tage", Lang::De), Some((3, Unit::Day)));
        assert_eq!(length("2 weeks of milk", Lang::En), None);
        assert_eq!(length("", Lang::En), None);
    }

    #[test]
    fn a_scan_is_linear() {
        let looks = |raw: &str, lang: Lang| {
            let text = Text::new(raw);
            let table = Table::of(lang);
            let lexemes = lexemes(&text, table);
            let reader = Reader::new(&lexemes, table.habits, day(SUNDAY));
            pass(&text, &lexemes, &reader);
            reader.looks.get()
        };
        let units = [
            "1 ",
            "1-",
            "the ",
            "a week after ",
            "the friday after ",
            "3 days and ",
            "twenty ",
            "every monday and ",
            "in the next ",
            "day before ",
            "march ",
            "5 of the ",
            "last day of ",
            "friday, ",
            "due date of ",
            "+",
            "week of ",
            "first monday of ",
            "by ",
            "a 1 week 1 ",
        ];
        for lang in Lang::ALL {
            for unit in units {
                let (short, long) = (
                    looks(&unit.repeat(200), lang),
                    looks(&unit.repeat(800), lang),
                );
                assert!(
                    long <= short * 4 + 400,
                    "{unit:?} {lang:?}: {short} then {long}"
                );
                assert!(long <= 800 * 400, "{unit:?} {lang:?}: {long}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_scans(raw in "\\PC{0,80}", offset in -4_000_000..4_000_000_i64, lang in 0..7_usize) {
            holds(&raw, offset, Lang::ALL[lang])?;
        }

        #[test]
        fn any_words_of_time_scan(
            words in proptest::collection::vec(proptest::sample::select(WORDS), 0..14),
            glue in "[ ,./-]{1,2}",
            offset in -4_000_000..4_000_000_i64,
            lang in 0..7_usize,
        ) {
            holds(&words.join(" "), offset, Lang::ALL[lang])?;
            holds(&words.join(&glue), offset, Lang::ALL[lang])?;
        }
    }

    const WORDS: &[&str] = &[
        "next",
        "this",
        "last",
        "friday",
        "mon",
        "sat",
        "week",
        "weeks",
        "month",
        "day",
        "days",
        "the",
        "of",
        "in",
        "on",
        "by",
        "after",
        "before",
        "from",
        "now",
        "today",
        "tomorrow",
        "march",
        "may",
        "feb",
        "29",
        "31st",
        "2",
        "two",
        "twenty",
        "first",
        "2026",
        "9999",
        "0",
        "00",
        "a",
        "couple",
        "end",
        "start",
        "every",
        "+",
        "-",
        "/",
        ":",
        "30",
        "pm",
        "at",
        "half",
        "past",
        "years",
        "999",
        "due",
        "date",
        "'s",
        "\"",
        "weekend",
        "ago",
        "later",
        "hafta",
        "ke",
        "que viene",
        "prochain",
        "l'11",
        "vor",
        "1er",
        "bis",
        "mañana",
        "🎉",
        "\n",
    ];

    /// Spans lie in the text, in order and apart; the same text gives the same days.
    fn holds(raw: &str, offset: i64, lang: Lang) -> Result<(), TestCaseError> {
        let today =
            super::super::calendar::days(day(SUNDAY), offset * 20).unwrap_or(NaiveDate::MAX);
        let text = Text::new(raw);
        let first = scan(&text, today, lang);
        let mut ranges: Vec<_> = first
            .dates
            .iter()
            .map(|found| found.tokens.clone())
            .collect();
        for found in &first.dates {
            prop_assert!(
                found.core.start >= found.tokens.start && found.core.end <= found.tokens.end
            );
            prop_assert!(found.span.0 <= found.span.1, "{:?}", found);
            prop_assert!(found.core.clone().all(|index| !text.tokens[index].quoted));
        }
        prop_assert!(ranges.is_sorted_by_key(|range| range.start));
        ranges.extend(first.unkept.iter().map(|(range, _)| range.clone()));
        ranges.extend(first.repeats.iter().map(|found| found.tokens.clone()));
        ranges.sort_by_key(|range| range.start);
        for range in &ranges {
            prop_assert!(
                range.start < range.end && range.end <= text.tokens.len(),
                "{:?}",
                range
            );
        }
        for pair in ranges.windows(2) {
            prop_assert!(pair[0].end <= pair[1].start, "{:?}", pair);
        }
        prop_assert_eq!(first, scan(&text, today, lang));
        let _ = (read(raw, today, lang), length(raw, lang));
        Ok(())
    }
}
