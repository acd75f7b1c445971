//! A soak: many turns of many users, and what is left of memory, disk and log.
//!
//! Each client speaks for one of its users after another, for a conversation of five rounds; there
//! are more users than the server remembers, so that it forgets and reads again. What a round
//! adds it deletes, so that lists stay short while the database grows.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use candor::app::bench::client::Client;
use candor::app::bench::load::{self, Pace};
use candor::app::bench::processes::ModelProcess;
use candor::app::bench::report::{Latency, verdict};
use candor::app::bench::stage::{Ground, Stage};
use candor::app::bench::talk::{ROUND, Talk, Times};
use candor::app::bench::verify::Agreement;
use candor::app::bench::{json, own};
use clap::Args;
use serde::Serialize;
use tokio::task::JoinSet;

use super::memory::{FLAT, Memory, Sample, Spread};
use super::{Measuring, ProgressLine};

/// `endurance soak`.
#[derive(Debug, Args)]
pub struct SoakArgs {
    /// How many turns are played
    #[arg(default_value = "1000000", value_parser = clap::value_parser!(u64).range(4..))]
    turns: u64,
    /// Users that they come from
    #[arg(long, value_name = "N", default_value = "2000",
        value_parser = clap::value_parser!(u32).range(1..))]
    users: u32,
    /// How many clients talk at once
    #[arg(long, value_name = "N", default_value = "16",
        value_parser = clap::value_parser!(u16).range(1..))]
    clients: u16,
    /// Turns per second, sent whether or not earlier ones were answered; without it every client
    /// sends its next turn when it has its reply
    #[arg(long, value_name = "TURNS")]
    rate: Option<u32>,
}

/// Turns of a conversation, after which another user has the word.
const SESSION: u64 = 5 * ROUND;

/// Number of looks at memory, and the shortest time between two.
const SAMPLES: u64 = 400;
const LOOK: Duration = Duration::from_millis(5);

/// Outcome of a soak.
#[derive(Debug, Serialize)]
struct Soaked {
    turns: u64,
    users: usize,
    clients: usize,
    rate: Option<u32>,
    seconds: f64,
    turns_per_second: f64,
    /// Replies that were not as expected, errors among them.
    wrong_replies: u64,
    agreement: Agreement,
    quarters: Vec<Quarter>,
    memory: Memory,
    commits_per_turn: f64,
    statements_per_turn: f64,
    model_calls_per_turn: f64,
    /// None where the database held others' before.
    events_per_turn: Option<f64>,
    /// Bytes that the database's file grew by, its log and the tree of all events included.
    disk_bytes_per_turn: Option<f64>,
    /// Time in which the tree of all events took in what it lacked at the end.
    tree_caught_up_seconds: f64,
    chain: Chain,
    sound: bool,
}

#[derive(Debug, Serialize)]
struct Quarter {
    memory_mb: Spread,
    #[serde(flatten)]
    latency: Latency,
}

/// Verdict of `candor audit verify`.
#[derive(Debug, Serialize)]
struct Chain {
    holds: bool,
    last_line: String,
    seconds: f64,
}

/// Checks that nothing is wrong with what a soak leaves.
fn judge(wrong_replies: u64, agreement: Agreement, chain: bool, memory: &Memory) -> bool {
    wrong_replies == 0 && agreement.holds() && chain && memory.is_flat()
}

