//! The end of a turn: what is still open is asked, the reply composed, everything committed.

use super::drive::{Drive, Ended};
use super::wire::{Latency, Question, QuestionOption};
use super::{Answered, ChatError};
use crate::domain::{ErrorType, MessageId, QuestionId, Tool, ToolError};
use crate::guard::{
    CheckedProse, CheckedReply, Composed, Composition, GrantKind, Need, QuestionContext, Speech,
    ask_change, ask_open_which, ask_unnamed, compose, prose,
};
use crate::intent::{Act, Target, Values, Verb};
use crate::llm::ModelError;
use crate::resolver::{Among, Resolution};
use crate::store::{
    Cause, Commit, KeyedAnswer, NewMessage, PendingQuestion, QuestionWrite, Record, Role, Unit,
};
use crate::turn::{Asked, CallResult, Entry};

/// How long a question waits for its answer.
const QUESTION_MINUTES: i64 = 10;
impl Drive<'_> {
    /// Checks a model's prose. It is kept only if nothing was expected and nothing is asserted.
    pub(super) fn take_prose(&mut self, text: Option<&str>) {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            return;
        };
        if self.licence.expects_anything() {
            self.check_ghost(text);
            return;
        }
        let tasks = self.unit.tasks();
        let titles: Vec<&str> = tasks.iter().map(|task| task.title.as_str()).collect();
        let judgement = prose::judge_with(text, &titles);
        if !judgement.passes() {
            self.note_refused_prose(text, "asserts");
            return;
        }
        let kept: Vec<&str> = judgement
            .sentences
            .iter()
            .filter(|sentence| matches!(sentence.verdict, prose::Verdict::Passes(_)))
            .filter_map(|sentence| text.get(sentence.bytes.clone()))
            .map(str::trim)
            .collect();
        if judgement.has_offer() {
            self.note_refused_prose(text, "offer");
            self.reword_offer(text);
        }
        if !kept.is_empty() {
            self.prose = Some(CheckedProse {
                text: crate::domain::masked(&kept.join(" ")).into_owned(),
                question: judgement.is_question() && !judgement.has_offer(),
            });
        }
    }

    /// Notes prose that claims something in a turn where calls were expected.
    pub(super) fn check_ghost(&mut self, text: &str) {
        if prose::judge(text).stopped().next().is_some() {
            self.note_refused_prose(text, "ghost");
        }
    }

    /// An offer about the one task that the user asked about is put in the server's own words;
    /// any other offer is dropped.
    fn reword_offer(&mut self, text: &str) {
        let clauses = &self.completed.reading.clauses;
        let target = clauses.iter().find_map(|clause| match &clause.act {
            Act::Opinion(Target::Named(words)) => Some(words.clone()),
            _ => None,
        });
        let Some(words) = target else { return };
        let tasks = self.unit.tasks();
        let situation = self.situation(&tasks);
        let Resolution::One(id) = situation.resolver().resolve(&words, Among::All) else {
            return;
        };
        let Some(verb) = offered_verb(text) else {
            return;
        };
        let context = QuestionContext {
            situation,
            due_rule: self.service.policy.due_rule,
            speech: self.input.speech,
        };
        let asked = ask_change(verb, &[id], &Values::default(), &context).ok();
        self.asked = asked;
    }

    /// What the words ask for and no call has dealt with becomes a question, where it can.
    pub(super) fn ask_what_is_open(&mut self) {
        let tasks = self.unit.tasks();
        let situation = self.situation(&tasks);
        let context = QuestionContext {
            situation,
            due_rule: self.service.policy.due_rule,
            speech: self.input.speech,
        };
        let open = self.licence.open(&situation);
        // What was dispatched and failed is told, not asked about as well.
        let tried = |tool: Tool| {
            let mut entries = self.ledger.entries().iter();
            entries.any(|entry| entry.tool == Some(tool) && entry.dispatched())
        };
        let mut questions = open
            .iter()
            .filter(|need| !matches!(need, Need::NothingToAdd { .. }) || !tried(Tool::AddTask))
            .filter_map(|need| ask_need(need, &context));
        let (asked, more) = (questions.next(), questions.count());
        // The model asked where it should have acted: the same question, in words that a plain
        // yes can answer.
        let instead = || {
            let prose = self.prose.as_ref().is_some_and(|prose| prose.question);
            (prose && !self.completed.ask_first)
                .then(|| self.ask_licensed(&context))
                .flatten()
        };
        let asked = asked.or_else(instead);
        if self.asked.is_none() {
            self.asked = asked;
        }
        if more > 0 {
            self.note_one_question();
        }
    }

    /// What was not begun because a question comes first is said.
    pub(super) fn note_one_question(&mut self) {
        self.remarks.push(match self.input.speech {
            Speech::English => {
                "One question at a time: ask for the rest again after this one.".to_owned()
            }
            Speech::RomanUrdu => "Aik waqt mein aik sawal: baqi dobara kahiye.".to_owned(),
        });
    }

    fn ask_licensed(&self, context: &QuestionContext<'_>) -> Option<Asked> {
        self.licence
            .grants
            .iter()
            .find_map(|grant| match &grant.kind {
                GrantKind::Change {
                    verb,
                    parts,
                    values,
                } => parts.iter().find_map(|part| {
                    let crate::guard::Meaning::One(id) = part.meaning else {
                        return None;
                    };
                    (!part.touched)
                        .then(|| ask_change(*verb, &[id], values, context).ok())
                        .flatten()
                }),
                _ => None,
            })
    }

    /// Whether a call of this tool was dispatched and failed.
    pub(super) fn failed(&self, tool: Tool) -> bool {
        self.ledger
            .entries()
            .iter()
            .any(|entry| entry.tool == Some(tool) && matches!(entry.result, CallResult::Failed(_)))
    }

    /// What no call has dealt with and no question asks about.
    fn open_needs(&self) -> Vec<Need> {
        let tasks = self.unit.tasks();
        let mut open = self.licence.open(&self.situation(&tasks));
        // What was dispatched and failed is told as that failure, not as a call that never came.
        open.retain(|need| !matches!(need, Need::Call(tool) if self.failed(*tool)));
        let acted = |entry: &Entry| entry.dispatched() && entry.tool != Some(Tool::AskUser);
        if self.asked.is_some() && !self.ledger.entries().iter().any(acted) {
            // The question stands in for the call that should have come.
            let asked = self.asked.as_ref();
            let tools: Vec<_> = asked
                .iter()
                .flat_map(|asked| &asked.items)
                .flat_map(|item| &item.plans)
                .map(crate::tools::Plan::tool)
                .collect();
            open.retain(|need| !matches!(need, Need::Call(tool) if tools.contains(tool)));
        }
        open
    }

    /// Commits a round that had an effect, before the model is asked again.
    pub(super) async fn commit_round(&mut self) -> Result<Option<Ended>, ChatError> {
        if !self.unit.has_effect() {
            return Ok(None);
        }
        let next = self.next_unit();
        let unit = std::mem::replace(&mut self.unit, next);
        let user = self.input.user.clone();
        let attempt = unit.attempt();
        let record = Record {
            events: std::mem::take(&mut self.events),
            ..Record::default()
        };
        let committed = match self.service.store.commit(unit, record).await {
            Commit::Committed(committed) => committed,
            Commit::RolledBack(Cause::Storage(cause)) => return Err(ChatError::Storage(cause)),
            Commit::RolledBack(_) if self.ledger.sealed() == 0 => {
                return Ok(Some(Ended::Overtaken));
            }
            // Earlier rounds stand and must be told; this one did not happen.
            Commit::RolledBack(_) => {
                self.fail_round().await?;
                return Ok(None);
            }
            Commit::Unknown(_) => match self.service.store.attempt(&user, attempt).await {
                Ok(Some(committed)) => committed,
                Ok(None) if self.ledger.sealed() == 0 => return Ok(Some(Ended::Overtaken)),
                _ => return Err(ChatError::Unconfirmed),
            },
        };
        self.ledger.seal(committed.into_receipts());
        self.logged = self.ledger.entries().len();
        let snapshot = self.service.store.load(&user, None, None).await;
        let snapshot = snapshot.map_err(super::drive::storage)?;
        self.unit = Unit::new(
            user,
            Some(self.input.conversation),
            self.turn,
            self.input.moment.instant,
            self.service.ids.clone(),
            snapshot.tasks,
        );
        Ok(None)
    }

    fn next_unit(&self) -> Unit {
        Unit::new(
            self.input.user.clone(),
            Some(self.input.conversation),
            self.turn,
            self.input.moment.instant,
            self.service.ids.clone(),
            self.unit.tasks(),
        )
    }

    /// The model gave no answer and nothing was committed: the message is kept, nothing else.
    pub(super) async fn model_down(&mut self, error: &ModelError) -> ChatError {
        let retry_after = match error {
            ModelError::RateLimited { retry_after } => *retry_after,
            _ => None,
        };
        self.unit = self.next_empty_unit();
        self.remember_unanswered();
        let mut record = self.record(&[]);
        record.events.insert(0, self.turn_event());
        let empty = self.next_empty_unit();
        let unit = std::mem::replace(&mut self.unit, empty);
        let down = ChatError::ModelDown {
            detail: format!("{error}; nothing was changed, and your message was kept"),
            retry_after,
            conversation: self.input.conversation,
        };
        match self.service.store.commit(unit, record).await {
            Commit::Committed(_) => down,
            Commit::RolledBack(cause) => ChatError::Storage(cause.to_string()),
            Commit::Unknown(_) => down,
        }
    }

    fn next_empty_unit(&self) -> Unit {
        let base = std::sync::Arc::new(Vec::new());
        Unit::new(
            self.input.user.clone(),
            Some(self.input.conversation),
            self.turn,
            self.input.moment.instant,
            self.service.ids.clone(),
            base,
        )
    }

    /// Composes the reply and commits everything.
    pub(super) async fn finish(mut self) -> Result<Ended, ChatError> {
        if self.asked.is_none()
            && self.prose.as_ref().is_some_and(|prose| prose.question)
            && self.question == QuestionWrite::Keep
        {
            // The user's next yes would answer the question that stands last: not this one.
            self.question = QuestionWrite::Close;
        }
        let composed = self.composed();
        self.remember(&composed);
        let question = self.put_question();
        let messages = self.new_messages(composed.message());
        let latency = self.latency();
        let reply = self.reply(&composed, question, &messages, latency);
        let body = serde_json::to_string(&reply)
            .map_err(|error| ChatError::Storage(format!("the reply can't be written: {error}")))?;
        let mut record = self.record(&messages);
        record.events.insert(0, self.turn_event());
        record.events.push(self.reply_event(&composed));
        record.keyed = self
            .input
            .keyed
            .clone()
            .map(|(key, fingerprint)| KeyedAnswer {
                key,
                fingerprint,
                status: 200,
                body: body.clone(),
            });
        self.trace(&composed);
        let sealed = self.ledger.sealed();
        let user = self.input.user.clone();
        let store = self.service.store.clone();
        let attempt = self.unit.attempt();
        let empty = self.next_empty_unit();
        let unit = std::mem::replace(&mut self.unit, empty);
        match store.commit(unit, record).await {
            Commit::Committed(proof) => {
                let reply = CheckedReply::seal(200, body, &proof);
                Ok(Ended::Answered(self.answered(&reply, latency)))
            }
            Commit::RolledBack(Cause::Storage(cause)) => Err(ChatError::Storage(cause)),
            // Earlier rounds stand: the turn can't be run anew, and what stands must be told.
            Commit::RolledBack(_) if sealed > 0 && !self.overtaken => {
                self.overtaken = true;
                self.fail_round().await?;
                Box::pin(self.finish()).await
            }
            Commit::RolledBack(_) if sealed > 0 => Err(ChatError::Unconfirmed),
            Commit::RolledBack(_) => Ok(Ended::Overtaken),
            Commit::Unknown(_) => match store.attempt(&user, attempt).await {
                Ok(Some(proof)) => {
                    let reply = CheckedReply::seal(200, body, &proof);
                    Ok(Ended::Answered(self.answered(&reply, latency)))
                }
                Ok(None) if sealed == 0 => Ok(Ended::Overtaken),
                Ok(None) | Err(_) => Err(ChatError::Unconfirmed),
            },
        }
    }

    fn answered(&mut self, reply: &CheckedReply, latency: Latency) -> Answered {
        Answered::new(reply, latency).having_told(std::mem::take(&mut self.talk.prompt))
    }

    /// The calls of the present round did not happen: another hand was faster. What they would
    /// have done is told as a failure, over what stands there now.
    async fn fail_round(&mut self) -> Result<(), ChatError> {
        let conversation =
            (!self.input.fresh || self.version > 0).then_some(self.input.conversation);
        let store = &self.service.store;
        let snapshot = store.load(&self.input.user, conversation, None).await;
        let snapshot = snapshot.map_err(super::drive::storage)?;
        if let Some(found) = &snapshot.conversation {
            self.version = found.version;
        }
        self.ledger.fail_unsealed(&ToolError::new(
            ErrorType::Conflict,
            match self.input.speech {
                Speech::English => "Could not do the rest: your list was changed meanwhile.",
                Speech::RomanUrdu => "Baqi nahi ho saka: list is dauran badal gayi.",
            },
        ));
        self.relog();
        self.asked = None;
        self.unit = Unit::new(
            self.input.user.clone(),
            Some(self.input.conversation),
            self.turn,
            self.input.moment.instant,
            self.service.ids.clone(),
            snapshot.tasks,
        );
        Ok(())
    }

    /// The log is told of this round's calls what came of them after all.
    fn relog(&mut self) {
        self.events.clear();
        let entries: Vec<Entry> = self
            .ledger
            .entries()
            .iter()
            .skip(self.logged)
            .cloned()
            .collect();
        for entry in &entries {
            self.note_call(entry);
        }
    }

    fn composed(&self) -> Composed {
        let listing_asked = self
            .licence
            .grants
            .iter()
            .any(|grant| matches!(grant.kind, GrantKind::List { .. }));
        compose(&Composition {
            ledger: &self.ledger,
            proofs: self.ledger.proofs(self.unit.drafts()),
            open: self.open_needs(),
            clauses: &self.completed.reading.clauses,
            message: &self.input.message,
            words: &self.completed.words,
            wanted: self.licence.tools(),
            listing_asked,
            asked: self.asked.as_ref(),
            remarks: self.remarks.clone(),
            prose: self.prose.clone(),
            noted: &self.frame.noted,
            speech: self.input.speech,
        })
    }

    /// Stores the question that the reply asks.
    fn put_question(&mut self) -> Option<Question> {
        let asked = self.asked.as_ref()?;
        let speech = self.input.speech;
        let options = asked.options(speech.yes(), speech.no());
        let expires_at = self.input.moment.instant + chrono::Duration::minutes(QUESTION_MINUTES);
        // The same question asked again keeps its id, so that a button shown before still works.
        let standing = self
            .pending
            .as_ref()
            .filter(|(_, pending)| pending == asked);
        let id = standing.map_or_else(
            || QuestionId::new(self.service.ids.next()),
            |(stored, _)| stored.id,
        );
        self.question = QuestionWrite::Ask(PendingQuestion {
            id,
            body: serde_json::to_string(asked).unwrap_or_default(),
            expires_at,
        });
        Some(Question {
            id,
            text: asked.text.clone(),
            options: options
                .into_iter()
                .map(|(id, label)| QuestionOption { id, label })
                .collect(),
            expires_at,
        })
    }

    fn record(&mut self, messages: &[NewMessage]) -> Record {
        let messages = if messages.is_empty() {
            vec![NewMessage {
                id: MessageId::new(self.service.ids.next()),
                role: Role::User,
                content: self.said(),
            }]
        } else {
            messages.to_vec()
        };
        let title: String = crate::domain::shown(&self.said())
            .chars()
            .take(60)
            .collect();
        Record {
            conversation: Some((self.input.conversation, self.version)),
            title: (self.version == 0).then_some(title),
            frame: Some(self.frame.to_json()),
            question: std::mem::take(&mut self.question),
            messages,
            events: std::mem::take(&mut self.events),
            keyed: None,
        }
    }

    fn trace(&self, composed: &Composed) {
        let span = tracing::Span::current();
        let tools: Vec<&str> = self
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

fn ask_need(need: &Need, context: &QuestionContext<'_>) -> Option<Asked> {
    match need {
        Need::Which {
            verb,
            words,
            candidates,
            values,
        } => ask_open_which(*verb, words, candidates, values, context),
        Need::All {
            verb,
            tasks,
            values,
        } => ask_change(*verb, tasks, values, context).ok(),
        Need::Unnamed { verb, list } => {
            ask_unnamed(*verb, list.as_deref(), &Values::default(), context)
        }
        Need::NothingToAdd { described } => {
            Some(crate::guard::ask_what_to_add(*described, context.speech))
        }
        Need::Call(_) | Need::Absent { .. } => None,
    }
}

/// Which change an offer is about; the words are the model's, so only the user's yes to the
/// server's own question can come of it.
fn offered_verb(text: &str) -> Option<Verb> {
    let words = crate::resolver::Words::of(text);
    let any = |list: &[&str]| list.iter().any(|word| words.contains(word));
    if any(&["delete", "remove", "erase"]) {
        Some(Verb::Delete)
    } else if any(&["done", "complete", "tick", "finish"]) {
        Some(Verb::Complete)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_names_its_change() {
        assert_eq!(offered_verb("Shall I delete it?"), Some(Verb::Delete));
        assert_eq!(
            offered_verb("Shall I mark it as done?"),
            Some(Verb::Complete)
        );
        assert_eq!(offered_verb("Shall I sing?"), None);
    }
}
