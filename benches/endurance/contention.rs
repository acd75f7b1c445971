//! Contention: others beside a user's turns. A steady load is measured alone and
//! beside each disturbance, in turn.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use candor::app::bench::load::{self, Plan};
use candor::app::bench::processes::ServerProcess;
use candor::app::bench::report::{Latency, verdict};
use candor::app::bench::stage::Ground;
use candor::app::bench::talk::{Talk, Times};
use candor::app::bench::verify::Agreement;
use candor::app::bench::{json, own};
use clap::Args;
use serde::Serialize;

use super::disturbance::{Disturbance, Happened, PATIENCE};
use super::hanging::HangingModel;
use super::{Measuring, ProgressLine, Rounds};

/// `endurance contention`.
#[derive(Debug, Args)]
pub struct ContentionArgs {
    /// How many clients talk at once, each for a user of its own
    #[arg(long, value_name = "N", default_value = "32",
        value_parser = clap::value_parser!(u16).range(1..))]
    clients: u16,
    /// Turns per second, sent whether or not earlier ones were answered
    #[arg(long, value_name = "TURNS", default_value = "300")]
    rate: u32,
    #[command(flatten)]
    rounds: Rounds,
}

/// Factor by which 99 of 100 turns may take longer because of others.
const WITHIN: f64 = 2.0;

/// Outcome of all disturbances.
#[derive(Debug, Serialize)]
struct Crowded {
    clients: usize,
    rate: u32,
    beside: Vec<Beside>,
    wrong_replies: u64,
    agreement: Agreement,
    server_memory_mb: f64,
    sound: bool,
}

/// The load alone and beside one disturbance.
#[derive(Debug, Serialize)]
struct Beside {
    disturbance: &'static str,
    alone: Latency,
    disturbed: Latency,
    /// By how much longer 99 of 100 turns took.
    whole_ratio: f64,
    own_ratio: f64,
    /// The ratio of the two halves of what was measured alone: how much is noise.
    noise: f64,
    happened: Happened,
    holds: bool,
}

impl Beside {
    fn of(disturbance: Disturbance, rounds: &[Round]) -> Result<Self> {
        let (mut alone, mut disturbed) = (Times::new()?, Times::new()?);
        let mut happened = Happened::default();
        let mut noise: f64 = 1.0;
        for round in rounds {
            alone.add(&round.alone)?;
            disturbed.add(&round.disturbed)?;
            happened = happened.with(round.happened);
            let first = rounds.first().unwrap_or(round);
            let [first, this] = [first, round].map(|it| Latency::of(&it.alone).whole_ms.p99);
            noise = noise.max(first / this).max(this / first);
        }
        let (alone, disturbed) = (Latency::of(&alone), Latency::of(&disturbed));
        let mut beside = Self {
            disturbance: disturbance.name(),
            alone,
            disturbed,
            whole_ratio: disturbed.whole_ms.p99 / alone.whole_ms.p99,
            own_ratio: disturbed.own_ms.p99 / alone.own_ms.p99,
            noise,
            happened,
            holds: false,
        };
        beside.holds = beside.judge();
        Ok(beside)
    }

    /// Checks that the others were there all the time, and did not hold up the rest.
    fn judge(&self) -> bool {
        let measured = self.alone.turns > 0 && self.disturbed.turns > 0;
        let slower = self.whole_ratio > WITHIN || self.own_ratio > WITHIN;
        measured && !slower && self.happened.as_meant()
    }
}

/// One time alone and one time disturbed.
struct Round {
    alone: Times,
    disturbed: Times,
    happened: Happened,
}

