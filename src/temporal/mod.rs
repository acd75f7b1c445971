//! Dates in the user's words: which day, which words said so, and by which rule.
//!
//! Every date of the product comes from here. `today` is an argument; nothing in
//! this module reads a clock. Weeks begin on Monday. Words that only look like a
//! date, impossible dates and quoted text stay unread, so that titles keep them.

mod calendar;
#[cfg(test)]
mod checks;
mod due;
mod grammar;
mod lengths;
mod lexeme;
mod lexer;
mod listing;
mod moment;
mod remind;
mod scan;
mod table;
mod weekday_list;
mod words;

pub use due::{DueFault, DueRule};
pub use lengths::{counted_back, lengths_told};
pub use listing::{DAYS_ACCEPTED, days_listed, is_overdue, is_undated};
pub use remind::{RemindFault, exact_time, remind_at, while_told};
pub use scan::{
    days_hinted, days_pointed_at, is_short_weekday, leads_to_end, length, numbers_told,
    ordinal_day, parts_told, read, repetition, scan, tells_number, times_hinted, times_told,
    whiles_told,
};
pub use table::told_in;
pub use weekday_list::{times_counted, weekdays_listed};

use std::ops::Range;

use chrono::{Days, NaiveDate, NaiveTime, TimeDelta, Timelike, Weekday};

use crate::domain::Repeat;

/// A unit of calendar arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Days.
    Day,
    /// Seven days.
    Week,
    /// Calendar months; the day is clamped to the month's last.
    Month,
    /// Calendar years; 29 February is clamped to the 28th.
    Year,
}

/// By which rule a date was read. Written to the audit log; the caller may act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A full date: `2026-02-10`, `10 February 2026`, `2/10/2026`, "the 5th of last month".
    Absolute,
    /// A day and month without a year: the next such day, today included.
    MonthDay,
    /// "the 27th": the next such day of a month.
    DayOfMonth,
    /// today, tonight, tomorrow, yesterday, and what counts from a named day: "a week after tomorrow".
    Relative,
    /// "friday": the next one after today.
    Weekday,
    /// "next friday": that day of the next week; "this friday": of this week.
    WeekdayOf,
    /// "in two weeks", "3 days from now", "a week hence", "two days ago": counted from today.
    Offset {
        /// Number of units; negative is back.
        count: i32,
        /// Of what.
        unit: Unit,
    },
    /// "next week", "next month", "this weekend", "end of month": a stretch of days.
    Period {
        /// Its unit.
        unit: Unit,
        /// Number of periods from the present one: 0 this, 1 next, -1 last.
        ahead: i32,
    },
    /// "the friday after": counted from a day named earlier in the conversation. `Found::day`
    /// takes the coming such weekday for that day; a caller that knows better counts from there.
    Following(Weekday),
}

/// One date expression of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The tokens it was read from, prepositions that belong to it ("by", "on", "due") included.
    pub tokens: Range<usize>,
    /// The same without those prepositions.
    pub core: Range<usize>,
    /// The one day a due date would get: of a period to come the first ("next week" is its Monday),
    /// of the present one, and for "end of …", the last.
    pub day: NaiveDate,
    /// First and last day, for listings: equal for a single day.
    pub span: (NaiveDate, NaiveDate),
    /// By which rule.
    pub rule: Rule,
    /// Set when it describes a noun ("today's news"): a title keeps it, a listing filters by it.
    pub attributive: bool,
    /// Reach of the words before it.
    pub reach: Reach,
    /// Set behind an article, or what holds one: "the sunday", "am Mittwoch".
    pub definite: bool,
    /// Set where it says "next" or "following".
    pub next: bool,
}

impl Found {
    /// First and last day that a listing of what is due then shows.
    pub fn listed(&self, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let (first, last) = self.span;
        let last = match self.reach {
            Reach::Named => return self.span,
            Reach::From => return (first, OPEN_END),
            Reach::Before => first.pred_opt().unwrap_or(first),
            Reach::Through => last,
        };
        // "before today": what lies back, of a year.
        let first = match last < today {
            true => last.checked_sub_days(Days::new(365)).unwrap_or(last),
            false => today,
        };
        (first, last)
    }
}

/// The last day of a range that has no end: "from march 16".
pub const OPEN_END: NaiveDate = match NaiveDate::from_ymd_opt(9999, 12, 31) {
    Some(day) => day,
    None => NaiveDate::MAX,
};

/// Something about time that the product reads and can't keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unkept {
    /// A time of day: "at 5pm", "17:30", "noon".
    TimeOfDay,
    /// A part of the day, right behind a date and one phrase with it: "tomorrow *night*".
    PartOfDay,
    /// A repetition that no rule says: "twice a week", "hourly".
    Recurrence,
    /// A day that no month has: "february 30".
    NoDay,
    /// The end of a repetition that no day says: "every tuesday *until* easter".
    RepeatEnd,
}

/// Reach of the days that a date leads to in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The days that it names.
    Named,
    /// "before march": those until it begins.
    Before,
    /// "by march", "until friday": those until it ends.
    Through,
    /// "from march 16": those from its first on.
    From,
}

