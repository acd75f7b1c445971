//! Times of day in the words.

use std::ops::Range;

use chrono::{DateTime, NaiveTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;

use super::Evidence;
use crate::temporal::{self, times_told, whiles_told};

/// Longest expression of a while, in tokens: "in 1 hour and 30 minutes".
const LONGEST_WHILE: usize = 6;
/// Difference that comes of when a model read the clock.
const ROUNDED: TimeDelta = TimeDelta::seconds(90);

impl Evidence<'_> {
    /// The clauses of the user's own in which this time of day is told, in any language, for what is
    /// named in these.
    pub fn time_at(&self, time: NaiveTime, of: &[usize]) -> Vec<usize> {
        let told = times_told(self.text, time).into_iter();
        let own = told.filter(|token| !self.is_foreign_at(*token));
        let mut at: Vec<usize> = own.filter_map(|token| self.clause_at(token)).collect();
        self.retain_own(&mut at, of);
        at.dedup();
        at
    }

    /// The clauses of the user's own in which a number alone may be the hour of this time: "change
    /// it to 6", of a task that has a time.
    pub fn hour_at(&self, time: NaiveTime) -> Vec<usize> {
        let scan = temporal::scan(self.text, self.today, self.lang);
        let dated = |at: usize| scan.dates.iter().any(|date| date.core.contains(&at));
        let hour = |at: &usize| {
            let said: Option<u32> = self.text.word(*at).parse().ok();
            let hours = [time.hour(), time.hour() % 12, time.hour12().1];
            time.minute() == 0 && said.is_some_and(|said| hours.contains(&said))
        };
        let tokens = (0..self.text.tokens.len()).filter(hour);
        let own = tokens.filter(|at| !dated(*at) && !self.is_foreign_at(*at));
        let own: Vec<usize> = own.collect();
        self.clauses_of(&own)
    }

    /// The one time of day that is told in these clauses, outside of the words of a title.
    pub fn only_time(&self, at: &[usize], title: &[usize]) -> Option<NaiveTime> {
        let scan = temporal::scan(self.text, self.today, self.lang);
        let mut told = scan.times.iter().filter(|(tokens, _)| {
            let clause = self.clause_at(tokens.start);
            let own = clause.is_some_and(|clause| at.contains(&clause));
            own && !self.is_foreign_at(tokens.start)
                && !tokens.clone().any(|at| title.contains(&at))
        });
        let only = told.next().filter(|_| told.next().is_none())?;
        Some(only.1.likely())
    }

    /// Tells whether the words tell when somebody is to be reminded: the time of day and the day, or
    /// the while until then.
    pub fn tells_when(&self, at: DateTime<Utc>, now: DateTime<Utc>, zone: Tz) -> bool {
        let local = at.with_timezone(&zone).naive_local();
        let left = at - now;
        let timed = local.second() == 0 && !self.time_at(local.time(), &[]).is_empty();
        let all: Vec<usize> = (0..self.clauses.len()).collect();
        let days = self.days(None, &all, None);
        let near = !days.said && left <= TimeDelta::days(1);
        if timed && (near || days.supporting(local.date()).is_some()) {
            return true;
        }
        let tokens = 0..self.text.tokens.len();
        tokens.clone().any(|start| {
            let ends = start + 1..=(start + LONGEST_WHILE).min(tokens.end);
            !self.is_foreign_at(start)
                && ends.into_iter().any(|end| {
                    let said = temporal::exact_time(self.text.slice(start..end), now, zone);
                    said.is_some_and(|said| (said - at).abs() <= ROUNDED)
                })
        }) || (self.whiles().iter()).any(|(_, said)| (left - *said).abs() <= ROUNDED)
    }

    /// The seconds of the one while from now that is told in these clauses, outside of the words of a
    /// title.
    pub fn only_while(&self, at: &[usize], title: &[usize]) -> Option<TimeDelta> {
        let mut told = self.whiles();
        told.retain(|(tokens, _)| {
            let clause = self.clause_at(tokens.start);
            let own = clause.is_some_and(|clause| at.contains(&clause));
            own && !tokens.clone().any(|at| title.contains(&at))
        });
        let only = told.pop().filter(|_| told.is_empty())?;
        Some(only.1)
    }

    /// Whiles from now that the user's own words tell, in any language.
    fn whiles(&self) -> Vec<(Range<usize>, TimeDelta)> {
        let told = whiles_told(self.text).into_iter();
        let own = told.filter(|(tokens, _)| !self.is_foreign_at(tokens.start));
        own.map(|(tokens, seconds)| (tokens, TimeDelta::seconds(seconds.into())))
            .collect()
    }
}
