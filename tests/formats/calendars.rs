//! Calendars as independent readers have them: icalendar and vobject read and write again what is exported,
//! and nothing of a task is lost on the way.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use candor::chat::wire::task_file as write;
use candor::domain::{
    DueTime, RemindAt, Reminder, ReminderId, Reminders, Repeat, Task, TaskId, Title,
};
use candor::formats::{Format, Reading};
use chrono::{NaiveDate, NaiveTime, TimeZone, Utc};
use uuid::Uuid;

use crate::lists::{now, read, user};
use crate::support::clients;

/// Reads a calendar with a library, tells what it understood, and writes it again.
const READERS: [(&str, &str); 2] = [
    (
        "icalendar",
        "import sys\n\
         from datetime import datetime, timezone\n\
         from dateutil.rrule import rrulestr\n\
         from icalendar import Calendar\n\
         calendar = Calendar.from_ical(open('in.ics', 'rb').read())\n\
         for todo in calendar.walk('VTODO'):\n\
         \x20   start, rule = todo.decoded('DTSTART'), todo['RRULE'].to_ical().decode()\n\
         \x20   april = rrulestr(rule, dtstart=start).after(datetime(2026, 4, 1, tzinfo=timezone.utc))\n\
         \x20   alarm = todo.walk('VALARM')[0].decoded('TRIGGER').astimezone(timezone.utc)\n\
         \x20   print(todo['SUMMARY'], april.astimezone(timezone.utc).isoformat(), alarm.isoformat())\n\
         open('out.ics', 'wb').write(calendar.to_ical())\n",
    ),
    (
        "vobject",
        "from datetime import datetime, timezone\n\
         from dateutil.rrule import rrulestr\n\
         import vobject\n\
         calendar = vobject.readOne(open('in.ics', newline='').read())\n\
         for todo in calendar.vtodo_list:\n\
         \x20   start, rule = todo.dtstart.value, todo.rrule.value\n\
         \x20   april = rrulestr(rule, dtstart=start).after(datetime(2026, 4, 1, tzinfo=timezone.utc))\n\
         \x20   alarm = todo.valarm.trigger.value.astimezone(timezone.utc)\n\
         \x20   print(todo.summary.value, april.astimezone(timezone.utc).isoformat(), alarm.isoformat())\n\
         open('out.ics', 'w', newline='').write(calendar.serialize())\n",
    ),
];

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("candor-calendar-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A task every Monday at nine in Berlin, with a reminder a quarter of an hour before.
fn standup() -> Task {
    let title = Title::parse("stand-up; bring \"notes\", and Käse").unwrap();
    let mut task = Task::new(TaskId::new(Uuid::from_u128(7)), user(), title, now());
    let monday = NaiveDate::from_ymd_opt(2026, 2, 9).unwrap();
    let nine = NaiveTime::from_hms_opt(9, 0, 0).unwrap();
    let time = DueTime::new(nine, chrono_tz::Europe::Berlin);
    let rule = Repeat::parse("FREQ=WEEKLY;BYDAY=MO").unwrap();
    task.set_due(Some(monday), Some(time), Some(rule));
    let when = RemindAt {
        at: Utc.with_ymd_and_hms(2026, 2, 9, 7, 45, 0).unwrap(),
        zone: chrono_tz::Europe::Berlin,
        today: monday,
    };
    let reminder = Reminder::new(ReminderId::new(Uuid::from_u128(8)), when);
    task.reminders = Reminders::of(vec![reminder]);
    task
}

/// The tasks that a calendar becomes, in words.
fn kept(reading: &Reading) -> String {
    let entries = reading.entries.iter().map(|entry| {
        let (day, time) = (
            entry.due_date,
            entry.due_time.map(|time| (time.time(), time.zone())),
        );
        let rule = entry.repeat.as_ref().map(ToString::to_string);
        let title = entry.title.as_str();
        format!("{title} {day:?} {time:?} {rule:?} {:?}", entry.reminders)
    });
    entries.collect::<Vec<_>>().join("\n")
}

#[test]
fn midnight_in_a_zone_is_a_time() {
    let mut task = standup();
    let midnight = DueTime::new(NaiveTime::MIN, chrono_tz::Europe::Berlin);
    let (day, rule) = (task.due_date, task.repeat.clone());
    task.set_due(day, Some(midnight), rule);
    let reading = read(Format::Ics, &write(Format::Ics, &[task])).unwrap();
    assert_eq!(reading.entries[0].due_time, Some(midnight));
}

#[test]
fn a_task_far_off_takes_no_change_of_the_clocks_from_a_near_one() {
    let mut far = standup();
    let (time, rule) = (far.due_time, far.repeat.clone());
    far.set_due(NaiveDate::from_ymd_opt(2099, 3, 2), time, rule);
    let text = write(Format::Ics, &[standup(), far]);
    // The last Sunday of March 2026.
    assert!(text.contains("20260329T020000"), "{text}");
}

#[test]
fn two_independent_readers_keep_rules_and_alarms_in_python() {
    let text = write(Format::Ics, &[standup()]);
    let own = kept(&read(Format::Ics, &text).unwrap());
    assert!(
        own.contains("FREQ=WEEKLY;BYDAY=MO") && own.contains("07:45:00Z"),
        "{own}"
    );
    for (name, program) in READERS {
        let folder = Folder::new(name);
        fs::write(folder.0.join("in.ics"), &text).unwrap();
        let mut python = Command::new(clients::python());
        let done = python.args(["-c", program]).current_dir(&folder.0).output();
        let done = done.unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(
            done.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        // Nine o'clock there, although the clocks were changed at the end of March.
        assert_eq!(
            said.trim_end(),
            "stand-up; bring \"notes\", and Käse 2026-04-06T07:00:00+00:00 2026-02-09T07:45:00+00:00",
            "{name}"
        );
        let again = fs::read_to_string(folder.0.join("out.ics")).unwrap();
        let again = read(Format::Ics, &again).unwrap();
        assert_eq!(again.refused, [], "{name}");
        assert_eq!(kept(&again), own, "{name}");
    }
}
