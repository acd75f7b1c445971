//! The audit log proves what was said and done: whatever is changed by hand is found.

use serde_json::json;
use sqlx::{Row, SqliteConnection};

use crate::world::World;

async fn some_turns() -> World {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .call("add_task", json!({"title": "buy milk"}))
        .say("Deleted: Read book")
        .call("delete_task", json!({"task": "Read book"}));
    it.say("add buy milk").await.shows("Added: buy milk");
    it.say("delete Read book")
        .await
        .not_triggered("delete_task");
    it.say("delete Read book").await.shows("Deleted: Read book");
    it
}

/// The file without the triggers that keep rows as they are.
async fn unlocked(it: &World) -> SqliteConnection {
    let mut file = it.file().await;
    for trigger in [
        "DROP TRIGGER audit_events_keep",
        "DROP TRIGGER audit_events_stay",
        // The tree points at the events that it holds.
        "PRAGMA foreign_keys = OFF",
    ] {
        sqlx::query(trigger).execute(&mut file).await.unwrap();
    }
    file
}

/// `candor audit verify` fails and names the user and the event.
fn is_found(it: &World, seq: i64, what: &str) {
    let (code, output) = it.verify();
    assert_eq!(code, 1, "{what}: {output}");
    let named = |line: &str| {
        let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric()).collect();
        words.contains(&"me") && words.contains(&seq.to_string().as_str())
    };
    assert!(output.lines().any(named), "{what}, event {seq}: {output}");
}

#[tokio::test]
async fn triggers_refuse_what_an_honest_program_never_does() {
    let it = some_turns().await;
    let mut file = it.file().await;
    for statement in [
        "UPDATE audit_events SET payload = '{}' WHERE seq = 1",
        "DELETE FROM audit_events WHERE seq = 1",
        "UPDATE receipts SET action = 'add_task'",
        "DELETE FROM receipts",
    ] {
        let refused = sqlx::query(statement).execute(&mut file).await.unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{refused}");
    }
    it.holds().await;
}

/// One byte of any event, in the middle of its payload, in its hash or in its link.
#[tokio::test]
async fn one_changed_byte_of_any_event_is_found_and_named() {
    let it = some_turns().await;
    let mut file = unlocked(&it).await;
    let rows = sqlx::query("SELECT seq, payload, hash FROM audit_events WHERE user_id = 'me'");
    let rows = rows.fetch_all(&mut file).await.unwrap();
    assert!(rows.len() >= 10, "{} events", rows.len());
    for row in &rows {
        let seq: i64 = row.get("seq");
        let payload: String = row.get("payload");
        let at = payload.char_indices().nth(payload.chars().count() / 2);
        let (at, old) = at.unwrap();
        let new = if old == 'x' { "y" } else { "x" };
        let mut forged = payload.clone();
        forged.replace_range(at..at + old.len_utf8(), new);
        set(&mut file, "payload", seq, &forged).await;
        is_found(&it, seq, "a changed payload");
        set(&mut file, "payload", seq, &payload).await;
    }
    let (seq, hash): (i64, String) = (rows[4].get("seq"), rows[4].get("hash"));
    let flipped = if hash.starts_with('0') { "1" } else { "0" };
    set(&mut file, "hash", seq, &format!("{flipped}{}", &hash[1..])).await;
    is_found(&it, seq, "a changed hash");
    set(&mut file, "hash", seq, &hash).await;
    it.holds().await;
}

async fn set(file: &mut SqliteConnection, column: &str, seq: i64, value: &str) {
    let statement = match column {
        "payload" => "UPDATE audit_events SET payload = ? WHERE user_id = 'me' AND seq = ?",
        "hash" => "UPDATE audit_events SET hash = ? WHERE user_id = 'me' AND seq = ?",
        other => panic!("{other}"),
    };
    let statement = sqlx::query(statement).bind(value).bind(seq);
    let done = statement.execute(file).await.unwrap();
    assert_eq!(done.rows_affected(), 1);
}

