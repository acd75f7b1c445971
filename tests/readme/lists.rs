//! Lists of the documents that must be whole, compared with what they list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use candor::domain::Lang;
use regex::Regex;

use crate::documents;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn every_file_of_tests_stands_in_the_document_on_testing() {
    let document = documents::text("docs/TESTING.md");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".rs"))
        .collect();
    files.sort();
    let row = Regex::new(r"(?m)^\| `tests/(\w+\.rs)` \|").unwrap();
    let listed: Vec<_> = row
        .captures_iter(&document)
        .map(|row| row[1].to_owned())
        .collect();
    assert_eq!(listed, files);
    let named = Regex::new(r"--test ([a-z_]+)").unwrap();
    for (path, text) in documents::all() {
        for name in named.captures_iter(&text) {
            let manifest = read("Cargo.toml");
            let known = files.contains(&format!("{}.rs", &name[1]))
                || manifest.contains(&format!("name = \"{}", &name[1]));
            assert!(known, "{path}: --test {}", &name[1]);
        }
    }
}

/// The variables in the first column of a document's table, each with what its row says.
fn variables(text: &str) -> BTreeMap<String, String> {
    let row = Regex::new(r"(?m)^\| (`[A-Z][A-Z_]+`[^|]*) \| ([^|]*) \|").unwrap();
    let name = Regex::new("`([A-Z][A-Z_]+)`").unwrap();
    row.captures_iter(text)
        .flat_map(|row| {
            let default = row[2].to_owned();
            let names = name.captures_iter(&row[1]);
            let names: Vec<_> = names.map(|name| name[1].to_owned()).collect();
            names.into_iter().map(move |name| (name, default.clone()))
        })
        .collect()
}

#[test]
fn every_variable_stands_in_the_document_on_configuration() {
    let code = read("src/config/variables.rs");
    let (_, list) = code.split_once("pub const KNOWN: &[&str] = &[").unwrap();
    let (list, _) = list.split_once("];").unwrap();
    let known: BTreeSet<String> = Regex::new("\"([A-Z_]+)\"")
        .unwrap()
        .captures_iter(list)
        .map(|name| name[1].to_owned())
        .collect();
    assert!(known.len() > 20, "{known:?}");
    let all = variables(&documents::text("docs/CONFIGURATION.md"));
    let listed: BTreeSet<String> = all
        .keys()
        .filter(|name| !name.starts_with("OTEL_"))
        .cloned()
        .collect();
    assert_eq!(listed, known);
    let core = variables(&documents::text("README.md"));
    assert!(core.len() > 8, "{core:?}");
    for (name, default) in core {
        assert_eq!(all.get(&name), Some(&default), "{name} in README.md");
    }
}

#[test]
fn the_document_on_configuration_names_every_language_of_replies() {
    let text = documents::text("docs/CONFIGURATION.md");
    let row = text
        .lines()
        .find(|line| line.starts_with("| `CANDOR_REPLY_LANGUAGE`"));
    let codes: Vec<_> = Lang::ALL
        .iter()
        .map(|lang| format!("`{}`", lang.code()))
        .collect();
    let codes = codes.join(", ");
    assert!(row.unwrap().contains(&codes), "{codes} in {row:?}");
}

#[test]
fn the_readme_names_the_invariants_as_their_document_does() {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let document = documents::text("docs/INVARIANTS.md");
    let bold = Regex::new(r"(?ms)^\d+\. \*\*(.*?)\*\*").unwrap();
    let full: Vec<_> = bold
        .captures_iter(&document)
        .map(|row| plain(&row[1]))
        .collect();
    let readme = documents::text("README.md");
    let (_, section) = readme.split_once("\n## Invariants\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let item = Regex::new(r"(?m)^\d+\. ").unwrap();
    let short: Vec<_> = item.split(section).skip(1).map(plain).collect();
    assert_eq!(full.len(), 13);
    assert_eq!(short, full);
}
