//! Plays rows: the real chat service over a real SQLite file, and a model that does as told.

#![cfg(test)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use candor::audit::EventKind;
use candor::chat::wire::ChatRequest;
use candor::chat::{ChatService, MissingTool, ModelDown, TurnPolicy};
use candor::domain::{Action, Clock, ConversationId, IdSource, Lang, Task, Title, TurnId, UserId};
use candor::guard::receipt_line;
use candor::llm::{
    AnswerFuture, LanguageModel, ModelAnswer, ModelError, ModelRequest, RawCall, parse_answer,
};
use candor::store::{
    AuditFilter, CommitRecord, CommitResult, NewTask, ReceiptEntry, Store, TaskPatch, Unit,
};
use candor::temporal::DueRule;
use candor::turn::SuccessProof;
use chrono::NaiveDate;
use serde_json::Value;

use super::oracle::{Evidence, Proven};
use super::script::{Hand, Round, Row, Turn};

/// A database for many rows, each with a user of its own.
#[derive(Clone)]
pub struct Stage {
    store: Store,
    ids: IdSource,
    clock: Clock,
    _directory: Arc<Directory>,
}

struct Directory(PathBuf);

impl Drop for Directory {
    fn drop(&mut self) {
        // What can't be removed is in the system's temporary directory and does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Result of one turn.
pub struct Played {
    /// Evidence that the oracle looks at; none when there was no reply.
    pub evidence: Option<Evidence>,
    /// Rows before.
    pub before: Vec<Task>,
    /// Rows after.
    pub after: Vec<Task>,
    /// Why there was no reply.
    pub error: Option<String>,
}

impl Stage {
    /// An empty one, on Sunday 2026-02-08.
    pub async fn new() -> Self {
        let name = format!("candor-hostile-{}", uuid::Uuid::now_v7());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).unwrap();
        let url = format!("sqlite:{}", directory.join("candor.db").display());
        let store = Store::open(&url).await.unwrap();
        store.migrate().await.unwrap();
        Self {
            store,
            ids: IdSource::random(),
            clock: Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8)),
            _directory: Arc::new(Directory(directory)),
        }
    }

    /// Plays a row; one result for each turn that was reached.
    pub async fn play(&self, row: &Row, number: usize) -> Vec<Played> {
        let user = UserId::parse(&format!("user-{number}")).unwrap();
        self.seed(&user, &row.tasks).await;
        let model = Arc::new(Scripted {
            stage: self.clone(),
            user: user.clone(),
            script: Mutex::new((Vec::new(), 0)),
        });
        let policy = TurnPolicy {
            reply_language: Some(Lang::En),
            default_zone: chrono_tz::UTC,
            due_rule: DueRule::Year,
            missing_tool: MissingTool::Reject,
            model_down: ModelDown::Reject,
            fast_path: false,
            model_timeout: Duration::from_secs(5),
        };
        let chat = ChatService::new(
            self.store.clone(),
            Arc::clone(&model) as Arc<dyn LanguageModel>,
            policy,
            self.clock,
            self.ids.clone(),
        );
        let mut conversation = None;
        let mut played = Vec::new();
        let mut said = Vec::new();
        for turn in &row.turns {
            said.push(turn.message.clone());
            let one = self.turn(&chat, &model, &user, turn, &mut conversation, &said);
            played.push(one.await);
        }
        played
    }

    async fn turn(
        &self,
        chat: &ChatService,
        model: &Scripted,
        user: &UserId,
        turn: &Turn,
        conversation: &mut Option<ConversationId>,
        said: &[String],
    ) -> Played {
        if let Some(hand) = &turn.hand {
            self.act(user, hand).await;
        }
        *model.script.lock().unwrap() = (turn.model.clone(), 0);
        let before = self.rows(user).await;
        let request = ChatRequest {
            message: Some(turn.message.clone()),
            conversation_id: *conversation,
            language_hint: turn.language.map(str::to_owned),
            ..ChatRequest::default()
        };
        let answered = chat.chat(user, request, None).await;
        let after = self.rows(user).await;
        let answered = match answered {
            Ok(answered) => answered,
            Err(error) => {
                if let candor::chat::ChatError::ModelDown {
                    conversation: kept, ..
                } = &error
                {
                    *conversation = Some(*kept);
                }
                let error = Some(error.to_string());
                return Played {
                    evidence: None,
                    before,
                    after,
                    error,
                };
            }
        };
        let body: Value = serde_json::from_str(&answered.body).unwrap();
        let id: ConversationId = serde_json::from_value(body["conversation_id"].clone()).unwrap();
        *conversation = Some(id);
        let speech = match turn.language {
            Some("ur") => Lang::Ur,
            _ => Lang::En,
        };
        let evidence = self
            .evidence(user, body, speech, (&before, &after), turn, said)
            .await;
        Played {
            evidence: Some(evidence),
            before,
            after,
            error: None,
        }
    }

    async fn evidence(
        &self,
        user: &UserId,
        body: Value,
        speech: Lang,
        (before, after): (&[Task], &[Task]),
        turn: &Turn,
        said: &[String],
    ) -> Evidence {
        let id: TurnId = serde_json::from_value(body["turn_id"].clone()).unwrap();
        let proven = |entry: &ReceiptEntry| Proven {
            facts: entry.receipt.facts().clone(),
            line: receipt_line(SuccessProof::Receipt(&entry.receipt), speech),
        };
        let receipts = self.store.turn_receipts(user, id).await.unwrap();
        let history = self.store.history(user, None, 100_000).await;
        let filter = AuditFilter {
            user: Some(user.clone()),
            turn: Some(id),
            kind: Some(EventKind::ToolCall),
            ..AuditFilter::default()
        };
        let events = self.store.audit_events(&filter).await.unwrap();
        let verified = self.store.audit_verify(user, None).await.unwrap();
        let mut texts = Vec::new();
        let mut proposed = Vec::new();
        for round in &turn.model {
            let mut round = round;
            while let Round::While(_, inner) = round {
                round = inner;
            }
            match round {
                Round::Answer(text, calls) => {
                    texts.extend(text.clone());
                    proposed.extend(calls.clone());
                    for (_, arguments) in calls {
                        let read: Value = serde_json::from_str(arguments).unwrap_or_default();
                        texts.extend(read["question"].as_str().map(str::to_owned));
                    }
                }
                Round::Body(body) => texts.push(body.clone()),
                Round::Fail(_) | Round::While(..) => {}
            }
        }
        Evidence {
            body,
            before: before.to_vec(),
            after: after.to_vec(),
            receipts: receipts.iter().map(proven).collect(),
            history: history.unwrap().iter().map(proven).collect(),
            events: events
                .iter()
                .map(|row| serde_json::from_str(&row.payload).unwrap())
                .collect(),
            audit: verified.err().map(|broken| format!("{broken:?}")),
            said: said.to_vec(),
            texts,
            proposed,
            asked: Vec::new(),
            meddled: turn
                .model
                .iter()
                .any(|round| matches!(round, Round::While(..))),
        }
    }

    /// Rows, oldest first.
    async fn rows(&self, user: &UserId) -> Vec<Task> {
        let snapshot = self.store.load(user, None, None).await.unwrap();
        snapshot.tasks.to_vec()
    }

    async fn seed(&self, user: &UserId, tasks: &[String]) {
        for line in tasks {
            let (title, values) = line.split_once(" | ").unwrap_or((line, ""));
            let mut task = NewTask::titled(Title::parse(title).unwrap());
            let mut done = false;
            for value in values.split_whitespace() {
                match value.split_once('=') {
                    Some(("due", day)) => task.due_date = Some(day.parse().unwrap()),
                    Some(("priority", word)) => {
                        task.priority = serde_json::from_value(word.into()).unwrap();
                    }
                    _ => done = value == "done",
                }
            }
            self.write(user, |unit| {
                let id = unit.add(task).facts().task_id.unwrap();
                if done {
                    let patch = TaskPatch {
                        completed: Some(true),
                        ..TaskPatch::default()
                    };
                    let _ = unit.change(Action::CompleteTask, id, &patch);
                }
            })
            .await;
        }
    }

    async fn act(&self, user: &UserId, hand: &Hand) {
        let rows = self.rows(user).await;
        let (Hand::Rename(title, _) | Hand::Delete(title)) = hand;
        // A turn that was overtaken is run anew; the hand has acted by then.
        let Some(task) = rows.iter().find(|task| task.title.as_str() == *title) else {
            return;
        };
        self.write(user, |unit| match hand {
            Hand::Rename(_, title) => {
                let title = Some(Title::parse(title).unwrap());
                let patch = TaskPatch {
                    title,
                    ..TaskPatch::default()
                };
                let _ = unit.change(Action::UpdateTask, task.id, &patch);
            }
            Hand::Delete(_) => {
                let _ = unit.delete(task.id);
            }
        })
        .await;
    }

    async fn write(&self, user: &UserId, fill: impl FnOnce(&mut Unit)) {
        let snapshot = self.store.load(user, None, None).await.unwrap();
        let now = self.clock.now(chrono_tz::UTC).instant;
        let turn = TurnId::new(self.ids.next());
        let ids = self.ids.clone();
        let mut unit = Unit::new(user.clone(), None, turn, now, ids, snapshot.tasks);
        fill(&mut unit);
        let commit = self.store.commit(unit, CommitRecord::default()).await;
        assert!(matches!(commit, CommitResult::Committed(_)), "{commit:?}");
    }
}

