//! Times of day in the words.

use chrono::{NaiveTime, Timelike};

use super::Evidence;
use crate::domain::Lang;
use crate::temporal;

impl Evidence<'_> {
    /// The clauses of the user's own in which this time of day is told, in any language.
    pub fn time_at(&self, time: NaiveTime) -> Vec<usize> {
        let scans = Lang::ALL.map(|lang| temporal::scan(self.text, self.today, lang));
        let said = scans.iter().flat_map(|scan| &scan.times);
        let told =
            said.filter(|(tokens, said)| said.may_mean(time) && !self.is_foreign_at(tokens.start));
        let mut at: Vec<usize> = told
            .filter_map(|(tokens, _)| self.clause_at(tokens.start))
            .collect();
        at.sort_unstable();
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
}
