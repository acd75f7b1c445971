//! A question about several proposals.

use super::{add_item, all_of, ask_add, ask_plan, change_item, labels, listed, whole_item};
use crate::domain::Lang;
use crate::guard::licence::Situation;
use crate::guard::phrases::{proposal, tasks};
use crate::intent::Verb;
use crate::locales::localized;
use crate::tools::{AddPlan, ChangePlan, Plan, PlannedValues};
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
    let adds: Vec<AddPlan> = adds.collect();
    if adds.len() == plans.len() {
        return ask_add(adds, speech);
    }
    let changed = plans.iter().filter_map(|plan| match plan {
        Plan::Change(plan) => Some(plan),
        _ => None,
    });
    let changed: Vec<&ChangePlan> = changed.collect();
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
    text.push_str(&listed(&lines));
    if !alike {
        let all = localized!(speech, "ask-all", count = plans.len());
        text = format!("{}\n{all}", text.trim_start());
    }
    let items = plans.into_iter().zip(lines).map(|(plan, line)| match plan {
        Plan::Change(plan) => change_item(plan, line, situation),
        Plan::Add(plan) => ChoiceItem {
            label: line,
            ..add_item(plan)
        },
        other => whole_item(line, other),
    });
    // Of several kinds of deeds no verb tells what was not done.
    let declined = verb.filter(|_| alike).unwrap_or(Verb::Update);
    all_of(text, items.collect(), Some(declined), speech)
}
