//! Machine of a turn: everything that a turn decides, and nothing that it does.
//!
//! Straight-line code whose only await is [`Effects::ask`], so that a turn runs without a runtime:
//! its driver, or a test, carries the effects out. Beside that it writes its log and what whoever
//! watches it is told, and reads the stopwatch of its request, for figures alone.

mod agents;
mod answer;
mod calls;
mod commit;
pub(super) mod effects;
mod events;
mod journal;
mod model;
mod open;
mod past;
mod pending;
mod prose;
mod remember;
mod reminders;
mod request;
mod stand_in;
mod state;
mod tally;
#[cfg(test)]
mod tests;

pub(super) use self::answer::metadata;
pub use self::answer::receipt_of;
pub(super) use self::journal::TurnJournal;
pub(super) use self::request::answer;
pub use self::tally::TurnTiming;
pub(super) use self::tally::milliseconds;

use std::sync::Arc;

use chrono::TimeDelta;

use self::effects::{Answer, Effect, Effects, ReadAnswer};
use self::model::ModelUsage;
use self::state::{
    ConversationUpdate, OpenRow, ReplyParts, StoredState, TurnObservers, TurnRuns, TurnWork,
    UserIntent,
};
use super::input::{AttemptFault, TurnInput};
use crate::chat::service::TurnRules;
use crate::chat::{ChatAnswer, ChatError, prompt};
use crate::domain::{DueTime, Lang, Title, Tool};
use crate::guard::{
    Grant, GrantKind, Licence, Meaning, Need, Situation, answer_already, ask_add, ask_instead,
    ask_what_with, settle,
};
use crate::intent::{self, Act, Reading, Target};
use crate::llm::ToolChoice;
use crate::locales::localized;
use crate::resolver::{Among, Reference, Resolution, TaskList};
use crate::store::{NewTask, QuestionWrite};
use crate::temporal::DueRule;
use crate::tools::StandingFact;
use crate::turn::{BackReference, CallResult, LastVerb, LedgerEntry, RoundMachine, RoundStep};

/// One turn on its way.
pub(super) struct TurnMachine<'s> {
    rules: &'s TurnRules,
    input: &'s TurnInput,
    stored: StoredState,
    intent: UserIntent,
    work: TurnWork,
    reply: ReplyParts,
    conversation: ConversationUpdate,
    row: OpenRow,
    talk: ModelUsage,
    runs: TurnRuns,
    watch: TurnObservers,
    effects: Effects,
}

