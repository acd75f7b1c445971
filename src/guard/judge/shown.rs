//! Additions that the question before showed: what is proposed anew of one needs no more evidence
//! for what stood there, and keeps what the answer does not name.

use super::{Judge, Verdict, question};
use crate::domain::text::{Text, fold};
use crate::domain::{DueTime, Repeat, Tool};
use crate::guard::answer::keep_shown;
use crate::guard::evidence::Evidence;
use crate::resolver::Words;
use crate::tools::{AddPlan, NewValues, Plan, Proposal};
use crate::turn::ServerQuestion;

impl Judge<'_> {
    /// The addition that the question showed under this title, or its only one, where the title is of
    /// its words.
    pub(super) fn shown_addition(&self, title: &str) -> Option<AddPlan> {
        addition(self.standing.asked?, title)
    }

    /// An addition of what the yes before these words has added is a change of it.
    pub(super) fn change_of_added(&self, proposal: &Proposal) -> Option<(String, NewValues)> {
        let Proposal::Add { title, .. } = proposal else {
            return None;
        };
        let shown = addition(self.standing.ran?, title.as_str())?;
        let mut proposal = proposal.clone();
        leave_out(&mut proposal, &shown);
        let Proposal::Add {
            description,
            priority,
            due,
            time,
            repeat,
            remind,
            ..
        } = proposal
        else {
            return None;
        };
        let values = NewValues {
            description: description.map(Some),
            priority,
            due: due.map(Some),
            time: time.map(Some),
            repeat: repeat.map(Some),
            remind: remind.map(Some),
            ..NewValues::default()
        };
        Some((shown.title.as_str().to_owned(), values))
    }

    /// Judges an addition; what the question showed of it stays where the words name nothing else.
    pub(super) fn judge_shown(&mut self, mut proposal: Proposal) -> Verdict {
        if let Some((reference, values)) = self.change_of_added(&proposal) {
            return self.judge_change(Tool::UpdateTask, &reference, values);
        }
        let shown = match &proposal {
            Proposal::Add { title, .. } => self.shown_addition(title.as_str()),
            _ => None,
        };
        let Some(shown) = shown else {
            return self.judge_addition(proposal);
        };
        leave_out(&mut proposal, &shown);
        let dated = matches!(&proposal, Proposal::Add { due: Some(_), .. });
        match self.judge_addition(proposal) {
            Verdict::Allow(Plan::Add(plan)) => {
                Verdict::Allow(Plan::Add(self.kept(plan, &shown, dated)))
            }
            Verdict::Confirm(asked) => match asked.items.as_slice() {
                [item] => match item.plans.as_slice() {
                    [Plan::Add(plan)] => {
                        let plan = self.kept(plan.clone(), &shown, dated);
                        let twin = self.pending_twin(plan.title.as_str());
                        Verdict::Confirm(match twin {
                            Some(twin) => question::ask_double(plan, twin, self.speech),
                            None => question::ask_add(vec![plan], self.speech),
                        })
                    }
                    _ => Verdict::Confirm(asked),
                },
                _ => Verdict::Confirm(asked),
            },
            verdict => verdict,
        }
    }

    fn kept(&self, mut plan: AddPlan, shown: &AddPlan, dated: bool) -> AddPlan {
        let text = Text::new(&self.licence.words);
        let (_, days) = self.evidence(&text).named();
        let day_said = dated || !days.is_empty() || plan.repeat.is_some();
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

fn addition(asked: &ServerQuestion, title: &str) -> Option<AddPlan> {
    let plans = asked.items.iter().flat_map(|item| &item.plans);
    let additions: Vec<&AddPlan> = plans
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
fn leave_out(proposal: &mut Proposal, shown: &AddPlan) {
    let Proposal::Add {
        description,
        priority,
        due,
        time,
        repeat,
        remind,
        ..
    } = proposal
    else {
        return;
    };
    *description = description
        .take()
        .filter(|note| Some(note) != shown.description.as_ref());
    *priority = priority.filter(|level| *level != shown.priority);
    *due = due.filter(|day| Some(*day) != shown.due_date);
    *time = time.filter(|time| Some(*time) != shown.due_time.map(DueTime::time));
    *repeat = repeat
        .take()
        .filter(|rule| Some(rule) != shown.repeat.as_ref());
    let at = shown.remind.map(|remind| remind.at);
    *remind = remind.filter(|remind| Some(remind.at) != at);
}
