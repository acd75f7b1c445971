//! Every format, both ways: hostile text comes back as it was.

use std::collections::BTreeSet;

use candor::chat::wire::task_file as write;
use candor::domain::{Priority, Status, Task, TaskId, day_and_time};
use candor::formats::{Entry, Format, LeftOut, Reading, identity};
use chrono::{NaiveDate, TimeDelta};
use uuid::Uuid;

use crate::lists::{now, read, thousand, user};

/// A list as it stands after `text` was imported into an empty one.
fn import(format: Format, text: &str) -> Vec<Task> {
    let reading = read(format, text).unwrap();
    assert!(reading.refused.is_empty(), "{:#?}", reading.refused);
    assert_eq!(reading.left_out, LeftOut::default());
    assert!(reading.assumed.is_empty(), "{:?}", reading.assumed);
    let ids = identity::ids(&reading.entries);
    let total = ids.len();
    let entries = reading.entries.iter().zip(ids).enumerate();
    let tasks = entries.map(|(place, (entry, id))| entry.task(&user(), id, now(), (place, total)));
    let mut tasks: Vec<Task> = tasks.collect();
    tasks.sort_by_key(|task| (task.created_at, task.id));
    tasks
}

#[test]
fn a_thousand_hostile_tasks_come_back_as_they_were() {
    let tasks = thousand();
    for format in Format::ALL {
        let first = write(format, &tasks);
        let back = import(format, &first);
        assert_eq!(write(format, &back), first, "{format:?}");
        for (was, is) in tasks.iter().zip(&back) {
            let kept = Task {
                created_at: is.created_at,
                updated_at: is.updated_at,
                status: is.status,
                ..was.clone()
            };
            assert_eq!(*is, kept, "{format:?}");
            assert_eq!(is.status.is_completed(), was.status.is_completed());
        }
        let exact = matches!(format, Format::Json | Format::Csv);
        assert_eq!(back == tasks, exact, "{format:?}");
    }
}

#[test]
fn what_is_lost_is_what_the_documentation_says() {
    let tasks = thousand();
    let close = |format, within: TimeDelta| {
        let back = import(format, &write(format, &tasks));
        for (was, is) in tasks.iter().zip(back) {
            assert!((was.created_at - is.created_at).abs() < within, "{was:?}");
            if let (Status::Completed { at: was }, Status::Completed { at: is }) =
                (was.status, is.status)
            {
                assert!((was - is).abs() < within, "{was}");
            }
        }
    };
    close(Format::Ics, TimeDelta::seconds(1));
    close(Format::Todotxt, TimeDelta::days(1));
}

#[test]
fn a_reader_that_forgets_one_escape_would_be_found() {
    // The planted fault: what the property is worth without each way to keep text whole.
    let tasks = thousand();
    let forgets = |format, from: &str, to: &str| {
        let first = write(format, &tasks);
        let harmed = first.replace(from, to);
        let same = harmed == first
            || read(format, &harmed).is_ok_and(|reading| {
                reading.entries.len() == tasks.len()
                    && reading.entries.iter().zip(&tasks).all(|(entry, task)| {
                        entry.title == task.title && entry.description == task.description
                    })
            });
        assert!(!same, "{format:?} {from:?}");
    };
    forgets(Format::Ics, "\\,", ",x");
    forgets(Format::Ics, "\\\\", "\\");
    forgets(Format::Ics, "\r\n ", "\r\n");
    forgets(Format::Ics, "X-CANDOR-DESCRIPTION", "X-OTHER");
    forgets(Format::Csv, "'=", "=");
    forgets(Format::Csv, "\"\"", "\"");
    forgets(Format::Todotxt, " title:", " words:");
    forgets(Format::Todotxt, "%0D", "%0A");
    forgets(Format::Json, "\\\"", "'");
}

#[test]
fn no_line_of_a_calendar_is_too_long_and_no_cell_is_a_formula() {
    let tasks = thousand();
    let calendar = write(Format::Ics, &tasks);
    assert!(calendar.ends_with("END:VCALENDAR\r\n"));
    for line in calendar.split("\r\n") {
        assert!(line.len() <= 75 && !line.contains(['\r', '\n']), "{line:?}");
    }
    let sheet = write(Format::Csv, &tasks);
    let mut reader = ::csv::Reader::from_reader(sheet.as_bytes());
    let mut guarded = 0;
    for record in reader.records() {
        for cell in &record.unwrap() {
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']),
                "{cell:?}"
            );
            guarded += usize::from(cell.starts_with("'="));
        }
    }
    assert!(guarded > 0);
}

