//! From a pattern that fitted to what the clause says.

use std::ops::Range;

use crate::intent::grammar::{Class, Flags, HeadKind, Match};
use crate::intent::{
    Act, Addition, Change, Clause, Due, Form, Fragment, Listing, NewTask, Note, Past, Set, Split,
    Statement, Target, Targets, Values, Verb,
};
use crate::language::lexicon::UNKNOWN;
use crate::language::slot::Slot;

use super::Reader;
use super::targets::{completed, due};

/// At most so many ways to part the words of a rename are kept.
const JOINTS: usize = 5;

/// The classes of words that change nothing in what a question for the list asks for.
const CLOSED: u64 = Class::Article.bit()
    | Class::PlainList.bit()
    | Class::ListWord.bit()
    | Class::OpenWord.bit()
    | Class::OverdueWord.bit()
    | Class::At.bit()
    | Class::Tail.bit()
    | Class::Late.bit()
    | Class::Sentence.bit();

impl Reader<'_> {
    /// The clause that `found` reads: its words are `range`, with politeness `all`.
    pub(super) fn act(&mut self, found: &Match, range: Range<usize>, all: Range<usize>) -> Clause {
        let flags = found.head.flags;
        let act = match found.head.kind {
            HeadKind::Add => Act::Add(self.added(found, &range)),
            HeadKind::List if flags.has(Flags::SOFT) => {
                let query = found.captures.first(Slot::Query).unwrap_or_default();
                Act::Fragment(Fragment::Bare(self.query(query)))
            }
            HeadKind::List => Act::List(self.listing(found, &range)),
            HeadKind::Change(_) if flags.has(Flags::FRESH) && self.names_new(found) => {
                Act::Add(self.added(found, &range))
            }
            HeadKind::Change(verb) if self.falters(verb, found) => {
                Act::Hint(self.change(verb, found, &range))
            }
            HeadKind::Change(verb) => Act::Change(self.change(verb, found, &range)),
            HeadKind::Undo => Act::Undo,
            HeadKind::Did(verb) => Act::Past(Past::Did {
                verb,
                target: self.one(found),
            }),
            HeadKind::WhatWasDone => Act::Past(Past::WhatWasDone),
            HeadKind::What(verb) => Act::Past(Past::What(verb)),
            HeadKind::DidThatWork => Act::Past(Past::DidThatWork),
            HeadKind::Reminded => Act::Past(Past::Reminded(self.one(found))),
            HeadKind::Help(topic) => Act::Help(topic),
            HeadKind::Hint(verb) => {
                let mut change = self.change(verb, found, &range);
                change.targets.whole = bare(change.targets.whole);
                change.targets.parts = change.targets.parts.into_iter().map(bare).collect();
                Act::Hint(change)
            }
            HeadKind::If(verb) => Act::Hypothetical(self.change(verb, found, &range)),
            HeadKind::Not(Some(verb)) => Act::Forbidden(self.change(verb, found, &range)),
            // "don't add milk": nothing exists that it could protect.
            HeadKind::Not(None) => Act::No,
            HeadKind::Opinion => Act::Opinion(self.one(found)),
            HeadKind::Wish => self.wish(found),
            HeadKind::Statement { done } => Act::Statement(Statement {
                target: self.subject(found),
                parts: match self.some(found).parts {
                    parts if parts.len() > 1 => parts,
                    _ => Vec::new(),
                },
                done,
                told: flags.has(Flags::TOLD),
            }),
            HeadKind::Also => Act::Fragment(self.also(found, &all)),
            HeadKind::Pick => Act::Fragment(Fragment::Pick {
                targets: self.picked(found, &range),
                only: flags.has(Flags::ONLY),
            }),
            // "all but the eggs" says what is meant; "not the eggs" only what is not.
            HeadKind::Except if flags.has(Flags::ALL) => {
                let slot = found.captures.first(Slot::Target).unwrap_or_default();
                let set = Set {
                    without: self.targets(slot).parts,
                    ..Set::default()
                };
                Act::Fragment(Fragment::Pick {
                    targets: vec![Target::Set(set)],
                    only: false,
                })
            }
            HeadKind::Except => Act::Fragment(Fragment::Except(self.some(found).parts)),
            HeadKind::Instead => Act::Fragment(Fragment::Instead(match self.one(found) {
                Target::Missing => Target::Other,
                target => target,
            })),
            HeadKind::Amend => Act::Fragment(self.amend(found, &range)),
            HeadKind::DoIt => Act::Fragment(Fragment::DoIt),
            HeadKind::Again => Act::Fragment(Fragment::Again),
            HeadKind::Restore => Act::Fragment(Fragment::Restore),
            HeadKind::Yes => Act::Yes,
            HeadKind::No if flags.has(Flags::BACK) && flags.has(Flags::WEAK) => Act::Other,
            HeadKind::No => Act::No,
            HeadKind::Alarm => Act::AlarmQuestion,
            HeadKind::Social(kind) => Act::Social(kind),
            _ => Act::Other,
        };
        let mut clause = self.clause(all, act);
        clause.notes = self.notes(found, &clause.act, &range);
        clause
    }

    fn notes(&mut self, found: &Match, act: &Act, range: &Range<usize>) -> Vec<Note> {
        let mut notes = Vec::new();
        let keeps = matches!(act, Act::Add(_) | Act::Wish(_) | Act::Noun(_))
            || matches!(act, Act::Change(change) if change.verb == Verb::Update);
        if keeps {
            if found.head.flags.has(Flags::ALARM) {
                notes.push(Note::Alarm);
            }
            notes.extend(self.time_notes(range));
        }
        let listed = found.head.flags.has(Flags::LISTED);
        if listed || matches!(act, Act::Add(_) | Act::List(_) | Act::Change(_)) {
            let unlisted = unlisted(found, range);
            let names = found.captures.all(Slot::Name);
            let mut names = names.filter(|name| Some(name) != unlisted.as_ref());
            let name = names.find_map(|name| self.list_name(name));
            notes.extend(name.map(Note::ListName));
        }
        notes
    }

    fn added(&mut self, found: &Match, range: &Range<usize>) -> Addition {
        let captures = &found.captures;
        let content = captures.first(Slot::Content);
        let content = content.or_else(|| captures.first(Slot::Target));
        let mut content = content.unwrap_or_default();
        if let Some(name) = unlisted(found, range) {
            content.end = name.end;
        }
        // "add milk again": what is to be done again may be a task, a thing is added once more.
        if content.len() > 1
            && self.is(Class::Anew, content.end - 1)
            && !self.is(Class::Doing, content.start)
        {
            content.end -= 1;
        }
        let mut addition = self.addition(content);
        addition.described = found.head.flags.has(Flags::DESCRIBED);
        // "put milk on the list, high priority": what stands where a list's name may stand.
        let mut names = captures.all(Slot::Name);
        let priority = self.priority(found.head, captures);
        let date = captures.first(Slot::Date);
        let note = captures.first(Slot::Note);
        let moment = captures.first(Slot::Time);
        let values = NewTask {
            due: date.and_then(|date| self.new_due(&date)),
            priority: priority.or_else(|| names.find_map(|name| self.only_level(&name))),
            description: note.map(|note| self.written(note).to_owned()),
            time: moment.as_ref().and_then(|moment| self.time(moment)),
            repeat: moment.as_ref().and_then(|moment| self.repeat(moment)),
            after: moment.as_ref().and_then(|moment| self.after(moment)),
            ..NewTask::default()
        };
        // What a task has no place for stays in its title.
        let placed = values.time.is_some() || values.repeat.is_some() || values.after.is_some();
        let moment = moment.filter(|_| !placed);
        let moment = moment.map(|moment| self.written(moment).to_owned());
        for task in std::iter::once(&mut addition.whole).chain(&mut addition.parts) {
            task.fill(&values);
            if let Some(moment) = moment.as_ref().filter(|_| !task.title.is_empty()) {
                task.title.push(' ');
                task.title.push_str(moment);
            }
        }
        addition
    }

    /// "schedule a run" names no task that was there before, "schedule the run" does.
    fn names_new(&mut self, found: &Match) -> bool {
        let Some(target) = found.captures.first(Slot::Target) else {
            return false;
        };
        let written = self.written(target.clone());
        let first = self.words.list.get(target.start);
        let token = first.and_then(|word| self.text.tokens.get(word.token as usize));
        let quoted = token.is_some_and(|token| token.quoted);
        !quoted && matches!(self.target(target), Target::Named(name) if name == written)
    }

    fn wish(&mut self, found: &Match) -> Act {
        let content = found.captures.first(Slot::Content).unwrap_or_default();
        let mut task = self.task(content);
        let date = found.captures.first(Slot::Date);
        task.due = task
            .due
            .or_else(|| date.and_then(|date| self.new_due(&date)));
        Act::Wish(task)
    }

    fn change(&mut self, verb: Verb, found: &Match, range: &Range<usize>) -> Change {
        let values = match verb {
            Verb::Update => self.values(found, range),
            Verb::Complete | Verb::Reopen | Verb::Delete => Values::default(),
        };
        let targets = match self.before_day(found).filter(|_| values.due.is_some()) {
            Some(words) => self.targets(words),
            None => self.some(found),
        };
        Change {
            verb,
            targets,
            values,
            splits: self.splits(found),
        }
    }

    /// "move dentist from monday to friday": what is named before the day it leaves.
    fn before_day(&mut self, found: &Match) -> Option<Range<usize>> {
        let words = found.captures.first(Slot::Target)?;
        let mut days = self.dates.iter();
        let day = days.find(|day| day.end == words.end && words.start < day.start)?;
        let from = |at: &usize| self.is(Class::Leaves, *at);
        let end = [day.start, day.start - 1].into_iter().find(from)?;
        let named = matches!(self.target(words.clone()), Target::Named(_));
        (named && words.start < end).then_some(words.start..end)
    }

    /// Every place where a joint like the one before the new title parts the words, the longest
    /// old title first; none when there is only one such place.
    fn splits(&mut self, found: &Match) -> Vec<Split> {
        let captures = &found.captures;
        let (Some(old), Some(new)) = (captures.first(Slot::Target), captures.first(Slot::New))
        else {
            return Vec::new();
        };
        let joint = old.end;
        if new.start != joint + 1 {
            return Vec::new();
        }
        let id = |at: usize| self.words.list.get(at).map(|word| word.id);
        let places: Vec<usize> = (old.start + 1..new.end.saturating_sub(1))
            .filter(|at| *at == joint || (id(*at) == id(joint) && id(*at) != Some(UNKNOWN)))
            .rev()
            .take(JOINTS)
            .collect();
        if places.len() < 2 {
            return Vec::new();
        }
        let split = |at: usize| Split {
            target: self.target(old.start..at),
            title: self.written(at + 1..new.end).to_owned(),
        };
        places.into_iter().map(split).collect()
    }

    fn values(&mut self, found: &Match, range: &Range<usize>) -> Values {
        let captures = &found.captures;
        let flags = found.head.flags;
        let date = captures.first(Slot::Date);
        let note = flags.has(Flags::NOTE);
        let due = if flags.has(Flags::CLEAR) && !note {
            Some(Due::Clear)
        } else if flags.has(Flags::SKIPPED) {
            let words = self.written(range.clone()).to_owned();
            Some(Due::Skip { words })
        } else {
            date.and_then(|date| self.moved_due(&date))
                .or_else(|| self.shift(captures))
        };
        let text = |slot| captures.first(slot).map(|at| self.written(at).to_owned());
        let moment = captures.first(Slot::Time);
        Values {
            due,
            time: moment.and_then(|moment| self.time(&moment)),
            hour: (captures.first(Slot::Count))
                .filter(|_| captures.first(Slot::Unit).is_none())
                .and_then(|count| self.count(&count)),
            ends_repeat: flags.has(Flags::ENDED),
            priority: self.priority(found.head, captures),
            title: text(Slot::New),
            // An empty note is none.
            description: text(Slot::Note).or_else(|| note.then(String::new)),
            described: flags.has(Flags::DESCRIBED),
        }
    }

    /// The references of a pattern.
    fn some(&mut self, found: &Match) -> Targets {
        let flags = found.head.flags;
        if let Some(words) = found.captures.first(Slot::Target) {
            return self.targets(words);
        }
        let implied = if flags.has(Flags::ALL) {
            let said = [Slot::Name, Slot::Few];
            let mut said = said.iter().filter_map(|slot| found.captures.first(*slot));
            // "borra las tareas vencidas": these are fewer than all.
            if let Some(fewer) = said.find_map(|words| self.narrowed(words)) {
                return Targets::of(Target::Set(fewer));
            }
            Target::Set(Set {
                completed: completed(flags),
                due: due(flags),
                list: found
                    .captures
                    .first(Slot::Name)
                    .and_then(|name| self.list_name(name)),
                ..Set::default()
            })
        } else if flags.has(Flags::IT) {
            Target::It
        } else {
            Target::Missing
        };
        Targets::of(implied)
    }

    /// Reads what a choice names: the captured words, else all of them.
    fn picked(&mut self, found: &Match, range: &Range<usize>) -> Vec<Target> {
        let all = found.head.flags.has(Flags::ALL);
        if all || found.captures.first(Slot::Target).is_some() {
            self.some(found).parts
        } else {
            self.targets(range.clone()).parts
        }
    }

    fn one(&mut self, found: &Match) -> Target {
        self.some(found).whole
    }

    /// Reads what a statement is about: "the weather's sorted" speaks of the weather.
    fn subject(&mut self, found: &Match) -> Target {
        bare(self.one(found))
    }

    fn listing(&mut self, found: &Match, range: &Range<usize>) -> Listing {
        let flags = found.head.flags;
        let query = found.captures.first(Slot::Query);
        let outside = |at: &usize| !query.as_ref().is_some_and(|query| query.contains(at));
        let says = |reader: &Self, class: Class| {
            range.clone().filter(outside).any(|at| reader.is(class, at))
        };
        // "what needs to be done", "what do I have to get done": not yet.
        let wanted = |at: usize| {
            let to = at.checked_sub(2).filter(|to| range.contains(to));
            to.is_some_and(|to| self.is(Class::Inner, to) && self.is(Class::ListWord, to))
        };
        let mut words = range.clone().filter(outside);
        let done = words.any(|at| self.is(Class::DoneWord, at) && !wanted(at));
        let state = if says(self, Class::OpenWord) {
            Some(false)
        } else if done {
            Some(true)
        } else {
            None
        };
        let date = found.captures.first(Slot::Date).or_else(|| {
            let dates = self.dates.iter();
            let mut inside = dates.filter(|date| range.start < date.end && date.end <= range.end);
            inside.find(|date| outside(&date.start)).cloned()
        });
        let overdue = says(self, Class::OverdueWord).then_some(crate::intent::DueFilter::Overdue);
        Listing {
            // "is the essay still open" asks about one task, however it stands.
            completed: completed(flags)
                .or(state)
                .filter(|_| !flags.has(Flags::UNASKED)),
            // "what did I finish today": the day is that of the doing, not the one it was due.
            due: due(flags)
                .or(overdue)
                .or_else(|| date.and_then(|date| self.filter(&date)))
                .filter(|_| !flags.has(Flags::DONE)),
            form: if flags.has(Flags::COUNT) {
                Form::Count
            } else if flags.has(Flags::ONE) {
                Form::One
            } else {
                Form::Lines
            },
            // "is the essay high priority" asks about one task, whatever its priority.
            priority: self
                .priority(found.head, &found.captures)
                .filter(|_| !flags.has(Flags::UNASKED)),
            query: query.map(|query| self.query(query)),
            unasked: flags.has(Flags::UNASKED),
            plain: self.is_accounted_for(found),
        }
    }

    /// Tells whether the pattern accounts for every word, or leaves only such to be anything as say
    /// nothing by themselves. A last resort tells of too few.
    fn is_accounted_for(&self, found: &Match) -> bool {
        const FREE: [Slot; 6] = [
            Slot::Rest,
            Slot::Few,
            Slot::Name,
            Slot::Content,
            Slot::Target,
            Slot::Words,
        ];
        let closed = |at: usize| {
            let classes = self
                .words
                .list
                .get(at)
                .map_or(0, |word| self.grammar.classes(word.id));
            let timed = self.dates.iter().chain(&self.moments);
            classes & CLOSED != 0 || timed.clone().any(|time| time.contains(&at))
        };
        let mut free = FREE.iter().flat_map(|slot| found.captures.all(*slot));
        !found.head.flags.has(Flags::LATE) && free.all(|mut words| words.all(closed))
    }

    /// The words of a query, without articles and dates.
    fn query(&mut self, range: Range<usize>) -> String {
        match self.targets(range.clone()).whole {
            Target::Named(name) => name,
            _ => self.written(range).to_owned(),
        }
    }

    fn also(&mut self, found: &Match, all: &Range<usize>) -> Fragment {
        let words = found.captures.first(Slot::Words).unwrap_or_default();
        let words = self.skip(Class::And, words);
        let question = self.asks(all);
        // "and what is due on monday?" asks for a day, whatever stands beside it.
        let mut dates = self.dates.iter();
        let inside = dates.find(|date| words.start <= date.start && date.end <= words.end);
        let due = inside
            .filter(|_| question)
            .and_then(|date| self.filter(date));
        Fragment::Also {
            words: self.written(words.clone()).to_owned(),
            due: self.only_date(&words).or(due),
            question,
        }
    }

    fn amend(&mut self, found: &Match, range: &Range<usize>) -> Fragment {
        let captures = &found.captures;
        let flags = found.head.flags;
        let date = captures.first(Slot::Date);
        let words = captures.first(Slot::Words);
        let after = flags.has(Flags::AFTER).then(|| Due::By {
            days: 7,
            words: self.written(range.clone()).to_owned(),
        });
        let clear = flags.has(Flags::CLEAR).then_some(Due::Clear);
        let words = words.filter(|_| after.is_none());
        Fragment::Amend {
            due: date
                .as_ref()
                .and_then(|date| self.new_due(date))
                .or(after)
                .or(clear),
            days: date.as_ref().and_then(|date| self.filter(date)),
            time_of_day: captures.first(Slot::Time).and_then(|time| self.time(&time)),
            words: words.map(|words| self.written(words).to_owned()),
            priority: self.priority(found.head, captures),
        }
    }
}

/// A name behind the content that no word for a list stands by: "leche a Mercadona", and just so
/// "llamar a Lucía". What may be a part of the title stays in it.
fn unlisted(found: &Match, range: &Range<usize>) -> Option<Range<usize>> {
    let content = found.captures.first(Slot::Content)?;
    let mut names = found.captures.all(Slot::Name);
    names.find(|name| name.start == content.end + 1 && name.end == range.end)
}

/// Returns what a sentence is about, without the verb that an apostrophe ties to it: "the van's
/// sorted".
fn bare(target: Target) -> Target {
    match target {
        Target::Named(name) => {
            let bare = name.strip_suffix("'s").or_else(|| name.strip_suffix("’s"));
            Target::Named(bare.unwrap_or(&name).to_owned())
        }
        other => other,
    }
}
