//! The readings, each one call to the driver.

use super::readers::{BoundQuery, LentReader};
use super::{sql, unavailable};
use crate::audit;
use crate::domain::{AttemptId, ConversationId, MessageId, Task, TaskId, UserId};
use crate::store::backend::{ReceiptQuery, StoreError, UserSeq};
use crate::store::blocking;
use crate::store::changes::{self, CommittedChange};
use crate::store::paging::TaskSlice;
use crate::store::read::{AuditFilter, ConversationHead, ReceiptEntry};
use crate::store::rows::{self, RawEvent, stamp};
use crate::store::snapshot::{StoredMessage, UserSnapshot};
use crate::store::snapshot_cache::LogPosition;
use sqlx::Row;

impl LentReader<'_> {
    pub(super) async fn load(
        &mut self,
        user: &UserId,
        conversation: Option<ConversationId>,
        key: Option<&str>,
    ) -> Result<(UserSnapshot, LogPosition), StoreError> {
        let query = sqlx::query(sql::LOAD)
            .bind(user.as_str().to_owned())
            .bind(conversation.map(|id| id.to_string()))
            .bind(key.map(str::to_owned));
        let row = self.row(query).await?;
        let text = |column: usize| row.try_get::<&str, _>(column).map_err(unavailable);
        let optional = |column: usize| row.try_get::<Option<&str>, _>(column).map_err(unavailable);
        let tasks = blocking::task_list(user, text(0)?, text(8)?).await?;
        let conversation = match optional(1)? {
            Some(conversation) => {
                let (messages, question) = (text(2)?, optional(3)?);
                Some(rows::conversation(conversation, messages, question)?)
            }
            None => None,
        };
        let recorded = optional(6)?.map(rows::head).transpose()?;
        let last = optional(7)?.map(rows::head).transpose()?;
        let heads = [recorded, last].into_iter().flatten();
        let stand = LogPosition {
            head: heads.fold(audit::ChainHead::genesis(), audit::ChainHead::or_further),
            version: 0,
        };
        let snapshot = UserSnapshot {
            user: user.clone(),
            tasks,
            conversation,
            keyed: optional(4)?.map(rows::keyed).transpose()?,
            open: optional(5)?.map(rows::open_turn).transpose()?,
            recalled: None,
        };
        Ok((snapshot, stand))
    }

    pub(super) async fn receipts(
        &mut self,
        user: &UserId,
        query: ReceiptQuery,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        let bound = match query {
            ReceiptQuery::History(None, limit) => of(user, sql::HISTORY).bind(limit),
            ReceiptQuery::History(Some(conversation), limit) => {
                of(user, sql::HISTORY_OF_CONVERSATION)
                    .bind(limit)
                    .bind(conversation.to_string())
            }
            ReceiptQuery::Undoable(conversation) => {
                of(user, sql::UNDOABLE).bind(conversation.to_string())
            }
            ReceiptQuery::One(id) => of(user, sql::RECEIPT).bind(id.to_string()),
            ReceiptQuery::Turn(turn) => of(user, sql::TURN).bind(turn.to_string()),
        };
        rows::entries(user, &self.text(bound).await?)
    }

    pub(super) async fn changes(
        &mut self,
        user: &UserId,
        after: i64,
        limit: u32,
    ) -> Result<Vec<CommittedChange>, StoreError> {
        let bound = of(user, sql::CHANGES).bind(after).bind(limit);
        changes::parse(&self.text(bound).await?)
    }

    pub(super) async fn heads(&mut self, users: &[UserId]) -> Result<Vec<UserSeq>, StoreError> {
        let bound = sqlx::query(sql::HEADS).bind(rows::written(&users)?);
        rows::stands(&self.text(bound).await?)
    }

    pub(super) async fn attempt(
        &mut self,
        user: &UserId,
        attempt: AttemptId,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        let bound = of(user, sql::ATTEMPT).bind(attempt.to_string());
        rows::entries(user, &self.text(bound).await?)
    }

    pub(super) async fn tasks(
        &mut self,
        user: &UserId,
        slice: &TaskSlice,
    ) -> Result<Vec<Task>, StoreError> {
        let status = |completed| if completed { "completed" } else { "pending" };
        let bound = of(user, sql::TASKS)
            .bind(slice.completed.map(status))
            .bind(slice.before.map(|cursor| stamp(cursor.created_at)))
            .bind(slice.before.map(|cursor| cursor.id.to_string()))
            .bind(slice.limit.unwrap_or(-1));
        blocking::tasks(user, self.text(bound).await?).await
    }

    pub(super) async fn task(
        &mut self,
        user: &UserId,
        id: TaskId,
    ) -> Result<Option<Task>, StoreError> {
        let bound = of(user, sql::TASK).bind(id.to_string());
        let tasks = rows::tasks(user, &self.text(bound).await?)?;
        Ok(tasks.into_iter().next())
    }

    pub(super) async fn deleted_tasks(
        &mut self,
        user: &UserId,
        among: &[TaskId],
    ) -> Result<Vec<Task>, StoreError> {
        let bound = of(user, sql::DELETED_TASKS).bind(rows::written(&among)?);
        blocking::tasks(user, self.text(bound).await?).await
    }

    pub(super) async fn messages(
        &mut self,
        user: &UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<StoredMessage>>, StoreError> {
        let bound = of(user, sql::MESSAGES)
            .bind(conversation.to_string())
            .bind(before.map(|id| id.to_string()))
            .bind(limit);
        let Some(text) = self.optional(bound).await? else {
            return Ok(None);
        };
        let mut messages = rows::messages(&text)?;
        messages.reverse();
        Ok(Some(messages))
    }

    pub(super) async fn conversations(
        &mut self,
        user: &UserId,
    ) -> Result<Vec<ConversationHead>, StoreError> {
        rows::conversations(&self.text(of(user, sql::CONVERSATIONS)).await?)
    }

    pub(super) async fn audit_events(
        &mut self,
        filter: &AuditFilter,
    ) -> Result<Vec<RawEvent>, StoreError> {
        let statement = match (&filter.user, filter.turn, filter.conversation) {
            (None, _, _) => sql::EVENTS_OF_ALL,
            (_, Some(_), _) => sql::EVENTS_OF_TURN,
            (_, None, Some(_)) => sql::EVENTS_OF_CONVERSATION,
            (_, None, None) => sql::EVENTS,
        };
        let mut bound = sqlx::query(statement)
            .bind(filter.user.as_ref().map(|user| user.as_str().to_owned()))
            .bind(filter.after.unwrap_or(i64::MIN))
            .bind(filter.kind.map(audit::EventKind::as_str))
            .bind(filter.limit.map_or(-1, i64::from));
        if statement != sql::EVENTS {
            bound = bound
                .bind(filter.turn.map(|id| id.to_string()))
                .bind(filter.conversation.map(|id| id.to_string()));
        }
        rows::events(&self.text(bound).await?)
    }

    pub(super) async fn audit_head(
        &mut self,
        user: &UserId,
    ) -> Result<Option<audit::ChainHead>, StoreError> {
        let text = self.optional(of(user, sql::HEAD)).await?;
        text.as_deref().map(rows::head).transpose()
    }

    pub(super) async fn audit_users(&mut self) -> Result<Vec<UserId>, StoreError> {
        rows::users(&self.text(sqlx::query(sql::USERS)).await?)
    }

    /// Versions of the migrations that ran.
    pub(super) async fn migrations(&mut self) -> Result<Vec<i64>, StoreError> {
        if self.optional(sqlx::query(sql::MIGRATED)).await?.is_none() {
            return Ok(Vec::new());
        }
        rows::versions(&self.text(sqlx::query(sql::APPLIED)).await?)
    }
}

fn of(user: &UserId, statement: &'static str) -> BoundQuery {
    sqlx::query(statement).bind(user.as_str().to_owned())
}