fn one(format: Format, text: &str) -> Entry {
    let mut reading = read(format, text).unwrap();
    assert_eq!(
        (reading.entries.len(), &*reading.refused),
        (1, &[][..]),
        "{text}"
    );
    reading.entries.remove(0)
}

#[test]
fn todo_txt_of_other_programs() {
    let check = |line: &str, title: &str, priority, due: Option<&str>, done: Option<&str>| {
        let entry = one(Format::Todotxt, line);
        assert_eq!(entry.title.as_str(), title, "{line}");
        assert_eq!(entry.priority, priority, "{line}");
        assert_eq!(
            entry.due_date.map(|day| day.to_string()).as_deref(),
            due,
            "{line}"
        );
        let at = entry
            .completed_at
            .map(|when| when.at.date_naive().to_string());
        assert_eq!(
            (entry.completed, at.as_deref()),
            (done.is_some(), done.filter(|day| !day.is_empty()))
        );
    };
    let (high, medium, low) = (Priority::High, Priority::Medium, Priority::Low);
    check("Read book", "Read book", medium, None, None);
    check(
        "(A) Call Mum @phone +family",
        "Call Mum @phone +family",
        high,
        None,
        None,
    );
    check(
        "(D) 2026-01-01 tidy due:2026-02-09",
        "tidy",
        low,
        Some("2026-02-09"),
        None,
    );
    check(
        "x 2026-02-08 2026-02-01 milk pri:A",
        "milk",
        high,
        None,
        Some("2026-02-08"),
    );
    check(
        "x 2026-02-08 milk",
        "milk",
        medium,
        None,
        Some("2026-02-08"),
    );
    check("x milk", "milk", medium, None, Some(""));
    check("xylophone", "xylophone", medium, None, None);
    check("(a) small", "(a) small", medium, None, None);
    check(
        "see http://example.org/a:b id:5 title:x",
        "see http://example.org/a:b id:5 title:x",
        medium,
        None,
        None,
    );
    // Somebody edited the words that the exact title stood for.
    check(
        "(B) 2026-02-01 note: more title:note%3Ab",
        "note: more title:note%3Ab",
        medium,
        None,
        None,
    );
}

/// Kinds of what was left out, with their numbers.
fn left_out(reading: &Reading) -> Vec<String> {
    let kinds = reading.left_out.kinds().into_iter();
    kinds
        .map(|kind| format!("{}: {}", kind.kind, kind.count))
        .collect()
}

#[test]
fn refusals_name_the_line_and_the_reason() {
    let check = |format, text: &str, expect: &[(usize, &str)]| {
        let refused = read(format, text).unwrap().refused;
        assert_eq!(refused.len(), expect.len(), "{refused:#?}");
        for (refused, (line, reason)) in refused.iter().zip(expect) {
            assert_eq!(refused.line, *line, "{refused:?}");
            assert!(refused.reason.contains(reason), "{refused:?}");
        }
    };
    let long = "x".repeat(256);
    check(
        Format::Todotxt,
        &format!(
            "milk\n\n(A) due:2026-02-30\r\n{long}\n(B) id:0190a000-0000-7000-8000-000000000001\neggs"
        ),
        &[
            (3, "due must be a day"),
            (4, "256 characters"),
            (5, "empty"),
        ],
    );
    let sheet = "title,Due Date,status,priority,labels\r\n\"a\nb\",,,,\r\nmilk,tomorrow,,,\r\neggs,,maybe,,\r\n\
                 ham,,,p1,\r\na,b,c,d,e,f\r\n,,,,\r\n,2026-02-09,,,\r\nfig,2020-01-01,done,LOW,\r\n";
    check(
        Format::Csv,
        sheet,
        &[
            (2, "one line"),
            (4, "due_date must be a day"),
            (5, "status must be"),
            (6, "priority must be"),
            (7, "6 cells for 5 columns"),
            (9, "empty"),
        ],
    );
    let reading = read(Format::Csv, sheet).unwrap();
    assert_eq!(reading.entries.len(), 1);
    assert!(reading.entries[0].completed && reading.entries[0].priority == Priority::Low);
    // The one row with a label was refused.
    assert_eq!(left_out(&reading), [""; 0]);
    let labelled = read(Format::Csv, "title,labels\nmilk,home\neggs,\nham,away\n").unwrap();
    assert_eq!(left_out(&labelled), ["labels: 2"]);
    let id = "0190a000-0000-7000-8000-000000000001";
    check(
        Format::Json,
        &format!(
            "{{\"tasks\": [\n{{\"title\":\"a\",\"id\":\"{id}\"}},\n5,\n\n{{\"title\":\"b\",\"id\":\"{id}\"}},\n\
             {{\"title\":5}},{{\"title\":\"c\",\"status\":\"pending\",\"is_completed\":true}}]}}"
        ),
        &[
            (3, "an object with a title"),
            (5, "line 2 has the same id"),
            (6, "title must be a string"),
            (6, "contradict"),
        ],
    );
    let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:a\r\nSUMMARY:milk\\, eggs\r\nDUE;\r\n \
                    TZID=\"Asia:Karachi\":20260209T\r\n 090000\r\nRRULE:FREQ=DAILY\r\nBEGIN:VALARM\r\nSUMMARY:no\r\nEND:VALARM\r\n\
                    END:VTODO\r\nBEGIN:VTODO\r\nUID:b\r\nEND:VTODO\r\nBEGIN:VTODO\nSUMMARY:c\nSTATUS:CANCELLED\nEND:VTODO\n\
                    BEGIN:VEVENT\nSUMMARY:d\nEND:VEVENT\nBEGIN:VTODO\nSUMMARY:e\nwhat\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:f\n";
    check(
        Format::Ics,
        calendar,
        &[
            (14, "no SUMMARY"),
            (17, "cancelled"),
            (24, "line 26 is no content line"),
            (28, "breaks off"),
        ],
    );
    let reading = read(Format::Ics, calendar).unwrap();
    let entry = &reading.entries[0];
    assert_eq!((entry.line, entry.title.as_str()), (3, "milk, eggs"));
    assert_eq!(entry.due_date, NaiveDate::from_ymd_opt(2026, 2, 9));
    let repeat = entry.repeat.as_ref().map(ToString::to_string);
    assert_eq!(repeat.as_deref(), Some("FREQ=DAILY"));
    assert_eq!(left_out(&reading), ["VALARM: 1", "VEVENT: 1"]);
}

