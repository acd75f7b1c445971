//! One task as a file says it, and the rules that its values keep in whatever format.

use chrono::{
    DateTime, Datelike, NaiveDate, NaiveTime, SecondsFormat, SubsecRound, TimeDelta, Utc,
};
use chrono_tz::Tz;

use crate::domain::{
    DESCRIPTION_MAX, DueTime, Priority, Reminders, Repeat, Status, Task, TaskId, Title, UserId,
};

/// The longest name of who works on a task, in characters.
const ASSIGNEE_MAX: usize = 255;

/// Key that a file knows a task by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// A UUID: it becomes, or is, the task's own id.
    Id(TaskId),
    /// A name of another kind.
    Name(String),
    /// Nothing but what the line says.
    Words,
}

impl Key {
    /// Understands a file's own id of a task; an empty one is none.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim();
        match text.parse() {
            Ok(id) if text.len() == 36 => Self::Id(id),
            _ if text.is_empty() => Self::Words,
            _ => Self::Name(text.to_owned()),
        }
    }
}

/// An instant, as exactly as the file tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// Its beginning: midnight (UTC) for a day.
    pub at: DateTime<Utc>,
    /// Told to the microsecond; else instants that are told alike keep the file's order.
    pub exact: bool,
}

/// One task, as a file says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The line it begins at, counted from 1.
    pub line: usize,
    /// The file's own key.
    pub key: Key,
    /// Its title.
    pub title: Title,
    /// A note.
    pub description: Option<String>,
    /// Its priority.
    pub priority: Priority,
    /// Its due date; a past day stays.
    pub due_date: Option<NaiveDate>,
    /// Time of that day.
    pub due_time: Option<DueTime>,
    /// Rule by which it repeats.
    pub repeat: Option<Repeat>,
    /// Times to be reminded of it at, each with its zone.
    pub reminders: Vec<(DateTime<Utc>, Tz)>,
    /// Set where the file tells no zone of that time: it is read in the reader's own.
    pub floating: bool,
    /// Its assignee.
    pub assignee: Option<String>,
    /// True when it is done.
    pub completed: bool,
    /// Since when it is done.
    pub completed_at: Option<When>,
    /// The instant it was added.
    pub created_at: Option<When>,
    /// The instant it was last changed.
    pub updated_at: Option<When>,
}

/// A task of a file that was refused.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[schema(as = Refusal)]
pub struct Refused {
    /// Line at which it begins, counted from 1.
    #[schema(format = Int64)]
    pub line: usize,
    /// Its words, cut.
    pub text: String,
    /// Reason, and what would do.
    pub reason: String,
}

impl Refused {
    pub(super) fn new(line: usize, text: &str, reason: impl Into<String>) -> Self {
        Self {
            line,
            text: cut(text),
            reason: reason.into(),
        }
    }
}

impl Entry {
    /// The task it becomes at `now`, under `id`. `place` says how many of `total` come before it:
    /// where the file tells no instants, it keeps its order. What lies in the future is taken as now.
    pub fn task(
        &self,
        user: &UserId,
        id: TaskId,
        now: DateTime<Utc>,
        order: (usize, usize),
    ) -> Task {
        let micros = |count: usize| TimeDelta::microseconds(i64::try_from(count).unwrap_or(0));
        let (place, total) = order;
        let settle = |when: When| {
            let at = when.at.min(now);
            if when.exact { at } else { at + micros(place) }
        };
        let plain = |when: When| when.at.min(now);
        let created_at = self
            .created_at
            .map_or_else(|| now - micros(total.saturating_sub(place)), settle);
        let status = if self.completed {
            Status::Completed {
                at: self.completed_at.map_or(now, plain),
            }
        } else {
            Status::Pending
        };
        let mut task = Task {
            id,
            user_id: user.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            status,
            priority: self.priority,
            due_date: None,
            due_time: None,
            repeat: None,
            assignee: self.assignee.clone(),
            reminders: Reminders::default(),
            created_at,
            updated_at: self.updated_at.map_or(now, plain),
            version: 1,
        };
        let first = |rule: &Repeat| rule.first(now.date_naive());
        let date = self
            .due_date
            .or_else(|| self.repeat.as_ref().and_then(first));
        task.set_due(date, self.due_time, self.repeat.clone());
        task
    }
}

pub(super) fn title(text: &str) -> Result<Title, String> {
    Title::parse(text).map_err(|error| error.to_string())
}

/// An empty note is no note.
pub(super) fn description(text: String) -> Result<Option<String>, String> {
    let length = text.chars().count();
    if length > DESCRIPTION_MAX {
        return Err(format!(
            "the description is too long: {length} characters, at most {DESCRIPTION_MAX} are kept"
        ));
    }
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if text.chars().any(control) {
        return Err("the description holds control characters".to_owned());
    }
    Ok((!text.is_empty()).then_some(text))
}

pub(super) fn assignee(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = (1..=ASSIGNEE_MAX).contains(&text.chars().count());
    if !fits || text.chars().any(char::is_control) {
        return Err("the assignee must be 1 to 255 characters on one line".to_owned());
    }
    Ok(text.to_owned())
}

/// A day of the years 1 to 9999, as `YYYY-MM-DD`.
pub(super) fn day(field: &str, text: &str) -> Result<NaiveDate, String> {
    let text = text.trim();
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    let day = day.filter(|day| day.to_string() == text && (1..=9999).contains(&day.year()));
    let shown = cut(text);
    day.ok_or_else(|| format!("{field} must be a day such as 2026-02-08, not \"{shown}\""))
}

impl When {
    /// A day, from its midnight.
    pub(super) fn day(day: NaiveDate) -> Self {
        let at = day.and_time(NaiveTime::MIN).and_utc();
        Self { at, exact: false }
    }

    /// An instant of the years 1 to 9999, in whole microseconds.
    pub(super) fn exact(at: DateTime<Utc>) -> Option<Self> {
        let at = at.trunc_subsecs(6);
        (1..=9999)
            .contains(&at.year())
            .then_some(Self { at, exact: true })
    }
}

/// An instant as JSON and CSV have it.
pub(super) fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::AutoSi, true)
}

/// An instant with its offset (RFC 3339), of the years 1 to 9999.
pub(super) fn instant(text: &str) -> Option<DateTime<Utc>> {
    let at = DateTime::parse_from_rfc3339(text.trim()).ok()?.to_utc();
    When::exact(at).map(|when| when.at)
}

/// The beginning of what a line says, on one line.
pub(super) fn cut(text: &str) -> String {
    const SHOWN: usize = 60;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut shown: String = text.trim().chars().take(SHOWN).map(plain).collect();
    if text.trim().chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}
