//! Lines of what is to be added, and tasks whose words only stand in them.

use super::Evidence;
use super::aim::is_told;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit};
use super::words::{Word, content, is_infinitive};
use crate::domain::{Lang, Task};
use crate::guard::talk::is_function_word;
use crate::resolver::may_be_added;

impl Evidence<'_> {
    /// The tokens of a title whose verb stands behind what needs it: "the kits need washing" for *Wash
    /// kits*, "the rent has to be paid" for *Pay rent*.
    pub(super) fn of_a_need(&self, title: &str) -> Option<Vec<usize>> {
        let title = content(title);
        let (verb, things) = title.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        let mut needs = hits.filter(|hit| hit.cue == Cue::Told(Deed::Add));
        needs.find_map(|need| {
            let mut behind = self.words.iter().filter(|word| word.token >= need.end);
            let needed = behind.find(|word| !is_function_word(&word.said))?;
            let before = self.words.iter().filter(|word| word.token < need.at);
            let before: Vec<&Word> = before.collect();
            // "Leon needs new shoes": *New shoes for Leon*.
            let (who, wanted) = title.split_last()?;
            let for_one = before.iter().any(|word| word.names(who));
            let mut at = need.end;
            let run = wanted.iter().map(|own| {
                let mut words = self.words.iter().filter(|word| word.token >= at);
                let found = words.find(|word| word.names(own))?.token;
                at = found + 1;
                Some(found)
            });
            if let Some(run) = run.collect::<Option<Vec<usize>>>().filter(|_| for_one) {
                return Some(run);
            }
            let before = before.get(before.len().checked_sub(things.len())?..)?;
            let same = before.iter().zip(things).all(|(word, own)| word.names(own));
            let tokens = before.iter().chain([&needed]).map(|word| word.token);
            (same && needed.is_form_of(verb)).then(|| tokens.collect())
        })
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
