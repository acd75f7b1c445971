//! Times of day of a proposal against the words: the user's time is kept, on their day or the next
//! that it comes.

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use super::Judge;
use super::evidence::ProposedWhen;
use super::titles::without_repetition;
use crate::domain::{DueTime, RemindAt, Repeat, Task};
use crate::guard::evidence::Evidence;
use crate::tools::AddPlan;

/// Difference that comes of when a model read the clock.
const ROUNDED: TimeDelta = TimeDelta::minutes(2);

/// A time that the words tell, with the clauses in which they do.
type Told = (DueTime, Vec<usize>);

impl Judge<'_> {
    /// Puts the repetition of a new task, named by these tokens in these clauses, its time of day and
    /// its reminder into a plan. A rule is the proposed one where the words say it, else the `only`
    /// one that stands beside the title. A rule gives the day where there is none, and so does a
    /// time: the next on which it comes.
    pub(super) fn new_times(
        &mut self,
        evidence: &Evidence<'_>,
        (at, title): (&[usize], &[usize]),
        plan: &mut AddPlan,
        ((_, time, repeat, remind), only): (ProposedWhen<'_>, Option<Repeat>),
    ) {
        let said = repeat.filter(|rule| {
            !evidence.repeat_at(rule, at).is_empty()
                || self.moves_shown(plan.title.as_str(), rule, evidence)
        });
        if repeat.is_some() && said.is_none() {
            self.dropped.push("add_task.repeat".to_owned());
        }
        let rule = said.cloned().or(only);
        let first = rule
            .as_ref()
            .and_then(|rule| rule.first(self.situation.today));
        plan.repeat = rule.filter(|_| first.is_some());
        let by_rule = plan.due_date.is_none() && first.is_some();
        plan.due_date = plan.due_date.or(first);
        if let Some(rule) = &plan.repeat
            && let Some(title) = without_repetition(&plan.title, rule)
        {
            plan.title = title;
        }
        let reminds = evidence.reminding_at(title, true);
        plan.remind = remind.filter(|when| {
            let name = "add_task.remind";
            self.is_reminder_told(evidence, &reminds, Some(*when), name)
        });
        if let Some(left) = evidence.only_while(at, title) {
            self.after_a_while(left, time, !reminds.is_empty(), plan);
            return;
        }
        let shown = self.shown_addition(plan.title.as_str());
        let timed = shown.is_some_and(|shown| shown.due_time.is_some());
        let proposed = time.map(|time| {
            let told = evidence.time_at(time, at);
            // "make that 1", of what was shown with a time
            if told.is_empty() && timed {
                (time, evidence.hour_at(time))
            } else {
                (time, told)
            }
        });
        let told = self.told(proposed, "add_task.due_time").or_else(|| {
            let only = evidence.only_time(at, title)?;
            Some((self.in_zone(only), Vec::new()))
        });
        let Some((time, _)) = told else { return };
        if by_rule && let Some(rule) = &plan.repeat {
            plan.due_date = self.situation.first_day_of(rule, Some(time));
        }
        let next = || self.situation.next_day_of(time, self.due_rule);
        plan.due_date = plan.due_date.or_else(next);
        plan.due_time = plan.due_date.map(|_| time);
        // "remind me at 5": the time is the reminder's as well.
        if plan.remind.is_none() && !reminds.is_empty() {
            plan.remind = plan.due_date.and_then(|day| self.reminder_on(day, time));
        }
    }

    /// Tells whether the words speak of reminding, in these clauses, and tell when; else it is noted as
    /// left out. To take a reminder back takes no time.
    pub(super) fn is_reminder_told(
        &mut self,
        evidence: &Evidence<'_>,
        reminds: &[usize],
        remind: Option<RemindAt>,
        name: &str,
    ) -> bool {
        let (now, zone) = (self.situation.now, self.situation.zone);
        let timed = remind.is_none_or(|when| evidence.tells_when(when.at, now, zone));
        let told = timed && !reminds.is_empty();
        if !told {
            self.dropped.push(name.to_owned());
        }
        told
    }

    /// Puts the instant that comes after a while into a plan: as the reminder where the words speak of
    /// one, else as the time at which the task is due.
    fn after_a_while(
        &mut self,
        left: TimeDelta,
        proposed: Option<NaiveTime>,
        reminds: bool,
        plan: &mut AddPlan,
    ) {
        if reminds {
            let (zone, today) = (self.situation.zone, self.situation.today);
            let at = self.situation.now + left;
            plan.remind = plan.remind.or(Some(RemindAt { at, zone, today }));
            return;
        }
        let Some((day, time)) = self.situation.after(left, self.due_rule) else {
            return;
        };
        if proposed.is_some_and(|proposed| (proposed - time.time()).abs() > ROUNDED) {
            self.dropped.push("add_task.due_time".to_owned());
        }
        plan.due_date = Some(day);
        plan.due_time = Some(time);
    }

    /// The reminder of a time on a day; none where it is over.
    fn reminder_on(&self, day: NaiveDate, time: DueTime) -> Option<RemindAt> {
        let at = time.on(day)?.at;
        let (zone, today) = (self.situation.zone, self.situation.today);
        (at > self.situation.now).then_some(RemindAt { at, zone, today })
    }

    /// The new time of a task, where the words tell it, with the clauses that do; the day is the
    /// new one, if any.
    pub(super) fn changed_time(
        &mut self,
        evidence: &Evidence<'_>,
        (task, at): (&Task, &[usize]),
        proposed: Option<NaiveTime>,
        day: &mut Option<Option<NaiveDate>>,
    ) -> Option<Told> {
        let proposed = proposed.map(|time| {
            let mut told = evidence.time_at(time, at);
            if told.is_empty() && task.due_time.is_some() {
                told = evidence.hour_at(time);
            }
            (time, told)
        });
        let wanted = proposed.is_some() || matches!(day, Some(Some(_)));
        let told = self.told(proposed, "update_task.due_time").or_else(|| {
            let only = evidence.only_time(at, &evidence.named_at(task.id));
            let only = only.filter(|_| wanted)?;
            Some((self.in_zone(only), Vec::new()))
        })?;
        if day.unwrap_or(task.due_date).is_none() {
            *day = Some(Some(self.situation.next_day_of(told.0, self.due_rule)?));
        }
        Some(told)
    }

    /// A proposed time, where some clauses tell it.
    fn told(&mut self, proposed: Option<(NaiveTime, Vec<usize>)>, name: &str) -> Option<Told> {
        let (time, at) = proposed?;
        if at.is_empty() {
            self.dropped.push(name.to_owned());
            return None;
        }
        Some((self.in_zone(time), at))
    }

    fn in_zone(&self, time: NaiveTime) -> DueTime {
        DueTime::new(time, self.situation.zone)
    }
}
