//! The conversation with one agent's program: it is started, given a session, and prompted.
//!
//! When this conversation is dropped, at the end of a run, its cancellation or its deadline, the
//! program is killed with all it began. Of our environment it gets what holds no secret of ours.

use std::fmt;
use std::path::PathBuf;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, EnvVariable, Implementation, InitializeRequest, McpServer,
    McpServerStdio, NewSessionRequest, PlanEntryStatus, PromptRequest, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SessionConfigId, SessionConfigKind,
    SessionConfigOption, SessionConfigSelectOptions, SessionConfigValueId, SessionId,
    SessionNotification, SessionUpdate, SetSessionConfigOptionRequest, StopReason, TextContent,
    ToolCallStatus,
};
use agent_client_protocol::{
    Agent, Client, Error, is_connection_terminated, is_incoming_transport_closed,
};
use tokio::process::Command;
use tokio::sync::{mpsc, oneshot};

use super::RELAY_COMMAND;
use super::process::ProgramProcess;
use crate::delegation::settings::ProviderSettings;

/// Messages of an agent that wait to be looked at; one that sends more waits itself.
const WAITING: usize = 64;

/// A program that speaks the protocol.
#[derive(Clone)]
pub struct AcpProgram {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// All the variables that it gets.
    pub environment: Vec<(String, String)>,
    /// Folder in which it works.
    pub cwd: PathBuf,
    /// The model it shall use; empty leaves it to the program.
    pub model: String,
    /// Variables that its relay finds in its environment.
    pub link: Vec<(String, String)>,
}

/// Command to the agent.
#[derive(Debug)]
pub enum AcpCommand {
    /// The next message.
    Prompt(String),
    /// End the turn now.
    Cancel,
}

/// Event of an agent.
#[derive(Debug)]
pub enum AcpEvent {
    /// The agent has a session and can be prompted.
    Ready,
    /// A piece of what it says.
    Said(String),
    /// Something for the timeline, in one line.
    Note(String),
    /// The agent asks leave, and waits.
    Asks(
        Box<RequestPermissionRequest>,
        oneshot::Sender<RequestPermissionOutcome>,
    ),
    /// Its turn is over, for this reason; none where it answered with an error.
    Turned(Option<StopReason>),
}

/// The two ends of a conversation that goes on while [`AcpProgram::run`] is awaited.
#[derive(Debug)]
pub struct AcpChannels {
    /// Commands to the agent.
    pub orders: mpsc::Sender<AcpCommand>,
    /// Events of the agent.
    pub events: mpsc::Receiver<AcpEvent>,
}

impl fmt::Debug for AcpProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Arguments and environment may hold a key.
        f.debug_struct("Program")
            .field("program", &self.command.first())
            .finish_non_exhaustive()
    }
}

impl AcpProgram {
    /// The program of a provider. The environment of this process may hold keys of any kind, so the
    /// program starts from nothing but where programs, files and words are found, its own key, and
    /// what its provider lists in `env`.
    pub fn of(provider: &ProviderSettings, key: Option<&str>) -> Self {
        let own = provider.api_key_env.as_deref().zip(key);
        let own = own.map(|(name, key)| (name.to_owned(), key.to_owned()));
        Self {
            command: provider.command.clone(),
            environment: provider.env.0.iter().cloned().chain(own).collect(),
            cwd: PathBuf::new(),
            model: String::new(),
            link: Vec::new(),
        }
    }

    /// Starts it. The conversation goes on while the future is awaited, and ends with it.
    pub fn run(self) -> (AcpChannels, impl Future<Output = Result<(), Error>> + Send) {
        let (orders, to_do) = mpsc::channel(4);
        let (happens, events) = mpsc::channel(WAITING);
        let talk = AcpChannels { orders, events };
        (talk, self.converse(to_do, happens))
    }

    async fn converse(
        self,
        orders: mpsc::Receiver<AcpCommand>,
        happens: mpsc::Sender<AcpEvent>,
    ) -> Result<(), Error> {
        let (program, arguments) = self
            .command
            .split_first()
            .ok_or_else(Error::internal_error)?;
        let mut command = Command::new(program);
        command.args(arguments);
        command.env_clear().envs(self.environment.iter().cloned());
        let (mut process, lines) = ProgramProcess::start(&mut command, happens.clone())
            .map_err(Error::into_internal_error)?;
        let (updates, asks) = (happens.clone(), happens.clone());
        let conversation = Client
            .v1()
            .name("candor")
            .on_receive_notification(
                async move |told: SessionNotification, _| {
                    if let Some(event) = event(told.update) {
                        // Nobody listens any more: the run is over.
                        let _ = updates.send(event).await;
                    }
                    Ok(())
                },
                agent_client_protocol::on_receive_notification!(),
            )
            .on_receive_request(
                async move |asked: RequestPermissionRequest, responder, _| {
                    let (answer, answered) = oneshot::channel();
                    let _ = asks.send(AcpEvent::Asks(Box::new(asked), answer)).await;
                    let outcome = answered.await;
                    responder.respond(RequestPermissionResponse::new(
                        outcome.unwrap_or(RequestPermissionOutcome::Cancelled),
                    ))
                },
                agent_client_protocol::on_receive_request!(),
            )
            .connect_with(lines, async |agent: ConnectionTo<Agent>| {
                let session = self.begin(&agent).await?;
                let _ = happens.send(AcpEvent::Ready).await;
                take_turns(&agent, &session, orders, &happens).await
            });
        process.during(conversation).await
    }

