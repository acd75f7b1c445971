//! The clauses of a message, whose words they are, and what stands against an order in each.

mod part;

use std::ops::Range;

use super::cues::{Cue, Deed, Hit, find};
use super::foreign::foreign;
use crate::domain::text::{Kind, Text};
use part::part;

/// How a clause is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    Begins,
    And,
    Or,
    Comma,
    Colon,
    Line,
    Contrast,
    So,
    Reason,
}

/// How an order or a report stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Nothing speaks against it.
    Free,
    /// Whether it is meant has to be asked.
    Doubtful,
    /// The words forbid it, or are not the user's.
    Forbidden,
}

#[derive(Debug, Clone)]
pub(super) struct Clause {
    /// Its tokens.
    pub tokens: Range<usize>,
    pub sentence: usize,
    joint: Joint,
    /// The user's own words, and no text of somebody else.
    own: bool,
    /// Its cues.
    pub hits: Vec<Hit>,
    /// The first token that says something: greetings and fillers stand before it.
    opening: usize,
    /// It asks, by its form.
    asks: bool,
    /// Its sentence ends in a question mark.
    marked: bool,
    requests: bool,
    /// What holds for all commands in it, from the clauses it is joined to.
    scope: Standing,
    /// Something behind it speaks against what it tells.
    contrasted: bool,
    /// What it names is corrected by a clause behind it.
    pub corrected: bool,
    /// It stands behind a colon, and what stands before that is no wish of the user's.
    introduced: bool,
}

/// A command this far behind a negation is not negated by it.
const NEGATED: usize = 4;

impl Clause {
    pub fn has(&self, cue: Cue) -> bool {
        self.hits.iter().any(|hit| hit.cue == cue)
    }

    /// Whether it is "not" and what it is not of: "but not eggs", where "but not yet" denies.
    fn excludes(&self, text: &Text<'_>) -> bool {
        let opens = |hit: &&Hit| hit.cue == Cue::Negation && hit.at <= self.opening;
        let negation = self.hits.iter().find(opens);
        negation.is_some_and(|negation| {
            let cued = |hit: &Hit| hit.at >= negation.end;
            let thing = |at: usize| {
                let word = text.word(at);
                text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
                    && !word.ends_with("ly")
                    && !crate::resolver::is_soft(word)
            };
            (negation.end..self.tokens.end).any(thing) && !self.hits.iter().any(cued)
        })
    }

    /// Whether it denies and speaks of nothing else: "but nobody picked up".
    fn denies_alone(&self, text: &Text<'_>) -> bool {
        let thing = |at: usize| {
            let cued = |hit: &Hit| hit.at <= at && at < hit.end;
            text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
                && !crate::resolver::is_soft(text.word(at))
                && !self.hits.iter().any(cued)
        };
        let denies = self.has(Cue::Negation) || self.has(Cue::Undone);
        let opening = self.opening.max(self.tokens.start + 1);
        denies && !(opening..self.tokens.end).any(thing)
    }

    /// Whether it says no more than who said so: "delete it, she said".
    fn is_attribution(&self, text: &Text<'_>) -> bool {
        const SAYS: [&str; 6] = ["said", "says", "wrote", "writes", "claims", "thinks"];
        // "she wrote" is one phrase; "guest emailed" tells of a deed.
        let whole = |hit: &Hit| {
            let says = SAYS.contains(&text.word(hit.end.saturating_sub(1)));
            hit.cue == Cue::Hearsay && (hit.end > hit.at + 1 || says)
        };
        let told = self.hits.iter().any(whole) || self.has(Cue::Hearsay) && self.has(Cue::Person);
        told && self.tokens.len() <= 4
    }

    /// Whether a command stands in it.
    pub fn orders(&self) -> bool {
        let order = |hit: &Hit| matches!(hit.cue, Cue::Order(_));
        self.hits.iter().any(order)
    }

