//! Replies of version 5: some causes of a failure were told in English in every language.

use crate::guard::compose::{Composed, Composition, PRESENT, Wording, compose_with};

/// Composes a reply as version 5 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        keeps_whiles: false,
        asks_after_changes: true,
        translates_causes: false,
        ..PRESENT
    };
    compose_with(from, &wording)
}
