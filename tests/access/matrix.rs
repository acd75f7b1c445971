//! Every route × every kind of credential. The routes are those of `/openapi.json`, which a test
//! of the library holds against the router.

use std::collections::BTreeMap;

use jsonwebtoken::get_current_timestamp;
use serde_json::{Value, json};

use super::{AUDIENCE, Reply, SECRET, Server, ask, claims, create, sign, with_agents};

/// A route with a user in it, ready to be asked for.
struct Route {
    method: String,
    path: String,
    body: Option<Value>,
    /// True when it only looks.
    reads: bool,
}

/// Ids of what bob has.
struct Ids(BTreeMap<&'static str, String>);

impl Ids {
    async fn made(server: &Server, key: &str, title: &str) -> Self {
        let said = json!({"message": format!("add {title}")});
        let reply = ask(server, ("POST", "/api/bob/chat"), Some(key), Some(&said)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let action = &reply.body["action_metadata"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        // Another task, worked on by an agent whose run has ended.
        let titled = json!({"title": format!("{title}, by an agent")});
        let task = ask(server, ("POST", "/api/bob/tasks"), Some(key), Some(&titled)).await;
        let path = format!("/api/bob/tasks/{}/delegate", text(&task.body["id"]));
        let whom = json!({"assign_to": "new:researcher", "run_in_background": true});
        let run = ask(server, ("POST", &path), Some(key), Some(&whom)).await;
        assert_eq!(run.status, 202, "{}", run.text);
        let path = format!(
            "/api/bob/delegations/{}?wait_ms=60000",
            text(&run.body["run"])
        );
        let ended = ask(server, ("GET", &path), Some(key), None).await;
        assert!(ended.body["ended_at"].is_string(), "{}", ended.text);
        Self(BTreeMap::from([
            ("{handle}", text(&run.body["run"])),
            ("{agent}", text(&run.body["agent_id"])),
            ("{tool_call_id}", text(&reply.body["tool_calls"][0]["id"])),
            ("{task_id}", text(&action["task_id"])),
            ("{receipt_id}", text(&action["receipt_id"])),
            ("{turn_id}", text(&reply.body["turn_id"])),
            ("{conversation_id}", text(&reply.body["conversation_id"])),
            ("{chat}", text(&reply.body["conversation_id"])),
        ]))
    }

    /// The same, of things that are nobody's.
    fn unknown(&self) -> Self {
        let other = |(name, id): (&&'static str, &String)| {
            let other = match *name {
                "{handle}" => "run-999999".to_owned(),
                "{agent}" => "agent-zzzzzzzz".to_owned(),
                "{tool_call_id}" => "call_of_nobody".to_owned(),
                _ => format!("00000000{}", &id[8..]),
            };
            (*name, other)
        };
        Self(self.0.iter().map(other).collect())
    }

    fn put(&self, path: &str) -> String {
        let fill = |path: String, (name, id): (&&str, &String)| path.replace(*name, id);
        self.0.iter().fold(path.to_owned(), fill)
    }
}

/// Every route of a user, from the server's own description.
async fn routes(server: &Server) -> Vec<Route> {
    let described = server.get("/openapi.json").await;
    assert_eq!(described.status, 200);
    let mut routes = Vec::new();
    for (path, item) in described.body["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            if !path.contains("{user_id}") {
                continue;
            }
            let mut path = path.clone();
            if path.ends_with("/messages") {
                path.push_str("?conversation_id={conversation_id}");
            } else if path.ends_with("/consistency") {
                path.push_str("?from=1");
            } else if path.ends_with("/events") {
                path.push_str("?follow=false");
            }
            let body = match method.as_str() {
                "post" if path.ends_with("/chat") => Some(json!({"message": "add milk"})),
                "post" if path.ends_with("/chat/stream") => Some(json!({"id": "c", "messages": [
                    {"id": "m", "role": "user", "parts": [{"type": "text", "text": "add milk"}]},
                ]})),
                "post" if path.ends_with("/{user_id}") => Some(json!({"title": "milk"})),
                "post" if path.ends_with("/tasks") => Some(json!({"title": "milk"})),
                "post" if path.ends_with("/import") => Some(json!([{"title": "milk"}])),
                "post" if path.ends_with("/delegate") => Some(json!({})),
                "post" if path.ends_with("/answer") => Some(json!({"text": "Lisbon"})),
                "post" if path.ends_with("/cleanup") => Some(json!({"max_age_ms": 86_400_000})),
                "patch" => Some(json!({"priority": "high"})),
                _ => None,
            };
            routes.push(Route {
                method: method.to_uppercase(),
                path,
                body,
                reads: method == "get",
            });
        }
    }
    assert!(routes.len() >= 14, "{}", routes.len());
    routes
}

/// Claims of bob's that hold, with a change, signed.
fn with(change: &Value) -> String {
    let mut claims = claims("bob");
    for (name, value) in change.as_object().unwrap() {
        claims[name] = value.clone();
    }
    sign(&claims, SECRET)
}

/// Credentials that do not hold, made of bob's key and one that was revoked.
pub(super) fn bad(bob: &str, revoked: &str) -> Vec<(&'static str, Option<String>)> {
    let now = get_current_timestamp();
    let good = with(&json!({}));
    let (head, signature) = good.rsplit_once('.').unwrap();
    let (_, payload) = head.split_once('.').unwrap();
    let mut cut = bob.to_owned();
    cut.pop();
    let mut other_secret = bob.to_owned();
    let last = if bob.ends_with('0') { "1" } else { "0" };
    other_secret.replace_range(bob.len() - 1.., last);
    // {"alg":"none"} and {"alg":"HS512"}.
    let (none, hs512) = ("eyJhbGciOiJub25lIn0", "eyJhbGciOiJIUzUxMiJ9");
    vec![
        ("none", None),
        ("empty", Some(String::new())),
        ("garbage", Some("nonsense".to_owned())),
        ("a key that is cut", Some(cut)),
        ("a key with another secret", Some(other_secret)),
        ("a revoked key", Some(revoked.to_owned())),
        ("expired", Some(with(&json!({"exp": now - 60})))),
        ("not valid yet", Some(with(&json!({"nbf": now + 60})))),
        ("of another audience", Some(with(&json!({"aud": "shop"})))),
        (
            "of two other audiences",
            Some(with(&json!({"aud": ["shop", "bank"]}))),
        ),
        (
            "of no audience",
            Some(sign(&json!({"sub": "bob", "exp": now + 60}), SECRET)),
        ),
        (
            "nobody's",
            Some(sign(&json!({"aud": AUDIENCE, "exp": now + 60}), SECRET)),
        ),
        (
            "forever",
            Some(sign(&json!({"sub": "bob", "aud": AUDIENCE}), SECRET)),
        ),
        (
            "forged",
            Some(sign(&claims("bob"), &SECRET.replace('0', "1"))),
        ),
        ("unsigned", Some(format!("{none}.{payload}."))),
        (
            "unsigned with a signature",
            Some(format!("{none}.{payload}.{signature}")),
        ),
        (
            "of another algorithm",
            Some(format!("{hs512}.{payload}.{signature}")),
        ),
        ("without its signature", Some(format!("{head}."))),
    ]
}

/// An answer without what names the request.
fn bare(reply: &Reply) -> Value {
    let mut body = reply.body.clone();
    if let Some(body) = body.as_object_mut() {
        body.remove("request_id");
        body.remove("instance");
    }
    json!([reply.status, body])
}

#[tokio::test]
async fn every_route_refuses_every_credential_that_does_not_hold() {
    let server = Server::start_with(&with_agents()).await;
    let bob = create(&server, &["--user", "bob"]);
    let looker = create(&server, &["--user", "bob", "--scope", "read"]);
    let ann = create(&server, &["--user", "ann"]);
    let revoked = create(&server, &["--user", "bob"]);
    let ran = server.run_beside(&[], &["token", "revoke", &revoked]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let known = Ids::made(&server, &bob, "Read book").await;
    let before = state(&server, &bob).await;

    let bad = bad(&bob, &revoked);
    let routes = routes(&server).await;
    for route in &routes {
        let at = |user: &str, ids: &Ids| ids.put(&route.path.replace("{user_id}", user));
        let send = async |path: &str, credential: Option<&str>| {
            let target = (route.method.as_str(), path);
            ask(&server, target, credential, route.body.as_ref()).await
        };
        let (path, unknown) = (at("bob", &known), at("bob", &known.unknown()));
        let name = format!("{} {}", route.method, route.path);
        for (kind, credential) in &bad {
            let reply = send(&path, credential.as_deref()).await;
            assert_eq!(reply.status, 401, "{name}, {kind}: {}", reply.text);
            assert_eq!(reply.problem(), "unauthorized", "{name}, {kind}");
            let challenge = reply.headers["www-authenticate"].to_str().unwrap();
            assert!(
                challenge.starts_with("Bearer realm=\"candor\""),
                "{challenge}"
            );
            // Whether there is such an id, or such a user, makes no difference.
            let nothing = send(&unknown, credential.as_deref()).await;
            let nobody = send(&at("nobody", &known), credential.as_deref()).await;
            assert_eq!(bare(&reply), bare(&nothing), "{name}, {kind}");
            assert_eq!(bare(&reply), bare(&nobody), "{name}, {kind}");
        }
        for credential in [ann.clone(), sign(&claims("ann"), SECRET)] {
            let reply = send(&path, Some(&credential)).await;
            assert_eq!(reply.problem(), "other_user", "{name}: {}", reply.text);
            assert_eq!(reply.status, 403);
            let nothing = send(&unknown, Some(&credential)).await;
            let nobody = send(&at("nobody", &known), Some(&credential)).await;
            assert_eq!(bare(&reply), bare(&nothing), "{name}");
            assert_eq!(bare(&reply), bare(&nobody), "{name}");
        }
        // On one's own path a foreign id is like one that is nobody's.
        if known.0.keys().any(|id| route.path.contains(id)) {
            let foreign = send(&at("ann", &known), Some(&ann)).await;
            let nothing = send(&at("ann", &known.unknown()), Some(&ann)).await;
            // To remove what is not there is as good as done.
            let gone = route.method == "DELETE" && route.path.contains("{agent}");
            // A chat that is not there has nothing that runs.
            let idle = route.path.ends_with("{chat}/stream");
            let expected = match route.path.ends_with("{chat}/stop") {
                true => 200,
                false if gone || idle => 204,
                false => 404,
            };
            assert_eq!(foreign.status, expected, "{name}: {}", foreign.text);
            assert_eq!(bare(&foreign), bare(&nothing), "{name}");
        }
        let mut weak = vec![looker.clone()];
        weak.push(with(&json!({"scope": "openid candor:read"})));
        for credential in weak {
            if route.reads {
                let reply = send(&path, Some(&credential)).await;
                let idle = route.path.ends_with("{chat}/stream");
                let expected = if idle { 204 } else { 200 };
                assert_eq!(reply.status, expected, "{name}: {}", reply.text);
                continue;
            }
            let reply = send(&path, Some(&credential)).await;
            assert_eq!(reply.status, 403, "{name}: {}", reply.text);
            assert_eq!(reply.problem(), "missing_scope");
            let detail = reply.body["detail"].as_str().unwrap();
            assert!(detail.contains("the scope write"), "{detail}");
            let challenge = reply.headers["www-authenticate"].to_str().unwrap();
            assert!(challenge.contains("scope=\"write\""), "{challenge}");
            let nothing = send(&unknown, Some(&credential)).await;
            assert_eq!(bare(&reply), bare(&nothing), "{name}");
        }
    }
    assert_eq!(state(&server, &bob).await, before, "something got through");
}

/// All that bob has, as bob sees it.
async fn state(server: &Server, key: &str) -> Value {
    let read = async |path| ask(server, ("GET", path), Some(key), None).await.body;
    json!([
        read("/api/bob/tasks").await,
        read("/api/bob/chat/conversations").await,
        read("/api/bob/audit?limit=1000").await,
    ])
}

#[tokio::test]
async fn every_route_is_open_to_its_user_and_to_an_admin() {
    let server = Server::start_with(&with_agents()).await;
    let admin = create(&server, &["--scope", "admin", "--name", "operator"]);
    let key = create(&server, &["--user", "bob"]);
    let token = sign(&claims("bob"), SECRET);
    for credential in [key, token, admin] {
        let routes = routes(&server).await;
        for (number, route) in routes.iter().enumerate() {
            let title = format!("Book {number} of {}", &credential[credential.len() - 6..]);
            let ids = Ids::made(&server, &credential, &title).await;
            let path = ids.put(&route.path.replace("{user_id}", "bob"));
            let target = (route.method.as_str(), path.as_str());
            let reply = ask(&server, target, Some(&credential), route.body.as_ref()).await;
            let name = format!("{} {path}", route.method);
            // What has ended can neither be stopped nor judged; but it was looked at.
            let over = ["/cancel", "/accept", "/reject", "/answer"];
            if over.iter().any(|end| path.ends_with(end)) {
                assert_eq!(reply.problem(), "conflict", "{name}: {}", reply.text);
                continue;
            }
            assert!((200..300).contains(&reply.status), "{name}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn what_is_open_to_everybody_tells_nothing_of_anybody() {
    let server = Server::start_with(&with_agents()).await;
    let key = create(&server, &["--user", "bob"]);
    Ids::made(&server, &key, "Read book").await;
    let described = server.get("/openapi.json").await.body;
    let files = ["/page/{file}", "/docs", "/docs/{file}"].map(str::to_owned);
    let described = described["paths"].as_object().unwrap().keys();
    for path in described.chain(&files) {
        // Those under /v1 ask for a credential, and have a matrix of their own.
        if path.contains("{user_id}") || path.starts_with("/v1/") {
            continue;
        }
        let path = path
            .replace("{code}", "unauthorized")
            .replace("/docs/{file}", "/docs/index.html")
            .replace("{file}", "page.css");
        let reply = server.get(&path).await;
        assert!(
            matches!(reply.status, 200 | 308),
            "{path}: {}",
            reply.status
        );
        assert!(
            !reply.text.contains("Read book") && !reply.text.contains("bob"),
            "{path}"
        );
        // A credential that does not hold is no reason to refuse what is everybody's.
        let reply = ask(&server, ("GET", &path), Some("nonsense"), None).await;
        assert!(
            matches!(reply.status, 200 | 308),
            "{path}: {}",
            reply.status
        );
    }
}

#[tokio::test]
async fn no_spelling_of_a_path_leads_around_the_check() {
    let server = Server::start_with(&with_agents()).await;
    let bob = create(&server, &["--user", "bob"]);
    let ann = create(&server, &["--user", "ann"]);
    Ids::made(&server, &bob, "Read book").await;
    for path in [
        "/api/bob/tasks",
        "/%61pi/bob/tasks",
        "/api/%62ob/tasks",
        "/api/bob/%74asks",
        "/api/bob/tasks/",
        "//api/bob/tasks",
        "/api//bob/tasks",
        "/API/bob/tasks",
        "/api/bob/tasks?status=pending",
        "/api/bob;ann/tasks",
        "/healthz/../api/bob/tasks",
        "/docs/%2e%2e/api/bob/tasks",
        "/docs/../api/bob/tasks",
        "/api/ann%2F..%2Fbob/tasks",
    ] {
        for credential in [None, Some(ann.as_str())] {
            let reply = ask(&server, ("GET", path), credential, None).await;
            assert!(
                matches!(reply.status, 400..=404),
                "{path}: {} {}",
                reply.status,
                reply.text
            );
            assert!(!reply.text.contains("Read book"), "{path}");
        }
    }
    for path in ["/api/bob/tasks", "/api/%62ob/tasks"] {
        let reply = ask(&server, ("GET", path), Some(&bob), None).await;
        assert!(reply.text.contains("Read book"), "{path}: {}", reply.text);
    }
}
