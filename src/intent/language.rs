//! Which grammars are worth trying on a message, likeliest first.

use crate::domain::Lang;

use super::grammar::words::Words;
use super::grammar::{Grammar, Grammars};

/// What a word that only one language has counts; one that several have counts 1.
const TELLING: u32 = 3;

/// How well a grammar knows a message.
struct Guess<'g> {
    grammar: &'g Grammar,
    score: u32,
    /// It knows a word that no other language has.
    tells: bool,
}

/// The grammars to try: the hint's, English, those that know more of the message than English
/// does, and those with a word of their own in it.
/// The one that knows most of the words comes first.
pub(super) fn candidates<'g>(
    words: &Words,
    grammars: &'g Grammars,
    hint: Lang,
) -> Vec<&'g Grammar> {
    let always = |lang: Lang| lang == hint || lang == Lang::En;
    let mut guesses: Vec<Guess<'_>> = grammars.iter().map(Guess::new).collect();
    for word in &words.list {
        let speakers = grammars.speakers(word.id);
        if speakers == 0 {
            continue;
        }
        let telling = speakers.is_power_of_two();
        for (place, guess) in guesses.iter_mut().enumerate() {
            if speakers >> place & 1 == 1 {
                guess.score += if telling { TELLING } else { 1 };
                guess.tells |= telling;
            }
        }
    }
    let english = guesses.iter().find(|guess| guess.grammar.lang == Lang::En);
    let enough = english.map_or(0, |guess| guess.score);
    guesses.retain(|guess| guess.tells || guess.score > enough || always(guess.grammar.lang));
    let preference = |lang: Lang| match lang {
        _ if lang == hint => 0,
        Lang::En => 1,
        _ => 2,
    };
    guesses.sort_by_key(|guess| (u32::MAX - guess.score, preference(guess.grammar.lang)));
    guesses.into_iter().map(|guess| guess.grammar).collect()
}

impl<'g> Guess<'g> {
    fn new(grammar: &'g Grammar) -> Self {
        Self {
            grammar,
            score: 0,
            tells: false,
        }
    }
}
