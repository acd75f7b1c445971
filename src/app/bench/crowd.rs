//! What others do to a user's turns: a steady load alone and beside each disturbance, in turn.

use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::disturb::{Disturbance, Happened, PATIENCE};
use super::load::{self, Plan};
use super::report::{Latency, verdict};
use super::stage::{Builds, Ground, Stage};
use super::talk::{Talk, Times};
use super::verify::Agreement;
use super::{BenchArgs, Progress, own};

/// Clients of the load, and its turns per second, when nothing is said.
const CLIENTS: u16 = 32;
const RATE: u32 = 300;

/// How much longer 99 of 100 turns may take because of others.
const WITHIN: f64 = 2.0;

/// What came of it.
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

    /// Whether the others were there all the time, and did not hold up the rest.
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
pub(super) async fn run(
    builds: Builds<'_>,
    database: Option<&str>,
    args: &BenchArgs,
    out: &mut impl Write,
) -> Result<bool> {
    let patience = PATIENCE.as_millis().to_string();
    let settings = [("CANDOR_MODEL_TIMEOUT_MS", patience)];
    let ground = Ground::new(database).await?;
    let stage = ground.serve(builds, &settings).await?;
    let rate = args.rate.unwrap_or(RATE);
    let plan = Plan {
        address: stage.server.address,
        rate: Some(rate),
        warm_up: Duration::from_secs(args.warm_up.into()),
        measured: Duration::from_secs(args.seconds.into()),
    };
    let prefix = own("crowd");
    let clients = usize::from(args.clients.first().copied().unwrap_or(CLIENTS));
    let mut load = Load {
        plan,
        talks: load::users(&prefix, clients)?,
        wrong: 0,
        turns: 0,
    };
    let mut beside = Vec::new();
    for disturbance in Disturbance::ALL {
        let mut rounds = Vec::new();
        for _ in 0..args.rounds {
            rounds.push(load.round(disturbance, &stage, &prefix).await?);
        }
        let measured = Beside::of(disturbance, &rounds)?;
        if !args.json {
            tell(&measured, out)?;
        }
        beside.push(measured);
    }
    let memory = stage.figures().await?.server.memory;
    let agreement = stage.strike().await?.agree(&load.talks).await?;
    let kept = beside.iter().all(|beside| beside.holds);
    let crowded = Crowded {
        clients,
        rate,
        sound: kept && load.wrong == 0 && agreement.holds(),
        beside,
        wrong_replies: load.wrong,
        agreement,
        server_memory_mb: memory / 1e6,
    };
    if args.json {
        super::json(out, &crowded)?;
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
        stage: &Stage,
        prefix: &str,
    ) -> Result<Round> {
        let progress = Progress::new();
        progress.tell("alone");
        let alone = self.play().await?;
        let others = disturbance.begin(stage, prefix).await?;
        progress.tell(disturbance.name());
        let disturbed = self.play().await?;
        let happened = others.end(stage).await?;
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
    use super::super::talk::Took;
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
