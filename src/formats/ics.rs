//! iCalendar (RFC 5545): one VTODO for each task.
//!
//! Written by hand because a reader of calendars gives neither line numbers nor the other
//! components of a file in which one is broken. What has no property of its own, and what TEXT
//! can't hold (a carriage return), stands in `X-CANDOR-…`.

mod alarm;
mod zone;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Slot;

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike, Utc};
use chrono_tz::Tz;

use self::alarm::Alarm;
use super::day::ToldDue;
use super::draft::{LISTS, PRIORITIES, SECONDS, STATES};
use super::entry::{self, Entry, Key, Refused, When};
use super::left_out::LeftOut;
use super::percent::{decode, encode};
use super::{ReadOptions, Reading, Unreadable};
use crate::domain::{DueTime, Priority, Repeat, Status, Task};

/// The longest line, in bytes, without its break (§3.1).
const LONGEST: usize = 75;

/// Properties of a VTODO that may go without anything being lost.
const SILENT: [&str; 7] = [
    "BEGIN",
    "DTSTAMP",
    "END",
    "LAST-MODIFIED",
    "SEQUENCE",
    "TRANSP",
    "X-CANDOR-DESCRIPTION",
];

pub(super) fn write(tasks: &[Task]) -> String {
    let mut out = Lines::default();
    out.line("BEGIN:VCALENDAR");
    out.line("VERSION:2.0");
    out.line("PRODID:-//candor//tasks//EN");
    let mut zones = BTreeMap::new();
    for (day, zone) in tasks.iter().filter_map(local_start) {
        let (_, days) = zones.entry(zone.name()).or_insert((zone, day..=day));
        *days = *days.start().min(&day)..=*days.end().max(&day);
    }
    for (zone, days) in zones.into_values() {
        zone::write(zone, &days, &mut out);
    }
    for task in tasks {
        vtodo(task, &mut out);
    }
    out.line("END:VCALENDAR");
    out.0
}

/// The first day and the zone of a task that repeats at a time of its local day.
fn local_start(task: &Task) -> Option<(NaiveDate, Tz)> {
    let zone = task.due_time.filter(|_| task.repeat.is_some())?.zone();
    let day = task.due_date.filter(|day| day.year() <= 9999)?;
    (zone != Tz::UTC).then_some((day, zone))
}

fn vtodo(task: &Task, out: &mut Lines) {
    let utc = |at: DateTime<Utc>| at.format("%Y%m%dT%H%M%SZ").to_string();
    out.line("BEGIN:VTODO");
    out.line(&format!("UID:{}", task.id));
    // Without a METHOD it says when the task was last revised (§3.8.7.2).
    out.line(&format!("DTSTAMP:{}", utc(task.updated_at)));
    out.line(&format!("CREATED:{}", utc(task.created_at)));
    out.line(&format!("LAST-MODIFIED:{}", utc(task.updated_at)));
    out.line(&format!("SUMMARY:{}", escape(task.title.as_str())));
    if let Some(description) = &task.description {
        let plain = plain(description);
        out.line(&format!("DESCRIPTION:{}", escape(&plain)));
        if plain != *description {
            out.line(&format!("X-CANDOR-DESCRIPTION:{}", encode(description)));
        }
    }
    let timed = task.due_date.zip(task.due_time);
    let instant = timed.and_then(|(day, time)| Some((time.on(day)?.at, time.zone())));
    let instant = instant.filter(|(at, _)| at.year() <= 9999);
    // An instant needs no VTIMEZONE; a rule counts in local time, and does.
    let due = match (instant, local_start(task)) {
        (Some(_), Some((day, zone))) => task.due_time.map(|time| {
            let day = day.format("%Y%m%d");
            format!(";TZID={zone}:{day}T{}", time.time().format("%H%M%S"))
        }),
        (Some((at, _)), None) => Some(format!(":{}", utc(at))),
        (None, _) => task
            .due_date
            .map(|day| format!(";VALUE=DATE:{}", day.format("%Y%m%d"))),
    };
    if let Some(due) = due {
        out.line(&format!("DUE{due}"));
        // A rule counts from DTSTART, and needs one (§3.8.5.3).
        if let Some(rule) = &task.repeat {
            out.line(&format!("DTSTART{due}"));
            out.line(&format!("RRULE:{rule}"));
        }
    }
    if let Some((_, zone)) = instant {
        out.line(&format!("X-CANDOR-TIMEZONE:{zone}"));
    }
    let priority = match task.priority {
        Priority::High => 1,
        Priority::Medium => 5,
        Priority::Low => 9,
    };
    out.line(&format!("PRIORITY:{priority}"));
    match task.status {
        Status::Pending => out.line("STATUS:NEEDS-ACTION"),
        Status::Completed { at } => {
            out.line("STATUS:COMPLETED");
            out.line(&format!("COMPLETED:{}", utc(at)));
            out.line("PERCENT-COMPLETE:100");
        }
    }
    if let Some(assignee) = &task.assignee {
        out.line(&format!("X-CANDOR-ASSIGNEE:{}", escape(assignee)));
    }
    alarm::write(task, out);
    out.line("END:VTODO");
}

