//! Tests of the message files: none has a fault, each has every message with the same variables,
//! and the program and its page ask for no other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_bundle::FluentResource;

use super::{message, source};
use crate::domain::Lang;

/// Names of the messages of a file, with the variables of each, read off its lines.
fn messages(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in source(lang).lines() {
        if line.starts_with('#') {
            continue;
        }
        if line.starts_with(|c: char| c.is_ascii_lowercase()) {
            name = line.split(' ').next().unwrap_or_default().to_owned();
            let twice = found.insert(name.clone(), BTreeSet::new()).is_some();
            assert!(!twice, "{lang:?} has {name} twice");
        }
        let variables = line.split('$').skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
            rest[..end.unwrap_or(rest.len())].to_owned()
        });
        found.get_mut(&name).into_iter().for_each(|known| {
            known.extend(variables.clone());
        });
    }
    found
}

#[test]
fn the_files_have_no_faults() {
    for lang in Lang::ALL {
        let read = FluentResource::try_new(source(lang).to_owned());
        let faults = read.err().map(|(_, faults)| faults);
        assert_eq!(faults, None, "{lang:?}");
    }
}

#[test]
fn every_language_has_every_message_with_the_same_variables() {
    let english = messages(Lang::En);
    assert!(english.len() > 150);
    for lang in Lang::ALL {
        let own = messages(lang);
        for (name, variables) in &english {
            assert_eq!(own.get(name), Some(variables), "{name} in {lang:?}");
        }
        assert_eq!(own.len(), english.len(), "{lang:?} has messages of its own");
    }
}

#[test]
fn the_program_asks_for_every_message_and_for_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut code = String::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ext| ext == "rs" || ext == "js" || ext == "html")
            {
                code.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    let files = source(Lang::En);
    let quoted: BTreeSet<&str> = code.split('"').collect();
    for name in messages(Lang::En).keys() {
        let named = quoted.contains(name.as_str()) || files.contains(&format!("{{ {name} }}"));
        assert!(named, "nothing says {name}");
    }
    let known = messages(Lang::En);
    for call in code.split("localized!(").skip(1) {
        let id = call.split(',').nth(1).unwrap_or_default();
        let id = id.split(')').next().unwrap_or_default().trim();
        if let Some(id) = id.strip_prefix('"').and_then(|id| id.strip_suffix('"')) {
            assert!(known.contains_key(id), "no message {id}");
        }
    }
    // Nothing else is called so in the page.
    let words = quoted.iter().filter(|text| {
        let rest = text.strip_prefix("page-").unwrap_or_default();
        !rest.is_empty()
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    });
    for name in words {
        assert!(known.contains_key(*name), "no message {name}");
    }
}

#[test]
fn values_stand_as_they_are() {
    let title = "{ $name } \u{2068}\"x\" { nothing";
    let said = message(Lang::En, "deleted", [("name", title.into())]);
    assert_eq!(said, format!("Deleted: {title}"));
}
