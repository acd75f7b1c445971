//! The end of a turn: what is still open is asked, the reply composed, everything committed.

use super::answer::metadata;
use super::effects::Effect;
use super::state::unit_over;
use super::{AttemptFault, TurnMachine};
use crate::chat::guard_port;
use crate::chat::wire::{QuestionOption, QuestionView};
use crate::chat::{ChatAnswer, ChatError};
use crate::domain::{ErrorType, MessageId, QuestionId, TaskId, Tool, ToolError};
use crate::guard::account::basis;
use crate::guard::talk::{self, Form, Judgement, Talk, Verdict};
use crate::guard::{CheckedProse, CheckedReply, Composed, Composition, GrantKind};
use crate::llm::ModelError;
use crate::locales::localized;
use crate::resolver::TaskList;
use crate::store::{
    CommitRecord, CommittedUnit, KeyedAnswer, MessageRole, NewMessage, NotCommitted, OpenWrite,
    PendingQuestion, QuestionWrite, RollbackCause, Unit,
};
use crate::telemetry::TurnEnd;
use crate::turn::{CallResult, LedgerEntry};

/// Time that a question waits for its answer.
const QUESTION_MINUTES: i64 = 10;

/// Rounds in which what is left of a model's talk is judged again, at most.
const ROUNDS: usize = 4;

