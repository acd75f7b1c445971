//! Opaque tokens (`CANDOR_AUTH=introspect`): the real program asks a server that gives them out.

use serde_json::{Value, json};

use super::endpoint::{Endpoint, Says};
use super::{Reply, Server, ask, create};
use crate::support::server::run;

const TASKS: (&str, &str) = ("GET", "/api/ann/tasks");
const SECRET: &str = "canary-secret";

/// Returns what tokens are worth, by their names.
fn worth(token: &str) -> String {
    let claims = match token {
        "canary-ann" | "canary-other" => json!({"active": true, "sub": "ann"}),
        "canary-looker" => json!({"active": true, "sub": "ann", "scope": "openid candor:read"}),
        "canary-old" => json!({"active": true, "sub": "ann", "exp": 1_000_000_000}),
        "canary-early" => json!({"active": true, "sub": "ann", "nbf": 9_000_000_000_u64}),
        "canary-nobody" => json!({"active": true}),
        _ => json!({"active": false}),
    };
    claims.to_string()
}

async fn start(endpoint: &Endpoint, auth: &str) -> Server {
    Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_AUTH", auth),
        ("CANDOR_INTROSPECT_URL", &endpoint.url),
        ("CANDOR_INTROSPECT_CLIENT", "candor"),
        ("CANDOR_INTROSPECT_SECRET", SECRET),
        ("RUST_LOG", "trace"),
    ])
    .await
}

async fn tasks(server: &Server, token: &str) -> Reply {
    ask(server, TASKS, Some(token), None).await
}

fn says_nothing_of_tokens(server: &Server) {
    let log = server.log();
    assert!(log.contains("answered"), "{log}");
    assert!(!log.contains("canary"), "a credential stands in the log");
}

