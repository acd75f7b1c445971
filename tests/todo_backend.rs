//! The Todo-Backend contract (todobackend.com), in words of our own: sixteen behaviours over real
//! HTTP, as a page of another origin sees them, and what they leave behind here.

#![cfg(test)]

mod support {
    pub mod server;
}

use serde_json::{Value, json};
use support::server::{Reply, Server};

const ROOT: &str = "/todo-backend/me";
const ORIGIN: &str = "http://todobackend.example";

async fn start() -> Server {
    Server::start_with(&[
        ("CANDOR_TODO_BACKEND", "on"),
        ("CANDOR_TODAY", "2026-02-08"),
    ])
    .await
}

/// A request of a page; whoever reads the answer must be allowed to.
async fn page(server: &Server, method: &str, path: &str, body: Option<Value>) -> Reply {
    let headers = [("origin", ORIGIN), ("content-type", "application/json")];
    let text = body.map(|body| body.to_string());
    let reply = server.send(method, path, &headers, text).await;
    assert_eq!(
        reply.headers["access-control-allow-origin"], "*",
        "{reply:?}"
    );
    reply
}

/// The path of a todo's absolute address.
fn path<'a>(server: &Server, todo: &'a Value) -> &'a str {
    let url = todo["url"].as_str().expect("a url");
    url.strip_prefix(&server.url(""))
        .expect("an absolute url here")
}

async fn add(server: &Server, todo: Value) -> Value {
    let reply = page(server, "POST", ROOT, Some(todo)).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.body
}

async fn get(server: &Server, path: &str) -> Value {
    let reply = page(server, "GET", path, None).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.body
}

