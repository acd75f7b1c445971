//! The cost of a turn as everything grows: a user with a long list and a long conversation in a
//! database full of others', beside a user with ten tasks in an empty one.
//!
//! All of it is made by the program itself: lists are imported, conversations held. The databases
//! are served at the same time, and measured in turn by one client that talks in a loop.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use candor::app::bench::client::Client;
use candor::app::bench::load::{self, Plan};
use candor::app::bench::processes::ModelProcess;
use candor::app::bench::report::{Latency, verdict};
use candor::app::bench::stage::{Ground, Stage};
use candor::app::bench::talk::{ROUND, Talk, Times};
use candor::app::bench::verify::{self, Agreement};
use candor::app::bench::{json, own};
use candor::domain::UserId;
use candor::store::Store;
use clap::Args;
use serde::Serialize;

use super::filling::Filling;
use super::{Measuring, ProgressLine, Rounds};

/// `endurance large-data`.
#[derive(Debug, Args)]
pub struct LargeDataArgs {
    /// Tasks of the user that is measured
    #[arg(long, value_name = "N", default_value = "100000")]
    tasks: u32,
    /// Lines in that user's conversation
    #[arg(long, value_name = "N", default_value = "10000")]
    messages: u32,
    /// Users that the database holds besides
    #[arg(long, value_name = "N", default_value = "100000",
        value_parser = clap::value_parser!(u32).range(1..))]
    users: u32,
    /// Audit events of the other users
    #[arg(long, value_name = "N", default_value = "2000000")]
    events: u32,
    #[command(flatten)]
    rounds: Rounds,
}

/// Factor by which a turn may cost more, and the model be sent.
const WITHIN: f64 = 1.5;

/// Tasks of the users that the one who has much is held against.
const FEW: u32 = 10;
const SOME: u32 = 50;

/// Outcome of the run.
#[derive(Debug, Serialize)]
struct LargeData {
    tasks: u32,
    messages: u32,
    users: u32,
    /// Of everybody.
    events: u64,
    filled_seconds: f64,
    /// The first turn of a user who was not remembered.
    first_turn_ms: f64,
    measured: Vec<Measured>,
    verdict: Verdict,
    wrong_replies: u64,
    agreement: Agreement,
    server_memory_mb: f64,
    sound: bool,
}

/// One user.
#[derive(Debug, Clone, Serialize)]
struct Measured {
    who: String,
    #[serde(flatten)]
    latency: Latency,
    model_bytes_per_turn: f64,
}

/// Comparison of the one who has much.
#[derive(Debug, Clone, Copy, Serialize)]
struct Verdict {
    /// Own part at the median and at 99 %, by that with ten tasks in an empty database.
    own_p50_ratio: f64,
    own_p99_ratio: f64,
    /// Bytes to the model, by those with fifty tasks.
    prompt_ratio: f64,
    holds: bool,
}

impl Verdict {
    fn of(few: &Measured, some: &Measured, much: &Measured) -> Self {
        let own = |it: &Measured| it.latency.own_ms;
        let mut verdict = Self {
            own_p50_ratio: own(much).p50 / own(few).p50,
            own_p99_ratio: own(much).p99 / own(few).p99,
            prompt_ratio: much.model_bytes_per_turn / some.model_bytes_per_turn,
            holds: false,
        };
        let ratios = [
            verdict.own_p50_ratio,
            verdict.own_p99_ratio,
            verdict.prompt_ratio,
        ];
        verdict.holds = ratios.into_iter().all(|ratio| ratio <= WITHIN);
        verdict
    }
}

/// Somebody who talks to one of the servers.
struct Person<'a> {
    who: String,
    stage: &'a Stage,
    talks: Vec<Talk>,
    times: Times,
    bytes: u64,
    turns: u64,
}

impl<'a> Person<'a> {
    fn new(who: String, stage: &'a Stage, talk: Talk) -> Result<Self> {
        Ok(Self {
            who,
            stage,
            talks: vec![talk],
            times: Times::new()?,
            bytes: 0,
            turns: 0,
        })
    }

