//! The frame: what a turn leaves behind for the next, and how the next one is read against it.
//!
//! Made only of the user's words, of receipts and of what was shown: a model can't put
//! anything into it.

use chrono::{NaiveDate, NaiveTime};
use serde::{Deserialize, Serialize};

use crate::domain::{Lang, TaskId, TurnId};
use crate::intent::{
    Act, Addition, Change, Clause, Due, DueFilter, Form, Fragment, Listing, NewTask, Note, Reading,
    Target, Targets, Values, Verb, waits,
};
use crate::resolver::TaskList;
use crate::temporal;
use crate::turn::ServerQuestion;

/// Deed that the latest turn was about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LastVerb {
    /// Adding.
    Add,
    /// Listing.
    List(Listing),
    /// Changing.
    Change(Verb),
}

/// A remark that is made once per conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteKey(pub String);

impl From<&Note> for NoteKey {
    fn from(note: &Note) -> Self {
        Self(match note {
            Note::TimeOfDay | Note::Alarm => "alarm".to_owned(),
            Note::Recurrence => "recurrence".to_owned(),
            Note::RepeatEnd => "repeat_end".to_owned(),
            Note::ListName(_) => "list".to_owned(),
        })
    }
}

/// A command of the user's own words, with those words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuotedCommand {
    /// Clauses of the words.
    pub clauses: Vec<Clause>,
    /// The words.
    pub words: String,
    /// Set when it was only asked about ("what happens if …"), or declined: "do that" asks first.
    pub ask_first: bool,
}

/// Context that a turn leaves behind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnFrame {
    /// Deed that it was about.
    pub verb: Option<LastVerb>,
    /// The tasks of the latest turn: changed, read, asked about or named.
    pub focus: Vec<TaskId>,
    /// The listing last shown, in its order.
    pub shown: Vec<TaskId>,
    /// Tasks that the latest question offered: "the other one" chooses from them.
    pub offered: Vec<TaskId>,
    /// The values of the latest change.
    pub values: Values,
    /// The latest command that was not carried out: what "do it" and "try again" mean.
    pub wanted: Option<QuotedCommand>,
    /// The latest command that was carried out.
    pub done: Option<QuotedCommand>,
    /// True when the latest turn that wanted something changed something.
    pub worked: Option<bool>,
    /// The deed that a question of the model's own was about.
    pub open: Option<LastVerb>,
    /// The question that the latest turn neither answered nor declined: a yes asks it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lapsed: Option<ServerQuestion>,
    /// Turns in a row that were about no task.
    pub idle: u32,
    /// Remarks already made in this conversation.
    pub noted: Vec<NoteKey>,
    /// The language of the conversation; none is English.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<Lang>,
    /// The turn before was cut off, and nobody has been told yet what it had done.
    pub cut: Option<TurnId>,
}

/// A reading made whole by the frame.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletedReading {
    /// Every clause stands on its own now.
    pub reading: Reading,
    /// The words that license it: this message's, and those of the command it refers to.
    pub words: String,
    /// Set when what it refers to was only asked about: ask before doing it.
    pub ask_first: bool,
    /// Set when it was no command before the frame made one of it: nothing was ordered with certainty.
    pub carried: bool,
    /// Something no command can express.
    pub special: Option<BackReference>,
}

/// Something that refers to the turn before it and is no command of its own.
#[derive(Debug, Clone, PartialEq)]
pub enum BackReference {
    /// "no, the other one": take the latest change back and do it to this one.
    Instead(Target),
    /// "the red one" with nothing pending: which verb?
    WhatWith(Target),
    /// "try again" after it worked.
    WorkedAlready,
    /// "do it" with nothing that it could mean.
    NothingToDo,
}

impl TurnFrame {
    /// Reads a stored frame; one that can't be read is an empty one, which only asks more.
    pub fn from_json(json: &str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// A turn about no task went by: after the second one, "it" and "and eggs" mean nothing any
    /// more, since what they meant is no longer the latest thing that was talked about.
    pub fn pass_by(&mut self) {
        self.idle += 1;
        if self.idle > 1 {
            self.verb = None;
            self.focus.clear();
            self.offered.clear();
        }
    }

    /// Writes it down.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| "{}".to_owned())
    }

