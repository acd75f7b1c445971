//! Conditions that stand before an order.

use super::grammar::{Class, Grammars};
use super::message_words::MessageWords;
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::language::words::Words;

/// Tells whether words open a condition. One that speaks of the listener ("if you can") is politeness.
///
/// ```
/// use candor::domain::Lang;
/// use candor::intent::waits;
/// assert!(waits("ok, if it rains", Lang::En) && waits("wenn es regnet", Lang::De));
/// assert!(!waits("if you can", Lang::En) && !waits("sí", Lang::Es));
/// ```
pub fn waits(words: &str, lang: Lang) -> bool {
    let grammars = Grammars::load();
    let text = Text::new(words);
    let words = MessageWords {
        words: &Words::new(&text, &grammars.lexicon),
        text: &text,
        grammar: grammars.of(lang),
    };
    let mut condition = 0..words.words.list.len();
    let fills = [Class::And, Class::Lead, Class::Request];
    while fills.iter().any(|class| words.is(*class, condition.start)) {
        condition.start += 1;
    }
    let end = words.starts(Class::Waits, condition.clone());
    // A lone "si" is a yes.
    end.is_some_and(|end| end < condition.end)
        && !condition
            .into_iter()
            .any(|at| words.is(Class::Listener, at))
}
