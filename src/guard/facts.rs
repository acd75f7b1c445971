//! What is said where nothing changed.

use super::delegation::preview;
use super::phrases::{Speech, quoted};
use crate::tools::Fact;

/// The sentence of a fact.
pub(super) fn fact_line(fact: &Fact, speech: Speech) -> String {
    match (fact, speech) {
        (Fact::AlreadyDone(t), Speech::English) => format!("{} was already done.", quoted(t)),
        (Fact::AlreadyOpen(t), Speech::English) => format!("{} was already pending.", quoted(t)),
        (Fact::AlreadySo(t), Speech::English) => format!("{} was already so.", quoted(t)),
        (Fact::AlreadyDeleted(t), Speech::English) => {
            format!("{} was already deleted.", quoted(t))
        }
        (Fact::Previewed(previews), _) => preview(previews, speech),
        (Fact::NothingToUndo, Speech::English) => "There is nothing to undo.".to_owned(),
        (Fact::AlreadyDone(t), Speech::RomanUrdu) => {
            format!("{} pehle se mukammal tha.", quoted(t))
        }
        (Fact::AlreadyOpen(t), Speech::RomanUrdu) => format!("{} pehle se baqi tha.", quoted(t)),
        (Fact::AlreadySo(t), Speech::RomanUrdu) => format!("{} pehle se aisa tha.", quoted(t)),
        (Fact::AlreadyDeleted(t), Speech::RomanUrdu) => {
            format!("{} pehle se delete tha.", quoted(t))
        }
        (Fact::NothingToUndo, Speech::RomanUrdu) => "Wapas lene ko kuch nahi.".to_owned(),
    }
}
