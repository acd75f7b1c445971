//! Questions as calls to be approved: only the stored question counts, and it counts once.

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};

use crate::scene::{Scene, message, part, text, types};

/// A chat in which the deletion of every task waits for its approval.
async fn asked() -> (Scene, Value) {
    let scene = Scene::with(&[("DATABASE_URL", "sqlite://candor.db")]).await;
    for title in ["milk", "bread"] {
        scene.server.add("me", json!({"title": title})).await;
    }
    scene.model.calls(vec![
        ("delete_task", json!({"task": "milk"})),
        ("delete_task", json!({"task": "bread"})),
    ]);
    let parts = scene.say("m1", "delete everything").await.parts().await;
    let request = part(&parts, "tool-approval-request");
    let input = parts
        .iter()
        .rfind(|part| part["type"] == "tool-input-available")
        .unwrap();
    assert_eq!(input["toolCallId"], request["toolCallId"]);
    assert_eq!(input["toolName"], "delete_task");
    assert_eq!(
        input["input"]["items"].as_array().unwrap().len(),
        2,
        "{input}"
    );
    assert_eq!(
        part(&parts, "data-question")["data"]["id"],
        request["approvalId"]
    );
    assert_eq!(parts.last().unwrap()["finishReason"], "tool-calls");
    // Nothing is done until somebody says yes.
    assert!(
        !types(&parts).contains(&"tool-output-available"),
        "{parts:#?}"
    );
    assert_eq!(scene.server.titles("me").await.len(), 2);
    (scene, request.clone())
}

/// The next request of a client whose user has pressed a button.
fn answer(request: &Value, approved: bool) -> Value {
    json!({"id": "c", "trigger": "submit-message", "messages": [
        message("m1", "delete everything"),
        {"id": "a1", "role": "assistant", "parts": [
            {"type": "step-start"},
            {
                "type": "tool-delete_task", "toolCallId": request["toolCallId"],
                "state": "approval-responded", "input": {"items": ["nothing at all"]},
                "approval": {"id": request["approvalId"], "approved": approved},
            },
        ]},
    ]})
}

/// Checks that it did nothing, and says so.
async fn did_nothing(scene: &Scene, body: &Value, left: usize) {
    let (calls, receipts) = (scene.model.requests().len(), scene.receipts().await.len());
    let parts = scene.send(body).await.parts().await;
    assert!(
        !types(&parts).contains(&"tool-output-available"),
        "{parts:#?}"
    );
    assert!(!types(&parts).contains(&"data-receipt"), "{parts:#?}");
    let said = text(&parts);
    assert!(said.contains("not waiting for an answer"), "{said}");
    assert!(said.ends_with("Nothing was changed."), "{said}");
    let error = part(&parts, "tool-output-error");
    assert_eq!(error["errorText"], said);
    assert_eq!(scene.model.requests().len(), calls);
    assert_eq!(scene.receipts().await.len(), receipts);
    assert_eq!(scene.server.titles("me").await.len(), left);
}

#[tokio::test]
async fn yes_runs_what_was_shown_and_nothing_else() {
    let (scene, request) = asked().await;
    let receipts = scene.receipts().await.len();
    let first = scene.send(&answer(&request, true)).await.parts().await;
    let output = part(&first, "tool-output-available");
    assert_eq!(output["toolCallId"], request["toolCallId"]);
    assert_eq!(output["output"]["action"], "delete_task");
    // The message goes on: it is the client's own.
    assert_eq!(first[0], json!({"type": "start", "messageId": "a1"}));
    let told: Vec<_> = first
        .iter()
        .filter(|part| part["type"] == "data-receipt")
        .collect();
    assert_eq!(told.len(), 2);
    assert_eq!(text(&first), "Deleted: milk\nDeleted: bread");
    assert!(scene.server.titles("me").await.is_empty());
    assert_eq!(scene.receipts().await.len(), receipts + 2);
    // The same once more is the same answer; the contrary comes too late.
    let mut again = scene.send(&answer(&request, true)).await;
    assert_eq!(text(&again.parts().await), "Deleted: milk\nDeleted: bread");
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(scene.receipts().await.len(), receipts + 2);
    did_nothing(&scene, &answer(&request, false), 0).await;
    assert_eq!(scene.model.requests().len(), 1);
}

#[tokio::test]
async fn no_leaves_everything() {
    let (scene, request) = asked().await;
    let parts = scene.send(&answer(&request, false)).await.parts().await;
    let denied = part(&parts, "tool-output-denied");
    assert_eq!(denied["toolCallId"], request["toolCallId"]);
    assert_eq!(text(&parts), "Nothing was deleted.");
    assert_eq!(scene.server.titles("me").await.len(), 2);
    did_nothing(&scene, &answer(&request, true), 2).await;
}

#[tokio::test]
async fn a_forged_or_foreign_answer_does_nothing() {
    let (scene, request) = asked().await;
    let with = |id: Value| {
        let mut forged = request.clone();
        forged["approvalId"] = id;
        answer(&forged, true)
    };
    did_nothing(&scene, &with(json!("yes")), 2).await;
    did_nothing(
        &scene,
        &with(json!("00000000-0000-7000-8000-000000000000")),
        2,
    )
    .await;
    // Of another chat of the same user, and of another user.
    let mut elsewhere = answer(&request, true);
    elsewhere["id"] = json!("d");
    did_nothing(&scene, &elsewhere, 2).await;
    let body = answer(&request, true).to_string();
    let json = [("content-type", "application/json")];
    let other = scene
        .server
        .send("POST", "/api/eve/chat/stream", &json, Some(body))
        .await;
    assert!(
        other.text.contains("not waiting for an answer"),
        "{}",
        other.text
    );
    assert_eq!(scene.server.titles("me").await.len(), 2);
    // The question still waits for its own answer.
    let parts = scene.send(&answer(&request, true)).await.parts().await;
    assert_eq!(text(&parts), "Deleted: milk\nDeleted: bread");
}

#[tokio::test]
async fn an_answer_that_comes_too_late_does_nothing() {
    let (scene, request) = asked().await;
    let file = format!("sqlite://{}", scene.server.database().display());
    let mut file = SqliteConnection::connect(&file).await.unwrap();
    let past = "UPDATE questions SET expires_at = '2020-01-01T00:00:00.000000Z'";
    let done = sqlx::query(past).execute(&mut file).await.unwrap();
    assert_eq!(done.rows_affected(), 1);
    drop(file);
    did_nothing(&scene, &answer(&request, true), 2).await;
}

#[tokio::test]
async fn a_question_with_several_answers_is_no_approval() {
    let scene = Scene::new().await;
    for title in ["Buy milk", "Sell milk"] {
        scene.server.add("me", json!({"title": title})).await;
    }
    scene.model.call("delete_task", json!({"task": "milk"}));
    let parts = scene.say("m1", "delete milk").await.parts().await;
    let question = &part(&parts, "data-question")["data"];
    assert!(
        question["options"].as_array().unwrap().len() > 2,
        "{question}"
    );
    assert!(
        !types(&parts).contains(&"tool-approval-request"),
        "{parts:#?}"
    );
    // It is answered by a button of one's own, or by words.
    let answer = json!({"id": question["id"], "value": "1"});
    let body = json!({"id": "c", "messages": [message("m2", "")], "answer": answer});
    let parts = scene.send(&body).await.parts().await;
    assert!(text(&parts).starts_with("Deleted: "), "{parts:#?}");
    assert_eq!(scene.server.titles("me").await.len(), 1);
}
