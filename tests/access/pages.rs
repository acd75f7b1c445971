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
    assert_eq!((asked.status, allowed(&asked)), (200, Some(OURS)));
    let headers = &asked.headers["access-control-allow-headers"];
    assert_eq!(headers, "authorization,content-type,idempotency-key");
    // A page that asks for credentials gets them, since its origin is named.
    assert!(with_credentials(&asked));
    let vary = asked.headers["vary"].to_str().unwrap();
    assert!(vary.starts_with("Origin"), "{vary}");
    assert!(asked.headers.contains_key("x-request-id"));

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
    assert!(with_credentials(&added));
    let exposed = added.headers["access-control-expose-headers"]
        .to_str()
        .unwrap()
        .to_lowercase();
    for name in [
        "retry-after",
        "ratelimit",
        "idempotency-replayed",
        "server-timing",
        "x-request-id",
    ] {
        assert!(exposed.contains(name), "{exposed}");
    }
    let refused = send(&server, "GET", "/api/ann/tasks", &page).await;
    assert_eq!((refused.status, allowed(&refused)), (401, Some(OURS)));
    assert!(with_credentials(&refused));

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
    assert_eq!((asked.status, asked.problem()), (403, "foreign_origin"));
    assert!(asked.text.contains("CANDOR_CORS_ORIGINS"), "{}", asked.text);
    let headers = [&foreign[..], &json].concat();
    let refused = server.send("POST", "/api/ann/tasks", &headers, body).await;
    assert_eq!((refused.status, refused.problem()), (403, "foreign_origin"));
    assert_eq!(allowed(&refused), None);
    for reply in [&asked, &refused] {
        assert!(!with_credentials(reply));
    }
}

fn with_credentials(reply: &Reply) -> bool {
    let header = reply.headers.get("access-control-allow-credentials");
    header.is_some_and(|value| value == "true")
}

/// An origin may be spelt as it likes; a list is no pattern.
#[tokio::test]
async fn each_origin_of_the_list_may_call_and_no_other() {
    let list = format!("{OURS},https://Todo.example");
    let server = Server::start_with(&[("CANDOR_CORS_ORIGINS", &list)]).await;
    let check = async |origin: &str, expect: bool| {
        let read = send(&server, "GET", "/api/me/tasks", &[("origin", origin)]).await;
        let told = (read.status, allowed(&read), with_credentials(&read));
        assert_eq!(told, (200, expect.then_some(origin), expect), "{origin}");
    };
    check(OURS, true).await;
    check("https://todo.example", true).await;
    check("https://todo.example.evil", false).await;
    check("http://todo.example", false).await;
    check("null", false).await;
    check("*", false).await;
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
    assert!(!with_credentials(&read));
}
