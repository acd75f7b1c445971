//! Moods: a sentence cut into clauses, and the deed of each, told by its form.

use std::ops::Range;

use super::clause::Sentence;
use super::words::Kind;

/// Number of words at the start of a question among which its subject stands.
const OPENING: usize = 3;

/// The deed of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    /// Greets, thanks, wishes, pities.
    Pleasant,
    /// A yes or a no.
    Assent,
    /// Asks the user.
    Question,
    /// Bids the user do something.
    Request,
    /// Says what could be.
    Modal,
    /// Holds only if something else does.
    Condition,
    /// Opens with a frame of the speaker that tells of no deed.
    Speaker,
    /// Says how something seems to be.
    Feeling,
    /// Tells.
    Statement,
    /// Has no verb, and none before it lends it one.
    Fragment,
}

pub(super) struct Clause {
    pub range: Range<usize>,
    /// Behind the words that change nothing.
    pub start: usize,
    pub mood: Mood,
}

impl Sentence<'_> {
    /// The clauses, each with its mood.
    pub(super) fn clauses(&self) -> Vec<Clause> {
        let mut before = None;
        let read = self.split().into_iter().map(|range| {
            let start = self.behind_leads(&range);
            let mood = self.mood(start, &range, before);
            if !matches!(mood, Mood::Pleasant | Mood::Assent | Mood::Condition) {
                before = Some(mood);
            }
            Clause { range, start, mood }
        });
        read.collect()
    }

    /// Splits at marks and at words that join clauses of their own.
    fn split(&self) -> Vec<Range<usize>> {
        let mut clauses = Vec::new();
        let mut start = self.range.start;
        for at in self.range.clone() {
            let word = self.word(at);
            let spaced = |at: usize| self.text.tokens.get(at).is_some_and(|token| token.spaced);
            // "1,000" and "9:30" are numbers.
            let next = at + 1;
            let inside = matches!(word, "," | ":" | ".") && next < self.range.end && !spaced(next);
            let mark = !inside
                && matches!(
                    word,
                    "," | ";" | ":" | "(" | ")" | "!" | "?" | "…" | "." | "|"
                )
                || word == "-" && spaced(at);
            let hidden = self.hidden(at);
            if mark && !hidden {
                if start < at {
                    clauses.push(start..at);
                }
                start = at + 1;
            } else if at > start
                && !hidden
                && (self.found.is(Kind::Joint, at) || self.found.is(Kind::Condition, at))
                && self.begins_clause(at)
                && (self.found.is(Kind::Condition, at)
                    || (start..at).any(|at| self.finite(at))
                    || self.bids_and_tells(start, at))
            {
                clauses.push(start..at);
                start = at;
            }
        }
        if start < self.range.end {
            clauses.push(start..self.range.end);
        }
        let words = |range: &Range<usize>| range.clone().any(|at| self.is_word(at));
        clauses.into_iter().filter(words).collect()
    }

    /// "Relax and you'll …": what is bidden, and what somebody else does.
    fn bids_and_tells(&self, start: usize, at: usize) -> bool {
        let next = at + 1;
        self.is(Kind::Verb, start)
            && matches!(self.word(at), "and" | "so" | "then")
            && self.is_user(next)
    }

    /// Tells whether a verb stands behind `at` before the next mark or joint.
    pub(super) fn begins_clause(&self, at: usize) -> bool {
        let stop = |at: &usize| {
            !matches!(
                self.word(*at),
                "," | ";" | ":" | "(" | ")" | "!" | "?" | "." | ""
            ) && !self.found.is(Kind::Joint, *at)
        };
        // "as done" is no clause of its own.
        let behind = at + 1 + usize::from(self.is(Kind::As, at));
        let mut reach = (at + 1..self.range.end).take_while(stop);
        reach.any(|at| at >= behind && self.finite(at))
    }

    pub(super) fn finite(&self, at: usize) -> bool {
        let alone = [Kind::Be, Kind::Modal, Kind::Past, Kind::Me, Kind::Effect];
        self.is_any(&alone, at)
            || at > self.range.start && self.word(at) == "will"
            || (self.is(Kind::Verb, at) || self.is(Kind::Third, at) && !self.opens_part(at))
                && !self.is_noun(at)
                && !self.text.slice(at..at + 1).starts_with(char::is_uppercase)
    }

    /// "things you hardly use: books, clothes": a plural opens a part of a sentence, a verb in the third
    /// person does not.
    fn opens_part(&self, at: usize) -> bool {
        at > self.range.start && matches!(self.before(at), "," | ":" | ";")
    }

    /// "an order", "for work": what stands before it makes a noun of it.
    pub(super) fn is_noun(&self, at: usize) -> bool {
        let Some(before) = at
            .checked_sub(1)
            .filter(|before| *before >= self.range.start)
        else {
            return false;
        };
        let article = |at: usize| matches!(self.word(at), "a" | "an");
        // "a new look"
        let described = self.found.is(Kind::New, before) || self.found.is(Kind::Judges, before);
        self.found.is(Kind::The, before)
            || self.found.is(Kind::Frame, before)
            || described && before > self.range.start && article(before - 1)
            || article(before)
            || matches!(
                self.word(before),
                "any" | "some" | "no" | "each" | "every" | "and" | "or"
            )
    }

    pub(super) fn behind_leads(&self, range: &Range<usize>) -> usize {
        let mut at = range.start;
        while at < range.end {
            let joint = self.found.is(Kind::Joint, at) && !self.found.is(Kind::It, at);
            // "Domani fai una passeggiata": the day stands in front.
            let day = self.is(Kind::Deictic, at) && self.is(Kind::Verb, at + 1);
            if !self.is_word(at) || joint || day {
                at += 1;
            } else if let Some(end) = self.found.end(Kind::Lead, at) {
                at = end.min(range.end);
            } else {
                break;
            }
        }
        at
    }

    pub(super) fn mood(&self, start: usize, range: &Range<usize>, before: Option<Mood>) -> Mood {
        let all = range.clone();
        if self.found.is(Kind::Condition, range.start)
            || start < range.end && self.found.is(Kind::Condition, start)
        {
            // "When should I call?" asks.
            if !(self.asks && self.found.is(Kind::Asks, start)) {
                return Mood::Condition;
            }
        }
        if self.whole(Kind::Assent, all.clone()) {
            return Mood::Assent;
        }
        if self.whole(Kind::Pleasant, all.clone()) {
            return Mood::Pleasant;
        }
        if start >= range.end {
            return before.unwrap_or(Mood::Assent);
        }
        let points = |at: usize| self.is(Kind::It, at) && !self.is(Kind::Vague, at);
        let tells = |at: usize| self.finite(at) || points(at);
        if self.asks {
            let ends = range.end >= self.range.end || self.word(range.end) == "?";
            let first = start..range.end.min(start + 4);
            let late = self.any(Kind::Wanted, &first);
            let asks = self.found.is(Kind::Asks, start)
                || late && self.is(Kind::Frame, start)
                || self.found.is(Kind::Asks, range.start)
                || self.found.is(Kind::Offer, start);
            let bare = !self.range.clone().any(tells);
            let subject = |at: usize| self.is(Kind::You, at) || self.is(Kind::Me, at) || points(at);
            let goes_on = before == Some(Mood::Question)
                && (matches!(self.word(range.start), "and" | "or") || !range.clone().any(subject));
            // "is that what you wanted?" asks for no what.
            let late = late && !self.finite(start);
            let asks = asks || ends && (late || self.asks_of_person(range));
            if asks || bare || goes_on || ends && !range.clone().any(tells) {
                return Mood::Question;
            }
        }
        // "Take the books that you read last."
        let that = matches!(self.word(range.start), "that" | "which" | "who");
        let of_user = that && self.is_user(range.start + 1);
        let ours =
            |at: usize| self.is(Kind::Effect, at) || self.is(Kind::List, at) || self.is_named(at);
        if let Some(mood @ (Mood::Request | Mood::Modal)) = before
            && self.lenient
            && of_user
            && !range.clone().any(ours)
        {
            return mood;
        }
        // "Tell me which one you mean."
        if before == Some(Mood::Request) && self.is(Kind::Wanted, range.start) && self.bids_tell() {
            return Mood::Question;
        }
        // "I can't tell who has access."
        if self.found.is(Kind::Wanted, range.start)
            && before == Some(Mood::Speaker)
            && self.denies_ability(self.range.start + 1)
        {
            return Mood::Question;
        }
        if self.bids(start, range) {
            return Mood::Request;
        }
        if self.foretells(start, range, before) || self.weighs(start, range) {
            return Mood::Modal;
        }
        if self.is(Kind::MeOk, start) || self.would(range) {
            return Mood::Speaker;
        }
        if self.is(Kind::Seems, start) || self.is(Kind::Seems, range.start) {
            return Mood::Feeling;
        }
        if self.any(Kind::Modal, range) {
            return Mood::Modal;
        }
        if self.any(Kind::Seems, range) {
            return Mood::Feeling;
        }
        if !range.clone().any(|at| self.finite(at)) {
            return match before {
                Some(Mood::Pleasant | Mood::Assent) | None => Mood::Fragment,
                Some(mood) => mood,
            };
        }
        // What goes on without a subject of its own goes on as it began.
        let joined = self.found.is(Kind::Joint, range.start);
        let bid = matches!(before, Some(Mood::Request | Mood::Modal));
        if joined && bid && self.is(Kind::Did, start) && !self.is(Kind::Effect, start) {
            return before.unwrap_or(Mood::Statement);
        }
        Mood::Statement
    }

    /// "Hat er sich wehgetan?", "elle s'est fait mal ?": asks about somebody, and about no task.
    pub(super) fn asks_of_person(&self, range: &Range<usize>) -> bool {
        let ours = |at: usize| self.lists(at) || self.is_named(at) || self.is_titled(at);
        let mut first = range.clone().filter(|at| self.is_word(*at)).take(OPENING);
        first.any(|at| self.is(Kind::Person, at)) && !range.clone().any(ours)
    }

    /// "Main quiz se shuru karta": what the speaker would do, said by the verb at the end.
    pub(super) fn would(&self, range: &Range<usize>) -> bool {
        let mut words = range.clone().filter(|at| self.is_word(*at));
        let (first, last) = (words.next(), words.next_back());
        first.is_some_and(|at| self.is(Kind::Me, at))
            && last.is_some_and(|at| self.is(Kind::Would, at))
    }

    /// "Put on a playlist and you'll be done in no time": what would come of advice.
    fn foretells(&self, start: usize, range: &Range<usize>, before: Option<Mood>) -> bool {
        let advised = matches!(
            before,
            Some(Mood::Request | Mood::Modal | Mood::Condition | Mood::Speaker)
        );
        let grows = matches!(self.word(start + 1), "be" | "feel" | "get" | "have");
        let told = |at: usize| {
            self.is(Kind::Effect, at) && !self.is(Kind::Stands, at)
                || self.is_any(&[Kind::Service, Kind::Rings, Kind::List, Kind::Already], at)
                || self.is_named(at)
        };
        self.lenient && advised && grows && self.word(start) == "you'll" && !range.clone().any(told)
    }

    /// "It makes sense to call", "it's no weakness to ask": weighs what may be done, and tells of nothing
    /// that was.
    pub(super) fn weighs(&self, start: usize, range: &Range<usize>) -> bool {
        const TOLD: [Kind; 8] = [
            Kind::Effect,
            Kind::Did,
            Kind::State,
            Kind::Stands,
            Kind::Already,
            Kind::Past,
            Kind::Number,
            Kind::List,
        ];
        let near = start + 1..range.end.min(start + 6);
        let Some(to) = near.clone().find(|at| self.word(*at) == "to") else {
            return false;
        };
        let told = |at: usize| self.is_any(&TOLD, at);
        matches!(self.word(start), "it" | "it's" | "that's")
            && self.is(Kind::Verb, to + 1)
            && (start + 1..to).any(|at| self.is_plain(at))
            && !(start + 1..to).any(told)
    }

    /// A word that has content of its own: no verb of grammar, particle or pronoun.
    fn is_plain(&self, at: usize) -> bool {
        let frames = [Kind::Be, Kind::Frame, Kind::It, Kind::You, Kind::Me];
        self.word(at).len() > 3 && !self.found.is_any(&frames, at)
    }

    /// "Read it aloud" bids; "Read book is due" tells.
    pub(super) fn bids(&self, start: usize, range: &Range<usize>) -> bool {
        let tells = |at: usize| {
            let before = at.wrapping_sub(1);
            let own = self.is(Kind::Be, at)
                && !self.is_noun(at)
                && !matches!(
                    self.word(at),
                    "be" | "been" | "being" | "get" | "getting" | "having"
                );
            own && !self.is_any(&[Kind::It, Kind::You], before)
                && !self.is_any(&[Kind::It, Kind::You, Kind::Modal], at)
        };
        // "Non hai niente" bids nobody.
        let denied = self.is(Kind::Denies, start) && self.is(Kind::Be, start + 1);
        let last = |at: usize| self.found.end(Kind::BidsLast, at) == Some(range.end);
        let closes = |at: usize| at > start && !self.hidden(at) && last(at);
        if range.clone().any(closes) {
            return !self.any(Kind::Me, range) && !self.any(Kind::Already, range);
        }
        // "Ajouté" tells, "ajoute" bids.
        let told = self.text.slice(start..start + 1).ends_with('é');
        self.is(Kind::Verb, start) && !denied && !told && !(start + 1..range.end).any(tells)
    }
}
