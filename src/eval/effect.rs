//! Effect that a label names, held against the rows before and after a turn.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::domain::{Priority, Task};

/// Changes that must come of a turn, and no others.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Effect {
    #[serde(default)]
    added: Vec<Map<String, Value>>,
    #[serde(default)]
    pub(super) deleted: Vec<String>,
    #[serde(default)]
    completed: Vec<String>,
    #[serde(default)]
    reopened: Vec<String>,
    #[serde(default)]
    updated: Vec<Update>,
}

/// New values of one task.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Update {
    title: String,
    set: Map<String, Value>,
}

/// Changes of rows in one turn.
#[derive(Debug, Default)]
pub(super) struct Diff {
    pub(super) added: Vec<Task>,
    pub(super) gone: Vec<Task>,
    pub(super) changed: Vec<(Task, Task)>,
}

impl Diff {
    pub(super) fn of(before: &[Task], after: &[Task]) -> Self {
        let of = |tasks: &[Task], one: &Task| tasks.iter().find(|task| task.id == one.id).cloned();
        let lacks = |tasks: &[Task], others: &[Task]| {
            let lacking = tasks.iter().filter(|task| of(others, task).is_none());
            lacking.cloned().collect()
        };
        let pairs = before
            .iter()
            .filter_map(|task| Some((task.clone(), of(after, task)?)));
        let differs = |(before, after): &(Task, Task)| {
            FIELDS
                .iter()
                .any(|key| field(before, key) != field(after, key))
        };
        Self {
            added: lacks(after, before),
            gone: lacks(before, after),
            changed: pairs.filter(differs).collect(),
        }
    }

    pub(super) const fn is_some(&self) -> bool {
        !(self.added.is_empty() && self.gone.is_empty() && self.changed.is_empty())
    }
}

impl Effect {
    pub(super) const fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.deleted.is_empty()
            && self.completed.is_empty()
            && self.reopened.is_empty()
            && self.updated.is_empty()
    }

    /// The titles of the tasks that it changes.
    pub(super) fn touched(&self) -> Vec<&String> {
        let updated = self.updated.iter().map(|update| &update.title);
        let all = self.deleted.iter().chain(&self.completed);
        all.chain(&self.reopened).chain(updated).collect()
    }

    /// Tells whether these changes are the effect, and nothing more.
    pub(super) fn is_met(&self, diff: &Diff) -> bool {
        let mut added: Vec<&Task> = diff.added.iter().collect();
        let mut gone: Vec<&str> = diff.gone.iter().map(|task| task.title.as_str()).collect();
        let mut changed: Vec<&(Task, Task)> = diff.changed.iter().collect();
        let is = |task: &Task, key: &str, wanted: &Value| {
            says(&field(task, key), wanted.as_str().unwrap_or_default(), key)
        };
        let set = |task: &Task, set: &Map<String, Value>| {
            set.iter().all(|(key, wanted)| is(task, key, wanted))
        };
        let mut changes = |title: &str, fits: &dyn Fn(&Task, &Task) -> bool| {
            let meant = |pair: &&(Task, Task)| pair.0.title.as_str() == title;
            take(&mut changed, |pair| meant(pair) && fits(&pair.0, &pair.1))
        };
        let status =
            |wanted: &'static str| move |_: &Task, now: &Task| field(now, "status") == wanted;
        self.added.iter().all(|wanted| {
            take(&mut added, |task| {
                set(task, wanted) && is_plain(task, wanted)
            })
        }) && self
            .deleted
            .iter()
            .all(|title| take(&mut gone, |gone| gone == title))
            && self
                .completed
                .iter()
                .all(|title| changes(title, &status("completed")))
            && self
                .reopened
                .iter()
                .all(|title| changes(title, &status("pending")))
            && self.updated.iter().all(|update| {
                changes(&update.title, &|before, now| {
                    let kept = |key: &str| field(before, key) == field(now, key);
                    set(now, &update.set) && unnamed(&update.set).all(kept)
                })
            })
            && added.is_empty()
            && gone.is_empty()
            && changed.is_empty()
    }
}

/// The fields that are compared.
const FIELDS: [&str; 7] = [
    "title",
    "status",
    "description",
    "priority",
    "due_date",
    "due_time",
    "repeat",
];
/// Fields of which one may bring the others along.
const DATED: [&str; 3] = ["due_date", "due_time", "repeat"];

/// The fields that a label does not name, and none that it names brings along.
fn unnamed(label: &Map<String, Value>) -> impl Iterator<Item = &'static str> {
    let named = |key: &str| label.contains_key(key);
    let dated = DATED.iter().any(|key| named(key));
    let fields = FIELDS.into_iter();
    fields.filter(move |key| !(named(key) || dated && DATED.contains(key)))
}

/// Tells whether a new task has nothing but what its label names.
fn is_plain(task: &Task, label: &Map<String, Value>) -> bool {
    let mut unnamed = unnamed(label);
    unnamed.all(|key| match key {
        "title" | "status" => true,
        "priority" => task.priority == Priority::Medium,
        key => field(task, key).is_empty(),
    })
}

/// A field of a task, as rows write it; empty where there is none.
fn field(task: &Task, key: &str) -> String {
    let text = |value: Option<String>| value.unwrap_or_default();
    match key {
        "title" => task.title.as_str().to_owned(),
        "status" => task.status.as_str().to_owned(),
        "description" => text(task.description.clone()),
        "priority" => task.priority.as_str().to_owned(),
        "due_date" => text(task.due_date.map(|day| day.to_string())),
        "due_time" => text(task.shown_time().map(|time| time.to_string())),
        "repeat" => text(task.repeat.as_ref().map(ToString::to_string)),
        _ => String::new(),
    }
}

/// Tells whether a field is as wanted; a text may have words before or behind it.
fn says(found: &str, wanted: &str, key: &str) -> bool {
    if !matches!(key, "title" | "description") {
        return found == wanted;
    }
    let (found, wanted) = (plain(found), plain(wanted));
    let within = |part: &str, whole: &str| part.chars().count() > 2 && whole.contains(part);
    found == wanted || within(&found, &wanted) || within(&wanted, &found)
}

/// Letters and digits alone, in lower case.
pub(super) fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Takes the first that fits out of a list.
fn take<T>(from: &mut Vec<T>, fits: impl Fn(&T) -> bool) -> bool {
    let at = from.iter().position(fits);
    at.map(|at| from.remove(at)).is_some()
}
