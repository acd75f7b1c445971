//! Checks of every clause, whatever its mood: failures, reports without a subject, counts of the list
//! and deeds that are taken for so.

use super::answer::has;
use super::clause::Sentence;
use super::mood::{Clause, Mood};
use super::verdict::Assertion;
use super::words::{self, Kind};

impl Sentence<'_> {
    /// Fails where something is told that nobody but the server may tell.
    pub(super) fn check_anywhere(&self, clause: &Clause) -> Result<(), Assertion> {
        let any = |is: &dyn Fn(usize) -> bool| clause.range.clone().any(is);
        Assertion::Other.stops(self.begins_doing(clause))?;
        if matches!(clause.mood, Mood::Question | Mood::Assent) {
            return Assertion::Other.stops(self.takes_for_so(clause));
        }
        Assertion::Other.stops(self.fails(clause))?;
        Assertion::Effect.stops(self.reports(clause) || self.praises(clause))?;
        // "There is nothing to undo."
        let none = |at: usize| {
            let next = at + 2;
            let verb = self.is(Kind::Change, next)
                || self.is(Kind::Effect, next)
                || self.word(next) == "undo";
            self.word(at) == "nothing" && self.word(at + 1) == "to" && verb
        };
        Assertion::Other.stops(any(&|at| self.is_counted(at, clause) || none(at)))?;
        Assertion::Effect.stops(any(&|at| self.results(at, clause)))?;
        Assertion::Other.stops(
            any(&|at| self.is_new(at) || self.is_felt(at))
                || self.lies_so(clause)
                || self.admires(clause)
                || self.relates(clause),
        )
    }

    /// "Adding it now, how are you?": what is being done opens the sentence.
    fn begins_doing(&self, clause: &Clause) -> bool {
        let at = clause.start;
        let next = at + 1;
        let points = self.is(Kind::It, next) || self.is_named(next);
        let opens = clause.range.start == self.range.start && clause.range.end < self.range.end;
        // Beside a question of another language, whose words are the ones that are known.
        let behind = self.word(next + 1);
        let plain = words::says(Kind::Object, self.word(next)) && matches!(behind, "now" | ",");
        opens && self.word(at).ends_with("ing") && (self.presumes(at) && points || plain)
    }

    /// The user is bidden to wait for something that rings.
    pub(super) fn awaits(&self, clause: &Clause) -> bool {
        let rings = |at: usize| self.is(Kind::Service, at) || self.is(Kind::Rings, at);
        self.is(Kind::Awaits, clause.start) && clause.range.clone().any(rings)
    }

    /// "The alarm is on", "your week looks light", "it worked": how a thing of the user's stands.
    fn lies_so(&self, clause: &Clause) -> bool {
        let at = clause.start;
        if clause.mood == Mood::Condition || !self.found.is(Kind::The, at) && !self.is(Kind::It, at)
        {
            return false;
        }
        let first = clause.range.start == self.range.start;
        let works = matches!(self.word(at + 1), "worked" | "succeeded");
        if first && works && self.is(Kind::It, at) {
            return true;
        }
        // "your day is", "la tua giornata è"
        let time = |at: usize| {
            self.found.is(Kind::The, at)
                && self.is(Kind::You, at)
                && self.is(Kind::Span, at + 1)
                && (self.is_now(at + 2) || self.is(Kind::Third, at + 2))
        };
        time(at) || time(at + 1) || self.is_placed(&(at + 1..clause.range.end))
    }

    /// "What a short list!"
    fn admires(&self, clause: &Clause) -> bool {
        let at = clause.start;
        matches!(self.word(at), "what" | "such" | "quite")
            && self.word(at + 1) == "a"
            && (at + 2..clause.range.end.min(at + 5)).any(|at| self.is(Kind::List, at))
    }

    /// Tells whether the speaker or the user does what follows: "me to", "should I", "I".
    pub(super) fn is_agent(&self, at: usize) -> bool {
        let word = self.word(at);
        word == "me" && self.word(at + 1) == "to" || word.starts_with("i'") || word == "i"
    }

    /// The user, and not a thing of the user's.
    pub(super) fn is_user(&self, at: usize) -> bool {
        self.is(Kind::You, at) && !matches!(self.word(at), "your" | "yours")
    }

    /// A word that denies.
    pub(super) fn denies(&self, at: usize) -> bool {
        let word = self.word(at);
        word.ends_with("n't") || matches!(word, "not" | "cannot" | "never")
    }

    /// The sentence is about a task that it begins with: "Call mom: …".
    pub(super) fn has_topic(&self, first: &Clause) -> bool {
        let mut words = first.range.clone();
        let named = self.word(words.end) == ":" && words.all(|at| self.is_named(at));
        named && !self.idea && !self.asks
    }

    pub(super) fn is_named(&self, at: usize) -> bool {
        has(&self.turn.named, at)
    }

    pub(super) fn is_said(&self, at: usize) -> bool {
        has(&self.turn.said, at)
    }

    /// "It didn't work", "Couldn't move it", "the server is down".
    fn fails(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        let told = clause.mood != Mood::Condition;
        let first = self.word(clause.start);
        let second = self.word(clause.start + 1);
        let opens = self.is(Kind::CouldNot, clause.start)
            || matches!(first, "could" | "can" | "did") && second == "not";
        let acts = |at: usize| self.is(Kind::Change, at) || self.is(Kind::Effect, at);
        let machine = |at: usize| self.is(Kind::Machine, at);
        let none = self.word(range.start) == "no" && machine(range.start + 1);
        if told && (opens && range.clone().any(|at| acts(at) || machine(at)) || none) {
            return true;
        }
        let failed = |at: usize| {
            let was = self.is(Kind::WasNot, at)
                || self.word(at) == "not" && matches!(self.before(at), "did" | "has" | "had");
            let verb = (at + 1..range.end.min(at + 3)).find(|at| self.is(Kind::Succeeds, *at));
            was && verb.is_some()
        };
        let broken = |at: usize| {
            let bound = at > range.start && self.found.is(Kind::The, at - 1);
            let next = at + 1;
            let tells = self.is(Kind::Be, next) || self.is(Kind::Past, next) || self.denies(next);
            self.is(Kind::Machine, at) && bound && tells
        };
        told && range.clone().any(|at| failed(at) || broken(at))
    }

    /// "Cleaned up everything": who did it is left out.
    fn reports(&self, clause: &Clause) -> bool {
        let at = clause.start;
        let word = self.word(at);
        let past = word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed")
            || self.is_any(&[Kind::Effect, Kind::Did], at)
            || self.is(Kind::Past, at) && !self.is(Kind::Be, at) && !self.is(Kind::Lead, at);
        let gone =
            self.is(Kind::Particle, at) && self.is(Kind::It, at + 1) && self.is(Kind::Past, at + 2);
        if gone && clause.mood == Mood::Statement {
            return true;
        }
        if !past || self.idea || self.is(Kind::Verb, at) {
            return false;
        }
        let object = |at: usize| {
            at < clause.range.end
                && (self.is(Kind::Object, at) || self.found.is(Kind::The, at) || self.is_named(at))
        };
        let split = self.is(Kind::Particle, at + 1);
        let alone = !(at + 2..clause.range.end).any(|at| self.is_word(at));
        object(at + 1) || split && (object(at + 2) || alone)
    }

    /// "Great job clearing that one": for what the user did not say.
    fn praises(&self, clause: &Clause) -> bool {
        let Some(end) = self.found.end(Kind::Pleasant, clause.range.start) else {
            return false;
        };
        let on = matches!(self.word(end), "on" | "with" | "for" | "at" | "by");
        let deed = end + usize::from(on);
        let next = deed + 1;
        let points = self.found.is(Kind::The, next)
            || self.is_any(&[Kind::It, Kind::Number], next)
            || self.is_named(next);
        deed < clause.range.end && self.word(deed).ends_with("ing") && self.presumes(deed) && points
    }

    /// "zero tasks", "three things left": where it says how many there are.
    pub(super) fn is_counted(&self, at: usize, clause: &Clause) -> bool {
        let tells = matches!(
            clause.mood,
            Mood::Statement | Mood::Fragment | Mood::Feeling | Mood::Speaker
        );
        let range = clause.range.clone();
        // "Aqui vai uma lista": an article, where no verb tells of how many.
        let article = |at: usize| {
            let idea =
                clause.mood == Mood::Fragment && self.lenient && self.any(Kind::Ideas, &range);
            idea && self.is(Kind::Indefinite, at)
        };
        let number = |at: usize| {
            let word = self.word(at);
            at >= range.start
                && !article(at)
                && word != "one"
                && !matches!(word, "only" | "nothing" | "half" | "single")
                && (self.is_number(at) || word.starts_with(|c: char| c.is_ascii_digit()))
        };
        let general = range
            .clone()
            .any(|at| self.is(Kind::Hedge, at) && !number(at));
        if tells && self.is(Kind::List, at) && self.is(Kind::Fewer, at + 1) {
            return true;
        }
        if !tells || general {
            return false;
        }
        if self.is(Kind::List, at) && number(at.wrapping_sub(1)) {
            return true;
        }
        let left = |at: usize| self.is(Kind::Undone, at);
        number(at) && (at + 1..range.end.min(at + 3)).any(left)
    }

    /// "Rent is paid": nothing but what became of a thing.
    fn results(&self, at: usize, clause: &Clause) -> bool {
        let tells = matches!(clause.mood, Mood::Statement | Mood::Fragment);
        let last = !(at + 1..clause.range.end).any(|at| self.is_word(at));
        let is = matches!(self.before(at), "is" | "are" | "been");
        tells && last && is && self.done(at, false)
    }

    /// "the new title"; "goodbye to Read book".
    fn is_new(&self, at: usize) -> bool {
        let fact = self.is(Kind::Attribute, at) && self.before(at) == "new";
        let bound = self.found.is(Kind::The, at.wrapping_sub(2)) && at > self.range.start + 1;
        let gone = self.word(at) == "goodbye" && self.word(at + 1) == "to";
        fact && bound || gone && self.is_named(at + 2)
    }

    /// ", where Read book is now": tells of a task behind the word of a condition.
    fn relates(&self, clause: &Clause) -> bool {
        let first = self.word(clause.range.start);
        clause.mood == Mood::Condition
            && clause.range.start > self.range.start
            && matches!(first, "where" | "wherever")
            && clause.range.clone().any(|at| self.is_named(at))
    }

    /// "Your sister is glad you called": the user did not say so.
    fn is_felt(&self, at: usize) -> bool {
        let be = at.wrapping_sub(1);
        let other = self.is(Kind::Be, be)
            && !self.is(Kind::Me, be)
            && !self.is(Kind::Me, be.wrapping_sub(1));
        let that = usize::from(self.word(at + 1) == "that");
        let deed = at + 2 + that;
        other
            && self.is(Kind::Feels, at)
            && self.is_user(at + 1 + that)
            && (self.done(deed, false) || self.is(Kind::Past, deed))
            && !self.is_said(deed)
    }

    /// "Did you notice that …": what follows is taken for so.
    fn takes_for_so(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        // "Shall I take Essay off the list?"
        let offers = self.found.is(Kind::Offer, clause.start);
        // "How does it feel to have Essay finished?"
        let ended = |at: usize| {
            let next = at + 1;
            self.is_named(at)
                && !self.is_named(next)
                && next < range.end
                && (self.done(next, false) || self.stands(next, false) && !offers)
        };
        let asks = self.is(Kind::Be, clause.start) || self.is(Kind::Modal, clause.start);
        if !asks && range.clone().any(ended) {
            return true;
        }
        let Some(at) = range.clone().find(|at| self.is(Kind::Factive, *at)) else {
            return false;
        };
        let mut told = at + 1..range.end;
        let bound = |at: usize| {
            let near = self.near(at, 3, &range);
            self.is(Kind::List, at) && near.into_iter().any(|at| self.found.is(Kind::The, at))
        };
        let tells = |at: usize| self.is(Kind::Be, at) || self.is(Kind::Past, at);
        let of_task = told.clone().any(|at| bound(at) || self.is_named(at));
        of_task && told.any(tells)
    }
}
