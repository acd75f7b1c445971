//! Many worlds on several threads, counted.

#![cfg(test)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::world::{self, Plan, Wrong};

/// Worlds that share a database; then a fresh one is opened, so that memory stays small.
const SHARED: u64 = 200;

/// Results of many worlds.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Worlds.
    pub worlds: u64,
    /// Turns.
    pub turns: u64,
    /// Honest turns whose outcome is known.
    pub honest: u64,
    /// How often each kind of wrong was found: in how many turns.
    pub wrong: BTreeMap<Wrong, u64>,
    /// The first findings, each with its seed and its world in words.
    pub findings: Vec<(u64, String)>,
}

/// Findings that are kept in words.
const KEPT: usize = 20;

impl Tally {
    /// How many turns were wrong in this way.
    pub fn count(&self, kind: Wrong) -> u64 {
        self.wrong.get(&kind).copied().unwrap_or_default()
    }

    /// Tells whether something false got out, something unasked happened, or something broke.
    pub fn is_broken(&self) -> bool {
        self.wrong.keys().any(|kind| *kind != Wrong::Refused) || self.refused_share() > 0.005
    }

    /// Returns the share of the honest turns that was refused.
    pub fn refused_share(&self) -> f64 {
        if self.honest == 0 {
            return 0.0;
        }
        self.count(Wrong::Refused) as f64 / self.honest as f64
    }

    /// One line.
    pub fn summary(&self) -> String {
        format!(
            "{} turns in {} worlds: {} ghosts, {} unlicensed, {} lost, {} panics; {} of {} honest turns refused ({:.3} %)",
            self.turns,
            self.worlds,
            self.count(Wrong::Ghost),
            self.count(Wrong::Unlicensed),
            self.count(Wrong::Lost),
            self.count(Wrong::Panic),
            self.count(Wrong::Refused),
            self.honest,
            100.0 * self.refused_share(),
        )
    }

    fn add(&mut self, seed: u64, played: &world::Played) {
        self.worlds += 1;
        self.turns += played.turns;
        self.honest += played.honest;
        let mut seen = Vec::new();
        for (number, kind, _) in &played.wrong {
            if !seen.contains(&(*number, *kind)) {
                seen.push((*number, *kind));
                *self.wrong.entry(*kind).or_default() += 1;
            }
        }
        let refused = played
            .wrong
            .iter()
            .all(|(_, kind, _)| *kind == Wrong::Refused);
        // What is wrong for certain is kept before what was only refused.
        let room = if refused { KEPT / 2 } else { KEPT };
        if !played.wrong.is_empty() && self.findings.len() < room {
            let wrong = played
                .wrong
                .iter()
                .map(|(number, kind, why)| format!("  {kind:?} in turn {number}: {why}\n"));
            let wrong: String = wrong.collect();
            self.findings
                .push((seed, format!("{}{wrong}", played.story)));
        }
    }
}

/// How long it goes on.
#[derive(Debug, Clone, Copy)]
pub struct Until {
    /// The world that is not played any more, however many threads play.
    pub seed: u64,
    /// So many turns, or a few more: worlds are played to their end.
    pub turns: u64,
}

/// Plays the worlds of `seed`, `seed + 1` …, until it is enough, or `goes_on`, which is told
/// after each world how things stand, says no.
pub fn run(
    seed: u64,
    until: Until,
    threads: usize,
    plan: &Plan,
    goes_on: &(dyn Fn(&Tally) -> bool + Sync),
) -> Tally {
    let next = AtomicU64::new(seed);
    let tally = Mutex::new(Tally::default());
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_time()
                    .build()
                    .unwrap();
                runtime.block_on(async {
                    let mut store = world::database().await;
                    for played in 1.. {
                        let seed = next.fetch_add(1, Ordering::SeqCst);
                        let enough = seed >= until.seed || lock(&tally).turns >= until.turns;
                        if enough || over.load(Ordering::SeqCst) {
                            break;
                        }
                        let mut world = world::play(&store, seed, plan, false).await;
                        if !world.wrong.is_empty() && lock(&tally).findings.len() < KEPT {
                            // The same once more, in words.
                            let other = world::database().await;
                            world.story = world::play(&other, seed, plan, true).await.story;
                            other.close().await;
                        }
                        {
                            let mut tally = lock(&tally);
                            tally.add(seed, &world);
                            if !goes_on(&tally) {
                                over.store(true, Ordering::SeqCst);
                            }
                        }
                        if played % SHARED == 0 {
                            store.close().await;
                            store = world::database().await;
                        }
                    }
                    store.close().await;
                });
            });
        }
    });
    tally.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn lock(tally: &Mutex<Tally>) -> std::sync::MutexGuard<'_, Tally> {
    tally.lock().unwrap_or_else(PoisonError::into_inner)
}
