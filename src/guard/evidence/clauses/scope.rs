//! Reach of a question, a negation, a condition or a doubt over the clauses of a message.

use super::{Clause, Joint, Name, Standing};
use crate::domain::text::{Kind, Text};
use crate::guard::evidence::cues::{Cue, Deed, Hit, begins, end_of};

/// Marks what each clause asks, forbids and doubts, and what that means for those joined to it.
///
/// `names` are the titles that are named.
pub(super) fn judge(text: &Text<'_>, parted: &mut [Clause], names: &[Name]) {
    let marks: Vec<bool> = (0..parted.len())
        .map(|at| is_marked(text, parted, at))
        .collect();
    let waits: Vec<bool> = (0..parted.len())
        .map(|at| waits(text, parted, at))
        .collect();
    let (mut scope, mut asking, mut lead) = (Standing::Free, false, false);
    let (mut colon, mut noted, mut requesting) = (false, false, false);
    let (mut sentence, mut reasoned, mut heard) = (usize::MAX, false, false);
    for (at, clause) in parted.iter_mut().enumerate() {
        if clause.sentence != sentence {
            (scope, asking, lead) = (Standing::Free, false, false);
            (requesting, heard) = (false, false);
            sentence = clause.sentence;
        }
        let first = opening(text, clause);
        let opens = |kind: Cue| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.cue == kind && hit.at <= first)
        };
        let order = clause
            .hits
            .iter()
            .find(|hit| matches!(hit.cue, Cue::Order(_)))
            .cloned();
        let commands = order.as_ref().is_some_and(|hit| hit.at <= first);
        let tag = |hit: &Hit| hit.cue == Cue::Asks && text.word(hit.end.saturating_sub(1)) == "?";
        clause.opening = first;
        let goes_on = matches!(clause.joint, Joint::And | Joint::Comma) && requesting;
        // "I told you to": said to whoever reads it, but nothing that is asked now.
        let told = |at: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.cue == Cue::Hearsay && hit.at == at)
        };
        // The "just" of "should i just delete it" asks for nothing.
        let asked = |request: &Hit| {
            let mut hits = clause.hits.iter();
            let soft = hits.any(|hit| hit.cue == Cue::Contrast && hit.at == request.at);
            soft && opens(Cue::Asks)
        };
        let mut hits = clause.hits.iter();
        let requested = hits.any(|hit| hit.cue == Cue::Request && !told(hit.at) && !asked(hit));
        clause.requests = requested || goes_on && !opens(Cue::Asks);
        requesting = clause.requests;
        clause.marked = marks.get(at).copied().unwrap_or_default();
        let joined = matches!(clause.joint, Joint::And | Joint::Or)
            || (clause.joint == Joint::Comma && !commands && !opens(Cue::Request));
        clause.asks =
            (opens(Cue::Asks) && !commands) || clause.hits.iter().any(tag) || (asking && joined);
        // "don't tick it, need stamps": a need of its own is no part of what is forbidden.
        let needs = clause.hits.iter().any(|hit| {
            let mut before = clause.hits.iter().filter(|own| own.at < hit.at);
            let subject = |own: &Hit| matches!(own.cue, Cue::Me | Cue::Person);
            let carried = |own: &Hit| own.cue == Cue::Carry && own.at == hit.at;
            hit.cue == Cue::Told(Deed::Add)
                && (hit.at <= first || before.any(subject))
                && !clause.hits.iter().any(carried)
        });
        let needs = needs && order.is_none() && scope == Standing::Forbidden;
        if needs || !(joined || lead || clause.joint == Joint::Colon) {
            scope = Standing::Free;
        }
        // "because the 12th is my birthday and the 13th is the party"
        if reasoned && clause.joint == Joint::And && order.is_none() {
            clause.joint = Joint::Reason;
        }
        reasoned = clause.joint == Joint::Reason;
        let content = clause.joint == Joint::Colon && noted && !clause.has(Cue::Order(Deed::Add));
        clause.introduced = clause.joint == Joint::Colon && colon;
        if clause.joint == Joint::Reason || content {
            scope = scope.max(Standing::Doubtful);
        }
        if waits.get(at).copied().unwrap_or_default() && clause.joint != Joint::So {
            scope = scope.max(Standing::Doubtful);
        }
        clause.scope = scope;
        clause.heard = heard && scope == Standing::Doubtful && order.is_none();
        asking = clause.asks;
        // "for example, …": what opens the sentence holds for the command behind it.
        lead = clause.joint == Joint::Begins
            && order.is_none()
            && clause.is_bare(&[Cue::Wish, Cue::Hearsay, Cue::Condition, Cue::Retract], 1);
        let own = match &order {
            Some(hit) => {
                let Cue::Order(deed) = hit.cue else { continue };
                clause.order(hit, deed)
            }
            // "never do this: …", "no: …"; "not today, the wardrobe tomorrow" denies what it says.
            None if opens(Cue::Negation)
                && clause.negates(|_| false)
                && clause.tokens.len() <= 6
                && !clause.tokens.clone().any(|at| is_numeral(text.word(at)))
                && leads(text, clause) =>
            {
                Standing::Forbidden
            }
            None if lead
                || clause.has(Cue::Wish)
                || clause.hits.iter().any(|hit| {
                    hit.cue == Cue::Hearsay && !hit.open && !clause.is_own_saying(hit)
                })
                || clause.has(Cue::Condition) =>
            {
                Standing::Doubtful
            }
            None => Standing::Free,
        };
        let doubts = [Cue::Wish, Cue::Condition];
        heard = (heard || scope == Standing::Free)
            && clause
                .hits
                .iter()
                .any(|hit| hit.cue == Cue::Hearsay && !clause.is_own_saying(hit))
            && !doubts.iter().any(|cue| clause.has(*cue));
        scope = scope.max(own);
        // What stands before a colon and is no wish of the user's says nothing of what follows it.
        let says = |hit: &Hit| {
            matches!(
                hit.cue,
                Cue::Order(_) | Cue::Told(_) | Cue::Carry | Cue::Request
            )
        };
        colon = !clause.hits.iter().any(says);
        // "note to self: delete it": what is noted is no command of its own.
        let kept = clause.has(Cue::Order(Deed::Add)) && clause.joint != Joint::Colon;
        noted = kept
            && clause
                .hits
                .iter()
                .all(|hit| !matches!(hit.cue, Cue::Order(deed) if deed != Deed::Add));
    }
    hesitate(text, parted);
    retract(text, parted, names);
}

