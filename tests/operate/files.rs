//! The files of `scripts/operate/` against the program: every figure that a dashboard or an alert
//! reads is there, every figure stands in docs/OPERATING.md, and what a container copies exists.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use candor::telemetry::names::{ALL, FigureKind};
use regex::Regex;
use serde_json::Value;

use super::figures::used;
use super::page::Page;
use crate::support::server::Server;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Finds what reads a figure: its name, and the labels it names.
fn figures_of(expression: &str) -> Vec<(String, BTreeSet<String>)> {
    let names = Regex::new(r"\b((?:candor|process)_[a-z_]+)(?:\{([^}]*)\})?").unwrap();
    let labels = Regex::new(r#"(\w+)\s*(?:=|!=|=~|!~)\s*""#).unwrap();
    let found = names.captures_iter(expression).map(|found| {
        let inside = found.get(2).map_or("", |inside| inside.as_str());
        let labels = labels
            .captures_iter(inside)
            .map(|label| label[1].to_owned());
        (found[1].to_owned(), labels.collect())
    });
    found.collect()
}

fn check(expression: &str, page: &Page, used: &mut BTreeSet<String>) {
    let known = page.names();
    let figures = figures_of(expression);
    assert!(!figures.is_empty(), "{expression} reads nothing");
    let grouped = Regex::new(r"by \(([^)]*)\)").unwrap();
    let grouped: BTreeSet<String> = grouped
        .captures_iter(expression)
        .flat_map(|found| {
            found[1]
                .split(',')
                .map(|it| it.trim().to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    for (name, labels) in figures {
        let has = known.get(name.as_str());
        let has = has.unwrap_or_else(|| panic!("{name} is not served: {expression}"));
        for label in labels.iter().chain(&grouped) {
            // Who was asked is added by Prometheus.
            let known = label == "instance" || has.contains(label.as_str());
            assert!(known, "{name} has no {label}: {expression}");
        }
        let base = name.trim_end_matches("_bucket");
        used.insert(base.to_owned());
    }
}

#[tokio::test]
async fn every_figure_that_is_read_is_served_and_every_one_is_shown() {
    let (_model, server) = used().await;
    let page = Page::of(&server).await;
    let dashboard: Value = serde_json::from_str(&read("scripts/operate/dashboard.json")).unwrap();
    let mut shown = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(ids.insert(panel["id"].as_u64().unwrap()), "{panel}");
        for target in panel["targets"].as_array().unwrap() {
            check(target["expr"].as_str().unwrap(), &page, &mut shown);
        }
    }
    for name in ALL {
        assert!(shown.contains(name.name), "{} is on no panel", name.name);
    }
    let alerts: Value = serde_saphyr::from_str(&read("scripts/operate/alerts.yaml")).unwrap();
    let mut watched = BTreeSet::new();
    let mut named = BTreeSet::new();
    for group in alerts["groups"].as_array().unwrap() {
        for rule in group["rules"].as_array().unwrap() {
            assert!(named.insert(rule["alert"].as_str().unwrap()), "{rule}");
            check(rule["expr"].as_str().unwrap(), &page, &mut watched);
            assert!(matches!(
                rule["labels"]["severity"].as_str(),
                Some("page" | "ticket")
            ));
            assert!(rule["annotations"]["summary"].is_string(), "{rule}");
            assert!(rule["annotations"]["description"].is_string(), "{rule}");
        }
    }
    assert!(named.len() >= 6, "{named:?}");
}

#[test]
fn the_documents_alert_is_one_of_the_alerts() {
    let document = read("docs/OPERATING.md");
    let (_, after) = document.split_once("<!-- alert -->\n```yaml\n").unwrap();
    let (shown, _) = after.split_once("```").unwrap();
    let shown: Value = serde_saphyr::from_str(shown).unwrap();
    let alerts: Value = serde_saphyr::from_str(&read("scripts/operate/alerts.yaml")).unwrap();
    let rules = alerts["groups"][0]["rules"].as_array().unwrap();
    for alert in shown.as_array().unwrap() {
        assert!(rules.contains(alert), "{alert}");
    }
}

#[test]
fn a_figure_that_is_not_served_is_noticed() {
    let figures = figures_of(
        "sum by (kind) (rate(candor_turns_total{kind=~\"a|b\"}[5m])) / process_open_fds",
    );
    let kind = BTreeSet::from(["kind".to_owned()]);
    let expect = [
        ("candor_turns_total".to_owned(), kind),
        ("process_open_fds".to_owned(), BTreeSet::new()),
    ];
    assert_eq!(figures, expect);
}

#[test]
fn every_figure_stands_in_the_document() {
    let document = read("docs/OPERATING.md");
    let row = Regex::new(r"(?m)^\| `((?:candor|process)_\w+)` \| ([^|]*) \|").unwrap();
    let rows: Vec<(String, String)> = row
        .captures_iter(&document)
        .map(|row| (row[1].to_owned(), row[2].replace('`', "").trim().to_owned()))
        .collect();
    let named = ALL.iter().map(|name| {
        let kind = match name.kind {
            FigureKind::Counter => "counter",
            FigureKind::Gauge => "gauge",
            FigureKind::Histogram => "histogram",
        };
        let by = match name.labels {
            [] => kind.to_owned(),
            labels => format!("{kind} by {}", labels.join(", ")),
        };
        (name.name.to_owned(), by)
    });
    assert_eq!(rows, named.collect::<Vec<_>>());
}

/// The instructions of a Dockerfile, lines that go on put together.
fn instructions(text: &str) -> Vec<(String, String)> {
    let text = text.replace("\\\n", " ");
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .map(|line| {
            let (word, rest) = line.split_once(' ').expect(line);
            (word.to_owned(), rest.trim().to_owned())
        })
        .collect()
}

#[test]
fn a_container_is_built_from_what_is_there_and_runs_as_nobody() {
    let instructions = instructions(&read("scripts/operate/Dockerfile"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let ignored = read(".dockerignore");
    let mut copied = Vec::new();
    for (word, rest) in &instructions {
        if word == "FROM" {
            let image = rest.split(' ').next().unwrap();
            assert!(image.contains(':') && !image.ends_with(":latest"), "{rest}");
            assert!(!image.contains('/'), "a host: {rest}");
        }
        if word != "COPY" || rest.starts_with("--from") {
            continue;
        }
        let (sources, _) = rest.rsplit_once(' ').unwrap();
        for source in sources.split(' ') {
            assert!(root.join(source).exists(), "{source} is not there");
            assert!(
                ignored.lines().any(|line| line == format!("!{source}")),
                "{source} is ignored"
            );
            copied.push(source);
        }
    }
    // What the manifest names, cargo wants to see.
    let manifest = read("Cargo.toml");
    let manifest: toml::Value = toml::from_str(&manifest).unwrap();
    for kind in ["bench", "test"] {
        for target in manifest[kind].as_array().unwrap() {
            let name = target["name"].as_str().unwrap();
            let path = target.get("path").and_then(toml::Value::as_str);
            let path = path.map_or_else(|| format!("benches/{name}.rs"), str::to_owned);
            assert!(copied.iter().any(|it| path.starts_with(it)), "{path}");
        }
    }
    for folder in ["src", "migrations", "prompts"] {
        assert!(copied.contains(&folder), "{folder}");
    }
    let last = |word: &str| {
        let mut found = instructions.iter().rev().filter(|(it, _)| it == word);
        found
            .next()
            .unwrap_or_else(|| panic!("no {word}"))
            .1
            .as_str()
    };
    assert_ne!(last("USER"), "root");
    let user: u32 = last("USER").parse().unwrap();
    assert!(user >= 1000);
    assert_eq!(last("ENTRYPOINT"), r#"["candor"]"#);
    assert!(last("ENV").contains("CANDOR_AUTH=keys"));
    let run = instructions
        .iter()
        .any(|(it, rest)| it == "RUN" && rest.contains("cargo build --locked --release"));
    assert!(run);
    let version = manifest["package"]["rust-version"].as_str().unwrap();
    let image = &instructions[0].1;
    let has = image.trim_start_matches("rust:").split('-').next().unwrap();
    let number = |text: &str| text.split('.').nth(1).unwrap().parse::<u32>().unwrap();
    assert!(number(has) >= number(version), "{image} for {version}");
}

#[tokio::test]
async fn a_containers_health_is_that_of_the_server() {
    let server = Server::start_with(&[("CANDOR_AUTH", "keys")]).await;
    let dockerfile = read("scripts/operate/Dockerfile");
    let instructions = instructions(&dockerfile);
    let check = instructions.iter().find(|(word, _)| word == "HEALTHCHECK");
    let (_, command) = check.unwrap().1.split_once("CMD ").unwrap();
    let command: Vec<String> = serde_json::from_str(command).unwrap();
    let port = server.url("").rsplit(':').next().unwrap().to_owned();
    let run = |port: &str| {
        let arguments = command[1..]
            .iter()
            .map(|it| it.replace("/8080", &format!("/{port}")));
        let run = Command::new(&command[0]).args(arguments).output().unwrap();
        run.status.success()
    };
    assert!(run(&port));
    assert!(!run("9"));
}

#[test]
fn a_unit_starts_what_is_there_and_waits_for_turns_to_end() {
    let unit = read("scripts/operate/candor.service");
    let mut sections = Vec::new();
    let mut settings = Vec::new();
    for line in unit
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        match line.split_once('=') {
            Some((name, value)) => settings.push((name, value)),
            None => sections.push(line),
        }
    }
    assert_eq!(sections, ["[Unit]", "[Service]", "[Install]"]);
    let value = |name: &str| {
        let found = settings.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("no {name}")).1
    };
    assert!(value("ExecStart").ends_with("/candor serve"));
    // A server is gone after 27 s at the latest.
    assert!(value("TimeoutStopSec").parse::<u32>().unwrap() > 27);
    assert_eq!(value("KillSignal"), "SIGTERM");
    let hardened = [
        "DynamicUser",
        "NoNewPrivileges",
        "ProtectHome",
        "PrivateTmp",
        "PrivateDevices",
        "ProtectKernelModules",
        "RestrictNamespaces",
        "MemoryDenyWriteExecute",
    ];
    for name in hardened {
        assert_eq!(value(name), "yes", "{name}");
    }
    assert_eq!(value("ProtectSystem"), "strict");
    assert_eq!(value("CapabilityBoundingSet"), "");
}
