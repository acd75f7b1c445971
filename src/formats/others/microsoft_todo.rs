//! Tasks of Microsoft To Do as Microsoft Graph gives them: `todoTask`, alone, under `value`, or
//! under `tasks` of a `todoTaskList`.
//!
//! A due date is a midnight of its owner: in UTC it is moved to the zone, in a named zone it is
//! the day that stands there.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::draft::{Draft, Drafts, Field, LISTS, REPETITIONS};
use super::super::lines::LineIndex;
use super::super::values::{elements, object, objects, string};
use super::super::{ReadOptions, Reading, Unreadable};
use super::read_each;
use crate::domain::Repeat;

/// Fields that hold lists or tasks.
const WITHIN: [&str; 4] = ["value", "lists", "tasks", "todoTasks"];

/// Fields of which a task has one, beside its title.
const OF_TASKS: [&str; 4] = [
    "bodyLastModifiedDateTime",
    "createdDateTime",
    "dueDateTime",
    "isReminderOn",
];

/// Fields of a task that say nothing of it here.
const SILENT: [&str; 4] = [
    "@odata.etag",
    "bodyLastModifiedDateTime",
    "hasAttachments",
    "parentFolderId",
];

pub(in super::super) fn sniff(text: &str) -> bool {
    objects(text).iter().any(|object| {
        let is_task =
            object.contains_key("title") && OF_TASKS.iter().any(|name| object.contains_key(*name));
        let is_list = object.contains_key("displayName")
            && (object.contains_key("wellknownListName") || object.contains_key("tasks"));
        is_task || is_list
    })
}

pub(in super::super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    read_each(text, options, part)
}

/// A list, lists, or a task.
fn part(value: &RawValue, lines: &LineIndex<'_>, drafts: &mut Drafts) {
    let fields = object(value).unwrap_or_default();
    if let Some(name) = fields.get("displayName").and_then(|name| string(name)) {
        drafts.left_out.each(LISTS, &name);
    } else if !WITHIN.iter().any(|name| fields.contains_key(*name)) {
        return drafts.add_json(value, lines, |task: MicrosoftTask, line, _| {
            Some(task.draft(line))
        });
    }
    let within = WITHIN
        .iter()
        .filter_map(|name| elements(fields.get(*name)?));
    for item in within.flatten() {
        part(item, lines, drafts);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MicrosoftTask {
    id: Option<String>,
    title: String,
    body: Option<Body>,
    status: Option<String>,
    importance: Option<String>,
    due_date_time: Option<ZonedTime>,
    completed_date_time: Option<ZonedTime>,
    created_date_time: Option<String>,
    last_modified_date_time: Option<String>,
    reminder_date_time: Option<Value>,
    recurrence: Option<Value>,
    #[serde(default)]
    is_reminder_on: bool,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Body {
    content: Option<String>,
}

/// `dateTimeTimeZone`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ZonedTime {
    date_time: String,
    #[serde(default)]
    time_zone: String,
}

impl ZonedTime {
    fn is_utc(&self) -> bool {
        let names = ["UTC", "Etc/UTC", "Etc/GMT", "GMT"];
        names.contains(&self.time_zone.as_str())
    }

    /// Its zone, where that has a name of the IANA and is not UTC, in which programs write instants.
    fn zone(&self) -> Option<String> {
        let known = self.time_zone.parse::<chrono_tz::Tz>().is_ok();
        (known && !self.is_utc()).then(|| self.time_zone.clone())
    }

    /// In UTC with its sign; in another zone without one.
    fn text(self) -> String {
        let sign = if self.is_utc() && !self.date_time.ends_with('Z') {
            "Z"
        } else {
            ""
        };
        self.date_time + sign
    }
}

impl MicrosoftTask {
    fn draft(self, line: usize) -> Draft {
        let mut draft = Draft::at(
            line,
            [
                (Field::Id, self.id.map(|id| format!("microsoft-todo {id}"))),
                (Field::Title, Some(self.title)),
                (Field::Description, self.body.and_then(|body| body.content)),
                (Field::Status, self.status),
                (Field::Priority, self.importance),
                (
                    Field::Timezone,
                    self.due_date_time.as_ref().and_then(ZonedTime::zone),
                ),
                (Field::DueDate, self.due_date_time.map(ZonedTime::text)),
                (
                    Field::CompletedAt,
                    self.completed_date_time.map(ZonedTime::text),
                ),
                (Field::CreatedAt, self.created_date_time),
                (Field::UpdatedAt, self.last_modified_date_time),
            ],
        );
        if let Some(recurrence) = self.recurrence {
            match rule(&recurrence) {
                Some(rule) => draft.set(Field::Repeat, rule),
                None => draft.left_out.count(REPETITIONS, 1),
            }
        }
        let reminded = self.is_reminder_on && self.reminder_date_time.is_some();
        draft.left_out.count("reminders", usize::from(reminded));
        draft.leave_all(&self.rest, &SILENT);
        draft
    }
}

/// The RRULE that a `patternedRecurrence` is, as far as it can be one.
fn rule(recurrence: &Value) -> Option<String> {
    let (pattern, range) = (recurrence.get("pattern")?, recurrence.get("range"));
    let word = |of: &Value, name: &str| Some(of.get(name)?.as_str()?.to_owned());
    let number = |name: &str| pattern.get(name).and_then(Value::as_i64).filter(|n| *n > 0);
    let nth = match word(pattern, "index").as_deref() {
        Some("second") => "2",
        Some("third") => "3",
        Some("fourth") => "4",
        Some("last") => "-1",
        _ => "1",
    };
    let days = |nth: &str| {
        let days = pattern.get("daysOfWeek")?.as_array()?.iter();
        let code = |day: &Value| Some(day.as_str()?.get(..2)?.to_ascii_uppercase());
        let codes: Option<Vec<String>> = days.map(code).collect();
        let codes = codes?.into_iter().map(|code| format!("{nth}{code}"));
        Some(codes.collect::<Vec<_>>().join(","))
    };
    let mut rule = match word(pattern, "type")?.as_str() {
        "daily" => "FREQ=DAILY".to_owned(),
        "weekly" => format!("FREQ=WEEKLY;BYDAY={}", days("")?),
        "absoluteMonthly" => format!("FREQ=MONTHLY;BYMONTHDAY={}", number("dayOfMonth")?),
        "relativeMonthly" => format!("FREQ=MONTHLY;BYDAY={}", days(nth)?),
        "absoluteYearly" => format!(
            "FREQ=YEARLY;BYMONTH={};BYMONTHDAY={}",
            number("month")?,
            number("dayOfMonth")?
        ),
        "relativeYearly" => format!(
            "FREQ=YEARLY;BYMONTH={};BYDAY={}",
            number("month")?,
            days(nth)?
        ),
        _ => return None,
    };
    rule.push_str(&format!(";INTERVAL={}", number("interval").unwrap_or(1)));
    let ends = range.and_then(|range| Some((word(range, "type")?, range)));
    match ends {
        Some((kind, range)) if kind == "endDate" => {
            let day = word(range, "endDate")?.replace('-', "");
            rule.push_str(&format!(";UNTIL={day}"));
        }
        Some((kind, range)) if kind == "numbered" => {
            let count = range.get("numberOfOccurrences")?.as_i64()?;
            rule.push_str(&format!(";COUNT={count}"));
        }
        _ => {}
    }
    Repeat::parse(&rule).ok().map(|rule| rule.to_string())
}
