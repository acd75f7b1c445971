//! The readings, each one statement.

use sqlx::Row;

use super::ask::SqlQuery;
use super::connections::ConnectionPool;
use super::{sql, unavailable};
use crate::audit;
use crate::domain::{AttemptId, ConversationId, MessageId, Task, TaskId, UserId};
use crate::store::backend::{ReceiptQuery, StoreError};
use crate::store::blocking;
use crate::store::paging::TaskSlice;
use crate::store::read::{AuditFilter, ConversationHead, ReceiptEntry};
use crate::store::rows::{self, RawEvent, stamp};
use crate::store::snapshot::{StoredMessage, UserSnapshot};
use crate::store::snapshot_cache::LogPosition;

impl ConnectionPool {
    pub(super) async fn load(
        &self,
        user: &UserId,
        conversation: Option<ConversationId>,
        key: Option<&str>,
    ) -> Result<(UserSnapshot, LogPosition), StoreError> {
        let ask = SqlQuery::of(user, sql::LOAD)
            .optional(conversation.map(|id| id.to_string()))
            .optional(key);
        let row = self.row(&ask).await?;
        let row = row.ok_or_else(|| unavailable(sqlx::Error::RowNotFound))?;
        let text = |column: usize| row.try_get::<&str, _>(column).map_err(unavailable);
        let optional = |column: usize| row.try_get::<Option<&str>, _>(column).map_err(unavailable);
        let tasks = blocking::task_list(user, text(0)?, text(9)?).await?;
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
        let version: Option<i64> = row.try_get(8).map_err(unavailable)?;
        let stand = LogPosition {
            head: heads.fold(audit::ChainHead::genesis(), audit::ChainHead::or_further),
            version: version.unwrap_or(0),
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
        &self,
        user: &UserId,
        query: ReceiptQuery,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        let of = |statement| SqlQuery::of(user, statement);
        let ask = match query {
            ReceiptQuery::History(None, limit) => of(sql::HISTORY).number(limit),
            ReceiptQuery::History(Some(conversation), limit) => of(sql::HISTORY_OF_CONVERSATION)
                .number(limit)
                .text(conversation.to_string()),
            ReceiptQuery::Undoable(conversation) => {
                of(sql::UNDOABLE).text(conversation.to_string())
            }
            ReceiptQuery::One(id) => of(sql::RECEIPT).text(id.to_string()),
            ReceiptQuery::Turn(turn) => of(sql::TURN).text(turn.to_string()),
        };
        rows::entries(user, &self.text(&ask).await?)
    }

    /// The receipts of an attempt, or none if it did not land, which it then can't any more.
    pub(super) async fn attempt(
        &self,
        user: &UserId,
        attempt: AttemptId,
    ) -> Result<Option<Vec<ReceiptEntry>>, StoreError> {
        let of = |statement| SqlQuery::of(user, statement).text(attempt.to_string());
        self.row(&of(sql::SETTLE)).await?;
        let landed = self.row(&of(sql::SETTLED)).await?;
        let landed = landed.map(|row| row.try_get(0)).transpose();
        if landed.map_err(unavailable)? != Some(true) {
            return Ok(None);
        }
        let text = self.text(&of(sql::ATTEMPT)).await?;
        rows::entries(user, &text).map(Some)
    }

    pub(super) async fn tasks(
        &self,
        user: &UserId,
        slice: &TaskSlice,
    ) -> Result<Vec<Task>, StoreError> {
        let status = |completed| if completed { "completed" } else { "pending" };
        let ask = SqlQuery::of(user, sql::TASKS)
            .optional(slice.completed.map(status))
            .optional(slice.before.map(|cursor| stamp(cursor.created_at)))
            .optional(slice.before.map(|cursor| cursor.id.to_string()))
            .limit(slice.limit);
        blocking::tasks(user, self.text(&ask).await?).await
    }

    pub(super) async fn task(&self, user: &UserId, id: TaskId) -> Result<Option<Task>, StoreError> {
        let ask = SqlQuery::of(user, sql::TASK).text(id.to_string());
        let tasks = rows::tasks(user, &self.text(&ask).await?)?;
        Ok(tasks.into_iter().next())
    }

    pub(super) async fn deleted_tasks(
        &self,
        user: &UserId,
        among: &[TaskId],
    ) -> Result<Vec<Task>, StoreError> {
        let ids = among.iter().map(ToString::to_string);
        let ask = SqlQuery::of(user, sql::DELETED_TASKS).texts(ids);
        blocking::tasks(user, self.text(&ask).await?).await
    }

    pub(super) async fn messages(
        &self,
        user: &UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<StoredMessage>>, StoreError> {
        let ask = SqlQuery::of(user, sql::MESSAGES)
            .text(conversation.to_string())
            .optional(before.map(|id| id.to_string()))
            .number(limit);
        let Some(text) = self.optional(&ask).await? else {
            return Ok(None);
        };
        let mut messages = rows::messages(&text)?;
        messages.reverse();
        Ok(Some(messages))
    }

    pub(super) async fn conversations(
        &self,
        user: &UserId,
    ) -> Result<Vec<ConversationHead>, StoreError> {
        let ask = SqlQuery::of(user, sql::CONVERSATIONS);
        rows::conversations(&self.text(&ask).await?)
    }

    pub(super) async fn audit_events(
        &self,
        filter: &AuditFilter,
    ) -> Result<Vec<RawEvent>, StoreError> {
        let statement = match (&filter.user, filter.turn, filter.conversation) {
            (None, _, _) => sql::EVENTS_OF_ALL,
            (_, Some(_), _) => sql::EVENTS_OF_TURN,
            (_, None, Some(_)) => sql::EVENTS_OF_CONVERSATION,
            (_, None, None) => sql::EVENTS,
        };
        let mut ask = SqlQuery::new(statement)
            .optional(filter.user.as_ref().map(UserId::as_str))
            .number(filter.after.unwrap_or(i64::MIN))
            .optional(filter.kind.map(audit::EventKind::as_str))
            .limit(filter.limit.map(i64::from));
        if statement != sql::EVENTS {
            ask = ask
                .optional(filter.turn.map(|id| id.to_string()))
                .optional(filter.conversation.map(|id| id.to_string()));
        }
        rows::events(&self.text(&ask).await?)
    }

    pub(super) async fn audit_head(
        &self,
        user: &UserId,
    ) -> Result<Option<audit::ChainHead>, StoreError> {
        let text = self.optional(&SqlQuery::of(user, sql::HEAD)).await?;
        text.as_deref().map(rows::head).transpose()
    }

    pub(super) async fn audit_users(&self) -> Result<Vec<UserId>, StoreError> {
        rows::users(&self.text(&SqlQuery::new(sql::USERS)).await?)
    }

    /// Versions of the migrations that ran.
    pub(super) async fn migrations(&self) -> Result<Vec<i64>, StoreError> {
        if self
            .optional(&SqlQuery::new(sql::MIGRATED))
            .await?
            .is_none()
        {
            return Ok(Vec::new());
        }
        rows::versions(&self.text(&SqlQuery::new(sql::APPLIED)).await?)
    }

    /// Deletes at most so many rows for good, and says how many it were.
    pub(super) async fn purge(
        &self,
        statement: &'static str,
        before: String,
        limit: u32,
    ) -> Result<u64, StoreError> {
        let row = self
            .row(&SqlQuery::new(statement).text(before).number(limit))
            .await?;
        let gone: Option<i64> = row
            .map(|row| row.try_get(0))
            .transpose()
            .map_err(unavailable)?;
        Ok(gone
            .and_then(|gone| u64::try_from(gone).ok())
            .unwrap_or_default())
    }
}
