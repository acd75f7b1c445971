//! Handing over without a model: the button, and what a user says of a report.
//!
//! The same units of work as a chat turn's, so the same receipts, the same log and the same
//! refusals; each is a turn of its own. Where a run goes is settled here once, and said with its
//! reasons.

use chrono_tz::Tz;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::AgentRunner;
use super::registry::PersonaRegistry;
use super::router::{RoutingRequest, RunDestination, route};
use super::settings::DelegationSettings;
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{
    AgentHandle, Assignee, Clock, ErrorType, IdSource, Moment, NewAgent, Review, Routing,
    RunHandle, Task, TaskId, ToolError, UserId,
};
use crate::store::{
    AgentRun, AgentSession, CommitRecord, DelegationTarget, KeyedAnswer, NewRun, RunOptions,
    RunRef, Store, StoreError, TransactError, Unit,
};

/// Tells that the task moved at every try.
const TASK_BUSY: &str = "The task kept being changed meanwhile";

/// Tells that the run moved at every try.
const RUN_BUSY: &str = "The run kept being changed meanwhile";

/// Services that every route about delegation needs.
#[derive(Debug)]
pub struct DelegationService {
    /// The truth.
    pub store: Store,
    /// Worker on the queue.
    pub runner: AgentRunner,
    /// Personas that may be given work.
    pub registry: PersonaRegistry,
    /// Settings that say what the operator allows.
    pub settings: DelegationSettings,
    /// The time.
    pub clock: Clock,
    /// The zone in which it is a day.
    pub zone: Tz,
    /// New ids.
    pub ids: IdSource,
}

/// A task given to an agent by hand.
#[derive(Debug, Clone, Default)]
pub struct HandoverRequest {
    /// To whom; nothing is the default persona.
    pub assignee: Option<Assignee>,
    /// On which provider; nothing leaves it to the persona and to what is free.
    pub routing: Option<Routing>,
    /// Agent whose conversation goes on.
    pub resume: Option<String>,
    /// Instructions for the agent; nothing is the task's title and note.
    pub prompt: Option<String>,
    /// The form of the answer.
    pub expected_response: Option<String>,
    /// Nobody waits.
    pub background: bool,
    /// The directory to work in.
    pub workspace_root: Option<String>,
    /// The rest.
    pub options: RunOptions,
    /// No second run is begun under the same key.
    pub key: Option<String>,
}

/// Reason why nothing was done.
#[derive(Debug, thiserror::Error)]
pub enum DelegationError {
    /// The request can't be met.
    #[error(transparent)]
    Refused(#[from] ToolError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The commit's fate is unknown.
    #[error("it could not be confirmed whether this was saved")]
    Unconfirmed,
}

impl From<TransactError> for DelegationError {
    fn from(error: TransactError) -> Self {
        match error {
            TransactError::Busy(words) => refused(ErrorType::Conflict, words),
            TransactError::Unconfirmed(_) => Self::Unconfirmed,
            error @ TransactError::RolledBack(_) => Self::Store(error.into()),
        }
    }
}

fn refused(error_type: ErrorType, text: impl Into<String>) -> DelegationError {
    ToolError::new(error_type, text).into()
}

impl DelegationService {
    /// The clock's reading.
    pub fn now(&self) -> chrono::DateTime<chrono::Utc> {
        self.moment().instant
    }

    fn moment(&self) -> Moment {
        self.clock.now(self.zone)
    }

    /// Gives a task to an agent, and wakes whoever works.
    ///
    /// # Errors
    /// [`DelegationError`]; nothing was written unless it says that this is unknown.
    pub async fn hand_over(
        &self,
        user: &UserId,
        task: TaskId,
        asked: &HandoverRequest,
    ) -> Result<AgentRun, DelegationError> {
        let store = &self.store;
        let fingerprint = fingerprint(task, asked);
        let fresh = || self.ids.next().to_string();
        let key = format!("button {}", asked.key.clone().unwrap_or_else(fresh));
        let mut transaction = store.transact(TASK_BUSY);
        loop {
            if let Some(run) = self.before(user, asked, &fingerprint).await? {
                return Ok(run);
            }
            let mut unit = self.unit(user).await?;
            let standing = unit.task(task).cloned();
            let standing =
                standing.ok_or_else(|| refused(ErrorType::NotFound, "There is no such task"))?;
            let to = self.settle(user, asked).await?;
            let begun = begin(&mut unit, &standing, asked, &to, &key)?;
            let id = begun.id;
            let record = CommitRecord {
                events: told(&standing, &begun, asked, self.now()),
                keyed: asked.key.as_ref().map(|key| KeyedAnswer {
                    key: key.clone(),
                    fingerprint: fingerprint.clone(),
                    status: 202,
                    body: begun.handle.to_string(),
                }),
                ..CommitRecord::default()
            };
            if transaction.commit(unit, record).await?.is_none() {
                continue;
            }
            self.runner.wake();
            let run = store.run(user, RunRef::Id(id)).await?;
            return run.ok_or(DelegationError::Unconfirmed);
        }
    }

