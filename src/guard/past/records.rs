//! Facts that receipts attest, as records that a question can be held against.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;

use super::question::{Aspect, Deed, Value};
use crate::domain::text::Text;
use crate::domain::{Action, ConversationId, Lang, Moment, ReceiptId, Task, TaskId};
use crate::guard::evidence::Named;
use crate::guard::reminders::changes_reminder;
use crate::locales::{listed_day, localized};
use crate::resolver::TaskList;
use crate::store::{ReceiptEntry, ReceiptFacts};

/// Tasks of one name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subject {
    pub ids: Vec<TaskId>,
    /// As it is called, or was.
    pub name: String,
    /// The words say all of its title.
    pub whole: bool,
}

/// The tasks, and what was done to them.
#[derive(Debug)]
pub(super) struct Records<'a> {
    /// Changes by every hand, newest first.
    changes: Vec<&'a ReceiptEntry>,
    /// The tasks, and those that are gone.
    pub known: TaskList,
    pub tasks: &'a TaskList,
    here: ConversationId,
    now: Moment,
}

impl<'a> Records<'a> {
    pub fn of(
        entries: &'a [ReceiptEntry],
        tasks: &'a TaskList,
        here: ConversationId,
        now: Moment,
    ) -> Self {
        let change = |entry: &&ReceiptEntry| entry.receipt.facts().action.is_change();
        let changes: Vec<&ReceiptEntry> = entries.iter().filter(change).collect();
        let mut known = tasks.clone();
        for entry in &changes {
            let facts = entry.receipt.facts();
            let row = facts.after.as_ref().or(facts.before.as_ref());
            if let Some(row) = row.filter(|row| known.get(row.id).is_none()) {
                known.put(row.clone());
            }
        }
        Self {
            changes,
            known,
            tasks,
            here,
            now,
        }
    }

    /// The tasks that some words name, with the tokens that do; those of one name are one.
    pub fn named<'n>(
        &self,
        text: &Text<'_>,
        known: impl Iterator<Item = &'n Named>,
        is_class: impl Fn(usize) -> bool,
    ) -> Vec<(Subject, Vec<usize>)> {
        let mut found: Vec<(Subject, Vec<usize>)> = Vec::new();
        let old = self.old_names(text);
        let named = known.map(|named| {
            let title = self.known.get(named.task).map(|task| task.title.as_str());
            let mut tokens = named.tokens.clone();
            // "is mom called?" of *Call mom*: what is no word of the question is one of the name.
            let forms = named.forms.iter().filter(|at| !is_class(**at));
            tokens.extend(forms);
            tokens.sort_unstable();
            tokens.dedup();
            (named.task, title.unwrap_or_default(), named.whole, tokens)
        });
        let old = old
            .into_iter()
            .map(|(id, title, tokens)| (id, title, true, tokens));
        for (id, title, whole, tokens) in named.chain(old) {
            // A name of nothing but words of the question needs all of it to be said.
            let plain = tokens.iter().all(|at| is_class(*at));
            if plain && !whole {
                continue;
            }
            let same = found.iter_mut().find(|(subject, at)| {
                subject.ids.contains(&id) || *at == tokens && subject.name == title
            });
            match same {
                Some((subject, at)) if subject.ids.contains(&id) => {
                    at.extend(tokens);
                    at.sort_unstable();
                    at.dedup();
                }
                Some((subject, _)) => subject.ids.push(id),
                None => found.push((
                    Subject {
                        ids: vec![id],
                        name: title.to_owned(),
                        whole,
                    },
                    tokens,
                )),
            }
        }
        found
    }

    /// Names that tasks had before they were renamed, where they stand as they were written.
    fn old_names(&self, text: &Text<'_>) -> Vec<(TaskId, &'a str, Vec<usize>)> {
        let mut found = Vec::new();
        for entry in &self.changes {
            let facts = entry.receipt.facts();
            let (Some(before), Some(after)) = (&facts.before, &facts.after) else {
                continue;
            };
            if before.title == after.title {
                continue;
            }
            let old = Text::new(before.title.as_str());
            let length = old.tokens.len();
            let fits = |start: &usize| (0..length).all(|at| text.word(start + at) == old.word(at));
            let start = (0..text.tokens.len()).find(fits);
            if let Some(start) = start.filter(|_| length > 0) {
                found.push((
                    before.id,
                    before.title.as_str(),
                    (start..start + length).collect(),
                ));
            }
        }
        found
    }

    /// The changes of some tasks, newest first.
    pub fn about(&self, ids: &[TaskId]) -> std::vec::IntoIter<&'a ReceiptEntry> {
        let of = |entry: &&&ReceiptEntry| {
            let id = entry.receipt.facts().task_id;
            id.is_some_and(|id| ids.contains(&id))
        };
        let found: Vec<&ReceiptEntry> = self.changes.iter().filter(of).copied().collect();
        found.into_iter()
    }

    /// The changes made in this conversation, newest first.
    pub fn here(&self) -> std::vec::IntoIter<&'a ReceiptEntry> {
        let mut found = self.changes.clone();
        found.retain(|entry| self.is_here(entry));
        found.into_iter()
    }

    pub fn is_here(&self, entry: &ReceiptEntry) -> bool {
        entry.receipt.facts().conversation_id == Some(self.here)
    }

    /// The rows of a name that are on the list.
    pub fn rows(&self, subject: &Subject) -> Vec<&'a Task> {
        let ids = subject.ids.iter();
        ids.filter_map(|id| self.tasks.get(*id)).collect()
    }

    /// The change of the same that came after `entry`, if it is still standing no more.
    pub fn overtaken(&self, entry: &ReceiptEntry) -> Option<(&'a ReceiptEntry, Deed)> {
        let facts = entry.receipt.facts();
        if let Some(undo) = entry.undone_by {
            let by = self.changes.iter().find(|by| by.receipt.facts().id == undo);
            return by.map(|by| (*by, Deed::Undo));
        }
        let id = facts.task_id?;
        let at = self
            .changes
            .iter()
            .position(|e| e.receipt.facts().id == facts.id)?;
        let mut later = self.changes.iter().take(at);
        later.find_map(|later| {
            let next = later.receipt.facts();
            let deed = touched(next)?;
            let same = next.task_id == Some(id) && (deed == Deed::Delete || touches(facts, next));
            same.then_some((*later, deed))
        })
    }

    /// `at 18:04`, of another day with the day.
    pub fn time(&self, at: DateTime<Utc>, speech: Lang) -> String {
        let zone: Tz = self.now.zone;
        let (at, now) = (
            at.with_timezone(&zone),
            self.now.instant.with_timezone(&zone),
        );
        let date = match at.date_naive() {
            today if today == now.date_naive() => "none".to_owned(),
            date => listed_day(date, speech),
        };
        let time = at.format("%H:%M").to_string();
        localized!(speech, "past-time", date = date, time = time)
    }

    /// The day of a change, counted as the user's days are.
    pub fn day(&self, at: DateTime<Utc>) -> NaiveDate {
        let zone: Tz = self.now.zone;
        let day = at.with_timezone(&zone).date_naive();
        day + (self.now.today - self.now.instant.with_timezone(&zone).date_naive())
    }
}

