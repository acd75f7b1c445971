//! Elsewhere: tells whether a sentence can be about the user's list at all.
//!
//! A sentence about the world needs no form to pass: it passes when nothing in it can mean the list,
//! a task, a reminder, or a deed of the assistant or of nobody. What can mean them must be proven, or
//! have a form that asserts nothing.

use std::ops::Range;

use super::answer::has;
use super::clause::Sentence;
use super::mood::{Clause, Mood};
use super::verdict::Assertion;
use super::words::{self, Kind};

/// Kinds of words that hold no content of their own.
const HOLLOW: [Kind; 16] = [
    Kind::Number,
    Kind::Judges,
    Kind::Pleasant,
    Kind::Assent,
    Kind::Effect,
    Kind::Did,
    Kind::State,
    Kind::Stands,
    Kind::Stays,
    Kind::Lead,
    Kind::Small,
    Kind::Hedge,
    Kind::Time,
    Kind::Already,
    Kind::Lasts,
    Kind::Left,
];

/// The most words of a statement that says of nothing in the world how it is.
const SHORT: usize = 4;

/// The most words of an exclamation that has no verb.
const EXCLAMATION: usize = 4;

impl Sentence<'_> {
    /// Tells whether nothing in it can mean the list.
    pub(super) fn is_elsewhere(&self, clauses: &[Clause]) -> bool {
        // What nobody but the server may tell is no news of elsewhere.
        let apart = |clause: &Clause| {
            !self.refers(clause)
                && !clause.range.clone().any(|at| self.tells_of_deeds(at))
                && self.check_anywhere(clause).is_ok()
        };
        self.turn.open && !self.asks && clauses.iter().all(apart) && self.says(clauses)
    }

    /// Tells whether a word may be news of a deed or of a state, of whatever: that is never taken for
    /// talk of the world.
    fn tells_of_deeds(&self, at: usize) -> bool {
        let kinds = [
            Kind::Claim,
            Kind::Promptly,
            Kind::Effect,
            Kind::Did,
            Kind::State,
            Kind::Already,
        ];
        self.text.is_quoted(at) || self.is_any(&kinds, at)
    }

    /// Tells whether a word in it is neither one of grammar nor of tasks and their states.
    fn says(&self, clauses: &[Clause]) -> bool {
        let things = self.range.clone().filter(|at| self.is_thing(*at)).count();
        let bids = clauses.iter().any(|clause| clause.mood == Mood::Request);
        let finite = self.range.clone().any(|at| self.finite(at));
        // "Che sfortuna!"
        let first = self.range.clone().find(|at| self.is_word(*at));
        let exclaims = !finite
            && first.is_some_and(|at| self.found.is(Kind::Wanted, at))
            && self.words(self.range.clone()) <= EXCLAMATION;
        let told = finite || bids || exclaims || self.turn.asked || things > 3;
        let enough = if self.turn.worldly || self.idea || exclaims {
            1
        } else {
            2
        };
        let doing =
            self.word(self.range.start).ends_with("ing") && !self.any(Kind::Third, &self.range);
        let begun = self.text.slice(self.range.start..self.range.start + 1) != "*";
        told && begun && !doing && things >= enough
    }

    pub(super) fn is_titled(&self, at: usize) -> bool {
        has(&self.turn.titled, at) && !self.is_generic(at)
    }

    /// "a checkup", "most deadlines", "garages": any of its kind.
    fn is_generic(&self, at: usize) -> bool {
        let near = self.near(at, 3, &self.range);
        let bound = self.is_bound(at) || near.clone().any(|at| self.is(Kind::Number, at));
        let any = near
            .clone()
            .any(|at| self.found.is(Kind::Indefinite, at) || self.found.is(Kind::Hedge, at));
        let plural = self.word(at).ends_with('s') && !self.is_named(at);
        !bound && (any || plural)
    }

    /// Said by a user who told of something, which may have become a task.
    pub(super) fn is_heard(&self, at: usize) -> bool {
        !self.turn.worldly && has(&self.turn.heard, at)
    }

    fn tells(mood: Mood) -> bool {
        matches!(mood, Mood::Statement | Mood::Fragment | Mood::Feeling)
    }

    /// Finds an assertion about the list, a task or what the assistant will do, in one clause of all.
    pub(super) fn ours(&self, clause: &Clause, all: &[Clause]) -> Option<Assertion> {
        let range = clause.range.clone();
        let any = |kind| self.any(kind, &range);
        // "besides the one on Friday": there is such a thing.
        let dated = |at: usize| {
            self.word(at) == "the"
                && matches!(self.word(at + 1), "one" | "ones")
                && matches!(self.word(at + 2), "on" | "for" | "at" | "from")
                && self.is(Kind::Time, at + 3)
        };
        if self.tells_the_hour(clause, all) || range.clone().any(dated) {
            return Some(Assertion::Other);
        }
        if matches!(clause.mood, Mood::Question | Mood::Condition | Mood::Assent) {
            return None;
        }
        // "Da wäre noch eine Sache offen."
        let left = clause.mood == Mood::Modal && any(Kind::Left) && !any(Kind::You);
        if left || self.will_ring(clause) {
            return Some(Assertion::Other);
        }
        if let Some(found) = self.formed(clause) {
            return Some(found);
        }
        if !Self::tells(clause.mood) {
            return None;
        }
        if self.tells_the_day(clause) {
            return Some(Assertion::Other);
        }
        // "Two to go", "te queda una".
        let number = range.clone().any(|at| self.is_number(at));
        if any(Kind::Left) && (number || self.is_bare(&range)) {
            return Some(Assertion::Other);
        }
        let ours = |at: usize| self.is_titled(at) || self.is_heard(at);
        if any(Kind::Lasts) && !self.turn.worldly || self.names(&range) {
            return Some(Assertion::Effect);
        }
        let titled = !self.is_ranked(clause) && range.clone().any(|at| self.is_titled(at));
        // "Only two things are due": a state of so many.
        if number && any(Kind::State) || titled && !self.turn.asked {
            return Some(Assertion::Other);
        }
        let stands = [
            Kind::Past,
            Kind::Effect,
            Kind::State,
            Kind::Stands,
            Kind::Stays,
            Kind::Time,
        ];
        let stands = stands.iter().any(|kind| any(*kind))
            || range
                .clone()
                .any(|at| self.changes(at) || self.is_future(at))
            || any(Kind::Be) && !self.turn.asked
            || range.clone().any(|at| self.is_picked(at)) && self.any(Kind::Be, &self.range);
        if titled && stands {
            return Some(Assertion::Other);
        }
        // "Lightbulbs are jotted down."
        let told = |at: usize| self.done(at, false) && (range.start..at).any(ours);
        range.clone().any(told).then_some(Assertion::Effect)
    }

    /// "The tax return", where a title has the word and the user spoke of something else.
    fn is_picked(&self, at: usize) -> bool {
        let picked = self.is_bound(at) || at == self.range.start;
        self.is_titled(at) && picked && !self.is_said(at)
    }

    /// Finds what a form alone asserts, whatever the verb: "the timer runs", "dejé todo", "nothing more
    /// awaits you", "the slot is blocked".
    fn formed(&self, clause: &Clause) -> Option<Assertion> {
        let (range, at) = (clause.range.clone(), clause.start);
        let any = |kind| self.any(kind, &range);
        if self.is(Kind::Own, at) && !self.found.covers(Kind::MeOk, at) {
            return Some(Assertion::Effect);
        }
        let general = |at: usize| {
            self.is_any(&[Kind::Judges, Kind::YouOk, Kind::Hedge], at)
                && !self.found.covers(Kind::Nothing, at)
        };
        if !Self::tells(clause.mood) || self.idea || range.clone().any(general) {
            return None;
        }
        let user = |at: usize| self.is(Kind::You, at) && !self.found.is(Kind::The, at);
        let known = any(Kind::Stays) || any(Kind::Already) || range.clone().any(user);
        if any(Kind::Nothing) && known {
            return Some(Assertion::Other);
        }
        let mut rest = at..range.end;
        let noun = rest.find(|at| !self.found.is(Kind::The, *at))?;
        let more = rest.any(|at| self.is_word(at));
        // "Der" may join, too.
        let bound = noun > range.start && self.found.is(Kind::The, noun - 1);
        let told = any(Kind::Be) || self.word(noun).ends_with("'s");
        let runs = told || bound && !self.found.is(Kind::Frame, noun + 1);
        // Behind the answer to a question about the world nothing so short goes on with it.
        let short = self.words(range.clone()) <= SHORT;
        let apart = !self.turn.worldly || short && self.range.start > 0;
        let new = apart && !self.is_said(noun);
        // Short sentences are of more than one language.
        let clock = words::says(Kind::Clock, self.word(noun)) && (new || !self.turn.worldly);
        let hour = |at: usize| self.is(Kind::Time, at) || self.word(at).parse::<u8>().is_ok();
        let rings = any(Kind::Rings) && !self.asks && apart && range.clone().any(hour);
        if clock && runs && more || rings || short && self.is_placed(&range) {
            return Some(Assertion::Other);
        }
        let be = |at: usize| self.is_now(at);
        let ended = |at: usize| self.is(Kind::Ended, at) && self.near(at, 2, &range).any(be);
        let past = self.is_any(&[Kind::Past, Kind::Began], noun + 1);
        let went = past && !self.is(Kind::Be, noun + 1) || range.clone().any(ended);
        (bound && new && went).then_some(Assertion::Effect)
    }

    /// "is off", "in pari": a place or a state at the end, behind "be" or as a phrase of its own.
    pub(super) fn is_placed(&self, range: &Range<usize>) -> bool {
        let last = range.clone().rev().find(|at| self.is_word(*at));
        let ends = |at: usize| {
            let behind = self.found.end(Kind::Placed, at).unwrap_or_default();
            let told = behind > at + 1 || at > range.start && self.is_now(at - 1);
            told && last.is_some_and(|last| behind == last + 1)
        };
        range.clone().any(ends)
    }

    /// A form of "be" in the present.
    pub(super) fn is_now(&self, at: usize) -> bool {
        self.is(Kind::Be, at) && !self.is(Kind::Past, at)
    }

    /// "It's at 9:00", "a 9:00 start": at what time of day something is, for who asked about a task.
    fn tells_the_hour(&self, clause: &Clause, all: &[Clause]) -> bool {
        let told = !matches!(
            clause.mood,
            Mood::Question | Mood::Request | Mood::Assent | Mood::Pleasant
        ) && !self.weighs(clause.start, &clause.range);
        let general = self.any(Kind::Hedge, &clause.range);
        let within = |hour: &&Range<usize>| clause.range.contains(&hour.start);
        let mut hours = self.turn.hours.iter().filter(within);
        told && !general
            && hours.any(|hour| {
                let before = clause.range.start..hour.start;
                let advised = before.clone().any(|at| self.is_user(at))
                    && matches!(clause.mood, Mood::Modal | Mood::Condition | Mood::Speaker);
                let article =
                    |at: usize| self.found.is(Kind::The, at) || matches!(self.word(at), "a" | "an");
                let names = article(hour.start.wrapping_sub(1)) && self.is_word(hour.end);
                let subject = |at: usize| {
                    self.is(Kind::It, at) && !self.is(Kind::Vague, at)
                        || self.is_titled(at)
                        || self.is_user(at)
                };
                names || !advised && before.clone().any(subject) || answers_barely(clause, all)
            })
    }

    /// "It is on the 15th", "essay 12 ko hai": a day of something that was spoken of, which rows can bear out.
    fn tells_the_day(&self, clause: &Clause) -> bool {
        let dated = |at: &usize| {
            self.turn.dates.iter().any(|day| day.start == *at)
                || self.found.day_of_month(self.text, *at).is_some()
        };
        let mut days = clause.range.clone().filter(dated);
        days.any(|day| {
            let mut before = clause.range.start..day;
            let points = |at: usize| {
                let noun = self.found.is(Kind::The, at) && self.is_thing(at + 1);
                self.is(Kind::It, at) && !self.is(Kind::Vague, at) && !noun
            };
            let be = self.any(Kind::Be, &clause.range);
            let bare = !before.clone().any(|at| self.is_word(at));
            let titled = |mut range: Range<usize>| range.any(|at| self.is_titled(at));
            // "Viva first, is on the 12th": of what the sentence names.
            let of_named = be && bare && titled(self.range.clone());
            of_named || titled(before.clone()) || be && before.any(points)
        })
    }

    /// A device, a message or a call reaches the user later.
    fn will_ring(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        let will = |at: usize| self.is_future(at);
        let reaches = |at: usize| {
            self.is(Kind::You, at) && self.word(at) == "you'll" && self.is(Kind::Learns, at + 1)
        };
        let rings = self.any(Kind::Rings, &range);
        let sent = clause.mood == Mood::Statement
            && (self.any(Kind::Service, &range) || range.clone().any(will));
        rings && (sent || self.awaits(clause)) || range.clone().any(reaches)
    }

    fn is_future(&self, at: usize) -> bool {
        self.is(Kind::Will, at) || self.word(at).ends_with("'ll")
    }

    /// "'Tax day' it is": something is named so from then on.
    fn names(&self, range: &Range<usize>) -> bool {
        let is = |at: usize| {
            self.word(at) == "it"
                && self.word(at + 1) == "is"
                && at > range.start
                && !self.found.is(Kind::Read, at - 1)
                && (at + 2 >= range.end
                    || !self.is_word(at + 2)
                    || self.found.is(Kind::Frame, at + 2))
        };
        range.clone().any(is)
    }

    /// Holds no thing that it could be about.
    fn is_bare(&self, range: &Range<usize>) -> bool {
        !range.clone().any(|at| self.is_thing(at))
    }

    pub(super) fn is_thing(&self, at: usize) -> bool {
        self.is_word(at)
            && self.word(at).len() > 2
            && !self.found.is(Kind::Read, at)
            && !self.is_heard(at)
            && !self.is_titled(at)
            && !self.found.is_any(&HOLLOW, at)
    }

    /// Tells whether something in a clause can mean the list, a task, the user's days or the assistant.
    fn refers(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        let tells = Self::tells(clause.mood);
        let own = [Kind::List, Kind::Service, Kind::Lasts, Kind::Secret];
        let told = tells
            && !self.turn.asked
            && (self.any(Kind::Past, &range) || self.any(Kind::Be, &range));
        let things = range.clone().filter(|at| self.is_thing(*at)).count();
        let deeds = [Kind::Effect, Kind::Did, Kind::Me, Kind::State];
        let points =
            |at: usize| self.is(Kind::It, at) && !self.found.is(Kind::The, at) && !self.exists(at);
        let apart = !range.clone().any(points)
            && self.turn.asked
            && things > 0
            && !range.clone().any(|at| self.is_any(&deeds, at));
        let refers = |at: usize| {
            let word = self.word(at);
            let speaks = self.is(Kind::Me, at)
                && !matches!(word, "us" | "our" | "we" | "ourselves")
                && self.text.slice(at..at + 1) != "US";
            let first = (self.range.start..at).any(|at| self.is_thing(at));
            let points = self.is(Kind::It, at)
                && !self.is(Kind::Vague, at)
                && !self.found.is(Kind::The, at)
                && !self.is(Kind::Be, at)
                && !self.exists(at)
                && !self.antecedent
                && !first
                && !self.found.is(Kind::Judges, at + 1)
                && !self.found.is(Kind::Judges, at + 2);
            let total = tells
                && at == clause.start
                && self.is(Kind::Total, at)
                && !self.is_thing(at + 1)
                && !self.turn.worldly;
            let be = self.any(Kind::Be, &self.near(at, 4, &range));
            let deed = tells
                && (self.done(at, false) || self.stands(at, false))
                && (!first || be && !self.turn.worldly);
            let changed = tells && self.changes(at) && !self.turn.worldly;
            // "por la mañana" is no tomorrow.
            let counted =
                self.is(Kind::Deictic, at) && !self.found.is(Kind::The, at.wrapping_sub(1));
            let named = self.any(Kind::Be, &range) && !self.is_bound(at) && !self.is_said(at);
            let counted = counted || (!self.turn.asked || named) && !self.turn.worldly;
            let timed = tells && self.is(Kind::Time, at) && counted;
            speaks
                || !apart && (self.is(Kind::Claim, at) || self.is(Kind::Left, at))
                || self.is(Kind::Rings, at) && self.any(Kind::Time, &range)
                || self.is_any(&own, at)
                || self.is_titled(at)
                || points
                || total
                || told && self.is_heard(at) && !self.is_generic(at)
                || deed
                || changed
                || timed
                || tells && self.is_of_user(at)
                || self.is_future(at) && (range.start..at).any(|at| self.is_heard(at))
        };
        range.clone().any(refers)
    }

    fn is_bound(&self, at: usize) -> bool {
        let mut near = self.near(at, 3, &self.range);
        near.any(|at| self.found.is(Kind::The, at))
    }

    /// "There is a limit": of anything.
    fn exists(&self, at: usize) -> bool {
        let there = matches!(self.word(at), "there" | "there's");
        let end = self.range.end.min(at + 4);
        there && !(at + 1..end).any(|at| self.is(Kind::Number, at) || self.word(at) == "nothing")
    }

    /// "now", "already": it was otherwise before.
    fn changes(&self, at: usize) -> bool {
        self.is(Kind::Already, at) && !self.is(Kind::Lasting, at)
    }

    /// "You have", "you're", "your day is": tells how the user stands.
    fn is_of_user(&self, at: usize) -> bool {
        if !self.is(Kind::You, at) || self.turn.worldly || self.found.covers(Kind::YouOk, at) {
            return false;
        }
        let next = at + 1;
        let mut rest = next..self.range.end.min(at + 5);
        let owns = self.word(at).starts_with("your")
            && (self.is(Kind::Span, next) || rest.any(|at| self.is(Kind::Be, at)));
        let joined = self.word(at).contains('\'');
        let stands =
            joined || self.is(Kind::Be, next) || self.is(Kind::Past, next) || self.is_future(next);
        let of = at > self.range.start && self.is(Kind::Wanted, at - 1);
        owns || self.is_user(at) && stands && !of
    }
}

/// "At 9:00.", "9am, I think.": nothing else is told, and nothing advised.
fn answers_barely(clause: &Clause, all: &[Clause]) -> bool {
    let other = |mood| matches!(mood, Mood::Request | Mood::Modal | Mood::Statement);
    clause.mood == Mood::Fragment && !all.iter().any(|clause| other(clause.mood))
}