/// A model that answers from its script and repeats the last line for ever.
struct Scripted {
    stage: Stage,
    user: UserId,
    script: Mutex<(Vec<Round>, usize)>,
}

impl std::fmt::Debug for Scripted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Scripted")
    }
}

/// Name that the scripted model gives itself.
const NAME: &str = "openai (hostile)";

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        NAME
    }

    fn ask<'a>(&'a self, _request: &'a ModelRequest) -> AnswerFuture<'a> {
        let mut round = {
            let mut script = self.script.lock().unwrap();
            let (rounds, next) = &mut *script;
            let round = rounds.get(*next).or(rounds.last()).cloned();
            *next += 1;
            round.unwrap_or(Round::Answer(
                Some("Done, all deleted!".to_owned()),
                Vec::new(),
            ))
        };
        Box::pin(async move {
            while let Round::While(hand, then) = round {
                self.stage.act(&self.user, &hand).await;
                round = *then;
            }
            answer(round)
        })
    }
}

fn answer(round: Round) -> Result<ModelAnswer, ModelError> {
    match round {
        Round::Answer(text, calls) => Ok(ModelAnswer {
            finish: "stop".to_owned(),
            text: text
                .map(|text| text.trim().to_owned())
                .filter(|text| !text.is_empty()),
            calls: calls
                .into_iter()
                .enumerate()
                .map(|(at, (name, arguments))| RawCall {
                    id: format!("call_{}", at + 1),
                    name,
                    arguments,
                })
                .collect(),
            model: NAME.to_owned(),
            usage: None,
        }),
        Round::Fail(error) => Err(error),
        Round::Body(body) => parse_answer(body.as_bytes(), NAME),
        Round::While(..) => unreachable!("a hand has acted by now"),
    }
}