impl TurnMachine<'_> {
    /// Runs the turn to its committed end.
    pub(super) async fn run(mut self) -> Result<ChatAnswer, AttemptFault> {
        self.load_runs().await?;
        let reading = self.read_message();
        self.settle_language(&reading);
        self.tell_of_cut_turn().await?;
        self.tell_of_ended_runs();
        self.tell_of_missed_reminders();
        let Some(mut reading) = self.answer_pending(reading).await? else {
            return self.finish().await;
        };
        // The words are read as the tasks stand before a correction changes them.
        let tasks = self.work.unit.tasks().clone();
        self.intent.accepts = self.takes_up(&reading);
        self.read_as_past(&mut reading).await?;
        self.intent.completed =
            self.conversation
                .frame
                .complete(reading, &self.input.message, &tasks);
        self.drop_question();
        let left = self.leave_special();
        self.answer_special().await?;
        self.read_words(&tasks);
        self.answer_from_receipts(&tasks).await?;
        self.answer_about_agents();
        if self.needs_model() {
            self.converse().await?;
            self.ask_what_is_open();
        }
        if !self.is_understood() {
            self.ask_what_is_hinted();
            self.offer_to_add();
        } else if self.is_unanswered() {
            self.stand_in(left).await?;
        } else {
            self.answer_bare_alone();
        }
        self.say_declined();
        self.finish().await
    }

    /// Settles the language of the reply: the one that is asked for or set, else the message's where
    /// that is certain, else the conversation's, which is that of its words.
    fn settle_language(&mut self, reading: &Reading) {
        let before = self.intent.before;
        let told = || {
            let tasks = &self.stored.began;
            crate::guard::reply_language(reading, &self.input.message, before, tasks)
        };
        let words = self.input.hint.unwrap_or_else(told);
        self.conversation.frame.lang = Some(words).filter(|lang| *lang != Lang::En);
        let set = self.rules.policy.reply_language;
        self.intent.speech = self.input.hint.or(set).unwrap_or(words);
    }

    /// Returns the language that the message was read in.
    pub(super) const fn words_language(&self) -> Lang {
        self.intent.completed.reading.lang
    }

    /// Returns what the tasks and the conversation say, for resolving words.
    pub(super) fn situation(&self) -> Situation<'_> {
        let tasks = self.work.unit.tasks();
        self.conversation.situation(tasks, self.input.moment)
    }

    /// Closes the question that waits, where the message is no plain answer: it is declined, and
    /// what it proposed is known to the turn.
    fn drop_question(&mut self) {
        let Some((_, asked)) = &self.stored.pending else {
            return;
        };
        self.conversation.question = QuestionWrite::Close;
        // A yes to the next reply may still mean it: nobody has declined it.
        if self.reply.declined.is_none() {
            self.conversation.frame.lapsed = Some(asked.clone());
        }
    }

    /// Tells whether a model reads the message: what code reads into it never stands in for that.
    pub(super) fn is_understood(&self) -> bool {
        self.rules.understands
    }

    pub(super) async fn answer_special(&mut self) -> Result<(), ChatError> {
        let speech = self.intent.speech;
        let Some(special) = self.intent.completed.special.clone() else {
            return Ok(());
        };
        match special {
            BackReference::NothingToDo => {
                self.remark(localized!(speech, "say-what-to-do"));
            }
            BackReference::WorkedAlready => {
                let entries = self.history_entries().await?;
                let answer = answer_already(&entries, self.intent.speech);
                self.keep_past(&intent::Past::DidThatWork, answer);
            }
            BackReference::WhatWith(target) => {
                let words = Reference::parse(target_text(&target));
                let found = self
                    .situation()
                    .resolver()
                    .resolve_reference(&words, Among::All);
                match found {
                    Resolution::One(id) => {
                        let task = self.work.unit.task(id);
                        self.reply.asked = task.map(|task| ask_what_with(task, speech));
                    }
                    _ => self.intent.completed.reading.clauses.push(intent::Clause {
                        bytes: 0..self.input.message.len(),
                        act: Act::Other,
                        notes: Vec::new(),
                    }),
                }
            }
            BackReference::Instead(target) => self.instead(&target).await?,
        }
        Ok(())
    }

    async fn instead(&mut self, target: &Target) -> Result<(), ChatError> {
        let Some(LastVerb::Change(verb)) = self.conversation.frame.verb.clone() else {
            return Ok(());
        };
        self.load_undoable().await?;
        let reference = match target {
            intent::Target::Other => Reference::Other,
            other => Reference::parse(target_text(other)),
        };
        let among = match verb {
            intent::Verb::Complete => Among::Pending,
            intent::Verb::Reopen => Among::Completed,
            intent::Verb::Update | intent::Verb::Delete => Among::All,
        };
        let found = self
            .situation()
            .resolver()
            .resolve_reference(&reference, among);
        let asked = match found {
            Resolution::One(id) => self.work.unit.task(id).and_then(|task| {
                let context = self.question_context();
                ask_instead(
                    &self.stored.undoable,
                    verb,
                    task,
                    &self.conversation.frame.values,
                    &context,
                )
                .ok()
            }),
            _ => None,
        };
        if let Some(asked) = asked {
            // One change that deletes nothing is mended at once; its undo and its new change
            // commit together.
            let alone = self.stored.undoable.len() == 1 && verb != intent::Verb::Delete;
            if alone {
                self.run_items(&asked, &[0], &intent::Values::default())
                    .await?;
            } else {
                self.reply.asked = Some(asked);
            }
        } else {
            self.remark(localized!(self.intent.speech, "say-which"));
        }
        Ok(())
    }

    /// Makes the licence of the words.
    fn read_words(&mut self, tasks: &TaskList) {
        let mut reading = std::mem::replace(
            &mut self.intent.completed.reading,
            Reading {
                lang: self.intent.lang,
                clauses: Vec::new(),
            },
        );
        let situation = self.conversation.situation(tasks, self.input.moment);
        settle(&mut reading, &self.intent.completed.words, &situation);
        let licence = Licence::new(&reading, &self.intent.completed.words, &situation);
        self.intent.licence = licence;
        self.intent.completed.reading = reading;
    }

    /// Asks for an effect.
    async fn effect<T>(&self, effect: impl FnOnce(Answer<T>) -> Effect) -> T {
        self.effects.ask(effect).await
    }

    /// Reads from the store; a read that fails ends the turn.
    async fn read<T>(&self, effect: impl FnOnce(ReadAnswer<T>) -> Effect) -> Result<T, ChatError> {
        // Once a round was committed, nobody may say that nothing was changed.
        self.effect(effect)
            .await
            .map_err(|error| match self.work.ledger.sealed() {
                0 => error.into(),
                _ => ChatError::Unconfirmed,
            })
    }

    /// Adds a line to the reply.
    fn remark(&mut self, line: String) {
        self.reply.remarks.push(line);
    }

    /// Notes what is so already, found without a model.
    pub(super) fn note_fact(&mut self, tool: Tool, fact: StandingFact) {
        let entry = LedgerEntry {
            tool: Some(tool),
            ..LedgerEntry::own(tool.as_str(), CallResult::Unchanged(fact))
        };
        self.enter(entry);
    }

    /// Loads what an undo would take back, once.
    pub(super) async fn load_undoable(&mut self) -> Result<(), ChatError> {
        if self.stored.undoable.is_empty() && !self.input.fresh {
            self.stored.undoable = self.read(Effect::ReadUndoable).await?;
        }
        Ok(())
    }

    fn needs_model(&self) -> bool {
        let settled = |act: &Act| matches!(act, Act::Past(_) | Act::Undo | Act::Errand(_));
        let mut acts = self.intent.clauses().iter().map(|c| &c.act);
        if self.is_understood() && self.reply.asked.is_none() && !acts.all(settled) {
            return true;
        }
        let asks = |act: &Act| {
            matches!(
                act,
                Act::Add(_)
                    | Act::List(_)
                    | Act::Change(_)
                    | Act::Opinion(_)
                    | Act::Social(_)
                    | Act::Other
            )
        };
        let clauses = self.intent.clauses();
        let undo = self.intent.licence.expects_undo();
        let errand = self.intent.licence.expects_errand();
        self.reply.asked.is_none()
            && (undo || errand || clauses.iter().any(|clause| asks(&clause.act)))
    }

    /// Talks with the model until the rounds are over and the reply can be composed.
    async fn converse(&mut self) -> Result<(), AttemptFault> {
        let reading = Arc::new(self.intent.completed.reading.clone());
        self.open_prompt();
        let mut machine = RoundMachine::new(self.rules.policy.missing_tool);
        let mut fast = self.rules.policy.fast_path && self.is_certain();
        let mut step = if fast {
            machine.begin_certain()
        } else {
            machine.begin()
        };
        loop {
            let answer = match step {
                RoundStep::Settle => return Ok(()),
                RoundStep::AskEngine => self.ask_engine(&reading).await,
                RoundStep::Ask(choice) => self.ask(&reading, choice).await,
            };
            let answer = match answer {
                Ok(answer) => answer,
                // Something was committed, so it is told; what is missing is said to be missing.
                Err(_) if self.work.ledger.sealed() > 0 => return Ok(()),
                Err(_) if step == RoundStep::Ask(ToolChoice::Required) => return Ok(()),
                Err(error) => return Err(self.model_down(&error).await.into()),
            };
            if std::mem::take(&mut fast) && answer.calls.is_empty() {
                step = machine.begin();
                continue;
            }
            if answer.calls.is_empty() {
                self.take_prose(answer.text.as_deref());
                let due = self.call_is_due();
                step = machine.without_calls(due);
                continue;
            }
            self.talk.round += 1;
            match self.journal_answer().await {
                Ok(true) => {}
                Ok(false) => return Err(AttemptFault::TakenOver),
                // What can't be kept is not begun; what was committed is told.
                Err(_) => return Ok(()),
            }
            let report = self.run_calls(answer).await?;
            let open = self.call_is_due()
                || self.has_only_read()
                || self.has_only_added()
                || self.asked_besides().is_some();
            step = machine.after_calls(report, open);
            if step != RoundStep::Settle {
                self.commit_round().await?;
            }
        }
    }

    /// Tells whether the words are certain, and each task that they name is one that is there.
    pub(super) fn is_certain(&self) -> bool {
        let found = |grant: &Grant| match &grant.kind {
            GrantKind::Change { parts, .. } => parts
                .iter()
                .all(|part| matches!(part.meaning, Meaning::One(_))),
            _ => true,
        };
        let completed = &self.intent.completed;
        let plain = completed.special.is_none() && !completed.ask_first && !completed.carried;
        plain
            && self
                .intent
                .completed
                .reading
                .is_certain(&self.input.message)
            && self.intent.licence.grants.iter().all(found)
    }

    pub(super) fn call_is_due(&self) -> bool {
        let open = self
            .intent
            .licence
            .open(&self.situation(), self.intent.speech);
        let due = |need: &Need| matches!(need, Need::Call(tool) if !self.failed(*tool));
        open.iter().any(due)
    }

    fn open_prompt(&mut self) {
        let input = prompt::PromptInput {
            moment: self.input.moment,
            due_rule: self.rules.policy.due_rule,
            lang: self.intent.speech,
            tasks: self.work.unit.tasks(),
            shown: &self.conversation.frame.shown,
            history: &self.stored.history,
            message: &self.input.message,
        };
        let (mut messages, context) = prompt::build(&input);
        if self.rules.agents.is_some() {
            agents::prompt_about_agents(&mut messages, &self.runs.ended);
        }
        self.talk.prompt = messages;
        self.talk.context = Some(context);
    }

    /// A wish or a bare noun: `Add "…"?`
    pub(super) fn offer_to_add(&mut self) {
        if self.reply.asked.is_some() {
            return;
        }
        let situation = self.situation();
        let clauses = self.intent.clauses().iter();
        let plan = clauses.filter_map(|clause| match &clause.act {
            Act::Wish(task) | Act::Noun(task) => {
                add_plan(task, &situation, self.rules.policy.due_rule)
            }
            _ => None,
        });
        let plans: Vec<NewTask> = plan.collect();
        if !plans.is_empty() && !self.settle_noun_with_values() {
            self.reply.asked = Some(ask_add(plans, self.intent.speech));
        }
    }
}

