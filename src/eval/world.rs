//! A scratch world for one play of a scenario: a real database file, a real service.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use chrono::{DateTime, Utc};
use serde_json::Value;

use super::scenario::{Meanwhile, Scenario, TaskSetup, TurnSpec};
use crate::chat::wire::{AnswerChoice, ChatRequest};
use crate::chat::{ChatError, ChatService, MissingTool, ModelDown, TurnPolicy};
use crate::domain::{
    Action, Clock, ConversationId, IdSource, Priority, Repeat, Task, TaskId, Title, TurnId, UserId,
};
use crate::guard::account::account;
use crate::llm::{LanguageModel, PromptMessage};
use crate::store::{AppliedChange, CommitRecord, CommitResult, NewTask, Store, TaskPatch, Unit};
use crate::temporal::DueRule;
use crate::turn::Refusal;

/// A world of its own for every play.
pub(super) struct World {
    store: Store,
    service: ChatService,
    user: UserId,
    ids: IdSource,
    clock: Clock,
    conversation: Option<ConversationId>,
    question: Option<Value>,
    language: Option<String>,
    told: Vec<PromptMessage>,
    file: PathBuf,
}

/// Counts from the audit log: the model's calls and sentences, over a whole play.
#[derive(Debug, Default)]
pub(super) struct Conduct {
    /// Sentences that were refused.
    pub(super) prose: usize,
    /// Calls.
    pub(super) calls: usize,
    /// Calls whose arguments the schema or the guard refused.
    pub(super) wrong_arguments: usize,
    /// Calls for something that nobody asked for.
    pub(super) unasked: usize,
}

/// Outcome of a turn.
pub(super) enum Said {
    /// A reply, as the API gives it.
    Reply(Box<Value>),
    /// The model's server is down.
    Unavailable,
}

/// The instant of every scenario, at noon: "at 9" is then tomorrow's, whatever time it really is.
const fn noon() -> DateTime<Utc> {
    match DateTime::from_timestamp(1_770_552_000, 0) {
        Some(noon) => noon,
        None => DateTime::UNIX_EPOCH,
    }
}

impl World {
    /// Builds the scenario's world around `model`.
    pub(super) async fn new(scenario: &Scenario, model: Arc<dyn LanguageModel>) -> Result<Self> {
        let ids = IdSource::random();
        let file = std::env::temp_dir().join(format!("candor-eval-{}.db", ids.next()));
        let url = format!("sqlite://{}", file.display());
        let store = Store::open(&url).await.context("scratch database")?;
        store.migrate().await.context("scratch database")?;
        let clock = Clock::from_source(Some(scenario.today), noon);
        let policy = TurnPolicy {
            reply_language: None,
            default_zone: chrono_tz::UTC,
            due_rule: DueRule::Year,
            missing_tool: MissingTool::Reject,
            model_down: ModelDown::Reject,
            fast_path: false,
            model_timeout: Duration::from_secs(30),
        };
        let service = ChatService::new(store.clone(), model, policy, clock, ids.clone());
        let world = Self {
            store,
            service,
            user: UserId::parse("eval")?,
            ids,
            clock,
            conversation: None,
            question: None,
            language: scenario.language.clone(),
            told: Vec::new(),
            file,
        };
        for setup in &scenario.tasks {
            world.set_up(setup).await?;
        }
        Ok(world)
    }

    /// Begins anew with another user, whose list holds these tasks.
    pub(super) async fn begin_anew(
        &mut self,
        tasks: &[TaskSetup],
        language: Option<String>,
    ) -> Result<()> {
        self.user = UserId::parse(&format!("eval-{}", self.ids.next()))?;
        (self.conversation, self.question) = (None, None);
        self.language = language;
        for setup in tasks {
            self.set_up(setup).await?;
        }
        Ok(())
    }

    /// Removes the scratch database.
    pub(super) async fn close(self) {
        self.store.close().await;
        for ending in ["", "-wal", "-shm", "-running"] {
            // A scratch file that stays behind harms nobody.
            let path = format!("{}{ending}", self.file.display());
            std::fs::remove_file(path).ok();
        }
    }

    /// The tasks, oldest first.
    pub(super) async fn tasks(&self) -> Result<Vec<Task>> {
        let snapshot = self.store.load(&self.user, None, None).await?;
        Ok(snapshot.tasks.to_vec())
    }

    /// The prompt of the last turn, results of its calls included.
    pub(super) fn told(&self) -> &[PromptMessage] {
        &self.told
    }

