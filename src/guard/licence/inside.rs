//! Commands that are a part of a title: a title that is said licenses nothing by itself, whatever
//! its words are. "'; DROP TABLE tasks; -- is done" speaks of a task.

use std::ops::Range;

use crate::domain::Task;
use crate::intent::{Act, Reading};

/// Makes remarks of the commands that lie within a title which the words name.
pub(super) fn spare(reading: &mut Reading, words: &str, tasks: &[Task]) {
    let command = |act: &Act| {
        matches!(
            act,
            Act::Add(_) | Act::Change(_) | Act::List(_) | Act::Undo | Act::Statement(_)
        )
    };
    if !reading.clauses.iter().any(|clause| command(&clause.act)) {
        return;
    }
    for task in tasks {
        let title = task.title.as_str();
        for (start, _) in words.match_indices(title) {
            let said = start..start + title.len();
            for clause in &mut reading.clauses {
                if command(&clause.act) && goes_beyond(words, &said, &clause.bytes) {
                    clause.act = Act::Other;
                }
            }
        }
    }
}

/// Whether the title at `said` holds the clause and more. A sign behind the clause is none of that:
/// "delete milk!" is said as a command, whatever a task is called.
fn goes_beyond(words: &str, said: &Range<usize>, clause: &Range<usize>) -> bool {
    let part = |range: Range<usize>| words.get(range).unwrap_or_default();
    let holds = said.start <= clause.start && clause.end <= said.end;
    holds
        && (!part(said.start..clause.start).trim().is_empty()
            || part(clause.end..said.end).contains(char::is_alphanumeric))
}
