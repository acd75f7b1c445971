//! The sentences that an answer about the past is made of.

use super::question::{Aspect, Deed, Value};
use crate::domain::{Task, day_and_time};
use crate::guard::lines::changes;
use crate::guard::phrases::{Speech, title};
use crate::store::ReceiptFacts;
use crate::temporal::spoken;

pub(super) const fn yes_no(yes: Option<bool>, speech: Speech) -> &'static str {
    match yes {
        Some(true) => speech.pick("Yes", "Haan"),
        _ => speech.pick("No", "Nahi"),
    }
}

pub(super) fn still_on_list(row: &Task, speech: Speech) -> String {
    let name = title(row.title.as_str());
    match speech {
        Speech::English => format!("{name} is still on your list."),
        Speech::RomanUrdu => format!("{name} abhi list par hai."),
    }
}

pub(super) fn on_list(row: &Task, speech: Speech) -> String {
    let name = title(row.title.as_str());
    match speech {
        Speech::English => format!("{name} is on your list."),
        Speech::RomanUrdu => format!("{name} list par hai."),
    }
}

/// The value of a row that is asked about.
pub(super) fn stands(row: &Task, value: Value, speech: Speech) -> String {
    let name = title(row.title.as_str());
    match (value, row.due_date, speech) {
        (Value::Due(..), Some(day), Speech::English) => {
            format!(
                "{name} is due {}.",
                day_and_time(spoken(day), row.shown_time())
            )
        }
        (Value::Due(..), None, Speech::English) => format!("{name} has no due date."),
        (Value::Due(..), Some(day), Speech::RomanUrdu) => {
            format!(
                "{name} {} ko due hai.",
                day_and_time(spoken(day), row.shown_time())
            )
        }
        (Value::Due(..), None, Speech::RomanUrdu) => format!("{name} ki koi due date nahi."),
        (Value::Priority(_), _, Speech::English) => {
            format!("{name} has {} priority.", row.priority)
        }
        (Value::Priority(_), _, Speech::RomanUrdu) => {
            format!("{name} ki priority {} hai.", row.priority)
        }
    }
}

/// Tells what came after: "; it was reopened at 18:05".
pub(super) fn overtaken(deed: Deed, facts: &ReceiptFacts, at: &str, speech: Speech) -> String {
    let english = speech == Speech::English;
    let what = match deed {
        Deed::Undo if english => "undone".to_owned(),
        Deed::Delete if english => "deleted".to_owned(),
        Deed::Reopen if english => "reopened".to_owned(),
        Deed::Complete if english => "marked as done".to_owned(),
        Deed::Undo => "wapas".to_owned(),
        Deed::Delete => "delete".to_owned(),
        Deed::Reopen => "dobara khula".to_owned(),
        Deed::Complete => "mukammal".to_owned(),
        _ => {
            let made = facts.before.as_ref().zip(facts.after.as_ref());
            let made = made.map(|(before, after)| changes(before, after, speech).join(", "));
            let made = made.unwrap_or_default();
            return match speech {
                Speech::English => format!("; since {at} {made}"),
                Speech::RomanUrdu => format!("; {at} se {made}"),
            };
        }
    };
    match speech {
        Speech::English => format!("; {what} at {at}"),
        Speech::RomanUrdu => format!("; {at} par {what}"),
    }
}

/// "Nothing was deleted in this conversation."
pub(super) const fn none_of(deed: Deed, speech: Speech) -> &'static str {
    match (deed, speech) {
        (Deed::Add, Speech::English) => "Nothing was added in this conversation.",
        (Deed::Delete, Speech::English) => "Nothing was deleted in this conversation.",
        (Deed::Complete, Speech::English) => "Nothing was marked as done in this conversation.",
        (Deed::Update(Aspect::Due), Speech::English) => "Nothing was moved in this conversation.",
        (Deed::Update(Aspect::Title), Speech::English) => {
            "Nothing was renamed in this conversation."
        }
        (_, Speech::English) => "Nothing was changed in this conversation.",
        (Deed::Add, Speech::RomanUrdu) => "Is guftagu mein kuch add nahi hua.",
        (Deed::Delete, Speech::RomanUrdu) => "Is guftagu mein kuch delete nahi hua.",
        (Deed::Complete, Speech::RomanUrdu) => "Is guftagu mein kuch mukammal nahi hua.",
        (_, Speech::RomanUrdu) => "Is guftagu mein kuch nahi badla.",
    }
}
