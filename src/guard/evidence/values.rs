//! Values of a proposal against the words: titles, notes, days and priorities.

use chrono::{Datelike, NaiveDate};

use super::Evidence;
use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit};
use super::words::{Word, content, words};
use crate::domain::{Lang, Priority, Task, TaskId, text::Text};
use crate::resolver::may_be_added;
use crate::temporal;

/// Where the words of a text stand in the message.
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
    /// Whether one is said, rather than counted.
    pub said: bool,
}

impl Days {
    /// The days, in order.
    pub fn all(&self) -> Vec<NaiveDate> {
        let mut days: Vec<NaiveDate> = self.days.iter().map(|(day, _)| *day).collect();
        days.dedup();
        days
    }

    /// The clauses that support a day; `None` where none does.
    pub fn supporting(&self, day: NaiveDate) -> Option<Vec<usize>> {
        let of = self.days.iter().filter(|(known, _)| *known == day);
        let found: Vec<Option<usize>> = of.map(|(_, at)| *at).collect();
        (!found.is_empty()).then(|| found.into_iter().flatten().collect())
    }
}

/// Looks for the words of `title` among those that were `said`, in their order.
pub(super) fn stands(title: &str, said: &[Word]) -> Found {
    let own = content(title);
    if own.is_empty() {
        return Found::Missing;
    }
    let places: Vec<Vec<usize>> = own
        .iter()
        .map(|own| {
            let hits = said
                .iter()
                .filter(|word| word.names(own) || own.names(word));
            hits.map(|word| word.token).collect()
        })
        .collect();
    if places.iter().any(Vec::is_empty) {
        return Found::Missing;
    }
    // From every place of the first word: the run that takes the least room.
    let firsts = places.first().cloned().unwrap_or_default();
    let mut best: Option<Vec<usize>> = None;
    for first in firsts {
        let mut run = vec![first];
        let mut at = first;
        let mut whole = true;
        for places in places.iter().skip(1) {
            // "7am" is one token and two words.
            match places
                .iter()
                .find(|place| **place > at)
                .or_else(|| places.iter().find(|place| **place == at))
            {
                Some(next) => {
                    at = *next;
                    run.push(at);
                }
                None => whole = false,
            }
        }
        let span = |run: &[usize]| run.last().zip(run.first()).map_or(0, |(l, f)| l - f);
        if whole && best.as_ref().is_none_or(|other| span(&run) < span(other)) {
            best = Some(run);
        }
    }
    match best {
        Some(run) => Found::InOrder(run),
        None => Found::Scattered(places.iter().filter_map(|p| p.first().copied()).collect()),
    }
}

