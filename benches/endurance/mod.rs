//! The runs, and what they share. Server and load are those of `candor bench`; after each run the
//! receipts in the database are held against the replies, one to one.

pub mod contention;
mod disturbance;
mod filling;
mod hanging;
pub mod large_data;
mod memory;
pub mod reminders;
pub mod soak;

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::{Args, Subcommand};

/// A run, and what it needs to know.
#[derive(Debug, Subcommand)]
pub enum Run {
    /// See whether memory stays flat and the log whole over many turns
    ///
    /// Holds when memory's last quarter is within 5 % of the second, no reply is wrong, receipts
    /// and replies agree, and the log verifies.
    Soak(soak::SoakArgs),
    /// See what slow clients, idle streams and a model that hangs do to everybody else
    ///
    /// Holds when 99 of 100 turns take at most twice as long as alone.
    Contention(contention::ContentionArgs),
    /// See what a turn costs a user who has much, in a database that holds much
    ///
    /// Holds when a turn's own part and its prompt are within one and a half of a small user's.
    LargeData(large_data::LargeDataArgs),
    /// See what many reminders cost that wait, and how late those are that are due at once
    ///
    /// Holds when they cost an idle server less than 1 % of a core, 99 of 100 of those that are due at
    /// once are delivered within 5 s, and half of the turns meanwhile take at most 1.5 times as long.
    Reminders(reminders::RemindersArgs),
}

/// Options of all runs.
#[derive(Debug, Default, Args)]
pub struct Measuring {
    /// Where the server has its data, users of the run's own among others; else a new SQLite file
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,
    /// Print one JSON object
    #[arg(long, global = true)]
    pub json: bool,
}

/// Options of the runs that measure one thing after the other.
#[derive(Debug, Args)]
pub struct Rounds {
    /// How long each measurement takes
    #[arg(long, value_name = "SECONDS", default_value = "10",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub seconds: u16,
    /// Turns before that, which are not measured
    #[arg(long, value_name = "SECONDS", default_value = "2")]
    pub warm_up: u16,
    /// How often each thing is measured, in turn with the others
    #[arg(long, value_name = "TIMES", default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,
}

/// Plays a run with this build of candor, and says whether what it is for holds.
pub async fn run(
    server: &Path,
    run: &Run,
    measuring: &Measuring,
    out: &mut impl Write,
) -> Result<bool> {
    // Each server runs in a folder of its own, where a relative path leads nowhere.
    let found = server.canonicalize();
    let server = &found.with_context(|| {
        let server = server.display();
        format!(
            "--server {server} can't be started: name a built binary, such as target/release/candor"
        )
    })?;
    match run {
        Run::Soak(args) => soak::run(server, args, measuring, out).await,
        Run::Contention(args) => contention::run(server, args, measuring, out).await,
        Run::LargeData(args) => large_data::run(server, args, measuring, out).await,
        Run::Reminders(args) => reminders::run(server, args, measuring, out).await,
    }
}

/// A line on standard error, where somebody looks at it, that says how far a run is.
struct ProgressLine {
    shown: bool,
}

impl ProgressLine {
    fn new() -> Self {
        Self {
            shown: io::stderr().is_terminal(),
        }
    }

    /// Takes the place of what was told before.
    fn tell(&self, words: &str) {
        if self.shown {
            // A line that can't be drawn is no reason to stop.
            let _ = write!(io::stderr(), "\r\x1b[K{words}");
        }
    }

    /// Leaves nothing on the line.
    fn clear(&self) {
        self.tell("");
    }
}
