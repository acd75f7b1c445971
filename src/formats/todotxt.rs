//! todo.txt: `(A) 2026-02-01 Read book due:2026-02-09 id:…`, and `x 2026-02-08 2026-02-01 …` when
//! it is done.
//!
//! `(A)` is high and `(C)` low; medium, which a task has when nobody said otherwise, has no letter,
//! and `(B)` is read as it. Later letters are low, and are told as finer. What the format has
//! no place for stands in tags that other programs leave alone: `time:` and `tz:` beside `due:`,
//! `rec:` (`+2w` as others write it, else an RRULE), `remind:` (an instant of RFC 3339), `id:`, `note:`,
//! `assignee:` and (where the title itself looks like one) `title:`. Their values are percent-encoded. A `title:` counts
//! only beside the words it stands for: whoever edits the words has changed the title.

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::draft::PRIORITIES;
use super::entry::{self, Entry, Key, Refused, When, stamp};
use super::percent::{decode, encode};
use super::{ReadOptions, Reading, Unreadable};
use crate::domain::{DueTime, Priority, Repeat, RepeatUnit, Status, Task, parse_time_of_day};

/// Tags that mean something here.
const TAGS: [&str; 10] = [
    "due", "time", "tz", "rec", "remind", "pri", "id", "note", "assignee", "title",
];

pub(super) fn write(tasks: &[Task]) -> String {
    let lines = tasks.iter().map(line);
    let lines: Vec<String> = lines.map(|line| line + "\n").collect();
    lines.concat()
}

fn line(task: &Task) -> String {
    let created = task.created_at.date_naive();
    let letter = match task.priority {
        Priority::High => Some('A'),
        Priority::Medium => None,
        Priority::Low => Some('C'),
    };
    let words = task.title.as_str();
    let plain = harmless(words);
    let mut line = match task.status {
        Status::Pending => {
            let letter = letter.map(|letter| format!("({letter}) "));
            format!("{}{created} {plain}", letter.unwrap_or_default())
        }
        Status::Completed { at } => {
            let letter = letter.map(|letter| format!(" pri:{letter}"));
            let done = at.date_naive();
            format!("x {done} {created} {plain}{}", letter.unwrap_or_default())
        }
    };
    let mut tag = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            line.push_str(&format!(" {name}:{value}"));
        }
    };
    tag("due", task.due_date.map(|day| day.to_string()));
    tag("time", task.due_time.map(|time| time.to_string()));
    tag("tz", task.due_time.map(|time| time.zone().to_string()));
    tag("rec", task.repeat.as_ref().map(rec));
    let reminder = task.reminders.waiting();
    tag("remind", reminder.map(|reminder| stamp(reminder.when.at)));
    tag("note", task.description.as_deref().map(encode));
    tag("assignee", task.assignee.as_deref().map(encode));
    tag("title", (plain != words).then(|| encode(words)));
    tag("id", Some(task.id.to_string()));
    line
}

