//! Lines of what is to be added, and tasks whose words only stand in them.

use std::ops::Range;

use super::Evidence;
use super::aim::is_told;
use super::clauses::{Clause, ends_in_verb};
use super::cues::{Cue, Deed, Hit, end_of};
use super::target::Mention;
use super::values::Found;
use super::words::{Word, content, is_infinitive};
use crate::domain::text::Text;
use crate::domain::{Lang, Task};
use crate::guard::talk::is_function_word;
use crate::resolver::{may_be_added, mends};

impl Evidence<'_> {
    /// The tokens of a title whose verb stands behind what needs it: "the kits need washing" for *Wash
    /// kits*, "the rent has to be paid" for *Pay rent*.
    pub(super) fn of_a_need(&self, title: &str) -> Option<Vec<usize>> {
        let title = content(title);
        let (verb, things) = title.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        let mut needs = hits.filter(|hit| hit.cue == Cue::Told(Deed::Add));
        needs.find_map(|need| {
            let before = self.words.iter().filter(|word| word.token < need.at);
            let before: Vec<&Word> = before.collect();
            // "Leon needs new shoes", "dad's pills are all out": *New shoes for Leon*, *Pills for dad*.
            let (who, wanted) = title.split_last()?;
            let one = before.iter().find(|word| word.names(who));
            let mut at = one.map_or(usize::MAX, |one| one.token + 1);
            let run = wanted.iter().map(|own| {
                let mut words = self.words.iter().filter(|word| word.token >= at);
                let found = words.find(|word| word.names(own))?.token;
                at = found + 1;
                Some(found)
            });
            let run = run.collect::<Option<Vec<usize>>>();
            if let Some(run) = run.filter(|run| self.clauses_of(run).len() == 1) {
                return Some(run);
            }
            let mut behind = self.words.iter().filter(|word| word.token >= need.end);
            let needed = behind.find(|word| !is_function_word(&word.said))?;
            // "the deposit has to be fetched from Jo": things may stand behind the verb as well.
            let around = |count: usize| {
                let (things, rest) = things.split_at(count);
                let before = before.get(before.len().checked_sub(count)?..)?;
                let same = before.iter().zip(things).all(|(word, own)| word.names(own));
                let mut run: Vec<usize> = before.iter().map(|word| word.token).collect();
                run.push(needed.token);
                for own in rest {
                    let last = run.last().copied()?;
                    let mut words = self.words.iter();
                    run.push(
                        words
                            .find(|word| word.token > last && word.names(own))?
                            .token,
                    );
                }
                (same && needed.is_form_of(verb)).then_some(run)
            };
            (1..=things.len()).rev().find_map(around)
        })
    }

    /// Finds a title without the words that mend what is told to lack or to be at fault: "the tap
    /// drips" for *Fix tap*.
    pub(super) fn of_a_lack(&self, title: &str) -> Option<Found> {
        let text = Text::new(title);
        let kept = (0..text.tokens.len()).filter(|at| !mends(text.word(*at)));
        let kept: Vec<&str> = kept.map(|at| text.slice(at..at + 1)).collect();
        if kept.len() == text.tokens.len() {
            return None;
        }
        let found = self.title(&kept.join(" "), None);
        let lack = |hit: &Hit| {
            hit.cue == Cue::Told(Deed::Add) && end_of(Cue::Lack, self.text, hit.at) == Some(hit.end)
        };
        let lacks = |run: &[usize]| {
            let at = self.clauses_of(run);
            let mut clauses = at.iter().filter_map(|at| self.clauses.get(*at));
            clauses.any(|clause| clause.hits.iter().any(lack))
        };
        matches!(&found, Found::InOrder(run) if lacks(run)).then_some(found)
    }

    /// Tells whether a title is one of the parts that a task is to be split into or replaced with:
    /// "split the move into boxes, van and keys".
    pub(super) fn is_a_part(&self, title: &[usize]) -> bool {
        let (Some(first), Some(last)) = (title.first(), title.last()) else {
            return false;
        };
        let Some(own) = self.clause_at(*first).and_then(|at| self.clauses.get(at)) else {
            return false;
        };
        // "… and delete the bread" is no part.
        let orders = |hit: &Hit| {
            let splits = own
                .hits
                .iter()
                .any(|split| split.cue == Cue::Split && hit.at <= split.at);
            matches!(hit.cue, Cue::Order(_)) && !splits && !title.contains(&hit.at)
        };
        let whole = |mention: &Mention| title.iter().all(|at| mention.tokens.contains(at));
        self.stands_split(own, *first..last + 1, false)
            && !own.hits.iter().any(orders)
            && !self.mentions.iter().any(whole)
    }

    /// Tells whether a command is a word of a part that a task is split into: "split it into clear the
    /// shelf and sweep".
    pub(super) fn is_of_a_part(&self, order: &Hit, clause: &Clause) -> bool {
        self.stands_split(clause, order.at..order.end, true)
    }

    /// Tells whether words of a clause stand where a sentence tells the parts of a task; `same`: in the
    /// clause that splits it, or before a verb that does.
    fn stands_split(&self, clause: &Clause, words: Range<usize>, same: bool) -> bool {
        let mut splits = self.clauses.iter().filter(|split| split.splits());
        splits.any(|split| {
            let behind = !same || split.tokens == clause.tokens;
            let told = |hit: &Hit| {
                let closes = words.end <= hit.at && ends_in_verb(self.text, hit);
                hit.cue == Cue::Split && (hit.at < words.start && behind || closes)
            };
            split.sentence == clause.sentence && split.hits.iter().any(told)
        })
    }

    /// Tells whether one of these clauses has a task split, or replaced with others.
    pub fn splits_a_task(&self, at: &[usize]) -> bool {
        let mut clauses = at.iter().filter_map(|at| self.clauses.get(*at));
        clauses.any(Clause::splits)
    }

    /// Tells whether a clause is a line of a list: what it says is the title, and it begins with a
    /// verb.
    pub(super) fn is_line_of(&self, clause: &Clause, title: &[usize]) -> bool {
        let (Some(first), false) = (title.first(), clause.is_question()) else {
            return false;
        };
        let opens = |word: &&Word| word.token == clause.opens_at() || word.token == *first;
        let verb = self.words.iter().find(opens);
        let orders = clause
            .hits
            .iter()
            .any(|hit| matches!(hit.cue, Cue::Order(_)) && hit.at == *first);
        let against = [
            Cue::Wish,
            Cue::Hearsay,
            Cue::Condition,
            Cue::Negation,
            Cue::Future,
        ];
        let spoken = |at: &usize| {
            self.words
                .iter()
                .any(|word| word.token == *at && !title.contains(at))
        };
        // "call Lou", "pick up flowers": such a verb may be left out of a title.
        let opening = clause.opens_at();
        let added = may_be_added(self.text.word(opening));
        let dated = self.dated(clause);
        let mut before = self
            .words
            .iter()
            .filter(|word| (opening..*first).contains(&word.token));
        opening <= *first
            && before.all(|word| may_be_added(&word.said) || dated.contains(&word.token))
            && (orders && !self.orders_of_a_task(clause)
                || verb.is_some_and(Word::is_light)
                || added && opening < *first
                || self.is_item(clause)
                || self.is_dated_line(clause, title))
            && !against.iter().any(|cue| clause.has(*cue))
            && (opening..clause.tokens.end)
                .filter(|at| spoken(at) && !dated.contains(at))
                .count()
                <= 2
    }

    /// The tokens of a clause that tell a day, a time or a repetition.
    pub(super) fn dated(&self, clause: &Clause) -> Vec<usize> {
        let scan = &self.scan;
        let days = scan.dates.iter().map(|found| found.tokens.clone());
        let times = scan.times.iter().map(|(tokens, _)| tokens.clone());
        let repeats = scan.repeats.iter().map(|found| found.tokens.clone());
        let tokens = days.chain(times).chain(repeats).flatten();
        tokens.filter(|at| clause.tokens.contains(at)).collect()
    }

    /// Tells whether a clause orders something of a task that it names.
    fn orders_of_a_task(&self, clause: &Clause) -> bool {
        let mut mentions = self.mentions.iter();
        clause.orders() && mentions.any(|m| m.tokens.iter().all(|at| clause.tokens.contains(at)))
    }

    /// Tells whether a clause says nothing beside a title but its day or its priority: "renew the
    /// permit by friday", "prenotare il campo, urgente".
    fn is_dated_line(&self, clause: &Clause, title: &[usize]) -> bool {
        let told = self.dated(clause);
        let beside = |token: usize| clause.tokens.contains(&token) && !title.contains(&token);
        let dated = |token: usize| told.contains(&token);
        let level = |token: usize| {
            let levels = [Cue::High, Cue::Medium, Cue::Low];
            let mut hits = clause.hits.iter();
            hits.any(|hit| levels.contains(&hit.cue) && hit.at <= token && token < hit.end)
        };
        let polite = |token: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.cue == Cue::Request && hit.at <= token && token < hit.end)
        };
        let mut words = self.words.iter().filter(|word| beside(word.token));
        let only = words.all(|word| {
            let token = word.token;
            dated(token) || level(token) || polite(token) || is_function_word(&word.said)
        });
        let valued = clause
            .tokens
            .clone()
            .any(|token| beside(token) && (dated(token) || level(token)));
        let first = title.first().map(|first| self.text.word(*first));
        !tells_of_one(clause, title)
            && only
            && title.len() > 1
            && (valued || self.lang != Lang::En && first.is_some_and(is_infinitive))
    }

    /// Tells whether a clause is one of three or more that are listed: behind a colon, or in a
    /// sentence that opens with none who does something.
    fn is_item(&self, clause: &Clause) -> bool {
        let of = self.clauses.iter();
        let of: Vec<&Clause> = of
            .filter(|other| other.sentence == clause.sentence)
            .collect();
        let listed = match of.iter().position(|clause| clause.is_behind_colon()) {
            Some(colon) => of.get(colon..).unwrap_or_default(),
            None if of.first().is_some_and(|first| !tells_of_one(first, &[])) => &of,
            None => return false,
        };
        listed.len() >= 3
            && listed.iter().all(|item| !item.is_question())
            && listed.iter().any(|item| item.tokens == clause.tokens)
            && !clause.has(Cue::Told(Deed::Complete))
    }

    /// Tells whether a task shares no more than words of what is to be added: "add rent Zoe, high
    /// priority" for *Polish Zoe*. "add a note to it", "add friday to it" add to a task.
    pub(super) fn is_in_a_new(&self, task: &Task) -> bool {
        let scan = &self.scan;
        let mut mentions = self
            .mentions
            .iter()
            .filter(|m| m.task == task.id)
            .peekable();
        mentions.peek().is_some()
            && mentions.all(|mention| {
                let first = mention.tokens.first().copied().unwrap_or_default();
                let clause = self.clause_at(first).and_then(|at| self.clauses.get(at));
                let hits = clause
                    .map(|clause| clause.hits.as_slice())
                    .unwrap_or_default();
                let added = hits
                    .iter()
                    .find(|hit| hit.cue == Cue::Order(Deed::Add) && hit.at < first);
                let valued = |order: &Hit| {
                    let between = order.at..first;
                    let mut days = scan.dates.iter();
                    let part = |hit: &Hit| hit.cue == Cue::Part && between.contains(&hit.at);
                    hits.iter().any(part) || days.any(|found| between.contains(&found.core.start))
                };
                !mention.whole
                    && added.is_some_and(|order| !order.open && !valued(order))
                    && !clause.is_some_and(|clause| self.only_reminds_of(clause, mention))
            })
    }

    /// Tells whether all that is to be added stands in a task's title.
    pub(super) fn is_whole_of_a_new(&self, task: &Task) -> bool {
        let mentions: Vec<_> = self.mentions.iter().filter(|m| m.task == task.id).collect();
        let scan = &self.scan;
        let mut words = self.words.iter().filter(|word| {
            let clause = self
                .clause_at(word.token)
                .and_then(|at| self.clauses.get(at));
            clause.is_some_and(|clause| is_told(clause, word) && clause.has(Cue::Order(Deed::Add)))
        });
        words.all(|word| {
            let dated = scan
                .dates
                .iter()
                .any(|found| found.core.contains(&word.token));
            dated || mentions.iter().any(|m| m.tokens.contains(&word.token))
        })
    }
}

/// Tells whether a clause tells what somebody did, or what something is; whoever a title names does
/// nothing.
fn tells_of_one(clause: &Clause, title: &[usize]) -> bool {
    let kinds = [Cue::Me, Cue::Copula, Cue::Told(Deed::Complete)];
    let person = |hit: &Hit| hit.cue == Cue::Person && !title.contains(&hit.at);
    kinds.iter().any(|cue| clause.has(*cue)) || clause.hits.iter().any(person)
}
