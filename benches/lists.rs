//! Cost of a list of tasks as it grows: changed, asked by words, listed, told to a model.
//!
//! `cargo bench --bench lists`. To hold: with a hundred thousand tasks nothing a turn does costs
//! more than 300 µs at the median on an idle machine, a copy with one change next to nothing, and
//! the first look for words, which makes the index, is below a second.

mod support;

use std::io;
use std::time::Instant;

use candor::chat::{PromptInput, build_prompt};
use candor::domain::{Clock, Lang, Status, Task, TaskId, Title, UserId};
use candor::resolver::{Among, Context, Days, ReferenceResolver, Selection, TaskList};
use candor::temporal::DueRule;
use chrono::{DateTime, NaiveDate, TimeDelta};
use support::{Times, line};
use uuid::Uuid;

const COUNTS: [usize; 3] = [10, 1_000, 100_000];
const RUNS: usize = 500;

fn main() -> io::Result<()> {
    for (name, title) in [
        (
            "two words that all titles share",
            shared as fn(usize) -> String,
        ),
        ("a word of its own in each title", own),
    ] {
        line(&format!("{name}; median and 99 %, µs"))?;
        for count in COUNTS {
            measure(count, title)?;
        }
    }
    Ok(())
}

fn measure(count: usize, title: fn(usize) -> String) -> io::Result<()> {
    let tasks: Vec<Task> = (0..count)
        .filter_map(|nth| task(nth, &title(nth)))
        .collect();
    let start = Instant::now();
    let list: TaskList = tasks.iter().cloned().collect();
    let made = start.elapsed();
    let resolver = ReferenceResolver::new(&list, Context::default());
    let resolve = |words: &str| resolver.resolve(words, Among::Pending);
    let start = Instant::now();
    resolve("plant");
    let indexed = start.elapsed();
    line(&format!(
        "{count} tasks: made in {:.1} ms, index in {:.1} ms",
        made.as_secs_f64() * 1e3,
        indexed.as_secs_f64() * 1e3
    ))?;
    let show = |what: &str, times: Times| {
        line(&format!(
            "  {what:<24} {:>8.1} {:>8.1}",
            times.at(50),
            times.at(99)
        ))
    };
    let middle = count / 2;
    let put = |nth: usize, title: &str| {
        let changed = task(nth, title);
        Times::of(RUNS, |_| {
            let mut copy = list.clone();
            changed.clone().into_iter().for_each(|task| copy.put(task));
            copy
        })
    };
    show("add", put(count + 1, "Repair the garden fence"))?;
    show("rename", put(middle, "Repair the garden fence"))?;
    let words = title(middle);
    let turned: Vec<&str> = words.rsplit(' ').collect();
    let turned = turned.join(" ");
    let mut slip = words.clone();
    slip.remove(2);
    for (what, reference) in [
        ("exact title", words.as_str()),
        ("words", &turned),
        ("a typo", &slip),
        ("ambiguous", "water plant"),
        ("ambiguous, inflected", "watering plants"),
        ("none", "paint the fence"),
    ] {
        show(what, Times::of(RUNS, |_| resolve(reference)))?;
    }
    let day = NaiveDate::from_ymd_opt(2026, 9, 1).unwrap_or_default();
    let overdue = Selection {
        done: Some(false),
        due: Some(Days::Before(day)),
        ..Selection::default()
    };
    show(
        "list what is overdue",
        Times::of(RUNS, |_| list.select(&overdue, 50).matched),
    )?;
    let message = format!("please delete {words}");
    let input = PromptInput {
        moment: Clock::system(Some(day)).now(chrono_tz::UTC),
        due_rule: DueRule::Year,
        lang: Lang::En,
        tasks: &list,
        shown: &[],
        history: &[],
        message: &message,
    };
    show("prompt", Times::of(RUNS, |_| build_prompt(&input)))?;
    line(&format!(
        "  prompt, bytes            {:>8}",
        build_prompt(&input).1.text().len()
    ))
}

fn shared(nth: usize) -> String {
    format!("Water plant {nth}")
}

/// Words of three to six syllables, no two alike.
fn own(nth: usize) -> String {
    const ONSETS: [&str; 16] = [
        "b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "st", "tr", "pl", "ch",
    ];
    const RHYMES: [&str; 16] = [
        "a", "e", "i", "o", "u", "an", "er", "in", "ol", "us", "ea", "ou", "ark", "ent", "ing",
        "op",
    ];
    let mut left = (nth + 300).wrapping_mul(7_919);
    let mut word = String::new();
    while left > 0 {
        let of =
            |all: &[&'static str; 16], at: usize| all.get(at % 16).copied().unwrap_or_default();
        word.push_str(of(&ONSETS, left));
        word.push_str(of(&RHYMES, left / 16));
        left /= 256;
    }
    format!("{word} water {nth}")
}

fn task(nth: usize, title: &str) -> Option<Task> {
    let second = i64::try_from(nth).ok()?;
    let at = DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
    let done = nth.is_multiple_of(3);
    let first = NaiveDate::from_ymd_opt(2026, 1, 1)?;
    Some(Task {
        status: if done {
            Status::Completed { at }
        } else {
            Status::Pending
        },
        due_date: first.checked_add_days(chrono::Days::new(nth as u64 % 400)),
        ..Task::new(
            TaskId::new(Uuid::from_u128(nth as u128 + 1)),
            UserId::parse("me").ok()?,
            Title::parse(title).ok()?,
            at,
        )
    })
}
