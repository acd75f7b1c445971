//! The figures themselves, and what adds to them.
//!
//! There is one set for the process, made when a server starts. Before that, and in programs
//! that serve nobody, [`meters`] is `None` and nothing is counted.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use prometheus::{GaugeVec, HistogramVec, IntCounterVec, Registry, Result, TextEncoder};

use super::family::FigureFamily;
use super::names;
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

/// Declares the figures of the process: the field of each, its kind and number of labels, its name,
/// and the series of it that are there from the beginning.
macro_rules! figures {
    ($($field:ident: $kind:ident<$labels:literal> of $name:ident $(having $values:expr)?;)*) => {
        /// All figures of the process.
        pub struct Meters {
            registry: Registry,
            started: Instant,
            $($field: FigureFamily<$kind, $labels>,)*
        }

        impl Meters {
            fn new(database: &'static str) -> Result<Self> {
                let registry = Registry::new();
                let build: FigureFamily<GaugeVec, 2> =
                    FigureFamily::new(&registry, names::BUILD)?;
                build.set([env!("CARGO_PKG_VERSION"), database], 1.0);
                Ok(Self {
                    started: Instant::now(),
                    $($field: FigureFamily::new(&registry, names::$name)?$(.having($values))?,)*
                    registry,
                })
            }
        }
    };
}

figures! {
    turns: IntCounterVec<1> of TURNS having words(&["question", "failure", "receipt", "chat"]);
    replays: IntCounterVec<0> of REPLAYS;
    turn_seconds: HistogramVec<0> of TURN_SECONDS;
    own_seconds: HistogramVec<0> of OWN_SECONDS;
    ghosts: IntCounterVec<1> of GHOSTS having words(&["ghost", "asserts", "ask_user", "delegation"]);
    verdicts: IntCounterVec<1> of VERDICTS having words(&["allow", "confirm", "deny", "fail"]);
    refusals: IntCounterVec<1> of REFUSALS having words(&["unlicensed"]);
    tools: IntCounterVec<2> of TOOLS having tools();
    receipts: IntCounterVec<1> of RECEIPTS having Action::ALL.map(|action| [action.as_str()]);
    model_calls: IntCounterVec<3> of MODEL_CALLS;
    model_seconds: HistogramVec<2> of MODEL_SECONDS;
    model_tokens: IntCounterVec<3> of MODEL_TOKENS;
    commits: IntCounterVec<1> of COMMITS having words(&["committed", "rolled_back", "unknown"]);
    commit_seconds: HistogramVec<0> of COMMIT_SECONDS;
    statements: IntCounterVec<0> of STATEMENTS;
    requests: IntCounterVec<3> of REQUESTS;
    request_seconds: HistogramVec<1> of REQUEST_SECONDS;
    in_flight: GaugeVec<0> of IN_FLIGHT;
    problems: IntCounterVec<1> of PROBLEMS having words(&[
        "internal", "storage_unavailable", "model_unavailable", "unconfirmed",
    ]);
    limited: IntCounterVec<1> of LIMITED having words(&["user", "key"]);
    streams: GaugeVec<0> of STREAMS;
    running: GaugeVec<0> of RUNNING;
    open_turns: GaugeVec<0> of OPEN_TURNS;
    runs: GaugeVec<1> of RUNS having words(&["pending", "running", "input_required"]);
    reminders: IntCounterVec<1> of REMINDERS having words(&["events", "webhook", "missed"]);
    reminder_failures: IntCounterVec<0> of REMINDER_FAILURES;
    reminder_seconds: HistogramVec<0> of REMINDER_SECONDS;
    reminders_waiting: GaugeVec<0> of REMINDERS_WAITING;
    ready: GaugeVec<0> of READY;
    uptime: GaugeVec<0> of UPTIME;
    memory: GaugeVec<0> of MEMORY;
    files: GaugeVec<0> of FILES;
}

/// Series of one label by these words.
fn words(words: &'static [&'static str]) -> impl Iterator<Item = [&'static str; 1]> {
    words.iter().map(|word| [*word])
}

/// Series of every tool with each outcome of a call.
fn tools() -> impl Iterator<Item = [&'static str; 2]> {
    const OUTCOMES: [&str; 5] = ["done", "unchanged", "failed", "refused", "asked"];
    Tool::ALL
        .into_iter()
        .flat_map(|tool| OUTCOMES.map(|outcome| [tool.as_str(), outcome]))
}

