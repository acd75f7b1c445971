//! Alarms of a VTODO (RFC 5545 §3.6.6): the one that waits is written, and one is read as a reminder.

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;

use super::{Line, Lines, date_time, escape};
use crate::domain::{DueTime, Task};
use crate::formats::day::ToldDue;

/// Letters of a duration with their seconds, each with whether it stands behind the `T`.
const UNITS: [(char, bool, i64); 5] = [
    ('W', false, 604_800),
    ('D', false, 86_400),
    ('H', true, 3_600),
    ('M', true, 60),
    ('S', true, 1),
];

/// Alarm that is read.
#[derive(Default)]
pub(super) struct Alarm {
    trigger: Option<Trigger>,
    /// The zone that was written beside it.
    zone: Option<Tz>,
}

/// Time of an alarm.
enum Trigger {
    At(DateTime<Utc>),
    /// So long after the start, or after the end.
    Off(TimeDelta, bool),
}

/// Writes the reminder of a task that waits.
pub(super) fn write(task: &Task, out: &mut Lines) {
    let Some(reminder) = task.reminders.waiting() else {
        return;
    };
    let at = reminder.when.at.format("%Y%m%dT%H%M%SZ");
    out.line("BEGIN:VALARM");
    out.line(&format!("UID:{}", reminder.id));
    out.line("ACTION:DISPLAY");
    out.line(&format!("DESCRIPTION:{}", escape(task.title.as_str())));
    out.line(&format!("TRIGGER;VALUE=DATE-TIME:{at}"));
    out.line(&format!("X-CANDOR-TIMEZONE:{}", reminder.when.zone));
    out.line("END:VALARM");
}

impl Alarm {
    /// Takes a line in; false for what it has no place for.
    pub(super) fn add(&mut self, line: &Line) -> bool {
        match line.name.as_str() {
            "TRIGGER" => {
                let off = duration(&line.value).map(|off| Trigger::Off(off, line.from_end));
                let at = || date_time(line.value.trim()).map(|at| Trigger::At(at.and_utc()));
                self.trigger = off.or_else(at);
            }
            "X-CANDOR-TIMEZONE" => self.zone = line.value.trim().parse().ok(),
            "REPEAT" => return line.value.trim() == "0",
            _ => {}
        }
        true
    }

    /// The time that it means for a task that is due then, and its zone; none for one that counts from a
    /// start of its own.
    pub(super) fn reminder(
        &self,
        due: Option<&(ToldDue, Tz)>,
        starts: bool,
        own: Tz,
    ) -> Option<(DateTime<Utc>, Tz)> {
        let zone = || {
            self.zone
                .or_else(|| due.map(|(_, zone)| *zone))
                .unwrap_or(own)
        };
        match self.trigger.as_ref()? {
            Trigger::At(at) => Some((*at, zone())),
            Trigger::Off(_, false) if starts => None,
            Trigger::Off(off, _) => {
                let (due, named) = due?;
                let time = DueTime::new(due.time.unwrap_or(NaiveTime::MIN), *named);
                Some((time.on(due.day)?.at.checked_add_signed(*off)?, zone()))
            }
        }
    }
}

/// `-PT15M`, `P1DT12H`, `-P1W` (§3.3.6).
fn duration(text: &str) -> Option<TimeDelta> {
    let text = text.trim();
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut chars = rest.strip_prefix('P')?.chars().peekable();
    let (mut seconds, mut timed, mut any) = (0_i64, false, false);
    while let Some(first) = chars.next() {
        if first == 'T' && !timed {
            timed = true;
            continue;
        }
        let mut number = i64::from(first.to_digit(10)?);
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
            number = number.checked_mul(10)?.checked_add(digit.into())?;
            chars.next();
        }
        let unit = chars.next()?;
        let known = |(letter, behind, _): &&(char, bool, i64)| (*letter, *behind) == (unit, timed);
        let (_, _, each) = UNITS.iter().find(known)?;
        seconds = seconds.checked_add(number.checked_mul(*each)?)?;
        any = true;
    }
    any.then(|| TimeDelta::try_seconds(sign * seconds))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let check = |text: &str, expect: Option<i64>| {
            let found = duration(text).map(|off| off.num_seconds());
            assert_eq!(found, expect, "{text}");
        };
        check("-PT15M", Some(-900));
        check("P1DT12H", Some(129_600));
        check("+P1W", Some(604_800));
        check("PT0S", Some(0));
        for text in [
            "",
            "P",
            "PT",
            "P15M",
            "PT1D",
            "15M",
            "P1",
            "PT99999999999999999999H",
            "-P-1D",
        ] {
            check(text, None);
        }
    }
}
