//! Times of day in the words.

use std::ops::Range;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Hit, begins};
use super::target::Mention;
use super::values::BESIDE;
use super::words::Word;
use crate::domain::{TaskId, text::Text};
use crate::guard::talk::is_function_word;
use crate::temporal::{self, DayPart, FoundLength, Side, lengths_told, times_told, whiles_told};

/// Longest expression of a while, in tokens: "in 1 hour and 30 minutes".
const LONGEST_WHILE: usize = 6;
/// Difference that comes of when a model read the clock.
const ROUNDED: TimeDelta = TimeDelta::seconds(90);

/// Times of a task that words count from: "an hour before", "snooze it 10 minutes".
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::guard) struct KnownTimes {
    /// The day on which it is due.
    pub day: Option<NaiveDate>,
    /// The time of that day.
    pub time: Option<NaiveTime>,
    /// Time at which its reminder comes.
    pub reminder: Option<NaiveDateTime>,
}

/// Tells whether a time may be of the part of the day whose hours the words at a token are, if any.
fn in_part(parts: &[(Range<usize>, DayPart)], at: usize, time: NaiveTime) -> bool {
    let mut parts = parts.iter();
    parts.all(|(held, part)| !held.contains(&at) || part.holds(time))
}

impl Evidence<'_> {
    /// The clauses of the user's own in which this time of day is told, in any language, for what is
    /// named in these.
    pub fn time_at(&self, time: NaiveTime, of: &[usize]) -> Vec<usize> {
        let told = times_told(self.text, time).into_iter();
        let told = told.chain(self.loosely_told(time));
        let hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        let denied = |token: usize| {
            hits.clone().any(|hit| {
                (hit.end..hit.end + BESIDE).contains(&token)
                    && hit.cue == Cue::Negation
                    && self.denies_another_time(hit)
            })
        };
        let own = told.filter(|token| !self.is_foreign_at(*token) && !denied(*token));
        let mut at: Vec<usize> = own.filter_map(|token| self.clause_at(token)).collect();
        self.retain_own(&mut at, of);
        at.dedup();
        if at.is_empty() && self.offers_time(time) {
            return self.every_clause();
        }
        at
    }

    /// Tells whether a negation is of one of several times: "six, not half six".
    pub(super) fn denies_another_time(&self, negation: &Hit) -> bool {
        let times = &self.scan.times;
        let numbers = temporal::numbers_told(self.text, self.lang);
        let said = |at: usize| {
            let mut starts = numbers.iter().map(|(at, _)| *at);
            starts.any(|start| start == at) || times.iter().any(|(told, _)| told.start == at)
        };
        let mut behind = negation.end..negation.end + BESIDE;
        let clause = self
            .clause_at(negation.at)
            .and_then(|at| self.clauses.get(at));
        let mut before = clause.map_or(0..0, |clause| clause.tokens.start..negation.at);
        !times.is_empty() && behind.any(said) && before.any(said)
    }

    /// Tells whether the message takes up an offer of this time, and tells none itself: "Shall I add it
    /// at 7?", "yes".
    fn offers_time(&self, time: NaiveTime) -> bool {
        let offered = |offer: Text<'_>| !times_told(&offer, time).is_empty();
        let tells = || {
            let scan = &self.scan;
            !scan.times.is_empty() || temporal::tells_number(self.text, self.lang)
        };
        self.offer().is_some_and(offered) && !tells()
    }

    /// Words that tell a time in short: "1630", "@ 4", "4ish", "around ten", and a number right beside a
    /// day, as in "7 tomorrow". They support a time that is proposed, and tell none by themselves.
    fn loosely_told(&self, time: NaiveTime) -> Vec<usize> {
        let scan = &self.scan;
        let beside = |at: usize| {
            let mut dates = scan.dates.iter();
            let inside = scan.dates.iter().any(|date| date.tokens.contains(&at));
            !inside && dates.any(|date| date.tokens.start == at + 1 || date.tokens.end == at)
        };
        let hours = [time.hour(), time.hour() % 12, time.hour12().1];
        let parts = temporal::parts_told(self.text);
        let short = |at: &usize| {
            let word = self.text.word(*at);
            if word.len() == 4 && word == time.format("%H%M").to_string() {
                return true;
            }
            let about = word.strip_suffix("ish");
            let number = about.map_or(word, |number| number.trim_end_matches('-'));
            let marked = *at > 0 && self.text.word(*at - 1) == "@";
            let hour = number.parse().is_ok_and(|hour| hours.contains(&hour));
            let short = hour && (about.is_some() || marked || beside(*at));
            time.minute() == 0 && short && in_part(&parts, *at, time)
        };
        let mut told: Vec<usize> = (0..self.text.tokens.len()).filter(short).collect();
        let hinted = temporal::times_hinted(self.text).into_iter();
        let hinted = hinted
            .filter(|(tokens, said)| said.may_mean(time) && in_part(&parts, tokens.start, time));
        told.extend(hinted.map(|(tokens, _)| tokens.start));
        told
    }

    /// The last minute of the day, where the words mean that by midnight; else the time as it is.
    pub fn end_of_day_for(&self, time: NaiveTime) -> NaiveTime {
        let scan = &self.scan;
        let mut ends = scan.times.iter().filter(|(_, said)| said.ends_day());
        match ends.next() {
            Some((_, said)) if time == NaiveTime::MIN => said.likely(),
            _ => time,
        }
    }

    /// The clauses of the user's own in which a number alone may be the hour of this time: "change
    /// it to 6", of a task that has a time.
    pub fn hour_at(&self, time: NaiveTime) -> Vec<usize> {
        let scan = &self.scan;
        let dated = |at: usize| scan.dates.iter().any(|date| date.core.contains(&at));
        let hour = |at: &usize| {
            let said = self.number(*at).and_then(|said| u32::try_from(said).ok());
            let hours = [time.hour(), time.hour() % 12, time.hour12().1];
            time.minute() == 0 && said.is_some_and(|said| hours.contains(&said))
        };
        let tokens = (0..self.text.tokens.len()).filter(hour);
        let parts = temporal::parts_told(self.text);
        let own = tokens
            .filter(|at| !dated(*at) && !self.is_foreign_at(*at) && in_part(&parts, *at, time));
        let own: Vec<usize> = own.collect();
        self.clauses_of(&own)
    }

    /// Tells whether a time that these clauses tell is of the half of the day that is further from
    /// another time, and the nearer half may be meant as well: "make that 7:15", of what is at 07:45.
    pub fn is_far_half(&self, time: NaiveTime, from: NaiveTime, of: &[usize]) -> bool {
        let (other, _) = time.overflowing_add_signed(TimeDelta::hours(12));
        let told = !self.time_at(other, of).is_empty() || !self.hour_at(other).is_empty();
        told && temporal::nearer_half(time, from) != time
    }

    /// The one time of day that is told in these clauses, outside of the words of a title.
    pub fn only_time(&self, at: &[usize], title: &[usize]) -> Option<NaiveTime> {
        let scan = &self.scan;
        let mut told = scan.times.iter().filter(|(tokens, _)| {
            let clause = self.clause_at(tokens.start);
            let own = clause.is_some_and(|clause| at.contains(&clause));
            own && !self.is_foreign_at(tokens.start)
                && !tokens.clone().any(|at| title.contains(&at))
        });
        let only = told.next().filter(|_| told.next().is_none())?;
        Some(only.1.likely())
    }

    /// The clauses that move a time by so much, to the side that they tell: "half an hour later". Where
    /// they tell none, they order a move: "push it back an hour".
    pub fn moved_at(&self, by: TimeDelta, of: &[usize]) -> Vec<usize> {
        let side = if by < TimeDelta::zero() {
            Side::Earlier
        } else {
            Side::Later
        };
        let moves = |found: &FoundLength| {
            let at = self.clause_at(found.tokens.start);
            let orders = || {
                at.and_then(|at| self.clauses.get(at))
                    .is_some_and(Clause::orders)
            };
            found.side.map_or_else(orders, |told| told == side)
        };
        let told = self.lengths_of_time(by.abs()).into_iter().filter(moves);
        let mut at: Vec<usize> = told
            .filter_map(|found| self.clause_at(found.tokens.start))
            .collect();
        self.retain_own(&mut at, of);
        at.dedup();
        at
    }

    /// Lengths of just so much time in the user's own words.
    fn lengths_of_time(&self, span: TimeDelta) -> Vec<FoundLength> {
        let mut told = lengths_told(self.text);
        told.retain(|found| {
            TimeDelta::seconds(found.seconds.into()) == span
                && !self.is_foreign_at(found.tokens.start)
        });
        told
    }

    /// The clauses that count a reminder from a known time: "10 minutes before", "the day before at 9",
    /// "snooze it an hour".
    pub fn counted_reminder(&self, at: NaiveDateTime, known: &KnownTimes) -> Vec<usize> {
        let mut found = Vec::new();
        let before = |span: TimeDelta| {
            let told = self.lengths_of_time(span).into_iter();
            let told = told.filter(|found| found.side == Some(Side::Earlier));
            told.filter_map(|found| self.clause_at(found.tokens.start))
        };
        if let Some((day, time)) = known.day.zip(known.time) {
            found.extend(before(day.and_time(time) - at));
        }
        let timed = self.time_at(at.time(), &[]);
        if let Some(day) = known.day
            && !timed.is_empty()
        {
            found.extend(before(day - at.date()));
            if !found.is_empty() {
                found.extend(timed);
            }
        }
        if let Some(reminder) = known.reminder {
            found.extend(self.moved_at(at - reminder, &[]));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The one length of time before a known time that these words tell.
    pub fn only_length_before(&self) -> Option<TimeDelta> {
        let mut told = lengths_told(self.text);
        told.retain(|found| {
            found.side == Some(Side::Earlier) && !self.is_foreign_at(found.tokens.start)
        });
        let only = told.pop().filter(|_| told.is_empty())?;
        Some(TimeDelta::seconds(only.seconds.into()))
    }

    /// Tells whether a length of time stands right behind a word for reminding: "remind me 10 minutes
    /// before" asks for no new task.
    pub fn reminds_by_length(&self) -> bool {
        /// "remind me", "rappelle-moi".
        const LONGEST: usize = 4;
        lengths_told(self.text).iter().any(|found| {
            let mut before = found.tokens.start.saturating_sub(LONGEST)..found.tokens.start;
            before.any(|at| begins(Cue::Remind, self.text, at))
        })
    }

    /// Tells whether the words name a task only where they ask to be reminded of it.
    pub fn only_reminds(&self, task: TaskId) -> bool {
        let mut mentions = self.mentions.iter().filter(|mention| mention.task == task);
        mentions.any(|mention| {
            let first = mention.tokens.first().copied().unwrap_or_default();
            let clause = self.clause_at(first).and_then(|at| self.clauses.get(at));
            clause.is_some_and(|clause| self.only_reminds_of(clause, mention))
        })
    }

    /// Tells whether a clause speaks of reminding, of a task and when, and of nothing else: "remind me
    /// about mom tomorrow at 6".
    pub(super) fn only_reminds_of(&self, clause: &Clause, mention: &Mention) -> bool {
        let scan = &self.scan;
        let lengths = lengths_told(self.text);
        let timed = |token: usize| {
            let mut dates = scan.dates.iter();
            let mut times = scan.unkept.iter();
            let mut lengths = lengths.iter();
            dates.any(|found| found.core.contains(&token))
                || times.any(|(tokens, _)| tokens.contains(&token))
                || lengths.any(|found| found.tokens.contains(&token))
        };
        let cued = |token: usize| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.tells() && hit.covers(token))
        };
        let more = |word: &Word| {
            let token = word.token;
            clause.tokens.contains(&token)
                && !mention.tokens.contains(&token)
                && !(timed(token) || cued(token) || is_function_word(&word.said))
        };
        let mut tokens = clause.tokens.clone();
        tokens.any(|token| begins(Cue::Remind, self.text, token)) && !self.words.iter().any(more)
    }

    /// Tells whether the words said last spoke of reminding.
    pub fn was_about_reminding(&self) -> bool {
        self.carried.shown.iter().any(|line| {
            let text = Text::new(line);
            (0..text.tokens.len()).any(|at| begins(Cue::Remind, &text, at))
        })
    }

    /// Tells whether the words tell when somebody is to be reminded: the time of day and the day, the
    /// while until then, or how long before a known time.
    pub fn tells_when(
        &self,
        at: DateTime<Utc>,
        (now, zone): (DateTime<Utc>, Tz),
        known: &KnownTimes,
    ) -> bool {
        let local = at.with_timezone(&zone).naive_local();
        let left = at - now;
        // "move the reminder to 9", of one that waits
        let hour = || known.reminder.is_some() && !self.hour_at(local.time()).is_empty();
        let timed = local.second() == 0 && (!self.time_at(local.time(), &[]).is_empty() || hour());
        let all = self.every_clause();
        let days = self.days(None, &all, None);
        let waits = known.reminder.map(|reminder| reminder.date());
        let on = Some(local.date());
        let near = left <= TimeDelta::days(1) || known.day == on || waits == on;
        if timed && (near && !days.said || days.supporting(local.date()).is_some()) {
            return true;
        }
        if !self.counted_reminder(local, known).is_empty() || self.leaves_the_hour(local, known) {
            return true;
        }
        let tokens = 0..self.text.tokens.len();
        tokens.clone().any(|start| {
            let ends = start + 1..=(start + LONGEST_WHILE).min(tokens.end);
            !self.is_foreign_at(start)
                && ends.into_iter().any(|end| {
                    let said = temporal::exact_time(self.text.slice(start..end), now, zone);
                    said.is_some_and(|said| (said - at).abs() <= ROUNDED)
                })
        }) || (self.whiles().iter()).any(|(_, said)| (left - *said).abs() <= ROUNDED)
    }

    /// Tells whether the words tell the day of a reminder alone, or a part of that day, and leave the hour
    /// to whoever sets it: "remind me on wednesday", "the evening before".
    fn leaves_the_hour(&self, at: NaiveDateTime, known: &KnownTimes) -> bool {
        /// Hours at which nobody is woken.
        const DAYTIME: Range<u32> = 7..22;
        let scan = &self.scan;
        // "45 minutes before" tells it.
        let hours =
            |found: &FoundLength| TimeDelta::seconds(found.seconds.into()) < TimeDelta::days(1);
        let counted = lengths_told(self.text).iter().any(hours);
        let timed = counted || !scan.times.is_empty() || !self.whiles().is_empty();
        let parts = temporal::parts_told(self.text);
        let fits = |(_, part): &(_, DayPart)| part.holds(at.time());
        let days = self.days(None, &self.every_clause(), None);
        let before = |day: NaiveDate| {
            let mut told = self.lengths_of_time(day - at.date()).into_iter();
            at.date() < day && told.any(|found| found.side == Some(Side::Earlier))
        };
        !timed
            && DAYTIME.contains(&at.hour())
            && parts.iter().all(fits)
            && (days.supporting(at.date()).is_some() || known.day.is_some_and(before))
    }

    /// The seconds of the one while from now that is told in these clauses, outside of the words of a
    /// title.
    pub fn only_while(&self, at: &[usize], title: &[usize]) -> Option<TimeDelta> {
        let mut told = self.whiles();
        told.retain(|(tokens, _)| {
            let clause = self.clause_at(tokens.start);
            let own = clause.is_some_and(|clause| at.contains(&clause));
            own && !tokens.clone().any(|at| title.contains(&at))
        });
        let only = told.pop().filter(|_| told.is_empty())?;
        Some(only.1)
    }

    /// Whiles from now that the user's own words tell, in any language.
    fn whiles(&self) -> Vec<(Range<usize>, TimeDelta)> {
        let told = whiles_told(self.text).into_iter();
        let own = told.filter(|(tokens, _)| !self.is_foreign_at(tokens.start));
        own.map(|(tokens, seconds)| (tokens, TimeDelta::seconds(seconds.into())))
            .collect()
    }
}
