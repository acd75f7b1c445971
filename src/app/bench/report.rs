//! The report of the runs, for people and for machines.

use std::io::{self, Write};

use hdrhistogram::Histogram;
use serde::Serialize;

use super::floor::Floor;
use super::load::{Done, Plan};
use super::processes::Figures;
use super::talk::Times;
use super::verify::Agreement;

/// Milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Spread {
    pub p50: f64,
    pub p99: f64,
    pub p999: f64,
    pub max: f64,
}

impl Spread {
    pub fn of(histogram: &Histogram<u64>) -> Self {
        let at = |share| histogram.value_at_quantile(share) as f64 / 1000.0;
        Self {
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
            max: histogram.max() as f64 / 1000.0,
        }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} / {:.2} / {:.2} ms", self.p50, self.p99, self.p999)
    }
}

/// Number of turns, and the time they took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Latency {
    pub turns: u64,
    /// From the moment a turn was due until its reply was there.
    pub whole_ms: Spread,
    /// Of that, what the server calls its own.
    pub own_ms: Spread,
}

impl Latency {
    pub fn of(times: &Times) -> Self {
        Self {
            turns: times.whole.len(),
            whole_ms: Spread::of(&times.whole),
            own_ms: Spread::of(&times.own),
        }
    }
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    clients: usize,
    /// Turns per second that were asked for; none: as many as came.
    rate: Option<u32>,
    turns_per_second: f64,
    #[serde(flatten)]
    latency: Latency,
    wrong_replies: u64,
    agreement: Agreement,
    server_memory_mb: f64,
    commits_per_turn: f64,
    /// Statements given to the driver, those of the background too.
    statements_per_turn: f64,
    model_calls_per_turn: f64,
    model_bytes_per_turn: f64,
    /// Bytes that the database's file grew by; none where it is no file.
    disk_bytes_per_turn: Option<f64>,
}

impl Run {
    pub fn new(
        plan: &Plan,
        done: &Done,
        agreement: Agreement,
        (before, after): (Figures, Figures),
        disk: Option<u64>,
    ) -> Self {
        let all = done.all.max(1) as f64;
        let grown = |before: u64, after: u64| after.saturating_sub(before) as f64 / all;
        Self {
            clients: done.talks.len(),
            rate: plan.rate,
            turns_per_second: done.turns as f64 / done.took.as_secs_f64(),
            latency: Latency::of(&done.times),
            wrong_replies: done.wrong,
            agreement,
            server_memory_mb: after.server.memory / 1e6,
            commits_per_turn: (after.server.commits - before.server.commits) / all,
            statements_per_turn: (after.server.statements - before.server.statements) / all,
            model_calls_per_turn: grown(before.model.calls, after.model.calls),
            model_bytes_per_turn: grown(before.model.bytes, after.model.bytes),
            disk_bytes_per_turn: disk.map(|bytes| bytes as f64 / all),
        }
    }

    fn sound(&self) -> bool {
        self.wrong_replies == 0 && self.agreement.holds()
    }
}

/// All runs, in their order.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// Each measured before the runs of so many clients.
    floors: Vec<Floor>,
    runs: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct Named {
    binary: &'static str,
    #[serde(flatten)]
    run: Run,
}

impl Report {
    pub fn stand_on(&mut self, floor: Floor) {
        self.floors.push(floor);
    }

    pub fn push(&mut self, binary: &'static str, run: Run) {
        self.runs.push(Named { binary, run });
    }

    /// Checks that every run answered rightly, and its rows agree with its replies.
    pub fn sound(&self) -> bool {
        self.runs.iter().all(|named| named.run.sound())
    }

    /// B beside A, where both were measured.
    pub fn compare(&self, out: &mut impl Write) -> io::Result<()> {
        let mut clients: Vec<usize> = self.runs.iter().map(|named| named.run.clients).collect();
        clients.dedup();
        for clients in clients {
            let mean = |binary: &str, figure: fn(&Run) -> f64| {
                let runs = self.runs.iter();
                let runs = runs.filter(|it| it.binary == binary && it.run.clients == clients);
                let figures: Vec<f64> = runs.map(|it| figure(&it.run)).collect();
                figures.iter().sum::<f64>() / figures.len() as f64
            };
            let ratio = |figure: fn(&Run) -> f64| mean("B", figure) / mean("A", figure);
            let throughput = ratio(|run| run.turns_per_second);
            if throughput.is_nan() {
                continue;
            }
            writeln!(
                out,
                "{clients} clients: B has {throughput:.3} × the turns/s of A, its own part {:.3} × \
                 at p50 and {:.3} × at p99",
                ratio(|run| run.latency.own_ms.p50),
                ratio(|run| run.latency.own_ms.p99),
            )?;
        }
        Ok(())
    }
}

/// One run, for people.
pub fn line(out: &mut impl Write, name: &str, run: &Run) -> io::Result<()> {
    let disk = run.disk_bytes_per_turn;
    let disk = disk.map_or(String::new(), |bytes| format!(", {bytes:.0} on disk"));
    writeln!(
        out,
        "{name}  {:>3} clients  {:>7.0} turns/s  whole {}  own {}  {:.0} MB  a turn: {:.2} commits, \
         {:.2} statements, {:.0} bytes to the model{disk}",
        run.clients,
        run.turns_per_second,
        run.latency.whole_ms,
        run.latency.own_ms,
        run.server_memory_mb,
        run.commits_per_turn,
        run.statements_per_turn,
        run.model_bytes_per_turn,
    )?;
    verdict(out, run.latency.turns, run.wrong_replies, run.agreement)
}

/// Says for people that replies and rows were right, or what was wrong.
pub fn verdict(
    out: &mut impl Write,
    turns: u64,
    wrong: u64,
    agreement: Agreement,
) -> io::Result<()> {
    let Agreement {
        receipts,
        lost,
        untold,
        doubled,
        uneven,
    } = agreement;
    if wrong == 0 && agreement.holds() {
        writeln!(
            out,
            "   {turns} replies right, {receipts} receipts in the database, one to one"
        )
    } else {
        writeln!(
            out,
            "   WRONG: {wrong} replies not as expected; of {receipts} receipts {lost} lost, {untold} untold, \
             {doubled} doubled; {uneven} users with another number of replies"
        )
    }
}
