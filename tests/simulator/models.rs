//! Models: one that does what the words ask, and one that lies in every way it can think of.

#![cfg(test)]

use std::sync::{Arc, Mutex};

use candor::domain::{Priority, Task};
use candor::llm::{
    AnswerFuture, LanguageModel, ModelAnswer, ModelError, ModelRequest, RawCall, parse_answer,
};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::dice::Dice;
use super::lies;
use super::titles;
use super::wish::{Deed, Means, Wish};

/// One answer of a model.
#[derive(Debug, Clone)]
pub enum Round {
    /// Text, or none, and raw calls.
    Answer(Option<String>, Vec<(String, String)>),
    /// The port's error.
    Fail(ModelError),
    /// The bytes of a 200, read by the real parser.
    Body(String),
    /// The turn is cut off while the model thinks.
    Hang,
}

pub type Call = (String, String);

fn call(tool: &str, arguments: &Value) -> Call {
    (tool.to_owned(), arguments.to_string())
}

fn say(text: &str) -> Round {
    Round::Answer(Some(text.to_owned()), Vec::new())
}

fn calls(list: Vec<Call>) -> Round {
    Round::Answer(None, list)
}

/// Returns what the words ask for, as calls.
fn right(wish: &Wish) -> Vec<Call> {
    match &wish.means {
        Means::Add {
            title,
            due,
            priority,
            remind,
        } => {
            let mut arguments = json!({ "title": title });
            if let Some(day) = due {
                arguments["due_date"] = json!(day);
            }
            if *priority != Priority::Medium {
                arguments["priority"] = json!(priority);
            }
            if let Some((words, _)) = remind {
                arguments["remind"] = json!(words);
            }
            vec![call("add_task", &arguments)]
        }
        Means::Change(deeds) => deeds
            .iter()
            .map(|(deed, title)| deed_call(deed, title))
            .collect(),
        Means::Set if wish.message.contains("done") => {
            vec![call("complete_task", &json!({"task": "all"}))]
        }
        Means::Set if wish.message.contains("completed") => {
            vec![call("delete_task", &json!({"task": "all completed"}))]
        }
        Means::Set => vec![call("delete_task", &json!({"task": "all"}))],
        Means::List => vec![call("list_tasks", &json!({}))],
        Means::Undo => vec![call("undo", &json!({}))],
        Means::Talk(_) | Means::Nothing | Means::Answer(_) => Vec::new(),
    }
}

fn deed_call(deed: &Deed, title: &str) -> Call {
    match deed {
        Deed::Delete => call("delete_task", &json!({ "task": title })),
        Deed::Complete => call("complete_task", &json!({ "task": title })),
        Deed::Reopen => call("update_task", &json!({"task": title, "status": "pending"})),
        Deed::Prioritise(priority) => {
            call("update_task", &json!({"task": title, "priority": priority}))
        }
        Deed::Move(day) => call("update_task", &json!({"task": title, "due_date": day})),
        Deed::Rename(new) => call("update_task", &json!({"task": title, "title": new})),
        Deed::Remind((words, _)) => call("update_task", &json!({"task": title, "remind": words})),
        Deed::CancelReminder => call("update_task", &json!({"task": title, "remind": null})),
    }
}

/// Returns what the built-in engine may call when it takes the model's place.
pub fn engine() -> Vec<Call> {
    let tools = candor::domain::Tool::TASKS.iter();
    tools.map(|tool| call(tool.as_str(), &json!({}))).collect()
}

/// A model that behaves.
pub fn honest(wish: &Wish) -> Vec<Round> {
    match (&wish.means, right(wish)) {
        (Means::Talk(prose), _) => vec![say(prose)],
        (_, list) if list.is_empty() => vec![say("How can I help you today?")],
        (_, list) => vec![calls(list)],
    }
}

