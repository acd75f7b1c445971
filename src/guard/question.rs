//! Questions of the server: each shows what would be done, and carries the plans that a plain
//! "yes" runs.

mod moves;
mod proposed;
mod several;

use crate::domain::{DueTime, Lang, Priority, Task, TaskId, ToolError, text::fold};
use crate::intent::{Change, Values, Verb};
use crate::locales::{day, listed_day, localized};
use crate::resolver::{Candidate, Missing};
use crate::store::Receipt;
use crate::temporal::DueRule;
use crate::tools::{ChangePlan, NewTask, Plan, PlannedValues};
use crate::turn::{ChoiceItem, ChoiceMode, ServerQuestion};

pub use proposed::ask_refused;
pub use several::ask_plans;

use moves::{already_there, moved, new_due, new_repeat, same_move};

use super::licence::{Hinted, Situation, among};
use super::phrases::{
    self, all_quoted, due, due_in_brackets, in_brackets, nothing_done, numbered, proposal, quoted,
    reminder_of, tasks, title, which,
};
use super::unfound::no_such_task;
use super::values::Calendar;

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
    pub speech: Lang,
}

/// `Add "renew my passport"?`, `Add milk, bins out (every Monday)?`
pub fn ask_add(plans: Vec<NewTask>, speech: Lang) -> ServerQuestion {
    let values = |plan: &NewTask| {
        let times = (plan.due_date, plan.due_time, plan.repeat.as_ref());
        due_in_brackets(times, plan.remind, plan.priority, speech)
    };
    let what = match plans.as_slice() {
        [one] => format!("{}{}", quoted(one.title.as_str()), values(one)),
        several => {
            let named = several
                .iter()
                .map(|plan| format!("{}{}", title(plan.title.as_str()), values(plan)));
            named.collect::<Vec<_>>().join(", ")
        }
    };
    let text = localized!(speech, "ask-add", what = what);
    let items = plans.into_iter().map(add_item).collect();
    all_of(text, items, None, speech)
}

/// A question that a yes answers with every item.
fn all_of(
    text: String,
    items: Vec<ChoiceItem>,
    verb: Option<Verb>,
    speech: Lang,
) -> ServerQuestion {
    ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items,
        declined: nothing_done(verb, speech),
    }
}

/// `"milk" is already on your list (due Tue 2026-02-10). Add another?`
pub(super) fn ask_double(plan: NewTask, twin: &Task, speech: Lang) -> ServerQuestion {
    let name = quoted(twin.title.as_str());
    let times = (twin.due_date, twin.due_time, twin.repeat.as_ref());
    let due = due_in_brackets(times, None, Priority::default(), speech);
    let text = localized!(speech, "ask-add-another", name = name, extras = due);
    all_of(text, vec![add_item(plan)], None, speech)
}

/// A question for one plan that the words do not fully license.
pub(super) fn ask_plan(plan: Plan, situation: Situation<'_>, speech: Lang) -> ServerQuestion {
    match plan {
        Plan::Add(plan) => ask_add(vec![plan], speech),
        Plan::Change(plan) => {
            let text = plan_question(&plan, situation, speech);
            let (verb, label) = (plan.verb, title(&plan.title));
            let item = change_item(plan, label, situation);
            all_of(text, vec![item], Some(verb), speech)
        }
        undo @ Plan::Undo(_) => ask_whole(localized!(speech, "ask-undo-latest"), undo, speech),
        other => ask_whole(localized!(speech, "ask-go-ahead"), other, speech),
    }
}

/// Asks about a plan that names no task of its own.
fn ask_whole(text: String, plan: Plan, speech: Lang) -> ServerQuestion {
    let items = vec![whole_item(String::new(), plan)];
    all_of(text, items, Some(Verb::Update), speech)
}

