//! Many clients at once: each number of them in turn, with one build or two.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::floor;
use super::load::{self, Plan};
use super::processes::ModelProcess;
use super::report::{self, Report, Run};
use super::stage::Ground;
use super::{BenchArgs, own};

/// Measures, and says whether every reply and every row was right.
pub(super) async fn run(
    own: &Path,
    database: Option<&str>,
    args: &BenchArgs,
    out: &mut impl Write,
) -> Result<bool> {
    let binaries = match &args.against {
        None => vec![own],
        Some(other) => vec![own, other, own, other],
    };
    let mut report = Report::default();
    for clients in &args.clients {
        let floor = floor::measure(own, database, *clients).await;
        let floor = floor.context("the floor")?;
        if !args.json {
            floor::line(out, &floor)?;
        }
        report.stand_on(floor);
        for (round, server) in binaries.iter().enumerate() {
            let name = if round % 2 == 0 { "A" } else { "B" };
            let run = one((own, server), database, *clients, args).await;
            let run =
                run.with_context(|| format!("{} with {clients} clients", server.display()))?;
            if !args.json {
                report::line(out, name, &run)?;
            }
            report.push(name, run);
        }
    }
    if args.json {
        super::json(out, &report)?;
    } else {
        report.compare(out)?;
    }
    Ok(report.sound())
}

async fn one(
    (own_build, server): (&Path, &Path),
    database: Option<&str>,
    clients: u16,
    args: &BenchArgs,
) -> Result<Run> {
    let ground = Ground::new(database).await?;
    let stage = ground
        .serve(server, ModelProcess::start(own_build)?)
        .await?;
    let plan = Plan {
        address: stage.server.address,
        rate: args.rate,
        warm_up: Duration::from_secs(args.warm_up.into()),
        measured: Duration::from_secs(args.seconds.into()),
    };
    // Users of this run alone, so that a database that holds others can be used.
    let prefix = own("bench");
    let talks = load::users(&prefix, clients.into())?;
    let before = stage.figures().await?;
    let done = load::play(&plan, talks).await?;
    let after = stage.figures().await?;
    let ground = stage.strike().await?;
    let agreement = ground.agree(&done.talks).await?;
    let disk = ground.grown();
    Ok(Run::new(&plan, &done, agreement, (before, after), disk))
}
