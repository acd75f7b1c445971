//! The load: clients that each hold a conversation of their own, in a loop of everyday turns.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use hdrhistogram::Histogram;
use serde::Deserialize;
use serde_json::json;

use super::client::Client;
use super::verify::Told;
use crate::domain::{ConversationId, ReceiptId, UserId};

/// What is to be played.
pub(super) struct Plan {
    pub(super) address: SocketAddr,
    /// What the names of the users begin with.
    pub(super) prefix: String,
    pub(super) clients: u16,
    /// Turns per second; none: as many as come.
    pub(super) rate: Option<u32>,
    pub(super) warm_up: Duration,
    pub(super) measured: Duration,
}

/// What came of it.
pub(super) struct Done {
    /// What each user was told.
    pub(super) told: Vec<Told>,
    /// Turns in the measured time.
    pub(super) turns: u64,
    /// All turns.
    pub(super) all: u64,
    /// Replies that were not what they should be.
    pub(super) wrong: u64,
    pub(super) took: Duration,
    /// Microseconds from the moment a turn was due until its reply was there.
    pub(super) whole: Histogram<u64>,
    /// Microseconds of it that the server calls its own.
    pub(super) own: Histogram<u64>,
}

/// The longest latency that is told apart, in microseconds.
const LONGEST: u64 = 60_000_000;

fn histogram() -> Result<Histogram<u64>> {
    Ok(Histogram::new_with_bounds(1, LONGEST, 3)?)
}

#[derive(Deserialize)]
struct Reply {
    conversation_id: ConversationId,
    kind: String,
    actions: Vec<Action>,
}

#[derive(Deserialize)]
struct Action {
    receipt_id: ReceiptId,
}

struct Talk {
    user: UserId,
    client: Client,
    conversation: Option<ConversationId>,
    turns: u64,
    replies: u64,
    receipts: Vec<ReceiptId>,
    wrong: u64,
    measured: u64,
    whole: Histogram<u64>,
    own: Histogram<u64>,
}

/// Plays the plan to its end.
pub(super) async fn play(plan: &Plan) -> Result<Done> {
    let mut talks = Vec::new();
    for number in 0..plan.clients {
        let user = UserId::parse(&format!("{}-{number}", plan.prefix));
        talks.push(Talk {
            user: user.map_err(|error| anyhow!("{error}"))?,
            client: Client::connect(plan.address).await?,
            conversation: None,
            turns: 0,
            replies: 0,
            receipts: Vec::new(),
            wrong: 0,
            measured: 0,
            whole: histogram()?,
            own: histogram()?,
        });
    }
    let began = Instant::now();
    let (from, until) = (began + plan.warm_up, began + plan.warm_up + plan.measured);
    let spacing = plan.rate.map(|rate| Duration::from_secs(1) / rate.max(1));
    let tasks = talks.into_iter().enumerate().map(|(number, mut talk)| {
        let (first, step) = match spacing {
            Some(spacing) => (
                spacing * u32::try_from(number).unwrap_or_default(),
                spacing * u32::from(plan.clients),
            ),
            None => (Duration::ZERO, Duration::ZERO),
        };
        tokio::spawn(async move {
            let mut due = began + first;
            loop {
                if step.is_zero() {
                    due = Instant::now();
                } else {
                    tokio::time::sleep_until(due.into()).await;
                }
                if due >= until {
                    return Ok::<_, anyhow::Error>(talk);
                }
                talk.turn(due, due >= from).await?;
                due += step;
            }
        })
    });
    let tasks: Vec<_> = tasks.collect();
    let mut done = Done {
        told: Vec::new(),
        turns: 0,
        all: 0,
        wrong: 0,
        took: Duration::ZERO,
        whole: histogram()?,
        own: histogram()?,
    };
    for task in tasks {
        let talk = task.await??;
        done.turns += talk.measured;
        done.all += talk.turns;
        done.wrong += talk.wrong;
        done.whole.add(&talk.whole)?;
        done.own.add(&talk.own)?;
        done.told.push(Told {
            user: talk.user,
            replies: talk.replies,
            receipts: talk.receipts,
        });
    }
    done.took = from.elapsed().max(plan.measured);
    Ok(done)
}

impl Talk {
    /// One turn of the loop: add, list, complete, talk, something nobody asked for, delete.
    async fn turn(&mut self, due: Instant, measured: bool) -> Result<()> {
        let title = format!("Water plant {}", self.turns / 6);
        let (message, kind) = match self.turns % 6 {
            0 => (format!("add {title}"), Some("receipt")),
            1 => ("what's on my list?".to_owned(), Some("receipt")),
            2 => (format!("mark {title} as done"), Some("receipt")),
            3 => ("hello".to_owned(), Some("chat")),
            4 => ("thank you".to_owned(), None),
            _ => (format!("delete {title}"), Some("receipt")),
        };
        self.turns += 1;
        let mut body = json!({ "message": message });
        if let (Some(conversation), Some(body)) = (self.conversation, body.as_object_mut()) {
            body.insert("conversation_id".to_owned(), json!(conversation));
        }
        let path = format!("/api/{}/chat", self.user);
        let answer = self.client.ask("POST", &path, &body.to_string()).await?;
        let took = due.elapsed();
        let reply: Option<Reply> = match answer.status() {
            200 => serde_json::from_slice(&answer.body).ok(),
            _ => None,
        };
        let Some(reply) = reply else {
            self.wrong += 1;
            return Ok(());
        };
        self.replies += 1;
        self.conversation = Some(reply.conversation_id);
        let unasked = reply.actions.iter().map(|action| action.receipt_id);
        let right = match kind {
            Some(kind) => reply.kind == kind,
            // What nobody asked for has no effect.
            None => reply.actions.is_empty(),
        };
        self.receipts.extend(unasked);
        self.wrong += u64::from(!right);
        if measured {
            self.measured += 1;
            self.whole.saturating_record(micros(took));
            let own = answer.header("server-timing").and_then(own_part);
            self.own.saturating_record(micros(own.unwrap_or(took)));
        }
        Ok(())
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(LONGEST)
}

/// What the server calls its own of a turn; an older one tells only total and model.
fn own_part(timing: &str) -> Option<Duration> {
    let part = |name: &str| {
        let mut parts = timing
            .split(',')
            .filter_map(|part| part.trim().split_once(";dur="));
        let found = parts.find(|(known, _)| *known == name)?.1;
        found.parse::<f64>().ok()
    };
    let own = part("own").or_else(|| Some(part("total")? - part("model")?))?;
    Duration::try_from_secs_f64(own.max(0.0) / 1000.0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_own_part_is_read_from_its_header() {
        let check = |text: &str, expect: Option<u64>| {
            assert_eq!(own_part(text).map(micros), expect, "{text}");
        };
        check(
            "total;dur=5.250, model;dur=4.000, commit;dur=0.500, own;dur=1.250",
            Some(1250),
        );
        check("total;dur=5.5, model;dur=4.0", Some(1500));
        check("total;dur=5.5", None);
    }
}
