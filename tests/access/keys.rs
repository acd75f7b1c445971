//! `candor token`, beside a running server.

use serde_json::{Value, json};

use super::{BOTH, SECRET, Server, ask, claims, create, sign};
use crate::support::server::run;

#[tokio::test]
async fn a_key_is_shown_once_listed_by_its_prefix_and_revoked_at_once() {
    let server = Server::start_with(BOTH).await;
    let arguments = [
        "token", "create", "--user", "ann", "--name", "laptop", "--days", "9",
    ];
    let made = server.run_beside(&[], &arguments);
    assert_eq!(made.code, Some(0), "{made:?}");
    let key = made.out.trim();
    assert!(!key.contains(char::is_whitespace), "only the key: {key}");
    assert!(made.err.contains("shown this once") && made.err.contains("CANDOR_AUTH=keys"));
    assert!(!made.err.contains(key));
    let prefix = key.split('_').nth(1).unwrap();

    let listed = server.run_beside(&[], &["token", "list"]);
    let line = listed.out.lines().nth(1).unwrap();
    let words: Vec<_> = line.split_whitespace().collect();
    assert_eq!(words[..4], [prefix, "good", "write", "ann"], "{line}");
    assert!(line.contains("never") && line.ends_with("laptop"), "{line}");
    assert!(!listed.out.contains(key));

    let tasks = ("GET", "/api/ann/tasks");
    assert_eq!(ask(&server, tasks, Some(key), None).await.status, 200);
    // The use is noted beside the answer.
    let mut used = Value::Null;
    for _ in 0..100 {
        let listed = server.run_beside(&[], &["token", "list", "--user", "ann", "--json"]);
        let listed: Value = serde_json::from_str(&listed.out).unwrap();
        assert_eq!(listed["keys"].as_array().unwrap().len(), 1);
        used = listed["keys"][0]["last_used_at"].clone();
        if used.is_string() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert!(used.is_string());
    let listed = server.run_beside(&[], &["token", "list", "--user", "bob", "--json"]);
    assert_eq!(listed.out.trim(), r#"{"keys":[]}"#);

    let revoked = server.run_beside(&[], &["token", "revoke", prefix]);
    assert_eq!(
        revoked.out.trim(),
        format!("Revoked the key {prefix} of ann.")
    );
    let reply = ask(&server, tasks, Some(key), None).await;
    assert_eq!(reply.problem(), "unauthorized");
    assert!(reply.text.contains("was revoked"), "{}", reply.text);
    let again = server.run_beside(&[], &["token", "revoke", prefix, "--json"]);
    let again: Value = serde_json::from_str(&again.out).unwrap();
    assert_eq!(
        (&again["state"], &again["changed"]),
        (&"revoked".into(), &false.into())
    );
    // Nobody else learns that it was one.
    let guess = format!("{}{}", &key[..key.len() - 4], "0000");
    let reply = ask(&server, tasks, Some(&guess), None).await;
    assert!(
        reply.text.contains("there is no such API key"),
        "{}",
        reply.text
    );
    assert!(!server.log().contains(key), "the log holds a key");
}

#[test]
fn who_begins_with_a_key_needs_no_database_and_is_told_what_is_missing() {
    let made = run(None, &[], &["token", "create", "--user", "me", "--json"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let made: Value = serde_json::from_str(&made.out).unwrap();
    assert!(made["key"].as_str().unwrap().starts_with("candor_"));
    assert_eq!(
        (&made["scope"], &made["user_id"]),
        (&"write".into(), &"me".into())
    );
    assert!(made["expires_at"].is_null());
    let check = |arguments: &[&str], expect: &str| {
        let ran = run(None, &[], &[&["token"], arguments].concat());
        assert_ne!(ran.code, Some(0), "{ran:?}");
        assert!(ran.err.contains(expect), "{ran:?}");
    };
    check(&["create"], "--user NAME");
    check(
        &["create", "--user", "me", "--scope", "admin"],
        "leave --user out",
    );
    check(&["create", "--user", "a/b"], "a user id has");
    check(&["list"], "there is no database");
    check(&["revoke"], "PREFIX");
}

#[tokio::test]
async fn a_key_that_nobody_knows_can_not_be_revoked() {
    let server = Server::start_with(BOTH).await;
    create(&server, &["--user", "ann"]);
    let ran = server.run_beside(&[], &["token", "revoke", "ffffffffff"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("there is no key of this prefix"),
        "{ran:?}"
    );
}

#[tokio::test]
async fn the_terminal_talks_to_a_server_that_asks_for_a_key() {
    let server = Server::start_with(BOTH).await;
    let key = create(&server, &["--user", "ann"]);
    let url = server.url("");
    let talk = |more: &[&str]| {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_candor"))
            .args(["chat", "--url", &url, "--user", "ann"])
            .args(more)
            .env_clear()
            .env("THE_KEY", &key)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut input, b"add milk\n").unwrap();
        drop(input);
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let said = talk(&["--api-key-env", "THE_KEY"]);
    assert!(said.contains("Added: milk"), "{said}");
    let said = talk(&[]);
    assert!(said.contains("Say who you are"), "{said}");
}

#[tokio::test]
async fn a_server_takes_only_what_it_was_told_to_take() {
    let keys = Server::start_with(&[("CANDOR_AUTH", "keys")]).await;
    let token = super::sign(&super::claims("ann"), super::SECRET);
    let reply = ask(&keys, ("GET", "/api/ann/tasks"), Some(&token), None).await;
    assert_eq!(reply.problem(), "unauthorized");
    let variables = [("CANDOR_AUTH", "jwt"), ("CANDOR_JWT_SECRET", super::SECRET)];
    let tokens = Server::start_with(&variables).await;
    let key = create(&tokens, &["--user", "ann"]);
    let reply = ask(&tokens, ("GET", "/api/ann/tasks"), Some(&key), None).await;
    assert_eq!(reply.problem(), "unauthorized");
    assert!(
        reply.text.contains("API keys are not taken here"),
        "{}",
        reply.text
    );
}

#[tokio::test]
async fn a_credential_is_told_whose_it_is() {
    let server = Server::start_with(BOTH).await;
    let ann = create(&server, &["--user", "ann"]);
    let admin = create(&server, &["--scope", "admin"]);
    let token = sign(&claims("bob"), SECRET);
    let caller = async |server: &Server, credential: Option<&str>| {
        let reply = ask(server, ("GET", "/about"), credential, None).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body["caller"].clone()
    };
    for (credential, user, scope) in [
        (&ann, Some("ann"), "write"),
        (&token, Some("bob"), "write"),
        (&admin, None, "admin"),
    ] {
        let expected = json!({"user": user, "scope": scope});
        assert_eq!(caller(&server, Some(credential)).await, expected);
    }
    for nobody in [None, Some("candor_nobodys"), Some("nonsense")] {
        assert_eq!(caller(&server, nobody).await, Value::Null);
    }
    // Where nobody has to prove anything, nothing is judged.
    let open = Server::start().await;
    assert_eq!(caller(&open, Some(&ann)).await, Value::Null);
}
