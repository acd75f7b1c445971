//! One run, from its lease to its end: asks the model, runs the calls, writes each line down.
//!
//! The step machine decides; this only does. A line is in the store before the next thing
//! happens, so that whoever comes after a crash sees what was said and done (C-23). Everything
//! is written under the lease: once it is lost, nothing of this lands any more.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::Inner;
use super::tally::Tally;
use crate::delegation::agent::{
    self, Asked, End, Failure, Limits, Machine, Opening, Report, Step, Workspace,
};
use crate::domain::{ErrorType, Lang, RunHandle, ToolError, masked};
use crate::intent::Reading;
use crate::llm::{self, Answer, Model, ModelError, Prompt, RawCall, Request, ToolSpec};
use crate::store::{
    AgentLine, AgentRole, CallEnd, Held, Lease, NewCall, Report as Reported, RunFault, StoreError,
};

/// Lines of a conversation that are read at once.
const PAGE: u32 = 500;
/// How often a report is written anew when the database fails.
const TRIES: usize = 5;

/// The run is another's now, or over: nothing more is to be done for it.
struct Lost;

/// How playing ends before the run does.
enum Stop {
    Lost,
    Failed(Failure),
    Broken(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Broken(error)
    }
}

impl From<Lost> for Stop {
    fn from(_: Lost) -> Self {
        Self::Lost
    }
}

impl From<ToolError> for Stop {
    fn from(error: ToolError) -> Self {
        Self::Failed(Failure::new(error.error_type, error.error))
    }
}

fn held<T>(held: Held<T>) -> Result<T, Lost> {
    match held {
        Held::Yes(value) => Ok(value),
        Held::Lost => Err(Lost),
    }
}

/// Plays a run to its end and writes that down.
///
/// # Errors
/// [`StoreError`]: it could not be written, and the run has not ended.
pub(super) async fn play(
    inner: &Inner,
    lease: &mut Lease,
    tally: &Tally,
) -> Result<(), StoreError> {
    let run = lease.run.handle;
    tracing::info!(%run, persona = %lease.run.persona, provider = %lease.run.provider, "a run begins");
    let played = Play::new(inner, lease, tally);
    let failure = match played {
        Ok(mut play) => match play.through().await {
            Ok(()) | Err(Stop::Lost) => return Ok(()),
            Err(Stop::Broken(error)) => return Err(error),
            Err(Stop::Failed(failure)) => failure,
        },
        Err(error) => Failure::new(error.error_type, error.error),
    };
    if failure.error_type == ErrorType::Unavailable {
        inner.shop.providers.note(&lease.run.provider, false);
    }
    tracing::info!(%run, reason = %failure.reason, "a run failed");
    let fault = RunFault {
        error_type: failure.error_type,
        error: masked(&failure.reason).into_owned(),
        unreported_output: failure.unreported.map(|said| cut(&said)),
    };
    let (now, ids) = (inner.now().instant, &inner.shop.ids);
    let ended = inner
        .shop
        .store
        .fail_run(lease, &fault, tally.metrics(), now, ids);
    // Lost: somebody else has ended it.
    let _ = ended.await?;
    Ok(())
}

struct Play<'a> {
    inner: &'a Inner,
    lease: &'a mut Lease,
    tally: &'a Tally,
    model: Arc<dyn Model>,
    machine: Machine,
    tools: Arc<Vec<ToolSpec>>,
    workspace: Option<Workspace>,
    schema: Option<Validator>,
    system: String,
    prompt: Vec<Prompt>,
    /// A report that fits, to be recorded once the other calls of its answer have run.
    report: Option<Report>,
}

impl<'a> Play<'a> {
    fn new(inner: &'a Inner, lease: &'a mut Lease, tally: &'a Tally) -> Result<Self, ToolError> {
        let shop = &inner.shop;
        let run = &lease.run;
        let persona = shop.registry.find(&run.persona)?;
        let model = shop.providers.model(&run.provider, &run.model)?;
        let wants_files = persona
            .tools
            .iter()
            .any(|it| it == "read_file" || it == "list_files");
        let roots: &[PathBuf] = &shop.settings.workspace_roots;
        let wanted = run.workspace_root.as_deref().map(Path::new);
        let workspace = if wanted.is_some() || (wants_files && !roots.is_empty()) {
            let max = run
                .options
                .max_files
                .and_then(|max| usize::try_from(max).ok());
            Some(Workspace::open(
                roots,
                wanted,
                &run.options.files_include_glob,
                max,
            )?)
        } else {
            None
        };
        let tools = Arc::new(agent::specs(&persona.tools, workspace.is_some()));
        let limits = Limits {
            turns: persona.max_turns,
            budget: run.options.time_budget_ms.map(Duration::from_millis),
            timeout: Duration::from_millis(persona.timeout_ms),
        };
        Ok(Self {
            machine: Machine::new(limits, model.name()),
            schema: run
                .expected_response
                .as_deref()
                .and_then(agent::expected_schema),
            system: agent::instructions(&persona.prompt, inner.now().today),
            inner,
            lease,
            tally,
            model,
            tools,
            workspace,
            prompt: Vec::new(),
            report: None,
        })
    }

