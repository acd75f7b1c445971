//! The runner's own judgement, independent of the guard: is every sentence borne out, did the
//! rows change exactly as the receipts say, and as the scenario says?

use std::fmt;

use serde_json::Value;

use super::scenario::{Expect, TurnSpec};
use super::words::list;
use crate::domain::{Task, day_and_time};
use crate::guard::Kind;
use crate::locales::repeat_phrase;

/// Faults of a turn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    /// A sentence reached the user that no receipt bears out.
    Ghost(String),
    /// A change that was not asked for, or one without a receipt.
    Effect(String),
    /// Anything else.
    Wrong(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ghost(what) => write!(f, "GHOST: {what}"),
            Self::Effect(what) => write!(f, "WRONG EFFECT: {what}"),
            Self::Wrong(what) => f.write_str(what),
        }
    }
}

/// Holds a reply against the receipts it came with and against the scenario.
pub(super) fn judge_reply(reply: &Value, turn: &TurnSpec, exact: bool, faults: &mut Vec<Fault>) {
    let text = string(reply, "/assistant_message");
    unborne(reply, text, faults);
    if crate::domain::masked(text) != text {
        faults.push(Fault::Wrong(format!("a UUID in the reply: {text:?}")));
    }
    let last = actions(reply).last();
    let metadata = reply.get("action_metadata").filter(|m| !m.is_null());
    if metadata != last {
        faults.push(Fault::Ghost(
            "metadata that is not the last receipt".to_owned(),
        ));
    }
    let expect = &turn.expect;
    let wrong = |what: String| Fault::Wrong(format!("{what}; the reply was {text:?}"));
    for part in &expect.never_says {
        if contains(text, part) {
            faults.push(wrong(format!("says {part:?}")));
        }
    }
    if !exact {
        return;
    }
    if let Some(whole) = &expect.reply
        && text != whole
    {
        faults.push(wrong(format!("expected {whole:?}")));
    }
    for part in &expect.says {
        if !contains(text, part) {
            faults.push(wrong(format!("does not say {part:?}")));
        }
    }
    judge_form(reply, expect, &wrong, faults);
}

fn judge_form(
    reply: &Value,
    expect: &Expect,
    wrong: &impl Fn(String) -> Fault,
    faults: &mut Vec<Fault>,
) {
    let kind = string(reply, "/kind");
    let wanted: Vec<&str> = expect.kind.iter().copied().map(Kind::as_str).collect();
    if !wanted.is_empty() && !wanted.contains(&kind) {
        faults.push(wrong(format!("expected kind {wanted:?}, got {kind}")));
    }
    if let Some(code) = &expect.error {
        let found = reply.pointer("/error/code").and_then(Value::as_str);
        if found.unwrap_or("none") != code {
            faults.push(wrong(format!("expected error {code}, got {found:?}")));
        }
    }
    if let Some(wanted) = &expect.actions {
        let wanted: Vec<&str> = wanted.iter().map(|action| action.as_str()).collect();
        let found: Vec<&str> = actions(reply)
            .map(|action| string(action, "/action"))
            .collect();
        if wanted != found {
            faults.push(wrong(format!("expected actions {wanted:?}, got {found:?}")));
        }
    }
}

/// Every line that asserts something must be the line of one of the turn's receipts.
fn unborne(reply: &Value, text: &str, faults: &mut Vec<Fault>) {
    let borne = actions(reply).map(|action| string(action, "/message"));
    let borne: Vec<&str> = borne.collect();
    let read = |action: &Value| matches!(string(action, "/action"), "list_tasks" | "history");
    let read = actions(reply).any(read);
    for line in text.lines() {
        let folded = line.to_lowercase();
        let claims = list("claims").iter().any(|word| folded.contains(word));
        let server =
            list("server").iter().any(|form| line.starts_with(form)) || line.ends_with('?');
        let mut words = folded.split(|c: char| !c.is_alphanumeric());
        let denied = words.any(|word| list("denials").contains(&word));
        let numbered = line.chars().next().is_some_and(|c| c.is_ascii_digit());
        let fact = line.starts_with('"') && folded.contains("already");
        if claims && !server && !denied && !numbered && !fact && !read && !borne.contains(&line) {
            faults.push(Fault::Ghost(format!("{line:?}")));
        }
    }
}