/// Content lines, folded.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, line: &str) {
        let mut used = 0;
        for c in line.chars() {
            if used + c.len_utf8() > LONGEST {
                self.0.push_str("\r\n ");
                used = 1;
            }
            self.0.push(c);
            used += c.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}

/// The text with line breaks that TEXT can hold.
fn plain(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\\' | ';' | ',' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n' | 'N') => out.push('\n'),
            Some(c @ ('\\' | ';' | ',')) => out.push(c),
            Some(c) => out.extend(['\\', c]),
            None => out.push('\\'),
        }
    }
    out
}

/// A content line: where it begins, its name in upper case, and its value.
struct Line {
    number: usize,
    name: String,
    value: String,
    /// The zone that its parameter TZID names.
    zone: Option<Tz>,
    /// Set by its parameter RELATED=END.
    from_end: bool,
}

/// The properties of one VTODO, and where it begins; the first of each name counts.
struct Todo {
    line: usize,
    values: BTreeMap<String, String>,
    /// The zone of its DUE.
    due_zone: Option<Tz>,
    alarms: Vec<Alarm>,
    /// Further ones of a name.
    left_out: LeftOut,
}

/// Tells whether it begins as a calendar does.
pub(super) fn sniff(text: &str) -> bool {
    let first = text.trim_start().get(..15);
    first.is_some_and(|first| first.eq_ignore_ascii_case("BEGIN:VCALENDAR"))
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let mut reading = Reading::default();
    let mut stack: Vec<String> = Vec::new();
    let mut todo: Option<Todo> = None;
    let mut calendars = 0;
    for line in lines(text) {
        let Some(line) = line.split() else {
            if let Some(todo) = todo.take() {
                let reason = format!("line {} is no content line", line.number);
                reading.refused.push(todo.refused(reason));
                // What is left of it is passed over.
                stack.push("?".to_owned());
            }
            continue;
        };
        let component = line.value.trim().to_ascii_uppercase();
        match line.name.as_str() {
            "BEGIN" => {
                calendars += usize::from(component == "VCALENDAR");
                let inside = stack.last().map(String::as_str) == Some("VCALENDAR");
                if component == "VTODO" && inside {
                    todo = Some(Todo {
                        line: line.number,
                        values: BTreeMap::new(),
                        due_zone: None,
                        alarms: Vec::new(),
                        left_out: LeftOut::default(),
                    });
                } else if component == "VALARM"
                    && let Some(todo) = &mut todo
                {
                    todo.alarms.push(Alarm::default());
                } else if inside && component != "VTIMEZONE" || component == "VALARM" {
                    reading.left_out.count(&component, 1);
                }
                stack.push(component);
            }
            "END" => {
                while let Some(open) = stack.pop() {
                    if open == component {
                        break;
                    }
                }
                if component == "VTODO"
                    && let Some(todo) = todo.take()
                {
                    match todo.entry(options.zone, &mut reading.left_out) {
                        Ok(entry) => reading.push(entry, options.zone),
                        Err(refused) => reading.refused.push(refused),
                    }
                }
            }
            _ => match (stack.last().map(String::as_str), &mut todo) {
                (Some("VTODO"), Some(todo)) => todo.add(line),
                (Some("VALARM"), Some(todo)) => todo.add_to_alarm(&line),
                (Some("VCALENDAR"), _) if ["NAME", "X-WR-CALNAME"].contains(&&*line.name) => {
                    reading.left_out.distinct(LISTS, &unescape(&line.value));
                }
                _ => {}
            },
        }
    }
    if let Some(todo) = todo {
        reading
            .refused
            .push(todo.refused("the file breaks off in it"));
    }
    if calendars == 0 {
        return Err(Unreadable(
            "it is no iCalendar file: it has no BEGIN:VCALENDAR".to_owned(),
        ));
    }
    Ok(reading)
}

