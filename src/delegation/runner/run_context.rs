//! Services that every agent's run needs, whoever plays it: its conversation is written down, its
//! calls are made between their two receipts, its report is recorded.
//!
//! A line is in the store before the next thing happens, so that whoever comes after a crash
//! sees what was said and done (C-23). Everything is written under the lease: once it is lost,
//! nothing of this lands any more.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::tally::RunTally;
use super::{AgentRunner, RunnerServices, retried};
use crate::delegation::agent::{self, RunLimits, ToolRequest, Workspace, shown_name};
use crate::domain::{ErrorType, RunHandle, ToolError, put_member};
use crate::llm::{PromptMessage, RawCall, ToolSpec};
use crate::store::{
    AgentLine, AgentReport, AgentRole, CallEnd, LeasedWrite, NewCall, RunFault, RunLease,
    StoreError,
};

/// Lines of a conversation that are read at once.
const PAGE: u32 = 500;
/// Number of times that a report is written anew when the database fails.
const TRIES: usize = 5;

/// Reason why playing ends before the run does.
pub(super) enum RunStop {
    /// The run is another's now, or over: nothing more is to be done for it.
    Over,
    Failed(RunFault),
    Broken(StoreError),
}

impl From<StoreError> for RunStop {
    fn from(error: StoreError) -> Self {
        Self::Broken(error)
    }
}

impl From<ToolError> for RunStop {
    fn from(error: ToolError) -> Self {
        Self::failed(error.error_type, error.error, None)
    }
}

impl RunStop {
    /// The run has no result: for this reason, and with these words of the agent where it did not
    /// report.
    pub(super) fn failed(
        error_type: ErrorType,
        reason: impl Into<String>,
        unreported_output: Option<String>,
    ) -> Self {
        Self::Failed(RunFault {
            error_type,
            error: reason.into(),
            unreported_output,
        })
    }
}

fn held<T>(written: LeasedWrite<T>) -> Result<T, RunStop> {
    match written {
        LeasedWrite::Yes(value) => Ok(value),
        LeasedWrite::Lost => Err(RunStop::Over),
    }
}

/// A run at work: its lease, what it may use, and what was said so far.
pub(super) struct RunContext<'a> {
    pub runner: &'a AgentRunner,
    pub services: &'a RunnerServices,
    pub lease: &'a mut RunLease,
    pub tally: &'a RunTally,
    /// Provider that calls, as errors and receipts name it: `openai-dev (gpt-4)`.
    pub provider: String,
    pub tools: Arc<Vec<ToolSpec>>,
    pub limits: RunLimits,
    pub workspace: Option<Workspace>,
    /// The conversation so far.
    pub prompt: Vec<PromptMessage>,
    schema: Option<Validator>,
    system: String,
    /// A report that fits, to be recorded once the other calls of its answer have run.
    report: Option<AgentReport>,
}

impl<'a> RunContext<'a> {
    /// Prepares what the run was promised: its persona, its workspace, its tools.
    pub(super) fn new(
        runner: &'a AgentRunner,
        lease: &'a mut RunLease,
        tally: &'a RunTally,
        provider: String,
    ) -> Result<Self, ToolError> {
        let services = runner.services();
        let run = &lease.run;
        let persona = services.registry.find(&run.persona)?;
        let wants_files = persona
            .tools
            .iter()
            .any(|it| it == "read_file" || it == "list_files");
        let roots: &[PathBuf] = &services.settings.workspace_roots;
        let wanted = run.workspace_root.as_deref().map(Path::new);
        let workspace = if wanted.is_some() || (wants_files && !roots.is_empty()) {
            let roots = (roots, &*services.settings.own_files);
            let globs = &run.options.files_include_glob;
            Some(Workspace::open(
                roots,
                wanted,
                globs,
                run.options.max_files,
            )?)
        } else {
            None
        };
        let below = run.depth < services.settings.max_depth;
        let tools = Arc::new(agent::specs(
            &persona.tools,
            workspace.is_some(),
            (run.depth > 1, below),
        ));
        let limits = RunLimits {
            turns: persona.max_turns,
            budget: run.options.time_budget_ms.map(Duration::from_millis),
            timeout: Duration::from_millis(persona.timeout_ms),
        };
        Ok(Self {
            limits,
            schema: run
                .expected_response
                .as_deref()
                .and_then(agent::expected_schema),
            system: agent::instructions(&persona.prompt, services.now().today),
            runner,
            services,
            lease,
            tally,
            provider,
            tools,
            workspace,
            prompt: Vec::new(),
            report: None,
        })
    }

