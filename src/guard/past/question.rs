//! Content of a question about the past or the present: deeds, tasks, values, how many, and when.

mod sort;

use chrono::NaiveDate;

use super::records::{Records, Subject};
use super::words::{Class, languages};
use crate::domain::text::Text;
use crate::domain::{Lang, Priority};
use crate::guard::evidence::named;
use crate::temporal;
use sort::sort;

/// Deed that was done, or state that is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Add,
    Delete,
    Complete,
    Reopen,
    /// A change of some value.
    Update(Aspect),
    Undo,
    /// Any change.
    Any,
}

/// Value that a change is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aspect {
    Any,
    Due,
    Priority,
    Title,
    Reminder,
}

/// A value that is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// A day between these.
    Due(NaiveDate, NaiveDate),
    Priority(Priority),
}

/// Number of tasks that are asked about, where none is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    /// Tasks spoken of.
    It,
    They,
    /// Every task there is.
    All,
    /// So many.
    Count(usize),
    /// One at all.
    Some,
}

/// Tasks that a question asks to be told, where it asks for no yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Their number.
    HowMany,
    /// All of them: "which one did I delete".
    Which,
    /// "the first thing I added".
    First,
    Last,
}

/// One thing that is asked of one task.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QuestionPart {
    pub deed: Deed,
    pub subject: Subject,
    pub value: Option<Value>,
}

/// A question, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Question {
    pub parts: Vec<QuestionPart>,
    /// Deed that is asked about where no task is named.
    pub deed: Option<Deed>,
    pub quantity: Option<Quantity>,
    /// The value that is asked about where no task is named.
    pub value: Option<Value>,
    /// Set when it asks what is so, not what was done.
    pub state: bool,
    /// Yes or no would not be understood, or is not asked for.
    pub told: bool,
    /// The day that something is said to have been done on.
    pub on: Option<(NaiveDate, NaiveDate)>,
    /// Every word of it was read.
    pub read: bool,
    /// Every word was read, and it asks for a yes or a no.
    pub whole: bool,
    /// Set when it has the form of a question, and words that only such questions have.
    pub certain: bool,
    /// Set when it asks what the server did.
    pub of_deeds: bool,
    /// Set when it says what might be done: "is it ok to delete …".
    pub of_orders: bool,
    /// Asks when something was done.
    pub asks_when: bool,
    /// Asks when something is due.
    pub asks_due: bool,
    /// Tasks that it asks to be told of.
    pub asked: Option<Asked>,
    /// Asks for more than the latest turn: "today", "so far".
    pub of_all: bool,
    /// Asks for reminders: of these tasks, or of all.
    pub reminded: bool,
}

/// The first and the last of some days.
type Span = (NaiveDate, NaiveDate);

/// A class of words, with the place where it stands.
struct Hit {
    class: Class,
    at: usize,
}

impl Hit {
    /// "la" may be "it", and is an article as well.
    const fn is_article(&self) -> bool {
        self.class.has(Class::THEY.or(Class::IT)) && self.class.has(Class::FILL)
    }
}

/// The words of a question, sorted.
#[derive(Default)]
struct Sorted {
    hits: Vec<Hit>,
    subjects: Vec<(Subject, usize)>,
    dates: Vec<(temporal::Found, usize)>,
    /// A title's verb stands there in another form: "rent paid?".
    own_verb: bool,
    /// A number that is no date's.
    count: Option<usize>,
    unread: usize,
    marked: bool,
    opens: Class,
}

/// Reads `words` as a question; the language that leaves the fewest words unread counts.
pub(super) fn read(
    words: &str,
    records: &Records<'_>,
    today: NaiveDate,
    lang: Lang,
) -> Option<Question> {
    let text = Text::new(words);
    let mut best: Option<(usize, Question)> = None;
    let known = named(&text, &records.known);
    for (lang, phrases) in languages(lang) {
        let sorted = sort(&text, phrases, records, &known, today, lang);
        let unread = sorted.unread;
        let better = best.as_ref().is_none_or(|(least, _)| unread < *least);
        if better && let Some(question) = sorted.question(today) {
            best = Some((unread, question));
        }
    }
    best.map(|(_, question)| question)
}

