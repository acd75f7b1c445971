//! The routes under /v1, which name no user, × every kind of credential.

use serde_json::{Value, json};

use super::matrix::bad;
use super::{BOTH, Reply, SECRET, Server, ask, claims, create, sign};

const ROUTES: [(&str, &str); 4] = [
    ("GET", "/v1/models"),
    ("GET", "/v1/models/candor"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/responses"),
];

fn say(text: &str, user: impl Into<Value>) -> Value {
    let user = user.into();
    let messages = json!([{"role": "user", "content": text}]);
    json!({"model": "candor", "messages": messages, "input": text, "user": user})
}

fn body((method, _): (&str, &str)) -> Option<Value> {
    (method == "POST").then(|| say("add milk", "bob"))
}

/// The error's type and code.
fn fault(reply: &Reply) -> (u16, &str, &str) {
    assert_eq!(reply.headers["content-type"], "application/json");
    let error = &reply.body["error"];
    let word = |name: &str| error[name].as_str().unwrap();
    (reply.status, word("type"), word("code"))
}

#[tokio::test]
async fn every_route_of_it_refuses_every_credential_that_does_not_hold() {
    let server = Server::start_with(BOTH).await;
    let described = server.get("/openapi.json").await.body;
    let paths = described["paths"].as_object().unwrap().keys();
    let there: Vec<_> = paths.filter(|path| path.starts_with("/v1/")).collect();
    assert_eq!(there.len(), ROUTES.len(), "{there:?}");
    let bob = create(&server, &["--user", "bob"]);
    let revoked = create(&server, &["--user", "bob"]);
    let ran = server.run_beside(&[], &["token", "revoke", &revoked]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for route in ROUTES {
        for (kind, credential) in bad(&bob, &revoked) {
            let reply = ask(&server, route, credential.as_deref(), body(route).as_ref()).await;
            let expect = (401, "authentication_error", "invalid_api_key");
            assert_eq!(fault(&reply), expect, "{route:?}, {kind}: {}", reply.text);
            let challenge = reply.headers["www-authenticate"].to_str().unwrap();
            assert!(
                challenge.starts_with("Bearer realm=\"candor\""),
                "{challenge}"
            );
        }
    }
    let looker = create(&server, &["--user", "bob", "--scope", "read"]);
    for (method, path) in ROUTES {
        let route = (method, path);
        let reply = ask(&server, route, Some(&looker), body(route).as_ref()).await;
        if method == "GET" {
            assert_eq!(reply.status, 200, "{path}: {}", reply.text);
            continue;
        }
        let expect = (403, "permission_error", "missing_scope");
        assert_eq!(fault(&reply), expect, "{}", reply.text);
        let challenge = reply.headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("scope=\"write\""), "{challenge}");
    }
    let tasks = ask(&server, ("GET", "/api/bob/tasks"), Some(&bob), None).await;
    assert_eq!(tasks.body, json!([]), "something got through");
}

#[tokio::test]
async fn who_speaks_is_whose_credential_it_is_whatever_the_body_says() {
    let server = Server::start_with(BOTH).await;
    let (key, token) = (
        create(&server, &["--user", "bob"]),
        sign(&claims("bob"), SECRET),
    );
    let (completions, responses) = (("POST", "/v1/chat/completions"), ("POST", "/v1/responses"));
    for (route, credential, title) in [
        (completions, &key, "Read book"),
        (responses, &token, "Call mom"),
    ] {
        let body = say(&format!("add {title}"), "ann");
        let reply = ask(&server, route, Some(credential), Some(&body)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let task = &reply.body["candor"]["action_metadata"]["task"];
        assert_eq!(task["user_id"], "bob", "{}", reply.text);
    }
    let route = completions;
    // Who acts for everybody says for whom.
    let admin = create(&server, &["--scope", "admin", "--name", "operator"]);
    for (user, expect) in [
        (json!(null), 400),
        (json!("no one"), 400),
        (json!("ann"), 200),
    ] {
        let body = say("add milk", user);
        let reply = ask(&server, route, Some(&admin), Some(&body)).await;
        assert_eq!(reply.status, expect, "{}", reply.text);
        if expect == 400 {
            let told = (400, "invalid_request_error", "bad_user_id");
            assert_eq!(fault(&reply), told);
            assert_eq!(reply.body["error"]["param"], "user");
        }
    }
    let tasks = async |user: &str| {
        let path = format!("/api/{user}/tasks");
        let reply = ask(&server, ("GET", &path), Some(&admin), None).await;
        reply.body.as_array().unwrap().len()
    };
    assert_eq!((tasks("bob").await, tasks("ann").await), (2, 1));
}

/// A proxy with an admin key says in a header of its own for whom it calls; nobody else can.
#[tokio::test]
async fn a_trusted_proxy_says_for_whom_in_the_header_that_is_named() {
    const HEADER: &str = "x-openwebui-user-id";
    let named = ("CANDOR_USER_HEADER", "X-OpenWebUI-User-Id");
    let server = Server::start_with(&[BOTH, &[named]].concat()).await;
    let admin = create(&server, &["--scope", "admin"]);
    let bob = create(&server, &["--user", "bob"]);
    let call = async |server: &Server, key: &str, users: &[&str], body: Value| {
        let bearer = format!("Bearer {key}");
        let mut headers = vec![
            ("authorization", bearer.as_str()),
            ("content-type", "application/json"),
        ];
        headers.extend(users.iter().map(|user| (HEADER, *user)));
        let body = Some(body.to_string());
        server
            .send("POST", "/v1/chat/completions", &headers, body)
            .await
    };
    let titles = async |server: &Server, key: &str, user: &str| {
        let path = format!("/api/{user}/tasks");
        let reply = ask(server, ("GET", &path), Some(key), None).await;
        let tasks = reply.body.as_array().unwrap().clone();
        let titles = tasks.into_iter().map(|task| task["title"].clone());
        titles.collect::<Vec<_>>()
    };
    let cat = "0f8fad5b-d9cb-469f-a165-70867728950e";
    let reply = call(&server, &admin, &[cat], say("add milk", Value::Null)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    // The body is of whoever uses the proxy: it names nobody else.
    let reply = call(&server, &admin, &[cat], say("add bread", "bob")).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(titles(&server, &admin, cat).await, ["bread", "milk"]);
    for users in [&[][..], &["a/b"], &[""], &[cat, "bob"]] {
        let reply = call(&server, &admin, users, say("add eggs", "bob")).await;
        assert_eq!(reply.status, 400, "{users:?}: {}", reply.text);
        let message = reply.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(HEADER), "{message}");
    }
    // A key of one user acts for that user, whatever a header says.
    let reply = call(&server, &bob, &[cat], say("add tea", Value::Null)).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(titles(&server, &admin, "bob").await, ["tea"]);
    assert_eq!(titles(&server, &admin, cat).await, ["bread", "milk"]);

    // It is off by default.
    let server = Server::start_with(BOTH).await;
    let admin = create(&server, &["--scope", "admin"]);
    let reply = call(&server, &admin, &[cat], say("add milk", "bob")).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(titles(&server, &admin, "bob").await, ["milk"]);
    assert_eq!(titles(&server, &admin, cat).await, Vec::<Value>::new());
    let reply = call(&server, &admin, &[cat], say("add eggs", Value::Null)).await;
    assert_eq!(reply.status, 400, "{}", reply.text);
}
