//! The words of the product: tasks, ids, titles, tools, errors, text.
//!
//! Plain values that parse themselves at the edge and are trusted afterwards.
//! Holds no I/O, no clock reading and no policy: everything above imports this
//! module, and it imports nothing of the crate but the list of languages.

/// Declares enums whose variants have words: on the wire, in the database, in `candor.toml`.
macro_rules! words {
    ($($(#[$about:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)?
    })+) => {$(
        $(#[$about])*
        $vis enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word for it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// The one of that word, if there is one.
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|it| it.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )+};
}

/// Lets a value be read from its text, by the function that is named, and written as it.
macro_rules! text_form {
    ($($name:ident: $fault:ty = $parse:ident),+ $(,)?) => {$(
        impl TryFrom<String> for $name {
            type Error = $fault;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::$parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    )+};
}

pub(crate) use words;

mod agent_spec;
mod clock;
mod delegation;
mod due_date;
mod due_time;
mod error;
mod glyph;
mod ids;
mod json;
mod priority;
mod reminder;
mod repeat;
mod secret;
mod shown;
mod task;
pub mod text;
mod title;
mod tool;

pub use crate::languages::{Lang, LangSet};
pub use agent_spec::{
    Assignee, ModelSpec, NewAgent, Routing, SpecError, Work, is_ident, is_persona,
};
pub use clock::{Clock, Moment};
pub use delegation::{
    AgentHandle, CompletionPolicy, DelegateAuthorization, InvalidHandle, ReportOutcome, Review,
    RunHandle, RunState, Verification,
};
pub use due_date::parse_due_date;
pub use due_time::{DueInstant, DueTime, day_and_time, first_shown, parse_time_of_day};
pub use error::{Cause, Details, DueWindow, ErrorType, ToolError};
pub use ids::{
    AttemptId, ConversationId, IdSource, InvalidUserId, MessageId, QuestionId, ReceiptId,
    ReminderId, RunId, SessionId, TaskId, TurnId, UserId,
};
pub use json::put_member;
pub use priority::Priority;
pub use reminder::{RemindAt, Reminder, ReminderState, Reminders};
pub use repeat::{INTERVAL_MAX, Repeat, RepeatDay, RepeatEnd, RepeatUnit};
pub use secret::Secret;
pub use shown::{MASK, masked, shown};
pub use task::{Status, Task};
pub use title::{DESCRIPTION_MAX, TITLE_MAX, Title, TitleError};
pub use tool::{Action, Tool};
