//! The protocol's own conformance suite, against the real program.
//!
//! It runs everything that a revision requires. What a server with tools alone does not have stands
//! in `tests/clients/mcp-REVISION.yml`, check by check with its reason: a check that fails and is
//! not there fails the test, and so does one that is there and passes.

#![cfg(test)]
#![cfg(feature = "mcp")]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod server;
}

use std::path::Path;
use std::process::{Command, Output};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use support::clients;
use support::server::Server;

/// The newest revision, and the one before.
const NEWEST: &str = "2026-07-28";
const BEFORE: &str = "2025-11-25";

/// Runs the suite, or one scenario of it, against the server at `url`.
async fn suite(server: &Server, url: &str, more: &[&str]) -> Output {
    let package = clients::npm().join("node_modules/@modelcontextprotocol/conformance");
    let mut command = Command::new(clients::node());
    command
        .arg(package.join("dist/index.js"))
        .args(["server", "--url", url, "--output-dir", "results"])
        .args(more)
        .current_dir(server.directory());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn baseline(revision: &str) -> String {
    let name = format!("tests/clients/mcp-{revision}.yml");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    file.to_str().unwrap().to_owned()
}

async fn requirements(revision: &str, expected: &str) -> Output {
    let server = Server::start().await;
    let more = ["--requirements", revision, "--expected-failures", expected];
    suite(&server, &server.url("/mcp"), &more).await
}

fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}\n{}", text(&output.stdout), text(&output.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_revision_is_met() {
    let output = requirements(NEWEST, &baseline(NEWEST)).await;
    assert!(output.status.success(), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_revision_before_is_met() {
    let output = requirements(BEFORE, &baseline(BEFORE)).await;
    assert!(output.status.success(), "{}", said(&output));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_newly_passes_or_fails_is_noticed() {
    let kept = std::fs::read_to_string(baseline(NEWEST)).unwrap();
    let entry = "  - tools-call-simple-text:tools-call-simple-text\n";
    assert!(kept.contains(entry));
    let server = Server::start().await;
    let file = server.directory().join("baseline.yml");
    for (planted, scenario) in [
        (kept.replace(entry, ""), "tools-call-simple-text"),
        (format!("{kept}  - tools-list:tools-list\n"), "tools-list"),
    ] {
        std::fs::write(&file, planted).unwrap();
        let expected = ["--expected-failures", "baseline.yml"];
        let only = ["--scenario", scenario, "--spec-version", NEWEST];
        let more = [&expected[..], &only].concat();
        let output = suite(&server, &server.url("/mcp"), &more).await;
        assert!(!output.status.success(), "{}", said(&output));
    }
}

/// Stands between the suite and the server and bends one word of every answer.
async fn bending(server: &Server, from: &'static str, to: &'static str) -> String {
    assert_eq!(from.len(), to.len());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let target = server.url("").trim_start_matches("http://").to_owned();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let target = TcpStream::connect(&target).await.unwrap();
            let (mut ask, mut answer) = client.into_split();
            let (mut back, mut forth) = target.into_split();
            tokio::spawn(async move {
                // Either side may hang up.
                let _ = tokio::io::copy(&mut ask, &mut forth).await;
            });
            tokio::spawn(async move {
                let mut buffer = vec![0; 256 * 1024];
                while let Ok(count @ 1..) = back.read(&mut buffer).await {
                    let text = String::from_utf8_lossy(&buffer[..count]).replace(from, to);
                    if answer.write_all(text.as_bytes()).await.is_err() {
                        return;
                    }
                }
            });
        }
    });
    format!("http://{address}/mcp")
}

#[tokio::test(flavor = "multi_thread")]
async fn planted_faults_are_caught() {
    let server = Server::start().await;
    for (scenario, from, to) in [
        ("tools-list", "\"resultType\":", "\"resultTypo\":"),
        ("tools-list", "\"inputSchema\"", "\"inputShapes\""),
        ("caching", "\"ttlMs\":", "\"ttlMz\":"),
        (
            "server-stateless",
            "\"supportedVersions\"",
            "\"unknownedVersions\"",
        ),
        (
            "http-header-validation",
            "\"code\":-32020",
            "\"code\":-32029",
        ),
    ] {
        let whole = ["--scenario", scenario, "--spec-version", NEWEST];
        let expected = baseline(NEWEST);
        let more = [&whole[..], &["--expected-failures", &expected]].concat();
        let straight = suite(&server, &server.url("/mcp"), &more).await;
        assert!(straight.status.success(), "{scenario}: {}", said(&straight));
        let url = bending(&server, from, to).await;
        let bent = suite(&server, &url, &more).await;
        assert!(!bent.status.success(), "{scenario} {from}: {}", said(&bent));
    }
}