    async fn through(&mut self) -> Result<(), Stop> {
        self.history().await?;
        self.opening().await?;
        let mut step = self.machine.begin(self.tally.elapsed());
        loop {
            step = match step {
                Step::Ask {
                    choice,
                    nudge,
                    hurry,
                } => {
                    if nudge {
                        self.user(agent::nudge()).await?;
                    }
                    if hurry {
                        self.user(agent::out_of_time()).await?;
                    }
                    self.ask(choice).await?
                }
                Step::Rest(pause) => {
                    tokio::time::sleep(pause).await;
                    self.machine.rested(self.tally.elapsed())
                }
                Step::Run(calls) => {
                    for call in &calls {
                        self.call(call).await?;
                    }
                    if let Some(report) = self.report.take() {
                        return self.record(report).await;
                    }
                    self.machine.called(false, self.tally.elapsed())
                }
                Step::End(End::Failed(failure)) => return Err(Stop::Failed(failure)),
                Step::End(End::Reported) => return Ok(()),
            };
        }
    }

    async fn ask(&mut self, choice: crate::llm::ToolChoice) -> Result<Step, Stop> {
        let left = self.machine.left(self.tally.elapsed());
        let request = Request {
            prompt: self.prompt.clone(),
            tools: Arc::clone(&self.tools),
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
                self.tally.answer(answer.usage);
                self.inner
                    .shop
                    .providers
                    .note(&self.lease.run.provider, true);
                self.said(&answer).await?;
                #[cfg(feature = "simulator")]
                if self.inner.shop.planted == Some(super::PlantedInRunner::WordsCount)
                    && let Some(text) = answer.text.clone()
                {
                    let report = Report {
                        outcome: crate::domain::ReportOutcome::Completed,
                        result: text,
                        json: None,
                        summary: None,
                        evidence: Vec::new(),
                    };
                    self.record(report).await?;
                    return Ok(Step::End(End::Reported));
                }
                Ok(self.machine.answered(&answer, self.tally.elapsed()))
            }
            Err(error) => {
                tracing::debug!(run = %self.lease.run.handle, ?error, "no answer");
                Ok(self.machine.unanswered(&error, self.tally.elapsed()))
            }
        }
    }

    /// What was said in this session before.
    async fn history(&mut self) -> Result<(), Stop> {
        let (store, run) = (&self.inner.shop.store, &self.lease.run);
        let mut open: Vec<String> = Vec::new();
        let mut after = 0;
        loop {
            let lines = store
                .transcript(&run.user_id, &run.agent, after, PAGE)
                .await?;
            let Some(last) = lines.last() else { break };
            after = last.seq;
            for line in lines {
                if let Some(id) = &line.tool_call_id {
                    open.retain(|known| known != id);
                }
                let prompt = prompt_of(line);
                if let Prompt::Assistant { calls, .. } = &prompt {
                    open = calls.iter().map(|call| call.id.clone()).collect();
                }
                self.prompt.push(prompt);
            }
        }
        // Calls that were cut off: servers refuse a conversation with one that has no result.
        for id in open {
            let cut = ToolError::new(
                ErrorType::Interrupted,
                "It was cut off: its outcome is unknown",
            );
            self.result(&id, &cut.to_wire()).await?;
        }
        Ok(())
    }

    async fn opening(&mut self) -> Result<(), Stop> {
        if self.prompt.is_empty() {
            let system = self.system.clone();
            self.keep(AgentRole::System, &system, None, None).await?;
            self.prompt.push(Prompt::System(system));
        }
        let run = &self.lease.run;
        let max_files = run
            .options
            .max_files
            .and_then(|max| usize::try_from(max).ok());
        let opening = agent::opening(&Opening {
            prompt: &run.prompt,
            expected_response: run.expected_response.as_deref(),
            workspace: self.workspace.is_some(),
            globs: &run.options.files_include_glob,
            max_files,
            summarize: run.options.summarize,
            context: run.options.context.as_deref(),
        });
        self.user(&opening).await
    }

    async fn user(&mut self, text: &str) -> Result<(), Stop> {
        self.keep(AgentRole::User, text, None, None).await?;
        self.prompt.push(Prompt::User(text.to_owned()));
        Ok(())
    }

    async fn said(&mut self, answer: &Answer) -> Result<(), Stop> {
        let calls = (!answer.calls.is_empty()).then(|| json!(answer.calls));
        let text = answer.text.clone().unwrap_or_default();
        self.keep(AgentRole::Assistant, &text, calls, None).await?;
        self.prompt.push(Prompt::Assistant {
            content: answer.text.clone(),
            calls: answer.calls.clone(),
        });
        Ok(())
    }

    async fn result(&mut self, call_id: &str, envelope: &Value) -> Result<(), Stop> {
        let content = envelope.to_string();
        self.keep(AgentRole::Tool, &content, None, Some(call_id))
            .await?;
        self.prompt.push(Prompt::Tool {
            call_id: call_id.to_owned(),
            content,
        });
        Ok(())
    }

    async fn keep(
        &self,
        role: AgentRole,
        content: &str,
        tool_calls: Option<Value>,
        tool_call_id: Option<&str>,
    ) -> Result<(), Stop> {
        let line = AgentLine {
            seq: 0,
            run: self.lease.run.handle,
            role,
            content: content.to_owned(),
            tool_calls,
            tool_call_id: tool_call_id.map(str::to_owned),
        };
        let now = self.inner.now().instant;
        held(
            self.inner
                .shop
                .store
                .append_message(self.lease, &line, now)
                .await?,
        )?;
        Ok(())
    }

    /// Makes one call, between its two receipts.
    async fn call(&mut self, call: &RawCall) -> Result<(), Stop> {
        let shop = &self.inner.shop;
        let began = Instant::now();
        let run = self.lease.run.handle.to_string();
        let own = [run.as_str(), self.lease.run.agent.as_str()];
        let provider = self.model.name().to_owned();
        let read = agent::read_call(call, &self.tools, own, &provider);
        let name = match &read {
            Ok((tool, _)) => tool.as_str().to_owned(),
            Err(_) => agent::AgentTool::parse(&call.name)
                .map_or_else(|| named(&call.name), |tool| tool.as_str().to_owned()),
        };
        let new = NewCall {
            tool_call_id: call.id.clone(),
            name,
            called_as: named(&call.name),
            arguments: serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| json!({"unreadable": call.arguments})),
            provider_context: provider.clone(),
        };
        let begun = shop
            .store
            .begin_call(self.lease, &new, self.inner.now().instant, &shop.ids);
        let begun = held(begun.await?)?;
        self.tally.call();
        let done = match read {
            Ok((_, asked)) => self.run(asked, &provider).await,
            Err(error) => {
                tracing::info!(target: "tool.validation", run, tool = new.name,
                    called_as = new.called_as, kind = ?error.error_type, provider,
                    "a call of an agent was refused");
                Err(error)
            }
        };
        let (ok, error_type, envelope) = match done {
            Ok(mut data) => {
                if let Some(data) = data.as_object_mut() {
                    data.insert("receipt".to_owned(), format!("r{}", begun.number).into());
                }
                (
                    true,
                    None,
                    json!({"ok": true, "success": true, "data": data}),
                )
            }
            Err(mut error) => {
                error.details.provider_context.get_or_insert(provider);
                (false, Some(error.error_type), error.to_wire())
            }
        };
        let end = CallEnd {
            ok,
            error_type,
            result: envelope.clone(),
            duration_ms: u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        };
        #[cfg(feature = "simulator")]
        if shop.planted == Some(super::PlantedInRunner::LostReceipt) {
            return self.result(&call.id, &envelope).await;
        }
        let now = self.inner.now().instant;
        held(
            shop.store
                .end_call(self.lease, &begun, &end, now, &shop.ids)
                .await?,
        )?;
        self.result(&call.id, &envelope).await
    }

    /// Does what a call asks for.
    async fn run(&mut self, asked: Asked, provider: &str) -> Result<Value, ToolError> {
        match asked {
            Asked::Report(report) => {
                if self.report.is_some() {
                    let text = "You have already reported; the first report stands";
                    return Err(ToolError::new(ErrorType::Conflict, text));
                }
                report.check(
                    self.lease.run.options.summarize,
                    self.schema.as_ref(),
                    provider,
                )?;
                self.report = Some(report);
                Ok(json!({"state": "received"}))
            }
            Asked::Note(note) => {
                let (now, ids) = (self.inner.now().instant, &self.inner.shop.ids);
                let note = crate::domain::shown(&note);
                let kept = self
                    .inner
                    .shop
                    .store
                    .add_note(self.lease, &note, now, ids)
                    .await;
                // A note that can't be kept is no reason to end; the next write finds out more.
                match kept.map_err(|error| internal(&error))? {
                    Held::Yes(()) => Ok(json!({"state": "noted"})),
                    Held::Lost => Err(ToolError::new(ErrorType::Interrupted, "The run is over")),
                }
            }
            Asked::Read { path } => self.files(move |files| files.read(&path)).await,
            Asked::List { path } => self.files(move |files| files.list(path.as_deref())).await,
        }
    }

    /// Works with the files on a thread of its own: a slow disk holds up nobody else.
    async fn files(
        &mut self,
        work: impl FnOnce(&mut Workspace) -> Result<Value, ToolError> + Send + 'static,
    ) -> Result<Value, ToolError> {
        let none = || ToolError::new(ErrorType::Unsupported, "There is no workspace");
        let mut files = self.workspace.take().ok_or_else(none)?;
        let (files, done) = tokio::task::spawn_blocking(move || {
            let done = work(&mut files);
            (files, done)
        })
        .await
        .map_err(|error| internal(&error))?;
        self.workspace = Some(files);
        done
    }

    /// Records the report; from here on the run has ended, one way or another.
    async fn record(&mut self, report: Report) -> Result<(), Stop> {
        let shop = &self.inner.shop;
        let report = Reported {
            outcome: report.outcome,
            text: report.result,
            json: report.json,
            summary: report.summary,
            evidence: agent::cited(&report.evidence),
            metrics: self.tally.metrics(),
        };
        let policy = shop.settings.completion;
        let mut tries = 0;
        let recorded = loop {
            let now = self.inner.now().instant;
            match shop
                .store
                .report(self.lease, &report, policy, now, &shop.ids)
                .await
            {
                Ok(recorded) => break recorded,
                Err(error) if tries == TRIES => return Err(error.into()),
                Err(error) => tracing::warn!(%error, "a report is tried again"),
            }
            tries += 1;
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        match recorded {
            Held::Yes(done) => {
                let run: RunHandle = done.run.handle;
                tracing::info!(%run, state = %done.run.state, verification = ?done.verification, "a run reported");
                self.machine.called(true, self.tally.elapsed());
            }
            Held::Lost => {
                let now = self.inner.now().instant;
                shop.store
                    .late_result(&self.lease.run, &report.text, now, &shop.ids)
                    .await?;
            }
        }
        Ok(())
    }
}

