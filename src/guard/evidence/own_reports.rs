//! Reports that only the title of a task makes known: by its own verb, by the state or the arrival that it
//! names.

use super::Evidence;
use super::another::awaits;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins};
use super::words::{Word, words};
use crate::domain::{Task, text::Text};

impl Evidence<'_> {
    /// Reports by the verb of the title itself: "guest emailed" for *Email guest*.
    pub(super) fn own_reports(&self, clause: &Clause, task: &Task) -> Vec<Hit> {
        let title = words(&Text::new(task.title.as_str()));
        // "Call mom", "Oma anrufen".
        let last = title.iter().skip(1).next_back();
        let verbs: Vec<&Word> = title
            .first()
            .into_iter()
            .chain(last.filter(|word| word.is_light() || word.said.ends_with("en")))
            .collect();
        // Where something is ordered, a word of the title as it is written only names it.
        let titled = |token: usize| {
            let mut mentions = self.mentions.iter();
            clause.orders()
                && mentions.any(|m| m.task == task.id && m.exact && m.tokens.contains(&token))
        };
        // "delete" orders, whatever *Deleted: …* is called.
        let ordered = |token: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| {
                let inside = hit.at <= token && token < hit.end;
                matches!(hit.cue, Cue::Order(_)) && !hit.open && inside
            })
        };
        let past = |word: &&Word| {
            clause.tokens.contains(&word.token)
                && !titled(word.token)
                && !ordered(word.token)
                && verbs.iter().any(|verb| word.is_past_of(verb))
        };
        let hits = self.words.iter().filter(past).map(|word| Hit {
            cue: Cue::Told(Deed::Complete),
            at: word.token,
            end: word.token + 1,
            open: false,
        });
        let reached = self.state_reached(clause, task);
        hits.chain(reached)
            .chain(self.arrival(clause, task))
            .collect()
    }

    /// The words that tell of the arrival that a title waits for: "toner came" for *Order toner*.
    fn arrival(&self, clause: &Clause, task: &Task) -> Option<Hit> {
        let awaited = awaits(&Text::new(task.title.as_str()));
        let mut tokens = clause.tokens.clone().filter(|_| awaited);
        let at = tokens.find(|at| begins(Cue::Arrives, self.text, *at))?;
        Some(Hit {
            cue: Cue::Told(Deed::Complete),
            at,
            end: at + 1,
            open: false,
        })
    }

    /// The word that tells of the state that a title names first or last, behind a form of "be" and
    /// another word of it: "bins are out" for *Put bins out*, "the kitchen is clean" for *Clean kitchen*.
    fn state_reached(&self, clause: &Clause, task: &Task) -> Option<Hit> {
        let title = Text::new(task.title.as_str());
        let ends = [0, title.tokens.len().checked_sub(1)?].map(|at| title.word(at));
        let mention = self
            .mentions
            .iter()
            .find(|mention| mention.task == task.id)?;
        let be = clause.hits.iter().find(|hit| hit.cue == Cue::Copula)?;
        let subject = mention
            .tokens
            .iter()
            .any(|at| clause.tokens.contains(at) && *at < be.at);
        let state = ends.contains(&self.text.word(be.end)) && clause.tokens.contains(&be.end);
        (subject && state).then_some(Hit {
            cue: Cue::Told(Deed::Complete),
            at: be.end,
            end: be.end + 1,
            open: false,
        })
    }
}
