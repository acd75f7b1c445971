//! Any text in any language: its dates lie in order and apart, are days of their spans, are not
//! past where the rule says "the next such day", and are found again.

#![no_main]

use candor::domain::Lang;
use candor::domain::text::Text;
use candor::temporal::{DueRule, Found, Rule, length, read, scan};
use candor_fuzz::{lies_in, planted, setting};
use chrono::{Datelike, Days, NaiveDate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((raw, today, lang)) = setting(data) else {
        return;
    };
    let text = Text::new(raw);
    let found = scan(&text, today, lang);
    let mut ranges: Vec<_> = found
        .unkept
        .iter()
        .map(|(range, _)| range.clone())
        .collect();
    for date in &found.dates {
        let (outer, core) = (&date.tokens, &date.core);
        assert!(
            outer.start <= core.start && core.end <= outer.end,
            "{date:?} in {raw:?}"
        );
        assert!(
            core.clone().all(|at| !text.tokens[at].quoted),
            "{date:?} in {raw:?}"
        );
        is_sound(date, &text, today, lang);
        ranges.push(outer.clone());
    }
    ranges.sort_by_key(|range| range.start);
    let mut end = 0;
    for range in ranges {
        assert!(
            end <= range.start && range.start < range.end,
            "{range:?} in {raw:?}"
        );
        lies_in(raw, &text.bytes(range.clone()).unwrap());
        end = range.end;
    }
    assert_eq!(found, scan(&text, today, lang));
    let phrase = read(raw, today, lang);
    assert_eq!(phrase, read(raw, today, lang));
    if let Some(phrase) = phrase {
        assert!(phrase.span.0 <= phrase.span.1, "{phrase:?} in {raw:?}");
    }
    assert_eq!(length(raw, lang), length(raw, lang));
});

fn is_sound(date: &Found, text: &Text<'_>, today: NaiveDate, lang: Lang) {
    let raw = text.raw;
    let day = if planted(raw) {
        date.day.checked_sub_days(Days::new(7)).unwrap()
    } else {
        date.day
    };
    assert!(
        (date.span.0..=date.span.1).contains(&day),
        "{date:?} in {raw:?}"
    );
    let next = match date.rule {
        Rule::MonthDay | Rule::DayOfMonth => Some(today),
        Rule::Weekday => today.succ_opt(),
        _ => None,
    };
    if let Some(next) = next {
        let said = text.slice(date.tokens.clone());
        assert!(day >= next, "{said:?} is {day}, before {today}, in {raw:?}");
    }
    for rule in [DueRule::Year, DueRule::Rolling] {
        let kept = rule.check(day, today).is_ok();
        assert_eq!(kept, (today..=rule.last(today)).contains(&day));
    }
    if (1900..2200).contains(&day.year()) {
        let again = read(&day.to_string(), today, lang).map(|found| found.day);
        assert_eq!(again, Some(day), "{raw:?}");
    }
}