/// Plays `turns` turns, and says whether all of it holds.
pub async fn run(
    server: &Path,
    args: &SoakArgs,
    measuring: &Measuring,
    out: &mut impl Write,
) -> Result<bool> {
    let turns = args.turns;
    let database = measuring.database.as_deref();
    let ground = Ground::new(database).await?;
    let stage = ground.serve(server, ModelProcess::start(server)?).await?;
    let prefix = own("soak");
    let users = usize::try_from(args.users)?;
    let clients = usize::from(args.clients).min(users);
    let before = stage.figures().await?;
    let began = Instant::now();
    let talks = load::users(&prefix, users)?;
    let played = play(&stage, talks, (turns, clients), args.rate).await?;
    let seconds = began.elapsed().as_secs_f64();
    let after = stage.figures().await?;
    let ground = stage.strike().await?;
    let progress = ProgressLine::new();
    progress.tell("verifying the log");
    let began = Instant::now();
    let (holds, last_line) = verified(server, &ground.url)?;
    let chain = Chain {
        holds,
        last_line,
        seconds: began.elapsed().as_secs_f64(),
    };
    progress.tell("holding receipts against replies");
    let agreement = ground.agree(&played.talks).await?;
    let store = ground.store().await?;
    let began = Instant::now();
    let events = store.audit_tree().await?.size;
    let tree_caught_up_seconds = began.elapsed().as_secs_f64();
    store.close().await;
    progress.clear();
    let all = turns as f64;
    let memory = Memory::of(turns, &played.samples);
    let quarters = played.quarters.iter().zip(memory.quarters);
    let wrong_replies = played.talks.iter().map(|talk| talk.wrong).sum();
    let soaked = Soaked {
        turns,
        users,
        clients,
        rate: args.rate,
        seconds,
        turns_per_second: all / seconds,
        wrong_replies,
        agreement,
        quarters: quarters
            .map(|(times, memory_mb)| Quarter {
                memory_mb,
                latency: Latency::of(times),
            })
            .collect(),
        memory,
        commits_per_turn: (after.server.commits - before.server.commits) / all,
        statements_per_turn: (after.server.statements - before.server.statements) / all,
        model_calls_per_turn: (after.model.calls - before.model.calls) as f64 / all,
        events_per_turn: database.is_none().then(|| events as f64 / all),
        disk_bytes_per_turn: ground.grown().map(|bytes| bytes as f64 / all),
        tree_caught_up_seconds,
        sound: judge(wrong_replies, agreement, chain.holds, &memory),
        chain,
    };
    if measuring.json {
        json(out, &soaked)?;
    } else {
        tell(&soaked, out)?;
    }
    Ok(soaked.sound)
}

/// Lets the program's own verifier check the whole log: its verdict, and its words.
fn verified(binary: &Path, url: &str) -> Result<(bool, String)> {
    let mut command = Command::new(binary);
    command.args(["audit", "verify", "--database", url]);
    let ran = command.env_clear().output()?;
    let words = [ran.stdout, ran.stderr].concat();
    let words = String::from_utf8_lossy(&words);
    let fault = words.lines().find(|line| line.contains("BROKEN"));
    let last = fault.or(words.lines().last()).unwrap_or_default();
    Ok((ran.status.success(), last.to_owned()))
}

struct Played {
    talks: Vec<Talk>,
    /// Times of turns in each quarter of the turns.
    quarters: [Times; 4],
    samples: Vec<Sample>,
}

/// Progress of all clients together.
struct Course {
    turns: u64,
    given: AtomicU64,
    done: AtomicU64,
    quarters: Mutex<[Times; 4]>,
}

impl Course {
    /// The number of a turn that is still to be played.
    fn take(&self) -> Option<u64> {
        let number = self.given.fetch_add(1, Ordering::Relaxed);
        (number < self.turns).then_some(number)
    }
}

async fn play(
    stage: &Stage,
    talks: Vec<Talk>,
    (turns, clients): (u64, usize),
    rate: Option<u32>,
) -> Result<Played> {
    let course = Arc::new(Course {
        turns,
        given: AtomicU64::new(0),
        done: AtomicU64::new(0),
        quarters: Mutex::new([Times::new()?, Times::new()?, Times::new()?, Times::new()?]),
    });
    let mut shares: Vec<Vec<Talk>> = (0..clients).map(|_| Vec::new()).collect();
    for (number, talk) in talks.into_iter().enumerate() {
        if let Some(share) = shares.get_mut(number % clients) {
            share.push(talk);
        }
    }
    let began = Instant::now();
    let mut playing = JoinSet::new();
    for (number, share) in shares.into_iter().enumerate() {
        let client = Client::connect(stage.server.address).await?;
        let pace = Pace::of(began, rate, number, clients);
        playing.spawn(client_of(share, client, pace, Arc::clone(&course)));
    }
    let mut samples = Vec::new();
    let progress = ProgressLine::new();
    let mut shares = Vec::new();
    let mut next = 0;
    loop {
        let ended = tokio::time::timeout(LOOK, playing.join_next()).await;
        match ended {
            Ok(Some(share)) => shares.extend(share??),
            Ok(None) => break,
            Err(_) => {}
        }
        let done = course.done.load(Ordering::Relaxed);
        if done < next {
            continue;
        }
        let memory = stage.figures().await?.server.memory;
        samples.push(Sample {
            turns: done,
            memory,
        });
        next = done + (turns / SAMPLES).max(1);
        let rate = done as f64 / began.elapsed().as_secs_f64();
        progress.tell(&format!(
            "{done} of {turns} turns, {rate:.0}/s, {:.0} MB",
            memory / 1e6
        ));
    }
    progress.clear();
    let quarters = course.quarters.lock();
    let quarters = quarters.unwrap_or_else(PoisonError::into_inner).clone();
    Ok(Played {
        talks: shares,
        quarters,
        samples,
    })
}

