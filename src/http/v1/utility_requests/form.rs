//! Form in which a prompt wants its answer: an object with these fields, an array, or plain text.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

/// A regular expression; one that can't be compiled is found by a test.
type Pattern = LazyLock<Option<Regex>>;

/// The first example of an object.
static OBJECT: Pattern = LazyLock::new(|| Regex::new(r#"\{\s*"[\w ]+"\s*:[^}]*"#).ok());
/// A field of it, and how its value begins.
static FIELD: Pattern =
    LazyLock::new(|| Regex::new(r#""([\w ]+)"\s*:\s*(\[|true|false|\d)?"#).ok());
/// Fields that are named after the word JSON, with or without their type.
static NAMES: Pattern =
    LazyLock::new(|| Regex::new(r#"(?i)\bjson\b[^.'"]{0,60}(?:(?:["']\w+["'])[^'"]{0,60})+"#).ok());
static NAME: Pattern = LazyLock::new(|| {
    Regex::new(r#"(?i)["'](\w+)["'](?:\s*[(:]\s*(?:an? )?(array|list|bool|number|integer))?"#).ok()
});

/// Form of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AnswerFormat {
    Object(Vec<(String, FieldKind)>),
    Array,
    /// JSON of any kind.
    Json,
    Text,
}

/// Kind of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Text,
    Array,
    Truth,
    Number,
}

impl AnswerFormat {
    /// The form that a prompt asks for; `json` where the client is known to read JSON.
    pub(super) fn asked_for(prompt: &str, json: bool) -> Self {
        let example = OBJECT.as_ref().and_then(|object| object.find(prompt));
        let array = prompt.contains("[\"");
        let fields = match example {
            Some(example) => fields(example.as_str(), &FIELD),
            None if array => Vec::new(),
            None => {
                let names = NAMES.as_ref().and_then(|names| names.find(prompt));
                names.map_or_else(Vec::new, |names| fields(names.as_str(), &NAME))
            }
        };
        if !fields.is_empty() {
            Self::Object(fields)
        } else if array {
            Self::Array
        } else if json || prompt.to_lowercase().contains("json") {
            Self::Json
        } else {
            Self::Text
        }
    }

    /// The form that the properties of a JSON schema ask for.
    pub(super) fn of_schema(properties: &Map<String, Value>) -> Self {
        let fields = properties.iter().map(|(name, property)| {
            let kind = match property.get("type").and_then(Value::as_str) {
                Some("array") => FieldKind::Array,
                Some("boolean") => FieldKind::Truth,
                Some("number" | "integer") => FieldKind::Number,
                _ => FieldKind::Text,
            };
            (name.clone(), kind)
        });
        Self::Object(fields.collect())
    }
}

fn fields(text: &str, pattern: &Pattern) -> Vec<(String, FieldKind)> {
    let Some(pattern) = pattern.as_ref() else {
        return Vec::new();
    };
    let fields = pattern.captures_iter(text).filter_map(|field| {
        let begins = field.get(2).map_or("", |begins| begins.as_str());
        let kind = match begins.to_lowercase().as_str() {
            "[" | "array" | "list" => FieldKind::Array,
            "true" | "false" | "bool" => FieldKind::Truth,
            "" => FieldKind::Text,
            _ => FieldKind::Number,
        };
        Some((field.get(1)?.as_str().to_owned(), kind))
    });
    fields.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_from_an_example_or_from_names() {
        assert!(
            [&OBJECT, &FIELD, &NAMES, &NAME]
                .iter()
                .all(|pattern| pattern.is_some())
        );
        let check = |prompt: &str, expect: &[(&str, FieldKind)]| {
            let fields = expect
                .iter()
                .map(|(name, kind)| ((*name).to_owned(), *kind));
            let expect = AnswerFormat::Object(fields.collect());
            assert_eq!(AnswerFormat::asked_for(prompt, false), expect, "{prompt}");
        };
        check(
            r#"JSON: { "tags": ["a", "b", ...] }"#,
            &[("tags", FieldKind::Array)],
        );
        check(
            r#"{"Your Output": "x", "sure": true, "n": 1}"#,
            &[
                ("Your Output", FieldKind::Text),
                ("sure", FieldKind::Truth),
                ("n", FieldKind::Number),
            ],
        );
        check(
            "a JSON object with two fields: 'isNew' (boolean) and 'title' (string)",
            &[("isNew", FieldKind::Truth), ("title", FieldKind::Text)],
        );
        check(
            r#"Return JSON with "title" and "branch" fields."#,
            &[("title", FieldKind::Text), ("branch", FieldKind::Text)],
        );
        for (prompt, json, expect) in [
            (r#"JSON: ["a","b"]"#, false, AnswerFormat::Array),
            ("as JSON", false, AnswerFormat::Json),
            ("a title", true, AnswerFormat::Json),
            ("a title", false, AnswerFormat::Text),
        ] {
            assert_eq!(AnswerFormat::asked_for(prompt, json), expect);
        }
    }
}
