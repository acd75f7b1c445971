//! State of one turn, by meaning: what was read, what the words ask for, what was done, what will
//! be said, and what is left for the next turn.

use std::sync::Arc;

use super::TurnMachine;
use super::agents::RunFollowUp;
use super::effects::Effects;
use super::model::ModelUsage;
use super::tally::TurnTally;
use crate::audit::AuditEvent;
use crate::chat::input::TurnInput;
use crate::chat::progress::ProgressSender;
use crate::chat::service::TurnRules;
use crate::chat::{ChatError, unit_of};
use crate::domain::{Lang, Moment, RunHandle, RunId, Tool, TurnId};
use crate::guard::{CheckedProse, Licence, Situation};
use crate::intent::{Clause, Note, Reading};
use crate::resolver::{Context, TaskList};
use crate::store::{
    AgentRun, CacheMark, ConversationState, KnownRuns, PendingQuestion, QuestionWrite, Receipt,
    StoredMessage, Unit, UserSnapshot,
};
use crate::turn::{
    CallLedger, CallResult, CompletedReading, LedgerEntry, NoteKey, ServerQuestion, SuccessProof,
    TurnFrame,
};

/// State that was read when the turn began, or when it asked for it.
pub(super) struct StoredState {
    pub(super) history: Vec<StoredMessage>,
    pub(super) pending: Option<(PendingQuestion, ServerQuestion)>,
    /// The tasks when the turn began.
    pub(super) began: TaskList,
    pub(super) undoable: Vec<Receipt>,
    /// The turn before, which was cut off and is told of here.
    pub(super) cut: Option<TurnId>,
}

/// Meaning of the user's words.
pub(super) struct UserIntent {
    /// The language of the conversation so far; none where it begins.
    pub(super) before: Option<Lang>,
    /// The language that words are read in first.
    pub(super) lang: Lang,
    /// The language of the reply.
    pub(super) speech: Lang,
    pub(super) completed: CompletedReading,
    pub(super) licence: Licence,
    /// The message takes up what the turn before offered or failed to do: "yes please", "ok the 28th".
    pub(super) accepts: bool,
}

impl UserIntent {
    /// The clauses of the words.
    pub(super) fn clauses(&self) -> &[Clause] {
        &self.completed.reading.clauses
    }
}

/// Work that the turn has done, committed or not.
pub(super) struct TurnWork {
    pub(super) turn: TurnId,
    pub(super) unit: Unit,
    pub(super) ledger: CallLedger,
    pub(super) events: Vec<AuditEvent>,
    /// Calls whose events are committed.
    pub(super) logged: usize,
}

impl TurnWork {
    /// Every proof of the turn so far.
    pub(super) fn proofs(&self) -> Vec<SuccessProof<'_>> {
        self.ledger.proofs(self.unit.drafts())
    }

    /// The number of the next proof.
    pub(super) fn next_proof(&self) -> usize {
        self.ledger.sealed() + self.unit.drafts().len()
    }

    /// Tells whether a call ran and what it asked for did not come to a bad end.
    pub(super) fn came_off(&self, entry: &LedgerEntry) -> bool {
        if !entry.succeeded() {
            return false;
        }
        match (&entry.result, entry.tool) {
            (CallResult::Done(range), Some(Tool::Delegate)) => {
                let proofs = self.proofs();
                let own = proofs.get(range.clone()).unwrap_or_default();
                let runs: Vec<RunHandle> = own
                    .iter()
                    .filter_map(|proof| proof.facts().run.as_ref().map(|run| run.run))
                    .collect();
                !proofs.iter().any(|proof| {
                    let facts = proof.facts();
                    let ours = facts
                        .run
                        .as_ref()
                        .is_some_and(|run| runs.contains(&run.run));
                    ours && crate::guard::fault_of(facts).is_some()
                })
            }
            _ => true,
        }
    }
}

/// Parts of the reply, beside the receipts.
#[derive(Default)]
pub(super) struct ReplyParts {
    pub(super) asked: Option<ServerQuestion>,
    /// True when the question stood before the message, which did not answer it.
    pub(super) again: bool,
    pub(super) remarks: Vec<String>,
    /// Set once a yes has run what the question showed.
    pub(super) ran: bool,
    /// Sentence for a question that was declined, where nothing else is said.
    pub(super) declined: Option<String>,
    pub(super) prose: Option<CheckedProse>,
    /// The model said something, shown or not.
    pub(super) spoke: bool,
}

impl ReplyParts {
    /// Tells whether the model asks something of its own.
    pub(super) fn asks_back(&self) -> bool {
        self.prose.as_ref().is_some_and(|prose| prose.question)
    }
}

/// The conversation as the turn leaves it.
pub(super) struct ConversationUpdate {
    pub(super) version: i64,
    /// Mark of the snapshot from memory that the turn is decided on.
    pub(super) recalled: Option<CacheMark>,
    pub(super) frame: TurnFrame,
    pub(super) question: QuestionWrite,
}

