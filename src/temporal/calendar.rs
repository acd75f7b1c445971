//! Calendar arithmetic: Monday-based weeks, clamped months, the next day that fits.
//!
//! Every step is checked, since `today` may be any day chrono can hold. Reads no words.

use chrono::{Datelike, Months, NaiveDate, TimeDelta, Weekday};

use super::Unit;

impl Unit {
    /// `date` moved by `count` units; months and years keep the day or clamp it to the month's last.
    ///
    /// `None` only beyond chrono's calendar.
    ///
    /// ```
    /// use candor::temporal::Unit;
    /// use chrono::NaiveDate;
    /// let day = |m, d| NaiveDate::from_ymd_opt(2026, m, d).unwrap();
    /// assert_eq!(Unit::Week.shift(day(2, 13), 1), Some(day(2, 20)));
    /// assert_eq!(Unit::Month.shift(day(1, 31), 1), Some(day(2, 28)));
    /// ```
    pub fn shift(self, date: NaiveDate, count: i32) -> Option<NaiveDate> {
        match self {
            Self::Day => days(date, i64::from(count)),
            Self::Week => days(date, i64::from(count) * 7),
            Self::Month => months(date, i64::from(count)),
            Self::Year => months(date, i64::from(count) * 12),
        }
    }

    /// First and last day of the period `ahead` units from the one that holds `date`.
    pub(super) fn period(self, date: NaiveDate, ahead: i32) -> Option<(NaiveDate, NaiveDate)> {
        let first = match self {
            Self::Day => date,
            Self::Week => monday(date)?,
            Self::Month => date.with_day(1)?,
            Self::Year => NaiveDate::from_ymd_opt(date.year(), 1, 1)?,
        };
        let first = self.shift(first, ahead)?;
        Some((first, days(self.shift(first, 1)?, -1)?))
    }
}

/// `count` days on; negative is back.
pub(super) fn days(date: NaiveDate, count: i64) -> Option<NaiveDate> {
    date.checked_add_signed(TimeDelta::try_days(count)?)
}

/// `count` months on, clamped to the month's last day; negative is back.
pub(super) fn months(date: NaiveDate, count: i64) -> Option<NaiveDate> {
    let step = Months::new(u32::try_from(count.unsigned_abs()).ok()?);
    if count < 0 {
        date.checked_sub_months(step)
    } else {
        date.checked_add_months(step)
    }
}

/// The Monday of the week of `date`.
pub(super) fn monday(date: NaiveDate) -> Option<NaiveDate> {
    days(date, -i64::from(date.weekday().num_days_from_monday()))
}

/// The `weekday` of the week `ahead` weeks from that of `date`.
pub(super) fn weekday_of(date: NaiveDate, ahead: i64, weekday: Weekday) -> Option<NaiveDate> {
    days(
        monday(date)?,
        ahead * 7 + i64::from(weekday.num_days_from_monday()),
    )
}

/// The first `weekday` after `date`, never `date` itself.
pub(super) fn weekday_after(date: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let ahead = weekday.days_since(date.weekday());
    days(date, if ahead == 0 { 7 } else { i64::from(ahead) })
}

/// The last `weekday` before `date`, never `date` itself.
pub(super) fn weekday_before(date: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    let back = date.weekday().days_since(weekday);
    days(date, if back == 0 { -7 } else { -i64::from(back) })
}

/// The next `day` of `month`, `today` included; eight years reach every 29 February.
pub(super) fn month_day(today: NaiveDate, month: u32, day: u32) -> Option<NaiveDate> {
    (0..=8)
        .filter_map(|ahead| NaiveDate::from_ymd_opt(today.year().checked_add(ahead)?, month, day))
        .find(|date| *date >= today)
}

/// The next day so many days behind Easter Sunday, `today` included.
pub(super) fn from_easter(today: NaiveDate, behind: i64) -> Option<NaiveDate> {
    (0..=1)
        .filter_map(|ahead| days(easter(today.year().checked_add(ahead)?)?, behind))
        .find(|date| *date >= today)
}

