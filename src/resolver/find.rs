//! Questions to a whole list besides references: titles that are a text or stand in one, and
//! the tasks of a state, a day, a priority or some words.
//!
//! A short list is simply read; of a long one nothing is read but what belongs to the answer. The
//! answers are the same, but where a function says otherwise.

use chrono::NaiveDate;

use super::Among;
use super::index::{words_key, words_keys};
use super::list::TaskList;
use super::rows::{Row, Rows};
use super::words::{Words, names, required, split};
use crate::domain::text::fold;
use crate::domain::{Priority, Task};

/// Up to here a list is read; in tests hardly any is.
const SHORT: usize = if cfg!(test) { 2 } else { 64 };
/// Up to here a list is read for titles in a text.
const FEW: usize = if cfg!(test) { 2 } else { 256 };
/// So many tasks with the same folded title are looked at.
const EQUAL: usize = 1_024;

/// Some days, as due dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Days {
    /// From the first to the last of these.
    Between(NaiveDate, NaiveDate),
    /// Before this one.
    Before(NaiveDate),
    /// None: tasks without a due date.
    Undated,
}

/// Conditions that select the tasks asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection<'a> {
    /// Done (`true`) or open.
    pub done: Option<bool>,
    /// Due then.
    pub due: Option<Days>,
    /// Of this priority.
    pub priority: Option<Priority>,
    /// With these words in the title or the note.
    pub words: Option<&'a str>,
}

/// The tasks that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Selected<'t> {
    /// Number of tasks that match.
    pub matched: usize,
    /// The oldest of them, as many as were asked for, oldest first.
    pub oldest: Vec<&'t Task>,
}

impl Selection<'_> {
    /// Tells whether `task` is among what is asked for.
    pub fn matches(&self, task: &Task) -> bool {
        let due = match (self.due, task.due_date) {
            (None, _) | (Some(Days::Undated), None) => true,
            (Some(Days::Between(from, to)), Some(day)) => (from..=to).contains(&day),
            (Some(Days::Before(end)), Some(day)) => day < end,
            (Some(_), _) => false,
        };
        due && self
            .done
            .is_none_or(|done| done == task.status.is_completed())
            && self.priority.is_none_or(|level| level == task.priority)
            && self
                .words
                .is_none_or(|words| names(words, task.title.as_str()) || is_in_note(words, task))
    }
}

