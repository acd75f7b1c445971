//! Findings, and how much was tried.

#![cfg(test)]

use std::collections::BTreeSet;
use std::fmt;

/// A way in which a crash can break a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    /// A change was acknowledged, and is not there.
    Lost,
    /// A change stands there more often than it was asked for.
    Doubled,
    /// A change was committed, and nobody was told.
    Unreported,
    /// An answer says what the store does not.
    Untrue,
    /// One key, two answers.
    Differing,
    /// The audit log is broken.
    Chain,
    /// A request was never answered, however often it was repeated.
    Unanswered,
    /// An answer that nothing explains.
    Surprise,
}

/// One broken promise, in words.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Promise that was broken.
    pub kind: Wrong,
    /// Account of what was seen.
    pub words: String,
}

impl Finding {
    /// A finding.
    pub fn new(kind: Wrong, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { kind, words }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.words)
    }
}

/// Results of a run.
#[derive(Debug, Default)]
pub struct Tally {
    /// Databases that were begun.
    pub worlds: u64,
    /// Kills, those of a program that was still starting among them.
    pub kills: u64,
    /// Kills that hit a program that was still starting, or one that only copied the log back.
    pub while_starting: u64,
    /// Requests that were answered.
    pub acknowledged: u64,
    /// Requests that a kill left without an answer, and that were asked again.
    pub cut: u64,
    /// Times that everything was held against the database.
    pub checks: u64,
    /// Writes to the files that were not synced when the power was cut.
    pub unsynced: u64,
    /// Findings, each with the seed of its world.
    pub findings: Vec<(u64, Finding)>,
}

impl Tally {
    /// How many findings of one kind there are.
    pub fn count(&self, kind: Wrong) -> usize {
        let of_kind = |(_, finding): &&(u64, Finding)| finding.kind == kind;
        self.findings.iter().filter(of_kind).count()
    }

    /// Everything in one line.
    pub fn summary(&self) -> String {
        let kinds = self.findings.iter().map(|(_, finding)| finding.kind);
        let kinds: BTreeSet<Wrong> = kinds.collect();
        let found = if kinds.is_empty() {
            "nothing lost, doubled, untold or untrue".to_owned()
        } else {
            let each = kinds
                .iter()
                .map(|kind| format!("{kind:?} {}", self.count(*kind)));
            format!("FOUND: {}", each.collect::<Vec<_>>().join(", "))
        };
        format!(
            "{} kills ({} while starting) in {} worlds: {} answers acknowledged, {} cut off and \
             asked again, {} writes unsynced, {} checks; {found}",
            self.kills,
            self.while_starting,
            self.worlds,
            self.acknowledged,
            self.cut,
            self.unsynced,
            self.checks,
        )
    }
}
