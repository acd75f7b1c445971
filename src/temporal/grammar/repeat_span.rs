//! Stretches of weekdays that repeat: "monday to friday".

use chrono::Weekday;

use super::super::Unit;
use super::super::lexeme::{Cadence, Lex};
use super::Reader;

impl Reader {
    /// One past a stretch of weekdays at `at`, and these: "monday to friday", "du lundi au vendredi",
    /// "somvar se juma tak". What leads it may stand at `at`.
    pub(in crate::temporal) fn weekday_span(&self, at: usize) -> Option<(usize, Vec<Weekday>)> {
        let leads = |at: usize| matches!(self.lex(at), Lex::From | Lex::Of | Lex::On | Lex::Prep);
        let lead = at + usize::from(leads(at));
        let lead = self.skip(lead, Lex::The);
        let led = lead > at || matches!(self.before(at), Lex::From | Lex::Of);
        let Lex::Weekday { day: first, .. } = self.lex(lead) else {
            return None;
        };
        let behind = self.lex(lead + 1) == Lex::Post;
        let link = lead + 1 + usize::from(behind);
        let joined = match self.lex(link) {
            Lex::To | Lex::Until | Lex::Mark(b'-') => true,
            // "du lundi au vendredi", "da lunedì a venerdì", "de segunda a sexta"
            Lex::On | Lex::At | Lex::Prep | Lex::One | Lex::The => led && self.habits.day_first,
            _ => false,
        };
        let last_at = match (joined, behind) {
            (true, _) => self.skip(link + 1, Lex::The),
            (false, true) => link,
            (false, false) => return None,
        };
        let Lex::Weekday { day: last, .. } = self.lex(last_at) else {
            return None;
        };
        let mut end = last_at + 1;
        if behind && !joined {
            if self.lex(end) != Lex::PostUntil {
                return None;
            }
            end += 1;
        }
        let mut day = first;
        let mut days = vec![day];
        while day != last {
            day = day.succ();
            days.push(day);
        }
        (days.len() > 1).then_some((end, days))
    }

    /// A stretch of weekdays that stands for a repetition by itself ("mondays to fridays"), or by
    /// what follows: "monday to friday, every week".
    pub(super) fn span_repeats(&self, at: usize) -> Option<(usize, Vec<Weekday>)> {
        let (end, days) = self.weekday_span(at)?;
        if matches!(self.lex(at), Lex::Weekday { many: true, .. }) {
            return Some((end, days));
        }
        let again = self.skip_mark(end, b",");
        let close = match (self.lex(again), self.lex(again + 1)) {
            (
                Lex::Every,
                Lex::Unit(Unit::Day | Unit::Week, 1) | Lex::Often(Cadence::Each(Unit::Day, 1)),
            ) => again + 2,
            (
                Lex::Often(Cadence::Each(Unit::Day | Unit::Week, 1))
                | Lex::Always(Unit::Day | Unit::Week),
                _,
            ) => again + 1,
            _ => return None,
        };
        Some((close, days))
    }

    /// The weekdays of a text that is a stretch of them and nothing else.
    pub(in crate::temporal) fn whole_span(&self) -> Option<Vec<Weekday>> {
        let (end, days) = self.weekday_span(0)?;
        self.alone(0, end).then_some(days)
    }
}
