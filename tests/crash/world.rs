//! One database, its clients, and a number of kills.

#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::ValueEnum;
use tokio::task::JoinSet;

use super::client::{Client, Field};
use super::dice::Dice;
use super::finding::{Finding, Tally};
use super::model;
use super::oracle::judge;
use super::site::{Site, Victim};
use crate::openai::ScriptedModel;

/// Clients of one world; two act for each user.
const CLIENTS: usize = 6;

/// Kills of one world, after which it gets too large to be looked through each time.
const KILLS: u64 = 20;

/// Model that answers the clients' words, and how much they ask at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Turns {
    /// The built-in engine; each turn is one commit.
    Plain,
    /// A model that needs two rounds, each with a commit of its own.
    Rounds,
}

/// Settings of the worlds that are played.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Target of the kills.
    pub victim: Victim,
    /// Kind of the turns.
    pub turns: Turns,
    /// The bug that is planted in the program.
    pub bug: Option<&'static str>,
    /// How many kills.
    pub kills: u64,
    /// The first world's seed; the next world has the next number.
    pub seed: u64,
}

/// Plays worlds until there were so many kills, or until `until` says that it is enough.
pub async fn run(plan: &Plan, until: &dyn Fn(&Tally) -> bool) -> Tally {
    let mut tally = Tally::default();
    let mut seed = plan.seed;
    while tally.kills < plan.kills && !until(&tally) {
        let kills = (plan.kills - tally.kills).min(KILLS);
        let mut world = World::new(plan, seed).await;
        let played = world.play(kills, &mut tally).await;
        let broken = played.err();
        world.close(&mut tally, broken);
        tally.worlds += 1;
        seed += 1;
    }
    tally
}

struct World {
    seed: u64,
    dice: Dice,
    /// Says when a start is killed.
    early: Dice,
    site: Site,
    field: Arc<Field>,
    clients: Vec<Client>,
    findings: Vec<Finding>,
    _model: Option<ScriptedModel>,
}

/// Work that a client is to do.
#[derive(Clone, Copy)]
enum Work {
    Load,
    Settle,
    Replay,
}

impl World {
    async fn new(plan: &Plan, seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let mut variables = Vec::new();
        variables.extend(plan.bug.map(|bug| pair("CANDOR_PLANTED", bug)));
        let rounds = plan.turns == Turns::Rounds;
        let mut model = None;
        if rounds {
            let model = model.insert(model::start(dice.split()).await);
            variables.push(pair("OPENAI_BASE_URL", &model.base_url()));
            variables.push(pair("OPENAI_MODEL", "scripted"));
        }
        let site = Site::new(plan.victim, variables);
        let client = |number: usize| {
            let user = format!("user{}", number / 2);
            let name = ["ant", "bee", "cat", "dog", "eel", "fox"][number];
            Client::new(&user, name, dice.split())
        };
        let clients = (0..CLIENTS).map(client).collect();
        // A bug may leave a request without an answer for good; the others are worth a wait.
        let patience = Duration::from_secs(if plan.bug.is_some() { 3 } else { 60 });
        Self {
            seed,
            early: dice.split(),
            field: Arc::new(Field::new(site.is_shared(), rounds, patience)),
            site,
            dice,
            clients,
            findings: Vec::new(),
            _model: model,
        }
    }

    async fn play(&mut self, kills: u64, tally: &mut Tally) -> Result<(), Finding> {
        self.up().await?;
        let mut killed = 0;
        while killed < kills {
            // Often everything is answered and looked at before the next kill; else that one
            // also hits what is being repeated because of the one before.
            if self.dice.percent(60) || !self.findings.is_empty() {
                self.check(tally).await;
            }
            if !self.findings.is_empty() {
                return Ok(());
            }
            self.load_and_strike(tally).await?;
            killed += 1;
            tally.kills += 1;
            while !self.site.is_shared() && killed < kills && self.strikes_early(killed) {
                tally.unsynced += self.site.strike_early(&mut self.early).await?;
                killed += 1;
                tally.kills += 1;
                tally.while_starting += 1;
            }
            self.up().await?;
        }
        self.check(tally).await;
        Ok(())
    }

    /// Tells whether the next kill hits the start; in every world one does.
    fn strikes_early(&mut self, killed: u64) -> bool {
        self.early.percent(30) || killed == 2
    }

    async fn up(&mut self) -> Result<(), Finding> {
        self.site.up().await?;
        *self.field.addresses.write().unwrap() = self.site.addresses();
        Ok(())
    }

    async fn load_and_strike(&mut self, tally: &mut Tally) -> Result<(), Finding> {
        self.field.stop.store(false, Ordering::SeqCst);
        let working = self.begin(Work::Load);
        if self.dice.percent(40) {
            // At the very moment at which somebody was answered.
            let count = *self.field.acknowledged.borrow() + 1 + self.dice.below(20) as u64;
            let mut answers = self.field.acknowledged.subscribe();
            let reached = answers.wait_for(|now| *now >= count);
            // Who is never answered says so by himself.
            let _ = tokio::time::timeout(Duration::from_secs(2), reached).await;
        } else {
            let pause = Duration::from_millis(self.dice.below(120) as u64);
            tokio::time::sleep(pause).await;
        }
        let shared = self.site.is_shared();
        self.field.stop.store(!shared, Ordering::SeqCst);
        let struck = self.site.strike(&mut self.dice).await;
        if shared {
            // The others go on meanwhile.
            let pause = Duration::from_millis(self.dice.below(150) as u64);
            tokio::time::sleep(pause).await;
            self.site.restore();
            self.field.stop.store(true, Ordering::SeqCst);
        }
        self.gather(working).await;
        tally.unsynced += struck?;
        Ok(())
    }

    /// Gets an answer to everything, and holds all answers against the database.
    async fn check(&mut self, tally: &mut Tally) {
        for work in [Work::Settle, Work::Replay] {
            let working = self.begin(work);
            self.gather(working).await;
        }
        tally.checks += 1;
        self.findings
            .extend(judge(self.site.url(), &self.clients).await);
        for client in &mut self.clients {
            self.findings.append(&mut client.findings);
        }
    }

    fn begin(&mut self, work: Work) -> JoinSet<Client> {
        let mut working = JoinSet::new();
        for mut client in self.clients.drain(..) {
            let field = Arc::clone(&self.field);
            working.spawn(async move {
                match work {
                    Work::Load => client.load(&field).await,
                    Work::Settle => client.settle(&field).await,
                    Work::Replay => client.replay(&field, 2).await,
                }
                client
            });
        }
        working
    }

    async fn gather(&mut self, working: JoinSet<Client>) {
        self.clients = working.join_all().await;
        self.clients.sort_by(|one, other| one.name.cmp(&other.name));
        for client in &mut self.clients {
            self.findings.append(&mut client.findings);
        }
    }

    fn close(self, tally: &mut Tally, broken: Option<Finding>) {
        tally.acknowledged += *self.field.acknowledged.borrow();
        tally.cut += self.field.cut.load(Ordering::Relaxed);
        let findings = self.findings.into_iter().chain(broken);
        tally.findings.extend(findings.map(|it| (self.seed, it)));
    }
}