async fn client_of(
    mut share: Vec<Talk>,
    mut client: Client,
    mut pace: Pace,
    course: Arc<Course>,
) -> Result<Vec<Talk>> {
    loop {
        for talk in &mut share {
            for _ in 0..SESSION {
                let Some(number) = course.take() else {
                    return Ok(share);
                };
                let due = pace.due().await;
                let took = talk.turn(&mut client, due).await?;
                course.done.fetch_add(1, Ordering::Relaxed);
                let quarter = usize::try_from(number * 4 / course.turns)?;
                let mut quarters = course.quarters.lock();
                let quarters = quarters
                    .as_mut()
                    .map_err(|_| anyhow::anyhow!("a client died"))?;
                if let (Some(took), Some(times)) = (took, quarters.get_mut(quarter)) {
                    times.record(took);
                }
            }
            // The next conversation is a new one.
            talk.conversation = None;
        }
    }
}

fn tell(soaked: &Soaked, out: &mut impl Write) -> Result<()> {
    let Soaked {
        turns,
        users,
        clients,
        memory,
        chain,
        ..
    } = soaked;
    writeln!(
        out,
        "{turns} turns of {users} users by {clients} clients in {:.0} s: {:.0} turns/s",
        soaked.seconds, soaked.turns_per_second
    )?;
    for (number, quarter) in soaked.quarters.iter().enumerate() {
        writeln!(
            out,
            "   quarter {}: memory {:.1} MB, at most {:.1}; whole {}  own {}",
            number + 1,
            quarter.memory_mb.median,
            quarter.memory_mb.max,
            quarter.latency.whole_ms,
            quarter.latency.own_ms
        )?;
    }
    let flat = if memory.is_flat() { "flat" } else { "NOT FLAT" };
    match memory.ratio {
        Some(ratio) => writeln!(
            out,
            "   memory {flat}: the last quarter has {ratio:.3} × the second's (at most {FLAT})"
        )?,
        None => writeln!(out, "   memory {flat}: the system does not tell it")?,
    }
    let disk = soaked.disk_bytes_per_turn;
    let disk = disk.map_or("unknown".to_owned(), |bytes| format!("{bytes:.0} bytes"));
    let events = soaked.events_per_turn;
    let events = events.map_or(String::new(), |events| format!("{events:.2} events, "));
    writeln!(
        out,
        "   a turn: {disk} on disk, {events}{:.2} commits, {:.2} statements, {:.2} questions \
         to the model",
        soaked.commits_per_turn, soaked.statements_per_turn, soaked.model_calls_per_turn
    )?;
    let holds = if chain.holds { "whole" } else { "BROKEN" };
    writeln!(
        out,
        "   log {holds}, verified in {:.1} s: {}; its tree caught up in {:.1} s",
        chain.seconds, chain.last_line, soaked.tree_caught_up_seconds
    )?;
    verdict(out, *turns, soaked.wrong_replies, soaked.agreement)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(of_turn: fn(u64) -> f64) -> Memory {
        let samples = (0..100).map(|turns| Sample {
            turns,
            memory: of_turn(turns),
        });
        Memory::of(100, &samples.collect::<Vec<_>>())
    }

    #[test]
    fn a_verifier_that_complains_is_heard() {
        // Programs that ignore what they are told, and say that all is well, or that it isn't.
        let check = |binary: &str| verified(Path::new(binary), "sqlite:x.db").unwrap().0;
        assert!(check("true"));
        assert!(!check("false"));
    }

    #[test]
    fn each_fault_alone_spoils_a_soak() {
        let flat = memory(|_| 7e7);
        let leaking = memory(|turns| 7e7 + turns as f64 * 1e6);
        let (all, none) = (Agreement::default(), 0);
        let lost = Agreement { lost: 1, ..all };
        assert!(judge(none, all, true, &flat));
        assert!(!judge(1, all, true, &flat));
        assert!(!judge(none, lost, true, &flat));
        assert!(!judge(none, all, false, &flat));
        assert!(!judge(none, all, true, &leaking));
    }
}