impl TurnMachine<'_> {
    /// Checks a model's prose. It is kept only if nothing was expected and nothing is asserted.
    pub(super) fn take_prose(&mut self, text: Option<&str>) {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return;
        };
        self.reply.spoke = true;
        let plain = !self.is_understood() || self.is_certain() && !self.is_talk();
        if self.intent.licence.expects_anything() && (plain || self.orders_plainly(None)) {
            self.take_question(text);
            return;
        }
        let Some(kept) = self.kept(text) else {
            return;
        };
        if let Some(delegation) = &self.rules.agents {
            let names = delegation.registry.names();
            if talk::claims_delegation(&kept.text, names.iter().map(String::as_str)) {
                self.note_refused_prose(text, "delegation");
                return;
            }
        }
        // The model understood talk where an order was read.
        self.intent.licence.expect_nothing();
        self.reply.prose = Some(kept);
    }

    /// Keeps a model's question where no call can be made yet: it asks as well as the server does.
    fn take_question(&mut self, text: &str) {
        let asks = text.trim_end().ends_with(['?', '؟']);
        let due = self.call_is_due();
        // "Which milk?": nothing is added before the user has said what exactly.
        let adds = self
            .intent
            .licence
            .tools()
            .iter()
            .all(|tool| *tool == Tool::AddTask);
        if !asks || due && !(adds && talk::asks_for_details(text)) {
            self.check_ghost(text);
            return;
        }
        let whole = |kept: &CheckedProse| kept.question && (!due || kept.text == text.trim());
        match self.kept(text).filter(whole) {
            Some(asked) => {
                self.intent.licence.expect_nothing();
                self.reply.prose = Some(asked);
            }
            None if due => self.check_ghost(text),
            None => {}
        }
    }

    /// Tells whether the user asks for talk: a report among it orders nothing.
    fn is_talk(&self) -> bool {
        talk::asks_for_talk(&self.input.message)
    }

    /// Judges a model's talk and keeps the sentences of it that may be shown.
    pub(super) fn kept(&mut self, text: &str) -> Option<CheckedProse> {
        let tasks = self.work.unit.tasks();
        let said = self.everything_said();
        let mut kept = text.to_owned();
        let mut offers = false;
        // What is left is judged again, since a sentence leans on the one before it.
        for _ in 0..ROUNDS {
            let titles = guard_port::titles_in(&tasks, &kept, &self.input.message);
            let talk = Talk {
                message: &self.input.message,
                titles: &titles,
                said: &said,
            };
            let gates = &self.rules.gates;
            let Ok(mut judgement) = guard_port::ask(|| gates.prose(&kept, talk)) else {
                self.note_unchecked(text);
                return None;
            };
            let proven = self.prove(&kept, &mut judgement);
            offers |= judgement.has_offer();
            if judgement.passes() && !judgement.has_restated() {
                if kept != text {
                    self.note_refused_prose(text, "asserts in part");
                }
                if offers {
                    self.reword_offer(text);
                }
                for task in proven {
                    self.note_proof(task);
                }
                let question = judgement.is_question();
                let text = crate::domain::masked(&kept).into_owned();
                return Some(CheckedProse { text, question });
            }
            let Some(rest) = guard_port::ask(|| talk::what_is_left(&kept, &judgement))
                .ok()
                .flatten()
            else {
                break;
            };
            kept = rest;
        }
        self.note_refused_prose(text, "asserts");
        if offers {
            self.reword_offer(text);
        }
        None
    }

    /// Lets sentences pass whose facts stand in the rows; gives the tasks that they speak of.
    fn prove(&self, text: &str, judgement: &mut Judgement) -> Vec<TaskId> {
        let tasks = self.work.unit.tasks();
        let mut proven = Vec::new();
        for sentence in &mut judgement.sentences {
            let words = text.get(sentence.bytes.clone()).unwrap_or_default();
            if !matches!(sentence.verdict, Verdict::Stopped(_)) {
                continue;
            }
            let day = (self.input.moment.today, self.words_language());
            let message = &self.input.message;
            let found = guard_port::ask(|| talk::proven(words, message, &tasks, day));
            let found = found.unwrap_or_default();
            let offered = guard_port::ask(|| talk::offers_open(words, &tasks));
            if !found.is_empty() {
                sentence.verdict = Verdict::Passes(Form::Fact);
                proven.extend(found);
            } else if offered.ok().flatten().is_some() {
                sentence.verdict = Verdict::Passes(Form::Offer);
            }
        }
        proven
    }

    /// Everything that the user said in this conversation.
    pub(super) fn everything_said(&self) -> String {
        let own = self
            .stored
            .history
            .iter()
            .filter(|message| message.role == MessageRole::User);
        let mut said: Vec<&str> = own.map(|message| message.content.as_str()).collect();
        said.push(&self.input.message);
        said.join("\n")
    }

    /// Notes prose that claims something in a turn where calls were expected.
    pub(super) fn check_ghost(&mut self, text: &str) {
        // It is shown to nobody; a guard that breaks over it has not passed it.
        let gates = &self.rules.gates;
        let judged = guard_port::ask(|| gates.prose(text, Talk::default()));
        if judged.is_ok_and(|judgement| judgement.stopped().next().is_none()) {
            return;
        }
        self.note_refused_prose(text, "ghost");
    }

    /// The guard broke over prose: it is not shown, and that is said.
    pub(super) fn note_unchecked(&mut self, text: &str) {
        self.note_refused_prose(text, "unchecked");
        let text = localized!(self.intent.speech, "answer-unchecked");
        let failed = CallResult::Failed(ToolError::new(ErrorType::Internal, text));
        self.work.ledger.push(LedgerEntry::own("answer", failed));
    }

    /// Commits a round that had an effect, before the model is asked again. The first one takes
    /// the idempotency key and every one the conversation's next version, so that no other
    /// turn, in whichever process, changes anything under that key or over that state.
    pub(super) async fn commit_round(&mut self) -> Result<(), AttemptFault> {
        if !self.work.unit.has_effect() {
            return Ok(());
        }
        let next = self.next_unit();
        let unit = std::mem::replace(&mut self.work.unit, next);
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
        self.watch.tally.committed(reply.took);
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

    pub(super) fn next_unit(&self) -> Unit {
        let unit = self.unit_over(self.work.unit.tasks());
        unit.knowing(std::sync::Arc::clone(&self.runs.known))
    }

    /// A unit of work of this turn over these tasks.
    fn unit_over(&self, tasks: TaskList) -> Unit {
        unit_over(tasks, self.work.turn, self.input, self.rules)
    }

    /// Begins a unit of work over these tasks, and over the runs as they stand now.
    pub(super) async fn begin_unit(&mut self, tasks: TaskList) -> Result<(), ChatError> {
        self.work.unit = self.unit_over(tasks);
        self.load_runs().await
    }

    /// The model gave no answer and nothing was committed: the message is kept, nothing else.
    pub(super) async fn model_down(&mut self, error: &ModelError) -> ChatError {
        let retry_after = match error {
            ModelError::RateLimited { retry_after } => *retry_after,
            _ => None,
        };
        self.work.unit = self.next_empty_unit();
        self.remember_unanswered();
        self.conversation.frame.cut = self.stored.cut;
        let mut record = self.record(&[]);
        record.events.insert(0, self.turn_event());
        let empty = self.next_empty_unit();
        let unit = std::mem::replace(&mut self.work.unit, empty);
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

    fn next_empty_unit(&self) -> Unit {
        self.unit_over(TaskList::default())
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
        let messages = self.new_messages(composed.message());
        let latency = self.latency();
        let reply = self.reply(&composed, question, &messages, latency);
        let body = serde_json::to_string(&reply)
            .map_err(|error| ChatError::Storage(format!("the reply can't be written: {error}")))?;
        let mut record = self.record(&messages);
        record.events.insert(0, self.turn_event());
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
        let empty = self.next_empty_unit();
        let unit = std::mem::replace(&mut self.work.unit, empty);
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
        let timing = tally.timing(self.latency());
        let told = std::mem::take(&mut self.talk.prompt);
        ChatAnswer::new(reply, timing).having_told(told, self.talk.tokens)
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
        let options = asked.options(&crate::guard::yes(speech), &crate::guard::no(speech));
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

    fn record(&mut self, messages: &[NewMessage]) -> CommitRecord {
        let messages = if messages.is_empty() {
            vec![NewMessage {
                id: MessageId::new(self.rules.ids.next()),
                role: MessageRole::User,
                content: self.said(),
            }]
        } else {
            messages.to_vec()
        };
        CommitRecord {
            conversation: Some((self.input.conversation, self.conversation.version)),
            title: self.title(),
            frame: Some(self.conversation.frame.to_json()),
            question: std::mem::take(&mut self.conversation.question),
            messages,
            events: std::mem::take(&mut self.work.events),
            keyed: None,
            claimed: false,
            open: OpenWrite::None,
            recalled: self.conversation.recalled,
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