    async fn measure(&mut self, plan: &Plan) -> Result<()> {
        let address = self.stage.server.address;
        let before = self.stage.figures().await?.model.bytes;
        let talks = std::mem::take(&mut self.talks);
        let done = load::play(&Plan { address, ..*plan }, talks).await?;
        self.bytes += self.stage.figures().await?.model.bytes - before;
        self.turns += done.all;
        self.times.add(&done.times)?;
        self.talks = done.talks;
        Ok(())
    }

    fn measured(&self) -> Measured {
        Measured {
            who: self.who.clone(),
            latency: Latency::of(&self.times),
            model_bytes_per_turn: self.bytes as f64 / self.turns.max(1) as f64,
        }
    }
}

/// Fills, measures, and says whether a turn costs the same.
pub async fn run(
    server: &Path,
    args: &LargeDataArgs,
    measuring: &Measuring,
    out: &mut impl Write,
) -> Result<bool> {
    let progress = ProgressLine::new();
    let began = Instant::now();
    let prefix = own("large");
    let user = |name: &str| {
        let user = UserId::parse(&format!("{prefix}-{name}"));
        user.map_err(|error| anyhow!("{error}"))
    };
    let users = args.users;

    let empty = Ground::new(None).await?;
    let store = empty.store().await?;
    let few = lists(&store, &[(user("few")?, FEW)], &progress).await?;
    store.close().await;
    let full = Ground::new(measuring.database.as_deref()).await?;
    let store = full.store().await?;
    let filling = Filling::of(&store);
    let crowd = format!("{prefix}-other");
    filling
        .crowd(&crowd, (users, args.events), &progress)
        .await?;
    let people = [
        (user("few")?, FEW),
        (user("some")?, SOME),
        (user("much")?, args.tasks),
    ];
    let talks = lists(&store, &people, &progress).await?;
    progress.tell("growing the log's tree");
    let events = store.audit_tree().await?.size;
    store.close().await;

    let empty = empty.serve(server, ModelProcess::start(server)?).await?;
    let full = full.serve(server, ModelProcess::start(server)?).await?;
    let mut talks = few.into_iter().chain(talks);
    let mut next = || talks.next().context("somebody is missing");
    let (alone, few, some, mut much) = (next()?, next()?, next()?, next()?);
    let first_turn_ms = talk_long(&mut much, &full, args.messages, &progress).await?;
    let filled_seconds = began.elapsed().as_secs_f64();
    let tasks = args.tasks;
    let messages = much.turns * 2;
    let mut people = vec![
        Person::new(format!("{FEW} tasks, in an empty database"), &empty, alone)?,
        Person::new(format!("{FEW} tasks, in the full one"), &full, few)?,
        Person::new(format!("{SOME} tasks, in the full one"), &full, some)?,
        Person::new(
            format!("{tasks} tasks and {messages} messages"),
            &full,
            much,
        )?,
    ];
    let plan = Plan {
        address: empty.server.address,
        rate: None,
        warm_up: Duration::from_secs(args.rounds.warm_up.into()),
        measured: Duration::from_secs(args.rounds.seconds.into()),
    };
    for round in 1..=args.rounds.rounds {
        for person in &mut people {
            progress.tell(&format!("round {round}: {}", person.who));
            person.measure(&plan).await?;
        }
    }
    progress.clear();
    let measured: Vec<Measured> = people.iter().map(Person::measured).collect();
    let [few, _, some, much] = measured.as_slice() else {
        anyhow::bail!("somebody is missing");
    };
    let verdict = Verdict::of(few, some, much);
    let mut talks = people.into_iter().flat_map(|person| person.talks);
    let (alone, in_full) = (talks.next(), talks.collect::<Vec<_>>());
    let memory = full.figures().await?.server.memory;
    let (empty, full) = (empty.strike().await?, full.strike().await?);
    let alone: Vec<Talk> = alone.into_iter().collect();
    let agreement = empty.agree(&alone).await?;
    let agreement = both(agreement, full.agree(&in_full).await?);
    let wrong = alone.iter().chain(&in_full).map(|talk| talk.wrong).sum();
    let large = LargeData {
        tasks,
        messages: args.messages,
        users,
        events,
        filled_seconds,
        first_turn_ms,
        verdict,
        measured,
        wrong_replies: wrong,
        agreement,
        server_memory_mb: memory / 1e6,
        sound: verdict.holds && wrong == 0 && agreement.holds(),
    };
    if measuring.json {
        json(out, &large)?;
    } else {
        let turns = alone.iter().chain(&in_full).map(|talk| talk.turns).sum();
        tell(&large, turns, out)?;
    }
    Ok(large.sound)
}