impl Question {
    /// The question about the tasks that words name which go on with something else: "the florist yet, and
    /// who's next". What they say of a task is not read whole, and nothing of it is denied.
    pub fn of_named(words: &str, records: &Records<'_>, deed: Deed) -> Option<Self> {
        let text = Text::new(words);
        let parts = named(&text, &records.known).into_iter().map(|named| {
            let task = records.known.get(named.task);
            let name = task.map_or(words, |task| task.title.as_str()).to_owned();
            QuestionPart {
                deed,
                subject: Subject {
                    ids: vec![named.task],
                    name,
                    whole: named.whole,
                },
                value: None,
            }
        });
        let parts: Vec<QuestionPart> = parts.collect();
        (!parts.is_empty()).then(|| Self {
            parts,
            ..Self::default()
        })
    }
}

impl Sorted {
    /// Settles words of several meanings: "was" asks where it opens and means something elsewhere;
    /// "kya" asks between others, and is yes-or-no where it opens or ends; "e" before one that
    /// asks is an "and".
    fn settle_what(&mut self) {
        if let [first, next, ..] = self.hits.as_mut_slice()
            && first.class.has(Class::FILL)
            && (next.class.has(Class::WHAT | Class::WHEN | Class::COUNT)
                || next.is_article() && self.subjects.is_empty())
        {
            first.class = first.class.without(Class::NOW);
        }
        let is_fill = |hit: &Hit| hit.class == Class::FILL;
        let opening = self.hits.iter().position(|hit| !is_fill(hit));
        let last = self.hits.len().saturating_sub(1);
        let changes: Vec<bool> = self
            .hits
            .iter()
            .map(|hit| hit.class.has(Class::CHANGED))
            .collect();
        for (at, hit) in self.hits.iter_mut().enumerate() {
            let opens = Some(at) == opening;
            let named = self.subjects.iter().any(|(_, first)| *first < hit.at);
            let asks = match hit.class.has(Class::HAS) {
                // "doodh mein kya badla?"
                true if named && changes.get(at + 1) == Some(&true) => true,
                true => !opens && at != last,
                false => opens || !hit.class.has(Class::ANY | Class::FILL),
            };
            if hit.class.has(Class::WHAT) {
                hit.class = hit.class.without(match asks {
                    true => Class::ANY | Class::FILL,
                    false => Class::WHAT,
                });
            }
            // What stands behind a name opens nothing.
            if opens && self.subjects.iter().all(|(_, first)| *first > hit.at) {
                self.opens = hit.class;
            }
        }
    }

    fn has(&self, class: Class) -> bool {
        self.hits.iter().any(|hit| hit.class.has(class))
    }

    /// Deeds with their places; "marked as done" is one.
    fn deeds(&self) -> Vec<(Deed, usize)> {
        let mut deeds: Vec<(Deed, usize)> = Vec::new();
        for hit in &self.hits {
            let Some(deed) = self.deed(hit) else { continue };
            let same = deeds.last().is_some_and(|(last, _)| *last == deed);
            if !same {
                deeds.push((deed, hit.at));
            }
        }
        // "what have you marked as done?"
        if deeds.len() > 1 {
            deeds.retain(|(deed, _)| *deed != Deed::Any);
        }
        deeds
    }

