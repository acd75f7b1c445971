//! Disturbances: clients that dawdle, streams that stay open, a model that hangs.
//!
//! Each is there from before a measurement until after it, and says how much of it was: a
//! disturbance that the server refused disturbs nobody, and proves nothing.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use candor::app::bench::client::Client;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use super::hanging::{HANG_ON, HangingModel};

/// Number of each kind.
const DAWDLERS: u64 = 64;
const STREAMS: u64 = 1_000;
const HANGING: u64 = 256;

/// Bytes that a slow client sends or takes, and its pause before the next. A request must be there
/// within five seconds; an answer may take as long as it likes.
const BITE: usize = 512;
const PAUSE: Duration = Duration::from_millis(20);
/// Its buffer, in bytes: what it does not take waits at the server.
const BUFFER: u32 = 4_096;
/// Tasks of the list that half of them ask for.
const SHELF: usize = 1_000;

/// Time that the server waits for its model: short, so that a run sees it give up. Those who are
/// as slow as one another begin spread over that time: nothing in life holds them in step.
pub const PATIENCE: Duration = Duration::from_secs(4);

/// Time that it may take until all of them are there.
const GATHERING: Duration = Duration::from_secs(30);

/// A kind of disturbance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disturbance {
    /// Clients that send byte by byte, and take their answers as slowly.
    Dawdlers,
    /// Streams of events of users who do nothing.
    Streams,
    /// Turns whose model says nothing until the server gives up.
    Hanging,
}

/// Extent of a disturbance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Happened {
    pub meant: u64,
    /// Of them, there from the beginning to the end.
    pub there: u64,
    /// Answers that came to their end meanwhile.
    pub ended: u64,
    /// Answers of a kind that was not meant.
    pub refused: u64,
}

impl Happened {
    /// Both, one after the other.
    pub fn with(self, other: Self) -> Self {
        let there = match self.meant {
            0 => other.there,
            _ => self.there.min(other.there),
        };
        Self {
            meant: self.meant.max(other.meant),
            there,
            ended: self.ended + other.ended,
            refused: self.refused + other.refused,
        }
    }

    /// Checks that it was as meant.
    pub const fn as_meant(self) -> bool {
        self.there == self.meant && self.refused == 0
    }
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            meant,
            there,
            ended,
            refused,
        } = self;
        write!(
            f,
            "{there} of {meant} were there; {ended} answers, {refused} of another kind"
        )
    }
}

/// Those who disturb, until they are told to go.
pub struct Others {
    what: Disturbance,
    meant: u64,
    counts: Arc<Counts>,
    clients: JoinSet<Result<()>>,
}

#[derive(Default)]
struct Counts {
    there: AtomicU64,
    ended: AtomicU64,
    refused: AtomicU64,
}

impl Counts {
    fn answered(&self, as_meant: bool) {
        self.ended.fetch_add(1, Ordering::Relaxed);
        if !as_meant {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Disturbance {
    pub const ALL: [Self; 3] = [Self::Dawdlers, Self::Streams, Self::Hanging];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Dawdlers => "slow clients",
            Self::Streams => "idle streams",
            Self::Hanging => "a model that hangs",
        }
    }

    const fn meant(self) -> u64 {
        match self {
            Self::Dawdlers => DAWDLERS,
            Self::Streams => STREAMS,
            Self::Hanging => HANGING,
        }
    }

    /// Begins, and returns when all of them are there.
    pub async fn begin(
        self,
        address: SocketAddr,
        model: &HangingModel,
        prefix: &str,
    ) -> Result<Others> {
        if self == Self::Dawdlers {
            fill_shelf(address, prefix).await?;
        }
        let mut others = Others {
            what: self,
            meant: self.meant(),
            counts: Arc::default(),
            clients: JoinSet::new(),
        };
        for number in 0..self.meant() {
            let counts = Arc::clone(&others.counts);
            let user = format!("{prefix}-other-{number}");
            let after = PATIENCE.mul_f64(number as f64 / self.meant() as f64);
            match self {
                Self::Dawdlers => {
                    let request = if number % 2 == 0 {
                        request("POST", &user, "chat", "{\"message\":\"add Milk\"}")
                    } else {
                        request("GET", &shelf(prefix), "tasks", "")
                    };
                    others
                        .clients
                        .spawn(dawdle(address, request, after, counts));
                }
                Self::Streams => {
                    others.clients.spawn(listen(address, user, counts));
                }
                Self::Hanging => {
                    others.clients.spawn(hang(address, user, after, counts));
                }
            }
        }
        others.gather(model).await;
        Ok(others)
    }
}

impl Others {
    /// Waits until all of them are there, and says how many were at most: one that was missing
    /// spoils the verdict.
    async fn gather(&self, model: &HangingModel) -> u64 {
        let began = Instant::now();
        let mut most = 0;
        while most < self.meant && began.elapsed() < GATHERING {
            tokio::time::sleep(Duration::from_millis(10)).await;
            most = most.max(self.there(model));
        }
        most.min(self.meant)
    }

    /// Of a hanging turn the model must know.
    fn there(&self, model: &HangingModel) -> u64 {
        match self.what {
            Disturbance::Hanging => model.hanging(),
            _ => self.counts.there.load(Ordering::Relaxed),
        }
    }

