//! Times of day in the words.

use chrono::NaiveTime;

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
}
