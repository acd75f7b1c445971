//! The documents as text: their fenced blocks, their headings, and the links between them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use regex::Regex;

/// The most lines that README.md may have.
const README_LINES_MAX: usize = 250;

/// A fenced block's document, the heading above it, its language, and which of that language it is
/// under that heading, counted from 0.
pub type Place = (&'static str, &'static str, &'static str, usize);

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub document: String,
    pub heading: String,
    pub language: String,
    pub nth: usize,
    pub text: String,
}

impl Block {
    pub fn is_at(&self, place: &Place) -> bool {
        let (document, heading, language, nth) = *place;
        let names = (&*self.document, &*self.heading, &*self.language);
        names == (document, heading, language) && self.nth == nth
    }

    /// The place in words, for messages.
    pub fn place(&self) -> String {
        let Self {
            document,
            heading,
            language,
            nth,
            ..
        } = self;
        format!("{document}, {heading:?}, {language} {nth}")
    }
}

/// Every document by its path in the project.
pub fn all() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<String> = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        .map(str::to_owned)
        .to_vec();
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.ends_with(".md"), "docs/{name} is no document");
        paths.push(format!("docs/{name}"));
    }
    let read = |path: String| {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// One document's text.
pub fn text(path: &str) -> String {
    let mut documents = all();
    let found = documents.remove(path);
    found.unwrap_or_else(|| panic!("no document {path}"))
}

/// The block at a place of the real documents.
pub fn block(place: &Place) -> Block {
    let found = blocks(place.0, &text(place.0));
    let found = found.into_iter().find(|block| block.is_at(place));
    found.unwrap_or_else(|| panic!("no block at {place:?}"))
}

/// The blocks of a document, in order.
pub fn blocks(document: &str, text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut heading, mut open) = (String::new(), None);
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                let same = |block: &&Block| block.heading == heading && block.language == language;
                open = Some(Block {
                    document: document.to_owned(),
                    heading: heading.clone(),
                    language: language.to_owned(),
                    nth: found.iter().filter(same).count(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                if let Some(name) = line.strip_prefix('#') {
                    heading = name.trim_start_matches('#').trim().to_owned();
                }
            }
        }
    }
    assert!(open.is_none(), "{document}: a block without an end");
    found
}

/// The text without its fenced blocks.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        let fence = line.starts_with("```");
        if !inside && !fence {
            kept.push_str(line);
            kept.push('\n');
        }
        inside ^= fence;
    }
    kept
}

/// The names by which links reach the headings of a document, as GitHub makes them.
fn anchors(text: &str) -> Vec<String> {
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let name = line.trim_start_matches('#').trim().to_lowercase();
            let kept = name
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The links of the documents that lead nowhere. Links to other hosts are not followed.
fn broken_links(documents: &BTreeMap<String, String>) -> Vec<String> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut broken = Vec::new();
    for (path, text) in documents {
        for target in link.captures_iter(&prose(text)) {
            let target = &target[1];
            if target.starts_with("https://") {
                continue;
            }
            if !leads_somewhere(documents, path, target) {
                broken.push(format!("{path}: {target}"));
            }
        }
    }
    broken
}

fn leads_somewhere(documents: &BTreeMap<String, String>, from: &str, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let file = match (file, file.strip_prefix("../")) {
        ("", _) => from.to_owned(),
        (_, Some(above)) => above.to_owned(),
        (_, None) if folder.is_empty() => file.to_owned(),
        (_, None) => format!("{folder}/{file}"),
    };
    match documents.get(&file) {
        Some(text) => anchor.is_empty() || anchors(text).iter().any(|name| name == anchor),
        None => {
            let root = Path::new(env!("CARGO_MANIFEST_DIR"));
            anchor.is_empty() && root.join(file).is_file()
        }
    }
}

#[test]
fn every_link_between_the_documents_leads_somewhere() {
    let documents = all();
    let broken = broken_links(&documents);
    assert!(broken.is_empty(), "{broken:#?}");
    let readme = &documents["README.md"];
    let unreachable: Vec<_> = documents
        .keys()
        .filter(|path| *path != "README.md" && !readme.contains(&format!("]({path})")))
        .collect();
    assert!(
        unreachable.is_empty(),
        "README.md has no link to {unreachable:?}"
    );
}

#[test]
fn a_planted_link_that_leads_nowhere_is_found() {
    let plant = |path: &str, text: &str| {
        let mut documents = all();
        documents.get_mut(path).unwrap().push_str(text);
        broken_links(&documents)
    };
    let gone = plant("docs/HTTP.md", "\n[a](CLIENT.md) [b](../docs/HTTP.md)\n");
    assert_eq!(gone, ["docs/HTTP.md: CLIENT.md"]);
    let gone = plant(
        "README.md",
        "\n[a](docs/HTTP.md#erors) [b](#two-commands)\n",
    );
    assert_eq!(gone, ["README.md: docs/HTTP.md#erors"]);
    let inside = plant("README.md", "\n```text\n[a](nowhere.md)\n```\n");
    assert!(inside.is_empty(), "{inside:?}");
}

#[test]
fn the_readme_is_short() {
    let lines = text("README.md").lines().count();
    assert!(
        lines <= README_LINES_MAX,
        "README.md has {lines} lines: move what goes into detail to docs/"
    );
}
