//! Files that other programs write, as they write them: what is read, and what is told as left out.

use candor::domain::{DueTime, day_and_time};
use candor::formats::{DayOrder, Format, Layout, ReadOptions, Reading, decode, identity};
use chrono_tz::Tz;

use crate::lists::options;

/// Every file, by the layout that it must be recognised as.
pub const FILES: [(&str, &[u8]); 7] = [
    ("vikunja", include_bytes!("files/vikunja.json")),
    ("todoist", include_bytes!("files/todoist.csv")),
    ("ticktick", include_bytes!("files/ticktick.csv")),
    ("outlook", include_bytes!("files/outlook.csv")),
    ("google-tasks", include_bytes!("files/google-tasks.json")),
    (
        "microsoft-todo",
        include_bytes!("files/microsoft-todo.json"),
    ),
    ("json", include_bytes!("files/origin.json")),
];

fn text(name: &str) -> String {
    let (_, bytes) = FILES.iter().find(|(file, _)| *file == name).unwrap();
    decode(bytes, None).unwrap().text
}

fn read(name: &str, options: &ReadOptions) -> Reading {
    let text = text(name);
    let layout = Layout::recognise(&text, None).unwrap();
    assert_eq!(layout.name, name);
    layout.read(&text, options).unwrap()
}

/// Line, title, priority, due date, state and note of each task.
fn tasks(reading: &Reading) -> Vec<String> {
    let entries = reading.entries.iter().map(|entry| {
        let day = entry.due_date.map(|day| day_and_time(day, entry.due_time));
        let mark = if entry.completed { "x" } else { "-" };
        let note = entry.description.clone().unwrap_or_default();
        let (line, title, priority) = (entry.line, &entry.title, entry.priority);
        let day = day.unwrap_or_default();
        format!("{line} {mark} {title} | {priority} | {day} | {note}")
    });
    entries.collect()
}

/// Kinds of what was left out, with their numbers and names.
fn left_out(reading: &Reading) -> Vec<String> {
    let kinds = reading.left_out.kinds().into_iter().map(|kind| {
        let names = kind.names.join(", ");
        format!("{} {} {names}", kind.count, kind.kind)
            .trim()
            .to_owned()
    });
    kinds.collect()
}

fn berlin() -> ReadOptions {
    ReadOptions {
        zone: Tz::Europe__Berlin,
        ..options()
    }
}

#[test]
fn vikunja() {
    let reading = read("vikunja", &options());
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "5 - Descale the kettle | high | 2026-12-01 12:00 | With vinegar",
            "6 x Café: pay the bill | medium |  | ",
            "10 - Rake leaves | low | 2026-12-02 | ",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [
            "1 buckets Doing",
            "1 comments",
            "1 finer priorities",
            "2 labels",
            "3 projects Garden, Household, Someday",
            "1 reminders",
        ]
    );
    // Before 0.21 there were namespaces of lists.
    let old =
        r#"[{"title":"Home","lists":[{"title":"Kitchen","tasks":[{"id":1,"title":"Mop"}]}]}]"#;
    let layout = Layout::recognise(old, None).unwrap();
    let reading = layout.read(old, &options()).unwrap();
    assert_eq!(layout.name, "vikunja");
    assert_eq!(tasks(&reading), ["1 - Mop | medium |  | "]);
    assert_eq!(left_out(&reading), ["2 projects Home, Kitchen"]);
}

#[test]
fn todoist() {
    let reading = read("todoist", &options());
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "3 - File the taxes | high | 2026-12-01 | With the form\n\nAsk Bob, he knows",
            "5 - Find the receipts | low | 2026-12-09 | ",
            "8 - Buy stamps @town | medium | 2026-12-12 17:30 | ",
            "9 - Water the plants | low |  | ",
        ]
    );
    assert_eq!(reading.entries[2].assignee.as_deref(), Some("Bob (2)"));
    let repeat = reading.entries[3].repeat.as_ref().map(ToString::to_string);
    assert_eq!(repeat.as_deref(), Some("FREQ=WEEKLY;BYDAY=MO"));
    let zone = reading.entries[2].due_time.map(DueTime::zone);
    assert_eq!(zone, Some(Tz::Europe__Berlin));
    assert_eq!(
        left_out(&reading),
        [
            "1 DURATION",
            "1 deadlines",
            "1 finer priorities",
            "1 places under another task",
            "1 sections Errands",
        ]
    );
    let assumed: Vec<_> = reading.assumed.into_iter().collect();
    assert_eq!(assumed, ["dates without a year are of 2026"]);
}