    fn before(&self, at: usize, kinds: &[Cue]) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| kinds.contains(&hit.cue) && hit.at < at)
    }

    /// Whether it goes on with what the clause before it says.
    pub const fn goes_on(&self) -> bool {
        matches!(
            self.joint,
            Joint::And | Joint::Or | Joint::Comma | Joint::Colon | Joint::Line
        )
    }

    pub fn is_alternative(&self) -> bool {
        self.joint == Joint::Or
    }

    /// Whether it stands behind a colon.
    pub fn is_listed(&self) -> bool {
        self.joint == Joint::Colon
    }

    /// Whether it gives the reason of another.
    pub fn is_reason(&self) -> bool {
        self.joint == Joint::Reason
    }

    /// Whether it says no more than these cues, but for a word or two.
    fn is_bare(&self, kinds: &[Cue], more: usize) -> bool {
        let of = self.hits.iter().filter(|hit| kinds.contains(&hit.cue));
        let covered: usize = of.map(|hit| hit.end - hit.at).max().unwrap_or_default();
        covered > 0 && covered + more >= self.tokens.len()
    }

    /// Whether it corrects what stands before it.
    pub fn corrects(&self) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.cue == Cue::Correct && hit.at <= self.opening + 1)
    }

    /// What speaks against a command in it.
    pub fn order(&self, hit: &Hit, deed: Deed) -> Standing {
        let negated = self.hits.iter().any(|other| {
            // "trag den Friseur nicht ein": the negation may stand within the command.
            let within = other.open && other.at == hit.at;
            let before = other.at < hit.at && hit.at <= other.end + NEGATED;
            other.cue == Cue::Negation && (before || within)
        });
        if !self.own || negated {
            return Standing::Forbidden;
        }
        let polite = self.requests;
        if (self.asks || (self.marked && hit.at > self.opening)) && !polite {
            return Standing::Forbidden;
        }
        let mut standing = self.scope;
        let open = [Cue::Wish, Cue::Hearsay, Cue::Condition];
        let thought = self.before(hit.at, &open) && !polite;
        let due = self.hits.iter().any(|other| {
            // "the dentist reminder": a task, and no duty.
            let item = |at: &Hit| at.cue == Cue::Item && at.at == other.at;
            let duty = other.cue == Cue::Told(Deed::Add) && hit.at <= other.end + 1;
            (other.cue == Cue::Future || duty) && other.at < hit.at && !self.hits.iter().any(item)
        });
        let duty = due && !polite && !matches!(deed, Deed::Add | Deed::Update);
        // "remind me to delete it": what is to be remembered is no command.
        let content = deed != Deed::Add
            && self.hits.iter().any(|other| {
                other.cue == Cue::Order(Deed::Add) && !other.open && other.at < hit.at
            });
        let marked = self.marked && deed == Deed::Delete && !polite;
        if self.introduced || thought || duty || marked || (content && deed != Deed::Update) {
            standing = standing.max(Standing::Doubtful);
        }
        standing
    }

    /// What speaks against a report in it; `own`: by the verb of the task itself.
    pub fn report(&self, hit: &Hit, deed: Deed, own: bool) -> Standing {
        if !self.own || self.asks || (self.marked && deed != Deed::Add) {
            return Standing::Forbidden;
        }
        let other_order = self.hits.iter().any(|other| {
            matches!(other.cue, Cue::Order(order) if order != deed && order != Deed::Update)
                && (deed == Deed::Add || other.at <= self.opening)
        });
        if matches!(deed, Deed::Add | Deed::Complete) && other_order {
            return Standing::Forbidden;
        }
        if self.speaks_against(hit, deed, own) {
            return match deed {
                Deed::Complete => Standing::Forbidden,
                _ => Standing::Doubtful,
            };
        }
        if self.scope == Standing::Forbidden {
            return Standing::Forbidden;
        }
        if self.scope != Standing::Free && deed != Deed::Add
            || self.contrasted && deed == Deed::Complete
        {
            return Standing::Doubtful;
        }
        Standing::Free
    }

    fn speaks_against(&self, hit: &Hit, deed: Deed, own: bool) -> bool {
        let against: &[Cue] = match deed {
            Deed::Complete => &[
                Cue::Negation,
                Cue::Undone,
                Cue::Future,
                Cue::Wish,
                Cue::Hearsay,
                Cue::Condition,
                Cue::Told(Deed::Reopen),
                Cue::Told(Deed::Delete),
            ],
            Deed::Add => &[Cue::Negation, Cue::Hearsay],
            Deed::Delete | Deed::Reopen | Deed::Undo => &[Cue::Wish, Cue::Hearsay, Cue::Condition],
            Deed::Update => &[Cue::Wish, Cue::Condition],
        };
        let mut hits = self.hits.iter();
        hits.any(|other| {
            let within = !hit.open
                && hit.at <= other.at
                && other.end <= hit.end
                && other.end - other.at < hit.end - hit.at;
            let late = other.cue == Cue::Condition && other.at >= hit.end;
            // "emailed" tells of others, and of the task whose verb it is.
            let same =
                hit.at == other.at && hit.end == other.end && (own || other.cue == Cue::Hearsay);
            against.contains(&other.cue) && !within && !late && !same
        })
    }

    /// What speaks against a new value that is only told of in it.
    pub fn value(&self) -> Standing {
        if !self.own || self.is_question() {
            return Standing::Forbidden;
        }
        let ordered = self.hits.iter().any(|hit| {
            matches!(
                hit.cue,
                Cue::Order(Deed::Delete | Deed::Complete | Deed::Reopen)
            )
        });
        if ordered {
            return Standing::Forbidden;
        }
        let told = self.has(Cue::Told(Deed::Update)) || self.has(Cue::Low);
        // "how about tuesday?"
        let offered = self.marked && self.requests;
        let open = [Cue::Condition, Cue::Future, Cue::Negation, Cue::Hearsay];
        // "highest urgency please" is no deed to come.
        let asked = |cue: &Cue| *cue == Cue::Future && self.requests;
        let doubt = open.iter().any(|cue| self.has(*cue) && !asked(cue));
        if doubt && !told || offered || self.has(Cue::Wish) || self.scope != Standing::Free {
            Standing::Doubtful
        } else {
            Standing::Free
        }
    }

    /// Whether a word is denied by the one or two before it: "hardly urgent".
    pub fn is_denied_at(&self, at: usize) -> bool {
        let denies = |hit: &Hit| {
            matches!(hit.cue, Cue::Negation | Cue::Undone) && hit.end <= at && at <= hit.end + 1
        };
        self.hits.iter().any(denies)
    }

    /// Whether a command to take away takes away a value: "remove the date".
    pub fn clears_by(&self, order: &Hit) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.cue == Cue::Clearing && hit.at < order.end && order.at < hit.end)
    }

    /// Whether nothing in it may be taken for the user's own wish.
    pub const fn is_foreign(&self) -> bool {
        !self.own
    }

    pub const fn is_question(&self) -> bool {
        (self.asks || self.marked) && !self.requests
    }

    pub fn is_forbidden(&self) -> bool {
        self.scope == Standing::Forbidden || !self.own
    }

    pub const fn opens_at(&self) -> usize {
        self.opening
    }
}