impl Todo {
    fn refused(&self, reason: impl Into<String>) -> Refused {
        let summary = self.values.get("SUMMARY").map(|text| unescape(text));
        Refused::new(self.line, &summary.unwrap_or_default(), reason)
    }

    fn add(&mut self, line: Line) {
        match self.values.entry(line.name) {
            Slot::Vacant(slot) => {
                if slot.key() == "DUE" {
                    self.due_zone = line.zone;
                }
                slot.insert(line.value);
            }
            Slot::Occupied(slot) => self.left_out.count(slot.key(), 1),
        }
    }

    fn add_to_alarm(&mut self, line: &Line) {
        let kept = self.alarms.last_mut().is_none_or(|alarm| alarm.add(line));
        self.left_out.count(&line.name, usize::from(!kept));
    }

    /// The times that its alarms mean, of which one has a place.
    fn reminders(
        &self,
        due: Option<&(ToldDue, Tz)>,
        own: Tz,
        lost: &mut LeftOut,
    ) -> Vec<(DateTime<Utc>, Tz)> {
        let starts = self.values.get("DTSTART");
        let starts = starts.is_some() && starts != self.values.get("DUE");
        let times = self.alarms.iter();
        let times = times.filter_map(|alarm| alarm.reminder(due, starts, own));
        let times: Vec<_> = times.collect();
        lost.count("VALARM", self.alarms.len() - usize::from(!times.is_empty()));
        times
    }

    fn entry(self, zone: Tz, left_out: &mut LeftOut) -> Result<Entry, Refused> {
        let mut values = self.values.clone();
        let mut lost = self.left_out.clone();
        let entry = parse(&mut values, &self, zone, &mut lost);
        let entry = entry.map_err(|reason| self.refused(reason))?;
        for (name, value) in values {
            let usual = match name.as_str() {
                "CLASS" => value.trim().eq_ignore_ascii_case("PUBLIC"),
                "PERCENT-COMPLETE" => matches!(value.trim(), "0" | "100"),
                name => SILENT.contains(&name),
            };
            lost.count(&name, usize::from(!usual));
        }
        left_out.merge(lost);
        Ok(entry)
    }
}