    /// The model's behaviour so far.
    pub(super) async fn conduct(&self) -> Result<Conduct> {
        let filter = crate::store::AuditFilter {
            user: Some(self.user.clone()),
            ..crate::store::AuditFilter::default()
        };
        let mut conduct = Conduct::default();
        for row in self.store.audit_events(&filter).await? {
            let event: Value = serde_json::from_str(&row.payload)?;
            let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str);
            match text("/what") {
                Some("prose") => conduct.prose += 1,
                Some("call") if text("/call_id").is_some() => {
                    let unasked = text("/reason/refusal") == Some(Refusal::Unlicensed.as_str());
                    let refused = row.kind == crate::audit::EventKind::Refusal;
                    let invalid = text("/reason/errorType") == Some("validation");
                    conduct.calls += 1;
                    conduct.unasked += usize::from(unasked);
                    conduct.wrong_arguments += usize::from(invalid || (refused && !unasked));
                }
                _ => {}
            }
        }
        Ok(conduct)
    }

    /// Checks the log: its chain is whole, and each reply is computed again from it word for word, with
    /// no sentence that nothing proves. Says what is wrong.
    pub(super) async fn log_faults(&self) -> Result<Vec<String>> {
        let filter = crate::store::AuditFilter {
            user: Some(self.user.clone()),
            ..crate::store::AuditFilter::default()
        };
        let rows = self.store.audit_events(&filter).await?;
        let mut faults = Vec::new();
        if crate::audit::verify(rows.iter(), None).is_err() {
            faults.push("the audit chain is broken".to_owned());
        }
        for events in rows.chunk_by(|one, next| one.turn_id == next.turn_id) {
            let Some(account) = account(events) else {
                continue;
            };
            if account.said.is_some() && !account.holds() {
                let (said, again) = (&account.said, &account.recomputed);
                faults.push(format!("the log does not prove {said:?}: {again:?}"));
            }
        }
        Ok(faults)
    }

    /// Plays the user's side of one turn.
    pub(super) async fn say(&mut self, turn: &TurnSpec) -> Result<Said> {
        if turn.new_conversation {
            self.conversation = None;
        }
        let answer = match (&turn.button, &self.question) {
            (Some(value), Some(question)) => Some(AnswerChoice {
                id: serde_json::from_value(question.get("id").cloned().unwrap_or_default())?,
                value: value.clone(),
            }),
            (Some(_), None) => anyhow::bail!("no question waits for this button"),
            (None, _) => None,
        };
        let request = ChatRequest {
            message: (!turn.user.is_empty()).then(|| turn.user.clone()),
            conversation_id: self.conversation,
            answer,
            language_hint: self.language.clone(),
            timezone: None,
        };
        match self.service.chat(&self.user, request, None).await {
            Ok(answered) => {
                let reply: Value = serde_json::from_str(&answered.body)?;
                let id = reply.get("conversation_id").cloned().unwrap_or_default();
                self.conversation = Some(serde_json::from_value(id)?);
                self.question = reply.get("question").filter(|q| !q.is_null()).cloned();
                self.told = answered.told;
                Ok(Said::Reply(Box::new(reply)))
            }
            Err(ChatError::ModelDown { conversation, .. }) => {
                self.conversation = Some(conversation);
                self.told.clear();
                Ok(Said::Unavailable)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn set_up(&self, setup: &TaskSetup) -> Result<()> {
        let (title, due, repeat, done, priority, note) = match setup {
            TaskSetup::Title(title) => (title, None, None, false, None, None),
            TaskSetup::Full {
                title,
                due,
                repeat,
                done,
                priority,
                note,
            } => (
                title,
                *due,
                repeat.as_deref(),
                *done,
                *priority,
                note.clone(),
            ),
        };
        let repeat = repeat.map(Repeat::parse).transpose();
        let new = NewTask {
            description: note,
            priority: priority.unwrap_or(Priority::Medium),
            due_date: due,
            repeat: repeat.map_err(|fault| anyhow::anyhow!("repeat {fault}"))?,
            ..NewTask::titled(Title::parse(title)?)
        };
        let mut unit = self.unit().await?;
        let added = unit.add(new).facts().task_id;
        self.commit(unit).await?;
        if let (true, Some(id)) = (done, added) {
            self.complete(id).await?;
        }
        Ok(())
    }

    /// Acts of another tab between two turns.
    pub(super) async fn meanwhile(&self, changes: &[Meanwhile]) -> Result<()> {
        for change in changes {
            self.by_another_hand(change).await?;
        }
        Ok(())
    }

    async fn by_another_hand(&self, change: &Meanwhile) -> Result<()> {
        match change {
            Meanwhile::Add(title) => self.set_up(&TaskSetup::Title(title.clone())).await,
            Meanwhile::Complete(title) => self.complete(self.find(title).await?).await,
            Meanwhile::Delete(title) => {
                let id = self.find(title).await?;
                let mut unit = self.unit().await?;
                if unit.delete(id) == AppliedChange::Missing {
                    anyhow::bail!("{title} is gone already");
                }
                self.commit(unit).await
            }
        }
    }

    async fn find(&self, title: &str) -> Result<TaskId> {
        let tasks = self.tasks().await?;
        let found = tasks.iter().find(|task| task.title.as_str() == title);
        Ok(found.with_context(|| format!("no task {title:?}"))?.id)
    }

    async fn complete(&self, id: TaskId) -> Result<()> {
        let mut unit = self.unit().await?;
        let done = TaskPatch {
            completed: Some(true),
            ..TaskPatch::default()
        };
        if unit.change(Action::CompleteTask, id, &done) == AppliedChange::Missing {
            anyhow::bail!("the task is gone already");
        }
        self.commit(unit).await
    }

    async fn unit(&self) -> Result<Unit> {
        let snapshot = self.store.load(&self.user, None, None).await?;
        let turn = TurnId::new(self.ids.next());
        let moment = self.clock.now(chrono_tz::UTC);
        let user = self.user.clone();
        Ok(Unit::new(
            user,
            None,
            turn,
            moment.instant,
            self.ids.clone(),
            snapshot.tasks,
        )
        .on(moment.today))
    }

    async fn commit(&self, unit: Unit) -> Result<()> {
        match self.store.commit(unit, CommitRecord::default()).await {
            CommitResult::Committed(_) => Ok(()),
            other => anyhow::bail!("the scratch database failed: {other:?}"),
        }
    }
}
