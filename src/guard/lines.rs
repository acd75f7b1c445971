//! Lines rendered from proofs: the only place where a sentence of success is made.

use super::delegation::{delegated, stopped};
use super::phrases::{
    due, in_brackets, numbered, priority, quoted, reminder, reminder_of, tasks, title, when,
};
use crate::domain::{Action, Lang, Priority, Task, day_and_time};
use crate::locales::{day, listed_day, localized, repeat_phrase};
use crate::store::{ListedTask, ReadResult, ReceiptFacts};
use crate::temporal::OPEN_END;
use crate::tools::{DueRange, ListFilter, StatusFilter};
use crate::turn::SuccessProof;

/// The lines that a proof licenses.
pub fn receipt_line(proof: SuccessProof<'_>, speech: Lang) -> String {
    line_counting(proof, speech, speech.habits().counts_none)
}

/// The same, where none is counted as well ("0 tasks") or not.
pub(super) fn line_counting(proof: SuccessProof<'_>, speech: Lang, counts_none: bool) -> String {
    let facts = proof.facts();
    match (&facts.reading, &facts.before, &facts.after) {
        (Some(reading), ..) => reading_lines(reading, speech, counts_none).join("\n"),
        (None, before, after) => change_line(facts, before.as_ref(), after.as_ref(), speech),
    }
}

/// The sentence for `action_metadata.message`: a change's line, or what a read found in short.
pub fn action_message(proof: SuccessProof<'_>, speech: Lang) -> String {
    match &proof.facts().reading {
        Some(ReadResult::Tasks { matched, .. }) => tasks(*matched, speech),
        Some(ReadResult::History { receipts, .. }) => {
            localized!(speech, "changes-counted", count = receipts.len())
        }
        Some(ReadResult::Runs { lines, .. }) if proof.facts().run.is_some() => {
            lines.first().cloned().unwrap_or_default()
        }
        Some(ReadResult::Runs { matched, .. }) => {
            localized!(speech, "runs-counted", count = *matched)
        }
        None => receipt_line(proof, speech),
    }
}

fn change_line(
    facts: &ReceiptFacts,
    before: Option<&Task>,
    after: Option<&Task>,
    speech: Lang,
) -> String {
    let name = title(facts.title().unwrap_or_default());
    match (facts.action, before, after) {
        (Action::AddTask, _, Some(task)) => {
            let added = localized!(speech, "added", name = name);
            format!("{added}{}", extras(task, speech))
        }
        (Action::Delegate | Action::CancelDelegation, ..) => match (&facts.run, facts.action) {
            (Some(run), Action::Delegate) => delegated(facts, run, speech),
            (Some(run), _) => stopped(facts, run, speech),
            (None, _) => localized!(speech, "changed"),
        },
        (Action::DeleteTask, ..) => localized!(speech, "deleted", name = name),
        (Action::CompleteTask, Some(before), Some(after)) if !after.status.is_completed() => {
            moved_on(before, after, speech)
        }
        (Action::CompleteTask, ..) => localized!(speech, "marked-done", name = name),
        (Action::UpdateTask, Some(before), Some(after)) => update_line(before, after, speech),
        (Action::Undo, before, after) => {
            let what = undone(name, before, after, speech);
            localized!(speech, "undone", what = what)
        }
        // The store's rows are parsed: nothing else is a change.
        _ => localized!(speech, "changed"),
    }
}

/// `Marked X as done (next: Mon 2026-02-16)`: of a task that repeats one occurrence is done.
fn moved_on(before: &Task, after: &Task, speech: Lang) -> String {
    let mut moved = before.clone();
    moved.set_due(after.due_date, after.due_time, after.repeat.clone());
    let mut parts = changes(&moved, after, speech);
    let next = after.due_date.map(|day| when(day, after.due_time, speech));
    parts.extend(next.map(|next| localized!(speech, "next", when = next)));
    let name = title(after.title.as_str());
    let done = localized!(speech, "marked-done", name = name);
    format!("{done}{}", in_brackets(&parts))
}

fn extras(task: &Task, speech: Lang) -> String {
    let mut extras = Vec::new();
    if let Some(day) = task.due_date {
        extras.push(due(day, task.due_time, speech));
    }
    let repeat = task.repeat.as_ref();
    extras.extend(repeat.map(|rule| repeat_phrase(rule, speech)));
    if let Some(waiting) = task.reminders.waiting() {
        extras.push(reminder(&waiting.when, speech));
    }
    if task.priority != Priority::default() {
        extras.push(priority(task.priority, speech));
    }
    in_brackets(&extras)
}

