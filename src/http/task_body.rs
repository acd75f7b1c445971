//! Bodies of `POST` and `PATCH` on tasks, from JSON to values the store takes.
//!
//! `PATCH` is three-state: a field that is absent stays, `null` clears, a value replaces. A due date
//! may be a timestamp: its day in the request's zone counts.

use chrono::NaiveDate;
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::code::Code;
use super::openapi::limits;
use super::problem::Problem;
use crate::chat::direct::{ChangeRequest, TaskRequest};
use crate::domain::{
    DESCRIPTION_MAX, DueTime, Priority, Repeat, Title, parse_due_date, parse_time_of_day,
};
use crate::store::{NewTask, TaskPatch};

/// The longest words for a reminder's time, in characters.
pub(super) const REMIND_MAX: usize = 100;

/// `POST /api/{user_id}/tasks`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTaskBody {
    /// 1 to 255 characters after trimming, on one line.
    #[schema(schema_with = limits::title)]
    title: String,
    /// A note; an empty one is none.
    #[schema(schema_with = limits::description, required = false)]
    description: Option<String>,
    /// `low`, `medium` or `high`; `medium` when nothing is said.
    #[schema(schema_with = limits::priority::<true>, required = false)]
    priority: Option<String>,
    /// A day that is not past, within the due-date rule.
    #[schema(schema_with = limits::due_date, required = false)]
    due_date: Option<String>,
    /// A time of the due day, `HH:MM` of 24 hours.
    #[schema(schema_with = limits::due_time, required = false)]
    due_time: Option<String>,
    /// A rule by which it repeats, as RRULE (RFC 5545) without DTSTART; it gives the due date where
    /// there is none.
    #[schema(schema_with = limits::repeat, required = false)]
    repeat: Option<String>,
    /// A time to be reminded at.
    #[schema(schema_with = limits::remind, required = false)]
    remind: Option<String>,
    /// The zone of "today", of `due_time` and `remind`, and in which a timestamp's day is read.
    #[schema(schema_with = limits::timezone, required = false)]
    pub(super) timezone: Option<String>,
    /// `pending` or `completed`.
    #[schema(schema_with = limits::status::<true>, required = false)]
    status: Option<String>,
    /// The same as `status`; together they must agree.
    is_completed: Option<bool>,
}

/// `PATCH /api/{user_id}/tasks/{task_id}`.
#[derive(Debug, Default, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchBody {
    /// The new title; it can't be cleared.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::title, required = false)]
    title: Option<Option<String>>,
    /// The new note; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::description, required = false)]
    description: Option<Option<String>>,
    /// `low`, `medium` or `high`.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::priority::<false>, required = false)]
    priority: Option<Option<String>>,
    /// A day that is not past, within the due-date rule; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::due_date, required = false)]
    due_date: Option<Option<String>>,
    /// A time of the due day, `HH:MM` of 24 hours; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::due_time, required = false)]
    due_time: Option<Option<String>>,
    /// A rule by which it repeats, as RRULE (RFC 5545) without DTSTART; it gives the due date where
    /// there is none. Null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::repeat, required = false)]
    repeat: Option<Option<String>>,
    /// A time to be reminded at; null takes the reminder that waits back.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::remind, required = false)]
    remind: Option<Option<String>>,
    /// The zone of "today", of `due_time` and `remind`, and in which a timestamp's day is read.
    #[schema(schema_with = limits::timezone, required = false)]
    pub(super) timezone: Option<String>,
    /// `pending` or `completed`.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::status::<false>, required = false)]
    status: Option<Option<String>>,
    /// The same as `status`; together they must agree.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = bool, required = false)]
    is_completed: Option<Option<bool>>,
    /// Assignee that works on it: 1 to 255 characters after trimming, on one line; null clears it.
    #[serde(default, deserialize_with = "present")]
    #[schema(schema_with = limits::assignee, required = false)]
    assignee: Option<Option<String>>,
}

