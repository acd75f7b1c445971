//! Statements with their arguments: what is read, and what is written beside the units.

use serde::de::DeserializeOwned;

use super::backend::{Store, StoreError};
use super::rows;
use super::sql::SqlText;
use crate::domain::UserId;

/// One argument.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum QueryArgument {
    Text(Option<String>),
    Number(i64),
    Texts(Vec<String>),
}

/// A statement with its arguments, which can be asked again on another connection.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct StoreQuery {
    pub(in crate::store) of: SqlText,
    pub(in crate::store) arguments: Vec<QueryArgument>,
}

impl StoreQuery {
    /// The operator's.
    pub(in crate::store) fn new(of: impl Into<SqlText>) -> Self {
        Self {
            of: of.into(),
            arguments: Vec::new(),
        }
    }

    /// A statement whose first argument is the user whose rows it touches.
    pub(in crate::store) fn of(of: impl Into<SqlText>, user: &UserId) -> Self {
        Self::new(of).text(user.as_str())
    }

    pub(in crate::store) fn text(self, text: impl Into<String>) -> Self {
        self.with(QueryArgument::Text(Some(text.into())))
    }

    pub(in crate::store) fn optional(self, text: Option<impl Into<String>>) -> Self {
        self.with(QueryArgument::Text(text.map(Into::into)))
    }

    pub(in crate::store) fn number(self, number: impl Into<i64>) -> Self {
        self.with(QueryArgument::Number(number.into()))
    }

    /// At most so many; none means all.
    pub(in crate::store) fn limit(self, limit: Option<impl Into<i64>>) -> Self {
        self.number(limit.map_or(i64::MAX, Into::into))
    }

    pub(in crate::store) fn texts<T: ToString>(self, texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().map(|text| text.to_string());
        self.with(QueryArgument::Texts(texts.collect()))
    }

    fn with(mut self, argument: QueryArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// One of the statements that follow it: with its first argument alone.
    pub(in crate::store) fn then(&self, of: SqlText) -> Self {
        Self {
            of,
            arguments: self.arguments.first().cloned().into_iter().collect(),
        }
    }
}

/// The texts of a row; none where there is no row.
pub(in crate::store) type RowTexts = Vec<Option<String>>;

impl Store {
    /// The text that a reading gives, if it gives one.
    pub(in crate::store) async fn optional(
        &self,
        ask: &StoreQuery,
    ) -> Result<Option<String>, StoreError> {
        Ok(self.backend().ask(ask).await?.into_iter().next().flatten())
    }

    /// The text that a reading always gives.
    pub(in crate::store) async fn text(&self, ask: &StoreQuery) -> Result<String, StoreError> {
        let text = self.optional(ask).await?;
        text.ok_or_else(|| StoreError::Unavailable("a reading gave nothing".into()))
    }

    /// The value that a reading always gives, of rows of that table.
    pub(in crate::store) async fn read<T: DeserializeOwned>(
        &self,
        table: &'static str,
        ask: &StoreQuery,
    ) -> Result<T, StoreError> {
        rows::whole(table, &self.text(ask).await?)
    }

    /// The rows that a reading gives, each of which starts with its id.
    pub(in crate::store) async fn list<T: DeserializeOwned>(
        &self,
        table: &'static str,
        ask: &StoreQuery,
    ) -> Result<Vec<T>, StoreError> {
        rows::all(table, &self.text(ask).await?)
    }

    /// Runs a statement that writes rows that no unit is checked against: the first text that it
    /// gives.
    pub(in crate::store) async fn change(
        &self,
        ask: &StoreQuery,
    ) -> Result<Option<String>, StoreError> {
        self.backend().change(ask).await
    }
}