    /// The run that was begun under this idempotency key before.
    async fn before(
        &self,
        user: &UserId,
        asked: &HandoverRequest,
        fingerprint: &str,
    ) -> Result<Option<AgentRun>, DelegationError> {
        let Some(key) = asked.key.as_deref() else {
            return Ok(None);
        };
        let snapshot = self.store.load(user, None, Some(key)).await?;
        let Some(kept) = snapshot.keyed else {
            return Ok(None);
        };
        let used = || {
            let text = "This Idempotency-Key already answered another request. Use a new key.";
            refused(ErrorType::Validation, text)
        };
        if kept.fingerprint != fingerprint {
            return Err(used());
        }
        let run = RunHandle::parse(&kept.body).map_err(|_| used())?;
        let run = self.store.run(user, RunRef::Handle(run)).await?;
        run.map_or_else(|| Err(used()), |run| Ok(Some(run)))
    }

    /// Records what the user says of a completed run's report. Accepting completes the task.
    ///
    /// # Errors
    /// [`DelegationError`]: no such run, no report to judge, or judged before.
    pub async fn review(
        &self,
        user: &UserId,
        run: RunHandle,
        review: Review,
    ) -> Result<AgentRun, DelegationError> {
        self.change_run(user, run, |known, unit| {
            if known.review == Some(review) {
                return Ok(false);
            }
            if unit.review_run(known.id, review) {
                return Ok(true);
            }
            let text = format!(
                "{run} can't be {}: it is {}, {}",
                review.as_str(),
                known.state,
                match known.review {
                    Some(before) => format!("and was {} before", before.as_str()),
                    None => "or its task is done or gone".to_owned(),
                }
            );
            Err(refused(ErrorType::Conflict, text))
        })
        .await
    }

    /// Answers what the agent of a run asked.
    ///
    /// # Errors
    /// [`DelegationError`]: no such run, or one that asks nothing.
    pub async fn answer(
        &self,
        user: &UserId,
        run: RunHandle,
        text: &str,
    ) -> Result<AgentRun, DelegationError> {
        self.change_run(user, run, |known, unit| {
            if unit.answer_run(known.id, text) {
                return Ok(true);
            }
            let text = format!("{run} asks nothing: it is {}", known.state);
            Err(refused(ErrorType::Conflict, text))
        })
        .await
    }

    /// Commits a change of a run; `change` tells whether there is one.
    async fn change_run(
        &self,
        user: &UserId,
        run: RunHandle,
        change: impl Fn(&AgentRun, &mut Unit) -> Result<bool, DelegationError>,
    ) -> Result<AgentRun, DelegationError> {
        let store = &self.store;
        let mut transaction = store.transact(RUN_BUSY);
        loop {
            let known = store.run(user, RunRef::Handle(run)).await?;
            let known =
                known.ok_or_else(|| refused(ErrorType::NotFound, "There is no such run"))?;
            let mut unit = self.unit(user).await?;
            if !change(&known, &mut unit)? {
                return Ok(known);
            }
            let committed = transaction.commit(unit, CommitRecord::default()).await?;
            if committed.is_some() {
                let run = store.run(user, RunRef::Id(known.id)).await?;
                return run.ok_or(DelegationError::Unconfirmed);
            }
        }
    }

    async fn unit(&self, user: &UserId) -> Result<Unit, StoreError> {
        let (moment, ids) = (self.moment(), &self.ids);
        let unit = self.store.unit_with_runs(user, moment.instant, ids);
        Ok(unit.await?.on(moment.today).reminding_at(moment.remind_now))
    }

