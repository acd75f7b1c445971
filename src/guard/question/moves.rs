//! Questions about another day, or another time of it.

use chrono::NaiveDate;

use super::QuestionContext;
use crate::domain::{Lang, Repeat};
use crate::guard::licence::Situation;
use crate::guard::phrases::when;
use crate::intent::{Due, Values};
use crate::locales::{day, localized, repeat_phrase};
use crate::tools::ChangePlan;

/// `Move "X" from Thu 2026-02-12 to Fri 2026-02-13 17:00?`, where a plan changes when a task is due and
/// leaves it a day.
pub(super) fn new_due(
    plan: &ChangePlan,
    name: &str,
    situation: Situation<'_>,
    speech: Lang,
) -> Option<String> {
    let standing = situation.task(plan.task);
    let (day, time) = (plan.values.due_date, plan.values.due_time);
    if day.is_none() && time.is_none() {
        return None;
    }
    let day = day.unwrap_or_else(|| standing.and_then(|task| task.due_date))?;
    let time = time.unwrap_or_else(|| standing.and_then(|task| task.due_time));
    let from = standing.and_then(|task| Some(when(task.due_date?, task.due_time, speech)));
    Some(moved(name, from, &when(day, time, speech), speech))
}

/// `Repeat "X" every Monday?`
pub(super) fn new_repeat(repeat: Option<&Repeat>, name: &str, speech: Lang) -> String {
    match repeat {
        Some(rule) => {
            let rule = repeat_phrase(rule, speech);
            localized!(speech, "ask-repeat", name = name, rule = rule)
        }
        None => localized!(speech, "ask-stop-repeating", name = name),
    }
}

pub(super) fn moved(what: &str, from: Option<String>, to: &str, speech: Lang) -> String {
    match from {
        Some(from) => localized!(speech, "ask-move-from", name = what, from = from, to = to),
        None => localized!(speech, "ask-move", name = what, to = to),
    }
}

/// The day that all of these would get, if it is one, and the day that all of them have.
pub(super) fn same_move(
    plans: &[ChangePlan],
    situation: Situation<'_>,
) -> Option<(Option<NaiveDate>, NaiveDate)> {
    let from = |plan: &ChangePlan| situation.task(plan.task).and_then(|task| task.due_date);
    let to = |plan: &ChangePlan| plan.values.due_date.flatten();
    let first = plans.first()?;
    let day = to(first)?;
    let one_day = plans.iter().all(|plan| to(plan) == Some(day));
    let standing = plans.iter().all(|plan| from(plan) == from(first));
    one_day.then(|| (from(first).filter(|_| standing), day))
}

/// "Fri 2026-02-13 already lies in next week": said instead of a move to the same day.
pub(super) fn already_there(
    wanted: &Values,
    plans: &[ChangePlan],
    context: &QuestionContext<'_>,
) -> Option<String> {
    let Some(Due::SameWeekday { week, .. }) = &wanted.due else {
        return None;
    };
    let from = same_move(plans, context.situation)?.0?;
    let end = week.checked_add_days(chrono::Days::new(6))?;
    let speech = context.speech;
    (*week <= from && from <= end).then(|| {
        let (day, week) = (day(from, speech), day(*week, speech));
        localized!(speech, "already-in-week", day = day, week = week)
    })
}