fn update_line(before: &Task, after: &Task, speech: Lang) -> String {
    let name = title(after.title.as_str());
    let changes = changes(before, after, speech);
    let reopened = before.status.is_completed() && !after.status.is_completed();
    let completed = !before.status.is_completed() && after.status.is_completed();
    let head = match (reopened, completed) {
        (true, _) => localized!(speech, "reopened", name = name),
        (_, true) => localized!(speech, "marked-done", name = name),
        _ => localized!(speech, "updated", name = name),
    };
    format!("{head}{}", in_brackets(&changes))
}

/// Describes what a change made of a task's values.
pub(super) fn changes(before: &Task, after: &Task, speech: Lang) -> Vec<String> {
    let mut changes = Vec::new();
    if before.title != after.title {
        let old = title(before.title.as_str());
        changes.push(localized!(speech, "renamed-from", name = old));
    }
    if before.priority != after.priority {
        let level = after.priority.as_str();
        changes.push(localized!(speech, "priority-changed", priority = level));
    }
    if (before.due_date, before.due_time) != (after.due_date, after.due_time) {
        changes.push(after.due_date.map_or_else(
            || localized!(speech, "no-due-date"),
            |day| due(day, after.due_time, speech),
        ));
    }
    if before.repeat != after.repeat {
        changes.push(after.repeat.as_ref().map_or_else(
            || localized!(speech, "no-longer-repeats"),
            |rule| repeat_phrase(rule, speech),
        ));
    }
    // That what is done reminds of nothing any more goes without saying.
    let waiting = |task: &Task| task.reminders.waiting().map(|one| one.when);
    let (was, is) = (waiting(before), waiting(after));
    // Where one has rung it would have come with the next occurrence.
    let comes = |task: &Task| task.due_reminder().is_some();
    let taken = is.is_none() && comes(before) && !comes(after);
    if (taken || was.map(|when| when.at) != is.map(|when| when.at))
        && (is.is_some() || !after.status.is_completed())
    {
        changes.push(reminder_of(is, speech));
    }
    if before.assignee.is_some() && after.assignee.is_none() {
        changes.push(localized!(speech, "taken-back"));
    }
    if before.description != after.description {
        changes.push(match (&before.description, &after.description) {
            (None, _) => localized!(speech, "note-added"),
            (_, Some(_)) => localized!(speech, "note-changed"),
            (_, None) => localized!(speech, "note-removed"),
        });
    }
    changes
}

fn undone(name: String, before: Option<&Task>, after: Option<&Task>, speech: Lang) -> String {
    match (before, after) {
        (None, Some(_)) => localized!(speech, "undone-deletion", name = name),
        (Some(_), None) => localized!(speech, "undone-addition", name = name),
        (Some(before), Some(after)) => {
            let mut parts = Vec::new();
            if before.status.is_completed() != after.status.is_completed() {
                parts.push(match after.status.is_completed() {
                    true => localized!(speech, "done-again"),
                    false => localized!(speech, "pending-again"),
                });
            }
            parts.extend(changes(before, after, speech));
            if parts.is_empty() {
                parts.push(localized!(speech, "as-before"));
            }
            format!("{name}{}", in_brackets(&parts))
        }
        (None, None) => name,
    }
}

/// The lines of a reading, as its receipt keeps it.
fn reading_lines(reading: &ReadResult, speech: Lang, counts_none: bool) -> Vec<String> {
    match reading {
        ReadResult::History { lines, .. } | ReadResult::Runs { lines, .. } => lines.clone(),
        ReadResult::Tasks {
            question,
            lines,
            matched,
            total,
        } => {
            let filter: ListFilter = serde_json::from_value(question.clone()).unwrap_or_default();
            listing(&filter, lines, (*matched, *total), speech, counts_none)
        }
    }
}

fn listing(
    filter: &ListFilter,
    lines: &[ListedTask],
    (matched, total): (usize, usize),
    speech: Lang,
    counts_none: bool,
) -> Vec<String> {
    if total == 0 {
        return vec![localized!(speech, "list-empty")];
    }
    if filter.one
        && let Some(query) = &filter.query
    {
        return one(query, lines, matched, total, speech);
    }
    if matched == 0 && !(filter.count_only && counts_none) {
        return vec![nothing(filter, total, speech)];
    }
    let what = what(filter, matched, speech);
    let head = localized!(speech, "you-have", what = what);
    if filter.count_only {
        return vec![format!("{head}.")];
    }
    let mut out = vec![localized!(speech, "with-colon", head = head)];
    out.extend(numbered(lines.iter().map(|line| task_line(line, speech))));
    if matched > lines.len() {
        let more = matched - lines.len();
        out.push(localized!(speech, "more-tasks", count = more));
    }
    out
}

fn one(
    query: &str,
    lines: &[ListedTask],
    matched: usize,
    total: usize,
    speech: Lang,
) -> Vec<String> {
    match (lines, matched) {
        ([], _) => vec![no_match(query, total, speech)],
        ([line], 1) => vec![localized!(
            speech,
            "one-match",
            task = task_line(line, speech)
        )],
        (lines, matched) => {
            let query = quoted(query);
            let head = localized!(speech, "several-match", count = matched, query = query);
            let lines = lines.iter().map(|line| task_line(line, speech));
            std::iter::once(head).chain(numbered(lines)).collect()
        }
    }
}

