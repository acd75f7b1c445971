//! Tells whether what is told to be done is what a task asks for: who "emailed mom" has not done
//! "Call mom".

use crate::domain::Lang;
use crate::domain::text::Text;

use super::grammar::{Class, Grammars};
use crate::language::lexicon::WordId;
use crate::language::words::Words;

/// Tells whether the words `said` are of another deed than the title does: both have a verb, and
/// neither verb may stand for the other. Words of both say nothing of it.
///
/// ```
/// use candor::domain::Lang;
/// use candor::intent::tells_another;
/// assert!(tells_another("emailed mom", "Call mom", Lang::En));
/// assert!(!tells_another("called mom", "Call mom", Lang::En));
/// assert!(!tells_another("bought milk", "Milk", Lang::En));
/// ```
pub fn tells_another(said: &str, title: &str, lang: Lang) -> bool {
    let grammars = Grammars::load();
    let grammar = grammars.of(lang);
    let ids = |text: &str| -> Vec<WordId> {
        let words = Words::new(&Text::new(text), &grammars.lexicon);
        words.list.iter().map(|word| word.id).collect()
    };
    let (said, title) = (ids(said), ids(title));
    // "I got the essay done": whatever it takes.
    if said.iter().any(|id| grammar.has(Class::DoneWord, *id)) {
        return false;
    }
    let deeds = |words: &[WordId], others: &[WordId]| {
        let own = words.iter().filter(|id| !others.contains(id));
        own.fold(0, |bits, id| bits | grammar.deeds(*id))
    };
    let (told, asked) = (deeds(&said, &title), deeds(&title, &said));
    told != 0 && asked != 0 && told & asked == 0
}
