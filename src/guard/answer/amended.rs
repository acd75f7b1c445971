//! Values of an answer that take the place of those that the question showed.

use chrono::{NaiveDate, TimeDelta};

use crate::domain::{DueTime, RemindAt, Title};
use crate::guard::licence::Situation;
use crate::intent::{Act, Change, Due, Fragment, NewTask, Target, Values, Verb};
use crate::resolver::Reference;
use crate::temporal::DueRule;
use crate::tools::{self, Plan};
use crate::turn::ServerQuestion;

/// "add it", "add another": of an offer to add, the offer. "remind me at 9" says more.
pub(super) fn adds_it(asked: &ServerQuestion, act: &Act) -> bool {
    let Act::Add(addition) = act else {
        return false;
    };
    let bare = NewTask {
        bytes: addition.whole.bytes.clone(),
        ..NewTask::default()
    };
    addition.whole == bare && !addition.described && offers_to_add(asked)
}

pub(super) fn offers_to_add(asked: &ServerQuestion) -> bool {
    let mut plans = asked.items.iter().flat_map(|item| &item.plans);
    plans.all(|plan| matches!(plan, Plan::Add(_)))
}

/// The values that the acts give what was asked about: "friday", "at 5pm", and of an offer to add
/// "make it urgent", "call it rent", "add it for friday".
pub(super) fn amended(asked: &ServerQuestion, acts: &[&Act]) -> Values {
    let mut all = Values::default();
    for values in acts.iter().filter_map(|act| values_of(asked, act)) {
        all.due = values.due.or(all.due);
        all.time = values.time.or(all.time);
        all.priority = values.priority.or(all.priority);
        all.title = values.title.or(all.title);
    }
    all
}

pub(super) fn values_of(asked: &ServerQuestion, act: &Act) -> Option<Values> {
    let (due, time, priority) = match act {
        Act::Fragment(Fragment::Amend {
            due,
            time_of_day,
            priority,
            words: None,
            ..
        }) => (due, time_of_day, priority),
        Act::Change(Change {
            verb: Verb::Update,
            targets,
            values,
            ..
        }) if offers_to_add(asked) && targets.whole == Target::It => {
            let said = Values {
                due: values.due.clone(),
                time: values.time,
                priority: values.priority,
                title: values.title.clone().filter(|_| asked.items.len() == 1),
                ..Values::default()
            };
            return (said == *values).then_some(said);
        }
        Act::Add(addition) if offers_to_add(asked) => {
            let task = &addition.whole;
            let more = task.after.is_some() || task.repeat.is_some() || task.description.is_some();
            let it = Reference::parse(&task.title) == Reference::It;
            if more || !it {
                return None;
            }
            (&task.due, &task.time, &task.priority)
        }
        _ => return None,
    };
    Some(Values {
        due: due.clone(),
        time: *time,
        priority: *priority,
        ..Values::default()
    })
}

/// Tells whether values can belong to what was asked about. Another day of what repeats is a change
/// of its rule, which a model has to understand.
pub(super) fn amendable(asked: &ServerQuestion, values: &Values) -> bool {
    let mut plans = asked.items.iter().flat_map(|item| &item.plans);
    let title = values.title.as_deref().map(Title::parse);
    title.is_none_or(|title| title.is_ok())
        && plans.all(|plan| match plan {
            Plan::Add(plan) => plan.repeat.is_none() || values.due.is_none(),
            Plan::Change(plan) => plan.verb == Verb::Update,
            Plan::List(_) | Plan::Undo(_) => false,
        })
}

/// Puts the values of an answer into a plan that the question showed; what they do not name stays.
pub fn amend(plan: &mut Plan, values: &Values, situation: &Situation<'_>, rule: DueRule) {
    let day = values
        .due
        .as_ref()
        .and_then(|due| day_of(due, situation.today));
    let time = values.time.map(|time| DueTime::new(time, situation.zone));
    match plan {
        Plan::Add(plan) => {
            let shown = plan.clone();
            plan.due_date = day.unwrap_or(shown.due_date);
            plan.due_time = time.or(shown.due_time).filter(|_| day != Some(None));
            plan.priority = values.priority.unwrap_or(shown.priority);
            let title = values.title.as_deref().map(Title::parse);
            plan.title = title
                .and_then(Result::ok)
                .unwrap_or_else(|| shown.title.clone());
            settle_time(plan, &shown, situation, rule);
        }
        Plan::Change(plan) if plan.verb == Verb::Update => {
            let shown = &mut plan.values;
            shown.due_date = day.or(shown.due_date);
            shown.due_time = time.map(Some).or(shown.due_time);
            if day == Some(None) {
                shown.due_time = None;
            }
            shown.priority = values.priority.or(shown.priority);
            let present = situation.task(plan.task).and_then(|task| task.due_date);
            if let Some(time) = time
                && shown.due_date.unwrap_or(present).is_none()
            {
                shown.due_date = situation.next_day_of(time, rule).map(Some);
            }
        }
        Plan::Change(_) | Plan::List(_) | Plan::Undo(_) => {}
    }
}

/// The new day that words mean; none where they leave it to the task.
fn day_of(due: &Due, today: NaiveDate) -> Option<Option<NaiveDate>> {
    match due {
        Due::On { day, .. } => Some(Some(*day)),
        Due::SameWeekday { week, .. } => Some(Some(*week)),
        Due::By { days, .. } => Some(today.checked_add_signed(TimeDelta::days(*days))),
        Due::Skip { .. } => None,
        Due::Clear => Some(None),
    }
}

/// Keeps, in a new proposal of an addition that the question showed (`shown`), the times and the note
/// that the answer does not name; `day_said` tells that it names a day.
pub(in crate::guard) fn keep_shown(
    plan: &mut tools::NewTask,
    shown: &tools::NewTask,
    day_said: bool,
    situation: &Situation<'_>,
    rule: DueRule,
) {
    // A time alone gives the next day that it comes on, and the question had a day.
    if !day_said {
        plan.due_date = shown.due_date.or(plan.due_date);
    }
    plan.due_time = plan.due_time.or(shown.due_time);
    plan.repeat = plan.repeat.take().or_else(|| shown.repeat.clone());
    plan.description = plan
        .description
        .take()
        .or_else(|| shown.description.clone());
    plan.remind = plan.remind.or(shown.remind);
    settle_time(plan, shown, situation, rule);
}

/// Gives a new time of day its day, and lets a reminder that stood at the time stand at the new one.
fn settle_time(
    plan: &mut tools::NewTask,
    shown: &tools::NewTask,
    situation: &Situation<'_>,
    rule: DueRule,
) {
    if let Some(time) = plan.due_time {
        let by_rule = plan.repeat.as_ref().filter(|rule| {
            plan.due_date.is_none() || plan.due_date == situation.first_day_of(rule, None)
        });
        plan.due_date = match by_rule {
            Some(repeat) => situation.first_day_of(repeat, Some(time)),
            None => (plan.due_date).or_else(|| situation.next_day_of(time, rule)),
        };
        plan.due_time = plan.due_date.map(|_| time);
    }
    let instant = |plan: &tools::NewTask| Some(plan.due_time?.on(plan.due_date?)?.at);
    if let (Some(remind), Some(at)) = (shown.remind, instant(plan))
        && plan.remind == shown.remind
        && Some(remind.at) == instant(shown)
    {
        plan.remind = Some(RemindAt { at, ..remind });
    }
}
