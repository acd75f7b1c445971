//! Replies of version 10: some texts were others.

use crate::domain::Lang;
use crate::guard::compose::{Composed, Composition, compose as composed};
use crate::guard::lines::receipt_line;
use crate::locales::Edition;
use crate::turn::SuccessProof;

/// Composes a reply as version 10 did.
pub(super) fn compose(from: &Composition<'_>) -> Composed {
    Edition::Ten.says(|| composed(from))
}

/// The lines of a receipt as version 10 told them.
pub(super) fn line(proof: SuccessProof<'_>, speech: Lang) -> String {
    Edition::Ten.says(|| receipt_line(proof, speech))
}
