//! One user's side of the load: everyday turns in a loop, and whether each reply is right.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use hdrhistogram::Histogram;
use serde::Deserialize;
use serde_json::json;

use super::client::Client;
use super::verify::Told;
use crate::domain::{ConversationId, ReceiptId, UserId, put_member};

/// Turns of one round of the loop.
pub const ROUND: u64 = 6;

/// The longest latency that is told apart, in microseconds.
const LONGEST: u64 = 60_000_000;

/// Times that turns took, in microseconds.
#[derive(Debug, Clone)]
pub struct Times {
    /// From the moment a turn was due until its reply was there.
    pub whole: Histogram<u64>,
    /// Of it, what the server calls its own.
    pub own: Histogram<u64>,
}

impl Times {
    pub fn new() -> Result<Self> {
        Ok(Self {
            whole: times()?,
            own: times()?,
        })
    }

    pub fn record(&mut self, took: Took) {
        self.whole.saturating_record(micros(took.whole));
        self.own.saturating_record(micros(took.own));
    }

    pub fn add(&mut self, others: &Self) -> Result<()> {
        self.whole.add(&others.whole)?;
        self.own.add(&others.own)?;
        Ok(())
    }
}

/// Time that one turn took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    pub whole: Duration,
    pub own: Duration,
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

/// A user who talks.
#[derive(Debug)]
pub struct Talk {
    pub told: Told,
    /// The conversation that the next turn goes on with; none: it begins one.
    pub conversation: Option<ConversationId>,
    pub turns: u64,
    /// Replies that were not what they should be.
    pub wrong: u64,
}

impl Talk {
    /// A user of this name, who has said nothing yet.
    pub fn new(user: &str) -> Result<Self> {
        let user = UserId::parse(user).map_err(|error| anyhow!("{error}"))?;
        Ok(Self {
            told: Told {
                user,
                replies: 0,
                receipts: Vec::new(),
            },
            conversation: None,
            turns: 0,
            wrong: 0,
        })
    }

    /// One turn of the loop: add, list, complete, talk, something nobody asked for, delete. None
    /// where there was no reply, which is counted as wrong.
    pub async fn turn(&mut self, client: &mut Client, due: Instant) -> Result<Option<Took>> {
        let title = format!("Water plant {}", self.turns / ROUND);
        let (message, kind) = match self.turns % ROUND {
            0 => (format!("add {title}"), Some("receipt")),
            1 => ("what's on my list?".to_owned(), Some("receipt")),
            2 => (format!("mark {title} as done"), Some("receipt")),
            3 => ("hello".to_owned(), Some("chat")),
            4 => ("thank you".to_owned(), None),
            _ => (format!("delete {title}"), Some("receipt")),
        };
        self.turns += 1;
        let mut body = json!({ "message": message });
        if let Some(conversation) = self.conversation {
            put_member(&mut body, "conversation_id", json!(conversation));
        }
        let path = format!("/api/{}/chat", self.told.user);
        let answer = client.ask("POST", &path, &body.to_string()).await?;
        let whole = due.elapsed();
        let reply: Option<Reply> = match answer.status() {
            200 => serde_json::from_slice(&answer.body).ok(),
            _ => None,
        };
        let Some(reply) = reply else {
            self.wrong += 1;
            return Ok(None);
        };
        self.told.replies += 1;
        self.conversation = Some(reply.conversation_id);
        let right = match kind {
            Some(kind) => reply.kind == kind,
            // What nobody asked for has no effect.
            None => reply.actions.is_empty(),
        };
        let named = reply.actions.iter().map(|action| action.receipt_id);
        self.told.receipts.extend(named);
        self.wrong += u64::from(!right);
        let own = answer.header("server-timing").and_then(own_part);
        Ok(Some(Took {
            whole,
            own: own.unwrap_or(whole),
        }))
    }
}

/// A place for what something took each time, in microseconds.
pub fn times() -> Result<Histogram<u64>> {
    Ok(Histogram::new_with_bounds(1, LONGEST, 3)?)
}

pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(LONGEST)
}

/// Part of a turn that the server calls its own; an older one tells only total and model.
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
