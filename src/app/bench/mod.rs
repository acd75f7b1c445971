//! `candor bench`: the real server under load, with a model that answers at once.
//!
//! Server and model are processes of their own, as they are in life; the load comes from this
//! one. After each run the receipts in the database are held against the replies that came back,
//! one to one: figures of a server that loses or doubles something are worth nothing.

mod client;
mod load;
pub(super) mod model;
mod processes;
mod report;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;

use self::load::Plan;
use self::processes::{ModelProcess, ServerProcess};
use self::report::{Report, Run};
use crate::domain::IdSource;
use crate::store::Store;

/// `candor bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// How many clients talk at once; each is a user with a conversation of its own
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1,8,64"
    )]
    pub clients: Vec<u16>,
    /// Turns per second, sent whether or not earlier ones were answered; without it every client
    /// sends its next turn when it has its reply
    #[arg(long, value_name = "TURNS")]
    pub rate: Option<u32>,
    /// How long each run takes
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = clap::value_parser!(u16).range(1..))]
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
    let binaries: Vec<PathBuf> = match &args.against {
        None => vec![own.clone()],
        Some(other) => vec![own.clone(), other.clone(), own.clone(), other.clone()],
    };
    let mut report = Report::default();
    for clients in &args.clients {
        for (round, binary) in binaries.iter().enumerate() {
            let name = if round % 2 == 0 { "A" } else { "B" };
            let run = one(&own, binary, database.as_deref(), *clients, args).await;
            let run =
                run.with_context(|| format!("{} with {clients} clients", binary.display()))?;
            if !args.json {
                report::line(out, name, &run)?;
            }
            report.push(name, run);
        }
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        report.compare(out)?;
    }
    Ok(if report.sound() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

async fn one(
    own: &std::path::Path,
    binary: &std::path::Path,
    database: Option<&str>,
    clients: u16,
    args: &BenchArgs,
) -> Result<Run> {
    let place = processes::Place::new()?;
    let url = match database {
        Some(url) => url.to_owned(),
        None => format!("sqlite://{}", place.path().join("candor.db").display()),
    };
    let model = ModelProcess::start(own)?;
    let server = ServerProcess::start(binary, &place, &url, &model.base_url())?;
    server.ready().await?;
    // Users of this run alone, so that a database that holds others can be used.
    let prefix = format!("bench-{}", IdSource::random().next().simple());
    let plan = Plan {
        address: server.address,
        prefix,
        clients,
        rate: args.rate,
        warm_up: Duration::from_secs(args.warm_up.into()),
        measured: Duration::from_secs(args.seconds.into()),
    };
    let before = (model.figures().await?, server.figures().await?);
    let done = load::play(&plan).await?;
    let after = (model.figures().await?, server.figures().await?);
    server.end().await?;
    let store = Store::open_existing(&url).await?;
    let agreement = verify::agree(&store, &done.told).await;
    store.close().await;
    Ok(Run::new(&plan, &done, agreement?, &before, &after))
}
