//! Times of day and whiles from now, as days and times of tasks.

use chrono::{NaiveDate, NaiveTime, TimeDelta};

use super::meaning::meant;
use super::{Meaning, Situation};
use crate::domain::{DueTime, Repeat, TaskId};
use crate::intent::{Act, Change, Due, Target, Values, Verb};
use crate::temporal::{DueRule, nearer_half};

impl Situation<'_> {
    /// The next day on which a time comes: today, or tomorrow where it is over.
    pub fn next_day_of(&self, time: DueTime, rule: DueRule) -> Option<NaiveDate> {
        let now = self.now.with_timezone(&self.zone);
        let day = if time.time() > now.time() {
            self.today
        } else {
            self.today.succ_opt()?
        };
        rule.check(day, self.today).is_ok().then_some(day)
    }

    /// The first day of a repetition: not today, where its time is over.
    pub fn first_day_of(&self, rule: &Repeat, time: Option<DueTime>) -> Option<NaiveDate> {
        let first = rule.first(self.today)?;
        let now = self.now.with_timezone(&self.zone);
        let over = first == self.today && time.is_some_and(|time| time.time() <= now.time());
        if over {
            rule.next(first, first).map(|(day, _)| day)
        } else {
            Some(first)
        }
    }

    /// The day and the time that come after a while, to the minute and never before it is over.
    pub fn after(&self, left: TimeDelta, rule: DueRule) -> Option<(NaiveDate, DueTime)> {
        let then = (self.now + left + TimeDelta::seconds(59)).with_timezone(&self.zone);
        let day = then.date_naive();
        rule.check(day, self.today).ok()?;
        Some((day, DueTime::new(then.time(), self.zone)))
    }
}

/// The order that words give which are one of some tasks alone: to skip an occurrence of what repeats,
/// and to come at another hour of what has a time.
pub(super) fn order_of_its_task(change: &Change, situation: &Situation<'_>) -> Option<Act> {
    if matches!(change.values.due, Some(Due::Skip { .. })) {
        return Some(skipped(change, situation));
    }
    let hour = change.values.hour?;
    let parts = meant(change.verb, &change.targets, situation);
    let [Meaning::One(id)] = parts.iter().map(|part| &part.meaning).collect::<Vec<_>>()[..] else {
        return Some(Act::Other);
    };
    let present = situation.task(*id).and_then(|task| task.due_time);
    let time = present.and_then(|present| nearest(hour, present.time()));
    Some(time.map_or(Act::Other, |time| {
        let values = Values {
            time: Some(time),
            hour: None,
            ..change.values.clone()
        };
        Act::Change(Change {
            values,
            ..change.clone()
        })
    }))
}

/// "Skip yoga this week" of a yoga that does not repeat asks whether it is to go.
fn skipped(change: &Change, situation: &Situation<'_>) -> Act {
    let repeats = |id: &TaskId| {
        let task = situation.task(*id);
        task.is_some_and(|task| task.repeat.is_some())
    };
    let parts = meant(change.verb, &change.targets, situation);
    let any = parts.iter().any(|part| match &part.meaning {
        Meaning::One(id) => repeats(id),
        Meaning::Many(candidates) => candidates.iter().any(|one| repeats(&one.id)),
        Meaning::Set(ids) => ids.iter().any(repeats),
        Meaning::Nothing { .. } | Meaning::Unnamed => false,
    });
    match change.targets.whole {
        _ if any => Act::Change(change.clone()),
        Target::Named(_) => Act::Hint(Change {
            verb: Verb::Delete,
            values: Values::default(),
            ..change.clone()
        }),
        _ => Act::Other,
    }
}

/// The time of that hour which is nearest to the present one.
fn nearest(hour: u32, present: NaiveTime) -> Option<NaiveTime> {
    match hour {
        1..=12 => NaiveTime::from_hms_opt(hour % 12, 0, 0).map(|time| nearer_half(time, present)),
        _ => NaiveTime::from_hms_opt(hour, 0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use chrono::NaiveTime;

    #[test]
    fn the_nearest_half_of_the_day_is_meant() {
        let check = |hour, present: &str, expect: Option<&str>| {
            let time = |text: &str| NaiveTime::parse_from_str(text, "%H:%M").unwrap();
            assert_eq!(
                nearest(hour, time(present)),
                expect.map(time),
                "{hour} {present}"
            );
        };
        check(11, "09:30", Some("11:00"));
        check(11, "17:00", Some("11:00"));
        check(11, "20:00", Some("23:00"));
        check(5, "11:00", Some("17:00"));
        check(5, "09:00", Some("17:00"));
        check(5, "04:30", Some("05:00"));
        check(6, "17:00", Some("18:00"));
        check(12, "09:00", Some("12:00"));
        check(12, "23:30", Some("12:00"));
        check(15, "09:00", Some("15:00"));
        check(24, "09:00", None);
    }
}
