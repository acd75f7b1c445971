//! Replies of version 5: they were written in English and Roman Urdu, and causes of failures were read off the English
//! text of their errors, and told in it in part.

use crate::domain::{Lang, ToolError};
use crate::guard::compose::{Composed, Composition, PRESENT, Wording, compose_with};
use crate::guard::lines::receipt_line;
use crate::locales::{Edition, localized};
use crate::turn::SuccessProof;

/// Words of version 5.
pub(super) const WORDING: Wording = Wording {
    keeps_whiles: false,
    asks_after_changes: true,
    cause,
    ..PRESENT
};

/// Composes a reply as version 5 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    compose_as(from, &WORDING)
}

/// Composes a reply of version 5 or an earlier one, in the texts of then.
pub(super) fn compose_as(from: &Composition<'_>, wording: &Wording) -> Composed {
    Edition::Before.says(|| compose_with(from, wording))
}

/// The lines of a receipt as version 5 and those before it told them.
pub(super) fn line(proof: SuccessProof<'_>, speech: Lang) -> String {
    Edition::Before.says(|| receipt_line(proof, speech))
}

/// Reads the cause of a failure off the English text of its error.
fn cause(error: &ToolError, said: &str, speech: Lang) -> String {
    let faults = error.details.schema_errors.iter().map(String::as_str);
    let own = faults
        .chain(error.details.constraint.as_deref())
        .find_map(|fault| {
            let (at, text) = fault.split_once(": ").unwrap_or(("", fault));
            let parameter = error.details.parameter.as_deref().unwrap_or_default();
            let (at, text) = match at.strip_prefix('/') {
                Some(at) => (at.trim_start_matches('/'), text),
                None => (parameter, fault),
            };
            match at {
                "title" if text.starts_with("Missing") => {
                    Some(localized!(Lang::En, "cause-title-empty"))
                }
                "task" if text.starts_with("Missing") => Some(localized!(speech, "cause-no-task")),
                "title" if text.starts_with("Title ") || text.starts_with("too long") => {
                    Some(text.trim_end_matches('.').to_owned())
                }
                "due_date" if text.contains("due dates run from") => Some(text.to_owned()),
                "due_date" if text.contains("is not a day") => Some(not_a_day(text, said, speech)),
                "due_date" if text.contains("disagrees") => {
                    Some(localized!(speech, "cause-other-date"))
                }
                "priority" if text.contains("disagrees") => {
                    Some(localized!(speech, "cause-other-priority"))
                }
                "priority" | "status" | "status_filter" => not_one_of(at, text, said),
                _ => None,
            }
        });
    own.unwrap_or_else(|| localized!(speech, "cause-invalid"))
}

fn not_a_day(text: &str, said: &str, speech: Lang) -> String {
    let value = text.split('\'').nth(1).unwrap_or_default();
    if !value.is_empty() && crate::resolver::covers(value, said) {
        localized!(speech, "cause-no-day", value = value)
    } else {
        localized!(speech, "cause-not-a-day")
    }
}

/// `'very high' is not one of low, medium, high`: the value only where the user said it.
fn not_one_of(parameter: &str, text: &str, said: &str) -> Option<String> {
    let (value, values) = text.split_once(" is not one of ")?;
    let value = value.trim_matches('\'');
    if crate::resolver::covers(value, said) {
        Some(localized!(
            Lang::En,
            "cause-not-one-of",
            value = value,
            values = values
        ))
    } else {
        let id = match parameter {
            "priority" => "cause-wrong-priority",
            _ => "cause-wrong-status",
        };
        Some(localized!(Lang::En, id, values = values))
    }
}
