//! Replies of version 5: some causes of a failure were told in English in every language.

use super::v6;
use crate::guard::compose::{Composed, Composition, Wording};

/// Composes a reply as version 5 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        keeps_whiles: false,
        asks_after_changes: true,
        cause: v6::english_cause,
        ..v6::WORDING
    };
    v6::compose_as(from, &wording)
}
