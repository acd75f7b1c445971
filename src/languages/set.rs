//! Sets of languages.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use super::Lang;

/// A set of languages, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LangSet(u64);

// A bit for each of them.
const _: () = assert!(Lang::ALL.len() <= u64::BITS as usize);

impl LangSet {
    /// The set of one.
    pub const fn of(lang: Lang) -> Self {
        Self(1 << lang as u64)
    }

    /// Tells whether a language is in it.
    pub const fn has(self, lang: Lang) -> bool {
        self.meets(Self::of(lang))
    }

    /// Tells whether it has a language in common with `other`.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The number of languages in it.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Tells whether none is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl BitAnd for LangSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for LangSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for LangSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl FromIterator<Lang> for LangSet {
    fn from_iter<I: IntoIterator<Item = Lang>>(langs: I) -> Self {
        langs
            .into_iter()
            .map(Self::of)
            .fold(Self::default(), BitOr::bitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_every_language_apart() {
        for lang in Lang::ALL {
            let others: LangSet = Lang::ALL
                .into_iter()
                .filter(|other| *other != lang)
                .collect();
            assert_eq!(others.len() as usize, Lang::ALL.len() - 1);
            assert!(!others.has(lang) && !others.meets(LangSet::of(lang)));
            assert!((others | LangSet::of(lang)).has(lang));
        }
        assert!(LangSet::default().is_empty());
    }
}
