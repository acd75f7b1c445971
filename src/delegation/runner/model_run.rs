//! One run, from its lease to its end: asks the model, runs the calls, writes each line down.
//!
//! The step machine decides; this only does, with the [`RunContext`] that every run has.

use std::sync::Arc;

use super::AgentRunner;
use super::run_context::{RunContext, RunStop};
use super::tally::RunTally;
use crate::delegation::agent::{self, AgentMachine, AgentStep};
use crate::domain::{ErrorType, masked};
use crate::intent::Reading;
use crate::llm::{self, LanguageModel, ModelError, ModelRequest};
use crate::store::{GivenUp, RunFault, RunLease, StoreError};

/// Plays a run to its end and writes that down.
///
/// # Errors
/// [`StoreError`]: it could not be written, and the run has not ended.
pub(super) async fn play(
    runner: &AgentRunner,
    lease: &mut RunLease,
    tally: &RunTally,
) -> Result<(), StoreError> {
    let (services, run) = (runner.services(), lease.run.handle);
    tracing::info!(%run, persona = %lease.run.persona, provider = %lease.run.provider, "a run begins");
    let failure = match through(runner, lease, tally).await {
        Ok(()) | Err(RunStop::Over) => return Ok(()),
        Err(RunStop::Broken(error)) => return Err(error),
        Err(RunStop::Failed(failure)) => failure,
    };
    if failure.error_type == ErrorType::Unavailable {
        services.providers.note(&lease.run.provider, false);
    }
    tracing::info!(%run, reason = %failure.error, "a run failed");
    let fault = RunFault {
        error_type: failure.error_type,
        error: masked(&failure.error).into_owned(),
        unreported_output: failure.unreported_output.map(|said| cut(&said)),
    };
    let failed = GivenUp::Failed(fault, tally.metrics());
    let (now, ids) = (services.now().instant, &services.ids);
    let ended = services.store.give_up(lease, &failed, now, ids);
    // Lost: somebody else has ended it.
    let _ = ended.await?;
    Ok(())
}

/// Has the run's provider work on it: a model that is asked, or a program that is visited.
async fn through(
    runner: &AgentRunner,
    lease: &mut RunLease,
    tally: &RunTally,
) -> Result<(), RunStop> {
    #[cfg(feature = "acp")]
    if let Some((name, program)) = runner.services().providers.program(&lease.run)? {
        let mut hands = RunContext::new(runner, lease, tally, name)?;
        return super::acp_run::visit(&mut hands, program).await;
    }
    let providers = &runner.services().providers;
    let model = providers.model(&lease.run.provider, &lease.run.model)?;
    let hands = RunContext::new(runner, lease, tally, model.name().to_owned())?;
    let run = ModelRun {
        machine: AgentMachine::new(hands.limits, model.name()),
        hands,
        model,
    };
    run.through().await
}

struct ModelRun<'a> {
    hands: RunContext<'a>,
    model: Arc<dyn LanguageModel>,
    machine: AgentMachine,
}

impl ModelRun<'_> {
    async fn through(mut self) -> Result<(), RunStop> {
        self.hands.history().await?;
        self.hands.opening().await?;
        let mut step = self.machine.next(self.hands.tally.elapsed());
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
                    self.machine.next(self.hands.tally.elapsed())
                }
                AgentStep::Run(calls) => {
                    for call in &calls {
                        self.hands.call(call).await?;
                    }
                    if let Some(report) = self.hands.reported() {
                        return self.hands.record(report).await;
                    }
                    self.machine.next(self.hands.tally.elapsed())
                }
                AgentStep::Fail(failure) => return Err(RunStop::Failed(failure)),
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
                lang: self.hands.lease.run.options.speech,
                clauses: Vec::new(),
            }),
            within: left,
        };
        let answer = tokio::time::timeout(left, llm::ask(self.model.as_ref(), &request)).await;
        match answer.unwrap_or(Err(ModelError::Timeout)) {
            Ok(answer) => {
                self.hands.tally.answer(answer.usage);
                let providers = &self.hands.services.providers;
                providers.note(&self.hands.lease.run.provider, true);
                let text = answer.text.as_deref();
                self.hands.said(text, &answer.calls).await?;
                #[cfg(feature = "simulator")]
                if self.hands.services.planted == Some(super::PlantedInRunner::WordsCount)
                    && let Some(text) = answer.text.clone()
                {
                    let report = crate::store::AgentReport {
                        outcome: crate::domain::ReportOutcome::Completed,
                        text,
                        json: None,
                        summary: None,
                        evidence: Vec::new(),
                        metrics: crate::store::RunMetrics::default(),
                    };
                    self.hands.record(report).await?;
                    return Err(RunStop::Over);
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
