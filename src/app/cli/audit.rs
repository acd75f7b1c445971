//! The commands of `candor audit`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::app::audit::report::PeriodEdge;
use crate::domain::{TurnId, UserId};

/// `candor audit`.
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// Check the log; exit status 1 names the first event that was changed, removed or moved
    Verify(VerifyArgs),
    /// Compute one turn's reply again from its receipts, and say what each sentence is worth
    ///
    /// Exit status 1 when the reply says more or less than the log.
    Show(ShowArgs),
    /// Print all events as JSON lines
    Export(ExportArgs),
    /// Count a period: turns, claims, refusals, ghost attempts by kind, models by ghost rate
    Report(ReportArgs),
    /// Make a key that signs checkpoints, and print its public half
    Keygen {
        /// Name of the key and its checkpoints: a host name and path by convention
        #[arg(long, value_name = "NAME", default_value = crate::audit::ORIGIN)]
        name: String,
        /// The secret's file; never overwritten
        #[arg(long, value_name = "FILE", default_value = crate::app::audit::KEY_FILE)]
        out: PathBuf,
    },
}

/// `candor audit report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Only what happened from here on: 2026-02-08, or an instant (RFC 3339)
    #[arg(long, value_name = "DAY", value_parser = PeriodEdge::parse)]
    pub from: Option<PeriodEdge>,
    /// Only what happened up to here; a day is included
    #[arg(long, value_name = "DAY", value_parser = PeriodEdge::parse)]
    pub to: Option<PeriodEdge>,
    /// Only this user's turns
    #[arg(long, value_name = "USER", value_parser = UserId::parse)]
    pub user: Option<UserId>,
    /// Read an export instead of the database
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Write a page with charts as well; it needs no other file and no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor audit show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The turn's id, from `turn_id` of a reply
    #[arg(value_name = "TURN")]
    pub turn: TurnId,
    /// Look into an export instead of the database
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Print the turn's events as well
    #[arg(long)]
    pub events: bool,
    /// Print what the model was told before the conversation: rules, day, tasks
    #[arg(long)]
    pub prompt: bool,
    /// Print one JSON object, events included
    #[arg(long)]
    pub json: bool,
}

/// `candor audit verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Only this user's log
    #[arg(long, value_name = "USER", value_parser = UserId::parse)]
    pub user: Option<UserId>,
    /// Also check that everything this checkpoint covers is there and unchanged; several are
    /// found to be of one log, or not
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Vec<PathBuf>,
    /// Signer of the checkpoints: a verifying key, or a file that holds one
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Check an export instead of the database; opens no database and asks no server
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    /// Check a proof of a receipt, of a turn or between two checkpoints, as a server gave it
    /// out; opens no database and asks no server
    #[arg(long, value_name = "FILE", conflicts_with_all = ["export", "user"])]
    pub proof: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `candor audit export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Only this user's log
    #[arg(long, value_name = "USER", value_parser = UserId::parse)]
    pub user: Option<UserId>,
    /// Write a signed checkpoint of exactly what is exported
    #[arg(long, value_name = "FILE", conflicts_with = "user")]
    pub checkpoint: Option<PathBuf>,
    /// The signing key, when it is not in candor-audit.key
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    pub key: Option<PathBuf>,
    /// JSON lines are what it prints anyway
    #[arg(long)]
    pub json: bool,
}
