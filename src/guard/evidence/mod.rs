//! Evidence: which spans of the user's words support a proposal, and what speaks against it.
//!
//! A proposal is made by a model that understood the sentence; here it is only verified. The deed
//! (ordered, told, carried over or none), the target and the values are each looked for in the
//! words; vetoes are as broad as evidence, since they protect the user from a model that reads too
//! much into them. Titles, notes, model text and pasted text support nothing.

mod addition;
mod aim;
mod another;
mod bare_days;
mod clauses;
mod cue_text;
mod cues;
mod denial;
mod doers;
mod foreign;
mod governing;
mod ground;
mod hit;
pub(super) mod message;
mod narrowed;
mod notes;
mod own_reports;
mod partial;
mod repeats;
mod retraction;
mod sets;
mod taken_off;
mod target;
mod task_week;
mod times;
mod titles;
mod values;
mod words;

use std::ops::Range;

use chrono::NaiveDate;

use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, Priority, TaskId};
use crate::guard::language::is_unread;
use crate::intent::{Due, Values, Verb};
use crate::resolver::{Among, TaskList};
use crate::temporal::Scan;

use clauses::{Clause, Name, Standing, clauses, cues};
pub(super) use cue_text::tells_of_oneself;
use cues::Hit;
pub(super) use cues::{Cue, Deed};
pub(super) use ground::Wanted;
pub(super) use sets::{can_be_title, says_days, state_of, tells_something};
pub use taken_off::names_a_value;
use target::{Mention, all_mentions, best, exact_titles, named_in};
pub(super) use target::{Named, named};
pub(super) use times::KnownTimes;
pub use values::last_question;
pub(super) use values::{Days, Found};
use words::{Word, spoken};

/// Relation of the words to a deed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    /// Words that command it.
    Ordered,
    /// Words that imply it.
    Told,
    /// Words that go on with the deed of the turn before.
    Carried,
    /// Words that may mean it.
    Doubtful,
    /// Words that say nothing of it.
    None,
    /// Words that command something else there.
    Contradicted,
    /// Words that forbid it, ask about it, or are somebody else's.
    Forbidden,
}

/// Way in which the words name a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Aim {
    /// By words of its title, in these clauses.
    Named(Vec<usize>),
    /// By words that name another as well, in these clauses.
    Shared(Vec<usize>),
    /// By a pronoun, or by saying no other, in these clauses.
    Pointed(Vec<usize>),
    /// By saying no other task, in these clauses, which speak of more.
    Implied(Vec<usize>),
    /// As one of a set, in these clauses; so many are in it.
    Set(Vec<usize>, usize),
    /// By somebody else's words alone.
    Quoted,
    /// Not at all.
    None,
}

/// Context that the conversation adds to the words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Carried<'a> {
    /// The tasks of the latest turn.
    pub focus: &'a [TaskId],
    /// The latest deed.
    pub deed: Option<Deed>,
    /// The values that the latest change gave.
    pub values: Option<&'a Values>,
    /// The message answers a question about that deed.
    pub answers: bool,
    /// Titles that were shown with it.
    pub offered: &'a [String],
    /// Texts that were said last: the user's message before this one, and the reply to it.
    pub shown: &'a [String],
    /// The message opens with a no to the question.
    pub declined: bool,
    /// Days that the question showed.
    pub asked_days: &'a [NaiveDate],
    /// The user's message before this one, where this one answers a question about it.
    pub answered: Option<&'a str>,
    /// The reply before, where this message takes up what it offers.
    pub accepted: Option<&'a str>,
}

impl Carried<'_> {
    /// The user's message before this one.
    fn said_before(&self) -> Option<&str> {
        self.shown.get(1).map(String::as_str)
    }

    /// The day that the latest change gave.
    const fn day(&self) -> Option<NaiveDate> {
        match self.values {
            Some(Values {
                due: Some(Due::On { day, .. }),
                ..
            }) => Some(*day),
            _ => None,
        }
    }

    /// Tells whether the latest change took a day away.
    const fn cleared(&self) -> bool {
        matches!(self.values, Some(values) if matches!(values.due, Some(Due::Clear)))
    }

    /// The priority that the latest change gave.
    fn priority(&self) -> Option<Priority> {
        self.values.and_then(|values| values.priority)
    }
}

