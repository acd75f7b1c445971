//! A question about several proposals.

use super::{add_item, ask_add, ask_plan, change_item, labels};
use crate::domain::Lang;
use crate::guard::licence::Situation;
use crate::guard::phrases::{nothing_done, proposal, tasks};
use crate::locales::localized;
use crate::tools::{AddPlan, ChangePlan, Plan, PlannedValues};
use crate::turn::{ChoiceItem, ChoiceMode, ServerQuestion};

/// A question for several plans: one sentence where they are of one kind, else a line for each.
///
/// `1. Add "milk"` … `Do all 3?`
pub fn ask_plans(plans: Vec<Plan>, situation: Situation<'_>, speech: Lang) -> ServerQuestion {
    let mut plans = plans;
    if plans.len() == 1
        && let Some(only) = plans.pop()
    {
        return ask_plan(only, situation, speech);
    }
    let adds: Vec<AddPlan> = plans.iter().filter_map(added).collect();
    if adds.len() == plans.len() {
        return ask_add(adds, speech);
    }
    let changed: Vec<&ChangePlan> = plans.iter().filter_map(changed).collect();
    let verb = changed.first().map(|plan| plan.verb);
    let alike = changed.len() == plans.len()
        && changed
            .iter()
            .all(|plan| Some(plan.verb) == verb && plan.values == PlannedValues::default());
    let labels = labels(changed.iter().map(|plan| plan.task), situation, speech);
    let (mut text, lines): (String, Vec<String>) = match verb.filter(|_| alike) {
        Some(verb) => (proposal(verb, &tasks(plans.len(), speech), speech), labels),
        None => {
            let line = |plan: &Plan| {
                let asked = ask_plan(plan.clone(), situation, speech).text;
                asked.trim_matches(['?', '¿', ' ']).to_owned()
            };
            (String::new(), plans.iter().map(line).collect())
        }
    };
    for (index, line) in lines.iter().enumerate() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("{}. {line}", index + 1));
    }
    if !alike {
        text.push('\n');
        text.push_str(&localized!(speech, "ask-all", count = plans.len()));
    }
    let items = plans.into_iter().zip(lines).map(|(plan, line)| match plan {
        Plan::Change(plan) => change_item(plan, line, situation),
        Plan::Add(plan) => ChoiceItem {
            label: line,
            ..add_item(plan)
        },
        other => ChoiceItem {
            label: line,
            title: String::new(),
            task: None,
            due: None,
            plans: vec![other],
        },
    });
    ServerQuestion {
        text,
        mode: ChoiceMode::All,
        items: items.collect(),
        declined: nothing_done(verb.filter(|_| alike), speech),
    }
}

fn added(plan: &Plan) -> Option<AddPlan> {
    match plan {
        Plan::Add(plan) => Some(plan.clone()),
        _ => None,
    }
}

const fn changed(plan: &Plan) -> Option<&ChangePlan> {
    match plan {
        Plan::Change(plan) => Some(plan),
        _ => None,
    }
}
