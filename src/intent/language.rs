//! Grammars worth trying on a message, likeliest first.

use crate::domain::Lang;
use crate::domain::text::Text;

use super::grammar::lexicon::ones;
use super::grammar::words::Words;
use super::grammar::{Class, Grammar, Grammars, Tongue};

/// Weight of a word that only one language has; one that several have counts 1.
const TELLING: u32 = 3;

/// Language to try, with how much of a message its grammar knows.
pub(super) struct Guess<'g> {
    /// The language.
    pub lang: Lang,
    tongue: &'g Tongue,
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
    let always = |lang: Lang| lang == hint || lang == Lang::En;
    let mut guesses: Vec<Guess<'_>> = grammars
        .iter()
        .map(|tongue| Guess::new(tongue, grammars))
        .collect();
    let tried = guesses.iter().enumerate().fold(0, |bits: u8, (at, guess)| {
        bits | u8::from(always(guess.lang)) << at
    });
    // Many words are known to the same grammars: they are counted together.
    let mut known = [0_u32; 256];
    let mut met = [0_u64; 4];
    for word in &words.list {
        let speakers = usize::from(grammars.speakers(word.id));
        if let (Some(count), Some(met)) = (known.get_mut(speakers), met.get_mut(speakers / 64)) {
            *count += 1;
            *met |= 1 << (speakers % 64);
        }
    }
    let met = met.into_iter().zip([0, 64, 128, 192]);
    let met = met.flat_map(|(met, slot)| ones(met).map(move |bit| slot + bit));
    for place in met.filter(|place| *place > 0) {
        let count = known.get(place).copied().unwrap_or_default();
        let speakers = u8::try_from(place).unwrap_or_default();
        let telling = speakers.is_power_of_two();
        let strange = speakers & tried == 0;
        for (place, guess) in guesses.iter_mut().enumerate() {
            if speakers >> place & 1 == 1 {
                guess.score += count * if telling { TELLING } else { 1 };
                guess.tells |= telling;
                guess.strange |= strange;
            }
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
    let likely = |guess: &Guess<'_>| guess.tells || guess.score > enough || always(guess.lang);
    let (likely, others): (Vec<_>, Vec<_>) = guesses.into_iter().partition(likely);
    let strange = others.into_iter().filter(|guess| guess.strange);
    let mut strange: Vec<_> = strange.collect();
    let most = strange.first().map_or(0, |guess| guess.score);
    strange.retain(|guess| guess.score == most);
    (likely, strange)
}

/// The languages whose grammars know each token of a message: one bit each, in the order of
/// [`Lang::ALL`]. Quotations are nobody's words.
pub fn known_words(text: &Text<'_>) -> Vec<u8> {
    let grammars = Grammars::load();
    let words = Words::new(text, &grammars.lexicon);
    let mut known = vec![0; text.tokens.len()];
    for word in &words.list {
        let at = word.token as usize;
        let quoted = text.tokens.get(at).is_none_or(|token| token.quoted);
        if let Some(bits) = known.get_mut(at).filter(|_| !quoted) {
            *bits |= grammars.speakers(word.id);
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
    let spoken = (0..).zip(grammars.iter());
    let spoken = spoken.filter(|(place, _)| speakers >> place & 1 == 1);
    let grammar = |tongue: &'static Tongue| tongue.grammar(&grammars.lexicon);
    let mut own = spoken
        .filter(|(_, tongue)| grammar(tongue).has(Class::Sentence, word.id))
        .map(|(_, tongue)| tongue.lang);
    own.next().filter(|_| own.next().is_none())
}

impl<'g> Guess<'g> {
    fn new(tongue: &'g Tongue, grammars: &'g Grammars) -> Self {
        Self {
            lang: tongue.lang,
            tongue,
            grammars,
            score: 0,
            tells: false,
            strange: false,
        }
    }

    /// Its grammar, read now if it was not yet.
    pub(super) fn grammar(&self) -> &'g Grammar {
        self.tongue.grammar(&self.grammars.lexicon)
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