    /// The report that the last calls left, if one of them was one.
    pub(super) fn reported(&mut self) -> Option<AgentReport> {
        self.report.take()
    }

    /// Reads what was said in this session before.
    pub(super) async fn history(&mut self) -> Result<(), RunStop> {
        let (store, run) = (&self.services.store, &self.lease.run);
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
                if let PromptMessage::Assistant { calls, .. } = &prompt {
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

    /// The system message where there is none yet, and the task.
    pub(super) async fn opening(&mut self) -> Result<(), RunStop> {
        if self.prompt.is_empty() {
            let system = PromptMessage::System(self.system.clone());
            self.keep(system).await?;
        }
        let run = &self.lease.run;
        let expected = run.expected_response.as_deref();
        let workspace = self.workspace.is_some();
        let opening = agent::opening(&run.prompt, expected, workspace, &run.options);
        self.user(&opening).await
    }

    pub(super) async fn user(&mut self, text: &str) -> Result<(), RunStop> {
        self.keep(PromptMessage::User(text.to_owned())).await
    }

    /// Keeps what its model said and asked for.
    pub(super) async fn said(
        &mut self,
        text: Option<&str>,
        calls: &[RawCall],
    ) -> Result<(), RunStop> {
        let (content, calls) = (text.map(str::to_owned), calls.to_vec());
        self.keep(PromptMessage::Assistant { content, calls }).await
    }

    async fn result(&mut self, call_id: &str, envelope: &Value) -> Result<(), RunStop> {
        let (call_id, content) = (call_id.to_owned(), envelope.to_string());
        self.keep(PromptMessage::Tool { call_id, content }).await
    }

    async fn keep(&mut self, line: PromptMessage) -> Result<(), RunStop> {
        let now = self.services.now().instant;
        let store = &self.services.store;
        let kept = line_of(&line, self.lease.run.handle);
        held(store.append_message(self.lease, &kept, now).await?)?;
        self.prompt.push(line);
        Ok(())
    }

    /// Makes one call, between its two receipts.
    pub(super) async fn call(&mut self, call: &RawCall) -> Result<Value, RunStop> {
        let RunnerServices { store, ids, .. } = self.services;
        let began = Instant::now();
        let run = self.lease.run.handle.to_string();
        let own = [run.as_str(), self.lease.run.agent.as_str()];
        let provider = self.provider.clone();
        let read = agent::read_call(call, &self.tools, own, &provider);
        let name = match &read {
            Ok((tool, _)) => tool.as_str().to_owned(),
            Err(_) => agent::AgentTool::named(&call.name)
                .map_or_else(|| shown_name(&call.name), |tool| tool.as_str().to_owned()),
        };
        let new = NewCall {
            tool_call_id: call.id.clone(),
            name,
            called_as: shown_name(&call.name),
            arguments: serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| json!({"unreadable": call.arguments})),
            provider_context: provider.clone(),
        };
        let now = self.services.now().instant;
        let begun = held(store.begin_call(self.lease, &new, now, ids).await?)?;
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
                put_member(&mut data, "receipt", format!("r{}", begun.number));
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
        if self.services.planted == Some(super::PlantedInRunner::LostReceipt) {
            self.result(&call.id, &envelope).await?;
            return Ok(envelope);
        }
        let now = self.services.now().instant;
        held(store.end_call(self.lease, &begun, &end, now, ids).await?)?;
        self.result(&call.id, &envelope).await?;
        Ok(envelope)
    }

    /// Leaves a line in the timeline.
    pub(super) async fn note(&self, line: &str) -> Result<(), RunStop> {
        let RunnerServices { store, ids, .. } = self.services;
        let now = self.services.now().instant;
        let line = crate::domain::masked(line);
        held(store.add_note(self.lease, &line, now, ids).await?)
    }

    /// Does what a call asks for.
    async fn run(&mut self, asked: ToolRequest, provider: &str) -> Result<Value, ToolError> {
        match asked {
            ToolRequest::Report(report) => {
                if self.report.is_some() {
                    let text = "You have already reported; the first report stands";
                    return Err(ToolError::new(ErrorType::Conflict, text));
                }
                let summarize = self.lease.run.options.summarize;
                agent::check(&report, summarize, self.schema.as_ref(), provider)?;
                self.report = Some(report);
                Ok(json!({"state": "received"}))
            }
            ToolRequest::Note(note) => match self.note(&crate::domain::shown(&note)).await {
                Ok(()) => Ok(json!({"state": "noted"})),
                // A note that can't be kept is no reason to end; the next write finds out more.
                Err(RunStop::Broken(error)) => Err(internal(&error)),
                Err(_) => Err(ToolError::new(ErrorType::Interrupted, "The run is over")),
            },
            ToolRequest::Question(_) => super::question::put(self).await,
            ToolRequest::Delegate(part) => super::subagent::hand_on(self, part).await,
            ToolRequest::Read { path } => self.files(move |files| files.read(&path)).await,
            ToolRequest::List { path } => {
                self.files(move |files| files.list(path.as_deref())).await
            }
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
    pub(super) async fn record(&mut self, mut report: AgentReport) -> Result<(), RunStop> {
        let RunnerServices { store, ids, .. } = self.services;
        report.metrics = self.tally.metrics();
        let policy = self.services.settings.completion;
        let (lease, services) = (&*self.lease, self.services);
        let write = || store.report(lease, &report, policy, services.now(), ids);
        let recorded = retried(TRIES, write).await?;
        match recorded {
            LeasedWrite::Yes(done) => {
                let run: RunHandle = done.run.handle;
                tracing::info!(%run, state = %done.run.state, verification = ?done.verification, "a run reported");
            }
            LeasedWrite::Lost => {
                let now = self.services.now().instant;
                let run = &self.lease.run;
                store.late_result(run, &report.text, now, ids).await?;
            }
        }
        Ok(())
    }
}

/// A line of the conversation as it is kept.
fn line_of(line: &PromptMessage, run: RunHandle) -> AgentLine {
    let (role, content) = match line {
        PromptMessage::System(text) => (AgentRole::System, text.clone()),
        PromptMessage::User(text) => (AgentRole::User, text.clone()),
        PromptMessage::Tool { content, .. } => (AgentRole::Tool, content.clone()),
        PromptMessage::Assistant { content, .. } => {
            (AgentRole::Assistant, content.clone().unwrap_or_default())
        }
    };
    AgentLine {
        seq: 0,
        run,
        role,
        content,
        tool_calls: match line {
            PromptMessage::Assistant { calls, .. } if !calls.is_empty() => Some(json!(calls)),
            _ => None,
        },
        tool_call_id: match line {
            PromptMessage::Tool { call_id, .. } => Some(call_id.clone()),
            _ => None,
        },
    }
}

fn prompt_of(line: AgentLine) -> PromptMessage {
    match line.role {
        AgentRole::System => PromptMessage::System(line.content),
        AgentRole::User => PromptMessage::User(line.content),
        AgentRole::Tool => PromptMessage::Tool {
            call_id: line.tool_call_id.unwrap_or_default(),
            content: line.content,
        },
        AgentRole::Assistant => {
            let calls = line.tool_calls.unwrap_or_default();
            PromptMessage::Assistant {
                content: Some(line.content).filter(|text| !text.is_empty()),
                calls: serde_json::from_value(calls).unwrap_or_default(),
            }
        }
    }
}

/// The cause goes to the log, a reference to the agent.
pub(super) fn internal(cause: &dyn std::fmt::Display) -> ToolError {
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