    fn deed(&self, hit: &Hit) -> Option<Deed> {
        let class = hit.class;
        let valued = self.priority().is_some() && !self.has(Class::DONE);
        let told = Class::WHAT | Class::FIRST | Class::LAST | Class::ALL | Class::BOTH;
        let told = self.has(told) || self.count.is_some();
        let at_all = class.has(Class::ACTED) && self.subjects.is_empty();
        let deeds = Class::ADDED | Class::DELETED | Class::MOVED | Class::CHANGED;
        Some(
            if class.has(deeds) && self.has(Class::REMINDER) && self.is_of_value() {
                Deed::Update(Aspect::Reminder)
            } else if class == Class::GONE && !self.dates.is_empty() {
                // "friday par gaya": it went there.
                return None;
            } else if at_all && told && self.has(Class::YOU) {
                Deed::Any
            } else if class.has(Class::ADDED | Class::DELETED) && self.is_of_value() {
                Deed::Update(Aspect::Any)
            } else if class.has(Class::ADDED) {
                Deed::Add
            } else if class.has(Class::DELETED | Class::GONE) {
                Deed::Delete
            } else if class.has(Class::UNDONE) {
                Deed::Undo
            } else if class.has(Class::REOPENED) {
                Deed::Reopen
            } else if class.has(Class::RENAMED) {
                Deed::Update(Aspect::Title)
            } else if class.has(Class::PRIORITIZED) {
                Deed::Update(Aspect::Priority)
            } else if class.has(Class::MOVED) {
                Deed::Update(Aspect::Due)
            } else if class.has(Class::MARKED) && valued {
                Deed::Update(Aspect::Priority)
            } else if class.has(Class::MARKED) && self.has(Class::OPEN) {
                Deed::Reopen
            } else if class.has(Class::MARKED | Class::DONE) {
                Deed::Complete
            } else if class.has(Class::CHANGED) {
                Deed::Update(self.aspect())
            } else {
                return None;
            },
        )
    }

    /// "did you remove the date?": of a task's value, not of a task.
    fn is_of_value(&self) -> bool {
        self.has(Class::VALUE | Class::REMINDER | Class::PRIORITY) && self.values().is_empty()
    }

    fn aspect(&self) -> Aspect {
        // "what did you change today?": the day is that of the doing.
        let dated = !self.dates.is_empty() && !self.subjects.is_empty();
        if self.has(Class::PRIORITY) || self.priority().is_some() {
            Aspect::Priority
        } else if self.has(Class::DUE) || dated {
            Aspect::Due
        } else {
            Aspect::Any
        }
    }

    fn priority(&self) -> Option<(Priority, usize)> {
        let all = [
            (Class::HIGH, Priority::High),
            (Class::MEDIUM, Priority::Medium),
            (Class::LOW, Priority::Low),
        ];
        self.hits.iter().find_map(|hit| {
            let mut of = all.iter().filter(|(class, _)| hit.class.has(*class));
            of.next().map(|(_, priority)| (*priority, hit.at))
        })
    }

    fn quantity(&self) -> Option<Quantity> {
        let both = self.has(Class::BOTH).then_some(2);
        if let Some(count) = self.count.or(both) {
            Some(Quantity::Count(count))
        } else if self.has(Class::ALL) {
            Some(Quantity::All)
        } else if self.has(Class::THEY) {
            Some(Quantity::They)
        } else if self.has(Class::ANY) {
            Some(Quantity::Some)
        } else if self.has(Class::IT) {
            Some(Quantity::It)
        } else {
            None
        }
    }

    /// Values with their places, in order.
    fn values(&self) -> Vec<(Value, usize)> {
        let mut values: Vec<(Value, usize)> = self
            .dates
            .iter()
            .map(|(found, at)| (Value::Due(found.span.0, found.span.1), *at))
            .collect();
        values.extend(self.priority().map(|(p, at)| (Value::Priority(p), at)));
        values.sort_by_key(|(_, at)| *at);
        values
    }

