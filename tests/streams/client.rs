//! The AI SDK's own client against the real server, configured as docs/CLIENTS.md says.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::scene::{Scene, message};
use crate::support::clients;
use crate::support::openai::{Gate, Step};

const DOCUMENT: &str = include_str!("../../docs/CLIENTS.md");
const SCRIPT: &str = include_str!("client.mjs");
/// Address of the server in the document.
const SERVER: &str = "http://localhost:8080";

/// The block of TypeScript of the document, for a server at `base`.
fn page(base: &str) -> String {
    let (_, rest) = DOCUMENT
        .split_once("```ts\n")
        .expect("a block of TypeScript");
    let (block, _) = rest.split_once("```").unwrap();
    assert!(block.contains(SERVER), "{block}");
    block.replace(SERVER, base)
}

/// Runs a module where the packages are; what it printed, line by line.
async fn node(module: String) -> Vec<Value> {
    let ran = tokio::task::spawn_blocking(move || {
        let folder = clients::npm();
        let mut child = Command::new(clients::node())
            .args(["--input-type=module", "-"])
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(module.as_bytes())
            .unwrap();
        child.wait_with_output().unwrap()
    });
    let ran = ran.await.unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{err}\n{out}");
    out.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The script without its marks of what others may import: here it is one module with its caller.
fn script() -> String {
    SCRIPT.replace("export ", "")
}

/// The two modules' imports stand side by side: each name is imported once.
fn module(page: &str, call: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    let text = [&script(), page, call].join("\n");
    for line in text.lines() {
        match line
            .strip_prefix("import {")
            .and_then(|rest| rest.split_once("} from \"ai\""))
        {
            Some((imported, _)) => {
                names.extend(imported.split(',').map(|name| name.trim().to_owned()));
            }
            None => lines.push(line.replace("export const", "const")),
        }
    }
    names.sort();
    names.dedup();
    format!(
        "import {{ {} }} from \"ai\";\n{}",
        names.join(", "),
        lines.join("\n")
    )
}

/// Opens a gate when the script asks for it.
async fn opener(gate: Gate) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut line, _)) = listener.accept().await {
            let mut head = [0; 1024];
            if line.read(&mut head).await.is_ok() {
                gate.open();
                let answer = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n";
                // The script goes on either way.
                let _ = line.write_all(answer).await;
            }
        }
    });
    base
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ai_sdks_own_client_plays_a_chat() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    let held = gate.clone();
    let mut failed = false;
    let deletion = || Step::calls(vec![("delete_task", json!({"task": "milk"}))]);
    scene.model.otherwise_with(move |request| {
        let said = request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        let add = |title: &str| Step::calls(vec![("add_task", json!({"title": title}))]);
        match said {
            said if said.contains("add milk tomorrow") => Step::calls(vec![(
                "add_task",
                json!({"title": "milk", "due_date": "2026-02-09"}),
            )]),
            said if said.contains("delete everything") => deletion(),
            said if said.contains("add tea") => add("tea"),
            said if said.contains("add coffee") => add("coffee"),
            said if said.contains("add bread") => Step::Held(held.clone(), Box::new(add("bread"))),
            said if said.contains("add salt") && std::mem::replace(&mut failed, true) => {
                add("salt")
            }
            // No fault that would be tried again by itself.
            _ => Step::Status(400, Vec::new()),
        }
    });
    let opener = opener(gate).await;
    let call = format!("await play(chat, {});", json!(opener));
    let told = node(module(&page(&scene.server.url("")), &call)).await;
    let of = |what: &str| {
        let found = told.iter().find(|line| line["what"] == what);
        found.unwrap_or_else(|| panic!("no {what} in {told:#?}"))
    };

    let first = of("text and tool");
    assert_eq!(
        first["text"], "Added: milk (due Mon 2026-02-09)",
        "{told:#?}"
    );
    assert_eq!(
        (&first["status"], &first["count"]),
        (&json!("ready"), &json!(2))
    );
    assert_eq!(first["tools"][0]["type"], "tool-add_task");
    assert_eq!(first["tools"][0]["state"], "output-available");
    assert_eq!(
        first["tools"][0]["output"],
        first["metadata"]["action_metadata"]
    );
    assert_eq!(first["receipts"], 1);
    let mut again = of("regenerated").clone();
    again["what"] = first["what"].clone();
    assert_eq!(&again, first);

    let asked = of("asked");
    assert_eq!(
        asked["tools"].as_array().unwrap().last().unwrap()["state"],
        "approval-requested"
    );
    let declined = of("declined");
    assert_eq!(declined["id"], asked["id"]);
    assert_eq!(
        declined["tools"].as_array().unwrap().last().unwrap()["state"],
        "output-denied"
    );
    assert!(
        declined["text"]
            .as_str()
            .unwrap()
            .ends_with("Nothing was deleted."),
        "{declined:#}"
    );
    let approved = of("approved");
    let ran = approved["tools"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&ran["state"], &ran["output"]["action"]),
        (&json!("output-available"), &json!("delete_task"))
    );
    assert!(
        approved["text"]
            .as_str()
            .unwrap()
            .ends_with("Deleted: milk"),
        "{approved:#}"
    );
    assert_eq!(approved["status"], "ready");

    for what in ["edited", "edited and regenerated", "edited to the same"] {
        let edited = of(what);
        assert_eq!(edited["text"], "Added: coffee", "{edited:#}");
        assert_eq!(
            (&edited["status"], &edited["count"]),
            (&json!("ready"), &json!(2))
        );
    }
    let image = of("an image");
    let fault = image["error"].as_str().unwrap();
    assert!(
        fault.contains("Images can't be read here: send text."),
        "{fault}"
    );

    let resumed = of("resumed");
    assert_eq!(
        (&resumed["text"], &resumed["count"]),
        (&json!("Added: bread"), &json!(2))
    );
    assert_eq!(of("nothing to resume")["status"], "ready");
    let failed = of("failed");
    assert_eq!(failed["status"], "error");
    assert!(
        failed["error"]
            .as_str()
            .unwrap()
            .contains("nothing was changed"),
        "{failed:#}"
    );
    assert_eq!(of("tried again")["text"], "Added: salt");
    assert!(
        of("refused")["error"]
            .as_str()
            .unwrap()
            .contains("at most 5000"),
        "{told:#?}"
    );
    let mut titles = scene.server.titles("me").await;
    titles.sort();
    assert_eq!(titles, ["bread", "coffee", "salt", "tea"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_takes_our_streams_and_no_broken_one() {
    let scene = Scene::new().await;
    scene.model.calls(vec![
        ("add_task", json!({"title": "milk"})),
        ("delete_task", json!({"task": "Fly to Mars"})),
        ("complete_task", json!({})),
    ]);
    scene.model.otherwise(Step::say("Done."));
    let body = json!({"id": "c", "messages": [message("m", "add milk")]});
    let good = scene.send(&body).await.rest().await;
    let without = |what: &str| {
        let blocks = good.split_inclusive("\n\n");
        let kept: String = blocks.filter(|block| !block.contains(what)).collect();
        assert_ne!(kept, good, "{what}");
        kept
    };
    let instead = |what: &str, other: &str| {
        assert!(good.contains(what), "{what} in {good}");
        good.replacen(what, other, 1)
    };
    let broken = [
        without("\"text-start\""),
        without("\"text-end\""),
        without("\"tool-output-available\""),
        without("\"tool-input-available\""),
        without("\"text-delta\""),
        instead("\"type\":\"finish\"", "\"type\":\"finished\""),
        instead("\"providerExecuted\":true", "\"providerExecuted\":1"),
        instead("\"start-step\"", "\"begin-step\""),
        instead("\"toolCallId\":\"call_1\"", "\"toolCallId\":\"call_9\""),
        instead("data: {", "data: {{"),
    ];
    let all: Vec<&String> = std::iter::once(&good).chain(&broken).collect();
    let call = format!("for (const one of {}) await check(one);", json!(all));
    let verdicts = node(module("", &call)).await;
    assert_eq!(verdicts.len(), all.len());
    for (stream, verdict) in all.iter().zip(&verdicts) {
        let expect = *stream == &good;
        assert_eq!(verdict["taken"], expect, "{verdict:#}\n{stream}");
    }
}
