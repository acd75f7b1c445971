//! The description of the API against what the real program answers and takes.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod server;
}

#[path = "openapi/tools.rs"]
mod tools;

use jsonschema::Validator;
use serde_json::{Value, json};
use support::server::{Server, run};

struct Described(Value);

impl Described {
    async fn of(server: &Server) -> Self {
        let reply = server.get("/openapi.json").await;
        assert_eq!(
            (reply.status, &reply.headers["content-type"]),
            (200, &"application/json".parse().unwrap())
        );
        Self(reply.body)
    }

    /// A schema of the document, able to follow its references. Closed: nothing may be there
    /// that is not described.
    fn validator(&self, schema: &Value, closed: bool) -> Validator {
        let mut root = schema.clone();
        root["components"] = self.0["components"].clone();
        if closed {
            close(&mut root["components"]["schemas"]);
        }
        jsonschema::options()
            .should_validate_formats(true)
            .build(&root)
            .unwrap()
    }

    /// The schema of an answer.
    fn answer(&self, method: &str, path: &str, status: u16, media: &str) -> &Value {
        let response = &self.0["paths"][path][method]["responses"][status.to_string()];
        let shared = response["$ref"].as_str();
        let shared = shared.map(|name| self.0.pointer(name.trim_start_matches('#')).unwrap());
        let content = &shared.unwrap_or(response)["content"];
        let named = content.get(media).unwrap_or(&content["*/*"]);
        let schema = &named["schema"];
        assert!(
            schema.is_object(),
            "{method} {path} {status} {media} is not described"
        );
        schema
    }
}

/// Lets no object have what it does not name.
fn close(schemas: &mut Value) {
    for (name, schema) in schemas.as_object_mut().unwrap() {
        // What is combined with others names only a part.
        if name != "Problem" && schema["properties"].is_object() {
            schema["additionalProperties"] = Value::Bool(false);
        }
    }
}

/// Fills in what stands between the braces of a path.
fn fill(path: &str, ids: &Value) -> String {
    let ids = ids.as_object().unwrap().iter();
    ids.fold(path.to_owned(), |path, (name, id)| {
        path.replace(&format!("{{{name}}}"), id.as_str().unwrap())
    })
}

