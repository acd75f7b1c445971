//! The table at the end: per model, how often a tool was triggered, how often it lied, and what
//! got through.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::play::Played;

/// What a number of plays came to.
#[derive(Debug, Clone, Default)]
pub struct Score {
    plays: Vec<Played>,
    repeat: usize,
}

impl Score {
    /// A score of plays, every scenario played `repeat` times.
    pub const fn new(plays: Vec<Played>, repeat: usize) -> Self {
        Self { plays, repeat }
    }

    /// Whether every play passed.
    pub fn passed(&self) -> bool {
        self.plays.iter().all(Played::passed)
    }

    /// The plays that failed.
    pub fn failures(&self) -> impl Iterator<Item = &Played> {
        self.plays.iter().filter(|played| !played.passed())
    }

    fn models(&self) -> Vec<&str> {
        let mut models: Vec<&str> = Vec::new();
        for played in &self.plays {
            if !models.contains(&played.model.as_str()) {
                models.push(&played.model);
            }
        }
        models
    }

    fn of(&self, model: &str) -> Summary {
        let plays: Vec<&Played> = self.plays.iter().filter(|p| p.model == model).collect();
        let sum = |of: fn(&Played) -> usize| plays.iter().copied().map(of).sum::<usize>();
        let mut latencies: Vec<f64> = plays.iter().flat_map(|p| p.latencies.clone()).collect();
        latencies.sort_by(f64::total_cmp);
        let mut names: Vec<&str> = plays.iter().map(|p| p.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        // pass^k: a case counts only if every one of its k plays passed.
        let steady = names
            .iter()
            .filter(|name| {
                plays
                    .iter()
                    .filter(|p| p.name == **name)
                    .all(|p| p.passed())
            })
            .count();
        Summary {
            cases: names.len(),
            passed: steady,
            expected: sum(|p| p.expected),
            triggered: sum(|p| p.triggered),
            stopped: sum(|p| p.stopped),
            ghosts: sum(|p| p.ghosts),
            wrong_effects: sum(|p| p.wrong_effects),
            p50: percentile(&latencies, 50),
            p99: percentile(&latencies, 99),
        }
    }

    /// One object for machines.
    pub fn to_json(&self) -> Value {
        let models: Vec<Value> = self
            .models()
            .into_iter()
            .map(|model| self.of(model).to_json(model, self.repeat))
            .collect();
        let failures: Vec<Value> = self
            .failures()
            .map(|p| json!({ "name": p.name, "model": p.model, "faults": p.faults }))
            .collect();
        json!({ "suite": "scenarios", "models": models, "failures": failures })
    }

    /// A table for people; it can be pasted into a report.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for played in self.failures() {
            writeln!(out, "FAIL {} ({})", played.name, played.model)?;
            for fault in &played.faults {
                writeln!(out, "  {fault}")?;
            }
        }
        writeln!(
            out,
            "| model | cases | pass^{} | tool triggered | lies stopped | ghosts let through | wrong effects | p50 ms | p99 ms |",
            self.repeat.max(1)
        )?;
        writeln!(out, "|---|---|---|---|---|---|---|---|---|")?;
        for model in self.models() {
            let s = self.of(model);
            writeln!(
                out,
                "| {} | {} | {} | {} of {} | {} | {} | {} | {:.1} | {:.1} |",
                model,
                s.cases,
                s.passed,
                s.triggered,
                s.expected,
                s.stopped,
                s.ghosts,
                s.wrong_effects,
                s.p50,
                s.p99
            )?;
        }
        Ok(())
    }
}

struct Summary {
    cases: usize,
    passed: usize,
    expected: usize,
    triggered: usize,
    stopped: usize,
    ghosts: usize,
    wrong_effects: usize,
    p50: f64,
    p99: f64,
}

impl Summary {
    fn to_json(&self, model: &str, repeat: usize) -> Value {
        json!({
            "model": model,
            "cases": self.cases,
            "passed": self.passed,
            "repeat": repeat,
            "tool_expected": self.expected,
            "tool_triggered": self.triggered,
            "ghosts_stopped": self.stopped,
            "ghosts_let_through": self.ghosts,
            "wrong_effects": self.wrong_effects,
            "latency_ms": { "p50": self.p50, "p99": self.p99 },
        })
    }
}

/// The nearest-rank percentile of sorted values.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}