/// Measures each disturbance, and says whether none holds up the rest.
pub async fn run(
    server: &Path,
    args: &ContentionArgs,
    measuring: &Measuring,
    out: &mut impl Write,
) -> Result<bool> {
    let ground = Ground::new(measuring.database.as_deref()).await?;
    let patience = format!("CANDOR_MODEL_TIMEOUT_MS={}\n", PATIENCE.as_millis());
    std::fs::write(ground.place.path().join(".env"), patience)?;
    let model = HangingModel::start().await?;
    let server = ServerProcess::start(server, &ground, &model.base_url()).await?;
    let plan = Plan {
        address: server.address,
        rate: Some(args.rate),
        warm_up: Duration::from_secs(args.rounds.warm_up.into()),
        measured: Duration::from_secs(args.rounds.seconds.into()),
    };
    let prefix = own("crowd");
    let clients = usize::from(args.clients);
    let mut load = Load {
        plan,
        talks: load::users(&prefix, clients)?,
        wrong: 0,
        turns: 0,
    };
    let mut beside = Vec::new();
    for disturbance in Disturbance::ALL {
        let mut rounds = Vec::new();
        for _ in 0..args.rounds.rounds {
            rounds.push(load.round(disturbance, &model, &prefix).await?);
        }
        let measured = Beside::of(disturbance, &rounds)?;
        if !measuring.json {
            tell(&measured, out)?;
        }
        beside.push(measured);
    }
    let memory = server.figures().await?.memory;
    server.end().await?;
    let agreement = ground.agree(&load.talks).await?;
    let kept = beside.iter().all(|beside| beside.holds);
    let crowded = Crowded {
        clients,
        rate: args.rate,
        sound: kept && load.wrong == 0 && agreement.holds(),
        beside,
        wrong_replies: load.wrong,
        agreement,
        server_memory_mb: memory / 1e6,
    };
    if measuring.json {
        json(out, &crowded)?;
    } else {
        verdict(out, load.turns, crowded.wrong_replies, agreement)?;
    }
    Ok(crowded.sound)
}

/// The load that is measured.
struct Load {
    plan: Plan,
    talks: Vec<Talk>,
    wrong: u64,
    turns: u64,
}

impl Load {
    async fn round(
        &mut self,
        disturbance: Disturbance,
        model: &HangingModel,
        prefix: &str,
    ) -> Result<Round> {
        let progress = ProgressLine::new();
        progress.tell("alone");
        let alone = self.play().await?;
        let others = disturbance.begin(self.plan.address, model, prefix);
        let others = others.await?;
        progress.tell(disturbance.name());
        let disturbed = self.play().await?;
        let happened = others.end(model).await?;
        progress.clear();
        Ok(Round {
            alone,
            disturbed,
            happened,
        })
    }

    async fn play(&mut self) -> Result<Times> {
        let done = load::play(&self.plan, std::mem::take(&mut self.talks)).await?;
        self.talks = done.talks;
        self.wrong += done.wrong;
        self.turns += done.all;
        Ok(done.times)
    }
}

fn tell(beside: &Beside, out: &mut impl Write) -> Result<()> {
    let Beside {
        disturbance,
        alone,
        disturbed,
        happened,
        ..
    } = beside;
    let verdict = if beside.holds { "holds" } else { "BROKEN" };
    writeln!(out, "{disturbance}: {happened}")?;
    for (name, latency) in [("alone", alone), ("beside", disturbed)] {
        writeln!(
            out,
            "   {name:<7} {:>6} turns  whole {}  own {}",
            latency.turns, latency.whole_ms, latency.own_ms
        )?;
    }
    writeln!(
        out,
        "   {verdict}: p99 whole {:.2} ×, own {:.2} × (at most {WITHIN}); alone it varies by {:.2} ×",
        beside.whole_ratio, beside.own_ratio, beside.noise
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use candor::app::bench::talk::Took;

    use super::*;

    /// A hundred turns, of which the slowest four take `slowest` ms.
    fn times(slowest: u64) -> Times {
        let mut times = Times::new().unwrap();
        for turn in 0..100 {
            let whole = Duration::from_millis(if turn < 96 { 1 } else { slowest });
            times.record(Took { whole, own: whole });
        }
        times
    }

    fn round(alone: u64, disturbed: u64, there: u64) -> Round {
        Round {
            alone: times(alone),
            disturbed: times(disturbed),
            happened: Happened {
                meant: 10,
                there,
                ended: 4,
                refused: 0,
            },
        }
    }

    fn check(rounds: &[Round], expect: bool) -> Beside {
        let found = Beside::of(Disturbance::Streams, rounds).unwrap();
        assert_eq!(found.holds, expect, "{found:?}");
        found
    }

    #[test]
    fn a_rest_that_is_held_up_is_found() {
        let found = check(&[round(5, 8, 10), round(5, 9, 10)], true);
        assert!((1.7..1.9).contains(&found.whole_ratio), "{found:?}");
        check(&[round(5, 20, 10), round(5, 20, 10)], false);
        // Held up in one round of two.
        check(&[round(5, 5, 10), round(5, 40, 10)], false);
    }

    #[test]
    fn a_disturbance_that_was_not_there_proves_nothing() {
        check(&[round(5, 5, 10), round(5, 5, 7)], false);
        check(&[], false);
    }

    #[test]
    fn noise_is_what_alone_differs_from_alone() {
        let found = check(&[round(5, 5, 10), round(10, 5, 10)], true);
        assert!((1.9..2.1).contains(&found.noise), "{found:?}");
    }
}
