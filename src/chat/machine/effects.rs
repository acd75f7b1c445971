//! Effects that a machine asks of its driver, and the answers that it goes on with.
//!
//! A machine is a future that awaits nothing but [`Effects::ask`]. Whoever polls it takes the
//! effect, carries it out, hands the answer in and polls again: no runtime takes part.

use std::future::poll_fn;
use std::path::PathBuf;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use parking_lot::Mutex;

use crate::chat::ChatError;
use crate::delegation::{ProviderStatus, WaitOutcome};
use crate::domain::{AgentHandle, ConversationId, ReceiptId, RunHandle, TurnId};
use crate::llm::{ModelAnswer, ModelError, ModelRequest};
use crate::store::{
    AgentRun, AgentSession, CommitRecord, CommittedUnit, KnownRuns, NotCommitted, OpenTurn,
    Receipt, ReceiptEntry, RunPage, RunQuery, StoreError, Unit, UserSnapshot,
};
use crate::telemetry::trace::TraceSpan;

/// Answer of the store to a reading.
pub type ReadAnswer<T> = Answer<Result<T, StoreError>>;

/// Effect that a turn asks for. All of it is the user's whose turn it is.
pub enum Effect {
    /// Recalls what [`Effect::LoadSnapshot`] would read, if this process remembers it.
    RecallSnapshot(Option<ConversationId>, Answer<Option<UserSnapshot>>),
    /// Reads the tasks, a conversation, and the answer under an idempotency key.
    LoadSnapshot(
        Option<ConversationId>,
        Option<String>,
        ReadAnswer<UserSnapshot>,
    ),
    /// Ends the open turn that stands in the way, or waits a little for who works on it.
    AttendTurn(Box<OpenTurn>, Answer<Result<(), ChatError>>),
    /// Reads the newest receipts of a conversation or of all, at most so many.
    ReadHistory(Option<ConversationId>, u32, ReadAnswer<Vec<ReceiptEntry>>),
    /// Reads the receipts of one turn.
    ReadTurn(TurnId, ReadAnswer<Vec<ReceiptEntry>>),
    /// Reads one receipt.
    ReadReceipt(ReceiptId, ReadAnswer<Option<ReceiptEntry>>),
    /// Reads the changes that an undo takes back.
    ReadUndoable(ReadAnswer<Vec<Receipt>>),
    /// Reads everything that is delegated.
    ReadRuns(ReadAnswer<KnownRuns>),
    /// Reads one run.
    ReadRun(RunHandle, ReadAnswer<Option<AgentRun>>),
    /// Reads a page of runs.
    ListRuns(RunQuery, ReadAnswer<RunPage>),
    /// Reads the session of an agent.
    ReadAgent(AgentHandle, ReadAnswer<Option<AgentSession>>),
    /// Asks a model, and waits at most so long.
    AskModel(ModelRole, Box<ModelRequest>, Duration, Answer<ModelReply>),
    /// Waits for a place among the turns that end without an answer, at most so long. The next
    /// commit leaves it: it waits for the database, and is no work.
    TakePlace(Duration, Answer<()>),
    /// Commits, and looks up what the database did not answer.
    Commit(Box<(Unit, CommitRecord)>, Answer<CommitReply>),
    /// Writes down how far an open turn came; false: somebody has ended it.
    KeepJournal(TurnId, String, ReadAnswer<bool>),
    /// Says from now on that somebody works on the turn.
    KeepAlive(TurnId, Answer<()>),
    /// Tells whoever works for the user that something was committed.
    WakeWorkers(Answer<()>),
    /// Asks a run to stop, and waits until that is confirmed.
    CancelRun(RunHandle, Option<String>, Answer<()>),
    /// Waits for the end of runs.
    AwaitRuns(Vec<RunHandle>, Duration, Answer<Waited<WaitOutcome>>),
    /// Reads how the providers stand.
    ReadProviders(Answer<Vec<ProviderStatus>>),
    /// Follows links and `..` in the name of a directory.
    ResolvePath(String, Answer<Option<PathBuf>>),
    /// Tells whether a reminder would reach the user now.
    CheckReach(Answer<bool>),
}

/// Model that is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelRole {
    /// The configured one.
    Configured,
    /// The built-in engine.
    Engine,
}

/// End of a wait that is not waited for at any price.
#[derive(Debug)]
pub enum Waited<T> {
    /// The wait came to its end.
    Done(T),
    /// Time ran out.
    Late,
    /// The program is about to end.
    Ending,
    /// A stop was asked for by whoever watches the turn.
    Stopped,
}

/// Reply of a model, and how long it took.
pub struct ModelReply {
    pub end: Waited<Result<ModelAnswer, ModelError>>,
    pub took: Duration,
}

/// Reply of the store to a commit, and how long it took.
pub struct CommitReply {
    pub end: Result<CommittedUnit, NotCommitted>,
    pub took: Duration,
}

/// Place for the answer to one effect.
#[derive(Debug)]
pub struct Answer<T>(Arc<Mutex<Option<T>>>);

impl<T> Answer<T> {
    /// Hands the answer in.
    pub fn give(self, answer: T) {
        *self.0.lock() = Some(answer);
    }
}

/// An effect, and the spans in which it was asked for.
pub struct EffectRequest {
    pub effect: Effect,
    pub span: TraceSpan,
    pub log: tracing::Span,
}

/// Line between a machine and its driver: at most one effect waits on it. Clones are the same line.
#[derive(Clone, Default)]
pub struct Effects(Arc<Mutex<Option<EffectRequest>>>);

impl Effects {
    /// Asks for an effect and returns its answer: the only thing that a machine waits for.
    pub async fn ask<T>(&self, effect: impl FnOnce(Answer<T>) -> Effect) -> T {
        let place = Arc::new(Mutex::new(None));
        *self.0.lock() = Some(EffectRequest {
            effect: effect(Answer(Arc::clone(&place))),
            span: TraceSpan::current(),
            log: tracing::Span::current(),
        });
        poll_fn(|_| {
            let mut place = place.lock();
            place.take().map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Takes the effect that the machine waits for.
    pub fn take(&self) -> Option<EffectRequest> {
        self.0.lock().take()
    }
}
