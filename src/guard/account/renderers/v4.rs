//! Replies of version 4: a task kept its day, and no time of it.

use crate::guard::canned::unsaid_line;
use crate::guard::compose::{Composed, Composition, Wording, compose_with};

/// Composes a reply as version 4 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        last_resort: unsaid_line,
        tells_lost_times: true,
        keeps_times: false,
        asks_after_refusals: true,
        names_lists_of_changes: false,
    };
    compose_with(from, &wording)
}
