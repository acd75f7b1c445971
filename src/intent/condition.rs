//! Conditions that stand before an order.

use super::grammar::{Class, Grammars, Line};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::language::matcher::{Finish, Matcher};
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
    let Some(tongue) = grammars.iter().find(|tongue| tongue.lang == lang) else {
        return false;
    };
    let grammar = tongue.grammar(&grammars.lexicon);
    let words = Words::new(&Text::new(words), &grammars.lexicon);
    let all = 0..words.list.len();
    let is = |class, at: usize| grammar.is(class, words.list.get(at));
    let fills = |at: usize| {
        [Class::And, Class::Lead, Class::Request]
            .iter()
            .any(|class| is(*class, at))
    };
    let line = Line {
        grammar,
        words: &words.list,
        dates: &[],
        times: &[],
        sentence: &all,
    };
    let first = all.clone().find(|at| !fills(*at));
    first.is_some_and(|first| {
        let condition = first..all.end;
        let end = grammar.starts(
            Class::Waits,
            &mut Matcher::new(),
            &line,
            condition.clone(),
            Finish::Anywhere,
        );
        // A lone "si" is a yes.
        end.is_some_and(|end| end < all.end)
            && !condition.into_iter().any(|at| is(Class::Listener, at))
    })
}