/// The evidence of one message.
#[derive(Debug)]
pub(super) struct Evidence<'a> {
    text: &'a Text<'a>,
    words: Vec<Word>,
    clauses: Vec<Clause>,
    mentions: Vec<Mention>,
    tasks: &'a TaskList,
    focus: &'a [TaskId],
    /// Tasks that only somebody else's text names.
    quoted: Vec<TaskId>,
    carried: Carried<'a>,
    today: NaiveDate,
    lang: Lang,
    /// Most of the words are of no language that is read.
    unread: bool,
    /// The days, times and repetitions of the words.
    scan: Scan,
}

impl<'a> Evidence<'a> {
    /// Reads the evidence of `text`.
    pub fn of(
        text: &'a Text<'a>,
        tasks: &'a TaskList,
        carried: Carried<'a>,
        today: NaiveDate,
        lang: Lang,
    ) -> Self {
        let titles: Vec<_> = exact_titles(text, tasks)
            .into_iter()
            .map(|(_, range)| range)
            .collect();
        let scan = crate::temporal::scan(text, today, lang);
        let days: Vec<_> = scan.dates.iter().map(|found| found.core.clone()).collect();
        let repeats = || {
            let found = Lang::ALL.map(|lang| crate::temporal::scan(text, today, lang).repeats);
            let tokens = found.into_iter().flatten().map(|found| found.tokens);
            tokens.collect()
        };
        let cues = cues(text, &titles, &days, repeats);
        let parted = clauses(text, &titles, &cues, &[]);
        let unread = is_unread(text, &titles);
        let words = spoken(text, unread);
        // Of the tasks that a question is about, one word of the answer names one.
        let mut talked_of = carried.focus.to_vec();
        talked_of.extend(
            carried
                .answered
                .into_iter()
                .flat_map(|said| named_in(said, tasks)),
        );
        talked_of.sort_unstable();
        talked_of.dedup();
        let mentions =
            |clauses: &[Clause]| all_mentions(text, &words, clauses, &days, tasks, &talked_of);
        let (found, quoted) = mentions(&parted);
        let names = names(&found, tasks);
        let (mut clauses, (found, quoted)) = if names.is_empty() {
            (parted, (found, quoted))
        } else {
            // Words of a title that is named say nothing about a deed: they are read once more.
            let clauses = clauses(text, &titles, &cues, &names);
            let again = mentions(&clauses);
            (clauses, again)
        };
        settle(&mut clauses, &found);
        correct(&mut clauses, &found);
        tracing::trace!(?clauses, mentions = ?found, "clauses of a message");
        Self {
            text,
            words,
            clauses,
            mentions: found,
            tasks,
            focus: carried.focus,
            quoted,
            carried,
            today,
            lang,
            unread,
            scan,
        }
    }

    /// Tells whether most of the words are of no language that is read: they may say a value that
    /// nothing finds in them.
    pub const fn is_unread(&self) -> bool {
        self.unread
    }

    /// Tells whether the message takes up what the reply before offered.
    pub const fn takes_up_an_offer(&self) -> bool {
        self.carried.accepted.is_some()
    }

