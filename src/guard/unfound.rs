//! Sentences about words that name no task, or could mean several: the errors that a model, a
//! direct caller and, in the end, the user get.

use super::phrases::{Speech, absent, quoted};
use crate::domain::{Details, ErrorType, ToolError};
use crate::intent::Verb;
use crate::resolver::{Candidate, Missing};

/// At most so many candidates are named in an error.
const NAMED: usize = 10;

/// The error for words that name no task: it names the nearest.
pub fn no_such_task(
    verb: Verb,
    words: &str,
    (why, nearest): (Missing, &[Candidate]),
    speech: Speech,
) -> ToolError {
    let near: Vec<&str> = nearest.iter().map(|c| c.title.as_str()).collect();
    let text = absent(verb, words, why, &near, speech);
    ToolError::new(ErrorType::NotFound, text).with(Details {
        parameter: Some("task".to_owned()),
        value: Some(words.into()),
        suggestions: nearest.iter().map(|c| c.title.clone()).collect(),
        ..Details::default()
    })
}

/// The error for words that could mean several tasks: it names them, best first.
pub fn which_task(words: &str, candidates: &[Candidate]) -> ToolError {
    let titles: Vec<String> = candidates.iter().map(|c| quoted(&c.title)).collect();
    let named = titles.iter().take(NAMED).map(String::as_str);
    let named = named.collect::<Vec<_>>().join(", ");
    let more = match titles.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let count = titles.len();
    let what = quoted(words);
    let text = format!("{what} could mean {count} tasks: {named}{more}. Name one of them.");
    ToolError::new(ErrorType::Ambiguous, text).with(Details {
        parameter: Some("task".to_owned()),
        value: Some(words.into()),
        suggestions: candidates
            .iter()
            .take(NAMED)
            .map(|c| c.title.clone())
            .collect(),
        ..Details::default()
    })
}