/// Parts a message into clauses. `whole` are tokens that stand together, as a title does; `days`
/// those that name a day.
pub(super) fn clauses(
    text: &Text<'_>,
    whole: &[Range<usize>],
    days: &[Range<usize>],
) -> Vec<Clause> {
    let inside = |hit: &Hit| {
        whole
            .iter()
            .any(|range| range.len() > 1 && range.start <= hit.at && hit.end <= range.end)
    };
    let mut hits: Vec<Hit> = find(text).into_iter().filter(|hit| !inside(hit)).collect();
    // "until friday" bounds a time; "until he calls" is a condition.
    let bounds: Vec<usize> = hits
        .iter()
        .filter(|hit| matches!(hit.cue, Cue::After | Cue::Before))
        .filter(|hit| days.iter().any(|day| day.contains(&hit.end)))
        .map(|hit| hit.at)
        .collect();
    hits.retain(|hit| hit.cue != Cue::Condition || !bounds.contains(&hit.at));
    let foreign = foreign(text, &hits);
    let mut parted = part(text, &hits, whole);
    for clause in &mut parted {
        let range = clause.tokens.clone();
        clause.own = !foreign.iter().any(|f| f.contains(&range.start));
        clause.hits = hits
            .iter()
            .filter(|hit| range.contains(&hit.at))
            .cloned()
            .collect();
    }
    judge(text, &mut parted);
    parted
}

