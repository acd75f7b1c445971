//! `candor eval`: the acceptance runner. Plays scenarios against a model, and measures one
//! judgement on labelled lines.
//!
//! The measures call the very functions that a turn calls; nothing here decides anything about
//! a message.

mod claims;
mod clauses;
mod closing;
mod dates;
mod effect;
mod files;
mod input;
mod intents;
mod judge;
mod lines;
mod play;
mod players;
mod references;
mod report;
pub mod scenario;
mod score;
mod testimony;
mod turns;
mod words;
mod world;

pub use closing::Closing;
pub use files::load;
pub use input::BadInput;
pub use play::{Played, play};
pub use report::{Figure, Report};
pub use score::Score;

use std::path::Path;

/// A judgement that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Suite {
    /// The tool that the user's words call for.
    Intents,
    /// The day that they mean.
    Dates,
    /// The task that they mean.
    References,
    /// The assertion of a sentence.
    Claims,
}

/// Measures `suite` on the JSON lines of `file`.
///
/// # Errors
/// When the file can't be read or a line is not of the suite's shape; the line is named.
pub fn measure(suite: Suite, file: &Path) -> Result<Report, BadInput> {
    match suite {
        Suite::Intents => Ok(intents::measure(&lines::read(file)?)),
        Suite::Dates => Ok(dates::measure(&lines::read(file)?)),
        Suite::References => Ok(references::measure(&lines::read(file)?)),
        Suite::Claims => Ok(claims::measure(&lines::read(file)?)),
    }
}

/// Plays the labelled turns of `file` against the chat service.
///
/// # Errors
/// [`BadInput`] when the file can't be read or a line is not of the suite's shape; and when the
/// scratch database fails.
pub async fn play_turns(file: &Path) -> anyhow::Result<Report> {
    turns::measure(&lines::read(file)?).await
}
