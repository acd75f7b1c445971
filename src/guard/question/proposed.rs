//! A question of what a model proposed, was refused, and then asks the user about itself.

use super::{QuestionContext, ask_plans};
use crate::domain::{Task, Tool, text::fold};
use crate::intent::Verb;
use crate::tools::{ChangePlan, NewValues, Plan, PlannedValues, Proposal};
use crate::turn::ServerQuestion;

/// Asks about refused changes in the server's own words, so that a yes runs what it shows: those whose
/// tasks the model's `question` names by their titles. `None` where that is not each of them.
pub fn ask_refused(
    refused: &[Proposal],
    question: &str,
    context: &QuestionContext<'_>,
) -> Option<ServerQuestion> {
    let asked = fold(question);
    let mut plans: Vec<Plan> = Vec::new();
    for proposal in refused {
        let Proposal::Change {
            tool,
            reference,
            values,
        } = proposal
        else {
            return None;
        };
        let titled = |task: &&Task| {
            let title = task.title.as_str();
            title == reference && asked.contains(&fold(title))
        };
        let mut tasks = context.situation.tasks.iter().filter(titled);
        let (Some(task), None) = (tasks.next(), tasks.next()) else {
            return None;
        };
        let plan = Plan::Change(ChangePlan {
            verb: verb(*tool, values)?,
            task: task.id,
            title: task.title.as_str().to_owned(),
            values: planned(values, context)?,
        });
        if !plans.contains(&plan) {
            plans.push(plan);
        }
    }
    (!plans.is_empty()).then(|| ask_plans(plans, context.situation, context.speech))
}

const fn verb(tool: Tool, values: &NewValues) -> Option<Verb> {
    match (tool, values.completed) {
        (Tool::DeleteTask, _) => Some(Verb::Delete),
        (Tool::CompleteTask, _) | (Tool::UpdateTask, Some(true)) => Some(Verb::Complete),
        (Tool::UpdateTask, Some(false)) => Some(Verb::Reopen),
        (Tool::UpdateTask, None) => Some(Verb::Update),
        _ => None,
    }
}

/// The values as they were proposed; none where a day is not allowed, or work would be taken back.
fn planned(values: &NewValues, context: &QuestionContext<'_>) -> Option<PlannedValues> {
    let (today, zone) = (context.situation.today, context.situation.zone);
    let allowed = |day| context.due_rule.check(day, today).is_ok();
    let allowed = !values.take_back && values.due.flatten().is_none_or(allowed);
    allowed.then(|| PlannedValues::of(values.clone(), zone))
}
