//! The floor, which no turn can be faster than on this machine: a server of the same kind that only gives back
//! what it is sent, and commits of one short row, each as durable as a turn's.
//!
//! Machines and their disks differ more than servers do, and one disk from minute to minute: a
//! figure says something beside its floor alone.

use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use actix_web::{App, HttpServer, web};
use anyhow::Result;
use hdrhistogram::Histogram;
use serde::Serialize;

use super::client::Client;
use super::processes::{Process, ScratchFolder};
use super::report::Spread;
use super::talk::{micros, times};
use crate::domain::IdSource;
use crate::store::BaselineCommits;

/// Time for which each of both is measured.
const MEASURED: Duration = Duration::from_secs(1);

/// As long as a short message.
const SAID: &str = r#"{"message":"add Water plant 12"}"#;

/// Serves the echo until it is killed, and says where.
///
/// # Errors
/// When no port can be had.
pub async fn serve(out: &mut impl Write) -> Result<ExitCode> {
    let app = || App::new().route("/", web::post().to(echo));
    let server = HttpServer::new(app)
        .workers(crate::http::workers())
        .bind(("127.0.0.1", 0))?;
    for address in server.addrs() {
        writeln!(out, "echo listening on http://{address}")?;
    }
    out.flush()?;
    server.run().await?;
    Ok(ExitCode::SUCCESS)
}

async fn echo(body: web::Json<serde_json::Value>) -> web::Json<serde_json::Value> {
    body
}

/// The floor under the turns of so many clients.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Floor {
    clients: u16,
    /// Requests that are given back.
    echo: Rate,
    /// Durable commits, one after the other.
    commit: Rate,
}

/// Number of those done, and the time each took.
#[derive(Debug, Clone, Copy, Serialize)]
struct Rate {
    per_second: f64,
    ms: Spread,
}

impl Rate {
    fn of(histogram: &Histogram<u64>, took: Duration) -> Self {
        Self {
            per_second: histogram.len() as f64 / took.as_secs_f64(),
            ms: Spread::of(histogram),
        }
    }
}

/// Measures it, where the runs have their database.
pub async fn measure(own: &Path, database: Option<&str>, clients: u16) -> Result<Floor> {
    let (_echo, address) = Process::of(own, "bench-echo")?;
    Ok(Floor {
        clients,
        echo: echoes(address, clients).await?,
        commit: commits(database).await?,
    })
}

/// So many clients that ask again as soon as they are answered.
async fn echoes(address: SocketAddr, clients: u16) -> Result<Rate> {
    let began = Instant::now();
    let talks = (0..clients).map(|_| {
        tokio::spawn(async move {
            let mut client = Client::connect(address).await?;
            let mut histogram = times()?;
            while began.elapsed() < MEASURED {
                let asked = Instant::now();
                let answer = client.ask("POST", "/", SAID).await?;
                let same = answer.status() == 200 && answer.body == SAID.as_bytes();
                anyhow::ensure!(same, "the echo gave something else back");
                histogram.saturating_record(micros(asked.elapsed()));
            }
            Ok(histogram)
        })
    });
    let talks: Vec<_> = talks.collect();
    let mut all = times()?;
    for talk in talks {
        all.add(talk.await??)?;
    }
    Ok(Rate::of(&all, began.elapsed()))
}

/// One commit after the other, on the disk or the server that the runs have.
async fn commits(database: Option<&str>) -> Result<Rate> {
    let file = Passing::beside(database)?;
    let url = file.as_ref().map(Passing::url);
    let url = url.as_deref().or(database).unwrap_or_default();
    let mut commits = BaselineCommits::open(url).await?;
    let mut histogram = times()?;
    let began = Instant::now();
    while began.elapsed() < MEASURED {
        let asked = Instant::now();
        commits.commit().await?;
        histogram.saturating_record(micros(asked.elapsed()));
    }
    let rate = Rate::of(&histogram, began.elapsed());
    commits.close().await;
    Ok(rate)
}

/// A database file that goes with its owner.
struct Passing {
    file: PathBuf,
    _place: Option<ScratchFolder>,
}

impl Passing {
    /// One on the disk of `database`: beside its file, or in a place of its own where none is named.
    /// None where it is no file.
    fn beside(database: Option<&str>) -> Result<Option<Self>> {
        let Some(url) = database else {
            let place = ScratchFolder::new()?;
            return Ok(Some(Self {
                file: place.path().join("floor.db"),
                _place: Some(place),
            }));
        };
        let Some(named) = url
            .strip_prefix("sqlite:")
            .filter(|it| !it.contains(":memory:"))
        else {
            return Ok(None);
        };
        let named = named.trim_start_matches("//");
        let named = Path::new(named.split('?').next().unwrap_or(named));
        let file = format!("candor-floor-{}.db", IdSource::random().next());
        Ok(Some(Self {
            file: named.with_file_name(file),
            _place: None,
        }))
    }

    fn url(&self) -> String {
        format!("sqlite://{}", self.file.display())
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm"] {
            let mut file = self.file.clone().into_os_string();
            file.push(end);
            // What is not there need not be removed.
            let _ = std::fs::remove_file(file);
        }
    }
}

/// The floor, for people.
pub fn line(out: &mut impl Write, floor: &Floor) -> std::io::Result<()> {
    let Floor {
        clients,
        echo,
        commit,
    } = floor;
    writeln!(
        out,
        "floor {clients:>2} clients  {:>7.0} echoes/s {}  commits one by one {:.0}/s  {}",
        echo.per_second, echo.ms, commit.per_second, commit.ms,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_lies_on_the_disk_of_the_database_and_goes_again() {
        let place = ScratchFolder::new().unwrap();
        let named = place.path().join("candor.db");
        std::fs::write(&named, "theirs").unwrap();
        let url = format!("sqlite://{}?mode=rwc", named.display());
        let file = Passing::beside(Some(&url)).unwrap().unwrap();
        assert_eq!(file.file.parent(), Some(place.path()));
        std::fs::write(&file.file, "").unwrap();
        drop(file);
        let left = std::fs::read_dir(place.path()).unwrap();
        let left: Vec<_> = left.map(|it| it.unwrap().path()).collect();
        assert_eq!(left, [named]);
    }

    #[test]
    fn a_server_and_a_database_in_memory_have_no_file_beside_them() {
        for url in ["postgres://h/x", "sqlite::memory:"] {
            assert!(Passing::beside(Some(url)).unwrap().is_none(), "{url}");
        }
        let own = Passing::beside(None).unwrap().unwrap();
        assert!(own._place.is_some());
    }
}
