//! Times in a call's arguments: reminders, and times of day in words.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

use super::arguments::{CallContext, given, short};
use super::fault::ArgumentFaults;
use crate::domain::text::Text;
use crate::domain::{Cause, Lang, RemindAt};
use crate::temporal::{self, RemindFault};

impl CallContext<'_> {
    /// Reads a reminder's time: `None` not given, `Some(None)` to be taken back. "An hour before" counts
    /// from the time at which the task is due.
    pub(super) fn remind(
        &self,
        words: Option<&str>,
        (day, time): (Option<NaiveDate>, Option<NaiveTime>),
        faults: &mut ArgumentFaults,
    ) -> Option<Option<RemindAt>> {
        let Some(words) = given(words)? else {
            return Some(None);
        };
        let before = day.and_then(|day| temporal::counted_back(words, day, time));
        // A time alone is one of the day on which the task is due.
        let own = day.filter(|day| *day > self.today);
        let own = own.and_then(|day| Some(day.and_time(self.bare_time(words)?)));
        let told = before.or(own);
        let told = told.map(|at| at.format("%Y-%m-%dT%H:%M").to_string());
        let told = told.as_deref().unwrap_or(words);
        match temporal::remind_at(told, self.remind_now, self.zone) {
            Ok(at) => Some(Some(RemindAt {
                at,
                zone: self.zone,
                today: self.today,
            })),
            Err(fault) => {
                let value = short(words);
                let text = format!("'{value}' {fault}");
                let cause = match fault {
                    RemindFault::Unknown => Cause::NoReminderTime { value },
                    RemindFault::Past => Cause::ReminderPast,
                    RemindFault::Far => Cause::ReminderFar,
                };
                faults.push_cause("remind", text, cause);
                None
            }
        }
    }

    /// The time of day that these words tell, where they tell no day: "11am".
    pub(super) fn bare_time(&self, words: &str) -> Option<NaiveTime> {
        let dated = self.day(words).is_some() || words.contains('T');
        self.time_in(words).filter(|_| !dated)
    }

    /// The one time of day that these words tell, in any language.
    pub(super) fn time_in(&self, words: &str) -> Option<NaiveTime> {
        let local = |form| NaiveDateTime::parse_from_str(words.trim(), form).ok();
        if let Some(at) = local("%Y-%m-%dT%H:%M").or_else(|| local("%Y-%m-%dT%H:%M:%S")) {
            // Midnight is how programs write a day, and no time.
            return Some(at.time()).filter(|time| *time != NaiveTime::MIN);
        }
        let text = Text::new(words);
        let mut langs = std::iter::once(&self.lang).chain(&Lang::ALL);
        langs.find_map(
            |lang| match temporal::scan(&text, self.today, *lang).times.as_slice() {
                [(_, time)] => Some(time.likely()),
                _ => None,
            },
        )
    }
}