#[test]
fn ticktick() {
    let reading = read("ticktick", &options());
    // The due date is an instant of Berlin, and the text has a line break.
    assert_eq!(
        tasks(&reading),
        [
            "8 - Write the summary | high | 2026-12-02 | Two pages,\nno more",
            "10 - Ask for figures | low |  | ",
            "11 x Renew the pass | medium |  | ",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [
            "1 Tags",
            "1 folders Work",
            "2 lists Inbox, Reports",
            "1 places under another task",
            "1 repetitions FREQ=YEARLY",
        ]
    );
    let refused = &reading.refused[0];
    assert_eq!((refused.line, &*refused.text), (12, "Learn the harp"));
    assert!(refused.reason.contains("won't do"), "{refused:?}");
    let done = reading.entries[2].completed_at.unwrap();
    assert_eq!(done.at.to_rfc3339(), "2025-11-25T10:39:31+00:00");
}

/// The rule of the one task of a file, or what is told as left out.
#[track_caller]
fn repeat(text: &str) -> String {
    let layout = Layout::recognise(text, None).unwrap();
    let reading = layout.read(text, &options()).unwrap();
    match &reading.entries[0].repeat {
        Some(rule) => rule.to_string(),
        None => left_out(&reading).join(", "),
    }
}

#[test]
fn repetitions_of_other_programs() {
    let todoist = |date: &str, lang: &str| {
        let columns = "TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG";
        repeat(&format!("{columns}\ntask,a,4,1,{date},{lang}\n"))
    };
    assert_eq!(todoist("every 2 weeks", "en"), "FREQ=WEEKLY;INTERVAL=2");
    assert_eq!(todoist("jeden Montag", "de"), "FREQ=WEEKLY;BYDAY=MO");
    assert_eq!(
        todoist("every! Monday", "en"),
        "1 due dates in words every! Monday"
    );
    let ticktick = |rule: &str| {
        let columns = "List Name,Title,Status,Created Time,Due Date,Repeat";
        repeat(&format!("{columns}\n,a,0,,2026-12-01,\"{rule}\"\n"))
    };
    assert_eq!(
        ticktick("RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=SU"),
        "FREQ=WEEKLY;BYDAY=SU"
    );
    assert_eq!(ticktick("FREQ=HOURLY"), "1 repetitions FREQ=HOURLY");
    let vikunja = |after: i64, mode: i64| {
        let task = format!(r#"{{"title":"a","repeat_after":{after},"repeat_mode":{mode}}}"#);
        repeat(&format!(
            r#"[{{"title":"p","parent_project_id":0,"tasks":[{task}],"buckets":[]}}]"#
        ))
    };
    assert_eq!(vikunja(86_400, 0), "FREQ=DAILY");
    assert_eq!(vikunja(1_209_600, 0), "FREQ=DAILY;INTERVAL=14");
    assert_eq!(vikunja(0, 1), "FREQ=MONTHLY");
    for (after, mode) in [(3600, 0), (86_400, 2)] {
        assert_eq!(vikunja(after, mode), "1 projects p, 1 repetitions");
    }
    let microsoft = |recurrence: &str| {
        repeat(&format!(
            r#"{{"title":"a","isReminderOn":false,"recurrence":{{{recurrence}}}}}"#
        ))
    };
    let pattern = r#""pattern":{"type":"weekly","interval":2,"daysOfWeek":["monday","friday"]}"#;
    assert_eq!(microsoft(pattern), "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR");
    let last = r#""pattern":{"type":"relativeMonthly","interval":1,"daysOfWeek":["friday"],"index":"last"}"#;
    assert_eq!(microsoft(last), "FREQ=MONTHLY;BYDAY=-1FR");
    let yearly = r#""pattern":{"type":"absoluteYearly","interval":1,"dayOfMonth":3,"month":3},
        "range":{"type":"numbered","numberOfOccurrences":4}"#;
    assert_eq!(
        microsoft(yearly),
        "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3;COUNT=4"
    );
    let odd = r#""pattern":{"type":"lunar"}"#;
    assert_eq!(microsoft(odd), "1 repetitions");
}

#[test]
fn outlook() {
    // 12/24/2026 shows that months come first.
    let reading = read("outlook", &options());
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "2 - Order toner | high | 2026-12-01 | For the café",
            "3 x Book a room | medium | 2026-12-24 | ",
            "4 - Call the plumber | low |  | ",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [
            "1 Categories",
            "1 Start Date",
            "1 other states",
            "1 reminders"
        ]
    );
    let assumed: Vec<_> = reading.assumed.into_iter().collect();
    assert_eq!(assumed, ["dates are month-first, as 12/24/2026 shows"]);
}

#[test]
fn google_tasks() {
    // A due date is a day wherever one is.
    let new_york = ReadOptions {
        zone: Tz::America__New_York,
        ..options()
    };
    let reading = read("google-tasks", &new_york);
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "9 - Return the books | medium | 2026-12-01 | Three of them",
            "20 x The one on birds | medium |  | ",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [
            "2 lists Empty list, My Tasks",
            "1 places under another task",
            "1 starred",
        ]
    );
}

