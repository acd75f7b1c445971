//! A statement with its arguments, which can be asked again on another connection.

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;

use crate::domain::UserId;

/// One statement and what is bound to it.
#[derive(Debug, Clone)]
pub(super) struct SqlQuery {
    statement: &'static str,
    arguments: Vec<SqlArgument>,
}

#[derive(Debug, Clone)]
enum SqlArgument {
    Text(Option<String>),
    Number(Option<i64>),
    Texts(Vec<String>),
}

impl SqlQuery {
    pub(super) const fn new(statement: &'static str) -> Self {
        Self {
            statement,
            arguments: Vec::new(),
        }
    }

    /// A statement whose first argument is the user whose rows it touches.
    pub(super) fn of(user: &UserId, statement: &'static str) -> Self {
        Self::new(statement).text(user.as_str())
    }

    pub(super) fn text(self, text: impl Into<String>) -> Self {
        self.with(SqlArgument::Text(Some(text.into())))
    }

    pub(super) fn optional(self, text: Option<impl Into<String>>) -> Self {
        self.with(SqlArgument::Text(text.map(Into::into)))
    }

    pub(super) fn number(self, number: impl Into<i64>) -> Self {
        self.with(SqlArgument::Number(Some(number.into())))
    }

    /// At most so many; none means all.
    pub(super) fn limit(self, limit: Option<i64>) -> Self {
        self.with(SqlArgument::Number(limit))
    }

    pub(super) fn texts(self, texts: impl Iterator<Item = String>) -> Self {
        self.with(SqlArgument::Texts(texts.collect()))
    }

    fn with(mut self, argument: SqlArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    pub(super) const fn statement(&self) -> &'static str {
        self.statement
    }

    /// The driver's form of it. `kept`: the session keeps it prepared under a name.
    pub(super) fn query(&self, kept: bool) -> Query<'_, Postgres, PgArguments> {
        let query = sqlx::query(self.statement).persistent(kept);
        self.arguments
            .iter()
            .fold(query, |query, argument| match argument {
                SqlArgument::Text(text) => query.bind(text.as_deref()),
                SqlArgument::Number(number) => query.bind(number),
                SqlArgument::Texts(texts) => query.bind(texts),
            })
    }
}