#[tokio::test]
async fn a_removed_event_a_cut_tail_and_an_order_changed_are_found() {
    for (what, seq, statements) in [
        (
            "an event removed",
            4,
            &["DELETE FROM audit_events WHERE user_id = 'me' AND seq = 4"][..],
        ),
        (
            "two events exchanged",
            4,
            &[
                "UPDATE audit_events SET seq = 999 WHERE user_id = 'me' AND seq = 4",
                "UPDATE audit_events SET seq = 4 WHERE user_id = 'me' AND seq = 5",
                "UPDATE audit_events SET seq = 5 WHERE user_id = 'me' AND seq = 999",
            ],
        ),
        (
            "all after the third removed",
            4,
            &["DELETE FROM audit_events WHERE user_id = 'me' AND seq > 3"],
        ),
    ] {
        let it = some_turns().await;
        let mut file = unlocked(&it).await;
        sqlx::query("CREATE TABLE kept AS SELECT * FROM audit_events")
            .execute(&mut file)
            .await
            .unwrap();
        for statement in statements {
            sqlx::query(*statement).execute(&mut file).await.unwrap();
        }
        is_found(&it, seq, what);
        for statement in [
            "DELETE FROM audit_events",
            "INSERT INTO audit_events SELECT * FROM kept",
        ] {
            sqlx::query(statement).execute(&mut file).await.unwrap();
        }
        it.holds().await;
    }
}

/// Whoever owns the database changes a reply and a receipt; the turn's account says so.
#[tokio::test]
async fn a_changed_reply_is_not_proven_and_a_changed_receipt_is_not_the_logs() {
    let mut it = World::new().await;
    it.model.call("add_task", json!({"title": "buy milk"}));
    let said = it.say("add buy milk").await;
    let turn = said.body["turn_id"].as_str().unwrap().to_owned();
    let path = format!("/api/me/audit/turns/{turn}");
    let mut file = unlocked(&it).await;
    let reply = "SELECT seq, payload FROM audit_events WHERE kind = 'reply' AND user_id = 'me'";
    let reply = sqlx::query(reply).fetch_one(&mut file).await.unwrap();
    let (seq, payload): (i64, String) = (reply.get("seq"), reply.get("payload"));
    let lie = payload.replace("Added: buy milk", "Added: buy silk");
    assert_ne!(lie, payload);
    set(&mut file, "payload", seq, &lie).await;
    let account = it.server.get(&path).await.body;
    assert_eq!(account["holds"], false);
    assert_eq!(account["sentences"][0]["text"], "Added: buy silk");
    assert_eq!(account["sentences"][0]["verdict"], "unproven");
    assert_eq!(account["unsaid"], json!(["Added: buy milk"]));
    assert_eq!(account["recomputed"]["equal"], false);
    assert_eq!(account["chain"]["broken"]["seq"], seq);
    let ran = it.server.run_beside(&[], &["audit", "show", &turn]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    set(&mut file, "payload", seq, &payload).await;

    let trigger = "DROP TRIGGER receipts_keep";
    sqlx::query(trigger).execute(&mut file).await.unwrap();
    let at = "SELECT created_at FROM receipts";
    let at: String = sqlx::query_scalar(at).fetch_one(&mut file).await.unwrap();
    // What stands beside a receipt is not believed: its event tells the images.
    let beside = "UPDATE receipts SET after = replace($1, 'milk', 'silk')";
    sqlx::query(beside)
        .bind(&payload)
        .execute(&mut file)
        .await
        .unwrap();
    let change = "UPDATE receipts SET created_at = $1";
    for (changed, agree) in [("2001-01-01T00:00:00.000000Z", false), (&at, true)] {
        let changed = sqlx::query(change).bind(changed);
        changed.execute(&mut file).await.unwrap();
        let account = it.server.get(&path).await.body;
        assert_eq!(account["receipts_agree"], agree);
        assert_eq!(account["holds"], agree);
        assert_eq!(account["proven"], 1);
    }
    it.holds().await;
}