    /// Reads the evidence of the words that this message answers a question about.
    fn of_answered<R>(&self, read: impl FnOnce(&Evidence<'_>) -> R) -> Option<R> {
        let text = Text::new(self.carried.answered?);
        let carried = Carried {
            answered: None,
            accepted: None,
            answers: false,
            ..self.carried
        };
        let evidence = Evidence::of(&text, self.tasks, carried, self.today, self.lang);
        Some(read(&evidence))
    }

    /// Tells whether these clauses only say that a task is to be treated as the one before: "ditto
    /// blog post", "and the flaky test too".
    fn carries(&self, at: &[usize]) -> bool {
        let against = [Cue::Negation, Cue::Undone, Cue::Condition, Cue::Future];
        let only = |clause: &&Clause| {
            // "too" tells of an addition as well.
            let told = |hit: &Hit| {
                let mut hits = clause.hits.iter();
                let same = |other: &Hit| other.cue == Cue::Carry && other.at == hit.at;
                matches!(hit.cue, Cue::Order(_) | Cue::Told(_)) && !hits.any(same)
            };
            let mut hits = clause.hits.iter();
            clause.has(Cue::Carry)
                && !clause.is_forbidden()
                && !clause.is_question()
                && !hits.any(|hit| told(hit) || against.contains(&hit.cue))
        };
        at.iter().any(|at| {
            let clause = self.clauses.get(*at);
            clause.is_some_and(|clause| only(&clause)) && !self.tells_more(*at)
        })
    }

    /// Tells whether some clause before `end` orders or implies a deed, or tells a new value.
    fn speaks_for(&self, deed: Deed, end: usize) -> bool {
        self.clauses.iter().take(end).any(|clause| {
            let mut hits = clause.hits.iter();
            let spoken = hits.any(|hit| match hit.cue {
                Cue::Order(order) => order == deed && clause.order(hit, deed) == Standing::Free,
                Cue::Told(told) => {
                    told == deed && clause.report(hit, deed, false) == Standing::Free
                }
                _ => false,
            });
            let dated = || {
                let scan = &self.scan;
                let mut days = scan.dates.iter();
                days.any(|day| clause.tokens.contains(&day.core.start))
            };
            spoken || deed == Deed::Update && clause.value(|_| false) == Standing::Free && dated()
        })
    }

    fn clause_at(&self, token: usize) -> Option<usize> {
        self.clauses
            .iter()
            .position(|clause| clause.tokens.contains(&token))
    }

    fn clause_start(&self, token: usize) -> usize {
        let at = self.clause_at(token).and_then(|at| self.clauses.get(at));
        at.map_or(0, |clause| clause.tokens.start)
    }

    fn is_foreign_at(&self, token: usize) -> bool {
        let at = self.clause_at(token).and_then(|at| self.clauses.get(at));
        at.is_some_and(Clause::is_foreign)
    }

    /// Tells whether a command stands at a token, or what tells of a lack: "no more milk".
    fn is_order_at(&self, token: usize) -> bool {
        let at = self.clause_at(token).and_then(|at| self.clauses.get(at));
        at.is_some_and(|clause| {
            let mut hits = clause.hits.iter();
            hits.any(|hit| {
                matches!(hit.cue, Cue::Order(_) | Cue::Told(Deed::Add)) && hit.covers(token)
            })
        })
    }

    /// Tells whether a token is a word of a cue that says something.
    fn is_cued_at(&self, token: usize) -> bool {
        let mut hits = self.clauses.iter().flat_map(|clause| &clause.hits);
        hits.any(|hit| hit.tells() && hit.covers(token))
    }

    /// Tells whether the clause names some task of its own.
    fn names_any(&self, at: usize) -> bool {
        let Some(clause) = self.clauses.get(at) else {
            return false;
        };
        let mut mentions = self.mentions.iter();
        mentions.any(|mention| mention.tokens.iter().any(|t| clause.tokens.contains(t)))
    }

    /// Tells whether the user's own words command a deed.
    pub fn orders(&self, deed: Deed) -> bool {
        let mut clauses = self.clauses.iter();
        clauses.any(|clause| !clause.is_foreign() && clause.has(Cue::Order(deed)))
    }

    /// Tells whether one of these clauses has what it names changed, by a pronoun behind the name: "the
    /// landlord thing, mark that one important".
    pub fn orders_of_it(&self, at: &[usize]) -> bool {
        let mut clauses = at.iter().filter_map(|at| self.clauses.get(*at));
        clauses.any(|clause| {
            let mut hits = clause.hits.iter();
            clause.has(Cue::It)
                && !clause.has(Cue::Order(Deed::Add))
                && hits.any(|hit| hit.cue == Cue::Order(Deed::Update))
        })
    }

    /// The tasks that the words name.
    pub fn named_tasks(&self) -> Vec<TaskId> {
        self.mentions.iter().map(|mention| mention.task).collect()
    }

    /// The tasks named in the clauses that take something back, or anywhere where none orders that.
    pub fn named_to_undo(&self) -> Vec<TaskId> {
        let undoes = |clause: &&Clause| {
            clause.has(Cue::Order(Deed::Undo)) || clause.has(Cue::Order(Deed::Reopen))
        };
        let clauses: Vec<&Clause> = self.clauses.iter().filter(undoes).collect();
        let there = |mention: &&Mention| {
            let mut tokens = mention.tokens.iter();
            clauses.is_empty() || tokens.any(|t| clauses.iter().any(|c| c.tokens.contains(t)))
        };
        let named = self.mentions.iter().filter(there);
        named.map(|mention| mention.task).collect()
    }

    /// The tasks that the words name best, and the days that they name, for a model to go by.
    pub fn named(&self) -> (Vec<TaskId>, Vec<NaiveDate>) {
        let best = best(&self.mentions, Among::All);
        let scan = &self.scan;
        let days = scan.dates.iter().map(|found| found.day);
        (
            best.iter().map(|mention| mention.task).collect(),
            days.collect(),
        )
    }

    /// Every clause.
    pub fn every_clause(&self) -> Vec<usize> {
        (0..self.clauses.len()).collect()
    }

    /// The clauses that share words with these bytes.
    pub fn clauses_in(&self, bytes: &Range<usize>) -> Vec<usize> {
        let tokens = self.text.tokens.iter().enumerate();
        let within = tokens
            .filter(|(_, token)| token.span.start < bytes.end && bytes.start < token.span.end);
        self.clauses_of(&within.map(|(at, _)| at).collect::<Vec<_>>())
    }

    /// The clauses in which some tokens stand.
    pub fn clauses_of(&self, tokens: &[usize]) -> Vec<usize> {
        let mut at: Vec<usize> = tokens
            .iter()
            .filter_map(|token| self.clause_at(*token))
            .collect();
        at.sort_unstable();
        at.dedup();
        at
    }

    /// Places of these clauses, in bytes of the words, each once and in order.
    pub fn spans<'c>(&self, at: impl IntoIterator<Item = &'c usize>) -> Vec<Range<usize>> {
        let mut at: Vec<usize> = at.into_iter().copied().collect();
        at.sort_unstable();
        at.dedup();
        let clauses = at.into_iter().filter_map(|at| self.clauses.get(at));
        clauses
            .filter_map(|clause| {
                let tokens = self.text.tokens.get(clause.tokens.clone())?;
                let mut words = tokens.iter().filter(|token| token.kind == Kind::Word);
                let first = words.next()?;
                Some(first.span.start..words.next_back().unwrap_or(first).span.end)
            })
            .collect()
    }

