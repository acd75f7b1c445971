//! Checks that what is said of the past and the present is true of the receipts and the rows.

#![cfg(test)]

use candor::domain::text::fold;
use candor::domain::{Action, ReminderState, Task, shown};

use super::forms::quotable;
use super::oracle::{Evidence, Proven, titles};

/// Checks that a line of an answer about the past or the present is true.
pub fn past(line: &str, seen: &Evidence) -> Result<(), String> {
    let right = match line {
        "Yes:" | "No:" | "No, nothing was changed." => true,
        "Nothing has been changed in this conversation." => !changed(None, seen),
        "Your message before this one was cut off after:" => changed(None, seen),
        _ => counted(line) || missed(line, seen) || told(line, seen) || said(line, seen),
    };
    if right {
        Ok(())
    } else {
        Err(format!("of the past: {line:?}"))
    }
}

/// "Partly: yes for "milk"; no for "eggs".", "No, only 1 in this conversation:".
fn counted(line: &str) -> bool {
    let only = line
        .strip_prefix("No, only ")
        .and_then(|rest| rest.strip_suffix(" in this conversation:"));
    line.starts_with("Partly: yes for \"") && line.contains("\"; no for \"")
        || only.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// A reminder of a task that is there, which nobody took, with its time of day.
fn missed(line: &str, seen: &Evidence) -> bool {
    seen.before.iter().any(|task| {
        let head = format!(
            "Missed: reminder for \"{}\" (",
            quotable(task.title.as_str())
        );
        let when = line
            .strip_prefix(&head)
            .and_then(|when| when.strip_suffix(")."));
        let mut ended = task.reminders.iter();
        when.is_some_and(|when| {
            ended.any(|one| {
                let time = one
                    .when
                    .at
                    .with_timezone(&one.when.zone)
                    .format("%H:%M")
                    .to_string();
                one.state == ReminderState::Missed && when.contains(&time)
            })
        })
    })
}

/// The line of a receipt, with its time and what came of it.
fn told(line: &str, seen: &Evidence) -> bool {
    let plain = line.strip_prefix("Yes. ").unwrap_or(line);
    let (plain, about) = plain.rsplit_once(" (at ").unwrap_or((plain, ""));
    let plain = plain.strip_suffix(" (undone since)").unwrap_or(plain);
    let changes = seen.history.iter().filter(|it| it.facts.action.is_change());
    let of = changes.filter(|it| it.line == plain);
    let outside = about.contains("outside this conversation");
    let mut of = of.filter(|it| outside || is_here(it, seen)).peekable();
    let undone = about.contains("; undone at ");
    let took_back = |it: &Proven| {
        let mut undos = seen.history.iter();
        undos.any(|undo| undo.facts.undoes == Some(it.facts.id))
    };
    of.peek().is_some() && (!undone || of.any(took_back))
}

/// A statement about a row, or that there is no receipt.
fn said(line: &str, seen: &Evidence) -> bool {
    let (answer, line) = match (line.strip_prefix("Yes. "), line.strip_prefix("No. ")) {
        (Some(rest), _) => (Some(true), rest),
        (_, Some(rest)) => (Some(false), rest),
        _ => (None, line),
    };
    if let Some((statement, last)) = line.split_once(" The last change to ") {
        return last_change(last, seen) && is_so(statement, answer, seen);
    }
    match line.strip_prefix("The last change to ") {
        Some(last) => last_change(last, seen),
        None => is_so(line, answer, seen),
    }
}

/// A title in quotation marks, which may hold colons itself, and the line of its last receipt.
fn last_change(said: &str, seen: &Evidence) -> bool {
    said.match_indices(": ")
        .any(|(at, colon)| is_quoted(&said[..at], seen) && told(&said[at + colon.len()..], seen))
}

fn is_quoted(text: &str, seen: &Evidence) -> bool {
    titles(seen).any(|title| format!("\"{}\"", quotable(title)) == text)
}

fn is_so(line: &str, answer: Option<bool>, seen: &Evidence) -> bool {
    let not = |yes: bool| answer != Some(yes);
    let about = |end: &str| {
        let title = line.strip_suffix(end)?;
        let mut rows = seen.before.iter();
        rows.find(|task| shown(task.title.as_str()) == title)
    };
    let quoted = |start: &str| line.strip_prefix(start)?.strip_suffix("\".");
    let done = |task: &Task| task.status.is_completed();
    let total = seen.before.len();
    let open = seen.before.iter().filter(|task| !done(task)).count();
    if about(" is still on your list.").is_some() {
        not(true)
    } else if about(" is on your list.").is_some() {
        true
    } else if let Some(task) = about(" is still pending.") {
        not(true) && !done(task)
    } else if let Some((title, _)) = line.split_once(" is pending: it was reopened ") {
        let mut rows = seen.before.iter();
        not(true) && rows.any(|task| shown(task.title.as_str()) == title && !done(task))
    } else if let Some(task) = about(" is marked as done.") {
        not(false) && done(task)
    } else if let Some(title) = line.strip_prefix("That was not done to ") {
        not(true) && is_quoted(title.trim_end_matches('.'), seen)
    } else if let Some(words) = quoted("Nothing was done to \"") {
        not(true) && !changed(Some(words), seen)
    } else if let Some(words) = quoted("Nothing on record was done to \"") {
        !changed(Some(words), seen)
    } else if let Some(verb) = line
        .strip_prefix("Nothing was ")
        .and_then(|rest| rest.strip_suffix(" in this conversation."))
    {
        not(true) && !done_here(verb, seen)
    } else if line == "Your list is empty." {
        total == 0
    } else if let Some(rest) = line.strip_suffix(" still on your list.") {
        not(true) && rest.split(' ').next() == Some(&total.to_string())
    } else if let Some(rest) = line.strip_suffix(" done.") {
        rest.starts_with(&format!("{} of {total} ", total - open)) && answer == Some(open == 0)
    } else if let Some(title) = was_already(line, " was already deleted.") {
        !seen
            .before
            .iter()
            .any(|task| shown(task.title.as_str()) == title)
    } else if was_already(line, " was already done.").is_some() {
        about_quoted(line, seen).is_some_and(done)
    } else if line.contains(" is due ") || line.ends_with(" priority.") || line.ends_with(" date.")
    {
        value(line, seen)
    } else {
        [" was already added.", " was already changed."]
            .iter()
            .any(|end| was_already(line, end).is_some_and(|title| changed(Some(&title), seen)))
    }
}

/// "X is due Fri 2026-02-13.", "X has high priority.", "X has no due date."
fn value(line: &str, seen: &Evidence) -> bool {
    let mut rows = seen.before.iter();
    rows.any(|task| {
        let Some(rest) = line.strip_prefix(&shown(task.title.as_str())) else {
            return false;
        };
        match task.due_date {
            Some(day) if rest.ends_with(&format!("{day}.")) => rest.starts_with(" is due "),
            None if rest == " has no due date." => true,
            _ => rest == format!(" has {} priority.", task.priority),
        }
    })
}

fn was_already(line: &str, end: &str) -> Option<String> {
    let title = line.strip_prefix('"')?.strip_suffix(&format!("\"{end}"))?;
    Some(title.to_owned())
}

fn about_quoted<'e>(line: &str, seen: &'e Evidence) -> Option<&'e Task> {
    let title = line.strip_prefix('"')?.split('"').next()?;
    let mut rows = seen.before.iter();
    rows.find(|task| quotable(task.title.as_str()) == title)
}