impl TaskList {
    /// The tasks that are asked for: all are counted, the oldest `most` are given. Notes are read
    /// where words are asked for, of every task that has one and is not ruled out otherwise.
    pub fn select(&self, asked: &Selection<'_>, most: usize) -> Selected<'_> {
        if self.len() <= SHORT {
            let tasks = self.iter().filter(|task| asked.matches(task));
            let mut oldest: Vec<&Task> = tasks.collect();
            let matched = oldest.len();
            oldest.truncate(most);
            return Selected { matched, oldest };
        }
        let facets = self.index().facets();
        let mut rows = facets.all.clone();
        if let Some(done) = asked.done {
            rows = if done {
                rows.and(&facets.done)
            } else {
                rows.without(&facets.done)
            };
        }
        rows = match asked.due {
            None => rows,
            Some(Days::Undated) => rows.without(&facets.dated),
            Some(Days::Before(end)) => match end.pred_opt() {
                Some(last) => rows.and(&facets.due(NaiveDate::MIN, last)),
                None => Rows::None,
            },
            Some(Days::Between(from, to)) if from <= to => rows.and(&facets.due(from, to)),
            Some(Days::Between(..)) => Rows::None,
        };
        if let Some(level) = asked.priority {
            rows = rows.and(&facets.of_priority(level));
        }
        if let Some(words) = asked.words {
            let named = rows.and(&self.named(words));
            let notes = rows.and(&facets.described).without(&named);
            let noted = notes.iter().filter(|row| {
                let task = self.at(*row);
                task.is_some_and(|task| is_in_note(words, task))
            });
            rows = named.or(&noted.collect());
        }
        Selected {
            matched: rows.len(),
            oldest: self.tasks_of(&rows, most),
        }
    }

    /// The oldest `most` tasks of a state.
    pub fn of_state(&self, among: Among, most: usize) -> Vec<&Task> {
        let done = match among {
            Among::All => None,
            Among::Pending => Some(false),
            Among::Completed => Some(true),
        };
        let asked = Selection {
            done,
            ..Selection::default()
        };
        self.select(&asked, most).oldest
    }

    /// The tasks of exactly this title, whatever its case, oldest first; of more than a thousand
    /// the oldest thousand.
    pub fn titled(&self, title: &str, among: Among) -> Vec<&Task> {
        let folded = fold(title);
        let is = |task: &&Task| {
            let state = match among {
                Among::All => true,
                Among::Pending => !task.status.is_completed(),
                Among::Completed => task.status.is_completed(),
            };
            state && fold(task.title.as_str()) == folded
        };
        if self.len() <= SHORT {
            return self.iter().filter(is).collect();
        }
        let done = &self.index().facets().done;
        let like = self.index().folded_like(title);
        let like = match among {
            Among::All => like,
            Among::Pending => like.without(done),
            Among::Completed => like.and(done),
        };
        let mut found = self.tasks_of(&like, EQUAL);
        found.retain(is);
        found
    }

    /// Tells whether some title has all of these words; see [`super::covers`].
    pub fn has_title_with(&self, words: &str) -> bool {
        if self.len() <= SHORT {
            let mut tasks = self.iter();
            return tasks.any(|task| Words::of(task.title.as_str()).contains_all(words));
        }
        let required = required(words);
        !required.is_empty() && !self.index().having(&required).is_empty()
    }

    /// The open task whose title a text has all words of, if it is the only one. Of a long list,
    /// a title is not seen that has words which a thousand others have too, but for the text's.
    pub fn only_open_in(&self, text: &str) -> Option<&Task> {
        let said = Words::of(text);
        let fits =
            |task: &&Task| !task.status.is_completed() && said.contains_all(task.title.as_str());
        if self.len() <= SHORT {
            let mut fits = self.iter().filter(fits);
            return fits.next().filter(|_| fits.next().is_none());
        }
        let index = self.index();
        let mut words: Vec<String> = Vec::new();
        split(text, &mut |word| words.push(word.to_owned()));
        words.sort_unstable();
        words.dedup();
        let rows = words.iter().map(|word| index.having_one(word));
        let (rare, common): (Vec<Rows>, Vec<Rows>) = rows.partition(|rows| rows.len() <= EQUAL);
        let short = index.rows_up_to(common.len());
        let common = Rows::union(common.iter()).and(&short);
        let rows = Rows::union(rare.iter().chain([&common]));
        let rows = rows.without(&index.facets().done);
        let found = self.oldest(&rows, 4 * EQUAL);
        if found.len() < rows.len() {
            return None;
        }
        let tasks = found.into_iter().filter_map(|row| self.at(row));
        let mut fits = tasks.filter(fits);
        fits.next().filter(|_| fits.next().is_none())
    }

    /// The tasks whose titles may stand in `text`, oldest first: of a short list all, of a long
    /// one those whose words follow one another in it, a word being a whole one.
    pub fn standing_in(&self, text: &str) -> Vec<&Task> {
        if self.len() <= FEW {
            return self.iter().collect();
        }
        let index = self.index();
        let mut words: Vec<String> = Vec::new();
        split(text, &mut |word| words.push(word.to_owned()));
        let known = words.iter().map(|word| index.word(word).is_some());
        let known: Vec<bool> = known.collect();
        let mut found = index.folded_as(words_key([]));
        for start in 0..words.len() {
            let known = known.iter().skip(start).take(index.longest());
            let run = known.take_while(|known| **known).count();
            let run = words.iter().skip(start).take(run);
            for key in words_keys(run.map(String::as_str)) {
                found = found.or(&index.folded_as(key));
            }
        }
        self.tasks_of(&found, EQUAL)
    }

    /// The tasks that a text names by some word of their titles, at most `most`: those with the
    /// rarest words, each word's oldest first.
    pub fn touched_by(&self, text: &str, most: usize) -> Vec<&Task> {
        let index = self.index();
        let mut words: Vec<String> = Vec::new();
        split(text, &mut |word| words.push(word.to_owned()));
        words.sort_unstable();
        words.dedup();
        let rows = words.iter().map(|word| index.naming(word));
        let mut rows: Vec<Rows> = rows.filter(|rows| !rows.is_empty()).collect();
        rows.sort_by_key(Rows::len);
        let mut found = Rows::None;
        for rows in rows {
            let left = most.saturating_sub(found.len());
            if left == 0 {
                break;
            }
            let more = self.oldest(&rows.without(&found), left);
            found = found.or(&more.into_iter().collect());
        }
        self.tasks_of(&found, most)
    }

    /// The rows whose titles some words name; see [`names`].
    fn named(&self, words: &str) -> Rows {
        let required = required(words);
        if !required.is_empty() {
            return self.index().having(&required);
        }
        let folded = fold(words);
        let like = self.index().folded_like(words);
        let same = like.iter().filter(|row| {
            let task = self.at(*row);
            task.is_some_and(|task| fold(task.title.as_str()) == folded)
        });
        same.collect()
    }

    fn tasks_of(&self, rows: &Rows, most: usize) -> Vec<&Task> {
        let rows: Vec<Row> = self.oldest(rows, most);
        rows.into_iter().filter_map(|row| self.at(row)).collect()
    }
}

fn is_in_note(words: &str, task: &Task) -> bool {
    let note = task.description.as_deref();
    note.is_some_and(|note| Words::of(note).contains_all(words))
}