    /// Sends them away, and says how much of it there was.
    pub async fn end(mut self, model: &HangingModel) -> Result<Happened> {
        // Turns that were just given up are on their way again.
        let there = self.gather(model).await;
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let happened = Happened {
            meant: self.meant,
            there,
            ended: count(&self.counts.ended),
            refused: count(&self.counts.refused),
        };
        self.clients.shutdown().await;
        // What they leave behind ends before the next measurement begins.
        let began = Instant::now();
        while model.hanging() > 0 {
            if began.elapsed() > GATHERING {
                bail!("turns that hang do not end");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(happened)
    }
}

fn shelf(prefix: &str) -> String {
    format!("{prefix}-shelf")
}

/// A list that does not fit into the buffers between server and client.
async fn fill_shelf(address: SocketAddr, prefix: &str) -> Result<()> {
    let tasks = (0..SHELF).map(|number| json!({"title": format!("Errand {number}")}));
    let tasks: Vec<Value> = tasks.collect();
    let path = format!("/api/{}/import", shelf(prefix));
    let mut client = Client::connect(address).await?;
    let answer = client.ask("POST", &path, &json!(tasks).to_string()).await?;
    if answer.status() != 200 {
        bail!("a list can't be imported: {}", answer.head);
    }
    Ok(())
}

fn request(method: &str, user: &str, path: &str, body: &str) -> String {
    format!(
        "{method} /api/{user}/{path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

async fn connect(address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(BUFFER)?;
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Asks byte by byte and takes the answer bite by bite, again and again.
async fn dawdle(
    address: SocketAddr,
    request: String,
    after: Duration,
    counts: Arc<Counts>,
) -> Result<()> {
    tokio::time::sleep(after).await;
    counts.there.fetch_add(1, Ordering::Relaxed);
    loop {
        let ended = dawdle_once(address, &request).await;
        counts.answered(ended.unwrap_or(false));
    }
}

async fn dawdle_once(address: SocketAddr, request: &str) -> Result<bool> {
    let mut stream = connect(address).await?;
    for byte in request.as_bytes() {
        stream.write_all(&[*byte]).await?;
        tokio::time::sleep(PAUSE).await;
    }
    let (mut bite, mut answer) = ([0; BITE], Vec::new());
    let mut left = None;
    while left != Some(0) {
        let count = stream.read(&mut bite).await?;
        let taken = bite.get(..count).unwrap_or_default();
        if count == 0 {
            return Ok(false);
        }
        left = match left {
            Some(left) => Some(usize::saturating_sub(left, count)),
            None => {
                answer.extend_from_slice(taken);
                missing(&answer)
            }
        };
        tokio::time::sleep(PAUSE).await;
    }
    Ok(answer.starts_with(b"HTTP/1.1 200"))
}

/// Bytes of an answer that are still to come, once its head is there.
fn missing(answer: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(answer);
    let (head, _) = text.split_once("\r\n\r\n")?;
    let head_bytes = head.len() + 4;
    let lines = head.lines().filter_map(|line| line.split_once(": "));
    let length = lines
        .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .find_map(|(_, length)| length.parse::<usize>().ok())?;
    Some((head_bytes + length).saturating_sub(answer.len()))
}

/// Opens a stream of events, and reads what little comes until it is told to go.
async fn listen(address: SocketAddr, user: String, counts: Arc<Counts>) -> Result<()> {
    let mut stream = connect(address).await?;
    let request = request("GET", &user, "events", "");
    stream.write_all(request.as_bytes()).await?;
    let mut buffer = [0; BITE];
    let mut count = stream.read(&mut buffer).await?;
    let begins = buffer.get(..count).unwrap_or_default();
    if begins.starts_with(b"HTTP/1.1 200") {
        counts.there.fetch_add(1, Ordering::Relaxed);
        while count > 0 {
            count = stream.read(&mut buffer).await?;
        }
        counts.there.fetch_sub(1, Ordering::Relaxed);
    }
    counts.answered(false);
    Ok(())
}

/// One turn after another whose model says nothing: each ends with an error that says so.
async fn hang(
    address: SocketAddr,
    user: String,
    after: Duration,
    counts: Arc<Counts>,
) -> Result<()> {
    tokio::time::sleep(after).await;
    let mut client = Client::connect(address).await?;
    let path = format!("/api/{user}/chat");
    loop {
        let body = json!({"message": HANG_ON}).to_string();
        let answer = client.ask("POST", &path, &body).await?;
        counts.answered(answer.status() == 503);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_of_an_answer_is_known_from_its_head() {
        let check = |text: &str, expect: Option<usize>| {
            assert_eq!(missing(text.as_bytes()), expect, "{text:?}");
        };
        check("HTTP/1.1 200 OK\r\ncontent-le", None);
        check("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n", Some(5));
        check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", Some(3));
        check("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nab", Some(0));
    }

    #[test]
    fn who_was_missing_once_was_not_there() {
        let whole = Happened {
            meant: 3,
            there: 3,
            ended: 1,
            refused: 0,
        };
        assert!(Happened::default().with(whole).as_meant());
        assert!(whole.with(whole).as_meant());
        let one_gone = Happened { there: 2, ..whole };
        assert!(!whole.with(one_gone).as_meant());
        assert!(!one_gone.with(whole).as_meant());
        let refused = Happened {
            refused: 1,
            ..whole
        };
        assert!(!whole.with(refused).as_meant());
    }
}
