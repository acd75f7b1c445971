//! Questions about another day, or another time of it.

use chrono::NaiveDate;

use super::QuestionContext;
use crate::domain::{DueTime, Repeat, day_and_time};
use crate::guard::licence::Situation;
use crate::guard::phrases::Speech;
use crate::intent::{Due, Values};
use crate::temporal::spoken;
use crate::tools::ChangePlan;

/// `Move "X" from Thu 2026-02-12 to Fri 2026-02-13 17:00?`, where a plan changes when a task is due and
/// leaves it a day.
pub(super) fn new_due(
    plan: &ChangePlan,
    name: &str,
    situation: Situation<'_>,
    speech: Speech,
) -> Option<String> {
    let standing = situation.task(plan.task);
    let (day, time) = (plan.values.due_date, plan.values.due_time);
    let due = |day: NaiveDate, time: Option<DueTime>| {
        day_and_time(spoken(day), time.map(|time| time.shown_on(day)))
    };
    if day.is_none() && time.is_none() {
        return None;
    }
    let day = day.unwrap_or_else(|| standing.and_then(|task| task.due_date))?;
    let time = time.unwrap_or_else(|| standing.and_then(|task| task.due_time));
    let from = standing.and_then(|task| Some(due(task.due_date?, task.due_time)));
    Some(moved(name, from, &due(day, time), speech))
}

/// `Repeat "X" every Monday?`
pub(super) fn new_repeat(repeat: Option<&Repeat>, name: &str, speech: Speech) -> String {
    match (speech, repeat.map(|rule| speech.repeats(rule))) {
        (Speech::English, Some(rule)) => format!("Repeat {name} {rule}?"),
        (Speech::English, None) => format!("Stop repeating {name}?"),
        (Speech::RomanUrdu, Some(rule)) => format!("{name} ko {rule} dohraun?"),
        (Speech::RomanUrdu, None) => format!("{name} ka dohrana band kar dun?"),
    }
}

pub(super) fn moved(what: &str, from: Option<String>, to: &str, speech: Speech) -> String {
    match (speech, from) {
        (Speech::English, Some(from)) => format!("Move {what} from {from} to {to}?"),
        (Speech::English, None) => format!("Move {what} to {to}?"),
        (Speech::RomanUrdu, _) => format!("{what} ko {to} par le jaun?"),
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
    (*week <= from && from <= end).then(|| match context.speech {
        Speech::English => {
            format!(
                "{} already lies in the week of {}.",
                spoken(from),
                spoken(*week)
            )
        }
        Speech::RomanUrdu => format!("{} pehle se usi hafte mein hai.", spoken(from)),
    })
}
