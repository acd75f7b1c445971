//! Values that are taken off a task: "remove the time from it", "nimm das Datum weg".

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, begins};
use crate::domain::text::Text;
use crate::guard::talk::is_function_word;

impl Evidence<'_> {
    /// The clauses in which such a value is ordered to go: its word stands first behind the order, or last
    /// before it, outside of titles and quotes. "Delete the high priority task" takes no priority off.
    pub fn takes_off(&self, value: Cue) -> Vec<usize> {
        let named = |at: usize| self.mentions.iter().any(|m| m.tokens.contains(&at));
        let quoted = |at: usize| self.text.tokens.get(at).is_some_and(|token| token.quoted);
        let light = |at: usize| is_function_word(self.text.word(at));
        let ordered = |clause: &Clause, at: usize| {
            clause.hits.iter().any(|hit| {
                let ends = matches!(
                    hit.cue,
                    Cue::Order(Deed::Delete) | Cue::Told(Deed::Delete) | Cue::Clearing
                );
                let behind = || {
                    hit.at <= at
                        && (hit.at..at)
                            .all(|at| hit.covers(at) && !hit.open || at == hit.at || light(at))
                };
                let before = || at < hit.at && (at + 1..hit.at).all(light);
                ends && (behind() || before())
            })
        };
        let says = |clause: &Clause| {
            let mut tokens = clause.tokens.clone();
            tokens.any(|at| {
                let said = begins(value, self.text, at) && ordered(clause, at);
                said && !named(at) && !quoted(at)
            })
        };
        let clauses = self.clauses.iter().enumerate();
        let off = clauses.filter(|(_, clause)| !clause.is_foreign() && says(clause));
        off.map(|(at, _)| at).collect()
    }

    /// Tells whether these clauses order no completion.
    pub fn completes_nothing(&self, at: &[usize]) -> bool {
        let mut clauses = at.iter().filter_map(|at| self.clauses.get(*at));
        let deeds = [Cue::Order(Deed::Complete), Cue::Told(Deed::Complete)];
        !clauses.any(|clause| deeds.iter().any(|cue| clause.has(*cue)))
    }
}

/// Tells whether words name a value of a task: "the due date of the dentist".
///
/// ```
/// use candor::guard::names_a_value;
/// assert!(names_a_value("time from fix bike"));
/// assert!(!names_a_value("fix bike"));
/// ```
pub fn names_a_value(words: &str) -> bool {
    let text = Text::new(words);
    let values = [Cue::DateName, Cue::TimeName, Cue::LevelName, Cue::Remind];
    (0..text.tokens.len()).any(|at| values.iter().any(|cue| begins(*cue, &text, at)))
}
