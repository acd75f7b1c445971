//! What a message answers to a pending question: yes, no, an option, an amendment, or nothing.

use crate::domain::text::fold;
use crate::intent::{Act, Due, Fragment, Reading, Target, Verb};
use crate::resolver::{Position, Reference, Words, title_words};
use crate::tools::Plan;
use crate::turn::{Answered, Asked, Mode};

/// An answer, with what it changes about the plans.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What was chosen.
    pub answered: Answered,
    /// A due date for what was chosen: "yeah, friday would be good".
    pub due: Option<Due>,
}

impl Reply {
    fn plain(answered: Answered) -> Self {
        Self {
            answered,
            due: None,
        }
    }
}

/// Reads `message` as an answer to `asked`; `None` when it is about something else.
pub fn read_answer(asked: &Asked, reading: &Reading, message: &str) -> Option<Reply> {
    if asked.mode == Mode::Open {
        return None;
    }
    let acts: Vec<&Act> = reading.clauses.iter().map(|clause| &clause.act).collect();
    let due = acts.iter().find_map(|act| match act {
        Act::Fragment(Fragment::Amend { due, .. }) => due.clone(),
        _ => None,
    });
    let chosen = acts.iter().find_map(|act| chosen(asked, act));
    if let Some(answered) = chosen {
        return Some(Reply { answered, due });
    }
    let says_yes = acts.iter().any(|act| matches!(act, Act::Yes));
    let says_no = acts.iter().any(|act| matches!(act, Act::No));
    // A command of its own drops the question; so does a question about something else.
    if acts.iter().any(|act| is_command(act)) {
        return None;
    }
    if says_yes || (due.is_some() && asked.mode == Mode::All) {
        return Some(Reply {
            answered: every(asked),
            due,
        });
    }
    if says_no {
        return Some(Reply::plain(Answered::Declined));
    }
    named(asked, message).map(Reply::plain)
}

fn every(asked: &Asked) -> Answered {
    if asked.mode == Mode::All || asked.items.len() == 1 {
        Answered::Run {
            items: (0..asked.items.len()).collect(),
            rest: false,
        }
    } else {
        Answered::Unclear
    }
}

fn chosen(asked: &Asked, act: &Act) -> Option<Answered> {
    match act {
        Act::Fragment(Fragment::Pick { targets, .. }) => {
            let mut items = Vec::new();
            for target in targets {
                items.extend(pick(asked, target)?);
            }
            Some(run(asked, items))
        }
        Act::Fragment(Fragment::Except(targets)) => {
            let mut without = Vec::new();
            for target in targets {
                without.extend(pick(asked, target)?);
            }
            let kept = (0..asked.items.len()).filter(|index| !without.contains(index));
            Some(run(asked, kept.collect()))
        }
        // "the one on thursday"
        Act::Noun(task) => {
            let Some(Due::On { day, .. }) = task.due else {
                return None;
            };
            let items = asked.items.iter().enumerate();
            let due: Vec<usize> = items
                .filter(|(_, item)| item.due == Some(day))
                .map(|(index, _)| index)
                .collect();
            (due.len() == 1 && title_words(&task.title).is_empty()).then(|| run(asked, due))
        }
        // "delete the red one" answers "which one should I delete?" as well as "the red one".
        Act::Change(change) if asked_verb(asked) == Some(change.verb) => {
            let mut items = Vec::new();
            for target in &change.targets.parts {
                items.extend(pick(asked, target)?);
            }
            (!items.is_empty()).then(|| run(asked, items))
        }
        _ => None,
    }
}

fn run(asked: &Asked, mut items: Vec<usize>) -> Answered {
    items.sort_unstable();
    items.dedup();
    if items.is_empty() {
        return Answered::Declined;
    }
    Answered::Run {
        rest: asked.mode == Mode::All && items.len() < asked.items.len(),
        items,
    }
}

/// The items that a target names; `None` when it names none of them.
fn pick(asked: &Asked, target: &Target) -> Option<Vec<usize>> {
    let count = asked.items.len();
    match target {
        Target::Position(position) => at(*position, count).map(|index| vec![index]),
        Target::They { count: None } => Some((0..count).collect()),
        Target::They { count: Some(n) } if usize::try_from(*n) == Ok(count) => {
            Some((0..count).collect())
        }
        Target::Set(set) if set.query.is_none() && set.due.is_none() => Some((0..count).collect()),
        Target::Named(words) => match named(asked, words)? {
            Answered::Run { items, .. } => Some(items),
            _ => None,
        },
        _ => None,
    }
}

fn at(position: Position, count: usize) -> Option<usize> {
    match position {
        Position::Nth(n) => {
            let index = usize::try_from(n).ok()?.checked_sub(1)?;
            (index < count).then_some(index)
        }
        Position::FromEnd(n) => count.checked_sub(usize::try_from(n).ok()?),
    }
}

/// The items that some words name: every word stands in one title, or the words name several
/// titles whole ("milk, eggs and bread").
fn named(asked: &Asked, words: &str) -> Option<Answered> {
    if let Reference::Position(position) = Reference::parse(words)
        && let Some(index) = at(position, asked.items.len())
    {
        return Some(run(asked, vec![index]));
    }
    let key = fold(words);
    let exact: Vec<usize> = (0..asked.items.len())
        .filter(|index| {
            asked
                .items
                .get(*index)
                .is_some_and(|item| fold(&item.title) == key)
        })
        .collect();
    if let [one] = exact.as_slice() {
        return Some(run(asked, vec![*one]));
    }
    if title_words(words).is_empty() {
        return None;
    }
    let within = indices(asked, |title| Words::of(title).contains_all(words));
    match within.as_slice() {
        [one] => return Some(run(asked, vec![*one])),
        [] => {}
        _ => return Some(Answered::Unclear),
    }
    let said = Words::of(words);
    let whole = indices(asked, |title| said.contains_all(title));
    let key = |index: &usize| asked.items.get(*index).map(|item| fold(&item.title));
    let twins = whole
        .iter()
        .any(|a| whole.iter().any(|b| a < b && key(a) == key(b)));
    match (whole.is_empty(), twins) {
        (true, _) => None,
        (_, true) => Some(Answered::Unclear),
        _ => Some(run(asked, whole)),
    }
}

fn indices(asked: &Asked, fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let items = asked.items.iter().enumerate();
    items
        .filter(|(_, item)| !item.title.is_empty() && fits(&item.title))
        .map(|(index, _)| index)
        .collect()
}

fn asked_verb(asked: &Asked) -> Option<Verb> {
    asked
        .items
        .iter()
        .flat_map(|item| &item.plans)
        .find_map(|plan| match plan {
            Plan::Change(plan) => Some(plan.verb),
            _ => None,
        })
}

const fn is_command(act: &Act) -> bool {
    matches!(
        act,
        Act::Add(_)
            | Act::List(_)
            | Act::Change(_)
            | Act::Undo
            | Act::Past(_)
            | Act::Help(_)
            | Act::Hypothetical(_)
            | Act::Opinion(_)
            | Act::Wish(_)
            | Act::Forbidden(_)
            | Act::Fragment(Fragment::DoIt | Fragment::Again | Fragment::Instead(_))
    )
}
