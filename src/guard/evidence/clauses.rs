//! The clauses of a message, whose words they are, and what stands against an order in each.

mod found;
mod part;
mod scope;

use std::ops::Range;

use super::cues::{Cue, Deed, Hit};
use super::foreign::foreign;
use crate::domain::text::{Kind, Text};
pub(super) use found::{Cues, cues};
pub(super) use part::ends_in_verb;
use part::part;
use scope::judge;

/// Way in which a clause is joined to the one before it.
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

/// Standing of an order or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    /// Nothing speaks against it.
    Free,
    /// Doubt: whether it is meant has to be asked.
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
    /// Set when it asks, by its form.
    asks: bool,
    /// Its sentence ends in a question mark.
    marked: bool,
    requests: bool,
    /// Standing of all commands in it, from the clauses it is joined to.
    scope: Standing,
    /// Set when it is doubted only as what somebody said: "the vet called, …".
    heard: bool,
    /// Something behind it speaks against what it tells.
    pub contrasted: bool,
    /// Set when it tells what was wanted or due, and what is behind it that this came to nothing.
    countered: bool,
    /// Set when what it names is corrected by a clause behind it.
    pub corrected: bool,
    /// Set when it stands behind a colon, and what stands before that is no wish of the user's.
    pub introduced: bool,
}

/// Words of a title stand no farther than this from those that name it.
const NEAR: usize = 4;

/// A command this far behind a negation is not negated by it.
const NEGATED: usize = 4;

impl Clause {
    pub fn has(&self, cue: Cue) -> bool {
        self.hits.iter().any(|hit| hit.cue == cue)
    }

    /// Tells whether a word of it names something: it is neither soft nor part of a cue.
    pub fn is_thing(&self, text: &Text<'_>, at: usize) -> bool {
        let cued = |hit: &Hit| hit.tells() && hit.at <= at && at < hit.end;
        text.tokens.get(at).is_some_and(|t| t.kind == Kind::Word)
            && !crate::resolver::is_soft(text.word(at))
            && !self.hits.iter().any(cued)
    }

    /// Tells whether a command stands in it.
    pub fn orders(&self) -> bool {
        let order = |hit: &Hit| matches!(hit.cue, Cue::Order(_));
        self.hits.iter().any(order)
    }

    /// Tells whether it has one task become several.
    pub fn splits(&self) -> bool {
        let against = self.is_forbidden() || self.is_question() || self.has(Cue::Negation);
        self.has(Cue::Split) && !against
    }

