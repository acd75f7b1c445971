//! Checks of what is told: of statements, and of whatever else tells something.

use std::ops::Range;

use super::clause::Sentence;
use super::mood::{Clause, Mood};
use super::verdict::Assertion;
use super::words::Kind;

impl Sentence<'_> {
    /// Checks what nobody may tell of the list, in whatever sentence.
    pub(super) fn check_told(&self, clause: &Clause) -> Result<(), Assertion> {
        let range = clause.range.clone();
        let general = self.any(Kind::Hedge, &range);
        let about = self.is_general(clause);
        let general_day = self.lenient && self.any(Kind::Hedge, &self.range);
        let ranked = self.is_ranked(clause);
        let gerund = self.is_gerund(clause);
        // "Lists help": things of a kind, of which nothing is said to the user.
        let kinds = [Kind::You, Kind::It, Kind::Stands, Kind::Time];
        let of_kinds = self.lenient && !range.clone().any(|at| self.is_any(&kinds, at));
        for at in range.clone() {
            let near = self.near(at, 3, &range);
            let indefinite = self.any(Kind::Indefinite, &near) && !self.any(Kind::The, &near);
            let bound = near.clone().any(|at| self.found.is(Kind::The, at));
            let bare = of_kinds && !bound && self.word(at).ends_with('s');
            if bare && !self.is_counted(at, clause) {
                continue;
            }
            let noun = self.idea && !bound && !self.any(Kind::Number, &near);
            let noun = noun || self.lenient && gerund;
            let listed = self.lists(at) && !noun && (!self.lenient || !indefinite && !general);
            Assertion::Other.stops(listed)?;
            let user = self.lenient && self.is_user(clause.start) && !self.is(Kind::Effect, at);
            let done = !user
                && !self.found.covers(Kind::Pleasant, at)
                && !self.takes(at, &range)
                && self.done(at, about)
                && self.is_told(at, &range);
            Assertion::Effect.stops(done)?;
            let stands = self.stands(at, about) && (!self.lenient || self.is_told(at, &range));
            let felt = clause.mood == Mood::Feeling && self.is_said(at);
            let digit = |at: usize| self.word(at).starts_with(|c: char| c.is_ascii_digit());
            let month = self.is(Kind::Month, at) && !digit(at + 1) && !digit(at.wrapping_sub(1));
            let of_year = self.lenient && (month || self.word(at + 1) == "of");
            let timed = self.is(Kind::Time, at)
                && !felt
                && !of_year
                && !general
                && !general_day
                && !self.idea
                && !self.restates;
            let already = self.is(Kind::Already, at) && matches!(self.word(at), "already" | "so");
            let named = self.is_named(at) && !self.idea && !ranked && !felt;
            let serves = self.is(Kind::Service, at) && !(at > 0 && self.denies(at - 1));
            Assertion::Other.stops(stands || serves || timed || already || named)?;
        }
        let presumed = |at: usize| self.presumes(at);
        let presumes = clause.mood == Mood::Fragment && self.asks && range.clone().any(presumed);
        let counted = range.clone().any(|at| {
            let lone = self.lenient && self.word(at) == "one" && at + 1 == range.end;
            self.is_number(at) && !lone || self.word(at).starts_with(|c: char| c.is_ascii_digit())
        });
        let has = |at: usize| {
            let next = at + 1;
            let own = matches!(self.word(at), "you've" | "you're");
            self.is(Kind::You, at)
                && (own || !self.lenient || self.is(Kind::Be, next) || self.is(Kind::Past, next))
        };
        let user = range.clone().any(has);
        let counts = counted && (self.any(Kind::Effect, &range) || user && !general);
        Assertion::Other.stops(presumes || counts)
    }

    /// "Blocking time in your calendar helps": what people do, and nothing that was done.
    fn is_gerund(&self, clause: &Clause) -> bool {
        let first = clause.start;
        const TOLD: [Kind; 6] = [
            Kind::Be,
            Kind::Past,
            Kind::Effect,
            Kind::Already,
            Kind::It,
            Kind::Number,
        ];
        let mut rest = first + 1..clause.range.end;
        self.word(first).ends_with("ing")
            && rest.clone().any(|at| self.is(Kind::Third, at))
            && !rest.any(|at| self.is_any(&TOLD, at))
    }

    /// "That took courage": what is judged is no deed done to a task.
    fn takes(&self, at: usize, range: &Range<usize>) -> bool {
        let light = matches!(self.word(at), "took" | "takes" | "taken" | "made");
        light && self.lenient && self.is(Kind::Judges, at + 1) && at + 1 < range.end
    }

    /// "Pay rent first, then Call mom": an order of tasks, for who asked for one.
    pub(super) fn is_ranked(&self, clause: &Clause) -> bool {
        const FREE: [Kind; 6] = [
            Kind::Lead,
            Kind::Frame,
            Kind::Joint,
            Kind::The,
            Kind::Judges,
            Kind::Hedge,
        ];
        let free = |at: usize| {
            let told = self.is(Kind::Already, at) || self.done(at, false) || self.stands(at, false);
            !told && self.found.is_any(&FREE, at)
        };
        let words = clause.range.clone().filter(|at| self.is_word(*at));
        self.turn.ranks
            && clause.mood == Mood::Fragment
            && words.clone().all(|at| self.is_named(at) || free(at))
    }

    /// Tells whether a participle or a state is said of something: a form of "be" stands before it, or
    /// nothing does.
    pub(super) fn is_told(&self, at: usize, range: &Range<usize>) -> bool {
        if !self.lenient {
            return true;
        }
        let weak = !self.is(Kind::Effect, at) && !self.is(Kind::State, at);
        let reach = if weak { 2 } else { 4 };
        let be = |at: usize| self.is(Kind::Be, at) && !matches!(self.word(at), "get" | "getting");
        let be = self.near(at, reach, range).any(be);
        let first = !(range.start..at).any(|at| self.is_word(at));
        let last = !(at + 1..range.end).any(|at| self.is_word(at));
        let verb = range.clone().any(|other| other != at && self.finite(other));
        be || first || last && !weak || !verb
    }

    /// Only who asked for talk is told something in general; else it must be a judgement.
    pub(super) fn may_be_told(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        if self.idea || self.is_ranked(clause) {
            return true;
        }
        let any = |kind| self.any(kind, &range);
        let told = clause.start..range.end;
        let judged = told.into_iter().any(|at| self.is(Kind::Judges, at)) || any(Kind::YouOk);
        if self.lenient {
            let owns = self.is(Kind::You, clause.start)
                && matches!(self.word(clause.start + 1), "have" | "got" | "haven't");
            let short = self.words(self.range.clone()) < 3;
            // "Moving it over now": by nobody else than the speaker.
            let deed = self.word(clause.start).ends_with("ing") && self.presumes(clause.start);
            let doing = clause.mood == Mood::Fragment && deed;
            let announces = judged || any(Kind::Hedge) || any(Kind::Ideas);
            return !doing && (!(owns || short) || announces);
        }
        let counted = any(Kind::Number)
            || range
                .clone()
                .any(|at| self.word(at).starts_with(|c: char| c.is_ascii_digit()));
        let within = clause.range != self.range && self.range.clone().any(|at| self.finite(at));
        let framed = [clause.start, range.start].map(|at| self.is(Kind::Frame, at));
        let fragment = clause.mood == Mood::Fragment;
        if fragment && framed.contains(&true) && within {
            return true;
        }
        let presumes = fragment && range.clone().any(|at| self.presumes(at));
        !presumes && !counted && (judged && !any(Kind::Past) || any(Kind::Hedge))
    }
}
