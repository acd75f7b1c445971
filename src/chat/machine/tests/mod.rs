//! The machine played without a runtime: each effect is answered from what a test prepared.

mod agents;
mod course;
mod faults;
mod reminders;
mod replay;

use std::collections::VecDeque;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use serde_json::Value;
use uuid::Uuid;

use super::answer;
use super::effects::{CommitReply, Effect, Effects, ModelReply, ModelRole, Waited};
use crate::chat::guard_port::{GuardPort, StandardGuard};
use crate::chat::input::TurnInput;
use crate::chat::progress::TurnProgress;
use crate::chat::service::TurnRules;
use crate::chat::{ChatAnswer, ChatError, MissingTool, ModelDown, TurnPolicy};
use crate::delegation::{ProviderStatus, WaitOutcome};
use crate::domain::{Clock, ConversationId, IdSource, Lang, Task, TaskId, Title, UserId};
use crate::llm::{BuiltInEngine, LanguageModel, ModelAnswer, ModelError, ModelRequest, RawCall};
use crate::resolver::TaskList;
use crate::store::{
    CommitRecord, ConversationState, ErrorSource, KeyedAnswer, KnownRuns, NotCommitted, OpenTurn,
    OpenWrite, QuestionWrite, ReceiptEntry, ReceiptFacts, RollbackCause, RunPage, StoreError,
    StoredMessage, Unit, UserSnapshot,
};
use crate::temporal::DueRule;

/// Most effects of one request in any test.
const EFFECTS_MAX: usize = 200;

/// End of a model's turn to speak.
type Spoken = Waited<Result<ModelAnswer, ModelError>>;

/// End of a commit.
#[derive(Debug, Clone, PartialEq)]
enum Fate {
    /// Written, and said to be; or unknown, and found.
    Written,
    /// Not written, and said not to be.
    RolledBack(RollbackCause),
    /// Unknown, and not found.
    NotFound,
    /// Unknown, and not to be looked up; written or not.
    Unknown { written: bool },
}

/// State that the effects of a turn are answered from, and what they left of it.
struct World {
    user: UserId,
    place: ConversationId,
    tasks: TaskList,
    conversation: Option<ConversationState>,
    keyed: Option<KeyedAnswer>,
    open: Option<OpenTurn>,
    /// Snapshot that this process remembers, true or not.
    recalled: Option<UserSnapshot>,
    models: VecDeque<Spoken>,
    /// Ends of the next commits; those after them are sound.
    commits: VecDeque<Fate>,
    /// Ends of the next readings, false for one that fails; those after them are sound.
    reads: VecDeque<bool>,
    /// Receipts of a turn that was cut off.
    cut: Vec<ReceiptEntry>,
    /// True where a reminder would reach the user.
    reached: bool,
    /// Receipts that the next looks at the past find.
    histories: VecDeque<Vec<ReceiptEntry>>,
    /// Ends of the next entries of the journal; those after them are sound.
    journals: VecDeque<Result<bool, ()>>,
    /// Ends of the next waits for runs.
    waits: VecDeque<Waited<WaitOutcome>>,
    runs: KnownRuns,
    providers: Vec<ProviderStatus>,
    /// Names of the effects that were asked for.
    asked: Vec<&'static str>,
    /// Everything that is written, in order.
    committed: Vec<ReceiptFacts>,
    records: Vec<CommitRecord>,
}

