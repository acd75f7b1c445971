//! The built-in engine: a deterministic reader of commands that proposes tool calls.
//!
//! A model like any other: it passes the same gates and may be wrong. It works from the reading
//! of the user's words alone, says nothing of its own, and so makes the product useful without
//! any key; it is also the baseline that every real model is compared with.

use chrono::NaiveTime;
use serde_json::{Map, Value, json};

use super::{AnswerFuture, LanguageModel, ModelAnswer, ModelRequest, PromptMessage, RawCall};
use crate::intent::{
    About, Act, Addition, Change, Due, DueFilter, Errand, Listing, NewTask, Note, Reading, Set,
    Target, Verb,
};
use crate::resolver::Position;

/// The engine's name as a model.
pub const ENGINE: &str = "candor (engine)";

/// The built-in engine.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltInEngine;

impl LanguageModel for BuiltInEngine {
    fn name(&self) -> &str {
        ENGINE
    }

    fn understands(&self) -> bool {
        false
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a> {
        // It has nothing to add to a result: what failed would fail again.
        let again = matches!(request.prompt.last(), Some(PromptMessage::Tool { .. }));
        let calls = if again {
            Vec::new()
        } else {
            calls(&request.reading)
        };
        Box::pin(async move {
            Ok(ModelAnswer {
                text: None,
                calls,
                model: ENGINE.to_owned(),
                finish: "stop".to_owned(),
                usage: None,
            })
        })
    }
}

/// The calls that a reading asks for, in the order of its clauses.
pub fn calls(reading: &Reading) -> Vec<RawCall> {
    let mut calls = Vec::new();
    for clause in &reading.clauses {
        match &clause.act {
            Act::Add(addition) => {
                let reminds = clause.notes.contains(&Note::Alarm);
                add(addition, reminds, &mut calls);
            }
            Act::List(listing) => push("list_tasks", list(listing), &mut calls),
            Act::Change(change) => changes(change, &mut calls),
            Act::Undo => push("undo", Map::new(), &mut calls),
            Act::Errand(errand) => errand_calls(errand, &mut calls),
            _ => {}
        }
    }
    calls
}

fn push(name: &str, arguments: Map<String, Value>, calls: &mut Vec<RawCall>) {
    calls.push(RawCall {
        id: format!("call_{}", calls.len() + 1),
        name: name.to_owned(),
        arguments: Value::Object(arguments).to_string(),
    });
}

fn add(addition: &Addition, reminds: bool, calls: &mut Vec<RawCall>) {
    if addition.described {
        // What "what I need for pancakes" is takes a model with knowledge of the world.
        return;
    }
    let whole = std::slice::from_ref(&addition.whole);
    let tasks = if addition.split {
        &addition.parts
    } else {
        whole
    };
    for task in tasks {
        push("add_task", new_task(task, reminds), calls);
    }
}

fn new_task(task: &NewTask, reminds: bool) -> Map<String, Value> {
    let mut arguments = given(json!({
        "title": task.title,
        "description": task.description,
        "priority": task.priority,
        "due_time": clock(task.time),
        "due_date": day(task.due.as_ref()),
    }));
    if let Some(seconds) = task.after {
        let when = if reminds { "remind" } else { "due_time" };
        arguments.insert(when.to_owned(), json!(a_while(seconds)));
    }
    if let Some(rule) = &task.repeat {
        arguments.insert("repeat".to_owned(), json!(rule));
    }
    arguments
}

/// The arguments that have a value.
fn given(arguments: Value) -> Map<String, Value> {
    let Value::Object(mut arguments) = arguments else {
        return Map::new();
    };
    arguments.retain(|_, value| !value.is_null());
    arguments
}

/// `in 2 hours`, in the largest unit that it is a whole number of.
fn a_while(seconds: u32) -> String {
    match seconds {
        _ if seconds.is_multiple_of(3600) => format!("in {} hours", seconds / 3600),
        _ if seconds.is_multiple_of(60) => format!("in {} minutes", seconds / 60),
        _ => format!("in {seconds} seconds"),
    }
}

fn clock(time: Option<NaiveTime>) -> Option<String> {
    time.map(|time| time.format("%H:%M").to_string())
}

fn day(due: Option<&Due>) -> Option<String> {
    match due? {
        Due::On { day, .. } => Some(day.to_string()),
        Due::Clear => Some("none".to_owned()),
        // Counted from the task's own date, which the server knows: it fills the day in.
        Due::By { .. } | Due::SameWeekday { .. } | Due::Skip { .. } => None,
    }
}

fn changes(change: &Change, calls: &mut Vec<RawCall>) {
    for target in &change.targets.parts {
        let Some(words) = reference(target) else {
            continue;
        };
        let values = &change.values;
        let (name, arguments) = match change.verb {
            Verb::Delete => ("delete_task", json!({ "task": words })),
            Verb::Complete => ("complete_task", json!({ "task": words })),
            Verb::Reopen => ("update_task", json!({ "task": words, "status": "pending" })),
            Verb::Update => (
                "update_task",
                json!({
                    "task": words,
                    "title": values.title,
                    "description": values.description,
                    "priority": values.priority,
                    "due_time": clock(values.time),
                    "due_date": day(values.due.as_ref()),
                    "repeat": values.ends_repeat.then_some("none"),
                }),
            ),
        };
        push(name, given(arguments), calls);
    }
}

fn errand_calls(errand: &Errand, calls: &mut Vec<RawCall>) {
    match errand {
        Errand::Hand(hand) => {
            let tasks: Vec<Value> = hand
                .parts
                .iter()
                .filter_map(reference)
                .map(|words| json!({ "title": words, "prompt": words }))
                .collect();
            let arguments = given(json!({
                "tasks": tasks,
                "assign_to": format!("new:{}", hand.agent),
                "run_in_background": hand.background.then_some(true),
            }));
            push("delegate", arguments, calls);
        }
        Errand::Ask(about) => push("task_output", about_words(about), calls),
        Errand::Stop(about) => push("cancel_delegation", about_words(about), calls),
        Errand::Resume { about, more } => {
            let title = about.what.as_ref().and_then(reference);
            let title = title.unwrap_or_else(|| "it".to_owned());
            let prompt = more
                .clone()
                .unwrap_or_else(|| "Go on with the task.".to_owned());
            // The server knows which run is meant; a handle would be a guess.
            let agent = about.agent.as_deref().unwrap_or("lace");
            let arguments = given(json!({
                "tasks": [{ "title": title, "prompt": prompt }],
                "assign_to": format!("new:{agent}"),
            }));
            push("delegate", arguments, calls);
        }
        Errand::TakeBack(target) => {
            if let Some(words) = reference(target) {
                let arguments = given(json!({ "task": words, "assign_to": "user" }));
                push("update_task", arguments, calls);
            }
        }
        Errand::Overview => push("list_delegations", Map::new(), calls),
        Errand::Who => {}
    }
}

fn about_words(about: &About) -> Map<String, Value> {
    let words = about.what.as_ref().and_then(reference);
    given(json!({ "task": words }))
}

fn reference(target: &Target) -> Option<String> {
    Some(match target {
        Target::Named(words) => words.clone(),
        Target::Position(Position::Nth(n)) => n.to_string(),
        Target::Position(Position::FromEnd(1)) => "the last one".to_owned(),
        Target::Position(Position::FromEnd(n)) => format!("number {n} from the end"),
        Target::It => "it".to_owned(),
        Target::They { .. } => "them".to_owned(),
        Target::Other => "the other one".to_owned(),
        Target::Set(set) => set_words(set),
        Target::Missing => return None,
    })
}

fn set_words(set: &Set) -> String {
    let status = match set.completed {
        Some(true) => " completed",
        Some(false) => " pending",
        None => "",
    };
    let level = set.priority.map(|level| format!(" {level}-priority"));
    let query = set.query.as_deref().map(|q| format!(" {q}"));
    let (level, query) = (level.unwrap_or_default(), query.unwrap_or_default());
    format!("all{status}{level}{query} tasks")
}

fn list(listing: &Listing) -> Map<String, Value> {
    let status = match listing.completed {
        None => "all",
        Some(true) => "completed",
        Some(false) => "pending",
    };
    let due = match &listing.due {
        Some(DueFilter::Between { words, .. }) => Some(words.as_str()),
        Some(DueFilter::Overdue) => Some("overdue"),
        Some(DueFilter::Undated) => Some("none"),
        None => None,
    };
    given(json!({ "status_filter": status, "due": due, "query": listing.query }))
}
