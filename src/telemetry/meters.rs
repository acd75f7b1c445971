//! The figures themselves, and what adds to them.
//!
//! There is one set for the process, made when a server starts. Before that, and in programs
//! that serve nobody, [`meters`] is `None` and nothing is counted.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use prometheus::core::{MetricVec, MetricVecBuilder};
use prometheus::{GaugeVec, HistogramVec, IntCounterVec, Registry, Result, TextEncoder};

use super::names::Figures;
use super::process;
use crate::domain::{Action, Tool};

static METERS: OnceLock<Meters> = OnceLock::new();

/// The figures, once a server has started to count.
pub fn meters() -> Option<&'static Meters> {
    METERS.get()
}

/// Begins to count; a second call changes nothing. `database` is its kind.
///
/// # Errors
/// When a name is none for Prometheus, which a test rules out.
pub fn start(database: &'static str) -> Result<&'static Meters> {
    let meters = Meters::new(database)?;
    Ok(METERS.get_or_init(|| meters))
}

/// End of a turn, for its figures.
#[derive(Debug, Clone, Copy)]
pub struct TurnEnd<'a> {
    /// The kind of the reply.
    pub kind: &'a str,
    /// From the request to the committed reply; none for a turn that another process began.
    pub took: Option<Duration>,
    /// Of that, waiting for the model.
    pub model: Duration,
}

/// Counts of what waits in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepths {
    /// Turns that have changed something and have no reply.
    pub open_turns: u64,
    /// Reminders that are not delivered yet.
    pub reminders: u64,
    /// Runs by state: `pending`, `running`, `input_required`.
    pub runs: [(&'static str, u64); 3],
}

/// All figures of the process.
pub struct Meters {
    registry: Registry,
    started: Instant,
    figures: Figures,
}

/// Does something with the figure of these label values.
fn with<T: MetricVecBuilder>(figures: &MetricVec<T>, values: &[&str], act: impl FnOnce(T::M)) {
    // There are as many values as labels, which is all that can be wrong with them.
    if let Ok(figure) = figures.get_metric_with_label_values(values) {
        act(figure);
    }
}

fn count(figures: &IntCounterVec, values: &[&str]) {
    with(figures, values, |it| it.inc());
}

fn observe(figures: &HistogramVec, values: &[&str], took: Duration) {
    with(figures, values, |it| it.observe(took.as_secs_f64()));
}

fn set(figures: &GaugeVec, values: &[&str], value: f64) {
    with(figures, values, |it| it.set(value));
}

impl Meters {
    fn new(database: &'static str) -> Result<Self> {
        let registry = Registry::new();
        let figures = Figures::register(&registry)?;
        set(&figures.build, &[env!("CARGO_PKG_VERSION"), database], 1.0);
        Ok(Self {
            registry,
            started: Instant::now(),
            figures,
        })
    }

    /// A turn was told.
    pub fn turn(&self, end: &TurnEnd<'_>) {
        count(&self.figures.turns, &[end.kind]);
        if let Some(took) = end.took {
            observe(&self.figures.turn_seconds, &[], took);
            observe(
                &self.figures.own_seconds,
                &[],
                took.saturating_sub(end.model),
            );
        }
    }

    /// An answer was given again.
    pub fn replay(&self) {
        count(&self.figures.replays, &[]);
    }

    /// Text of a model was not shown.
    pub fn ghost(&self, reason: &str) {
        count(&self.figures.ghosts, &[reason]);
    }

    /// The guard spoke about a call.
    pub fn verdict(&self, verdict: &str) {
        count(&self.figures.verdicts, &[verdict]);
    }

    /// A call was refused.
    pub fn refusal(&self, reason: &str) {
        count(&self.figures.refusals, &[reason]);
    }

    /// Something came of a call. A tool that there is not is counted as `unknown`.
    pub fn tool(&self, tool: Option<Tool>, outcome: &str) {
        let tool = tool.map_or("unknown", Tool::as_str);
        count(&self.figures.tools, &[tool, outcome]);
    }

    /// A model was asked: `provider` and `model` are words of the configuration.
    pub fn model(
        &self,
        (provider, model): (&str, &str),
        outcome: &str,
        took: Duration,
        usage: Option<(u64, u64)>,
    ) {
        count(&self.figures.model_calls, &[provider, model, outcome]);
        observe(&self.figures.model_seconds, &[provider, model], took);
        if let Some((input, output)) = usage {
            for (direction, tokens) in [("input", input), ("output", output)] {
                let values = [provider, model, direction];
                with(&self.figures.model_tokens, &values, |it| it.inc_by(tokens));
            }
        }
    }

    /// The fate of a unit of work is known.
    pub fn commit(&self, outcome: &str, took: Duration) {
        count(&self.figures.commits, &[outcome]);
        observe(&self.figures.commit_seconds, &[], took);
    }

    /// A statement is given to the database's driver.
    pub fn statement(&self) {
        count(&self.figures.statements, &[]);
    }

    /// A receipt was committed.
    pub fn receipt(&self, action: Action) {
        count(&self.figures.receipts, &[action.as_str()]);
    }

    /// A request came in.
    pub fn request_began(&self) {
        with(&self.figures.in_flight, &[], |it| it.inc());
    }

    /// The request that came in will not be answered, or was.
    pub fn request_left(&self) {
        with(&self.figures.in_flight, &[], |it| it.dec());
    }

    /// A request was answered. `route` is a pattern of the router, never a path.
    pub fn request(&self, method: &str, route: &str, status: u16, took: Duration) {
        let mut digits = [b'0'; 3];
        let mut rest = status;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + u8::try_from(rest % 10).unwrap_or_default();
            rest /= 10;
        }
        let status = std::str::from_utf8(&digits).unwrap_or("000");
        count(
            &self.figures.requests,
            &[known_method(method), route, status],
        );
        observe(&self.figures.request_seconds, &[route], took);
    }

    /// An error was answered.
    pub fn problem(&self, code: &str, violated: Option<&str>) {
        count(&self.figures.problems, &[code]);
        if let Some(policy) = violated {
            count(&self.figures.limited, &[policy]);
        }
    }

    /// Records what waits in the database, as it was read last.
    pub fn waiting(&self, waiting: &QueueDepths) {
        set(&self.figures.open_turns, &[], waiting.open_turns as f64);
        set(
            &self.figures.reminders_waiting,
            &[],
            waiting.reminders as f64,
        );
        for (state, count) in waiting.runs {
            set(&self.figures.runs, &[state], count as f64);
        }
    }

    /// Counts a reminder that was delivered, so long after its time.
    pub fn reminder_delivered(&self, by: &'static str, late: Duration) {
        count(&self.figures.reminders, &[by]);
        observe(&self.figures.reminder_seconds, &[], late);
    }

    /// Counts a reminder that nobody could be given.
    pub fn reminder_missed(&self) {
        count(&self.figures.reminders, &["missed"]);
    }

    /// Counts a try of the webhook that failed.
    pub fn reminder_failed(&self) {
        count(&self.figures.reminder_failures, &[]);
    }

    /// Records whether the server is ready.
    pub fn ready(&self, ready: bool) {
        set(&self.figures.ready, &[], f64::from(u8::from(ready)));
    }

    /// Records how much is under way.
    pub fn running(&self, running: usize) {
        set(&self.figures.running, &[], running as f64);
    }

    /// Everything, as Prometheus reads it.
    pub fn render(&self) -> String {
        set(
            &self.figures.uptime,
            &[],
            self.started.elapsed().as_secs_f64(),
        );
        let (memory, files) = process::usage();
        if let Some(memory) = memory {
            set(&self.figures.memory, &[], memory as f64);
        }
        if let Some(files) = files {
            set(&self.figures.files, &[], files as f64);
        }
        // Text has a place for every figure.
        let text = TextEncoder::new().encode_to_string(&self.registry.gather());
        text.unwrap_or_default()
    }
}