#[tokio::test]
async fn every_answer_is_as_it_is_described() {
    let file = std::env::temp_dir().join(format!("candor-openapi-{}.toml", std::process::id()));
    std::fs::write(&file, "[[providers]]\nid = 'worker'\nkind = 'built_in'\n").unwrap();
    let config = file.to_str().unwrap();
    let server =
        Server::start_with(&[("CANDOR_TODAY", "2026-02-08"), ("CANDOR_CONFIG", config)]).await;
    let described = Described::of(&server).await;
    let hand_over = "delegate Research hotels to the researcher";
    server.chat("me", hand_over).await;
    let runs = server.get("/api/me/delegations").await;
    let run = &runs.body["delegations"][0];
    let reply = server
        .chat("me", "add Read book tomorrow, high priority")
        .await;
    server.chat("me", "add Read book").await;
    let done = server
        .go_on(
            "me",
            &reply,
            "mark read book as done and delete Fly to Mars",
        )
        .await;
    let ids = json!({
        "user_id": "me",
        "task_id": reply["action_metadata"]["task_id"],
        "receipt_id": reply["action_metadata"]["receipt_id"],
        "turn_id": done["turn_id"],
        "code": "unknown_task",
        "handle": run["run"],
        "agent": run["agent_id"],
        "tool_call_id": "call_1",
        "model": "candor",
    });
    let conversation = done["conversation_id"].as_str().unwrap();
    let mut seen = 0;
    let check = |(method, path): (&str, &str), reply: &support::server::Reply| {
        let media = reply.headers["content-type"].to_str().unwrap();
        let schema = described.answer(method, path, reply.status, media);
        if media.ends_with("json") {
            let validator = described.validator(schema, true);
            let faults: Vec<String> = validator
                .iter_errors(&reply.body)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert!(
                faults.is_empty(),
                "{method} {path}: {faults:#?}\n{}",
                reply.text
            );
        }
    };
    for (path, item) in described.0["paths"].as_object().unwrap() {
        // Nothing runs that could be followed.
        let idle = path.ends_with("{chat}/stream");
        if !item["get"].is_object() || idle {
            continue;
        }
        if path.starts_with("/.well-known/") {
            // No signed tokens are taken here.
            let reply = server.get(path).await;
            assert_eq!(reply.status, 404, "{path}: {}", reply.text);
            check(("get", path), &reply);
            continue;
        }
        let mut asked = fill(path, &ids);
        if path.ends_with("/messages") {
            asked.push_str(&format!("?conversation_id={conversation}"));
        } else if path.ends_with("/consistency") {
            asked.push_str("?from=2&to=3");
        } else if path.ends_with("/audit") {
            asked.push_str("?limit=1000");
        } else if path.ends_with("/events") {
            asked.push_str("?follow=false");
        }
        let reply = server.get(&asked).await;
        assert_eq!(reply.status, 200, "{asked}: {}", reply.text);
        check(("get", path), &reply);
        seen += 1;
        if path.contains("_id}/") {
            let reply = server.get(&asked.replace("/api/me/", "/api/a%20b/")).await;
            assert_eq!(reply.status, 400);
            check(("get", path), &reply);
        }
    }
    assert!(seen > 15, "{seen}");
    let page = server.get("/api/me/tasks?limit=1").await;
    check(("get", "/api/{user_id}/tasks"), &page);
    let path = "/api/{user_id}/chat";
    for said in [
        json!({"message": "delete everything"}),
        json!({"message": "thanks"}),
        json!({"message": ""}),
        json!({"message": "x", "colour": "red"}),
        json!({"message": "x", "timezone": "Mars/Olympus"}),
        json!({"message": "x", "conversation_id": ids["task_id"]}),
    ] {
        check(("post", path), &server.post("/api/me/chat", said).await);
    }
    let path = "/v1/chat/completions";
    let say =
        |text: &str| json!({"model": "candor", "messages": [{"role": "user", "content": text}]});
    for said in [
        say("add milk"),
        say("delete everything"),
        say("### Task:\nName it.\n### Output:\na title"),
        say(""),
        json!({"model": "gpt-4", "messages": []}),
        json!({}),
    ] {
        check(("post", path), &server.post(path, said).await);
    }
    let path = "/v1/responses";
    let say = |text: &str| json!({"model": "candor", "input": text});
    for said in [
        say("add milk"),
        say("delete everything"),
        say("### Task:\nName it.\n### Output:\na title"),
        say(""),
        json!({"model": "candor", "input": "undo", "previous_response_id": "resp_1"}),
        json!({"model": "candor", "input": "undo", "tools": [{"type": "web_search"}]}),
        json!({}),
    ] {
        check(("post", path), &server.post(path, said).await);
    }
    let path = "/api/{user_id}/tasks";
    for task in [json!({"title": "milk"}), json!({"title": ""}), json!({})] {
        check(("post", path), &server.post("/api/me/tasks", task).await);
    }
    let one = "/api/{user_id}/tasks/{task_id}";
    let task = fill(one, &ids);
    for change in [
        json!({"assignee": "bob"}),
        json!({"title": null}),
        json!([]),
    ] {
        check(("patch", one), &server.patch(&task, change).await);
    }
    let undo = "/api/{user_id}/receipts/{receipt_id}/undo";
    let fresh = server.chat("me", "add Water the plants").await;
    let fresh = json!({
        "user_id": "me",
        "receipt_id": fresh["action_metadata"]["receipt_id"],
    });
    let mut statuses = Vec::new();
    for receipt in [&fresh, &fresh, &ids] {
        let undone = server.send("POST", &fill(undo, receipt), &[], None).await;
        check(("post", undo), &undone);
        statuses.push(undone.status);
    }
    assert_eq!(statuses, [200, 409, 409]);
    assert_eq!(server.delete(&task).await.status, 204);
    let unknown = fill(one, &json!({"user_id": "me", "task_id": "x"}));
    for gone in [task, unknown] {
        check(("delete", one), &server.delete(&gone).await);
    }
}

