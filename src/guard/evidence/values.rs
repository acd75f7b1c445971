//! Values of a proposal against the words: titles, notes, days and priorities.

use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins};
use super::titles::stands;
use super::words::content;
use crate::domain::{Lang, Priority, Task, TaskId, text::Text};
use crate::guard::language::strange_to;
use crate::guard::talk::is_function_word;
use crate::temporal::{self, Rule};

/// Tokens between a negation and the day that it denies alone: "not the 14th".
pub(super) const BESIDE: usize = 2;
/// Tokens between a negation and the day that it takes from a task: "isn't due on thursday".
pub(super) const OF_A_TASK: usize = 4;

/// Places of the words of a text in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::guard) enum Found {
    /// In their order, at these tokens.
    InOrder(Vec<usize>),
    /// All of them, in another order.
    Scattered(Vec<usize>),
    /// Not all of them.
    Missing,
}

/// The days that words can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::guard) struct Days {
    /// With the clauses in which they stand.
    days: Vec<(NaiveDate, Option<usize>)>,
    /// Set when one is said, rather than counted.
    pub said: bool,
    /// Days that the words may mean as well, and may not.
    doubtful: Vec<NaiveDate>,
}

impl Days {
    /// The days, in order.
    pub fn all(&self) -> Vec<NaiveDate> {
        let mut days: Vec<NaiveDate> = self.days.iter().map(|(day, _)| *day).collect();
        days.dedup();
        days
    }

    /// Tells whether the words may mean this day, and may as well mean another.
    pub fn is_doubtful(&self, day: NaiveDate) -> bool {
        self.doubtful.contains(&day)
    }

    /// The clauses that support a day; `None` where none does.
    pub fn supporting(&self, day: NaiveDate) -> Option<Vec<usize>> {
        let of = self.days.iter().filter(|(known, _)| *known == day);
        let found: Vec<Option<usize>> = of.map(|(_, at)| *at).collect();
        (!found.is_empty()).then(|| found.into_iter().flatten().collect())
    }
}

