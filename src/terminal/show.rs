//! Look of replies on a terminal, and what must never reach one.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::Value;

/// Choice of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// ANSI colours: a person watches.
    On,
    /// Plain text: a pipe, a file, or `NO_COLOR`.
    Off,
}

pub(super) const GREEN: &str = "\u{1b}[32m";
pub(super) const RED: &str = "\u{1b}[31m";
pub(super) const YELLOW: &str = "\u{1b}[33m";
pub(super) const DIM: &str = "\u{1b}[2m";
const PLAIN: &str = "\u{1b}[0m";

/// Text without what could steer a terminal or turn its lines around: titles are data.
pub fn plain(text: &str) -> Cow<'_, str> {
    let steers = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(
        text.chars()
            .map(|c| if steers(c) { '\u{fffd}' } else { c })
            .collect(),
    )
}

/// Prints a reply: its sentences, and the answers its question takes.
pub(super) fn reply(out: &mut impl Write, colour: Colour, reply: &Value) -> io::Result<()> {
    let text = |name: &str| reply.get(name).and_then(Value::as_str).unwrap_or_default();
    let paint = match text("kind") {
        "receipt" => GREEN,
        "failure" => RED,
        "question" => YELLOW,
        _ => "",
    };
    painted(out, colour, paint, text("assistant_message"))?;
    options(out, colour, reply)
}

/// Prints the answers that a reply's question takes.
pub(super) fn options(out: &mut impl Write, colour: Colour, reply: &Value) -> io::Result<()> {
    let options = reply.pointer("/question/options").and_then(Value::as_array);
    let options = options.into_iter().flatten();
    let options = options.map(|option| (part(option, "id"), part(option, "label")));
    let options: Vec<(&str, &str)> = options.collect();
    let is_word = |id: &str| matches!(id, "yes" | "no");
    // In another language than English the id says nothing.
    let foreign = |(id, label): &(&str, &str)| is_word(id) && !id.eq_ignore_ascii_case(label);
    let foreign = options.iter().any(foreign);
    for (id, label) in options {
        let line = match is_word(id) {
            true if foreign => format!("  {label}"),
            _ if id.eq_ignore_ascii_case(label) => format!("  {id}"),
            _ => format!("  {id}: {label}"),
        };
        painted(out, colour, DIM, &line)?;
    }
    Ok(())
}

fn part<'v>(option: &'v Value, name: &str) -> &'v str {
    option.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Prints the task list.
pub(super) fn tasks(out: &mut impl Write, colour: Colour, tasks: &[Value]) -> io::Result<()> {
    if tasks.is_empty() {
        return painted(out, colour, "", "Your task list is empty.");
    }
    for task in tasks {
        let text = |name: &str| task.get(name).and_then(Value::as_str);
        let done = text("status") == Some("completed");
        let mut line = format!("[{}] ", if done { 'x' } else { ' ' });
        line.push_str(text("title").unwrap_or_default());
        let mut marks = Vec::new();
        if let Some(priority) = text("priority").filter(|priority| *priority != "medium") {
            marks.push(priority.to_owned());
        }
        if let Some(day) = text("due_date") {
            let time = text("due_time").map(|time| format!(" {time}"));
            marks.push(format!("due {day}{}", time.unwrap_or_default()));
        }
        if !marks.is_empty() {
            line.push_str(&format!(" ({})", marks.join(", ")));
        }
        painted(out, colour, if done { DIM } else { "" }, &line)?;
    }
    Ok(())
}

/// Prints what goes on beside the conversation.
pub(super) fn aside(out: &mut impl Write, colour: Colour, words: &str) -> io::Result<()> {
    painted(out, colour, DIM, &format!("  · {words}"))
}

/// Prints why there is no reply.
pub(super) fn fault(out: &mut impl Write, colour: Colour, words: &str) -> io::Result<()> {
    painted(out, colour, RED, words)
}

pub(super) fn painted(
    out: &mut impl Write,
    colour: Colour,
    paint: &str,
    text: &str,
) -> io::Result<()> {
    let text = plain(text);
    if colour == Colour::Off || paint.is_empty() {
        writeln!(out, "{text}")
    } else {
        writeln!(out, "{paint}{text}{PLAIN}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn printed(print: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        print(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_title_can_not_steer_the_terminal() {
        let check = |text: &str, expect: &str| assert_eq!(plain(text), expect);
        check("Read book\n2", "Read book\n2");
        check("\u{1b}]0;x\u{7}", "\u{fffd}]0;x\u{fffd}");
        check("a\u{9b}31m", "a\u{fffd}31m");
        check("a\rb", "a\u{fffd}b");
        check("\u{202e}abc", "\u{fffd}abc");
        check("مرحبا", "مرحبا");
    }

    #[test]
    fn replies() {
        let check = |colour, value: Value, expect: &str| {
            assert_eq!(printed(|out| reply(out, colour, &value)), expect);
        };
        let added = json!({"kind": "receipt", "assistant_message": "Added: milk"});
        check(Colour::Off, added.clone(), "Added: milk\n");
        check(Colour::On, added, "\u{1b}[32mAdded: milk\u{1b}[0m\n");
        check(
            Colour::Off,
            json!({
                "kind": "question",
                "assistant_message": "Which one?",
                "question": {"options": [
                    {"id": "1", "label": "Read blue book"},
                    {"id": "no", "label": "No"},
                ]},
            }),
            "Which one?\n  1: Read blue book\n  no\n",
        );
        check(
            Colour::Off,
            json!({
                "kind": "question",
                "assistant_message": "Aggiungere \"pane\"?",
                "question": {"options": [
                    {"id": "yes", "label": "Sì"},
                    {"id": "no", "label": "No"},
                ]},
            }),
            "Aggiungere \"pane\"?\n  Sì\n  No\n",
        );
    }

    #[test]
    fn task_lines() {
        let list = [
            json!({"title": "milk", "status": "pending", "priority": "high", "due_date": "2026-02-09", "due_time": "17:00"}),
            json!({"title": "eggs", "status": "completed", "priority": "medium", "due_date": null}),
        ];
        let lines = printed(|out| tasks(out, Colour::Off, &list));
        assert_eq!(lines, "[ ] milk (high, due 2026-02-09 17:00)\n[x] eggs\n");
        assert_eq!(
            printed(|out| tasks(out, Colour::Off, &[])),
            "Your task list is empty.\n"
        );
    }
}