async fn patch(server: &Server, todo: &Value, change: Value) -> Value {
    let reply = page(server, "PATCH", path(server, todo), Some(change)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.body
}

#[tokio::test]
async fn b01_to_b04_the_root_is_there_takes_a_todo_and_is_cleared() {
    let server = start().await;
    // 1. The root answers GET, and a page of another origin may ask first and read the answer.
    let asked = [
        ("origin", ORIGIN),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    let told = server.send("OPTIONS", ROOT, &asked, None).await;
    assert_eq!(told.status, 200, "{told:?}");
    assert_eq!(told.headers["access-control-allow-origin"], "*");
    assert_eq!(told.headers["access-control-allow-headers"], "content-type");
    let methods = told.headers["access-control-allow-methods"]
        .to_str()
        .unwrap();
    for method in ["GET", "POST", "PATCH", "DELETE"] {
        assert!(methods.contains(method), "{methods}");
    }
    assert_eq!(get(&server, ROOT).await, json!([]));
    // 2. It answers POST with the todo that was sent.
    let todo = add(&server, json!({"title": "a todo"})).await;
    assert_eq!(todo["title"], "a todo");
    // 3. It answers DELETE, and 4. is an empty list then.
    let cleared = page(&server, "DELETE", ROOT, None).await;
    assert_eq!((cleared.status, &*cleared.text), (204, ""));
    assert_eq!(get(&server, ROOT).await, json!([]));
}

#[tokio::test]
async fn b05_to_b08_a_new_todo_is_on_the_list_open_and_has_an_address() {
    let server = start().await;
    let todo = add(&server, json!({"title": "walk the dog"})).await;
    // 5. It is on the list. 6. It is not completed.
    assert_eq!(get(&server, ROOT).await, json!([todo]));
    assert_eq!(todo["completed"], false);
    // 7. It has an absolute address, 8. where it is found.
    assert!(path(&server, &todo).starts_with("/todo-backend/me/"));
    assert_eq!(get(&server, path(&server, &todo)).await, todo);
}

#[tokio::test]
async fn b09_to_b13_a_todo_is_reached_changed_and_deleted_at_its_address() {
    let server = start().await;
    add(&server, json!({"title": "other"})).await;
    add(&server, json!({"title": "initial title"})).await;
    // 9. From the list one gets to each todo.
    let list = get(&server, ROOT).await;
    let todo = &list[1];
    assert_eq!(
        get(&server, path(&server, todo)).await["title"],
        "initial title"
    );
    // 10. Its title can be changed, 11. and whether it is completed,
    let changed = patch(&server, todo, json!({"title": "bathe the cat"})).await;
    assert_eq!(changed["title"], "bathe the cat");
    let changed = patch(&server, todo, json!({"completed": true})).await;
    assert_eq!(changed["completed"], true);
    // 12. and both stay.
    assert_eq!(get(&server, path(&server, todo)).await, changed);
    assert_eq!(get(&server, ROOT).await[1], changed);
    assert_eq!(changed["title"], "bathe the cat");
    // 13. It can be deleted.
    let gone = page(&server, "DELETE", path(&server, todo), None).await;
    assert_eq!(gone.status, 204);
    assert_eq!(get(&server, ROOT).await.as_array().unwrap().len(), 1);
    assert_eq!(
        page(&server, "GET", path(&server, todo), None).await.status,
        404
    );
}

#[tokio::test]
async fn b14_to_b16_a_todo_has_an_order_that_can_be_changed_and_stays() {
    let mut server = start().await;
    // 14. A todo is made with an order, 15. it can be changed, 16. and it stays.
    let todo = add(&server, json!({"title": "blah", "order": 523})).await;
    assert_eq!(todo["order"], 523);
    let changed = patch(&server, &todo, json!({"order": 95})).await;
    assert_eq!(changed["order"], 95);
    assert_eq!(get(&server, path(&server, &todo)).await["order"], 95);
    let path = path(&server, &todo).to_owned();
    server.crash_and_restart().await;
    let kept = get(&server, &path).await;
    assert_eq!(
        (&kept["order"], &kept["title"]),
        (&json!(95), &json!("blah"))
    );
}

#[tokio::test]
async fn every_write_leaves_its_receipt_and_a_cleared_list_can_be_brought_back() {
    let server = start().await;
    let todo = add(&server, json!({"title": "one", "order": 1})).await;
    add(&server, json!({"title": "two", "completed": true})).await;
    patch(&server, &todo, json!({"completed": true, "order": -7})).await;
    page(&server, "DELETE", ROOT, None).await;
    let receipts = server.events("me", "receipt").await;
    let actions: Vec<_> = receipts
        .iter()
        .map(|event| &event["payload"]["action"])
        .collect();
    let expect = [
        "add_task",
        "add_task",
        "complete_task",
        "complete_task",
        "delete_task",
        "delete_task",
    ];
    assert_eq!(actions, expect);
    let turns = server.events("me", "turn").await;
    assert!(
        turns
            .iter()
            .any(|turn| turn["payload"]["asked"]["order"] == -7),
        "{turns:?}"
    );
    // All in one commit, each with a receipt that takes it back.
    let cleared = &receipts[4..];
    assert_eq!(cleared[0]["turn_id"], cleared[1]["turn_id"]);
    for receipt in cleared {
        let id = receipt["payload"]["id"].as_str().unwrap();
        let undone = server
            .post(&format!("/api/me/receipts/{id}/undo"), json!({}))
            .await;
        assert_eq!(undone.status, 200, "{}", undone.text);
    }
    assert_eq!(server.titles("me").await, ["two", "one"]);
    assert_eq!(get(&server, ROOT).await[0]["order"], -7);
    assert_eq!(server.run_beside(&[], &["audit", "verify"]).code, Some(0));
}

#[tokio::test]
async fn one_list_is_one_users_and_faults_are_told() {
    let server = start().await;
    let todo = add(&server, json!({"title": "mine"})).await;
    assert_eq!(get(&server, "/todo-backend/ann").await, json!([]));
    page(&server, "DELETE", "/todo-backend/ann", None).await;
    assert_eq!(get(&server, ROOT).await, json!([todo]));
    let check = async |method: &str, path: &str, body: Value, status: u16, words: &str| {
        let reply = page(&server, method, path, Some(body)).await;
        assert_eq!(reply.status, status, "{}", reply.text);
        reply.problem();
        assert!(reply.text.contains(words), "{}", reply.text);
    };
    check("POST", ROOT, json!({}), 422, "title is missing").await;
    check("POST", ROOT, json!({"title": "a\nb"}), 422, "one line").await;
    check(
        "POST",
        ROOT,
        json!({"title": "a", "order": 1.5}),
        422,
        "whole number",
    )
    .await;
    check(
        "PATCH",
        path(&server, &todo),
        json!({"title": " "}),
        422,
        "empty",
    )
    .await;
    check("PUT", ROOT, json!({}), 405, "GET, HEAD, POST, DELETE").await;
    let nobody = "/todo-backend/me/0190a000-0000-7000-8000-000000000001";
    check("PATCH", nobody, json!({"order": 1}), 404, "no task").await;
    assert_eq!(get(&server, ROOT).await, json!([todo]));
}

#[tokio::test]
async fn other_origins_may_call_under_the_prefix_alone_and_nobody_while_it_is_off() {
    let server = start().await;
    let page = [("origin", ORIGIN), ("content-type", "application/json")];
    let body = || Some(json!({"title": "theirs"}).to_string());
    let refused = server.send("POST", "/api/me/tasks", &page, body()).await;
    assert_eq!(refused.problem(), "foreign_origin");
    let read = server.send("GET", "/api/me/tasks", &page, None).await;
    assert!(!read.headers.contains_key("access-control-allow-origin"));
    let off = Server::start().await;
    let refused = off.send("POST", ROOT, &page, body()).await;
    assert_eq!(refused.problem(), "foreign_origin");
    assert_eq!(off.get(ROOT).await.problem(), "not_found");
    assert!(off.tasks("me").await.is_empty());
}