/// Asks whether the latest change is to be taken back.
pub(super) fn ask_undo(undoable: &[Receipt], speech: Lang) -> ServerQuestion {
    let names = undoable
        .iter()
        .filter_map(|receipt| receipt.facts().title());
    let names = all_quoted(names);
    let ids = undoable.iter().map(|receipt| receipt.facts().id);
    let text = localized!(speech, "ask-undo", names = names);
    ask_whole(text, Plan::Undo(ids.collect()), speech)
}

fn plan_question(plan: &ChangePlan, situation: Situation<'_>, speech: Lang) -> String {
    let name = quoted(&plan.title);
    if plan.verb == Verb::Reopen {
        let values = &plan.values;
        let repeat = values.repeat.as_ref().and_then(Option::as_ref);
        let times = (values.due_date.flatten(), values.due_time.flatten(), repeat);
        let level = values.priority.unwrap_or_default();
        let told = due_in_brackets(times, values.remind.flatten(), level, speech);
        return proposal(plan.verb, &format!("{name}{told}"), speech);
    }
    // A yes sets all of it, so all of it is shown.
    let values = &plan.values;
    let repeat = values.repeat.as_ref().and_then(Option::as_ref);
    let remind = values.remind.flatten();
    let name = with_priority(&name, values.priority, speech);
    let beside = |times, remind| due_in_brackets(times, remind, Priority::default(), speech);
    let asked = if let Some(new) = &values.title {
        let due = values.due_date.flatten().or_else(|| {
            let time = values.due_time.flatten();
            time.and(situation.task(plan.task)?.due_date)
        });
        let told = beside((due, values.due_time.flatten(), repeat), remind);
        let new = format!("{}{told}", quoted(new.as_str()));
        let name = name.as_str();
        Some(localized!(speech, "ask-rename", name = name, new = new))
    } else {
        let rest = beside((None, None, repeat), remind);
        new_due(plan, &format!("{name}{rest}"), situation, speech).or_else(|| {
            let rest = beside((None, None, None), remind);
            let repeat = values.repeat.as_ref()?;
            Some(new_repeat(
                repeat.as_ref(),
                &format!("{name}{rest}"),
                speech,
            ))
        })
    };
    let rest = match asked {
        Some(_) => String::new(),
        None => beside((None, None, None), remind),
    };
    let note = values.description.as_ref().and_then(Option::as_deref);
    let note = note.map(|note| {
        let (name, note) = (format!("{name}{rest}"), quoted(note));
        localized!(speech, "ask-note", name = name, note = note)
    });
    match (asked, note) {
        (Some(asked), Some(note)) => return format!("{asked} {note}"),
        (Some(text), None) | (None, Some(text)) => return text,
        (None, None) => {}
    }
    if let Some(remind) = values.remind {
        let what = reminder_of(remind, speech);
        return proposal(plan.verb, &format!("{name} ({what})"), speech);
    }
    if plan.values.due_date == Some(None) {
        return localized!(speech, "ask-undated", name = name);
    }
    proposal(plan.verb, &name, speech)
}

