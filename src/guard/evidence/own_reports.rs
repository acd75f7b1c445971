//! Reports that only the title of a task makes known: by its own verb, by the state or the arrival that it
//! names; and verbs that tell of another deed.

use super::Evidence;
use super::another::awaits;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins, end_of};
use super::target::Mention;
use super::words::{Word, words};
use crate::domain::{Task, text::Text};
use crate::guard::talk::is_function_word;

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

    /// Tells whether the verb of a report tells of another deed than the title does, "sold the car" for *Wash
    /// car*, or only of where that was: "slept in the car".
    pub(super) fn is_another_deed(
        &self,
        report: &Hit,
        clause: &Clause,
        title: &str,
        mention: Option<&Mention>,
    ) -> bool {
        // "sitter paid, backup run": what is only joined to the report has a verb of its own.
        let mut named = mention.into_iter().flat_map(|mention| &mention.tokens);
        if !named.any(|at| clause.tokens.contains(at)) {
            return false;
        }
        let own = words(&Text::new(title));
        let inside = |word: &&Word| report.covers(word.token);
        let said: Vec<&Word> = self.words.iter().filter(inside).collect();
        let same = |verb: &Word| {
            let mut said = said.iter();
            said.any(|word| word.is_form_of(verb) || word.is_past_of(verb) || word.means(verb))
        };
        if own.iter().any(same) {
            return false;
        }
        let due: Vec<&str> = own.iter().flat_map(Word::deeds).collect();
        let told: Vec<&str> = said.iter().flat_map(|word| word.deeds()).collect();
        if due.iter().any(|deed| told.contains(deed)) {
            return false;
        }
        let arrives = awaits(&Text::new(title)) && begins(Cue::Arrives, self.text, report.at);
        match (due.is_empty(), told.is_empty()) {
            (_, true) => false,
            (false, false) => !arrives,
            (true, false) => self.is_only_the_place(report, clause, title, mention),
        }
    }

    /// Tells whether what a title names only tells where or when that is which a command is for: "delete the
    /// one after milk".
    pub(super) fn is_beside_another(&self, mention: &Mention, order: &Hit) -> bool {
        let (Some(first), Some(last)) = (mention.tokens.first(), mention.tokens.last()) else {
            return false;
        };
        let beside = |at: usize| end_of(Cue::Beside, self.text, at);
        if self.lang.habits().ends_in_verb {
            return !mention.exact && beside(last + 1).is_some();
        }
        let bound = |at: &usize| begins(Cue::Determiner, self.text, *at);
        let before = (order.end..*first).rev().find(|at| !bound(at));
        let ends = |end: usize| (order.end..end).any(|at| beside(at) == Some(end));
        // "delete the reminder before the game" is of it.
        let reminds = (order.end..*first).any(|at| begins(Cue::Remind, self.text, at));
        !reminds && before.is_some_and(|at| ends(at + 1))
    }

    /// Tells whether what a title names stands behind a preposition of place and another thing: "dropped Sam
    /// off at the gym" for *Gym*.
    fn is_only_the_place(
        &self,
        report: &Hit,
        clause: &Clause,
        title: &str,
        mention: Option<&Mention>,
    ) -> bool {
        let title = Text::new(title);
        let titled =
            |at: usize| (0..title.tokens.len()).any(|own| title.word(own) == self.text.word(at));
        let named = |at: usize| mention.is_some_and(|mention| mention.tokens.contains(&at));
        let tokens = mention.into_iter().flat_map(|mention| &mention.tokens);
        let mut tokens = tokens.filter(|at| !report.covers(**at));
        let Some(first) = tokens.find(|at| clause.tokens.contains(*at)) else {
            return false;
        };
        let bound = |at: &usize| begins(Cue::Determiner, self.text, *at);
        let before = (clause.tokens.start..*first).rev().find(|at| !bound(at));
        let place = |at: &usize| begins(Cue::Place, self.text, *at) && !report.covers(*at);
        let Some(place) = before.filter(|at| place(at) && !titled(*at)) else {
            return false;
        };
        let mut between = report.at..place;
        let thing = |at: usize| {
            let said = self.words.iter().any(|word| word.token == at);
            said && !named(at) && !report.covers(at)
        };
        between.any(|at| thing(at) && !is_function_word(self.text.word(at)))
    }
}
