//! Replies of version 4: a task kept its day, no time of it, and could not repeat.

use super::v6;
use crate::guard::compose::{Composed, Composition, Wording};

/// Composes a reply as version 4 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        keeps_times: false,
        repeats_nothing: true,
        keeps_whiles: false,
        asks_after_changes: true,
        cause: v6::english_cause,
        ..v6::WORDING
    };
    v6::compose_as(from, &wording)
}
