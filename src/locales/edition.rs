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
    /// Texts of this program.
    Present,
    /// Texts of version 6, and of all before it.
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

#[cfg(test)]
mod tests {
    use fluent_bundle::FluentResource;

    use super::*;
    use crate::locales::{localized, source};

    #[test]
    fn each_older_text_is_another_text_of_a_message_there_is() {
        for lang in Lang::ALL {
            let texts = Edition::Six.texts(lang);
            let read = FluentResource::try_new(texts.to_owned());
            assert!(read.is_ok(), "{lang:?}: {:?}", read.err());
            let present = format!("\n{}", source(lang));
            for part in texts.split("\n\n").flat_map(|part| part.lines()) {
                let Some((name, _)) = part.split_once(" = ") else {
                    continue;
                };
                if !name.starts_with(' ') {
                    assert!(
                        present.contains(&format!("\n{name} = ")),
                        "{lang:?}: {name}"
                    );
                }
            }
        }
        assert!(Edition::Six.texts(Lang::De).contains("cause-none-such"));
        assert_eq!(Edition::Present.texts(Lang::De), "");
    }

    #[test]
    fn an_edition_is_spoken_as_long_as_it_says_something() {
        let say = || localized!(Lang::De, "cause-none-such");
        assert_eq!(say(), "Es gibt keine");
        assert_eq!(Edition::Six.says(say), "das gibt es nicht");
        assert_eq!(say(), "Es gibt keine");
    }
}
