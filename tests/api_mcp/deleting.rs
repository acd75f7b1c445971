//! A deletion asks, in each way, and nothing but a yes to our own question deletes.

use serde_json::{Value, json};

use crate::support::server::Server;
use crate::wire::{Session, Stateless, asks, done, failed, text};

fn yes() -> Value {
    json!({"action": "accept", "content": {"confirm": true}})
}

fn read_book() -> Value {
    json!({"task": "read book"})
}

/// A server with one task of that user.
async fn with_task(user: &str) -> Server {
    let server = Server::start().await;
    server.add(user, json!({"title": "Read book"})).await;
    server
}

/// The same where a client's model may confirm.
async fn may_confirm() -> Server {
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_MCP_CONFIRM", "model"),
    ])
    .await;
    server.add("me", json!({"title": "Read book"})).await;
    server
}

/// The state of a question that was just asked.
async fn asked(client: &Stateless<'_>) -> Value {
    let result = client.call("delete_task", read_book()).await;
    assert_eq!(result["resultType"], "input_required", "{result}");
    let question = &result["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create");
    assert_eq!(question["params"]["message"], "Delete \"Read book\"?");
    let schema = &question["params"]["requestedSchema"];
    assert_eq!(schema["required"], json!(["confirm"]), "{schema}");
    // No client says yes by filling in what is given.
    assert_eq!(schema["properties"]["confirm"]["type"], "boolean");
    assert_eq!(schema["properties"]["confirm"]["default"], Value::Null);
    assert!(result["requestState"].is_string());
    result["requestState"].clone()
}

#[tokio::test]
async fn the_stateless_revision_asks_and_takes_one_answer() {
    let server = with_task("me").await;
    let client = Stateless::of(&server);
    for (answer, kind) in [
        (json!({"action": "decline"}), "permission"),
        (json!({"action": "cancel"}), "cancelled"),
        (
            json!({"action": "accept", "content": {"confirm": false}}),
            "permission",
        ),
        (json!({"action": "accept"}), "permission"),
        (json!({"action": "sure"}), "cancelled"),
        (json!("yes"), "cancelled"),
    ] {
        let state = asked(&client).await;
        let result = client.answer(read_book(), &state, answer.clone()).await;
        assert_eq!(failed(&result), kind, "{answer}");
        assert!(
            text(&result).starts_with("Nothing was deleted."),
            "{result}"
        );
        // What was answered is answered.
        let again = client.answer(read_book(), &state, yes()).await;
        assert_eq!(failed(&again), "conflict", "{answer}");
        assert_eq!(server.titles("me").await, ["Read book"]);
    }
    let state = asked(&client).await;
    let result = client.answer(read_book(), &state, yes()).await;
    assert_eq!(done(&result), "Deleted: Read book");
    assert_eq!(
        result["structuredContent"]["action_metadata"]["action"],
        "delete_task"
    );
    assert!(server.titles("me").await.is_empty());
    // Once: also when the task is back.
    assert!(done(&client.call("undo", json!({})).await).contains("back on the list"));
    let again = client.answer(read_book(), &state, yes()).await;
    assert_eq!(failed(&again), "conflict");
    assert_eq!(server.titles("me").await, ["Read book"]);
    let answers: Vec<_> = server.events("me", "turn").await;
    let answers: Vec<_> = answers
        .iter()
        .filter_map(|turn| turn["payload"]["answer"].as_str())
        .collect();
    assert_eq!(
        answers,
        [
            "decline", "cancel", "decline", "decline", "cancel", "cancel", "accept"
        ]
    );
}

#[tokio::test]
async fn no_state_but_our_own_for_just_this_deletes() {
    let server = with_task("me").await;
    server.add("bob", json!({"title": "Read book"})).await;
    server.add("me", json!({"title": "Call mom"})).await;
    let client = Stateless::of(&server);
    let state = asked(&client).await;
    let sealed = state.as_str().unwrap();
    let refused = async |arguments: Value, state: &Value, kind: &str| {
        let result = client.answer(arguments, state, yes()).await;
        assert_eq!(failed(&result), kind, "{state}");
        assert_eq!(server.titles("me").await.len(), 2);
    };
    // Forged, bent, cut, of another user, of another task, without any state.
    for at in [4, sealed.len() / 2, sealed.len() - 2] {
        let mut bent = sealed.to_owned();
        let other = if bent.as_bytes()[at] == b'A' {
            "B"
        } else {
            "A"
        };
        bent.replace_range(at..=at, other);
        refused(read_book(), &json!(bent), "permission").await;
    }
    for forged in ["", "yes", "rs1.e30.e30", &sealed[..sealed.len() - 4]] {
        refused(read_book(), &json!(forged), "permission").await;
    }
    let bobs = asked(&Stateless::of(&server).acting_for("bob")).await;
    refused(read_book(), &bobs, "permission").await;
    refused(json!({"task": "call mom"}), &state, "conflict").await;
    // An answer alone is none.
    let params = json!({"name": "delete_task", "arguments": read_book(),
        "inputResponses": {"confirm": yes()}});
    let result = client.request("tools/call", params).await;
    assert_eq!(result["resultType"], "input_required");
    // What a state is for is not what a confirmation is for.
    let passed_on = json!({"task": "read book", "confirm": state});
    assert_eq!(
        failed(&client.call("delete_task", passed_on).await),
        "permission"
    );
    // The task was changed since it was asked about.
    client
        .call(
            "update_task",
            json!({"task": "read book", "priority": "high"}),
        )
        .await;
    refused(read_book(), &state, "conflict").await;
    // A new question, answered by whom it was put to.
    let state = asked(&client).await;
    assert_eq!(
        done(&client.answer(read_book(), &state, yes()).await),
        "Deleted: Read book"
    );
    assert_eq!(server.titles("bob").await, ["Read book"]);
}

