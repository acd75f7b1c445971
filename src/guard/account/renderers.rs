//! Every renderer that ever wrote a reply, by the version that stands in its turn's event.
//!
//! To change a sentence: copy the function that renders it into a file of this folder named
//! after the version that ends (`v3.rs`), enter that copy below, and raise
//! [`RENDERER_VERSION`](crate::guard::RENDERER_VERSION). Where only the text of a message changes, the
//! old one goes into an [`Edition`](crate::locales::Edition) instead. The stored turns of
//! `tests/turns/` fail until that is done.

mod v10;
mod v3;
mod v4;
mod v5;
mod v6;
mod v7;
mod v8;
mod v9;

use crate::domain::Lang;
use crate::guard::compose::{Composed, Composition, compose};
use crate::guard::lines::receipt_line;
use crate::turn::SuccessProof;

/// Functions that compute replies of one version again.
pub(super) struct Renderer {
    /// The lines of a receipt.
    pub(super) line: fn(SuccessProof<'_>, Lang) -> String,
    /// The whole reply; none where the log does not keep what else it was composed from.
    pub(super) compose: Option<fn(&Composition<'_>) -> Composed>,
}

impl Renderer {
    /// The renderer of this program.
    pub(super) fn present() -> Self {
        Self {
            line: receipt_line,
            compose: Some(compose),
        }
    }
}

/// The renderer of a version; none when this program does not know it.
pub(super) fn renderer(version: &str) -> Option<Renderer> {
    let compose = match version {
        // What surrounds the lines of receipts has changed since, and was not kept. The lines
        // themselves have not.
        "1" | "2" => None,
        "3" => Some(v3::compose as fn(&Composition<'_>) -> Composed),
        "4" => Some(v4::compose as fn(&Composition<'_>) -> Composed),
        "5" => Some(v5::compose as fn(&Composition<'_>) -> Composed),
        "6" => Some(v6::compose as fn(&Composition<'_>) -> Composed),
        "7" => {
            return Some(Renderer {
                line: v7::line,
                compose: Some(v7::compose),
            });
        }
        "8" => {
            return Some(Renderer {
                line: v8::line,
                compose: Some(v8::compose),
            });
        }
        "9" => {
            return Some(Renderer {
                line: v9::line,
                compose: Some(v9::compose),
            });
        }
        "10" => {
            return Some(Renderer {
                line: v10::line,
                compose: Some(v10::compose),
            });
        }
        "11" => return Some(Renderer::present()),
        _ => return None,
    };
    let line = v6::line;
    Some(Renderer { line, compose })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_present_renderer_is_known_and_computes_whole_replies() {
        let present = renderer(crate::guard::RENDERER_VERSION).unwrap();
        assert!(present.compose.is_some());
        assert!(renderer("1").is_some_and(|first| first.compose.is_none()));
        assert!(renderer("").is_none() && renderer("30").is_none());
    }
}
