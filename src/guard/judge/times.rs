//! Times of day of a proposal against the words: the user's time is kept, on their day or the next
//! that it comes.

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use super::Judge;
use super::evidence::ProposedWhen;
use super::titles::without_repetition;
use crate::domain::{DueTime, RemindAt, Repeat, Task};
use crate::guard::evidence::{Evidence, KnownTimes};
use crate::tools::{NewTask, NewValues, Plan, PlannedValues};

/// Difference that comes of when a model read the clock.
const ROUNDED: TimeDelta = TimeDelta::minutes(2);

/// A time that the words tell, with the clauses in which they do.
type Told = (DueTime, Vec<usize>);

/// The new time of a task: as [`Told`], and whether the other half of the day is nearer to the old one.
type Moved = (DueTime, Vec<usize>, bool);

impl Judge<'_> {
    /// Puts the repetition of a new task, named by these tokens in these clauses, its time of day and
    /// its reminder into a plan. A rule is the proposed one where the words say it, else the `only`
    /// one that stands beside the title. A rule gives the day where there is none, and so does a
    /// time: the next on which it comes. Returns what must be asked about: a proposed rule that the words may
    /// hold where another was read in them, and something beside it was not.
    pub(super) fn new_times(
        &mut self,
        evidence: &Evidence<'_>,
        (at, title): (&[usize], &[usize]),
        plan: &mut NewTask,
        ((due, time, repeat, remind), only): (ProposedWhen<'_>, Option<Repeat>),
    ) -> bool {
        let said = repeat.filter(|rule| {
            !evidence.repeat_at(rule, at).is_empty()
                || self.moves_shown(plan.title.as_str(), rule, evidence)
        });
        let other = repeat.filter(|_| said.is_none() && only.is_some());
        // An end that is no day is told not to be kept.
        let ends = |rule: &Repeat| {
            let read = only.clone().map(Repeat::endless);
            read == Some(rule.clone().endless()) && evidence.repeats_until_something()
        };
        let doubtful = other.filter(|rule| evidence.says_more_than_repeat(title) && !ends(rule));
        let said = said.or(doubtful);
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
        let left = evidence.only_while(at, title);
        if left.is_none() {
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
            // A time that the words do not tell is left out, and no other one put in its place.
            // "remind me to call at 6": a title that took the time in leaves it to the reminder.
            let outside: &[usize] = if reminds.is_empty() { title } else { &[] };
            let only = time.is_none().then(|| evidence.only_time(at, outside));
            let told = self
                .told(evidence, proposed, "add_task.due_time")
                .or_else(|| Some((self.in_zone(only.flatten()?), Vec::new())));
            self.due_at(plan, told.map(|(time, _)| time), (due, by_rule));
        }
        let known = KnownTimes {
            day: plan.due_date,
            time: plan.due_time.map(DueTime::time),
            reminder: None,
        };
        plan.remind = remind.filter(|when| {
            let told = !reminds.is_empty() && self.tells_when(evidence, Some(*when), &known);
            if !told {
                self.dropped.push("add_task.remind".to_owned());
            }
            told
        });
        if let Some(left) = left {
            self.after_a_while(left, time, !reminds.is_empty(), plan);
        } else if plan.remind.is_none() && !reminds.is_empty() {
            // "remind me at 5": the time is the reminder's as well.
            let due = plan.due_date.zip(plan.due_time);
            plan.remind = due.and_then(|(day, time)| {
                let before = evidence.only_length_before().unwrap_or_default();
                self.reminder_on(day, time, before)
            });
        }
        doubtful.is_some()
    }

    /// Puts the time at which it is due into a plan, and the day that it needs: `by_rule` tells that
    /// the day of the plan is the first of its repetition. The time of another `proposed` day, which was left
    /// out, is left out with it.
    fn due_at(
        &mut self,
        plan: &mut NewTask,
        time: Option<DueTime>,
        (proposed, by_rule): (Option<NaiveDate>, bool),
    ) {
        let Some(time) = time else { return };
        if by_rule && let Some(rule) = &plan.repeat {
            plan.due_date = self.situation.first_day_of(rule, Some(time));
        }
        if plan.due_date.is_none() {
            let next = self.situation.next_day_of(time, self.due_rule);
            plan.due_date = next.filter(|next| !self.strays(proposed, Some(*next)));
            if next.is_some() && plan.due_date.is_none() {
                self.dropped.push("add_task.due_time".to_owned());
            }
        }
        plan.due_time = plan.due_date.map(|_| time);
    }

    /// Tells whether a proposed day is another than the one on which a time would come; a model fills in
    /// today where nothing is said.
    pub(super) fn strays(&self, proposed: Option<NaiveDate>, day: Option<NaiveDate>) -> bool {
        proposed.is_some_and(|due| due != self.situation.today && Some(due) != day)
    }

    /// The clauses in which the words ask for this reminder of a task, which will have these values,
    /// and tell when; else it is noted as left out. To take a reminder back takes no time. What was
    /// about reminding goes on without a word for it: "make it two hours before".
    pub(super) fn reminder_told(
        &mut self,
        evidence: &Evidence<'_>,
        (task, values): (&Task, &PlannedValues),
        remind: Option<RemindAt>,
    ) -> Vec<usize> {
        let zone = self.situation.zone;
        let waiting = task.reminders.next();
        let known = KnownTimes {
            day: values.due_date.unwrap_or(task.due_date),
            time: (values.due_time.unwrap_or(task.due_time)).map(DueTime::time),
            reminder: waiting.map(|at| at.with_timezone(&zone).naive_local()),
        };
        let mut found = evidence.reminding_at(&[], remind.is_some());
        if let Some(when) = remind
            && found.is_empty()
        {
            let about = evidence.was_about_reminding();
            let local = when.at.with_timezone(&zone).naive_local();
            if waiting.is_some() || about {
                found = evidence.counted_reminder(local, &known);
            }
            if about && values.due_time.is_none() {
                found.extend(evidence.time_at(local.time(), &[]));
            }
        }
        if !self.tells_when(evidence, remind, &known) {
            found.clear();
        }
        if found.is_empty() {
            self.dropped.push("update_task.remind".to_owned());
        }
        found
    }

    /// Tells whether the waiting reminder of a task comes at the proposed time already, or moves there
    /// with what is due.
    pub(super) fn goes_along(
        task: &Task,
        values: &PlannedValues,
        remind: Option<RemindAt>,
    ) -> bool {
        let along = values.reminder_along(task);
        remind.is_some_and(|when| along == Some(when.at))
    }

    /// Tells whether a new reminder is in the half of the day that is further from the waiting one.
    pub(super) fn is_far_reminder(
        &self,
        evidence: &Evidence<'_>,
        task: &Task,
        at: &[usize],
        remind: Option<RemindAt>,
    ) -> bool {
        let zone = self.situation.zone;
        let moved = remind.zip(task.reminders.next());
        moved.is_some_and(|(new, was)| {
            let [new, was] = [new.at, was].map(|at| at.with_timezone(&zone).time());
            evidence.is_far_half(new, was, at)
        })
    }

    /// The proposed reminder, where its time was given alone: on the day on which the task is due, if
    /// that is to come.
    pub(super) fn on_its_day(
        &self,
        remind: Option<RemindAt>,
        bare: bool,
        day: Option<NaiveDate>,
    ) -> Option<RemindAt> {
        let when = remind?;
        let day = day.filter(|day| bare && *day > self.situation.today);
        let time = when.at.with_timezone(&self.situation.zone).time();
        let own = day.and_then(|day| self.reminder_on(day, self.in_zone(time), TimeDelta::zero()));
        own.or(remind)
    }

    /// Tells whether the words count the proposed reminder from the time of this task, and name none:
    /// "remind me 30 minutes before".
    pub(super) fn reminds_of_unnamed(
        &self,
        evidence: &Evidence<'_>,
        task: &Task,
        proposed: &NewValues,
    ) -> bool {
        let known = KnownTimes {
            day: task.due_date,
            time: task.due_time.map(DueTime::time),
            reminder: None,
        };
        let zone = self.situation.zone;
        let counted = |when: RemindAt| {
            let local = when.at.with_timezone(&zone).naive_local();
            !evidence.counted_reminder(local, &known).is_empty()
        };
        evidence.named_tasks().is_empty()
            && evidence.reminds_by_length()
            && proposed.remind.flatten().is_some_and(counted)
    }

    /// Tells whether a plan moves the one reminder that was spoken of: "move the reminder to 9".
    pub(super) fn moves_its_reminder(&self, plan: &Plan, evidence: &Evidence<'_>) -> bool {
        let Plan::Change(change) = plan else {
            return false;
        };
        let task = self.situation.task(change.task);
        let waits = task.is_some_and(|task| task.reminders.waiting().is_some());
        let alone = PlannedValues {
            remind: change.values.remind,
            ..PlannedValues::default()
        };
        waits
            && change.values.remind.is_some()
            && change.values == alone
            && self.situation.context.focus == [change.task]
            && !evidence.reminding_at(&[], false).is_empty()
    }

    fn tells_when(
        &self,
        evidence: &Evidence<'_>,
        remind: Option<RemindAt>,
        known: &KnownTimes,
    ) -> bool {
        let clock = (self.situation.now, self.situation.zone);
        remind.is_none_or(|when| evidence.tells_when(when.at, clock, known))
    }

    /// Puts the instant that comes after a while into a plan: as the reminder where the words speak of
    /// one, else as the time at which the task is due.
    fn after_a_while(
        &mut self,
        left: TimeDelta,
        proposed: Option<NaiveTime>,
        reminds: bool,
        plan: &mut NewTask,
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

    /// The reminder so long before a time on a day; none where it is over.
    fn reminder_on(&self, day: NaiveDate, time: DueTime, before: TimeDelta) -> Option<RemindAt> {
        let at = time.on(day)?.at - before;
        let (zone, today) = (self.situation.zone, self.situation.today);
        (at > self.situation.now).then_some(RemindAt { at, zone, today })
    }

    /// The new time of a task, where the words tell it, with the clauses that do; the day is the
    /// new one, if any. "At 7", of what is in the morning, is hardly in the evening.
    pub(super) fn changed_time(
        &mut self,
        evidence: &Evidence<'_>,
        (task, at): (&Task, &[usize]),
        proposed: Option<NaiveTime>,
        day: &mut Option<Option<NaiveDate>>,
    ) -> Option<Moved> {
        let proposed = proposed.map(|time| {
            let mut told = evidence.time_at(time, at);
            if told.is_empty() && task.due_time.is_some() {
                told = evidence.hour_at(time);
            }
            if told.is_empty()
                && let Some((was, on)) = task.due_time.zip(task.due_date)
            {
                let then = day.flatten().unwrap_or(on).and_time(time);
                told = evidence.moved_at(then - on.and_time(was.time()), at);
            }
            (time, told)
        });
        // A time that the words do not tell is left out, and no other one put in its place.
        let wanted = proposed.is_none() && matches!(day, Some(Some(_)));
        let told = self.told(evidence, proposed, "update_task.due_time");
        let told = told.or_else(|| {
            let only = evidence.only_time(at, &evidence.named_at(task.id));
            let only = only.filter(|_| wanted)?;
            Some((self.in_zone(only), Vec::new()))
        })?;
        if day.unwrap_or(task.due_date).is_none() {
            *day = Some(Some(self.situation.next_day_of(told.0, self.due_rule)?));
        }
        let was = task.due_time.map(DueTime::time);
        let far = was.is_some_and(|was| evidence.is_far_half(told.0.time(), was, at));
        Some((told.0, told.1, far))
    }

    /// A proposed time, where some clauses tell it. The midnight of a day is its end.
    fn told(
        &mut self,
        evidence: &Evidence<'_>,
        proposed: Option<(NaiveTime, Vec<usize>)>,
        name: &str,
    ) -> Option<Told> {
        let (time, at) = proposed?;
        let time = evidence.end_of_day_for(time);
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
