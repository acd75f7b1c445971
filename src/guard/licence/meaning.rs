//! Tasks that the words mean: references, sets and what is left out of them.

use super::{Meaning, Part, Situation, due_range};
use crate::domain::{Lang, TaskId};
use crate::guard::evidence::tells_something;
use crate::intent::{Change, Set, Split, Target, Targets, Verb, tells_another};
use crate::resolver::{
    Among, Candidate, Context, Reference, Resolution, is_plural_of, title_words,
};
use crate::tools::{ListFilter, StatusFilter};

/// The parts of a target list: one when a single title covers the conjunction.
pub(in crate::guard) fn meant(
    verb: Verb,
    targets: &Targets,
    situation: &Situation<'_>,
) -> Vec<Part> {
    let whole = mean(verb, &targets.whole, situation);
    if targets.parts.len() < 2 || matches!(whole.meaning, Meaning::One(_)) {
        return vec![whole];
    }
    let parts = targets.parts.iter();
    parts.map(|target| mean(verb, target, situation)).collect()
}

/// Takes out of a change what names no task and tells of something: "delete milk, wife bought it".
pub(super) fn leave_remarks(change: &mut Change, situation: &Situation<'_>) {
    if change.targets.parts.len() < 2 {
        return;
    }
    let nothing = |target: &Target| {
        let meaning = mean(change.verb, target, situation).meaning;
        matches!(meaning, Meaning::Nothing { .. })
    };
    let remark = |target: &Target| matches!(target, Target::Named(words) if tells_something(words));
    let mut named: Vec<Target> = change.targets.parts.clone();
    named.retain(|target| !(remark(target) && nothing(target)));
    let all = named.len() == change.targets.parts.len();
    if all || named.iter().all(nothing) {
        return;
    }
    if let [one] = named.as_slice() {
        change.targets.whole = one.clone();
    }
    change.targets.parts = named;
}

pub(in crate::guard) fn mean(verb: Verb, target: &Target, situation: &Situation<'_>) -> Part {
    let resolver = situation.resolver();
    let among = among(verb);
    let resolved = |resolution: Resolution| match resolution {
        Resolution::One(id) => Meaning::One(id),
        Resolution::Many(candidates) => Meaning::Many(candidates),
        Resolution::None { why, nearest } => Meaning::Nothing { why, nearest },
    };
    let meaning = match target {
        Target::Named(words) => resolved(resolver.resolve(words, among)),
        Target::Position(position) => {
            resolved(resolver.resolve_reference(&Reference::Position(*position), among))
        }
        Target::It => resolved(resolver.resolve_reference(&Reference::It, among)),
        Target::Other => resolved(resolver.resolve_reference(&Reference::Other, among)),
        Target::They { count } => they(*count, situation),
        Target::Set(set) => set_of(set, verb, situation),
        Target::Missing => Meaning::Unnamed,
    };
    Part {
        target: target.clone(),
        meaning,
        done: Vec::new(),
        touched: false,
    }
}

/// Reads the plural of a word that several titles have as all of these: "the tests".
pub(super) fn all_of_a_plural(part: Part, verb: Verb, situation: &Situation<'_>) -> Part {
    let Target::Named(words) = &part.target else {
        return part;
    };
    let [word] = &*title_words(words) else {
        return part;
    };
    let query = Some(word.clone());
    let set = Target::Set(Set {
        query,
        ..Set::default()
    });
    let Meaning::Set(ids) = mean(verb, &set, situation).meaning else {
        return part;
    };
    let singular = |id: &TaskId| {
        let title = situation.task(*id).map(|task| task.title.as_str());
        let own = title_words(title.unwrap_or_default());
        own.iter().any(|own| is_plural_of(word, own))
    };
    if ids.len() < 2 || !ids.iter().all(singular) {
        return part;
    }
    let meaning = Meaning::Set(ids);
    Part { meaning, ..part }
}

/// Tells whether `said` tells of another deed than one of the tasks that a change is about asks
/// for.
pub(super) fn another_deed(
    change: &Change,
    said: &str,
    lang: Lang,
    situation: &Situation<'_>,
) -> bool {
    let parts = meant(change.verb, &change.targets, situation);
    parts.iter().any(|part| match part.meaning {
        Meaning::One(id) => situation
            .task(id)
            .is_some_and(|task| tells_another(said, task.title.as_str(), lang)),
        _ => false,
    })
}

/// Tasks of a change that is called for, though nobody ordered it.
pub(in crate::guard) enum Hinted {
    /// All of these.
    These(Vec<TaskId>),
    /// One of these.
    Which(Vec<Candidate>),
}

