//! Granted: what a sentence takes for so without telling it, in whatever mood: "the rent you added",
//! "the two overdue ones", "your free Thursday".

use super::clause::Sentence;
use super::mood::{Clause, Mood};
use super::words::Kind;

/// Number of words among which what a deed is said of stands before it.
const NEAR: usize = 3;

impl Sentence<'_> {
    /// Tells whether a clause takes a deed, a count, a state or a day of the user's tasks for so.
    pub(super) fn takes_for_granted(&self, clause: &Clause) -> bool {
        if self.idea || self.turn.worldly || clause.mood == Mood::Assent {
            return false;
        }
        let told = matches!(clause.mood, Mood::Statement | Mood::Fragment);
        let offers = self.offers(clause);
        let stands = |at: usize| {
            self.grants_count(at, clause)
                || self.grants_state(at, clause)
                || self.grants_day(at, clause)
        };
        clause.range.clone().any(|at| {
            !self.found.covers(Kind::Pleasant, at)
                && (!told && self.grants_deed(at, clause) || !offers && stands(at))
        })
    }

    /// "Why did you delete it?", "the rent you added", "glad it was removed", "the deleted ones".
    fn grants_deed(&self, at: usize, clause: &Clause) -> bool {
        let (before, next) = (at.wrapping_sub(1), at + 1);
        let inside = |at: usize| at >= clause.range.start && at < clause.range.end;
        let who = |at: usize| inside(at) && (self.is_user(at) || self.is(Kind::Me, at));
        let points = |at: usize| inside(at) && self.is(Kind::It, at);
        let open = clause.mood == Mood::Question;
        // "Why did you …": takes the deed for so, where "have you …" asks about it.
        let why = open && self.is(Kind::Asks, clause.start) && !self.finite(clause.start);
        if why && self.is(Kind::Change, at) && who(before) {
            let object = points(next) || self.found.is(Kind::The, next) || self.is_named(next);
            return object && self.word(before.wrapping_sub(1)) == "did";
        }
        let back = self.is(Kind::Again, at) && self.is_titled(before);
        if back && self.found.is(Kind::The, before - 1) {
            return true;
        }
        let deed = self.is(Kind::Effect, at) && !self.is_said(at) && !self.is_adjective(at);
        if !deed {
            return false;
        }
        // "the deleted ones"
        let noun = self.is_ones(next) || self.lists(next) || self.is_titled(next);
        if self.found.is(Kind::The, before) && noun {
            return true;
        }
        if clause.mood == Mood::Condition {
            return false;
        }
        // "the rent you've added", and neither "what you've done" nor "have you booked it?"
        let near = self.near(at, 2, &clause.range);
        let agent = near.clone().rev().find(|at| who(*at));
        if let Some(agent) = agent.filter(|_| !self.offers(clause)) {
            let free = [Kind::Wanted, Kind::Total, Kind::Number];
            let free = agent > 0 && self.found.is_any(&free, agent - 1);
            let second = agent <= clause.start + 1;
            return !free && !second || why;
        }
        // "keep it deleted", and neither "get it done" nor "do you want it removed?"
        let verb = before.wrapping_sub(1);
        let plain = [Kind::Be, Kind::Change, Kind::Wants, Kind::As, Kind::Modal];
        if points(before) && self.is(Kind::Verb, verb) && !self.is_any(&plain, verb) {
            return true;
        }
        // "he is glad it was removed", "que c'est supprimé"
        let mut be = self.near(at, 2, &clause.range);
        let be = be.find(|at| self.is(Kind::Be, *at));
        // "By when should it be done?"
        let modal = self.any(Kind::Modal, &self.near(at, NEAR + 1, &clause.range));
        be.filter(|_| !modal).is_some_and(|be| {
            let mut subject = self.near(be + 1, NEAR, &clause.range);
            let subject = subject.any(|at| {
                let late = at > clause.start + 1 || why && at > clause.start;
                late && (points(at) || self.is_titled(at))
            });
            subject && (!open || be > clause.start)
        })
    }

    /// "the two overdue ones", "which of the five", "five tasks in one day".
    fn grants_count(&self, at: usize, clause: &Clause) -> bool {
        let word = self.word(at);
        let digit = word.starts_with(|c: char| c.is_ascii_digit());
        let count = digit || self.is(Kind::Number, at) && !self.is(Kind::Vague, at);
        let small = matches!(word, "one" | "only" | "half" | "single" | "no");
        if !count || small || self.is_said(at) {
            return false;
        }
        let (before, next) = (at.wrapping_sub(1), at + 1);
        let first = at > clause.range.start;
        let bound = first
            && !self.is(Kind::Indefinite, before)
            && (self.found.is(Kind::The, before) || self.is(Kind::New, before));
        let noun = self.is_ones(next) || self.lists(next) || self.is(Kind::State, next);
        // "Which of the two is worse?"
        let pair = clause.mood == Mood::Question && word == "two";
        let alone = !pair && (next >= clause.range.end || self.is(Kind::Be, next));
        let told = clause.mood != Mood::Question;
        let general = [Kind::Hedge, Kind::Judges];
        let general = clause.range.clone().any(|at| self.is_any(&general, at));
        bound && (noun || alone && !digit)
            || at == clause.start && told && self.is(Kind::List, next) && !general
    }

    /// "nothing is due", "the missed deadline", "an empty list", "that was your last one".
    fn grants_state(&self, at: usize, clause: &Clause) -> bool {
        let (before, next) = (at.wrapping_sub(1), at + 1);
        let bound = at > clause.range.start && self.found.is(Kind::The, before);
        let changed = self.is_any(&[Kind::Ended, Kind::Effect], at);
        let thing = self.is_any(&[Kind::List, Kind::Domain], next);
        if bound && changed && thing && !self.is_said(next) {
            return true;
        }
        let last = self.is(Kind::New, at) && self.is_ones(next) && bound;
        let points = self.is(Kind::It, clause.start) && self.is(Kind::Be, clause.start + 1);
        if last && points {
            return true;
        }
        let mut near = self.near(at, NEAR, &clause.range);
        if self.is(Kind::Placed, at) && near.clone().any(|at| self.is(Kind::Nothing, at)) {
            return true;
        }
        if !self.stands(at, true) || self.is_said(at) {
            return false;
        }
        let end = self.found.end(Kind::State, at).unwrap_or(next);
        let empty = end > next && self.is(Kind::List, end - 1) && !self.found.is(Kind::Frame, at);
        empty || near.any(|at| self.is_any(&[Kind::Nothing, Kind::List], at))
    }

    /// "the quiz tomorrow", "your free Thursday", "the 3 o'clock meeting", "the reminder at 6".
    fn grants_day(&self, at: usize, clause: &Clause) -> bool {
        let range = &clause.range;
        let digit = |at: usize| self.word(at).starts_with(|c: char| c.is_ascii_digit());
        let near = self.near(at, 2, range);
        let rings = [Kind::Rings, Kind::List, Kind::Domain];
        let noun =
            |at: usize| self.found.is(Kind::The, at.wrapping_sub(1)) && self.is_any(&rings, at);
        let rings = near.clone().any(noun);
        let told = self.turn.days.iter().any(|day| day.start == at) && !self.is(Kind::New, at);
        let day = told || self.is(Kind::Time, at) || digit(at) && rings;
        if !day || self.is_said(at) {
            return false;
        }
        let bound = |at: usize| {
            self.found.is(Kind::The, at) && !self.is(Kind::Deictic, at) && !self.is(Kind::Time, at)
        };
        let of = self.word(at + 1) == "of";
        let bound = if self.is(Kind::Deictic, at) {
            bound(at.wrapping_sub(1))
        } else {
            near.clone().any(bound)
        };
        if bound && !of && !self.found.is(Kind::Frame, at) {
            return true;
        }
        // Whoever asks about a task, or for an order, is told when it is best done.
        let advised = matches!(clause.mood, Mood::Request | Mood::Modal | Mood::Speaker);
        let titled = (range.start..at).filter(|at| self.is_titled(*at));
        let mut titled = titled.filter(|at| !advised || !(self.turn.ranks || self.is_said(*at)));
        rings || titled.next().is_some()
    }

    /// "one", "ones": stands for a noun.
    fn is_ones(&self, at: usize) -> bool {
        matches!(self.word(at), "one" | "ones")
    }
}
