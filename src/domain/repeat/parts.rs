//! The parts of a rule: read, checked, brought into one order, written.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike, NaiveDate, Weekday};

use super::{INTERVAL_MAX, Repeat, RepeatDay, RepeatEnd, RepeatUnit};

/// The codes of weekdays, Monday first.
const DAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Mon),
    ("TU", Weekday::Tue),
    ("WE", Weekday::Wed),
    ("TH", Weekday::Thu),
    ("FR", Weekday::Fri),
    ("SA", Weekday::Sat),
    ("SU", Weekday::Sun),
];

const UNITS: [(&str, RepeatUnit); 4] = [
    ("DAILY", RepeatUnit::Day),
    ("WEEKLY", RepeatUnit::Week),
    ("MONTHLY", RepeatUnit::Month),
    ("YEARLY", RepeatUnit::Year),
];

/// Longest rule that is read, in bytes: no rule that says something is longer.
const LENGTH_MAX: usize = 500;

pub(super) fn parse(text: &str) -> Result<Repeat, String> {
    let upper = text.trim().to_ascii_uppercase();
    if upper.len() > LENGTH_MAX {
        return Err(format!(
            "is longer than {LENGTH_MAX} characters: shorten it"
        ));
    }
    let body = upper.strip_prefix("RRULE:").unwrap_or(&upper);
    let mut parts: Vec<(&str, &str)> = Vec::new();
    for part in body.split(';').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').ok_or_else(|| {
            format!("has \"{part}\": write NAME=VALUE, as in FREQ=WEEKLY;BYDAY=MO")
        })?;
        if parts.iter().any(|(known, _)| *known == name) {
            return Err(format!("has {name} twice: write it once"));
        }
        parts.push((name, value));
    }
    let given = |name: &str| {
        let part = parts.iter().find(|(known, _)| *known == name);
        part.map(|(_, value)| *value)
    };
    let freq = given("FREQ").ok_or("has no FREQ: write one, as in FREQ=WEEKLY;BYDAY=MO")?;
    let unit = UNITS.iter().find(|(name, _)| *name == freq);
    let (_, every) =
        *unit.ok_or_else(|| format!("has FREQ={freq}: write DAILY, WEEKLY, MONTHLY or YEARLY"))?;
    let mut rule = Repeat {
        every,
        interval: 1,
        months: Vec::new(),
        month_days: Vec::new(),
        days: Vec::new(),
        end: None,
    };
    for (name, value) in &parts {
        match *name {
            "FREQ" => {}
            "INTERVAL" => rule.interval = number(name, value, (1, INTERVAL_MAX))?,
            "BYMONTH" => rule.months = list(value, |one| number(name, one, (1, 12)))?,
            "BYMONTHDAY" => rule.month_days = list(value, |one| number(name, one, (-31, 31)))?,
            "BYDAY" => rule.days = list(value, day)?,
            "COUNT" => rule.end = Some(RepeatEnd::After(number(name, value, (1, u16::MAX))?)),
            "UNTIL" => rule.end = Some(RepeatEnd::On(last_day(value)?)),
            "WKST" => week_start(value, &rule, given("INTERVAL"))?,
            _ => {
                return Err(format!(
                    "has {name}: use INTERVAL, BYMONTH, BYMONTHDAY, BYDAY, COUNT and UNTIL only"
                ));
            }
        }
    }
    if given("COUNT").is_some() && given("UNTIL").is_some() {
        return Err("has COUNT and UNTIL: give one of them".to_owned());
    }
    rule.checked()
}

