//! The side that answers: the chat layer in this process, or a server elsewhere. Both give JSON.

use serde_json::{Value, json};

use super::remote::Remote;
use crate::audit::{AuditRow, EventKind, TreeProof, hex};
use crate::chat::ChatService;
use crate::chat::wire::{ChatRequest, TaskView};
use crate::domain::{ReceiptId, TurnId, UserId, put_member};
use crate::guard::account::account;
use crate::http::Problem;
use crate::store::{AuditFilter, TaskQuery};

/// A turn without a reply.
#[derive(Debug, Clone, PartialEq)]
pub struct TalkFault {
    /// The fault and the cure, in plain words.
    pub detail: String,
    /// The same for programs.
    pub body: Value,
}

/// The side that answers.
#[derive(Debug, Clone)]
pub enum Talk {
    /// The chat layer in this process, for a user.
    Here(ChatService, UserId),
    /// A server.
    There(Box<Remote>),
}

impl Talk {
    /// One turn; the reply as its JSON text.
    pub(super) async fn say(&self, request: ChatRequest, key: &str) -> Result<String, TalkFault> {
        match self {
            Self::Here(chat, user) => {
                let answered = chat.chat(user, request, Some(key.to_owned())).await;
                answered
                    .map(|answered| answered.body)
                    .map_err(|error| Problem::from(error).into())
            }
            Self::There(remote) => remote.say(&request, key).await,
        }
    }

    /// Tells whether there is anybody to delegate to.
    ///
    /// # Errors
    /// [`TalkFault`] when a server can't say.
    pub(super) async fn delegates(&self) -> Result<bool, TalkFault> {
        match self {
            Self::Here(chat, _) => Ok(chat.delegates()),
            Self::There(remote) => remote.delegates().await,
        }
    }

    /// Reads from the log what agents did: events after the one of that number, oldest first.
    pub(super) async fn happened(&self, after: i64) -> Result<Vec<Value>, TalkFault> {
        match self {
            Self::Here(chat, user) => {
                let filter = AuditFilter {
                    user: Some(user.clone()),
                    kind: Some(EventKind::Run),
                    after: Some(after),
                    limit: Some(500),
                    ..AuditFilter::default()
                };
                let rows = chat.store().audit_events(&filter).await;
                let rows = rows.map_err(Problem::from)?;
                let payload = |text: &str| serde_json::from_str(text).unwrap_or(Value::Null);
                let event =
                    |row: &AuditRow| json!({"seq": row.seq, "payload": payload(&row.payload)});
                Ok(rows.iter().map(event).collect())
            }
            Self::There(remote) => remote.happened(after).await,
        }
    }

    /// The account of a turn, as `GET /audit/turns/{turn}` gives it.
    pub(super) async fn account(&self, turn: TurnId) -> Result<Value, TalkFault> {
        match self {
            Self::Here(chat, user) => {
                let store = chat.store();
                let rows = store.turn_events(user, turn).await;
                let rows = rows.map_err(Problem::from)?;
                let kept = store.turn_receipts(user, turn).await;
                let kept = kept.map_err(Problem::from)?;
                let found =
                    account(&rows).ok_or_else(|| TalkFault::new("There is no such turn."))?;
                let found = found.beside(&rows, &kept);
                let holds = found.holds();
                let mut told = json!(found);
                put_member(&mut told, "holds", holds);
                Ok(told)
            }
            Self::There(remote) => remote.account(turn).await,
        }
    }

    /// The proof of a receipt, as the JSON text that `GET /audit/receipts/{receipt}/proof` gives.
    pub(super) async fn proof(&self, receipt: ReceiptId) -> Result<String, TalkFault> {
        match self {
            Self::Here(chat, user) => {
                let proven = chat.store().audit_proof(user, receipt).await;
                let proven = proven.map_err(Problem::from)?;
                let proven = proven.ok_or_else(|| TalkFault::new("There is no such receipt."))?;
                let proof = TreeProof::Event {
                    event: proven.event,
                    proof: proven.inclusion,
                    root: hex(&proven.head.root),
                    checkpoint: None,
                };
                Ok(json!(proof).to_string())
            }
            Self::There(remote) => remote.proof(receipt).await,
        }
    }

    /// The task list, newest first.
    pub(super) async fn tasks(&self) -> Result<Vec<Value>, TalkFault> {
        match self {
            Self::Here(chat, user) => {
                let page = chat.store().tasks(user, &TaskQuery::default()).await;
                let page = page.map_err(Problem::from)?;
                Ok(page
                    .tasks
                    .iter()
                    .map(|task| json!(TaskView::from(task)))
                    .collect())
            }
            Self::There(remote) => remote.tasks().await,
        }
    }
}

impl TalkFault {
    /// A fault that only has words.
    pub fn new(detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let body = json!({"code": "unreachable", "detail": detail});
        Self { detail, body }
    }
}

impl From<Problem> for TalkFault {
    fn from(problem: Problem) -> Self {
        let body = json!({
            "code": problem.code.as_str(),
            "status": problem.code.status(),
            "detail": problem.detail,
            "conversation_id": problem.conversation,
        });
        Self {
            detail: problem.detail.into(),
            body,
        }
    }
}
