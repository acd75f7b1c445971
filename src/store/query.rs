//! Statements with a name and arguments: what is read and written beside the units, of runs of agents
//! and of reminders.

use super::backend::BackendFuture;
use crate::domain::UserId;

/// A statement that is asked for by its name; each backend holds the text of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum QueryName {
    // Reading.
    Delegations,
    Run,
    RunOfTitle,
    Runs,
    Matched,
    Agent,
    Lines,
    Proven,
    Waiting,
    Expired,
    Reminders,
    // Writing.
    Beat,
    AppendLine,
    Cleanup,
    RemoveSession,
    LeaseReminders,
    PutOffReminder,
    SteadyReminders,
}

/// One argument.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum QueryArgument {
    Text(Option<String>),
    Number(i64),
}

/// A statement with its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct StoreQuery {
    pub(in crate::store) of: QueryName,
    pub(in crate::store) arguments: Vec<QueryArgument>,
}

impl StoreQuery {
    /// The operator's.
    pub(in crate::store) const fn new(of: QueryName) -> Self {
        Self {
            of,
            arguments: Vec::new(),
        }
    }

    /// A statement whose first argument is the user whose rows it touches.
    pub(in crate::store) fn of(of: QueryName, user: &UserId) -> Self {
        Self::new(of).text(user.as_str())
    }

    pub(in crate::store) fn text(self, text: impl Into<String>) -> Self {
        self.optional(Some(text.into()))
    }

    pub(in crate::store) fn optional(mut self, text: Option<String>) -> Self {
        self.arguments.push(QueryArgument::Text(text));
        self
    }

    pub(in crate::store) fn number(mut self, number: i64) -> Self {
        self.arguments.push(QueryArgument::Number(number));
        self
    }
}

/// Operations of a database beside committing units, each by its statement's name.
pub(in crate::store) trait QueryBackend: Send + Sync {
    /// Reads: one text.
    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>>;
    /// Writes rows that no unit is checked against, in a transaction of its own: one text, none
    /// where nothing fits.
    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>>;
}
