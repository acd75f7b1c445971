//! Title of a task: text that is data, one line, bounded.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::Cause;

/// The longest title, in characters.
pub const TITLE_MAX: usize = 255;
/// The longest description, in characters.
pub const DESCRIPTION_MAX: usize = 10_000;

/// A task's title: 1 to 255 characters after trimming, one line, no control characters.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Title(String);

/// Reason why a text can't be a title, in words a user can act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TitleError {
    /// Nothing but white space.
    #[error("Title cannot be empty")]
    Empty,
    /// More than [`TITLE_MAX`] characters.
    #[error("Title is too long: {0} characters, at most {TITLE_MAX} are kept")]
    TooLong(usize),
    /// A line break or another control character inside.
    #[error("Title must be one line without control characters")]
    Control,
}

impl From<TitleError> for Cause {
    fn from(fault: TitleError) -> Self {
        match fault {
            TitleError::Empty => Self::TitleEmpty,
            TitleError::TooLong(length) => Self::TitleLong { length },
            TitleError::Control => Self::TitleControl,
        }
    }
}

impl Title {
    /// Parses a title; white space around it is not part of it.
    ///
    /// # Errors
    /// [`TitleError`] says which rule the text breaks.
    ///
    /// ```
    /// use candor::domain::{Title, TitleError};
    /// assert_eq!(Title::parse("  Read book ").unwrap().as_str(), "Read book");
    /// assert_eq!(Title::parse(" "), Err(TitleError::Empty));
    /// ```
    pub fn parse(text: &str) -> Result<Self, TitleError> {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(TitleError::Empty);
        }
        let length = trimmed.chars().count();
        if length > TITLE_MAX {
            return Err(TitleError::TooLong(length));
        }
        // U+2028 and U+2029 break lines in prompts and logs without being control characters.
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if trimmed.chars().any(breaks) {
            return Err(TitleError::Control);
        }
        Ok(Self(trimmed.to_owned()))
    }

    /// The title as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_form!(Title: TitleError = parse);
