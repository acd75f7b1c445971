//! Dates, times and priorities of a clause, as the values of an act.

use std::ops::Range;

use chrono::{Datelike, Days, Months, NaiveDate, NaiveTime, TimeDelta};

use crate::domain::{Priority, Repeat};
use crate::intent::grammar::Captures;
use crate::intent::grammar::{Flags, Head, Tier};
use crate::intent::{Due, DueFilter, Fragment, Note};
use crate::language::slot::Slot;
use crate::temporal::{Found, Reach, Rule, Unit, Unkept};

use super::{Reader, within};

impl Reader<'_> {
    /// The date that stands in or around the words of `range`.
    pub(super) fn found(&self, range: &Range<usize>) -> Option<&Found> {
        let at = self.dates.partition_point(|date| date.end <= range.start);
        self.dates
            .get(at)
            .filter(|date| date.start < range.end)
            .and_then(|_| self.found.get(at))
    }

    /// The day a new task gets from the date at `range`.
    pub(super) fn new_due(&self, range: &Range<usize>) -> Option<Due> {
        self.found(range).map(|found| Due::On {
            day: found.day,
            words: self.date_words(found),
        })
    }

    /// The day an existing task gets: "next week" keeps its weekday, "the weekend" is not a week.
    pub(super) fn moved_due(&self, range: &Range<usize>) -> Option<Due> {
        let found = self.found(range)?;
        let words = self.date_words(found);
        let week = found.span.1 - found.span.0 > TimeDelta::days(1);
        Some(match found.rule {
            Rule::Period {
                unit: Unit::Week, ..
            } if week => Due::SameWeekday {
                week: monday(found.span.0),
                words,
            },
            _ => Due::On {
                day: found.day,
                words,
            },
        })
    }

    /// "two days": counted from the task's own date.
    pub(super) fn shift(&self, captures: &Captures) -> Option<Due> {
        let unit = captures.first(Slot::Unit)?;
        let word = self.words.list.get(unit.start)?;
        let count = captures.first(Slot::Count);
        let number = count.clone().map_or(Some(1), |at| self.count(&at))?;
        let days = match self.grammar.unit(word.id)? {
            Unit::Day => i64::from(number),
            Unit::Week => i64::from(number) * 7,
            Unit::Month => self.months(number)?,
            Unit::Year => self.months(number.checked_mul(12)?)?,
        };
        let start = count.map_or(unit.start, |count| count.start);
        Some(Due::By {
            days,
            words: self.written(start..unit.end).to_owned(),
        })
    }

    fn months(&self, number: u32) -> Option<i64> {
        let then = self.today.checked_add_months(Months::new(number))?;
        Some((then - self.today).num_days())
    }

    /// The number at `range`, in digits or as a word.
    pub(super) fn count(&self, range: &Range<usize>) -> Option<u32> {
        let word = self.words.list.get(range.start)?;
        let digits = self.text.word(word.token as usize);
        self.grammar.number(word.id).or_else(|| digits.parse().ok())
    }

    /// The place at `range`: "second", "2nd", "2".
    pub(super) fn place(&self, range: &Range<usize>) -> Option<u32> {
        let word = self.words.list.get(range.start)?;
        let text = self.text.word(word.token as usize);
        let end = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        self.grammar
            .ordinal(word.id)
            .or_else(|| text.get(..end)?.parse().ok())
            .or_else(|| self.grammar.number(word.id))
            .filter(|place| *place > 0)
    }

    /// Days a listing is limited to.
    pub(super) fn filter(&self, range: &Range<usize>) -> Option<DueFilter> {
        let found = self.found(range)?;
        let (from, to) = found.listed(self.today);
        let to = self.last_of_range(found).unwrap_or(to);
        Some(self.between(found, (from, to)))
    }

    /// Days a set is limited to: "everything from monday" is that of Monday, to be moved elsewhere.
    pub(super) fn set_filter(&self, range: &Range<usize>) -> Option<DueFilter> {
        let found = self.found(range)?;
        let days = match found.reach {
            Reach::From => found.span,
            _ => found.listed(self.today),
        };
        Some(self.between(found, days))
    }

    fn between(&self, found: &Found, (from, to): (NaiveDate, NaiveDate)) -> DueFilter {
        let words = self.date_words(found);
        DueFilter::Between { from, to, words }
    }

    /// The last day of a range with two ends, of which this date is the first: "from march 16 to march
    /// 20".
    fn last_of_range(&self, first: &Found) -> Option<NaiveDate> {
        let mut later = self.found.iter();
        let last = later.find(|found| found.tokens.start >= first.tokens.end)?;
        let between = first.tokens.end..last.core.start;
        let near = between.len() <= 1 && last.span.1 >= first.span.1;
        (first.reach == Reach::From && near).then_some(last.span.1)
    }

    /// The same, where the words are nothing but a date.
    pub(super) fn only_date(&self, range: &Range<usize>) -> Option<DueFilter> {
        let date = self
            .dates
            .iter()
            .find(|date| date.start < range.end && date.end >= range.end)?;
        (date.start <= range.start)
            .then(|| self.filter(range))
            .flatten()
    }

    /// A date, a time or a priority that stands alone.
    pub(super) fn bare_value(&mut self, range: &Range<usize>) -> Option<Fragment> {
        let time = self.clock.iter().find(|(time, _)| within(time, range));
        let time = time.cloned();
        let due = self.new_due(range).filter(|_| {
            let timed = || self.dates.iter().chain(self.unkept(Unkept::TimeOfDay));
            range
                .clone()
                .all(|at| timed().any(|words| words.contains(&at)))
        });
        let priority = self.only_level(range);
        let only_time = time.as_ref().is_some_and(|(time, _)| time == range);
        if due.is_none() && !only_time && priority.is_none() {
            return None;
        }
        Some(Fragment::Amend {
            days: due.as_ref().and_then(|_| self.filter(range)),
            due,
            time_of_day: time.map(|(_, time)| time),
            words: None,
            priority,
        })
    }

    pub(super) fn only_level(&mut self, range: &Range<usize>) -> Option<Priority> {
        let grammar = self.grammar;
        let found = self.find(&grammar.attributes, range.clone(), Tier::All)?;
        self.priority(found.head, &found.captures)
    }

    /// The priority that a head or a captured word names.
    pub(super) fn priority(&self, head: Head, captures: &Captures) -> Option<Priority> {
        if let Some(at) = captures.first(Slot::Level) {
            let word = self.words.list.get(at.start)?;
            return self.grammar.level(word.id);
        }
        let flags = [
            (Flags::HIGH, Priority::High),
            (Flags::MEDIUM, Priority::Medium),
            (Flags::LOW, Priority::Low),
        ];
        flags
            .into_iter()
            .find(|(flag, _)| head.flags.has(*flag))
            .map(|(_, priority)| priority)
    }

    /// The time of day that stands in the words of `range`.
    pub(super) fn time(&self, range: &Range<usize>) -> Option<NaiveTime> {
        let found = self.clock.iter().find(|(time, _)| within(time, range));
        found.map(|(_, time)| *time)
    }

    /// The seconds of the while from now that stands in the words of `range`.
    pub(super) fn after(&self, range: &Range<usize>) -> Option<u32> {
        let found = self.whiles.iter().find(|(words, _)| within(words, range));
        found.map(|(_, seconds)| *seconds)
    }

    /// Notes what is said about time in `range` and can't be kept.
    pub(super) fn time_notes(&self, range: &Range<usize>) -> Vec<Note> {
        let told = [
            (Unkept::TimeOfDay, Note::TimeOfDay),
            (Unkept::Recurrence, Note::Recurrence),
            (Unkept::RepeatEnd, Note::RepeatEnd),
        ];
        let mut told = Vec::from(told);
        told.retain(|(kind, _)| self.unkept(*kind).any(|words| within(words, range)));
        told.into_iter().map(|(_, note)| note).collect()
    }

    /// The rule of the repetition that stands in or around the words of `range`.
    pub(super) fn repeat(&self, range: &Range<usize>) -> Option<Repeat> {
        let mut repeats = self.repeats.iter();
        let found = repeats.find(|(words, _)| within(range, words) || within(words, range));
        found.map(|(_, found)| found.rule.clone())
    }

    fn date_words(&self, found: &Found) -> String {
        self.text.slice(found.tokens.clone()).to_owned()
    }
}

fn monday(day: NaiveDate) -> NaiveDate {
    let back = u64::from(day.weekday().num_days_from_monday());
    day.checked_sub_days(Days::new(back)).unwrap_or(day)
}
