//! One run, from its lease to its end: asks the model, runs the calls, writes each line down.
//!
//! The step machine decides; this only does, with the [`RunContext`] that every run has.

use std::sync::Arc;

use super::RunnerParts;
use super::run_context::{RunContext, RunStop};
use super::tally::RunTally;
use crate::delegation::agent::{self, AgentEnd, AgentMachine, AgentStep};
use crate::domain::{ErrorType, Lang, ToolError, masked};
use crate::intent::Reading;
use crate::llm::{self, LanguageModel, ModelError, ModelRequest};
use crate::store::{RunFault, RunLease, StoreError};

/// Plays a run to its end and writes that down.
///
/// # Errors
/// [`StoreError`]: it could not be written, and the run has not ended.
pub(super) async fn play(
    inner: &RunnerParts,
    lease: &mut RunLease,
    tally: &RunTally,
) -> Result<(), StoreError> {
    let run = lease.run.handle;
    tracing::info!(%run, persona = %lease.run.persona, provider = %lease.run.provider, "a run begins");
    let failure = match through(inner, lease, tally).await {
        Ok(()) | Err(RunStop::Lost) => return Ok(()),
        Err(RunStop::Broken(error)) => return Err(error),
        Err(RunStop::Failed(failure)) => failure,
    };
    if failure.error_type == ErrorType::Unavailable {
        inner.services.providers.note(&lease.run.provider, false);
    }
    tracing::info!(%run, reason = %failure.reason, "a run failed");
    let fault = RunFault {
        error_type: failure.error_type,
        error: masked(&failure.reason).into_owned(),
        unreported_output: failure.unreported.map(|said| cut(&said)),
    };
    let (now, ids) = (inner.now().instant, &inner.services.ids);
    let ended = inner
        .services
        .store
        .fail_run(lease, &fault, tally.metrics(), now, ids);
    // Lost: somebody else has ended it.
    let _ = ended.await?;
    Ok(())
}

/// Has the run's provider work on it: a model that is asked, or a program that is visited.
async fn through(
    inner: &RunnerParts,
    lease: &mut RunLease,
    tally: &RunTally,
) -> Result<(), RunStop> {
    #[cfg(feature = "acp")]
    if let Some((name, program)) = inner.services.providers.program(&lease.run)? {
        let mut hands = RunContext::new(inner, lease, tally, name)?;
        return super::acp_run::visit(&mut hands, program).await;
    }
    ModelRun::new(inner, lease, tally)?.through().await
}

struct ModelRun<'a> {
    hands: RunContext<'a>,
    model: Arc<dyn LanguageModel>,
    machine: AgentMachine,
}

impl<'a> ModelRun<'a> {
    fn new(
        inner: &'a RunnerParts,
        lease: &'a mut RunLease,
        tally: &'a RunTally,
    ) -> Result<Self, ToolError> {
        let model = inner
            .services
            .providers
            .model(&lease.run.provider, &lease.run.model)?;
        let hands = RunContext::new(inner, lease, tally, model.name().to_owned())?;
        Ok(Self {
            machine: AgentMachine::new(hands.limits, model.name()),
            hands,
            model,
        })
    }

    async fn through(&mut self) -> Result<(), RunStop> {
        self.hands.history().await?;
        self.hands.opening().await?;
        let mut step = self.machine.begin(self.hands.tally.elapsed());
        loop {
            step = match step {
                AgentStep::Ask {
                    choice,
                    nudge,
                    hurry,
                } => {
                    if nudge {
                        self.hands.user(agent::nudge()).await?;
                    }
                    if hurry {
                        self.hands.user(agent::out_of_time()).await?;
                    }
                    self.ask(choice).await?
                }
                AgentStep::Rest(pause) => {
                    tokio::time::sleep(pause).await;
                    self.machine.rested(self.hands.tally.elapsed())
                }
                AgentStep::Run(calls) => {
                    for call in &calls {
                        self.hands.call(call).await?;
                    }
                    if let Some(report) = self.hands.reported() {
                        return self.hands.record(report).await;
                    }
                    self.machine.called(false, self.hands.tally.elapsed())
                }
                AgentStep::End(AgentEnd::Failed(failure)) => return Err(RunStop::Failed(failure)),
                AgentStep::End(AgentEnd::Reported) => return Ok(()),
            };
        }
    }

    async fn ask(&mut self, choice: crate::llm::ToolChoice) -> Result<AgentStep, RunStop> {
        let left = self.machine.left(self.hands.tally.elapsed());
        let request = ModelRequest {
            prompt: self.hands.prompt.clone(),
            tools: Arc::clone(&self.hands.tools),
            choice,
            reading: Arc::new(Reading {
                lang: Lang::En,
                clauses: Vec::new(),
            }),
            within: left,
        };
        let answer = tokio::time::timeout(left, llm::ask(self.model.as_ref(), &request)).await;
        match answer.unwrap_or(Err(ModelError::Timeout)) {
            Ok(answer) => {
                self.hands.tally.answer(answer.usage);
                self.hands
                    .inner
                    .services
                    .providers
                    .note(&self.hands.lease.run.provider, true);
                self.hands
                    .said(answer.text.as_deref(), &answer.calls)
                    .await?;
                #[cfg(feature = "simulator")]
                if self.hands.inner.services.planted == Some(super::PlantedInRunner::WordsCount)
                    && let Some(text) = answer.text.clone()
                {
                    let report = agent::ReportedResult {
                        outcome: crate::domain::ReportOutcome::Completed,
                        result: text,
                        json: None,
                        summary: None,
                        evidence: Vec::new(),
                    };
                    self.hands.record(report).await?;
                    return Ok(AgentStep::End(AgentEnd::Reported));
                }
                Ok(self.machine.answered(&answer, self.hands.tally.elapsed()))
            }
            Err(error) => {
                tracing::debug!(run = %self.hands.lease.run.handle, ?error, "no answer");
                Ok(self.machine.unanswered(&error, self.hands.tally.elapsed()))
            }
        }
    }
}

/// Returns what an agent said instead of reporting, bounded.
fn cut(said: &str) -> String {
    const KEPT: usize = 4000;
    masked(said).chars().take(KEPT).collect()
}
