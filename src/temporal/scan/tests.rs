//! Dates in running text, and a scan that is linear.

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
        let reader = Reader::of(&text, lang, day(SUNDAY));
        pass(&text, &reader);
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
    let today = super::super::calendar::days(day(SUNDAY), offset * 20).unwrap_or(NaiveDate::MAX);
    let text = Text::new(raw);
    let first = scan(&text, today, lang);
    let mut ranges: Vec<_> = first
        .dates
        .iter()
        .map(|found| found.tokens.clone())
        .collect();
    for found in &first.dates {
        prop_assert!(found.core.start >= found.tokens.start && found.core.end <= found.tokens.end);
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

#[test]
fn hours_in_words_of_every_language() {
    let time = |text: &str| crate::domain::parse_time_of_day(text).unwrap();
    for (raw, lang, told) in [
        ("neuf heures moins le quart", Lang::Fr, "08:45"),
        ("à dix heures moins vingt", Lang::Fr, "09:40"),
        ("neuf heures trente", Lang::Fr, "09:30"),
        ("a las nueve menos cuarto", Lang::Es, "08:45"),
        ("nueve menos cuarto", Lang::Es, "08:45"),
        ("a las nueve y diez", Lang::Es, "09:10"),
        ("sobre las once", Lang::Es, "11:00"),
        ("9 meno un quarto", Lang::It, "08:45"),
        ("verso le dieci", Lang::It, "10:00"),
        ("alle undici meno venti", Lang::It, "10:40"),
        ("lá pelas dez", Lang::Pt, "10:00"),
        ("dreiviertel neun", Lang::De, "08:45"),
        ("viertel neun", Lang::De, "08:15"),
        ("so gegen elf", Lang::De, "11:00"),
        ("saadhe nau baje", Lang::Ur, "09:30"),
        ("paune das baje", Lang::Ur, "09:45"),
        ("at about ten", Lang::En, "10:00"),
    ] {
        let times = scan(&Text::new(raw), day(SUNDAY), lang).times;
        let [(_, said)] = times.as_slice() else {
            panic!("{raw:?}: {times:?}")
        };
        assert!(said.may_mean(time(told)), "{raw:?}: {said:?}");
    }
    let none = |raw, lang| scan(&Text::new(raw), day(SUNDAY), lang).times.is_empty();
    assert!(none("9 menos 5", Lang::Es));
    assert!(none("eine dreiviertel Stunde", Lang::De));
}

#[test]
fn an_hour_in_short_is_a_time_only_where_one_is_proposed() {
    for (raw, lang, told) in [
        ("ring him tuesday around ten", Lang::En, "10:00"),
        ("ring him about 7", Lang::En, "19:00"),
        ("tuesday by 3", Lang::En, "15:00"),
        ("dentist tuesday, ten thirty", Lang::En, "10:30"),
        ("dentist 9.40 tuesday", Lang::En, "09:40"),
        ("vers dix", Lang::Fr, "10:00"),
    ] {
        let text = Text::new(raw);
        let time = crate::domain::parse_time_of_day(told).unwrap();
        let mut hinted = times_hinted(&text).into_iter();
        assert!(hinted.any(|(_, said)| said.may_mean(time)), "{raw:?}");
        assert!(scan(&text, day(SUNDAY), lang).times.is_empty(), "{raw:?}");
    }
    for raw in [
        "ten thirty litre bags",
        "about 5 eggs",
        "around 3 weeks",
        "by 5 people",
        "about 10 minutes",
        "pay 9.90",
        "within 2 days",
    ] {
        assert!(times_hinted(&Text::new(raw)).is_empty(), "{raw:?}");
    }
}
