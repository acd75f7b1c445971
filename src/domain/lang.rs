//! The languages a message may be read in and a reply may be written in.

use serde::{Deserialize, Serialize};

/// A language that messages are read and replies are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English: the default, and what an unknown hint means.
    #[default]
    En,
    /// Roman Urdu: Urdu in Latin letters.
    Ur,
    /// German.
    De,
    /// Spanish.
    Es,
    /// French.
    Fr,
    /// Italian.
    It,
    /// Portuguese.
    Pt,
}

impl Lang {
    /// Every language, in the order the grammars are tried.
    pub const ALL: [Self; 7] = [
        Self::En,
        Self::Ur,
        Self::De,
        Self::Es,
        Self::Fr,
        Self::It,
        Self::Pt,
    ];

    /// Reads a hint such as `ur`, `de-DE` or `pt_BR`; anything unknown is English.
    pub fn from_hint(hint: &str) -> Self {
        Self::known(hint).unwrap_or_default()
    }

    /// Reads a hint such as `ur`, `de-DE` or `pt_BR`; an unknown one is none.
    pub fn known(hint: &str) -> Option<Self> {
        let primary = hint.split(['-', '_']).next().unwrap_or_default();
        let mut all = Self::ALL.into_iter();
        all.find(|lang| lang.code().eq_ignore_ascii_case(primary))
    }

    /// Tells whether its sentences end in their verb: "doodh delete karo".
    pub const fn ends_in_verb(self) -> bool {
        matches!(self, Self::Ur)
    }

    /// The primary language subtag (BCP 47).
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ur => "ur",
            Self::De => "de",
            Self::Es => "es",
            Self::Fr => "fr",
            Self::It => "it",
            Self::Pt => "pt",
        }
    }
}
