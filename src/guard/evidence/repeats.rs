//! Repetitions in the words.

use chrono::{NaiveDate, Weekday};

use super::Evidence;
use super::cues::Cue;
use super::target::Mention;
use crate::domain::text::Text;
use crate::domain::{Lang, Repeat, RepeatEnd, RepeatUnit, Task, TaskId};
use crate::temporal::{self, FoundRepeat, Unkept, leads_to_end};

impl Evidence<'_> {
    /// The clauses of the user's own in which this rule is said, in any language, for what is named in
    /// these.
    pub fn repeat_at(&self, rule: &Repeat, of: &[usize]) -> Vec<usize> {
        let said = self.repeats();
        let said = said.iter().filter(|found| {
            found.rule.falls_as(rule, self.today) || self.ends_at_known_day(found, rule)
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
        let endless = rule.clone().endless();
        let bare = said.rule.end().is_none() && said.rule.falls_as(&endless, self.today);
        if !bare || at >= self.text.tokens.len() || !leads_to_end(self.text.word(at)) {
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
        let scan = temporal::scan(self.text, self.today, self.lang);
        let mut days = self.focus.iter().filter_map(|task| due(*task));
        let told = scan.dates.iter().any(|found| found.day == last);
        pronoun && (told || self.carried.day() == Some(last) || days.any(|day| day == last))
    }

    /// The clauses that list the weekdays of a weekly rule, and no others: "gym mon wed fri".
    pub fn weekdays_at(&self, rule: &Repeat) -> Vec<usize> {
        let weekly = rule.every() == RepeatUnit::Week && rule.interval() == 1;
        let own: Vec<Weekday> = rule.days().iter().map(|day| day.weekday).collect();
        let listed = temporal::weekdays_listed(self.text, self.lang).into_iter();
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
            if !rules.contains(&found.rule) {
                rules.push(found.rule);
            }
        }
        rules.pop().filter(|_| rules.is_empty())
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

    /// Words of a repetition that no rule says: "twice a week".
    pub fn impossible_repeat(&self) -> Option<&str> {
        let scan = temporal::scan(self.text, self.today, self.lang);
        let mut said = scan.unkept.into_iter();
        let (tokens, _) = said.find(|(tokens, kind)| {
            *kind == Unkept::Recurrence && !self.is_foreign_at(tokens.start)
        })?;
        (self.repeats().is_empty()).then(|| self.text.slice(tokens))
    }

    /// Leaves out repetitions in the words of somebody else.
    pub(super) fn own_repeats(&self, mut found: Vec<FoundRepeat>) -> Vec<FoundRepeat> {
        found.retain(|found| !self.is_foreign_at(found.tokens.start));
        found
    }
}
