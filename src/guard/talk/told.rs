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
        let general = range.clone().any(|at| self.is(Kind::Hedge, at));
        let about = self.is_general(clause);
        let general_day = self.lenient && self.range.clone().any(|at| self.is(Kind::Hedge, at));
        let ranked = self.is_ranked(clause);
        let gerund = self.is_gerund(clause);
        for at in range.clone() {
            let near = at.saturating_sub(3).max(range.start)..at;
            let indefinite = near
                .clone()
                .any(|at| matches!(self.text.word(at), "a" | "an" | "any" | "each" | "every"))
                && !near.clone().any(|at| self.is(Kind::The, at));
            let defines = matches!(self.text.word(range.start), "it's" | "that's")
                && matches!(self.text.word(range.start + 1), "a" | "an" | "the")
                && !(range.start + 2..range.end.min(range.start + 4)).any(|at| self.lists(at));
            let bare = self.text.word(at).ends_with('s')
                && !(range.start..at)
                    .rev()
                    .take(3)
                    .any(|at| self.found.is(Kind::The, at))
                && !range.clone().any(|at| {
                    self.is(Kind::You, at)
                        || self.is(Kind::It, at) && !(defines && at == range.start)
                })
                && !range
                    .clone()
                    .any(|at| self.is(Kind::Stands, at) || self.is(Kind::Time, at));
            if bare && self.lenient && !self.is_counted(at, clause) {
                continue;
            }
            let noun = self.idea
                && !near
                    .clone()
                    .any(|at| self.found.is(Kind::The, at) || self.is(Kind::Number, at));
            // "more of a museum than a list"
            let likened = indefinite
                && near
                    .clone()
                    .any(|at| matches!(self.text.word(at), "than" | "like"));
            let noun = noun || self.lenient && (likened || gerund);
            if self.lists(at) && !noun && (!self.lenient || !indefinite && !general) {
                return Err(Assertion::State);
            }
            let user = self.lenient && self.is_user(clause.start) && !self.is(Kind::Effect, at);
            if !user
                && !self.found.covers(Kind::Pleasant, at)
                && !self.takes(at, &range)
                && self.done(at, about)
                && self.is_told(at, &range)
            {
                return Err(Assertion::Effect);
            }
            if self.stands(at, about) && (!self.lenient || self.is_told(at, &range)) {
                return Err(Assertion::State);
            }
            if self.is(Kind::Service, at) {
                return Err(Assertion::Promise);
            }
            let felt = clause.mood == Mood::Feeling && self.is_said(at);
            let digit = |at: usize| self.text.word(at).starts_with(|c: char| c.is_ascii_digit());
            let month = self.is(Kind::Month, at) && !digit(at + 1) && !digit(at.wrapping_sub(1));
            let of_year = self.lenient && (month || self.text.word(at + 1) == "of");
            if self.is(Kind::Time, at)
                && !felt
                && !of_year
                && !general
                && !general_day
                && !self.idea
                && !self.restates
            {
                return Err(Assertion::State);
            }
            if self.is(Kind::Already, at)
                && matches!(self.text.word(at), "already" | "so")
                && !self.idea
            {
                return Err(Assertion::State);
            }
            if self.is_named(at)
                && !self.idea
                && !ranked
                && !felt
                && !matches!(self.text.word(at.wrapping_sub(1)), "a" | "an")
            {
                return Err(Assertion::State);
            }
        }
        let presumed = |at: usize| self.presumes(at);
        if clause.mood == Mood::Fragment && self.asks && range.clone().any(presumed) {
            return Err(Assertion::State);
        }
        let counted = range.clone().any(|at| {
            let lone = self.lenient && self.text.word(at) == "one" && at + 1 == range.end;
            self.is_number(at) && !lone
                || self.text.word(at).starts_with(|c: char| c.is_ascii_digit())
        });
        let has = |at: usize| {
            let next = at + 1;
            let own = matches!(self.text.word(at), "you've" | "you're");
            self.is(Kind::You, at)
                && (own || !self.lenient || self.is(Kind::Be, next) || self.is(Kind::Past, next))
        };
        let user = range.clone().any(has);
        if counted && range.clone().any(|at| self.is(Kind::Effect, at)) {
            return Err(Assertion::Count);
        }
        if counted && user && !self.idea && !general && !self.restates {
            return Err(Assertion::Count);
        }
        Ok(())
    }

    /// "Blocking time in your calendar helps": what people do, and nothing that was done.
    fn is_gerund(&self, clause: &Clause) -> bool {
        let first = clause.start;
        let told = |at: usize| {
            [
                Kind::Be,
                Kind::Past,
                Kind::Effect,
                Kind::Already,
                Kind::It,
                Kind::Number,
            ]
            .iter()
            .any(|kind| self.is(*kind, at))
        };
        let mut rest = first + 1..clause.range.end;
        self.text.word(first).ends_with("ing")
            && rest.clone().any(|at| self.is(Kind::Third, at))
            && !rest.any(told)
    }

    /// "That took courage": what is judged is no deed done to a task.
    fn takes(&self, at: usize, range: &Range<usize>) -> bool {
        let light = matches!(self.text.word(at), "took" | "takes" | "taken" | "made");
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
            !told && FREE.iter().any(|kind| self.found.is(*kind, at))
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
        let be =
            |at: usize| self.is(Kind::Be, at) && !matches!(self.text.word(at), "get" | "getting");
        let be = (at.saturating_sub(reach).max(range.start)..at).any(be);
        let first = !(range.start..at).any(|at| self.is_word(at));
        let last = !(at + 1..range.end).any(|at| self.is_word(at));
        let verb = range.clone().any(|other| other != at && self.finite(other));
        be || first || last && !weak || !verb
    }

    /// Only who asked for talk is told something in general; else it must be a judgement.
    pub(super) fn check_general(&self, clause: &Clause) -> Result<(), Assertion> {
        let range = clause.range.clone();
        if self.idea || self.restates || self.is_ranked(clause) {
            return Ok(());
        }
        let any = |kind| range.clone().any(|at| self.is(kind, at));
        let told = clause.start..range.end;
        let judged = told.into_iter().any(|at| self.is(Kind::Judges, at)) || any(Kind::YouOk);
        if self.lenient {
            let owns = self.is(Kind::You, clause.start)
                && matches!(self.text.word(clause.start + 1), "have" | "got" | "haven't");
            let short = self.words(self.range.clone()) < 3;
            // "Moving it over now": by nobody else than the speaker.
            let deed = self.text.word(clause.start).ends_with("ing") && self.presumes(clause.start);
            if clause.mood == Mood::Fragment && deed {
                return Err(Assertion::Promise);
            }
            return if (owns || short) && !judged && !any(Kind::Hedge) {
                Err(Assertion::Unknown)
            } else {
                Ok(())
            };
        }
        let counted = any(Kind::Number)
            || range
                .clone()
                .any(|at| self.text.word(at).starts_with(|c: char| c.is_ascii_digit()));
        let within = clause.range != self.range && self.range.clone().any(|at| self.finite(at));
        let framed = [clause.start, range.start].map(|at| self.is(Kind::Frame, at));
        if clause.mood == Mood::Fragment && framed.contains(&true) && within {
            return Ok(());
        }
        if clause.mood == Mood::Fragment && range.clone().any(|at| self.presumes(at)) {
            return Err(Assertion::State);
        }
        if self.is_exclaimed(clause) && !counted && !any(Kind::Past) {
            return Ok(());
        }
        if judged && !counted && !any(Kind::Past) || any(Kind::Hedge) && !counted {
            return Ok(());
        }
        Err(Assertion::Unknown)
    }

    /// "A haircut!": what the user told of is taken up, with nothing said of it.
    fn is_exclaimed(&self, clause: &Clause) -> bool {
        let bare = |at: usize| !(self.is_named(at) || self.lists(at) || self.stands(at, false));
        clause.mood == Mood::Fragment
            && self.turn.open
            && self.text.word(clause.range.end) == "!"
            && matches!(self.text.word(clause.start), "a" | "an")
            && clause.range.clone().all(bare)
    }
}
