//! Additions that the question before showed: what is proposed anew of one needs no more evidence
//! for what stood there, and keeps what the answer does not name.

use chrono::NaiveDate;

use super::{Judge, Verdict, question};
use crate::domain::text::{Text, fold};
use crate::domain::{DueTime, Priority, RemindAt, Repeat, Tool};
use crate::guard::answer::keep_shown;
use crate::guard::evidence::Evidence;
use crate::resolver::Words;
use crate::tools::{AddProposal, NewTask, NewValues, Plan};
use crate::turn::ServerQuestion;

impl Judge<'_> {
    /// The addition that the question showed under this title, or its only one, where the title is of
    /// its words.
    pub(super) fn shown_addition(&self, title: &str) -> Option<NewTask> {
        addition(self.standing.asked?, title)
    }

    /// The change that an addition of what the yes before these words has added stands for.
    fn change_of_added(&self, add: &AddProposal) -> Option<(String, NewValues)> {
        let shown = addition(self.standing.ran?, add.title.as_str())?;
        self.pending_twin(shown.title.as_str())?;
        let mut add = add.clone();
        leave_out(&mut add, &shown);
        let values = NewValues {
            description: add.description.map(Some),
            priority: add.priority,
            due: add.due.map(Some),
            time: add.time.map(Some),
            repeat: add.repeat.map(Some),
            remind: add.remind.map(Some),
            ..NewValues::default()
        };
        Some((shown.title.as_str().to_owned(), values))
    }

    /// Judges an addition; what the question showed of it stays where the words name nothing else.
    pub(super) fn judge_shown(&mut self, mut add: AddProposal) -> Verdict {
        if let Some((reference, values)) = self.change_of_added(&add) {
            return self.judge_change(Tool::UpdateTask, &reference, values);
        }
        let Some(shown) = self.shown_addition(add.title.as_str()) else {
            return self.judge_addition(&add);
        };
        leave_out(&mut add, &shown);
        let (day, level) = (add.due, add.priority);
        match self.judge_addition(&add) {
            Verdict::Allow(Plan::Add(plan)) => {
                Verdict::Allow(Plan::Add(self.kept(plan, &shown, day, level)))
            }
            Verdict::Confirm(asked) => {
                let mut plans = asked.items.iter().flat_map(|item| &item.plans);
                let (Some(Plan::Add(plan)), None) = (plans.next(), plans.next()) else {
                    return Verdict::Confirm(asked);
                };
                let plan = self.kept(plan.clone(), &shown, day, level);
                let twin = self.pending_twin(plan.title.as_str());
                Verdict::Confirm(match twin {
                    Some(twin) => question::ask_double(plan, twin, self.speech),
                    None => question::ask_add(vec![plan], self.speech),
                })
            }
            verdict => verdict,
        }
    }

    /// Keeps what was shown beside the `day` and the `level` that were proposed and stood.
    fn kept(
        &self,
        mut plan: NewTask,
        shown: &NewTask,
        day: Option<NaiveDate>,
        level: Option<Priority>,
    ) -> NewTask {
        let text = Text::new(&self.licence.words);
        let (_, days) = self.evidence(&text).named();
        let stood = day.is_some() && plan.due_date == day;
        // A model may say "medium" where the words do, and an addition without a word has it.
        if plan.priority == Priority::default() && level != Some(plan.priority) {
            plan.priority = shown.priority;
        }
        let day_said = stood || !days.is_empty() || plan.repeat.is_some();
        keep_shown(&mut plan, shown, day_said, &self.situation, self.due_rule);
        plan
    }

    /// Tells whether a rule is the one that was shown, moved to a day that the words name: "make it
    /// the 2nd" of what repeats on the 1st.
    pub(super) fn moves_shown(&self, title: &str, rule: &Repeat, evidence: &Evidence<'_>) -> bool {
        let shown = self.shown_addition(title).and_then(|shown| shown.repeat);
        let day = rule.first(self.situation.today);
        shown.zip(day).is_some_and(|(shown, day)| {
            let alike = shown.every() == rule.every() && shown.interval() == rule.interval();
            let all = evidence.every_clause();
            alike && evidence.days(None, &all, None).supporting(day).is_some()
        })
    }
}

fn addition(asked: &ServerQuestion, title: &str) -> Option<NewTask> {
    let plans = asked.items.iter().flat_map(|item| &item.plans);
    let additions: Vec<&NewTask> = plans
        .filter_map(|plan| match plan {
            Plan::Add(plan) => Some(plan),
            _ => None,
        })
        .collect();
    let key = fold(title);
    let mut same = additions
        .iter()
        .filter(|plan| fold(plan.title.as_str()) == key);
    let of_its_words = || match additions.as_slice() {
        [only] if Words::of(only.title.as_str()).contains_all(title) => Some(only),
        _ => None,
    };
    same.next()
        .or_else(of_its_words)
        .map(|plan| (*plan).clone())
}

/// Leaves out of a proposal what the question showed.
fn leave_out(add: &mut AddProposal, shown: &NewTask) {
    fn unless<T: PartialEq>(proposed: &mut Option<T>, shown: Option<&T>) {
        if proposed.as_ref() == shown {
            *proposed = None;
        }
    }
    unless(&mut add.description, shown.description.as_ref());
    unless(&mut add.priority, Some(&shown.priority));
    unless(&mut add.due, shown.due_date.as_ref());
    unless(&mut add.time, shown.due_time.map(DueTime::time).as_ref());
    unless(&mut add.repeat, shown.repeat.as_ref());
    let at = |remind: &RemindAt| remind.at;
    if add.remind.as_ref().map(at) == shown.remind.as_ref().map(at) {
        add.remind = None;
    }
}