impl Evidence<'_> {
    /// Days that some span of the words can mean for what is named in these clauses: a day that
    /// stands there goes before those of other clauses, and the days of a new title are none.
    pub fn days(&self, task: Option<&Task>, at: &[usize], title: Option<&str>) -> Days {
        let own = title.map(content).unwrap_or_default();
        let titled = |token: usize| {
            let mut words = self.words.iter().filter(|word| word.token == token);
            words.any(|word| own.iter().any(|own| word.is_form_of(own)))
        };
        // "rename it to yoga thursday, due thursday": a day that stands apart is no word of the title.
        let apart = |core: &Range<usize>| {
            let filler = |token: &usize| is_function_word(self.text.word(*token));
            let before = (0..core.start).rev().find(|token| !filler(token));
            let behind = (core.end..self.text.tokens.len()).find(|token| !filler(token));
            own.len() > core.len() && !before.into_iter().chain(behind).any(titled)
        };
        let naming = task.map(|task| self.clauses_of(&self.named_at(task.id)));
        let naming = naming.unwrap_or_default();
        let dates = &self.scan.dates;
        let here = |token: usize| self.clause_at(token).filter(|clause| at.contains(clause));
        let dated = dates.iter().any(|date| here(date.core.start).is_some());
        let elsewhere = |token: usize| {
            let other =
                |clause| self.orders_for_itself(clause) || dated && self.begins_anew(clause, at);
            let clause = self.clause_at(token).filter(|clause| !at.contains(clause));
            clause.is_some_and(other)
                || task.is_some_and(|task| self.is_neighbours_day(task, token))
        };
        let (mut found, mut repeats) = (Vec::new(), Vec::new());
        for lang in self.lang.first() {
            let scan = temporal::scan(self.text, self.today, lang);
            if repeats.is_empty() {
                repeats = self.own_repeats(scan.repeats);
            }
            found.extend(scan.dates.iter().filter_map(|date| {
                let clause = self.clause_at(date.core.start)?;
                // "do at 5" is no Thursday but in German.
                let other = ![self.lang, Lang::En].contains(&lang) && date.core.len() == 1;
                let short =
                    other && temporal::is_short_weekday(self.text.word(date.core.start), lang);
                let none = short
                    || self.is_foreign_at(date.core.start)
                    || self.clauses.get(clause).is_some_and(Clause::is_reason)
                    || elsewhere(date.core.start)
                    || self.tells_of_another(clause, &naming)
                    || date.core.clone().all(titled) && !apart(&date.core);
                (!none).then_some((clause, date.day, date.span))
            }));
        }
        // "tuesday, not today": the day that is denied is none, where another is said.
        let denied = |(_, day, _): &(usize, NaiveDate, _)| self.is_denied_day(*day);
        if found.iter().any(|found| !denied(found)) {
            found.retain(|found| !denied(found));
        }
        // "push it to the 17th, on the 16th I'm in Rome"
        let ordered = at
            .iter()
            .filter_map(|at| self.clauses.get(*at))
            .any(Clause::orders);
        if ordered {
            found.retain(|(clause, ..)| {
                let told = self.clauses.get(*clause);
                self.names_any(*clause) || !told.is_some_and(Clause::tells_of_somebody)
            });
        }
        let corrects = |clause: usize| {
            let mut before = self.clauses.iter().take(clause + 1).skip(1);
            before.any(Clause::corrects)
        };
        let beside = found.iter().any(|(clause, ..)| at.contains(clause));
        let said = !found.is_empty() && !self.is_unread();
        let mut days = Vec::new();
        for (clause, day, (first, last)) in found {
            // A new task's day stands beside it; what else is said of a task may follow later.
            let apart = task.is_none() || self.names_any(clause);
            if beside && !at.contains(&clause) && apart && !corrects(clause) {
                continue;
            }
            let at = Some(clause);
            days.push((day, at));
            let span = first.iter_days().take(32).take_while(|day| *day <= last);
            let span = span.map(|day| (day, at));
            // "Thursday this week", "this weekend", on a Sunday.
            let short = (last - first).num_days() < 2;
            if first < self.today && short && !self.is_past_at(clause) {
                let week = chrono::Days::new(7);
                let next = span.clone();
                days.extend(next.filter_map(|(day, at)| Some((day.checked_add_days(week)?, at))));
            }
            days.extend(span);
        }
        let named: Vec<NaiveDate> = days.iter().map(|(day, _)| *day).collect();
        days.extend(self.counted(task, &named, said));
        let bare = self.bare_days(task, &named, elsewhere);
        let mut told = named.iter().chain(bare.iter().map(|(day, _)| day));
        let other = told.any(|day| !self.is_denied_day(*day));
        days.extend(bare);
        let hinted = temporal::days_hinted(self.text, self.today, self.lang).into_iter();
        // "das ist so üblich" is no Sunday, nor is "in the sun"; "i sat there" is no Saturday.
        let spoken = |at: usize| {
            let next = self.text.word(at + 1).starts_with(char::is_alphabetic);
            let of = |cue: Cue, at: usize| {
                let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
                hits.any(|hit| hit.cue == cue && hit.covers(at))
            };
            let before = at.checked_sub(1);
            next && is_function_word(self.text.word(at))
                || before.is_some_and(|at| of(Cue::Me, at) || of(Cue::Determiner, at))
                || of(Cue::Determiner, at + 1)
        };
        let hinted =
            hinted.filter(|(at, _)| !self.is_foreign_at(*at) && !elsewhere(*at) && !spoken(*at));
        days.extend(hinted.map(|(at, day)| (day, self.clause_at(at))));
        days.extend(self.last_weekdays());
        days.extend(self.weekdays_around());
        days.extend(self.days_of_repeats(task, repeats));
        days.extend(self.days_before());
        days.extend(self.days_of_turn_before());
        let doubtful = task.map(|task| self.count_from_own_day(task, &mut days));
        let mut doubtful = doubtful.unwrap_or_default();
        let counts = self.days_of_counts();
        let counted = days.iter().map(|(day, _)| *day);
        doubtful.extend(counted.filter(|day| counts.contains(&day.day()) && !named.contains(day)));
        // "no, the essay": where no day is said, the one that was asked about stands.
        let asked = self.carried.asked_days.iter().filter(|_| !said);
        days.extend(asked.map(|day| (*day, None)));
        if !said && let Some(offered) = self.offered_days() {
            return offered;
        }
        // "add milk" below a question is an order of its own.
        let new = ordered && task.is_none();
        if days.is_empty() && !new {
            let answered = self.of_answered(|answered| {
                let all = answered.every_clause();
                answered.days(task, &all, title)
            });
            if let Some(answered) = answered {
                return answered;
            }
        }
        // "le 19, pas le 20"
        days.retain(|(day, _)| !(other && self.is_denied_day(*day)));
        days.sort_unstable();
        days.dedup();
        Days {
            days,
            said,
            doubtful,
        }
    }

    /// The offer that the message takes up.
    pub(super) fn offer(&self) -> Option<Text<'_>> {
        let said = self.carried.accepted?;
        Some(Text::new(last_question(said)))
    }

    /// The days of an offer that the message takes up: "Shall I move it to Wednesday?".
    fn offered_days(&self) -> Option<Days> {
        let text = self.offer()?;
        let scan = temporal::scan(&text, self.today, self.lang);
        let days: Vec<_> = scan.dates.iter().map(|found| (found.day, None)).collect();
        (!days.is_empty()).then_some(Days {
            days,
            said: true,
            doubtful: Vec::new(),
        })
    }

    /// Tells whether a clause says of a day that it is over: "last Friday".
    fn is_past_at(&self, at: usize) -> bool {
        self.clauses.get(at).is_some_and(|clause| {
            let mut tokens = clause.tokens.clone();
            tokens.any(|at| begins(Cue::Over, self.text, at))
        })
    }

    /// Keeps the clauses whose time or repetition may be that of what is named in these: none that
    /// orders something of another. `of`: empty where nobody knows where it is named.
    pub(super) fn retain_own(&self, found: &mut Vec<usize>, of: &[usize]) {
        if !of.is_empty() {
            found.retain(|clause| of.contains(clause) || !self.orders_for_itself(*clause));
        }
    }

    /// Tells whether a clause tells of another task than is named in these, which tell something of their
    /// own: "dentist is friday, the meeting I don't know".
    fn tells_of_another(&self, place: usize, at: &[usize]) -> bool {
        let levels = [
            Cue::High,
            Cue::Medium,
            Cue::Low,
            Cue::Condition,
            Cue::Negation,
            Cue::Retract,
            Cue::Wish,
        ];
        let tells = |at: &usize| {
            let level = self
                .clauses
                .get(*at)
                .is_some_and(|clause| levels.iter().any(|cue| clause.has(*cue)));
            self.names_any(*at) && (level || self.tells_more(*at))
        };
        !at.contains(&place) && self.names_any(place) && !at.is_empty() && at.iter().all(tells)
    }

    /// "on the last friday": of the month, where no Friday past is meant.
    fn last_weekdays(&self) -> Vec<(NaiveDate, Option<usize>)> {
        let scan = &self.scan;
        let past = scan.dates.iter().filter(|found| {
            let over = found.rule == Rule::WeekdayOf && found.day < self.today;
            over && !self.is_foreign_at(found.core.start)
        });
        past.filter_map(|found| {
            let month = self.today.with_day(1)?;
            let mut ends = [1, 2].into_iter().filter_map(|ahead| {
                let after = month.checked_add_months(chrono::Months::new(ahead))?;
                let back = after.pred_opt()?.weekday().days_since(found.day.weekday());
                after.checked_sub_days(chrono::Days::new(u64::from(back) + 1))
            });
            let day = ends.find(|day| *day >= self.today)?;
            Some((day, self.clause_at(found.core.start)))
        })
        .collect()
    }

    /// Tells whether a negation is of one of several days or times: "tuesday, not today".
    pub(super) fn denies_another_day(&self, negation: &Hit) -> bool {
        let scan = &self.scan;
        let mut dates = scan.dates.iter();
        let denied = |day: NaiveDate| self.denies_day(negation, day, BESIDE);
        let day = dates.any(|found| denied(found.day))
            && scan
                .dates
                .iter()
                .any(|found| !self.is_denied_day(found.day));
        day || self.denies_another_time(negation)
    }

    /// Tells whether a negation stands right before a day.
    fn is_denied_day(&self, day: NaiveDate) -> bool {
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        hits.any(|hit| hit.cue == Cue::Negation && self.denies_day(hit, day, BESIDE))
    }

    /// Tells whether a negation is of a day that begins within so many tokens of it: "not the
    /// 14th", "isn't due thursday any more". In Roman Urdu it stands behind the day.
    pub(super) fn denies_day(&self, negation: &Hit, day: NaiveDate, reach: usize) -> bool {
        let mut behind = match self.lang {
            Lang::Ur => negation.at.saturating_sub(BESIDE)..negation.at,
            _ => negation.end..negation.end + reach,
        };
        let scan = &self.scan;
        let mut dates = scan.dates.iter();
        let named = dates.any(|found| {
            behind.contains(&found.core.start) && found.span.0 <= day && day <= found.span.1
        });
        named || behind.any(|at| self.day_number(at) == Some(day.day()))
    }

    /// Days counted from the task's own day, or from another's that the words name.
    fn counted(
        &self,
        task: Option<&Task>,
        named: &[NaiveDate],
        said: bool,
    ) -> Vec<(NaiveDate, Option<usize>)> {
        let mentioned = self.mentions.iter().map(|mention| mention.task);
        let spoken = mentioned.chain(self.focus.iter().copied());
        let tasks = spoken.filter_map(|id| self.tasks.get(id)).chain(task);
        let mut bases: Vec<NaiveDate> = tasks.filter_map(|task| task.due_date).collect();
        bases.extend(self.carried.day());
        let own_bases = bases.clone();
        bases.extend(named);
        bases.extend(self.days_said_before());
        // "same day as the dentist": where a day is said, only that one counts.
        let joins = |carry: &Hit, clause: &Clause| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.cue == Cue::And && (hit.at, hit.end) == (carry.at, carry.end))
        };
        let carries = |clause: &Clause| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| hit.cue == Cue::Carry && !joins(hit, clause))
        };
        let same = !said || self.clauses.iter().any(carries);
        let own = own_bases.iter().filter(|_| same);
        let mut days: Vec<_> = own.map(|base| (*base, None)).collect();
        for (span, at) in self.lengths() {
            let span = chrono::Days::new(span);
            let both = bases
                .iter()
                .flat_map(|base| [base.checked_add_days(span), base.checked_sub_days(span)]);
            let ahead = self.today.checked_add_days(span);
            days.extend(both.chain([ahead]).flatten().map(|day| (day, at)));
        }
        days
    }

    /// The lengths of time that the words name, in days.
    fn lengths(&self) -> Vec<(u64, Option<usize>)> {
        let mut found = Vec::new();
        // "do" is two in Roman Urdu, and no number in an English message.
        let strange = strange_to(self.text, &[]);
        let langs = self.lang.first().into_iter();
        let langs: Vec<Lang> = langs.filter(|lang| !strange.has(*lang)).collect();
        for (at, clause) in self.clauses.iter().enumerate() {
            // "the day before", "a week after the exam".
            let bounds = clause
                .hits
                .iter()
                .filter(|hit| matches!(hit.cue, Cue::After | Cue::Before));
            for hit in bounds {
                let word = self.text.word(hit.at.saturating_sub(1));
                let one = format!("1 {word}");
                let length = langs.iter().find_map(|lang| temporal::length(&one, *lang));
                found.extend(length.map(|(_, unit)| (in_days(1, unit), Some(at))));
            }
        }
        for (at, clause) in self.clauses.iter().enumerate() {
            if clause.has(Cue::NextDay) {
                found.push((1, Some(at)));
            }
        }
        let said = lengths_in(self.text, &langs).into_iter();
        found.extend(said.map(|(days, start)| (days, self.clause_at(start))));
        // "the budget one, same treatment": so far as the one before it.
        if let Some(before) = self.carried.said_before()
            && self.clauses.iter().any(|clause| clause.has(Cue::Carry))
        {
            let before = lengths_in(&Text::new(before), &langs).into_iter();
            found.extend(before.map(|(days, _)| (days, None)));
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(12);
        found
    }

    /// The clauses that speak of a priority, for what is named in these: what another order says of
    /// its own task counts for nothing.
    pub fn priority_at(&self, priority: Priority, at: &[usize]) -> Vec<usize> {
        let cue = match priority {
            Priority::High => Cue::High,
            Priority::Medium => Cue::Medium,
            Priority::Low => Cue::Low,
        };
        let clauses = self.clauses.iter().enumerate();
        let carries = self.carries(at);
        let has = clauses.filter(|(place, clause)| {
            let other = clause.has(Cue::Low) || clause.has(Cue::Medium);
            // "set the priority to low"
            let bare = |hit: &Hit| {
                cue == Cue::High
                    && other
                    && self
                        .text
                        .slice(hit.at..hit.end)
                        .eq_ignore_ascii_case("priority")
            };
            // "no longer urgent" is any level below.
            let denied = |hit: &Hit| match hit.cue {
                Cue::High => clause.is_denied_at(hit.at),
                Cue::Low => begins(Cue::Denial, self.text, hit.at),
                _ => false,
            };
            let said = |hit: &Hit| {
                hit.cue == cue && !clause.is_denied_at(hit.at) && !bare(hit)
                    || cue != Cue::High && denied(hit)
            };
            let before = carries && at.iter().all(|at| place < at);
            let other = self.orders_for_itself(*place) || self.tells_of_another(*place, at);
            let own = at.contains(place) || before || !other;
            !clause.is_foreign() && own && clause.hits.iter().any(said)
        });
        let found: Vec<usize> = has.map(|(at, _)| at).collect();
        if found.is_empty() && carries && self.carried.priority() == Some(priority) {
            return at.to_vec();
        }
        found
    }

    /// Tells whether the words name a priority.
    pub fn names_priority(&self, priority: Priority) -> bool {
        let all = self.every_clause();
        !self.priority_at(priority, &all).is_empty()
    }

    /// The clauses that take such a value, a day or a time, away from what these name.
    pub fn clearing_at(&self, at: &[usize], value: Cue) -> Vec<usize> {
        let clauses = self.clauses.iter().enumerate();
        let has = clauses.filter(|(_, clause)| !clause.is_foreign() && clause.has(Cue::Clearing));
        let mut found: Vec<usize> = has.map(|(at, _)| at).collect();
        if found.is_empty() {
            found = self.takes_off(value);
        }
        if found.is_empty() && self.carried.cleared() && self.carries(at) {
            return at.to_vec();
        }
        found
    }

    /// The clauses in which the user's own words speak of reminding; what stands in a title ("remind
    /// Bob about the rent") or in quotes does not. `asked`: they ask for it, and do not deny it.
    pub fn reminding_at(&self, title: &[usize], asked: bool) -> Vec<usize> {
        let quoted = |at: usize| self.text.tokens.get(at).is_some_and(|token| token.quoted);
        let clauses = self.clauses.iter().enumerate();
        let says = clauses.filter(|(_, clause)| {
            // "don't remind me", "stop reminding me" order that it ends.
            let ends = |at: usize| {
                let mut hits = clause.hits.iter();
                let ended =
                    |cue: Cue| matches!(cue, Cue::Order(Deed::Delete) | Cue::Told(Deed::Delete));
                hits.any(|hit| ended(hit.cue) && hit.covers(at))
            };
            // "ohne Erinnerung", "sans aucun rappel"; a "no" of its own says nothing of what follows.
            let lacks = |at: usize| {
                let word = |at: &usize| self.words.iter().any(|word| word.token == *at);
                let before = at.checked_sub(1);
                let two = before.filter(word).and_then(|at| at.checked_sub(1));
                let mut near = before.into_iter().chain(two);
                near.any(|at| {
                    let mut hits = clause.hits.iter();
                    begins(Cue::Denial, self.text, at)
                        && !hits.any(|hit| {
                            hit.covers(at) && matches!(hit.cue, Cue::Order(_) | Cue::Correct)
                        })
                })
            };
            let denied = |at: usize| asked && (clause.is_denied_at(at) || ends(at) || lacks(at));
            let own = |at: &usize| !title.contains(at) && !quoted(*at) && !denied(*at);
            let mut tokens = clause.tokens.clone().filter(own);
            !clause.is_foreign() && tokens.any(|at| begins(Cue::Remind, self.text, at))
        });
        says.map(|(at, _)| at).collect()
    }

    /// Tells whether words that order a deletion speak of a reminder in the same breath.
    pub fn deletes_a_reminder(&self, task: TaskId) -> bool {
        let reminding = self.reminding_at(&self.named_at(task), false);
        let clauses = reminding.iter().filter_map(|at| self.clauses.get(*at));
        let ends = [Cue::Order(Deed::Delete), Cue::Told(Deed::Delete)];
        clauses
            .into_iter()
            .any(|clause| ends.iter().any(|cue| clause.has(*cue)))
    }

    /// The clauses in which a note stands as it was said: its words in their order.
    pub fn noted_at(&self, note: &str) -> Vec<usize> {
        match stands(note, &self.words) {
            Found::InOrder(run) => {
                let mut at = self.clauses_of(&run);
                at.retain(|at| self.clauses.get(*at).is_some_and(|c| !c.is_foreign()));
                at
            }
            Found::Scattered(_) | Found::Missing => Vec::new(),
        }
    }

    /// The day that stands beside a title and in none of its words, where there is one alone, and the
    /// clause in which it does.
    pub fn only_day(&self, title: &[usize]) -> Option<(NaiveDate, Range<usize>)> {
        let scan = &self.scan;
        let at = self.clauses_of(title);
        let beside = scan.dates.iter().filter(|found| {
            let clause = self.clause_at(found.core.start);
            clause.is_some_and(|clause| at.contains(&clause))
        });
        let mut beside = beside.filter(|found| found.span.0 == found.span.1 && !found.attributive);
        let only = beside.next().filter(|_| beside.next().is_none())?;
        // "har peer ko gym jana 1 march tak": the last day of what repeats
        if self.ends_a_repeat(&only.tokens) {
            return None;
        }
        let within = title.iter().any(|token| only.core.contains(token));
        let clause = self
            .clause_at(only.core.start)
            .and_then(|at| self.clauses.get(at))?;
        (!within).then_some((only.day, clause.tokens.clone()))
    }
}

