//! The sentences that an answer about the past is made of.

use chrono::NaiveDate;

use super::question::{Aspect, Deed, Value};
use crate::domain::{Lang, Task};
use crate::guard::lines::{changes, range};
use crate::guard::phrases::{title, when};
use crate::locales::localized;
use crate::store::ReceiptFacts;

pub(super) fn yes_no(yes: bool, speech: Lang) -> String {
    match yes {
        true => localized!(speech, "yes"),
        false => localized!(speech, "no"),
    }
}

pub(super) fn still_on_list(row: &Task, speech: Lang) -> String {
    localized!(
        speech,
        "past-still-on-list",
        name = title(row.title.as_str())
    )
}

pub(super) fn on_list(row: &Task, speech: Lang) -> String {
    localized!(speech, "past-on-list", name = title(row.title.as_str()))
}

/// The value of a row that is asked about.
pub(super) fn stands(row: &Task, value: Value, speech: Lang) -> String {
    let name = title(row.title.as_str());
    match (value, row.due_date) {
        (Value::Due(..), Some(day)) => {
            let when = when(day, row.due_time, speech);
            localized!(speech, "past-is-due", name = name, when = when)
        }
        (Value::Due(..), None) => localized!(speech, "past-is-undated", name = name),
        (Value::Priority(_), _) => {
            let priority = row.priority.as_str();
            localized!(
                speech,
                "past-has-priority",
                name = name,
                priority = priority
            )
        }
    }
}

/// Tells what came after: "reopened at 18:05".
pub(super) fn overtaken(deed: Deed, facts: &ReceiptFacts, at: &str, speech: Lang) -> String {
    let deed = match deed {
        Deed::Undo => "undo",
        Deed::Delete => "delete",
        Deed::Reopen => "reopen",
        Deed::Complete => "complete",
        _ => {
            let made = facts.before.as_ref().zip(facts.after.as_ref());
            let made = made.map(|(before, after)| changes(before, after, speech).join(", "));
            let made = made.unwrap_or_default();
            return localized!(speech, "past-since", when = at, changes = made);
        }
    };
    localized!(speech, "past-later", deed = deed, when = at)
}

/// "Nothing like that was done in this conversation (Sat 2026-02-07)."
pub(super) fn none_then((from, to): (NaiveDate, NaiveDate), speech: Lang) -> String {
    localized!(speech, "past-none-then", when = range(from, to, speech))
}

/// "Nothing was deleted in this conversation."
pub(super) fn none_of(deed: Deed, speech: Lang) -> String {
    match deed {
        Deed::Add => localized!(speech, "past-none-added"),
        Deed::Delete => localized!(speech, "past-none-deleted"),
        Deed::Complete => localized!(speech, "past-none-completed"),
        Deed::Update(Aspect::Due) => localized!(speech, "past-none-moved"),
        Deed::Update(Aspect::Title) => localized!(speech, "past-none-renamed"),
        Deed::Any | Deed::Update(Aspect::Any) => localized!(speech, "past-none-changed"),
        _ => localized!(speech, "past-none-such"),
    }
}