/// Marks what each clause asks, forbids and doubts, and what that means for those joined to it.
fn judge(text: &Text<'_>, parted: &mut [Clause]) {
    let marks: Vec<bool> = (0..parted.len())
        .map(|at| is_marked(text, parted, at))
        .collect();
    let waits: Vec<bool> = (0..parted.len())
        .map(|at| waits(text, parted, at))
        .collect();
    let (mut scope, mut asking, mut lead) = (Standing::Free, false, false);
    let (mut colon, mut noted, mut requesting) = (false, false, false);
    let mut sentence = usize::MAX;
    for (at, clause) in parted.iter_mut().enumerate() {
        if clause.sentence != sentence {
            (scope, asking, lead) = (Standing::Free, false, false);
            requesting = false;
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
        clause.requests = clause.has(Cue::Request) || goes_on && !opens(Cue::Asks);
        requesting = clause.requests;
        clause.marked = marks.get(at).copied().unwrap_or_default();
        let joined = matches!(clause.joint, Joint::And | Joint::Or)
            || (clause.joint == Joint::Comma && !commands);
        clause.asks =
            (opens(Cue::Asks) && !commands) || clause.hits.iter().any(tag) || (asking && joined);
        if !(joined || lead || clause.joint == Joint::Colon) {
            scope = Standing::Free;
        }
        let content = clause.joint == Joint::Colon && noted && !clause.has(Cue::Order(Deed::Add));
        clause.introduced = clause.joint == Joint::Colon && colon;
        if clause.joint == Joint::Reason || content {
            scope = scope.max(Standing::Doubtful);
        }
        if waits.get(at).copied().unwrap_or_default() && clause.joint != Joint::So {
            scope = scope.max(Standing::Doubtful);
        }
        clause.scope = scope;
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
            None if opens(Cue::Negation) && clause.tokens.len() <= 6 => Standing::Forbidden,
            None if lead
                || clause.has(Cue::Wish)
                || clause.has(Cue::Hearsay)
                || clause.has(Cue::Condition) =>
            {
                Standing::Doubtful
            }
            None => Standing::Free,
        };
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
    retract(text, parted);
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
    // "delete it, and will it rain?": the command is none of the question's.
    let apart = clause.joint != Joint::Or
        && last.tokens.start >= clause.tokens.end
        && opens_with(text, clause, |cue| matches!(cue, Cue::Order(_)))
        && opens_with(text, last, |cue| cue == Cue::Asks)
        && last.tokens.len() > 3;
    if apart {
        return false;
    }
    let end = last.tokens.end;
    matches!(text.word(end.saturating_sub(1)), "?" | "؟") || matches!(text.word(end), "?" | "؟")
}

/// Whether a cue of some kind opens a clause.
fn opens_with(text: &Text<'_>, clause: &Clause, kind: impl Fn(Cue) -> bool) -> bool {
    let first = opening(text, clause);
    let mut hits = clause.hits.iter();
    hits.any(|hit| kind(hit.cue) && hit.at <= first)
}

/// Whether a condition of the sentence holds for the command in a clause: said before it, or behind
/// it where nothing is to be added.
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
    let others = parted.iter().enumerate().any(|(place, other)| {
        other.sentence == clause.sentence
            && place != at
            && !other.orders()
            && (other.has(Cue::Condition) || place > at && other.is_attribution(text))
    });
    !adds && (behind || others)
}