/// The lengths of time in a text, in days, with the tokens at which they begin.
fn lengths_in(text: &Text<'_>, langs: &[Lang]) -> Vec<(u64, usize)> {
    let mut found = Vec::new();
    for start in 0..text.tokens.len() {
        for length in 1..=3 {
            let end = (start + length).min(text.tokens.len());
            // "five extra days"
            let between =
                (length == 3).then(|| format!("{} {}", text.word(start), text.word(start + 2)));
            let phrases = [Some(text.slice(start..end)), between.as_deref()];
            let lengths = phrases.into_iter().flatten().flat_map(|phrase| {
                let langs = langs.iter();
                langs.filter_map(move |lang| temporal::length(phrase, *lang))
            });
            found.extend(
                lengths
                    .map(|(count, unit)| (in_days(u64::from(count.unsigned_abs()), unit), start)),
            );
        }
    }
    found
}

/// The last question of a reply.
pub fn last_question(reply: &str) -> &str {
    const MARKS: [char; 2] = ['?', '؟'];
    let end = reply.rfind(MARKS).unwrap_or_default();
    let before = reply.get(..end).unwrap_or_default();
    let start = before
        .rfind(['.', '!', '?', '؟', '\n'])
        .map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

const fn in_days(count: u64, unit: temporal::Unit) -> u64 {
    count
        * match unit {
            temporal::Unit::Day => 1,
            temporal::Unit::Week => 7,
            temporal::Unit::Month => 30,
            temporal::Unit::Year => 365,
        }
}
