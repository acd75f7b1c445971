//! The load: clients that each speak for a user, on time or as fast as they are answered.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::client::Client;
use super::talk::{Talk, Times};

/// A load that is to be played.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub address: SocketAddr,
    /// Turns per second of all clients together; none: as many as come.
    pub rate: Option<u32>,
    pub warm_up: Duration,
    pub measured: Duration,
}

/// Outcome of a load.
pub struct Done {
    /// The users, with what each was told.
    pub talks: Vec<Talk>,
    /// Turns in the measured time.
    pub turns: u64,
    /// All turns.
    pub all: u64,
    /// Replies that were not what they should be.
    pub wrong: u64,
    pub took: Duration,
    /// Of the measured turns.
    pub times: Times,
}

/// Schedule of one client's turns.
pub struct Pace {
    next: Instant,
    step: Option<Duration>,
}

impl Pace {
    /// The pace of client `number` of `clients`, which together make `rate` turns a second.
    pub fn of(began: Instant, rate: Option<u32>, number: usize, clients: usize) -> Self {
        let spacing = rate.map(|rate| Duration::from_secs(1) / rate.max(1));
        let times = |spacing: Duration, times: usize| {
            spacing.saturating_mul(u32::try_from(times).unwrap_or(u32::MAX))
        };
        Self {
            next: began + spacing.map_or(Duration::ZERO, |spacing| times(spacing, number)),
            step: spacing.map(|spacing| times(spacing, clients)),
        }
    }

    /// Waits until the next turn is due, which may be in the past, and says when that was.
    pub async fn due(&mut self) -> Instant {
        let Some(step) = self.step else {
            return Instant::now();
        };
        let due = self.next;
        tokio::time::sleep_until(due.into()).await;
        self.next += step;
        due
    }
}

/// Users whose names begin so, one for each client.
pub fn users(prefix: &str, count: usize) -> Result<Vec<Talk>> {
    let talks = (0..count).map(|number| Talk::new(&format!("{prefix}-{number}")));
    talks.collect()
}

/// Plays the plan to its end, each of the users with a client of its own.
pub async fn play(plan: &Plan, talks: Vec<Talk>) -> Result<Done> {
    let mut pairs = Vec::new();
    for talk in talks {
        pairs.push((talk, Client::connect(plan.address).await?));
    }
    let (began, clients) = (Instant::now(), pairs.len());
    let (from, until) = (began + plan.warm_up, began + plan.warm_up + plan.measured);
    let tasks = pairs
        .into_iter()
        .enumerate()
        .map(|(number, (mut talk, mut client))| {
            let mut pace = Pace::of(began, plan.rate, number, clients);
            let (turns, wrong) = (talk.turns, talk.wrong);
            tokio::spawn(async move {
                let mut times = Times::new()?;
                loop {
                    let due = pace.due().await;
                    if due >= until {
                        let (turns, wrong) = (talk.turns - turns, talk.wrong - wrong);
                        return Ok::<_, anyhow::Error>((talk, times, turns, wrong));
                    }
                    let took = talk.turn(&mut client, due).await?;
                    if let Some(took) = took.filter(|_| due >= from) {
                        times.record(took);
                    }
                }
            })
        });
    let tasks: Vec<_> = tasks.collect();
    let mut done = Done {
        talks: Vec::new(),
        turns: 0,
        all: 0,
        wrong: 0,
        took: Duration::ZERO,
        times: Times::new()?,
    };
    for task in tasks {
        let (talk, times, turns, wrong) = task.await??;
        done.turns += times.whole.len();
        done.all += turns;
        done.wrong += wrong;
        done.times.add(&times)?;
        done.talks.push(talk);
    }
    done.took = from.elapsed().max(plan.measured);
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn turns_are_due_on_time_whoever_is_late() {
        let began = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let mut due = Vec::new();
        for number in [0, 1] {
            let mut pace = Pace::of(began, Some(10), number, 2);
            for _ in 0..3 {
                due.push((pace.due().await - began).as_millis());
            }
        }
        assert_eq!(due, [0, 200, 400, 100, 300, 500]);
    }
}
