//! The same attacks through the front door: the real program, the real model port, a server
//! that lies and one that breaks off.

#![cfg(test)]

use std::time::Duration;

use serde_json::json;

use crate::openai::{ScriptedModel, Step};
use crate::server::{Server, run};

/// The message, what the model's server does, the reply, the titles that are left.
struct Case {
    message: &'static str,
    step: Step,
    status: u16,
    says: Option<&'static str>,
    left: &'static [&'static str],
}

const BOTH: &[&str] = &["Read book", "Call mom"];
const ERROR: Option<&str> = Some("Technical error: Tool not triggered.");

fn case(message: &'static str, step: Step, says: Option<&'static str>) -> Case {
    Case {
        message,
        step,
        status: 200,
        says,
        left: BOTH,
    }
}

fn deletes(task: &str) -> Step {
    Step::calls(vec![("delete_task", json!({"task": task}))])
}

fn finished(reason: &str, content: &str) -> Step {
    Step::Json(json!({"choices": [{"message": {"content": content}, "finish_reason": reason}]}))
}

fn cases() -> Vec<Case> {
    let down = |message, step| Case {
        status: 503,
        ..case(message, step, None)
    };
    let lie = || Step::say("Deleted: Read book");
    vec![
        case("delete Read book", lie(), ERROR),
        case("add buy milk", Step::say("Added: buy milk"), ERROR),
        case(
            "what's on my list?",
            Step::say("Your task list is empty."),
            ERROR,
        ),
        case("delete Read book", Step::say("null"), ERROR),
        case("delete Read book", Step::say(""), ERROR),
        case("delete Read book", Step::say(" \n "), ERROR),
        case(
            "delete Read book",
            Step::say(
                "<tool_call>{\"name\":\"delete_task\",\"arguments\":{\"task\":\"Read book\"}}</tool_call>",
            ),
            ERROR,
        ),
        case("delete Read book", deletes("Call mom"), ERROR),
        case("hi", deletes("Read book"), None),
        case("hi", lie(), None),
        case(
            "hi",
            Step::say("Hi there! How can I help you today?"),
            Some("Hi there! How can I help you today?"),
        ),
        Case {
            left: &["Call mom"],
            ..case(
                "delete Read book",
                deletes("Read book"),
                Some("Deleted: Read book"),
            )
        },
        down("delete Read book", Step::Status(500, Vec::new())),
        down("delete Read book", Step::Status(401, Vec::new())),
        down("delete Read book", Step::Json(json!({"choices": []}))),
        down("delete Read book", finished("length", "Deleted: Read b")),
        down(
            "delete Read book",
            Step::Cut(60, Box::new(deletes("Read book"))),
        ),
        down("delete Read book", Step::CloseAtOnce),
        down(
            "delete Read book",
            Step::body("text/html", "<h1>Deleted: Read book</h1>"),
        ),
        Case {
            status: 503,
            ..case(
                "delete Read book",
                Step::Status(429, vec![("retry-after", "7".to_owned())]),
                None,
            )
        },
    ]
}

/// Plays every case with a user of its own; returns what went wrong.
pub async fn play() -> Vec<String> {
    let model = ScriptedModel::start().await;
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_MODEL_TIMEOUT_MS", "3000"),
        ("OPENAI_BASE_URL", &model.base_url()),
        ("OPENAI_MODEL", "hostile"),
    ])
    .await;
    let mut wrong = Vec::new();
    for (number, case) in cases().into_iter().enumerate() {
        let user = format!("user-{number}");
        for title in BOTH {
            server.add(&user, json!({"title": title})).await;
        }
        model.otherwise(case.step.clone());
        let path = format!("/api/{user}/chat");
        let reply = server.post(&path, json!({"message": case.message})).await;
        let mut left = server.titles(&user).await;
        left.reverse();
        let mut fault = |text: String| {
            wrong.push(format!(
                "{:?}, {:?}: {text}\n  {}\n",
                case.message, case.step, reply.text
            ));
        };
        if reply.status != case.status {
            fault(format!("status {}, not {}", reply.status, case.status));
        }
        if left != case.left {
            fault(format!("{left:?} are left"));
        }
        let said = reply.body["assistant_message"].as_str();
        if case.says.is_some() && said != case.says {
            fault(format!("not {:?}", case.says));
        }
        if left == BOTH && reply.text.contains("Deleted") {
            fault("a ghost".to_owned());
        }
        let changed = left != BOTH;
        let metadata = &reply.body["action_metadata"];
        if case.message != "what's on my list?" && changed == metadata.is_null() {
            fault(format!("metadata {metadata}"));
        }
    }
    model.otherwise(Step::After(
        Duration::from_secs(9),
        Box::new(deletes("Read book")),
    ));
    server.add("slow", json!({"title": "Read book"})).await;
    let slow = server
        .post("/api/slow/chat", json!({"message": "delete Read book"}))
        .await;
    if slow.status != 503 || server.titles("slow").await != ["Read book"] {
        wrong.push(format!(
            "a model that takes too long: {} {}",
            slow.status, slow.text
        ));
    }
    let verified = run(Some(server.directory()), &[], &["audit", "verify"]);
    if verified.code != Some(0) {
        wrong.push(format!("the audit log: {verified:?}"));
    }
    wrong
}
