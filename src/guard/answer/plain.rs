//! A yes or a no in words of its own, and what goes on behind it.

use super::indices;
use crate::domain::text::{Text, fold};
use crate::guard::evidence::message::{joins, only_tells, said_again};
use crate::guard::licence::Situation;
use crate::intent::{Act, Clause, Fragment, plain_answer};
use crate::resolver::{Among, Words, title_words};
use crate::tools::Plan;
use crate::turn::ServerQuestion;

/// Reads a yes or a no that says nothing else, whatever words of the question it repeats: "haan yaar hata
/// do", "jo weg damit", "non garde-les".
pub(super) fn plainly(
    asked: &ServerQuestion,
    message: &str,
    situation: &Situation<'_>,
) -> Option<bool> {
    let key = fold(message);
    let titled = indices(asked, |title| fold(title) == key);
    let named = !titled.is_empty() || !situation.tasks.titled(&key, Among::All).is_empty();
    if named || message.contains(['?', '؟', '？', '"', '“', '”']) {
        return None;
    }
    let shows = |signs: &[char]| message.contains(signs);
    if !message.contains(char::is_alphanumeric) && (shows(&AGREES) || shows(&DECLINES)) {
        return (shows(&AGREES) != shows(&DECLINES)).then(|| shows(&AGREES));
    }
    let text = Text::new(message);
    let plans = || asked.items.iter().flat_map(|item| &item.plans);
    let verbs = plans().filter_map(|plan| match plan {
        Plan::Change(plan) => Some(plan.verb),
        _ => None,
    });
    let adds = plans().any(|plan| matches!(plan, Plan::Add(_)));
    plain_answer(&text, &said_again(&text, &verbs.collect::<Vec<_>>(), adds))
}

/// Signs that alone say a yes.
const AGREES: [char; 6] = ['👍', '👌', '✅', '✔', '🆗', '💯'];

/// Signs that alone say a no.
const DECLINES: [char; 8] = ['👎', '🛑', '❌', '🙅', '🚫', '⛔', '✋', '✖'];

/// Tells whether what stands behind a consent asks for something: what only tells of something does where it is
/// joined, and of something else: "yes, and we need eggs".
pub(super) fn goes_on(asked: &ServerQuestion, rest: &[Clause], message: &str) -> bool {
    let (Some(first), Some(last)) = (rest.first(), rest.last()) else {
        return false;
    };
    let said = message.get(first.bytes.start..last.bytes.end);
    let said = said.unwrap_or_default();
    let before = message.get(..first.bytes.start).unwrap_or_default();
    let named = asked.items.iter().map(|item| Words::of(&item.title));
    let named: Vec<Words> = named.collect();
    let mut words = title_words(said).into_iter();
    let adds = |act: &Act| matches!(act, Act::Add(_) | Act::Wish(_));
    let also = matches!(first.act, Act::Fragment(Fragment::Also { .. }));
    !only_tells(said, also)
        || joins(before, said)
            && adds(&first.act)
            && !words.any(|word| named.iter().any(|title| title.contains(&word)))
}