/// A repetition that a task can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundRepeat {
    /// The tokens it was read from, prepositions included.
    pub tokens: Range<usize>,
    /// Its rule.
    pub rule: Repeat,
    /// Set when the words also tell a part of the day, which a title keeps: "every morning".
    pub part_of_day: bool,
}

/// Side of a time to which a length of time leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// "an hour before", "10 minutes early".
    Earlier,
    /// "half an hour later".
    Later,
}

/// A length of time that is counted from another time than now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLength {
    /// The tokens it was read from.
    pub tokens: Range<usize>,
    /// Its seconds.
    pub seconds: u32,
    /// Side to which it leads, where the words tell.
    pub side: Option<Side>,
}

/// A time of day as words say it: "at 5" may be in the morning or in the afternoon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockTime {
    time: NaiveTime,
    /// Set where either half of the day may be meant.
    either: bool,
    /// Set where the end of the day is meant: "midnight".
    ends_day: bool,
}

/// Part of the day: the half of the day in which its hours are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayPart {
    /// One that tells no half: "lunchtime".
    Any,
    /// Before noon.
    Morning,
    /// From noon on: "afternoon", "evening".
    Evening,
    /// From the evening to the early morning.
    Night,
}

impl DayPart {
    /// Tells whether a time may be of it.
    pub fn holds(self, time: NaiveTime) -> bool {
        let hour = time.hour();
        match self {
            Self::Any => true,
            Self::Morning => hour < 12,
            Self::Evening => hour >= 12,
            Self::Night => !(5..17).contains(&hour),
        }
    }
}

/// The last minute of a day.
const LAST: NaiveTime = match NaiveTime::from_hms_opt(23, 59, 0) {
    Some(time) => time,
    None => NaiveTime::MIN,
};

impl ClockTime {
    /// Hours from 0 to 24 and minutes, as they are said without a half of the day.
    fn said(hour: u16, minute: u16) -> Option<Self> {
        Some(Self {
            time: NaiveTime::from_hms_opt(u32::from(hour) % 24, u32::from(minute), 0)?,
            either: (1..=12).contains(&hour),
            ends_day: false,
        })
    }

    /// Noon is hour 12, and midnight hour 0: of the day that is named it is the end.
    fn of_noon(hour: u8) -> Option<Self> {
        Some(Self {
            ends_day: hour == 0,
            ..Self::said(12, 0)?.in_half(hour)?
        })
    }

    /// The same in one half of the day: `hours` is 0 before noon and 12 from noon on.
    fn in_half(self, hours: u8) -> Option<Self> {
        let hour = self.time.hour() % 12 + u32::from(hours);
        Some(Self {
            time: self.time.with_hour(hour)?,
            either: false,
            ..self
        })
    }

    /// The same in the half of the day that a part of it tells.
    fn in_part(self, part: DayPart) -> Self {
        let halves = [0, 12].into_iter().filter_map(|hours| self.in_half(hours));
        let mut held = halves.filter(|half| self.either && part.holds(half.time));
        match (held.next(), held.next()) {
            (Some(half), None) => half,
            _ => self,
        }
    }

    /// Tells whether another says the same hour, and which half of the day is meant.
    fn is_told_by(self, other: Self) -> bool {
        self.either && !other.either && self.may_mean(other.time)
    }

    /// The same hour at another minute.
    fn at_minute(self, minute: u16) -> Option<Self> {
        let time = self.time.with_minute(minute.into())?;
        Some(Self { time, ..self })
    }

    /// So many minutes before, or after where they are less than none.
    fn earlier_by(self, minutes: i64) -> Self {
        let minutes = TimeDelta::minutes(minutes);
        let (time, _) = self.time.overflowing_sub_signed(minutes);
        Self { time, ..self }
    }

    /// The time that is meant where nothing says which half of the day: from one to six it is the
    /// afternoon's, and from seven on the morning's.
    pub fn likely(self) -> NaiveTime {
        if self.ends_day {
            return LAST;
        }
        let afternoon = self.either && (1..=6).contains(&self.time.hour());
        let later = if afternoon {
            TimeDelta::hours(12)
        } else {
            TimeDelta::zero()
        };
        self.time.overflowing_add_signed(later).0
    }

    /// The same in the half of the day in which it comes last before another.
    fn before(self, other: Self) -> Option<Self> {
        let halves = [12, 0].into_iter().filter_map(|hours| self.in_half(hours));
        let mut said = halves.filter(|half| self.either || half.time == self.time);
        said.find(|half| half.time < other.time)
    }

    /// Tells whether it is the end of a day that is named.
    pub const fn ends_day(self) -> bool {
        self.ends_day
    }

    /// Tells whether this may mean that time.
    pub fn may_mean(self, time: NaiveTime) -> bool {
        let hour = |time: NaiveTime| time.hour() % if self.either { 12 } else { 24 };
        let ends = self.ends_day && time == LAST;
        ends || (hour(self.time), self.time.minute()) == (hour(time), time.minute())
    }
}

