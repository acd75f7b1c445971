//! Metadata for clients that were refused (RFC 9728): there where signed tokens are taken.

use serde_json::json;

use super::{BOTH, Server, ask};

const ROOT: &str = "/.well-known/oauth-protected-resource";

#[tokio::test]
async fn who_is_refused_is_told_whose_tokens_are_taken() {
    let issuer = [("CANDOR_JWT_ISSUER", "https://login.example")];
    let variables: Vec<_> = BOTH.iter().copied().chain(issuer).collect();
    let server = Server::start_with(&variables).await;
    let base = server.url("");
    for (route, metadata, resource) in [
        (("GET", "/api/ann/tasks"), ROOT.to_owned(), base.clone()),
        (("GET", "/v1/models"), ROOT.to_owned(), base.clone()),
        (
            ("POST", "/mcp"),
            format!("{ROOT}/mcp"),
            format!("{base}/mcp"),
        ),
    ] {
        for credential in [None, Some("nonsense")] {
            let refused = ask(&server, route, credential, None).await;
            assert_eq!(refused.status, 401, "{route:?}: {}", refused.text);
            let challenge = refused.headers["www-authenticate"].to_str().unwrap();
            let expect = format!("resource_metadata=\"{base}{metadata}\"");
            assert!(challenge.starts_with("Bearer realm="), "{challenge}");
            assert!(challenge.ends_with(&expect), "{challenge}");
        }
        // It is open to everybody.
        let told = server.get(&metadata).await;
        assert_eq!(told.status, 200, "{}", told.text);
        let expect = json!({
            "resource": resource,
            "resource_name": "candor",
            "authorization_servers": ["https://login.example"],
            "bearer_methods_supported": ["header"],
            "scopes_supported": ["candor:read", "candor:write"],
        });
        assert_eq!(told.body, expect);
    }
    // Behind a proxy it is where the proxy says.
    let proxied = [
        ("x-forwarded-proto", "https"),
        ("x-forwarded-host", "todo.example"),
    ];
    let told = server.send("GET", ROOT, &proxied, None).await;
    assert_eq!(
        told.body["resource"], "https://todo.example",
        "{}",
        told.text
    );
    // A host that would break out of the challenge is not repeated.
    let broken = [("x-forwarded-host", "a\", realm=\"b")];
    let refused = server.send("GET", "/api/ann/tasks", &broken, None).await;
    let challenge = refused.headers["www-authenticate"].to_str().unwrap();
    assert!(!challenge.contains("resource_metadata"), "{challenge}");
    assert_eq!(server.send("GET", ROOT, &broken, None).await.status, 400);
}

#[tokio::test]
async fn keys_alone_have_no_issuer_to_name() {
    let keys = [("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "off")];
    let server = Server::start_with(&keys).await;
    let refused = server.get("/api/ann/tasks").await;
    assert_eq!(
        refused.headers["www-authenticate"],
        "Bearer realm=\"candor\""
    );
    assert_eq!(server.get(ROOT).await.status, 404);
    let open = Server::start().await;
    assert_eq!(open.get(ROOT).await.status, 404);
}
