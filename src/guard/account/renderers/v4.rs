//! Replies of version 4: a task kept its day, no time of it, and could not repeat.

use crate::guard::compose::{Composed, Composition, PRESENT, Wording, compose_with};

/// Composes a reply as version 4 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        keeps_times: false,
        repeats_nothing: true,
        keeps_whiles: false,
        asks_after_changes: true,
        translates_causes: false,
        ..PRESENT
    };
    compose_with(from, &wording)
}
