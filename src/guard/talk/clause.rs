//! Clauses: a sentence, its words, and the form that its clauses give it.

use std::ops::Range;

use super::mood::{Clause, Mood};
use super::verdict::{Assertion, Form};
use super::words::{FoundWords, Kind};
use crate::domain::text::Text;

/// A sentence to be judged.
pub(super) struct Sentence<'a> {
    pub text: &'a Text<'a>,
    pub found: &'a FoundWords,
    pub range: Range<usize>,
    /// The user asked for talk: what is told in general may be told.
    pub lenient: bool,
    /// Asks, by its mark or its words.
    pub asks: bool,
    /// An item of a list that was announced as ideas.
    pub idea: bool,
    /// Announced as an example or as somebody's words.
    pub quoted_ok: bool,
    /// Says nothing but what the user said.
    pub restates: bool,
    /// Antecedents are no task: the user asked about the world, or the sentence before was about
    /// something else.
    pub antecedent: bool,
    pub turn: &'a TurnFacts,
}

/// Knowledge of the turn that the sentences of an answer are judged by; tokens are the answer's.
pub(super) struct TurnFacts {
    /// The user asked for talk.
    pub lenient: bool,
    /// The user said nothing but a pleasantry: there is nothing to point back at.
    pub idle: bool,
    /// The user asked which task goes before others.
    pub ranks: bool,
    /// The user neither ordered anything nor asked how the list stands.
    pub open: bool,
    /// The user asked for knowledge, advice or a plan.
    pub asked: bool,
    /// The user asked about the world.
    pub worldly: bool,
    /// Antecedent of a pronoun is no task.
    pub antecedent: bool,
    /// Tokens that name a task.
    pub named: Vec<bool>,
    /// Tokens that the user said.
    pub said: Vec<bool>,
    /// Tokens that a title shares.
    pub titled: Vec<bool>,
    /// Tokens that the user said and that hold content.
    pub heard: Vec<bool>,
    /// Times of day, where the user asked about a task or about what was spoken of.
    pub hours: Vec<Range<usize>>,
    /// Dates, where a task is spoken of.
    pub dates: Vec<Range<usize>>,
    /// All dates and times of day.
    pub days: Vec<Range<usize>>,
}

/// Number of words at the start of a sentence among which it may begin to bid.
const OPENING: usize = 3;

