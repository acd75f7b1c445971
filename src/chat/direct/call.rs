//! A tool that is called without a conversation, as MCP does.
//!
//! It passes the same validation, resolver, unit of work and guard as a call in a chat turn, and is
//! a turn of its own in the log. Nobody's words are at hand, so there is no licence to hold it
//! against; what a user's words would have to name is asked instead: a deletion runs only with a
//! [`ConsentAnswer`] to just this call of this user on this version of the task, once.

mod faults;
mod record;

use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::DirectWrites;
use crate::audit::{EventKind, canonical};
use crate::domain::{
    Action, DueTime, ErrorType, Lang, Moment, Task, TaskId, Tool, ToolError, TurnId, UserId,
};
use crate::guard::{
    CheckedReply, QuestionContext, Situation, ask_change, no_such_task, which_task,
};
use crate::intent::{Act, Target, Values, Verb};
use crate::llm::RawCall;
use crate::resolver::{Among, Context, Resolution};
use crate::store::{AppliedChange, NewTask, Receipt, StoreError, TaskPatch, Transaction, Unit};
use crate::tools::{
    CallContext, NewValues, Plan, PlannedValues, Proposal, StandingFact, propose, repeats_never,
    run,
};
use crate::turn::{CallResult, ServerQuestion};
use faults::{answered_before, no_day, not_confirmed, one_at_a_time, unavailable, uncommitted};

/// Number of receipts that an undo looks back over.
const UNDO_DEPTH: u32 = 200;

/// Tells that other hands moved a task at every try.
const BUSY: &str = "Your tasks kept being changed meanwhile, so nothing was done. Try again.";

/// Name of these turns in the log.
const SOURCE: &str = "mcp";

/// A call.
#[derive(Debug, Clone)]
pub struct DirectCall<'a> {
    /// Of which tool.
    pub tool: Tool,
    /// As they came.
    pub arguments: Map<String, Value>,
    /// Program that calls, in its own words; for errors and the log.
    pub client: &'a str,
}

/// Subject of a question: user, call, and the versions of the tasks. Another call, and the same
/// call on a task that was changed since, has another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsentBinding(pub [u8; 16]);

/// Answer of the user to the question whether a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentChoice {
    /// Yes.
    Accept,
    /// No.
    Decline,
    /// Nothing: the question was closed, or never answered.
    Cancel,
}

/// An answer to a question, and which question that was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentAnswer {
    /// Names the question; it is answered once.
    pub nonce: String,
    /// Subject of the question.
    pub bound: ConsentBinding,
    /// Choice that was made.
    pub said: ConsentChoice,
}

/// Outcome of a call.
#[derive(Debug)]
pub enum CallOutcome {
    /// The call was committed, or all was so already: a JSON object with `ok`, `success`,
    /// `message`, `changed`, `action_metadata` and `actions`; for a listing `tasks`, `matched` and
    /// `total`.
    Done(CheckedReply),
    /// Nothing was changed.
    Failed(ToolError),
    /// Nothing was changed yet: the user has to be asked this.
    Ask {
        /// The question.
        text: String,
        /// Subject of the question.
        bound: ConsentBinding,
    },
}

/// Decision on a call, before the commit.
enum DecidedCall {
    /// Result of a call that nobody has to confirm, or somebody has.
    Came(CallResult),
    /// Question that has to be answered first.
    Asks(ServerQuestion, ConsentBinding),
    /// Words that answer a no.
    Declined(String),
}

impl From<CallResult> for DecidedCall {
    fn from(result: CallResult) -> Self {
        Self::Came(result)
    }
}

impl From<ToolError> for DecidedCall {
    fn from(error: ToolError) -> Self {
        CallResult::Failed(error).into()
    }
}

/// One try of a call.
struct CallAttempt<'a> {
    user: &'a UserId,
    call: &'a DirectCall<'a>,
    proposal: &'a Proposal,
    consent: Option<&'a ConsentAnswer>,
    moment: Moment,
}

impl DirectWrites {
    /// Carries out one call of `user`; a deletion only with consent, else it is [`CallOutcome::Ask`].
    pub async fn call(
        &self,
        user: &UserId,
        call: &DirectCall<'_>,
        consent: Option<&ConsentAnswer>,
    ) -> CallOutcome {
        let moment = self.clock.now(self.zone);
        let context = CallContext {
            today: moment.today,
            lang: Lang::En,
            due_rule: self.due_rule,
            provider: call.client,
            agents: None,
            remind_now: moment.remind_now,
            zone: moment.zone,
        };
        let raw = RawCall {
            id: String::new(),
            name: call.tool.as_str().to_owned(),
            arguments: Value::Object(call.arguments.clone()).to_string(),
        };
        let proposal = match propose(&raw, &context) {
            Ok((_, proposal)) => proposal,
            Err(error) => return CallOutcome::Failed(error),
        };
        let attempt = CallAttempt {
            user,
            call,
            proposal: &proposal,
            consent,
            moment,
        };
        let mut transaction = self.store.transact(BUSY);
        loop {
            match self.attempt(&attempt, &mut transaction).await {
                Ok(Some(called)) => return called,
                Ok(None) => {}
                Err(error) => return CallOutcome::Failed(unavailable(&error)),
            }
        }
    }

