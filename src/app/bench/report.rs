//! What the runs come to, for people and for machines.

use std::io::{self, Write};

use hdrhistogram::Histogram;
use serde::Serialize;

use super::load::{Done, Plan};
use super::processes::{ModelFigures, ServerFigures};
use super::verify::Agreement;

/// Milliseconds.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Spread {
    p50: f64,
    p99: f64,
    p999: f64,
    max: f64,
}

impl Spread {
    fn of(histogram: &Histogram<u64>) -> Self {
        let at = |share| histogram.value_at_quantile(share) as f64 / 1000.0;
        Self {
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
            max: histogram.max() as f64 / 1000.0,
        }
    }
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Run {
    clients: u16,
    /// Turns per second that were asked for; none: as many as came.
    rate: Option<u32>,
    turns: u64,
    turns_per_second: f64,
    /// From the moment a turn was due until its reply was there.
    whole_ms: Spread,
    /// Of that, what the server calls its own.
    own_ms: Spread,
    wrong_replies: u64,
    agreement: Agreement,
    server_memory_mb: f64,
    commits_per_turn: f64,
    model_calls_per_turn: f64,
    model_bytes_per_turn: f64,
}

type Figures = (ModelFigures, ServerFigures);

impl Run {
    pub(super) fn new(
        plan: &Plan,
        done: &Done,
        agreement: Agreement,
        before: &Figures,
        after: &Figures,
    ) -> Self {
        let all = done.all.max(1) as f64;
        let grown = |before: u64, after: u64| after.saturating_sub(before) as f64 / all;
        Self {
            clients: plan.clients,
            rate: plan.rate,
            turns: done.turns,
            turns_per_second: done.turns as f64 / done.took.as_secs_f64(),
            whole_ms: Spread::of(&done.whole),
            own_ms: Spread::of(&done.own),
            wrong_replies: done.wrong,
            agreement,
            server_memory_mb: after.1.memory / 1e6,
            commits_per_turn: (after.1.commits - before.1.commits) / all,
            model_calls_per_turn: grown(before.0.calls, after.0.calls),
            model_bytes_per_turn: grown(before.0.bytes, after.0.bytes),
        }
    }

    fn sound(&self) -> bool {
        self.wrong_replies == 0 && self.agreement.holds()
    }
}

/// All runs, in their order.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    runs: Vec<Named>,
}

#[derive(Debug, Serialize)]
struct Named {
    binary: &'static str,
    #[serde(flatten)]
    run: Run,
}

impl Report {
    pub(super) fn push(&mut self, binary: &'static str, run: Run) {
        self.runs.push(Named { binary, run });
    }

    /// Whether every run answered rightly, and its rows agree with its replies.
    pub(super) fn sound(&self) -> bool {
        self.runs.iter().all(|named| named.run.sound())
    }

    /// B beside A, where both were measured.
    pub(super) fn compare(&self, out: &mut impl Write) -> io::Result<()> {
        let mut clients: Vec<u16> = self.runs.iter().map(|named| named.run.clients).collect();
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
                ratio(|run| run.own_ms.p50),
                ratio(|run| run.own_ms.p99),
            )?;
        }
        Ok(())
    }
}

/// One run, for people.
pub(super) fn line(out: &mut impl Write, name: &str, run: &Run) -> io::Result<()> {
    let spread = |it: &Spread| format!("{:.2} / {:.2} / {:.2} ms", it.p50, it.p99, it.p999);
    writeln!(
        out,
        "{name}  {:>3} clients  {:>7.0} turns/s  whole {}  own {}  {:.0} MB  {:.2} commits and {:.0} \
         bytes to the model a turn",
        run.clients,
        run.turns_per_second,
        spread(&run.whole_ms),
        spread(&run.own_ms),
        run.server_memory_mb,
        run.commits_per_turn,
        run.model_bytes_per_turn,
    )?;
    let Agreement {
        receipts,
        lost,
        untold,
        doubled,
        uneven,
    } = run.agreement;
    if run.sound() {
        writeln!(
            out,
            "   {} replies right, {receipts} receipts in the database, one to one",
            run.turns
        )
    } else {
        writeln!(
            out,
            "   WRONG: {} replies not as expected; of {receipts} receipts {lost} lost, {untold} untold, \
             {doubled} doubled; {uneven} users with another number of replies",
            run.wrong_replies
        )
    }
}
