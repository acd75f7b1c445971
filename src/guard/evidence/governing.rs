//! Clauses that a deed reaches: those that say it, and those joined to them that only name something;
//! and those whose days are another's.

use std::ops::Range;

use super::Evidence;
use super::aim::is_told;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit};
use super::ground::Wanted;
use super::words::Word;
use crate::domain::Task;
use crate::guard::talk::is_function_word;

impl Evidence<'_> {
    /// The clauses whose deed reaches the words in clause `at`: its own, else those it is joined
    /// to, and behind it those that speak of it with a pronoun.
    pub(super) fn governing(&self, at: usize, wanted: &Wanted<'_>) -> Vec<usize> {
        let mut found = vec![at];
        // What is added may begin with any command: "brain dump: call mom, finish the report".
        let orders = |at: usize| {
            let clause = self.clauses.get(at);
            clause.is_some_and(|clause| match wanted.deed {
                Deed::Add => clause.has(Cue::Order(Deed::Add)) || clause.has(Cue::Told(Deed::Add)),
                _ => clause.orders(),
            })
        };
        if !orders(at) {
            let listed = wanted.deed == Deed::Add || self.only_names(at);
            let mut back = at;
            while listed && back > 0 && self.clauses.get(back).is_some_and(Clause::goes_on) {
                back -= 1;
                found.push(back);
                if orders(back) {
                    break;
                }
            }
            // "not paid the rent and bought milk": what it says itself is not said again.
            let says = |clause: &Clause| {
                clause.has(Cue::Told(wanted.deed))
                    || wanted.deed == Deed::Complete
                        && (clause.has(Cue::Undone) || clause.has(Cue::Negation))
            };
            let says = self.clauses.get(at).is_some_and(says);
            let mut next = at + 1;
            let sentence = self.clauses.get(at).map(|clause| clause.sentence);
            let reached = found.iter().any(|at| orders(*at));
            // "groomer asap i guess, tomorrow if they've room": a value may follow what is said.
            while (listed || wanted.deed == Deed::Update)
                && !reached
                && !says
                && self
                    .clauses
                    .get(next)
                    .is_some_and(|clause| Some(clause.sentence) == sentence && clause.goes_on())
            {
                // "Milch und Eier löschen": an order at the end is for all that is named before it.
                let own = self.names_any(next) && !self.ends_in_an_order(next);
                if !own || !orders(next) {
                    found.push(next);
                }
                if orders(next) {
                    break;
                }
                next += 1;
            }
        }
        for (later, clause) in self.clauses.iter().enumerate().skip(at + 1) {
            if self.names_any(later) {
                break;
            }
            // "the 1:1 is dead, kill it", "no soccer on Tuesday, take it off"
            let bare = clause.has(Cue::Order(wanted.deed)) && !self.says_more(later);
            let points = clause.has(Cue::It) || clause.has(Cue::Them);
            if (points || bare) && !found.contains(&later) {
                found.push(later);
            }
        }
        found
    }

    /// Tells whether a clause names something and ends in an order for that.
    fn ends_in_an_order(&self, at: usize) -> bool {
        let inside = |at: &usize, clause: &Clause| clause.tokens.contains(at);
        self.clauses.get(at).is_some_and(|clause| {
            let named = self.mentions.iter().flat_map(|mention| &mention.tokens);
            let last = named.filter(|at| inside(at, clause)).max();
            let orders = |hit: &&Hit| matches!(hit.cue, Cue::Order(_));
            let mut orders = clause.hits.iter().filter(orders);
            last.is_some_and(|last| orders.all(|hit| hit.at > *last))
        })
    }

    /// Tells whether a clause says no more than what it names, and which day or level: an order
    /// before or behind it is for that too. "Delete the gym, the rent stays" keeps the rent.
    pub(super) fn only_names(&self, at: usize) -> bool {
        let Some(clause) = self.clauses.get(at) else {
            return false;
        };
        let named = |token: usize| self.mentions.iter().any(|m| m.tokens.contains(&token));
        let carries = |hit: &Hit| {
            let mut hits = clause.hits.iter();
            hits.any(|other| other.cue == Cue::Carry && (other.at, other.end) == (hit.at, hit.end))
        };
        let against = |hit: &Hit| {
            let tells = matches!(
                hit.cue,
                Cue::Told(_)
                    | Cue::Negation
                    | Cue::Undone
                    | Cue::Future
                    | Cue::Wish
                    | Cue::Hearsay
                    | Cue::Condition
                    | Cue::Me
                    | Cue::Retract
                    | Cue::Halt
                    | Cue::Copula
            );
            tells && !carries(hit) && !(hit.at..hit.end).all(named)
        };
        let dated = self.dated(clause);
        // "the" before the name says no more, in any language.
        let more = |word: &Word| {
            let said = |hit: &Hit| hit.tells() || hit.cue == Cue::Determiner;
            let cued = |hit: &Hit| hit.covers(word.token) && said(hit);
            clause.tokens.contains(&word.token)
                && !named(word.token)
                && !dated.contains(&word.token)
                && !word.is_number()
                && !clause.hits.iter().any(cued)
        };
        !clause.hits.iter().any(against) && !self.words.iter().any(more)
    }

    /// Tells whether a clause tells something of its own behind what it names: a state, a need.
    pub(super) fn tells_more(&self, at: usize) -> bool {
        let Some(clause) = self.clauses.get(at) else {
            return false;
        };
        let mentions = self.mentions.iter().flat_map(|mention| &mention.tokens);
        let inside = |token: &&usize| clause.tokens.contains(*token);
        let Some(last) = mentions.filter(inside).max() else {
            return false;
        };
        let more = |word: &Word| {
            word.token > *last && clause.tokens.contains(&word.token) && is_told(clause, word)
        };
        self.words.iter().any(more)
    }

    /// The clauses that speak of a deed to what these name.
    pub fn reach(&self, deed: Deed, at: &[usize]) -> Vec<usize> {
        let wanted = Wanted::deed(deed, at);
        let mut found: Vec<usize> = at
            .iter()
            .flat_map(|at| self.governing(*at, &wanted))
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Tells whether a clause orders something of what it names itself: its day is no other's.
    pub(super) fn orders_for_itself(&self, at: usize) -> bool {
        self.clauses.get(at).is_some_and(|clause| {
            let back = [Cue::It, Cue::Them, Cue::Correct];
            // A title in quotes is a name, whether there is such a task or not.
            let mut inside = clause
                .tokens
                .clone()
                .filter_map(|at| self.text.tokens.get(at));
            let names = self.names_any(at) || inside.any(|token| token.quoted);
            // "add milk for monday", "Milch für Montag hinzufügen" name what is new.
            let opens = |hit: &Hit| {
                let ends = hit.end + 1 >= clause.tokens.end;
                hit.cue == Cue::Order(Deed::Add) && (hit.at <= clause.opens_at() || ends)
            };
            // "remind me tomorrow, to water the fern" says what in the clause behind it.
            let dated = self.dated(clause);
            let what = |word: &Word| {
                clause.tokens.contains(&word.token)
                    && !dated.contains(&word.token)
                    && !is_function_word(&word.said)
                    && !clause.hits.iter().any(|hit| hit.covers(word.token))
            };
            let adds = || clause.hits.iter().any(opens) && self.words.iter().any(what);
            clause.orders() && (names || adds()) && !back.iter().any(|cue| clause.has(*cue))
        })
    }

    /// Tells whether a clause stands in another sentence than these, and says more of its own than a
    /// value of what was named: "buy milk on monday".
    pub(super) fn begins_anew(&self, at: usize, before: &[usize]) -> bool {
        let sentence = |at: usize| self.clauses.get(at).map(|clause| clause.sentence);
        let back = [Cue::It, Cue::Them, Cue::Correct];
        let points = |clause: &Clause| back.iter().any(|cue| clause.has(*cue));
        before
            .iter()
            .all(|before| sentence(*before) != sentence(at))
            && !self.clauses.get(at).is_some_and(points)
            && !self.only_names(at)
    }

    /// Tells whether a day stands behind another task, and each of both has one: "move the letter to
    /// friday and gym to monday".
    pub(super) fn is_neighbours_day(&self, task: &Task, day: usize) -> bool {
        let own = self.named_at(task.id);
        let (Some(first), Some(last)) = (own.iter().min(), own.iter().max()) else {
            return false;
        };
        let dated = |tokens: Range<usize>| {
            let mut dates = self.scan.dates.iter();
            dates.any(|date| tokens.contains(&date.core.start))
        };
        let clause = self.clause_at(day);
        let mut others = self.mentions.iter().filter(|other| other.task != task.id);
        others.any(|other| {
            let ends = other.tokens.iter().min().zip(other.tokens.iter().max());
            ends.is_some_and(|(begin, end)| {
                let beside = self.clause_at(*begin) == clause && *end < day;
                let behind = last < begin && dated(*last..*begin);
                let before = day < *first && dated(*last..self.text.tokens.len());
                beside && (behind || before)
            })
        })
    }
}