    fn question(mut self, today: NaiveDate) -> Option<Question> {
        let mut deeds = self.deeds();
        let asks = self.has(Class::DID | Class::HAS | Class::NOW | Class::WAS | Class::SURE);
        let when = deeds.is_empty() && self.asks_when_it_was_done();
        if deeds.is_empty() && (self.own_verb || when) {
            deeds.push((Deed::Complete, 0));
        }
        if when {
            self.unread = 0;
        }
        let marks = self.has(Class::MARKED) && !self.has(Class::NOW);
        let you = self.has(Class::YOU);
        let done = deeds.iter().all(|(deed, _)| *deed == Deed::Complete);
        let gone = deeds.iter().all(|(deed, _)| *deed == Deed::Delete)
            && (self.has(Class::GONE) || self.has(Class::NOW) && !you);
        let valued = deeds.is_empty() && (!self.dates.is_empty() || self.priority().is_some());
        let is = self.has(Class::NOW | Class::HAS | Class::GONE) || asks && self.has(Class::DUE);
        let dues = self.asks_when_due();
        let state = if deeds.is_empty() {
            valued && is || dues
        } else {
            // "when did I pay the rent?": a row tells no time.
            let when = self.has(Class::WHEN) && !self.has(Class::NOW);
            (gone || done && !you && !marks) && !when
        };
        // "did I have anything due yesterday?", "is there anything tomorrow?" ask for a listing.
        let some = matches!(self.quantity(), None | Some(Quantity::Some));
        let had = self.has(Class::DID) && self.has(Class::HAS);
        let listed = self.subjects.is_empty() && (had || some);
        let reminded = self.has(Class::REMINDER)
            && (self.marked && deeds.is_empty() || !self.subjects.is_empty())
            && self.unread == 0
            && self.values().is_empty();
        if deeds.is_empty() && !reminded && (!state || listed) {
            return None;
        }
        let moved = deeds
            .iter()
            .any(|(deed, _)| matches!(deed, Deed::Update(Aspect::Due | Aspect::Any) | Deed::Add));
        // Beside what is no value's change, a day tells when it was done.
        let on = (!moved && !valued && !self.dates.is_empty()).then(|| self.dates.remove(0).0.span);
        let base = self.hits.iter().any(|hit| hit.class.has(Class::BASE));
        let of_orders = base && !self.has(Class::DID);
        let changed = matches!(
            deeds.first(),
            Some((Deed::Update(Aspect::Any | Aspect::Reminder), _))
        );
        let of_value = changed && self.is_of_value();
        // "did you remove the date?": what was changed is told of.
        let quantity = match of_value && self.subjects.is_empty() {
            true => Some(Quantity::Some),
            false => self.quantity(),
        };
        let (asked, day) = self.asked(&deeds, today).unzip();
        let on = on.or(day.flatten());
        let parts = self.parts(&deeds);
        let value = self.values().first().map(|(value, _)| *value);
        let several = parts.is_empty() && quantity.is_none();
        // "les tâches terminées ?" asks for a listing.
        let described = done && !asks && matches!(quantity, Some(Quantity::They | Quantity::It));
        let read = self.unread == 0 && !of_orders && !several;
        let told = self.has(Class::NOT) && !self.opens.has(Class::NOT) && !self.negates_tag()
            || self.has(Class::WHEN);
        Some(Question {
            certain: self.marked && !several && !(described && parts.is_empty()),
            of_orders,
            of_deeds: you && !deeds.is_empty(),
            read,
            whole: read && !self.has(Class::WHAT) && (!of_value || parts.is_empty()),
            deed: deeds.first().map(|(deed, _)| *deed),
            parts,
            quantity,
            value,
            state,
            told,
            on,
            asked: asked.filter(|_| self.unread == 0 && !of_orders),
            asks_when: self.has(Class::WHEN) && !self.subjects.is_empty(),
            asks_due: dues,
            of_all: self.has(Class::SO_FAR | Class::ALL) || on.is_some(),
            reminded: reminded && !of_orders,
        })
    }

    /// "when did I pay the rent?": a word that is no deed of ours is the task's own.
    fn asks_when_it_was_done(&self) -> bool {
        self.opens.has(Class::WHEN)
            && self.has(Class::DID)
            && !self.has(Class::HAS | Class::WAS | Class::NOW)
            && self.unread <= 1
            && self.subjects.len() == 1
            && self.values().is_empty()
    }

    /// "when is the rent due?"
    fn asks_when_due(&self) -> bool {
        let named = !self.subjects.is_empty() && self.deeds().is_empty();
        named && self.has(Class::WHEN) && self.has(Class::DUE) && self.values().is_empty()
    }

