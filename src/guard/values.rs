//! Days that words give a task, and errors that name both what was proposed and what was said.

use chrono::{Datelike, Days, NaiveDate, NaiveTime};

use super::question::QuestionContext;
use crate::domain::{Cause, Details, ErrorType, Lang, Priority, Task, ToolError, text::Text};
use crate::intent::{Due, Values};
use crate::temporal::{self, DueRule, Rule};
use crate::tools::NewValues;

/// Data that dates are reckoned by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calendar {
    pub today: NaiveDate,
    pub rule: DueRule,
    pub lang: Lang,
}

impl Calendar {
    pub(super) const fn new(context: &QuestionContext<'_>, lang: Lang) -> Self {
        Self {
            today: context.situation.today,
            rule: context.due_rule,
            lang,
        }
    }

    /// The due date that words give a task: `None` leaves it, `Some(None)` takes it away.
    ///
    /// # Errors
    /// When the day may be no due date.
    pub(super) fn due(
        &self,
        wanted: Option<&Due>,
        task: &Task,
    ) -> Result<Option<Option<NaiveDate>>, ToolError> {
        let day = wanted.and_then(|due| self.day_of(due, Some(task)));
        match (wanted, day) {
            (None | Some(Due::Skip { .. }), None) => Ok(None),
            (_, None) => Ok(Some(None)),
            (_, Some(day)) => {
                self.rule.check(day, self.today)?;
                Ok(Some(Some(day)))
            }
        }
    }

    /// The day that the words ask for; `None` clears.
    pub(super) fn day_of(&self, due: &Due, task: Option<&Task>) -> Option<NaiveDate> {
        let standing = task.and_then(|task| task.due_date);
        match due {
            // "Next Monday", of what is due on Monday: never "moved" to the day it has.
            Due::On { day, words } if standing == Some(*day) && self.says_next(words) => {
                day.checked_add_days(Days::new(7))
            }
            Due::On { day, .. } => Some(*day),
            Due::By { days, .. } => {
                let base = standing.unwrap_or(self.today);
                let count = Days::new(days.unsigned_abs());
                if *days < 0 {
                    base.checked_sub_days(count)
                } else {
                    base.checked_add_days(count)
                }
            }
            Due::SameWeekday { week, .. } => {
                let Some(standing) = standing else {
                    return Some(*week);
                };
                let offset = u64::from(standing.weekday().num_days_from_monday());
                let day = week.checked_add_days(Days::new(offset))?;
                // What already lies in that week is put off by a whole week, never "moved" to
                // the day it has.
                if day <= standing {
                    standing.checked_add_days(Days::new(7))
                } else {
                    Some(day)
                }
            }
            // The occurrence after the one that is skipped.
            Due::Skip { .. } => {
                let rule = task.and_then(|task| task.repeat.as_ref());
                let (rule, standing) = rule.zip(standing)?;
                rule.next(standing, standing).map(|(day, _)| day)
            }
            Due::Clear => None,
        }
    }

    fn says_next(&self, words: &str) -> bool {
        let scan = temporal::scan(&Text::new(words), self.today, self.lang);
        let mut dates = scan.dates.iter();
        dates.any(|found| found.next && found.rule == Rule::WeekdayOf)
    }
}

/// An error that names both levels, where the words say another than was proposed.
pub(super) fn other_priority(proposed: Priority, said: Priority) -> ToolError {
    let text = format!(
        "priority '{proposed}' disagrees with the user's words, which say '{said}': use '{said}'"
    );
    disagreement("priority", proposed.as_str(), said.as_str(), text).because([Cause::OtherPriority])
}

/// The note that stays: an empty one takes it away.
pub(super) fn kept(note: String) -> Option<String> {
    Some(note).filter(|note| !note.is_empty())
}

/// An error that names both titles, or both times, where the words were read to give another than
/// was proposed.
pub(super) fn other_than(proposed: &NewValues, read: &Values) -> Option<ToolError> {
    let written = |time: NaiveTime| time.format("%H:%M").to_string();
    let title = proposed
        .title
        .as_ref()
        .map(|title| title.as_str().to_owned());
    let time = proposed.time.flatten().map(written);
    let (parameter, proposed, said, cause) = match (title, time) {
        (Some(title), _) => ("title", title, read.title.clone()?, Cause::OtherTitle),
        (None, Some(time)) => ("due_time", time, read.time.map(written)?, Cause::OtherTime),
        (None, None) => return None,
    };
    let text = format!(
        "{parameter} {proposed:?} is not made of the user's words, which can mean {said:?}: use their words"
    );
    Some(disagreement(parameter, &proposed, &said, text).because([cause]))
}

fn disagreement(parameter: &str, proposed: &str, said: &str, text: String) -> ToolError {
    ToolError::new(ErrorType::Validation, text.clone()).with(Details {
        parameter: Some(parameter.to_owned()),
        value: Some(proposed.into()),
        constraint: Some(text),
        suggestion: Some(format!("Use {said}")),
        ..Details::default()
    })
}
