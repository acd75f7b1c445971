//! Days that the words tell by their number alone: "the 17th", "make it 12".

use chrono::{Datelike, NaiveDate};

use super::Evidence;
use super::cues::{Cue, Deed, Hit};
use super::words::Word;
use crate::domain::{Lang, Task, text::Text};
use crate::guard::talk::is_function_word;
use crate::temporal;

impl Evidence<'_> {
    /// "the 17th", "on 9", "the twenty third": the next day of that number, or that of a month that is
    /// named, in which the task is due or which the latest change gave. What stands `elsewhere` is none.
    pub(super) fn bare_days(
        &self,
        task: Option<&Task>,
        named: &[NaiveDate],
        elsewhere: impl Fn(usize) -> bool,
    ) -> Vec<(NaiveDate, Option<usize>)> {
        let mut days = Vec::new();
        if !(0..self.text.tokens.len()).any(|at| self.day_number(at).is_some()) {
            return days;
        }
        let months = self.months();
        let lengths = temporal::lengths_told(self.text).into_iter();
        let lengths = lengths.map(|found| (found.tokens, found.seconds));
        let whiles = temporal::whiles_told(self.text).into_iter().chain(lengths);
        let whiles: Vec<_> = whiles.collect();
        let due = task.and_then(|task| task.due_date);
        let known = months.into_iter().chain(due).chain(self.carried.day());
        let named: Vec<NaiveDate> = named.iter().copied().chain(known).collect();
        for (index, token) in self.text.tokens.iter().enumerate() {
            // "in 20 minutes" tells no day.
            let length = || whiles.iter().any(|(tokens, _)| tokens.contains(&index));
            if token.quoted || length() || elsewhere(index) {
                continue;
            }
            let number = self.day_number(index);
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

    /// The days of plain numbers that may as well count something, or tell what somebody did: "my bike is
    /// 9 years old", "they charged me 25".
    pub(super) fn days_of_counts(&self) -> Vec<u32> {
        let numbers = (0..self.text.tokens.len()).filter(|at| self.counts_something(*at));
        numbers.filter_map(|at| self.day_number(at)).collect()
    }

    /// Tells whether nothing but a plain number of a new title says a day: "buy 12 eggs".
    pub fn is_number_of(&self, title: &[usize], day: NaiveDate) -> bool {
        let scan = &self.scan;
        let mut dates = scan.dates.iter();
        let said = dates.any(|found| found.span.0 <= day && day <= found.span.1);
        let numbers = (0..self.text.tokens.len()).filter(|at| {
            self.day_number(*at) == Some(day.day()) && !self.text.word(*at).is_empty()
        });
        let numbers: Vec<usize> = numbers.collect();
        !said && !numbers.is_empty() && numbers.iter().all(|at| title.contains(at))
    }

    fn counts_something(&self, at: usize) -> bool {
        let word = self.text.word(at);
        if !word.chars().all(|letter| letter.is_ascii_digit()) {
            return false;
        }
        let Some(clause) = self.clause_at(at).and_then(|at| self.clauses.get(at)) else {
            return false;
        };
        // "push it to 17 mate", "no, 17 mate": such a number is a new value, whatever follows it.
        if clause.orders() || clause.corrects() || clause.has(Cue::Told(Deed::Update)) {
            return false;
        }
        let next = at + 1;
        let scan = &self.scan;
        let mut dates = scan.dates.iter();
        let thing = clause.tokens.contains(&next)
            && clause.is_thing(self.text, next)
            && !is_function_word(self.text.word(next))
            && !dates.any(|date| date.core.contains(&next));
        // "laisse jusqu'au 27": what stands before it makes a day of it; "charged me 25" names who.
        let before = at.saturating_sub(1);
        let person = |hit: &Hit| {
            matches!(hit.cue, Cue::Me | Cue::Person | Cue::It | Cue::Them) && hit.covers(before)
        };
        let prefixed = is_function_word(self.text.word(before))
            && self.text.word(before) != "me"
            && !clause.hits.iter().any(person);
        thing || clause.has(Cue::Told(Deed::Complete)) && !prefixed
    }

    pub(super) fn day_number(&self, at: usize) -> Option<u32> {
        day_number(self.text.spelt(at), self.text.spelt(at + 1), self.lang)
    }

    /// The first days of the months that the words name.
    fn months(&self) -> Vec<NaiveDate> {
        let langs = [self.lang, Lang::En];
        let first = |word: &Word| {
            let day = format!("1 {}", word.said);
            let text = Text::new(&day);
            let found = langs.iter().find_map(|lang| {
                let scan = temporal::scan(&text, self.today, *lang);
                let whole = |date: &&temporal::Found| date.core.len() == 2;
                scan.dates.iter().find(whole).map(|date| date.day)
            });
            found.filter(|day| day.day() == 1)
        };
        let long = |word: &&Word| word.said.len() > 2 && !word.is_number();
        self.words.iter().filter(long).filter_map(first).collect()
    }
}

/// The number of a day, in digits or as an ordinal of one or two words.
pub(super) fn day_number(word: &str, next: &str, lang: Lang) -> Option<u32> {
    let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
    if !digits.is_empty() {
        let rest = word.get(digits.len()..).unwrap_or_default();
        let ends = ["", "st", "nd", "rd", "th", "er", "o", "a", "ten"];
        let number: u32 = digits.parse().ok()?;
        return (ends.contains(&rest) && (1..=31).contains(&number)).then_some(number);
    }
    temporal::ordinal_day(word, next, lang)
}