/// A request, and the world that it is played in.
struct Stage {
    rules: TurnRules,
    input: TurnInput,
    world: World,
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Ids that count from `first`.
fn counting(first: u64) -> IdSource {
    let next = std::sync::atomic::AtomicU64::new(first);
    IdSource::from_fn(move || {
        id(next
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
            .into())
    })
}

fn rules(ids: IdSource) -> TurnRules {
    TurnRules {
        policy: TurnPolicy {
            default_zone: chrono_tz::UTC,
            due_rule: DueRule::Year,
            reply_language: Some(Lang::En),
            missing_tool: MissingTool::Reject,
            model_down: ModelDown::Reject,
            fast_path: false,
            model_timeout: Duration::from_secs(60),
        },
        gates: Box::new(StandardGuard),
        ids,
        owner: "here".to_owned(),
        model: "played (test)".to_owned(),
        understands: true,
        agents: None,
    }
}

impl Stage {
    /// A first message of a user who has tasks of these titles.
    fn new(message: &str, titles: &[&str]) -> Self {
        let user = UserId::parse("me").unwrap();
        let place = ConversationId::new(id(1));
        let clock = Clock::system(chrono::NaiveDate::from_ymd_opt(2026, 2, 8));
        let moment = clock.now(chrono_tz::UTC);
        let tasks = titles.iter().zip(10..).map(|(title, number)| {
            let title = Title::parse(title).unwrap();
            let before = moment.instant - chrono::TimeDelta::hours(1);
            Task::new(TaskId::new(id(number)), user.clone(), title, before)
        });
        let tasks = tasks.collect();
        Self {
            rules: rules(counting(1000)),
            input: TurnInput {
                user: user.clone(),
                conversation: place,
                fresh: true,
                begins: false,
                message: message.to_owned(),
                answer: None,
                hint: None,
                moment,
                keyed: None,
                started: Instant::now(),
                unseen: false,
                course: None,
            },
            world: World {
                user,
                place,
                tasks,
                conversation: None,
                keyed: None,
                open: None,
                recalled: None,
                models: VecDeque::new(),
                commits: VecDeque::new(),
                reads: VecDeque::new(),
                cut: Vec::new(),
                reached: false,
                histories: VecDeque::new(),
                journals: VecDeque::new(),
                waits: VecDeque::new(),
                runs: KnownRuns::default(),
                providers: Vec::new(),
                asked: Vec::new(),
                committed: Vec::new(),
                records: Vec::new(),
            },
        }
    }

    fn speaking(mut self, models: impl IntoIterator<Item = Spoken>) -> Self {
        self.world.models.extend(models);
        self
    }

    fn committing(mut self, commits: impl IntoIterator<Item = Fate>) -> Self {
        self.world.commits.extend(commits);
        self
    }

    fn reading(mut self, reads: impl IntoIterator<Item = bool>) -> Self {
        self.world.reads.extend(reads);
        self
    }

    fn journaling(mut self, journals: impl IntoIterator<Item = Result<bool, ()>>) -> Self {
        self.world.journals.extend(journals);
        self
    }

    fn under_key(mut self, key: &str) -> Self {
        self.input.keyed = Some((key.to_owned(), "print".to_owned()));
        self
    }

    fn with_gates(mut self, gates: impl GuardPort + 'static) -> Self {
        self.rules.gates = Box::new(gates);
        self
    }

    fn watched(mut self, course: &TurnProgress) -> Self {
        self.input.course = Some(course.clone());
        self
    }

    /// Plays the request to its end.
    fn play(&mut self) -> Result<ChatAnswer, ChatError> {
        let effects = Effects::default();
        let mut machine = pin!(answer(&self.rules, &self.input, effects.clone()));
        for _ in 0..EFFECTS_MAX {
            let mut context = Context::from_waker(Waker::noop());
            if let Poll::Ready(ended) = machine.as_mut().poll(&mut context) {
                assert!(effects.take().is_none(), "an effect that nobody waits for");
                return ended;
            }
            let asked = effects
                .take()
                .expect("a machine that waits asks for something");
            self.world.carry_out(asked.effect);
        }
        panic!("no end after {:?}", self.world.asked);
    }

    /// Plays it, and gives the text of the reply.
    fn reply(&mut self) -> Result<String, ChatError> {
        let answered = self.play()?;
        let body: Value = serde_json::from_str(&answered.body).unwrap();
        Ok(body["assistant_message"].as_str().unwrap().to_owned())
    }
}

impl World {
    /// Reads as the store does: of conversations and keys only the one that is asked for.
    fn snapshot(&self, conversation: Option<ConversationId>, key: Option<&str>) -> UserSnapshot {
        let here = |it: &&ConversationState| Some(it.id) == conversation;
        let asked = |it: &&KeyedAnswer| Some(it.key.as_str()) == key;
        UserSnapshot {
            user: self.user.clone(),
            tasks: self.tasks.clone(),
            conversation: self.conversation.as_ref().filter(here).cloned(),
            keyed: self.keyed.as_ref().filter(asked).cloned(),
            open: self.open.clone(),
            recalled: None,
        }
    }

