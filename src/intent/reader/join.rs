//! Pronouns whose antecedent stands in the same message: "I forgot milk, stick it on there".

use crate::intent::{Act, Addition, Change, Clause, NewTask, Statement, Target, Targets};

/// Puts antecedents in the place of pronouns, and makes one clause of two that say one thing.
pub(super) fn join(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut joined: Vec<Clause> = Vec::with_capacity(clauses.len());
    for mut clause in clauses {
        let before = joined.pop();
        if repeats(before.as_ref(), &clause) {
            joined.extend(before);
            continue;
        }
        let (before, merge) = match (before, &mut clause.act) {
            (Some(before), Act::Add(addition)) => added(before, addition),
            (Some(before), Act::Change(change)) => {
                let merge = changed(&before, change);
                (Some(before), merge)
            }
            (Some(before), Act::Statement(statement)) => {
                let merge = stated(&before, statement);
                (Some(before), merge)
            }
            (before, _) => (before, false),
        };
        match before {
            Some(before) if merge => {
                clause.bytes.start = before.bytes.start;
                let mut notes = before.notes;
                notes.append(&mut clause.notes);
                clause.notes = notes;
            }
            other => joined.extend(other),
        }
        joined.push(clause);
    }
    joined
}

/// "yes, go ahead": one consent in two phrases.
fn repeats(before: Option<&Clause>, clause: &Clause) -> bool {
    matches!(clause.act, Act::Yes | Act::No)
        && before.is_some_and(|before| before.act == clause.act)
}

/// "…, add it": what was wished for just before is what is to be added.
fn added(before: Clause, addition: &mut Addition) -> (Option<Clause>, bool) {
    let pronoun = addition.whole.title.is_empty() && !addition.described;
    let named: Option<NewTask> = match &before.act {
        Act::Wish(task) | Act::Noun(task) if pronoun => Some(task.clone()),
        _ => None,
    };
    let Some(mut task) = named else {
        return (Some(before), false);
    };
    task.due = addition.whole.due.take().or(task.due);
    task.priority = addition.whole.priority.or(task.priority);
    addition.parts = vec![task.clone()];
    addition.whole = task;
    (Some(before), true)
}

/// "…, take it off": what was named just before is meant. True when both say the same.
fn changed(before: &Clause, change: &mut Change) -> bool {
    let pronoun = matches!(change.targets.whole, Target::It | Target::They { .. });
    if !pronoun {
        return false;
    }
    let (targets, same): (Targets, bool) = match &before.act {
        Act::Change(earlier) => (earlier.targets.clone(), earlier.verb == change.verb),
        Act::Statement(statement) => (one(statement.target.clone()), true),
        Act::Add(addition) if !addition.whole.title.is_empty() => {
            (one(Target::Named(addition.whole.title.clone())), false)
        }
        Act::Noun(task) => (one(Target::Named(task.title.clone())), true),
        _ => return false,
    };
    if matches!(
        targets.whole,
        Target::It | Target::They { .. } | Target::Missing
    ) {
        return false;
    }
    change.targets = targets;
    same
}

/// "laundry: done". True when the noun before is what the statement is about.
fn stated(before: &Clause, statement: &mut Statement) -> bool {
    match &before.act {
        Act::Noun(task) if statement.target == Target::It => {
            statement.target = Target::Named(task.title.clone());
            true
        }
        _ => false,
    }
}

fn one(target: Target) -> Targets {
    Targets {
        parts: vec![target.clone()],
        whole: target,
    }
}
