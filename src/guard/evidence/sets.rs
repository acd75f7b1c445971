//! Sets that a word of several titles names ("all the tests", "everything with 'test' in it", "the
//! two calls"), and what a listing is to tell of each task.

use chrono::NaiveDate;

use super::clauses::Clause;
use super::cues::{Cue, Deed, Hit, begins, find};
use super::target::Mention;
use super::words::words;
use super::{Aim, Evidence};
use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, TaskId};
use crate::guard::talk::is_function_word;
use crate::resolver::{Among, is_plural_of, is_soft, split};

/// A word that stands for every task with it in its title.
struct Head {
    at: usize,
    /// Number of tasks, where the words say it.
    count: Option<usize>,
    /// Naming them by its plural alone: "the tests".
    plural: bool,
    /// Pointing back: "those tests".
    back: bool,
}

impl Evidence<'_> {
    /// Reads the task as one of a set that a word of its title names.
    pub(super) fn set_of_word(&self, task: TaskId, among: Among, deed: Deed) -> Option<Aim> {
        let own = self.mentions.iter().filter(|mention| mention.task == task);
        let mut heads = own.flat_map(|mention| mention.tokens.iter().copied());
        heads.find_map(|at| {
            let place = self.clause_at(at)?;
            let clause = self.clauses.get(place)?;
            let head = self.head(clause, at, deed)?;
            let members = self.members_of_word(&head, among)?;
            members
                .contains(&task)
                .then(|| Aim::Set(vec![place], members.len()))
        })
    }

    fn members_of_word(&self, head: &Head, among: Among) -> Option<Vec<TaskId>> {
        let eligible = |mention: &&Mention| match among {
            Among::Pending => mention.pending,
            Among::Completed => !mention.pending,
            Among::All => true,
        };
        // "the two tests" are two, and no *test two*.
        let by_it = |mention: &&Mention| {
            let mut tokens = mention.tokens.iter();
            tokens.all(|at| *at == head.at || self.number(*at).is_some())
                && mention.tokens.contains(&head.at)
        };
        let mut named = self.mentions.iter().filter(by_it).peekable();
        let word = self.text.word(head.at);
        let is_plural = |mention: &Mention| {
            let title = self.tasks.get(mention.task).map(|t| t.title.as_str());
            let mut plural = false;
            split(title.unwrap_or_default(), &mut |own| {
                plural |= is_plural_of(word, own);
            });
            plural
        };
        let all_plural = named.peek().is_some() && named.clone().all(is_plural);
        if head.plural && !all_plural {
            return None;
        }
        // "both milk and eggs" are two that are named.
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        let joined = hits.any(|hit| hit.cue == Cue::And && hit.at == head.at + 1);
        if joined && !all_plural {
            return None;
        }
        let mut members: Vec<TaskId> = named
            .filter(eligible)
            .map(|mention| mention.task)
            .filter(|task| !self.is_excepted(*task))
            .collect();
        // "those tests": of the tasks that were talked about.
        if head.back && members.iter().any(|task| self.focus.contains(task)) {
            members.retain(|task| self.focus.contains(task));
        }
        let counted = head.count.is_none_or(|count| count == members.len());
        (members.len() > 1 && counted).then_some(members)
    }

    /// The word at a token as the head of a set.
    fn head(&self, clause: &Clause, at: usize, deed: Deed) -> Option<Head> {
        let described = clause.has(Cue::Completed) && deed != Deed::Complete
            || clause.has(Cue::Open) && deed != Deed::Reopen;
        let narrowed = [
            Cue::Overdue,
            Cue::Rest,
            Cue::OneOf,
            Cue::First,
            Cue::Last,
            Cue::Except,
        ];
        let narrowed = narrowed.iter().any(|cue| clause.has(*cue));
        // Of a change one day is the new value, of anything else it tells which are meant.
        let scan = &self.scan;
        let dates = scan.dates.iter();
        let dates = dates.filter(|found| clause.tokens.contains(&found.core.start));
        let dated = dates.count() > usize::from(deed == Deed::Update);
        if clause.is_foreign() || described || narrowed || dated {
            return None;
        }
        let before = |at: usize| at.checked_sub(1).filter(|at| clause.tokens.contains(at));
        let number = before(at).and_then(|at| self.number(at));
        let count = number.filter(|count| *count > 1);
        let opened = match count {
            Some(_) => before(at).and_then(before),
            None => before(at),
        };
        let mut hits = clause.hits.iter();
        let led = hits.any(|hit| {
            hit.cue == Cue::All
                && (hit.end <= at && (hit.end..at).all(|at| self.leads(at))
                    || hit.at == at + 1 && is_soft(self.text.word(hit.at)))
        });
        let plural = !led
            && opened.is_some_and(|opened| {
                let mut hits = clause.hits.iter();
                hits.any(|hit| hit.cue == Cue::Determiner && hit.end == opened + 1)
            });
        let back = clause.has(Cue::Them);
        (led || plural).then_some(Head {
            at,
            count,
            plural,
            back,
        })
    }

    /// Tells whether the words are about notes of tasks.
    pub fn speaks_of_notes(&self) -> bool {
        let mut clauses = self.clauses.iter();
        clauses.any(|clause| !clause.is_foreign() && clause.has(Cue::Note))
    }

    /// Tells whether the words are about tasks that have no date: "with no deadline".
    pub fn speaks_of_no_date(&self) -> bool {
        let tokens = || (0..self.text.tokens.len()).filter(|at| !self.is_foreign_at(*at));
        let dates = |at: &usize| begins(Cue::DateName, self.text, *at);
        tokens().filter(dates).any(|date| {
            // Urdu denies behind the noun.
            let mut near = date.saturating_sub(3)..date + 3;
            near.any(|at| begins(Cue::Denial, self.text, at))
        })
    }

    /// Tells whether the words ask for tasks in this state and in no other.
    pub fn names_state(&self, done: bool) -> bool {
        let says = |cue| {
            let mut clauses = self.clauses.iter();
            clauses.any(|clause| !clause.is_foreign() && clause.has(cue))
        };
        (says(Cue::Completed), says(Cue::Open)) == (done, !done)
    }

    /// Tells whether the words are about reminders.
    pub fn speaks_of_reminders(&self) -> bool {
        let mut tokens = 0..self.text.tokens.len();
        tokens.any(|at| !self.is_foreign_at(at) && begins(Cue::Remind, self.text, at))
    }

    /// Tells whether words other than those of the task are about reminders.
    pub fn speaks_of_its_reminder(&self, task: TaskId) -> bool {
        let named = |at: usize| {
            let mut own = self.mentions.iter().filter(|mention| mention.task == task);
            own.any(|mention| mention.tokens.contains(&at))
        };
        let mut tokens = 0..self.text.tokens.len();
        tokens.any(|at| !named(at) && !self.is_foreign_at(at) && begins(Cue::Remind, self.text, at))
    }

    /// Tells whether a token may stand between the words for a set and the word that its titles have.
    fn leads(&self, at: usize) -> bool {
        let Some(token) = self.text.tokens.get(at) else {
            return false;
        };
        let word = self.text.word(at);
        match token.kind {
            Kind::Word => is_soft(word) || is_function_word(word) || self.number(at).is_some(),
            Kind::Quote => true,
            _ => false,
        }
    }

    /// The number that a word says.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
        let days = format!("{} days", self.text.word(at));
        let length = crate::temporal::length(&days, Lang::En)
            .or_else(|| crate::temporal::length(&days, self.lang))?;
        usize::try_from(length.0).ok()
    }
}