#[test]
fn microsoft_todo() {
    // Midnight of Berlin, told in UTC.
    let reading = read("microsoft-todo", &berlin());
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "5 - Order the cake | high | 2026-12-01 | Two tiers",
            "13 x Send the cards | medium |  | ",
        ]
    );
    assert_eq!(
        left_out(&reading),
        [
            "1 categories",
            "2 checklistItems",
            "1 lists Groceries",
            "1 reminders",
        ]
    );
    // As Graph answers for one list.
    let page = r#"{"@odata.context":"x","value":[{"id":"1","title":"Mop","status":"inProgress",
        "importance":"low","isReminderOn":false,
        "dueDateTime":{"dateTime":"2026-12-01T00:00:00.0000000","timeZone":"W. Europe Standard Time"}}]}"#;
    let layout = Layout::recognise(page, None).unwrap();
    let reading = layout.read(page, &options()).unwrap();
    assert_eq!(layout.name, "microsoft-todo");
    assert_eq!(tasks(&reading), ["1 - Mop | low | 2026-12-01 | "]);
    assert_eq!(left_out(&reading), ["1 other states"]);
}

#[test]
fn the_json_of_the_system_that_this_replaces() {
    let reading = read("json", &options());
    assert!(reading.refused.is_empty(), "{:?}", reading.refused);
    assert_eq!(
        tasks(&reading),
        [
            "2 - Read book | high | 2026-12-01 | ",
            "3 x Team meeting | medium |  | Room 4",
        ]
    );
    assert!(reading.left_out.is_empty(), "{:?}", left_out(&reading));
    let made = reading.entries[0].created_at.unwrap();
    assert_eq!(made.at.to_rfc3339(), "2026-02-08T10:00:00.123456+00:00");
}