impl Clause {
    /// Tells whether it is "not" and what it is not of: "but not eggs", where "but not yet" denies.
    fn excludes(&self, text: &Text<'_>) -> bool {
        let opens = |hit: &&Hit| hit.cue == Cue::Negation && hit.at <= self.opening;
        let negation = self.hits.iter().find(opens);
        negation.is_some_and(|negation| {
            let cued = |hit: &Hit| hit.at >= negation.end && hit.tells();
            let thing = |at: usize| {
                let word = text.word(at);
                text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
                    && !word.ends_with("ly")
                    && !crate::resolver::is_soft(word)
            };
            (negation.end..self.tokens.end).any(thing) && !self.hits.iter().any(cued)
        })
    }

    /// Tells whether a word stands in it beside the one that joins it: "done though" contrasts nothing.
    fn says_something(&self, text: &Text<'_>) -> bool {
        let joins = |at: usize| {
            let mut hits = self.hits.iter();
            hits.any(|hit| hit.cue == Cue::Contrast && hit.covers(at))
        };
        let word = |at: usize| text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
        self.tokens.clone().any(|at| word(at) && !joins(at))
    }

    /// Tells whether it denies and speaks of nothing else: "but nobody picked up".
    pub(in crate::guard::evidence) fn denies_alone(&self, text: &Text<'_>) -> bool {
        let thing = |at: usize| self.is_thing(text, at);
        let denies = self.has(Cue::Negation) || self.has(Cue::Undone);
        let opening = self.opening.max(self.tokens.start + 1);
        denies && !(opening..self.tokens.end).any(thing)
    }

    /// Tells whether what sounds like hearsay is what the user did: "texted the plumber".
    fn is_own_saying(&self, hearsay: &Hit) -> bool {
        let mut hits = self.hits.iter();
        let opens = hearsay.at <= self.opening || self.before(hearsay.at, &[Cue::Me]);
        opens
            && !self.before(hearsay.at, &[Cue::Person])
            && hits.any(|hit| {
                let same = (hit.at, hit.end) == (hearsay.at, hearsay.end);
                hit.cue == Cue::Told(Deed::Complete) && same
            })
    }

