//! Lines rendered from proofs: the only place where a sentence of success is made.

use super::delegation::{delegated, stopped};
use super::phrases::{Speech, quoted, title};
use crate::domain::{Action, Task, day_and_time};
use crate::store::{ListedTask, ReadResult, ReceiptFacts};
use crate::temporal::{RepeatWords, repeat_phrase, spoken};
use crate::tools::{DueRange, ListFilter, StatusFilter};
use crate::turn::SuccessProof;

/// The lines that a proof licenses.
pub fn receipt_line(proof: SuccessProof<'_>, speech: Speech) -> String {
    let facts = proof.facts();
    match (&facts.reading, &facts.before, &facts.after) {
        (Some(reading), ..) => reading_lines(reading, speech).join("\n"),
        (None, before, after) => change_line(facts, before.as_ref(), after.as_ref(), speech),
    }
}

/// The sentence for `action_metadata.message`: a change's line, or what a read found in short.
pub fn action_message(proof: SuccessProof<'_>, speech: Speech) -> String {
    match &proof.facts().reading {
        Some(ReadResult::Tasks { matched, .. }) => speech.tasks(*matched, ""),
        Some(ReadResult::History { receipts, .. }) => {
            let noun = if receipts.len() == 1 {
                "change"
            } else {
                "changes"
            };
            format!("{} {noun}", receipts.len())
        }
        Some(ReadResult::Runs { lines, .. }) if proof.facts().run.is_some() => {
            lines.first().cloned().unwrap_or_default()
        }
        Some(ReadResult::Runs { matched, .. }) => {
            let noun = if *matched == 1 { "run" } else { "runs" };
            format!("{matched} {noun}")
        }
        None => receipt_line(proof, speech),
    }
}

fn change_line(
    facts: &ReceiptFacts,
    before: Option<&Task>,
    after: Option<&Task>,
    speech: Speech,
) -> String {
    let name = title(facts.title().unwrap_or_default());
    match (facts.action, before, after) {
        (Action::AddTask, _, Some(task)) => {
            let head = speech.pick("Added", "Add ho gaya");
            format!("{head}: {name}{}", extras(task, speech))
        }
        (Action::Delegate | Action::CancelDelegation, ..) => match (&facts.run, facts.action) {
            (Some(run), Action::Delegate) => delegated(facts, run, speech),
            (Some(run), _) => stopped(facts, run, speech),
            (None, _) => speech.pick("Changed.", "Badal gaya.").to_owned(),
        },
        (Action::DeleteTask, ..) => {
            format!("{}: {name}", speech.pick("Deleted", "Delete ho gaya"))
        }
        (Action::CompleteTask, Some(before), Some(after)) if !after.status.is_completed() => {
            moved_on(before, after, speech)
        }
        (Action::CompleteTask, ..) => done(&name, speech),
        (Action::UpdateTask, Some(before), Some(after)) => update_line(before, after, speech),
        (Action::Undo, before, after) => {
            let head = speech.pick("Undone", "Wapas le liya");
            format!("{head}: {}", undone(&name, before, after, speech))
        }
        // The store's rows are parsed: nothing else is a change.
        _ => speech.pick("Changed.", "Badal gaya.").to_owned(),
    }
}

fn done(name: &str, speech: Speech) -> String {
    match speech {
        Speech::English => format!("Marked {name} as done"),
        Speech::RomanUrdu => format!("{name} mukammal ho gaya"),
    }
}

/// `Marked X as done (next: Mon 2026-02-16)`: of a task that repeats one occurrence is done.
fn moved_on(before: &Task, after: &Task, speech: Speech) -> String {
    let mut moved = before.clone();
    moved.set_due(after.due_date, after.due_time, after.repeat.clone());
    let mut parts = changes(&moved, after, speech);
    let next = after
        .due_date
        .map(|day| day_and_time(spoken(day), after.shown_time()));
    parts.extend(next.map(|next| format!("{}: {next}", speech.pick("next", "agla"))));
    let name = title(after.title.as_str());
    format!("{} ({})", done(&name, speech), parts.join(", "))
}

fn extras(task: &Task, speech: Speech) -> String {
    let mut extras = Vec::new();
    if let Some(day) = task.due_date {
        extras.push(speech.due(day, task.due_time));
    }
    extras.extend(task.repeat.as_ref().map(|rule| speech.repeats(rule)));
    if let Some(waiting) = task.reminders.waiting() {
        extras.push(speech.reminder(&waiting.when));
    }
    if task.priority != crate::domain::Priority::default() {
        extras.push(speech.priority(task.priority));
    }
    if extras.is_empty() {
        String::new()
    } else {
        format!(" ({})", extras.join(", "))
    }
}

