//! Repetitions in words, for replies, prompts and pages.

use chrono::Weekday;

use super::spoken;
use crate::domain::{Repeat, RepeatDay, RepeatEnd, RepeatUnit};

/// Wording of a repetition: the words that the two languages of replies have for the same parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatWords {
    /// English.
    English,
    /// Roman Urdu.
    RomanUrdu,
}

/// Writes a rule as a phrase where it is a simple one, else as it is.
///
/// ```
/// use candor::domain::Repeat;
/// use candor::temporal::{RepeatWords, repeat_phrase};
/// let rule = Repeat::parse("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO").unwrap();
/// assert_eq!(repeat_phrase(&rule, RepeatWords::English), "every 2 weeks on Monday");
/// ```
pub fn repeat_phrase(rule: &Repeat, words: RepeatWords) -> String {
    let phrase = match words {
        RepeatWords::English => english(rule),
        RepeatWords::RomanUrdu => urdu(rule),
    };
    let Some(phrase) = phrase else {
        return rule.to_string();
    };
    match (rule.end(), words) {
        (None, _) => phrase,
        (Some(RepeatEnd::On(day)), RepeatWords::English) => {
            format!("{phrase} until {}", spoken(day))
        }
        (Some(RepeatEnd::On(day)), RepeatWords::RomanUrdu) => {
            format!("{phrase} {} tak", spoken(day))
        }
        (Some(RepeatEnd::After(1)), RepeatWords::English) => format!("{phrase}, the last time"),
        (Some(RepeatEnd::After(count)), RepeatWords::English) => format!("{phrase}, {count} times"),
        (Some(RepeatEnd::After(count)), RepeatWords::RomanUrdu) => {
            format!("{phrase}, {count} dafa")
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

fn english(rule: &Repeat) -> Option<String> {
    let unit = match rule.every() {
        RepeatUnit::Day => "day",
        RepeatUnit::Week => "week",
        RepeatUnit::Month => "month",
        RepeatUnit::Year => "year",
    };
    let every = match rule.interval() {
        1 => format!("every {unit}"),
        count => format!("every {count} {unit}s"),
    };
    Some(match part(rule)? {
        PhrasePart::None => every,
        PhrasePart::Workdays => "every weekday".to_owned(),
        PhrasePart::Weekdays(days) => {
            let days = listed(days, name, "and");
            match rule.interval() {
                1 => format!("every {days}"),
                _ => format!("{every} on {days}"),
            }
        }
        PhrasePart::MonthDay(-1) => format!("{every} on the last day"),
        PhrasePart::MonthDay(day) => format!("{every} on the {}", ordinal(day)),
        PhrasePart::Nth(day) => {
            let nth = match day.nth {
                -1 => "last".to_owned(),
                nth => ordinal(nth),
            };
            format!("{every} on the {nth} {}", name(day.weekday))
        }
        PhrasePart::Date(month, day) => format!("{every} on {} {day}", month_name(month)?),
    })
}

fn urdu(rule: &Repeat) -> Option<String> {
    let (one, several) = match rule.every() {
        RepeatUnit::Day => ("roz", "din"),
        RepeatUnit::Week => ("hafte", "hafte"),
        RepeatUnit::Month => ("mahine", "mahine"),
        RepeatUnit::Year => ("saal", "saal"),
    };
    let every = match rule.interval() {
        1 => format!("har {one}"),
        count => format!("har {count} {several}"),
    };
    Some(match part(rule)? {
        PhrasePart::None => every,
        PhrasePart::Workdays => "har kaam ke din".to_owned(),
        PhrasePart::Weekdays(days) => {
            let days = listed(days, urdu_name, "aur");
            match rule.interval() {
                1 => format!("har {days}"),
                _ => format!("{every} {days} ko"),
            }
        }
        PhrasePart::MonthDay(-1) => format!("{every} ke aakhri din"),
        PhrasePart::MonthDay(day) => format!("{every} ki {day} tareekh"),
        PhrasePart::Nth(day) => {
            let nth = match day.nth {
                -1 => "aakhri".to_owned(),
                1 => "pehle".to_owned(),
                nth => format!("{nth}ve"),
            };
            format!("{every} ke {nth} {}", urdu_name(day.weekday))
        }
        PhrasePart::Date(month, day) => format!("{every} {day} {} ko", month_name(month)?),
    })
}

/// "Monday, Wednesday and Friday".
fn listed(days: &[RepeatDay], name: fn(Weekday) -> &'static str, and: &str) -> String {
    let names: Vec<&str> = days.iter().map(|day| name(day.weekday)).collect();
    match names.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{} {and} {last}", before.join(", "))
        }
        _ => names.concat(),
    }
}

fn ordinal(number: i8) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

fn month_name(month: u8) -> Option<&'static str> {
    chrono::Month::try_from(month)
        .ok()
        .map(|month| month.name())
}

const fn name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}

const fn urdu_name(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "somvar",
        Weekday::Tue => "mangal",
        Weekday::Wed => "budh",
        Weekday::Thu => "jumerat",
        Weekday::Fri => "juma",
        Weekday::Sat => "sanichar",
        Weekday::Sun => "itwar",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases() {
        let said = |rule: &str, words| repeat_phrase(&Repeat::parse(rule).unwrap(), words);
        for (rule, english, urdu) in [
            ("FREQ=DAILY", "every day", "har roz"),
            ("FREQ=DAILY;INTERVAL=3", "every 3 days", "har 3 din"),
            ("FREQ=WEEKLY", "every week", "har hafte"),
            ("FREQ=WEEKLY;BYDAY=MO", "every Monday", "har somvar"),
            (
                "FREQ=WEEKLY;BYDAY=MO,TU,FR",
                "every Monday, Tuesday and Friday",
                "har somvar, mangal aur juma",
            ),
            (
                "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
                "every weekday",
                "har kaam ke din",
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
                "every 2 weeks on Sunday",
                "har 2 hafte itwar ko",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=1",
                "every month on the 1st",
                "har mahine ki 1 tareekh",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=12",
                "every month on the 12th",
                "har mahine ki 12 tareekh",
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1",
                "every month on the last day",
                "har mahine ke aakhri din",
            ),
            (
                "FREQ=MONTHLY;BYDAY=1MO",
                "every month on the 1st Monday",
                "har mahine ke pehle somvar",
            ),
            (
                "FREQ=MONTHLY;BYDAY=-1FR",
                "every month on the last Friday",
                "har mahine ke aakhri juma",
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
                "har roz Sun 2026-03-01 tak",
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
            assert_eq!(said(rule, RepeatWords::English), english);
            assert_eq!(said(rule, RepeatWords::RomanUrdu), urdu);
        }
    }
}
