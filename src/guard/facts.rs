//! Sentences that are said where nothing changed.

use super::delegation::preview;
use super::phrases::{Speech, quoted};
use crate::tools::StandingFact;

/// The sentence of a fact.
pub(super) fn fact_line(fact: &StandingFact, speech: Speech) -> String {
    match (fact, speech) {
        (StandingFact::AlreadyDone(t), Speech::English) => {
            format!("{} was already done.", quoted(t))
        }
        (StandingFact::AlreadyOpen(t), Speech::English) => {
            format!("{} was already pending.", quoted(t))
        }
        (StandingFact::AlreadySo(t), Speech::English) => format!("{} was already so.", quoted(t)),
        (StandingFact::AlreadyDeleted(t), Speech::English) => {
            format!("{} was already deleted.", quoted(t))
        }
        (StandingFact::Previewed(previews), _) => preview(previews, speech),
        (StandingFact::NothingToUndo, Speech::English) => "There is nothing to undo.".to_owned(),
        (StandingFact::AlreadyDone(t), Speech::RomanUrdu) => {
            format!("{} pehle se mukammal tha.", quoted(t))
        }
        (StandingFact::AlreadyOpen(t), Speech::RomanUrdu) => {
            format!("{} pehle se baqi tha.", quoted(t))
        }
        (StandingFact::AlreadySo(t), Speech::RomanUrdu) => {
            format!("{} pehle se aisa tha.", quoted(t))
        }
        (StandingFact::AlreadyDeleted(t), Speech::RomanUrdu) => {
            format!("{} pehle se delete tha.", quoted(t))
        }
        (StandingFact::NothingToUndo, Speech::RomanUrdu) => "Wapas lene ko kuch nahi.".to_owned(),
    }
}