    fn titles(&self) -> Vec<&str> {
        self.tasks.iter().map(|task| task.title.as_str()).collect()
    }

    fn read<T>(&mut self, value: T) -> Result<T, StoreError> {
        match self.reads.pop_front() {
            None | Some(true) => Ok(value),
            Some(false) => Err(broken()),
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        let mut note = |name| self.asked.push(name);
        match effect {
            Effect::RecallSnapshot(_, answer) => {
                note("recall");
                answer.give(self.recalled.clone());
            }
            Effect::LoadSnapshot(conversation, key, answer) => {
                note("load");
                let snapshot = self.snapshot(conversation, key.as_deref());
                answer.give(self.read(snapshot));
            }
            Effect::AttendTurn(open, answer) => {
                note("attend");
                self.open = None;
                if let Some(key) = open.key {
                    self.keyed = Some(stored(&key));
                }
                answer.give(Ok(()));
            }
            Effect::ReadHistory(_, _, answer) => {
                note("history");
                let history = self.histories.pop_front().unwrap_or_default();
                answer.give(self.read(history));
            }
            Effect::ReadTurn(_, answer) => {
                note("turn");
                let cut = std::mem::take(&mut self.cut);
                answer.give(self.read(cut));
            }
            Effect::ReadUndoable(answer) => {
                note("undoable");
                answer.give(self.read(Vec::new()));
            }
            Effect::AskModel(role, request, _, answer) => {
                note(match role {
                    ModelRole::Configured => "model",
                    ModelRole::Engine => "engine",
                });
                let end = match role {
                    ModelRole::Configured => self.models.pop_front().expect("an answer"),
                    ModelRole::Engine => Waited::Done(engine(&request)),
                };
                let took = Duration::from_millis(7);
                answer.give(ModelReply { end, took });
            }
            Effect::TakePlace(_, answer) => {
                note("place");
                answer.give(());
            }
            Effect::Commit(written, answer) => {
                note("commit");
                let (unit, record) = *written;
                let end = match self.commits.pop_front().unwrap_or(Fate::Written) {
                    Fate::Written => {
                        self.write(&unit, record);
                        Ok(unit.acknowledged())
                    }
                    Fate::RolledBack(cause) => {
                        if cause == RollbackCause::TurnEnded {
                            self.end_open_turn();
                        }
                        Err(NotCommitted::RolledBack(cause))
                    }
                    Fate::NotFound => Err(NotCommitted::NotLanded),
                    Fate::Unknown { written } => {
                        if written {
                            self.write(&unit, record);
                        }
                        Err(NotCommitted::Unconfirmed(broken()))
                    }
                };
                let took = Duration::from_millis(3);
                answer.give(CommitReply { end, took });
            }
            Effect::KeepJournal(_, _, answer) => {
                note("journal");
                let kept = self.journals.pop_front().unwrap_or(Ok(true));
                if kept == Ok(false) {
                    self.end_open_turn();
                }
                answer.give(kept.map_err(|()| broken()));
            }
            Effect::KeepAlive(_, answer) => {
                note("alive");
                answer.give(());
            }
            Effect::ReadRuns(answer) => {
                note("runs");
                let runs = self.runs.clone();
                answer.give(self.read(runs));
            }
            Effect::ReadProviders(answer) => {
                note("providers");
                answer.give(self.providers.clone());
            }
            Effect::WakeWorkers(answer) => {
                note("wake");
                answer.give(());
            }
            Effect::AwaitRuns(_, _, answer) => {
                note("await");
                answer.give(self.waits.pop_front().expect("an end of the wait"));
            }
            Effect::ReadReceipt(_, answer) => {
                note("receipt");
                answer.give(self.read(None));
            }
            Effect::ReadRun(handle, answer) => {
                note("run");
                let run = self.runs.handle(handle).cloned();
                answer.give(self.read(run));
            }
            Effect::ListRuns(_, answer) => {
                note("list");
                let page = RunPage {
                    runs: self.runs.runs.clone(),
                    matched: self.runs.runs.len() as u64,
                    next: None,
                };
                answer.give(self.read(page));
            }
            Effect::ReadAgent(_, answer) => {
                note("agent");
                answer.give(self.read(None));
            }
            Effect::CancelRun(_, _, answer) => {
                note("cancel");
                answer.give(());
            }
            Effect::ResolvePath(_, answer) => {
                note("path");
                answer.give(None);
            }
            Effect::CheckReach(answer) => {
                note("reach");
                answer.give(self.reached);
            }
        }
    }

    /// Writes what a commit writes.
    fn write(&mut self, unit: &Unit, record: CommitRecord) {
        if unit.has_effect() {
            self.tasks = unit.tasks().clone();
        }
        self.runs.runs.extend(unit.begun().cloned());
        let facts = unit.drafts().iter().map(|draft| draft.facts().clone());
        self.committed.extend(facts);
        let before = self.conversation.take();
        let version = before.as_ref().map_or(0, |it| it.version);
        assert_eq!(record.conversation, Some((self.place, version)));
        let mut messages = before.as_ref().map_or(Vec::new(), |it| it.messages.clone());
        messages.extend(record.messages.iter().map(|line| StoredMessage {
            id: line.id,
            role: line.role,
            content: line.content.clone(),
            created_at: unit.now(),
        }));
        let frame = record.frame.clone();
        let frame = frame.or_else(|| before.as_ref().map(|it| it.frame.clone()));
        self.conversation = Some(ConversationState {
            id: self.place,
            version: version + 1,
            frame: frame.unwrap_or_default(),
            messages,
            question: match &record.question {
                QuestionWrite::Keep => before.and_then(|it| it.question),
                QuestionWrite::Close => None,
                QuestionWrite::Ask(question) => Some(question.clone()),
            },
        });
        if let Some(keyed) = &record.keyed {
            self.keyed = Some(keyed.clone());
        }
        self.records.push(record);
    }

    /// Somebody who took the turn's process for dead ends the turn and answers its key.
    fn end_open_turn(&mut self) {
        if let Some(claim) = self.keyed.take() {
            self.keyed = Some(stored(&claim.key));
        }
    }

    /// Tells whether a turn was left open.
    fn is_open(&self) -> bool {
        let last = self.records.iter().rev().map(|record| &record.open);
        let mut writes = last.filter(|write| **write != OpenWrite::None);
        writes
            .next()
            .is_some_and(|write| !matches!(write, OpenWrite::End { .. }))
    }
}

fn broken() -> StoreError {
    let source: ErrorSource = "broken on purpose".into();
    StoreError::Unavailable(source)
}

/// An answer that another process kept.
fn stored(key: &str) -> KeyedAnswer {
    KeyedAnswer {
        key: key.to_owned(),
        fingerprint: "print".to_owned(),
        status: 200,
        body: "{\"assistant_message\":\"told by another\"}".to_owned(),
    }
}

/// Answer of the built-in engine, which waits for nothing.
fn engine(request: &ModelRequest) -> Result<ModelAnswer, ModelError> {
    let mut asked = BuiltInEngine.ask(request);
    match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("the engine waits"),
    }
}

/// A model that calls these tools.
fn calls(list: &[(&str, Value)]) -> Spoken {
    let calls = list
        .iter()
        .enumerate()
        .map(|(number, (name, arguments))| RawCall {
            id: format!("call_{number}"),
            name: (*name).to_owned(),
            arguments: arguments.to_string(),
        });
    spoken(None, calls.collect())
}

/// A model that talks.
fn says(text: &str) -> Spoken {
    spoken(Some(text.to_owned()), Vec::new())
}

fn spoken(text: Option<String>, calls: Vec<RawCall>) -> Spoken {
    Waited::Done(Ok(ModelAnswer {
        text,
        calls,
        model: "played (test)".to_owned(),
        finish: "stop".to_owned(),
        usage: None,
    }))
}

fn fails(error: ModelError) -> Spoken {
    Waited::Done(Err(error))
}