    /// None: another hand was faster, and it is to be decided anew.
    async fn attempt(
        &self,
        attempt: &CallAttempt<'_>,
        transaction: &mut Transaction<'_>,
    ) -> Result<Option<CallOutcome>, StoreError> {
        let user = attempt.user;
        let key = attempt
            .consent
            .map(|consent| format!("mcp-{}", consent.nonce));
        let snapshot = self.store.load(user, None, key.as_deref()).await?;
        if snapshot.keyed.is_some() {
            return Ok(Some(CallOutcome::Failed(answered_before())));
        }
        let undoable = match attempt.proposal {
            Proposal::Undo => self.undoable(user).await?,
            _ => Vec::new(),
        };
        let mut unit = self.unit(user, attempt.moment, &snapshot);
        if self.stops_agents {
            unit = unit.knowing(Arc::new(self.store.delegations(user).await?));
        }
        let decided = self.decide(attempt, &mut unit, &undoable);
        let (body, record) = record::told(attempt, &decided, &unit, key);
        let proof = match transaction.commit(unit, record).await {
            Ok(Some(proof)) => proof,
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(CallOutcome::Failed(uncommitted(&error)))),
        };
        Ok(Some(match decided {
            DecidedCall::Came(CallResult::Failed(error)) => CallOutcome::Failed(error),
            DecidedCall::Came(_) => CallOutcome::Done(CheckedReply::seal(200, body, &proof)),
            DecidedCall::Asks(ServerQuestion { text, .. }, bound) => {
                CallOutcome::Ask { text, bound }
            }
            DecidedCall::Declined(words) => CallOutcome::Failed(not_confirmed(attempt, &words)),
        }))
    }

    fn decide(
        &self,
        attempt: &CallAttempt<'_>,
        unit: &mut Unit,
        undoable: &[Receipt],
    ) -> DecidedCall {
        match attempt.proposal {
            Proposal::Add(add) => {
                if add.time.is_some() && add.due.is_none() && add.repeat.is_none() {
                    return no_day().into();
                }
                let zone = attempt.moment.zone;
                let plan = Plan::Add(NewTask {
                    title: add.title.clone(),
                    description: add.description.clone(),
                    priority: add.priority.unwrap_or_default(),
                    due_date: add.due,
                    due_time: add.time.map(|time| DueTime::new(time, zone)),
                    repeat: add.repeat.clone(),
                    remind: add.remind,
                });
                CallResult::of(run(&plan, unit, &[]), 0).into()
            }
            Proposal::List(filter) => {
                CallResult::of(run(&Plan::List(filter.clone()), unit, &[]), 0).into()
            }
            Proposal::Undo => {
                let ids = undoable.iter().map(|receipt| receipt.facts().id).collect();
                CallResult::of(run(&Plan::Undo(ids), unit, undoable), 0).into()
            }
            Proposal::Change {
                tool,
                reference,
                values,
            } => self.change(attempt, unit, *tool, reference, values),
            _ => {
                let text = format!("'{}' is not offered here.", attempt.call.tool);
                ToolError::new(ErrorType::Unsupported, text).into()
            }
        }
    }

    fn change(
        &self,
        attempt: &CallAttempt<'_>,
        unit: &mut Unit,
        tool: Tool,
        reference: &str,
        values: &NewValues,
    ) -> DecidedCall {
        let (verb, among) = match (tool, values.completed) {
            (Tool::DeleteTask, _) => (Verb::Delete, Among::All),
            (Tool::CompleteTask, _) => (Verb::Complete, Among::Pending),
            (_, Some(false)) => (Verb::Reopen, Among::Completed),
            _ => (Verb::Update, Among::All),
        };
        let tasks = unit.tasks().clone();
        let situation = Situation {
            tasks: &tasks,
            context: Context::default(),
            today: attempt.moment.today,
            zone: attempt.moment.zone,
            now: attempt.moment.remind_now,
            one_list_said: true,
        };
        let resolution = situation.resolver().resolve(reference, among);
        let set = || names_a_set(reference, verb, attempt.moment);
        let id = match resolution {
            Resolution::One(id) => id,
            _ if set() => return one_at_a_time(reference).into(),
            Resolution::Many(candidates) => {
                return which_task(reference, &candidates).into();
            }
            Resolution::None { why, nearest } => {
                let missing = (why, nearest.as_slice());
                return no_such_task(verb, reference, missing, Lang::En).into();
            }
        };
        let Some(task) = situation.task(id) else {
            let gone = (crate::resolver::Missing::Gone(id), [].as_slice());
            return no_such_task(verb, reference, gone, Lang::En).into();
        };
        if verb == Verb::Delete {
            return self.deletion(attempt, unit, task, &situation);
        }
        let patch = TaskPatch {
            completed: match verb {
                Verb::Complete => Some(true),
                _ => values.completed,
            },
            ..PlannedValues::of(values.clone(), attempt.moment.zone).patch()
        };
        if patch == TaskPatch::default() {
            let text = "Say what to change: title, description, priority, due_date, due_time, \
                        repeat, remind or status.";
            return ToolError::new(ErrorType::Validation, text).into();
        }
        if patch.lacks_day(task) {
            return no_day().into();
        }
        if patch.repeats_never(task) {
            return repeats_never().into();
        }
        let title = task.title.as_str().to_owned();
        let (action, before) = match verb {
            Verb::Complete => (Action::CompleteTask, StandingFact::AlreadyDone(title)),
            Verb::Reopen => (Action::UpdateTask, StandingFact::AlreadyOpen(title)),
            _ => (Action::UpdateTask, StandingFact::AlreadySo(title)),
        };
        match unit.change(action, id, &patch) {
            AppliedChange::Changed(_) => CallResult::Done(0..1).into(),
            AppliedChange::AlreadySo(_) | AppliedChange::Missing => {
                CallResult::Unchanged(before).into()
            }
        }
    }

    /// A deletion waits for the user, whoever calls.
    fn deletion(
        &self,
        attempt: &CallAttempt<'_>,
        unit: &mut Unit,
        task: &Task,
        situation: &Situation<'_>,
    ) -> DecidedCall {
        let context = QuestionContext {
            situation: *situation,
            due_rule: self.due_rule,
            speech: Lang::En,
        };
        let asked = match ask_change(Verb::Delete, &[task.id], &Values::default(), &context) {
            Ok(asked) => asked,
            Err(error) => return error.into(),
        };
        let bound = bound(attempt, task.id, task.version);
        let Some(consent) = attempt.consent else {
            return DecidedCall::Asks(asked, bound);
        };
        if consent.bound != bound {
            let text = "What was confirmed is not what this call would delete now: the task or the \
                        call was changed since. Nothing was deleted; call again to be asked anew.";
            return ToolError::new(ErrorType::Conflict, text).into();
        }
        if consent.said != ConsentChoice::Accept {
            return DecidedCall::Declined(asked.declined);
        }
        match unit.delete(task.id) {
            AppliedChange::Changed(_) => CallResult::Done(0..1).into(),
            AppliedChange::AlreadySo(_) | AppliedChange::Missing => {
                CallResult::Unchanged(StandingFact::AlreadyDeleted(task.title.as_str().to_owned()))
                    .into()
            }
        }
    }

    /// Finds what an undo takes back: the changes, neither undone nor undos themselves, of the
    /// latest call that made any. What was changed in a conversation, by REST or by a file is not
    /// touched.
    async fn undoable(&self, user: &UserId) -> Result<Vec<Receipt>, StoreError> {
        let newest = self.store.history(user, None, UNDO_DEPTH).await?;
        let mut seen: Option<TurnId> = None;
        for entry in newest {
            let facts = entry.receipt.facts();
            let takes_back = facts.action.is_change() && facts.action != Action::Undo;
            let open = entry.undone_by.is_none() && facts.conversation_id.is_none();
            if !takes_back || !open || seen == Some(facts.turn_id) {
                continue;
            }
            seen = Some(facts.turn_id);
            if self.is_call(user, facts.turn_id).await? {
                let of_turn = self.store.turn_receipts(user, facts.turn_id).await?;
                let changes = of_turn.into_iter().rev().filter(|entry| {
                    entry.undone_by.is_none() && entry.receipt.facts().action.is_change()
                });
                return Ok(changes.map(|entry| entry.receipt).collect());
            }
        }
        Ok(Vec::new())
    }

    async fn is_call(&self, user: &UserId, turn: TurnId) -> Result<bool, StoreError> {
        let events = self.store.turn_events(user, turn).await?;
        let mut turns = events.iter().filter(|event| event.kind == EventKind::Turn);
        Ok(turns.any(|event| {
            let payload: Value = serde_json::from_str(&event.payload).unwrap_or_default();
            payload.get("source").is_some_and(|source| source == SOURCE)
        }))
    }
}

