//! Pages of other origins.

use super::{Reply, Server, create};

const OURS: &str = "http://localhost:3000";

async fn send(server: &Server, method: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    server.send(method, path, headers, None).await
}

fn allowed(reply: &Reply) -> Option<&str> {
    let header = reply.headers.get("access-control-allow-origin")?;
    Some(header.to_str().unwrap())
}

#[tokio::test]
async fn a_page_that_may_call_is_asked_for_and_can_read_even_refusals() {
    let variables = [("CANDOR_AUTH", "keys"), ("CANDOR_CORS_ORIGINS", OURS)];
    let server = Server::start_with(&variables).await;
    let key = create(&server, &["--user", "ann"]);
    let bearer = format!("Bearer {key}");
    let asks = [
        ("origin", OURS),
        ("access-control-request-method", "POST"),
        (
            "access-control-request-headers",
            "authorization,content-type,idempotency-key",
        ),
    ];
    // The browser asks before it sends, and without the credential.
    let asked = send(&server, "OPTIONS", "/api/ann/tasks", &asks).await;
    assert_eq!((asked.status, allowed(&asked)), (204, Some(OURS)));
    let headers = &asked.headers["access-control-allow-headers"];
    assert_eq!(headers, "authorization,content-type,idempotency-key");
    assert!(
        !asked
            .headers
            .contains_key("access-control-allow-credentials")
    );
    assert_eq!(asked.headers["vary"], "Origin");

    let page = [("origin", OURS), ("sec-fetch-site", "cross-site")];
    let json = [
        ("content-type", "application/json"),
        ("authorization", &bearer),
    ];
    let body = Some(r#"{"title":"milk"}"#.to_owned());
    let headers = [&page[..], &json].concat();
    let added = server
        .send("POST", "/api/ann/tasks", &headers, body.clone())
        .await;
    assert_eq!(
        (added.status, allowed(&added)),
        (201, Some(OURS)),
        "{}",
        added.text
    );
    let exposed = added.headers["access-control-expose-headers"]
        .to_str()
        .unwrap();
    for name in [
        "Retry-After",
        "RateLimit",
        "Idempotency-Replayed",
        "Server-Timing",
        "X-Request-Id",
    ] {
        assert!(exposed.contains(name), "{exposed}");
    }
    let refused = send(&server, "GET", "/api/ann/tasks", &page).await;
    assert_eq!((refused.status, allowed(&refused)), (401, Some(OURS)));

    let foreign = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let asked = send(
        &server,
        "OPTIONS",
        "/api/ann/tasks",
        &[&foreign[..], &asks[1..]].concat(),
    )
    .await;
    assert_eq!(allowed(&asked), None);
    assert!(asked.status >= 400, "{}", asked.status);
    let headers = [&foreign[..], &json].concat();
    let refused = server.send("POST", "/api/ann/tasks", &headers, body).await;
    assert_eq!((refused.status, refused.problem()), (403, "foreign_origin"));
    assert_eq!(allowed(&refused), None);
}

#[tokio::test]
async fn by_default_no_other_page_can_call() {
    let server = Server::start_with(&[]).await;
    let asks = [("origin", OURS), ("access-control-request-method", "POST")];
    let asked = send(&server, "OPTIONS", "/api/ann/tasks", &asks).await;
    assert_eq!((asked.status, allowed(&asked)), (405, None));
    let read = send(&server, "GET", "/api/ann/tasks", &asks[..1]).await;
    assert_eq!((read.status, allowed(&read)), (200, None));
    assert!(!read.headers.contains_key("vary"));
}

#[tokio::test]
async fn any_page_can_call_when_that_is_asked_for() {
    let server = Server::start_with(&[("CANDOR_CORS_ORIGINS", "*")]).await;
    assert!(
        server
            .log()
            .contains("every page that is open in a browser"),
        "{}",
        server.log()
    );
    let read = send(
        &server,
        "GET",
        "/api/ann/tasks",
        &[("origin", "https://any.example")],
    )
    .await;
    assert_eq!((read.status, allowed(&read)), (200, Some("*")));
}