    fn before(&self, at: usize, kinds: &[Cue]) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| kinds.contains(&hit.cue) && hit.at < at)
    }

    /// Tells whether it goes on with what the clause before it says.
    pub const fn goes_on(&self) -> bool {
        matches!(
            self.joint,
            Joint::And | Joint::Or | Joint::Comma | Joint::Colon | Joint::Line
        )
    }

    /// Tells whether it is joined to the clause before it by "and".
    pub fn joins(&self) -> bool {
        self.joint == Joint::And
    }

    /// Tells whether it may go on with what the clause before it is about.
    pub const fn shares_a_subject(&self) -> bool {
        matches!(
            self.joint,
            Joint::And | Joint::Or | Joint::Comma | Joint::Contrast
        )
    }

    pub fn is_behind_colon(&self) -> bool {
        self.joint == Joint::Colon
    }

    pub fn is_behind_comma(&self) -> bool {
        self.joint == Joint::Comma
    }

    pub fn is_alternative(&self) -> bool {
        self.joint == Joint::Or
    }

    /// Tells whether it gives the reason of another.
    pub fn is_reason(&self) -> bool {
        self.joint == Joint::Reason
    }

    /// Tells whether it says no more than these cues, but for a word or two.
    fn is_bare(&self, kinds: &[Cue], more: usize) -> bool {
        let of = |hit: &Hit| kinds.contains(&hit.cue);
        let within = |hit: &Hit, at: usize| hit.at <= at && at < hit.end;
        let said = |at: &usize| self.hits.iter().any(|hit| of(hit) && within(hit, *at));
        let covered = self.tokens.clone().filter(said).count();
        covered > 0 && covered + more >= self.tokens.len()
    }

    /// Tells whether it corrects what stands before it; the "no" of "no need to" corrects nothing.
    pub fn corrects(&self) -> bool {
        let longer = |hit: &Hit| {
            let mut hits = self.hits.iter();
            hits.any(|other| {
                matches!(other.cue, Cue::Negation | Cue::Told(_))
                    && !other.open
                    && other.at == hit.at
                    && other.end > hit.end
            })
        };
        let mut hits = self.hits.iter();
        hits.any(|hit| hit.cue == Cue::Correct && hit.at <= self.opening + 1 && !longer(hit))
    }

    /// Finds what speaks against a command in it.
    pub fn order(&self, hit: &Hit, deed: Deed) -> Standing {
        let negated = self.hits.iter().any(|other| {
            // "trag den Friseur nicht ein", "supprime pas le lait": the negation may begin with the command.
            let within = other.at == hit.at && (other.open || hit.end <= other.end);
            let before = other.at < hit.at && hit.at <= other.end + NEGATED;
            // "lösch die Steuer nich"; "delete what i don't need" denies something else.
            let mine = |own: &Hit| own.cue == Cue::Me && hit.end <= own.at && own.at <= other.at;
            let closes =
                other.at >= hit.end && other.end == self.tokens.end && !self.hits.iter().any(mine);
            // "couldn't you move it to friday?"
            let asks =
                |own: &Hit| own.cue == Cue::Request && own.at <= other.at && other.end < own.end;
            // "wait no undo that": what corrects forbids nothing.
            let corrects =
                |own: &Hit| own.cue == Cue::Correct && own.at <= other.at && other.end <= own.end;
            other.cue == Cue::Negation
                && (before || within || closes)
                && !self.hits.iter().any(|own| asks(own) || corrects(own))
        });
        if !self.own || negated || self.is_retracted(hit) {
            return Standing::Forbidden;
        }
        let polite = self.requests;
        if (self.asks || (self.marked && hit.at > self.opening)) && !polite {
            return Standing::Forbidden;
        }
        let mut standing = self.scope;
        if self.countered {
            standing = standing.max(Standing::Doubtful);
        }
        // "told Imran to delete it" is said to Imran, "I told you to delete it" to whoever reads it.
        let heard = self.hits.iter().any(|other| {
            let to_us = |own: &Hit| own.cue == Cue::Request && own.at == other.at;
            other.cue == Cue::Hearsay && other.at < hit.at && !self.hits.iter().any(to_us)
        });
        let thought = self.before(hit.at, &[Cue::Wish]) && !polite
            || heard
            || self.before(hit.at, &[Cue::Condition])
            || self.has(Cue::Doubt) && !polite;
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
        let anothers = deed == Deed::Delete && !polite && self.is_anothers(hit);
        if self.introduced
            || thought
            || duty
            || marked
            || anothers
            || (content && deed != Deed::Update)
        {
            standing = standing.max(Standing::Doubtful);
        }
        standing
    }

    /// Tells whether somebody else is spoken of before a command: "my boss keeps saying cancel it".
    fn is_anothers(&self, order: &Hit) -> bool {
        let before = |hit: &&Hit| hit.end <= order.at;
        let mut hits = self.hits.iter().filter(before);
        let person = hits.any(|hit| hit.cue == Cue::Person && hit.at <= self.opening + 1);
        let mut hits = self.hits.iter().filter(before);
        person && !hits.any(|hit| matches!(hit.cue, Cue::Me | Cue::Told(_)))
    }

    /// Finds what speaks against a report in it; `own`: no other deed is meant, as it is told by the verb
    /// of the task itself or of what is no task yet.
    pub fn report(&self, hit: &Hit, deed: Deed, own: bool) -> Standing {
        // "could the sheets be moved to Thursday?" may be a request.
        let requests = deed == Deed::Update && self.requests;
        if !self.own || self.asks || (self.marked && deed != Deed::Add && !requests) {
            return Standing::Forbidden;
        }
        let other_order = self.hits.iter().any(|other| {
            matches!(other.cue, Cue::Order(order) if order != deed && order != Deed::Update)
                && (deed == Deed::Add || other.at <= self.opening)
        });
        let new = own && deed == Deed::Add;
        if matches!(deed, Deed::Add | Deed::Complete) && other_order && !new {
            return Standing::Forbidden;
        }
        if self.speaks_against(hit, deed, own) {
            return match deed {
                Deed::Complete => Standing::Forbidden,
                _ if self.marked && deed != Deed::Add => Standing::Forbidden,
                _ => Standing::Doubtful,
            };
        }
        if self.scope == Standing::Forbidden {
            return Standing::Forbidden;
        }
        // "should we get milk?" and "maybe we need milk" leave it open, and "it's finished" may mean that
        // nothing is left of it.
        let lacks = |other: &Hit| {
            let same = (other.at, other.end) == (hit.at, hit.end);
            deed == Deed::Complete && other.cue == Cue::Told(Deed::Add) && same
        };
        let open = deed == Deed::Add && !self.requests && (self.marked || self.has(Cue::Doubt));
        if open || self.hits.iter().any(lacks) {
            return Standing::Doubtful;
        }
        if deed == Deed::Add && self.countered {
            return Standing::Doubtful;
        }
        let news = self.heard && deed == Deed::Update;
        if self.marked && requests {
            return Standing::Doubtful;
        }
        if self.scope != Standing::Free && deed != Deed::Add && !news
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
                Cue::Retract,
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
            Deed::Update => &[
                Cue::Wish,
                Cue::Condition,
                Cue::Hearsay,
                Cue::Told(Deed::Complete),
            ],
        };
        let mut hits = self.hits.iter();
        hits.any(|other| {
            let within = !hit.open
                && hit.at <= other.at
                && other.end <= hit.end
                && other.end - other.at < hit.end - hit.at;
            let late = other.cue == Cue::Condition && other.at >= hit.end
                || other.cue == Cue::Hearsay
                    && deed == Deed::Update
                    && other.at >= hit.end
                    && !self.is_whose_word(other)
                || other.cue == Cue::Wish
                    && deed == Deed::Update
                    && other.at >= hit.end
                    && other.end < self.tokens.end;
            // "got rescheduled" tells of a new day, "will be done tomorrow" does not.
            let early = deed == Deed::Update
                && other.cue == Cue::Told(Deed::Complete)
                && other.at < hit.end;
            // "due the 28th, they emailed": what somebody said is no deed that waited.
            let said = deed == Deed::Update
                && other.cue == Cue::Told(Deed::Complete)
                && self.hits.iter().any(|hit| {
                    hit.cue == Cue::Hearsay && (hit.at, hit.end) == (other.at, other.end)
                });
            // "could it be moved" asks for it.
            let polite = other.cue == Cue::Wish
                && self
                    .hits
                    .iter()
                    .any(|hit| hit.cue == Cue::Request && hit.at == other.at);
            // "emailed" tells of others, and of the task whose verb it is.
            let same = hit.at == other.at
                && (hit.end == other.end && own
                    || other.cue == Cue::Hearsay && (hit.end == other.end || other.open));
            // "the date is extended": what a value went through is no deed that waited.
            let revalued = deed == Deed::Complete
                && !own
                && other.cue == Cue::Told(Deed::Update)
                && other.at < hit.end
                && hit.at < other.end;
            (against.contains(&other.cue) || revalued)
                && !within
                && !late
                && !early
                && !same
                && !said
                && !polite
                && !self.is_news(other, deed)
                && !self.concludes(other, deed)
        })
    }

    /// Tells whether it says behind a value whose word that is: "due friday according to him", where
    /// "due friday, he said" is news.
    fn is_whose_word(&self, hearsay: &Hit) -> bool {
        hearsay.end < self.tokens.end && !self.is_news(hearsay, Deed::Update)
    }

    /// Tells whether somebody's saying is news of a new value: "she said the 21st works".
    fn is_news(&self, hearsay: &Hit, deed: Deed) -> bool {
        let says = |person: &Hit| {
            person.cue == Cue::Person
                && person.end <= hearsay.end
                && hearsay.at <= person.end
                && hearsay.end == person.end + 1
        };
        deed == Deed::Update && hearsay.cue == Cue::Hearsay && self.hits.iter().any(says)
    }

    /// Tells whether a guess is the user's own conclusion from what stands before it: "she gave it to
    /// me, so i guess that's the email sorted".
    fn concludes(&self, guess: &Hit, deed: Deed) -> bool {
        let that = |hit: &Hit| hit.cue == Cue::It && hit.at == guess.end;
        deed == Deed::Complete
            && guess.cue == Cue::Wish
            && self.joint == Joint::So
            && guess.at <= self.opening
            && self.hits.iter().any(that)
    }

    /// Tells whether it tells of somebody's doings: its day is theirs, and no value of a task.
    pub fn tells_of_somebody(&self) -> bool {
        let mut hits = self.hits.iter();
        hits.any(|hit| matches!(hit.cue, Cue::Me | Cue::Person) && hit.at <= self.opening + 1)
            && !self.orders()
            && !self.corrects()
            && !self.has(Cue::Told(Deed::Update))
            && !self.has(Cue::Told(Deed::Add))
    }

    /// Tells whether it denies: "no" alone opens a correction.
    pub fn negates(&self, but: impl Fn(&Hit) -> bool) -> bool {
        let negations = self.hits.iter().filter(|hit| hit.cue == Cue::Negation);
        negations.into_iter().any(|hit| {
            let within = |other: &Hit| {
                other.cue == Cue::Correct && other.at <= hit.at && hit.end <= other.end
            };
            !self.hits.iter().any(within) && !but(hit)
        })
    }

    /// Finds what speaks against a new value that is only told of in it; `harmless` are hits that
    /// do not: a denial of the value that the task has, news of somebody else's.
    pub fn value(&self, harmless: impl Fn(&Hit) -> bool) -> Standing {
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
        let mut hits = self.hits.iter();
        let told = hits.find(|hit| matches!(hit.cue, Cue::Told(Deed::Update) | Cue::Low));
        // "it was on monday": what was is no news.
        let was = self.has(Cue::Was);
        // "how about tuesday?"
        let offered = self.marked && self.requests;
        // "highest urgency please" is no deed to come.
        let waits = |hit: &Hit| match hit.cue {
            Cue::Condition | Cue::Doubt => true,
            Cue::Future => !self.requests && !harmless(hit),
            _ => false,
        };
        let waiting = self.hits.iter().any(waits) || self.has(Cue::Told(Deed::Delete));
        let doubt = waiting || self.negates(&harmless);
        // "due friday I think" is no news; "a day later than I thought, so thursday" is. "He says it's
        // due friday" is, "due friday according to him" is whose word it is.
        let mut hits = self.hits.iter();
        let thought = hits.any(|hit| {
            let ends = |told: &Hit| hit.end == told.end || hit.end == self.tokens.end;
            let behind = |told: &Hit| told.end <= hit.at && self.is_whose_word(hit);
            hit.cue == Cue::Hearsay && told.is_none_or(behind) && !harmless(hit)
                || hit.cue == Cue::Wish && told.is_none_or(|told| hit.at < told.at || ends(told))
        });
        if (doubt || was) && told.is_none()
            || offered
            || thought
            || self.scope != Standing::Free && !self.heard
        {
            Standing::Doubtful
        } else {
            Standing::Free
        }
    }

    /// Tells whether a word is denied by the one or two before it: "hardly urgent".
    pub fn is_denied_at(&self, at: usize) -> bool {
        // "can be low" tells a new value, though of a deed it says that it is not done.
        let told = |hit: &Hit| {
            let mut hits = self.hits.iter();
            hits.any(|other| {
                matches!(other.cue, Cue::Told(Deed::Update))
                    && (other.at, other.end) == (hit.at, hit.end)
            })
        };
        let denies = |hit: &Hit| {
            matches!(hit.cue, Cue::Negation | Cue::Undone)
                && hit.end <= at
                && at <= hit.end + 1
                && !told(hit)
        };
        self.hits.iter().any(denies)
    }

    /// Tells whether a command to take away takes away a value: "remove the date", "scrap its note".
    /// `named` tells a word for a value that stands in the name of a task.
    pub fn clears_by(&self, order: &Hit, named: impl Fn(&Hit) -> bool) -> bool {
        let bound = |at: usize| {
            let mut hits = self.hits.iter();
            hits.any(|hit| hit.cue == Cue::Determiner && hit.at == at)
        };
        let object = order.end + usize::from(bound(order.end));
        let mut hits = self.hits.iter();
        hits.any(|hit| match hit.cue {
            Cue::Clearing => hit.at < order.end && order.at < hit.end,
            Cue::Part => !order.open && hit.at == object && !named(hit),
            _ => false,
        })
    }

    /// Tells whether nothing in it may be taken for the user's own wish.
    pub const fn is_foreign(&self) -> bool {
        !self.own
    }

    pub const fn is_question(&self) -> bool {
        (self.asks || self.marked) && !self.requests
    }

    pub fn is_forbidden(&self) -> bool {
        self.scope == Standing::Forbidden || !self.own
    }

    /// Tells whether it has the form of a request: "can you", "i want to".
    pub const fn is_request(&self) -> bool {
        self.requests
    }

    pub const fn opens_at(&self) -> usize {
        self.opening
    }
}

