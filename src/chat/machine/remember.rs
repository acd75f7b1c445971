//! The frame that a turn leaves behind: from the user's words, receipts and what was shown.

use super::TurnMachine;
use crate::domain::{Action, DueTime, TaskId, Tool};
use crate::guard::{Composed, GrantKind, Kind, Meaning, Part, last_question};
use crate::intent::{Act, Change, Clause, Due, Target, Values, Verb};
use crate::resolver::{Among, Resolution};
use crate::store::{ReadResult, ReceiptFacts};
use crate::turn::{LastVerb, QuotedCommand, ServerQuestion};

impl TurnMachine<'_> {
    /// Remembers a turn that has a reply.
    pub(super) fn remember(&mut self, composed: &Composed) {
        self.conversation
            .frame
            .noted
            .extend(composed.noted().iter().cloned());
        let facts = self.facts();
        let changes: Vec<&ReceiptFacts> = facts.iter().filter(|f| f.action.is_change()).collect();
        let missed = composed
            .fault()
            .is_some_and(|fault| matches!(&*fault.code, "tool_not_triggered" | "interrupted"));
        let said = self.commands();
        let beside = self.spoke_of_no_task(&facts);
        let talked = self.is_understood() && changes.is_empty() && self.reply.asked.is_none();
        let (mut named, mut deed) = if talked {
            let words = self.input.message.as_str();
            crate::guard::spoken_of(words, &self.situation(), self.words_language())
        } else {
            (Vec::new(), None)
        };
        let asks = self.reply.asks_back();
        if talked && asks && (deed.is_none() || named.is_empty()) {
            // "Shall I move the milk to Wednesday?"
            let prose = self.reply.prose.as_ref();
            let offer = prose.map_or("", |prose| last_question(&prose.text));
            let situation = self.situation();
            let (offered, offer) = crate::guard::spoken_of(offer, &situation, self.intent.speech);
            deed = deed.or(offer);
            if deed.is_some() && named.is_empty() {
                named = offered;
            }
        }
        // An addition that failed can be put right.
        let failed = changes.is_empty() && self.failed(Tool::AddTask);
        let failed = failed.then_some(LastVerb::Add);
        let frame = &mut self.conversation.frame;
        frame.open = failed.or(deed.filter(|_| asks));
        if beside || facts.is_empty() && said.is_none() && self.reply.asked.is_none() {
            frame.pass_by();
            if !named.is_empty() {
                frame.focus.clone_from(&named);
                frame.idle = 0;
            }
        } else {
            frame.idle = 0;
        }
        self.remember_asked_about();
        if !changes.is_empty() {
            self.remember_changes(&changes);
            let frame = &mut self.conversation.frame;
            frame.worked = Some(true);
            frame.done.clone_from(&said);
            frame.wanted = said.filter(|_| missed);
        } else if said.is_some() {
            let read = facts.iter().any(|f| f.action == Action::ListTasks);
            let failed = composed.kind() == Kind::Failure || (missed && !read);
            let frame = &mut self.conversation.frame;
            if failed || self.reply.asked.is_some() {
                frame.worked = Some(false);
            }
            // What was asked about and then declined stays declined: nothing is wanted.
            frame.wanted = said.filter(|_| failed);
            if failed {
                self.remember_named();
            }
            self.remember_verb();
        }
        for reading in facts.iter().filter_map(|f| f.reading.as_ref()) {
            self.remember_reading(reading, changes.is_empty());
        }
        // What a question of the model's own was about.
        if asks && facts.is_empty() && !named.is_empty() {
            self.conversation.frame.focus.clone_from(&named);
        }
        // A listing that was asked for one task is about that one.
        if !facts.is_empty() && named.len() == 1 {
            self.conversation.frame.focus = named;
        }
        // What was done in other words is not asked about again.
        let touched = |asked: &mut ServerQuestion| {
            asked.items.iter().any(|item| {
                changes.iter().any(|f| {
                    f.task_id.is_some() && f.task_id == item.task
                        || f.title() == Some(item.title.as_str())
                })
            })
        };
        self.conversation.frame.lapsed.take_if(touched);
        if let Some(asked) = &self.reply.asked {
            let offered: Vec<TaskId> = asked.items.iter().filter_map(|item| item.task).collect();
            if !offered.is_empty() {
                self.conversation.frame.focus.clone_from(&offered);
                self.conversation.frame.offered = offered;
            }
        }
    }

    /// Lets what is said behind a yes go on from what the yes has just done: "yes, and make it
    /// urgent".
    pub(super) fn go_on_from_answer(&mut self) {
        let facts = self.facts();
        let changes: Vec<&ReceiptFacts> = facts.iter().filter(|f| f.action.is_change()).collect();
        if changes.is_empty() {
            return;
        }
        self.remember_changes(&changes);
        self.conversation.frame.idle = 0;
        // What was deleted must not be taken for another of its name.
        if changes.iter().all(|f| f.action != Action::DeleteTask) {
            self.stored.began = self.work.unit.tasks().clone();
        }
    }

    /// Facts of every proof of the turn.
    fn facts(&self) -> Vec<ReceiptFacts> {
        let proofs = self.work.proofs().into_iter();
        proofs.map(|proof| proof.facts().clone()).collect()
    }

    /// Remembers a turn that ended without a model: what was wanted can be tried again.
    pub(super) fn remember_unanswered(&mut self) {
        if let Some(said) = self.commands() {
            self.conversation.frame.worked = Some(false);
            // A listing that failed does not push aside a change that is still wanted.
            let reads = said.clauses.iter().all(|c| matches!(c.act, Act::List(_)));
            if !reads || self.conversation.frame.wanted.is_none() {
                self.conversation.frame.wanted = Some(said);
            }
            self.remember_named();
            self.remember_verb();
        }
    }

    /// The commands of the message, with its words.
    fn commands(&self) -> Option<QuotedCommand> {
        let command = |clause: &&Clause| {
            matches!(
                clause.act,
                Act::Add(_) | Act::List(_) | Act::Change(_) | Act::Undo
            )
        };
        let clauses = self.intent.clauses().iter();
        let clauses: Vec<Clause> = clauses.filter(command).cloned().collect();
        (!clauses.is_empty()).then(|| QuotedCommand {
            clauses,
            words: self.intent.completed.words.clone(),
            ask_first: false,
        })
    }

    fn remember_changes(&mut self, changes: &[&ReceiptFacts]) {
        let named = changes.iter().filter(|f| f.action != Action::Undo);
        let mut focus: Vec<TaskId> = Vec::new();
        for id in named.filter_map(|facts| facts.task_id) {
            if !focus.contains(&id) {
                focus.push(id);
            }
        }
        self.remember_values(changes.last().copied());
        let frame = &mut self.conversation.frame;
        frame.verb = match changes.last().map(|facts| facts.action) {
            Some(Action::AddTask) => Some(LastVerb::Add),
            Some(Action::DeleteTask) => Some(LastVerb::Change(Verb::Delete)),
            Some(Action::CompleteTask) => Some(LastVerb::Change(Verb::Complete)),
            // A rename or a new date of what was just added is still about adding: "and eggs".
            Some(Action::UpdateTask) if frame.verb == Some(LastVerb::Add) => Some(LastVerb::Add),
            Some(Action::UpdateTask) => Some(LastVerb::Change(Verb::Update)),
            _ => None,
        };
        if focus.is_empty() {
            // An undo alone: the tasks it brought back are what the turn was about.
            focus = changes.iter().filter_map(|facts| facts.task_id).collect();
        }
        if focus.len() > 1 && changes.iter().all(|f| f.action == Action::AddTask) {
            // Several lines in one reply are a listing: "the second one" counts in it.
            frame.shown.clone_from(&focus);
        }
        frame.focus = focus;
    }

    /// Tells whether the message was a remark or a question that fits no task: small talk.
    fn spoke_of_no_task(&self, facts: &[ReceiptFacts]) -> bool {
        let clauses = self.intent.clauses();
        let remark = |act: &Act| matches!(act, Act::List(listing) if listing.unasked);
        let nothing = |facts: &ReceiptFacts| {
            matches!(&facts.reading, Some(ReadResult::Tasks { matched: 0, .. }))
        };
        !clauses.is_empty()
            && clauses.iter().all(|clause| remark(&clause.act))
            && facts.iter().all(nothing)
    }

    /// The values that the words gave, else those of the latest change.
    fn remember_values(&mut self, changed: Option<&ReceiptFacts>) {
        let mut grants = self.intent.licence.grants.iter();
        let values = grants.find_map(|grant| match &grant.kind {
            GrantKind::Change { values, .. } => Some(values.clone()),
            _ => None,
        });
        let values = values.filter(|values| *values != Values::default());
        self.conversation.frame.values = values
            .or_else(|| changed.map(new_values))
            .unwrap_or_default();
    }

    fn remember_verb(&mut self) {
        let verb = self.intent.clauses().iter().rev().find_map(|clause| {
            Some(match &clause.act {
                Act::Add(_) => LastVerb::Add,
                Act::List(listing) => LastVerb::List(listing.clone()),
                Act::Change(change) => LastVerb::Change(change.verb),
                _ => return None,
            })
        });
        if verb.is_some() {
            self.conversation.frame.verb = verb;
        }
        self.remember_values(None);
    }

    /// The tasks that the words named, of a turn that did not change them. A task that was not
    /// found leaves nothing in focus: "it" must not fall back to an older one.
    fn remember_named(&mut self) {
        let grants = self.intent.licence.grants.iter();
        let parts = grants.filter_map(|grant| match &grant.kind {
            GrantKind::Change { parts, .. } => Some(parts),
            _ => None,
        });
        let parts: Vec<&Part> = parts.flatten().collect();
        if parts.is_empty() {
            return;
        }
        let named = parts.iter().filter_map(|part| match &part.meaning {
            Meaning::One(id) => Some(*id),
            _ => None,
        });
        self.conversation.frame.focus = named.collect();
    }

    fn remember_reading(&mut self, reading: &ReadResult, alone: bool) {
        let ReadResult::Tasks {
            lines, question, ..
        } = reading
        else {
            return;
        };
        let filter: crate::tools::ListFilter =
            serde_json::from_value(question.clone()).unwrap_or_default();
        let ids: Vec<TaskId> = lines.iter().map(|line| line.id).collect();
        // Tasks that were counted are talked about, but nobody has seen them in an order.
        if !filter.one && !filter.count_only {
            self.conversation.frame.shown.clone_from(&ids);
        }
        // A listing of nothing does not take the focus away.
        if alone && !ids.is_empty() {
            self.conversation.frame.focus = ids;
        }
    }

    /// "what happens if I delete Read book?", "should I keep Read book?": "do that" means it,
    /// after a question.
    fn remember_asked_about(&mut self) {
        for clause in self.intent.clauses().to_vec() {
            let (target, change): (Target, Option<Change>) = match clause.act {
                Act::Hypothetical(change) => (change.targets.whole.clone(), Some(change)),
                Act::Opinion(target) => (target, None),
                _ => continue,
            };
            if let Some(change) = change {
                self.conversation.frame.wanted = Some(QuotedCommand {
                    clauses: vec![Clause {
                        act: Act::Change(change),
                        ..clause
                    }],
                    words: self.input.message.clone(),
                    ask_first: true,
                });
            }
            if let Target::Named(words) = &target {
                let found = self.situation().resolver().resolve(words, Among::All);
                if let Resolution::One(id) = found {
                    self.conversation.frame.focus = vec![id];
                }
            }
        }
    }
}

/// The day and the priority that a change gave.
fn new_values(change: &ReceiptFacts) -> Values {
    let (Some(before), Some(after)) = (&change.before, &change.after) else {
        return Values::default();
    };
    let due = (before.due_date != after.due_date).then_some(after.due_date);
    Values {
        due: due.map(|day| match day {
            Some(day) => Due::On {
                day,
                words: day.to_string(),
            },
            None => Due::Clear,
        }),
        time: (before.due_time != after.due_time)
            .then(|| after.due_time.map(DueTime::time))
            .flatten(),
        priority: (before.priority != after.priority).then_some(after.priority),
        ..Values::default()
    }
}