impl Meters {
    /// A turn was told.
    pub fn turn(&self, end: &TurnEnd<'_>) {
        self.turns.count([end.kind]);
        if let Some(took) = end.took {
            self.turn_seconds.observe([], took);
            self.own_seconds.observe([], took.saturating_sub(end.model));
        }
    }

    /// An answer was given again.
    pub fn replay(&self) {
        self.replays.count([]);
    }

    /// Text of a model was not shown.
    pub fn ghost(&self, reason: &str) {
        self.ghosts.count([reason]);
    }

    /// The guard spoke about a call.
    pub fn verdict(&self, verdict: &str) {
        self.verdicts.count([verdict]);
    }

    /// A call was refused.
    pub fn refusal(&self, reason: &str) {
        self.refusals.count([reason]);
    }

    /// Something came of a call. A tool that there is not is counted as `unknown`.
    pub fn tool(&self, tool: Option<Tool>, outcome: &str) {
        let tool = tool.map_or("unknown", Tool::as_str);
        self.tools.count([tool, outcome]);
    }

    /// A model was asked: `provider` and `model` are words of the configuration.
    pub fn model(
        &self,
        (provider, model): (&str, &str),
        outcome: &str,
        took: Duration,
        usage: Option<(u64, u64)>,
    ) {
        let asked = [provider, model];
        self.model_calls.count([provider, model, outcome]);
        self.model_seconds.observe(asked, took);
        if let Some((input, output)) = usage {
            for (direction, tokens) in [("input", input), ("output", output)] {
                self.model_tokens
                    .with([provider, model, direction], |it| it.inc_by(tokens));
            }
        }
    }

    /// The fate of a unit of work is known.
    pub fn commit(&self, outcome: &str, took: Duration) {
        self.commits.count([outcome]);
        self.commit_seconds.observe([], took);
    }

    /// A statement is given to the database's driver.
    pub fn statement(&self) {
        self.statements.count([]);
    }

    /// A receipt was committed.
    pub fn receipt(&self, action: Action) {
        self.receipts.count([action.as_str()]);
    }

    /// A request came in.
    pub fn request_began(&self) {
        self.in_flight.with([], |it| it.inc());
    }

    /// The request that came in will not be answered, or was.
    pub fn request_left(&self) {
        self.in_flight.with([], |it| it.dec());
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
        self.requests.count([known_method(method), route, status]);
        self.request_seconds.observe([route], took);
    }

    /// An error was answered.
    pub fn problem(&self, code: &str, violated: Option<&str>) {
        self.problems.count([code]);
        if let Some(policy) = violated {
            self.limited.count([policy]);
        }
    }

    /// Records what waits in the database, as it was read last.
    pub fn waiting(&self, waiting: &QueueDepths) {
        self.open_turns.set([], waiting.open_turns as f64);
        self.reminders_waiting.set([], waiting.reminders as f64);
        for (state, count) in waiting.runs {
            self.runs.set([state], count as f64);
        }
    }

    /// Counts a reminder that was delivered, so long after its time.
    pub fn reminder_delivered(&self, by: &'static str, late: Duration) {
        self.reminders.count([by]);
        self.reminder_seconds.observe([], late);
    }

    /// Counts a reminder that nobody could be given.
    pub fn reminder_missed(&self) {
        self.reminders.count(["missed"]);
    }

    /// Counts a try of the webhook that failed.
    pub fn reminder_failed(&self) {
        self.reminder_failures.count([]);
    }

    /// Records whether the server is ready.
    pub fn ready(&self, ready: bool) {
        self.ready.set([], f64::from(u8::from(ready)));
    }

    /// Records how much is under way.
    pub fn running(&self, running: usize) {
        self.running.set([], running as f64);
    }

    /// Everything, as Prometheus reads it.
    pub fn render(&self) -> String {
        self.uptime.set([], self.started.elapsed().as_secs_f64());
        let (memory, files) = process::usage();
        if let Some(memory) = memory {
            self.memory.set([], memory as f64);
        }
        if let Some(files) = files {
            self.files.set([], files as f64);
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
            meters.streams.with([], |it| it.inc());
        }
        Self(())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        if let Some(meters) = meters() {
            meters.streams.with([], |it| it.dec());
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
        for name in names::ALL {
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
