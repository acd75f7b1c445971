//! Which grammars are worth trying on a message, likeliest first.

use crate::domain::Lang;

use super::grammar::words::Words;
use super::grammar::{Grammar, Grammars};

/// A word that only one language has counts this much more than one that several have.
const TELLING: u32 = 2;

/// The grammars to try: those that know more of the words than English does, the hint's,
/// English.
pub(super) fn candidates<'g>(
    words: &Words,
    grammars: &'g Grammars,
    hint: Lang,
) -> Vec<&'g Grammar> {
    let mut scored: Vec<(u32, &Grammar)> = grammars
        .iter()
        .map(|grammar| (score(words, grammar), grammar))
        .collect();
    let english = scored.iter().find(|(_, grammar)| grammar.lang == Lang::En);
    let enough = english.map_or(0, |(score, _)| *score);
    scored.retain(|(score, grammar)| {
        *score > enough || grammar.lang == hint || grammar.lang == Lang::En
    });
    scored.sort_by_key(|(score, grammar)| {
        let preferred = if grammar.lang == hint {
            0
        } else if grammar.lang == Lang::En {
            1
        } else {
            2
        };
        (u32::MAX - *score, preferred)
    });
    scored.into_iter().map(|(_, grammar)| grammar).collect()
}

fn score(words: &Words, grammar: &Grammar) -> u32 {
    words
        .list
        .iter()
        .map(|word| match grammar.knows(word.id) {
            (true, true) => 1 + TELLING,
            (true, false) => 1,
            _ => 0,
        })
        .sum()
}
