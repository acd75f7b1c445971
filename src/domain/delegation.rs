//! Work that agents do for the user: sessions, runs, and what a run may become.
//!
//! A *session* is one agent's conversation and outlives its runs; a *run* is one round of work
//! in it, from a prompt to one end. Handles are what people and models see of them
//! (delegation design 2.1, 2.7; C-20).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

words! {
    /// State of a run.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum RunState {
        /// Waiting for somebody to work on it.
        Pending = "pending",
        /// Being worked on.
        Running = "running",
        /// Waiting for the user.
        InputRequired = "input_required",
        /// The agent reported a result, and it stands in a row.
        Completed = "completed",
        /// Ended without a result.
        Failed = "failed",
        /// Somebody stopped it, and it has stopped.
        Cancelled = "cancelled",
        /// Cut off, as whoever worked on it is gone: what came of it is not known.
        Interrupted = "interrupted",
    }
}

impl RunState {
    /// Tells whether it has ended; what has ended never changes (a resumption is a new run).
    pub const fn is_terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Failed | Self::Cancelled | Self::Interrupted
        )
    }

    /// Tells whether it is still to come or under way.
    pub const fn is_live(self) -> bool {
        !self.is_terminal()
    }

    /// Tells whether a run may go from here to `next` (delegation design 2.7).
    ///
    /// ```
    /// use candor::domain::RunState::*;
    /// assert!(Pending.may_become(Running) && Running.may_become(Completed));
    /// assert!(!Pending.may_become(Completed) && !Cancelled.may_become(Completed));
    /// ```
    pub const fn may_become(self, next: Self) -> bool {
        match self {
            // A pending run may fail: its provider is gone, its deadline is past.
            Self::Pending => matches!(next, Self::Running | Self::Cancelled | Self::Failed),
            Self::Running => matches!(next, Self::InputRequired) || next.is_terminal(),
            Self::InputRequired => {
                matches!(
                    next,
                    Self::Running | Self::Failed | Self::Cancelled | Self::Interrupted
                )
            }
            Self::Completed | Self::Failed | Self::Cancelled | Self::Interrupted => false,
        }
    }
}

words! {
    /// Outcome of a run, as its agent reports it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum ReportOutcome {
        /// The agent did what it was asked.
        Completed = "completed",
        /// The agent could not, or would not.
        Rejected = "rejected",
    }
}

words! {
    /// Standing of a report against the tool calls it cites (G-05).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Verification {
        /// Every call it cites is one of this run's, and succeeded.
        Verified = "verified",
        /// The report cites nothing.
        Unverified = "unverified",
        /// The report cites a call that was not made, or failed.
        Contradicted = "contradicted",
    }
}

impl Verification {
    /// Returns the verification of a report by the calls it cites: `cited` says of each whether it
    /// was made in this run and succeeded.
    pub fn of(cited: impl IntoIterator<Item = bool>) -> Self {
        let mut cited = cited.into_iter().peekable();
        if cited.peek().is_none() {
            Self::Unverified
        } else if cited.all(|sound| sound) {
            Self::Verified
        } else {
            Self::Contradicted
        }
    }
}

words! {
    /// Condition for an agent's report to mark the task as done too (`[delegation] completion_policy`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CompletionPolicy {
        /// The agent reports that the task is done.
        #[default]
        Reported = "reported",
        /// Everything it cites was found to be so.
        Verified = "verified",
        /// The user accepts the report.
        Accepted = "accepted",
    }
}

impl CompletionPolicy {
    /// Tells whether a report of this kind marks the task as done at once.
    pub const fn completes(self, outcome: ReportOutcome, verification: Verification) -> bool {
        let sound = match self {
            Self::Reported => !matches!(verification, Verification::Contradicted),
            Self::Verified => matches!(verification, Verification::Verified),
            Self::Accepted => false,
        };
        sound && matches!(outcome, ReportOutcome::Completed)
    }
}

words! {
    /// Judgement of the user on a completed run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Review {
        /// The task is done by it.
        Accepted = "accepted",
        /// The task is not done by it.
        Rejected = "rejected",
    }
}

words! {
    /// Words that it takes to delegate: of work, of delegating it, or none (C-38; `[delegation]
    /// authorization`).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum DelegateAuthorization {
        /// The user's message is one of task or delegation work.
        #[default]
        Intent = "intent",
        /// The user says to delegate.
        Explicit = "explicit",
        /// The model may decide.
        Auto = "auto",
    }
}

/// A handle that can't be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a handle is `agent-` with 6 to 12 of a-z 0-9, or `run-` with a number")]
pub struct InvalidHandle;

/// Name of a session for people and models: `agent-` and 6 to 12 of `a-z 0-9`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentHandle(String);

