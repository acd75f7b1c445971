//! Sentences that are said where nothing changed.

use super::delegation::preview;
use super::phrases::quoted;
use crate::domain::Lang;
use crate::locales::localized;
use crate::tools::StandingFact;

/// The sentence of a fact.
pub(super) fn fact_line(fact: &StandingFact, speech: Lang) -> String {
    match fact {
        StandingFact::AlreadyDone(t) => localized!(speech, "already-done", name = quoted(t)),
        StandingFact::AlreadyOpen(t) => localized!(speech, "already-pending", name = quoted(t)),
        StandingFact::AlreadySo(t) => localized!(speech, "already-so", name = quoted(t)),
        StandingFact::AlreadyDeleted(t) => localized!(speech, "already-deleted", name = quoted(t)),
        StandingFact::Previewed(previews) => preview(previews, speech),
        StandingFact::NothingToUndo => localized!(speech, "nothing-to-undo"),
    }
}