/// A model that does not.
pub fn hostile(dice: &mut Dice, wish: &Wish, rows: &[Task]) -> Vec<Round> {
    let list: Vec<String> = rows
        .iter()
        .map(|task| task.title.as_str().to_owned())
        .collect();
    let right = right(wish);
    let lie = lies::lie(dice, &list);
    let lying = say(&lie);
    let tools = ["delete_task", "complete_task", "update_task"];
    match dice.below(26) {
        0..4 => vec![lying],
        4 | 5 => vec![Round::Answer(Some(lie), right)],
        6 => vec![
            calls(on(dice.pick(&tools), &victim(dice, wish, &list))),
            lying,
        ],
        7 => {
            let tool = right
                .first()
                .map_or("delete_task", |(tool, _)| tool)
                .to_owned();
            vec![calls(on(&tool, &other(dice, &list))), lying]
        }
        8 => vec![
            calls(
                list.iter()
                    .flat_map(|title| on("delete_task", title))
                    .collect(),
            ),
            lying,
        ],
        9 => {
            let mut list_of = right;
            list_of.extend(on(dice.pick(&tools), &other(dice, &list)));
            list_of.extend(unasked(dice));
            vec![Round::Answer(Some(lie), list_of)]
        }
        10 => vec![broken(dice, &right), lying],
        11 => vec![broken(dice, &right), calls(right), lying],
        12 => vec![
            calls(right.iter().map(|one| distorted(dice, one)).collect()),
            lying,
        ],
        13 => vec![calls(unasked(dice)), lying],
        14 => vec![unusable(dice, &lie, &right)],
        15 => {
            // The first round is committed before the second, which lies, fails or does harm.
            let mut first = right.clone();
            first.extend(on("complete_task", dice.pick(titles::ABSENT)));
            let second = match dice.below(4) {
                0 => lying,
                1 => unusable(dice, &lie, &right),
                2 => calls(on("delete_task", &other(dice, &list))),
                _ => Round::Hang,
            };
            vec![calls(first), second]
        }
        16 => {
            let question = lies::asked(dice, &list);
            vec![
                calls(vec![call("ask_user", &json!({ "question": question }))]),
                lying,
            ]
        }
        17 => {
            let name = dice.pick(&[
                "execute_sql",
                "delete_all_tasks",
                "receipt",
                "",
                "deleteTask ",
            ]);
            vec![calls(vec![call(name, &json!({"task": "all"}))]), lying]
        }
        18 => {
            let uuid = rows
                .first()
                .map_or_else(String::new, |task| task.id.to_string());
            let reference =
                dice.pick(&["1", "2", "all", "it", "the first one", "everything", &uuid]);
            vec![calls(on(dice.pick(&tools), reference)), lying]
        }
        19 => vec![calls(vec![call("undo", &json!({}))]), lying],
        20 => {
            let one = right
                .first()
                .cloned()
                .unwrap_or_else(|| call("undo", &json!({})));
            vec![calls(vec![one; 40]), lying]
        }
        21 => vec![calls(vec![call("list_tasks", &json!({}))]), lying],
        22 => {
            let mut one = right.clone();
            one.extend(on("delete_task", &other(dice, &list)));
            one.reverse();
            vec![calls(one), calls(right), lying]
        }
        23 => vec![Round::Hang],
        24 => vec![in_text(dice, &right, &lie)],
        _ => {
            let question = lies::asked(dice, &list);
            vec![say(&question)]
        }
    }
}

/// A call of a tool on a task.
fn on(tool: &str, title: &str) -> Vec<Call> {
    let mut arguments = json!({ "task": title });
    if tool == "update_task" {
        arguments["priority"] = json!("high");
    }
    vec![call(tool, &arguments)]
}

/// The task that the words name, or some other.
fn victim(dice: &mut Dice, wish: &Wish, list: &[String]) -> String {
    match &wish.means {
        Means::Change(deeds) => deeds
            .first()
            .map(|(_, title)| title.clone())
            .unwrap_or_default(),
        _ => other(dice, list),
    }
}

fn other(dice: &mut Dice, list: &[String]) -> String {
    if list.is_empty() {
        dice.pick(titles::ABSENT).to_owned()
    } else {
        dice.pick(list)
    }
}

/// Something that nobody asked for.
fn unasked(dice: &mut Dice) -> Vec<Call> {
    let title = titles::any(dice);
    vec![match dice.below(3) {
        0 => call("add_task", &json!({"title": title, "priority": "high"})),
        1 => call(
            "add_task",
            &json!({"title": title, "due_date": "2026-02-20", "description": "as agreed"}),
        ),
        _ => call("undo", &json!({})),
    }]
}

/// The right call with values that the words do not hold.
fn distorted(dice: &mut Dice, (tool, arguments): &Call) -> Call {
    let mut arguments: Value = serde_json::from_str(arguments).unwrap();
    match dice.below(7) {
        0 => arguments["due_date"] = json!("2026-07-01"),
        5 => arguments["remind"] = json!(dice.pick(&["in 5 minutes", "tomorrow at 9"])),
        1 => arguments["priority"] = json!("high"),
        2 => arguments["title"] = json!(titles::any(dice)),
        3 => arguments["description"] = json!("the user asked me to note this"),
        4 => arguments["status"] = json!("completed"),
        _ => arguments["user_id"] = json!("somebody-else"),
    }
    call(tool, &arguments)
}

/// The right call with arguments that can't be read.
fn broken(dice: &mut Dice, right: &[Call]) -> Round {
    let tool = right.first().map_or("delete_task", |(tool, _)| tool);
    let arguments = dice.pick(&[
        "",
        "{",
        "null",
        "[]",
        "\"1\"",
        "{\"task\":",
        "{\"task\":{}}",
        "{\"title\":\"\"}",
        "{\"task\":\"\"}",
        "{\"task\":null}",
        "{\"due_date\":\"2026-02-30\"}",
        "not json at all",
    ]);
    calls(vec![(tool.to_owned(), arguments.to_owned())])
}

