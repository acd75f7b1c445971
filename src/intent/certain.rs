//! Whether words say all of what is wanted in one plain way, so that nobody need be asked what
//! they mean (`CANDOR_FAST_PATH`).
//!
//! Not whether they are understood: whatever could be read in a second way, and whatever wants
//! knowledge of the world, is a model's to judge.

use super::reading::{Act, Addition, Change, Clause, NewTask, Reading, Target};

impl Reading {
    /// Whether every clause is a command that is sure in itself.
    pub fn is_certain(&self) -> bool {
        !self.clauses.is_empty() && self.clauses.iter().all(is_sure)
    }
}

fn is_sure(clause: &Clause) -> bool {
    clause.notes.is_empty()
        && match &clause.act {
            Act::Add(addition) => is_one_task(addition),
            Act::Change(change) => is_one_change(change),
            Act::List(listing) => !listing.unasked,
            Act::Undo => true,
            _ => false,
        }
}

/// One title that nothing could be parted from.
fn is_one_task(addition: &Addition) -> bool {
    let named = |task: &NewTask| !task.title.is_empty();
    let one = addition.parts.len() == 1;
    one && !addition.split && !addition.described && named(&addition.whole)
}

/// One task that is named by its words or its place.
fn is_one_change(change: &Change) -> bool {
    let named = matches!(change.targets.whole, Target::Named(_) | Target::Position(_));
    named && change.targets.parts.len() == 1 && change.splits.is_empty()
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use crate::domain::Lang;
    use crate::intent::read;

    #[track_caller]
    fn check(message: &str, certain: bool) {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        let reading = read(message, today, Lang::En);
        assert_eq!(reading.is_certain(), certain, "{message}: {reading:?}");
    }

    #[test]
    fn one_plain_command_is_certain() {
        check("add call the plumber tomorrow", true);
        check("delete Read book", true);
        check("what's on my list?", true);
        check("undo", true);
    }

    #[test]
    fn what_has_a_second_reading_or_is_no_command_is_not() {
        check("add milk and eggs", false);
        check("add what I need for pancakes", false);
        check("delete it", false);
        check("we're out of milk", false);
        check("thanks!", false);
        check("don't delete Read book", false);
        check("", false);
    }
}
