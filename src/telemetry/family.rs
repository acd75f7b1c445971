//! The figures of one name, one for each combination of label values.
//!
//! A figure is made when its labels are first seen, and found again without allocating. There is
//! a bound on how many there may be: what comes after it is counted under `other`.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, PoisonError, RwLock};

use metrics::{Counter, Gauge, Histogram, Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::PrometheusRecorder;

use super::names::FigureName;

/// Combinations of one name at most: routes × methods × statuses are the most there are.
const MOST: usize = 2_000;

static METADATA: Metadata<'static> = Metadata::new("candor", Level::INFO, None);

/// What can be registered under a name.
pub(super) trait RegisteredFigure: Sized {
    /// Registers one.
    fn register(recorder: &PrometheusRecorder, key: &Key) -> Self;
}

impl RegisteredFigure for Counter {
    fn register(recorder: &PrometheusRecorder, key: &Key) -> Self {
        recorder.register_counter(key, &METADATA)
    }
}

impl RegisteredFigure for Gauge {
    fn register(recorder: &PrometheusRecorder, key: &Key) -> Self {
        recorder.register_gauge(key, &METADATA)
    }
}

impl RegisteredFigure for Histogram {
    fn register(recorder: &PrometheusRecorder, key: &Key) -> Self {
        recorder.register_histogram(key, &METADATA)
    }
}

/// A figure without labels.
pub(super) fn single<M: RegisteredFigure>(recorder: &PrometheusRecorder, name: &FigureName) -> M {
    M::register(recorder, &Key::from_static_name(name.name))
}

type MadeFigures<M, const N: usize> = HashMap<u64, Vec<([Box<str>; N], M)>>;

/// The figures of one name.
pub(super) struct FigureFamily<M, const N: usize> {
    recorder: Arc<PrometheusRecorder>,
    name: FigureName,
    most: usize,
    hasher: RandomState,
    made: RwLock<MadeFigures<M, N>>,
}

impl<M: RegisteredFigure, const N: usize> FigureFamily<M, N> {
    /// None of it is there yet.
    pub(super) fn new(recorder: &Arc<PrometheusRecorder>, name: FigureName) -> Self {
        Self::bounded(recorder, name, MOST)
    }

    fn bounded(recorder: &Arc<PrometheusRecorder>, name: FigureName, most: usize) -> Self {
        debug_assert_eq!(name.labels.len(), N, "{}", name.name);
        Self {
            recorder: Arc::clone(recorder),
            name,
            most,
            hasher: RandomState::new(),
            made: RwLock::default(),
        }
    }

    /// The same with the figures of these labels there from the beginning, at zero.
    pub(super) fn having<'v>(self, values: impl IntoIterator<Item = [&'v str; N]>) -> Self {
        for values in values {
            self.with(values, |_| ());
        }
        self
    }

    /// Does something with the figure of these label values.
    pub(super) fn with(&self, values: [&str; N], act: impl FnOnce(&M)) {
        let hash = self.hasher.hash_one(values);
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = find(&made, hash, values) {
            return act(found);
        }
        drop(made);
        let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
        let full = made.len() >= self.most && find(&made, hash, values).is_none();
        let values = if full { ["other"; N] } else { values };
        let hash = self.hasher.hash_one(values);
        if find(&made, hash, values).is_none() {
            let names = self.name.labels.iter();
            let labels = names.zip(values);
            let labels = labels.map(|(name, value)| Label::new(*name, value.to_owned()));
            let key = Key::from_parts(self.name.name, labels.collect::<Vec<_>>());
            let figure = M::register(&self.recorder, &key);
            made.entry(hash)
                .or_default()
                .push((values.map(Box::from), figure));
        }
        if let Some(found) = find(&made, hash, values) {
            act(found);
        }
    }
}

fn find<'m, M, const N: usize>(
    made: &'m MadeFigures<M, N>,
    hash: u64,
    values: [&str; N],
) -> Option<&'m M> {
    let same = |known: &[Box<str>; N]| known.iter().zip(values).all(|(a, b)| **a == *b);
    let found = made.get(&hash)?.iter().find(|(known, _)| same(known));
    found.map(|(_, figure)| figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::telemetry::names;
    use metrics_exporter_prometheus::PrometheusBuilder;

    #[test]
    fn a_figure_is_made_once_and_found_again_and_there_are_not_too_many() {
        let recorder = Arc::new(PrometheusBuilder::new().build_recorder());
        let family: FigureFamily<Counter, 2> = FigureFamily::bounded(&recorder, names::TOOLS, 3);
        let family = family.having([["add_task", "done"]]);
        for tool in [
            "add_task",
            "undo",
            "undo",
            "list_tasks",
            "ghost",
            "ghost \"2\"",
        ] {
            family.with([tool, "done"], |count| count.increment(1));
        }
        let text = recorder.handle().render();
        let check = |tool: &str, count: u64| {
            let line =
                format!("candor_tool_calls_total{{tool=\"{tool}\",outcome=\"done\"}} {count}\n");
            assert!(text.contains(&line), "{line} in {text}");
        };
        check("add_task", 1);
        check("undo", 2);
        check("list_tasks", 1);
        assert!(
            text.contains("{tool=\"other\",outcome=\"other\"} 2\n"),
            "{text}"
        );
        assert!(!text.contains("ghost"), "{text}");
    }
}
