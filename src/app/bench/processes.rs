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
use crate::domain::IdSource;

/// How long a start or an end may take.
const PATIENCE: Duration = Duration::from_secs(40);

/// A folder that goes with its owner.
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn new() -> Result<Self> {
        let name = format!("candor-bench-{}", IdSource::random().next());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What can't be removed lies in the system's temporary folder and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a command to its end: whether it says that all is well, and what it prints.
pub(super) fn ask(binary: &Path, arguments: &[&str]) -> Result<(bool, String)> {
    let ran = Command::new(binary)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .output()?;
    let words = [ran.stdout, ran.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    Ok((ran.status.success(), words))
}

/// A process that goes with its owner.
struct Process(Child);

impl Process {
    /// Starts it, and reads from its first line where it listens.
    fn start(mut command: Command, says: &str) -> Result<(Self, SocketAddr)> {
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
            .strip_prefix(says)
            .and_then(|it| it.parse().ok());
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
pub(super) struct ModelProcess {
    _process: Process,
    address: SocketAddr,
}

/// What model and server have counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Figures {
    pub(super) model: ModelFigures,
    pub(super) server: ServerFigures,
}

/// What the model has counted.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(super) struct ModelFigures {
    pub(super) calls: u64,
    pub(super) bytes: u64,
    /// Questions that wait for an answer right now, and won't get one.
    pub(super) hanging: u64,
}

impl ModelProcess {
    pub(super) fn start(binary: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        command.arg("bench-model").env_clear();
        let (process, address) = Process::start(command, "model listening on http://")?;
        Ok(Self {
            _process: process,
            address,
        })
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(super) async fn figures(&self) -> Result<ModelFigures> {
        let mut client = Client::connect(self.address).await?;
        let answer = client.ask("GET", "/figures", "").await?;
        Ok(serde_json::from_slice(&answer.body)?)
    }
}

/// An HTTP server that gives back what it is sent.
pub(super) struct EchoProcess {
    _process: Process,
    pub(super) address: SocketAddr,
}

impl EchoProcess {
    pub(super) fn start(binary: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        command.arg("bench-echo").env_clear();
        let (process, address) = Process::start(command, "echo listening on http://")?;
        Ok(Self {
            _process: process,
            address,
        })
    }
}

/// The server.
pub(super) struct ServerProcess {
    process: Process,
    pub(super) address: SocketAddr,
}

/// What the server has counted; nothing for one that does not count.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ServerFigures {
    pub(super) memory: f64,
    pub(super) commits: f64,
    pub(super) statements: f64,
}

impl ServerProcess {
    /// Starts one in `place`, with these settings and the usual ones, and nothing of this
    /// process' environment.
    pub(super) fn start(
        binary: &Path,
        place: &Place,
        url: &str,
        model: &str,
        settings: &[(&str, String)],
    ) -> Result<Self> {
        let mut command = Command::new(binary);
        command
            .arg("serve")
            .current_dir(place.path())
            .env_clear()
            .envs([
                ("CANDOR_BIND", "127.0.0.1:0"),
                ("CANDOR_TODAY", "2026-02-08"),
                ("DATABASE_URL", url),
                ("OPENAI_BASE_URL", model),
                ("OPENAI_MODEL", "instant"),
                ("RUST_LOG", "error"),
            ])
            .envs(settings.iter().map(|(name, value)| (name, value)));
        let (process, address) = Process::start(command, "candor listening on http://")?;
        Ok(Self { process, address })
    }

    /// Waits until it is ready.
    pub(super) async fn ready(&self) -> Result<()> {
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

    pub(super) async fn figures(&self) -> Result<ServerFigures> {
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

    /// Asks it to end, and waits until it has.
    pub(super) async fn end(mut self) -> Result<()> {
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