/// Takes what is understood out of `values`, and counts what of it is kept by halves.
fn parse(
    values: &mut BTreeMap<String, String>,
    todo: &Todo,
    own: Tz,
    lost: &mut LeftOut,
) -> Result<Entry, String> {
    let mut text = |name: &str| values.remove(name).map(|value| unescape(&value));
    let summary = text("SUMMARY").ok_or("it has no SUMMARY")?;
    let said = text("DESCRIPTION").unwrap_or_default();
    let whole = text("X-CANDOR-DESCRIPTION").and_then(|value| decode(&value));
    let assignee = text("X-CANDOR-ASSIGNEE").filter(|name| !name.trim().is_empty());
    let key = Key::of(&text("UID").unwrap_or_default());
    let status = text("STATUS").map(|word| word.trim().to_ascii_uppercase());
    let instant =
        |name: &str, value: Option<String>| value.map(|value| instant(name, &value)).transpose();
    let completed_at = instant("COMPLETED", values.remove("COMPLETED"))?;
    let completed = match status.as_deref() {
        Some("COMPLETED") => true,
        Some("NEEDS-ACTION") => false,
        Some("IN-PROCESS") => {
            lost.count(STATES, 1);
            false
        }
        None => completed_at.is_some(),
        Some("CANCELLED") => {
            return Err("it is cancelled: a task here is pending or completed".to_owned());
        }
        Some(other) => {
            let other = entry::cut(other);
            return Err(format!("STATUS must be one of RFC 5545, not \"{other}\""));
        }
    };
    let written = values.remove("X-CANDOR-TIMEZONE");
    let written = written.and_then(|name| name.trim().parse().ok());
    // A start that is the due date says nothing more.
    if values.get("DTSTART").is_some() && values.get("DTSTART") == values.get("DUE") {
        values.remove("DTSTART");
    }
    let repeat = values
        .get("RRULE")
        .and_then(|rule| Repeat::parse(rule).ok());
    let repeat = repeat.filter(|_| !completed || values.contains_key("DUE"));
    if repeat.is_some() {
        values.remove("RRULE");
    }
    let due = values
        .remove("DUE")
        .map(|value| due(&value, written, (todo.due_zone, own)));
    let due = due.transpose()?;
    let reminders = todo.reminders(due.as_ref(), own, lost);
    let time = due.and_then(|(due, zone)| Some((due.time?, zone)));
    let exact = time.is_some_and(|(time, _)| time.second() > 0);
    lost.count(SECONDS, usize::from(exact));
    let (priority, finer) = priority(values.remove("PRIORITY").as_deref())?;
    lost.count(PRIORITIES, usize::from(finer));
    Ok(Entry {
        line: todo.line,
        key,
        title: entry::title(&summary)?,
        description: match whole {
            // Whoever edited the words beside it has changed them.
            Some(whole) if plain(&whole) == said => entry::description(whole)?,
            _ => entry::description(said)?,
        },
        priority,
        due_date: due.map(|(due, _)| due.day),
        due_time: time.map(|(time, zone)| DueTime::new(time, zone)),
        repeat,
        reminders,
        floating: due.is_some_and(|(due, _)| due.floating),
        assignee: assignee.map(|name| entry::assignee(&name)).transpose()?,
        completed,
        completed_at: completed_at.filter(|_| completed),
        created_at: instant("CREATED", values.remove("CREATED"))?,
        updated_at: instant("LAST-MODIFIED", values.remove("LAST-MODIFIED"))?,
    })
}

/// 1 to 4 is high, 5 medium, 6 to 9 low (§3.8.1.9); 0 says nothing. Levels but 1, 5 and 9 are finer
/// than what is kept.
fn priority(value: Option<&str>) -> Result<(Priority, bool), String> {
    match value.map(str::trim) {
        None | Some("0" | "5") => Ok((Priority::Medium, false)),
        Some("1") => Ok((Priority::High, false)),
        Some("9") => Ok((Priority::Low, false)),
        Some("2" | "3" | "4") => Ok((Priority::High, true)),
        Some("6" | "7" | "8") => Ok((Priority::Low, true)),
        Some(other) => {
            let other = entry::cut(other);
            Err(format!("PRIORITY must be 0 to 9, not \"{other}\""))
        }
    }
}

