//! The days on which a rule occurs, as the crate `recurrence` finds them.

use chrono::{Datelike, Month, NaiveDate, NaiveTime, TimeDelta};
use recurrence::{Frequency, NWeekday, RRule, Tz};

use super::{Repeat, RepeatDay, RepeatEnd, RepeatUnit};

/// Days that a task may be overdue and still be counted from: a century. What is older counts from
/// there, so that no search is longer.
const OVERDUE_MAX: i64 = 36_525;

impl Repeat {
    /// The first occurrence that a task without a due date gets: today or later, whatever the
    /// interval, which counts from there. `None` where the rule ends before.
    pub fn first(&self, today: NaiveDate) -> Option<NaiveDate> {
        let first = self.each_time().days_from(today).next();
        first.filter(|day| self.lasts(*day))
    }

    /// The occurrence after the one that is due, and what is left of the rule from there: the first
    /// after `due` and, where that is over, after today. Intervals count from `due`. `None` where
    /// the rule ends before.
    ///
    /// ```
    /// use candor::domain::Repeat;
    /// let rule = Repeat::parse("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO").unwrap();
    /// let day = |text: &str| text.parse().unwrap();
    /// let next = |due, today| rule.next(day(due), day(today)).map(|(next, _)| next);
    /// assert_eq!(next("2026-02-09", "2026-02-09"), Some(day("2026-02-23")));
    /// assert_eq!(next("2026-02-09", "2026-03-01"), Some(day("2026-03-09")));
    /// ```
    pub fn next(&self, due: NaiveDate, today: NaiveDate) -> Option<(NaiveDate, Self)> {
        let oldest = today.checked_sub_signed(TimeDelta::days(OVERDUE_MAX));
        let start = oldest.map_or(due, |oldest| due.max(oldest));
        let mut passed: u16 = 1;
        let mut after = self.days_from(start).skip_while(|day| *day <= due);
        let next = after.find(|day| {
            let over = *day <= today;
            passed = passed.saturating_add(over.into());
            !over
        })?;
        let mut left = self.clone();
        if let Some(RepeatEnd::After(count)) = self.end {
            let rest = count.checked_sub(passed).filter(|rest| *rest > 0)?;
            left.end = Some(RepeatEnd::After(rest));
        }
        self.lasts(next).then_some((next, left))
    }

    /// Tells whether it gives the very days from `today` on that another rule gives: six times every
    /// Monday is every Monday until the sixth.
    pub fn falls_as(&self, other: &Self, today: NaiveDate) -> bool {
        /// Occurrences that are looked at; longer rules are the same where they are written so.
        const MOST: usize = 366;
        let ends = self.end.is_some() && other.end.is_some();
        let days = |rule: &Self| rule.days_left(today).take(MOST + 1).collect::<Vec<_>>();
        let fall_alike = || {
            let (own, others) = (days(self), days(other));
            own.len() <= MOST && own == others
        };
        self == other || ends && fall_alike()
    }

    /// The days of a rule that a task without a due date gets from `today` on.
    fn days_left(&self, today: NaiveDate) -> impl Iterator<Item = NaiveDate> + use<> {
        let mut left = self.first(today).map(|day| (day, self.clone()));
        std::iter::from_fn(move || {
            let (day, rule) = left.take()?;
            left = rule.next(day, day);
            Some(day)
        })
    }

    /// Tells whether an occurrence follows a due date. What has an end may have come to it; any other
    /// rule that goes on from there never would go on at all.
    pub fn goes_on_from(&self, due: NaiveDate) -> bool {
        self.end.is_some() || self.next(due, due).is_some()
    }

    /// Tells whether it has any occurrence, from some start.
    pub(super) fn occurs(&self) -> bool {
        let mut days = self.each_time().days_from(NaiveDate::default());
        days.next().is_some()
    }

    /// The same rule without the interval.
    fn each_time(&self) -> Self {
        Self {
            interval: 1,
            ..self.clone()
        }
    }

    /// Tells whether a day lies before the end of the repetition.
    fn lasts(&self, day: NaiveDate) -> bool {
        !matches!(self.end, Some(RepeatEnd::On(last)) if last < day)
    }