impl Evidence<'_> {
    /// How a new title stands to the message; `old` is the title that it replaces.
    pub fn title(&self, title: &str, old: Option<&str>) -> Found {
        if !self.is_spelt_alike(title, old.unwrap_or_default()) {
            return Found::Missing;
        }
        let mut plain = stands(title, &self.words);
        if plain == Found::Missing && self.was_offered(title) {
            plain = Found::InOrder(Vec::new());
        }
        let Some(old) = old.filter(|_| plain == Found::Missing) else {
            return plain;
        };
        // What the old title had may stay.
        let kept = words(&Text::new(old));
        let fresh: Vec<Word> = content(title)
            .into_iter()
            .filter(|word| !kept.iter().any(|old| old.is_form_of(word)))
            .collect();
        let named = fresh.iter().all(|own| {
            self.words
                .iter()
                .any(|word| word.names(own) || own.names(word))
        });
        if named && !fresh.is_empty() {
            Found::InOrder(Vec::new())
        } else {
            Found::Missing
        }
    }

    /// Whether its signs and its letters beyond ASCII are the user's too: what only looks alike is
    /// not theirs.
    pub fn is_spelt_alike(&self, title: &str, old: &str) -> bool {
        let lower = |text: &str| text.to_lowercase();
        let mut sources = vec![lower(self.text.raw), lower(old)];
        sources.extend(self.carried.offered.iter().map(|offered| lower(offered)));
        let known = |c: char| {
            c.is_ascii_alphanumeric()
                || c.is_whitespace()
                || "-'’‘“”–—…,&.()/:".contains(c)
                || sources.iter().any(|source| source.contains(c))
        };
        lower(title).chars().all(known)
    }

    /// Whether each of its words was shown in what is answered, or is said in the answer.
    pub fn was_offered(&self, title: &str) -> bool {
        let own = content(title);
        let mut offered = self.carried.offered.iter();
        offered.any(|offered| {
            let shown = words(&Text::new(offered));
            let mut both = shown.iter().chain(&self.words);
            let named = own
                .iter()
                .all(|own| both.clone().any(|word| word.names(own)));
            let kept = own
                .iter()
                .any(|own| shown.iter().any(|word| word.is_form_of(own)));
            let _ = both.next();
            named && kept
        })
    }

    /// Whether a negation that belongs to these words is left out of the title.
    pub fn drops_a_negation(&self, title: &str, run: &[usize]) -> bool {
        let (Some(first), Some(last)) = (run.first(), run.last()) else {
            return false;
        };
        const NEGATIONS: [&str; 26] = [
            "don't", "dont", "not", "never", "no", "without", "nicht", "kein", "keine", "keinen",
            "nie", "sin", "nunca", "pas", "jamais", "sans", "non", "mai", "senza", "nao", "sem",
            "mat", "nahi", "nahin", "isn't", "can't",
        ];
        let own = Text::new(title);
        let kept: Vec<&str> = (0..own.tokens.len()).map(|at| own.word(at)).collect();
        let before = first.saturating_sub(2).max(self.clause_start(*first));
        (before..*last).any(|at| {
            let word = self.text.word(at);
            NEGATIONS.contains(&word) && !kept.contains(&word) && !self.is_order_at(at)
        })
    }

    /// Whether the words of a new title begin with the command itself: "rename milk oat".
    pub fn takes_in_the_order(&self, run: &[usize]) -> bool {
        let Some(first) = run.first() else {
            return false;
        };
        let clause = self.clause_at(*first).and_then(|at| self.clauses.get(at));
        clause.is_some_and(|clause| {
            let mut hits = clause.hits.iter();
            let order = hits.find(|hit| matches!(hit.cue, Cue::Order(_)));
            order.is_some_and(|order| order.at == *first && clause.opens_at() == *first)
        })
    }

    /// Whether the words of a title go on into a clause that orders something else of a task.
    pub fn takes_in_another_order(&self, run: &[usize]) -> bool {
        let at = self.clauses_of(run);
        at.iter().skip(1).any(|at| {
            let clause = self.clauses.get(*at);
            self.names_any(*at)
                && clause.is_some_and(|clause| {
                    let opening = clause.opens_at();
                    let mut hits = clause.hits.iter();
                    hits.any(|hit| {
                        matches!(hit.cue, Cue::Order(deed) if deed != Deed::Add)
                            && hit.at == opening
                    })
                })
        })
    }

    /// Whether a title ends before the last of the words that stand together: "oat" of "oat milk".
    pub fn is_cut_short(&self, run: &[usize]) -> bool {
        let Some(last) = run.last() else {
            return false;
        };
        let next = last + 1;
        let Some(clause) = self.clause_at(*last).and_then(|at| self.clauses.get(at)) else {
            return false;
        };
        let scan = temporal::scan(self.text, self.today, self.lang);
        let cued = |hit: &Hit| !hit.open && hit.at <= next && next < hit.end;
        clause.tokens.contains(&next)
            && self.words.iter().any(|word| word.token == next)
            && !clause.hits.iter().any(cued)
            && !scan.dates.iter().any(|found| found.core.contains(&next))
    }

    /// The tokens that name a task.
    pub fn named_at(&self, task: TaskId) -> Vec<usize> {
        let own = self.mentions.iter().filter(|mention| mention.task == task);
        own.flat_map(|mention| mention.tokens.clone()).collect()
    }

    /// Whether every word of a note was said, and some of them for the note: not in the command,
    /// nor among the words that name the task, at `named`.
    pub fn note(&self, note: &str, named: &[usize]) -> bool {
        let own = words(&Text::new(note));
        let said = own
            .iter()
            .all(|own| may_be_added(&own.said) || self.words.iter().any(|word| word.names(own)));
        let fresh = |word: &Word| !named.contains(&word.token) && !self.is_order_at(word.token);
        let mut new = self.words.iter().filter(|word| fresh(word));
        said && new.any(|word| own.iter().any(|own| word.names(own)))
    }

    /// Days that some span of the words can mean for what is named in these clauses: a day that
    /// stands there goes before those of other clauses, and the days of a new title are none.
    pub fn days(&self, task: Option<&Task>, at: &[usize], title: Option<&str>) -> Days {
        let own = title.map(content).unwrap_or_default();
        let titled = |token: usize| {
            let mut words = self.words.iter().filter(|word| word.token == token);
            words.any(|word| own.iter().any(|own| word.is_form_of(own)))
        };
        let mut found = Vec::new();
        let mut langs = vec![self.lang, Lang::En];
        langs.extend([Lang::De, Lang::Es, Lang::Fr, Lang::It, Lang::Pt, Lang::Ur]);
        for lang in langs {
            let scan = temporal::scan(self.text, self.today, lang);
            found.extend(scan.dates.iter().filter_map(|date| {
                let clause = self.clause_at(date.core.start)?;
                let none = self.is_foreign_at(date.core.start)
                    || self.clauses.get(clause).is_some_and(Clause::is_reason)
                    || !at.contains(&clause) && self.orders_for_itself(clause)
                    || date.core.clone().all(titled);
                (!none).then_some((clause, date.day, date.span))
            }));
        }
        let corrects = |clause: usize| {
            let mut before = self.clauses.iter().take(clause + 1).skip(1);
            before.any(Clause::corrects)
        };
        let beside = found.iter().any(|(clause, ..)| at.contains(clause));
        let said = !found.is_empty();
        let mut days = Vec::new();
        for (clause, day, (first, last)) in found {
            if beside && !at.contains(&clause) && !corrects(clause) {
                continue;
            }
            let at = Some(clause);
            days.push((day, at));
            // "Thursday this week", on a Sunday.
            if day < self.today && first == last {
                days.extend(
                    day.checked_add_days(chrono::Days::new(7))
                        .map(|day| (day, at)),
                );
            }
            let span = first.iter_days().take(32).take_while(|day| *day <= last);
            days.extend(span.map(|day| (day, at)));
        }
        let named: Vec<NaiveDate> = days.iter().map(|(day, _)| *day).collect();
        days.extend(self.counted(task, &named, said));
        days.extend(self.bare_days(&named));
        days.sort_unstable();
        days.dedup();
        Days { days, said }
    }

    /// Whether a clause orders something of what it names itself: its day is no other's.
    fn orders_for_itself(&self, at: usize) -> bool {
        self.clauses.get(at).is_some_and(|clause| {
            let back = [Cue::It, Cue::Them, Cue::Correct];
            clause.orders() && self.names_any(at) && !back.iter().any(|cue| clause.has(*cue))
        })
    }

    /// "the 17th", "on 9", "the twenty third": the next day of that number, or that of a month that
    /// is named.
    fn bare_days(&self, named: &[NaiveDate]) -> Vec<(NaiveDate, Option<usize>)> {
        let mut days = Vec::new();
        for (index, token) in self.text.tokens.iter().enumerate() {
            if token.quoted {
                continue;
            }
            let number = day_number(self.text.word(index), self.text.word(index + 1));
            let Some(number) = number else { continue };
            let months = named.iter().filter_map(|day| day.with_day(number));
            let later = months.filter(|day| *day >= self.today);
            days.extend(later.map(|day| (day, self.clause_at(index))));
            let (mut year, mut month) = (self.today.year(), self.today.month());
            for _ in 0..3 {
                if let Some(day) = NaiveDate::from_ymd_opt(year, month, number)
                    && day >= self.today
                {
                    days.push((day, self.clause_at(index)));
                    break;
                }
                month += 1;
                if month > 12 {
                    (month, year) = (1, year + 1);
                }
            }
        }
        days
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
        bases.extend(self.carried.day);
        let own_bases = bases.clone();
        bases.extend(named);
        // "same day as the dentist": where a day is said, only that one counts.
        let same = !said || self.clauses.iter().any(|clause| clause.has(Cue::Carry));
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
        let langs = [
            self.lang,
            Lang::En,
            Lang::De,
            Lang::Es,
            Lang::Fr,
            Lang::It,
            Lang::Pt,
            Lang::Ur,
        ];
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
        for start in 0..self.text.tokens.len() {
            for length in 1..=3 {
                let end = (start + length).min(self.text.tokens.len());
                let phrase = self.text.slice(start..end);
                let lengths = langs
                    .iter()
                    .filter_map(|lang| temporal::length(phrase, *lang));
                found.extend(lengths.map(|(count, unit)| {
                    let count = u64::from(count.unsigned_abs());
                    (in_days(count, unit), self.clause_at(start))
                }));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(12);
        found
    }

    /// The clauses that speak of a priority.
    pub fn priority_at(&self, priority: Priority) -> Vec<usize> {
        let cue = match priority {
            Priority::High => Cue::High,
            Priority::Medium => Cue::Medium,
            Priority::Low => Cue::Low,
        };
        let clauses = self.clauses.iter().enumerate();
        let has = clauses.filter(|(_, clause)| {
            let mut hits = clause.hits.iter();
            let said = |hit: &Hit| hit.cue == cue && !clause.is_denied_at(hit.at);
            !clause.is_foreign() && hits.any(said)
        });
        has.map(|(at, _)| at).collect()
    }

    /// The clauses that take a value away.
    pub fn clearing_at(&self) -> Vec<usize> {
        let clauses = self.clauses.iter().enumerate();
        let has = clauses.filter(|(_, clause)| !clause.is_foreign() && clause.has(Cue::Clearing));
        has.map(|(at, _)| at).collect()
    }

    /// The clauses behind a colon in which words of a note stand: "kickboards: 20, blue".
    pub fn noted_at(&self, note: &str) -> Vec<usize> {
        let own = words(&Text::new(note));
        let said = self
            .words
            .iter()
            .filter(|word| own.iter().any(|own| word.names(own)));
        let at = said.filter_map(|word| self.clause_at(word.token));
        at.filter(|at| self.clauses.get(*at).is_some_and(Clause::is_listed))
            .collect()
    }

    /// The day that stands beside a title and in none of its words, where there is one alone.
    pub fn only_day(&self, title: &[usize]) -> Option<NaiveDate> {
        let scan = temporal::scan(self.text, self.today, self.lang);
        let at = self.clauses_of(title);
        let beside = scan.dates.iter().filter(|found| {
            let clause = self.clause_at(found.core.start);
            clause.is_some_and(|clause| at.contains(&clause))
        });
        let mut beside = beside.filter(|found| found.span.0 == found.span.1 && !found.attributive);
        let only = beside.next().filter(|_| beside.next().is_none())?;
        let within = title.iter().any(|token| only.core.contains(token));
        (!within).then_some(only.day)
    }
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

/// The number of a day, in digits or as an ordinal of one or two words.
fn day_number(word: &str, next: &str) -> Option<u32> {
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        let rest = word.get(digits.len()..).unwrap_or_default();
        let ends = ["", "st", "nd", "rd", "th", "er", "o", "a", "ten"];
        let number: u32 = digits.parse().ok()?;
        return (ends.contains(&rest) && (1..=31).contains(&number)).then_some(number);
    }
    const ORDINALS: [&str; 20] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let place = |word: &str| {
        let at = ORDINALS.iter().position(|known| *known == word)?;
        u32::try_from(at + 1).ok()
    };
    match word {
        "twenty" => place(next).filter(|unit| *unit < 10).map(|unit| 20 + unit),
        "thirty" => place(next).filter(|unit| *unit < 2).map(|unit| 30 + unit),
        "thirtieth" => Some(30),
        _ => place(word),
    }
}
