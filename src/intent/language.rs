//! Grammars worth trying on a message, likeliest first.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::domain::text::Text;
use crate::domain::{Lang, LangSet};

use super::grammar::{Class, Grammar, Grammars};
use crate::language::words::Words;

/// Weight of a word that only one language has; one that several have counts 1.
const TELLING: u32 = 3;

/// Language to try, with how much of a message its grammar knows.
pub(super) struct Guess<'g> {
    /// The language.
    pub lang: Lang,
    grammars: &'g Grammars,
    /// Weight of the words of the message that it knows.
    pub score: u32,
    /// Set when it knows a word that no other language has.
    tells: bool,
    /// Set when it knows a word that none of those tried anyway has.
    strange: bool,
}

/// The grammars to try: the hint's, English, those that know more of the message than English
/// does, and those with a word of their own in it. The one that knows most of the words comes first.
///
/// Behind them, and only for what none of them can read: those with a word that neither English nor
/// the hint has, the ones that know most. "elimina" is three languages' word: "elimina Polish the
/// piano".
pub(super) fn candidates<'g>(
    words: &Words,
    grammars: &'g Grammars,
    hint: Lang,
) -> (Vec<Guess<'g>>, Vec<Guess<'g>>) {
    let always = LangSet::of(hint) | LangSet::of(Lang::En);
    let mut guesses = Lang::ALL.map(|lang| Guess::new(lang, grammars));
    // Many words are known to the same grammars: they are counted together.
    let mut known: HashMap<LangSet, u32, FxBuildHasher> = HashMap::default();
    for word in &words.list {
        *known.entry(grammars.speakers(word.id)).or_default() += 1;
    }
    for (speakers, count) in known {
        let telling = speakers.len() == 1;
        let strange = !speakers.meets(always);
        for guess in guesses.iter_mut().filter(|guess| speakers.has(guess.lang)) {
            guess.score += count * if telling { TELLING } else { 1 };
            guess.tells |= telling;
            guess.strange |= strange;
        }
    }
    let english = guesses.iter().find(|guess| guess.lang == Lang::En);
    let enough = english.map_or(0, |guess| guess.score);
    let preference = |lang: Lang| match lang {
        _ if lang == hint => 0,
        Lang::En => 1,
        _ => 2,
    };
    guesses.sort_by_key(|guess| (u32::MAX - guess.score, preference(guess.lang)));
    let likely = |guess: &Guess<'_>| guess.tells || guess.score > enough || always.has(guess.lang);
    let (likely, others): (Vec<_>, Vec<_>) = guesses.into_iter().partition(likely);
    let strange = others.into_iter().filter(|guess| guess.strange);
    let mut strange: Vec<_> = strange.collect();
    let most = strange.first().map_or(0, |guess| guess.score);
    strange.retain(|guess| guess.score == most);
    (likely, strange)
}

/// The languages whose grammars know each token of a message. Quotations are nobody's words.
pub fn known_words(text: &Text<'_>) -> Vec<LangSet> {
    let grammars = Grammars::load();
    let words = Words::new(text, &grammars.lexicon);
    let mut known = vec![LangSet::default(); text.tokens.len()];
    for word in &words.list {
        let at = word.token as usize;
        let quoted = text.tokens.get(at).is_none_or(|token| token.quoted);
        // The "2" of "anything 2 do" is English no more than any other.
        let figure = text.word(at).starts_with(|c: char| c.is_ascii_digit());
        if let Some(languages) = known.get_mut(at).filter(|_| !quoted && !figure) {
            *languages |= grammars.speakers(word.id);
        }
    }
    known
}

/// The language of a message of one word that only the sentences of one have: "ciao", "merci".
pub fn lone_language(message: &str) -> Option<Lang> {
    let grammars = Grammars::load();
    let text = Text::new(message);
    let words = Words::new(&text, &grammars.lexicon);
    let [word] = words.list.as_slice() else {
        return None;
    };
    let speakers = grammars.speakers(word.id);
    let own = |lang: &Lang| speakers.has(*lang) && grammars.of(*lang).has(Class::Sentence, word.id);
    let mut own = Lang::ALL.into_iter().filter(own);
    own.next().filter(|_| own.next().is_none())
}

impl<'g> Guess<'g> {
    fn new(lang: Lang, grammars: &'g Grammars) -> Self {
        Self {
            lang,
            grammars,
            score: 0,
            tells: false,
            strange: false,
        }
    }

    /// Its grammar, read now if it was not yet.
    pub(super) fn grammar(&self) -> &'g Grammar {
        self.grammars.of(self.lang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_alone_is_of_the_language_whose_sentences_have_it() {
        for (message, lang) in [
            ("ciao", Some(Lang::It)),
            ("grazie!", Some(Lang::It)),
            ("hola", Some(Lang::Es)),
            ("merci", Some(Lang::Fr)),
            ("danke", Some(Lang::De)),
            ("obrigado", Some(Lang::Pt)),
            ("shukriya", Some(Lang::Ur)),
            ("milk", None),
            ("ciao bella", None),
            ("", None),
        ] {
            assert_eq!(lone_language(message), lang, "{message}");
        }
    }
}