    /// In whose session, and where: settled once, never again for that session.
    async fn settle(
        &self,
        user: &UserId,
        asked: &HandoverRequest,
    ) -> Result<RunDestination, DelegationError> {
        let given = match &asked.assignee {
            Some(Assignee::Existing(handle)) => Some(handle.as_str()),
            _ => None,
        };
        if let Some(handle) = asked.resume.as_deref().or(given) {
            let agent = self.resumed(user, handle).await?;
            if let Some(Assignee::New(new)) = &asked.assignee
                && new.persona != agent.persona
            {
                let text = format!(
                    "{} is a {}, not a {}",
                    agent.handle, agent.persona, new.persona
                );
                return Err(refused(ErrorType::Conflict, text));
            }
            return Ok(RunDestination::Resume(Box::new(agent)));
        }
        let new = match &asked.assignee {
            Some(Assignee::User) => {
                let text =
                    "A task is the user's own when no agent has it: there is nothing to start";
                return Err(refused(ErrorType::Validation, text));
            }
            Some(Assignee::New(new)) => new.clone(),
            Some(Assignee::Existing(_)) | None => NewAgent {
                persona: self.settings.default_persona.clone(),
                model: None,
            },
        };
        let persona = self.registry.find(&new.persona)?;
        let wish = RoutingRequest {
            model: new.model.as_ref(),
            routing: asked.routing.as_ref(),
            persona,
            work: None,
        };
        let models = &self.settings.models;
        let way = route(&wish, models, &self.runner.providers())?;
        if let Some(root) = &asked.workspace_root {
            self.allowed(root)?;
        }
        let (session, notes) = way.session(&new, asked.workspace_root.clone());
        Ok(RunDestination::New(session, notes))
    }

    async fn resumed(&self, user: &UserId, handle: &str) -> Result<AgentSession, DelegationError> {
        let unknown = || {
            let text = format!(
                "There is no agent or run '{}'",
                crate::domain::shown(handle)
            );
            refused(ErrorType::NotFound, text)
        };
        let handle = handle.trim();
        let agent = match RunHandle::parse(handle) {
            Ok(run) => {
                let run = self.store.run(user, RunRef::Handle(run)).await?;
                run.map(|run| run.agent)
            }
            Err(_) => AgentHandle::parse(handle).ok(),
        };
        let agent = agent.ok_or_else(unknown)?;
        self.store.agent(user, &agent).await?.ok_or_else(unknown)
    }

    /// A directory outside the roots is refused before anything is written (C-17).
    #[cfg(feature = "delegation")]
    fn allowed(&self, root: &str) -> Result<(), ToolError> {
        let settings = &self.settings;
        let roots = (&*settings.workspace_roots, &*settings.own_files);
        super::agent::Workspace::open(roots, Some(root.as_ref()), &[], None).map(drop)
    }

    #[cfg(not(feature = "delegation"))]
    fn allowed(&self, _: &str) -> Result<(), ToolError> {
        Err(ToolError::new(
            ErrorType::Unsupported,
            "This build has no workspaces",
        ))
    }
}

fn begin(
    unit: &mut Unit,
    task: &Task,
    asked: &HandoverRequest,
    to: &RunDestination,
    key: &str,
) -> Result<AgentRun, DelegationError> {
    let options = RunOptions {
        notes: to.notes(),
        ..asked.options.clone()
    };
    let own = || match &task.description {
        Some(note) => format!("{}\n\n{note}", task.title.as_str()),
        None => task.title.as_str().to_owned(),
    };
    let new = NewRun {
        prompt: asked.prompt.clone().unwrap_or_else(own),
        expected_response: asked.expected_response.clone(),
        priority: task.priority,
        background: asked.background,
        queued: false,
        tool_call_id: "button".to_owned(),
        key: key.to_owned(),
        options,
    };
    unit.delegate(DelegationTarget::Existing(task.id), to.choice(), new)
        .map_err(|fault| refused(fault.error_type(), fault.to_string()))?;
    unit.begun()
        .last()
        .cloned()
        .ok_or(DelegationError::Unconfirmed)
}

/// SHA-256 (hex) of what is asked for.
fn fingerprint(task: TaskId, asked: &HandoverRequest) -> String {
    let spec = |assignee: &Assignee| String::from(assignee.clone());
    let asked = json!({
        "route": "delegate",
        "task": task,
        "assignee": asked.assignee.as_ref().map(spec),
        "routing": asked.routing,
        "resume": asked.resume,
        "prompt": asked.prompt,
        "expected_response": asked.expected_response,
        "background": asked.background,
        "workspace_root": asked.workspace_root,
        "options": asked.options,
    });
    crate::audit::hex(&Sha256::digest(crate::audit::canonical(&asked)))
}

/// The write for the log, as every write without a conversation leaves one.
fn told(
    task: &Task,
    run: &AgentRun,
    asked: &HandoverRequest,
    now: chrono::DateTime<chrono::Utc>,
) -> Vec<AuditEvent> {
    let event = |kind, told: Value| AuditEvent::of(kind, &told);
    let arguments: Value = json!({
        "task": task.title.as_str(),
        "prompt": run.prompt,
        "expected_response": asked.expected_response,
    });
    vec![
        event(
            EventKind::Turn,
            json!({"source": "rest", "asked": {"action": "delegate", "values": arguments}, "at": now}),
        ),
        event(
            EventKind::ToolCall,
            json!({"name": "delegate", "task_id": task.id, "outcome": "committed"}),
        ),
        event(EventKind::Reply, json!({"status": 202})),
    ]
}