fn no_match(query: &str, total: usize, speech: Lang) -> String {
    localized!(speech, "no-match", query = quoted(query), total = total)
}

fn nothing(filter: &ListFilter, total: usize, speech: Lang) -> String {
    let alone = filter.status == StatusFilter::All && filter.priority.is_none();
    match (&filter.due, &filter.query) {
        (Some(DueRange::Overdue { .. }), None) if alone => {
            localized!(speech, "nothing-overdue", total = total)
        }
        (Some(DueRange::Between { from, to }), None) if alone => {
            let when = range(*from, *to, speech);
            localized!(speech, "nothing-due", when = when, total = total)
        }
        (Some(DueRange::Undated), None) if alone => {
            localized!(speech, "nothing-undated", total = total)
        }
        (None, Some(query)) if alone => no_match(query, total, speech),
        // Several conditions at once: what meets only some of them is not denied.
        _ => localized!(
            speech,
            "you-have-none",
            status = state(filter),
            priority = level(filter),
            conditions = conditions(filter, speech),
            total = total,
        ),
    }
}

fn what(filter: &ListFilter, matched: usize, speech: Lang) -> String {
    let tasks = localized!(
        speech,
        "tasks",
        count = matched,
        status = state(filter),
        priority = level(filter),
    );
    format!("{tasks}{}", conditions(filter, speech))
}

/// ` due Mon 2026-02-09 matching "milk"`
fn conditions(filter: &ListFilter, speech: Lang) -> String {
    let due = match &filter.due {
        Some(DueRange::Between { from, to }) => {
            let when = range(*from, *to, speech);
            Some(localized!(speech, "condition-due", when = when))
        }
        Some(DueRange::Undated) => Some(localized!(speech, "condition-undated")),
        Some(DueRange::Overdue { .. }) | None => None,
    };
    let query = filter.query.as_deref().map(quoted);
    let query = query.map(|query| localized!(speech, "condition-matching", query = query));
    let conditions = due.into_iter().chain(query);
    conditions
        .flat_map(|condition| [" ".to_owned(), condition])
        .collect()
}

const fn state(filter: &ListFilter) -> &'static str {
    match (&filter.due, filter.status) {
        (Some(DueRange::Overdue { .. }), _) => "overdue",
        (_, StatusFilter::All) => "all",
        (_, StatusFilter::Pending) => "pending",
        (_, StatusFilter::Completed) => "completed",
    }
}

fn level(filter: &ListFilter) -> &'static str {
    filter.priority.map_or("any", Priority::as_str)
}

/// `Sat 2026-02-07`, `from Mon 2026-02-09 to Sun 2026-02-15`
pub(super) fn range(from: chrono::NaiveDate, to: chrono::NaiveDate, speech: Lang) -> String {
    if from == to {
        localized!(speech, "on-day", day = day(from, speech))
    } else if to == OPEN_END {
        localized!(speech, "days-from", from = day(from, speech))
    } else {
        let (from, to) = (day(from, speech), day(to, speech));
        localized!(speech, "days", from = from, to = to)
    }
}

/// `note: "ask about Abba"`
fn noted(note: &str, speech: Lang) -> String {
    match note.is_empty() {
        true => localized!(speech, "no-note"),
        false => localized!(speech, "note-told", note = quoted(note)),
    }
}

/// `agent-abc123 running`
fn at_work(agent: &str, speech: Lang) -> String {
    match agent.split_once(' ') {
        Some((agent, state)) => localized!(speech, "agent-stands", agent = agent, state = state),
        None => agent.to_owned(),
    }
}

/// `X (pending, high, due 2026-02-09)`
pub(super) fn task_line(line: &ListedTask, speech: Lang) -> String {
    let status = if line.completed {
        "completed"
    } else {
        "pending"
    };
    let level = line.priority.as_str();
    let mut parts = vec![
        localized!(speech, "status-word", status = status),
        localized!(speech, "priority-word", priority = level),
    ];
    parts.extend(line.due_date.map(|day| {
        let when = day_and_time(listed_day(day, speech), line.due_time);
        localized!(speech, "due", when = when)
    }));
    let repeat = line.repeat.as_ref();
    parts.extend(repeat.map(|rule| repeat_phrase(rule, speech)));
    parts.extend(line.agent.as_deref().map(|agent| at_work(agent, speech)));
    parts.extend(line.reminder.map(|when| reminder(&when, speech)));
    parts.extend(line.note.as_deref().map(|note| noted(note, speech)));
    format!("{}{}", title(&line.title), in_brackets(&parts))
}