fn add_plan(
    task: &intent::NewTask,
    situation: &Situation<'_>,
    due_rule: DueRule,
) -> Option<NewTask> {
    // A thumb or a row of dots is no task that anybody wants.
    if !task.title.chars().any(char::is_alphanumeric) {
        return None;
    }
    let said = match &task.due {
        Some(intent::Due::On { day, .. }) => Some(*day),
        _ => None,
    };
    let time = task.time.map(|time| DueTime::new(time, situation.zone));
    let left = task.after.map(|seconds| TimeDelta::seconds(seconds.into()));
    let (due_date, due_time) = match (&task.repeat, time, left) {
        (_, _, Some(left)) => situation.after(left, due_rule).unzip(),
        (Some(rule), time, None) => (said.or_else(|| situation.first_day_of(rule, time)), time),
        (None, Some(time), None) => (
            said.or_else(|| situation.next_day_of(time, due_rule)),
            Some(time),
        ),
        (None, None, None) => (said, None),
    };
    Some(NewTask {
        description: task.description.clone(),
        priority: task.priority.unwrap_or_default(),
        due_time: due_time.filter(|_| due_date.is_some()),
        due_date,
        repeat: task.repeat.clone(),
        ..NewTask::titled(Title::parse(&task.title).ok()?)
    })
}

fn target_text(target: &intent::Target) -> &str {
    match target {
        intent::Target::Named(words) => words,
        _ => "it",
    }
}