/// Tells whether the later change is of what the earlier one set.
fn touches(one: &ReceiptFacts, next: &ReceiptFacts) -> bool {
    let set = [
        Deed::Update(Aspect::Due),
        Deed::Update(Aspect::Priority),
        Deed::Update(Aspect::Title),
        Deed::Update(Aspect::Reminder),
    ];
    let completed =
        |facts: &ReceiptFacts| attests(facts, Deed::Complete) || attests(facts, Deed::Reopen);
    completed(one) && completed(next)
        || set
            .iter()
            .any(|deed| attests(one, *deed) && attests(next, *deed))
}

/// Returns the deed that a change comes to.
pub(super) fn touched(facts: &ReceiptFacts) -> Option<Deed> {
    let all = [
        Deed::Undo,
        Deed::Add,
        Deed::Delete,
        Deed::Complete,
        Deed::Reopen,
        Deed::Update(Aspect::Any),
    ];
    all.into_iter().find(|deed| attests(facts, *deed))
}

/// Tells whether a receipt attests a deed.
pub(super) fn attests(facts: &ReceiptFacts, deed: Deed) -> bool {
    let undo = facts.action == Action::Undo;
    let both = facts.before.as_ref().zip(facts.after.as_ref());
    match deed {
        Deed::Undo => undo,
        Deed::Any => facts.action.is_change(),
        _ if undo => false,
        Deed::Add => facts.action == Action::AddTask,
        Deed::Delete => facts.action == Action::DeleteTask,
        // Of a task that repeats one occurrence is done, and the task stays open.
        Deed::Complete => facts.action == Action::CompleteTask || turned(facts, false),
        Deed::Reopen => turned(facts, true),
        Deed::Update(aspect) => both.is_some_and(|(before, after)| match aspect {
            Aspect::Any => facts.action == Action::UpdateTask,
            Aspect::Due if facts.action == Action::CompleteTask => false,
            Aspect::Due => (before.due_date, before.due_time) != (after.due_date, after.due_time),
            Aspect::Priority => before.priority != after.priority,
            Aspect::Title => before.title != after.title,
            Aspect::Reminder => changes_reminder(facts),
        }),
    }
}

/// Tells whether a task was done before and is not after, or the other way round.
pub(super) fn turned(facts: &ReceiptFacts, from: bool) -> bool {
    let both = facts.before.as_ref().zip(facts.after.as_ref());
    both.is_some_and(|(before, after)| {
        before.status.is_completed() == from && after.status.is_completed() != from
    })
}

/// Tells whether a receipt set that value.
pub(super) fn sets(facts: &ReceiptFacts, value: Value) -> bool {
    facts.after.as_ref().is_some_and(|row| is_so(row, value))
}

/// Tells whether a row has that value.
pub(super) fn is_so(row: &Task, value: Value) -> bool {
    match value {
        Value::Due(from, to) => row.due_date.is_some_and(|day| from <= day && day <= to),
        Value::Priority(priority) => row.priority == priority,
    }
}

/// The ids of some receipts.
pub(super) fn ids<'a>(entries: impl IntoIterator<Item = &'a ReceiptEntry>) -> Vec<ReceiptId> {
    entries.into_iter().map(|e| e.receipt.facts().id).collect()
}
