//! The figures of one name, one for each combination of label values.
//!
//! There is a bound on how many there may be: what comes after it is counted under `other`.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use prometheus::core::Collector;
use prometheus::{
    Gauge, GaugeVec, Histogram, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, Opts,
    Registry, Result,
};

use super::names::{BUCKETS, FigureName};

/// Combinations of one name at most: routes × methods × statuses are the most there are.
const MOST: usize = 2_000;

/// All figures of one name, as the library keeps them.
pub(super) trait Figures: Collector + Clone + 'static {
    /// One of them.
    type Figure;

    /// None of it is there yet.
    fn empty(name: &FigureName) -> Result<Self>;

    /// The figure of these label values, made when it is first asked for.
    fn figure(&self, values: &[&str]) -> Result<Self::Figure>;
}

impl Figures for IntCounterVec {
    type Figure = IntCounter;

    fn empty(name: &FigureName) -> Result<Self> {
        Self::new(Opts::new(name.name, name.help), name.labels)
    }

    fn figure(&self, values: &[&str]) -> Result<IntCounter> {
        self.get_metric_with_label_values(values)
    }
}

impl Figures for GaugeVec {
    type Figure = Gauge;

    fn empty(name: &FigureName) -> Result<Self> {
        Self::new(Opts::new(name.name, name.help), name.labels)
    }

    fn figure(&self, values: &[&str]) -> Result<Gauge> {
        self.get_metric_with_label_values(values)
    }
}

impl Figures for HistogramVec {
    type Figure = Histogram;

    fn empty(name: &FigureName) -> Result<Self> {
        let options = HistogramOpts::new(name.name, name.help);
        Self::new(options.buckets(BUCKETS.to_vec()), name.labels)
    }

    fn figure(&self, values: &[&str]) -> Result<Histogram> {
        self.get_metric_with_label_values(values)
    }
}

/// The figures of one name.
pub(super) struct FigureFamily<F, const N: usize> {
    figures: F,
    most: usize,
    hasher: RandomState,
    seen: RwLock<HashSet<u64>>,
}

impl<const N: usize> FigureFamily<IntCounterVec, N> {
    /// Counts one more.
    pub(super) fn count(&self, values: [&str; N]) {
        self.with(values, |it| it.inc());
    }
}

impl<const N: usize> FigureFamily<HistogramVec, N> {
    /// Takes in what something took.
    pub(super) fn observe(&self, values: [&str; N], took: Duration) {
        self.with(values, |it| it.observe(took.as_secs_f64()));
    }
}

impl<const N: usize> FigureFamily<GaugeVec, N> {
    /// Sets the figure.
    pub(super) fn set(&self, values: [&str; N], value: f64) {
        self.with(values, |it| it.set(value));
    }
}

impl<F: Figures, const N: usize> FigureFamily<F, N> {
    /// None of it is there yet, but for the one figure of a name without labels.
    pub(super) fn new(registry: &Registry, name: FigureName) -> Result<Self> {
        let family = Self::bounded(registry, name, MOST)?;
        if N == 0 {
            family.with([""; N], |_| ());
        }
        Ok(family)
    }

    fn bounded(registry: &Registry, name: FigureName, most: usize) -> Result<Self> {
        debug_assert_eq!(name.labels.len(), N, "{}", name.name);
        let figures = F::empty(&name)?;
        registry.register(Box::new(figures.clone()))?;
        Ok(Self {
            figures,
            most,
            hasher: RandomState::new(),
            seen: RwLock::default(),
        })
    }

    /// The same with the figures of these labels there from the beginning, at zero.
    pub(super) fn having<'v>(self, values: impl IntoIterator<Item = [&'v str; N]>) -> Self {
        for values in values {
            self.with(values, |_| ());
        }
        self
    }

    /// Does something with the figure of these label values.
    pub(super) fn with(&self, values: [&str; N], act: impl FnOnce(F::Figure)) {
        let values = if self.fits(values) {
            values
        } else {
            ["other"; N]
        };
        // There are as many values as labels, which is all that can be wrong with them.
        if let Ok(figure) = self.figures.figure(&values) {
            act(figure);
        }
    }

    /// Checks that these were seen before, or that there is room for them.
    fn fits(&self, values: [&str; N]) -> bool {
        let hash = self.hasher.hash_one(values);
        let seen = self.seen.read().unwrap_or_else(PoisonError::into_inner);
        if seen.contains(&hash) {
            return true;
        }
        drop(seen);
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        let room = seen.len() < self.most;
        if room {
            seen.insert(hash);
        }
        room || seen.contains(&hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::names;
    use prometheus::TextEncoder;

    #[test]
    fn a_figure_is_made_once_and_found_again_and_there_are_not_too_many() {
        let registry = Registry::new();
        let family: FigureFamily<IntCounterVec, 2> =
            FigureFamily::bounded(&registry, names::TOOLS, 3).unwrap();
        let family = family.having([["add_task", "done"]]);
        for tool in [
            "add_task",
            "undo",
            "undo",
            "list_tasks",
            "ghost",
            "ghost \"2\"",
        ] {
            family.with([tool, "done"], |count| count.inc());
        }
        let text = TextEncoder::new()
            .encode_to_string(&registry.gather())
            .unwrap();
        let check = |tool: &str, count: u64| {
            let line =
                format!("candor_tool_calls_total{{outcome=\"done\",tool=\"{tool}\"}} {count}\n");
            assert!(text.contains(&line), "{line} in {text}");
        };
        check("add_task", 1);
        check("undo", 2);
        check("list_tasks", 1);
        assert!(
            text.contains("{outcome=\"other\",tool=\"other\"} 2\n"),
            "{text}"
        );
        assert!(!text.contains("ghost"), "{text}");
    }
}