impl Repeat {
    /// The rule in its one form, where it can occur at all.
    pub(super) fn checked(mut self) -> Result<Self, String> {
        let nth_up_to = match self.every {
            RepeatUnit::Day | RepeatUnit::Week => 0,
            RepeatUnit::Year if self.months.is_empty() => 52,
            RepeatUnit::Month | RepeatUnit::Year => 5,
        };
        if let Some(day) = self
            .days
            .iter()
            .find(|day| day.nth.unsigned_abs() > nth_up_to)
        {
            return Err(format!(
                "has BYDAY={}{}: the number of a weekday is at most 5 in a month, and none in weeks",
                day.nth,
                code(day.weekday)
            ));
        }
        if self.every == RepeatUnit::Week && !self.month_days.is_empty() {
            return Err("has BYMONTHDAY: write FREQ=MONTHLY with it, not WEEKLY".to_owned());
        }
        let order = |day: &RepeatDay| (day.nth, day.weekday.num_days_from_monday());
        self.days.sort_by_key(order);
        self.days.dedup();
        self.month_days.sort_unstable();
        self.month_days.dedup();
        self.months.sort_unstable();
        self.months.dedup();
        if self.interval == 1 {
            // Each day that is a Monday is each week's Monday, and seven of those are each day.
            if self.every == RepeatUnit::Day && !self.days.is_empty() && self.month_days.is_empty()
            {
                self.every = RepeatUnit::Week;
            }
            if self.every == RepeatUnit::Week && self.days.len() == DAYS.len() {
                self.every = RepeatUnit::Day;
                self.days.clear();
            }
        }
        if self.has_its_days()
            && (self.days.is_empty() || self.month_days.is_empty() || self.occurs())
        {
            Ok(self)
        } else {
            Err(
                "never occurs: give it a day that exists, such as BYMONTH=2;BYMONTHDAY=28"
                    .to_owned(),
            )
        }
    }

    /// Tells whether one of its months ever has one of its days.
    fn has_its_days(&self) -> bool {
        let longest = |month: &u8| match month {
            2 => 29,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let all = [12];
        let months = if self.months.is_empty() {
            &all[..]
        } else {
            &self.months
        };
        let most = months.iter().map(longest).max().unwrap_or_default();
        let mut days = self.month_days.iter();
        self.month_days.is_empty() || days.any(|day| day.unsigned_abs() <= most)
    }
}

pub(super) fn write(rule: &Repeat, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let unit = UNITS.iter().find(|(_, unit)| *unit == rule.every);
    write!(f, "FREQ={}", unit.map_or("", |(name, _)| name))?;
    if rule.interval > 1 {
        write!(f, ";INTERVAL={}", rule.interval)?;
    }
    let mut listed = |name: &str, values: Vec<String>| match values.as_slice() {
        [] => Ok(()),
        values => write!(f, ";{name}={}", values.join(",")),
    };
    listed("BYMONTH", rule.months.iter().map(u8::to_string).collect())?;
    listed(
        "BYMONTHDAY",
        rule.month_days.iter().map(i8::to_string).collect(),
    )?;
    let day = |day: &RepeatDay| match day.nth {
        0 => code(day.weekday).to_owned(),
        nth => format!("{nth}{}", code(day.weekday)),
    };
    listed("BYDAY", rule.days.iter().map(day).collect())?;
    match rule.end {
        Some(RepeatEnd::After(count)) => write!(f, ";COUNT={count}"),
        Some(RepeatEnd::On(day)) => write!(f, ";UNTIL={}", day.format("%Y%m%d")),
        None => Ok(()),
    }
}

fn code(weekday: Weekday) -> &'static str {
    let found = DAYS.iter().find(|(_, day)| *day == weekday);
    found.map_or("", |(code, _)| code)
}

fn number<T>(name: &str, text: &str, (least, most): (T, T)) -> Result<T, String>
where
    T: FromStr + PartialOrd + fmt::Display + Default,
{
    let read: Option<T> = text.parse().ok();
    let zero = T::default();
    read.filter(|value| (&least..=&most).contains(&value) && *value != zero)
        .ok_or_else(|| format!("has {name}={text}: write a number from {least} to {most} but 0"))
}

fn list<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    text.split(',').map(read).collect()
}

fn day(text: &str) -> Result<RepeatDay, String> {
    let fault = || format!("has BYDAY={text}: write MO, TU, WE, TH, FR, SA or SU, or 1MO, -1FR");
    let split = text.len().saturating_sub(2);
    let (nth, code) = text.split_at_checked(split).ok_or_else(fault)?;
    let found = DAYS.iter().find(|(known, _)| *known == code);
    let (_, weekday) = *found.ok_or_else(fault)?;
    let nth = match nth {
        "" => 0,
        nth => number("BYDAY", nth, (-53, 53)).map_err(|_| fault())?,
    };
    Ok(RepeatDay { nth, weekday })
}