impl ConversationUpdate {
    /// Returns what the tasks and the conversation say, for resolving words.
    pub(super) fn situation<'a>(&'a self, tasks: &'a TaskList, at: Moment) -> Situation<'a> {
        let frame = &self.frame;
        let one_list = NoteKey::from(&Note::ListName(String::new()));
        Situation {
            tasks,
            context: Context {
                shown: &frame.shown,
                focus: &frame.focus,
                offered: &frame.offered,
            },
            today: at.today,
            zone: at.zone,
            now: at.remind_now,
            one_list_said: frame.noted.contains(&one_list),
        }
    }
}

/// Row of the turn among those without a reply, and its hold on the idempotency key.
#[derive(Default)]
pub(super) struct OpenRow {
    /// True when the turn has one.
    pub(super) open: bool,
    /// An earlier commit of this turn holds its idempotency key.
    pub(super) claimed: bool,
    /// The turn's last commit was overtaken once, after an earlier round had been committed.
    pub(super) overtaken: bool,
    /// Set for a turn that was cut off and is taken over: how often its process had said that it
    /// was alive.
    pub(super) taken: Option<i64>,
    /// Nobody waits for the answer: the conversation's next reply tells of it.
    pub(super) untold: bool,
    /// Account of the turn for the log, as its own process left it.
    pub(super) journaled: Option<serde_json::Value>,
}

/// Runs of agents, as far as the turn has to do with them.
#[derive(Default)]
pub(super) struct TurnRuns {
    /// Runs that agents work on, or did; empty where there are none.
    pub(super) known: Arc<KnownRuns>,
    /// Work to do about runs once this round is committed.
    pub(super) waits: Vec<RunFollowUp>,
    /// Runs that ended meanwhile, as this turn tells.
    pub(super) ended: Vec<AgentRun>,
    /// Runs whose end this turn tells.
    pub(super) told: Vec<RunId>,
}

/// Observers of the turn, who change nothing in it.
pub(super) struct TurnObservers {
    pub(super) progress: ProgressSender,
    pub(super) tally: TurnTally,
}

impl<'s> TurnMachine<'s> {
    /// Begins a turn over a snapshot.
    pub(in crate::chat) fn new(
        rules: &'s TurnRules,
        input: &'s TurnInput,
        snapshot: UserSnapshot,
        turn: TurnId,
        effects: Effects,
    ) -> Result<Self, ChatError> {
        let began = snapshot.tasks.clone();
        let here = Some(input.conversation);
        let (moment, ids) = (input.moment, &rules.ids);
        let unit = unit_of(&input.user, here, turn, moment, ids, snapshot.tasks);
        let found = snapshot.conversation;
        let waits = |it: &ConversationState| ServerQuestion::pending(it, input.moment.instant);
        let pending = found.as_ref().and_then(waits);
        if let Some(answer) = &input.answer {
            let known = pending
                .as_ref()
                .is_some_and(|(stored, _)| stored.id == answer.id);
            if !known {
                return Err(ChatError::NoSuchQuestion(
                    "this question is not waiting for an answer any more".to_owned(),
                ));
            }
        }
        let conversation = ConversationUpdate {
            version: found.as_ref().map_or(0, |it| it.version),
            recalled: snapshot.recalled,
            frame: found
                .as_ref()
                .map(|it| TurnFrame::from_json(&it.frame))
                .unwrap_or_default(),
            question: QuestionWrite::Keep,
        };
        let history = found.map(|it| it.messages).unwrap_or_default();
        let before = conversation
            .frame
            .lang
            .or_else(|| match history.is_empty() {
                // "ciao": a conversation may begin with one word.
                true => crate::intent::lone_language(&input.message),
                // The frame names no English.
                false => Some(Lang::En),
            });
        let lang = input.hint.or(before).unwrap_or_default();
        Ok(Self {
            rules,
            input,
            effects,
            stored: StoredState {
                history,
                pending,
                began,
                undoable: Vec::new(),
                cut: None,
            },
            intent: UserIntent {
                before,
                lang,
                speech: lang,
                completed: CompletedReading {
                    reading: Reading {
                        lang,
                        clauses: Vec::new(),
                    },
                    words: input.message.clone(),
                    ask_first: false,
                    carried: false,
                    special: None,
                },
                licence: Licence::default(),
                accepts: false,
            },
            work: TurnWork {
                turn,
                unit,
                ledger: CallLedger::default(),
                events: Vec::new(),
                logged: 0,
            },
            reply: ReplyParts::default(),
            conversation,
            row: OpenRow::default(),
            talk: ModelUsage::default(),
            runs: TurnRuns::default(),
            watch: TurnObservers {
                progress: ProgressSender::new(input.course.as_ref()),
                tally: TurnTally::begin(),
            },
        })
    }
}
