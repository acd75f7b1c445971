//! Replies of version 3: help was the last resort, and every time of day was said to stay in the
//! title.

use super::v6;
use crate::guard::canned::general_help;
use crate::guard::compose::{Composed, Composition, Wording};

/// Composes a reply as version 3 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    let wording = Wording {
        last_resort: general_help,
        tells_lost_times: false,
        keeps_times: false,
        asks_after_refusals: false,
        names_lists_of_changes: true,
        repeats_nothing: true,
        keeps_whiles: false,
        asks_after_changes: true,
        cause: v6::english_cause,
        ..v6::WORDING
    };
    v6::compose_as(from, &wording)
}
