//! Checks: what must not stand in a clause, by its mood.

use super::clause::Sentence;
use super::mood::{Clause, Mood};
use super::verdict::Assertion;
use super::words::Kind;

impl Sentence<'_> {
    /// Fails where something stands in the clause that its mood does not cover.
    pub(super) fn check(&self, clause: &Clause) -> Result<(), Assertion> {
        let range = &clause.range;
        Assertion::Effect.stops(self.speaks_of_itself(clause))?;
        self.check_anywhere(clause)?;
        Assertion::Other.stops(self.turn.idle && self.takes_up(clause))?;
        let holds = |kinds: &[Kind]| range.clone().any(|at| self.is_any(kinds, at));
        let conditional = clause.mood == Mood::Condition;
        // "würde" is no "wurde".
        let would = |at: usize| self.text.slice(at..at + 1).contains('ü');
        let claims = |at: usize| {
            self.is(Kind::Claim, at) && !self.found.covers(Kind::Pleasant, at) && !would(at)
        };
        let offers = clause.mood == Mood::Question && self.found.is(Kind::Offer, clause.start);
        let now = |at: usize| matches!(self.word(at), "now" | "already");
        let offers = offers && !range.clone().any(now);
        // "Anything I can help you with on your list?" says of nothing that it is there.
        let place = |at: usize| {
            let end = self.found.end(Kind::Claim, at).unwrap_or(at);
            (at..end).any(|at| self.is(Kind::List, at))
        };
        let open = matches!(
            clause.mood,
            Mood::Question | Mood::Request | Mood::Modal | Mood::Speaker
        ) && holds(&[Kind::Modal, Kind::Change, Kind::Offer])
            && !holds(&[Kind::Already, Kind::Stands, Kind::Effect]);
        // "Replications have been mixed."
        let been = |at: usize| {
            let ours = |at: usize| self.lists(at) || self.is_named(at);
            let next = at + 2;
            self.word(at) == "have"
                && self.word(at + 1) == "been"
                && (self.is_general(clause) || self.before(at) == "must")
                && !(self.done(next, false) || self.stands(next, false))
                && !range.clone().any(ours)
        };
        // "what no longer matters": of anything.
        let any = |at: usize| {
            let of = matches!(self.before(at), "what" | "that" | "whatever");
            let end = self.found.end(Kind::Claim, at).unwrap_or(at);
            of && self.lenient && matches!(self.word(at), "no" | "any") && !self.done(end, false)
        };
        let limited = self.tells_a_limit(clause);
        let claims = |at: usize| claims(at) && !any(at) && !limited;
        let claims = |at: usize| claims(at) && !(open && place(at)) && !been(at);
        let claimed = !conditional && !offers && range.clone().any(claims);
        // "Rinse it at once" bids; "at once!" promises.
        let bidden = matches!(clause.mood, Mood::Request | Mood::Modal);
        // "Depuis quand il ne mange plus ?"
        let done = |at: usize| self.done(at, false) || self.stands(at, false);
        let of_person = clause.mood == Mood::Question && self.asks_of_person(range);
        let claimed = claimed && (!of_person || range.clone().any(done));
        // "Get the errands out of the way."
        let gets = clause.mood == Mood::Request && self.is(Kind::Be, clause.start);
        let claimed = claimed && !gets || !conditional && !bidden && holds(&[Kind::Promptly]);
        let told = matches!(
            clause.mood,
            Mood::Pleasant | Mood::Assent | Mood::Feeling | Mood::Statement | Mood::Fragment
        );
        Assertion::Other.stops(claimed || !told && self.takes_list_for_so(clause))?;
        match clause.mood {
            Mood::Pleasant | Mood::Assent | Mood::Condition => Ok(()),
            Mood::Question => self.check_question(clause),
            Mood::Request => self.check_request(clause),
            Mood::Modal => self.check_modal(clause),
            Mood::Speaker => self.check_spoken(clause),
            Mood::Feeling => {
                self.check_told(clause)?;
                let presumes = range.clone().any(|at| self.presumes(at));
                Assertion::Other.stops(!self.lenient && presumes)
            }
            Mood::Statement | Mood::Fragment => {
                self.check_told(clause)?;
                Assertion::Other.stops(!self.may_be_told(clause))
            }
        }
    }

    /// The speaker stands in it outside a frame that tells of no deed.
    fn speaks_of_itself(&self, clause: &Clause) -> bool {
        let framed = matches!(
            clause.mood,
            Mood::Speaker | Mood::Question | Mood::Request | Mood::Modal | Mood::Feeling
        );
        let acts = |at: usize| self.is(Kind::Change, at) || self.done(at, false);
        let acts = clause.range.clone().any(acts);
        let would = self.would(&clause.range);
        let alone = self.words(clause.range.clone()) == 1;
        clause.range.clone().any(|at| {
            // "Moi, …", "main … karta": what the speaker would do.
            if !acts && at == clause.start && (would || alone) {
                return false;
            }
            // "Write to me", "I like my coffee": but not "a poke from me".
            let before = self.before(at);
            let raw = self.text.slice(at..at + 1);
            // "it grew on me", "I promise"
            let object = self.lenient
                && self.word(at) == "me"
                && matches!(before, "on" | "to" | "for" | "at" | "of")
                && matches!(clause.mood, Mood::Statement | Mood::Feeling);
            let people = self.lenient && matches!(self.word(at), "us" | "our" | "we" | "ourselves");
            if object || people || clause.mood == Mood::Assent {
                return false;
            }
            let object = framed
                && matches!(self.word(at), "me" | "my" | "myself" | "us" | "our")
                && !matches!(before, "from" | "by" | "with");
            let late = clause.mood == Mood::Feeling && at > clause.start && raw.starts_with('I');
            self.is(Kind::Me, at) && !object && (late || !self.found.covers(Kind::MeOk, at))
        })
    }

    /// "I can't see who has access": what the speaker can't perceive is nothing of the list.
    fn tells_a_limit(&self, clause: &Clause) -> bool {
        let denies =
            matches!(self.word(clause.start), "i" | "i'm") && self.denies_ability(clause.start + 1);
        let seen = |at: usize| matches!(self.word(at), "see" | "tell" | "check" | "know");
        let abroad = |at: usize| self.found.is(Kind::Abroad, at);
        let able = |at: &usize| seen(*at) || abroad(*at);
        let Some(at) = clause.range.clone().find(able).filter(|_| denies) else {
            return false;
        };
        // "can you text my sister?"
        let asked = self.turn.asked && abroad(at);
        let object = at + 1..self.range.end;
        let listed = |at: usize| {
            let points = self.is(Kind::It, at) && !self.found.is(Kind::The, at);
            points
                || self.is_any(&[Kind::List, Kind::Time], at)
                || self.is_number(at)
                || self.is_titled(at)
                || self.is_heard(at) && !asked
                || matches!(self.word(at), "any" | "such")
        };
        let thing = |at: usize| self.is_thing(at) || asked && self.is_heard(at);
        object.clone().any(thing) && !object.into_iter().any(listed)
    }

    /// "can't", "am not able"
    pub(super) fn denies_ability(&self, at: usize) -> bool {
        let word = self.word(at);
        matches!(word, "can't" | "cannot" | "couldn't" | "unable")
            || matches!(word, "not" | "am" | "can") && (at..at + 2).any(|at| self.denies(at))
    }

    /// Points back, does or counts something, which a greeting or thanks gives nothing for.
    fn takes_up(&self, clause: &Clause) -> bool {
        if matches!(clause.mood, Mood::Pleasant | Mood::Assent | Mood::Feeling) {
            return false;
        }
        let helps = self.any(Kind::Helps, &clause.range);
        clause.range.clone().any(|at| {
            let word = self.word(at);
            let named = self.is_named(at);
            let points =
                self.is(Kind::It, at) && !self.is(Kind::The, at) && !self.is(Kind::Pointless, at);
            let acts = self.is(Kind::Change, at) && !helps;
            let bids = matches!(clause.mood, Mood::Question | Mood::Request);
            let number = self.is(Kind::Number, at) && !self.is(Kind::Vague, at);
            let number = number && !matches!(word, "no" | "only") && bids;
            let counts = word.starts_with(|c: char| c.is_ascii_digit()) || number;
            let rings = self.is(Kind::Offer, clause.start)
                && matches!(word, "email" | "call" | "pay" | "text" | "order" | "send");
            let past = clause.mood == Mood::Question
                && matches!(self.word(clause.start), "did" | "does" | "was" | "were")
                && !self.is(Kind::You, clause.start + 1)
                && at == clause.start;
            let keeps = self.lists(at) && !helps;
            let told = keeps
                || past
                || clause.mood == Mood::Request && self.lists(at)
                || self.is(Kind::Time, at) && clause.mood == Mood::Request;
            let kept = rings
                || told
                || self.stands(at, false)
                || self.presumes(at)
                || self.is(Kind::Already, at);
            let kept = kept && !self.found.covers(Kind::Pleasant, at);
            !self.hidden(at) && (named || points || acts || counts || kept)
        })
    }

    /// A question that opens with an offer.
    pub(super) fn offers(&self, clause: &Clause) -> bool {
        let opens = [clause.start, self.range.start];
        clause.mood == Mood::Question && opens.iter().any(|at| self.found.is(Kind::Offer, *at))
    }

    /// "the new due date", "your three tasks": something is taken for so.
    fn takes_list_for_so(&self, clause: &Clause) -> bool {
        let range = clause.range.clone();
        let offers = self.offers(clause);
        range.clone().filter(|at| self.lists(*at)).any(|at| {
            let near = self.near(at, 3, &range);
            let bound = near.clone().any(|near| self.is(Kind::The, near));
            // "in your list" is a place, where it is offered.
            let place = |near: usize| {
                offers
                    && self
                        .found
                        .end(Kind::State, near)
                        .is_some_and(|end| end >= at)
            };
            let told = near.clone().any(|near| {
                self.is_any(&[Kind::New, Kind::Number], near)
                    || self.stands(near, self.lenient) && !place(near)
                    || self.done(near, self.lenient)
            });
            // "What should the new date be?" asks for it.
            let sought = clause.mood != Mood::Question || !self.is(Kind::Modal, clause.start);
            let sought = sought && self.any(Kind::Modal, &range);
            let counted = self.any(Kind::Number, &self.near(at, 1, &range))
                && clause.mood != Mood::Request
                && !self.any(Kind::Change, &range);
            let mut after = at + 1..range.end.min(at + 4);
            let stands = bound && after.any(|at| self.stands(at, false));
            bound && told && !sought || !self.lenient && (counted || stands)
        })
    }

    fn check_question(&self, clause: &Clause) -> Result<(), Assertion> {
        let start = clause.start;
        let word = self.word(start);
        let tag = clause.range.len() <= 2 && clause.range.start > self.range.start;
        let asked = matches!(word, "don't" | "wouldn't" | "won't" | "shouldn't")
            && matches!(self.word(start + 1), "you" | "it" | "we");
        let denies = word.ends_with("n't") && !tag && !asked;
        // "Do you want me to remind you?" promises.
        let mine = |at: usize| self.is(Kind::Me, at) && self.is_agent(at);
        let of_user = self.is(Kind::You, start + 1) && !clause.range.clone().any(mine);
        // "Did he ring later?"
        let of_user = of_user || self.asks_of_person(&clause.range);
        Assertion::Other.stops(denies || !of_user && self.any(Kind::Service, &clause.range))?;
        let offers = self.offers(clause) && self.any(Kind::Change, &clause.range);
        // "Did you hear about the cat that went …?"
        let tale = self.lenient
            && (clause.range.start > self.range.start || of_user)
            && self.word(self.range.start + 2) == "hear"
            && !clause
                .range
                .clone()
                .any(|at| self.lists(at) || self.is_named(at));
        // "the task we removed": a participle that no form of "be" in front asks about.
        let opens = (start..start + 3).any(|at| self.is(Kind::Be, at) || self.is(Kind::Modal, at));
        for at in clause.range.clone() {
            let wanted = self.near(at, 4, &clause.range);
            let wanted = wanted.into_iter().any(|at| {
                let asked = matches!(
                    self.word(at),
                    "to" | "like" | "want" | "be" | "should" | "need"
                );
                asked
                    || self.is(Kind::Modal, at)
                        && !matches!(self.word(at), "can" | "would" | "could")
            });
            // "Soll ich das als erledigt markieren?"
            let as_such = self.is(Kind::As, at.wrapping_sub(1));
            // Of a task that is named the row must say that it is not so yet; "like Read book".
            let object = self.found.end(Kind::Offer, start).unwrap_or(start)..at.wrapping_sub(1);
            let points = [Kind::Change, Kind::It, Kind::The, Kind::List, Kind::Me];
            let pointed = |at: usize| points.iter().any(|kind| self.is(*kind, at));
            let pointed =
                object.into_iter().all(pointed) && !self.range.clone().any(|at| self.is_named(at));
            let wanted = wanted || offers && as_such && pointed;
            let like = as_such && !pointed;
            let told = self.done(at, self.lenient) && !self.is(Kind::Change, at);
            Assertion::Effect.stops(told && (like || !wanted && !opens))?;
            let which = self.is(Kind::Weighs, clause.range.start);
            let before = self.before(at);
            let wished = self.word(at).ends_with("ing")
                && (matches!(before, "in" | "you")
                    || of_user && matches!(before, "of" | "about" | "or"));
            // "Shall I put it on the list?"
            let end = self.found.end(Kind::Presumes, at).unwrap_or(at);
            let place = offers && (at..end).any(|at| self.is(Kind::List, at));
            let needs = self.word(at) == "you" || wished || tale || place;
            Assertion::Other.stops(self.presumes(at) && !wanted && !which && !needs)?;
        }
        Ok(())
    }

    fn check_request(&self, clause: &Clause) -> Result<(), Assertion> {
        let first = self.word(clause.start);
        let mine = matches!(first, "let" | "let's" | "allow");
        let near = clause.start + 1..clause.range.end.min(clause.start + 4);
        let mine = mine && (self.any(Kind::Change, &near) || self.any(Kind::Service, &near));
        let named = clause.range.clone().any(|at| self.is_named(at));
        let let_me = first == "let" && self.word(clause.start + 1) == "me" && named;
        let wishes = matches!(first, "have" | "enjoy") && !self.lenient;
        let kept = |at: usize| {
            self.is(Kind::List, at) || self.is(Kind::Number, at) && self.word(at) != "one"
        };
        let wishes = wishes && clause.range.clone().any(kept);
        Assertion::Other.stops(mine || let_me || wishes || self.awaits(clause))?;
        let rest = clause.start + 1..clause.range.end;
        for at in rest.filter(|_| !self.lenient) {
            // "Leg das Handy weg"
            let part = self.is(Kind::Particle, at) && at + 1 == clause.range.end;
            let done = self.done(at, false) && !self.is(Kind::Change, at);
            Assertion::Effect.stops(done && !part)?;
            let listed = self.lists(at) && self.is(Kind::Stands, at.wrapping_sub(1));
            Assertion::Other.stops(listed || self.presumes(at))?;
        }
        Ok(())
    }

    fn check_modal(&self, clause: &Clause) -> Result<(), Assertion> {
        let range = clause.range.clone();
        let serves = self.is(Kind::It, clause.start) && self.any(Kind::Service, &range);
        // "the list can't bother you"
        let listed = self.found.is(Kind::The, clause.start) && self.lists(clause.start + 1);
        let denied = listed && range.clone().any(|at| self.denies(at));
        let told = |at: usize| self.presumes(at) || self.stands(at, true);
        let told = !self.lenient && range.clone().any(told);
        Assertion::Other.stops(serves || denied || told)?;
        // "must have been moved" tells; "can be moved" does not.
        let done = |at: usize| {
            let mut near = at + 1..range.end.min(at + 4);
            matches!(self.word(at), "have" | "has") && near.any(|at| self.done(at, self.lenient))
        };
        Assertion::Effect.stops(range.clone().any(done))
    }

    /// Checks what the speaker wishes, likes or can do.
    fn check_spoken(&self, clause: &Clause) -> Result<(), Assertion> {
        let range = clause.range.clone();
        let modal = self.any(Kind::Modal, &range);
        let denies =
            matches!(self.word(clause.start), "i" | "i'm") && self.any(Kind::Denies, &range);
        let outside = self.any(Kind::Outside, &range);
        let fails = denies
            && !outside
            && !self.tells_a_limit(clause)
            && (self.any(Kind::Change, &range) || range.clone().any(|at| self.lists(at)));
        // "I'd ring the vet": what the user might do reaches nobody here.
        let serves = |at: usize| {
            let other = self.found.is(Kind::The, at + 1) && !self.any(Kind::You, &range);
            self.is(Kind::Service, at) && !other
        };
        Assertion::Other.stops(fails || range.clone().any(serves))?;
        for at in range.clone() {
            let has = matches!(self.word(at), "have" | "has");
            let has = has && (at + 1..range.end.min(at + 3)).any(|at| self.done(at, false));
            let told = self.done(at, self.lenient) && !self.is(Kind::Change, at);
            let stands = self.stands(at, self.lenient) && !self.lenient;
            Assertion::Effect.stops(has || !modal && (told || stands))?;
            Assertion::Other.stops(self.presumes(at) && !self.lenient)?;
        }
        Ok(())
    }
}