/// Returns the binding of a question about a deletion: what it is about.
fn bound(attempt: &CallAttempt<'_>, task: TaskId, version: i64) -> ConsentBinding {
    let about = json!({
        "user": attempt.user,
        "tool": attempt.call.tool,
        "arguments": attempt.call.arguments,
        "task": task,
        "version": version,
    });
    let hash = Sha256::digest(canonical(&about));
    let mut half = [0; 16];
    half.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    ConsentBinding(half)
}

/// Tells whether the words name several tasks by what they have in common: "all completed".
fn names_a_set(reference: &str, verb: Verb, moment: Moment) -> bool {
    let verb = match verb {
        Verb::Delete => "delete",
        Verb::Complete => "complete",
        Verb::Reopen => "reopen",
        Verb::Update => "update",
    };
    let reads = |words: String| {
        let reading = crate::intent::read(&words, moment.today, Lang::En);
        match reading.clauses.as_slice() {
            [clause] => match &clause.act {
                Act::Change(change) => matches!(change.targets.whole, Target::Set(_)),
                _ => false,
            },
            _ => false,
        }
    };
    let all = reference.trim_start().to_lowercase().starts_with("all ");
    reads(format!("{verb} {reference}")) || all && reads(format!("{verb} {reference} tasks"))
}