/// Holds the rows against the receipts and against the scenario.
pub(super) fn judge_effect(
    reply: &Value,
    before: &[Task],
    after: &[Task],
    turn: &TurnSpec,
    exact: bool,
    faults: &mut Vec<Fault>,
) {
    let changed = changed(before, after);
    let receipts: Vec<&str> = actions(reply)
        .filter_map(|action| action.get("task_id")?.as_str())
        .collect();
    for id in &changed {
        if !receipts.contains(&id.as_str()) {
            faults.push(Fault::Effect("a change without a receipt".to_owned()));
        }
    }
    let found = lines(after);
    let wanted = turn.expect.tasks.clone().unwrap_or_else(|| lines(before));
    let meanwhile = !turn.meanwhile.is_empty() && turn.expect.tasks.is_none();
    if found != wanted && !meanwhile && (exact || found != lines(before)) {
        let what = format!("expected {wanted:?}, the list is {found:?}");
        if !within(&found, &lines(before), &wanted) {
            faults.push(Fault::Effect(what));
        } else if exact {
            // What was asked for did not happen: a failure, but nothing was done unasked.
            faults.push(Fault::Wrong(what));
        }
    }
}

/// Checks that a list lies between what was and what was asked for: part of the work, and no more.
fn within(found: &[String], before: &[String], wanted: &[String]) -> bool {
    let known = |line: &String| before.contains(line) || wanted.contains(line);
    let kept = before
        .iter()
        .filter(|line| wanted.contains(line))
        .all(|line| found.contains(line));
    found.iter().all(known) && kept
}

fn changed(before: &[Task], after: &[Task]) -> Vec<String> {
    let differs = |task: &&Task, others: &[Task]| !others.iter().any(|other| other == *task);
    let gone = before.iter().filter(|task| differs(task, after));
    let new = after.iter().filter(|task| differs(task, before));
    let mut ids: Vec<String> = gone.chain(new).map(|task| task.id.to_string()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// `Read book`, `milk (done)`, `Gym (due 2026-02-16)`, `Tax (high, due 2026-02-16)`
fn lines(tasks: &[Task]) -> Vec<String> {
    tasks.iter().map(line).collect()
}

fn line(task: &Task) -> String {
    let mut marks = Vec::new();
    if task.status.is_completed() {
        marks.push("done".to_owned());
    }
    if task.priority != crate::domain::Priority::default() {
        marks.push(task.priority.to_string());
    }
    if let Some(day) = task.due_date {
        marks.push(format!("due {}", day_and_time(day, task.shown_time())));
    }
    if let Some(rule) = &task.repeat {
        marks.push(repeat_phrase(rule, crate::domain::Lang::En));
    }
    if marks.is_empty() {
        task.title.as_str().to_owned()
    } else {
        format!("{} ({})", task.title, marks.join(", "))
    }
}

/// The receipts of a reply.
fn actions(reply: &Value) -> impl Iterator<Item = &Value> {
    let actions = reply.get("actions").and_then(Value::as_array);
    actions.into_iter().flatten()
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

fn string<'a>(value: &'a Value, pointer: &str) -> &'a str {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults(reply: &Value) -> Vec<Fault> {
        let mut faults = Vec::new();
        judge_reply(reply, &TurnSpec::default(), true, &mut faults);
        faults
    }

    #[test]
    fn too_little_is_no_wrong_effect_and_too_much_is() {
        let check = |before: &[&str], found: &[&str], wanted: &[&str], expect: bool| {
            let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
            let within = within(&owned(found), &owned(before), &owned(wanted));
            assert_eq!(within, expect, "{before:?} {found:?} {wanted:?}");
        };
        check(&["a", "b"], &["a", "b"], &["b"], true);
        check(&["a", "b", "c"], &["b", "c"], &["c"], true);
        check(&["a", "b"], &["a"], &["b"], false);
        check(&["a", "b"], &[], &["b"], false);
        check(&["a"], &["a", "x"], &["a"], false);
        check(&["a"], &["a (done)"], &["a (high)"], false);
    }

    #[test]
    fn a_planted_ghost_is_caught_and_a_borne_line_is_not() {
        let done = json!({"action": "delete_task", "message": "Deleted: Read book"});
        let mut borne = json!({
            "assistant_message": "Deleted: Read book",
            "kind": "receipt",
            "actions": [done],
            "action_metadata": done,
        });
        assert_eq!(faults(&borne), []);
        let ghost = json!({
            "assistant_message": "Deleted: Read book", "kind": "chat", "actions": [],
        });
        assert!(matches!(faults(&ghost).as_slice(), [Fault::Ghost(_)]));
        borne["assistant_message"] = "Deleted: Read book\nDeleted all your reminders.".into();
        assert!(matches!(faults(&borne).as_slice(), [Fault::Ghost(_)]));
        let metadata = json!({
            "assistant_message": "Hello!", "kind": "chat", "actions": [],
            "action_metadata": {"action": "delete_task"},
        });
        assert!(matches!(faults(&metadata).as_slice(), [Fault::Ghost(_)]));
    }
}