/// Values, and whether they are within the limits; the description and the program must agree.
#[tokio::test]
async fn limits_are_described_as_they_are_held() {
    let server = Server::start().await;
    let described = Described::of(&server).await;
    let schemas = &described.0["components"]["schemas"];
    let long = |count: usize| "x".repeat(count);
    let texts = [
        String::new(),
        " ".to_owned(),
        "milk".to_owned(),
        " milk ".to_owned(),
        "\tmilk\n".to_owned(),
        "\u{85}milk\u{3000}".to_owned(),
        "\u{2028}milk".to_owned(),
        "mi\u{2028}lk".to_owned(),
        "mi\nlk".to_owned(),
        "mi\tlk".to_owned(),
        "mi\u{0}lk".to_owned(),
        "mi\u{9f}lk".to_owned(),
        "mi lk".to_owned(),
        "m".to_owned(),
        "🥛".repeat(255),
        "🥛".repeat(256),
        long(255),
        long(256),
        format!(" {} ", long(255)),
        long(10_000),
        long(10_001),
    ];
    let task = server.add("me", json!({"title": "milk"})).await;
    let path = format!("/api/me/tasks/{}", task["id"].as_str().unwrap());
    let patch = described.validator(&schemas["PatchBody"], false);
    for field in ["title", "description", "assignee"] {
        for value in texts
            .iter()
            .map(|text| json!(text))
            .chain([Value::Null, json!(5)])
        {
            let body = json!({ field: value });
            let reply = server.patch(&path, body.clone()).await;
            assert_eq!(
                patch.is_valid(&body),
                reply.status == 200,
                "{body}: {}",
                reply.text
            );
        }
    }
    let words = [
        "low",
        "LOW",
        "urgent",
        "pending",
        "completed",
        "2026-02-09",
        "2026-2-9",
        "2026-02-09T00:00:00.000Z",
        "2026-02-09T09:30",
        "2026-02-09T",
        "soon",
    ];
    for field in ["priority", "status", "due_date", "is_completed"] {
        let values = words.iter().map(|word| json!(word));
        for value in values.chain([Value::Null, json!(true)]) {
            let body = json!({ field: value });
            let reply = server.patch(&path, body.clone()).await;
            assert_eq!(
                patch.is_valid(&body),
                reply.status == 200,
                "{body}: {}",
                reply.text
            );
        }
    }
    let add = described.validator(&schemas["NewTaskBody"], false);
    for body in [
        json!({"title": "a", "priority": null, "status": null, "due_date": null, "description": null}),
        json!({"title": "b", "is_completed": null}),
        json!({"title": null}),
        json!({"title": "c", "assignee": "bob"}),
        json!({"priority": "low"}),
    ] {
        let reply = server.post("/api/me/tasks", body.clone()).await;
        assert_eq!(
            add.is_valid(&body),
            reply.status == 201,
            "{body}: {}",
            reply.text
        );
    }
    let parameters = described.0["paths"]["/api/{user_id}/tasks"]["post"]["parameters"].clone();
    let schema = |name: &str| {
        let mut all = parameters.as_array().unwrap().iter();
        let found = all.find(|parameter| parameter["name"] == name).unwrap();
        described.validator(&found["schema"], false)
    };
    let key = schema("Idempotency-Key");
    for text in [
        "a",
        "\"a b\"",
        "\"a\\\"b\"",
        "\"a\\b\"",
        "a,b",
        "a\"",
        "\"\"",
        "a b",
        &long(255),
        &long(256),
    ] {
        let reply = server
            .post_keyed("/api/me/tasks", text, json!({"title": "milk"}))
            .await;
        let taken = reply.status != 400;
        assert_eq!(key.is_valid(&json!(text)), taken, "{text}: {}", reply.text);
    }
    let user = schema("user_id");
    for text in [
        "me",
        "auth0|1",
        "a@b.example",
        "a+b",
        "a:b",
        "-",
        "a b",
        "a;b",
        &long(128),
        &long(129),
    ] {
        let reply = server.get(&format!("/api/{text}/tasks")).await;
        assert_eq!(
            user.is_valid(&json!(text)),
            reply.status == 200,
            "{text}: {}",
            reply.text
        );
    }
    let chat = described.validator(&schemas["ChatRequest"], false);
    for body in [
        json!({"message": "hello"}),
        json!({"message": long(5_000)}),
        json!({"message": long(5_001)}),
        json!({"message": "a\u{0}b"}),
        json!({"message": 5}),
        json!({"message": "hello", "timezone": "Asia/Karachi", "language_hint": "tlh"}),
        json!({"message": "hello", "conversation_id": "x"}),
        json!({"message": "hello", "answer": {"id": "x"}}),
    ] {
        let reply = server.post("/api/me/chat", body.clone()).await;
        let text = body.to_string().chars().take(99).collect::<String>();
        assert_eq!(
            chat.is_valid(&body),
            reply.status == 200,
            "{text}: {}",
            reply.text
        );
    }
}

