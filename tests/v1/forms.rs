//! Shapes of answers and errors, and what is taken.

use serde_json::json;

use super::support::openai::ScriptedModel;
use super::{Server, asking, fault, lines, say, scripted, send, text};

#[tokio::test]
async fn a_completion_is_the_reply_of_a_turn_to_the_letter() {
    let server = Server::start().await;
    let reply = say(&server, &["add Read book tomorrow"]).await;
    assert_eq!(text(&reply), "Added: Read book (due Mon 2026-02-09)");
    let body = &reply.body;
    assert_eq!(
        (&body["object"], &body["model"]),
        (&json!("chat.completion"), &json!("candor"))
    );
    let turn = body["candor"]["turn_id"].as_str().unwrap();
    assert_eq!(
        body["id"].as_str().unwrap(),
        format!("chatcmpl-{}", turn.replace('-', ""))
    );
    assert!(body["created"].as_i64().unwrap() > 1_700_000_000);
    let usage = &body["usage"];
    let sum =
        usage["prompt_tokens"].as_u64().unwrap() + usage["completion_tokens"].as_u64().unwrap();
    assert_eq!(usage["total_tokens"], sum);
    let receipt = &body["candor"]["action_metadata"];
    assert_eq!(
        (&receipt["action"], &receipt["task_title"]),
        (&json!("add_task"), &json!("Read book"))
    );
    assert_eq!(body["candor"]["kind"], "receipt");
    // It is one turn like any other: the log has it.
    let account = server.get(&format!("/api/me/audit/turns/{turn}")).await;
    assert_eq!(account.body["holds"], true, "{}", account.text);
    assert_eq!(account.body["said"], text(&reply));
    assert_eq!(server.titles("me").await, ["Read book"]);
}

