//! Replies of version 4: a task kept its day, no time of it, and could not repeat.

use super::v5;
use crate::guard::compose::{Composed, Composition, Wording};

/// Composes a reply as version 4 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        keeps_times: false,
        repeats_nothing: true,
        ..v5::WORDING
    };
    v5::compose_as(from, &wording)
}
