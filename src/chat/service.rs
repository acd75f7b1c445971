//! The service: checks a request, takes its locks, runs its turn, and runs it anew when another
//! hand was faster.

use std::sync::Arc;
use std::time::Instant;

use chrono_tz::Tz;
use serde_json::json;
use tokio::sync::{Semaphore, watch};

use super::delegation::DelegateAgents;
use super::driver::TurnDriver;
use super::guard_port::{GuardPort, StandardGuard};
use super::input::TurnInput;
use super::locks::TurnLocks;
use super::machine::answer;
use super::progress::{RunningTurn as Entered, RunningTurns, TurnProgress};
use super::undelivered::UndeliveredReplies;
use super::wire::ChatRequest;
use super::{ChatAnswer, ChatError, TurnPolicy, fingerprint};
use crate::delegation::{AgentRunner, DelegationSettings, PersonaRegistry};
use crate::domain::{Clock, ConversationId, IdSource, Lang, Moment, ReceiptId, UserId};
use crate::llm::{BuiltInEngine, LanguageModel};
use crate::reminders::ReminderChannels;
use crate::store::Store;

/// The longest message, in characters.
pub(super) const MESSAGE_MAX: usize = 5000;
/// Turns without a model's answer that end at a time.
const ENDING: usize = 2;

/// Runs chat turns. Cheap to clone.
#[derive(Debug, Clone)]
pub struct ChatService {
    pub(super) inner: Arc<TurnServices>,
}

/// Services that every turn needs.
#[derive(Debug)]
pub(super) struct TurnServices {
    pub(super) store: Store,
    pub(super) model: Arc<dyn LanguageModel>,
    pub(super) engine: BuiltInEngine,
    pub(super) rules: TurnRules,
    pub(super) clock: Clock,
    /// Running turns are to end with what they have.
    pub(super) hurry: watch::Sender<bool>,
    pub(super) locks: TurnLocks,
    /// Turns whose model gave no answer end a few at a time: a model that hangs for hundreds of
    /// them gives all of them back in one instant, and everybody else would wait for all.
    pub(super) ending: Arc<Semaphore>,
    /// Line to whoever wakes agents; none where no provider is configured.
    pub(super) runner: Option<AgentRunner>,
    /// Ways in which reminders are delivered; none where no server runs.
    pub(super) reminders: Option<ReminderChannels>,
    unseen: UndeliveredReplies,
    /// Requests that somebody watches.
    courses: Arc<RunningTurns>,
}

/// Facts of the service that a turn is decided by.
#[derive(Debug)]
pub(super) struct TurnRules {
    pub(super) policy: TurnPolicy,
    pub(super) gates: Box<dyn GuardPort>,
    pub(super) ids: IdSource,
    /// Name of this process among those that work on turns.
    pub(super) owner: String,
    /// Name of the model.
    pub(super) model: String,
    /// True where the model understands sentences.
    pub(super) understands: bool,
    /// Agents that work can be given to; none where no provider is configured.
    pub(super) agents: Option<DelegateAgents>,
}

/// Options of a request, beside what it says.
#[derive(Debug, Default)]
pub struct RequestOptions {
    /// The conversation it names is begun under that id where the user has none of it.
    pub begins: bool,
    /// Progress for whoever watches it; without one nothing is told, and nothing made that could
    /// be.
    pub course: Option<TurnProgress>,
}

impl ChatService {
    /// A service over `store`, asking `model`.
    pub fn new(
        store: Store,
        model: Arc<dyn LanguageModel>,
        policy: TurnPolicy,
        clock: Clock,
        ids: IdSource,
    ) -> Self {
        let rules = TurnRules {
            policy,
            gates: Box::new(StandardGuard),
            owner: ids.next().to_string(),
            ids,
            model: model.name().to_owned(),
            understands: model.understands(),
            agents: None,
        };
        Self {
            inner: Arc::new(TurnServices {
                store,
                model,
                engine: BuiltInEngine,
                rules,
                clock,
                hurry: watch::Sender::new(false),
                locks: TurnLocks::default(),
                ending: Arc::new(Semaphore::new(ENDING)),
                runner: None,
                reminders: None,
                unseen: UndeliveredReplies::default(),
                courses: Arc::default(),
            }),
        }
    }