fn update_line(before: &Task, after: &Task, speech: Speech) -> String {
    let name = title(after.title.as_str());
    let changes = changes(before, after, speech);
    let reopened = before.status.is_completed() && !after.status.is_completed();
    let completed = !before.status.is_completed() && after.status.is_completed();
    let head = match (reopened, completed) {
        (true, _) => format!("{}: {name}", speech.pick("Reopened", "Dobara khul gaya")),
        (_, true) => done(&name, speech),
        _ => format!("{}: {name}", speech.pick("Updated", "Badal gaya")),
    };
    if changes.is_empty() {
        head
    } else {
        format!("{head} ({})", changes.join(", "))
    }
}

/// Describes what a change made of a task's values.
pub(super) fn changes(before: &Task, after: &Task, speech: Speech) -> Vec<String> {
    let mut changes = Vec::new();
    if before.title != after.title {
        let old = title(before.title.as_str());
        changes.push(match speech {
            Speech::English => format!("renamed from {old}"),
            Speech::RomanUrdu => format!("pehle {old} tha"),
        });
    }
    if before.priority != after.priority {
        changes.push(format!("priority: {}", after.priority));
    }
    if (before.due_date, before.due_time) != (after.due_date, after.due_time) {
        changes.push(after.due_date.map_or_else(
            || speech.pick("no due date", "koi due date nahi").to_owned(),
            |day| speech.due(day, after.due_time),
        ));
    }
    if before.repeat != after.repeat {
        changes.push(after.repeat.as_ref().map_or_else(
            || {
                speech
                    .pick("no longer repeats", "ab nahi dohraya jayega")
                    .to_owned()
            },
            |rule| speech.repeats(rule),
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
        changes.push(speech.reminder_of(is));
    }
    if before.assignee.is_some() && after.assignee.is_none() {
        changes.push(speech.pick("taken back", "wapas le liya").to_owned());
    }
    if before.description != after.description {
        let word = match &after.description {
            Some(_) => speech.pick("note changed", "note badla"),
            None => speech.pick("note removed", "note hataya"),
        };
        changes.push(word.to_owned());
    }
    changes
}

fn undone(name: &str, before: Option<&Task>, after: Option<&Task>, speech: Speech) -> String {
    match (before, after) {
        (None, Some(_)) => match speech {
            Speech::English => format!("{name} is back on the list"),
            Speech::RomanUrdu => format!("{name} wapas list par hai"),
        },
        (Some(_), None) => match speech {
            Speech::English => format!("{name} is off the list again"),
            Speech::RomanUrdu => format!("{name} list se hata diya"),
        },
        (Some(before), Some(after)) => {
            let mut parts = Vec::new();
            if before.status.is_completed() != after.status.is_completed() {
                parts.push(match after.status.is_completed() {
                    true => speech.pick("done again", "phir mukammal").to_owned(),
                    false => speech.pick("pending again", "phir baqi").to_owned(),
                });
            }
            parts.extend(changes(before, after, speech));
            if parts.is_empty() {
                parts.push(speech.pick("as before", "pehle jaisa").to_owned());
            }
            format!("{name} ({})", parts.join(", "))
        }
        (None, None) => name.to_owned(),
    }
}

/// The lines of a reading, as its receipt keeps it.
pub fn reading_lines(reading: &ReadResult, speech: Speech) -> Vec<String> {
    match reading {
        ReadResult::History { lines, .. } | ReadResult::Runs { lines, .. } => lines.clone(),
        ReadResult::Tasks {
            question,
            lines,
            matched,
            total,
        } => {
            let filter: ListFilter = serde_json::from_value(question.clone()).unwrap_or_default();
            listing(&filter, lines, *matched, *total, speech)
        }
    }
}

fn listing(
    filter: &ListFilter,
    lines: &[ListedTask],
    matched: usize,
    total: usize,
    speech: Speech,
) -> Vec<String> {
    if total == 0 {
        let empty = speech.pick("Your task list is empty.", "Aap ki task list khali hai.");
        return vec![empty.to_owned()];
    }
    if filter.one
        && let Some(query) = &filter.query
    {
        return one(query, lines, matched, total, speech);
    }
    if matched == 0 && !filter.count_only {
        return vec![nothing(filter, total, speech)];
    }
    let what = what(filter, matched, speech);
    let head = match speech {
        Speech::English => format!("You have {what}"),
        Speech::RomanUrdu => format!("Aap ke paas {what} hain"),
    };
    if filter.count_only {
        return vec![format!("{head}.")];
    }
    let mut out = vec![format!("{head}:")];
    let numbered = lines.iter().enumerate();
    out.extend(numbered.map(|(index, line)| format!("{}. {}", index + 1, task_line(line))));
    if matched > lines.len() {
        let more = matched - lines.len();
        out.push(match speech {
            Speech::English => format!("… and {more} more"),
            Speech::RomanUrdu => format!("… aur {more} mazeed"),
        });
    }
    out
}

fn one(
    query: &str,
    lines: &[ListedTask],
    matched: usize,
    total: usize,
    speech: Speech,
) -> Vec<String> {
    let yes = speech.pick("Yes", "Haan");
    match (lines, matched) {
        ([], _) => vec![no_match(query, total, speech)],
        ([line], 1) => vec![format!("{yes}: {}", task_line(line))],
        (lines, matched) => {
            let head = match speech {
                Speech::English => format!("{yes}, {matched} tasks match {}:", quoted(query)),
                Speech::RomanUrdu => {
                    format!("{yes}, {matched} tasks {} se milte hain:", quoted(query))
                }
            };
            let numbered = lines.iter().enumerate();
            let tail = numbered.map(|(index, line)| format!("{}. {}", index + 1, task_line(line)));
            [head].into_iter().chain(tail).collect()
        }
    }
}

fn no_match(query: &str, total: usize, speech: Speech) -> String {
    match speech {
        Speech::English => format!("No task matches {} ({total} in all).", quoted(query)),
        Speech::RomanUrdu => format!("Koi task {} se nahi milta (kul {total}).", quoted(query)),
    }
}

fn nothing(filter: &ListFilter, total: usize, speech: Speech) -> String {
    let in_all = speech.tasks(total, "");
    let alone = filter.status == StatusFilter::All && filter.priority.is_none();
    match (&filter.due, &filter.query) {
        (Some(DueRange::Overdue { .. }), None) if alone => match speech {
            Speech::English => format!("Nothing is overdue ({in_all} in all)."),
            Speech::RomanUrdu => format!("Kuch overdue nahi (kul {in_all})."),
        },
        (Some(DueRange::Between { from, to }), None) if alone => match speech {
            Speech::English => format!("Nothing is due {} ({in_all} in all).", range(*from, *to)),
            Speech::RomanUrdu => format!("{} ko kuch due nahi (kul {in_all}).", range(*from, *to)),
        },
        (Some(DueRange::Undated), None) if alone => match speech {
            Speech::English => format!("No task is without a due date ({total} in all)."),
            Speech::RomanUrdu => format!("Koi task bina due date ke nahi (kul {total})."),
        },
        (None, Some(query)) if alone => no_match(query, total, speech),
        // Several conditions at once: what meets only some of them is not denied.
        _ => {
            let what = what(filter, 0, speech);
            let what = what.strip_prefix("0 ").unwrap_or(&what);
            match speech {
                Speech::English => format!("You have no {what} ({total} in all)."),
                Speech::RomanUrdu => format!("Aap ke paas koi {what} nahi (kul {total})."),
            }
        }
    }
}

fn what(filter: &ListFilter, matched: usize, speech: Speech) -> String {
    let mut what = speech.tasks(matched, &kind(filter));
    match &filter.due {
        Some(DueRange::Between { from, to }) => {
            what.push_str(&format!(" due {}", range(*from, *to)));
        }
        Some(DueRange::Undated) => {
            what.push_str(speech.pick(" without a due date", " bina due date ke"));
        }
        Some(DueRange::Overdue { .. }) | None => {}
    }
    if let Some(query) = &filter.query {
        what.push_str(&format!(
            " {} {}",
            speech.pick("matching", "jaise"),
            quoted(query)
        ));
    }
    what
}

/// The words before "tasks": "pending", "high-priority", "overdue high-priority".
fn kind(filter: &ListFilter) -> String {
    let state = match &filter.due {
        Some(DueRange::Overdue { .. }) => "overdue",
        _ => status_word(filter.status),
    };
    match filter.priority {
        None => state.to_owned(),
        Some(priority) => format!("{state} {priority}-priority").trim().to_owned(),
    }
}

const fn status_word(status: StatusFilter) -> &'static str {
    match status {
        StatusFilter::All => "",
        StatusFilter::Pending => "pending",
        StatusFilter::Completed => "completed",
    }
}

fn range(from: chrono::NaiveDate, to: chrono::NaiveDate) -> String {
    if from == to {
        spoken(from)
    } else {
        format!("{} to {}", spoken(from), spoken(to))
    }
}

/// `X (pending, high, due 2026-02-09)`
pub(super) fn task_line(line: &ListedTask) -> String {
    let status = if line.completed {
        "completed"
    } else {
        "pending"
    };
    let due = line
        .due_date
        .map(|day| format!(", due {}", day_and_time(day, line.due_time)))
        .unwrap_or_default();
    let repeat = line.repeat.as_ref();
    let repeat = repeat.map(|rule| format!(", {}", repeat_phrase(rule, RepeatWords::English)));
    let agent = line.agent.as_deref().map(|agent| format!(", {agent}"));
    format!(
        "{} ({status}, {}{due}{}{})",
        title(&line.title),
        line.priority,
        repeat.unwrap_or_default(),
        agent.unwrap_or_default()
    )
}
