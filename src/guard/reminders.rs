//! Lines about reminders that no receipt of a change tells: one that was missed, and one that stays
//! where it is.

use super::phrases::{quoted, remind_time};
use crate::domain::{Action, Lang, Reminder, ReminderId, Task};
use crate::locales::localized;
use crate::store::{ReadResult, ReceiptFacts};

/// Names, in the question of a reading, the reminder that was missed.
pub const MISSED_REMINDER: &str = "missed_reminder";

/// `Missed: reminder for "call the plumber" (Fri 17:00).`
pub fn missed_line(task: &Task, reminder: &Reminder, speech: Lang) -> String {
    let name = quoted(task.title.as_str());
    let when = remind_time(&reminder.when, speech);
    localized!(speech, "reminder-missed", name = name, when = when)
}

/// `The reminder for "call the plumber" stays: Fri 17:00.`, where a change moved its task and not it.
pub fn staying_line(facts: &ReceiptFacts, speech: Lang) -> Option<String> {
    let (before, after) = facts.before.as_ref().zip(facts.after.as_ref())?;
    let due = |task: &Task| (task.due_date, task.due_time);
    let moved = facts.action == Action::UpdateTask
        && before.due_date.is_some()
        && due(before) != due(after);
    let reminder = after.reminders.waiting().filter(|_| moved)?;
    let same = waiting(Some(before)) == Some(reminder.id);
    same.then(|| {
        let name = quoted(after.title.as_str());
        let when = remind_time(&reminder.when, speech);
        localized!(speech, "reminder-stays", name = name, when = when)
    })
}

/// Tells whether a reading was made to tell of a reminder that nobody could be given.
pub fn tells_of_missed_reminder(reading: Option<&ReadResult>) -> bool {
    match reading {
        Some(ReadResult::History { question, .. }) => question.get(MISSED_REMINDER).is_some(),
        _ => false,
    }
}

/// Tells whether a receipt says that a reminder waits which did not before.
pub fn sets_reminder(facts: &ReceiptFacts) -> bool {
    changes_reminder(facts) && waiting(facts.after.as_ref()).is_some()
}

/// Tells whether a receipt says that another reminder waits than before, or none.
pub(super) fn changes_reminder(facts: &ReceiptFacts) -> bool {
    waiting(facts.after.as_ref()) != waiting(facts.before.as_ref())
}

fn waiting(task: Option<&Task>) -> Option<ReminderId> {
    task?.reminders.waiting().map(|one| one.id)
}
