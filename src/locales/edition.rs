//! Texts that messages had in replies of earlier versions: a reply is computed again in the words in
//! which it was told.

use std::cell::Cell;

use crate::domain::Lang;

/// Texts that have changed since version 6, a part a language.
const SIX: &str = include_str!("v6.ftl");
/// Texts that have changed since version 7.
const SEVEN: &str = include_str!("v7.ftl");
/// Texts that have changed since version 8.
const EIGHT: &str = include_str!("v8.ftl");
/// Texts that have changed since version 9.
const NINE: &str = include_str!("v9.ftl");
/// Texts that have changed since version 10.
const TEN: &str = include_str!("v10.ftl");

thread_local! {
    static NOW: Cell<Edition> = const { Cell::new(Edition::Present) };
}

/// Texts of some version of the renderer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edition {
    /// Texts of this program.
    Present,
    /// Texts of version 10.
    Ten,
    /// Texts of version 9.
    Nine,
    /// Texts of version 8.
    Eight,
    /// Texts of version 7.
    Seven,
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

    /// The messages of a language that had another text in this edition; of two texts of one the
    /// latter is meant.
    pub(super) fn texts(self, lang: Lang) -> impl Iterator<Item = &'static str> {
        let editions: &[&str] = match self {
            Self::Present => &[],
            Self::Ten => &[TEN],
            Self::Nine => &[TEN, NINE],
            Self::Eight => &[TEN, NINE, EIGHT],
            Self::Seven => &[TEN, NINE, EIGHT, SEVEN],
            Self::Six => &[TEN, NINE, EIGHT, SEVEN, SIX],
        };
        editions.iter().filter_map(move |texts| {
            let mut parts = texts.split("\n### ");
            let part = parts.find_map(|part| part.strip_prefix(lang.code()))?;
            part.starts_with('\n').then_some(part)
        })
    }
}

#[cfg(test)]
mod tests {
    use fluent_bundle::FluentResource;

    use super::*;
    use crate::locales::{localized, source};

    #[test]
    fn each_older_text_is_another_text_of_a_message_there_is() {
        let all = Lang::ALL.into_iter();
        for (lang, texts) in
            all.flat_map(|lang| Edition::Six.texts(lang).map(move |text| (lang, text)))
        {
            let read = FluentResource::try_new(texts.to_owned());
            assert!(read.is_ok(), "{lang:?}: {:?}", read.err());
            let present = format!("\n{}", source(lang));
            let names = texts.lines().filter_map(|line| line.split_once(" = "));
            for (name, _) in names.filter(|(name, _)| !name.starts_with(' ')) {
                let kept = format!("\n{name} = ");
                assert!(present.contains(&kept), "{lang:?}: {name}");
            }
        }
        let mut six = Edition::Six.texts(Lang::De);
        assert!(six.any(|texts| texts.contains("cause-none-such")));
        assert_eq!(Edition::Present.texts(Lang::De).count(), 0);
    }

    #[test]
    fn an_edition_is_spoken_as_long_as_it_says_something() {
        let say = || localized!(Lang::De, "cause-none-such");
        assert_eq!(say(), "Es gibt keine");
        assert_eq!(Edition::Six.says(say), "das gibt es nicht");
        assert_eq!(say(), "Es gibt keine");
        let refused = || localized!(Lang::En, "cause-none-such");
        assert_eq!(refused(), "there are none");
        for edition in [Edition::Eight, Edition::Seven, Edition::Six] {
            assert_eq!(edition.says(refused), "there is none");
        }
        let days = || localized!(Lang::En, "days", from = "Mon", to = "Tue");
        assert_eq!(days(), "from Mon to Tue");
        assert_eq!(Edition::Seven.says(days), "Mon to Tue");
        assert_eq!(Edition::Six.says(days), "Mon to Tue");
        let noted = || localized!(Lang::En, "note-added");
        assert_eq!(noted(), "note added");
        for edition in [Edition::Nine, Edition::Eight, Edition::Six] {
            assert_eq!(edition.says(noted), "note changed");
        }
    }
}