/// Finds the tasks a hint is about; none where it is about none, or where one of several is not
/// known.
pub(in crate::guard) fn hinted(change: &Change, situation: &Situation<'_>) -> Option<Hinted> {
    let parts = meant(change.verb, &change.targets, situation);
    if let [only] = parts.as_slice()
        && let Meaning::Many(found) = &only.meaning
    {
        return Some(Hinted::Which(found.clone()));
    }
    let mut ids = Vec::new();
    for part in parts {
        match part.meaning {
            Meaning::One(id) => ids.push(id),
            Meaning::Set(set) => ids.extend(set),
            Meaning::Many(_) | Meaning::Nothing { .. } | Meaning::Unnamed => return None,
        }
    }
    (!ids.is_empty()).then_some(Hinted::These(ids))
}

fn they(count: Option<u32>, situation: &Situation<'_>) -> Meaning {
    let standing = |ids: &[TaskId]| -> Vec<TaskId> {
        let ids = ids.iter().copied();
        ids.filter(|id| situation.task(*id).is_some()).collect()
    };
    let focus = standing(situation.context.focus);
    let wanted = count.and_then(|n| usize::try_from(n).ok());
    match wanted {
        Some(n) if focus.len() != n => Meaning::Unnamed,
        _ if focus.is_empty() => Meaning::Unnamed,
        _ => Meaning::Set(focus),
    }
}

fn set_of(set: &Set, verb: Verb, situation: &Situation<'_>) -> Meaning {
    // Another list's name never licenses "all": there is one list.
    if set.list.is_some()
        && set.due.is_none()
        && set.query.is_none()
        && set.completed.is_none()
        && set.priority.is_none()
    {
        return Meaning::Unnamed;
    }
    let mut ids = members(set, verb, situation);
    for target in &set.without {
        if !leave_out(target, &mut ids, situation) {
            // What is to stay is not known: then neither is what is to go.
            return Meaning::Unnamed;
        }
    }
    Meaning::Set(ids)
}

/// The tasks of the state, the days and the words of a set, before anything is left out of it.
pub(in crate::guard) fn members(set: &Set, verb: Verb, situation: &Situation<'_>) -> Vec<TaskId> {
    let filter = ListFilter {
        // What is done is neither completed again nor moved; what is open is not reopened.
        status: match (set.completed, verb) {
            (Some(true), _) | (None, Verb::Reopen) => StatusFilter::Completed,
            (Some(false), _) | (None, Verb::Complete) => StatusFilter::Pending,
            (None, Verb::Update) if set.due.is_some() => StatusFilter::Pending,
            (None, _) => StatusFilter::All,
        },
        due: set.due.as_ref().map(|due| due_range(due, situation.today)),
        query: set.query.clone(),
        priority: set.priority,
        ..ListFilter::default()
    };
    let matching = situation.tasks.select(&filter.selection(), usize::MAX);
    matching.oldest.iter().map(|task| task.id).collect()
}

/// Takes what `target` means out of a set; false when it means nothing.
fn leave_out(target: &Target, ids: &mut Vec<TaskId>, situation: &Situation<'_>) -> bool {
    if matches!(target, Target::They { count: None }) {
        // "the others": than those talked about, of the listing that they stand in.
        let Context { shown, focus, .. } = situation.context;
        let listed = focus.iter().all(|id| shown.contains(id));
        ids.retain(|id| !focus.contains(id) && (!listed || shown.contains(id)));
        return !focus.is_empty();
    }
    match mean(Verb::Update, target, situation).meaning {
        Meaning::One(id) => ids.retain(|other| *other != id),
        Meaning::Set(left_out) => ids.retain(|id| !left_out.contains(id)),
        Meaning::Many(left_out) => {
            ids.retain(|id| !left_out.iter().any(|candidate| candidate.id == *id));
        }
        Meaning::Nothing { .. } | Meaning::Unnamed => return false,
    }
    true
}

/// Completing looks among open tasks, reopening among done ones.
pub(in crate::guard) const fn among(verb: Verb) -> Among {
    match verb {
        Verb::Complete => Among::Pending,
        Verb::Reopen => Among::Completed,
        Verb::Update | Verb::Delete => Among::All,
    }
}

/// "rename Fly to Mars to Fly to Venus": the words part where a task has the old title; where
/// none has, in the middle.
pub(super) fn part_words(change: &mut Change, situation: &Situation<'_>) {
    let splits = std::mem::take(&mut change.splits);
    let meaning = |split: &&Split| mean(change.verb, &split.target, situation).meaning;
    let one = |split: &&Split| matches!(meaning(split), Meaning::One(_));
    let exact = |split: &&Split| {
        let Target::Named(words) = &split.target else {
            return false;
        };
        !situation.tasks.titled(words, Among::All).is_empty()
    };
    let middle = splits.get(splits.len() / 2);
    let found = splits.iter().find(exact).or(splits.iter().find(one));
    let Some(split) = found.or(middle).cloned() else {
        return;
    };
    change.targets = Targets {
        whole: split.target.clone(),
        parts: vec![split.target],
    };
    change.values.title = Some(split.title);
}