    /// The occurrences from `start` on, without the end that the rule may have: `start` is DTSTART,
    /// and among them only where the rule gives it. The crate gives up a search that finds nothing.
    fn days_from(&self, start: NaiveDate) -> impl Iterator<Item = NaiveDate> + use<> {
        let freq = match self.every {
            RepeatUnit::Day => Frequency::Daily,
            RepeatUnit::Week => Frequency::Weekly,
            RepeatUnit::Month => Frequency::Monthly,
            RepeatUnit::Year => Frequency::Yearly,
        };
        let weekday = |day: &RepeatDay| match day.nth {
            0 => NWeekday::Every(day.weekday),
            nth => NWeekday::Nth(nth.into(), day.weekday),
        };
        let months = self.months.iter().copied().map(Month::try_from);
        let months: Vec<Month> = months.filter_map(Result::ok).collect();
        let midnight = start.and_time(NaiveTime::MIN).and_utc();
        let start = midnight.with_timezone(&Tz::Tz(chrono_tz::UTC));
        let rule = RRule::new(freq)
            .interval(self.interval)
            .by_month(&months)
            .by_month_day(self.month_days.clone())
            .by_weekday(self.days.iter().map(weekday).collect())
            .build(start);
        let set = rule.ok().map(recurrence::RRuleSet::limit);
        let found = set.map(|set| (&set).into_iter());
        let days = found.into_iter().flatten().map(|at| at.date_naive());
        days.take_while(|day| day.year() <= 9999)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    /// The due dates that follow `due` where each is completed on its day, with the rule at the end.
    fn run(rule: &str, due: &str, times: usize) -> (Vec<String>, Option<String>) {
        let mut standing = Some((day(due), Repeat::parse(rule).unwrap()));
        let mut days = Vec::new();
        for _ in 0..times {
            standing = standing.and_then(|(due, rule)| rule.next(due, due));
            days.extend(standing.as_ref().map(|(due, _)| due.to_string()));
        }
        (days, standing.map(|(_, rule)| rule.to_string()))
    }

    #[test]
    fn rules_that_end_are_alike_where_their_days_are() {
        let today = day("2026-02-08");
        let alike = |a: &str, b: &str| {
            let [a, b] = [a, b].map(|rule| Repeat::parse(rule).unwrap());
            a.falls_as(&b, today)
        };
        let six = "FREQ=WEEKLY;BYDAY=MO;COUNT=6";
        assert!(alike(six, "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260316"));
        assert!(!alike(six, "FREQ=WEEKLY;BYDAY=MO;UNTIL=20260323"));
        assert!(!alike(six, "FREQ=WEEKLY;BYDAY=MO"));
        // A year's days are the same, and what follows is not.
        let (long, longer) = ("FREQ=DAILY;UNTIL=20280101", "FREQ=DAILY;UNTIL=20290101");
        assert!(alike(long, long) && !alike(long, longer));
    }

    #[test]
    fn what_follows_a_due_date() {
        for (rule, due, expect) in [
            // Nothing of clocks that are set: these are days.
            ("FREQ=DAILY", "2026-03-28", ["2026-03-29", "2026-03-30"]),
            (
                "FREQ=DAILY;INTERVAL=3",
                "2026-10-24",
                ["2026-10-27", "2026-10-30"],
            ),
            ("FREQ=WEEKLY", "2026-02-10", ["2026-02-17", "2026-02-24"]),
            (
                "FREQ=WEEKLY;BYDAY=MO,TH",
                "2026-02-09",
                ["2026-02-12", "2026-02-16"],
            ),
            // From a day that is none of the rule's.
            (
                "FREQ=WEEKLY;BYDAY=MO",
                "2026-02-11",
                ["2026-02-16", "2026-02-23"],
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2",
                "2026-02-10",
                ["2026-02-24", "2026-03-10"],
            ),
            (
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU",
                "2026-02-08",
                ["2026-02-22", "2026-03-08"],
            ),
            // Months without that day are left out, as RFC 5545 has it.
            ("FREQ=MONTHLY", "2026-01-31", ["2026-03-31", "2026-05-31"]),
            (
                "FREQ=MONTHLY;BYMONTHDAY=31",
                "2026-03-31",
                ["2026-05-31", "2026-07-31"],
            ),
            (
                "FREQ=MONTHLY;BYMONTHDAY=-1",
                "2026-01-31",
                ["2026-02-28", "2026-03-31"],
            ),
            (
                "FREQ=MONTHLY;BYDAY=1MO",
                "2026-02-02",
                ["2026-03-02", "2026-04-06"],
            ),
            (
                "FREQ=MONTHLY;BYDAY=-1FR",
                "2026-02-27",
                ["2026-03-27", "2026-04-24"],
            ),
            ("FREQ=YEARLY", "2024-02-29", ["2028-02-29", "2032-02-29"]),
            (
                "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3",
                "2026-03-03",
                ["2027-03-03", "2028-03-03"],
            ),
            (
                "FREQ=YEARLY;INTERVAL=366",
                "2026-03-03",
                ["2392-03-03", "2758-03-03"],
            ),
        ] {
            assert_eq!(run(rule, due, 2).0, expect, "{rule} from {due}");
        }
    }

    #[test]
    fn what_is_overdue_goes_on_after_today() {
        let check = |rule: &str, due: &str, today: &str, expect: &str| {
            let next = Repeat::parse(rule).unwrap().next(day(due), day(today));
            let next = next.map(|(next, _)| next.to_string());
            assert_eq!(next.unwrap_or_default(), expect, "{rule} {due} {today}");
        };
        check(
            "FREQ=WEEKLY;BYDAY=MO",
            "2026-02-02",
            "2026-02-18",
            "2026-02-23",
        );
        check(
            "FREQ=WEEKLY;BYDAY=MO",
            "2026-02-02",
            "2026-02-23",
            "2026-03-02",
        );
        // Done before its day: the next after that day.
        check(
            "FREQ=WEEKLY;BYDAY=MO",
            "2026-02-23",
            "2026-02-10",
            "2026-03-02",
        );
        // The phase stays.
        check(
            "FREQ=DAILY;INTERVAL=3",
            "2026-02-01",
            "2026-02-08",
            "2026-02-10",
        );
        check(
            "FREQ=WEEKLY;INTERVAL=2",
            "2026-01-05",
            "2026-02-08",
            "2026-02-16",
        );
        check("FREQ=DAILY", "0001-01-01", "2026-02-08", "2026-02-09");
        check("FREQ=DAILY", "9999-12-31", "2026-02-08", "");
        // A phase that misses each such day.
        check(
            "FREQ=DAILY;INTERVAL=7;BYDAY=MO",
            "2026-02-10",
            "2026-02-10",
            "",
        );
    }

    #[test]
    fn a_rule_goes_on_from_a_day_or_never_does() {
        for (rule, due, expect) in [
            ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-02-09", true),
            ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "2026-02-10", false),
            (
                "FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29",
                "2025-02-28",
                false,
            ),
            ("FREQ=WEEKLY;BYDAY=MO", "2026-02-10", true),
            // The last occurrence of one that ends.
            ("FREQ=DAILY;COUNT=1", "2026-02-10", true),
        ] {
            let rule = Repeat::parse(rule).unwrap();
            assert_eq!(rule.goes_on_from(day(due)), expect, "{rule} from {due}");
        }
    }

