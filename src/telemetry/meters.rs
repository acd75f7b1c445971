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

/// All figures of the process.
pub struct Meters {
    registry: Registry,
    started: Instant,
    turns: FigureFamily<IntCounterVec, 1>,
    replays: FigureFamily<IntCounterVec, 0>,
    turn_seconds: FigureFamily<HistogramVec, 0>,
    own_seconds: FigureFamily<HistogramVec, 0>,
    ghosts: FigureFamily<IntCounterVec, 1>,
    verdicts: FigureFamily<IntCounterVec, 1>,
    refusals: FigureFamily<IntCounterVec, 1>,
    tools: FigureFamily<IntCounterVec, 2>,
    receipts: FigureFamily<IntCounterVec, 1>,
    model_calls: FigureFamily<IntCounterVec, 3>,
    model_seconds: FigureFamily<HistogramVec, 2>,
    model_tokens: FigureFamily<IntCounterVec, 3>,
    commits: FigureFamily<IntCounterVec, 1>,
    commit_seconds: FigureFamily<HistogramVec, 0>,
    statements: FigureFamily<IntCounterVec, 0>,
    requests: FigureFamily<IntCounterVec, 3>,
    request_seconds: FigureFamily<HistogramVec, 1>,
    in_flight: FigureFamily<GaugeVec, 0>,
    problems: FigureFamily<IntCounterVec, 1>,
    limited: FigureFamily<IntCounterVec, 1>,
    streams: FigureFamily<GaugeVec, 0>,
    running: FigureFamily<GaugeVec, 0>,
    open_turns: FigureFamily<GaugeVec, 0>,
    runs: FigureFamily<GaugeVec, 1>,
    reminders: FigureFamily<IntCounterVec, 1>,
    reminder_failures: FigureFamily<IntCounterVec, 0>,
    reminder_seconds: FigureFamily<HistogramVec, 0>,
    reminders_waiting: FigureFamily<GaugeVec, 0>,
    ready: FigureFamily<GaugeVec, 0>,
    uptime: FigureFamily<GaugeVec, 0>,
    memory: FigureFamily<GaugeVec, 0>,
    files: FigureFamily<GaugeVec, 0>,
}

/// Possible outcomes of a call.
const OUTCOMES: [&str; 5] = ["done", "unchanged", "failed", "refused", "asked"];

