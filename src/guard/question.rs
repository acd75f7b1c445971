//! Questions of the server: each shows what would be done, and carries the plans that a plain
//! "yes" runs.

mod moves;
mod several;

use crate::domain::{DueTime, Priority, Task, TaskId, ToolError, text::fold};
use crate::intent::{Change, Values, Verb};
use crate::resolver::{Candidate, Missing};
use crate::store::Receipt;
use crate::temporal::{DueRule, spoken};
use crate::tools::{AddPlan, ChangePlan, Plan, PlannedValues};
use crate::turn::{ChoiceItem, ChoiceMode, ServerQuestion};

pub use several::ask_plans;

use moves::{already_there, moved, new_due, new_repeat, same_move};

use super::licence::{Hinted, Situation, among};
use super::phrases::{Speech, quoted, title};
use super::unfound::no_such_task;
use super::values::{Calendar, past_skipped};

/// At most so many tasks are offered to choose from.
const OFFERED_MAX: usize = 50;

/// Context that a question is composed with.
#[derive(Debug, Clone, Copy)]
pub struct QuestionContext<'a> {
    /// The tasks.
    pub situation: Situation<'a>,
    /// Rule for the days that may be due dates.
    pub due_rule: DueRule,
    /// The language of the reply.
    pub speech: Speech,
}

/// `Add "renew my passport"?`
pub fn ask_add(plans: Vec<AddPlan>, speech: Speech) -> ServerQuestion {
    let mut text = match plans.as_slice() {
        [one] => {
            let times = (one.due_date, one.due_time, one.repeat.as_ref());
            let due = speech.due_in_brackets(times, one.remind);
            format!("{}{due}", quoted(one.title.as_str()))
        }
        several => {
            let titles: Vec<_> = several
                .iter()
                .map(|plan| title(plan.title.as_str()))
                .collect();
            titles.join(", ")
        }
    };
    text = match speech {
        Speech::English => format!("Add {text}?"),
        Speech::RomanUrdu => format!("{text} add kar dun?"),
    };
    ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items: plans.into_iter().map(add_item).collect(),
        declined: speech.nothing_done(None).to_owned(),
    }
}

/// `"milk" is already on your list (due Tue 2026-02-10). Add another?`
pub(super) fn ask_double(plan: AddPlan, twin: &Task, speech: Speech) -> ServerQuestion {
    let name = quoted(twin.title.as_str());
    let times = (twin.due_date, twin.due_time, twin.repeat.as_ref());
    let due = speech.due_in_brackets(times, None);
    ServerQuestion {
        text: match speech {
            Speech::English => format!("{name} is already on your list{due}. Add another?"),
            Speech::RomanUrdu => format!("{name} pehle se list par hai{due}. Aik aur add karun?"),
        },
        mode: ChoiceMode::All,
        items: vec![add_item(plan)],
        declined: speech.nothing_done(None).to_owned(),
    }
}

/// A question for one plan that the words do not fully license.
pub(super) fn ask_plan(plan: Plan, situation: Situation<'_>, speech: Speech) -> ServerQuestion {
    match plan {
        Plan::Add(plan) => ask_add(vec![plan], speech),
        Plan::Change(plan) => {
            let declined = speech.nothing_done(Some(plan.verb)).to_owned();
            let text = plan_question(&plan, situation, speech);
            ServerQuestion {
                text,
                mode: ChoiceMode::All,
                items: vec![change_item(plan, String::new(), situation)],
                declined,
            }
        }
        other => ask_whole(
            speech.pick("Go ahead?", "Kar dun?").to_owned(),
            other,
            speech,
        ),
    }
}

/// Asks about a plan that names no task of its own.
fn ask_whole(text: String, plan: Plan, speech: Speech) -> ServerQuestion {
    ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items: vec![ChoiceItem {
            label: String::new(),
            title: String::new(),
            task: None,
            due: None,
            plans: vec![plan],
        }],
        declined: speech.nothing_done(Some(Verb::Update)).to_owned(),
    }
}

/// Asks whether the latest change is to be taken back.
pub(super) fn ask_undo(undoable: &[Receipt], speech: Speech) -> ServerQuestion {
    let names = undoable
        .iter()
        .filter_map(|receipt| receipt.facts().title());
    let names: Vec<_> = names.map(quoted).collect();
    let names = names.join(", ");
    let ids = undoable.iter().map(|receipt| receipt.facts().id);
    let text = match speech {
        Speech::English => format!("Undo the latest change ({names})?"),
        Speech::RomanUrdu => format!("Aakhri tabdeeli wapas lun ({names})?"),
    };
    ask_whole(text, Plan::Undo(ids.collect()), speech)
}