/// The state that a reference to several tasks names: done for "all completed", open for "open ones".
pub(in crate::guard) fn state_of(reference: &str) -> Option<bool> {
    let text = Text::new(reference);
    let names = |cue: Cue| (0..text.tokens.len()).any(|at| begins(cue, &text, at));
    match (names(Cue::Completed), names(Cue::Open)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Tells whether words may be those of a title: "everything" and "things with no date" tell which
/// tasks are meant, and name none.
pub(in crate::guard) fn can_be_title(said: &str) -> bool {
    let text = Text::new(said);
    let hits = find(&text, &[]);
    let soft = |at: usize| is_soft(text.word(at));
    let sets = |cue: Cue| matches!(cue, Cue::All | Cue::Them | Cue::Asks | Cue::After);
    let values = |cue: Cue| {
        use Cue::{High, Item, Low, Medium, Overdue, Part};
        matches!(cue, Item | Part | High | Medium | Low | Overdue)
    };
    let set = hits
        .iter()
        .any(|hit| sets(hit.cue) || hit.cue == Cue::Item && soft(hit.at));
    let told = |at: usize| {
        let mut hits = hits.iter().filter(|hit| hit.covers(at));
        hits.any(|hit| sets(hit.cue) || values(hit.cue))
    };
    let named = words(&text);
    let mut named = named
        .iter()
        .filter(|word| !is_function_word(&word.said) && !told(word.token));
    let says = |at: usize| !soft(at) && !is_function_word(text.word(at));
    named.next().is_some() || !set && (0..text.tokens.len()).any(says)
}

/// Tells whether words say a day in any language, or one that bounds days: "from March on".
pub(in crate::guard) fn says_days(said: &str, today: NaiveDate) -> bool {
    let text = Text::new(said);
    let scan = |lang: Lang| crate::temporal::scan(&text, today, lang);
    let bounds = |hit: &Hit| hit.cue == Cue::After;
    find(&text, &[]).iter().any(bounds)
        || Lang::ALL
            .into_iter()
            .any(|lang| !scan(lang).dates.is_empty())
}

/// Tells whether words tell of something rather than name it: "wife bought it", "don't need it".
pub(in crate::guard) fn tells_something(said: &str) -> bool {
    let text = Text::new(said);
    let tells = [
        Cue::Copula,
        Cue::Negation,
        Cue::Told(Deed::Add),
        Cue::Told(Deed::Complete),
        Cue::Told(Deed::Delete),
    ];
    let hits = find(&text, &[]);
    hits.iter().any(|hit| tells.contains(&hit.cue))
}

#[cfg(test)]
mod tests {
    use super::{can_be_title, tells_something};

    #[test]
    fn a_reason_is_no_name() {
        for words in [
            "wife bought it",
            "don't need it",
            "Tom is lactose intolerant",
            "roommate got some",
        ] {
            assert!(tells_something(words), "{words}");
        }
        for words in ["butter", "the red bike", "call mom", "mom"] {
            assert!(!tells_something(words), "{words}");
        }
    }

    #[test]
    fn words_for_a_set_are_no_title() {
        for words in [
            "everything",
            "they all",
            "things with no date",
            "all of them",
        ] {
            assert!(!can_be_title(words), "{words}");
        }
        for words in [
            "milk",
            "letter",
            "dinner",
            "all the tests",
            "things for mum",
            "yoga",
        ] {
            assert!(can_be_title(words), "{words}");
        }
    }
}