    /// Tells whether it tells of a deed that was done, and not that it came to nothing.
    fn reports(&self) -> bool {
        let undone = |report: &Hit| {
            let mut hits = self.hits.iter();
            hits.any(|hit| hit.cue == Cue::Undone && hit.at == report.at)
        };
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.cue == Cue::Told(Deed::Complete) && !undone(hit))
    }

    /// Tells whether it rejects what is told before it, or leaves that open, and says no more.
    pub(in crate::guard::evidence) fn rejects(&self, text: &Text<'_>) -> bool {
        let joined = matches!(
            self.joint,
            Joint::And | Joint::Comma | Joint::Contrast | Joint::Begins
        );
        let bare = self.joint != Joint::Begins && self.denies_alone(text);
        joined && (self.has(Cue::Rejects) || bare && self.has(Cue::Me)) && !self.orders()
    }

    /// Tells whether it is a question of its own: "isn't it?", "did I?" ask about what stands before.
    fn asks_more(&self, text: &Text<'_>) -> bool {
        let asks = [
            Cue::Asks,
            Cue::It,
            Cue::Them,
            Cue::Person,
            Cue::Me,
            Cue::Negation,
        ];
        let tag = |at: usize| {
            let mut hits = self.hits.iter();
            hits.any(|hit| asks.contains(&hit.cue) && hit.covers(at))
        };
        let word = |at: usize| text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
        let mut tokens = self.tokens.clone();
        self.has(Cue::Asks) && tokens.any(|at| word(at) && !tag(at))
    }

    /// Tells whether it says no more than who said so: "delete it, she said".
    fn is_attribution(&self, text: &Text<'_>) -> bool {
        // "she wrote" is one phrase; "guest emailed" tells of a deed.
        let whole = |hit: &Hit| {
            let says = begins(Cue::Says, text, hit.end.saturating_sub(1));
            hit.cue == Cue::Hearsay && (hit.end > hit.at + 1 || says)
        };
        let told = self.hits.iter().any(whole) || self.has(Cue::Hearsay) && self.has(Cue::Person);
        told && self.tokens.len() <= 4
    }
}

fn is_marked(text: &Text<'_>, parted: &[Clause], at: usize) -> bool {
    let Some(clause) = parted.get(at) else {
        return false;
    };
    let of = parted
        .iter()
        .skip(at)
        .take_while(|other| other.sentence == clause.sentence);
    let Some(last) = of.last() else { return false };
    // "roti delete karo, aur …": the verb stands last.
    let ordered = |hit: &Hit| matches!(hit.cue, Cue::Order(_)) && hit.end == clause.tokens.end;
    // "delete it, and will it rain?", "fed the cat, what's left?": what is said first is none of the
    // question's.
    let apart = clause.joint != Joint::Or
        && last.tokens.start >= clause.tokens.end
        && (opens_with(text, clause, |cue| matches!(cue, Cue::Order(_)))
            || (clause.has(Cue::Told(Deed::Complete))
                || clause.has(Cue::Told(Deed::Add))
                || clause.hits.iter().any(ordered))
                && !opens_with(text, clause, |cue| cue == Cue::Asks))
        && last.asks_more(text);
    if apart {
        return false;
    }
    let end = last.tokens.end;
    matches!(text.word(end.saturating_sub(1)), "?" | "؟") || matches!(text.word(end), "?" | "؟")
}

/// Tells whether a clause leads to what stands behind its colon, or is no more than a word or two.
fn leads(text: &Text<'_>, clause: &Clause) -> bool {
    let end = clause.tokens.end;
    let last = text.word(end.saturating_sub(1));
    last == ":" || text.word(end) == ":" || clause.tokens.len() <= 3
}