fn plan_question(plan: &ChangePlan, situation: Situation<'_>, speech: Speech) -> String {
    let name = quoted(&plan.title);
    if let Some(new) = &plan.values.title {
        let new = quoted(new.as_str());
        return match speech {
            Speech::English => format!("Rename {name} to {new}?"),
            Speech::RomanUrdu => format!("{name} ka naam {new} kar dun?"),
        };
    }
    if let Some(text) = new_due(plan, &name, situation, speech) {
        return text;
    }
    if let Some(repeat) = &plan.values.repeat {
        return new_repeat(repeat.as_ref(), &name, speech);
    }
    if let Some(Some(note)) = &plan.values.description {
        let note = quoted(note);
        return match speech {
            Speech::English => format!("Set the note of {name} to {note}?"),
            Speech::RomanUrdu => format!("{name} ka note {note} kar dun?"),
        };
    }
    if let Some(remind) = plan.values.remind {
        let what = speech.reminder_of(remind);
        return speech.proposal(plan.verb, &format!("{name} ({what})"));
    }
    if plan.values.due_date == Some(None) {
        return match speech {
            Speech::English => format!("Take the due date off {name}?"),
            Speech::RomanUrdu => format!("{name} ki due date hata dun?"),
        };
    }
    speech.proposal(
        plan.verb,
        &with_priority(&name, plan.values.priority, speech),
    )
}

/// Names what is to be changed, with the priority it would get.
fn with_priority(what: &str, priority: Option<Priority>, speech: Speech) -> String {
    match priority {
        Some(priority) => format!("{what} ({})", speech.priority(priority)),
        None => what.to_owned(),
    }
}

/// `Delete 2 tasks?` with their titles; one task is named in the sentence.
///
/// # Errors
/// When none of the tasks exists, or a new due date is not allowed for one of them.
pub fn ask_change(
    verb: Verb,
    ids: &[TaskId],
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Result<ServerQuestion, ToolError> {
    let plans = plans(verb, ids, wanted, context)?;
    let speech = context.speech;
    if let [only] = plans.as_slice() {
        return Ok(ask_plan(
            Plan::Change(only.clone()),
            context.situation,
            speech,
        ));
    }
    let count = speech.tasks(plans.len(), "");
    let same_day = same_move(&plans, context.situation);
    let mut text = match (&wanted.due, same_day) {
        (Some(_), Some((from, to))) => moved(&count, from.map(spoken), &spoken(to), speech),
        _ => speech.proposal(verb, &with_priority(&count, wanted.priority, speech)),
    };
    if let Some(note) = already_there(wanted, &plans, context) {
        text = format!("{note} {text}");
    }
    let labels = labels(
        plans.iter().map(|plan| plan.task),
        context.situation,
        speech,
    );
    for (index, label) in labels.iter().enumerate() {
        text.push_str(&format!("\n{}. {label}", index + 1));
    }
    let items = plans.into_iter().zip(labels);
    Ok(ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items: items
            .map(|(plan, label)| change_item(plan, label, context.situation))
            .collect(),
        declined: speech.nothing_done(Some(verb)).to_owned(),
    })
}

