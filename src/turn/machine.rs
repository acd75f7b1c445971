//! Rules for when to ask the model, when to ask it again, when to stop.

use crate::llm::ToolChoice;

/// Reaction to a needed tool that was not called (`CANDOR_MISSING_TOOL`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingTool {
    /// Say so at once.
    #[default]
    Reject,
    /// One forced try first.
    Retry,
    /// The built-in engine reads the message, through the same gates.
    Engine,
}

/// Failed calls of a turn that are told to the model; after that the user is told.
pub const FAILURES_MAX: u32 = 3;
/// Questions of a turn to the model, whatever happens.
pub const ROUNDS_MAX: u32 = 6;
/// Calls of one answer that are looked at.
pub const CALLS_MAX: usize = 32;

/// Next step of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundStep {
    /// Ask the model.
    Ask(ToolChoice),
    /// Ask the built-in engine instead.
    AskEngine,
    /// Compose the reply.
    Settle,
}

/// Counts the rounds of one turn.
#[derive(Debug, Clone)]
pub struct RoundMachine {
    missing_tool: MissingTool,
    rounds: u32,
    failures: u32,
    forced: bool,
}

/// Outcome of the calls of one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoundReport {
    /// Calls that failed or were refused.
    pub failed: u32,
    /// Something now waits for the user's answer.
    pub asked: bool,
}

impl RoundMachine {
    /// A fresh turn.
    pub const fn new(missing_tool: MissingTool) -> Self {
        Self {
            missing_tool,
            rounds: 0,
            failures: 0,
            forced: false,
        }
    }

    /// The first step.
    pub const fn begin(&mut self) -> RoundStep {
        self.rounds = 1;
        self.forced = false;
        RoundStep::Ask(ToolChoice::Auto)
    }

    /// The first step where the words are certain (`CANDOR_FAST_PATH`). What the engine does then
    /// is told as it is: no model mends it, and none is named beside it.
    pub const fn begin_certain(&mut self) -> RoundStep {
        self.rounds = 1;
        self.forced = true;
        RoundStep::AskEngine
    }

    /// The model answered without a call. `due` says that a call is still expected, and nothing
    /// was dispatched for it.
    pub const fn without_calls(&mut self, due: bool) -> RoundStep {
        if !due || self.forced || self.rounds >= ROUNDS_MAX {
            return RoundStep::Settle;
        }
        match self.missing_tool {
            MissingTool::Reject => RoundStep::Settle,
            MissingTool::Retry => {
                self.forced = true;
                self.rounds += 1;
                RoundStep::Ask(ToolChoice::Required)
            }
            MissingTool::Engine => {
                self.forced = true;
                self.rounds += 1;
                RoundStep::AskEngine
            }
        }
    }

    /// The calls of an answer were run. `open` says that something expected is still open.
    pub const fn after_calls(&mut self, report: RoundReport, open: bool) -> RoundStep {
        self.failures += report.failed;
        let exhausted = self.failures >= FAILURES_MAX || self.rounds >= ROUNDS_MAX;
        // A failure is the model's to mend; with work still open it may be one that calls one tool at
        // a time. What waits for the user waits for nobody else.
        let again = report.failed > 0 || open;
        if report.asked || exhausted || !again || self.forced {
            return RoundStep::Settle;
        }
        self.rounds += 1;
        RoundStep::Ask(ToolChoice::Auto)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(missing_tool: MissingTool) -> RoundMachine {
        let mut machine = RoundMachine::new(missing_tool);
        assert_eq!(machine.begin(), RoundStep::Ask(ToolChoice::Auto));
        machine
    }

    #[test]
    fn a_missing_call_is_rejected_retried_once_or_read_by_the_engine() {
        assert_eq!(
            machine(MissingTool::Reject).without_calls(true),
            RoundStep::Settle
        );
        let mut retry = machine(MissingTool::Retry);
        assert_eq!(
            retry.without_calls(true),
            RoundStep::Ask(ToolChoice::Required)
        );
        assert_eq!(retry.without_calls(true), RoundStep::Settle);
        let mut engine = machine(MissingTool::Engine);
        assert_eq!(engine.without_calls(true), RoundStep::AskEngine);
        assert_eq!(engine.without_calls(true), RoundStep::Settle);
        assert_eq!(
            machine(MissingTool::Retry).without_calls(false),
            RoundStep::Settle
        );
    }

    #[test]
    fn nobody_is_asked_after_the_engine_was_certain() {
        let mut machine = RoundMachine::new(MissingTool::Retry);
        assert_eq!(machine.begin_certain(), RoundStep::AskEngine);
        let failed = RoundReport {
            failed: 1,
            ..RoundReport::default()
        };
        assert_eq!(machine.after_calls(failed, true), RoundStep::Settle);
        // It proposed nothing: the model is asked as if it had been the first.
        assert_eq!(machine.begin(), RoundStep::Ask(ToolChoice::Auto));
        assert_eq!(
            machine.without_calls(true),
            RoundStep::Ask(ToolChoice::Required)
        );
    }

    #[test]
    fn the_third_failure_ends_the_turn() {
        let mut machine = machine(MissingTool::Reject);
        let failed = RoundReport {
            failed: 1,
            ..RoundReport::default()
        };
        assert_eq!(
            machine.after_calls(failed, true),
            RoundStep::Ask(ToolChoice::Auto)
        );
        assert_eq!(
            machine.after_calls(failed, true),
            RoundStep::Ask(ToolChoice::Auto)
        );
        assert_eq!(machine.after_calls(failed, true), RoundStep::Settle);
    }

    #[test]
    fn a_plain_success_asks_once_and_endless_reading_ends() {
        let mut plain = machine(MissingTool::Reject);
        assert_eq!(
            plain.after_calls(RoundReport::default(), false),
            RoundStep::Settle
        );
        let mut looping = machine(MissingTool::Reject);
        let read = RoundReport::default();
        let asked = (0..100)
            .take_while(|_| looping.after_calls(read, true) != RoundStep::Settle)
            .count();
        assert_eq!(asked, 5);
    }
}
