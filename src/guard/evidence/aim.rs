//! Task that the words mean: by name, by pointing, or as one of a set.

use super::bare_days::day_number;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit};
use super::target::{Mention, best, is_ambiguous};
use super::words::{Word, content};
use super::{Aim, Carried, Evidence, named_in};
use crate::domain::{Lang, TaskId};
use crate::guard::talk::is_function_word;
use crate::resolver::Among;

impl Evidence<'_> {
    /// Reads how the words name a task, for a deed that looks among these; an answer that names
    /// none is about those that the words named which it answers for.
    pub fn aim(&self, task: TaskId, among: Among, deed: Deed) -> Aim {
        let own = self.own_aim(task, among, deed);
        // "yes, and the bread too"
        if matches!(own, Aim::None | Aim::Implied(_)) && self.accepts_for(task) {
            return Aim::Pointed(vec![0]);
        }
        // "delete all completed tasks" says which, and answers nothing.
        let described = |clause: &Clause| {
            let sets = [Cue::Completed, Cue::Open, Cue::Overdue];
            clause.has(Cue::All) && sets.iter().any(|set| clause.has(*set))
        };
        if own != Aim::None || !self.mentions.is_empty() || self.clauses.iter().any(described) {
            return own;
        }
        // "remove the ukulele", which is not on the list: a command that names something answers
        // nothing.
        let commands = |(at, clause): (usize, &Clause)| clause.orders() && self.says_more(at);
        if self.clauses.iter().enumerate().any(commands) {
            return own;
        }
        let at = self.every_clause();
        let answered = self.of_answered(|answered| answered.aim(task, among, deed));
        match answered {
            Some(Aim::Named(_) | Aim::Pointed(_)) => Aim::Pointed(at),
            Some(Aim::Set(_, count)) => Aim::Set(at, count),
            _ => own,
        }
    }

    /// Tells whether the offer that the message takes up names a task.
    fn accepts_for(&self, task: TaskId) -> bool {
        let Some(text) = self.offer() else {
            return false;
        };
        let offered = Evidence::of(&text, self.tasks, Carried::default(), self.today, self.lang);
        let mut named = best(&offered.mentions, Among::All).into_iter();
        named.any(|mention| mention.task == task && mention.whole)
    }

    fn own_aim(&self, task: TaskId, among: Among, deed: Deed) -> Aim {
        if let Some(set) = self.set_of_word(task, among, deed) {
            return set;
        }
        let fits = self.fits(among);
        let own: Vec<&&Mention> = fits.iter().filter(|mention| mention.task == task).collect();
        if !own.is_empty() {
            let shared = own.iter().all(|mention| is_ambiguous(mention, &fits));
            let at = self.clauses_naming(&own);
            // "the nimbus one", of a list that was shown: no other of them has that name.
            let mut others = fits.iter().filter(|mention| mention.task != task);
            let spoken_of = self.focus.contains(&task)
                && !others.any(|mention| self.focus.contains(&mention.task));
            if shared && !spoken_of {
                return self.set(task, true, deed).unwrap_or(Aim::Shared(at));
            }
            return Aim::Named(at);
        }
        if self.quoted.contains(&task) {
            return Aim::Quoted;
        }
        if let Some(counted) = self.counted_off(task, deed) {
            return counted;
        }
        // "reopen it, they sent the wrong ones": the pronoun beside the command says which.
        let ordered = |clause: &Clause| {
            !clause.is_foreign()
                && clause.has(Cue::Order(deed))
                && clause.has(Cue::It)
                && !clause.has(Cue::All)
        };
        let pronoun = self.focus == [task] && self.clauses.iter().any(ordered);
        if !pronoun && let Some(set) = self.set(task, false, deed) {
            return set;
        }
        if !self.focus.contains(&task) {
            let described = self.described(deed).map(Aim::Implied);
            let beside = || self.beside_the_focus(task, deed).map(Aim::Pointed);
            return described.or_else(beside).unwrap_or(Aim::None);
        }
        let plural = self.focus.len() > 1;
        let points = |at: usize, clause: &Clause| {
            if clause.is_foreign()
                || self.names_any(at)
                || (0..at).any(|before| self.names_any(before))
                || deed == Deed::Update && self.is_of_an_addition(at)
            {
                return false;
            }
            if plural {
                let value = deed == Deed::Update && self.mentions.is_empty();
                return clause.has(Cue::Them)
                    || clause.has(Cue::All)
                    || value
                        && self.has_value(clause)
                        && !self.says_more(at)
                        && !clause.has(Cue::It);
            }
            clause.has(Cue::It) || self.mentions.is_empty()
        };
        let clauses = self.clauses.iter().enumerate();
        let pointing: Vec<usize> = clauses
            .filter(|(at, clause)| points(*at, clause))
            .map(|(at, _)| at)
            .collect();
        if pointing.is_empty() {
            // "write it on", after a listing: the model says which, and the user confirms.
            let clauses = self.clauses.iter().enumerate();
            let one = clauses.filter(|(at, clause)| {
                !clause.is_foreign() && clause.has(Cue::It) && !self.names_any(*at)
            });
            let one: Vec<usize> = one.map(|(at, _)| at).collect();
            let implied = plural && self.mentions.is_empty() && !one.is_empty();
            return if implied && deed != Deed::Delete {
                Aim::Implied(one)
            } else {
                Aim::None
            };
        }
        let at = |at: &usize| self.clauses.get(*at);
        let says = |place: &usize| at(place).is_some_and(|c| c.has(Cue::It));
        let told = |place: &usize| self.says_more(*place);
        // "they want it in writing. so still open": the clause that tells the deed.
        // "no thursday, office is shut fri": a value belongs to what is said before it.
        let valued = |place: usize, clause: &Clause| {
            let before = self.clauses.iter().enumerate().take(place);
            let mut before = before.filter(|(_, other)| other.sentence == clause.sentence);
            deed == Deed::Update
                && self.has_value(clause)
                && !before.any(|(at, _)| self.says_more(at))
        };
        let tells = |place: &&usize| {
            at(place).is_some_and(|c| {
                c.has(Cue::Order(deed)) || c.has(Cue::Told(deed)) || valued(**place, c)
            })
        };
        let plain: Vec<usize> = pointing
            .iter()
            .filter(tells)
            .filter(|place| !told(place))
            .copied()
            .collect();
        match deed {
            _ if plural => Aim::Set(pointing, self.focus.len()),
            // "delete the task "…"", "delete that dentist thing": something else is named.
            Deed::Delete if pointing.iter().all(told) => Aim::None,
            _ if pointing.iter().any(says) || !pointing.iter().any(told) => Aim::Pointed(pointing),
            _ if !plain.is_empty() => Aim::Pointed(plain),
            // A new value may be any words; else they may name something else.
            Deed::Update | Deed::Complete | Deed::Reopen => Aim::Implied(pointing),
            _ => Aim::None,
        }
    }

    /// The mentions that no other one fits better, of the tasks that a deed looks among, else of all; one that
    /// only tells what is left out takes the words of no other: "everything for toby but his haircut".
    fn fits(&self, among: Among) -> Vec<&Mention> {
        let mentions = self.mentions.iter();
        let (excepted, meant): (Vec<_>, Vec<_>) =
            mentions.partition(|mention| self.is_excepted(mention.task));
        let fits = |among: Among| {
            let meant = best(meant.iter().copied(), among).into_iter();
            let fits: Vec<&Mention> = meant.chain(best(excepted.iter().copied(), among)).collect();
            fits
        };
        let of = fits(among);
        if of.is_empty() { fits(Among::All) } else { of }
    }

    /// The clauses in which these mentions of a task stand; one where more words name another task is
    /// about that one, if others are left: "elm boiler is done, oak boiler leaks".
    fn clauses_naming(&self, own: &[&&Mention]) -> Vec<usize> {
        let within = |mention: &Mention, at: usize| {
            let mut tokens = mention.tokens.iter();
            let inside = |token: &&usize| self.clause_at(**token) == Some(at);
            tokens.by_ref().filter(inside).count()
        };
        let tokens = own.iter().flat_map(|mention| mention.tokens.iter());
        let mut at: Vec<usize> = tokens.filter_map(|token| self.clause_at(*token)).collect();
        at.sort_unstable();
        at.dedup();
        let outdone = |place: &usize| {
            let most = own.iter().map(|mention| within(mention, *place)).max();
            self.mentions.iter().any(|other| {
                let mine = own.iter().any(|mention| mention.task == other.task);
                !mine && Some(within(other, *place)) > most
            })
        };
        if !at.iter().all(outdone) {
            at.retain(|place| !outdone(place));
        }
        at
    }

    /// The clauses that speak of a set by a word of one of its tasks, which may be more than those that
    /// have the word: "everything flight-y goes a day later".
    fn described(&self, deed: Deed) -> Option<Vec<usize>> {
        let describes = |clause: &Clause| {
            let mut hits = clause.hits.iter().filter(|hit| hit.cue == Cue::All);
            hits.any(|all| {
                let mut mentions = self.mentions.iter().filter(|mention| !mention.whole);
                mentions.any(|mention| mention.tokens.contains(&all.end))
            })
        };
        let clauses = self.clauses.iter().enumerate();
        let at = clauses.filter(|(_, clause)| !clause.is_foreign() && describes(clause));
        let at: Vec<usize> = at.map(|(at, _)| at).collect();
        (deed != Deed::Delete && !at.is_empty()).then_some(at)
    }

    /// The clauses that point at a task which is not the one spoken of last: at its twin ("lose the
    /// other one"), or, where that one is done, at what the message before named beside it.
    fn beside_the_focus(&self, task: TaskId, deed: Deed) -> Option<Vec<usize>> {
        let pending = |id: &TaskId| {
            self.tasks
                .get(*id)
                .is_some_and(|t| !t.status.is_completed())
        };
        let clauses_where = |says: &dyn Fn(&Clause) -> bool| -> Vec<usize> {
            let clauses = self.clauses.iter().enumerate();
            let at = clauses.filter(|(_, clause)| !clause.is_foreign() && says(clause));
            at.map(|(at, _)| at).collect()
        };
        if !self.mentions.is_empty() || !pending(&task) {
            return None;
        }
        let other = clauses_where(&|clause| clause.has(Cue::Rest));
        if let ([one], false) = (self.focus, other.is_empty()) {
            let words = |id: TaskId| self.tasks.get(id).map(|task| content(task.title.as_str()));
            let own = words(*one)?;
            let twin = |id: &TaskId| {
                let title = words(*id).unwrap_or_default();
                let same = own
                    .iter()
                    .filter(|own| title.iter().any(|word| word.is_form_of(own)));
                id != one && pending(id) && same.count() * 2 >= own.len()
            };
            if !twin(&task) {
                return None;
            }
            let mut twins = self.tasks.iter().map(|task| task.id).filter(twin);
            return (twins.next() == Some(task) && twins.next().is_none()).then_some(other);
        }
        let named = named_in(self.carried.said_before()?, self.tasks);
        let mut named = named.into_iter().filter(pending);
        let only = named.next() == Some(task) && named.next().is_none();
        let at = clauses_where(&|clause| clause.has(Cue::It));
        let done = !self.focus.is_empty() && !self.focus.iter().any(pending);
        (only && done && deed != Deed::Delete && !at.is_empty()).then_some(at)
    }

    /// The aim at tasks that an order counts off from an end of those spoken of: "the last two".
    fn counted_off(&self, task: TaskId, deed: Deed) -> Option<Aim> {
        let (at, clause, end) = self.clauses.iter().enumerate().find_map(|(at, clause)| {
            let mut hits = clause.hits.iter();
            let end = hits.find(|hit| matches!(hit.cue, Cue::First | Cue::Last))?;
            // "all but the last one", "not the last one": but that of what was just added.
            let others = [Cue::All, Cue::Rest, Cue::Except];
            let unwanted = self.carried.deed == Some(Deed::Add) && !clause.orders();
            // "the first two are urgent"
            let told = clause.has(Cue::Copula) && self.has_value(clause);
            let told = told || clause.has(Cue::Told(deed));
            let orders = clause.orders() || told && !clause.is_question();
            let says = match clause.has(Cue::Negation) {
                true => unwanted,
                false => orders,
            };
            let plain = says && !clause.is_foreign() && !self.names_any(at);
            let plain = plain && !others.iter().any(|cue| clause.has(*cue));
            plain.then_some((at, clause, end))
        })?;
        let counted = |at: usize| self.number(at).filter(|_| clause.tokens.contains(&at));
        let count = counted(end.end).or_else(|| counted(end.at.checked_sub(1)?));
        let count = count.unwrap_or(1);
        let more = || {
            let number = |word: &&Word| counted(word.token).is_none() && word.token != end.at;
            let mut words = self.words.iter().filter(number);
            words.any(|word| clause.tokens.contains(&word.token) && is_told(clause, word))
        };
        let rest = self.focus.len().checked_sub(count)?;
        if rest == 0 || more() {
            return None;
        }
        let (first, last) = (self.focus.get(..count)?, self.focus.get(rest..)?);
        let meant = if end.cue == Cue::First { first } else { last };
        Some(if meant.contains(&task) {
            Aim::Pointed(vec![at])
        } else {
            Aim::None
        })
    }

    /// Tells whether a day or a priority stands in a clause.
    pub(super) fn has_value(&self, clause: &Clause) -> bool {
        let scan = &self.scan;
        let mut dates = scan.dates.iter();
        let levels = [Cue::High, Cue::Medium, Cue::Low];
        dates.any(|found| clause.tokens.contains(&found.core.start))
            || levels.iter().any(|level| clause.has(*level))
            || clause
                .tokens
                .clone()
                .any(|at| is_ordinal(self.text.word(at)))
    }

    /// Tells whether a clause speaks of something by words that are no cue, no day and no plain
    /// verb.
    pub(super) fn says_more(&self, at: usize) -> bool {
        self.says_more_than(at, &[])
    }

    pub(super) fn says_more_than(&self, at: usize, known: &[Word]) -> bool {
        let Some(clause) = self.clauses.get(at) else {
            return false;
        };
        let scan = &self.scan;
        let dated = |token: usize| {
            scan.dates.iter().any(|found| found.core.contains(&token))
                || scan.unkept.iter().any(|(said, _)| said.contains(&token))
                || is_ordinal(self.text.word(token))
        };
        let mut words = self.words.iter();
        words.any(|word| {
            clause.tokens.contains(&word.token)
                && is_told(clause, word)
                && !known.iter().any(|own| word.names(own))
                && !dated(word.token)
        })
    }

    /// Tells whether a clause goes on with an order to add something, and says no "it": "add soap, high
    /// priority".
    fn is_of_an_addition(&self, at: usize) -> bool {
        let clause = self.clauses.get(at).filter(|clause| clause.goes_on());
        let bare = clause.filter(|clause| !clause.has(Cue::It));
        bare.is_some_and(|clause| {
            let mut before = self.clauses.iter().take(at);
            before.any(|before| {
                before.sentence == clause.sentence && before.has(Cue::Order(Deed::Add))
            })
        })
    }

    /// The set that the words name, where the task is in it. `shared`: words name it and others.
    fn set(&self, task: TaskId, shared: bool, deed: Deed) -> Option<Aim> {
        let at: Vec<usize> = self
            .clauses
            .iter()
            .enumerate()
            .filter(|(_, clause)| !clause.is_foreign() && clause.has(Cue::All))
            .map(|(at, _)| at)
            .collect();
        if at.is_empty() {
            return None;
        }
        // "all but the last one": who is left out is not named by a title.
        let excepts = at
            .iter()
            .filter_map(|at| self.clauses.get(*at))
            .any(|clause| clause.has(Cue::Except));
        let mut named = self.mentions.iter().map(|mention| mention.task);
        if excepts && !named.any(|task| self.is_excepted(task)) {
            return Some(Aim::None);
        }
        let members: Vec<TaskId> = if shared {
            let fits = self.fits(Among::All).into_iter();
            let tasks = fits.map(|mention| mention.task);
            tasks.filter(|task| !self.is_excepted(*task)).collect()
        } else {
            self.members(&at, deed)?
        };
        // Whoever is not in the set that the words name is not pointed at either.
        Some(if members.contains(&task) {
            Aim::Set(at, members.len())
        } else {
            Aim::None
        })
    }

    /// Tells whether a task is named only as what is left out: "everything except milk".
    pub(super) fn is_excepted(&self, task: TaskId) -> bool {
        let mentions = || self.mentions.iter().filter(|mention| mention.task == task);
        mentions().next().is_some()
            && mentions().all(|mention| {
                // What tells it from others stands last: "for toby except his haircut".
                let first = mention.tokens.last().copied().unwrap_or_default();
                let at = self.clause_at(first);
                let sentence = at
                    .and_then(|at| self.clauses.get(at))
                    .map(|clause| clause.sentence);
                let of = self
                    .clauses
                    .iter()
                    .filter(|clause| Some(clause.sentence) == sentence);
                let hits = of.flat_map(|clause| &clause.hits);
                let postposed = |hit: &Hit| {
                    let mut hits = hits.clone();
                    hits.any(|other| other.cue == Cue::Excepted && other.end == hit.end)
                };
                let except = hits
                    .clone()
                    .rfind(|hit| hit.cue == Cue::Except && hit.end <= first && !postposed(hit));
                // "all but milk; delete eggs": an order of its own goes before.
                let leading = except.is_some_and(|except| {
                    let mut own = self.clauses.iter().flat_map(|clause| &clause.hits);
                    !own.any(|hit| {
                        matches!(hit.cue, Cue::Order(_)) && except.end <= hit.at && hit.end <= first
                    })
                });
                // "school chhor kar aaya" leaves nothing out: no more is meant.
                let more = |hit: &Hit| matches!(hit.cue, Cue::All | Cue::Rest | Cue::Order(_));
                leading
                    || self.stands_by(mention, Cue::Except, Cue::Excepted) && hits.clone().any(more)
            })
    }

    /// Tells whether a task is named only as what the deed passes over for another: "delete the tea instead
    /// of the milk".
    pub(super) fn is_passed_over(&self, task: TaskId, deed: Deed) -> bool {
        let mut mentions = self.mentions.iter().filter(|mention| mention.task == task);
        let passed = mentions.clone().next().is_some()
            && mentions.all(|mention| self.stands_by(mention, Cue::Instead, Cue::Replaced));
        // "call the bank instead of mom" may be the new name of the task.
        let mut others = self.mentions.iter().filter(|other| other.task != task);
        passed && (deed != Deed::Update || others.any(|other| other.whole))
    }

    /// Tells whether a phrase of one cue stands right before a mention of a task, or one of the other
    /// right behind it, but for what links them.
    fn stands_by(&self, mention: &Mention, before: Cue, behind: Cue) -> bool {
        let tokens = mention.tokens.iter().copied();
        let (Some(first), Some(last)) = (tokens.clone().min(), tokens.max()) else {
            return false;
        };
        let hits = || self.clauses.iter().flat_map(|clause| &clause.hits);
        let links = |at: usize| {
            let joins = |hit: &Hit| {
                matches!(hit.cue, Cue::And | Cue::Determiner | Cue::Item) && hit.covers(at)
            };
            crate::resolver::is_soft(self.text.word(at))
                || is_function_word(self.text.word(at))
                || hits().any(joins)
                || self.mentions.iter().any(|other| other.tokens.contains(&at))
        };
        let postposed = |hit: &Hit| hits().any(|other| other.cue == behind && other.end == hit.end);
        hits().any(|hit| {
            hit.cue == before && hit.at < first && !postposed(hit) && (hit.end..first).all(links)
                || hit.cue == behind && last < hit.end && (last + 1..hit.at).all(links)
        })
    }

    /// Tells whether something is taken out of a task rather than the task: "remove Sarah from
    /// Picnic".
    pub fn takes_a_part(&self, task: TaskId) -> bool {
        let mut mentions = self.mentions.iter().filter(|mention| mention.task == task);
        mentions.any(|mention| {
            let first = mention.tokens.first().copied().unwrap_or_default();
            let Some(clause) = self.clause_at(first).and_then(|at| self.clauses.get(at)) else {
                return false;
            };
            let part = clause
                .hits
                .iter()
                .any(|hit| hit.cue == Cue::Part && !mention.tokens.contains(&hit.at));
            if part && !clause.has(Cue::Item) {
                return true;
            }
            clause.hits.iter().any(|from| {
                let order = clause
                    .hits
                    .iter()
                    .find(|hit| hit.cue == Cue::Order(Deed::Delete) && hit.at < from.at);
                let Some(order) = order.filter(|_| from.cue == Cue::From) else {
                    return false;
                };
                let taken = self.words.iter().any(|word| {
                    let between = word.token > order.at && word.token < from.at;
                    between && !order.covers(word.token) && !is_function_word(&word.said)
                });
                let behind = mention.tokens.iter().any(|token| *token >= from.end);
                let listed = self
                    .words
                    .iter()
                    .any(|word| word.token >= from.end && word.said == "list");
                taken
                    && behind
                    && !listed
                    && mention.tokens.iter().filter(|t| **t >= from.end).count() * 2
                        >= mention.tokens.len()
            })
        })
    }

    /// Tells whether a new title is the old one without words that are to be taken out of it.
    pub fn takes_out(&self, title: &str, old: &str) -> bool {
        let titled = |mention: &&Mention| {
            let task = self.tasks.get(mention.task);
            task.is_some_and(|task| task.title.as_str() == old)
        };
        let (new, mut left) = (content(title), content(old));
        let kept = |word: &Word, of: &[Word]| of.iter().any(|own| own.is_form_of(word));
        let shorter = new.iter().all(|word| kept(word, &left));
        left.retain(|word| !kept(word, &new));
        let mut of = self.mentions.iter().filter(titled);
        let mut clauses = self.clauses.iter();
        shorter
            && !left.is_empty()
            && clauses.any(|clause| clause.has(Cue::Order(Deed::Delete)))
            && left.iter().all(|word| kept(word, &self.words))
            && of.any(|mention| self.takes_a_part(mention.task))
    }
}

/// Tells whether a word of a clause speaks of something: it is no cue and no plain verb.
pub(super) fn is_told(clause: &Clause, word: &Word) -> bool {
    let cued = |hit: &Hit| hit.covers(word.token) && hit.tells();
    !word.is_light() && !is_function_word(&word.said) && !clause.hits.iter().any(cued)
}

/// Tells whether a word is the number of a day: "27th".
fn is_ordinal(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.ends_with(char::is_alphabetic)
        && day_number(word, "", Lang::En).is_some()
}