    /// Makes a reading whole.
    pub fn complete(&self, reading: Reading, message: &str, tasks: &TaskList) -> CompletedReading {
        let mut completed = CompletedReading {
            reading: Reading {
                lang: reading.lang,
                clauses: Vec::with_capacity(reading.clauses.len()),
            },
            words: message.to_owned(),
            ask_first: false,
            carried: false,
            special: None,
        };
        // "no, the other one", "no, the friday after": the no belongs to the correction.
        let corrects = reading.clauses.iter().any(|clause| {
            matches!(
                clause.act,
                Act::Fragment(Fragment::Instead(_) | Fragment::Amend { .. })
            )
        });
        // "if it rains, delete milk": whether it does is the user's to say.
        completed.ask_first = is_conditional(&reading, message);
        // "no the third", behind a change: the third is meant instead.
        let another = match reading.clauses.as_slice() {
            [no, picked] if no.act == Act::No && self.retargets() && self.wanted.is_none() => {
                match &picked.act {
                    Act::Fragment(Fragment::Pick { targets, .. }) => targets.first().cloned(),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(target) = another {
            completed.special = Some(BackReference::Instead(target));
            return completed;
        }
        let mut ordered = false;
        for clause in reading.clauses {
            let behind = ordered;
            ordered |= matches!(clause.act, Act::Change(_) | Act::Add(_));
            match clause.act {
                Act::No if corrects => {}
                // "set that to high, and the receipts too": it goes on with this message.
                Act::Fragment(Fragment::Also { .. } | Fragment::Amend { .. }) if behind => {
                    let act = Act::Other;
                    completed.reading.clauses.push(Clause { act, ..clause });
                }
                // "add a task" was too little; this is the title.
                Act::Noun(task) | Act::Wish(task) if self.awaits_title() => {
                    let act = Act::Add(single(task));
                    completed.reading.clauses.push(Clause { act, ..clause });
                }
                Act::Fragment(fragment) => {
                    let place = (clause.bytes, clause.notes);
                    self.complete_fragment(fragment, place, tasks, &mut completed);
                }
                _ => completed.reading.clauses.push(clause),
            }
        }
        completed
    }

    fn complete_fragment(
        &self,
        fragment: Fragment,
        (bytes, notes): (std::ops::Range<usize>, Vec<Note>),
        tasks: &TaskList,
        completed: &mut CompletedReading,
    ) {
        let act = match fragment {
            Fragment::DoIt | Fragment::Again => {
                let again = matches!(fragment, Fragment::Again);
                match (&self.wanted, &self.done) {
                    (Some(said), _) => {
                        completed.words = format!("{}\n{}", said.words, completed.words);
                        completed.ask_first |= said.ask_first;
                        completed.reading.clauses.extend(said.clauses.clone());
                    }
                    (None, Some(_)) if again => {
                        completed.special = Some(BackReference::WorkedAlready);
                    }
                    _ => completed.special = Some(BackReference::NothingToDo),
                }
                return;
            }
            Fragment::Instead(target) => {
                completed.special = Some(BackReference::Instead(target));
                return;
            }
            Fragment::Amend {
                due: None,
                time_of_day: None,
                words: Some(words),
                priority: None,
                ..
            } if self.retargets() => {
                self.retarget(words, bytes, completed);
                return;
            }
            Fragment::Keep { task, .. } if self.awaits_title() => Act::Add(single(task)),
            Fragment::Keep { task, .. } => Act::Noun(task),
            Fragment::Pick { mut targets, .. } if targets.len() == 1 => {
                completed.special = targets.pop().map(BackReference::WhatWith);
                return;
            }
            // "how about tuesday?" of a task just added or moved: shown, and done after a yes.
            Fragment::Also {
                due:
                    Some(DueFilter::Between {
                        from,
                        to,
                        words: said,
                    }),
                question: true,
                ..
            } if from == to && self.dates_one() => {
                completed.ask_first = true;
                let due = Due::On {
                    day: from,
                    words: said,
                };
                self.amend(Some(due), None, None, None, tasks)
            }
            // "and every week" tells of the task before: nothing is called so.
            Fragment::Also { words, .. } if is_repetition(&words) => Act::Other,
            Fragment::Also {
                words,
                due,
                question,
            } => match self.also(words.clone(), due, question, bytes.clone()) {
                // "essay?": how it stands, where a title has the words.
                Act::Other if question && tasks.has_title_with(&words) => find(words),
                act => act,
            },
            // "friday?" asks what is due then; right after a task was given a day, whether that one
            // would do. "friday" alone names no task, so it asks as well.
            Fragment::Amend {
                due: Some(due @ Due::On { .. }),
                days: Some(days),
                time_of_day: None,
                words: None,
                priority: None,
            } if asks(&completed.words, bytes.end)
                || self.focus.is_empty()
                || matches!(self.verb, Some(LastVerb::List(_))) =>
            {
                if self.dates_one() {
                    completed.ask_first = true;
                    self.amend(Some(due), None, None, None, tasks)
                } else {
                    listed(Some(days))
                }
            }
            Fragment::Amend {
                due,
                time_of_day: time,
                words,
                priority,
                ..
            } => self.amend(due, time, words, priority, tasks),
            Fragment::Restore => match (&self.verb, &self.done) {
                (Some(LastVerb::Change(Verb::Delete)), _) => Act::Undo,
                (Some(LastVerb::Add), Some(said)) => {
                    completed.words = format!("{}\n{}", said.words, completed.words);
                    completed.reading.clauses.extend(said.clauses.clone());
                    return;
                }
                _ => Act::Other,
            },
            // "find milk" is ours where a title has the words.
            Fragment::Bare(words) if tasks.has_title_with(&words) => find(words),
            Fragment::Pick { .. } | Fragment::Except(_) | Fragment::Bare(_) => Act::Other,
        };
        completed.carried |= !matches!(act, Act::Other);
        completed.reading.clauses.push(Clause { bytes, act, notes });
    }

    /// Tells whether the latest turn asked to add something that it did not name.
    fn awaits_title(&self) -> bool {
        let untitled = |clause: &Clause| match &clause.act {
            Act::Add(addition) => addition.whole.title.is_empty() && !addition.described,
            _ => false,
        };
        let wanted = self.wanted.as_ref();
        self.idle == 0 && wanted.is_some_and(|said| said.clauses.iter().any(untitled))
    }

    /// Tells whether the latest turn was about one task that a day may belong to.
    fn dates_one(&self) -> bool {
        let dated = matches!(
            self.verb,
            Some(LastVerb::Add | LastVerb::Change(Verb::Update))
        );
        dated && self.focus.len() == 1 && self.idle == 0
    }

    /// Tells whether "I meant Read book" names another task for the latest change.
    fn retargets(&self) -> bool {
        let failed =
            |said: &QuotedCommand| matches!(said.clauses.as_slice(), [one] if changes(one));
        matches!(self.verb, Some(LastVerb::Change(_)))
            && self.wanted.as_ref().is_none_or(failed)
            && self.idle == 0
    }

    /// The change that failed, of the task that is meant; one that was carried out is taken back
    /// for it.
    fn retarget(
        &self,
        words: String,
        bytes: std::ops::Range<usize>,
        completed: &mut CompletedReading,
    ) {
        let target = Target::Named(words);
        let Some(said) = &self.wanted else {
            completed.special = Some(BackReference::Instead(target));
            return;
        };
        for clause in &said.clauses {
            let Act::Change(change) = &clause.act else {
                continue;
            };
            // A correction that deletes is confirmed.
            completed.ask_first |= said.ask_first || change.verb == Verb::Delete;
            completed.reading.clauses.push(Clause {
                bytes: bytes.clone(),
                act: Act::Change(Change {
                    targets: one_target(target.clone()),
                    splits: Vec::new(),
                    ..change.clone()
                }),
                notes: Vec::new(),
            });
        }
    }

    fn also(
        &self,
        words: String,
        due: Option<crate::intent::DueFilter>,
        question: bool,
        bytes: std::ops::Range<usize>,
    ) -> Act {
        match &self.verb {
            // "and friday": whether it is moved or done twice, nobody knows.
            Some(LastVerb::Change(_) | LastVerb::Add) if due.is_some() => Act::Other,
            Some(LastVerb::Change(verb)) if !question => Act::Change(Change {
                verb: *verb,
                targets: one_target(Target::Named(words)),
                values: self.values.clone(),
                splits: Vec::new(),
            }),
            Some(LastVerb::Add) if !question => Act::Add(single(titled(words, bytes))),
            Some(LastVerb::List(_)) if due.is_some() => listed(due),
            Some(LastVerb::List(_)) => Act::List(Listing {
                query: Some(words),
                form: Form::One,
                ..Listing::default()
            }),
            _ if question => Act::Other,
            _ => Act::Noun(titled(words, bytes)),
        }
    }

    fn amend(
        &self,
        due: Option<crate::intent::Due>,
        time: Option<NaiveTime>,
        words: Option<String>,
        priority: Option<crate::domain::Priority>,
        tasks: &TaskList,
    ) -> Act {
        // New words rename only what was just added: after anything else they are too little
        // to say what should become of them.
        let renamed = words.filter(|_| self.verb == Some(LastVerb::Add));
        // "oat milk actually" means the milk, though eggs were added since.
        let named = renamed
            .as_deref()
            .and_then(|words| tasks.only_open_in(words));
        let target = named.map_or(Target::It, |task| {
            Target::Named(task.title.as_str().to_owned())
        });
        let values = Values {
            due,
            time,
            priority,
            title: renamed,
            ..Values::default()
        };
        if values == Values::default() {
            return Act::Other;
        }
        Act::Change(Change {
            verb: Verb::Update,
            targets: one_target(target),
            values,
            splits: Vec::new(),
        })
    }
}

/// Tells whether a question mark stands behind the byte `end`.
fn asks(message: &str, end: usize) -> bool {
    let behind = message.get(end..).unwrap_or_default();
    behind.trim_start().starts_with(['?', '؟', '？'])
}

/// A listing of what has these words.
fn find(words: String) -> Act {
    Act::List(Listing {
        query: Some(words),
        ..Listing::default()
    })
}

/// A listing of these days.
fn listed(due: Option<DueFilter>) -> Act {
    Act::List(Listing {
        due,
        ..Listing::default()
    })
}

fn titled(title: String, bytes: std::ops::Range<usize>) -> NewTask {
    NewTask {
        title,
        bytes,
        ..NewTask::default()
    }
}

fn single(task: NewTask) -> Addition {
    Addition {
        whole: task.clone(),
        parts: vec![task],
        split: false,
        described: false,
    }
}

const fn changes(clause: &Clause) -> bool {
    matches!(clause.act, Act::Change(_))
}

/// Tells whether a change is ordered on a condition: "if it rains, delete milk".
pub fn is_conditional(reading: &Reading, message: &str) -> bool {
    let mut clauses = reading.clauses.iter();
    clauses.any(|clause| changes(clause) && on_condition(message, clause.bytes.start, reading.lang))
}

/// Tells whether a condition stands before `start`, in its sentence.
fn on_condition(message: &str, start: usize, lang: Lang) -> bool {
    let before = message.get(..start).unwrap_or_default();
    let sentence = before.rsplit(['.', '!', '?', ';', '\n']).next();
    let mut parts = sentence.unwrap_or_default().split(',');
    parts.any(|part| waits(part, lang))
}

fn one_target(target: Target) -> Targets {
    Targets {
        whole: target.clone(),
        parts: vec![target],
    }
}

/// Tells whether words are a repetition and nothing else, in any language.
fn is_repetition(words: &str) -> bool {
    let mut langs = Lang::ALL.into_iter();
    langs.any(|lang| temporal::repetition(words, NaiveDate::default(), lang).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_survives_being_stored() {
        let frame = TurnFrame {
            verb: Some(LastVerb::Add),
            focus: vec![TaskId::new(uuid::Uuid::nil())],
            ..TurnFrame::default()
        };
        assert_eq!(TurnFrame::from_json(&frame.to_json()), frame);
        assert_eq!(TurnFrame::from_json("nonsense"), TurnFrame::default());
    }
}