impl Meters {
    fn new(database: &'static str) -> Result<Self> {
        let registry = Registry::new();
        let words = |words: &'static [&'static str]| words.iter().map(|word| [*word]);
        let tools = Tool::all().flat_map(|tool| OUTCOMES.map(|outcome| [tool.as_str(), outcome]));
        let build: FigureFamily<GaugeVec, 2> = FigureFamily::new(&registry, names::BUILD)?;
        build.with([env!("CARGO_PKG_VERSION"), database], |it| it.set(1.0));
        Ok(Self {
            started: Instant::now(),
            turns: FigureFamily::new(&registry, names::TURNS)?
                .having(words(&["question", "failure", "receipt", "chat"])),
            replays: FigureFamily::new(&registry, names::REPLAYS)?,
            turn_seconds: FigureFamily::new(&registry, names::TURN_SECONDS)?,
            own_seconds: FigureFamily::new(&registry, names::OWN_SECONDS)?,
            ghosts: FigureFamily::new(&registry, names::GHOSTS)?.having(words(&[
                "ghost",
                "asserts",
                "ask_user",
                "delegation",
            ])),
            verdicts: FigureFamily::new(&registry, names::VERDICTS)?
                .having(words(&["allow", "confirm", "deny", "fail"])),
            refusals: FigureFamily::new(&registry, names::REFUSALS)?.having(words(&["unlicensed"])),
            tools: FigureFamily::new(&registry, names::TOOLS)?.having(tools),
            receipts: FigureFamily::new(&registry, names::RECEIPTS)?
                .having(Action::ALL.map(|action| [action.as_str()])),
            model_calls: FigureFamily::new(&registry, names::MODEL_CALLS)?,
            model_seconds: FigureFamily::new(&registry, names::MODEL_SECONDS)?,
            model_tokens: FigureFamily::new(&registry, names::MODEL_TOKENS)?,
            commits: FigureFamily::new(&registry, names::COMMITS)?.having(words(&[
                "committed",
                "rolled_back",
                "unknown",
            ])),
            commit_seconds: FigureFamily::new(&registry, names::COMMIT_SECONDS)?,
            statements: FigureFamily::new(&registry, names::STATEMENTS)?,
            requests: FigureFamily::new(&registry, names::REQUESTS)?,
            request_seconds: FigureFamily::new(&registry, names::REQUEST_SECONDS)?,
            in_flight: FigureFamily::new(&registry, names::IN_FLIGHT)?,
            problems: FigureFamily::new(&registry, names::PROBLEMS)?.having(words(&[
                "internal",
                "storage_unavailable",
                "model_unavailable",
                "unconfirmed",
            ])),
            limited: FigureFamily::new(&registry, names::LIMITED)?.having(words(&["user", "key"])),
            streams: FigureFamily::new(&registry, names::STREAMS)?,
            running: FigureFamily::new(&registry, names::RUNNING)?,
            open_turns: FigureFamily::new(&registry, names::OPEN_TURNS)?,
            reminders: FigureFamily::new(&registry, names::REMINDERS)?
                .having(words(&["events", "webhook", "missed"])),
            reminder_failures: FigureFamily::new(&registry, names::REMINDER_FAILURES)?,
            reminder_seconds: FigureFamily::new(&registry, names::REMINDER_SECONDS)?,
            reminders_waiting: FigureFamily::new(&registry, names::REMINDERS_WAITING)?,
            runs: FigureFamily::new(&registry, names::RUNS)?.having(words(&[
                "pending",
                "running",
                "input_required",
            ])),
            ready: FigureFamily::new(&registry, names::READY)?,
            uptime: FigureFamily::new(&registry, names::UPTIME)?,
            memory: FigureFamily::new(&registry, names::MEMORY)?,
            files: FigureFamily::new(&registry, names::FILES)?,
            registry,
        })
    }

    /// A turn was told.
    pub fn turn(&self, end: &TurnEnd<'_>) {
        self.turns.with([end.kind], |it| it.inc());
        if let Some(took) = end.took {
            self.turn_seconds
                .with([], |it| it.observe(took.as_secs_f64()));
            self.own_seconds.with([], |it| {
                it.observe(took.saturating_sub(end.model).as_secs_f64());
            });
        }
    }

    /// An answer was given again.
    pub fn replay(&self) {
        self.replays.with([], |it| it.inc());
    }

    /// Text of a model was not shown.
    pub fn ghost(&self, reason: &str) {
        self.ghosts.with([reason], |it| it.inc());
    }

    /// The guard spoke about a call.
    pub fn verdict(&self, verdict: &str) {
        self.verdicts.with([verdict], |it| it.inc());
    }

    /// A call was refused.
    pub fn refusal(&self, reason: &str) {
        self.refusals.with([reason], |it| it.inc());
    }

    /// Something came of a call. A tool that there is not is counted as `unknown`.
    pub fn tool(&self, tool: Option<Tool>, outcome: &str) {
        let tool = tool.map_or("unknown", Tool::as_str);
        self.tools.with([tool, outcome], |it| it.inc());
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
            .with([provider, model, outcome], |it| it.inc());
        self.model_seconds
            .with(asked, |it| it.observe(took.as_secs_f64()));
        if let Some((input, output)) = usage {
            for (direction, tokens) in [("input", input), ("output", output)] {
                self.model_tokens
                    .with([provider, model, direction], |it| it.inc_by(tokens));
            }
        }
    }

    /// The fate of a unit of work is known.
    pub fn commit(&self, outcome: &str, took: Duration) {
        self.commits.with([outcome], |it| it.inc());
        self.commit_seconds
            .with([], |it| it.observe(took.as_secs_f64()));
    }

    /// A statement is given to the database's driver.
    pub fn statement(&self) {
        self.statements.with([], |it| it.inc());
    }

    /// A receipt was committed.
    pub fn receipt(&self, action: Action) {
        self.receipts.with([action.as_str()], |it| it.inc());
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
        self.requests
            .with([known_method(method), route, status], |it| it.inc());
        self.request_seconds
            .with([route], |it| it.observe(took.as_secs_f64()));
    }

    /// An error was answered.
    pub fn problem(&self, code: &str, violated: Option<&str>) {
        self.problems.with([code], |it| it.inc());
        if let Some(policy) = violated {
            self.limited.with([policy], |it| it.inc());
        }
    }

    /// Records what waits in the database, as it was read last.
    pub fn waiting(&self, waiting: &QueueDepths) {
        self.open_turns
            .with([], |it| it.set(waiting.open_turns as f64));
        self.reminders_waiting
            .with([], |it| it.set(waiting.reminders as f64));
        for (state, count) in waiting.runs {
            self.runs.with([state], |it| it.set(count as f64));
        }
    }

    /// Counts a reminder that was delivered, so long after its time.
    pub fn reminder_delivered(&self, by: &'static str, late: Duration) {
        self.reminders.with([by], |it| it.inc());
        self.reminder_seconds
            .with([], |it| it.observe(late.as_secs_f64()));
    }

    /// Counts a reminder that nobody could be given.
    pub fn reminder_missed(&self) {
        self.reminders.with(["missed"], |it| it.inc());
    }

    /// Counts a try of the webhook that failed.
    pub fn reminder_failed(&self) {
        self.reminder_failures.with([], |it| it.inc());
    }

    /// Records whether the server is ready.
    pub fn ready(&self, ready: bool) {
        self.ready.with([], |it| it.set(f64::from(u8::from(ready))));
    }

    /// Records how much is under way.
    pub fn running(&self, running: usize) {
        self.running.with([], |it| it.set(running as f64));
    }

    /// Everything, as Prometheus reads it.
    pub fn render(&self) -> String {
        self.uptime
            .with([], |it| it.set(self.started.elapsed().as_secs_f64()));
        let (memory, files) = process::usage();
        if let Some(memory) = memory {
            self.memory.with([], |it| it.set(memory as f64));
        }
        if let Some(files) = files {
            self.files.with([], |it| it.set(files as f64));
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
