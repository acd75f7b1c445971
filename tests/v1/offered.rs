//! Tools and JSON answers, which are not offered: each is refused with its field, at both
//! endpoints, and nothing is done.

use serde_json::{Value, json};

use super::{Server, asking, fault, lines, send, text};

#[tokio::test]
async fn what_is_not_offered_is_refused_and_named() {
    let server = Server::start().await;
    let tool = json!({"type": "function", "function": {"name": "get_weather", "parameters": {}}});
    let schema = json!({"type": "json_schema", "json_schema": {"name": "x", "schema": {}}});
    let with = |name: &str, value: Value| json!({name: value});
    let named = json!({"type": "function", "function": {"name": "get_weather"}});
    let cases = [
        (with("tools", json!([tool])), "tools"),
        (json!({"tools": [tool], "tool_choice": "required"}), "tools"),
        (with("tool_choice", json!("required")), "tool_choice"),
        (with("tool_choice", named), "tool_choice"),
        (
            with("response_format", json!({"type": "json_object"})),
            "response_format",
        ),
        (with("response_format", schema), "response_format"),
        (
            json!({"text": {"format": {"type": "json_object"}}}),
            "text.format",
        ),
    ];
    for (fields, param) in cases {
        for path in [super::PATH, "/v1/responses"] {
            if (path == super::PATH) == (param == "text.format") {
                continue;
            }
            if path != super::PATH && param == "response_format" {
                continue;
            }
            let mut body = asking(lines(&["add milk"]));
            body["input"] = json!("add milk");
            let fields = fields.as_object().unwrap().clone();
            body.as_object_mut().unwrap().extend(fields);
            let headers = [("content-type", "application/json")];
            let sent = Some(body.to_string());
            let reply = server.send("POST", path, &headers, sent).await;
            let expect = (400, "invalid_request_error", "bad_request");
            assert_eq!(fault(&reply), expect, "{path} {body}: {}", reply.text);
            assert_eq!(reply.body["error"]["param"], param, "{path} {body}");
        }
    }
    assert!(server.tasks("me").await.is_empty());
    assert!(server.events("me", "turn").await.is_empty());
}

#[tokio::test]
async fn what_asks_for_nothing_of_it_is_a_turn() {
    let server = Server::start().await;
    let tool = json!({"type": "function", "function": {"name": "delete_task", "parameters": {}}});
    let cases = [
        json!({"tools": [], "tool_choice": "auto"}),
        json!({"tools": [tool], "tool_choice": "none"}),
        json!({"response_format": {"type": "text"}, "temperature": 0.1, "stop": ["Added"]}),
        json!({"max_tokens": 1, "tools": null, "response_format": null}),
    ];
    for (number, fields) in cases.into_iter().enumerate() {
        let title = ["milk", "bread", "eggs", "salt"][number];
        let mut body = asking(lines(&[&format!("add {title}")]));
        let fields = fields.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        let reply = send(&server, body, &[]).await;
        assert_eq!(text(&reply), format!("Added: {title}"));
        let message = &reply.body["choices"][0]["message"];
        assert!(message.get("tool_calls").is_none(), "{}", reply.text);
    }
}