impl NewTaskBody {
    /// The task to add; its time is one of `zone`, in which a timestamp's day is read too.
    ///
    /// # Errors
    /// 422 that names the field, the rule and the cure.
    pub fn into_task(self, zone: Tz) -> Result<TaskRequest, Problem> {
        let completed = completed(self.status.as_deref(), self.is_completed)?;
        let task = NewTask {
            title: title(&self.title)?,
            description: read(self.description, description)?.flatten(),
            priority: read(self.priority, |text| priority(&text))?.unwrap_or_default(),
            due_date: read(self.due_date, |text| due_date(&text, zone))?,
            due_time: read(self.due_time, |text| due_time(&text, zone))?,
            repeat: read(self.repeat, |text| repeat(&text))?,
            remind: None,
        };
        Ok(TaskRequest {
            task,
            completed: completed.unwrap_or(false),
            remind: read(self.remind, remind)?,
        })
    }
}

impl PatchBody {
    /// The new values; a time is one of `zone`, in which a timestamp's day is read too.
    ///
    /// # Errors
    /// 422 that names the field, the rule and the cure.
    pub fn into_change(self, zone: Tz) -> Result<ChangeRequest, Problem> {
        let status = required("status", self.status)?;
        let is_completed = required("is_completed", self.is_completed)?;
        let remind = cleared(self.remind, remind)?;
        let patch = TaskPatch {
            title: read(required("title", self.title)?, |text| title(&text))?,
            description: cleared(self.description, description)?.map(Option::flatten),
            priority: read(required("priority", self.priority)?, |text| priority(&text))?,
            due_date: cleared(self.due_date, |text| due_date(&text, zone))?,
            due_time: cleared(self.due_time, |text| due_time(&text, zone))?,
            repeat: cleared(self.repeat, |text| repeat(&text))?,
            completed: completed(status.as_deref(), is_completed)?,
            assignee: cleared(self.assignee, |text| assignee(&text))?,
            remind: None,
        };
        Ok(ChangeRequest { patch, remind })
    }
}

/// Tells a field that is `null` from one that is absent.
fn present<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

/// A field that may be left out and can't be cleared.
fn required<T>(field: &str, value: Option<Option<T>>) -> Result<Option<T>, Problem> {
    match value {
        None => Ok(None),
        Some(Some(value)) => Ok(Some(value)),
        Some(None) => Err(invalid(format!(
            "{field} can't be null: a task always has one. Leave the field out to keep it."
        ))),
    }
}

/// A field that may be left out, cleared or replaced.
fn cleared<T, U>(
    value: Option<Option<T>>,
    parse: impl FnOnce(T) -> Result<U, Problem>,
) -> Result<Option<Option<U>>, Problem> {
    read(value, |inner| read(inner, parse))
}

/// A field that may be left out.
fn read<T, U>(
    value: Option<T>,
    parse: impl FnOnce(T) -> Result<U, Problem>,
) -> Result<Option<U>, Problem> {
    value.map(parse).transpose()
}

fn title(text: &str) -> Result<Title, Problem> {
    Title::parse(text).map_err(|error| invalid(format!("{error}.")))
}

/// An empty note is no note.
fn description(text: String) -> Result<Option<String>, Problem> {
    let length = text.chars().count();
    if length > DESCRIPTION_MAX {
        return Err(invalid(format!(
            "description is too long: {length} characters, at most {DESCRIPTION_MAX} are kept."
        )));
    }
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.chars().any(control) {
        return Err(invalid(
            "description must not hold control characters but tab and line break.",
        ));
    }
    Ok((!text.is_empty()).then_some(text))
}

fn priority(text: &str) -> Result<Priority, Problem> {
    let fault = || {
        invalid(format!(
            "priority must be low, medium or high, not {}.",
            cut(text)
        ))
    };
    Priority::parse(text).ok_or_else(fault)
}