/// `Which one should I delete: Read blue book or Read red book?`
///
/// # Errors
/// When none of the candidates exists any more, or a new due date is not allowed.
pub(super) fn ask_which(
    verb: Verb,
    words: &str,
    candidates: &[Candidate],
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Result<ServerQuestion, ToolError> {
    let ids: Vec<TaskId> = candidates.iter().take(OFFERED_MAX).map(|c| c.id).collect();
    let plans = plans(verb, &ids, wanted, context).map_err(|error| match ids.is_empty() {
        true => no_such_task(verb, words, (Missing::NoMatch, &[]), context.speech),
        false => error,
    })?;
    Ok(choice(verb, plans, None, context))
}

/// Asks which of several fits that no call has dealt with; none when they are all gone.
pub fn ask_open_which(
    verb: Verb,
    words: &str,
    candidates: &[Candidate],
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Option<ServerQuestion> {
    ask_which(verb, words, candidates, wanted, context).ok()
}

/// Asks about what a remark calls for: `Delete "gym"?` `None` where it fits no task.
pub fn ask_hinted(change: &Change, context: &QuestionContext<'_>) -> Option<ServerQuestion> {
    let Change { verb, values, .. } = change;
    match super::licence::hinted(change, &context.situation)? {
        Hinted::These(ids) => ask_change(*verb, &ids, values, context).ok(),
        Hinted::Which(found) => ask_which(*verb, "", &found, values, context).ok(),
    }
}

/// `What should I add?`; where the words only describe it, what can be done is said.
pub fn ask_what_to_add(described: bool, speech: Speech) -> ServerQuestion {
    let text = if described {
        speech.pick(
            "I can add what you name: say \"add flour, eggs and milk\".",
            "Jo naam lein woh add kar dunga: kahiye \"flour, eggs aur milk add karo\".",
        )
    } else {
        speech.pick("What should I add?", "Kya add karun?")
    };
    ServerQuestion {
        text: text.to_owned(),
        mode: ChoiceMode::Open,
        items: Vec::new(),
        declined: speech.nothing_done(None).to_owned(),
    }
}

/// Asks which of all tasks is meant: the words name none, or a list that isn't kept.
pub fn ask_unnamed(
    verb: Verb,
    list: Option<&str>,
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Option<ServerQuestion> {
    let fits = context.situation.tasks.of_state(among(verb), OFFERED_MAX);
    let ids: Vec<TaskId> = fits.into_iter().map(|task| task.id).collect();
    let plans = plans(verb, &ids, wanted, context).ok()?;
    let said = context.situation.one_list_said;
    let note = list
        .filter(|_| !said)
        .map(|list| one_list(list, context.speech));
    Some(choice(verb, plans, note, context))
}

/// The remark that there is one list.
pub(super) fn one_list(list: &str, speech: Speech) -> String {
    match speech {
        Speech::English => format!("I keep one list, without a separate \"{}\".", title(list)),
        Speech::RomanUrdu => format!(
            "Main aik hi list rakhta hun, alag \"{}\" nahi.",
            title(list)
        ),
    }
}

fn choice(
    verb: Verb,
    plans: Vec<ChangePlan>,
    note: Option<String>,
    context: &QuestionContext<'_>,
) -> ServerQuestion {
    let speech = context.speech;
    let labels = labels(
        plans.iter().map(|plan| plan.task),
        context.situation,
        speech,
    );
    let head = speech.which(verb);
    let or = speech.pick(" or ", " ya ");
    let text = match labels.as_slice() {
        [] => format!("{head}?"),
        [one] => format!("{head}: {one}?"),
        [first, second] => format!("{head}: {first}{or}{second}?"),
        several => {
            let lines = several.iter().enumerate();
            let lines: Vec<_> = lines
                .map(|(n, label)| format!("{}. {label}", n + 1))
                .collect();
            format!("{head}?\n{}", lines.join("\n"))
        }
    };
    ServerQuestion {
        text: match note {
            Some(note) => format!("{note} {text}"),
            None => text,
        },
        mode: ChoiceMode::OneOf,
        items: plans
            .into_iter()
            .zip(labels)
            .map(|(plan, label)| change_item(plan, label, context.situation))
            .collect(),
        declined: speech.nothing_done(Some(verb)).to_owned(),
    }
}

/// `What should I do with "Read red book"?`
pub fn ask_what_with(task: &Task, speech: Speech) -> ServerQuestion {
    let name = quoted(task.title.as_str());
    open(
        match speech {
            Speech::English => format!("What should I do with {name}?"),
            Speech::RomanUrdu => format!("{name} ke saath kya karun?"),
        },
        task,
        speech,
    )
}

/// `What should I change about "Read red book"?`
pub(super) fn ask_what_to_change(task: &Task, speech: Speech) -> ServerQuestion {
    let name = quoted(task.title.as_str());
    open(
        match speech {
            Speech::English => format!("What should I change about {name}?"),
            Speech::RomanUrdu => format!("{name} mein kya badlun?"),
        },
        task,
        speech,
    )
}

fn open(text: String, task: &Task, speech: Speech) -> ServerQuestion {
    ServerQuestion {
        text,
        mode: ChoiceMode::Open,
        items: vec![ChoiceItem {
            label: title(task.title.as_str()),
            title: task.title.as_str().to_owned(),
            task: Some(task.id),
            due: task.due_date,
            plans: Vec::new(),
        }],
        declined: speech.nothing_done(Some(Verb::Update)).to_owned(),
    }
}

/// `Put "Read blue book" back and delete "Read red book"?`: a correction that deletes is asked
/// about; its undo and its new change commit together.
///
/// # Errors
/// When the task is gone, or a new due date is not allowed for it.
pub fn ask_instead(
    undone: &[Receipt],
    verb: Verb,
    other: &Task,
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Result<ServerQuestion, ToolError> {
    let speech = context.speech;
    let changes = plans(verb, &[other.id], wanted, context)?;
    let names: Vec<_> = undone
        .iter()
        .filter_map(|receipt| receipt.facts().title())
        .map(quoted)
        .collect();
    let names = names.join(", ");
    let other_name = quoted(other.title.as_str());
    let text = match (speech, verb) {
        (Speech::English, Verb::Delete) => format!("Put {names} back and delete {other_name}?"),
        (Speech::English, Verb::Complete) => {
            format!("Take {names} back and mark {other_name} as done?")
        }
        (Speech::English, _) => format!("Take {names} back and change {other_name}?"),
        (Speech::RomanUrdu, Verb::Delete) => {
            format!("{names} wapas rakhun aur {other_name} delete kar dun?")
        }
        (Speech::RomanUrdu, _) => format!("{names} wapas lun aur {other_name} badal dun?"),
    };
    let ids = undone.iter().map(|receipt| receipt.facts().id).collect();
    let undo = std::iter::once(Plan::Undo(ids));
    Ok(ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items: vec![ChoiceItem {
            label: title(other.title.as_str()),
            title: other.title.as_str().to_owned(),
            task: Some(other.id),
            due: other.due_date,
            plans: undo.chain(changes.into_iter().map(Plan::Change)).collect(),
        }],
        declined: speech.nothing_done(Some(verb)).to_owned(),
    })
}

fn plans(
    verb: Verb,
    ids: &[TaskId],
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Result<Vec<ChangePlan>, ToolError> {
    let calendar = Calendar {
        today: context.situation.today,
        rule: context.due_rule,
        words: "",
        lang: crate::domain::Lang::En,
    };
    let mut plans = Vec::with_capacity(ids.len());
    for task in ids.iter().filter_map(|id| context.situation.task(*id)) {
        let wanted_due = past_skipped(wanted.due.as_ref(), task);
        let due = calendar.due(wanted_due.as_ref(), None, task.due_date)?;
        let title = wanted.title.as_deref();
        plans.push(ChangePlan {
            verb,
            task: task.id,
            title: task.title.as_str().to_owned(),
            values: PlannedValues {
                due_date: due.noted("", &mut Vec::new()),
                due_time: wanted
                    .time
                    .map(|time| Some(DueTime::new(time, context.situation.zone))),
                repeat: wanted.ends_repeat.then_some(None),
                priority: wanted.priority,
                title: title.and_then(|text| crate::domain::Title::parse(text).ok()),
                description: wanted.description.clone().map(super::values::kept),
                remind: None,
                take_back: false,
            },
        });
    }
    if plans.is_empty() {
        return Err(no_such_task(
            verb,
            "them",
            (Missing::NoMatch, &[]),
            context.speech,
        ));
    }
    Ok(plans)
}

fn add_item(plan: AddPlan) -> ChoiceItem {
    ChoiceItem {
        label: title(plan.title.as_str()),
        title: plan.title.as_str().to_owned(),
        task: None,
        due: plan.due_date,
        plans: vec![Plan::Add(plan)],
    }
}

fn change_item(plan: ChangePlan, label: String, situation: Situation<'_>) -> ChoiceItem {
    ChoiceItem {
        label: if label.is_empty() {
            title(&plan.title)
        } else {
            label
        },
        title: plan.title.clone(),
        task: Some(plan.task),
        due: situation.task(plan.task).and_then(|task| task.due_date),
        plans: vec![Plan::Change(plan)],
    }
}

/// Titles as they are offered; equal ones are told apart by due date, state and age.
fn labels(
    ids: impl Iterator<Item = TaskId>,
    situation: Situation<'_>,
    speech: Speech,
) -> Vec<String> {
    let tasks: Vec<Option<&Task>> = ids.map(|id| situation.task(id)).collect();
    let keys: Vec<String> = tasks
        .iter()
        .map(|task| {
            task.map(|task| fold(task.title.as_str()))
                .unwrap_or_default()
        })
        .collect();
    let label = |(index, task): (usize, &Option<&Task>)| {
        let Some(task) = task else {
            return String::new();
        };
        let key = keys.get(index);
        let twins = keys.iter().filter(|other| Some(*other) == key).count();
        let name = title(task.title.as_str());
        if twins < 2 {
            return name;
        }
        let mut marks = Vec::new();
        if let crate::domain::Status::Completed { at } = task.status {
            marks.push(format!(
                "{} {}",
                speech.pick("done", "mukammal"),
                at.date_naive()
            ));
        }
        if let Some(day) = task.due_date {
            marks.push(speech.due(day, task.due_time));
        }
        marks.push(format!(
            "{} {}",
            speech.pick("added", "add hua"),
            task.created_at.format("%Y-%m-%d %H:%M")
        ));
        format!("{name} ({})", marks.join(", "))
    };
    tasks.iter().enumerate().map(label).collect()
}
