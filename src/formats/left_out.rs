//! Parts of a file that a list has no place for, counted by kind: nothing is dropped in silence.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// Names of one kind that are remembered.
const NAMES: usize = 100;

/// Everything that was left out, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeftOut(BTreeMap<String, LeftOutPart>);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct LeftOutPart {
    count: usize,
    names: BTreeSet<String>,
}

/// One kind of what was left out of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LeftOut)]
pub struct LeftOutKind {
    /// A plural noun, such as `sections`, or the field's own name, such as `CATEGORIES`.
    pub kind: String,
    /// Number of them.
    #[schema(format = Int64)]
    pub count: usize,
    /// The first hundred by name, where they have names.
    pub names: Vec<String>,
}

impl LeftOut {
    /// Counts some of a kind.
    pub(super) fn count(&mut self, kind: &str, number: usize) {
        if number > 0 {
            self.part(kind).count += number;
        }
    }

    /// Counts one of a kind, and tells its name.
    pub(super) fn each(&mut self, kind: &str, name: &str) {
        let part = self.part(kind);
        part.count += 1;
        if part.names.len() < NAMES {
            part.remember(name);
        }
    }

    /// Counts one of a kind once, however often its name comes: a list that many rows name.
    pub(super) fn distinct(&mut self, kind: &str, name: &str) {
        let name = name.trim();
        if !name.is_empty() {
            let part = self.part(kind);
            part.count += usize::from(part.remember(name));
        }
    }

    /// Adds what was counted elsewhere.
    pub(super) fn merge(&mut self, other: Self) {
        for (kind, part) in other.0 {
            let own = self.0.entry(kind).or_default();
            own.count += part.count;
            own.names.extend(part.names);
        }
    }

    /// Tells whether everything was kept.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds, by name.
    pub fn kinds(&self) -> Vec<LeftOutKind> {
        let kinds = self.0.iter().map(|(kind, part)| LeftOutKind {
            kind: kind.clone(),
            count: part.count,
            names: part.names.iter().take(NAMES).cloned().collect(),
        });
        kinds.collect()
    }

    fn part(&mut self, kind: &str) -> &mut LeftOutPart {
        self.0.entry(super::entry::cut(kind)).or_default()
    }
}

impl LeftOutPart {
    fn remember(&mut self, name: &str) -> bool {
        self.names.insert(super::entry::cut(name))
    }
}
