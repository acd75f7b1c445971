//! Words of the web page, as it is handed them.

use fluent_bundle::{FluentArgs, FluentValue};
use serde_json::{Map, Value};

use super::{BUNDLES, source};
use crate::domain::Lang;
use crate::languages::PerLang;

/// Forms that a number may ask for (CLDR).
const FORMS: [&str; 5] = ["zero", "one", "two", "few", "many"];

static WORDS: PerLang<String> = PerLang::new(words);

/// Returns the page's messages in a language as a JSON object: name (without `page-`) → text, where a variable stands
/// as `{$name}`; a text that `$count` decides is an object of plural forms.
pub fn page_words(lang: Lang) -> &'static str {
    WORDS.of(lang)
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
    let bundle = BUNDLES.of(lang);
    let message = bundle.get_message(name);
    let pattern = message.and_then(|message| message.value());
    let text = pattern.map(|text| bundle.format_pattern(text, Some(&values), &mut Vec::new()));
    text.unwrap_or_default().into_owned()
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