/// Reads the day of `20261231` or `20261231T235959Z`.
fn last_day(text: &str) -> Result<NaiveDate, String> {
    let date = text.split('T').next().unwrap_or_default();
    let read = NaiveDate::parse_from_str(date, "%Y%m%d").ok();
    read.filter(|day| date.len() == 8 && day.year() > 0)
        .ok_or_else(|| format!("has UNTIL={text}: write a day as 20261231"))
}

/// Weeks begin on Monday here, which matters only where some of them are left out.
fn week_start(text: &str, rule: &Repeat, interval: Option<&str>) -> Result<(), String> {
    let one = interval.is_none_or(|interval| interval == "1");
    if text == "MO" || one || rule.every != RepeatUnit::Week {
        return Ok(());
    }
    Err(format!(
        "has WKST={text}: weeks begin on Monday, leave it out"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_to_write_a_rule() {
        for (text, expect) in [
            ("FREQ=DAILY", "FREQ=DAILY"),
            ("RRULE:freq=daily;interval=3", "FREQ=DAILY;INTERVAL=3"),
            (
                "FREQ=WEEKLY;BYDAY=FR,MO,FR;WKST=SU",
                "FREQ=WEEKLY;BYDAY=MO,FR",
            ),
            (
                "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
                "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            ),
            ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "FREQ=DAILY"),
            ("BYMONTHDAY=1;FREQ=MONTHLY", "FREQ=MONTHLY;BYMONTHDAY=1"),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1,15",
                "FREQ=MONTHLY;BYMONTHDAY=-1,15",
            ),
            ("FREQ=MONTHLY;BYDAY=1MO", "FREQ=MONTHLY;BYDAY=1MO"),
            ("FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=-1FR"),
            (
                "FREQ=YEARLY;BYMONTHDAY=3;BYMONTH=3",
                "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3",
            ),
            (
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
            ),
            ("FREQ=DAILY;COUNT=3", "FREQ=DAILY;COUNT=3"),
            (
                "FREQ=DAILY;UNTIL=20261231T235959Z;",
                "FREQ=DAILY;UNTIL=20261231",
            ),
        ] {
            let rule = Repeat::parse(text).map(|rule| rule.to_string());
            assert_eq!(rule.as_deref(), Ok(expect), "{text}");
            assert_eq!(Repeat::parse(expect).unwrap().to_string(), expect);
        }
    }

    #[test]
    fn a_fault_comes_with_what_to_write() {
        for (text, fault) in [
            ("", "has no FREQ"),
            ("every monday", "write NAME=VALUE"),
            ("FREQ=HOURLY", "write DAILY, WEEKLY, MONTHLY or YEARLY"),
            ("FREQ=DAILY;FREQ=DAILY", "FREQ twice"),
            ("FREQ=DAILY;INTERVAL=0", "from 1 to 366"),
            ("FREQ=DAILY;INTERVAL=367", "from 1 to 366"),
            ("FREQ=DAILY;BYHOUR=9", "has BYHOUR"),
            ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", "has BYSETPOS"),
            ("FREQ=WEEKLY;BYDAY=XX", "write MO, TU"),
            ("FREQ=WEEKLY;BYDAY=ä", "write MO, TU"),
            ("FREQ=WEEKLY;BYDAY=1MO", "none in weeks"),
            ("FREQ=MONTHLY;BYDAY=6MO", "at most 5"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=MONTHLY"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", "from -31 to 31"),
            ("FREQ=WEEKLY;INTERVAL=2;WKST=SU", "begin on Monday"),
            ("FREQ=DAILY;COUNT=2;UNTIL=20261231", "one of them"),
            ("FREQ=DAILY;UNTIL=2026", "as 20261231"),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never occurs"),
            ("FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=20", "never occurs"),
            ("FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", "never occurs"),
        ] {
            let told = Repeat::parse(text).unwrap_err();
            assert!(told.contains(fault), "{text:?}: {told}");
        }
    }
}