/// The time of either half of the day that is nearer to another; of the night only what is near to it,
/// and of two at the same distance the one by day.
///
/// ```
/// use candor::{domain::parse_time_of_day, temporal::nearer_half};
/// let time = |text| parse_time_of_day(text).unwrap();
/// assert_eq!(nearer_half(time("19:15"), time("07:45")), time("07:15"));
/// assert_eq!(nearer_half(time("05:00"), time("09:00")), time("17:00"));
/// ```
pub fn nearer_half(time: NaiveTime, present: NaiveTime) -> NaiveTime {
    const NEAR: TimeDelta = TimeDelta::hours(3);
    let (other, _) = time.overflowing_add_signed(TimeDelta::hours(12));
    let far = |time: &NaiveTime| {
        let away = (*time - present).abs();
        let by_night = !(7..22).contains(&time.hour());
        (by_night && away > NEAR, away, by_night)
    };
    match far(&time) <= far(&other) {
        true => time,
        false => other,
    }
}

/// Everything about time in one text, left to right, without overlap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// The dates.
    pub dates: Vec<Found>,
    /// Expressions that can't be kept, with their tokens; they stay in the title.
    pub unkept: Vec<(Range<usize>, Unkept)>,
    /// Times of day among them that tell the hour, with their tokens.
    pub times: Vec<(Range<usize>, ClockTime)>,
    /// Whiles from now among them, with their tokens and their seconds.
    pub whiles: Vec<(Range<usize>, u32)>,
    /// Parts of the day, with the tokens whose hours are of them.
    pub parts: Vec<(Range<usize>, DayPart)>,
    /// Repetitions that a task can have.
    pub repeats: Vec<FoundRepeat>,
}

#[cfg(test)]
mod tests {
    use super::checks::{SUNDAY, day};
    use super::*;
    use crate::domain::Lang;
    use crate::domain::text::Text;

    #[test]
    fn a_day_that_no_month_has_is_told_as_one() {
        for (raw, lang, said) in [
            ("party on february 30", Lang::En, "february 30"),
            ("30 febrary party", Lang::En, "30 febrary"),
            ("Feier am 31. Februar", Lang::De, "31. Februar"),
            ("fiesta el 30 de febrero", Lang::Es, "30 de febrero"),
            ("rendez-vous le 31/4", Lang::Fr, "31/4"),
            ("dentist 2026-02-30", Lang::En, "2026-02-30"),
            ("dentist on 30/02/2026", Lang::En, "30/02/2026"),
            ("dentist on 2/30/26", Lang::En, "2/30/26"),
            ("Zahnarzt am 30.02.2026", Lang::De, "30.02.2026"),
            ("pay 31-Jun-2026", Lang::En, "31-Jun-2026"),
            ("pay on 31 June 2026", Lang::En, "31 June 2026"),
            ("pay due June 31, 2026", Lang::En, "June 31, 2026"),
        ] {
            let text = Text::new(raw);
            let scan = scan(&text, day(SUNDAY), lang);
            assert!(scan.dates.is_empty(), "{raw}");
            let [(tokens, Unkept::NoDay)] = scan.unkept.as_slice() else {
                panic!("{raw:?}: {scan:?}")
            };
            assert_eq!(text.slice(tokens.clone()), said);
        }
        for raw in [
            "february 29",
            "1/2 cup of milk",
            "open 24/7",
            "45/50",
            "fix tests 0/3",
            "31/31/2026",
            "version 2.30.26",
            "call 030-12-3456",
        ] {
            let scan = scan(&Text::new(raw), day(SUNDAY), Lang::En);
            let none = scan.unkept.iter().all(|(_, kind)| *kind != Unkept::NoDay);
            assert!(none, "{raw}");
        }
    }

    #[test]
    fn a_listing_ends_where_the_words_before_its_date_say() {
        for (raw, lang, from, to) in [
            ("due before march", Lang::En, SUNDAY, "2026-02-28"),
            ("due by friday", Lang::En, SUNDAY, "2026-02-13"),
            ("due in march", Lang::En, "2026-03-01", "2026-03-31"),
            ("due from march 16", Lang::En, "2026-03-16", "9999-12-31"),
            ("ab Freitag", Lang::De, "2026-02-13", "9999-12-31"),
            ("due before today", Lang::En, "2025-02-07", "2026-02-07"),
            ("entro venerdì", Lang::It, SUNDAY, "2026-02-13"),
            ("d'ici vendredi", Lang::Fr, SUNDAY, "2026-02-13"),
            ("fällig vor März", Lang::De, SUNDAY, "2026-02-28"),
            ("hace marzo", Lang::Es, "2026-03-01", "2026-03-31"),
            ("antes de marzo", Lang::Es, SUNDAY, "2026-02-28"),
            ("o que há para amanhã", Lang::Pt, "2026-02-09", "2026-02-09"),
        ] {
            let scan = scan(&Text::new(raw), day(SUNDAY), lang);
            let listed = scan.dates.first().map(|found| found.listed(day(SUNDAY)));
            assert_eq!(listed, Some((day(from), day(to))), "{raw}");
        }
    }
}
