//! Cost and length of the prompt that tells a model everything it needs: with a short list and
//! a long one, at the beginning of a conversation and far into it.
//!
//! `cargo bench --bench prompt`. To hold: with a hundred thousand tasks at most one and a half
//! times the bytes of fifty, and 300 µs at the median.

mod support;

use std::io;

use candor::chat::{PromptInput, build_prompt};
use candor::domain::{Clock, Lang, MessageId, Task, TaskId, Title, UserId};
use candor::llm::PromptMessage;
use candor::resolver::TaskList;
use candor::store::{MessageRole, StoredMessage};
use candor::temporal::DueRule;
use chrono::{DateTime, NaiveDate};
use support::{Times, line};
use uuid::Uuid;

const TASKS: [usize; 5] = [0, 10, 50, 1_000, 100_000];
const RUNS: usize = 1_000;

/// Lines that a snapshot holds of a conversation, however long it is.
const LINES: usize = 20;

fn main() -> io::Result<()> {
    line("µs: median and 99 %; bytes")?;
    for tasks in TASKS {
        let list: TaskList = (0..tasks).filter_map(task).collect();
        for (lines, when) in [(0, "first turn"), (LINES, "later")] {
            let history: Vec<StoredMessage> = (0..lines).map(said).collect();
            measure(&format!("{tasks} tasks, {when}"), &list, &history)?;
        }
    }
    Ok(())
}

fn measure(what: &str, tasks: &TaskList, history: &[StoredMessage]) -> io::Result<()> {
    let day = NaiveDate::from_ymd_opt(2026, 2, 8);
    let input = PromptInput {
        moment: Clock::system(day).now(chrono_tz::UTC),
        due_rule: DueRule::Year,
        lang: Lang::En,
        tasks,
        shown: &[],
        history,
        message: "mark Errand number 7 for mom as done",
    };
    let times = Times::of(RUNS, |_| build_prompt(&input));
    let bytes: usize = build_prompt(&input).0.iter().map(length).sum();
    line(&format!(
        "  {what:<28} {:>8.1} {:>8.1} {bytes:>8}",
        times.at(50),
        times.at(99)
    ))
}

fn length(line: &PromptMessage) -> usize {
    match line {
        PromptMessage::System(text) | PromptMessage::User(text) => text.len(),
        PromptMessage::Assistant { content, .. } => content.as_ref().map_or(0, String::len),
        PromptMessage::Tool { content, .. } => content.len(),
    }
}

fn said(nth: usize) -> StoredMessage {
    let (role, content) = if nth.is_multiple_of(2) {
        (MessageRole::User, "what's on my list?")
    } else {
        let listing = "You have 2 tasks:\n1. Errand (pending, medium)\n2. Milk (pending, high)";
        (MessageRole::Assistant, listing)
    };
    StoredMessage {
        id: MessageId::new(Uuid::from_u128(nth as u128 + 1)),
        role,
        content: content.to_owned(),
        created_at: DateTime::UNIX_EPOCH,
    }
}

fn task(nth: usize) -> Option<Task> {
    const PEOPLE: [&str; 5] = ["mom", "dad", "Sam", "Kim", "Lee"];
    let person = PEOPLE.get(nth % PEOPLE.len())?;
    Some(Task::new(
        TaskId::new(Uuid::from_u128(nth as u128 + 1)),
        UserId::parse("me").ok()?,
        Title::parse(&format!("Errand number {nth} for {person}")).ok()?,
        DateTime::UNIX_EPOCH,
    ))
}
