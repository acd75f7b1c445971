//! `candor bench`: the real server under load, with a model that answers at once.
//!
//! Server and model are processes of their own, as they are in life; the load comes from this
//! one. After each run the receipts in the database are held against the replies that came back,
//! one to one: figures of a server that loses or doubles something are worth nothing.
//!
//! There are four kinds of runs, and each says at its end whether what it is for holds: many
//! clients at once ([`runs`]), a million turns ([`soak`]), others who get in the way ([`crowd`]),
//! and a user who has much ([`grown`]).

mod client;
mod crowd;
mod disturb;
mod fill;
pub(super) mod floor;
mod grown;
mod load;
pub(super) mod model;
mod processes;
mod report;
mod runs;
mod soak;
mod stage;
mod talk;
mod verify;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use self::stage::Builds;
use crate::domain::IdSource;

/// `candor bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Play so many turns (a million if no number is given), and see whether memory stays flat
    /// and the log whole
    #[arg(long, value_name = "TURNS", num_args = 0..=1, default_missing_value = "1000000",
        value_parser = clap::value_parser!(u64).range(4..),
        conflicts_with_all = ["crowd", "grown", "against"])]
    pub soak: Option<u64>,
    /// See what slow clients, idle streams and a model that hangs do to everybody else
    #[arg(long, conflicts_with_all = ["grown", "against"])]
    pub crowd: bool,
    /// See what a turn costs a user who has much, in a database that holds much
    #[arg(long, conflicts_with = "against")]
    pub grown: bool,
    /// How many clients talk at once, each for a user of its own [default: 1,8,64; --soak: 16;
    /// --crowd: 32]
    #[arg(long, value_name = "N", value_delimiter = ',', conflicts_with = "grown",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub clients: Vec<u16>,
    /// Turns per second, sent whether or not earlier ones were answered; without it every client
    /// sends its next turn when it has its reply [default: --crowd: 300]
    #[arg(long, value_name = "TURNS", conflicts_with = "grown")]
    pub rate: Option<u32>,
    /// How long each run takes
    #[arg(long, value_name = "SECONDS", default_value = "10", conflicts_with = "soak",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub seconds: u16,
    /// Turns before that, which are not measured
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "2",
        conflicts_with = "soak"
    )]
    pub warm_up: u16,
    /// How often --crowd and --grown measure each thing, in turn with the others
    #[arg(long, value_name = "TIMES", default_value = "2",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub rounds: u16,
    /// Users that the turns of --soak come from, or that the database of --grown holds besides
    /// [default: --soak: 2000; --grown: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub users: Option<u32>,
    /// Tasks of the user that --grown measures
    #[arg(long, value_name = "N", default_value = "100000", requires = "grown")]
    pub tasks: u32,
    /// Lines in that user's conversation
    #[arg(long, value_name = "N", default_value = "10000", requires = "grown")]
    pub messages: u32,
    /// Audit events of the other users
    #[arg(long, value_name = "N", default_value = "2000000", requires = "grown")]
    pub events: u32,
    /// Another build of candor, measured in turn with this one: A B A B
    #[arg(long, value_name = "BINARY")]
    pub against: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Runs the benchmark over `database`, or over a new SQLite file for each run.
///
/// # Errors
/// When a process can't be started, or breaks off.
pub async fn run(
    database: Option<String>,
    args: &BenchArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let own = std::env::current_exe().context("where this program is")?;
    let builds = Builds {
        own: &own,
        server: &own,
    };
    let database = database.as_deref();
    let sound = if let Some(turns) = args.soak {
        soak::run(builds, database, turns, args, out).await?
    } else if args.crowd {
        crowd::run(builds, database, args, out).await?
    } else if args.grown {
        grown::run(builds, database, args, out).await?
    } else {
        runs::run(&own, database, args, out).await?
    };
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Where this process tells how far it is: standard error, where somebody looks at it.
struct Progress {
    shown: bool,
}

impl Progress {
    fn new() -> Self {
        Self {
            shown: std::io::stderr().is_terminal(),
        }
    }

    /// Takes the place of what was told before.
    fn tell(&self, words: &str) {
        if self.shown {
            // A line that can't be drawn is no reason to stop.
            let _ = write!(std::io::stderr(), "\r\x1b[K{words}");
        }
    }

    /// Leaves nothing on the line.
    fn clear(&self) {
        self.tell("");
    }
}

/// What the users of this run begin with: no others have it, in a database that holds others.
fn own(run: &str) -> String {
    // Of such an id the end is chance.
    let id = IdSource::random().next().simple().to_string();
    format!("{run}-{}", id.get(24..).unwrap_or(&id))
}

/// The report as one line for machines.
fn json(out: &mut impl Write, report: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(report)?)?;
    Ok(())
}
