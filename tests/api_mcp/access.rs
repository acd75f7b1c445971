//! Tests of who may call, and for whom.

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::support::server::{Reply, Server};
use crate::wire::{Session, Stateless, asks, done, failed, text};

const KEYS: &[(&str, &str)] = &[
    ("CANDOR_TODAY", "2026-02-08"),
    ("CANDOR_AUTH", "keys"),
    ("CANDOR_RATE_LIMIT", "off"),
];

fn key(server: &Server, arguments: &[&str]) -> String {
    let ran = server.run_beside(&[], &[&["token", "create"], arguments].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out.trim().to_owned()
}

async fn list(client: &Stateless<'_>) -> Reply {
    let params = json!({"name": "list_tasks", "arguments": {}});
    client
        .send(&client.message("tools/call", params), &[])
        .await
}

#[tokio::test]
async fn only_who_has_a_credential_gets_in_and_only_to_their_own() {
    let server = Server::start_with(KEYS).await;
    let ann = key(&server, &["--user", "ann"]);
    let bob = key(&server, &["--user", "bob"]);
    let admin = key(&server, &["--scope", "admin"]);
    let revoked = key(&server, &["--user", "ann"]);
    server.run_beside(&[], &["token", "revoke", &revoked]);
    let at = |path: &str, credential: Option<&str>| Stateless {
        server: &server,
        path: path.to_owned(),
        credential: credential.map(str::to_owned),
        can: asks(),
    };
    done(
        &at("/mcp", Some(&ann))
            .call("add_task", json!({"title": "Anns"}))
            .await,
    );
    done(
        &at("/mcp", Some(&bob))
            .call("add_task", json!({"title": "Bobs"}))
            .await,
    );
    for (path, credential, status, code) in [
        ("/mcp", None, 401, "unauthorized"),
        ("/mcp", Some("nonsense"), 401, "unauthorized"),
        ("/mcp", Some(revoked.as_str()), 401, "unauthorized"),
        ("/mcp?user=ann", Some(&bob), 403, "other_user"),
        ("/mcp?user=a%2Fb", Some(&bob), 400, "bad_query"),
        ("/mcp?whose=bob", Some(&bob), 400, "bad_query"),
        ("/mcp", Some(&admin), 400, "bad_query"),
        // No spelling leads around.
        ("/mcp/", None, 401, "unauthorized"),
        ("/mcp//", None, 401, "unauthorized"),
        ("/mcp/x", None, 401, "unauthorized"),
        ("/%6dcp", None, 401, "unauthorized"),
    ] {
        let reply = list(&at(path, credential)).await;
        assert_eq!(
            reply.status, status,
            "{path} {credential:?}: {}",
            reply.text
        );
        assert_eq!(reply.problem(), code, "{path}");
        if status == 401 {
            assert!(
                reply.headers["www-authenticate"]
                    .to_str()
                    .unwrap()
                    .starts_with("Bearer")
            );
        }
    }
    for (path, credential, title) in [
        ("/mcp", &ann, "Anns"),
        ("/mcp?user=ann", &ann, "Anns"),
        ("/mcp", &bob, "Bobs"),
        ("/mcp?user=bob", &admin, "Bobs"),
    ] {
        let reply = list(&at(path, Some(credential))).await;
        let data = &reply.body["result"]["structuredContent"];
        assert_eq!(data["tasks"][0]["title"], title, "{path}: {}", reply.text);
        assert_eq!(data["total"], 1);
    }
    // What is another's looks like what is not there.
    let bobs = list(&at("/mcp", Some(&bob))).await;
    let id = bobs.body["result"]["structuredContent"]["tasks"][0]["id"].clone();
    let foreign = at("/mcp", Some(&ann))
        .call("complete_task", json!({"task": id}))
        .await;
    let nobodys = "00000000-0000-7000-8000-000000000000";
    let unknown = at("/mcp", Some(&ann))
        .call("complete_task", json!({"task": nobodys}))
        .await;
    assert_eq!(failed(&foreign), "not_found");
    assert_eq!(text(&foreign), text(&unknown));
}

#[tokio::test]
async fn a_key_that_may_only_read_lists_and_nothing_else() {
    let server = Server::start_with(KEYS).await;
    let writer = key(&server, &["--user", "ann"]);
    let reader = key(&server, &["--user", "ann", "--scope", "read"]);
    let write = Stateless::of(&server).with(&writer);
    write.call("add_task", json!({"title": "Read book"})).await;
    let read = Stateless::of(&server).with(&reader);
    assert!(done(&read.call("list_tasks", json!({})).await).contains("Read book"));
    for (tool, arguments) in [
        ("add_task", json!({"title": "x"})),
        (
            "update_task",
            json!({"task": "read book", "priority": "low"}),
        ),
        ("complete_task", json!({"task": "read book"})),
        ("delete_task", json!({"task": "read book"})),
        ("undo", json!({})),
    ] {
        let result = read.call(tool, arguments).await;
        assert_eq!(failed(&result), "permission", "{tool}");
        assert!(text(&result).contains("needs the scope write; your credential has read"));
    }
    // Nor does it answer for the one that may write.
    let params = json!({"name": "delete_task", "arguments": {"task": "read book"}});
    let asked = write.request("tools/call", params).await;
    let yes = json!({"action": "accept", "content": {"confirm": true}});
    let state = &asked["requestState"];
    let result = read.answer(json!({"task": "read book"}), state, yes).await;
    assert_eq!(failed(&result), "permission");
    assert!(done(&read.call("list_tasks", json!({})).await).contains("Read book"));
}

#[tokio::test]
async fn a_session_is_its_openers() {
    let server = Server::start_with(KEYS).await;
    let ann = key(&server, &["--user", "ann"]);
    let reader = key(&server, &["--user", "ann", "--scope", "read"]);
    let bob = key(&server, &["--user", "bob"]);
    let session = Session::open_as(&server, "/mcp", Some(&ann), asks()).await;
    session
        .call("add_task", json!({"title": "Read book"}))
        .await;
    let mut call = session
        .begin("delete_task", json!({"task": "read book"}))
        .await;
    let question = call.next().await.unwrap();
    let client = Client::builder().no_proxy().build().unwrap();
    let yes = json!({"jsonrpc": "2.0", "id": question["id"],
        "result": {"action": "accept", "content": {"confirm": true}}});
    for credential in [&bob, &reader] {
        // Neither answers, nor listens, nor closes.
        for (method, body) in [
            (Method::POST, Some(yes.to_string())),
            (Method::GET, None),
            (Method::DELETE, None),
        ] {
            let mut request = client
                .request(method.clone(), server.url("/mcp"))
                .bearer_auth(credential)
                .header("accept", "application/json, text/event-stream")
                .header("content-type", "application/json")
                .header("mcp-session-id", &session.id);
            if let Some(body) = body {
                request = request.body(body);
            }
            let response = request.send().await.unwrap();
            assert_eq!(response.status(), 404, "{method}");
        }
    }
    let anns = Stateless::of(&server).with(&ann);
    let listed = anns.call("list_tasks", json!({})).await;
    assert!(done(&listed).contains("Read book"));
    assert_eq!(session.reply(&question, &yes["result"]).await, 202);
    assert_eq!(
        done(&call.next().await.unwrap()["result"]),
        "Deleted: Read book"
    );
}

#[tokio::test]
async fn pages_and_names_of_elsewhere_are_kept_out() {
    let origins = [
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_CORS_ORIGINS", "https://todo.example"),
    ];
    let server = Server::start_with(&origins).await;
    let client = Stateless::of(&server);
    let message = client.message("tools/list", json!({}));
    let check = async |more: &[(&str, &str)], status: u16, code: &str| {
        let reply = client.send(&message, more).await;
        assert_eq!(reply.status, status, "{more:?}: {}", reply.text);
        if status != 200 {
            assert_eq!(reply.problem(), code);
        }
    };
    check(&[], 200, "").await;
    check(&[("origin", "https://todo.example")], 200, "").await;
    check(&[("origin", "https://evil.example")], 403, "foreign_origin").await;
    check(&[("origin", "null")], 403, "foreign_origin").await;
    check(&[("sec-fetch-site", "cross-site")], 403, "foreign_origin").await;
    check(&[("host", "rebound.example")], 403, "foreign_host").await;
    check(&[("host", "rebound.example:8080")], 403, "foreign_host").await;
    // A page that only looks would open a stream.
    for method in ["GET", "DELETE"] {
        let headers = [
            ("origin", "https://evil.example"),
            ("accept", "text/event-stream"),
        ];
        let reply = server.send(method, "/mcp", &headers, None).await;
        assert_eq!(
            (reply.status, reply.problem()),
            (403, "foreign_origin"),
            "{method}"
        );
    }
}

#[tokio::test]
async fn too_many_calls_are_told_so() {
    let limited: Vec<_> = KEYS
        .iter()
        .map(|(name, value)| match *name {
            "CANDOR_RATE_LIMIT" => (*name, "3/h"),
            name => (name, *value),
        })
        .collect();
    let server = Server::start_with(&limited).await;
    let ann = key(&server, &["--user", "ann"]);
    let bob = key(&server, &["--user", "bob"]);
    let client = Stateless::of(&server).with(&ann);
    for _ in 0..3 {
        done(&client.call("list_tasks", json!({})).await);
    }
    let result = client.call("add_task", json!({"title": "x"})).await;
    assert_eq!(failed(&result), "limit");
    assert!(
        text(&result).contains("At most 3 turns an hour"),
        "{result}"
    );
    // Neither what is no call, nor another user's.
    client
        .request("tools/list", Value::Object(Default::default()))
        .await;
    done(
        &Stateless::of(&server)
            .with(&bob)
            .call("list_tasks", json!({}))
            .await,
    );
}
