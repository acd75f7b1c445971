//! Sentences about words that name no task, or could mean several: the errors that a model, a
//! direct caller and, in the end, the user get.

use super::phrases::{absent, all_quoted, quoted};
use crate::domain::{Details, ErrorType, Lang, ToolError};
use crate::intent::Verb;
use crate::resolver::{Candidate, Missing};

/// At most so many candidates are named in an error.
const NAMED: usize = 10;

/// The error for words that name no task: it names the nearest.
pub fn no_such_task(
    verb: Verb,
    words: &str,
    (why, nearest): (Missing, &[Candidate]),
    speech: Lang,
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
    let named = all_quoted(candidates.iter().take(NAMED).map(|c| c.title.as_str()));
    let more = match candidates.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (what, count) = (quoted(words), candidates.len());
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
