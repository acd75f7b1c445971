//! A model that needs two rounds for two things: it gets the second one wrong at first.

#![cfg(test)]

use std::time::Duration;

use regex::Regex;
use serde_json::{Value, json};

use super::dice::Dice;
use crate::openai::{ScriptedModel, Step};

/// Starts one. It takes its time, by `dice`, so that a kill also hits between the rounds.
pub async fn start(mut dice: Dice) -> ScriptedModel {
    let quoted = Regex::new("\"([^\"]*)\"").unwrap();
    let model = ScriptedModel::start().await;
    model.otherwise_with(move |request| {
        let messages = request["messages"].as_array().expect("messages");
        let at = messages.iter().rposition(|line| line["role"] == "user");
        let (said, after) = messages.split_at(at.expect("somebody said something") + 1);
        let words = said[said.len() - 1]["content"].as_str().unwrap_or_default();
        let named: Vec<&str> = quoted
            .captures_iter(words)
            .map(|found| found.get(1).map_or("", |title| title.as_str()))
            .collect();
        let pause = Duration::from_millis(dice.below(40) as u64);
        let step = Step::calls(calls(words, &named, !after.is_empty()));
        Step::After(pause, Box::new(step))
    });
    model
}

fn calls(words: &str, named: &[&str], second: bool) -> Vec<(&'static str, Value)> {
    let add = |title: &str| ("add_task", json!({"title": title}));
    let delete = |title: &str| ("delete_task", json!({"task": title}));
    match named {
        [_, other] if second => vec![delete(other)],
        [title, other] => vec![add(title), delete(&format!("{other} or so"))],
        [title] if words.starts_with("add") => vec![add(title)],
        [title] if words.starts_with("mark") => vec![("complete_task", json!({"task": title}))],
        [title] => vec![delete(title)],
        _ => Vec::new(),
    }
}
