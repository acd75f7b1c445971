//! Any bytes for an answer of a model: an answer whose calls can be told apart, or an error;
//! and what was cut is never an answer.

#![no_main]

use std::collections::HashSet;

use candor::llm::parse_answer;
use candor_fuzz::planted;
use libfuzzer_sys::fuzz_target;

const MODEL: &str = "scripted (model)";

fuzz_target!(|data: &[u8]| {
    let first = parse_answer(data, MODEL);
    assert_eq!(first, parse_answer(data, MODEL));
    let Ok(mut answer) = first else {
        return;
    };
    if std::str::from_utf8(data).is_ok_and(planted) {
        answer.calls.extend(answer.calls.clone());
        answer.text = answer.text.map(|text| text + " ");
    }
    let ids: HashSet<_> = answer.calls.iter().map(|call| &call.id).collect();
    assert_eq!(ids.len(), answer.calls.len(), "two calls with one id");
    for call in &answer.calls {
        assert!(!call.id.is_empty() && call.id.len() <= 280, "{call:?}");
        assert!(
            !call.name.is_empty() && call.name.trim() == call.name,
            "{call:?}"
        );
        assert!(!call.arguments.trim().is_empty(), "{call:?}");
        // Nothing grows but numbers, which are written out.
        assert!(call.arguments.len() <= 8 * data.len(), "{call:?}");
    }
    if let Some(text) = &answer.text {
        assert!(!text.is_empty() && text.trim() == text, "{text:?}");
        assert!(text.len() <= data.len());
    }
    assert_eq!(answer.model, MODEL);
    let whole = data.trim_ascii_end();
    for end in [whole.len() - 1, whole.len() / 2] {
        assert!(parse_answer(&whole[..end], MODEL).is_err(), "cut at {end}");
    }
});