fn due_date(text: &str, zone: Tz) -> Result<NaiveDate, Problem> {
    parse_due_date(text, zone).ok_or_else(|| {
        let text = cut(text);
        invalid(format!(
            "due_date must be a day such as \"2026-02-08\", a timestamp such as \
             \"2026-02-08T00:00:00.000Z\" or null, not {text}."
        ))
    })
}

fn due_time(text: &str, zone: Tz) -> Result<DueTime, Problem> {
    let time = parse_time_of_day(text).ok_or_else(|| {
        let text = cut(text);
        invalid(format!(
            "due_time must be a time of 24 hours such as \"17:00\", or null, not {text}. Write HH:MM."
        ))
    })?;
    Ok(DueTime::new(time, zone))
}

fn repeat(text: &str) -> Result<Repeat, Problem> {
    Repeat::parse(text).map_err(|fault| invalid(format!("repeat {} {fault}.", cut(text))))
}

/// The words of a reminder's time; the time itself is read when it is known how late it is.
fn remind(text: String) -> Result<String, Problem> {
    match text.chars().count() <= REMIND_MAX {
        true => Ok(text),
        false => Err(invalid(format!(
            "remind must be a time in at most {REMIND_MAX} characters."
        ))),
    }
}

fn assignee(text: &str) -> Result<String, Problem> {
    let trimmed = text.trim();
    let fits = (1..=255).contains(&trimmed.chars().count());
    if !fits || trimmed.chars().any(char::is_control) {
        return Err(invalid(
            "assignee must be 1 to 255 characters on one line, or null.",
        ));
    }
    Ok(trimmed.to_owned())
}

/// `status` and `is_completed` say the same; together they must not contradict each other.
fn completed(status: Option<&str>, flag: Option<bool>) -> Result<Option<bool>, Problem> {
    let said = match status {
        None => None,
        Some("pending") => Some(false),
        Some("completed") => Some(true),
        Some(other) => {
            let other = cut(other);
            return Err(invalid(format!(
                "status must be pending or completed, not {other}."
            )));
        }
    };
    match (said, flag) {
        (Some(said), Some(flag)) if said != flag => Err(invalid(
            "status and is_completed contradict each other. Send one of them.",
        )),
        _ => Ok(said.or(flag)),
    }
}

fn invalid(detail: impl Into<String>) -> Problem {
    Problem::new(Code::InvalidTask, detail)
}

