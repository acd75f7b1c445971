//! Measuring: every run timed alone, since the lines to hold are 99th percentiles.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

/// How long the runs of one piece of work took, in µs, in ascending order.
pub struct Times(Vec<f64>);

impl Times {
    /// Runs `work` `runs` times after a tenth as many to warm up.
    pub fn of<T>(runs: usize, mut work: impl FnMut(usize) -> T) -> Self {
        for run in 0..runs / 10 {
            black_box(work(run));
        }
        let timed = (0..runs).map(|run| {
            let start = Instant::now();
            black_box(work(run));
            start.elapsed().as_secs_f64() * 1e6
        });
        let mut times: Vec<f64> = timed.collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    /// The time in µs that `percent` % of the runs stay below.
    pub fn at(&self, percent: usize) -> f64 {
        let place = self.0.len() * percent / 100;
        self.0.get(place).or(self.0.last()).copied().unwrap_or(0.0)
    }
}

/// Writes one line.
pub fn line(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}