/// A method, if it is one that the router knows; a caller can write anything there.
pub fn known_method(method: &str) -> &str {
    match method {
        "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | "OPTIONS" => method,
        _ => "other",
    }
}

/// Counts a stream as open until it is dropped.
#[derive(Debug)]
pub struct OpenStream(());

impl OpenStream {
    /// Opens one.
    pub fn begin() -> Self {
        if let Some(meters) = meters() {
            with(&meters.figures.streams, &[], |it| it.inc());
        }
        Self(())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        if let Some(meters) = meters() {
            with(&meters.figures.streams, &[], |it| it.dec());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_before_anything_happened_or_as_soon_as_it_did() {
        let meters = Meters::new("sqlite").unwrap();
        meters.turn(&TurnEnd {
            kind: "receipt",
            took: Some(Duration::from_millis(3)),
            model: Duration::from_millis(1),
        });
        meters.model(
            ("openai", "gpt-4"),
            "answered",
            Duration::from_millis(1),
            Some((7, 2)),
        );
        meters.commit("committed", Duration::from_micros(250));
        meters.request("BREW", "/healthz", 200, Duration::from_micros(20));
        let text = meters.render();
        for name in crate::telemetry::names::ALL {
            let help = format!("# HELP {} {}\n", name.name, name.help);
            assert!(text.contains(&help), "{help}{text}");
            assert!(text.contains(&format!("\n{}", name.name)), "{}", name.name);
        }
        let check = |line: &str| assert!(text.contains(&format!("\n{line}\n")), "{line}: {text}");
        check("candor_turns_total{kind=\"receipt\"} 1");
        check("candor_turns_total{kind=\"failure\"} 0");
        check("candor_turn_duration_seconds_bucket{le=\"0.002\"} 0");
        check("candor_turn_duration_seconds_bucket{le=\"0.003\"} 1");
        check("candor_turn_own_duration_seconds_bucket{le=\"0.0015\"} 0");
        check("candor_turn_own_duration_seconds_bucket{le=\"0.002\"} 1");
        check(
            "candor_model_tokens_total{direction=\"input\",model=\"gpt-4\",provider=\"openai\"} 7",
        );
        check("candor_http_requests_total{method=\"other\",route=\"/healthz\",status=\"200\"} 1");
    }
}
