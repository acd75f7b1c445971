//! Proofs that leave the house: a receipt against a signed checkpoint, and an export checked
//! offline with nothing but that checkpoint.

use std::path::{Path, PathBuf};

use candor::audit::{AuditRow, InclusionProof, VerifyingKey};
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
    let event: AuditRow = serde_json::from_value(event).unwrap();
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

/// `candor audit verify --proof` where there is no database and no key but the public one.
fn proof_holds(it: &World, proof: &str, more: &[&str]) -> (i32, String) {
    let file = it.server.directory().join("proof.json");
    std::fs::write(&file, proof).unwrap();
    let arguments = ["audit", "verify", "--proof", file.to_str().unwrap()];
    let ran = run(None, &[], &[&arguments[..], more].concat());
    (ran.code.unwrap(), ran.out + &ran.err)
}

#[tokio::test]
async fn that_a_turn_deleted_nothing_is_proven_without_telling_what_was_said() {
    let (mut it, public) = signed().await;
    it.model.call("list_tasks", json!({}));
    let listed = it.say("show my tasks").await;
    it.model.call("delete_task", json!({"task": "buy milk"}));
    let deleted = it.say("delete buy milk").await;
    let path = |said: &crate::said::Said| {
        let turn = said.body["turn_id"].as_str().unwrap();
        format!("/api/me/audit/turns/{turn}/absence")
    };
    let proof = it.server.get(&path(&listed)).await;
    assert_eq!(proof.status, 200, "{}", proof.text);
    assert!(!proof.text.contains("milk") && !proof.text.contains("show my"));
    assert!(proof.body["proof"].to_string().len() < 1_024);
    let (code, words) = proof_holds(&it, &proof.text, &["--key", &public]);
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("none missing"), "{words}");
    assert!(
        words.contains("nothing was deleted in this turn"),
        "{words}"
    );
    let other = it.server.get(&path(&deleted)).await;
    let (code, words) = proof_holds(&it, &other.text, &["--key", &public]);
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("one task was taken off"), "{words}");
    // Leaving the deletion out, or passing one turn off as the other, is found.
    let mut cut = other.body.clone();
    let receipt = |event: &serde_json::Value| event["kind"] == "receipt";
    cut["events"]
        .as_array_mut()
        .unwrap()
        .retain(|event| !receipt(event));
    let mut passed_off = other.body.clone();
    passed_off["turn_id"] = proof.body["turn_id"].clone();
    for forged in [cut, passed_off] {
        let (code, words) = proof_holds(&it, &forged.to_string(), &["--key", &public]);
        assert_eq!(code, 1, "{words}");
    }
    let (code, words) = proof_holds(&it, &proof.text, &[]);
    assert_eq!(
        (code, words.contains("nothing vouches")),
        (1, true),
        "{words}"
    );
    let foreign = it
        .server
        .get(&path(&listed).replace("/me/", "/other/"))
        .await;
    assert_eq!(foreign.status, 404);
    it.holds().await;
}

