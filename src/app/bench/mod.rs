//! `candor bench`: the real server under load, with a model that answers at once.
//!
//! Server and model are processes of their own, as they are in life; the load comes from this
//! one. After each run the receipts in the database are held against the replies that came back,
//! one to one: figures of a server that loses or doubles something are worth nothing.
//!
//! `benches/endurance` plays longer and harder runs with the same parts; they are public for it.

pub mod client;
pub(super) mod floor;
pub mod load;
pub mod model;
pub mod processes;
pub mod report;
mod runs;
pub mod stage;
pub mod talk;
pub mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use crate::domain::IdSource;

/// `candor bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Number of clients that talk at once, each for a user of its own
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1,8,64",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub clients: Vec<u16>,
    /// Turns per second, sent whether or not earlier ones were answered; without it every client
    /// sends its next turn when it has its reply
    #[arg(long, value_name = "TURNS")]
    pub rate: Option<u32>,
    /// Time that each run takes
    #[arg(long, value_name = "SECONDS", default_value = "10",
        value_parser = clap::value_parser!(u16).range(1..))]
    pub seconds: u16,
    /// Turns before that, which are not measured
    #[arg(long, value_name = "SECONDS", default_value = "2")]
    pub warm_up: u16,
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
    let sound = runs::run(&own, database.as_deref(), args, out).await?;
    Ok(if sound {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Prefix of the names of this run's users: no others have it, in a database that holds others.
pub fn own(run: &str) -> String {
    // Of such an id the end is chance.
    let id = IdSource::random().next().simple().to_string();
    format!("{run}-{}", id.get(24..).unwrap_or(&id))
}

/// The report as one line for machines.
///
/// # Errors
/// When it can't be written.
pub fn json(out: &mut impl Write, report: &impl Serialize) -> Result<()> {
    writeln!(out, "{}", serde_json::to_string(report)?)?;
    Ok(())
}
