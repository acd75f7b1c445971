//! Pronouns whose antecedent stands in the same message: "I forgot milk, stick it on there".

use crate::intent::{
    Act, Addition, Change, Clause, Fragment, NewTask, Statement, Target, Targets, Topic, Values,
    Verb,
};

/// Puts antecedents in the place of pronouns, and makes one clause of two that say one thing.
pub(super) fn join(clauses: Vec<Clause>) -> Vec<Clause> {
    if !clauses.iter().any(|clause| goes_on(&clause.act)) {
        return clauses;
    }
    let mut joined: Vec<Clause> = Vec::with_capacity(clauses.len());
    let mut withdrawn: Vec<Clause> = Vec::new();
    for mut clause in clauses {
        if withdrawn.is_empty() && !goes_on(&clause.act) {
            joined.push(clause);
            continue;
        }
        let mut before = joined.pop();
        if explains(before.as_ref(), &clause) {
            joined.extend(before);
            continue;
        }
        before = before.filter(|before| !explains(Some(&clause), before));
        if let Some(before) = before.as_mut()
            && goes_for(before, &clause)
        {
            joined.push(before.clone());
            continue;
        }
        // What is deleted is not marked as done as well: "delete milk, actually mark it as done".
        if let Some(withdrawn) = before.as_ref()
            && replaces(withdrawn, &mut clause)
        {
            clause.bytes.start = withdrawn.bytes.start;
            joined.push(clause);
            continue;
        }
        if repeats(before.as_ref(), &clause) {
            joined.extend(before);
            continue;
        }
        if regrets(before.as_ref(), &clause) {
            joined.push(clause);
            continue;
        }
        if let Some(before) = before.as_ref()
            && takes_back(before, &clause)
        {
            withdrawn.push(before.clone());
            clause.act = Act::No;
            joined.push(clause);
            continue;
        }
        if matches!(
            clause.act,
            Act::Fragment(Fragment::Except(_)) | Act::Forbidden(_)
        ) && let Some(mut before) = before.clone()
            && leaves_out(&mut before, &clause)
        {
            before.bytes.end = clause.bytes.end;
            joined.push(before);
            continue;
        }
        // "bought milk but not eggs": nothing is to be done about the eggs.
        if let Some(before) = before.as_ref()
            && leaves_open(before, &clause)
        {
            joined.push(before.clone());
            continue;
        }
        if before.as_ref().is_some_and(|before| before.act == Act::No)
            && let Some(withdrawn) = withdrawn.pop()
        {
            match instead(withdrawn, &clause) {
                // The no belongs to the correction.
                Some(corrected) => joined.push(corrected),
                None => {
                    joined.extend(before);
                    // What mends a command that was taken back mends nothing older.
                    if matches!(clause.act, Act::Fragment(_)) {
                        clause.act = Act::Other;
                    }
                    joined.push(clause);
                }
            }
            continue;
        }
        if matches!(clause.act, Act::Fragment(Fragment::Amend { .. }))
            && let Some(corrected) = before.clone().and_then(|before| instead(before, &clause))
        {
            joined.push(corrected);
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

/// Tells whether what is said may have to do with what stands before it.
const fn goes_on(act: &Act) -> bool {
    matches!(
        act,
        Act::Yes
            | Act::No
            | Act::Undo
            | Act::Fragment(_)
            | Act::Forbidden(_)
            | Act::Add(_)
            | Act::Change(_)
            | Act::Statement(_)
    )
}

/// "mark milk as done, essay too": one command for both. True when it is.
fn goes_for(before: &mut Clause, clause: &Clause) -> bool {
    let Act::Fragment(Fragment::Also {
        words,
        question: false,
        ..
    }) = &clause.act
    else {
        return false;
    };
    if let Act::Add(addition) = &mut before.act
        && !addition.described
    {
        addition.parts.push(NewTask {
            title: words.clone(),
            bytes: clause.bytes.clone(),
            ..NewTask::default()
        });
        addition.whole.bytes.end = clause.bytes.end;
        addition.split = true;
        return true;
    }
    let Act::Change(change) = &mut before.act else {
        return false;
    };
    let targets = &mut change.targets;
    if !matches!(targets.whole, Target::Named(_)) {
        return false;
    }
    targets.parts.push(Target::Named(words.clone()));
    // No title is called this.
    let all = targets.parts.iter().filter_map(|part| match part {
        Target::Named(name) => Some(name.as_str()),
        _ => None,
    });
    targets.whole = Target::Named(all.collect::<Vec<_>>().join(", "));
    before.bytes.end = clause.bytes.end;
    true
}

/// Tells whether another change of what was to be deleted is wanted in its stead.
fn replaces(before: &Clause, clause: &mut Clause) -> bool {
    let (Act::Change(deleted), Act::Change(change)) = (&before.act, &mut clause.act) else {
        return false;
    };
    let stays = deleted.verb == Verb::Delete && change.verb != Verb::Delete;
    if !stays || change.targets.whole != Target::It || deleted.targets.whole == Target::It {
        return false;
    }
    change.targets = deleted.targets.clone();
    true
}

/// "yes, go ahead": one consent in two phrases.
fn repeats(before: Option<&Clause>, clause: &Clause) -> bool {
    matches!(clause.act, Act::Yes | Act::No)
        && before.is_some_and(|before| before.act == clause.act)
}

/// "delete milk, I already bought it", "I bought it, delete milk": why, and no remark about the task
/// of an earlier turn.
fn explains(order: Option<&Clause>, remark: &Clause) -> bool {
    let said = matches!(&remark.act, Act::Statement(said) if said.target == Target::It);
    let order = order.map(|clause| &clause.act);
    said && matches!(order, Some(Act::Change(change)) if change.targets.whole != Target::It)
}

/// "I didn't mean that, put it back": what is regretted is taken back, and nothing to be told.
fn regrets(before: Option<&Clause>, clause: &Clause) -> bool {
    clause.act == Act::Undo && before.is_some_and(|before| before.act == Act::Help(Topic::Undo))
}

/// "delete Read book, no wait, don't": the no takes back the command before it; "is milk done? no"
/// answers the user's own question.
fn takes_back(before: &Clause, clause: &Clause) -> bool {
    match (&before.act, &clause.act) {
        (Act::Add(_) | Act::Change(_) | Act::Statement(_) | Act::Undo, Act::No) => true,
        // "delete milk? no, keep it"
        (Act::Hint(_), Act::No) => true,
        // "delete milk, undo that"
        (Act::Add(_) | Act::Change(_) | Act::Statement(_), Act::Undo) => true,
        // "delete milk. Actually keep milk"
        (Act::Change(asked), Act::Forbidden(kept)) => {
            asked.verb == kept.verb && asked.targets.parts == kept.targets.parts
        }
        _ => false,
    }
}

/// "everything except bread". True when the clause says what is left out of the one before it.
fn leaves_out(before: &mut Clause, clause: &Clause) -> bool {
    let left_out = match &clause.act {
        Act::Fragment(Fragment::Except(targets)) => targets,
        Act::Forbidden(change) => &change.targets.parts,
        _ => return false,
    };
    let Act::Change(change) = &mut before.act else {
        return false;
    };
    if let Target::Set(set) = &mut change.targets.whole {
        set.without.extend(left_out.iter().cloned());
        change.targets.parts = vec![change.targets.whole.clone()];
        return true;
    }
    // "delete milk and eggs, not eggs"
    let parts = &mut change.targets.parts;
    let stays = |part: &Target| !left_out.contains(part);
    if parts.iter().all(stays) || !parts.iter().any(stays) {
        return false;
    }
    parts.retain(stays);
    if let [only] = parts.as_slice() {
        change.targets.whole = only.clone();
    } else if let Some(first) = parts.first() {
        change.targets.whole = first.clone();
    }
    true
}

/// Tells whether `before` says what was done, and the clause what was not.
fn leaves_open(before: &Clause, clause: &Clause) -> bool {
    let told = match &before.act {
        Act::Statement(said) => said.done,
        Act::Change(change) => change.verb == Verb::Complete,
        _ => false,
    };
    told && matches!(clause.act, Act::Fragment(Fragment::Except(_)))
}

/// "delete milk, no, eggs", "add dentist, friday would be good": the command before it, with what
/// is said in its stead.
fn instead(mut withdrawn: Clause, clause: &Clause) -> Option<Clause> {
    // "delete the second, sorry, the third"
    if let Act::Fragment(Fragment::Pick { targets, .. }) = &clause.act
        && let Act::Change(change) = &mut withdrawn.act
        && let [target] = targets.as_slice()
    {
        change.targets = one(target.clone());
        withdrawn.bytes.end = clause.bytes.end;
        return Some(withdrawn);
    }
    let Act::Fragment(Fragment::Amend {
        due,
        words,
        priority,
        time_of_day: time,
    }) = &clause.act
    else {
        return None;
    };
    match &mut withdrawn.act {
        Act::Add(addition) if addition.parts.len() == 1 => {
            let task = &mut addition.whole;
            if let Some(words) = words.as_ref().filter(|words| !words.is_empty()) {
                task.title.clone_from(words);
                task.bytes = clause.bytes.clone();
            }
            task.time = time.or(task.time);
            task.due = due.clone().or(task.due.take());
            task.priority = priority.or(task.priority);
            addition.parts = vec![task.clone()];
        }
        Act::Change(change) => {
            if let Some(words) = words.as_ref().filter(|words| !words.is_empty()) {
                change.targets = one(Target::Named(words.clone()));
                // "move the dentist, I mean the essay, to monday"
                if change.verb == Verb::Update {
                    change.values.due = due.clone().or(change.values.due.take());
                }
            } else if change.verb == Verb::Update && time.is_none() {
                change.values.due = due.clone().or(change.values.due.take());
                change.values.priority = priority.or(change.values.priority);
            } else {
                return None;
            }
        }
        // "bought milk, sorry, eggs"
        Act::Statement(said) => {
            let words = words.as_ref().filter(|words| !words.is_empty())?;
            said.target = Target::Named(words.clone());
            said.parts.clear();
        }
        _ => return None,
    }
    withdrawn.bytes.end = clause.bytes.end;
    withdrawn.notes.extend(clause.notes.iter().cloned());
    Some(withdrawn)
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
    task.repeat = addition.whole.repeat.take().or(task.repeat);
    addition.parts = vec![task.clone()];
    addition.whole = task;
    (Some(before), true)
}

/// "…, take it off": what was named just before is meant. True when both say the same.
fn changed(before: &Clause, change: &mut Change) -> bool {
    let pronoun = matches!(change.targets.whole, Target::It | Target::They { .. });
    // "milk: delete"
    let unnamed = change.targets.whole == Target::Missing && matches!(before.act, Act::Noun(_));
    if !pronoun && !unnamed {
        return false;
    }
    let (targets, same): (Targets, bool) = match &before.act {
        Act::Change(earlier) => {
            let same = earlier.verb == change.verb;
            if same && change.verb == Verb::Update {
                both(&earlier.values, &mut change.values);
                change.splits.clone_from(&earlier.splits);
            }
            (earlier.targets.clone(), same)
        }
        // "find pay rent and mark it as done": what was looked for.
        Act::Fragment(Fragment::Bare(words)) => (one(Target::Named(words.clone())), true),
        Act::Statement(statement) => (one(statement.target.clone()), true),
        // "yoga is cancelled, remove it"
        Act::Hint(hint) => (hint.targets.clone(), true),
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

/// "rename it to … and move it to friday": one change with the values of both.
fn both(earlier: &Values, values: &mut Values) {
    values.due = values.due.take().or_else(|| earlier.due.clone());
    values.ends_repeat |= earlier.ends_repeat;
    values.priority = values.priority.or(earlier.priority);
    values.title = values.title.take().or_else(|| earlier.title.clone());
    values.description = values
        .description
        .take()
        .or_else(|| earlier.description.clone());
    values.described |= earlier.described;
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
