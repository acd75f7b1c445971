//! A thousand tasks whose text means something to some format.

use candor::domain::{DueTime, Priority, Reminders, Repeat, Status, Task, TaskId, Title, UserId};
use candor::formats::{Format, Layout, ReadOptions, Reading, Unreadable};
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use chrono_tz::Tz;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use uuid::Uuid;

pub fn user() -> UserId {
    UserId::parse("me").unwrap()
}

pub fn now() -> DateTime<Utc> {
    "2026-02-08T09:30:00.123456Z".parse().unwrap()
}

/// Nothing but a day and UTC.
pub fn options() -> ReadOptions {
    ReadOptions {
        zone: chrono_tz::UTC,
        today: now().date_naive(),
        day_order: None,
    }
}

/// A text of that format, by the layout that it has.
pub fn read(format: Format, text: &str) -> Result<Reading, Unreadable> {
    Layout::of(format, text).read(text, &options())
}

/// Pieces that some format gives a meaning to.
const HOSTILE: [&str; 44] = [
    "x ",
    "(A) ",
    "x 2026-02-08 ",
    "2026-02-08 ",
    "due:2026-02-09",
    "due:tomorrow",
    "id:5",
    "pri:A",
    "note:%41",
    "title:a",
    "assignee:%",
    "+project",
    "@context",
    "=1+1",
    "-",
    "+",
    "@SUM(A1)",
    "'",
    "''=",
    "\"",
    "\"\"",
    ",",
    ";",
    "\\",
    "\\n",
    "\\;",
    ":",
    "BEGIN:VTODO",
    "END:VCALENDAR",
    "%2C",
    "[",
    "]}",
    "{\"",
    "é",
    "e\u{301}",
    "漢字",
    "🍎",
    "\u{200b}",
    "\u{202e}",
    "\u{feff}",
    "  ",
    " ",
    "milk",
    "＝",
];

fn words(most: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(&HOSTILE[..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[a-z]{1,9}",
    ];
    prop::collection::vec(piece, 1..most).prop_map(|pieces| pieces.concat())
}

fn title() -> impl Strategy<Value = Title> {
    words(30).prop_filter_map("no title", |text| Title::parse(&text).ok())
}

fn note() -> impl Strategy<Value = String> {
    let breaks = prop::sample::select(&["\n", "\r\n", "\r", "\t", "\n ", ""][..]);
    let parts = prop::collection::vec((words(12), breaks), 0..6);
    parts.prop_map(|parts| {
        let joined: String = parts.into_iter().map(|(words, end)| words + end).collect();
        let kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
        joined.chars().filter(kept).collect()
    })
}

fn instant() -> impl Strategy<Value = DateTime<Utc>> {
    (0_i64..3_000_000_000_000_000).prop_map(|ago| now() - TimeDelta::microseconds(ago))
}

fn day() -> impl Strategy<Value = NaiveDate> {
    (-700_000_i64..2_900_000)
        .prop_map(|days| NaiveDate::from_ymd_opt(2026, 2, 8).unwrap() + TimeDelta::days(days))
}

/// A time that the clocks of its zone show on every day.
fn time() -> impl Strategy<Value = DueTime> {
    let zones = &[Tz::UTC, Tz::Asia__Kolkata, Tz::Etc__GMTPlus5][..];
    (0_u32..24, 0_u32..60, prop::sample::select(zones)).prop_map(|(hour, minute, zone)| {
        DueTime::new(NaiveTime::from_hms_opt(hour, minute, 0).unwrap(), zone)
    })
}

fn repeat() -> impl Strategy<Value = Repeat> {
    let rules = [
        "FREQ=DAILY",
        "FREQ=WEEKLY;INTERVAL=2",
        "FREQ=WEEKLY;BYDAY=MO,FR",
        "FREQ=MONTHLY;BYDAY=-1FR;COUNT=9",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;UNTIL=20400101",
    ];
    prop::sample::select(rules.to_vec()).prop_map(|rule| Repeat::parse(rule).unwrap())
}

prop_compose! {
    fn task()(
        id in any::<u128>(),
        title in title(),
        description in prop::option::of(note()),
        priority in prop::sample::select(&[Priority::Low, Priority::Medium, Priority::High][..]),
        due in prop::option::of((day(), prop::option::of(time()), prop::option::of(repeat()))),
        assignee in prop::option::of(title()),
        completed in prop::option::of(instant()),
        created_at in instant(),
        updated_at in instant(),
    ) -> Task {
        Task {
            id: TaskId::new(Uuid::from_u128(id)),
            user_id: user(),
            title,
            description: description.filter(|text| !text.is_empty()),
            status: completed.map_or(Status::Pending, |at| Status::Completed { at }),
            priority,
            due_date: due.as_ref().map(|(day, ..)| *day),
            due_time: due.as_ref().and_then(|(_, time, _)| *time),
            repeat: due.and_then(|(.., repeat)| repeat),
            assignee: assignee.map(String::from),
            reminders: Reminders::default(),
            created_at,
            updated_at,
            version: 1,
        }
    }
}

/// A thousand tasks, the same ones every time.
pub fn thousand() -> Vec<Task> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let tasks = prop::collection::vec(task(), 1_000).new_tree(&mut runner);
    let mut tasks = tasks.unwrap().current();
    tasks.sort_by_key(|task| (task.created_at, task.id));
    tasks
}