/// Easter Sunday of a year in the Gregorian calendar, by Gauss, as Lichtenberg completed it.
fn easter(year: i32) -> Option<NaiveDate> {
    let century = year / 100;
    let moon = 15 + (3 * century + 3) / 4 - (8 * century + 13) / 25;
    let sun = 2 - (3 * century + 3) / 4;
    let (cycle, phase) = (year % 19, (19 * (year % 19) + moon) % 30);
    let full = 21 + phase - (phase + cycle / 11) / 29;
    let sunday = 7 - (year + year / 4 + sun).rem_euclid(7);
    let ahead = 7 - (full - sunday).rem_euclid(7);
    days(
        NaiveDate::from_ymd_opt(year, 3, 1)?,
        i64::from(full + ahead) - 1,
    )
}

/// The next month in which `day` exists and is not past.
pub(super) fn day_of_month(today: NaiveDate, day: u32) -> Option<NaiveDate> {
    let first = today.with_day(1)?;
    (0..3)
        .filter_map(|ahead| months(first, ahead)?.with_day(day))
        .find(|date| *date >= today)
}

/// The next `day` of any month that is a `weekday`; a day of the month meets each weekday within a few years.
pub(super) fn weekday_on_day(today: NaiveDate, weekday: Weekday, day: u32) -> Option<NaiveDate> {
    let first = today.with_day(1)?;
    (0..60)
        .filter_map(|ahead| months(first, ahead)?.with_day(day))
        .find(|date| *date >= today && date.weekday() == weekday)
}

/// The `nth` (1..=5) `weekday` of the month that begins on `first`.
pub(super) fn nth_weekday(first: NaiveDate, nth: u8, weekday: Weekday) -> Option<NaiveDate> {
    NaiveDate::from_weekday_of_month_opt(first.year(), first.month(), weekday, nth)
}

/// A year as it was written, two digits meaning 1970 to 2069.
pub(super) fn full_year(value: u16, digits: u8) -> Option<i32> {
    match (digits, i32::from(value)) {
        (2, year @ 0..70) => Some(2000 + year),
        (2, year) => Some(1900 + year),
        (4, year @ 1900..2200) => Some(year),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    #[test]
    fn weeks_begin_on_monday() {
        let sunday = day(2026, 2, 8);
        assert_eq!(monday(sunday), Some(day(2026, 2, 2)));
        assert_eq!(weekday_of(sunday, 1, Weekday::Mon), Some(day(2026, 2, 9)));
        assert_eq!(weekday_after(sunday, Weekday::Sun), Some(day(2026, 2, 15)));
        assert_eq!(weekday_before(sunday, Weekday::Fri), Some(day(2026, 2, 6)));
    }

    #[test]
    fn the_next_day_that_fits() {
        let today = day(2026, 2, 8);
        assert_eq!(month_day(today, 2, 8), Some(today));
        assert_eq!(month_day(today, 2, 7), Some(day(2027, 2, 7)));
        assert_eq!(month_day(today, 2, 29), Some(day(2028, 2, 29)));
        assert_eq!(month_day(today, 2, 30), None);
        assert_eq!(day_of_month(day(2026, 2, 9), 31), Some(day(2026, 3, 31)));
        assert_eq!(
            weekday_on_day(today, Weekday::Fri, 13),
            Some(day(2026, 2, 13))
        );
    }

    #[test]
    fn periods_hold_whole_units() {
        let today = day(2024, 2, 10);
        assert_eq!(
            Unit::Month.period(today, 0),
            Some((day(2024, 2, 1), day(2024, 2, 29)))
        );
        assert_eq!(
            Unit::Week.period(today, 1),
            Some((day(2024, 2, 12), day(2024, 2, 18)))
        );
        assert_eq!(
            Unit::Year.period(today, -1),
            Some((day(2023, 1, 1), day(2023, 12, 31)))
        );
    }

    #[test]
    fn the_end_of_the_calendar_is_none() {
        assert_eq!(Unit::Week.shift(NaiveDate::MAX, 1), None);
        assert_eq!(weekday_after(NaiveDate::MAX, Weekday::Mon), None);
    }
}
