//! The end of a turn: what is still open is asked, the reply composed, everything committed.

use std::sync::Arc;

use super::answer::metadata;
use super::effects::Effect;
use super::{AttemptFault, TurnMachine, TurnTiming, milliseconds};
use crate::chat::guard_port;
use crate::chat::wire::{QuestionOption, QuestionView, TurnLatency};
use crate::chat::{ChatAnswer, ChatError, unit_of};
use crate::domain::{ErrorType, QuestionId, ToolError};
use crate::guard::account::basis;
use crate::guard::{CheckedReply, Composed, Composition, GrantKind};
use crate::llm::ModelError;
use crate::locales::localized;
use crate::resolver::TaskList;
use crate::store::{
    CommitRecord, CommittedUnit, KeyedAnswer, MessageRole, NewMessage, NotCommitted, OpenWrite,
    PendingQuestion, QuestionWrite, RollbackCause, Unit,
};
use crate::telemetry::TurnEnd;
use crate::turn::LedgerEntry;

/// Time that a question waits for its answer.
const QUESTION_MINUTES: i64 = 10;

impl TurnMachine<'_> {
    /// Commits a round that had an effect, before the model is asked again. The first one takes
    /// the idempotency key and every one the conversation's next version, so that no other
    /// turn, in whichever process, changes anything under that key or over that state.
    pub(super) async fn commit_round(&mut self) -> Result<(), AttemptFault> {
        if !self.work.unit.has_effect() {
            return Ok(());
        }
        let unit = self.take_unit(self.work.unit.tasks().clone());
        let claim = self.input.keyed.clone().filter(|_| !self.row.claimed);
        let record = CommitRecord {
            conversation: Some((self.input.conversation, self.conversation.version)),
            title: self.title(),
            events: std::mem::take(&mut self.work.events),
            keyed: claim.map(|(key, print)| KeyedAnswer::claim(key, print, self.work.turn)),
            open: self.open_row(),
            recalled: self.conversation.recalled,
            ..CommitRecord::default()
        };
        let earlier = self.work.ledger.sealed() > 0;
        let committed = match self.commit(unit, record).await {
            Ok(committed) => committed,
            Err(NotCommitted::NotLanded) if earlier => return Err(ChatError::Unconfirmed.into()),
            Err(fault) => return self.outlive(fault).await,
        };
        self.conversation.version += 1;
        self.conversation.recalled = None;
        if !std::mem::replace(&mut self.row.open, true) {
            let turn = self.work.turn;
            self.effect(|answer| Effect::KeepAlive(turn, answer)).await;
        }
        self.row.claimed = self.input.keyed.is_some();
        self.work.ledger.seal(committed.into_receipts());
        let speech = self.intent.speech;
        let proofs = || self.work.ledger.proofs(&[]);
        self.watch
            .progress
            .committed(|at| proofs().get(at).map(|proof| metadata(*proof, speech)));
        self.work.logged = self.work.ledger.entries().len();
        Ok(self.reload().await?)
    }

    async fn commit(
        &mut self,
        unit: Unit,
        record: CommitRecord,
    ) -> Result<CommittedUnit, NotCommitted> {
        let written = Box::new((unit, record));
        let reply = self.effect(|answer| Effect::Commit(written, answer)).await;
        self.watch.tally.committing += reply.took;
        reply.end
    }

    /// Decides what a commit that did not happen means. Nothing was written before it: the turn ends,
    /// or is run anew. Earlier rounds stand and must be told: it goes on, and this one did not
    /// happen.
    async fn outlive(&mut self, fault: NotCommitted) -> Result<(), AttemptFault> {
        let earlier = self.work.ledger.sealed() > 0;
        match fault {
            NotCommitted::Unconfirmed(_) => Err(ChatError::Unconfirmed.into()),
            NotCommitted::RolledBack(RollbackCause::TurnEnded) if self.row.open => {
                Err(AttemptFault::TakenOver)
            }
            fault if earlier => Ok(self.fail_round(&fault).await?),
            NotCommitted::RolledBack(RollbackCause::Storage(cause)) => {
                Err(ChatError::Storage(cause).into())
            }
            NotCommitted::RolledBack(_) | NotCommitted::NotLanded => Err(AttemptFault::Overtaken),
        }
    }

    /// Goes on over the tasks and runs as they stand now.
    pub(super) async fn reload(&mut self) -> Result<(), ChatError> {
        let load = |answer| Effect::LoadSnapshot(None, None, answer);
        let snapshot = self.read(load).await?;
        self.begin_unit(snapshot.tasks).await
    }

    /// A unit of work of this turn over these tasks.
    pub(super) fn unit_over(&self, tasks: TaskList) -> Unit {
        let (input, ids) = (self.input, &self.rules.ids);
        let here = Some(input.conversation);
        unit_of(&input.user, here, self.work.turn, input.moment, ids, tasks)
            .knowing(Arc::clone(&self.runs.known))
    }

    /// Begins a unit of work over these tasks, and over the runs as they stand now.
    async fn begin_unit(&mut self, tasks: TaskList) -> Result<(), ChatError> {
        self.work.unit = self.unit_over(tasks);
        self.load_runs().await
    }

    /// Hands the unit of work out, to be committed.
    pub(super) fn take_unit(&mut self, next: TaskList) -> Unit {
        let next = self.unit_over(next);
        std::mem::replace(&mut self.work.unit, next)
    }

    /// The model gave no answer and nothing was committed: the message is kept, nothing else.
    pub(super) async fn model_down(&mut self, error: &ModelError) -> ChatError {
        let retry_after = match error {
            ModelError::RateLimited { retry_after } => *retry_after,
            _ => None,
        };
        self.remember_unanswered();
        self.conversation.frame.cut = self.stored.cut;
        let message = self.line(MessageRole::User, self.said());
        let record = self.record(vec![message]);
        let unit = self.unit_over(TaskList::default());
        let down = ChatError::ModelDown {
            detail: format!("{error}; nothing was changed, and your message was kept"),
            retry_after,
            conversation: self.input.conversation,
        };
        match self.commit(unit, record).await {
            Ok(_) => down,
            Err(NotCommitted::RolledBack(cause)) => ChatError::Storage(cause.to_string()),
            // That the message was kept is said only when it was.
            Err(NotCommitted::NotLanded) => {
                ChatError::Storage("the message could not be kept".to_owned())
            }
            Err(NotCommitted::Unconfirmed(_)) => ChatError::Unconfirmed,
        }
    }

    /// Composes the reply and commits everything; once more where that was overtaken.
    pub(in crate::chat) async fn finish(mut self) -> Result<ChatAnswer, AttemptFault> {
        loop {
            if let Some(answered) = self.answer().await? {
                return Ok(answered);
            }
        }
    }

    async fn answer(&mut self) -> Result<Option<ChatAnswer>, AttemptFault> {
        self.show_again();
        let remarks = self.reply.remarks.len();
        self.tell_of_staying_reminders();
        self.tell_that_nobody_listens().await;
        let Ok((composed, basis)) = self.composed() else {
            return Err(AttemptFault::Failed(match self.work.ledger.sealed() {
                0 => ChatError::Unchecked,
                _ => ChatError::Unconfirmed,
            }));
        };
        self.remember(&composed);
        if self.row.untold {
            self.conversation.frame.cut = Some(self.work.turn);
        }
        let question = self.put_question();
        let messages = vec![
            self.line(MessageRole::User, self.said()),
            self.line(MessageRole::Assistant, composed.message().to_owned()),
        ];
        let latency = self.latency();
        let reply = self.reply(&composed, question, &messages, latency);
        let body = serde_json::to_string(&reply)
            .map_err(|error| ChatError::Storage(format!("the reply can't be written: {error}")))?;
        let mut record = self.record(messages);
        record
            .events
            .push(self.reply_event(&composed, &basis, &reply.execution_metadata));
        let keyed = self.input.keyed.clone();
        record.keyed = keyed.map(|(key, fingerprint)| KeyedAnswer {
            key,
            fingerprint,
            status: 200,
            body: body.clone(),
        });
        record.claimed = self.row.claimed;
        if self.row.open {
            record.open = OpenWrite::End {
                beats: self.row.taken,
            };
        }
        self.trace(&composed);
        let unit = self.take_unit(TaskList::default());
        match self.commit(unit, record).await {
            Ok(proof) => {
                let progress = &mut self.watch.progress;
                progress.committed(|at| reply.actions.get(at).cloned());
                if self.rules.agents.is_some() {
                    self.effect(Effect::WakeWorkers).await;
                }
                let reply = CheckedReply::seal(200, body, &proof);
                Ok(Some(self.answered(&reply, &composed)))
            }
            Err(fault) => {
                let ended = matches!(fault, NotCommitted::RolledBack(RollbackCause::TurnEnded));
                if self.row.overtaken && !ended {
                    return Err(ChatError::Unconfirmed.into());
                }
                // What was set or moved may not have been, and is told anew.
                self.reply.remarks.truncate(remarks);
                self.outlive(fault).await?;
                self.row.overtaken = true;
                Ok(None)
            }
        }
    }

    fn answered(&mut self, reply: &CheckedReply, composed: &Composed) -> ChatAnswer {
        // What another process began is told, but nobody knows how long it took.
        let own = self.row.taken.is_none();
        let end = TurnEnd {
            kind: composed.kind().as_str(),
            took: own.then(|| self.input.started.elapsed()),
            model: self.talk.waited,
        };
        let tally = &self.watch.tally;
        tally.count(&end, self.work.ledger.entries());
        let TurnLatency { total, model } = self.latency();
        let timing = TurnTiming {
            total,
            model,
            commit: milliseconds(tally.committing),
        };
        ChatAnswer {
            told: std::mem::take(&mut self.talk.prompt),
            tokens: self.talk.tokens,
            ..ChatAnswer::new(reply, timing)
        }
    }

    /// The calls of the present round did not happen: another hand was faster, or the database
    /// refused. What they would have done is told as a failure, over what stands there now.
    async fn fail_round(&mut self, fault: &NotCommitted) -> Result<(), ChatError> {
        let conversation =
            (!self.input.fresh || self.conversation.version > 0).then_some(self.input.conversation);
        let load = |answer| Effect::LoadSnapshot(conversation, None, answer);
        let snapshot = self.read(load).await?;
        self.conversation.recalled = None;
        if let Some(found) = &snapshot.conversation {
            self.conversation.version = found.version;
        }
        let moved = match fault {
            NotCommitted::RolledBack(cause) => !matches!(cause, RollbackCause::Storage(_)),
            NotCommitted::NotLanded | NotCommitted::Unconfirmed(_) => false,
        };
        let speech = self.intent.speech;
        let (kind, text) = match moved {
            false => (ErrorType::Unavailable, localized!(speech, "rest-not-taken")),
            true => (ErrorType::Conflict, localized!(speech, "rest-overtaken")),
        };
        self.work.ledger.fail_unsealed(&ToolError::new(kind, text));
        self.watch.progress.undone(kind);
        self.relog();
        self.reply.asked = None;
        self.begin_unit(snapshot.tasks).await
    }

    /// The log is told of this round's calls what came of them after all.
    fn relog(&mut self) {
        self.work.events.clear();
        let entries: Vec<LedgerEntry> = self
            .work
            .ledger
            .entries()
            .iter()
            .skip(self.work.logged)
            .cloned()
            .collect();
        for entry in &entries {
            self.note_call(entry);
        }
    }

    /// The reply, and what the log keeps of where it comes from.
    fn composed(&self) -> Result<(Composed, serde_json::Value), guard_port::GuardPanicked> {
        let listing_asked = self
            .intent
            .licence
            .grants
            .iter()
            .any(|grant| matches!(grant.kind, GrantKind::List { .. }));
        let composition = Composition {
            ledger: &self.work.ledger,
            proofs: self.work.proofs(),
            open: self.open_needs(),
            clauses: self.intent.clauses(),
            message: &self.input.message,
            words: &self.intent.completed.words,
            wanted: self.intent.licence.tools(),
            listing_asked,
            asked: self.reply.asked.as_ref(),
            again: self.reply.again,
            remarks: self.reply.remarks.clone(),
            prose: self.reply.prose.clone(),
            noted: &self.conversation.frame.noted,
            understood: self.is_understood(),
            speech: self.intent.speech,
        };
        let composed = guard_port::ask(|| self.rules.gates.compose(&composition))?;
        Ok((composed, basis(&composition)))
    }

    /// Stores the question that the reply asks.
    fn put_question(&mut self) -> Option<QuestionView> {
        let asked = self.reply.asked.as_ref()?;
        let speech = self.intent.speech;
        let options = asked.options(&localized!(speech, "yes"), &localized!(speech, "no"));
        let expires_at = self.input.moment.instant + chrono::Duration::minutes(QUESTION_MINUTES);
        // The same question asked again keeps its id, so that a button shown before still works.
        let standing = self
            .stored
            .pending
            .as_ref()
            .filter(|(_, pending)| pending == asked);
        let id = standing.map_or_else(
            || QuestionId::new(self.rules.ids.next()),
            |(stored, _)| stored.id,
        );
        self.conversation.question = QuestionWrite::Ask(PendingQuestion {
            id,
            body: serde_json::to_string(asked).unwrap_or_default(),
            expires_at,
        });
        Some(QuestionView {
            id,
            text: asked.text.clone(),
            options: options
                .into_iter()
                .map(|(id, label)| QuestionOption { id, label })
                .collect(),
            expires_at,
        })
    }

    /// Everything that is kept of the turn beside its changes, but for its answer under a key.
    fn record(&mut self, messages: Vec<NewMessage>) -> CommitRecord {
        let mut events = std::mem::take(&mut self.work.events);
        events.insert(0, self.turn_event());
        CommitRecord {
            conversation: Some((self.input.conversation, self.conversation.version)),
            title: self.title(),
            frame: Some(self.conversation.frame.to_json()),
            question: std::mem::take(&mut self.conversation.question),
            messages,
            events,
            recalled: self.conversation.recalled,
            ..CommitRecord::default()
        }
    }

    /// Returns the title of a new conversation.
    fn title(&self) -> Option<String> {
        let said = crate::domain::shown(&self.said());
        (self.conversation.version == 0).then(|| said.chars().take(60).collect())
    }

    fn trace(&self, composed: &Composed) {
        let span = tracing::Span::current();
        let tools: Vec<&str> = self
            .work
            .ledger
            .entries()
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        span.record("model", self.model_name());
        span.record("tools", tools.join(","));
        span.record("kind", composed.kind().as_str());
        let outcome = composed.fault().map_or("ok", |fault| fault.code.as_str());
        span.record("outcome", outcome);
        tracing::info!(model_calls = self.talk.calls, "turn");
    }
}
