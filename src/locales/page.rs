//! Words of the web page, as it is handed them.

use std::sync::LazyLock;

use fluent_bundle::{FluentArgs, FluentValue};
use serde_json::{Map, Value};

use super::{bundle_of, source};
use crate::domain::Lang;

/// Forms that a number may ask for (CLDR).
const FORMS: [&str; 5] = ["zero", "one", "two", "few", "many"];

static WORDS: LazyLock<[(Lang, String); Lang::ALL.len()]> =
    LazyLock::new(|| Lang::ALL.map(|lang| (lang, words(lang))));

/// Returns the page's messages in a language as a JSON object: name (without `page-`) → text, where a variable stands
/// as `{$name}`; a text that `$count` decides is an object of plural forms.
pub fn page_words(lang: Lang) -> &'static str {
    let found = WORDS.iter().find(|(known, _)| *known == lang);
    found.map_or("{}", |(_, words)| words)
}

fn words(lang: Lang) -> String {
    let names = source(lang)
        .lines()
        .filter_map(|line| line.split(' ').next());
    let names = names.filter_map(|name| name.strip_prefix("page-"));
    let words: Map<_, _> = names
        .map(|name| (name.to_owned(), text(lang, &format!("page-{name}"))))
        .collect();
    Value::Object(words).to_string()
}

fn text(lang: Lang, name: &str) -> Value {
    let other = form(lang, name, "other");
    let mut forms = Map::new();
    for count in FORMS {
        let text = form(lang, name, count);
        if text != other {
            forms.insert(count.to_owned(), text.into());
        }
    }
    if forms.is_empty() {
        return other.into();
    }
    forms.insert("other".to_owned(), other.into());
    Value::Object(forms)
}

/// One form of a message. A variable without a value stands as it is written there (`{$name}`).
fn form(lang: Lang, name: &str, count: &'static str) -> String {
    let values: FluentArgs<'_> = [("count", FluentValue::from(count))].into_iter().collect();
    let text = bundle_of(lang).and_then(|bundle| {
        let pattern = bundle.get_message(name)?.value()?;
        let text = bundle.format_pattern(pattern, Some(&values), &mut Vec::new());
        Some(text.into_owned())
    });
    text.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_as_they_are_and_counts_are_forms() {
        let words: Value = serde_json::from_str(page_words(Lang::En)).unwrap();
        assert_eq!(words["round"], "{$run}, round {$round}");
        let runs = serde_json::json!({"one": "run", "other": "runs"});
        assert_eq!(words["runs-counted"], runs);
        assert_eq!(words["added"], Value::Null);
    }

    #[test]
    fn every_language_has_words_for_the_page() {
        let count = |lang| {
            let words: Map<String, Value> = serde_json::from_str(page_words(lang)).unwrap();
            words.len()
        };
        assert!(count(Lang::En) > 300);
        for lang in Lang::ALL {
            assert_eq!(count(lang), count(Lang::En), "{lang:?}");
        }
    }
}
