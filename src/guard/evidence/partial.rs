//! Reports of a part of what a title names.

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, begins};
use super::target::Mention;
use super::words::{Word, words};
use crate::domain::{Task, text::Text};
use crate::guard::talk::is_function_word;
use crate::temporal::Found;

/// So many parts of a hundred are all.
const WHOLE: usize = 100;

impl Evidence<'_> {
    /// Tells whether the words name one part of a title that joins several, and not the others: "got the
    /// brushes" for *Buy paint and brushes*.
    pub(super) fn is_one_part(&self, task: &Task) -> bool {
        let title = Text::new(task.title.as_str());
        let joins = |at: usize| title.word(at) == "," || begins(Cue::And, &title, at);
        let joints: Vec<usize> = (1..title.tokens.len()).filter(|at| joins(*at)).collect();
        let own = words(&title);
        let parts = std::iter::once(0).chain(joints.iter().map(|at| at + 1));
        let ends = joints.iter().copied().chain([title.tokens.len()]);
        let mut parts = parts.zip(ends).filter_map(|(start, end)| {
            let inside =
                |word: &&Word| (start..end).contains(&word.token) && !is_function_word(&word.said);
            let part: Vec<&Word> = own.iter().filter(inside).collect();
            (!part.is_empty()).then_some(part)
        });
        let scan = &self.scan;
        let denied = |word: &Word| {
            let clause = self
                .clause_at(word.token)
                .and_then(|at| self.clauses.get(at));
            let against = [Cue::Negation, Cue::Undone, Cue::Told(Deed::Add)];
            // "bedroom is painted, hallway tomorrow"
            let to_come = |clause: &Clause| {
                let within = |found: &Found| clause.tokens.contains(&found.core.start);
                let mut dates = scan.dates.iter();
                let to_come = dates.any(|found| within(found) && found.span.0 > self.today);
                to_come && !clause.has(Cue::Told(Deed::Complete))
            };
            clause
                .is_some_and(|clause| against.iter().any(|cue| clause.has(*cue)) || to_come(clause))
        };
        let said = |part: Vec<&Word>| {
            // The verb is said of all parts.
            let things = part
                .get(1..)
                .filter(|rest| !rest.is_empty())
                .unwrap_or(&part);
            let opens = part.first().is_some_and(|word| word.token == 0);
            let things = if opens { things } else { &part };
            let mut words = self.words.iter().filter(|word| !denied(word));
            words.any(|word| things.iter().any(|own| own.is_form_of(word)))
        };
        !joints.is_empty() && parts.any(|part| !said(part))
    }

    /// Tells whether a report is of a part of what a title names: "sent two of the invites", "signed by
    /// all except Paula".
    pub(super) fn is_of_some(&self, mention: &Mention, clause: &Clause, title: &str) -> bool {
        let title = Text::new(title);
        let titled =
            |at: usize| (0..title.tokens.len()).any(|own| title.word(own) == self.text.word(at));
        let partly = |first: &usize| {
            let counts = |at: usize| begins(Cue::Some, self.text, at) && !titled(at);
            let number = |at: usize| self.number(at).is_some() && !titled(at);
            let opens = |at: usize| begins(Cue::Of, self.text, at);
            let bound = |at: usize| begins(Cue::Determiner, self.text, at);
            // "cleaned one shelf of the oven", "the intro of the report"
            let before = first.saturating_sub(1);
            let of = if begins(Cue::OfThe, self.text, before) {
                before
            } else {
                before.saturating_sub(1)
            };
            let part = of > clause.tokens.start
                && (of == before || bound(before) && opens(of))
                && clause.is_thing(self.text, of - 1)
                && !titled(of - 1);
            let before = (clause.tokens.start..*first).rev();
            let mut before =
                before.take_while(|at| counts(*at) || number(*at) || opens(*at) || bound(*at));
            part || before.any(|at| counts(at) || number(at) && opens(at + 1))
        };
        // "80% updated"
        let share = |at: usize| {
            let number = at.checked_sub(1).and_then(|at| self.number(at));
            begins(Cue::Some, self.text, at) && number.is_some_and(|number| number < WHOLE)
        };
        let mut shares = clause.tokens.clone();
        clause.has(Cue::Except) || shares.any(share) || mention.tokens.iter().any(partly)
    }
}
