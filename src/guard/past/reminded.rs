//! The answer to a question about reminders: when each is due, and what became of it.

use super::answer::Answering;
use super::{PastAnswer, TOLD_MAX};
use crate::domain::{Lang, RemindAt, Reminder, ReminderState, Task, TaskId};
use crate::guard::phrases::quoted;
use crate::guard::reminders::changes_reminder;
use crate::intent::Target;
use crate::locales::{day, localized};
use crate::resolver::{Among, Reference, Resolution};

impl Answering<'_> {
    /// Tells of the reminders of what is meant, else of every task that has one.
    pub fn reminded(&self, target: &Target) -> PastAnswer {
        let situation = self.context.situation;
        let meant: Option<Vec<TaskId>> = match target {
            Target::Missing => None,
            Target::Named(words) => Some(ids(situation.resolver().resolve(words, Among::All))),
            Target::Position(place) => {
                let reference = Reference::Position(*place);
                let resolver = situation.resolver();
                Some(ids(resolver.resolve_reference(&reference, Among::All)))
            }
            _ => Some(self.context.frame.focus.clone()),
        };
        let is_meant = |task: &&Task| match &meant {
            None => !task.reminders.is_empty(),
            Some(ids) => ids.contains(&task.id),
        };
        let tasks: Vec<&Task> = situation.tasks.iter().filter(is_meant).collect();
        let speech = self.context.speech;
        // Of several of one name those count that have one.
        let with = || tasks.iter().filter(|task| !task.reminders.is_empty());
        let told: Vec<&&Task> = match with().next() {
            Some(_) => with().collect(),
            None => tasks.iter().collect(),
        };
        let mut lines: Vec<String> = told
            .iter()
            .flat_map(|task| reminders_of(task, speech))
            .take(TOLD_MAX)
            .collect();
        if let (true, Target::Named(words)) = (lines.is_empty(), target) {
            lines.push(none(Some(words), speech));
        } else if lines.is_empty() {
            lines.push(none(None, speech));
        }
        let about: Vec<TaskId> = tasks.iter().map(|task| task.id).collect();
        let set = self.records.about(&about);
        let set = set.filter(|entry| changes_reminder(entry.receipt.facts()));
        PastAnswer {
            lines,
            receipts: super::records::ids(set.take(TOLD_MAX)),
        }
    }
}

fn ids(found: Resolution) -> Vec<TaskId> {
    match found {
        Resolution::One(id) => vec![id],
        Resolution::Many(candidates) => candidates.iter().map(|one| one.id).collect(),
        Resolution::None { .. } => Vec::new(),
    }
}

/// The latest that has ended, and the one that waits; none but one that was taken back goes first.
fn reminders_of(task: &Task, speech: Lang) -> Vec<String> {
    let name = quoted(task.title.as_str());
    let all = || task.reminders.iter();
    let is_over =
        |one: &&Reminder| matches!(one.state, ReminderState::Delivered | ReminderState::Missed);
    let over = all().rev().find(is_over);
    let told: Vec<&Reminder> = over.into_iter().chain(task.reminders.waiting()).collect();
    let told = match (told.as_slice(), all().max_by_key(|one| one.set_at())) {
        ([], Some(cancelled)) => vec![cancelled],
        _ => told,
    };
    if told.is_empty() {
        return vec![none(Some(task.title.as_str()), speech)];
    }
    told.into_iter()
        .map(|one| line(&name, one, speech))
        .collect()
}

fn line(name: &str, reminder: &Reminder, speech: Lang) -> String {
    let when = day_and_time(&reminder.when, speech);
    let state = reminder.state.as_str();
    localized!(
        speech,
        "past-reminder",
        name = name,
        when = when,
        state = state
    )
}

fn none(name: Option<&str>, speech: Lang) -> String {
    match name {
        Some(name) => localized!(speech, "past-no-reminder-for", name = quoted(name)),
        None => localized!(speech, "past-no-reminder"),
    }
}

/// `Mon 2026-02-09 09:00`, in the zone in which it was set.
fn day_and_time(when: &RemindAt, speech: Lang) -> String {
    let local = when.at.with_timezone(&when.zone);
    format!(
        "{} {}",
        day(local.date_naive(), speech),
        local.format("%H:%M")
    )
}