/// Names what is to be changed, with the priority it would get.
fn with_priority(what: &str, priority: Option<Priority>, speech: Lang) -> String {
    match priority {
        Some(priority) => format!("{what} ({})", phrases::priority(priority, speech)),
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
    let count = tasks(plans.len(), speech);
    let same_day = same_move(&plans, context.situation);
    let mut text = match (&wanted.due, same_day) {
        (Some(_), Some((from, to))) => {
            let from = from.map(|from| day(from, speech));
            moved(&count, from, &day(to, speech), speech)
        }
        _ => proposal(
            verb,
            &with_priority(&count, wanted.priority, speech),
            speech,
        ),
    };
    if let Some(note) = already_there(wanted, &plans, context) {
        text = format!("{note} {text}");
    }
    Ok(ask_all(text, verb, plans, context.situation, speech))
}

/// Asks whether to do the same with all of these tasks, which stand below the question.
fn ask_all(
    mut text: String,
    verb: Verb,
    plans: Vec<ChangePlan>,
    situation: Situation<'_>,
    speech: Lang,
) -> ServerQuestion {
    let labels = labels(&plans, situation, speech);
    text.push_str(&listed(&labels));
    let items = change_items(plans, labels, situation);
    all_of(text, items, Some(verb), speech)
}

/// A line for each, below what is asked.
fn listed(lines: &[String]) -> String {
    let lines = numbered(lines.iter().cloned());
    lines.map(|line| format!("\n{line}")).collect()
}

/// `Which one should I delete: Read blue book or Read red book?`
///
/// # Errors
/// When none of the candidates exists any more, or a new due date is not allowed.
pub fn ask_which(
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

/// Asks about what a remark calls for: `Delete "gym"?` `None` where it fits no task.
pub fn ask_hinted(change: &Change, context: &QuestionContext<'_>) -> Option<ServerQuestion> {
    let Change { verb, values, .. } = change;
    match super::licence::hinted(change, &context.situation)? {
        Hinted::These(ids) => ask_change(*verb, &ids, values, context).ok(),
        Hinted::Which(found) => ask_which(*verb, "", &found, values, context).ok(),
    }
}

/// `What should I add?`; where the words only describe it, what can be done is said.
pub fn ask_what_to_add(described: bool, speech: Lang) -> ServerQuestion {
    let text = if described {
        localized!(speech, "add-what-is-named")
    } else {
        localized!(speech, "ask-what-to-add")
    };
    ServerQuestion {
        mode: ChoiceMode::Open,
        ..all_of(text, Vec::new(), None, speech)
    }
}

/// Asks which of all tasks is meant: the words name none, or a list that isn't kept.
pub fn ask_unnamed(
    verb: Verb,
    list: Option<&str>,
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Option<ServerQuestion> {
    // Of an update without values there is nothing to choose yet.
    let open = verb == Verb::Update && *wanted == Values::default();
    let most = if open { 0 } else { OFFERED_MAX };
    let fits = context.situation.tasks.of_state(among(verb), most);
    let ids: Vec<TaskId> = fits.into_iter().map(|task| task.id).collect();
    let plans = plans(verb, &ids, wanted, context).ok()?;
    let said = context.situation.one_list_said;
    let note = list
        .filter(|_| !said)
        .map(|list| one_list(list, context.speech));
    Some(choice(verb, plans, note, context))
}

/// The remark that there is one list.
pub(super) fn one_list(list: &str, speech: Lang) -> String {
    localized!(speech, "one-list", list = title(list))
}

fn choice(
    verb: Verb,
    plans: Vec<ChangePlan>,
    note: Option<String>,
    context: &QuestionContext<'_>,
) -> ServerQuestion {
    let speech = context.speech;
    // One that is left is no choice.
    if let ([only], None) = (plans.as_slice(), &note) {
        return ask_plan(Plan::Change(only.clone()), context.situation, speech);
    }
    let labels = labels(&plans, context.situation, speech);
    let head = which(verb, speech);
    let or = localized!(speech, "or");
    let text = match labels.as_slice() {
        [] => localized!(speech, "ask-which", which = head),
        [one] => localized!(speech, "ask-which-of", which = head, names = one),
        [first, second] => {
            let names = format!("{first} {or} {second}");
            localized!(speech, "ask-which-of", which = head, names = names)
        }
        several => {
            let head = localized!(speech, "ask-which", which = head);
            format!("{head}{}", listed(several))
        }
    };
    let text = match note {
        Some(note) => format!("{note} {text}"),
        None => text,
    };
    let items = change_items(plans, labels, context.situation);
    ServerQuestion {
        mode: ChoiceMode::OneOf,
        ..all_of(text, items, Some(verb), speech)
    }
}

/// `What should I do with "Read red book"?`
pub fn ask_what_with(task: &Task, speech: Lang) -> ServerQuestion {
    open("ask-what-to-do", task, speech)
}

/// `What should I change about "Read red book"?`
pub(super) fn ask_what_to_change(task: &Task, speech: Lang) -> ServerQuestion {
    open("ask-what-to-change", task, speech)
}

fn open(id: &str, task: &Task, speech: Lang) -> ServerQuestion {
    let text = localized!(speech, id, name = quoted(task.title.as_str()));
    let items = vec![task_item(task, Vec::new())];
    ServerQuestion {
        mode: ChoiceMode::Open,
        ..all_of(text, items, Some(Verb::Update), speech)
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
    let names = undone.iter().filter_map(|receipt| receipt.facts().title());
    let names = all_quoted(names);
    let other_name = quoted(other.title.as_str());
    let id = match verb {
        Verb::Delete => "ask-instead-delete",
        Verb::Complete => "ask-instead-complete",
        Verb::Update | Verb::Reopen => "ask-instead-change",
    };
    let text = localized!(speech, id, names = names, other = other_name);
    let ids = undone.iter().map(|receipt| receipt.facts().id).collect();
    let undo = std::iter::once(Plan::Undo(ids));
    let plans = undo.chain(changes.into_iter().map(Plan::Change)).collect();
    let items = vec![task_item(other, plans)];
    Ok(all_of(text, items, Some(verb), speech))
}

fn plans(
    verb: Verb,
    ids: &[TaskId],
    wanted: &Values,
    context: &QuestionContext<'_>,
) -> Result<Vec<ChangePlan>, ToolError> {
    let calendar = Calendar::new(context, Lang::En);
    let mut plans = Vec::with_capacity(ids.len());
    for task in ids.iter().filter_map(|id| context.situation.task(*id)) {
        let title = wanted.title.as_deref();
        plans.push(ChangePlan {
            verb,
            task: task.id,
            title: task.title.as_str().to_owned(),
            values: PlannedValues {
                due_date: calendar.due(wanted.due.as_ref(), task)?,
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

fn add_item(plan: NewTask) -> ChoiceItem {
    ChoiceItem {
        label: title(plan.title.as_str()),
        title: plan.title.as_str().to_owned(),
        task: None,
        due: plan.due_date,
        plans: vec![Plan::Add(plan)],
    }
}

fn task_item(task: &Task, plans: Vec<Plan>) -> ChoiceItem {
    ChoiceItem {
        label: title(task.title.as_str()),
        title: task.title.as_str().to_owned(),
        task: Some(task.id),
        due: task.due_date,
        plans,
    }
}

/// The item of a plan that names no task of its own.
fn whole_item(label: String, plan: Plan) -> ChoiceItem {
    ChoiceItem {
        label,
        title: String::new(),
        task: None,
        due: None,
        plans: vec![plan],
    }
}

fn change_item(plan: ChangePlan, label: String, situation: Situation<'_>) -> ChoiceItem {
    ChoiceItem {
        label,
        title: plan.title.clone(),
        task: Some(plan.task),
        due: situation.task(plan.task).and_then(|task| task.due_date),
        plans: vec![Plan::Change(plan)],
    }
}

fn change_items(
    plans: Vec<ChangePlan>,
    labels: Vec<String>,
    situation: Situation<'_>,
) -> Vec<ChoiceItem> {
    let items = plans.into_iter().zip(labels);
    items
        .map(|(plan, label)| change_item(plan, label, situation))
        .collect()
}

/// Titles as they are offered; equal ones are told apart by due date, state and age.
fn labels(plans: &[ChangePlan], situation: Situation<'_>, speech: Lang) -> Vec<String> {
    let tasks = plans.iter().map(|plan| situation.task(plan.task));
    let tasks: Vec<Option<&Task>> = tasks.collect();
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
            let when = listed_day(at.date_naive(), speech);
            marks.push(localized!(speech, "label-done", when = when));
        }
        if let Some(day) = task.due_date {
            marks.push(due(day, task.due_time, speech));
        }
        let added = task.created_at;
        let when = listed_day(added.date_naive(), speech);
        let when = format!("{when} {}", added.format("%H:%M"));
        marks.push(localized!(speech, "label-added", when = when));
        format!("{name}{}", in_brackets(&marks))
    };
    tasks.iter().enumerate().map(label).collect()
}
