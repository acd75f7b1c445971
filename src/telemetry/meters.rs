//! The figures themselves, and what adds to them.
//!
//! There is one set for the process, made when a server starts. Before that, and in programs
//! that serve nobody, [`meters`] is `None` and nothing is counted.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use metrics::{Counter, Gauge, Histogram, Recorder, Unit};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use super::family::{FigureFamily, single};
use super::names::{self, BUCKETS, FigureKind};
use super::process;
use crate::domain::{Action, Tool};

static METERS: OnceLock<Meters> = OnceLock::new();

/// The figures, once a server has started to count.
pub fn meters() -> Option<&'static Meters> {
    METERS.get()
}

/// Begins to count; a second call changes nothing. `database` is its kind.
pub fn start(database: &'static str) -> &'static Meters {
    METERS.get_or_init(|| Meters::new(database))
}

/// How a turn ended, for its figures.
#[derive(Debug, Clone, Copy)]
pub struct TurnEnd<'a> {
    /// The kind of the reply.
    pub kind: &'a str,
    /// From the request to the committed reply; none for a turn that another process began.
    pub took: Option<Duration>,
    /// Of that, waiting for the model.
    pub model: Duration,
}

/// What waits in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueDepths {
    /// Turns that have changed something and have no reply.
    pub open_turns: u64,
    /// Runs by state: `pending`, `running`, `input_required`.
    pub runs: [(&'static str, u64); 3],
}

/// All figures of the process.
pub struct Meters {
    handle: PrometheusHandle,
    started: Instant,
    turns: FigureFamily<Counter, 1>,
    replays: Counter,
    turn_seconds: Histogram,
    own_seconds: Histogram,
    ghosts: FigureFamily<Counter, 1>,
    verdicts: FigureFamily<Counter, 1>,
    refusals: FigureFamily<Counter, 1>,
    tools: FigureFamily<Counter, 2>,
    receipts: FigureFamily<Counter, 1>,
    model_calls: FigureFamily<Counter, 3>,
    model_seconds: FigureFamily<Histogram, 2>,
    model_tokens: FigureFamily<Counter, 3>,
    commits: FigureFamily<Counter, 1>,
    commit_seconds: Histogram,
    statements: Counter,
    requests: FigureFamily<Counter, 3>,
    request_seconds: FigureFamily<Histogram, 1>,
    in_flight: Gauge,
    problems: FigureFamily<Counter, 1>,
    limited: FigureFamily<Counter, 1>,
    streams: Gauge,
    running: Gauge,
    open_turns: Gauge,
    runs: FigureFamily<Gauge, 1>,
    ready: Gauge,
    uptime: Gauge,
    memory: Gauge,
    files: Gauge,
}

/// What can come of a call.
const OUTCOMES: [&str; 5] = ["done", "unchanged", "failed", "refused", "asked"];

impl Meters {
    fn new(database: &'static str) -> Self {
        let builder = PrometheusBuilder::new();
        // The list is neither empty nor out of order, which is all that can be wrong with it.
        let builder = builder.set_buckets(&BUCKETS).unwrap_or_default();
        let recorder = Arc::new(builder.build_recorder());
        for name in names::ALL {
            let (key, help) = (name.name.into(), name.help.into());
            match name.kind {
                FigureKind::Counter => recorder.describe_counter(key, None, help),
                FigureKind::Gauge => recorder.describe_gauge(key, None, help),
                FigureKind::Histogram => {
                    recorder.describe_histogram(key, Some(Unit::Seconds), help);
                }
            }
        }
        let words = |words: &'static [&'static str]| words.iter().map(|word| [*word]);
        let tools = Tool::all().flat_map(|tool| OUTCOMES.map(|outcome| [tool.as_str(), outcome]));
        let build: FigureFamily<Gauge, 2> = FigureFamily::new(&recorder, names::BUILD);
        build.with([env!("CARGO_PKG_VERSION"), database], |it| it.set(1.0));
        Self {
            handle: recorder.handle(),
            started: Instant::now(),
            turns: FigureFamily::new(&recorder, names::TURNS)
                .having(words(&["question", "failure", "receipt", "chat"])),
            replays: single(&recorder, &names::REPLAYS),
            turn_seconds: single(&recorder, &names::TURN_SECONDS),
            own_seconds: single(&recorder, &names::OWN_SECONDS),
            ghosts: FigureFamily::new(&recorder, names::GHOSTS).having(words(&[
                "ghost",
                "asserts",
                "ask_user",
                "delegation",
            ])),
            verdicts: FigureFamily::new(&recorder, names::VERDICTS)
                .having(words(&["allow", "confirm", "deny", "fail"])),
            refusals: FigureFamily::new(&recorder, names::REFUSALS).having(words(&["unlicensed"])),
            tools: FigureFamily::new(&recorder, names::TOOLS).having(tools),
            receipts: FigureFamily::new(&recorder, names::RECEIPTS)
                .having(Action::ALL.map(|action| [action.as_str()])),
            model_calls: FigureFamily::new(&recorder, names::MODEL_CALLS),
            model_seconds: FigureFamily::new(&recorder, names::MODEL_SECONDS),
            model_tokens: FigureFamily::new(&recorder, names::MODEL_TOKENS),
            commits: FigureFamily::new(&recorder, names::COMMITS).having(words(&[
                "committed",
                "rolled_back",
                "unknown",
            ])),
            commit_seconds: single(&recorder, &names::COMMIT_SECONDS),
            statements: single(&recorder, &names::STATEMENTS),
            requests: FigureFamily::new(&recorder, names::REQUESTS),
            request_seconds: FigureFamily::new(&recorder, names::REQUEST_SECONDS),
            in_flight: single(&recorder, &names::IN_FLIGHT),
            problems: FigureFamily::new(&recorder, names::PROBLEMS).having(words(&[
                "internal",
                "storage_unavailable",
                "model_unavailable",
                "unconfirmed",
            ])),
            limited: FigureFamily::new(&recorder, names::LIMITED).having(words(&["user", "key"])),
            streams: single(&recorder, &names::STREAMS),
            running: single(&recorder, &names::RUNNING),
            open_turns: single(&recorder, &names::OPEN_TURNS),
            runs: FigureFamily::new(&recorder, names::RUNS).having(words(&[
                "pending",
                "running",
                "input_required",
            ])),
            ready: single(&recorder, &names::READY),
            uptime: single(&recorder, &names::UPTIME),
            memory: single(&recorder, &names::MEMORY),
            files: single(&recorder, &names::FILES),
        }
    }

    /// A turn was told.
    pub fn turn(&self, end: &TurnEnd<'_>) {
        self.turns.with([end.kind], |it| it.increment(1));
        if let Some(took) = end.took {
            self.turn_seconds.record(took);
            self.own_seconds.record(took.saturating_sub(end.model));
        }
    }

    /// An answer was given again.
    pub fn replay(&self) {
        self.replays.increment(1);
    }

    /// Text of a model was not shown.
    pub fn ghost(&self, reason: &str) {
        self.ghosts.with([reason], |it| it.increment(1));
    }

    /// The guard spoke about a call.
    pub fn verdict(&self, verdict: &str) {
        self.verdicts.with([verdict], |it| it.increment(1));
    }

    /// A call was refused.
    pub fn refusal(&self, reason: &str) {
        self.refusals.with([reason], |it| it.increment(1));
    }

    /// Something came of a call. A tool that there is not is counted as `unknown`.
    pub fn tool(&self, tool: Option<Tool>, outcome: &str) {
        let tool = tool.map_or("unknown", Tool::as_str);
        self.tools.with([tool, outcome], |it| it.increment(1));
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
        self.model_calls
            .with([provider, model, outcome], |it| it.increment(1));
        self.model_seconds.with(asked, |it| it.record(took));
        if let Some((input, output)) = usage {
            for (direction, tokens) in [("input", input), ("output", output)] {
                self.model_tokens
                    .with([provider, model, direction], |it| it.increment(tokens));
            }
        }
    }

    /// The fate of a unit of work is known.
    pub fn commit(&self, outcome: &str, took: Duration) {
        self.commits.with([outcome], |it| it.increment(1));
        self.commit_seconds.record(took);
    }

    /// A statement is given to the database's driver.
    pub fn statement(&self) {
        self.statements.increment(1);
    }

    /// A receipt was committed.
    pub fn receipt(&self, action: Action) {
        self.receipts.with([action.as_str()], |it| it.increment(1));
    }

    /// A request came in.
    pub fn request_began(&self) {
        self.in_flight.increment(1.0);
    }

    /// The request that came in will not be answered, or was.
    pub fn request_left(&self) {
        self.in_flight.decrement(1.0);
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
        self.requests
            .with([known_method(method), route, status], |it| it.increment(1));
        self.request_seconds.with([route], |it| it.record(took));
    }

    /// An error was answered.
    pub fn problem(&self, code: &str, violated: Option<&str>) {
        self.problems.with([code], |it| it.increment(1));
        if let Some(policy) = violated {
            self.limited.with([policy], |it| it.increment(1));
        }
    }

    /// What waits in the database, as it was read last.
    pub fn waiting(&self, waiting: &QueueDepths) {
        self.open_turns.set(waiting.open_turns as f64);
        for (state, count) in waiting.runs {
            self.runs.with([state], |it| it.set(count as f64));
        }
    }

    /// Whether the server is ready.
    pub fn ready(&self, ready: bool) {
        self.ready.set(f64::from(u8::from(ready)));
    }

    /// How much is under way.
    pub fn running(&self, running: usize) {
        self.running.set(running as f64);
    }

    /// Everything, as Prometheus reads it.
    pub fn render(&self) -> String {
        self.uptime.set(self.started.elapsed().as_secs_f64());
        let (memory, files) = process::usage();
        if let Some(memory) = memory {
            self.memory.set(memory as f64);
        }
        if let Some(files) = files {
            self.files.set(files as f64);
        }
        self.handle.render()
    }

    /// Puts what was measured into its buckets. Measurements wait in memory until then, so
    /// somebody has to do it every few seconds even when nobody asks for the figures.
    pub fn tidy(&self) {
        self.handle.run_upkeep();
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
            meters.streams.increment(1.0);
        }
        Self(())
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        if let Some(meters) = meters() {
            meters.streams.decrement(1.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_there_before_anything_happened_or_as_soon_as_it_did() {
        let meters = Meters::new("sqlite");
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
            "candor_model_tokens_total{provider=\"openai\",model=\"gpt-4\",direction=\"input\"} 7",
        );
        check("candor_http_requests_total{method=\"other\",route=\"/healthz\",status=\"200\"} 1");
    }
}