    /// Tells whether the words leave those of a title to the model.
    pub fn leaves_words(&self) -> bool {
        let mut clauses = self.clauses.iter();
        clauses.any(|clause| !clause.is_foreign() && clause.has(Cue::Described))
    }

    /// Tells whether a date or a note is to be taken away.
    pub fn clears(&self) -> bool {
        let mut clauses = self.clauses.iter();
        clauses.any(|clause| !clause.is_foreign() && clause.has(Cue::Clearing))
    }

    /// Tells whether one of several is meant, and not said which.
    pub fn leaves_open_which(&self, wanted: &Wanted<'_>) -> bool {
        let mut clauses = wanted.at.iter().flat_map(|at| self.governing(*at, wanted));
        clauses.any(|at| {
            self.clauses
                .get(at)
                .is_some_and(|clause| clause.has(Cue::OneOf))
        })
    }
}

/// The words of each title that is named, with the tokens that name it.
fn names(mentions: &[Mention], tasks: &TaskList) -> Vec<Name> {
    let mut names = Vec::with_capacity(mentions.len());
    for mention in best(mentions, Among::All) {
        let Some(task) = tasks.get(mention.task) else {
            continue;
        };
        let title = Text::new(task.title.as_str());
        let words = (0..title.tokens.len()).map(|at| title.word(at).to_owned());
        names.push(Name {
            tokens: mention.tokens.clone(),
            words: words.collect(),
        });
    }
    names
}

