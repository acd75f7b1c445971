//! Repetitions in words.

use chrono::Weekday;

use super::{day, localized};
use crate::domain::{Lang, Repeat, RepeatDay, RepeatEnd, RepeatUnit};

/// Writes a rule as a phrase where it is a simple one, else as it is.
///
/// ```
/// use candor::domain::{Lang, Repeat};
/// use candor::locales::repeat_phrase;
/// let rule = Repeat::parse("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO").unwrap();
/// assert_eq!(repeat_phrase(&rule, Lang::En), "every 2 weeks on Monday");
/// ```
pub fn repeat_phrase(rule: &Repeat, lang: Lang) -> String {
    let Some(phrase) = phrase(rule, lang) else {
        return rule.to_string();
    };
    match rule.end() {
        None => phrase,
        Some(RepeatEnd::On(last)) => {
            localized!(lang, "repeat-until", rule = phrase, when = day(last, lang))
        }
        Some(RepeatEnd::After(count)) => {
            localized!(lang, "repeat-times", rule = phrase, count = count)
        }
    }
}

/// Parts of a rule that a phrase can say.
enum PhrasePart<'r> {
    None,
    Weekdays(&'r [RepeatDay]),
    Workdays,
    MonthDay(i8),
    Nth(RepeatDay),
    Date(u8, i8),
}

fn part(rule: &Repeat) -> Option<PhrasePart<'_>> {
    const WORKDAYS: [Weekday; 5] = [
        Weekday::Mon,
        Weekday::Tue,
        Weekday::Wed,
        Weekday::Thu,
        Weekday::Fri,
    ];
    let workdays = rule.days().iter().map(|day| day.weekday).eq(WORKDAYS);
    Some(
        match (rule.every(), rule.months(), rule.month_days(), rule.days()) {
            (_, [], [], []) => PhrasePart::None,
            (RepeatUnit::Week, [], [], _) if workdays && rule.interval() == 1 => {
                PhrasePart::Workdays
            }
            (RepeatUnit::Week, [], [], days) => PhrasePart::Weekdays(days),
            (RepeatUnit::Month, [], [day], []) if *day >= -1 => PhrasePart::MonthDay(*day),
            (RepeatUnit::Month, [], [], [day]) if day.nth != 0 && day.nth >= -1 => {
                PhrasePart::Nth(*day)
            }
            (RepeatUnit::Year, [month], [day], []) if *day > 0 => PhrasePart::Date(*month, *day),
            _ => return None,
        },
    )
}

fn phrase(rule: &Repeat, lang: Lang) -> Option<String> {
    let unit = match rule.every() {
        RepeatUnit::Day => "day",
        RepeatUnit::Week => "week",
        RepeatUnit::Month => "month",
        RepeatUnit::Year => "year",
    };
    let interval = rule.interval();
    let every = localized!(lang, "repeat-every", unit = unit, interval = interval);
    Some(match part(rule)? {
        PhrasePart::None => every,
        PhrasePart::Workdays => localized!(lang, "repeat-workdays"),
        PhrasePart::Weekdays(days) => {
            let days = listed(days, lang);
            match interval {
                1 => localized!(lang, "repeat-weekdays", days = days),
                _ => localized!(lang, "repeat-on-weekdays", every = every, days = days),
            }
        }
        PhrasePart::MonthDay(-1) => localized!(lang, "repeat-on-last-day", every = every),
        PhrasePart::MonthDay(day) => localized!(lang, "repeat-on-day", every = every, day = day),
        PhrasePart::Nth(day) => {
            let weekday = day.weekday.number_from_monday();
            match day.nth {
                -1 => localized!(
                    lang,
                    "repeat-on-last-weekday",
                    every = every,
                    weekday = weekday
                ),
                nth => localized!(
                    lang,
                    "repeat-on-nth",
                    every = every,
                    nth = nth,
                    weekday = weekday
                ),
            }
        }
        PhrasePart::Date(month, day) => localized!(
            lang,
            "repeat-on-date",
            every = every,
            month = month,
            day = day
        ),
    })
}

/// "Monday, Wednesday and Friday".
fn listed(days: &[RepeatDay], lang: Lang) -> String {
    let name = |day: &RepeatDay| {
        let weekday = day.weekday.number_from_monday();
        localized!(lang, "weekday-name", weekday = weekday)
    };
    let names: Vec<String> = days.iter().map(name).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            localized!(lang, "list-and", before = before.join(", "), last = last)
        }
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases() {
        let said = |rule: &str, lang| repeat_phrase(&Repeat::parse(rule).unwrap(), lang);
        for (rule, english, urdu) in [
            ("FREQ=DAILY", "every day", "har roz"),
            ("FREQ=DAILY;INTERVAL=3", "every 3 days", "har 3 din baad"),
            ("FREQ=WEEKLY", "every week", "har hafte"),
            ("FREQ=WEEKLY;BYDAY=MO", "every Monday", "har peer ko"),
            (
                "FREQ=WEEKLY;BYDAY=MO,TU,FR",
                "every Monday, Tuesday and Friday",
                "har peer, mangal aur jume ko",
            ),
            (
                "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
                "every weekday",
                "har kaam ke din",
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
                "every 2 weeks on Sunday",
                "har 2 hafte baad itwar ko",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=1",
                "every month on the 1st",
                "har mahine 1 tareekh ko",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=12",
                "every month on the 12th",
                "har mahine 12 tareekh ko",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1",
                "every month on the last day",
                "har mahine aakhri din ko",
            ),
            (
                "FREQ=MONTHLY;BYDAY=1MO",
                "every month on the 1st Monday",
                "har mahine pehle peer ko",
            ),
            (
                "FREQ=MONTHLY;BYDAY=-1FR",
                "every month on the last Friday",
                "har mahine aakhri jume ko",
            ),
            ("FREQ=YEARLY", "every year", "har saal"),
            (
                "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3",
                "every year on March 3",
                "har saal 3 March ko",
            ),
            (
                "FREQ=DAILY;UNTIL=20260301",
                "every day until Sun 2026-03-01",
                "har roz, Itwar 2026-03-01 tak",
            ),
            (
                "FREQ=DAILY;COUNT=3",
                "every day, 3 times",
                "har roz, 3 dafa",
            ),
            // What no short phrase says.
            (
                "FREQ=MONTHLY;BYMONTHDAY=1,15",
                "FREQ=MONTHLY;BYMONTHDAY=1,15",
                "FREQ=MONTHLY;BYMONTHDAY=1,15",
            ),
        ] {
            assert_eq!(said(rule, Lang::En), english);
            assert_eq!(said(rule, Lang::Ur), urdu);
        }
    }
}
