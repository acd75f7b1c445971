//! The simulator as a command, for as many turns as you have time for:
//!
//! ```sh
//! cargo test --release --test simulate -- --turns 1000000
//! cargo test --release --test simulate -- --seed 4711 --turns 1 --story   # one world, in words
//! ```
//!
//! Exit status 1 when a finding is made; each names the seed that replays it.

#![cfg(test)]

#[path = "mod.rs"]
mod simulator;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use simulator::run::{Tally, Until, run};
use simulator::world::Plan;

/// Plays seeded worlds of hostile turns and judges every one of them.
#[derive(Debug, Parser)]
#[command(name = "simulate")]
struct Options {
    /// Worlds are begun until so many turns are played.
    #[arg(long, default_value_t = 100_000)]
    turns: u64,
    /// The seed of the first world; the next one has the next number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Worlds at once; as many as there are processors unless said.
    #[arg(long)]
    threads: Option<usize>,
    /// Tells the one world of `--seed` in words, whatever comes of it.
    #[arg(long)]
    story: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let began = Instant::now();
    if options.story {
        return story(options.seed);
    }
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or_else(processors);
    let rate = |tally: &Tally| tally.turns as f64 / began.elapsed().as_secs_f64();
    let told = std::sync::atomic::AtomicUsize::new(0);
    let progress = |tally: &Tally| {
        // A finding is worth knowing before the last world has ended.
        let found = tally.findings.len();
        let before = told.swap(found, std::sync::atomic::Ordering::Relaxed);
        for (seed, _) in tally.findings.iter().skip(before) {
            eprintln!("a finding at seed {seed}");
        }
        if tally.worlds.is_multiple_of(1_000) {
            eprintln!("{} ({:.0}/s)", tally.summary(), rate(tally));
        }
        true
    };
    let tally = run(
        options.seed,
        Until {
            seed: u64::MAX,
            turns: options.turns,
        },
        threads,
        &Plan::SOUND,
        &progress,
    );
    for (seed, words) in &tally.findings {
        println!(
            "--- seed {seed}\n{words}replay: cargo test --release --test simulate -- --seed {seed} --story\n"
        );
    }
    println!("{}, {:.0}/s", tally.summary(), rate(&tally));
    ExitCode::from(u8::from(tally.is_broken()))
}

fn story(seed: u64) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let played = runtime.block_on(async {
        let store = simulator::world::database().await;
        simulator::world::play(&store, seed, &Plan::SOUND, true).await
    });
    print!("{}", played.story);
    for (number, kind, why) in &played.wrong {
        println!("  {kind:?} in turn {number}: {why}");
    }
    ExitCode::from(u8::from(!played.wrong.is_empty()))
}