    /// Returns which of the tasks with these deeds it asks to be told of, and the days they were done
    /// on. What the user has done in the world, the rows tell.
    fn asked(&self, deeds: &[(Deed, usize)], today: NaiveDate) -> Option<(Asked, Option<Span>)> {
        let [(deed, _)] = deeds else {
            return None;
        };
        // A word that is no base form tells of the past by itself: "qué borraste".
        let ends = Class::FIRST | Class::LAST;
        let past = self.has(Class::DID | Class::HAS | Class::WAS)
            || self.opens.has(ends)
            || !self.has(Class::BASE);
        let ours = *deed != Deed::Complete || self.has(Class::YOU | Class::MARKED);
        let points = |hit: &Hit| hit.class.has(Class::THEY | Class::IT) && !hit.is_article();
        let counted = self.has(Class::COUNT)
            || match self.quantity() {
                None | Some(Quantity::All) => true,
                Some(Quantity::It | Quantity::They) => !self.hits.iter().any(points),
                Some(_) => false,
            };
        let now = self.has(Class::NOW) && !self.has(ends);
        // "what was the last change to the rent?"
        let of_one = *deed == Deed::Update(Aspect::Any) && self.has(Class::LAST);
        if !self.subjects.is_empty() && !of_one || !past || !ours || !counted || now {
            return None;
        }
        let days = match self.dates.as_slice() {
            [] => None,
            [(found, _)] if found.span.0 <= today && self.priority().is_none() => Some(found.span),
            _ => return None,
        };
        let asked = if self.has(Class::COUNT) {
            Asked::HowMany
        } else if self.has(Class::FIRST) {
            Asked::First
        } else if self.has(Class::LAST) {
            Asked::Last
        } else if self.has(Class::WHAT) {
            Asked::Which
        } else {
            return None;
        };
        Some((asked, days))
    }

    /// Tells whether the only "not" is the last word: "…, is it not?", "…, no?".
    fn negates_tag(&self) -> bool {
        let mut nots = self.hits.iter().filter(|hit| hit.class.has(Class::NOT));
        let only = nots.next().filter(|_| nots.next().is_none());
        only.is_some_and(|not| {
            let last = self.hits.last().is_some_and(|hit| hit.at == not.at);
            let behind = self.subjects.iter().all(|(_, at)| *at < not.at);
            last && behind && not.class.has(Class::TAG)
        })
    }

    /// Returns what is asked of each task: its deed is the last before it, or the next behind it
    /// where the verb stands last; its value the next behind it, or the only one.
    fn parts(&self, deeds: &[(Deed, usize)]) -> Vec<QuestionPart> {
        let values = self.values();
        let first = self.subjects.first().map_or(0, |(_, at)| *at);
        let last_verb = deeds.first().is_none_or(|(_, at)| *at > first);
        let of = |at: usize| {
            let before = deeds.iter().rev().find(|(_, deed)| *deed < at);
            let behind = deeds.iter().find(|(_, deed)| *deed > at);
            let found = if last_verb {
                behind.or(before)
            } else {
                before.or(behind)
            };
            found.map(|(deed, _)| *deed)
        };
        let value = |at: usize| {
            let behind = values.iter().find(|(_, value)| *value > at);
            let any = Value::Due(NaiveDate::MIN, NaiveDate::MAX);
            let said = behind.or(values.last()).map(|(value, _)| *value);
            said.or(self.asks_when_due().then_some(any))
        };
        let part = |(subject, at): &(Subject, usize)| {
            let value = value(*at);
            let stands = match value {
                Some(Value::Priority(_)) => Deed::Update(Aspect::Priority),
                _ => Deed::Update(Aspect::Due),
            };
            QuestionPart {
                deed: of(*at).unwrap_or(stands),
                subject: subject.clone(),
                value,
            }
        };
        self.subjects.iter().map(part).collect()
    }
}