/// A value quoted in an answer: escaped, and cut.
fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(40).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(body: &str) -> Result<TaskPatch, Problem> {
        serde_json::from_str::<PatchBody>(body)
            .unwrap()
            .into_change(Tz::UTC)
            .map(|change| change.patch)
    }

    #[test]
    fn three_states() {
        let check = |body: &str, set: &dyn Fn(&mut TaskPatch)| {
            let mut expect = TaskPatch::default();
            set(&mut expect);
            assert_eq!(patch(body), Ok(expect), "{body}");
        };
        let day = NaiveDate::from_ymd_opt(2026, 2, 9);
        let time = DueTime::parse("17:00", "UTC").unwrap();
        let rule = Repeat::parse("FREQ=DAILY").unwrap();
        let note = || Some("a\nb".to_owned());
        check("{}", &|_| {});
        check(r#"{"due_date":null}"#, &|it| it.due_date = Some(None));
        let body = r#"{"due_date":"2026-02-09"}"#;
        check(body, &|it| it.due_date = Some(day));
        let body = r#"{"due_date":"2026-02-09T23:00:00.000Z","timezone":null}"#;
        check(body, &|it| it.due_date = Some(day));
        let body = r#"{"due_time":"17:00"}"#;
        check(body, &|it| it.due_time = Some(Some(time)));
        check(r#"{"due_time":null}"#, &|it| it.due_time = Some(None));
        let body = r#"{"repeat":"FREQ=DAILY"}"#;
        check(body, &|it| it.repeat = Some(Some(rule.clone())));
        check(r#"{"repeat":null}"#, &|it| it.repeat = Some(None));
        for body in [r#"{"description":null}"#, r#"{"description":""}"#] {
            check(body, &|it| it.description = Some(None));
        }
        let body = r#"{"description":"a\nb"}"#;
        check(body, &|it| it.description = Some(note()));
        check(r#"{"assignee":null}"#, &|it| it.assignee = Some(None));
        check(r#"{"title":" Milk ","priority":"high"}"#, &|it| {
            it.title = Some(Title::parse("Milk").unwrap());
            it.priority = Some(Priority::High);
        });
        for body in [r#"{"status":"completed"}"#, r#"{"is_completed":true}"#] {
            check(body, &|it| it.completed = Some(true));
        }
        let body = r#"{"is_completed":false,"status":"pending"}"#;
        check(body, &|it| it.completed = Some(false));
    }

    #[test]
    fn faults_name_the_field() {
        let check = |body: &str, detail: &str| {
            let problem = patch(body).unwrap_err();
            assert_eq!(problem.code, Code::InvalidTask);
            assert!(problem.detail.contains(detail), "{body}: {problem}");
        };
        check(r#"{"title":null}"#, "title can't be null");
        check(r#"{"title":"  "}"#, "Title cannot be empty");
        check(r#"{"title":"a\nb"}"#, "one line");
        check(r#"{"priority":null}"#, "priority can't be null");
        check(
            r#"{"priority":"urgent"}"#,
            "low, medium or high, not \"urgent\"",
        );
        check(r#"{"due_date":"2026-02-30"}"#, "due_date must be a day");
        check(r#"{"due_date":"2026-2-8"}"#, "due_date must be a day");
        check(r#"{"due_date":"tomorrow"}"#, "not \"tomorrow\"");
        for time in ["5pm", "25:00", "7:05", "17:00:00", ""] {
            let body = format!(r#"{{"due_time":"{time}"}}"#);
            check(&body, "due_time must be a time of 24 hours");
        }
        check(r#"{"repeat":"every monday"}"#, "write NAME=VALUE");
        check(r#"{"repeat":"FREQ=HOURLY"}"#, "DAILY, WEEKLY");
        let remind = format!(r#"{{"remind":"{}"}}"#, "x".repeat(101));
        check(&remind, "in at most 100 characters");
        check(r#"{"status":"done"}"#, "pending or completed");
        check(r#"{"status":null}"#, "status can't be null");
        check(r#"{"is_completed":null}"#, "is_completed can't be null");
        check(r#"{"status":"pending","is_completed":true}"#, "contradict");
        check(r#"{"assignee":"  "}"#, "assignee must be");
        check(
            &format!(r#"{{"title":"{}"}}"#, "x".repeat(256)),
            "256 characters",
        );
        check(
            &format!(r#"{{"description":"{}"}}"#, "x".repeat(10_001)),
            "10001 characters",
        );
        check(r#"{"description":"a\u0000"}"#, "control characters");
    }

    #[test]
    fn unknown_fields_and_doubled_ones_are_refused() {
        for body in [
            r#"{"titel":"x"}"#,
            r#"{"title":"a","title":"b"}"#,
            r#"{"user_id":"me"}"#,
        ] {
            assert!(serde_json::from_str::<PatchBody>(body).is_err(), "{body}");
        }
    }

    #[test]
    fn a_new_task_needs_a_title_and_has_defaults() {
        let new = |body: &str| {
            serde_json::from_str::<NewTaskBody>(body)
                .unwrap()
                .into_task(Tz::UTC)
        };
        let TaskRequest {
            task, completed, ..
        } = new(r#"{"title":"Milk","due_date":null}"#).unwrap();
        assert_eq!(
            (task.title.as_str(), task.priority, completed),
            ("Milk", Priority::Medium, false)
        );
        assert!(
            new(r#"{"title":"Milk","status":"completed"}"#)
                .unwrap()
                .completed
        );
        assert!(
            new(r#"{"title":""}"#)
                .unwrap_err()
                .detail
                .contains("Title cannot be empty")
        );
        assert!(serde_json::from_str::<NewTaskBody>("{}").is_err());
    }
}