#[test]
fn alarms_are_reminders() {
    let check = |lines: &str, expect: &[&str], told: &[&str]| {
        let text =
            format!("BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\n{lines}END:VTODO\nEND:VCALENDAR");
        let reading = read(Format::Ics, &text).unwrap();
        assert_eq!(reading.refused, [], "{text}");
        let reminders = reading.entries[0].reminders.iter();
        let reminders = reminders.map(|(at, zone)| format!("{} {zone}", at.format("%FT%T")));
        let reminders: Vec<String> = reminders.collect();
        assert_eq!(reminders, expect, "{lines}");
        assert_eq!(left_out(&reading), told, "{lines}");
    };
    let alarm = |trigger: &str| format!("BEGIN:VALARM\nACTION:AUDIO\n{trigger}\nEND:VALARM\n");
    let due = "DUE;TZID=Europe/Berlin:20260213T170000\n";
    let at = alarm("TRIGGER;VALUE=DATE-TIME:20260213T150000Z\nX-CANDOR-TIMEZONE:Asia/Karachi");
    check(&at, &["2026-02-13T15:00:00 Asia/Karachi"], &[]);
    let before = alarm("TRIGGER:-PT15M");
    check(
        &format!("{due}{before}"),
        &["2026-02-13T15:45:00 Europe/Berlin"],
        &[],
    );
    let day = "DUE;VALUE=DATE:20260213\n";
    check(
        &format!("{day}{}", alarm("TRIGGER:PT9H")),
        &["2026-02-13T09:00:00 UTC"],
        &[],
    );
    // Of two the first that is to come is kept; one that repeats rings once.
    let two = format!(
        "{due}{}{}",
        alarm("TRIGGER;RELATED=END:PT0S\nREPEAT:2"),
        alarm("TRIGGER:-P1D")
    );
    let both = [
        "2026-02-13T16:00:00 Europe/Berlin",
        "2026-02-12T16:00:00 Europe/Berlin",
    ];
    check(&two, &both, &["REPEAT: 1", "VALARM: 1"]);
    // Counted from nothing, or from a start that no task has.
    check(&before, &[], &["VALARM: 1"]);
    let start = format!("DTSTART:20260201T090000Z\n{due}{before}");
    check(&start, &[], &["DTSTART: 1", "VALARM: 1"]);
    check(&alarm("TRIGGER:soon"), &[], &["VALARM: 1"]);
}

