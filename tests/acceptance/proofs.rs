//! Proofs that leave the house: a receipt against a signed checkpoint, and an export checked
//! offline with nothing but that checkpoint.

use std::path::{Path, PathBuf};

use candor::audit::{InclusionProof, Row, VerifyingKey};
use serde_json::json;

use crate::server::run;
use crate::world::World;

/// A server whose directory holds a signing key, and the key's public half.
async fn signed() -> (World, String) {
    let mut it = World::new().await;
    let made = run(Some(it.server.directory()), &[], &["audit", "keygen"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    // The key is read at the start.
    it.server.crash_and_restart().await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .call("add_task", json!({"title": "buy milk"}))
        .call("delete_task", json!({"task": "Read book"}));
    it.say("add buy milk").await.shows("Added: buy milk");
    it.say("delete Read book").await.shows("Deleted: Read book");
    (it, made.out.trim().to_owned())
}

fn audit(it: &World, arguments: &[&str]) -> (i32, String) {
    let words: Vec<&str> = std::iter::once("audit")
        .chain(arguments.iter().copied())
        .collect();
    let ran = it.server.run_beside(&[], &words);
    (ran.code.unwrap(), ran.out + &ran.err)
}

/// Exports the log with a checkpoint, into files of the server's directory.
fn exported(it: &World) -> (PathBuf, PathBuf) {
    let (export, note) = ("log.jsonl", "checkpoint.txt");
    let note = it.server.directory().join(note);
    let (code, lines) = audit(it, &["export", "--checkpoint", note.to_str().unwrap()]);
    assert_eq!(code, 0, "{lines}");
    let export = it.server.directory().join(export);
    std::fs::write(&export, lines).unwrap();
    (export, note)
}

/// `candor audit verify` in a folder where there is no database and no key.
fn offline(export: &Path, note: &Path, key: &str) -> (i32, String) {
    let arguments = ["audit", "verify", "--export", export.to_str().unwrap()];
    let checkpoint = ["--checkpoint", note.to_str().unwrap(), "--key", key];
    let ran = run(None, &[], &[&arguments[..], &checkpoint[..]].concat());
    (ran.code.unwrap(), ran.out + &ran.err)
}

#[tokio::test]
async fn a_receipt_is_proven_against_a_signed_checkpoint() {
    let (mut it, public) = signed().await;
    it.model.call("list_tasks", json!({}));
    let said = it.say("show my tasks").await;
    let receipt = said.metadata()["receipt_id"].as_str().unwrap().to_owned();
    let path = format!("/api/me/audit/receipts/{receipt}/proof");
    let answer = it.server.get(&path).await;
    assert_eq!(answer.status, 200);
    let proof = &answer.body;
    let note = proof["checkpoint"].as_str().unwrap();
    let head = VerifyingKey::parse(&public).unwrap().open(note).unwrap();
    let mut event = proof["event"].clone();
    event["user_id"] = json!("me");
    event["payload"] = event["payload_text"].clone();
    let event: Row = serde_json::from_value(event).unwrap();
    assert!(event.payload.contains(&receipt));
    let inclusion: InclusionProof = serde_json::from_value(proof["proof"].clone()).unwrap();
    assert_eq!(inclusion.check(&event, &head), Ok(()));
    assert!(proof["proof"].to_string().len() < 1_024);
    // A foreign receipt and an unknown one look alike.
    let foreign = it.server.get(&path.replace("/me/", "/other/")).await;
    let unknown = path.replace(&receipt, "01890a5d-ac96-774b-bcce-b302099a8057");
    let unknown = it.server.get(&unknown).await;
    assert_eq!((foreign.status, unknown.status), (404, 404));
    assert_eq!(foreign.body["detail"], unknown.body["detail"]);
    it.holds().await;
}

#[tokio::test]
async fn an_export_is_verified_offline_and_every_tampering_with_it_is_found() {
    let (it, public) = signed().await;
    let (export, note) = exported(&it);
    let (code, words) = offline(&export, &note, &public);
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("signature valid"), "{words}");
    let whole = std::fs::read_to_string(&export).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    assert!(lines.len() >= 8, "{} events", lines.len());
    let found = |what: &str, lines: &[&str]| {
        std::fs::write(&export, lines.join("\n") + "\n").unwrap();
        let (code, words) = offline(&export, &note, &public);
        assert_eq!(code, 1, "{what}: {words}");
        assert!(words.contains("BROKEN"), "{what}: {words}");
    };
    // Every event is tried in the property test of the log; here the way through the files.
    for place in (0..lines.len()).step_by(4) {
        let mut fewer = lines.clone();
        fewer.remove(place);
        found("an event removed", &fewer);
        found("the tail cut", &lines[..place]);
        let mut doubled = lines.clone();
        doubled.insert(place, lines[place]);
        found("an event twice", &doubled);
        if place > 0 {
            let mut swapped = lines.clone();
            swapped.swap(place - 1, place);
            found("two events exchanged", &swapped);
        }
    }
    let forged = whole.replacen("buy milk", "buy silk", 1);
    found("a word changed", &forged.lines().collect::<Vec<_>>());
    found("not an event", &[&lines[..], &["{}"]].concat());
    // A checkpoint of another key does not count, nor does one that was changed.
    std::fs::write(&export, &whole).unwrap();
    let other = run(None, &[], &["audit", "keygen"]);
    let (code, words) = offline(&export, &note, other.out.trim());
    assert_ne!(code, 0, "{words}");
    let changed = std::fs::read_to_string(&note)
        .unwrap()
        .replacen("candor", "candid", 1);
    std::fs::write(&note, changed).unwrap();
    let (code, words) = offline(&export, &note, &public);
    assert_ne!(code, 0, "{words}");
    it.holds().await;
}

#[tokio::test]
async fn a_database_is_held_against_a_checkpoint_kept_elsewhere() {
    let (mut it, public) = signed().await;
    let (_, note) = exported(&it);
    let note = note.to_str().unwrap();
    let against = ["verify", "--checkpoint", note, "--key", &public];
    let (code, words) = audit(&it, &against);
    assert_eq!(code, 0, "{words}");
    // What comes later is not covered, and does not hurt.
    it.model.call("add_task", json!({"title": "buy eggs"}));
    it.say("add buy eggs").await.shows("Added: buy eggs");
    let (code, words) = audit(&it, &against);
    assert_eq!(code, 0, "{words}");
    it.holds().await;
}

#[tokio::test]
async fn without_a_key_there_is_a_proof_but_no_signature() {
    let mut it = World::new().await;
    it.model.call("add_task", json!({"title": "buy milk"}));
    let said = it.say("add buy milk").await;
    let receipt = said.metadata()["receipt_id"].as_str().unwrap().to_owned();
    let path = format!("/api/me/audit/receipts/{receipt}/proof");
    let answer = it.server.get(&path).await;
    let proof = &answer.body;
    assert!(proof["checkpoint"].is_null() && proof["root"].is_string());
    let (code, words) = audit(&it, &["export", "--checkpoint", "nowhere.txt"]);
    assert_eq!(code, 1, "{words}");
    assert!(words.contains("candor audit keygen"), "{words}");
    it.holds().await;
}