impl Sentence<'_> {
    /// The form of the sentence, or what it asserts.
    pub(super) fn judge(&self) -> Result<Form, Assertion> {
        let range = &self.range;
        let kept = |at: usize| self.word(at + 1).starts_with("manager");
        let secret = |at: usize| self.is(Kind::Secret, at) && !kept(at);
        Assertion::Other.stops(range.clone().any(secret) || self.asks_for_details())?;
        let clauses = self.clauses();
        let mut ours = clauses.iter().map(|clause| self.ours(clause, &clauses));
        if let Some(found) = ours.find_map(|found| found) {
            return Err(found);
        }
        Assertion::Other.stops(clauses.iter().any(|clause| self.takes_for_granted(clause)))?;
        if self.is_elsewhere(&clauses) {
            return Ok(Form::Fact);
        }
        let topic = clauses.first().is_some_and(|first| self.has_topic(first));
        let mut form: Option<Form> = None;
        for clause in &clauses {
            self.check(clause)
                .map_err(|found| self.denied(clause, found))?;
            let tells = matches!(
                clause.mood,
                Mood::Statement | Mood::Fragment | Mood::Pleasant
            );
            Assertion::Other.stops(topic && tells)?;
            form = form.max(Some(self.form(clause)));
        }
        let first = clauses.first().is_some_and(|first| {
            let first = &first.range;
            let answers = |at: usize| {
                matches!(
                    self.word(at),
                    "yes" | "no" | "yep" | "nope" | "yeah" | "will"
                )
            };
            answers(first.start) && self.whole(Kind::Assent, first.clone())
        });
        match form {
            // "Generally, no."
            Some(Form::Assent) if self.turn.asked && self.any(Kind::Hedge, range) => Ok(Form::Fact),
            Some(Form::Pleasantry | Form::Assent) if first => Ok(Form::Answer),
            form => form.ok_or(Assertion::Other),
        }
    }

    /// "Send me your address": "Change your address" asks for nothing.
    fn asks_for_details(&self) -> bool {
        let any = |kind| self.any(kind, &self.range);
        let asks = || self.asks || any(Kind::Me) || any(Kind::Submits);
        any(Kind::Personal) && (!self.lenient || asks())
    }

    /// Tells whether it holds no perfect and no past of a deed: what is asked about may be said so.
    pub(super) fn only_restates(&self) -> bool {
        let told = |at: usize| {
            let be = self.near(at, 3, &self.range);
            let participle = self.is(Kind::Effect, at) || self.is(Kind::Did, at);
            let be = be
                .into_iter()
                .any(|at| self.is(Kind::Be, at) && self.word(at) != "be");
            let before = self.before(at);
            let deed = self.is(Kind::Effect, at) && before != "be" && before != "to";
            let now = self.word(at) == "now" && self.any(Kind::Me, &self.range);
            let told = (participle && be || deed || now) && !self.is(Kind::Change, at);
            let plain = matches!(
                self.word(at),
                "task"
                    | "tasks"
                    | "list"
                    | "nothing"
                    | "don't"
                    | "remind"
                    | "nudge"
                    | "i've"
                    | "we've"
                    | "gone"
                    | "done"
                    | "empty"
                    | "clear"
            );
            told || plain
                || self.is_any(&[Kind::Began, Kind::Service, Kind::State], at)
                || self.is(Kind::Already, at) && !matches!(self.word(at), "just" | "now")
                || self.is(Kind::You, at) && matches!(self.word(at + 1), "have" | "had")
                || self.is(Kind::Claim, at) && !matches!(self.word(at + 1), "your")
        };
        !self.range.clone().any(told)
    }

    fn form(&self, clause: &Clause) -> Form {
        match clause.mood {
            Mood::Pleasant | Mood::Feeling => Form::Pleasantry,
            Mood::Assent => Form::Assent,
            Mood::Question => Form::Question,
            Mood::Request if self.bids_tell() => Form::Request,
            Mood::Request | Mood::Modal | Mood::Condition => Form::Help,
            Mood::Speaker | Mood::Statement | Mood::Fragment => Form::Fact,
        }
    }

    /// "Nothing was deleted" tells of no effect, but that there was none.
    fn denied(&self, clause: &Clause, found: Assertion) -> Assertion {
        match found {
            Assertion::Effect if self.is(Kind::Nothing, clause.start) => Assertion::Other,
            found => found,
        }
    }

    /// "Tell me which one you mean."
    pub(super) fn bids_tell(&self) -> bool {
        let mut first = self.range.clone().take(OPENING);
        first.any(|at| self.is(Kind::Tell, at)) && self.any(Kind::Wanted, &self.range)
    }

    pub(super) fn is(&self, kind: Kind, at: usize) -> bool {
        !self.hidden(at) && self.found.is(kind, at)
    }

    pub(super) fn is_any(&self, kinds: &[Kind], at: usize) -> bool {
        !self.hidden(at) && self.found.is_any(kinds, at)
    }

    pub(super) fn any(&self, kind: Kind, range: &Range<usize>) -> bool {
        range.clone().any(|at| self.is(kind, at))
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.text.word(at)
    }

    /// The word before the one at `at`.
    pub(super) fn before(&self, at: usize) -> &str {
        self.text.word(at.wrapping_sub(1))
    }

    /// The words of `range` right before `at`, at most so many.
    pub(super) fn near(&self, at: usize, most: usize, range: &Range<usize>) -> Range<usize> {
        at.saturating_sub(most).max(range.start)..at
    }

    /// Words within quotation marks are mentioned only, where something announces them.
    pub(super) fn hidden(&self, at: usize) -> bool {
        self.quoted_ok && self.text.is_quoted(at)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.text.is_word(at)
    }

    pub(super) fn whole(&self, kind: Kind, range: Range<usize>) -> bool {
        all(self.text, self.found, kind, range)
    }

    /// A deed done to a task; to whom did not ask for talk, and of what is only pointed at,
    /// what was done to anything.
    pub(super) fn done(&self, at: usize, general: bool) -> bool {
        let done = self.is(Kind::Effect, at) || !general && self.is(Kind::Did, at);
        done && !(self.lenient && self.is_adjective(at))
    }

    /// "a fixed time": no deed that anybody did to a task.
    pub(super) fn is_adjective(&self, at: usize) -> bool {
        let noun = self.is_word(at + 1) && at + 1 < self.range.end && !self.is(Kind::List, at + 1);
        let some = matches!(self.before(at), "a" | "an");
        some && noun
    }

    pub(super) fn stands(&self, at: usize, general: bool) -> bool {
        let date = self.word(at) == "due" && self.word(at + 1).starts_with("date");
        let person = matches!(self.word(at.wrapping_sub(2)), "he" | "she");
        (self.is(Kind::State, at) && !date || !general && self.is(Kind::Stands, at))
            && !person
            && !self.is_object(at)
    }

    /// "the rest of your day" is nothing of the list.
    pub(super) fn presumes(&self, at: usize) -> bool {
        let end = self.found.end(Kind::Presumes, at);
        end.is_some_and(|end| {
            let life = self.word(end) == "of" && matches!(self.word(end + 1), "your" | "the");
            !(self.is_object(at) || life && self.word(at + 1) == "rest")
        })
    }

    /// "depends on it", "sleep on it"
    fn is_object(&self, at: usize) -> bool {
        let verb = [Kind::Verb, Kind::Third, Kind::Condition];
        let before = at.wrapping_sub(1);
        matches!(self.word(at), "on" | "in")
            && self.word(at + 1) == "it"
            && self.lenient
            && verb.iter().any(|kind| self.found.is(*kind, before))
    }

    /// A part of the list; to whom did not ask for talk, what any list is made of.
    pub(super) fn lists(&self, at: usize) -> bool {
        let before = self.before(at);
        let kind = before == "of" && self.is(Kind::Sort, at.wrapping_sub(2));
        // "what you schedule"
        let verb = matches!(self.word(at), "schedule" | "list")
            && matches!(before, "you" | "to" | "could" | "can" | "should");
        !kind && !verb && (self.is(Kind::List, at) || !self.lenient && self.is(Kind::Domain, at))
    }

    /// Tells whether the clause is about something that it names itself, for a user who asked for talk.
    pub(super) fn is_general(&self, clause: &Clause) -> bool {
        let start = clause.start;
        let points = self.is_any(&[Kind::It, Kind::You, Kind::Number], start);
        let names = |at: &usize| {
            self.is_word(*at)
                && !self.finite(*at)
                && !self.found.is(Kind::The, *at)
                && !self.found.is(Kind::Small, *at)
        };
        self.lenient
            && !points
            && clause.mood != Mood::Fragment
            && (start..clause.range.end.min(start + 5)).any(|at| names(&at))
    }

    /// A number word, or a number that no title holds.
    pub(super) fn is_number(&self, at: usize) -> bool {
        self.is(Kind::Number, at) && (!self.is_named(at) || self.lists(at + 1))
    }

    pub(super) fn words(&self, range: Range<usize>) -> usize {
        range.filter(|at| self.is_word(*at)).count()
    }
}

/// Tells whether the words of a range are phrases of one kind, one behind the other.
pub(super) fn all(text: &Text<'_>, found: &FoundWords, kind: Kind, range: Range<usize>) -> bool {
    let mut at = range.start;
    let mut some = false;
    while at < range.end {
        let end = found.end(kind, at).filter(|end| *end <= range.end);
        match end {
            _ if !text.is_word(at) => at += 1,
            Some(end) => (at, some) = (end, true),
            None if some && kind == Kind::Pleasant && found.is(Kind::Assent, at) => at += 1,
            None => return false,
        }
    }
    some
}