fn is_here(it: &Proven, seen: &Evidence) -> bool {
    let here = &seen.body["conversation_id"];
    serde_json::to_value(it.facts.conversation_id).is_ok_and(|id| id == *here)
}

/// Tells whether something was changed here; of some words, whether it was by any hand.
fn changed(title: Option<&str>, seen: &Evidence) -> bool {
    seen.history.iter().any(|it| {
        it.facts.action.is_change()
            && match title {
                None => is_here(it, seen),
                Some(title) => {
                    // As it is shown: a UUID in it is masked.
                    let own = fold(&quotable(it.facts.title().unwrap_or_default()));
                    fold(title).split(' ').all(|word| own.contains(word))
                }
            }
    })
}

fn done_here(verb: &str, seen: &Evidence) -> bool {
    let mut here = seen.history.iter().filter(|it| is_here(it, seen));
    here.any(|it| match verb {
        "added" => it.facts.action == Action::AddTask,
        "deleted" => it.facts.action == Action::DeleteTask,
        "marked as done" => it.facts.action == Action::CompleteTask,
        "moved" | "renamed" => it
            .facts
            .before
            .as_ref()
            .zip(it.facts.after.as_ref())
            .is_some_and(|(before, after)| {
                it.facts.action == Action::UpdateTask
                    && if verb == "moved" {
                        before.due_date != after.due_date
                    } else {
                        before.title != after.title
                    }
            }),
        _ => it.facts.action.is_change(),
    })
}
