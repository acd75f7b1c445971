//! Times of day in the words.

use chrono::NaiveTime;

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
}
