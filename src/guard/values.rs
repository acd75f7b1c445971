//! Values against words: the words win. What contradicts them is an error that names both;
//! what the words do not contain is dropped and noted.

use chrono::{Datelike, Days, NaiveDate, NaiveTime};

use crate::domain::{Cause, Details, ErrorType, Lang, Priority, Task, ToolError, text::Text};
use crate::intent::Due;
use crate::resolver::covers;
use crate::temporal::{self, DueRule, Rule};

/// A value after it was held against the words.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Settled<T> {
    /// Use it.
    Take(T),
    /// Nobody asked for one.
    Leave,
    /// The model made it up: left out and noted.
    Dropped,
}

impl<T> Settled<T> {
    /// The value, if any; notes a dropped one under `name`.
    pub(super) fn noted(self, name: &str, dropped: &mut Vec<String>) -> Option<T> {
        match self {
            Self::Take(value) => Some(value),
            Self::Leave => None,
            Self::Dropped => {
                dropped.push(name.to_owned());
                None
            }
        }
    }
}

/// Data that dates are judged by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calendar<'a> {
    pub today: NaiveDate,
    pub rule: DueRule,
    pub words: &'a str,
    pub lang: Lang,
}

impl Calendar<'_> {
    /// Settles a due date. `standing` is the task's own date, which "push it" counts from.
    pub(super) fn due(
        &self,
        wanted: Option<&Due>,
        proposed: Option<Option<NaiveDate>>,
        standing: Option<NaiveDate>,
    ) -> Result<Settled<Option<NaiveDate>>, ToolError> {
        let Some(wanted) = wanted else {
            return match proposed {
                None => Ok(Settled::Leave),
                Some(Some(day)) if self.said(day) => {
                    self.check(day)?;
                    Ok(Settled::Take(Some(day)))
                }
                Some(_) => Ok(Settled::Dropped),
            };
        };
        let day = self.day_of(wanted, standing);
        if let Some(proposed) = proposed
            && proposed != day
        {
            return Err(contradiction(proposed, day, due_words(wanted)));
        }
        if let Some(day) = day {
            self.check(day)?;
        }
        Ok(Settled::Take(day))
    }

    /// The day that the words ask for; `None` clears.
    pub(super) fn day_of(&self, due: &Due, standing: Option<NaiveDate>) -> Option<NaiveDate> {
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
            Due::Skip { .. } => standing,
            Due::Clear => None,
        }
    }

    fn says_next(&self, words: &str) -> bool {
        let scan = temporal::scan(&Text::new(words), self.today, self.lang);
        let mut dates = scan.dates.iter();
        dates.any(|found| found.next && found.rule == Rule::WeekdayOf)
    }

    fn check(&self, day: NaiveDate) -> Result<(), ToolError> {
        Ok(self.rule.check(day, self.today)?)
    }

    /// Tells whether the words contain this day, wherever it stands in them.
    fn said(&self, day: NaiveDate) -> bool {
        let text = Text::new(self.words);
        let scan = temporal::scan(&text, self.today, self.lang);
        let mut rules = scan.repeats.iter().map(|found| &found.rule);
        scan.dates.iter().any(|found| found.day == day)
            || rules.any(|rule| rule.first(self.today) == Some(day))
    }
}

/// The day that words ask for of this task, where they skip an occurrence of it: the one after it.
pub(super) fn past_skipped(due: Option<&Due>, task: &Task) -> Option<Due> {
    let due = due?;
    let Due::Skip { words } = due else {
        return Some(due.clone());
    };
    let (rule, standing) = task.repeat.as_ref().zip(task.due_date)?;
    let (day, _) = rule.next(standing, standing)?;
    let words = words.clone();
    Some(Due::On { day, words })
}

/// Settles a priority.
pub(super) fn priority(
    wanted: Option<Priority>,
    proposed: Option<Priority>,
) -> Result<Settled<Priority>, ToolError> {
    match (wanted, proposed) {
        (Some(wanted), Some(proposed)) if wanted != proposed => {
            let text = format!(
                "priority '{proposed}' disagrees with the user's words, which say '{wanted}': use '{wanted}'"
            );
            Err(
                disagreement("priority", proposed.as_str(), wanted.as_str(), text)
                    .because([Cause::OtherPriority]),
            )
        }
        (Some(wanted), _) => Ok(Settled::Take(wanted)),
        (None, None | Some(Priority::Medium)) => Ok(Settled::Leave),
        (None, Some(_)) => Ok(Settled::Dropped),
    }
}

/// Settles a note: the user's own words, or none.
pub(super) fn description(
    wanted: Option<&str>,
    proposed: Option<&str>,
    words: &str,
) -> Settled<String> {
    match (wanted, proposed) {
        (_, Some(proposed)) if covers(proposed, words) && wanted.is_some() => {
            Settled::Take(proposed.to_owned())
        }
        (Some(wanted), _) => Settled::Take(wanted.to_owned()),
        (None, Some(_)) => Settled::Dropped,
        (None, None) => Settled::Leave,
    }
}

/// The note that stays: an empty one takes it away.
pub(super) fn kept(note: String) -> Option<String> {
    Some(note).filter(|note| !note.is_empty())
}

fn due_words(due: &Due) -> &str {
    match due {
        Due::On { words, .. }
        | Due::By { words, .. }
        | Due::SameWeekday { words, .. }
        | Due::Skip { words } => words,
        Due::Clear => "no date",
    }
}

/// An error that names both titles, where the words give another than was proposed.
pub(super) fn other_title(proposed: &str, said: &str) -> ToolError {
    let text = format!(
        "title {proposed:?} is not made of the user's words, which can mean {said:?}: use their words"
    );
    disagreement("title", proposed, said, text).because([Cause::OtherTitle])
}

/// An error that names both times, where the words tell another than was proposed.
pub(super) fn other_time(proposed: NaiveTime, said: NaiveTime) -> ToolError {
    let written = |time: NaiveTime| time.format("%H:%M").to_string();
    let (proposed, said) = (written(proposed), written(said));
    let text = format!(
        "due_time {proposed} is not told in the user's words, which can mean {said}: use theirs"
    );
    disagreement("due_time", &proposed, &said, text).because([Cause::OtherTime])
}

fn contradiction(proposed: Option<NaiveDate>, said: Option<NaiveDate>, words: &str) -> ToolError {
    let day = |day: Option<NaiveDate>| day.map_or_else(|| "none".to_owned(), |d| d.to_string());
    let (proposed, said) = (day(proposed), day(said));
    let text = format!(
        "due_date {proposed} disagrees with the user's words \"{words}\", which mean {said}: use {said}"
    );
    disagreement("due_date", &proposed, &said, text).because([Cause::OtherDay])
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