#[test]
fn repetitions_as_files_tell_them() {
    let check = |format, text: &str, title: &str, rule: &str, told: &[&str]| {
        let reading = read(format, text).unwrap();
        assert_eq!(reading.refused, [], "{text}");
        let entry = &reading.entries[0];
        let repeat = entry.repeat.as_ref().map(ToString::to_string);
        let read = (entry.title.as_str(), &*repeat.unwrap_or_default());
        assert_eq!(read, (title, rule), "{text}");
        assert_eq!(left_out(&reading), told, "{text}");
    };
    let calendar = |lines: &str| {
        format!("BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\n{lines}\nEND:VTODO\nEND:VCALENDAR")
    };
    let (mondays, daily) = ("FREQ=WEEKLY;BYDAY=MO", "FREQ=DAILY");
    let due = "DUE;VALUE=DATE:20260209\nDTSTART;VALUE=DATE:20260209";
    check(
        Format::Ics,
        &calendar(&format!("{due}\nRRULE:{mondays};WKST=SU")),
        "a",
        mondays,
        &[],
    );
    let start = "DTSTART:20260201T090000Z\nRRULE:FREQ=DAILY";
    check(Format::Ics, &calendar(start), "a", daily, &["DTSTART: 1"]);
    check(
        Format::Ics,
        &calendar("RRULE:FREQ=HOURLY"),
        "a",
        "",
        &["RRULE: 1"],
    );
    for (tag, rule) in [
        ("rec:+2w", "FREQ=WEEKLY;INTERVAL=2"),
        ("rec:1d", daily),
        ("rec:1b", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("rec:FREQ=WEEKLY;BYDAY=MO", mondays),
    ] {
        check(
            Format::Todotxt,
            &format!("a due:2026-02-09 {tag}"),
            "a",
            rule,
            &[],
        );
    }
    check(Format::Todotxt, "a rec:often", "a rec:often", "", &[]);
    let sheet = "title,due,Recurrence\na,2026-02-09,FREQ=DAILY\n";
    check(Format::Csv, sheet, "a", daily, &[]);
    let words = "title,due,repeat\na,2026-02-09,now and then\n";
    check(Format::Csv, words, "a", "", &["repetitions: 1"]);
    let json = r#"[{"title":"a","repeat":"FREQ=DAILY"}]"#;
    check(Format::Json, json, "a", daily, &[]);
    // From a Tuesday it never falls on a Monday.
    let rule = "RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO";
    for (day, kept, told) in [
        ("20260209", "FREQ=DAILY;INTERVAL=7;BYDAY=MO", &[][..]),
        ("20260210", "", &["repetitions: 1"][..]),
    ] {
        let due = format!("DUE;VALUE=DATE:{day}\n{rule}");
        check(Format::Ics, &calendar(&due), "a", kept, told);
    }
}

#[test]
fn times_as_files_tell_them() {
    let check = |format, text: &str, expect: &str, told: &[&str]| {
        let reading = read(format, text).unwrap();
        assert_eq!(reading.refused, [], "{text}");
        let entry = &reading.entries[0];
        let zone = entry.due_time.map(|time| time.zone().name());
        let due = entry.due_date.map(|day| day_and_time(day, entry.due_time));
        let (title, due) = (&entry.title, due.unwrap_or_default());
        let read = format!("{title} | {due} | {}", zone.unwrap_or_default());
        assert_eq!(read, expect, "{text}");
        let mut all = left_out(&reading);
        all.extend(reading.assumed);
        assert_eq!(all, told, "{text}");
    };
    let calendar = |due: &str| {
        format!("BEGIN:VCALENDAR\nBEGIN:VTODO\nSUMMARY:a\n{due}\nEND:VTODO\nEND:VCALENDAR")
    };
    let (berlin, utc) = (
        "a | 2026-02-13 17:00 | Europe/Berlin",
        "a | 2026-02-13 17:00 | UTC",
    );
    let assumed = &["times without a zone are of UTC"][..];
    let json = |more: &str| format!(r#"[{{"title":"a","due_date":"2026-02-13"{more}}}]"#);
    let both = r#","due_time":"17:00","timezone":"Europe/Berlin""#;
    check(Format::Json, &json(both), berlin, &[]);
    check(Format::Json, &json(r#","due_time":"17:00""#), utc, assumed);
    check(
        Format::Json,
        &json(r#","timezone":"PST""#),
        "a | 2026-02-13 | ",
        &[],
    );
    let instant = r#"[{"title":"a","due":"2026-02-13T16:00:00Z","timezone":"Europe/Berlin"}]"#;
    check(Format::Json, instant, berlin, &[]);
    let sheet = "title,due,due time,timezone\na,13/02/2026,5:00 PM,Europe/Berlin\n";
    check(Format::Csv, sheet, berlin, &[]);
    let exact = "title,due\na,2026-02-13 17:00:59\n";
    check(
        Format::Csv,
        exact,
        utc,
        &["seconds of due times: 1", assumed[0]],
    );
    let line = "a due:2026-02-13 time:17:00";
    check(
        Format::Todotxt,
        &format!("{line} tz:Europe/Berlin"),
        berlin,
        &[],
    );
    check(Format::Todotxt, line, utc, assumed);
    check(
        Format::Todotxt,
        "a time:17:00 tz:UTC",
        "a time:17:00 tz:UTC |  | ",
        &[],
    );
    let other = "a time:5pm | 2026-02-13 | ";
    check(Format::Todotxt, "a time:5pm due:2026-02-13", other, &[]);
    for (due, expect, told) in [
        ("DUE;TZID=Europe/Berlin:20260213T170000", berlin, &[][..]),
        ("DUE:20260213T170000Z", utc, &[]),
        ("DUE:20260213T170000", utc, assumed),
        (
            "DUE:20260213T160000Z\nX-CANDOR-TIMEZONE:Europe/Berlin",
            berlin,
            &[],
        ),
        ("DUE:20260213T000000Z", "a | 2026-02-13 | ", &[]),
        (
            "DUE:20260213T000000Z\nX-CANDOR-TIMEZONE:UTC",
            "a | 2026-02-13 00:00 | UTC",
            &[],
        ),
    ] {
        check(Format::Ics, &calendar(due), expect, told);
    }
    let zoned = r#","due_time":"17:00","timezone":"PST""#;
    check(Format::Json, &json(zoned), utc, &["zones: 1", assumed[0]]);
    let ish = read(Format::Json, &json(r#","due_time":"5ish""#))
        .unwrap()
        .refused;
    assert!(
        ish[0].reason.contains("due_time must be a time of day"),
        "{ish:?}"
    );
    let timeless = read(Format::Json, r#"[{"title":"a","due_time":"17:00"}]"#);
    let refused = timeless.unwrap().refused;
    assert!(
        refused[0].reason.contains("needs a due_date"),
        "{refused:?}"
    );
}

#[test]
fn what_is_of_another_format_is_said_to_be() {
    let check = |format, text: &str, words: &str| {
        let error = read(format, text).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    check(Format::Ics, "milk\n", "no BEGIN:VCALENDAR");
    check(Format::Csv, "", "the first line names the columns");
    check(Format::Csv, "(A) milk", "no column \"title\"");
    check(Format::Json, "milk", "not JSON");
    check(Format::Json, "{\"count\":5}", "its tasks under \"tasks\"");
    check(Format::Json, "[{]", "not JSON");
}

#[test]
fn a_file_is_known_again() {
    let ids = |format, text: &str| identity::ids(&read(format, text).unwrap().entries);
    let first = ids(Format::Todotxt, "milk\n2026-02-01 eggs\nmilk\n");
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 3);
    // Done, urgent or due since: still the same. The id of another program does, too.
    let later = ids(
        Format::Todotxt,
        "x 2026-02-08 milk\n(A) 2026-02-01 eggs due:2026-02-09\nmilk",
    );
    assert_eq!(first, later);
    let todo = |summary: &str| {
        format!(
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:7@example.org\nSUMMARY:{summary}\nEND:VTODO\nEND:VCALENDAR"
        )
    };
    assert_eq!(ids(Format::Ics, &todo("a")), ids(Format::Ics, &todo("b")));
    assert_eq!(
        ids(Format::Json, "[{\"id\":7,\"title\":\"a\"}]"),
        ids(Format::Json, "[{\"id\":\"7\",\"title\":\"b\"}]")
    );
    assert_eq!(first[0].uuid().get_version_num(), 8);
}

#[test]
fn a_file_without_instants_keeps_its_order_and_nothing_lies_in_the_future() {
    let titles = |text: &str| {
        let tasks = import(Format::Todotxt, text);
        assert!(tasks.iter().all(|task| task.created_at <= now()));
        let titles = tasks.iter().map(|task| task.title.to_string());
        titles.collect::<Vec<_>>().concat()
    };
    assert_eq!(titles("d\nb\nc\na\n"), "dbca");
    assert_eq!(titles("2026-02-01 d\n2026-02-01 b\n2026-02-01 c\n"), "dbc");
    let later = one(
        Format::Json,
        r#"[{"title":"a","created_at":"2027-01-01T00:00:00Z"}]"#,
    );
    let id = TaskId::new(Uuid::nil());
    assert_eq!(later.task(&user(), id, now(), (0, 1)).created_at, now());
}
