//! Rules for which module may use which: the layers, and that no modules stand in a circle.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::source::{Source, line_of};

/// The modules of the crate, lowest first. One may use those below it, and its neighbours as
/// long as that makes no circle. Some are not there yet; one that is missing here is a fault.
const LAYERS: [&[&str]; 13] = [
    &["languages", "domain"],
    &["locales", "language"],
    &[
        "intent",
        "resolver",
        "temporal",
        "audit",
        "formats",
        "llm",
        "telemetry",
    ],
    &["store"],
    &["tools"],
    &["turn"],
    &["guard"],
    &["delegation", "reminders"],
    &["chat"],
    &["http", "mcp", "terminal", "eval"],
    &["config", "logging"],
    &["app"],
    &["lib", "main"],
];

/// Uses of a module of a higher layer, and modules without a layer.
pub fn upward(sources: &[Source]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut homeless = BTreeSet::new();
    for source in sources {
        let Some(user) = module(source) else { continue };
        let Some(layer) = layer(user) else {
            if homeless.insert(user) {
                complaints.push(format!("{user} is in no layer: see {}", file!()));
            }
            continue;
        };
        for (used, at) in uses(source) {
            if let Some(above) = self::layer(&used).filter(|above| *above > layer) {
                let line = line_of(&source.code, at);
                let path = &source.path;
                complaints.push(format!(
                    "{path}:{line}: {user} (layer {layer}) uses {used} (layer {above})"
                ));
            }
        }
    }
    complaints
}

/// Modules that use each other, directly or by way of others.
pub fn circles(sources: &[Source]) -> Vec<String> {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources {
        let Some(user) = module(source) else { continue };
        let used = uses(source).into_iter().map(|(used, _)| used);
        graph.entry(user.to_owned()).or_default().extend(used);
    }
    let mut complaints = Vec::new();
    let mut cleared = BTreeSet::new();
    for start in graph.keys() {
        follow(
            &graph,
            start,
            &mut Vec::new(),
            &mut cleared,
            &mut complaints,
        );
    }
    complaints
}

fn follow(
    graph: &BTreeMap<String, BTreeSet<String>>,
    here: &str,
    way: &mut Vec<String>,
    cleared: &mut BTreeSet<String>,
    complaints: &mut Vec<String>,
) {
    if let Some(since) = way.iter().position(|step| step == here) {
        complaints.push(format!("{} → {here}", way[since..].join(" → ")));
        return;
    }
    if cleared.contains(here) {
        return;
    }
    way.push(here.to_owned());
    for next in graph.get(here).into_iter().flatten() {
        follow(graph, next, way, cleared, complaints);
    }
    way.pop();
    cleared.insert(here.to_owned());
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

/// The module of the crate that a file belongs to: `guard` for `src/guard/prose/fact.rs`.
fn module(source: &Source) -> Option<&str> {
    let path = source.path.strip_prefix("src/")?.strip_suffix(".rs")?;
    path.split('/').next()
}

static PATHS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\b(?:crate|candor)::(?:(\w+)|(\{))").unwrap());
static SUPERS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b((?:super::)+)(\w+)").unwrap());

/// Other modules of the crate that a file names in its code, and where.
fn uses(source: &Source) -> Vec<(String, usize)> {
    let own = module(source).unwrap_or_default();
    let mut found = Vec::new();
    for path in PATHS.captures_iter(&source.code) {
        let at = path.get(0).map_or(0, |whole| whole.start());
        if let Some(name) = path.get(1) {
            found.push((name.as_str().to_owned(), at));
        } else if let Some(group) = path.get(2) {
            let names = first_names(&source.code[group.end()..]);
            found.extend(names.into_iter().map(|name| (name, at)));
        }
    }
    for path in SUPERS.captures_iter(&source.code) {
        // As many steps up as the file is deep lead to the root of the crate.
        if path[1].len() / "super::".len() >= depth(&source.path) {
            let at = path.get(0).map_or(0, |whole| whole.start());
            found.push((path[2].to_owned(), at));
        }
    }
    found.retain(|(name, _)| name != own && layer(name).is_some());
    found
}

/// Of `a::B, c::{D, e::F}, g}` the names `a`, `c`, `g`.
fn first_names(group: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut depth = 0_usize;
    let mut path = false;
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(String::new());
                path = false;
            }
            ':' => path = true,
            _ if depth == 0 && !path && !c.is_whitespace() => {
                if let Some(name) = names.last_mut() {
                    name.push(c);
                }
            }
            _ => {}
        }
    }
    names
}

/// How many modules a file lies below the root: 2 for `src/guard/judge.rs`.
fn depth(path: &str) -> usize {
    let parts = path.split('/').count() - 1;
    if path.ends_with("/mod.rs") {
        parts - 1
    } else {
        parts
    }
}
