//! The crash harnesses as a command, for as many kills as you have time for:
//!
//! ```sh
//! cargo test --release --test crash-loop -- kill --times 1000 --seed 7
//! cargo test --release --test crash-loop -- power --times 1000
//! cargo test --release --test crash-loop -- replicas --times 100
//! cargo test --release --test crash-loop -- postmaster --times 100
//! cargo test --release --test crash-loop -- replicas --reminders 10000
//! ```
//!
//! Exit status 1 when a promise was broken; each finding names the seed of its world. A seed
//! decides what is asked for and when something dies; what the processes do in that moment is
//! the machine's.

#![cfg(test)]

#[path = "mod.rs"]
mod crash;
#[path = "../support/openai.rs"]
mod openai;
#[path = "../support/server.rs"]
mod server;
#[path = "../support/shim.rs"]
mod shim;

use std::cell::Cell;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use crash::finding::Tally;
use crash::reminders::{self, ReminderPlan};
use crash::site::Victim;
use crash::world::{Plan, Turns, run};

/// Kills loaded servers and holds what is left against what they had answered.
#[derive(Debug, Parser)]
#[command(name = "crash")]
struct Options {
    /// Target of the kills.
    what: What,
    /// How many kills.
    #[arg(long, visible_alias = "kills", default_value_t = 100)]
    times: u64,
    /// The seed of the first world; the next one has the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kind of the turns.
    #[arg(long, value_enum, default_value_t = Turns::Plain)]
    turns: Turns,
    /// Builds a bug into the servers: early-answer, key-apart or normal-sync.
    #[arg(long)]
    planted: Option<String>,
    /// Sets so many reminders instead, and kills every second until they are due; marked-first is a
    /// bug to plant then.
    #[arg(long, conflicts_with_all = ["times", "turns"])]
    reminders: Option<usize>,
    /// Most seconds from the setting of a reminder until it is due.
    #[arg(long, default_value_t = 30, requires = "reminders")]
    seconds: usize,
    /// Milliseconds that the webhook takes to answer.
    #[arg(long, default_value_t = 100, requires = "reminders")]
    answer_ms: u64,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// The one process over a SQLite file.
    Kill,
    /// The same, with a disk that forgets what was not synced.
    Power,
    /// One of three processes over one PostgreSQL.
    Replicas,
    /// PostgreSQL under three processes.
    Postmaster,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let victim = match options.what {
        What::Kill => Victim::Process,
        What::Power => Victim::Power,
        What::Replicas => Victim::Replica,
        What::Postmaster => Victim::Postmaster,
    };
    let bug = options.planted.map(|bug| &*bug.leak());
    if let Some(reminders) = options.reminders {
        return remind(&ReminderPlan {
            victim,
            bug,
            reminders,
            seconds: options.seconds,
            answer: Duration::from_millis(options.answer_ms),
            seed: options.seed,
        });
    }
    let plan = Plan {
        victim,
        turns: options.turns,
        bug,
        kills: options.times,
        seed: options.seed,
    };
    let began = Instant::now();
    let told = Cell::new(0);
    let progress = |tally: &Tally| {
        if tally.worlds > 0 {
            eprintln!(
                "{:.0} s: {}",
                began.elapsed().as_secs_f64(),
                tally.summary()
            );
        }
        for (seed, finding) in tally.findings.iter().skip(told.get()) {
            println!("--- seed {seed}: {finding}");
        }
        told.set(tally.findings.len());
        // One broken world is enough to look into.
        !tally.findings.is_empty()
    };
    let tally = runtime().block_on(run(&plan, &progress));
    progress(&tally);
    println!(
        "{:?}, seed {}, {:.0} s: {}",
        options.what,
        options.seed,
        began.elapsed().as_secs_f64(),
        tally.summary()
    );
    ExitCode::from(u8::from(!tally.findings.is_empty()))
}

fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.enable_all().build().unwrap()
}

/// Plays a run with reminders, and sums it up.
fn remind(plan: &ReminderPlan) -> ExitCode {
    let began = Instant::now();
    let tally = runtime().block_on(reminders::run(plan));
    for finding in &tally.findings {
        println!("--- {finding}");
    }
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{:?}, seed {}, {seconds:.0} s: {tally}",
        plan.victim, plan.seed
    );
    ExitCode::from(u8::from(!tally.findings.is_empty()))
}
