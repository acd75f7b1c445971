//! A TCP proxy that breaks the line between the program and its database where a test says.
//!
//! It is armed with a mark. From the chunk in which the client sends the mark on, bytes of that
//! line are counted in each direction, and after so many it is cut: the bytes before the cut
//! arrive, those after it never do. Other lines to the same server are left alone.

#![cfg(test)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// Where bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the client to the server.
    ToServer,
    /// From the server to the client.
    ToClient,
}

/// Fault that happens to the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Break {
    /// Nothing; bytes are only counted.
    Never,
    /// After so many bytes that way it is closed.
    Cut(Way, usize),
    /// After so many bytes that way nothing passes any more, either way.
    Stall(Way, usize),
}

#[derive(Debug)]
struct Rule {
    mark: Vec<u8>,
    plan: Break,
    /// The line on which the mark was seen.
    seen: Option<usize>,
    counted: [usize; 2],
    broken: bool,
    refusing: bool,
}

/// A running proxy; gone with its owner.
pub struct Proxy {
    port: u16,
    rule: Arc<Mutex<Rule>>,
    cut: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// A proxy before the server at that port of 127.0.0.1.
    pub async fn before(server: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let rule = Arc::new(Mutex::new(Rule {
            mark: Vec::new(),
            plan: Break::Never,
            seen: None,
            counted: [0; 2],
            broken: false,
            refusing: false,
        }));
        let cut = Arc::new(Notify::new());
        let (shared, cutting) = (Arc::clone(&rule), Arc::clone(&cut));
        let task = tokio::spawn(async move {
            for line in 0_usize.. {
                let Ok((client, _)) = listener.accept().await else {
                    return;
                };
                if shared.lock().unwrap().refusing {
                    continue;
                }
                let (rule, cut) = (Arc::clone(&shared), Arc::clone(&cutting));
                tokio::spawn(carry(line, client, server, rule, cut));
            }
        });
        Self {
            port,
            rule,
            cut,
            task,
        }
    }

    /// Where it listens.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Breaks the line once, after the next chunk that holds `mark`.
    pub fn arm(&self, mark: &[u8], plan: Break) {
        let mut rule = self.rule.lock().unwrap();
        rule.mark = mark.to_vec();
        rule.plan = plan;
        rule.seen = None;
        rule.counted = [0; 2];
        rule.broken = false;
    }

    /// Lets everything pass again.
    pub fn mend(&self) {
        self.arm(&[], Break::Never);
    }

    /// Closes every new connection at once, or no more.
    pub fn refuse(&self, refusing: bool) {
        self.rule.lock().unwrap().refusing = refusing;
    }

    /// Closes every connection there is.
    pub fn cut_all(&self) {
        self.cut.notify_waiters();
    }

    /// Bytes that went that way since the mark.
    pub fn counted(&self, way: Way) -> usize {
        self.rule.lock().unwrap().counted[way as usize]
    }

    /// Tells whether the line was broken since it was armed.
    pub fn broken(&self) -> bool {
        self.rule.lock().unwrap().broken
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
        self.cut.notify_waiters();
    }
}

async fn carry(
    line: usize,
    client: TcpStream,
    server: u16,
    rule: Arc<Mutex<Rule>>,
    cut: Arc<Notify>,
) {
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)).await else {
        return;
    };
    // Bytes must go one by one where a test counts them.
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let ((from_client, to_client), (from_server, to_server)) =
        (client.into_split(), server.into_split());
    tokio::select! {
        () = copy(from_client, to_server, (line, Way::ToServer), &rule) => {}
        () = copy(from_server, to_client, (line, Way::ToClient), &rule) => {}
        () = cut.notified() => {}
    }
}

/// Carries bytes one way until the line is closed or cut.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    (line, way): (usize, Way),
    rule: &Mutex<Rule>,
) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read) = from.read(&mut buffer).await {
        if read == 0 {
            return;
        }
        let (passing, end) = rule.lock().unwrap().judge(line, way, &buffer[..read]);
        if to.write_all(&buffer[..passing]).await.is_err() {
            return;
        }
        match end {
            Break::Never => {}
            // The server must have read what arrived before it sees the end.
            Break::Cut(..) => return tokio::time::sleep(Duration::from_millis(2)).await,
            Break::Stall(..) => std::future::pending().await,
        }
    }
}

impl Rule {
    /// How many bytes of a chunk pass, and what happens to the line after them.
    fn judge(&mut self, line: usize, way: Way, chunk: &[u8]) -> (usize, Break) {
        let marks = |chunk: &[u8]| {
            chunk
                .windows(self.mark.len().max(1))
                .any(|at| at == self.mark)
        };
        if self.seen.is_none() && way == Way::ToServer && !self.mark.is_empty() && marks(chunk) {
            self.seen = Some(line);
        }
        if self.seen != Some(line) {
            return (chunk.len(), Break::Never);
        }
        let before = self.counted[way as usize];
        self.counted[way as usize] += chunk.len();
        match self.plan {
            Break::Cut(broken, after) | Break::Stall(broken, after)
                if broken == way && before + chunk.len() >= after =>
            {
                let stalls = matches!(self.plan, Break::Stall(..));
                let end = self.plan;
                if !stalls {
                    // The lines that follow are whole.
                    self.plan = Break::Never;
                }
                self.broken = true;
                (after.saturating_sub(before).min(chunk.len()), end)
            }
            Break::Stall(..) if self.broken => (0, self.plan),
            _ => (chunk.len(), Break::Never),
        }
    }
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (Proxy::before, Proxy::port, Proxy::arm, Proxy::mend);
    let _ = (Proxy::refuse, Proxy::cut_all, Proxy::counted, Proxy::broken);
    let _ = [Break::Stall(Way::ToClient, 0), Break::Cut(Way::ToServer, 0)];
};
