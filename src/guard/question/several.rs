//! A question about several proposals.

use super::{add_item, all_of, ask_add, ask_all, ask_plan, change_item, listed, whole_item};
use crate::domain::Lang;
use crate::guard::licence::Situation;
use crate::guard::phrases::{proposal, tasks};
use crate::intent::Verb;
use crate::locales::localized;
use crate::tools::{ChangePlan, NewTask, Plan, PlannedValues};
use crate::turn::{ChoiceItem, ServerQuestion};

/// A question for several plans: one sentence where they are of one kind, else a line for each.
///
/// `1. Add "milk"` … `Do all 3?`
pub fn ask_plans(mut plans: Vec<Plan>, situation: Situation<'_>, speech: Lang) -> ServerQuestion {
    if plans.len() == 1
        && let Some(only) = plans.pop()
    {
        return ask_plan(only, situation, speech);
    }
    let adds = plans.iter().filter_map(|plan| match plan {
        Plan::Add(plan) => Some(plan.clone()),
        _ => None,
    });
    let adds: Vec<NewTask> = adds.collect();
    if adds.len() == plans.len() {
        return ask_add(adds, speech);
    }
    let changes = plans.iter().map_while(|plan| match plan {
        Plan::Change(plan) if plan.values == PlannedValues::default() => Some(plan.clone()),
        _ => None,
    });
    let changes: Vec<ChangePlan> = changes.collect();
    if let [first, rest @ ..] = changes.as_slice()
        && changes.len() == plans.len()
        && rest.iter().all(|plan| plan.verb == first.verb)
    {
        let verb = first.verb;
        let text = proposal(verb, &tasks(plans.len(), speech), speech);
        return ask_all(text, verb, changes, situation, speech);
    }
    let line = |plan: &Plan| {
        let asked = ask_plan(plan.clone(), situation, speech).text;
        asked.trim_matches(['?', '¿', ' ']).to_owned()
    };
    let lines: Vec<String> = plans.iter().map(line).collect();
    let all = localized!(speech, "ask-all", count = plans.len());
    let text = format!("{}\n{all}", listed(&lines).trim_start());
    let items = plans.into_iter().zip(lines).map(|(plan, line)| match plan {
        Plan::Change(plan) => change_item(plan, line, situation),
        Plan::Add(plan) => ChoiceItem {
            label: line,
            ..add_item(plan)
        },
        other => whole_item(line, other),
    });
    // Of several kinds of deeds no verb tells what was not done.
    all_of(text, items.collect(), Some(Verb::Update), speech)
}