/// The day and the time of a DATE or a DATE-TIME, with their zone: of one in UTC the `written` one,
/// else the reader's own; of any other that of its TZID. Midnight, there or in UTC, is how programs
/// write a day, but where the zone was written beside it.
fn due(
    value: &str,
    written: Option<Tz>,
    (named, own): (Option<Tz>, Tz),
) -> Result<(ToldDue, Tz), String> {
    let value = value.trim();
    let date = NaiveDate::parse_from_str(value.get(..8).unwrap_or_default(), "%Y%m%d");
    let utc = value.ends_with('Z');
    let zone = if utc { written } else { named }.unwrap_or(own);
    let (at, midnight) = match (date_time(value), date) {
        (Some(at), _) if utc => {
            let local = at.and_utc().with_timezone(&zone).naive_local();
            (
                Some(local),
                written.is_none() && at.time() == NaiveTime::MIN,
            )
        }
        (Some(at), _) => (Some(at), false),
        (None, Ok(day)) if value.len() == 8 => (Some(day.and_time(NaiveTime::MIN)), true),
        _ => (None, false),
    };
    let shown = entry::cut(value);
    let at = at.filter(|at| entry::day("DUE", &at.date().to_string()).is_ok());
    let at = at.ok_or_else(|| format!("DUE must be a day such as 20260208, not \"{shown}\""))?;
    let plain = midnight || at.time() == NaiveTime::MIN && written.is_none();
    let due = ToldDue {
        day: at.date(),
        time: (!plain).then(|| at.time()),
        floating: !plain && !utc && named.is_none(),
    };
    Ok((due, zone))
}

/// A DATE-TIME, or a DATE. One without a zone, or with the name of one, is read as UTC.
fn instant(name: &str, value: &str) -> Result<When, String> {
    let value = value.trim();
    let day = || NaiveDate::parse_from_str(value, "%Y%m%d").ok();
    let at = date_time(value).or_else(|| Some(day()?.and_time(NaiveTime::MIN)));
    let when = at.and_then(|at| When::exact(at.and_utc()));
    let shown = entry::cut(value);
    when.map(|when| When {
        exact: false,
        ..when
    })
    .ok_or_else(|| format!("{name} must be an instant such as 20260208T093000Z, not \"{shown}\""))
}

fn date_time(value: &str) -> Option<NaiveDateTime> {
    let value = value.strip_suffix('Z').unwrap_or(value);
    let fits = value.len() == 15;
    let read = NaiveDateTime::parse_from_str(value, "%Y%m%dT%H%M%S").ok();
    read.filter(|_| fits)
}

/// A line as it is unfolded, before it is taken apart.
struct Unfolded {
    number: usize,
    text: String,
}

/// Unfolds (§3.1): what begins with a blank goes on with the line before it.
fn lines(text: &str) -> Vec<Unfolded> {
    let mut lines: Vec<Unfolded> = Vec::new();
    for (index, raw) in text.split('\n').enumerate() {
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        match (raw.strip_prefix([' ', '\t']), lines.last_mut()) {
            (Some(more), Some(line)) => line.text.push_str(more),
            _ => lines.push(Unfolded {
                number: index + 1,
                text: raw.to_owned(),
            }),
        }
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

impl Unfolded {
    /// Name and value; what stands in quotes before the colon is a parameter's value.
    fn split(&self) -> Option<Line> {
        let mut quoted = false;
        let colon = self.text.find(|c| {
            quoted ^= c == '"';
            c == ':' && !quoted
        })?;
        let (before, value) = self.text.split_at_checked(colon)?;
        let mut parts = before.split(';');
        let name = parts.next().unwrap_or_default();
        let mut zone = None;
        let mut from_end = false;
        for (name, value) in parts.filter_map(|part| part.split_once('=')) {
            match name.to_ascii_uppercase().as_str() {
                "TZID" => zone = zone.or(value.trim_matches('"').parse().ok()),
                "RELATED" => from_end = value.eq_ignore_ascii_case("END"),
                _ => {}
            }
        }
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        let fits = !name.is_empty() && name.bytes().all(plain);
        fits.then(|| Line {
            number: self.number,
            name: name.to_ascii_uppercase(),
            value: value.get(1..).unwrap_or_default().to_owned(),
            zone,
            from_end,
        })
    }
}