/// Generators of clients make a name of each word of an enum, and fail at `GMT0`.
#[tokio::test]
async fn a_zone_is_a_text_with_an_example() {
    let server = Server::start().await;
    let document = server.get("/openapi.json").await.body;
    let zone = &document["components"]["schemas"]["ChatRequest"]["properties"]["timezone"];
    assert!(zone.get("enum").is_none(), "{zone}");
    assert_eq!(zone["example"], "Asia/Karachi");
    let unknown = json!({"message": "hello", "timezone": "Mars/Olympus"});
    assert_eq!(server.post("/api/me/chat", unknown).await.status, 422);
}

#[tokio::test]
async fn the_page_of_the_description_loads_nothing_from_elsewhere() {
    let server = Server::start().await;
    let led = server.get("/docs").await;
    assert!(led.text.contains("swagger-ui"), "{}", led.text);
    let page = server.get("/docs/").await;
    assert_eq!(page.status, 200);
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self';"),
        "{policy}"
    );
    let linked = regex::Regex::new(r#"(?:src|href)="([^"]+)""#).unwrap();
    let mut count = 0;
    for found in linked.captures_iter(&page.text) {
        let file = found[1].trim_start_matches("./");
        assert!(!file.contains("//"), "{file}");
        let reply = server.get(&format!("/docs/{file}")).await;
        assert_eq!(reply.status, 200, "{file}");
        count += 1;
    }
    assert!(count >= 5, "{}", page.text);
    let begins = server.get("/docs/swagger-initializer.js").await;
    assert!(begins.text.contains("../openapi.json"), "{}", begins.text);
    assert!(!begins.text.contains("petstore"), "{}", begins.text);
    assert!(
        begins.text.contains("\"validatorUrl\": \"none\""),
        "{}",
        begins.text
    );
    assert_eq!(server.get("/docs/nothing.js").await.problem(), "not_found");
}

#[tokio::test]
async fn the_pages_files_come_packed_to_whoever_takes_them_so() {
    let server = Server::start().await;
    let path = "/docs/swagger-ui-bundle.js";
    for (asked, packed) in [
        (None, false),
        (Some("gzip, deflate, br, zstd"), true),
        (Some("br, gzip;q=0.5"), true),
        (Some("identity"), false),
        (Some("gzip;q=0, *"), false),
    ] {
        let asked: Vec<_> = asked
            .map(|coding| ("accept-encoding", coding))
            .into_iter()
            .collect();
        let reply = server.send("GET", path, &asked, None).await;
        assert_eq!(reply.status, 200, "{asked:?}");
        assert_eq!(reply.headers["vary"], "accept-encoding", "{asked:?}");
        let coding = reply.headers.get("content-encoding");
        assert_eq!(
            coding.is_some_and(|coding| coding == "gzip"),
            packed,
            "{asked:?}"
        );
        assert_eq!(reply.text.contains("SwaggerUIBundle"), !packed, "{asked:?}");
    }
}

#[tokio::test]
async fn the_program_prints_what_a_server_says() {
    let server = Server::start().await;
    let ran = run(None, &[], &["openapi"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.out.trim(),
        server.get("/openapi.json").await.text.trim()
    );
    let closed = run(None, &[("CANDOR_AUTH", "keys")], &["openapi", "--json"]);
    let closed: Value = serde_json::from_str(&closed.out).unwrap();
    assert_eq!(closed["security"], json!([{"bearer": []}]));
}
