//! Repetitions in the words.

use std::ops::Range;

use chrono::{NaiveDate, Weekday};

use super::Evidence;
use super::cues::Cue;
use super::target::Mention;
use crate::domain::text::Text;
use crate::domain::{Lang, Repeat, RepeatEnd, RepeatUnit, Task, TaskId};
use crate::guard::talk::is_function_word;
use crate::temporal::{self, FoundRepeat, Unkept, leads_to_end};

impl Evidence<'_> {
    /// The clauses of the user's own in which this rule is said, in any language, for what is named in
    /// these.
    pub fn repeat_at(&self, rule: &Repeat, of: &[usize]) -> Vec<usize> {
        let said = self.repeats();
        let said = said.iter().filter(|found| {
            found.rule.falls_as(rule, self.today)
                || self.ends_at_known_day(found, rule)
                || self.ends_after_times(found, rule)
        });
        let mut at: Vec<usize> = said
            .filter_map(|found| self.clause_at(found.tokens.start))
            .collect();
        at.extend(self.weekdays_at(rule));
        self.retain_own(&mut at, of);
        at.sort_unstable();
        at.dedup();
        if at.is_empty() && self.offers_repeat(rule) {
            return self.every_clause();
        }
        at
    }

    /// Tells whether the message takes up an offer of this rule, and says none itself: "Shall I add it
    /// every Tuesday?", "yep".
    fn offers_repeat(&self, rule: &Repeat) -> bool {
        let said = || self.repeats().is_empty();
        let offered = |text: Text<'_>| {
            let scan = temporal::scan(&text, self.today, self.lang);
            let mut rules = scan.repeats.iter().map(|found| &found.rule);
            rules.any(|said| said.falls_as(rule, self.today))
        };
        self.offer().is_some_and(offered) && said()
    }

    /// Tells whether a rule is the one that is said, with an end that the words behind it point at: "until
    /// the theory test" is the day of that task, "till then" the day that was last spoken of.
    fn ends_at_known_day(&self, said: &FoundRepeat, rule: &Repeat) -> bool {
        let Some(RepeatEnd::On(last)) = rule.end() else {
            return false;
        };
        let at = said.tokens.end;
        if !self.is_endless(said, rule) {
            return false;
        }
        // "har peer ko gym jana add karo 1 march tak"
        if self.last_days(said).contains(&last) {
            return true;
        }
        if at >= self.text.tokens.len() || !leads_to_end(self.text.word(at)) {
            return false;
        }
        let due = |task: TaskId| self.tasks.get(task).and_then(|task| task.due_date);
        let behind = |mention: &&Mention| mention.tokens.iter().any(|token| *token > at);
        let mut named = self.mentions.iter().filter(behind).peekable();
        if named.peek().is_some() {
            return named.any(|mention| due(mention.task) == Some(last));
        }
        let clause = self.clause_at(at).and_then(|at| self.clauses.get(at));
        let pronoun = clause.is_some_and(|clause| clause.tokens.end <= at + 2);
        let scan = &self.scan;
        let mut days = self.focus.iter().filter_map(|task| due(*task));
        let told = scan.dates.iter().any(|found| found.day == last);
        pronoun && (told || self.carried.day() == Some(last) || days.any(|day| day == last))
    }

    /// Tells whether a rule is the one that is said, but for its end.
    fn is_endless(&self, said: &FoundRepeat, rule: &Repeat) -> bool {
        let endless = rule.clone().endless();
        said.rule.end().is_none() && said.rule.falls_as(&endless, self.today)
    }

    /// The days that words behind a repetition set as its last.
    fn last_days(&self, said: &FoundRepeat) -> Vec<NaiveDate> {
        let behind = self.scan.dates.iter().filter(|found| {
            found.tokens.start >= said.tokens.end && self.is_last_day(&found.tokens)
        });
        behind.map(|found| found.span.1).collect()
    }

    /// Tells whether a word of an end stands at an edge of a day: "until march 1", "1 march tak".
    fn is_last_day(&self, day: &Range<usize>) -> bool {
        let edges = [Some(day.start), day.end.checked_sub(1)];
        let mut edges = edges.into_iter().flatten();
        edges.any(|at| leads_to_end(self.text.word(at))) && !self.is_foreign_at(day.start)
    }

    /// Tells whether a day is the last of a repetition that is said before it.
    pub(super) fn ends_a_repeat(&self, day: &Range<usize>) -> bool {
        let repeats = self.repeats();
        let mut before = repeats.iter().map(|found| found.tokens.end);
        before.any(|end| end <= day.start) && self.is_last_day(day)
    }

    /// Tells whether a rule is the one that is said, so many times as are counted behind it: "every day
    /// 3 times", which may be of each day as well.
    fn ends_after_times(&self, said: &FoundRepeat, rule: &Repeat) -> bool {
        let Some(RepeatEnd::After(times)) = rule.end() else {
            return false;
        };
        let behind = said.tokens.end..said.tokens.end + 2;
        let mut counted = Lang::ALL
            .into_iter()
            .flat_map(|lang| temporal::times_counted(self.text, lang));
        self.is_endless(said, rule)
            && counted.any(|(at, count)| behind.contains(&at.start) && count == times)
    }

    /// The clauses that list the weekdays of a weekly rule, and no others: "gym mon wed fri".
    pub fn weekdays_at(&self, rule: &Repeat) -> Vec<usize> {
        let weekly = rule.every() == RepeatUnit::Week && rule.interval() == 1;
        let own: Vec<Weekday> = rule.days().iter().map(|day| day.weekday).collect();
        // "move it from monday to friday" is no stretch of days.
        let stretches = self.mentions.is_empty();
        let listed = temporal::weekdays_listed(self.text, self.lang, stretches).into_iter();
        let same = listed.filter(|(tokens, days)| {
            let all = days.iter().all(|day| own.contains(day));
            let each = own.iter().all(|day| days.contains(day));
            weekly && all && each && !self.is_foreign_at(tokens.start)
        });
        same.filter_map(|(tokens, _)| self.clause_at(tokens.start))
            .collect()
    }

    /// The clauses that end a repetition: "stop repeating it".
    pub fn ending_at(&self) -> Vec<usize> {
        let clauses = self.clauses.iter().enumerate();
        let ends = clauses.filter(|(_, clause)| !clause.is_foreign() && clause.has(Cue::RepeatEnd));
        ends.map(|(at, _)| at).collect()
    }

    /// The rule that stands in the clauses of a title, where there is one alone.
    pub fn only_repeat(&self, title: &[usize]) -> Option<Repeat> {
        let at = self.clauses_of(title);
        let beside = self.repeats().into_iter().filter(|found| {
            let clause = self.clause_at(found.tokens.start);
            clause.is_some_and(|clause| at.contains(&clause))
        });
        let mut rules: Vec<Repeat> = Vec::new();
        for found in beside {
            let rule = match self.last_days(&found).as_slice() {
                [last] if found.rule.end().is_none() => {
                    found.rule.clone().ending(RepeatEnd::On(*last))
                }
                _ => found.rule,
            };
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules.pop().filter(|_| rules.is_empty())
    }

    /// Tells whether the clauses of a title say more beside it than a repetition that is read there: what
    /// another rule may have been read from.
    pub fn says_more_than_repeat(&self, title: &[usize]) -> bool {
        let at = self.clauses_of(title);
        let clauses = at.iter().filter_map(|at| self.clauses.get(*at));
        let repeats = self.repeats();
        let scan = &self.scan;
        let times = scan.unkept.iter().map(|(tokens, _)| tokens);
        let known: Vec<&Range<usize>> = repeats
            .iter()
            .map(|found| &found.tokens)
            .chain(times)
            .collect();
        clauses.into_iter().any(|clause| {
            let cued = |token: usize| clause.hits.iter().any(|hit| hit.covers(token));
            let told = |token: usize| known.iter().any(|range| range.contains(&token));
            let dated = |token: usize| scan.dates.iter().any(|day| day.core.contains(&token));
            let word = |token: usize| {
                let said = self.words.iter().find(|word| word.token == token);
                let number = self
                    .text
                    .word(token)
                    .starts_with(|c: char| c.is_ascii_digit());
                number || said.is_some_and(|word| !is_function_word(&word.said))
            };
            let mut beside = clause.tokens.clone().filter(|token| !title.contains(token));
            beside.any(|token| !told(token) && (dated(token) || !cued(token) && word(token)))
        })
    }

    /// The days that repetitions give, with the clauses that do: the first two of each that is `said`,
    /// and the one after the task's own where the words skip that.
    pub(super) fn days_of_repeats(
        &self,
        task: Option<&Task>,
        said: Vec<FoundRepeat>,
    ) -> Vec<(NaiveDate, Option<usize>)> {
        let mut days = Vec::new();
        for found in said {
            let at = self.clause_at(found.tokens.start);
            let first = found.rule.first(self.today);
            let second = first.and_then(|first| found.rule.next(first, first));
            let both = first.into_iter().chain(second.map(|(second, _)| second));
            days.extend(both.map(|day| (day, at)));
        }
        let due = task.and_then(|task| task.repeat.as_ref().zip(task.due_date));
        let next = due.and_then(|(rule, due)| rule.next(due, due));
        for (at, clause) in self.clauses.iter().enumerate() {
            if let Some((day, _)) = &next
                && !clause.is_foreign()
                && clause.has(Cue::Skip)
            {
                days.push((*day, Some(at)));
            }
        }
        days
    }

    /// The repetitions that the user's own words say: by their own language, or else by another. "Every
    /// second monday", which English leaves open, is every other one elsewhere.
    fn repeats(&self) -> Vec<FoundRepeat> {
        let mut langs = std::iter::once(self.lang).chain(Lang::ALL);
        let said = langs.find_map(|lang| {
            let found = self.own_repeats(temporal::scan(self.text, self.today, lang).repeats);
            (!found.is_empty()).then_some(found)
        });
        said.unwrap_or_default()
    }

    /// Tells whether the words say an end of a repetition that is no day: "until graduation".
    pub fn repeats_until_something(&self) -> bool {
        let scan = &self.scan;
        let mut unkept = scan.unkept.iter();
        unkept.any(|(tokens, kind)| *kind == Unkept::RepeatEnd && !self.is_foreign_at(tokens.start))
    }

    /// Words of a repetition that no rule says: "twice a week".
    pub fn impossible_repeat(&self) -> Option<&str> {
        let mut said = self.scan.unkept.iter();
        let (tokens, _) = said.find(|(tokens, kind)| {
            *kind == Unkept::Recurrence && !self.is_foreign_at(tokens.start)
        })?;
        (self.repeats().is_empty()).then(|| self.text.slice(tokens.clone()))
    }

    /// Leaves out repetitions in the words of somebody else.
    pub(super) fn own_repeats(&self, mut found: Vec<FoundRepeat>) -> Vec<FoundRepeat> {
        found.retain(|found| !self.is_foreign_at(found.tokens.start));
        found
    }
}
