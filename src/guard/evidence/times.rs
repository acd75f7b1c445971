//! Times of day in the words.

use chrono::{NaiveTime, Timelike};

use super::Evidence;
use crate::temporal::times_told;

impl Evidence<'_> {
    /// The clauses of the user's own in which this time of day is told, in any language.
    pub fn time_at(&self, time: NaiveTime) -> Vec<usize> {
        let told = times_told(self.text, time).into_iter();
        let own = told.filter(|token| !self.is_foreign_at(*token));
        let mut at: Vec<usize> = own.filter_map(|token| self.clause_at(token)).collect();
        at.dedup();
        at
    }

    /// The clauses of the user's own in which a number alone may be the hour of this time: "change
    /// it to 6", of a task that has a time.
    pub fn hour_at(&self, time: NaiveTime) -> Vec<usize> {
        let scan = crate::temporal::scan(self.text, self.today, self.lang);
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
        let scan = crate::temporal::scan(self.text, self.today, self.lang);
        let mut told = scan.times.iter().filter(|(tokens, _)| {
            let clause = self.clause_at(tokens.start);
            let own = clause.is_some_and(|clause| at.contains(&clause));
            own && !self.is_foreign_at(tokens.start)
                && !tokens.clone().any(|at| title.contains(&at))
        });
        let only = told.next().filter(|_| told.next().is_none())?;
        Some(only.1.likely())
    }
}