    /// Greets it, and opens a session with the run's tools.
    async fn begin(&self, agent: &ConnectionTo<Agent>) -> Result<SessionId, Error> {
        let hello = InitializeRequest::new(ProtocolVersion::V1)
            .client_info(Implementation::new("candor", env!("CARGO_PKG_VERSION")));
        let met = agent.send_request(hello).block_task().await?;
        if met.protocol_version != ProtocolVersion::V1 {
            return Err(refusal("it speaks another version of the protocol"));
        }
        let relay = std::env::current_exe().map_err(Error::into_internal_error)?;
        let variable = |(name, value): &(String, String)| EnvVariable::new(name, value);
        let tools = McpServerStdio::new("candor", relay)
            .args(vec![RELAY_COMMAND.to_owned()])
            .env(self.link.iter().map(variable).collect());
        let asked =
            NewSessionRequest::new(self.cwd.clone()).mcp_servers(vec![McpServer::Stdio(tools)]);
        let opened = agent.send_request(asked).block_task().await?;
        let session = opened.session_id;
        if !self.model.is_empty() {
            let options = opened.config_options.unwrap_or_default();
            let choice = options
                .iter()
                .find_map(|option| choice(option, &self.model));
            let (id, value) = choice.ok_or_else(|| refusal("it has no model of that name"))?;
            let asked = SetSessionConfigOptionRequest::new(session.clone(), id, value);
            agent.send_request(asked).block_task().await?;
        }
        Ok(session)
    }
}

fn refusal(why: &str) -> Error {
    Error::internal_error().data(why)
}

/// The option by which a session takes a model of that name.
fn choice(
    option: &SessionConfigOption,
    model: &str,
) -> Option<(SessionConfigId, SessionConfigValueId)> {
    let SessionConfigKind::Select(select) = &option.kind else {
        return None;
    };
    let values: Vec<_> = match &select.options {
        SessionConfigSelectOptions::Ungrouped(all) => all.iter().collect(),
        SessionConfigSelectOptions::Grouped(groups) => {
            groups.iter().flat_map(|group| &group.options).collect()
        }
        _ => Vec::new(),
    };
    let found = values.iter().find(|it| &*it.value.0 == model)?;
    Some((option.id.clone(), found.value.clone()))
}

/// Does what it is told, until nobody tells it anything more.
async fn take_turns(
    agent: &ConnectionTo<Agent>,
    session: &SessionId,
    mut orders: mpsc::Receiver<AcpCommand>,
    happens: &mpsc::Sender<AcpEvent>,
) -> Result<(), Error> {
    while let Some(order) = orders.recv().await {
        let AcpCommand::Prompt(text) = order else {
            continue;
        };
        let prompt = vec![ContentBlock::Text(TextContent::new(text))];
        let asked = PromptRequest::new(session.clone(), prompt);
        let turn = agent.send_request(asked).block_task();
        let mut turn = std::pin::pin!(turn);
        let ended = loop {
            tokio::select! {
                ended = &mut turn => break ended,
                order = orders.recv() => match order {
                    Some(AcpCommand::Cancel) => {
                        agent.send_notification(CancelNotification::new(session.clone()))?;
                    }
                    Some(AcpCommand::Prompt(_)) => {}
                    None => return Ok(()),
                },
            }
        };
        let end = match ended.map(|answer| answer.stop_reason) {
            Ok(reason) => Some(reason),
            // The program is gone: that is more than the end of a turn.
            Err(error) if is_connection_terminated(&error) => return Err(error),
            Err(error) if is_incoming_transport_closed(&error) => return Err(error),
            Err(error) => {
                tracing::debug!(?error, "an agent's turn ended with an error");
                None
            }
        };
        let _ = happens.send(AcpEvent::Turned(end)).await;
    }
    Ok(())
}

/// Returns the event that an update is for the timeline.
fn event(update: SessionUpdate) -> Option<AcpEvent> {
    Some(match update {
        SessionUpdate::AgentMessageChunk(chunk) => match chunk.content {
            ContentBlock::Text(text) => AcpEvent::Said(text.text),
            _ => return None,
        },
        SessionUpdate::ToolCall(call) => AcpEvent::Note(call.title),
        SessionUpdate::ToolCallUpdate(call) => match (call.fields.status, call.fields.title) {
            (Some(ToolCallStatus::Failed), Some(title)) => {
                AcpEvent::Note(format!("Failed: {title}"))
            }
            (Some(ToolCallStatus::Failed), None) => {
                AcpEvent::Note("A tool of its own failed".into())
            }
            (_, Some(title)) => AcpEvent::Note(title),
            _ => return None,
        },
        SessionUpdate::Plan(plan) => {
            let done = |it: &&_| matches!(it, PlanEntryStatus::Completed);
            let states: Vec<_> = plan.entries.iter().map(|it| it.status.clone()).collect();
            let now = plan.entries.iter();
            let now = now
                .clone()
                .find(|it| it.status == PlanEntryStatus::InProgress);
            let now = now.map_or(String::new(), |it| format!(": {}", it.content));
            let done = states.iter().filter(done).count();
            AcpEvent::Note(format!("Plan: {done} of {} done{now}", states.len()))
        }
        _ => return None,
    })
}