/// The title without words that would be read as tags, here or elsewhere: a blank comes after
/// their colon.
fn harmless(title: &str) -> String {
    let words = title.split(' ').map(|word| match tag_of(word) {
        Some((name, value)) => format!("{name}: {value}"),
        None => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A word that is one of our tags.
fn tag_of(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once(':')?;
    (TAGS.contains(&name) && !value.is_empty()).then_some((name, value))
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let mut reading = Reading::default();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match parse(line, index + 1, options.zone) {
            Ok((entry, letter)) => {
                let finer = letter.is_some_and(|letter| letter > 'C');
                reading.left_out.count(PRIORITIES, usize::from(finer));
                reading.push(entry, options.zone);
            }
            Err(reason) => {
                let refused = Refused::new(index + 1, line, reason);
                reading.refused.push(refused);
            }
        }
    }
    Ok(reading)
}

/// The task, and the letter of its priority.
fn parse(line: &str, number: usize, zone: Tz) -> Result<(Entry, Option<char>), String> {
    let line = line.trim();
    let (completed, mut rest) = match line.strip_prefix("x ") {
        Some(rest) => (true, rest.trim_start()),
        None => (false, line),
    };
    let mut letter = None;
    if let Some((found, after)) = lettered(rest) {
        (letter, rest) = (Some(found), after);
    }
    let mut days = Vec::new();
    // A done task tells two days, when it was done and when it was added; an open one only that.
    while days.len() < 1 + usize::from(completed)
        && let Some((day, after)) = dated(rest)
    {
        days.push(day);
        rest = after;
    }
    let (completed_at, created_at) = match (completed, days.as_slice()) {
        (true, [done, made]) => (Some(*done), Some(*made)),
        (true, [done]) => (Some(*done), None),
        (false, [made]) => (None, Some(*made)),
        _ => (None, None),
    };
    let mut entry = Entry {
        line: number,
        key: Key::Words,
        title: entry::title("?")?,
        description: None,
        priority: Priority::Medium,
        due_date: None,
        due_time: None,
        repeat: None,
        reminders: Vec::new(),
        floating: false,
        assignee: None,
        completed,
        completed_at: completed_at.map(When::day),
        created_at: created_at.map(When::day),
        updated_at: None,
    };
    let mut words = Vec::new();
    let mut whole_title = None;
    let (mut time, mut own_zone, mut remind) = (None, None, None);
    // Without a day there is no time of it.
    let is_due = |word: &str| matches!(tag_of(word), Some(("due", _)));
    let dated = rest.split(' ').any(is_due);
    for word in rest.split(' ') {
        let Some((name, value)) = tag_of(word) else {
            words.push(word);
            continue;
        };
        match (name, Key::of(value), decode(value)) {
            ("due", _, _) => entry.due_date = Some(entry::day("due", value)?),
            ("time", _, _) if dated && time.is_none() && parse_time_of_day(value).is_some() => {
                time = parse_time_of_day(value);
            }
            ("tz", _, _) if dated && own_zone.is_none() && value.parse::<Tz>().is_ok() => {
                own_zone = value.parse().ok();
            }
            ("rec", _, _) if entry.repeat.is_none() && read_rec(value).is_some() => {
                entry.repeat = read_rec(value);
            }
            ("remind", _, _) if remind.is_none() && entry::instant(value).is_some() => {
                remind = entry::instant(value);
            }
            ("pri", _, _) if value.len() == 1 && value.bytes().all(|b| b.is_ascii_uppercase()) => {
                letter = letter.or(value.chars().next());
            }
            ("id", key @ Key::Id(_), _) => entry.key = key,
            ("note", _, Some(note)) => entry.description = entry::description(note)?,
            ("assignee", _, Some(name)) => entry.assignee = Some(entry::assignee(&name)?),
            ("title", _, Some(title)) => whole_title = Some((title, word)),
            // Another program's tag of the same name.
            _ => words.push(word),
        }
    }
    let in_zone = own_zone.unwrap_or(zone);
    entry.due_time = time.map(|time| DueTime::new(time, in_zone));
    entry.reminders = remind.map(|at| (at, in_zone)).into_iter().collect();
    entry.floating = time.is_some() && own_zone.is_none();
    let said = words.join(" ");
    let title = match whole_title {
        Some((title, _)) if harmless(&title).trim() == said.trim() => title,
        Some((_, word)) => format!("{said} {word}"),
        None => said,
    };
    entry.title = entry::title(&title)?;
    entry.priority = match letter {
        Some('A') => Priority::High,
        Some('B') | None => Priority::Medium,
        Some(_) => Priority::Low,
    };
    Ok((entry, letter))
}

/// Letters of units in `rec:+2w`.
const UNITS: [(&str, RepeatUnit); 4] = [
    ("d", RepeatUnit::Day),
    ("w", RepeatUnit::Week),
    ("m", RepeatUnit::Month),
    ("y", RepeatUnit::Year),
];

/// Writes `+2w`, which counts from the due date, where that says the rule; else the rule.
fn rec(rule: &Repeat) -> String {
    let plain = Repeat::each(rule.every(), rule.interval());
    let unit = UNITS.iter().find(|(_, unit)| *unit == rule.every());
    match unit {
        Some((letter, _)) if plain.as_ref() == Some(rule) => {
            format!("+{}{letter}", rule.interval())
        }
        _ => rule.to_string(),
    }
}

/// Reads `+2w`, `2w` or a rule; `1b` is each business day.
fn read_rec(value: &str) -> Option<Repeat> {
    if let Ok(rule) = Repeat::parse(value) {
        return Some(rule);
    }
    let count = value.strip_prefix('+').unwrap_or(value);
    if count == "1b" {
        return Repeat::parse("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR").ok();
    }
    let (letter, unit) = UNITS.iter().find(|(letter, _)| count.ends_with(letter))?;
    Repeat::each(*unit, count.strip_suffix(letter)?.parse().ok()?)
}

/// `(A) ` and what follows.
fn lettered(text: &str) -> Option<(char, &str)> {
    let inside = text.strip_prefix('(')?;
    let letter = inside.chars().next().filter(char::is_ascii_uppercase)?;
    let rest = inside.get(1..)?.strip_prefix(") ")?;
    Some((letter, rest.trim_start()))
}

/// `2026-02-08 ` and what follows.
fn dated(text: &str) -> Option<(NaiveDate, &str)> {
    let (word, rest) = text.split_once(' ')?;
    let day = entry::day("", word).ok()?;
    Some((day, rest))
}