/// A title that is named: all its words, and the tokens that name it.
pub(super) struct Name {
    pub tokens: Vec<usize>,
    pub words: Vec<String>,
}

impl Name {
    /// Tells whether a cue is made of words of the title, beside those that name it.
    fn has(&self, text: &Text<'_>, hit: &Hit) -> bool {
        let own = |at: usize| self.words.iter().any(|word| word == text.word(at));
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else {
            return false;
        };
        let near = hit.end + NEAR > *first && hit.at < *last + NEAR;
        let inside = *first <= hit.at && hit.end <= last + 1;
        let against = matches!(
            hit.cue,
            Cue::Negation | Cue::Hearsay | Cue::Condition | Cue::Asks | Cue::LeadIn
        );
        (if against { inside } else { near }) && !hit.open && (hit.at..hit.end).all(own)
    }
}

/// Parts a message into clauses. Words of `names` are no cues.
pub(super) fn clauses(
    text: &Text<'_>,
    titles: &[Range<usize>],
    cues: &Cues,
    names: &[Name],
) -> Vec<Clause> {
    let mut hits = cues.hits.clone();
    let titled: Vec<bool> = hits
        .iter()
        .map(|hit| names.iter().any(|name| name.has(text, hit)))
        .collect();
    let deed = |hit: &Hit| matches!(hit.cue, Cue::Order(_) | Cue::Told(_));
    let told = hits.iter().zip(&titled).any(|(hit, own)| deed(hit) && !own);
    let mut own = titled.iter();
    hits.retain(|hit| {
        let own = own.next().copied().unwrap_or_default();
        let kept = matches!(
            hit.cue,
            Cue::It | Cue::Them | Cue::All | Cue::And | Cue::Or | Cue::Item | Cue::Copula
        );
        // "cancel Netflix" may be the order as well as the title, where no other deed is told.
        let only = matches!(hit.cue, Cue::Order(_)) && !told;
        !own || kept || only
    });
    let foreign = foreign(text, &hits);
    let mut parted = part(text, &hits, &[titles, &cues.turns].concat());
    for clause in &mut parted {
        let range = clause.tokens.clone();
        clause.own = !foreign.iter().any(|f| f.contains(&range.start));
        clause.hits = hits
            .iter()
            .filter(|hit| range.contains(&hit.at))
            .cloned()
            .collect();
    }
    judge(text, &mut parted, names);
    parted
}
