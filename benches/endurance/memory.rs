//! Memory over a run: what it was in each quarter of a run, and how the last compares.

use serde::Serialize;

/// The last quarter may have so many times the memory of the second. The first is left out: in it
/// buffers and caches fill that are meant to.
pub const FLAT: f64 = 1.05;

/// The server's memory at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Turns that were done.
    pub turns: u64,
    /// Bytes.
    pub memory: f64,
}

/// Megabytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub max: f64,
}

/// Memory over a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Memory {
    #[serde(skip)]
    pub quarters: [Spread; 4],
    /// The median of the last quarter by that of the second; none where it is not known.
    pub ratio: Option<f64>,
}

impl Memory {
    /// Of a run of so many turns.
    pub fn of(turns: u64, samples: &[Sample]) -> Self {
        let quarters = [0, 1, 2, 3].map(|quarter| {
            let of_quarter = |sample: &&Sample| {
                let place = sample.turns.saturating_mul(4) / turns.max(1);
                place.min(3) == quarter
            };
            let within = samples.iter().filter(of_quarter);
            Spread::of(within.map(|sample| sample.memory / 1e6).collect())
        });
        let [_, second, _, last] = quarters;
        let known = second.median > 0.0 && last.median > 0.0;
        Self {
            quarters,
            ratio: known.then(|| last.median / second.median),
        }
    }

    /// Checks that it is known not to grow.
    pub fn is_flat(&self) -> bool {
        self.ratio.is_some_and(|ratio| ratio <= FLAT)
    }
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let middle = values.get(values.len() / 2).copied();
        Self {
            median: middle.unwrap_or_default(),
            max: values.last().copied().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(memory: impl Fn(u64) -> f64) -> Vec<Sample> {
        let samples = (0..=100).map(|turns| Sample {
            turns,
            memory: memory(turns) * 1e6,
        });
        samples.collect()
    }

    fn check(memory: impl Fn(u64) -> f64, flat: bool) {
        let found = Memory::of(100, &series(memory));
        assert_eq!(found.is_flat(), flat, "{found:?}");
    }

    #[test]
    fn memory_that_grows_is_told_from_memory_that_fills_up() {
        check(|_| 70.0, true);
        // It fills up at first, and then gives some back.
        check(|turns| 40.0 + turns.min(24) as f64, true);
        check(|turns| 100.0 - turns as f64 / 4.0, true);
        // It leaks: a tenth of what it has in the middle, over the second half.
        check(|turns| 60.0 + turns as f64 * 0.12, false);
        // It jumps for good in the last quarter.
        check(|turns| if turns < 75 { 70.0 } else { 80.0 }, false);
        // One sample that is off says nothing.
        check(|turns| if turns == 90 { 200.0 } else { 70.0 }, true);
    }

    #[test]
    fn memory_that_nobody_tells_is_not_flat() {
        check(|_| 0.0, false);
        assert!(!Memory::of(100, &[]).is_flat());
    }

    #[test]
    fn quarters_are_of_turns_and_not_of_time() {
        let found = Memory::of(100, &series(|turns| turns as f64));
        let medians = found.quarters.map(|quarter| quarter.median);
        assert_eq!(medians, [12.0, 37.0, 62.0, 88.0]);
        assert_eq!(
            found.quarters.map(|quarter| quarter.max),
            [24.0, 49.0, 74.0, 100.0]
        );
    }
}
