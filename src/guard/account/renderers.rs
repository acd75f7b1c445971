//! Every renderer that ever wrote a reply, by the version that stands in its turn's event.
//!
//! To change a sentence, raise [`RENDERER_VERSION`](crate::guard::RENDERER_VERSION) and `PRESENT`'s version.
//! Fewer or other lines ask for the version where they are composed. A function that renders
//! otherwise goes into a file of this folder named after the version that ends (`v7.rs`), as words of that
//! version. Where only the text of a message changes, the old one goes into an [`Edition`]. The stored turns
//! of `tests/turns/` fail until that is done.

mod v6;
mod v7;

use crate::domain::Lang;
use crate::guard::compose::{Composed, Composition, PRESENT, Wording, compose_with};
use crate::locales::Edition;
use crate::turn::SuccessProof;

/// The words and texts that replies of one version are computed again in.
pub(super) struct Renderer {
    wording: Wording,
    edition: Edition,
}

impl Renderer {
    /// The renderer of this program.
    pub(super) const fn present() -> Self {
        Self {
            wording: PRESENT,
            edition: Edition::Present,
        }
    }

    /// The lines of a receipt.
    pub(super) fn line(&self, proof: SuccessProof<'_>, speech: Lang) -> String {
        self.edition.says(|| (self.wording.line)(proof, speech))
    }

    /// Tells whether the log keeps all that a reply was composed from: what surrounded the lines of
    /// receipts before version 3 was not kept.
    pub(super) const fn keeps_all(&self) -> bool {
        self.wording.version > 2
    }

    /// The whole reply.
    pub(super) fn compose(&self, from: &Composition<'_>) -> Composed {
        self.edition.says(|| compose_with(from, &self.wording))
    }
}

/// The renderer of a version; none when this program does not know it.
pub(super) fn renderer(version: &str) -> Option<Renderer> {
    let version = version.parse().ok()?;
    let (wording, edition) = match version {
        1..=5 => (v6::ENGLISH_CAUSES, Edition::Six),
        6 => (v6::WORDING, Edition::Six),
        7 => (v7::WORDING, Edition::Seven),
        8 => (PRESENT, Edition::Eight),
        9 => (PRESENT, Edition::Nine),
        10 => (PRESENT, Edition::Ten),
        11 => (PRESENT, Edition::Present),
        _ => return None,
    };
    let wording = Wording { version, ..wording };
    Some(Renderer { wording, edition })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_present_renderer_is_known_and_computes_whole_replies() {
        let version = crate::guard::RENDERER_VERSION;
        let present = renderer(version).unwrap();
        assert!(present.keeps_all() && present.edition == Edition::Present);
        assert_eq!(PRESENT.version.to_string(), version);
        assert!(renderer("1").is_some_and(|first| !first.keeps_all()));
        assert!(renderer("").is_none() && renderer("30").is_none());
    }
}