impl AgentHandle {
    pub(super) const PREFIX: &str = "agent-";
    const LENGTH: usize = 8;

    /// A new one, from chance.
    pub fn of(chance: Uuid) -> Self {
        const LETTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let mut rest = chance.as_u128();
        // The low bits of a time-ordered id are the random ones; all are mixed in.
        rest ^= rest >> 64;
        let mut text = String::from(Self::PREFIX);
        for _ in 0..Self::LENGTH {
            let place = usize::try_from(rest % 36).unwrap_or_default();
            text.push(LETTERS.get(place).copied().map_or('0', char::from));
            rest /= 36;
        }
        Self(text)
    }

    /// Parses one.
    ///
    /// # Errors
    /// [`InvalidHandle`].
    ///
    /// ```
    /// use candor::domain::AgentHandle;
    /// assert!(AgentHandle::parse("agent-abc123").is_ok());
    /// assert!(AgentHandle::parse("agent-").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, InvalidHandle> {
        let tail = text.strip_prefix(Self::PREFIX).ok_or(InvalidHandle)?;
        let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        if !(6..=12).contains(&tail.len()) || !tail.bytes().all(allowed) {
            return Err(InvalidHandle);
        }
        Ok(Self(text.to_owned()))
    }

    /// The handle as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Name of a run for people and models: `run-7`, counted per user from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunHandle(u32);

impl RunHandle {
    const PREFIX: &str = "run-";

    /// The handle of that number.
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Parses one.
    ///
    /// # Errors
    /// [`InvalidHandle`].
    pub fn parse(text: &str) -> Result<Self, InvalidHandle> {
        let digits = text.strip_prefix(Self::PREFIX).ok_or(InvalidHandle)?;
        let plain = !digits.starts_with(['0', '+']);
        let number = digits.parse().ok().filter(|_| plain);
        number.map(Self).ok_or(InvalidHandle)
    }
}

impl fmt::Display for RunHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::PREFIX, self.0)
    }
}

text_form!(AgentHandle: InvalidHandle = parse, RunHandle: InvalidHandle = parse);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_forward_only() {
        let allowed = |from: RunState| {
            let next = RunState::ALL.into_iter().filter(|to| from.may_become(*to));
            next.map(RunState::as_str).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(allowed(RunState::Pending), "running failed cancelled");
        assert_eq!(
            allowed(RunState::Running),
            "input_required completed failed cancelled interrupted"
        );
        assert_eq!(
            allowed(RunState::InputRequired),
            "running failed cancelled interrupted"
        );
        for end in RunState::ALL.into_iter().filter(|s| s.is_terminal()) {
            assert_eq!(allowed(end), "", "{end}");
        }
    }

    #[test]
    fn every_word_is_read_back() {
        for state in RunState::ALL {
            assert_eq!(RunState::parse(state.as_str()), Some(state));
        }
        assert_eq!(RunState::parse("done"), None);
    }

    #[test]
    fn evidence_fails_closed() {
        assert_eq!(Verification::of([]), Verification::Unverified);
        assert_eq!(Verification::of([true, true]), Verification::Verified);
        assert_eq!(Verification::of([true, false]), Verification::Contradicted);
    }

    #[test]
    fn a_policy_never_takes_a_contradiction_or_a_refusal_for_done() {
        use CompletionPolicy::{Accepted, Reported, Verified};
        for policy in [Reported, Verified, Accepted] {
            let completes = |outcome, verification| policy.completes(outcome, verification);
            assert!(!completes(
                ReportOutcome::Completed,
                Verification::Contradicted
            ));
            assert!(!completes(ReportOutcome::Rejected, Verification::Verified));
        }
        assert!(Reported.completes(ReportOutcome::Completed, Verification::Unverified));
        assert!(!Verified.completes(ReportOutcome::Completed, Verification::Unverified));
        assert!(!Accepted.completes(ReportOutcome::Completed, Verification::Verified));
    }

    #[test]
    fn handles_have_one_spelling() {
        let new = AgentHandle::of(Uuid::from_u128(0x0190_0000_0000_7000_8123_4567_89ab_cdef));
        assert_eq!(AgentHandle::parse(new.as_str()), Ok(new));
        for bad in [
            "agent-",
            "agent-abc12",
            "agent-ABC123",
            "agent-abcdefghijklm",
            "abc123",
        ] {
            assert_eq!(AgentHandle::parse(bad), Err(InvalidHandle), "{bad}");
        }
        assert_eq!(RunHandle::parse("run-7"), Ok(RunHandle::new(7)));
        for bad in ["run-", "run-07", "run-+7", "run-0", "7", "run--1"] {
            assert_eq!(RunHandle::parse(bad), Err(InvalidHandle), "{bad}");
        }
        assert_eq!(RunHandle::new(12).to_string(), "run-12");
    }
}