/// The agreement in two databases.
const fn both(one: Agreement, other: Agreement) -> Agreement {
    Agreement {
        receipts: one.receipts + other.receipts,
        lost: one.lost + other.lost,
        untold: one.untold + other.untold,
        doubled: one.doubled + other.doubled,
        uneven: one.uneven + other.uneven,
    }
}

/// Gives each of these users a list, and says what they were told by that.
async fn lists(
    store: &Store,
    people: &[(UserId, u32)],
    progress: &ProgressLine,
) -> Result<Vec<Talk>> {
    let filling = Filling::of(store);
    let mut talks = Vec::new();
    for (user, tasks) in people {
        filling.list(user, *tasks, progress).await?;
        talks.push(Talk {
            told: verify::standing(store, user).await?,
            conversation: None,
            turns: 0,
            wrong: 0,
        });
    }
    Ok(talks)
}

/// Holds a conversation until it has so many lines, and gives what its first turn took, in ms.
async fn talk_long(
    talk: &mut Talk,
    stage: &Stage,
    lines: u32,
    progress: &ProgressLine,
) -> Result<f64> {
    let mut client = Client::connect(stage.server.address).await?;
    let mut first = 0.0;
    // Whole rounds, so that nothing of them stays on the list.
    let turns = u64::from(lines).div_ceil(2).next_multiple_of(ROUND);
    for turn in 0..turns {
        let took = talk.turn(&mut client, Instant::now()).await?;
        if let Some(took) = took.filter(|_| turn == 0) {
            first = took.whole.as_secs_f64() * 1e3;
        }
        if turn % 100 == 0 {
            progress.tell(&format!("{} of {lines} lines", turn * 2));
        }
    }
    Ok(first)
}

fn tell(large: &LargeData, turns: u64, out: &mut impl Write) -> Result<()> {
    let LargeData {
        users,
        events,
        verdict: found,
        ..
    } = large;
    writeln!(
        out,
        "{users} other users and {events} audit events, filled in {:.0} s; {:.0} MB",
        large.filled_seconds, large.server_memory_mb
    )?;
    for it in &large.measured {
        writeln!(
            out,
            "   {:<38} own {}  whole {}  {:.0} bytes to the model",
            it.who, it.latency.own_ms, it.latency.whole_ms, it.model_bytes_per_turn
        )?;
    }
    let holds = if found.holds { "holds" } else { "BROKEN" };
    writeln!(
        out,
        "   {holds}: own p50 {:.2} ×, own p99 {:.2} ×, prompt {:.2} × (at most {WITHIN}); the first \
         turn took {:.0} ms",
        found.own_p50_ratio, found.own_p99_ratio, found.prompt_ratio, large.first_turn_ms
    )?;
    verdict(out, turns, large.wrong_replies, large.agreement)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use candor::app::bench::report::Spread;

    use super::*;

    fn measured(p50: f64, p99: f64, model_bytes_per_turn: f64) -> Measured {
        let spread = Spread {
            p50,
            p99,
            p999: p99,
            max: p99,
        };
        Measured {
            who: String::new(),
            latency: Latency {
                turns: 100,
                whole_ms: spread,
                own_ms: spread,
            },
            model_bytes_per_turn,
        }
    }

    #[test]
    fn a_turn_that_costs_more_is_found() {
        let check = |much: (f64, f64, f64), expect: bool| {
            let (few, some) = (measured(0.8, 2.0, 9e3), measured(0.9, 2.0, 12e3));
            let found = Verdict::of(&few, &some, &measured(much.0, much.1, much.2));
            assert_eq!(found.holds, expect, "{found:?}");
        };
        check((1.1, 2.5, 12.2e3), true);
        check((1.3, 2.5, 12.2e3), false);
        check((1.1, 3.5, 12.2e3), false);
        check((1.1, 2.5, 40e3), false);
        check((f64::NAN, 2.5, 12e3), false);
    }
}