#[test]
fn a_done_task_is_completed_whatever_its_field_is_called() {
    let check = |text: &str, expect: &[&str]| {
        let layout = Layout::recognise(text, Some(Format::Json)).unwrap();
        let reading = layout.read(text, &options()).unwrap();
        assert_eq!(tasks(&reading), expect, "{text}");
        assert!(reading.left_out.is_empty(), "{:?}", left_out(&reading));
    };
    let milk = ["1 x milk | medium |  | "];
    check(r#"[{"title":"milk","done":true}]"#, &milk);
    check(r#"{"title":"milk","done":true}"#, &milk);
    check(r#"[{"title":"milk","completed":true}]"#, &milk);
    check(r#"[{"title":"milk","isDone":true}]"#, &milk);
    check(r#"[{"text":"milk","done":1}]"#, &milk);
    check(
        r#"{"data":{"tasks":[{"title":"milk","status":"done"}]}}"#,
        &milk,
    );
    check("{\"title\":\"milk\",\"done\":true}\n", &milk);
    check(
        "{\"title\":\"milk\",\"done\":false}\n{\"title\":\"eggs\",\"dueDate\":\"2026-02-09\"}\n",
        &[
            "1 - milk | medium |  | ",
            "2 - eggs | medium | 2026-02-09 | ",
        ],
    );
    // What it holds beside its tasks is told.
    let text = r#"{"tasks":[{"title":"milk","subtasks":[{"title":"a"},{"title":"b"}],"tags":[]}],
        "projects":[{"name":"Home"}],"total":1}"#;
    let reading = Layout::of(Format::Json, text)
        .read(text, &options())
        .unwrap();
    assert_eq!(left_out(&reading), ["1 projects", "2 subtasks"]);
}

#[test]
fn a_date_of_two_readings_is_refused_by_name_unless_somebody_says() {
    let sheet = "title;due\nmilk;10/02/2026\neggs;2026-02-09\n";
    let layout = Layout::recognise(sheet, None).unwrap();
    assert_eq!(layout.name, "csv");
    let reading = layout.read(sheet, &options()).unwrap();
    assert_eq!(tasks(&reading), ["3 - eggs | medium | 2026-02-09 | "]);
    let reason = &reading.refused[0].reason;
    assert!(reason.contains("10 February or 2 October"), "{reason}");
    let said = |day_order| {
        let options = ReadOptions {
            day_order: Some(day_order),
            ..options()
        };
        tasks(&layout.read(sheet, &options).unwrap())[0].clone()
    };
    let day_first = said(DayOrder::DayFirst);
    assert_eq!(day_first, "2 - milk | medium | 2026-02-10 | ");
    let month_first = said(DayOrder::MonthFirst);
    assert_eq!(month_first, "2 - milk | medium | 2026-10-02 | ");
    // Another date of the file tells.
    let shown = format!("{sheet}ham;25/12/2026\n");
    let reading = layout.read(&shown, &options()).unwrap();
    assert_eq!(tasks(&reading)[0], day_first);
    assert!(
        reading
            .assumed
            .contains("dates are day-first, as 25/12/2026 shows")
    );
    // Dates that contradict each other tell nothing.
    let both = format!("{shown}fig;12/25/2026\n");
    let reading = layout.read(&both, &options()).unwrap();
    assert_eq!((reading.entries.len(), reading.refused.len()), (3, 1));
}

#[test]
fn todo_txt_tells_finer_priorities_and_has_no_letter_for_the_usual_one() {
    let text = "(A) a\n(B) b\n(C) c\n(D) d\nx 2026-02-08 e pri:Z\nf\n";
    let reading = Layout::recognise(text, Some(Format::Todotxt)).unwrap();
    let reading = reading.read(text, &options()).unwrap();
    assert_eq!(reading.entries.len(), 6);
    assert_eq!(left_out(&reading), ["2 finer priorities"]);
}

#[test]
fn calendars_tell_what_they_hold_beside_tasks() {
    let text = "BEGIN:VCALENDAR\nX-WR-CALNAME:Home\nBEGIN:VTODO\nUID:a\nSUMMARY:milk\nPRIORITY:3\n\
                STATUS:IN-PROCESS\nPERCENT-COMPLETE:50\nCLASS:PUBLIC\nDUE:20260209T233000Z\n\
                CATEGORIES:a\nCATEGORIES:b\nEND:VTODO\nEND:VCALENDAR\n";
    let layout = Layout::recognise(text, None).unwrap();
    let reading = layout.read(text, &berlin()).unwrap();
    assert_eq!(tasks(&reading), ["3 - milk | high | 2026-02-10 00:30 | "]);
    assert_eq!(
        left_out(&reading),
        [
            "2 CATEGORIES",
            "1 PERCENT-COMPLETE",
            "1 finer priorities",
            "1 lists Home",
            "1 other states",
        ]
    );
}

#[test]
fn one_id_of_two_programs_is_two_tasks_and_the_same_file_is_known() {
    let ids = |name: &str| identity::ids(&read(name, &options()).entries);
    for (name, _) in FILES {
        assert_eq!(ids(name), ids(name), "{name}");
    }
    let json = r#"[{"id":"11","title":"Descale the kettle"}]"#;
    let own = Layout::of(Format::Json, json)
        .read(json, &options())
        .unwrap();
    assert!(!ids("vikunja").contains(&identity::ids(&own.entries)[0]));
}

#[test]
fn a_name_overrides_what_a_text_looks_like() {
    let text = text("todoist");
    // The word of a format lets the text tell; that of another layout does not.
    assert_eq!(Layout::named("csv", &text).unwrap().name, "todoist");
    let outlook = Layout::named("outlook", &text).unwrap();
    assert_eq!(outlook.name, "outlook");
    assert!(outlook.read(&text, &options()).unwrap().entries.is_empty());
    assert!(Layout::named("excel", &text).is_none());
    // Any text may be todo.txt; only a name says so.
    assert!(Layout::recognise("milk\neggs\n", None).is_none());
    let named = Layout::recognise("milk, eggs\nham\n", Some(Format::Todotxt));
    assert_eq!(named.unwrap().name, "todotxt");
}