    /// The same with gates of the caller's, to show what becomes of a broken guard.
    #[cfg(feature = "simulator")]
    #[must_use]
    pub fn with_gates(mut self, gates: Box<dyn GuardPort>) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.rules.gates = gates;
        }
        self
    }

    /// Tells whether there is anybody to delegate to.
    pub fn delegates(&self) -> bool {
        self.inner.rules.agents.is_some()
    }

    /// The same with agents of `registry` that work can be given to, with the operator's settings, and
    /// worked on by `runner`. Call it before the service is shared.
    #[must_use]
    pub fn delegating(
        mut self,
        settings: DelegationSettings,
        registry: PersonaRegistry,
        runner: AgentRunner,
    ) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.rules.agents = Some(DelegateAgents::new(settings, registry));
            inner.runner = Some(runner);
        }
        self
    }

    /// The same where a server delivers reminders. Call it before the service is shared.
    #[must_use]
    pub fn reminding(mut self, channels: ReminderChannels) -> Self {
        if let Some(inner) = Arc::get_mut(&mut self.inner) {
            inner.reminders = Some(channels);
        }
        self
    }

    /// The moment, for those that name no zone.
    pub fn now(&self) -> Moment {
        self.inner.now()
    }

    /// The store, for reads.
    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    /// The day it is for everybody, where one is pinned (`CANDOR_TODAY`).
    pub fn pinned_day(&self) -> Option<chrono::NaiveDate> {
        self.inner.clock.pinned()
    }

    /// One turn. `key` is the idempotency key, unquoted.
    ///
    /// # Errors
    /// [`ChatError`]: nothing was changed, except that the fate of an unconfirmed commit is open.
    pub async fn chat(
        &self,
        user: &UserId,
        request: ChatRequest,
        key: Option<String>,
    ) -> Result<ChatAnswer, ChatError> {
        self.chat_so(user, request, key, RequestOptions::default())
            .await
    }

    /// One turn, in its own manner. Where it is watched, its course is told everything up to its
    /// end, which is what this returns.
    ///
    /// # Errors
    /// As [`ChatService::chat`].
    pub async fn chat_so(
        &self,
        user: &UserId,
        request: ChatRequest,
        key: Option<String>,
        manner: RequestOptions,
    ) -> Result<ChatAnswer, ChatError> {
        let course = manner.course.clone();
        // A turn's future is large, and so is what it is made ready in: each is made once where it
        // stays, and not moved from hand to hand by everything that spawns, watches or times it.
        let ended = Box::pin(self.run(user, request, key, manner)).await;
        if let Some(course) = course {
            // What was refused before its turn began has no end yet.
            course.end(&ended);
        }
        ended
    }

    /// Requests of a conversation that run in this process and are watched, the oldest first.
    pub fn courses(&self, user: &UserId, conversation: ConversationId) -> Vec<TurnProgress> {
        self.inner.courses.of(user, conversation)
    }

    async fn run(
        &self,
        user: &UserId,
        request: ChatRequest,
        key: Option<String>,
        manner: RequestOptions,
    ) -> Result<ChatAnswer, ChatError> {
        let started = Instant::now();
        let zone = self.zone(request.timezone.as_deref())?;
        check_message(&request)?;
        let moment = self.inner.clock.now(zone);
        let running = match &key {
            Some(key) => Some(self.inner.locks.key(user, key).ok_or(ChatError::Running)?),
            None => None,
        };
        let fresh = request.conversation_id.is_none();
        let conversation = request
            .conversation_id
            .unwrap_or_else(|| ConversationId::new(self.inner.rules.ids.next()));
        let entered = manner.course.as_ref().map(|course| {
            let place = (user.clone(), conversation);
            Entered::enter(&self.inner.courses, place, course)
        });
        let guard = self.inner.locks.conversation(conversation).await;
        let keyed = key.map(|key| {
            (
                key,
                fingerprint(&json!({ "route": "chat", "request": request })),
            )
        });
        let hint = request.language_hint.as_deref().and_then(Lang::known);
        let input = TurnInput {
            user: user.clone(),
            conversation,
            fresh,
            begins: manner.begins,
            message: request.message.unwrap_or_default(),
            answer: request.answer,
            hint,
            moment,
            keyed,
            started,
            unseen: self.inner.unseen.contains(conversation),
            course: manner.course,
        };
        let answered = self.turns(&input).await;
        self.inner.unseen.note(conversation, &answered);
        if let Some(course) = &input.course {
            course.end(&answered);
        }
        drop((guard, running, entered));
        answered
    }

    /// Running turns wait for no model any more and end with what they have: the program is
    /// about to.
    pub fn hurry(&self) {
        self.inner.hurry.send_replace(true);
    }

    async fn turns(&self, input: &TurnInput) -> Result<ChatAnswer, ChatError> {
        let driver = TurnDriver::new(&self.inner, input);
        let mut machine = Box::pin(answer(&self.inner.rules, input, driver.effects()));
        driver.drive(machine.as_mut()).await
    }

    /// Takes back the turn of one receipt, whole, as "undo" would.
    ///
    /// # Errors
    /// `NotFound` for an unknown receipt, `Conflict` when it can't be taken back.
    pub async fn undo_receipt(
        &self,
        user: &UserId,
        receipt: ReceiptId,
        key: Option<String>,
    ) -> Result<ChatAnswer, ChatError> {
        let moment = self.inner.now();
        super::undo::undo_receipt(&self.inner, user, receipt, moment, key).await
    }

    /// The zone of a request that calls it `name`, or names none.
    ///
    /// # Errors
    /// When there is no zone of this name.
    pub fn zone(&self, name: Option<&str>) -> Result<Tz, ChatError> {
        let Some(name) = name else {
            return Ok(self.inner.rules.policy.default_zone);
        };
        name.parse().map_err(|_| {
            ChatError::InvalidTimezone(
                "timezone is not known: give an IANA name such as Europe/Berlin".to_owned(),
            )
        })
    }
}

impl TurnServices {
    /// The moment of a turn, for those that name no zone.
    pub(super) fn now(&self) -> Moment {
        self.clock.now(self.rules.policy.default_zone)
    }
}

fn check_message(request: &ChatRequest) -> Result<(), ChatError> {
    let message = request.message.as_deref().unwrap_or_default();
    let length = message.chars().count();
    if length > MESSAGE_MAX {
        return Err(ChatError::InvalidMessage(format!(
            "message has {length} characters: at most {MESSAGE_MAX} are read"
        )));
    }
    if message.contains('\0') {
        // Not every database can keep it, and nobody can read it.
        return Err(ChatError::InvalidMessage(
            "message holds the character U+0000: leave it out".to_owned(),
        ));
    }
    if message.trim().is_empty() && request.answer.is_none() {
        return Err(ChatError::InvalidMessage(
            "message is empty: give 1 to 5000 characters, or an answer to a question".to_owned(),
        ));
    }
    Ok(())
}
