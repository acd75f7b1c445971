//! Doers of what a report tells of: named before the deed, behind it, or in front of what it goes on
//! with; and those whose duty it is.

use super::Evidence;
use super::another::is_name;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins};
use super::target::Mention;
use super::words::{Word, is_infinitive};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::guard::talk::is_function_word;
use crate::resolver::is_list;

impl Evidence<'_> {
    /// Tells whether the one who did it is named before the deed, and is not the user: "the couple
    /// next door paid the rent", "meine Schwester hat Ana angerufen".
    pub(super) fn is_by_another(
        &self,
        hit: &Hit,
        clause: &Clause,
        title: &[Word],
        mention: Option<&Mention>,
    ) -> bool {
        if self.names_the_doer(hit, clause, title) {
            return true;
        }
        let before = |other: &&Hit| other.end <= hit.at;
        let mut hits = clause.hits.iter().filter(before);
        if hits.any(|other| other.cue == Cue::Me) {
            return false;
        }
        let titled = |at: usize| title.iter().any(|own| own.said == self.text.word(at));
        let mut hits = clause.hits.iter().filter(before);
        // "el" is "él" without its accent, and the article.
        let article = |at: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|other| other.cue == Cue::Determiner && other.at == at)
        };
        if hits.any(|other| {
            other.cue == Cue::Person && !titled(other.end.saturating_sub(1)) && !article(other.at)
        }) {
            return true;
        }
        let opening = clause.opens_at();
        let named = mention.is_some_and(|mention| mention.tokens.iter().any(|at| *at < hit.at));
        let opens = |cue: Cue| {
            let mut hits = clause.hits.iter();
            hits.any(|other| other.cue == cue && other.at == opening)
        };
        let name = is_name(self.text.word(opening));
        // "Piet hat die Miete bezahlt": whoever it is, it is not the user.
        let word = self.text.word(opening);
        let did = self.lang != Lang::En && begins(Cue::Did, self.text, opening + 1);
        let known = titled(opening) || is_function_word(word) || opens(Cue::It);
        if did && !known && !opens(Cue::Determiner) {
            return true;
        }
        // "Dave's finished": he has.
        let has = |at: usize| {
            let word = self.text.word(at);
            let whole = at == opening && at + 1 == hit.at;
            // "jakes done": he is.
            let name = word.strip_suffix('s').is_some_and(is_name);
            whole && (name || word.ends_with("'s")) && !begins(Cue::NoOwner, self.text, at)
        };
        let alone = has(opening)
            || opening + 1 < hit.at && (opens(Cue::Determiner) || name && !titled(opening));
        !named && alone || self.carries_on_of_another(clause, mention, named)
    }

    /// Tells whether a report that names nobody goes on with what another did: "Dad got up and took his
    /// pills".
    fn carries_on_of_another(
        &self,
        clause: &Clause,
        mention: Option<&Mention>,
        named: bool,
    ) -> bool {
        let Some(place) = self.clause_at(clause.tokens.start) else {
            return false;
        };
        // A thing in front is what the clause is about, where the verb does not stand behind it.
        let did = begins(Cue::Did, self.text, clause.opens_at());
        let last = clause.joins() && matches!(self.lang, Lang::De | Lang::Ur);
        if named && !did && !last {
            return false;
        }
        let first = mention.and_then(|mention| mention.tokens.first()?.checked_sub(1));
        let theirs = first.is_some_and(|at| begins(Cue::Theirs, self.text, at));
        let mut later = clause;
        for before in self.clauses.iter().take(place).rev() {
            let same = before.sentence == later.sentence && later.shares_a_subject();
            let next = before.sentence + 1 == later.sentence && theirs;
            if !(same || next) || before.has(Cue::Me) {
                return false;
            }
            if self.another_in_front(before).is_some() {
                return true;
            }
            later = before;
        }
        false
    }

    /// Tells whether a word is a name, by what is known or by how it is written behind another: "our Linda".
    fn is_somebody(&self, at: usize) -> bool {
        let written = self.text.slice(at..at + 1).starts_with(char::is_uppercase);
        let behind = at
            .checked_sub(1)
            .is_some_and(|at| begins(Cue::Determiner, self.text, at));
        let named = || {
            self.mentions
                .iter()
                .any(|mention| mention.tokens.contains(&at))
        };
        is_name(self.text.word(at)) || written && behind && self.lang != Lang::De && !named()
    }

    /// The token behind the naming of another person that a clause begins with and tells something of:
    /// "my brother already mowed", "gestern hat Oma".
    fn another_in_front(&self, clause: &Clause) -> Option<usize> {
        let dated = self.dated(clause);
        let exact = |at: usize| {
            let mut mentions = self.mentions.iter().filter(|mention| mention.exact);
            mentions.any(|mention| mention.tokens.contains(&at))
        };
        let tells = |at: usize| {
            let verbs = [
                Cue::Told(Deed::Complete),
                Cue::Undone,
                Cue::Happens,
                Cue::Copula,
                Cue::Was,
                Cue::Hearsay,
                Cue::Future,
                Cue::Told(Deed::Add),
            ];
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.at == at && verbs.contains(&hit.cue))
                || [Cue::Did, Cue::Perfect]
                    .iter()
                    .any(|cue| begins(*cue, self.text, at))
        };
        for at in clause.opens_at()..clause.tokens.end {
            let determined = begins(Cue::Determiner, self.text, at);
            let person = clause.hits.iter().find(|hit| {
                let article = determined && hit.end == at + 1;
                hit.cue == Cue::Person && hit.at == at && !article && !exact(hit.end - 1)
            });
            // "Lisa ne": what stands behind the name says that she did it.
            let end = match person {
                Some(person) if person.end > at + 1 && !determined => return Some(person.end),
                Some(person) => Some(person.end),
                None => (self.is_somebody(at) && !exact(at)).then_some(at + 1),
            };
            if let Some(end) = end {
                return tells(end).then_some(end);
            }
            let filler = begins(Cue::Filler, self.text, at) || begins(Cue::And, self.text, at);
            let passed = determined || filler || begins(Cue::Did, self.text, at);
            if !passed && !dated.contains(&at) {
                return None;
            }
        }
        None
    }

    /// Tells whether a clause tells what another has to do, or what stands on another's list: "my boss has
    /// to sign it", "on her list is paint".
    pub(super) fn is_anothers_duty(&self, clause: &Clause) -> bool {
        let listed = |at: usize| is_list(self.text.word(at));
        let opens = |hit: &Hit| {
            let order = matches!(hit.cue, Cue::Order(_)) && hit.at <= clause.opens_at();
            order && !hit.open && !(hit.at..hit.end).any(listed)
        };
        if clause.has(Cue::Me) || clause.hits.iter().any(opens) {
            return false;
        }
        let end = self.another_in_front(clause);
        let duty = |end: usize| {
            let duties = [Cue::Told(Deed::Add), Cue::Future];
            let mut hits = clause.hits.iter();
            hits.any(|hit| {
                let verb = |at: usize| begins(Cue::Infinitive, self.text, at);
                let next = (hit.end..clause.tokens.end).find(|at| !verb(*at));
                let be = next.is_some_and(|at| begins(Cue::Copula, self.text, at));
                let last = clause.tokens.end.saturating_sub(1);
                let governs = verb(hit.end)
                    || verb(hit.end - 1)
                    || next.is_some_and(|at| is_infinitive(self.text.word(at)))
                    || self.lang == Lang::De
                        && (self.text.word(last).ends_with("en") || hit.end > last);
                duties.contains(&hit.cue) && hit.at >= end && governs && !be
            })
        };
        let cared = |end: usize| begins(Cue::Cared, self.text, end - 1);
        end.is_some_and(|end| duty(end) && !cared(end)) || self.is_of_anothers_list(clause)
    }

    /// Tells whether somebody stands right before a deed, in English its doer: "grandma called", "Rachel
    /// has submitted hers".
    pub(super) fn is_done_by_the_named(&self, hit: &Hit, clause: &Clause, title: &[Word]) -> bool {
        let titled = |at: usize| title.iter().any(|own| own.said == self.text.word(at));
        let has = |at: usize| begins(Cue::Perfect, self.text, at);
        let before = hit.at.checked_sub(1);
        let before = before.and_then(|at| if has(at) { at.checked_sub(1) } else { Some(at) });
        before.is_some_and(|at| {
            let word = self.text.word(at);
            let somebody =
                !self.is_titled_at(at) && (begins(Cue::Person, self.text, at) || is_name(word));
            // A name that nobody knows has a capital letter at least.
            let named = || {
                let capital = self.text.slice(at..at + 1).starts_with(char::is_uppercase);
                let adverb = word.ends_with("ly") || is_function_word(word);
                capital && !adverb && at == clause.opens_at() && !titled(at)
            };
            clause.tokens.contains(&at) && (somebody || named())
        })
    }

    /// Tells whether who did it is named behind the deed: "paid by dad", "stesi da mia madre", "bhej diya
    /// ali ne".
    fn names_the_doer(&self, hit: &Hit, clause: &Clause, title: &[Word]) -> bool {
        let titled = |at: usize| title.iter().any(|own| own.said == self.text.word(at));
        let by = |at: usize| clause.tokens.contains(&at) && begins(Cue::By, self.text, at);
        (hit.end..clause.tokens.end).any(|at| {
            let mut hits = clause.hits.iter();
            let person = is_name(self.text.word(at))
                || hits.any(|other| other.cue == Cue::Person && other.at == at);
            let bound = usize::from(begins(Cue::Determiner, self.text, at.saturating_sub(1)));
            let before = at.saturating_sub(1 + bound);
            person && !titled(at) && (before >= hit.end && by(before) || by(at + 1))
        })
    }

    /// Tells whether a clause speaks of another's list: "her list", "la lista di mio fratello".
    fn is_of_anothers_list(&self, clause: &Clause) -> bool {
        let is = |cue: Cue, at: usize| begins(cue, self.text, at);
        let person = |at: usize| {
            let mut hits = clause.hits.iter();
            let told = hits.any(|hit| hit.cue == Cue::Person && hit.at == at);
            told || is_name(self.text.word(at))
        };
        let owner = |at: usize| {
            let stem = self.text.word(at).strip_suffix("'s");
            let person = |stem: &str| is_name(stem) || begins(Cue::Person, &Text::new(stem), 0);
            stem.is_some_and(person) || is(Cue::Theirs, at)
        };
        let owned = |at: usize| {
            let of = is(Cue::Of, at + 1) || is(Cue::OfThe, at + 1);
            at.checked_sub(1).is_some_and(owner)
                || is(Cue::Theirs, at + 1)
                || of && (person(at + 2) || person(at + 3))
        };
        let mut tokens = clause.tokens.clone();
        tokens.any(|at| is_list(self.text.word(at)) && owned(at))
    }

    /// Tells whether another's doing that is none to what is named stands before a command, which may be
    /// theirs: "bhai ne msg kiya bill delete kar do", "Peter hat geschrieben lösch den Termin".
    pub(super) fn is_said_by_another(&self, order: &Hit, clause: &Clause) -> bool {
        let mut did = (clause.opens_at() + 1..order.at).filter(|at| {
            let mine = |hit: &Hit| hit.cue == Cue::Me && (hit.covers(*at) || hit.end == *at);
            begins(Cue::Did, self.text, *at) && !clause.hits.iter().any(mine)
        });
        let Some(did) = did.next() else {
            return false;
        };
        let named = self.mentions.iter().flat_map(|mention| &mention.tokens);
        let named = named.filter(|at| clause.tokens.contains(*at));
        let first = named.min();
        // "bhai ne bill de diya, delete kar do"
        let told = |hit: &Hit| match hit.cue {
            Cue::Told(Deed::Complete) => first.is_some_and(|first| *first < hit.at),
            Cue::Told(Deed::Delete) => true,
            _ => false,
        };
        let between = |hit: &&Hit| did < hit.at && hit.end <= order.at;
        !clause.hits.iter().filter(between).any(told)
    }
}