#[tokio::test]
async fn a_session_is_asked_and_answers() {
    let server = with_task("me").await;
    let session = Session::open(&server, asks()).await;
    let ask = async || {
        let mut call = session.begin("delete_task", read_book()).await;
        let question = call.next().await.unwrap();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        assert_eq!(question["params"]["message"], "Delete \"Read book\"?");
        (call, question)
    };
    for (answer, kind) in [
        (json!({"action": "decline"}), "permission"),
        (json!({"action": "cancel"}), "cancelled"),
        (json!({"action": "accept", "content": {}}), "permission"),
    ] {
        let (mut call, question) = ask().await;
        assert_eq!(server.titles("me").await, ["Read book"]);
        assert_eq!(session.reply(&question, &answer).await, 202);
        let result = call.next().await.unwrap();
        assert_eq!(failed(&result["result"]), kind, "{answer}");
        assert_eq!(server.titles("me").await, ["Read book"]);
    }
    // Changed while the question was open.
    let (mut call, question) = ask().await;
    let id = server.tasks("me").await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    server
        .patch(&format!("/api/me/tasks/{id}"), json!({"priority": "high"}))
        .await;
    session.reply(&question, &yes()).await;
    assert_eq!(failed(&call.next().await.unwrap()["result"]), "conflict");
    // An error instead of an answer.
    let (mut call, question) = ask().await;
    let refusal = json!({"jsonrpc": "2.0", "id": question["id"],
        "error": {"code": -32603, "message": "no screen"}});
    assert_eq!(session.post(&refusal).await.status(), 202);
    assert_eq!(failed(&call.next().await.unwrap()["result"]), "cancelled");
    let (mut call, question) = ask().await;
    session.reply(&question, &yes()).await;
    assert_eq!(
        done(&call.next().await.unwrap()["result"]),
        "Deleted: Read book"
    );
    assert!(server.titles("me").await.is_empty());
}

#[tokio::test]
async fn a_client_that_can_not_ask_can_not_delete() {
    let server = with_task("me").await;
    let stateless = Stateless::of(&server).able(json!({}));
    let session = Session::open(&server, json!({})).await;
    for round in 0..2 {
        let call = async |arguments: Value| match round {
            0 => stateless.call("delete_task", arguments).await,
            _ => session.call("delete_task", arguments).await,
        };
        let result = call(read_book()).await;
        assert_eq!(failed(&result), "permission");
        let said = text(&result);
        assert!(
            said.starts_with("Delete \"Read book\"? Nothing was deleted"),
            "{said}"
        );
        for way in ["page", "chat", "elicitation"] {
            assert!(said.contains(way), "{said}");
        }
        // Nothing in it could be passed on.
        assert!(result["structuredContent"].get("confirmation").is_none());
        assert!(!result.to_string().contains("rs1."), "{result}");
        for token in [json!("rs1.AAAA.AAAA"), json!("yes"), json!(true)] {
            let result = call(json!({"task": "read book", "confirm": token})).await;
            assert_eq!(failed(&result), "permission", "{result}");
        }
    }
    assert_eq!(server.titles("me").await, ["Read book"]);
    assert_eq!(server.events("me", "receipt").await.len(), 1);
    // In the chat it can be done.
    let asked = server.chat("me", "delete Read book").await;
    assert_eq!(asked["action_metadata"]["action"], "delete_task", "{asked}");
}

#[tokio::test]
async fn a_token_of_a_model_that_might_confirm_is_worth_nothing_where_it_may_not() {
    let (model, person) = (may_confirm().await, with_task("me").await);
    for server in [&model, &person] {
        let listed = Stateless::of(server).request("tools/list", json!({})).await;
        let confirm = "\"confirm\":";
        assert_eq!(
            listed.to_string().contains(confirm),
            std::ptr::eq(server, &model)
        );
    }
}

#[tokio::test]
async fn a_model_that_may_confirm_gets_what_to_pass_on() {
    let server = may_confirm().await;
    let stateless = Stateless::of(&server).able(json!({}));
    let session = Session::open(&server, json!({})).await;
    for round in 0..2 {
        let call = async |arguments: Value| match round {
            0 => stateless.call("delete_task", arguments).await,
            _ => session.call("delete_task", arguments).await,
        };
        let result = call(read_book()).await;
        assert_eq!(failed(&result), "permission");
        assert!(text(&result).starts_with("Delete \"Read book\"? Nothing was deleted yet"));
        let confirmation = &result["structuredContent"]["confirmation"];
        assert!(confirmation["expires_at"].is_string(), "{result}");
        let token = confirmation["confirm"].as_str().unwrap();
        assert!(token.len() <= 120 && text(&result).contains(token));
        let with = |task: &str, token: &str| json!({"task": task, "confirm": token});
        for (arguments, kind) in [
            (with("read book", "yes"), "permission"),
            (with("read book", ""), "permission"),
            (with("Fly to Mars", token), "not_found"),
            (json!({"task": "read book", "confirm": true}), "validation"),
        ] {
            assert_eq!(failed(&call(arguments).await), kind);
        }
        assert_eq!(server.titles("me").await, ["Read book"]);
        let result = call(with("read book", token)).await;
        assert_eq!(done(&result), "Deleted: Read book");
        let again = call(with("read book", token)).await;
        assert_eq!(failed(&again), "conflict");
        server.add("me", json!({"title": "Read book"})).await;
        assert_eq!(failed(&call(with("read book", token)).await), "conflict");
        assert_eq!(server.titles("me").await, ["Read book"]);
    }
}
