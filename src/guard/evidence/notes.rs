//! Notes of a proposal against the words.

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit};
use super::titles::stands;
use super::values::Found;
use super::words::{Word, words};
use crate::domain::text::Text;
use crate::resolver::may_be_added;

impl Evidence<'_> {
    /// Tells whether these words of the message are what is to be noted: "note that she wants it".
    pub fn are_noted(&self, run: &[usize]) -> bool {
        run.first().is_some_and(|first| {
            let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
            hits.any(|hit| hit.cue == Cue::Note && (hit.end..hit.end + 2).contains(first))
        })
    }

    /// Tells whether every word of a note was said, and some of them for the note: not in the
    /// command, nor among the words that name the task, at `named`.
    pub fn note(&self, note: &str, named: &[usize]) -> bool {
        let own = words(&Text::new(note));
        // "light's best then" is "light is best then".
        let added =
            |own: &Word| may_be_added(&own.said) || matches!(own.said.as_str(), "is" | "are");
        let said = own
            .iter()
            .all(|own| added(own) || self.words.iter().any(|word| word.names(own)));
        let fresh = |word: &Word| !named.contains(&word.token) && !self.is_order_at(word.token);
        let mut new = self.words.iter().filter(|word| fresh(word));
        let told = said && new.any(|word| own.iter().any(|own| word.names(own)));
        told || self.was_shown(&own) || self.was_said_before(&own)
    }

    /// Tells whether a note is made of these words and the user's last ones, where it is said where to
    /// put it: "40 then, write it on" behind "how many bales?".
    fn was_said_before(&self, note: &[Word]) -> bool {
        let Some(before) = self.carried.said_before() else {
            return false;
        };
        let before = words(&Text::new(before));
        let names = |source: &[Word], own: &Word| source.iter().any(|word| word.names(own));
        self.clauses.iter().any(puts_it)
            && note.iter().any(|own| names(&self.words, own))
            && note
                .iter()
                .all(|own| names(&self.words, own) || names(&before, own))
    }

    /// Tells whether a note is taken from what was shown last, and the words point at that.
    fn was_shown(&self, note: &[Word]) -> bool {
        let mut lines = self.carried.shown.iter();
        note.len() > 2
            && self.clauses.iter().any(puts_it)
            && lines.any(|line| {
                let shown = words(&Text::new(line));
                let known = |own: &&Word| shown.iter().any(|word| word.names(own));
                // A heading of the model's own may stand before it.
                note.iter().filter(known).count() + 2 >= note.len()
            })
    }

    /// Tells whether a negation that belongs to these words is left out of a note.
    pub fn note_drops_a_negation(&self, note: &str) -> bool {
        match stands(note, &self.words) {
            Found::InOrder(run) => self.drops_a_negation(note, &run),
            Found::Scattered(_) | Found::Missing => false,
        }
    }
}

/// Tells whether a clause orders that something which was said or shown is put somewhere.
fn puts_it(clause: &Clause) -> bool {
    let order = |hit: &Hit| matches!(hit.cue, Cue::Order(Deed::Add | Deed::Update));
    !clause.is_foreign() && clause.has(Cue::It) && clause.hits.iter().any(order)
}