    #[test]
    fn a_repetition_ends() {
        let (days, rule) = run("FREQ=DAILY;COUNT=3", "2026-02-08", 1);
        assert_eq!(
            (&*days[0], rule.as_deref()),
            ("2026-02-09", Some("FREQ=DAILY;COUNT=2"))
        );
        assert_eq!(run("FREQ=DAILY;COUNT=3", "2026-02-08", 9).0.len(), 2);
        assert_eq!(
            run("FREQ=WEEKLY;UNTIL=20260222", "2026-02-08", 9).0.len(),
            2
        );
        let counted = Repeat::parse("FREQ=DAILY;COUNT=5").unwrap();
        let (next, left) = counted.next(day("2026-02-01"), day("2026-02-03")).unwrap();
        assert_eq!(
            (next, left.to_string().as_str()),
            (day("2026-02-04"), "FREQ=DAILY;COUNT=2")
        );
        assert_eq!(counted.next(day("2026-02-01"), day("2026-02-08")), None);
    }

    #[test]
    fn the_first_from_today_on() {
        let first = |rule: &str| {
            let first = Repeat::parse(rule).unwrap().first(day("2026-02-08"));
            first.map(|day| day.to_string()).unwrap_or_default()
        };
        assert_eq!(first("FREQ=DAILY"), "2026-02-08");
        assert_eq!(first("FREQ=WEEKLY;BYDAY=SU"), "2026-02-08");
        assert_eq!(first("FREQ=WEEKLY;BYDAY=MO"), "2026-02-09");
        assert_eq!(first("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"), "2026-02-10");
        assert_eq!(first("FREQ=MONTHLY;BYMONTHDAY=1"), "2026-03-01");
        assert_eq!(first("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"), "2028-02-29");
        assert_eq!(first("FREQ=DAILY;UNTIL=20260207"), "");
    }
}
