//! Texts that messages had in replies of earlier versions: a reply is computed again in the words in
//! which it was told.

use std::cell::Cell;

use crate::domain::Lang;

/// Texts that have changed since version 6, a part a language.
const SIX: &str = include_str!("v6.ftl");

thread_local! {
    static NOW: Cell<Edition> = const { Cell::new(Edition::Present) };
}

/// Texts of some version of the renderer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edition {
    /// Those of this program.
    Present,
    /// Those of version 6, and of all before it.
    Six,
}

impl Edition {
    /// The edition that is spoken now.
    pub(crate) fn now() -> Self {
        NOW.get()
    }

    /// Runs `say`, all of whose messages have the texts of this edition.
    pub(crate) fn says<T>(self, say: impl FnOnce() -> T) -> T {
        struct Back(Edition);
        impl Drop for Back {
            fn drop(&mut self) {
                NOW.set(self.0);
            }
        }
        let _back = Back(NOW.replace(self));
        say()
    }

    /// The messages of a language that had another text in this edition.
    pub(super) fn texts(self, lang: Lang) -> &'static str {
        if self == Self::Present {
            return "";
        }
        let mut parts = SIX.split("\n### ");
        let part = parts.find_map(|part| part.strip_prefix(lang.code()));
        part.filter(|part| part.starts_with('\n'))
            .unwrap_or_default()
    }
}
