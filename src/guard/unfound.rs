//! Sentences about words that name no task, or could mean several: the errors that a model, a
//! direct caller and, in the end, the user get.

use super::phrases::{absent, all_quoted, quoted};
use crate::domain::{Details, ErrorType, Lang, ToolError};
use crate::intent::Verb;
use crate::locales::localized;
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
pub fn which_task(words: &str, candidates: &[Candidate], speech: Lang) -> ToolError {
    let names = all_quoted(candidates.iter().take(NAMED).map(|c| c.title.as_str()));
    let (what, count) = (quoted(words), candidates.len());
    let text = match count.saturating_sub(NAMED) {
        0 => localized!(
            speech,
            "could-mean",
            what = what,
            count = count,
            names = names
        ),
        more => localized!(
            speech,
            "could-mean-more",
            what = what,
            count = count,
            names = names,
            more = more,
        ),
    };
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
