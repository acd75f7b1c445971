//! The languages that messages are read and replies are written in.
//!
//! A language is one line in [`Lang`], a folder here with the words it is read by, and its texts
//! in `src/locales`. `docs/LANGUAGE.md` tells how to add one.

mod set;
pub(crate) mod spelling;
mod words;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

pub use set::LangSet;
pub(crate) use words::{WordFault, WordFile};
#[cfg(test)]
pub(crate) use words::{assert_sound, assert_used};

/// The files of one language. An empty one says nothing: then none of its words are read so.
#[derive(Debug)]
pub(crate) struct Files {
    /// Commands that are read with certainty.
    pub orders: WordFile,
    /// Sentences about agents.
    pub delegation: WordFile,
    /// Words that are evidence for a deed, or against one.
    pub cues: WordFile,
    /// Questions about what was done and what is so.
    pub past: WordFile,
    /// Words that a model's prose is judged by.
    pub talk: WordFile,
    /// Words of days, times and repetition.
    pub dates: WordFile,
    /// Words of references: parts of titles, places in a list, pointers.
    pub references: WordFile,
    /// Short forms of words, and verbs that are written in one with the word before them.
    pub spelling: WordFile,
    /// Texts of replies, then those of the web page.
    pub texts: &'static str,
}

macro_rules! languages {
    ($($(#[$meta:meta])* $lang:ident $code:literal $tag:literal $name:literal $own:literal,)*) => {
        /// A language that messages are read and replies are written in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
        pub enum Lang {
            $($(#[$meta])* #[serde(rename = $code)] $lang,)*
        }

        impl Lang {
            /// Every language, in the order the grammars are tried.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$lang),*];

            /// Words that choose the language of replies: `auto`, and the codes of all.
            pub const CHOICES: &'static str = concat!("auto", $(", ", $code),*);

            /// The primary language subtag (BCP 47).
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$lang => $code,)*
                }
            }

            /// Its tag in HTML, with its script where that is not the usual one (BCP 47).
            pub const fn tag(self) -> &'static str {
                match self {
                    $(Self::$lang => $tag,)*
                }
            }

            /// Its name, as a model is told it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$lang => $name,)*
                }
            }

            /// Its name, as its speakers call it.
            pub const fn own_name(self) -> &'static str {
                match self {
                    $(Self::$lang => $own,)*
                }
            }

            /// Its files.
            pub(crate) const fn files(self) -> &'static Files {
                match self {
                    $(Self::$lang => &Files {
                        orders: word_file!($code, "orders"),
                        delegation: word_file!($code, "delegation"),
                        cues: word_file!($code, "cues"),
                        past: word_file!($code, "past"),
                        talk: word_file!($code, "talk"),
                        dates: word_file!($code, "dates"),
                        references: word_file!($code, "references"),
                        spelling: word_file!($code, "spelling"),
                        texts: concat!(
                            include_str!(concat!("../locales/", $code, ".ftl")),
                            include_str!(concat!("../locales/page/", $code, ".ftl")),
                        ),
                    },)*
                }
            }
        }
    };
}

macro_rules! word_file {
    ($code:literal, $name:literal) => {
        WordFile {
            path: concat!("src/languages/", $code, "/", $name, ".txt"),
            text: include_str!(concat!($code, "/", $name, ".txt")),
        }
    };
}

// One line a language, in the order the grammars are tried: its code, its tag in HTML, its name for a
// model, and its own name.
languages! {
    /// English: the default, and what an unknown hint means.
    #[default]
    En "en" "en" "English" "English",
    /// Urdu, written in Latin letters.
    Ur "ur" "ur-Latn" "Roman Urdu (Urdu in Latin letters)" "Roman Urdu",
    /// German, with "du" and with "Sie".
    De "de" "de" "German" "Deutsch",
    /// Spanish of every country.
    Es "es" "es" "Spanish" "Español",
    /// French, with "tu" and with "vous".
    Fr "fr" "fr" "French" "Français",
    /// Italian, with "tu" and with "Lei".
    It "it" "it" "Italian" "Italiano",
    /// Portuguese of Brazil and of Portugal.
    Pt "pt" "pt" "Portuguese" "Português",
}

impl Lang {
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

    /// Its habits of grammar.
    pub(crate) fn habits(self) -> GrammarHabits {
        static HABITS: PerLang<GrammarHabits> = PerLang::new(GrammarHabits::of);
        *HABITS.of(self)
    }

    /// Every language, this one first.
    pub fn first(self) -> [Self; Self::ALL.len()] {
        let mut all = Self::ALL;
        all.sort_by_key(|lang| *lang != self);
        all
    }
}

/// Habits of grammar that a language has: `habit = ends in verb | …` among its orders.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GrammarHabits {
    /// Its sentences end in their verb: "doodh delete karo".
    pub ends_in_verb: bool,
    /// None is counted as well: "You have 0 pending tasks."
    pub counts_none: bool,
    /// Its "no" never denies a noun behind it: "nein essay", "non essay".
    pub denies_no_noun: bool,
}

impl GrammarHabits {
    fn of(lang: Lang) -> Self {
        let mut habits = Self::default();
        for (_, line) in lang.files().orders.lines() {
            if let Some(names) = Self::named_in(line) {
                habits.take(names);
            }
        }
        habits
    }

    /// The names of habits in a line of `orders.txt`, where it is one of habits.
    pub(crate) fn named_in(line: &str) -> Option<&str> {
        let (key, names) = line.split_once('=')?;
        (key.trim_end() == "habit").then_some(names)
    }

    /// Takes on the habits that a line names; none where one of them is no habit.
    pub(crate) fn take(&mut self, names: &str) -> Option<()> {
        for name in names.split('|') {
            match name.trim() {
                "ends in verb" => self.ends_in_verb = true,
                "counts none" => self.counts_none = true,
                "denies no noun" => self.denies_no_noun = true,
                _ => return None,
            }
        }
        Some(())
    }
}

/// Values of the languages, each made when it is first asked for.
#[derive(Debug)]
pub(crate) struct PerLang<T> {
    values: [OnceLock<T>; Lang::ALL.len()],
    make: fn(Lang) -> T,
}

impl<T> PerLang<T> {
    pub(crate) const fn new(make: fn(Lang) -> T) -> Self {
        let values = [const { OnceLock::new() }; Lang::ALL.len()];
        Self { values, make }
    }

    /// The value of a language.
    #[expect(
        clippy::indexing_slicing,
        reason = "there is a place for every language"
    )]
    pub(crate) fn of(&self, lang: Lang) -> &T {
        self.values[lang as usize].get_or_init(|| (self.make)(lang))
    }

    /// The values of all, in the order of [`Lang::ALL`].
    pub(crate) fn all(&self) -> impl Iterator<Item = &T> {
        Lang::ALL.into_iter().map(|lang| self.of(lang))
    }
}