/// Tells whether a word begins with a digit: "not 19, it is 18" denies a value.
fn is_numeral(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Tells whether a cue of some kind opens a clause.
fn opens_with(text: &Text<'_>, clause: &Clause, kind: impl Fn(Cue) -> bool) -> bool {
    let first = opening(text, clause);
    let mut hits = clause.hits.iter();
    hits.any(|hit| kind(hit.cue) && hit.at <= first)
}

/// Tells whether a condition of the sentence holds for the command in a clause: said before it, or
/// behind it where nothing is to be added.
fn waits(text: &Text<'_>, parted: &[Clause], at: usize) -> bool {
    let Some(clause) = parted.get(at) else {
        return false;
    };
    let adds = clause.has(Cue::Order(Deed::Add)) || clause.has(Cue::Told(Deed::Add));
    let order = clause
        .hits
        .iter()
        .find(|hit| matches!(hit.cue, Cue::Order(_)));
    let behind = order.is_some_and(|order| {
        let mut hits = clause.hits.iter();
        hits.any(|hit| hit.cue == Cue::Condition && hit.at > order.at)
    });
    // "whenever, super low": a condition has something behind it, or says it all: "but ask first".
    let conditional = |other: &Clause| {
        let mut hits = other.hits.iter();
        let word = |at: usize| text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
        hits.any(|hit| {
            let whole = hit.end > hit.at + 1;
            hit.cue == Cue::Condition && (whole || (hit.end..other.tokens.end).any(word))
        })
    };
    let others = parted.iter().enumerate().any(|(place, other)| {
        // "shoes bought, let's see if they last": what is told waits for nothing behind it.
        let reaches = place < at || place > at && clause.orders();
        other.sentence == clause.sentence
            && reaches
            && !other.orders()
            && (conditional(other) || place > at && other.is_attribution(text))
    });
    // "if it rains, add an umbrella" waits; what is added may name its condition: "add a cake if mom calls".
    let before = || {
        let mut before = parted.iter().take(at);
        before
            .any(|other| other.sentence == clause.sentence && !other.orders() && conditional(other))
    };
    if adds {
        clause.has(Cue::Order(Deed::Add)) && before()
    } else {
        behind || others
    }
}

/// Marks as doubtful the deletions behind which the user falters, "cancel milk, well, essay", and every
/// order with a doubt of its own behind it: "delete milk, maybe".
fn hesitate(text: &Text<'_>, parted: &mut [Clause]) {
    let falters = |clause: &Clause| {
        let falters = |at: usize| text.word(at) == "," || begins(Cue::Falter, text, at);
        clause.joint == Joint::Comma && clause.tokens.clone().all(falters)
    };
    let places = |holds: &dyn Fn(&Clause) -> bool| -> Vec<(usize, usize)> {
        let of = parted
            .iter()
            .enumerate()
            .filter(|(_, clause)| holds(clause));
        of.map(|(at, clause)| (clause.sentence, at)).collect()
    };
    let faltered = places(&falters);
    // "delete milk and bread maybe"
    let closed = |clause: &Clause| {
        let closes = |hit: &Hit| hit.cue == Cue::Doubt && hit.end == clause.tokens.end;
        clause.joint == Joint::And && !clause.orders() && clause.hits.iter().any(closes)
    };
    let doubted = places(&|clause| clause.is_bare(&[Cue::Doubt], 1) || closed(clause));
    for (at, clause) in parted.iter_mut().enumerate() {
        let behind =
            |(sentence, place): &(usize, usize)| *sentence == clause.sentence && *place > at;
        let deletes = clause.has(Cue::Order(Deed::Delete));
        if deletes && faltered.iter().any(behind) || doubted.iter().any(behind) {
            clause.scope = clause.scope.max(Standing::Doubtful);
        }
    }
}

/// Forbids what is taken back behind a command or a report, and doubts what is contradicted.
fn retract(text: &Text<'_>, parted: &mut [Clause], names: &[Name]) {
    // A name stands where most of its words do, of two clauses in the latter: "le train est réservé,
    // l'hôtel pas encore" for *Réserver le train* and *Réserver l'hôtel*.
    let within = |name: &Name, clause: &Clause| {
        let tokens = name.tokens.iter().filter(|at| clause.tokens.contains(*at));
        tokens.count()
    };
    let place = |name: &Name| {
        let places = (0..parted.len()).max_by_key(|at| parted.get(*at).map(|c| within(name, c)));
        places.unwrap_or_default()
    };
    let places: Vec<usize> = names.iter().map(place).collect();
    let named: Vec<Vec<&Name>> = (0..parted.len())
        .map(|at| {
            let of = names.iter().zip(&places);
            of.filter(|(_, place)| **place == at)
                .map(|(name, _)| name)
                .collect()
        })
        .collect();
    // "AWS bill paid, taxes not yet": what names another task takes back nothing of this one.
    let apart = |one: usize, other: usize| {
        let (Some(one), Some(other)) = (named.get(one), named.get(other)) else {
            return false;
        };
        let same = |name: &&Name| one.iter().any(|own| own.words == name.words);
        !one.is_empty() && !other.is_empty() && !other.iter().any(same)
    };
    let last = parted.len().saturating_sub(1);
    let back: Vec<bool> = parted
        .iter()
        .enumerate()
        .map(|(at, clause)| {
            // "I always forget it" tells of the user.
            let own =
                |hit: &Hit| hit.cue == Cue::Retract && clause.before(hit.at, &[Cue::Me, Cue::Wish]);
            let taken = clause.is_bare(&[Cue::Retract, Cue::Negation], 2)
                && clause.has(Cue::Retract)
                && !clause.hits.iter().any(own);
            // "no actually leave it, we have some": why it is taken back may stand behind.
            let undo =
                |hit: &Hit| !matches!(hit.cue, Cue::Order(_)) || hit.cue == Cue::Order(Deed::Undo);
            let reasoned =
                clause.corrects() && clause.retracts_it() && clause.hits.iter().all(undo);
            // "oh no, keep it", where "keep the other" is of another.
            let kept = clause.is_bare(&[Cue::Told(Deed::Undo)], 2)
                && (clause.has(Cue::It) || clause.has(Cue::Them))
                && !clause.tokens.clone().any(|at| clause.is_thing(text, at));
            // "wait" alone takes back; "wait, the other one" corrects.
            let halts = clause.joint != Joint::Or && !clause.excludes(text);
            let halted = at == last
                && halts
                && clause.has(Cue::Halt)
                && clause.is_bare(&[Cue::Halt, Cue::Correct], 2)
                && !clause.tokens.clone().any(|at| clause.is_thing(text, at));
            reasoned || !clause.orders() && (taken && !clause.excludes(text) || kept || halted)
        })
        .collect();
    for at in 0..parted.len() {
        let sentence = parted.get(at).map(|clause| clause.sentence);
        let mut behind = parted.iter().zip(&back).enumerate().skip(at + 1);
        let taken = behind.any(|(place, (later, back))| {
            *back
                && sentence.is_some_and(|sentence| later.sentence <= sentence + 1)
                && !apart(at, place)
        });
        let contrasted = parted.get(at + 1).is_some_and(|next| {
            Some(next.sentence) == sentence
                && (next.joint == Joint::Contrast && next.says_something(text)
                    || matches!(next.joint, Joint::So | Joint::And | Joint::Comma)
                        && next.denies_alone(text))
                && !next.orders()
                && (!next.reports() || next.denies_alone(text))
                && !next.has(Cue::Told(Deed::Add))
                && !next.excludes(text)
                && !apart(at, at + 1)
        });
        // "rang her three times. nobody picks up"
        let mut on = parted.iter().skip(at);
        let failed = on.any(|next| {
            let near = sentence.is_some_and(|sentence| next.sentence <= sentence + 1);
            near && next.has(Cue::Failed)
        });
        // "did the service, only the flue test left"
        let next = parted.get(at + 1).filter(|_| !apart(at, at + 1));
        let near = next.filter(|next| Some(next.sentence) == sentence);
        let remains = near.is_some_and(|next| next.has(Cue::Remains));
        // "wanted to move it, but it's fine", "was supposed to get milk but my wife got it"
        let against = |next: &Clause| next.joint == Joint::Contrast || next.has(Cue::Contrast);
        let countered = near.is_some_and(|next| against(next) && !next.orders());
        if let Some(clause) = parted.get_mut(at) {
            if taken {
                clause.scope = Standing::Forbidden;
            }
            clause.contrasted = contrasted || failed || remains;
            let countered = countered || clause.has(Cue::Retract);
            let need = clause.has(Cue::Was) && clause.has(Cue::Told(Deed::Add));
            clause.countered = countered && (need || clause.has(Cue::Meant));
        }
    }
}

impl Clause {
    /// Tells whether it takes back what a pronoun points at: "leave it", "scratch that".
    fn retracts_it(&self) -> bool {
        let it = |within: &Hit| {
            let mut hits = self.hits.iter();
            hits.any(|hit| hit.cue == Cue::It && hit.at < within.end && within.at < hit.end)
        };
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.cue == Cue::Retract && it(hit))
    }

    /// Tells whether a command is taken back at the end of its clause: "add milk no actually don't".
    pub(super) fn is_retracted(&self, order: &Hit) -> bool {
        self.hits.iter().any(|other| {
            let corrects =
                |own: &Hit| own.cue == Cue::Correct && order.end <= own.at && own.at <= other.at;
            other.cue == Cue::Retract
                && other.at >= order.end
                && other.end == self.tokens.end
                && self.hits.iter().any(corrects)
        })
    }
}

/// The first token of a clause that says something: greetings, fillers and joints stand before it.
fn opening(text: &Text<'_>, clause: &Clause) -> usize {
    let range = clause.tokens.clone();
    let mut at = range.start;
    while at < range.end {
        let word = text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word);
        match end_of(Cue::Filler, text, at) {
            Some(end) => at = end,
            None if word => return at,
            None => at += 1,
        }
    }
    range.start
}
