//! Pronouns whose antecedent stands in the same message: "I forgot milk, stick it on there".

use crate::intent::{
    Act, Addition, Change, Clause, Fragment, Statement, Target, Targets, Topic, Verb,
};

/// Puts antecedents in the place of pronouns, and makes one clause of two that say one thing.
pub(super) fn join(clauses: Vec<Clause>) -> Vec<Clause> {
    let mut joined: Vec<Clause> = Vec::with_capacity(clauses.len());
    let mut withdrawn: Vec<Clause> = Vec::new();
    for clause in clauses {
        let open = !withdrawn.is_empty() || goes_on(&clause.act);
        match joined.pop_if(|_| open) {
            Some(before) => joined.extend(side_by_side(before, clause, &mut withdrawn)),
            None => joined.push(clause),
        }
    }
    joined
}

/// Returns what two clauses say, one behind the other; a command that is taken back goes to
/// `withdrawn`.
fn side_by_side(
    mut before: Clause,
    mut clause: Clause,
    withdrawn: &mut Vec<Clause>,
) -> Vec<Clause> {
    if takes_back(&before, &clause) {
        withdrawn.push(before);
        clause.act = Act::No;
        return vec![clause];
    }
    if explains(&before, &clause)
        || goes_for(&mut before, &clause)
        || repeats(&before, &clause)
        || leaves_out(&mut before, &clause)
        || leaves_open(&before, &clause)
    {
        return vec![before];
    }
    if explains(&clause, &before) || replaces(&before, &mut clause) || regrets(&before, &clause) {
        return vec![clause];
    }
    if before.act == Act::No
        && let Some(withdrawn) = withdrawn.pop()
    {
        // The no belongs to the correction.
        if let Some(corrected) = instead(&withdrawn, &clause) {
            return vec![corrected];
        }
        // What mends a command that was taken back mends nothing older.
        if matches!(clause.act, Act::Fragment(_)) {
            clause.act = Act::Other;
        }
        return vec![before, clause];
    }
    if matches!(clause.act, Act::Fragment(Fragment::Amend { .. }))
        && let Some(corrected) = instead(&before, &clause)
    {
        return vec![corrected];
    }
    let one = match &mut clause.act {
        Act::Add(addition) => added(&before, addition),
        Act::Change(change) => changed(&before, change),
        Act::Statement(statement) => stated(&before, statement),
        _ => false,
    };
    if !one {
        return vec![before, clause];
    }
    clause.bytes.start = before.bytes.start;
    clause.notes.splice(0..0, before.notes);
    vec![clause]
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

/// "delete milk, actually mark it as done": what is deleted is not marked as done as well. True when
/// it is.
fn replaces(before: &Clause, clause: &mut Clause) -> bool {
    let (Act::Change(deleted), Act::Change(change)) = (&before.act, &mut clause.act) else {
        return false;
    };
    let stays = deleted.verb == Verb::Delete && change.verb != Verb::Delete;
    if !stays || change.targets.whole != Target::It {
        return false;
    }
    change.targets = deleted.targets.clone();
    clause.bytes.start = before.bytes.start;
    true
}

/// "yes, go ahead": one consent in two phrases.
fn repeats(before: &Clause, clause: &Clause) -> bool {
    matches!(clause.act, Act::Yes | Act::No) && before.act == clause.act
}

/// "delete milk, I already bought it", "I bought it, delete milk": why, and no remark about the task
/// of an earlier turn.
fn explains(order: &Clause, remark: &Clause) -> bool {
    matches!(&remark.act, Act::Statement(said) if said.target == Target::It)
        && matches!(&order.act, Act::Change(change) if change.targets.whole != Target::It)
}

/// "I didn't mean that, put it back": what is regretted is taken back, and nothing to be told.
fn regrets(before: &Clause, clause: &Clause) -> bool {
    clause.act == Act::Undo && before.act == Act::Help(Topic::Undo)
}

/// "delete Read book, no wait, don't": the no takes back the command before it; "is milk done? no"
/// answers the user's own question.
fn takes_back(before: &Clause, clause: &Clause) -> bool {
    match (&before.act, &clause.act) {
        // "delete milk? no, keep it"
        (Act::Undo | Act::Hint(_), Act::No) => true,
        // "delete milk, undo that"
        (Act::Add(_) | Act::Change(_) | Act::Statement(_), Act::No | Act::Undo) => true,
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
        change.targets = Targets::of(change.targets.whole.clone());
        before.bytes.end = clause.bytes.end;
        return true;
    }
    // "delete milk and eggs, not eggs"
    let parts = &mut change.targets.parts;
    let stays = |part: &Target| !left_out.contains(part);
    if parts.iter().all(stays) || !parts.iter().any(stays) {
        return false;
    }
    parts.retain(stays);
    if let Some(first) = parts.first() {
        change.targets.whole = first.clone();
    }
    before.bytes.end = clause.bytes.end;
    true
}

/// "bought milk but not eggs": nothing is to be done about the eggs.
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
fn instead(withdrawn: &Clause, clause: &Clause) -> Option<Clause> {
    let mut withdrawn = withdrawn.clone();
    // "delete the second, sorry, the third"
    if let Act::Fragment(Fragment::Pick { targets, .. }) = &clause.act
        && let Act::Change(change) = &mut withdrawn.act
        && let [target] = targets.as_slice()
    {
        change.targets = Targets::of(target.clone());
        withdrawn.bytes.end = clause.bytes.end;
        return Some(withdrawn);
    }
    let Act::Fragment(Fragment::Amend {
        due,
        words,
        priority,
        time_of_day: time,
        ..
    }) = &clause.act
    else {
        return None;
    };
    let words = words.as_ref().filter(|words| !words.is_empty());
    match &mut withdrawn.act {
        Act::Add(addition) if addition.parts.len() == 1 => {
            let task = &mut addition.whole;
            if let Some(words) = words {
                task.title.clone_from(words);
                task.bytes = clause.bytes.clone();
            }
            task.time = time.or(task.time);
            task.due = due.clone().or(task.due.take());
            task.priority = priority.or(task.priority);
            addition.parts = vec![task.clone()];
        }
        Act::Change(change) => {
            if let Some(words) = words {
                change.targets = Targets::of(Target::Named(words.clone()));
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
            said.target = Target::Named(words?.clone());
            said.parts.clear();
        }
        _ => return None,
    }
    withdrawn.bytes.end = clause.bytes.end;
    withdrawn.notes.extend(clause.notes.iter().cloned());
    Some(withdrawn)
}

/// "…, add it": what was wished for just before is what is to be added.
fn added(before: &Clause, addition: &mut Addition) -> bool {
    let (Act::Wish(task) | Act::Noun(task)) = &before.act else {
        return false;
    };
    let whole = &mut addition.whole;
    if !whole.title.is_empty() || addition.described {
        return false;
    }
    whole.title.clone_from(&task.title);
    whole.bytes = task.bytes.clone();
    whole.fill(task);
    addition.parts = vec![whole.clone()];
    true
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
                // "rename it to … and move it to friday": one change with the values of both.
                change.values.fill(&earlier.values);
                change.splits.clone_from(&earlier.splits);
            }
            (earlier.targets.clone(), same)
        }
        // "find pay rent and mark it as done": what was looked for.
        Act::Fragment(Fragment::Bare(words)) => (Targets::of(Target::Named(words.clone())), true),
        Act::Statement(statement) => (Targets::of(statement.target.clone()), true),
        // "yoga is cancelled, remove it"
        Act::Hint(hint) => (hint.targets.clone(), true),
        Act::Add(addition) if !addition.whole.title.is_empty() => (
            Targets::of(Target::Named(addition.whole.title.clone())),
            false,
        ),
        Act::Noun(task) => (Targets::of(Target::Named(task.title.clone())), true),
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
