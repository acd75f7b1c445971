//! Longer and harder runs than `candor bench` has, each to see whether something holds:
//!
//! ```sh
//! cargo bench --bench endurance -- soak 20000
//! cargo bench --bench endurance -- contention
//! cargo bench --bench endurance -- large-data --tasks 1000 --events 5000
//! cargo bench --bench endurance -- reminders --waiting 10000
//! ```
//!
//! Exit status 1 when it doesn't hold.

#[expect(
    dead_code,
    unused_imports,
    reason = "a target without a harness leaves tests out, and not what they need; \
              `tests/operate/endurance.rs` has the same files with their tests"
)]
#[path = "mod.rs"]
mod endurance;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use endurance::{Measuring, Run};

/// Plays long and hard runs against the real server, and sees whether something holds.
#[derive(Debug, Parser)]
#[command(name = "endurance")]
struct Options {
    /// Benchmark to play; nothing, when all benchmarks are run one after the other
    #[command(subcommand)]
    run: Option<Run>,
    #[command(flatten)]
    measuring: Measuring,
    /// The build to measure
    #[arg(long, global = true, value_name = "BINARY", default_value = env!("CARGO_BIN_EXE_candor"))]
    server: PathBuf,
    /// Set by `cargo bench` for each benchmark
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let options = Options::parse();
    let Some(run) = options.run else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut out = io::stdout();
    let sound = endurance::run(&options.server, &run, &options.measuring, &mut out).await?;
    Ok(ExitCode::from(u8::from(!sound)))
}
