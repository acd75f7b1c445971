//! Answers and outputs that the documents show, compared with real ones. In what they show `…`
//! stands for any text: ids, days, times, versions.

use regex::Regex;
use serde_json::Value;

use crate::documents::block;
use crate::play::server;
use crate::support::server::Server;

/// Checks that the text is the one shown.
fn is_text(shown: &str, real: &str) -> bool {
    let parts: Vec<_> = shown.split('…').map(regex::escape).collect();
    let words = Regex::new(&format!("^{}$", parts.join("[^\n]+?"))).unwrap();
    words.is_match(real)
}

/// Differences, as paths into the value; fields that are not shown don't count.
fn differences(path: &str, shown: &Value, real: &Value) -> Vec<String> {
    match (shown, real) {
        (Value::Object(shown), Value::Object(_)) => shown
            .iter()
            .flat_map(|(name, value)| {
                let real = real.get(name).unwrap_or(&Value::Bool(false));
                differences(&format!("{path}.{name}"), value, real)
            })
            .collect(),
        (Value::Array(shown), Value::Array(real)) if shown.len() == real.len() => {
            let pairs = shown.iter().zip(real).enumerate();
            pairs
                .flat_map(|(at, (shown, real))| differences(&format!("{path}[{at}]"), shown, real))
                .collect()
        }
        (Value::String(shown), Value::String(real)) if is_text(shown, real) => Vec::new(),
        _ if shown == real => Vec::new(),
        _ => vec![format!("{path}: {real}")],
    }
}

#[tokio::test]
async fn the_readme_shows_the_answer_of_its_command() {
    let asked = block(&("README.md", "Two commands", "sh", 2));
    let shown = block(&("README.md", "Two commands", "json", 0)).text;
    let said = server(&[]).run(asked).await;
    let mut shown: Value = serde_json::from_str(&shown).unwrap();
    let real: Value = serde_json::from_str(&said).unwrap();
    let found = differences("", &shown, &real);
    assert!(found.is_empty(), "{found:#?}");
    shown["action_metadata"]["task"]["priority"] = Value::from("high");
    shown["no_such_field"] = Value::Null;
    let found = differences("", &shown, &real);
    assert_eq!(
        found,
        [
            ".action_metadata.task.priority: \"medium\"",
            ".no_such_field: false"
        ]
    );
}

#[tokio::test]
async fn an_audited_turn_is_printed_as_it_is_shown() {
    let shown = block(&("docs/AUDIT.md", "What a sentence is worth", "text", 0)).text;
    let message = shown
        .lines()
        .find_map(|line| line.strip_prefix("user:  "))
        .unwrap();
    let server = Server::start().await;
    let reply = server.chat("me", message).await;
    let turn = reply["turn_id"].as_str().unwrap();
    let ran = server.run_beside(&[], &["audit", "show", turn]);
    assert!(is_text(shown.trim(), ran.out.trim()), "{}", ran.out);
    let other = shown.replace("proven    Added", "proven    Deleted");
    assert!(!is_text(other.trim(), ran.out.trim()));
}
