//! A turn that has to do with agents: it hands work over, waits for it in the foreground, tells
//! how it stands, stops it, and says once what ended meanwhile.
//!
//! Everything is in rows: the round that begins or stops runs is committed before anybody is
//! woken, and what is said of a run is read back afterwards. Where no provider is configured
//! nothing here is ever reached.

mod answers;
mod begin;
mod prompt;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

pub use self::answers::{RunAnswers, success};
pub use self::prompt::prompt_about_agents;
use super::effects::{Effect, Waited};
use super::{AttemptFault, TurnMachine};
use crate::chat::ChatError;
use crate::delegation::WaitOutcome;
use crate::domain::{Action, ErrorType, RunHandle, RunState, TaskId, ToolError};
use crate::guard::{
    ErrandPlan, GrantKind, Meaning, NOTICE, WAITED, already_ended, conflict_live,
    delegations_lines, run_lines, talk, who,
};
use crate::intent::{self, Act, Errand, Reading, Target, Verb};
use crate::llm::RawCall;
use crate::locales::localized;
use crate::resolver::{Among, Reference, Resolution, TaskList};
use crate::store::{AgentRun, MessageRole, ReadResult as ReadReceipt, RunQuery, StopOutcome};
use crate::tools::{DelegationsCall, Plan};
use crate::turn::{CallResult, LedgerEntry};

/// Work to do about a run once the round is committed.
#[derive(Debug, Clone)]
pub(super) enum RunFollowUp {
    /// Wait for its end.
    End(RunHandle),
    /// Only wake whoever works.
    Wake,
    /// Have it stopped, and say whether that was confirmed.
    Stop(RunHandle, Option<String>),
}

