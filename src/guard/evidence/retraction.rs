//! Words that take back or correct what was said or done before.

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins};
use super::words::{Word, content};
use crate::domain::Lang;
use crate::resolver::is_soft;

/// Cues of words that speak against what was just said or done.
const AGAINST: [Cue; 3] = [Cue::Retract, Cue::Correct, Cue::Halt];

impl Clause {
    /// Tells whether it is the user's, asks nothing and orders nothing.
    fn tells(&self) -> bool {
        !self.is_foreign() && !self.is_question() && !self.orders()
    }
}

impl Evidence<'_> {
    /// Tells whether what is to be taken back is something that none of these titles has.
    pub fn names_more_than(&self, titles: &[String]) -> bool {
        // "undo that last bit"
        let last = |word: &&Word| begins(Cue::Last, self.text, word.token);
        let last = self.words.iter().filter(last).cloned();
        let titled = titles.iter().flat_map(|title| content(title));
        // "oops, undo that was for my brother": what stands before it and behind its pronoun names nothing.
        let orders = |hit: &&Hit| {
            matches!(
                hit.cue,
                Cue::Order(Deed::Undo | Deed::Reopen) | Cue::Told(Deed::Undo)
            )
        };
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        let order = hits.find(orders);
        let pointed = |order: &Hit| {
            let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
            hits.any(|hit| {
                let polite = usize::from(is_soft(self.text.word(order.end)));
                let beside = order.at <= hit.at && hit.at <= order.end + polite;
                matches!(hit.cue, Cue::It | Cue::Them) && beside
            })
        };
        if order.is_some_and(pointed) {
            return false;
        }
        let verb_last = matches!(self.lang, Lang::De | Lang::Ur);
        let before = |word: &&Word| order.is_some_and(|order| word.token < order.at) && !verb_last;
        let before = self.words.iter().filter(before).cloned();
        let falters = |word: &&Word| begins(Cue::Falter, self.text, word.token);
        let falters = self.words.iter().filter(falters).cloned();
        let known = titled.chain(last).chain(before).chain(falters);
        let known: Vec<Word> = known.collect();
        let with = |cues: [Cue; 2]| -> Vec<usize> {
            let has = |clause: &Clause| cues.iter().any(|cue| clause.has(*cue));
            let clauses = self.clauses.iter().enumerate();
            let found = clauses.filter(|(_, clause)| has(clause));
            found.map(|(at, _)| at).collect()
        };
        let ordered = with([Cue::Order(Deed::Undo), Cue::Order(Deed::Reopen)]);
        let told = with([Cue::Told(Deed::Undo), Cue::Told(Deed::Reopen)]);
        let at = if ordered.is_empty() { told } else { ordered };
        at.into_iter().any(|at| self.says_more_than(at, &known))
    }

    /// The words that order something to be taken back, and those that only go on with them: "undo,
    /// but only the bread".
    pub fn undoing_words(&self) -> String {
        let orders = |clause: &&Clause| {
            clause.has(Cue::Order(Deed::Undo)) || clause.has(Cue::Order(Deed::Reopen))
        };
        let meant = |clause: &&Clause| {
            let mut ordered = self.clauses.iter().filter(orders);
            let says = clause.orders() || clause.negates(|_| false) || clause.has(Cue::Me);
            orders(clause) || !says && ordered.any(|order| order.sentence == clause.sentence)
        };
        let words = self.clauses.iter().filter(meant);
        let words = words.map(|clause| self.text.slice(clause.tokens.clone()));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Tells whether the user's own words speak against what was done last, and of nothing beside
    /// these titles: "nvm", "no, the gym"; behind what opens the message they may tell why: "no, she is ill".
    pub fn takes_back(&self, titles: &[String]) -> bool {
        let known: Vec<Word> = titles.iter().flat_map(|title| content(title)).collect();
        let against = |hit: &Hit| AGAINST.contains(&hit.cue);
        let first = self.clauses.first();
        let opens = first.is_some_and(|first| {
            let mut hits = first.hits.iter();
            hits.any(|hit| against(hit) && hit.at <= first.opens_at())
        });
        let plain = |(at, clause): (usize, &Clause)| {
            clause.tells() && (opens && at > 0 || !self.says_more_than(at, &known))
        };
        self.clauses.iter().enumerate().all(plain)
            && self.clauses.iter().any(|c| c.hits.iter().any(against))
    }

    /// Tells whether it is to stay as it was left, or only what was not changed: "keep it deleted", "leave the
    /// rest as it was".
    pub fn keeps_as_it_is(&self, titles: &[String]) -> bool {
        use Cue::{Completed, From, Keep, Order, Rest, Told, Undone};
        let known: Vec<Word> = titles.iter().flat_map(|title| content(title)).collect();
        let left = |hit: &Hit| {
            let deed = matches!(
                hit.cue,
                Order(Deed::Delete) | Told(Deed::Complete | Deed::Delete)
            );
            deed || matches!(hit.cue, Completed | From | Undone)
        };
        let keeps = |(at, clause): (usize, &Clause)| {
            // "the other" is one, which may have been changed.
            let other = |rest: &Hit| {
                let mut hits = clause.hits.iter();
                hits.any(|hit| hit.cue == Cue::Other && rest.covers(hit.at))
            };
            let rest = |hit: &Hit| hit.cue == Rest && !other(hit);
            let mut hits = clause.hits.iter();
            let keep = hits.find(|hit| hit.cue == Keep);
            keep.is_some_and(|keep| {
                let mut behind = clause.hits.iter().filter(|hit| hit.at >= keep.end);
                behind.any(left) || self.says_more_than(at, &known)
            }) || clause.hits.iter().any(rest)
        };
        self.clauses.iter().enumerate().any(keeps)
    }

    /// Tells whether something is asked to stay.
    pub fn keeps(&self) -> bool {
        self.clauses.iter().any(|clause| clause.has(Cue::Keep))
    }

    /// The clauses whose command may mean that a task is done as well as that it is to go: "cross it out".
    pub fn crossing_out(&self) -> Vec<usize> {
        let both = |clause: &Clause| {
            let orders = |deed: Deed| {
                let hits = clause.hits.iter();
                let hits = hits.filter(move |hit| hit.cue == Cue::Order(deed));
                hits.map(|hit| hit.at)
            };
            let completes: Vec<usize> = orders(Deed::Complete).collect();
            orders(Deed::Delete).any(|at| completes.contains(&at))
        };
        let clauses = self.clauses.iter().enumerate();
        let at = clauses.filter(|(_, clause)| both(clause));
        at.map(|(at, _)| at).collect()
    }

    /// The clauses that correct by taking back what was said: "scratch that", where "actually delete
    /// that" orders a deletion.
    pub fn correcting(&self) -> Vec<usize> {
        let takes_back = |clause: &Clause| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| {
                let inside = |other: &Hit| other.cue == Cue::It && hit.covers(other.at);
                hit.cue == Cue::Correct && clause.hits.iter().any(inside)
            })
        };
        let clauses = self.clauses.iter().enumerate();
        let at = clauses.filter(|(_, clause)| takes_back(clause));
        at.map(|(at, _)| at).collect()
    }

    /// Tells whether the words dismiss what was done to these titles, and beside that only tell of something:
    /// "nvm", "never mind, mum found one".
    pub fn dismisses(&self, titles: &[String]) -> bool {
        let known: Vec<Word> = titles.iter().flat_map(|title| content(title)).collect();
        // "never mind the noise", where "nvm the shop had none" has a verb.
        let of_another = |(at, clause): (usize, &Clause)| {
            let object = |hit: &Hit| {
                let mut hits = clause.hits.iter();
                let behind = [Cue::Determiner, Cue::About];
                let verbs = [Cue::Perfect, Cue::Copula, Cue::Did, Cue::Says, Cue::Hearsay];
                let verb = |other: &Hit| other.at > hit.end && verbs.contains(&other.cue);
                !clause.hits.iter().any(verb)
                    && hits.any(|other| other.at == hit.end && behind.contains(&other.cue))
            };
            let mut hits = clause.hits.iter().filter(|hit| hit.cue == Cue::Dismiss);
            hits.any(object) && self.says_more_than(at, &known)
        };
        let plain = |clause: &Clause| {
            let mut hits = clause.hits.iter();
            !clause.is_foreign() && (!clause.orders() || hits.any(|hit| AGAINST.contains(&hit.cue)))
        };
        !self.text.raw.contains(['?', '؟', '？'])
            && self.clauses.iter().any(|clause| clause.has(Cue::Dismiss))
            && self.clauses.iter().all(plain)
            && !self.clauses.iter().enumerate().any(of_another)
    }
}