#[tokio::test]
async fn two_checkpoints_are_shown_to_be_of_one_log() {
    let (mut it, public) = signed().await;
    let (_, old) = exported(&it);
    let kept = it.server.directory().join("older.txt");
    std::fs::rename(&old, &kept).unwrap();
    it.model.call("add_task", json!({"title": "buy eggs"}));
    it.say("add buy eggs").await.shows("Added: buy eggs");
    let (export, new) = exported(&it);
    let [old, new] = [&kept, &new].map(|path| path.to_str().unwrap().to_owned());
    let both = ["--checkpoint", &old, "--checkpoint", &new, "--key", &public];
    // With the whole log, here and offline.
    let (code, words) = audit(&it, &[&["verify"], &both[..]].concat());
    assert_eq!(
        (code, words.matches("signature valid").count()),
        (0, 2),
        "{words}"
    );
    let verify = ["audit", "verify", "--export", export.to_str().unwrap()];
    let ran = run(None, &[], &[&verify[..], &both[..]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    // With a proof and no log at all.
    let size = |note: &str| {
        let text = std::fs::read_to_string(note).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    };
    let path = format!(
        "/api/me/audit/consistency?from={}&to={}",
        size(&old),
        size(&new)
    );
    let proof = it.server.get(&path).await;
    assert_eq!(proof.status, 200, "{}", proof.text);
    let (code, words) = proof_holds(&it, &proof.text, &both);
    assert_eq!(code, 0, "{words}");
    assert!(words.contains("begins with"), "{words}");
    let forged = proof
        .text
        .replacen("\"consistency\":[\"", "\"consistency\":[\"0", 1);
    let (code, words) = proof_holds(&it, &forged, &both);
    assert_eq!(code, 1, "{words}");
    let beyond = it
        .server
        .get("/api/me/audit/consistency?from=9&to=9999")
        .await;
    let none = it.server.get("/api/me/audit/consistency?from=0").await;
    assert_eq!((beyond.status, none.status), (400, 400));
    it.holds().await;
}

#[tokio::test]
async fn a_turn_is_computed_again_from_an_export_alone() {
    let (mut it, _) = signed().await;
    it.model.say("Deleted: buy milk");
    let said = it.say("delete buy milk").await;
    let turn = said.body["turn_id"].as_str().unwrap();
    let (export, _) = exported(&it);
    let show = ["audit", "show", turn, "--export", export.to_str().unwrap()];
    let ran = run(None, &[], &show);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "not shown (ghost): Deleted: buy milk",
        "proven    Technical error: Tool not triggered.",
        "1 of 1 sentences proven",
        "recomputed word for word",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    // What the model was told stands in no event as text; it is made again, to the letter.
    let show = [show.as_slice(), &["--prompt"]].concat();
    let told = run(None, &[], &show);
    assert!(told.out.contains(&it.prompt()), "{}", told.out);
    assert!(told.out.contains("[buy milk]"), "{}", told.out);
    // What the reply says is changed, and nothing else.
    let text = std::fs::read_to_string(&export).unwrap();
    let lie = text.replace("Technical error: Tool not triggered.", "Deleted: buy milk");
    std::fs::write(&export, lie).unwrap();
    let ran = run(None, &[], &show[..5]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    for part in [
        "UNPROVEN  Deleted: buy milk",
        "0 of 1 sentences proven",
        "BROKEN",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    it.holds().await;
}

#[tokio::test]
async fn a_period_is_reported_in_figures_and_as_a_page() {
    let (mut it, _) = signed().await;
    it.model.say("Deleted: buy milk");
    it.say("delete buy milk").await.not_triggered("delete_task");
    it.model
        .call("delete_task", json!({"task": "Fly to <b>Mars</b>"}))
        .say("Deleted: Fly to <b>Mars</b>");
    it.say("delete Fly to <b>Mars</b>").await;
    let page = it.server.directory().join("report.html");
    let report = ["report", "--json", "--html", page.to_str().unwrap()];
    let (code, words) = audit(&it, &report);
    assert_eq!(code, 0, "{words}");
    let told: serde_json::Value = serde_json::from_str(&words).unwrap();
    // A task was given by REST; four turns were said.
    assert_eq!(told["turns_by_source"], json!({"chat": 4, "rest": 1}));
    assert_eq!(
        told["receipts_by_action"],
        json!({"add_task": 2, "delete_task": 1})
    );
    assert_eq!(told["ghosts_by_kind"], json!({"where a call was due": 2}));
    assert_eq!(told["missed_calls_by_tool"], json!({"delete_task": 1}));
    assert_eq!(told["failed_calls_by_type"], json!({"not_found": 1}));
    assert_eq!(told["sentences"]["unproven"], 0);
    assert_eq!(told["sentences"]["proven"], 4);
    assert_eq!(told["turns_that_do_not_hold"], json!([]));
    let models = told["models"].as_object().unwrap();
    let (name, model) = models.iter().next().unwrap();
    assert_eq!((models.len(), &model["turns"]), (1, &json!(4)));
    assert_eq!(
        (&model["ghost_rate"], &model["missed_calls"]),
        (&json!(0.5), &json!(1))
    );

    let html = std::fs::read_to_string(&page).unwrap();
    for part in [
        "<svg role=\"img\"",
        "prefers-color-scheme:dark",
        "default-src 'none'",
        name,
    ] {
        assert!(html.contains(part), "{part}: {html}");
    }
    // Nothing from elsewhere, and nothing that runs.
    for part in [
        "http:", "https:", "src=", "href", "url(", "@import", "<script", " on",
    ] {
        let found = html
            .match_indices(part)
            .map(|(at, _)| &html[at..html.len().min(at + 40)]);
        let found: Vec<_> = found
            .filter(|at| !at.starts_with(" on ") && !at.starts_with(" one"))
            .collect();
        assert!(found.is_empty(), "{part}: {found:?}");
    }
    let (code, words) = audit(&it, &["report"]);
    assert_eq!(code, 0, "{words}");
    for part in ["ghost attempts stopped", "models by ghost rate", "50.0 %"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    // The same from the export alone, and nothing of a period in which nothing happened.
    let (export, _) = exported(&it);
    let offline = [
        "audit",
        "report",
        "--json",
        "--export",
        export.to_str().unwrap(),
    ];
    let same = run(None, &[], &offline);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&same.out).unwrap(),
        told
    );
    let none = run(None, &[], &[&offline[..], &["--to", "2001-01-01"]].concat());
    let none: serde_json::Value = serde_json::from_str(&none.out).unwrap();
    assert_eq!((&none["turns"], &none["events"]), (&json!(0), &json!(0)));
    let all = run(
        None,
        &[],
        &[&offline[..], &["--from", "2001-01-01"]].concat(),
    );
    let all: serde_json::Value = serde_json::from_str(&all.out).unwrap();
    assert_eq!(all["turns"], told["turns"]);
    let (code, words) = audit(&it, &["report", "--from", "yesterday"]);
    assert_eq!(code, 2, "{words}");
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

#[tokio::test]
async fn the_log_says_which_words_a_change_is_for() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Buy café beans"]).await;
    let calls = vec![
        ("complete_task", json!({"task": "Read book"})),
        ("delete_task", json!({"task": "Buy café beans"})),
    ];
    it.model.calls(calls);
    let message = "sí, mark the book as done, it rains, and delete the café beans";
    let said = it.say(message).await;
    let mut words = Vec::new();
    for call in it.told(&said, "tool_call").await {
        for span in call["spans"].as_array().cloned().unwrap_or_default() {
            let at = |end: usize| usize::try_from(span[end].as_u64().unwrap()).unwrap();
            words.push(message.get(at(0)..at(1)).unwrap().to_owned());
        }
    }
    assert_eq!(
        words,
        ["mark the book as done", "and delete the café beans"],
        "{}",
        said.text()
    );
    it.holds().await;
}
