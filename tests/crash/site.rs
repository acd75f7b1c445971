//! Where the program runs, what dies there, and how it is brought back.

#![cfg(test)]

use std::time::{Duration, Instant};

use super::dice::Dice;
use super::disk::Disk;
use super::finding::{Finding, Wrong};
use super::program::{Directory, Program};
use crate::server::postgres::{Database, OwnCluster};
use crate::shim::Shim;

/// How long a start may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a process takes at most that has little to do.
const ENDS: Duration = Duration::from_millis(150);

/// How many processes share one PostgreSQL.
const REPLICAS: usize = 3;

/// Target of the kills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// The one process over a SQLite file.
    Process,
    /// The same, and its disk loses what was not synced.
    Power,
    /// One of several processes over one PostgreSQL.
    Replica,
    /// PostgreSQL itself, under several processes.
    Postmaster,
}

/// Processes and the database they share.
pub struct Site {
    victim: Victim,
    homes: Vec<Home>,
    variables: Vec<(String, String)>,
    url: String,
    disk: Option<Disk>,
    cluster: Option<OwnCluster>,
    _database: Option<Database>,
    /// How long the first start took.
    pub start: Duration,
}

/// A process, and where it runs. The process goes first.
struct Home {
    program: Option<Program>,
    address: String,
    directory: Directory,
}

impl Site {
    /// An empty database, and no process yet; they are started with these variables, and others.
    pub fn new(victim: Victim, more: Vec<(String, String)>) -> Self {
        let home = || Home {
            program: None,
            address: String::new(),
            directory: Directory::new(),
        };
        let many = matches!(victim, Victim::Replica | Victim::Postmaster);
        let homes: Vec<Home> = (0..if many { REPLICAS } else { 1 })
            .map(|_| home())
            .collect();
        let first = homes[0].directory.path();
        let cluster = (victim == Victim::Postmaster).then(OwnCluster::start);
        let database = match &cluster {
            Some(cluster) => Some(cluster.database()),
            None => many.then(Database::new),
        };
        let url = match &database {
            Some(database) => database.url(),
            None => format!("sqlite://{}", first.join("candor.db").display()),
        };
        let shim = || Shim::build("tests/crash/powerloss.c");
        let disk = (victim == Victim::Power).then(|| Disk::new(first, shim()));
        let mut variables = vec![("DATABASE_URL".to_owned(), url.clone())];
        variables.extend(disk.iter().flat_map(Disk::variables));
        variables.extend(more);
        Self {
            victim,
            homes,
            variables,
            url,
            disk,
            cluster,
            _database: database,
            start: Duration::ZERO,
        }
    }

    /// Where the database is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Tells whether several processes share it.
    pub fn is_shared(&self) -> bool {
        self.homes.len() > 1
    }

    /// Where the processes that run can be reached.
    pub fn addresses(&self) -> Vec<String> {
        let running = self.homes.iter().filter(|home| home.program.is_some());
        running.map(|home| home.address.clone()).collect()
    }

    /// Starts what does not run.
    ///
    /// # Errors
    /// When a process does not start over what the crash left.
    pub async fn up(&mut self) -> Result<(), Finding> {
        let began = Instant::now();
        for home in self.homes.iter_mut().filter(|home| home.program.is_none()) {
            home.program = Some(Program::spawn(home.directory.path(), &self.variables, None));
        }
        for home in self.homes.iter_mut().filter(|home| home.address.is_empty()) {
            let Some(program) = &mut home.program else {
                continue;
            };
            let address = tokio::time::timeout(PATIENCE, program.address()).await;
            let address = address.unwrap_or_else(|_| Err("it hangs while it starts".to_owned()));
            home.address = address.map_err(|words| Finding::new(Wrong::Lost, words))?;
        }
        if self.start.is_zero() {
            self.start = began.elapsed();
        }
        Ok(())
    }

    /// Starts a process and kills it a moment into its start; or one that only brings the
    /// database up to date, and copies the log back into the file as it ends.
    ///
    /// # Errors
    /// As [`Site::strike`].
    pub async fn strike_early(&mut self, dice: &mut Dice) -> Result<u64, Finding> {
        let (argument, most) = if dice.percent(50) {
            (None, self.start + Duration::from_millis(20))
        } else {
            (Some("migrate"), ENDS)
        };
        let home = &mut self.homes[0];
        let path = home.directory.path();
        home.program = Some(Program::spawn(path, &self.variables, argument));
        let most = usize::try_from(most.as_millis()).unwrap();
        let pause = Duration::from_millis(dice.below(most) as u64);
        tokio::time::sleep(pause).await;
        self.kill(0);
        self.cut_power(dice)
    }

    /// Kills, without warning. Gives how many unsynced writes were lost with it.
    ///
    /// # Errors
    /// When the disk can't be told from the log of what was written.
    pub async fn strike(&mut self, dice: &mut Dice) -> Result<u64, Finding> {
        match self.victim {
            Victim::Process => self.kill(0),
            Victim::Power => {
                self.kill(0);
                return self.cut_power(dice);
            }
            Victim::Replica => {
                let which = dice.below(self.homes.len());
                self.kill(which);
            }
            Victim::Postmaster => self.cluster.as_ref().expect("it has one").crash(),
        }
        Ok(0)
    }

    /// Brings the database back where that is what was killed.
    pub fn restore(&self) {
        if let Some(cluster) = &self.cluster {
            cluster.start_again();
        }
    }

    fn kill(&mut self, which: usize) {
        let home = &mut self.homes[which];
        if let Some(mut program) = home.program.take() {
            program.kill();
        }
        home.address.clear();
    }

    fn cut_power(&mut self, dice: &mut Dice) -> Result<u64, Finding> {
        let Some(disk) = &mut self.disk else {
            return Ok(0);
        };
        let lost = disk.lose_power(&mut dice.split());
        lost.map_err(|words| Finding::new(Wrong::Surprise, words))
    }
}