/// Who falters is asked: "cancel milk, well, essay".
fn hesitate(text: &Text<'_>, parted: &mut [Clause]) {
    const FALTERS: [&str; 6] = ["well", "um", "uh", "er", "erm", "hmm"];
    let falters = |clause: &Clause| {
        let mut words = clause.tokens.clone().map(|at| text.word(at));
        clause.joint == Joint::Comma && words.all(|word| word == "," || FALTERS.contains(&word))
    };
    let places: Vec<(usize, usize)> = parted
        .iter()
        .enumerate()
        .filter(|(_, clause)| falters(clause))
        .map(|(at, clause)| (at, clause.sentence))
        .collect();
    for (at, clause) in parted.iter_mut().enumerate() {
        let deletes = clause.has(Cue::Order(Deed::Delete));
        let behind =
            |(place, sentence): &(usize, usize)| *sentence == clause.sentence && *place > at;
        if deletes && places.iter().any(behind) {
            clause.scope = clause.scope.max(Standing::Doubtful);
        }
    }
}

/// What is taken back behind a command or a report forbids it; what contradicts a report doubts it.
fn retract(text: &Text<'_>, parted: &mut [Clause]) {
    let last = parted.len().saturating_sub(1);
    let back: Vec<bool> = parted
        .iter()
        .enumerate()
        .map(|(at, clause)| {
            let taken =
                clause.is_bare(&[Cue::Retract, Cue::Negation], 2) && clause.has(Cue::Retract);
            // "wait" alone takes back; "wait, the other one" corrects.
            let halts = clause.joint != Joint::Or && !clause.excludes(text);
            let halted = at == last && halts && clause.is_bare(&[Cue::Halt], 2);
            !clause.orders() && (taken && !clause.excludes(text) || halted)
        })
        .collect();
    for at in 0..parted.len() {
        let sentence = parted.get(at).map(|clause| clause.sentence);
        let taken = parted.iter().zip(&back).skip(at + 1).any(|(later, back)| {
            *back && sentence.is_some_and(|sentence| later.sentence <= sentence + 1)
        });
        let contrasted = parted.get(at + 1).is_some_and(|next| {
            Some(next.sentence) == sentence
                && next.joint == Joint::Contrast
                && !next.orders()
                && (!next.has(Cue::Told(Deed::Complete)) || next.denies_alone(text))
                && !next.has(Cue::Told(Deed::Add))
                && !next.excludes(text)
        });
        if let Some(clause) = parted.get_mut(at) {
            if taken {
                clause.scope = Standing::Forbidden;
            }
            clause.contrasted = contrasted;
        }
    }
}

/// The first token of a clause that says something: greetings, fillers and joints stand before it.
fn opening(text: &Text<'_>, clause: &Clause) -> usize {
    const FILLERS: [&str; 34] = [
        "and", "but", "so", "then", "or", "ok", "okay", "hey", "hi", "hello", "oh", "well", "um",
        "uh", "great", "good", "cool", "alright", "right", "now", "also", "please", "actually",
        "yes", "yeah", "no", "wait", "just", "nice", "thanks", "lol", "hmm", "ah", "btw",
    ];
    let range = clause.tokens.clone();
    let mut tokens = range.clone();
    let first = tokens.find(|at| {
        let word = text.word(*at);
        text.tokens.get(*at).is_some_and(|t| t.kind == Kind::Word) && !FILLERS.contains(&word)
    });
    first.unwrap_or(range.start)
}