#[tokio::test]
async fn a_token_is_whose_the_endpoint_says_it_is() {
    let endpoint = Endpoint::start(Says::Worth(worth)).await;
    let server = start(&endpoint, "introspect").await;
    for _ in 0..5 {
        let reply = tasks(&server, "canary-ann").await;
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    // It is asked once, with the token in a form and as a client that says who it is.
    let asked = endpoint.asked();
    assert_eq!(asked.len(), 1, "{asked:?}");
    let (head, body) = asked[0].split_once("\r\n\r\n").unwrap();
    let head = head.to_lowercase();
    assert!(head.starts_with("post /tokens http/1.1"), "{head}");
    let form = "content-type: application/x-www-form-urlencoded";
    assert!(head.contains(form), "{head}");
    // candor:canary-secret
    let basic = "authorization: basic y2fuzg9yomnhbmfyes1zzwnyzxq=";
    assert!(head.contains(basic), "{head}");
    assert_eq!(body, "token=canary-ann&token_type_hint=access_token");

    let bobs = ("GET", "/api/bob/tasks");
    let reply = ask(&server, bobs, Some("canary-ann"), None).await;
    assert_eq!((reply.status, reply.problem()), (403, "other_user"));
    let milk = json!({"title": "milk"});
    let add = ("POST", "/api/ann/tasks");
    let reply = ask(&server, add, Some("canary-ann"), Some(&milk)).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    assert_eq!(tasks(&server, "canary-looker").await.status, 200);
    let reply = ask(&server, add, Some("canary-looker"), Some(&milk)).await;
    assert_eq!((reply.status, reply.problem()), (403, "missing_scope"));

    for (token, why) in [
        ("canary-unknown", "it is not active"),
        ("canary-old", "it has expired"),
        ("canary-early", "it is not valid yet"),
        ("canary-nobody", "it has no sub"),
    ] {
        let reply = tasks(&server, token).await;
        assert_eq!((reply.status, reply.problem()), (401, "unauthorized"));
        assert!(reply.text.contains(why), "{token}: {}", reply.text);
        let challenge = reply.headers["www-authenticate"].to_str().unwrap();
        assert!(challenge.contains("invalid_token"), "{challenge}");
        assert!(!reply.text.contains("canary"), "{}", reply.text);
    }
    let reply = ask(&server, TASKS, None, None).await;
    assert_eq!(reply.status, 401);
    says_nothing_of_tokens(&server);
}

#[tokio::test]
async fn an_endpoint_that_fails_hangs_or_lies_lets_nobody_in_and_calls_nobody_a_liar() {
    let endpoint = Endpoint::start(Says::Worth(worth)).await;
    let server = start(&endpoint, "introspect").await;
    assert_eq!(tasks(&server, "canary-ann").await.status, 200);
    let good = worth("canary-ann");
    let this = |status, body: &str| Says::This(status, body.to_owned());
    let long = json!({"active": true, "sub": "ann", "more": "x".repeat(70_000)});
    for says in [
        this(500, "{}"),
        this(401, &good),
        this(302, &good),
        this(201, &good),
        this(200, "<html>"),
        this(200, ""),
        this(200, "{}"),
        this(200, "[true]"),
        this(200, r#"{"active":"true","sub":"ann"}"#),
        this(200, r#"{"active":true,"sub":7}"#),
        this(200, r#"{"active":true,"sub":"ann","exp":"never"}"#),
        this(200, &long.to_string()),
        Says::Nothing,
    ] {
        let shown = match &says {
            Says::This(status, body) => format!("{status} {}", body.get(..40).unwrap_or(body)),
            _ => "nothing".to_owned(),
        };
        endpoint.say(says);
        let reply = tasks(&server, "canary-other").await;
        let told = (reply.status, reply.problem());
        assert_eq!(told, (503, "login_unavailable"), "{shown}: {}", reply.text);
        assert!(reply.headers.contains_key("retry-after"), "{shown}");
        // What it said a moment ago still holds.
        assert_eq!(tasks(&server, "canary-ann").await.status, 200, "{shown}");
    }
    endpoint.say(Says::Worth(worth));
    assert_eq!(tasks(&server, "canary-other").await.status, 200);
    let log = server.log();
    assert!(
        log.contains("CANDOR_INTROSPECT_CLIENT"),
        "the operator is not told"
    );
    says_nothing_of_tokens(&server);
}

#[tokio::test]
async fn keys_are_taken_beside_it_and_never_sent_to_it() {
    let endpoint = Endpoint::start(Says::Worth(worth)).await;
    let server = start(&endpoint, "introspect,keys").await;
    let key = create(&server, &["--user", "ann"]);
    assert_eq!(tasks(&server, &key).await.status, 200);
    assert_eq!(tasks(&server, "candor_canary").await.status, 401);
    assert_eq!(endpoint.asked(), Vec::<String>::new());
    assert_eq!(tasks(&server, "canary-ann").await.status, 200);
    assert_eq!(endpoint.asked().len(), 1);
    let about = server.get("/about").await.body;
    assert_eq!(about["closed"], Value::Bool(true));
}

#[test]
fn what_is_missing_stops_the_start_with_one_line() {
    let auth = ("CANDOR_AUTH", "introspect");
    let url = ("CANDOR_INTROSPECT_URL", "https://id.example/introspect");
    let plain = ("CANDOR_INTROSPECT_URL", "http://id.example/?canary");
    let client = ("CANDOR_INTROSPECT_CLIENT", "candor");
    for (variables, begins) in [
        (vec![auth], "CANDOR_INTROSPECT_URL: is not set"),
        (vec![auth, url], "CANDOR_INTROSPECT_CLIENT: is not set"),
        (
            vec![auth, url, client],
            "CANDOR_INTROSPECT_SECRET: is not set",
        ),
        (vec![auth, plain], "CANDOR_INTROSPECT_URL: is not protected"),
    ] {
        let ran = run(None, &variables, &["serve"]);
        assert_ne!(ran.code, Some(0), "{ran:?}");
        let line = ran.err.lines().find(|line| line.contains(begins));
        assert!(
            line.is_some_and(|line| line.contains("; accepted: ")),
            "{ran:?}"
        );
        assert!(!ran.err.contains("canary"), "{ran:?}");
    }
}
