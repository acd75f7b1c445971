//! The binary: reads the command line, runs it, and says in one line why it could not.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use candor::app::{self, cli::Cli};
use candor::config::ConfigError;
use candor::eval::BadInput;
use clap::Parser;

/// A turn makes some thousand small strings, and the allocator of the C library is a seventh of
/// its cost.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit status for a wrong command line, variable or input file, as `clap` uses it.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let ended = match runtime {
        Ok(runtime) => {
            let ended = runtime.block_on(app::run(cli));
            // A thread that still waits for a line of the terminal must not hold up the end.
            runtime.shutdown_timeout(Duration::from_secs(1));
            ended
        }
        Err(error) => Err(error.into()),
    };
    ended.unwrap_or_else(|error| {
        let usage = error.is::<ConfigError>() || error.is::<BadInput>();
        // There is nobody left to tell when even this can't be written.
        let _ = writeln!(std::io::stderr(), "candor: {error:#}");
        if usage {
            ExitCode::from(USAGE)
        } else {
            ExitCode::FAILURE
        }
    })
}
