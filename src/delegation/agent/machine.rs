//! Step machine without I/O and without a clock: when an agent's run goes on and how it ends.
//!
//! The driver asks the model, runs calls and measures time; it hands in what happened and is
//! told what to do next. No step is a good end: a run completes by a report that was accepted
//! among its calls, which the driver records, and through nothing else.

use std::time::Duration;

use crate::domain::ErrorType;
use crate::llm::{ModelAnswer, ModelError, RawCall, ToolChoice};
use crate::store::RunFault;

/// Reason of a failed run whose agent only talked.
pub const NO_REPORT: &str = "sub-agent finished without calling report_result";

/// Number of times that one question is repeated after a passing fault.
const RETRIES: usize = 3;
/// The pauses before the repeats, unless the server asks for another.
const PAUSES: [Duration; RETRIES] = [
    Duration::from_millis(100),
    Duration::from_millis(400),
    Duration::from_millis(1600),
];
/// The longest pause that is granted to a server.
const PAUSE_MAX: Duration = Duration::from_secs(30);

/// The share of a soft budget at which a run ends, in halves: 1.5 of it.
const HARD_HALVES: u32 = 3;

/// Reasons for which an answer may end. Another word means that nobody knows whether it is whole.
const KNOWN_ENDS: [&str; 12] = [
    "stop",
    "tool_calls",
    "function_call",
    "tool_use",
    "end_turn",
    "stop_sequence",
    "eos",
    "eos_token",
    "end",
    "complete",
    "completed",
    "tool_call",
];

/// Limits of what a run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// Answers of the model, at most.
    pub turns: u32,
    /// The time after which the agent is told to report.
    pub budget: Option<Duration>,
    /// The time after which its run fails, whatever the budget says.
    pub timeout: Duration,
}

impl RunLimits {
    /// Returns when the run fails for time: at the persona's timeout, or at 1.5 times the budget.
    pub fn deadline(&self) -> Duration {
        match self.budget {
            Some(budget) => (budget * HARD_HALVES / 2).min(self.timeout),
            None => self.timeout,
        }
    }

    /// Reason of a run that failed for time.
    pub fn overrun(&self) -> String {
        format!("not finished within {} ms", self.deadline().as_millis())
    }
}

/// Next step of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentStep {
    /// Ask the model, within what is left of the time.
    Ask {
        /// Choice whether the model must call something.
        choice: ToolChoice,
        /// True when it only talked: tell it first that text alone does not count.
        nudge: bool,
        /// Its budget is used up: tell it first to report now. Said once.
        hurry: bool,
    },
    /// Pause, then go on with [`AgentMachine::next`].
    Rest(Duration),
    /// Run these calls, one by one. Unless one of them was a report that was accepted, go on with
    /// [`AgentMachine::next`].
    Run(Vec<RawCall>),
    /// The run has ended without a result.
    Fail(RunFault),
}

/// One run, from the first question to its end.
#[derive(Debug, Clone)]
pub struct AgentMachine {
    limits: RunLimits,
    /// Provider that answers, as errors name it: `openai-dev (gpt-4)`.
    provider: String,
    turns: u32,
    nudged: bool,
    hurried: bool,
    choice: ToolChoice,
    repeats: std::array::IntoIter<Duration, RETRIES>,
    /// Last words of the agent without any call.
    said: Option<String>,
}

impl AgentMachine {
    /// A run that has not begun.
    pub fn new(limits: RunLimits, provider: impl Into<String>) -> Self {
        Self {
            limits,
            provider: provider.into(),
            turns: 0,
            nudged: false,
            hurried: false,
            choice: ToolChoice::Auto,
            repeats: PAUSES.into_iter(),
            said: None,
        }
    }

    /// Returns the time that the run may still take.
    pub fn left(&self, elapsed: Duration) -> Duration {
        self.limits.deadline().saturating_sub(elapsed)
    }

    /// The first step, and the one after a pause or after calls.
    pub fn next(&mut self, elapsed: Duration) -> AgentStep {
        self.ask(elapsed, false)
    }

    /// The model answered.
    pub fn answered(&mut self, answer: &ModelAnswer, elapsed: Duration) -> AgentStep {
        self.turns += 1;
        self.repeats = PAUSES.into_iter();
        self.choice = ToolChoice::Auto;
        if !KNOWN_ENDS.contains(&answer.finish.as_str()) {
            let reason =
                "the model's answer ended for a reason nobody knows, so it may not be whole";
            return failed(ErrorType::Execution, reason, answer.text.clone());
        }
        if !answer.calls.is_empty() {
            return AgentStep::Run(answer.calls.clone());
        }
        // Calls that it only writes about are text: whatever they look like, they were not made.
        if answer.text.is_some() {
            self.said.clone_from(&answer.text);
        }
        if self.nudged {
            return failed(ErrorType::Execution, NO_REPORT, self.said.take());
        }
        self.nudged = true;
        self.choice = ToolChoice::Named("report_result");
        self.ask(elapsed, true)
    }

    /// The model did not answer.
    pub fn unanswered(&mut self, error: &ModelError, elapsed: Duration) -> AgentStep {
        if self.left(elapsed).is_zero() {
            return self.expired();
        }
        // Some servers know `required` and no named tool.
        if let (ToolChoice::Named(_), ModelError::Status(400 | 422)) = (self.choice, error) {
            self.choice = ToolChoice::Required;
            return self.next(elapsed);
        }
        if *error == ModelError::Malformed("cut before its end") {
            let reason = "the model's answer was cut before its end";
            return failed(ErrorType::Limit, reason, None);
        }
        let wait = match error {
            ModelError::RateLimited { retry_after } => retry_after.map(Duration::from_secs),
            _ => None,
        };
        let pause = error.is_transient().then(|| self.repeats.next()).flatten();
        let pause = pause.map(|pause| wait.unwrap_or(pause));
        match pause.filter(|pause| *pause <= PAUSE_MAX && *pause < self.left(elapsed)) {
            Some(pause) => AgentStep::Rest(pause),
            None => {
                let reason = format!("{error}. Provider: {}", self.provider);
                failed(ErrorType::Unavailable, reason, None)
            }
        }
    }

    /// Its time is over.
    fn expired(&mut self) -> AgentStep {
        let reason = self.limits.overrun();
        failed(ErrorType::Timeout, reason, self.said.take())
    }

    fn ask(&mut self, elapsed: Duration, nudge: bool) -> AgentStep {
        if self.left(elapsed).is_zero() {
            return self.expired();
        }
        if self.turns >= self.limits.turns {
            let reason = format!("no result after {} turns of its model", self.turns);
            return failed(ErrorType::Limit, reason, self.said.take());
        }
        let spent = self.limits.budget.is_some_and(|budget| elapsed >= budget);
        let hurry = spent && !self.hurried;
        self.hurried |= hurry;
        AgentStep::Ask {
            choice: self.choice,
            nudge,
            hurry,
        }
    }
}

fn failed(
    error_type: ErrorType,
    reason: impl Into<String>,
    unreported_output: Option<String>,
) -> AgentStep {
    AgentStep::Fail(RunFault {
        error_type,
        error: reason.into(),
        unreported_output,
    })
}

#[cfg(test)]
mod tests;