impl TurnMachine<'_> {
    /// Loads what the user has delegated, where anything can be: one statement.
    pub(super) async fn load_runs(&mut self) -> Result<(), ChatError> {
        if self.rules.agents.is_none() {
            return Ok(());
        }
        self.runs.known = Arc::new(self.read(Effect::ReadRuns).await?);
        let unit = self.take_unit(TaskList::default());
        self.work.unit = unit.knowing(Arc::clone(&self.runs.known));
        Ok(())
    }

    /// Says once how runs of this conversation ended that nobody waited for.
    pub(super) fn tell_of_ended_runs(&mut self) {
        let here = Some(self.input.conversation);
        let notices = self.runs.known.notices.iter();
        let ended: Vec<_> = notices
            .filter(|notice| notice.conversation == here)
            .cloned()
            .collect();
        for notice in ended {
            let Some(run) = self.runs.known.run(notice.run).cloned() else {
                continue;
            };
            self.read_run(&run, json!({ NOTICE: run.handle }));
            self.runs.ended.push(run);
        }
    }

    /// Says what agents of this conversation wait to be told, unless that is what is spoken of.
    fn tell_of_questions(&mut self) {
        let spoken = |act: &Act| {
            matches!(
                act,
                Act::Errand(Errand::Ask(_) | Errand::Resume { .. } | Errand::Stop(_))
            )
        };
        let clauses = self.intent.clauses();
        if clauses.iter().any(|clause| spoken(&clause.act)) {
            return;
        }
        let here = Some(self.input.conversation);
        let asks = |run: &&AgentRun| run.question.is_some() && run.conversation == here;
        let asking: Vec<AgentRun> = self.runs.known.runs.iter().filter(asks).cloned().collect();
        for run in asking {
            self.read_run(&run, json!({ NOTICE: run.handle }));
        }
    }

    /// Reads the message, with what it says of agents where there are some.
    pub(super) fn read_message(&self) -> Reading {
        let (message, moment) = (&self.input.message, self.input.moment);
        let Some(delegation) = &self.rules.agents else {
            return intent::read(message, moment.today, self.intent.lang);
        };
        let agents = &delegation.names;
        let reading = intent::read_with_agents(message, moment.today, self.intent.lang, agents);
        // What an everyday sentence says, too: "take the books back", "give the keys to the
        // agent", "how is Anna doing?". Of agents it speaks where it names what one has.
        let stray = |act: &Act| match act {
            Act::Errand(Errand::TakeBack(target)) => !self.is_delegated(target),
            Act::Errand(Errand::Ask(about)) if about.by_task => {
                let what = about.what.as_ref();
                !what.is_some_and(|target| self.has_run(target))
            }
            Act::Errand(Errand::Hand(hand)) if !hand.firm => {
                let named = |target: &Target| self.names_a_task(target);
                matches!(hand.whole, Target::Named(_))
                    && !named(&hand.whole)
                    && !hand.parts.iter().any(named)
            }
            _ => false,
        };
        if reading.clauses.iter().any(|clause| stray(&clause.act)) {
            return intent::read(message, moment.today, self.intent.lang);
        }
        reading
    }

    fn is_delegated(&self, target: &Target) -> bool {
        let task = self.meaning(target).and_then(|id| self.work.unit.task(id));
        task.is_some_and(|task| task.assignee.is_some())
    }

    fn has_run(&self, target: &Target) -> bool {
        let task = self.meaning(target);
        task.is_some_and(|task| self.runs.known.newest(task).is_some())
    }

    fn names_a_task(&self, target: &Target) -> bool {
        let found = self.found(target);
        matches!(found, Some(Resolution::One(_) | Resolution::Many(_)))
    }

    fn meaning(&self, target: &Target) -> Option<TaskId> {
        match self.found(target) {
            Some(Resolution::One(id)) => Some(id),
            _ => None,
        }
    }

    fn found(&self, target: &Target) -> Option<Resolution> {
        let situation = self.situation();
        let resolver = situation.resolver();
        let reference = match target {
            Target::Named(words) => return Some(resolver.resolve(words, Among::All)),
            Target::It => Reference::It,
            Target::Position(position) => Reference::Position(*position),
            _ => return None,
        };
        Some(resolver.resolve_reference(&reference, Among::All))
    }

    /// Answers what is asked about agents without any call, and asks what "it" is to be.
    pub(super) fn answer_about_agents(&mut self) {
        self.tell_of_questions();
        let Some(delegation) = &self.rules.agents else {
            return;
        };
        let asks = |act: &Act| {
            matches!(
                act,
                Act::Errand(Errand::Who) | Act::Help(intent::Topic::General)
            )
        };
        let clauses = self.intent.clauses();
        if clauses.iter().any(|clause| asks(&clause.act)) {
            let personas = delegation.registry.enabled();
            let speech = self.intent.speech;
            let personas = personas.map(|one| (one.name.as_str(), one.description_in(speech)));
            self.remark(who(personas, speech));
        }
        let mut unclear_one = false;
        for grant in &mut self.intent.licence.grants {
            let GrantKind::Errand {
                errand: Errand::Hand(_),
                parts,
                ..
            } = &grant.kind
            else {
                continue;
            };
            let points = |target: &Target| {
                matches!(
                    target,
                    Target::It | Target::They { .. } | Target::Other | Target::Position(_)
                )
            };
            let lost = parts.iter().any(|part| {
                points(&part.target) && !matches!(part.meaning, Meaning::One(_) | Meaning::Set(_))
            });
            if lost {
                grant.expected = false;
                unclear_one = true;
            }
        }
        if unclear_one {
            self.remark(localized!(self.intent.speech, "agent-which-task"));
        }
    }

    /// Runs a call about agents that was allowed; one entry per task of it.
    pub(super) async fn run_errand(
        &mut self,
        plan: ErrandPlan,
        call: &RawCall,
        provider: &str,
    ) -> Result<Vec<CallResult>, ChatError> {
        match plan {
            ErrandPlan::Delegate(plan) => self.begin(*plan, call, provider).await,
            ErrandPlan::Answer { run, text } => Ok(vec![self.answer_run(run, &text)]),
            ErrandPlan::Output { run, wait } => Ok(vec![self.output(run, wait).await?]),
            ErrandPlan::Cancel { run, reason } => Ok(vec![self.stop(run, reason)]),
            ErrandPlan::List(call) => Ok(vec![self.list_runs(call).await?]),
        }
    }

    async fn output(
        &mut self,
        handle: RunHandle,
        wait: Option<Duration>,
    ) -> Result<CallResult, ChatError> {
        let mut timed_out = false;
        if let Some(wait) = wait.filter(|_| self.rules.agents.is_some()) {
            let ask = |answer| Effect::AwaitRuns(vec![handle], wait, answer);
            let waited = self.effect(ask).await;
            timed_out = !matches!(waited, Waited::Done(WaitOutcome::Ended));
            self.load_runs().await?;
        }
        let run = match self.runs.known.handle(handle) {
            Some(run) => Some(run.clone()),
            None => self.read(|answer| Effect::ReadRun(handle, answer)).await?,
        };
        let Some(run) = run else {
            return Ok(self.no_run(handle));
        };
        let question = json!({ "run": run.handle, "timed_out": timed_out });
        Ok(CallResult::Done(self.note_run(&run, question)))
    }

    fn no_run(&self, handle: RunHandle) -> CallResult {
        let say = |lang| localized!(lang, "agent-no-handle", handle = handle.to_string());
        let error = ToolError::of_agents(ErrorType::NotFound, self.intent.speech, say);
        CallResult::Failed(error)
    }

    fn answer_run(&mut self, handle: RunHandle, text: &str) -> CallResult {
        let asks = |run: &&AgentRun| run.state == RunState::InputRequired;
        let Some(mut run) = self.runs.known.handle(handle).filter(asks).cloned() else {
            let say = |lang| localized!(lang, "agent-asks-nothing", handle = handle.to_string());
            let error = ToolError::of_agents(ErrorType::Conflict, self.intent.speech, say);
            return CallResult::Failed(error);
        };
        self.work.unit.answer_run(run.id, text);
        self.runs.waits.push(RunFollowUp::Wake);
        run.state = RunState::Running;
        run.question = None;
        CallResult::Done(self.note_run(&run, json!({ "run": handle, "answered": true })))
    }

    fn stop(&mut self, handle: RunHandle, reason: Option<String>) -> CallResult {
        let Some(run) = self.runs.known.handle(handle).cloned() else {
            return self.no_run(handle);
        };
        let first = self.work.next_proof();
        match self.work.unit.cancel_run(run.id, reason.as_deref()) {
            StopOutcome::Stopped(_) => {
                self.runs.waits.push(RunFollowUp::Wake);
                self.done_or_read(first, &run)
            }
            StopOutcome::Asked(_) | StopOutcome::Already(_) => {
                self.runs.waits.push(RunFollowUp::Stop(handle, reason));
                self.done_or_read(first, &run)
            }
            StopOutcome::Ended(..) | StopOutcome::Missing => {
                CallResult::Failed(already_ended(&run, self.intent.speech))
            }
        }
    }

    /// Returns what was drafted since `first`; a run without a task leaves only a reading.
    fn done_or_read(&mut self, first: usize, run: &AgentRun) -> CallResult {
        if self.work.next_proof() > first {
            return CallResult::Done(first..self.work.next_proof());
        }
        CallResult::Done(self.note_run(run, json!({ "run": run.handle })))
    }

    async fn list_runs(&mut self, call: DelegationsCall) -> Result<CallResult, ChatError> {
        let task = call.task.map(|words| self.meaning(&Target::Named(words)));
        let query = RunQuery {
            state: call.state,
            persona: call.persona,
            task: task.flatten(),
            limit: call.limit,
            ..RunQuery::default()
        };
        let question = json!({ "state": query.state, "persona": query.persona });
        let page = self.read(|answer| Effect::ListRuns(query, answer)).await?;
        let reading = ReadReceipt::Runs {
            question,
            runs: page.runs.iter().map(|run| run.handle.to_string()).collect(),
            matched: usize::try_from(page.matched).unwrap_or(usize::MAX),
            lines: delegations_lines(&page, self.intent.speech),
        };
        let first = self.work.next_proof();
        self.work
            .unit
            .read_runs(Action::ListDelegations, reading, None);
        Ok(CallResult::Done(first..first + 1))
    }

    /// Reads how a run stands into a receipt; its end is told by that.
    pub(super) fn note_run(&mut self, run: &AgentRun, question: Value) -> std::ops::Range<usize> {
        let reading = ReadReceipt::Runs {
            question,
            runs: vec![run.handle.to_string()],
            matched: 1,
            lines: run_lines(run, self.intent.speech),
        };
        let first = self.work.next_proof();
        self.work
            .unit
            .read_runs(Action::TaskOutput, reading, Some(run.facts()));
        // Once a turn: two lines of one unit can't both be the first to tell.
        if run.state.is_terminal() && !self.runs.told.contains(&run.id) {
            self.work.unit.acknowledge(run.id);
            self.runs.told.push(run.id);
        }
        first..first + 1
    }

    /// The same as the server's own doing.
    fn read_run(&mut self, run: &AgentRun, question: Value) {
        let range = self.note_run(run, question);
        let (name, result) = (Action::TaskOutput.as_str(), CallResult::Done(range));
        self.work.ledger.push(LedgerEntry::own(name, result));
    }

    /// After the calls of a round: what begins or stops runs is committed, whoever works is
    /// woken, and what the turn waits for is waited for and read.
    pub(super) async fn attend_runs(&mut self) -> Result<(), AttemptFault> {
        let waits = std::mem::take(&mut self.runs.waits);
        let Some(agents) = &self.rules.agents else {
            return Ok(());
        };
        if waits.is_empty() {
            return Ok(());
        }
        let sealed = self.work.ledger.sealed();
        self.commit_round().await?;
        if self.work.ledger.sealed() == sealed {
            // The round did not happen, and that is said.
            return Ok(());
        }
        self.effect(Effect::WakeWorkers).await;
        let mut told = Vec::new();
        let mut foreground = Vec::new();
        for wait in waits {
            match wait {
                RunFollowUp::End(run) => foreground.push(run),
                RunFollowUp::Wake => {}
                RunFollowUp::Stop(run, reason) => {
                    let stop = |answer| Effect::CancelRun(run, reason, answer);
                    self.effect(stop).await;
                    told.push((run, "run"));
                }
            }
        }
        if !foreground.is_empty() {
            let up_to = agents.settings.foreground_wait;
            let runs = foreground.clone();
            self.effect(|answer| Effect::AwaitRuns(runs, up_to, answer))
                .await;
            told.extend(foreground.into_iter().map(|run| (run, WAITED)));
        }
        if told.is_empty() {
            return Ok(());
        }
        self.reload().await?;
        for (handle, how) in told {
            if let Some(run) = self.runs.known.handle(handle).cloned() {
                self.read_run(&run, json!({ how: handle }));
            }
        }
        Ok(())
    }

    /// A task that an agent works on is marked as done only where the words insist (G-13): those of the
    /// message, or of the one before where it answers what that led to.
    pub(super) fn check_live(&self, plan: &Plan) -> Result<(), ToolError> {
        let Plan::Change(plan) = plan else {
            return Ok(());
        };
        let live = self
            .work
            .unit
            .live_run(plan.task)
            .filter(|_| plan.verb == Verb::Complete);
        let Some(run) = live else { return Ok(()) };
        let mut lines = self.stored.history.iter().rev();
        let before = lines.find(|line| line.role == MessageRole::User);
        let answered = before.filter(|_| self.reply.ran);
        if talk::insists(&self.input.message)
            || answered.is_some_and(|line| talk::insists(&line.content))
        {
            return Ok(());
        }
        Err(conflict_live(run, self.intent.speech))
    }
}
