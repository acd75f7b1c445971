//! Days that count from another: a weekday from the day that the task has, those before a day, and the
//! day of the message before.

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::Evidence;
use super::clauses::Clause;
use super::cues::Cue;
use crate::domain::{Task, text::Text};
use crate::temporal::{self, Reach, Rule, Unit};

/// So many days before one that is named are meant by "before".
const BEFORE: u64 = 3;

/// A day that words can mean, with the clause in which they stand.
type Told = (NaiveDate, Option<usize>);

impl Evidence<'_> {
    /// Adds the weekdays that count from the day a task has: "they can only do sunday", of what is on a
    /// Saturday in two weeks, may mean the Sunday of that week, the one behind it, or the coming one.
    /// "Next Monday", of what is due on Monday, is never the day that it has. Returns the days that are
    /// as doubtful.
    pub(super) fn count_from_own_day(&self, task: &Task, days: &mut Vec<Told>) -> Vec<NaiveDate> {
        let mut doubtful = Vec::new();
        let Some(due) = task.due_date else {
            return doubtful;
        };
        let said: Vec<NaiveDate> = days.iter().map(|(day, _)| *day).collect();
        let scan = &self.scan;
        for found in &scan.dates {
            let at = self.clause_at(found.core.start);
            let weekday = found.day.weekday();
            let counted = match found.rule {
                // "the friday after"
                Rule::Following(_) if !self.is_foreign_at(found.core.start) => {
                    days.extend(after(due, weekday).map(|day| (day, at)));
                    false
                }
                Rule::WeekdayOf => found.next,
                Rule::Weekday => true,
                _ => false,
            };
            // What is due before it is moved to the coming one.
            if !counted || found.day > due || self.is_foreign_at(found.core.start) {
                continue;
            }
            if found.next && found.day == due {
                days.retain(|(day, _)| *day != due);
                days.extend(after(due, weekday).map(|day| (day, at)));
                continue;
            }
            let of_its_week = of_week(due, weekday).filter(|day| *day != due && !found.next);
            let both = of_its_week.iter().copied().chain(after(due, weekday));
            let other: Vec<NaiveDate> = both.filter(|day| *day != found.day).collect();
            days.extend(other.iter().map(|day| (*day, at)));
            // "no, wednesday", of the day that was just set, is of its week.
            let corrected =
                self.carried.day() == Some(due) && self.clauses.iter().any(Clause::corrects);
            let told = of_its_week.filter(|_| corrected || self.names_week(found.core.end));
            doubtful.extend(other.into_iter().filter(|day| told != Some(*day)));
        }
        // "isn't on thursday any more, it's the 19th": that day is said.
        doubtful.retain(|day| !said.contains(day));
        doubtful
    }

    /// The weekdays a week before and behind one of the week to come: "next friday" is said of both.
    pub(super) fn weekdays_around(&self) -> Vec<Told> {
        let scan = &self.scan;
        let next = scan.dates.iter().filter(|found| {
            found.rule == Rule::WeekdayOf && found.next && !self.is_foreign_at(found.core.start)
        });
        let around = next.flat_map(|found| {
            let at = self.clause_at(found.core.start);
            let week = Days::new(7);
            let both = [
                found.day.checked_sub_days(week),
                found.day.checked_add_days(week),
            ];
            both.into_iter().flatten().map(move |day| (day, at))
        });
        around.filter(|(day, _)| *day > self.today).collect()
    }

    /// Tells whether words right behind a weekday speak of a week: "the thursday that week".
    fn names_week(&self, from: usize) -> bool {
        /// "of that same week"
        const REACH: usize = 4;
        let length = |at: usize| {
            let one = format!("1 {}", self.text.word(at));
            temporal::length(&one, self.lang)
        };
        (from..from + REACH).any(|at| length(at) == Some((1, Unit::Week)))
    }

    /// The first and the last day of the present stretch of days by whose name alone this one is meant: "this
    /// week".
    pub fn present_stretch(&self, day: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        let scan = &self.scan;
        let mut own = scan
            .dates
            .iter()
            .filter(|found| !self.is_foreign_at(found.core.start));
        let found = own.next().filter(|_| own.next().is_none())?;
        let present = matches!(found.rule, Rule::Period { ahead: 0, .. });
        let stretch = present && found.day == day && found.span.0 < found.span.1;
        stretch.then_some(found.span)
    }

    /// The days right before one that the words set a bound by: "before the 20th".
    pub(super) fn days_before(&self) -> Vec<Told> {
        let scan = &self.scan;
        let bounds = scan.dates.iter().filter(|found| {
            found.reach == Reach::Before
                && !self.is_foreign_at(found.core.start)
                && !self.is_denied_bound(found.tokens.start)
        });
        let days = bounds.flat_map(|found| {
            let at = self.clause_at(found.core.start);
            let days =
                (1..=BEFORE).filter_map(|back| found.span.0.checked_sub_days(Days::new(back)));
            days.filter(|day| *day >= self.today)
                .map(move |day| (day, at))
        });
        days.collect()
    }

    /// The day of the message before, where the words point at it: "put it on there for that day too".
    pub(super) fn days_of_turn_before(&self) -> Vec<Told> {
        let pointed = temporal::days_pointed_at(self.text, self.lang).into_iter();
        let pointed: Vec<usize> = pointed.filter(|at| !self.is_foreign_at(*at)).collect();
        let days = pointed.iter().flat_map(|at| {
            let days = self.days_said_before().into_iter();
            days.map(|day| (day, self.clause_at(*at)))
        });
        days.collect()
    }

    /// The days that the message before names.
    pub(super) fn days_said_before(&self) -> Vec<NaiveDate> {
        let Some(before) = self.carried.said_before() else {
            return Vec::new();
        };
        let scan = temporal::scan(&Text::new(before), self.today, self.lang);
        // "Pull it in by three days" names none.
        let whole = scan.dates.iter().filter(|found| {
            found.span.0 == found.span.1 && !matches!(found.rule, Rule::Offset { .. })
        });
        whole.map(|found| found.day).collect()
    }

    /// Tells whether a negation stands right before a bound: "not before the 20th".
    fn is_denied_bound(&self, at: usize) -> bool {
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        hits.any(|hit| hit.cue == Cue::Negation && hit.end == at)
    }
}

/// The weekday of the week, from Monday, that holds a day.
fn of_week(day: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let monday = day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into()))?;
    monday.checked_add_days(Days::new(weekday.num_days_from_monday().into()))
}

/// The first such weekday after a day.
fn after(day: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let ahead = weekday.days_since(day.weekday());
    day.checked_add_days(Days::new(if ahead == 0 { 7 } else { ahead.into() }))
}