fn prompt_of(line: AgentLine) -> Prompt {
    match line.role {
        AgentRole::System => Prompt::System(line.content),
        AgentRole::User => Prompt::User(line.content),
        AgentRole::Tool => Prompt::Tool {
            call_id: line.tool_call_id.unwrap_or_default(),
            content: line.content,
        },
        AgentRole::Assistant => {
            let calls = line.tool_calls.unwrap_or_default();
            Prompt::Assistant {
                content: Some(line.content).filter(|text| !text.is_empty()),
                calls: serde_json::from_value(calls).unwrap_or_default(),
            }
        }
    }
}

/// A name as it is shown and kept: whatever a model calls a tool.
fn named(name: &str) -> String {
    crate::domain::shown(name).chars().take(64).collect()
}

/// What an agent said instead of reporting, bounded.
fn cut(said: &str) -> String {
    const KEPT: usize = 4000;
    masked(said).chars().take(KEPT).collect()
}

/// The cause goes to the log, a reference to the agent.
fn internal(cause: &dyn std::fmt::Display) -> ToolError {
    let text = format!("{cause}");
    let hash = text.bytes().fold(0_u32, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(byte.into())
    });
    tracing::error!(
        cause = text,
        reference = format!("{hash:08x}"),
        "a tool of an agent failed"
    );
    ToolError::new(
        ErrorType::Internal,
        format!("Internal error (ref {hash:08x})"),
    )
}
