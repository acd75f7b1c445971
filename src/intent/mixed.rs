//! Sentences of one language about a title of another: "mark doodh lana as pending".
//!
//! Two grammars may read such a message. What the one takes for the end of a title ("as pending")
//! is to the other a part of the sentence; then the other is right.

use std::ops::Range;

use crate::domain::Lang;
use crate::domain::text::Text;

use super::grammar::{Grammar, Grammars};
use super::reader::{Stretch, parts_of};
use super::{Act, Clause, Reading, Target};
use crate::language::words::Words;

/// Tells whether `other` knows a word of the message that `grammar` doesn't.
pub(super) fn may_know(words: &Words, grammar: &Grammar, other: &Grammar) -> bool {
    let mut words = words.list.iter();
    words.any(|word| !grammar.knows(word.id) && other.knows(word.id))
}

/// The sentences and lines whose clauses name a title, which another language might read better.
pub(super) fn titled(
    reading: &Reading,
    text: &Text<'_>,
    words: &Words,
    stretches: &[Stretch],
) -> Vec<Range<usize>> {
    let clauses = reading.clauses.iter();
    let titled: Vec<_> = clauses.filter(|clause| title(clause).is_some()).collect();
    let mut parts = if titled.is_empty() {
        Vec::new()
    } else {
        parts_of(stretches)
    };
    parts.retain(|part| {
        let bytes = text.bytes(words.tokens(part.clone())).unwrap_or_default();
        let meets =
            |clause: &&Clause| clause.bytes.start < bytes.end && bytes.start < clause.bytes.end;
        titled.iter().any(meets)
    });
    parts
}

/// Tells whether `theirs` reads as a part of the sentence what `ours` has at the edge of a title:
/// in words that `grammar` doesn't know and `other` does, or in English, whose words stand in all
/// files.
pub(super) fn explains(
    ours: &Reading,
    theirs: &Reading,
    (grammar, other): (&Grammar, &Grammar),
    grammars: &Grammars,
) -> bool {
    if ours.clauses.len() != theirs.clauses.len() {
        return false;
    }
    let pairs = ours.clauses.iter().zip(&theirs.clauses);
    let mut named = pairs.filter_map(|(ours, theirs)| title(ours).zip(title(theirs)));
    named.any(|(ours, theirs)| {
        let edge = |rest: &str| {
            let text = Text::new(rest);
            other.lang == Lang::En
                || may_know(&Words::new(&text, &grammars.lexicon), grammar, other)
        };
        !theirs.is_empty()
            && (ours.strip_prefix(theirs).is_some_and(edge)
                || ours.strip_suffix(theirs).is_some_and(edge))
    })
}

/// The title that a clause names.
fn title(clause: &Clause) -> Option<&str> {
    let target = match &clause.act {
        Act::Add(addition) => return Some(&addition.whole.title),
        Act::Change(change) => &change.targets.whole,
        Act::Statement(statement) => &statement.target,
        _ => return None,
    };
    match target {
        Target::Named(title) => Some(title),
        _ => None,
    }
}