#[tokio::test]
async fn tokens_are_those_that_the_models_server_counted() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    model.then(super::support::openai::Step::Json(json!({
        "choices": [{"message": {"content": "Hello! How can I help you today?"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 321, "completion_tokens": 9, "total_tokens": 330},
    })));
    let reply = say(&server, &["hello"]).await;
    let usage = json!({"prompt_tokens": 321, "completion_tokens": 9, "total_tokens": 330});
    assert_eq!(reply.body["usage"], usage, "{}", reply.text);
}

#[tokio::test]
async fn models_are_listed_and_described() {
    let server = Server::start().await;
    let list = server.get("/v1/models").await;
    assert_eq!(list.body["object"], "list");
    let ids = list.body["data"].as_array().unwrap().iter();
    let ids: Vec<_> = ids.map(|model| &model["id"]).collect();
    assert_eq!(ids, ["candor", "candor-utility"]);
    let one = server.get("/v1/models/candor-utility").await;
    assert_eq!(one.body, list.body["data"][1]);
    let unknown = server.get("/v1/models/gpt-4").await;
    let expect = (404, "invalid_request_error", "model_not_found");
    assert_eq!(fault(&unknown), expect);
    assert_eq!(
        server.send("HEAD", "/v1/models", &[], None).await.status,
        200
    );
}

#[tokio::test]
async fn who_speaks_is_the_field_user_where_nobody_proves_anything() {
    let server = Server::start().await;
    for (user, whose) in [
        (json!("ann"), "ann"),
        (json!(null), "me"),
        (json!("not one"), "me"),
    ] {
        let mut body = asking(lines(&[&format!("add Milk of {whose}{}", user.is_null())]));
        body["user"] = user;
        let reply = send(&server, body, &[]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    assert_eq!(server.tasks("ann").await.len(), 1);
    assert_eq!(server.tasks("me").await.len(), 2);
}

#[tokio::test]
async fn faults_have_their_own_status_and_name_the_field() {
    let server = Server::start().await;
    let json = [("content-type", "application/json")];
    let invalid = "invalid_request_error";
    let check = async |body: serde_json::Value, expect: (u16, &str), words: &str| {
        let reply = send(&server, body.clone(), &[]).await;
        let shown: String = body.to_string().chars().take(200).collect();
        assert_eq!(
            fault(&reply),
            (expect.0, invalid, expect.1),
            "{shown}: {}",
            reply.text
        );
        assert!(reply.text.contains(words), "{shown}: {}", reply.text);
    };
    let with = |name: &str, value: serde_json::Value| {
        let mut body = asking(lines(&["hello"]));
        body[name] = value;
        body
    };
    let bad = (400, "bad_request");
    let unfit = (400, "invalid_body");
    check(
        with("model", json!("gpt-4")),
        (404, "model_not_found"),
        "candor-utility",
    )
    .await;
    check(with("model", json!(null)), unfit, "string").await;
    check(with("n", json!(2)), bad, "n must be 1").await;
    check(with("messages", json!([])), bad, "say something").await;
    check(with("messages", json!("hello")), unfit, "sequence").await;
    check(
        with("messages", json!([{"role": "robot", "content": "x"}])),
        unfit,
        "robot",
    )
    .await;
    check(
        with("messages", json!([{"role": "user", "content": 5}])),
        unfit,
        "content must be",
    )
    .await;
    check(
        with("messages", json!([{"role": "user", "content": " "}])),
        (400, "invalid_message"),
        "empty",
    )
    .await;
    check(
        with("messages", json!([{"role": "user", "content": null}])),
        (400, "invalid_message"),
        "empty",
    )
    .await;
    check(
        with("messages", lines(&["hi", "Hello!"])),
        bad,
        "must be the user's",
    )
    .await;
    check(
        with("messages", lines(&[&"x".repeat(5_001)])),
        (400, "invalid_message"),
        "5001 characters",
    )
    .await;
    check(
        with("messages", lines(&["a\0b"])),
        (400, "invalid_message"),
        "U+0000",
    )
    .await;
    check(with("user", json!(5)), unfit, "string").await;
    check(
        json!({"messages": lines(&["x"])}),
        unfit,
        "missing field `model`",
    )
    .await;
    let image = json!([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]);
    check(with("messages", image), bad, "Images can't be read").await;
    let raw = async |body: String| server.send("POST", super::PATH, &json, Some(body)).await;
    assert_eq!(
        fault(&raw("{".to_owned()).await),
        (400, invalid, "bad_json")
    );
    assert_eq!(
        fault(&raw("[]".to_owned()).await),
        (400, invalid, "invalid_body")
    );
    let large = raw(format!("{{\"model\":\"{}\"}}", "x".repeat(1 << 20))).await;
    assert_eq!(fault(&large), (413, invalid, "too_large"));
    let plain = server
        .send(
            "POST",
            super::PATH,
            &[("content-type", "text/plain")],
            Some("x".to_owned()),
        )
        .await;
    assert_eq!(fault(&plain), (415, invalid, "wrong_media_type"));
    assert_eq!(
        fault(&server.get(super::PATH).await),
        (405, invalid, "method_not_allowed")
    );
    assert_eq!(
        fault(&server.get("/v1/embeddings").await),
        (404, invalid, "not_found")
    );
    let foreign = [("origin", "http://evil.example"), json[0]];
    let foreign = server
        .send("POST", super::PATH, &foreign, Some("{}".to_owned()))
        .await;
    assert_eq!(fault(&foreign), (403, "permission_error", "foreign_origin"));
    assert!(server.tasks("me").await.is_empty());
    assert!(server.events("me", "turn").await.is_empty());
}

#[tokio::test]
async fn parts_of_text_are_one_message() {
    let server = Server::start().await;
    let body = asking(json!([{"role": "user", "content": [
        {"type": "text", "text": "add milk"}, {"type": "text", "text": "and delete Fly to Mars"},
    ]}]));
    let reply = send(&server, body, &[]).await;
    assert!(text(&reply).starts_with("Added: milk\n"), "{}", reply.text);
}

#[tokio::test]
async fn a_model_that_is_down_is_told_with_its_status() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    let wait = vec![("retry-after", "7".to_owned())];
    model.otherwise(super::support::openai::Step::Status(429, wait));
    let reply = send(&server, asking(lines(&["hello"])), &[]).await;
    assert_eq!(fault(&reply), (503, "server_error", "model_unavailable"));
    assert_eq!(reply.headers["retry-after"], "7");
}
