//! `Idempotency-Key`: the same request is answered with the same bytes and has one effect.

use std::time::Duration;

use serde_json::{Value, json};

use crate::openai::Step;
use crate::server::Reply;
use crate::world::World;

const CHAT: &str = "/api/me/chat";

async fn keyed(it: &World, key: &str, message: &str) -> Reply {
    it.server
        .post_keyed(CHAT, key, json!({"message": message}))
        .await
}

fn add_milk() -> Step {
    Step::calls(vec![("add_task", json!({"title": "buy milk"}))])
}

#[tokio::test]
async fn the_same_key_and_body_give_the_same_bytes_and_one_effect() {
    let mut it = World::new().await;
    it.model.otherwise(add_milk());
    let first = keyed(&it, "key-1", "add buy milk").await;
    assert_eq!(first.status, 200, "{}", first.text);
    for _ in 0..3 {
        let again = keyed(&it, "key-1", "add buy milk").await;
        assert_eq!((again.status, &again.text), (200, &first.text));
        assert_eq!(again.headers["idempotency-replayed"], "true");
    }
    it.server.crash_and_restart().await;
    let again = keyed(&it, "key-1", "add buy milk").await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(it.model.requests().len(), 1);
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

/// The order of the body's members is not part of it.
#[tokio::test]
async fn another_body_under_the_same_key_is_refused() {
    let it = World::new().await;
    it.model.otherwise(add_milk());
    let first = keyed(&it, "key-1", "add buy milk").await;
    assert_eq!(first.status, 200, "{}", first.text);
    for body in [
        json!({"message": "add buy milk "}),
        json!({"message": "delete buy milk"}),
        json!({"message": "add buy milk", "language_hint": "ur"}),
        json!({"message": "add buy milk", "conversation_id": first.body["conversation_id"]}),
    ] {
        let other = it.server.post_keyed(CHAT, "key-1", body.clone()).await;
        assert_eq!(other.status, 422, "{body}: {}", other.text);
        assert_eq!(other.problem(), "key_reused");
    }
    assert_eq!(it.model.requests().len(), 1);
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

/// Each of twenty is answered with the one answer, or told that it is still being made.
#[tokio::test]
async fn twenty_equal_requests_at_once_have_one_effect() {
    let it = World::new().await;
    it.model.otherwise(Step::After(
        Duration::from_millis(200),
        Box::new(add_milk()),
    ));
    let server = &it.server;
    let mut requests = Vec::new();
    for _ in 0..20 {
        let (client, url) = (reqwest::Client::builder().no_proxy(), server.url(CHAT));
        let request = client
            .build()
            .unwrap()
            .post(url)
            .header("idempotency-key", "key-1")
            .header("content-type", "application/json")
            .body(json!({"message": "add buy milk"}).to_string());
        requests.push(tokio::spawn(async move {
            let answer = request.send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        }));
    }
    let mut bodies = Vec::new();
    for request in requests {
        match request.await.unwrap() {
            (200, body) => bodies.push(body),
            (409, body) => {
                let problem: Value = serde_json::from_str(&body).unwrap();
                assert_eq!(problem["code"], "still_running", "{body}");
            }
            (status, body) => panic!("{status}: {body}"),
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:#?}");
    let after = keyed(&it, "key-1", "add buy milk").await;
    assert_eq!((after.status, &after.text), (200, &bodies[0]));
    assert_eq!(it.model.requests().len(), 1);
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

/// A 503 is not the answer to the key: the same request may be tried again.
#[tokio::test]
async fn a_failure_of_the_model_is_not_kept_under_the_key() {
    let it = World::with(&[("CANDOR_MODEL_TIMEOUT_MS", "400")]).await;
    it.model.otherwise(Step::CloseAtOnce);
    assert_eq!(keyed(&it, "key-1", "add buy milk").await.status, 503);
    it.model.otherwise(add_milk());
    let reply = keyed(&it, "key-1", "add buy milk").await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.body["assistant_message"], "Added: buy milk");
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

/// Keys are a user's own.
#[tokio::test]
async fn another_user_may_use_the_same_key() {
    let it = World::new().await;
    it.model.otherwise(add_milk());
    let mine = keyed(&it, "key-1", "add buy milk").await;
    let body = json!({"message": "add buy milk"});
    let theirs = it.server.post_keyed("/api/you/chat", "key-1", body).await;
    assert_eq!((mine.status, theirs.status), (200, 200));
    assert_ne!(mine.text, theirs.text);
    assert_eq!(it.server.titles("you").await, ["buy milk"]);
    it.rows(&["buy milk"]).await;
    it.holds().await;
}
