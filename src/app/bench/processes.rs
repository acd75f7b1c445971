//! The processes of a run: a server with a place of its own, and its model.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use super::client::Client;
use super::stage::Ground;
use crate::domain::IdSource;

/// Time that a start or an end may take.
const PATIENCE: Duration = Duration::from_secs(40);

/// A folder that goes with its owner.
pub struct ScratchFolder(PathBuf);

impl ScratchFolder {
    pub fn new() -> Result<Self> {
        let name = format!("candor-bench-{}", IdSource::random().next());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        // What can't be removed lies in the system's temporary folder and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A process that goes with its owner.
pub struct Process(Child);

impl Process {
    /// Starts a command of `binary` that needs nothing of this process' environment.
    pub fn of(binary: &Path, command: &str) -> Result<(Self, SocketAddr)> {
        let mut line = Command::new(binary);
        line.arg(command).env_clear();
        Self::start(line)
    }

    /// Starts it, and reads from its first line where it listens.
    fn start(mut command: Command) -> Result<(Self, SocketAddr)> {
        let child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut process = Self(child);
        let out = process.0.stdout.take().context("no standard output")?;
        let mut lines = BufReader::new(out);
        let mut line = String::new();
        lines.read_line(&mut line)?;
        let address = line
            .trim()
            .split_once(" listening on http://")
            .and_then(|(_, it)| it.parse().ok());
        let address = address.ok_or_else(|| anyhow!("it does not listen: {line:?}"))?;
        // Whatever else it prints must not fill the pipe.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Ok((process, address))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to kill.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The model.
pub struct ModelProcess {
    _process: Process,
    address: SocketAddr,
}

/// Counts of model and server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    pub model: ModelFigures,
    pub server: ServerFigures,
}

/// Counts of the model.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct ModelFigures {
    pub calls: u64,
    pub bytes: u64,
}

impl ModelProcess {
    pub fn start(binary: &Path) -> Result<Self> {
        let (process, address) = Process::of(binary, "bench-model")?;
        Ok(Self {
            _process: process,
            address,
        })
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub async fn figures(&self) -> Result<ModelFigures> {
        let mut client = Client::connect(self.address).await?;
        let answer = client.ask("GET", "/figures", "").await?;
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

/// The server.
pub struct ServerProcess {
    process: Process,
    pub address: SocketAddr,
}

/// Counts of the server; zeros for one that does not count.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServerFigures {
    pub memory: f64,
    pub commits: f64,
    pub statements: f64,
}

impl ServerProcess {
    /// Starts one on a database and waits until it is ready. It has the usual settings, what the
    /// `.env` of its folder says besides, and nothing of this process' environment.
    pub async fn start(binary: &Path, ground: &Ground, model: &str) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .current_dir(ground.place.path())
            .env_clear()
            .envs([
                ("CANDOR_BIND", "127.0.0.1:0"),
                ("CANDOR_TODAY", "2026-02-08"),
                ("DATABASE_URL", &ground.url),
                ("OPENAI_BASE_URL", model),
                ("OPENAI_MODEL", "instant"),
                ("RUST_LOG", "error"),
            ]);
        let (process, address) = Process::start(command)?;
        let server = Self { process, address };
        server.ready().await.context("the server")?;
        Ok(server)
    }

    async fn ready(&self) -> Result<()> {
        let began = Instant::now();
        let mut client = Client::connect(self.address).await?;
        while client.ask("GET", "/readyz", "").await?.status() != 200 {
            if began.elapsed() > PATIENCE {
                bail!("it does not get ready");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    pub async fn figures(&self) -> Result<ServerFigures> {
        let mut client = Client::connect(self.address).await?;
        let page = client.ask("GET", "/metrics", "").await?;
        let page = String::from_utf8_lossy(&page.body).into_owned();
        let value = |name: &str| {
            let found = page.lines().find_map(|line| line.strip_prefix(name));
            found
                .and_then(|value| value.trim().parse().ok())
                .unwrap_or_default()
        };
        Ok(ServerFigures {
            memory: value("process_resident_memory_bytes "),
            commits: value("candor_commits_total{outcome=\"committed\"} "),
            statements: value("candor_statements_total "),
        })
    }

    /// Seconds of a processor that it has taken so far; none where the system does not tell.
    pub fn cpu(&self) -> Option<f64> {
        /// Parts of a second in which Linux counts them.
        const TICKS: f64 = 100.0;
        let told = std::fs::read_to_string(format!("/proc/{}/stat", self.process.0.id())).ok()?;
        // The name may hold anything, and stands in brackets.
        let (_, rest) = told.rsplit_once(')')?;
        let ticks = |at: usize| rest.split_whitespace().nth(at)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / TICKS)
    }

    /// Asks it to end, and waits until it has.
    pub async fn end(mut self) -> Result<()> {
        let id = self.process.0.id().to_string();
        Command::new("sh")
            .args(["-c", "kill -s TERM \"$0\"", &id])
            .status()?;
        let began = Instant::now();
        while self.process.0.try_wait()?.is_none() {
            if began.elapsed() > PATIENCE {
                bail!("it does not end");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}
