//! A page of another origin, in a real browser, that calls with credentials as the frontend of
//! somebody else does: the browser decides whether it gets to see an answer.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::TODAY;
use super::browser::Browser;
use super::support::server::Server;

/// Serves an empty page for as long as the test; gives its origin.
async fn serve_page() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.read(&mut [0; 4_096]).await;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close";
            let page = "<!doctype html><title>other</title>";
            let answer = format!("{head}\r\ncontent-length: {}\r\n\r\n{page}", page.len());
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    origin
}

/// Returns what the page's script gets to see of a request that it sends with its credentials.
async fn call(browser: &Browser, server: &Server, key: &str) -> Value {
    let url = json!(server.url("/api/ann/tasks"));
    let body = json!({"title": "milk", "due_date": "2026-12-01T00:00:00.000Z"});
    let sent = json!({
        "method": "POST",
        "credentials": "include",
        "headers": {"content-type": "application/json", "authorization": format!("Bearer {key}")},
        "body": body.to_string(),
    });
    let script = format!(
        "const reply = await fetch({url}, {sent});
         const body = await reply.json();
         return [reply.status, body.due_date ?? body.code, reply.headers.has('x-request-id')];"
    );
    browser.promise(&script).await
}

#[tokio::test]
async fn a_page_whose_origin_is_listed_calls_with_credentials_and_no_other_does() {
    let (ours, theirs) = (serve_page().await, serve_page().await);
    let start = async |origins: &str| {
        let variables = [
            TODAY,
            ("CANDOR_AUTH", "keys"),
            ("CANDOR_CORS_ORIGINS", origins),
        ];
        let server = Server::start_with(&variables).await;
        let key = server.run_beside(&[], &["token", "create", "--user", "ann"]);
        (server, key.out.trim().to_owned())
    };
    let (listed, key) = start(&ours).await;
    let (anybody, other_key) = start("*").await;
    let browser = Browser::start(&listed).await;
    let open = async |origin: &String| {
        let page = json!({"url": origin});
        browser.command("Page.navigate", page).await;
        let there = json!(origin);
        let script = format!("return location.origin === {there} && document.title === 'other'");
        browser.until(&script).await;
    };
    open(&ours).await;
    let seen = call(&browser, &listed, &key).await;
    assert_eq!(seen, json!([201, "2026-12-01", true]));
    // A refusal can be read, too.
    let seen = call(&browser, &listed, "nonsense").await;
    assert_eq!(seen, json!([401, "unauthorized", true]));
    // With * nobody's credentials are taken, so the browser shows nothing.
    let seen = call(&browser, &anybody, &other_key).await;
    assert_eq!(seen["fault"], "TypeError: Failed to fetch");
    open(&theirs).await;
    let seen = call(&browser, &listed, &key).await;
    assert_eq!(seen["fault"], "TypeError: Failed to fetch");
    let tasks = listed.run_beside(&[], &["export", "--user", "ann"]);
    assert_eq!(tasks.out.matches("\"milk\"").count(), 1, "{tasks:?}");
}
