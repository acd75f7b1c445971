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
    Target, Values, Verb,
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
    let mut arguments = Map::new();
    arguments.insert("title".to_owned(), json!(task.title));
    if let Some(note) = &task.description {
        arguments.insert("description".to_owned(), json!(note));
    }
    if let Some(priority) = task.priority {
        arguments.insert("priority".to_owned(), json!(priority));
    }
    due(task.due.as_ref(), task.time, &mut arguments);
    if let Some(seconds) = task.after {
        let when = if reminds { "remind" } else { "due_time" };
        arguments.insert(when.to_owned(), json!(a_while(seconds)));
    }
    if let Some(rule) = &task.repeat {
        arguments.insert("repeat".to_owned(), json!(rule));
    }
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

fn due(due: Option<&Due>, time: Option<NaiveTime>, arguments: &mut Map<String, Value>) {
    if let Some(time) = time {
        arguments.insert(
            "due_time".to_owned(),
            json!(time.format("%H:%M").to_string()),
        );
    }
    let value = match due {
        Some(Due::On { day, .. }) => day.to_string(),
        Some(Due::Clear) => "none".to_owned(),
        // Counted from the task's own date, which the server knows: it fills the day in.
        Some(Due::By { .. } | Due::SameWeekday { .. } | Due::Skip { .. }) | None => return,
    };
    arguments.insert("due_date".to_owned(), json!(value));
}

fn changes(change: &Change, calls: &mut Vec<RawCall>) {
    for target in &change.targets.parts {
        let Some(words) = reference(target) else {
            continue;
        };
        let mut arguments = Map::new();
        arguments.insert("task".to_owned(), json!(words));
        let name = match change.verb {
            Verb::Delete => "delete_task",
            Verb::Complete => "complete_task",
            Verb::Reopen => {
                arguments.insert("status".to_owned(), json!("pending"));
                "update_task"
            }
            Verb::Update => {
                values(&change.values, &mut arguments);
                "update_task"
            }
        };
        push(name, arguments, calls);
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
            let mut arguments = Map::new();
            arguments.insert("tasks".to_owned(), Value::Array(tasks));
            arguments.insert("assign_to".to_owned(), json!(format!("new:{}", hand.agent)));
            if hand.background {
                arguments.insert("run_in_background".to_owned(), json!(true));
            }
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
            let mut arguments = Map::new();
            let task = json!({ "title": title, "prompt": prompt });
            arguments.insert("tasks".to_owned(), json!([task]));
            // The server knows which run is meant; a handle would be a guess.
            let agent = about.agent.as_deref().unwrap_or("lace");
            arguments.insert("assign_to".to_owned(), json!(format!("new:{agent}")));
            push("delegate", arguments, calls);
        }
        Errand::TakeBack(target) => {
            if let Some(words) = reference(target) {
                let mut arguments = Map::new();
                arguments.insert("task".to_owned(), json!(words));
                arguments.insert("assign_to".to_owned(), json!("user"));
                push("update_task", arguments, calls);
            }
        }
        Errand::Overview => push("list_delegations", Map::new(), calls),
        Errand::Who => {}
    }
}

fn about_words(about: &About) -> Map<String, Value> {
    let mut arguments = Map::new();
    if let Some(words) = about.what.as_ref().and_then(reference) {
        arguments.insert("task".to_owned(), json!(words));
    }
    arguments
}

fn values(values: &Values, arguments: &mut Map<String, Value>) {
    if let Some(title) = &values.title {
        arguments.insert("title".to_owned(), json!(title));
    }
    if let Some(note) = &values.description {
        arguments.insert("description".to_owned(), json!(note));
    }
    if let Some(priority) = values.priority {
        arguments.insert("priority".to_owned(), json!(priority));
    }
    due(values.due.as_ref(), values.time, arguments);
    if values.ends_repeat {
        arguments.insert("repeat".to_owned(), json!("none"));
    }
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
    let mut arguments = Map::new();
    let status = match listing.completed {
        None => "all",
        Some(true) => "completed",
        Some(false) => "pending",
    };
    arguments.insert("status_filter".to_owned(), json!(status));
    match &listing.due {
        Some(DueFilter::Between { words, .. }) => {
            arguments.insert("due".to_owned(), json!(words));
        }
        Some(DueFilter::Overdue) => {
            arguments.insert("due".to_owned(), json!("overdue"));
        }
        Some(DueFilter::Undated) => {
            arguments.insert("due".to_owned(), json!("none"));
        }
        None => {}
    }
    if let Some(query) = &listing.query {
        arguments.insert("query".to_owned(), json!(query));
    }
    arguments
}
