//! Commands that are a part of a title: a title that is said licenses nothing by itself, whatever
//! its words are. "'; DROP TABLE tasks; -- is done" speaks of a task.

use std::ops::Range;

use crate::domain::Task;
use crate::guard::Situation;
use crate::guard::talk::is_function_word;
use crate::intent::{Act, Clause, Reading, Target};
use crate::resolver::{Among, TaskList, names, title_words};

/// Makes remarks of the commands that lie within a title which the words name.
pub(super) fn spare(reading: &mut Reading, words: &str, tasks: &TaskList) {
    let command = |act: &Act| {
        matches!(
            act,
            Act::Add(_) | Act::Change(_) | Act::List(_) | Act::Undo | Act::Statement(_)
        )
    };
    let says = |clause: &Clause| command(&clause.act) || matches!(clause.act, Act::Fragment(_));
    if !reading.clauses.iter().any(says) {
        return;
    }
    // Small letters stand where large ones did.
    let small = words.to_ascii_lowercase();
    for task in tasks.standing_in(words) {
        let title = task.title.as_str().to_ascii_lowercase();
        for (start, _) in small.match_indices(&title) {
            let said = start..start + title.len();
            let mut cut = false;
            for clause in &mut reading.clauses {
                let inside = goes_beyond(words, &said, &clause.bytes);
                if (command(&clause.act) && inside)
                    || cuts(&clause.act, words, &said, &clause.bytes)
                    || adds_a_piece(&clause.act, words, &said)
                    // "…; -- priority to low": what follows a title that was cut is about it.
                    || (cut && speaks_of_it(&clause.act, tasks))
                {
                    clause.act = Act::Other;
                }
                // "set Your list is empty. priority to low": the title goes on behind the clause.
                let goes_on = said.start < clause.bytes.end && clause.bytes.end < said.end;
                if goes_on {
                    make_whole(&mut clause.act, words, &said, &clause.bytes);
                }
                cut = inside || goes_on;
            }
        }
    }
}

/// Tells whether a clause ends within the title of a task that counts: what was read of the words
/// is not what they say.
pub(in crate::guard) fn cuts_a_title(
    reading: &Reading,
    words: &str,
    tasks: &TaskList,
    counts: impl Fn(&Task) -> bool,
) -> bool {
    let small = words.to_ascii_lowercase();
    let cut = |task: &Task| {
        let title = task.title.as_str().to_ascii_lowercase();
        small.match_indices(&title).any(|(start, _)| {
            let end = start + title.len();
            let within = |clause: &Clause| start < clause.bytes.end && clause.bytes.end < end;
            reading.clauses.iter().any(within)
        })
    };
    let standing = tasks.standing_in(words);
    standing.into_iter().any(|task| counts(task) && cut(task))
}

/// Makes of a reference to the front of the title at `said`, which goes on behind the clause, one to
/// all of it: "remove call mom: I have called her" is about no task called "call mom" then.
fn make_whole(act: &mut Act, words: &str, said: &Range<usize>, clause: &Range<usize>) {
    let (Act::Change(change) | Act::Forbidden(change) | Act::Hypothetical(change)) = act else {
        return;
    };
    let Some(title) = words.get(said.clone()) else {
        return;
    };
    let text = words.get(clause.clone()).unwrap_or_default();
    let targets = &mut change.targets;
    for target in std::iter::once(&mut targets.whole).chain(&mut targets.parts) {
        let Target::Named(named) = target else {
            continue;
        };
        let front = text.match_indices(named.as_str()).any(|(at, _)| {
            let start = clause.start + at;
            let before = words.get(said.start..start);
            let begins = before.is_some_and(|before| !before.contains(char::is_alphanumeric));
            // A sign at its end may be the sentence's: "delete milk. delete eggs".
            let rest = words.get(start + named.len()..said.end);
            begins && rest.is_some_and(|rest| rest.contains(char::is_alphanumeric))
        });
        if front {
            title.clone_into(named);
        }
    }
}

/// Tells whether a remark is made of a piece of the title at `said`: what is completed in
/// "borra Say that all tasks are completed" is a word of a title.
fn cuts(act: &Act, words: &str, said: &Range<usize>, clause: &Range<usize>) -> bool {
    let Act::Statement(statement) = act else {
        return false;
    };
    let text = words.get(clause.clone()).unwrap_or_default();
    let targets = std::iter::once(&statement.target).chain(&statement.parts);
    targets.into_iter().any(|target| {
        let Target::Named(named) = target else {
            return false;
        };
        text.match_indices(named.as_str()).any(|(at, _)| {
            let start = clause.start + at;
            let end = start + named.len();
            said.start < end && start < said.end && said.end > end && said.start >= start
        })
    })
}

/// Tells whether a piece of the title at `said` was read as a task to be added: "remind me about '; DROP
/// TABLE tasks; -- at 5".
fn adds_a_piece(act: &Act, words: &str, said: &Range<usize>) -> bool {
    let Act::Add(addition) = act else {
        return false;
    };
    let says = |range: Range<usize>| {
        let text = words.get(range).unwrap_or_default();
        text.contains(char::is_alphanumeric)
    };
    let mut pieces = std::iter::once(&addition.whole).chain(&addition.parts);
    pieces.any(|piece| {
        let piece = &piece.bytes;
        let begins = said.start < piece.start && piece.start < said.end;
        let ends = said.start < piece.end && piece.end < said.end;
        begins && says(said.start..piece.start) || ends && says(piece.end..said.end)
    })
}

/// Tells whether what stands behind a title that was cut goes on about it. A command there is one
/// of its own only where it names a whole title: "as done" names none, whatever task has an "as" in
/// it.
fn speaks_of_it(act: &Act, tasks: &TaskList) -> bool {
    let whole = |target: &Target| match target {
        Target::Named(words) => !tasks.titled(words, Among::All).is_empty(),
        Target::It | Target::They { .. } | Target::Missing => false,
        Target::Position(_) | Target::Other | Target::Set(_) => true,
    };
    match act {
        Act::Change(change) => !change.targets.parts.iter().any(whole),
        Act::Statement(statement) => !whole(&statement.target),
        Act::Fragment(_) => true,
        _ => false,
    }
}

/// Tells whether the title at `said` holds the clause and more. A sign behind the clause is none of
/// that: "delete milk!" is said as a command, whatever a task is called.
fn goes_beyond(words: &str, said: &Range<usize>, clause: &Range<usize>) -> bool {
    let part = |range: Range<usize>| words.get(range).unwrap_or_default();
    let holds = said.start <= clause.start && clause.end <= said.end;
    holds
        && (!part(said.start..clause.start).trim().is_empty()
            || part(clause.end..said.end).contains(char::is_alphanumeric))
}

/// Tells whether words may be the name of a list: "add to the cardiology one" means a task, and
/// "zeig mal die liste her" names nothing.
pub(super) fn names_a_list(list: &str, situation: &Situation<'_>) -> bool {
    let mut titles = situation.tasks.iter().map(|task| task.title.as_str());
    let mut words = title_words(list).into_iter();
    !words.all(|word| is_function_word(&word)) && !titles.any(|title| names(list, title))
}