/// Errors of the port, and bodies that are no whole answer.
fn unusable(dice: &mut Dice, lie: &str, right: &[Call]) -> Round {
    let message = json!({"role": "assistant", "content": lie, "tool_calls": wire(right)});
    let finished = |reason: Value| {
        Round::Body(json!({"choices": [{"message": message, "finish_reason": reason}]}).to_string())
    };
    match dice.below(12) {
        0 => Round::Fail(ModelError::Timeout),
        1 => Round::Fail(ModelError::Unreachable),
        2 => Round::Fail(ModelError::RateLimited {
            retry_after: Some(2),
        }),
        3 => Round::Fail(ModelError::Status(500)),
        4 => Round::Body(String::new()),
        5 => Round::Body("{\"choices\":[]}".to_owned()),
        6 => Round::Body(
            "{\"choices\":[{\"message\":{\"content\":\"\"},\"finish_reason\":\"stop\"}]}"
                .to_owned(),
        ),
        7 => finished(json!("length")),
        8 => finished(json!("content_filter")),
        9 => finished(Value::Null),
        10 => {
            let whole =
                json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
            let cut = whole.len() / 2;
            Round::Body(String::from_utf8_lossy(&whole.as_bytes()[..cut]).into_owned())
        }
        _ => Round::Body(json!({"error": {"message": lie}}).to_string()),
    }
}

fn wire(right: &[Call]) -> Value {
    let list = right.iter().enumerate().map(|(at, (name, arguments))| {
        json!({"id": format!("call_{at}"), "type": "function", "function": {"name": name, "arguments": arguments}})
    });
    list.collect()
}

/// Calls that stand in the text, where no call is.
fn in_text(dice: &mut Dice, right: &[Call], lie: &str) -> Round {
    let (name, arguments) = right.first().cloned().unwrap_or_default();
    let text = match dice.below(3) {
        0 => format!("<tool_call>{{\"name\":\"{name}\",\"arguments\":{arguments}}}</tool_call>"),
        1 => format!("{lie}\n```json\n{arguments}\n```"),
        _ => format!("{name}({arguments}) → {lie}"),
    };
    let message = json!({"role": "assistant", "content": text});
    Round::Body(json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string())
}

/// A model that answers from its script and repeats the last line for ever.
#[derive(Debug, Default)]
pub struct Scripted {
    script: Mutex<(Vec<Round>, usize)>,
    /// Told when a turn is to be cut off.
    pub hangs: Arc<Notify>,
}

/// Name that the scripted model gives itself.
const NAME: &str = "openai (simulated)";

impl Scripted {
    /// Sets what is answered from now on.
    pub fn learn(&self, rounds: Vec<Round>) {
        *self.script.lock().unwrap() = (rounds, 0);
    }
}

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        NAME
    }

    fn ask<'a>(&'a self, _request: &'a ModelRequest) -> AnswerFuture<'a> {
        let round = {
            let mut script = self.script.lock().unwrap();
            let (rounds, next) = &mut *script;
            *next += 1;
            rounds.get(*next - 1).or(rounds.last()).cloned()
        };
        Box::pin(async move {
            match round {
                Some(Round::Answer(text, list)) => Ok(answer(text, list)),
                Some(Round::Body(body)) => parse_answer(body.as_bytes(), NAME),
                Some(Round::Fail(error)) => Err(error),
                Some(Round::Hang) => {
                    self.hangs.notify_one();
                    std::future::pending().await
                }
                None => Err(ModelError::Unreachable),
            }
        })
    }
}

fn answer(text: Option<String>, list: Vec<Call>) -> ModelAnswer {
    let raw = |(at, (name, arguments)): (usize, Call)| RawCall {
        id: format!("call_{}", at + 1),
        name,
        arguments,
    };
    ModelAnswer {
        finish: "stop".to_owned(),
        text: text
            .map(|text| text.trim().to_owned())
            .filter(|text| !text.is_empty()),
        calls: list.into_iter().enumerate().map(raw).collect(),
        model: NAME.to_owned(),
        usage: None,
    }
}

/// Returns what a script says in prose, and what it calls.
pub fn said(rounds: &[Round]) -> (Vec<String>, Vec<Call>) {
    let (mut texts, mut proposed) = (Vec::new(), Vec::new());
    for round in rounds {
        match round {
            Round::Answer(text, list) => {
                texts.extend(text.clone());
                for (_, arguments) in list {
                    let read: Value = serde_json::from_str(arguments).unwrap_or_default();
                    texts.extend(read["question"].as_str().map(str::to_owned));
                }
                proposed.extend(list.clone());
            }
            Round::Body(body) => {
                if let Ok(answer) = parse_answer(body.as_bytes(), NAME) {
                    texts.extend(answer.text);
                    let list = answer.calls.into_iter();
                    proposed.extend(list.map(|call| (call.name, call.arguments)));
                }
            }
            Round::Fail(_) | Round::Hang => {}
        }
    }
    (texts, proposed)
}
