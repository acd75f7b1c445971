//! Replies of version 6: what counted as nothing was told as "0 tasks", and causes of failures were read off the
//! English text of their errors.

use super::v7;
use crate::domain::{Lang, ToolError};
use crate::guard::compose::Wording;
use crate::guard::lines::line_counting;
use crate::locales::{listed_day, localized};

/// Words of version 6.
pub(super) const WORDING: Wording = Wording {
    line: |proof, speech| line_counting(proof, speech, true),
    cause: |error, said, speech| cause(error, said, speech, speech),
    ..v7::WORDING
};

/// Words of the versions before: some causes of a failure were told in English in every language.
pub(super) const ENGLISH_CAUSES: Wording = Wording {
    cause: |error, said, speech| cause(error, said, speech, Lang::En),
    ..WORDING
};

/// Reads the cause of a failure off the English text of its error.
fn cause(error: &ToolError, said: &str, speech: Lang, detail: Lang) -> String {
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
                    Some(localized!(detail, "cause-title-empty"))
                }
                "task" if text.starts_with("Missing") => Some(localized!(speech, "cause-no-task")),
                "title" if text.starts_with("Title ") || text.starts_with("too long") => {
                    Some(title_fault(text, detail))
                }
                "due_date" if text.contains("due dates run from") => Some(outside(text, detail)),
                "due_date" if text.contains("is not a day") => Some(not_a_day(text, said, speech)),
                "due_date" if text.contains("disagrees") => {
                    Some(localized!(speech, "cause-other-date"))
                }
                "priority" if text.contains("disagrees") => {
                    Some(localized!(speech, "cause-other-priority"))
                }
                "priority" | "status" | "status_filter" => not_one_of(at, text, said, detail),
                _ => None,
            }
        });
    own.unwrap_or_else(|| localized!(speech, "cause-invalid"))
}

/// The fault of a title; English tells it in the words of its check.
fn title_fault(text: &str, speech: Lang) -> String {
    match speech {
        Lang::En => text.trim_end_matches('.').to_owned(),
        _ if text.contains("too long") => localized!(speech, "cause-title-long"),
        _ => localized!(speech, "cause-title-wrong"),
    }
}

/// `2026-02-01 is in the past: due dates run from 2026-02-08 to 2026-12-31`
fn outside(text: &str, speech: Lang) -> String {
    let known = || {
        let (day, rest) = text.split_once(" is ")?;
        let (_, days) = rest.split_once("due dates run from ")?;
        let (from, to) = days.split_once(" to ")?;
        let shown = |day: &str| Some(listed_day(day.parse().ok()?, speech));
        let id = match rest.starts_with("in the past") {
            true => "cause-day-past",
            false => "cause-day-far",
        };
        let (day, from, to) = (shown(day)?, shown(from)?, shown(to)?);
        Some(localized!(speech, id, day = day, from = from, to = to))
    };
    known().unwrap_or_else(|| text.to_owned())
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
fn not_one_of(parameter: &str, text: &str, said: &str, speech: Lang) -> Option<String> {
    let (value, values) = text.split_once(" is not one of ")?;
    let value = value.trim_matches('\'');
    if crate::resolver::covers(value, said) {
        Some(localized!(
            speech,
            "cause-not-one-of",
            value = value,
            values = values
        ))
    } else {
        let id = match parameter {
            "priority" => "cause-wrong-priority",
            _ => "cause-wrong-status",
        };
        Some(localized!(speech, id, values = values))
    }
}