/// Takes back doubts about a clause that the next one gives no cause for, since it is about another
/// task: "the wisteria is pruned, but the apple not yet"; and about what a title opens: "Rent: …".
fn settle(clauses: &mut [Clause], mentions: &[Mention]) {
    let named: Vec<Vec<TaskId>> = clauses
        .iter()
        .map(|clause| {
            let inside = |at: &usize| clause.tokens.contains(at);
            let own = mentions.iter().filter(|m| m.tokens.iter().any(inside));
            own.map(|mention| mention.task).collect()
        })
        .collect();
    let titles: Vec<bool> = clauses
        .iter()
        .map(|clause| {
            let titled = |at: usize| mentions.iter().any(|m| m.whole && m.tokens.contains(&at));
            let (start, end) = (clause.tokens.start, clause.tokens.end.saturating_sub(1));
            start < end && (start..end).all(titled)
        })
        .collect();
    for (at, clause) in clauses.iter_mut().enumerate() {
        let own = named.get(at).map_or(&[][..], Vec::as_slice);
        let next = named.get(at + 1).map_or(&[][..], Vec::as_slice);
        if !own.is_empty() && next.iter().any(|task| !own.contains(task)) {
            clause.contrasted = false;
        }
        clause.introduced &= !at
            .checked_sub(1)
            .and_then(|at| titles.get(at))
            .copied()
            .unwrap_or_default();
    }
}

/// Marks the clauses whose tasks a later one corrects: "delete milk, sorry, the essay".
fn correct(clauses: &mut [Clause], mentions: &[Mention]) {
    let names: Vec<bool> = clauses
        .iter()
        .map(|clause| {
            let mut tokens = mentions.iter().flat_map(|mention| &mention.tokens);
            tokens.any(|token| clause.tokens.contains(token))
        })
        .collect();
    for at in 1..clauses.len() {
        let Some(clause) = clauses.get(at) else {
            continue;
        };
        // "got the bread, milk no" denies what it names.
        let denies = mentions
            .iter()
            .flat_map(|mention| &mention.tokens)
            .any(|token| {
                let corrected = |hit: &Hit| hit.cue == Cue::Correct && hit.at == token + 1;
                clause.tokens.contains(token) && clause.hits.iter().any(corrected)
            });
        if !clause.corrects() || denies {
            continue;
        }
        let sentence = clause.sentence;
        let instead = names.iter().enumerate().skip(at).any(|(later, names)| {
            *names
                && clauses
                    .get(later)
                    .is_some_and(|clause| clause.sentence == sentence)
        });
        if instead {
            // "put it back on the 17th, i meant the photo shoot" corrects what was said before both.
            for clause in clauses.iter_mut().take(at).filter(|c| !c.corrects()) {
                clause.corrected |= clause.sentence + 1 >= sentence;
            }
        }
    }
}

/// The deed that a verb is evidence for.
pub(super) const fn deed_of(verb: Verb) -> Deed {
    match verb {
        Verb::Update => Deed::Update,
        Verb::Complete => Deed::Complete,
        Verb::Reopen => Deed::Reopen,
        Verb::Delete => Deed::Delete,
    }
}
