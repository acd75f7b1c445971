//! Any arguments of any tool: an error for the model, or a proposal that keeps the rules and,
//! written down as the offered schema wants it, is the same proposal again.

#![no_main]

use std::sync::LazyLock;

use candor::domain::{Title, Tool};
use candor::llm::RawCall;
use candor::temporal::DueRule;
use candor::tools::{CallContext, DueRange, ListFilter, NewValues, Proposal, propose, specs};
use candor_fuzz::{planted, setting};
use chrono::{Datelike, NaiveDate};
use jsonschema::Validator;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

/// Schemas that each tool's arguments are offered as.
static OFFERED: LazyLock<Vec<(&str, Validator)>> = LazyLock::new(|| {
    let compiled = |schema: &Value| jsonschema::validator_for(schema).unwrap();
    let specs = specs();
    specs
        .iter()
        .map(|spec| (spec.name, compiled(&spec.parameters)))
        .collect()
});

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let Some((arguments, today, lang)) = setting(data) else {
        return;
    };
    let tool = Tool::TASKS.get(usize::from(choice % 8));
    let name = tool.map_or(arguments, |tool| tool.as_str());
    let due_rule = if choice < 128 {
        DueRule::Year
    } else {
        DueRule::Rolling
    };
    let context = CallContext {
        today,
        lang,
        due_rule,
        provider: "scripted (model)",
        agents: None,
        remind_now: chrono::DateTime::UNIX_EPOCH,
        zone: chrono_tz::UTC,
    };
    let first = propose(&call(name, arguments), &context);
    assert_eq!(first, propose(&call(name, arguments), &context));
    let (tool, proposal) = match first {
        Ok(accepted) => accepted,
        Err(fault) => {
            let length = fault.error.len();
            return assert!((1..4_000).contains(&length), "{length}: {arguments:?}");
        }
    };
    assert_eq!(Tool::parse(name.trim()), Some(tool));
    keeps_the_rules(&proposal, &context);
    let Some((mut written, proposal)) = written(proposal) else {
        return;
    };
    let offered = OFFERED
        .iter()
        .find(|(name, _)| *name == tool.as_str())
        .unwrap();
    if let Err(fault) = offered.1.validate(&written) {
        panic!("{fault}: {written} from {arguments:?}");
    }
    if planted(arguments) {
        written["priority"] = json!("high");
    }
    let again = propose(&call(name, &written.to_string()), &context);
    assert_eq!(again, Ok((tool, proposal)), "{written} from {arguments:?}");
});

fn call(name: &str, arguments: &str) -> RawCall {
    RawCall {
        id: "call_1".to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

fn keeps_the_rules(proposal: &Proposal, context: &CallContext<'_>) {
    let (title, due) = match proposal {
        Proposal::Add { title, due, .. } => (Some(title), *due),
        Proposal::Change {
            reference, values, ..
        } => {
            assert!(!reference.trim().is_empty());
            (values.title.as_ref(), values.due.flatten())
        }
        Proposal::Ask { question, options } => {
            assert!(!question.is_empty() && options.len() <= 10);
            (None, None)
        }
        Proposal::List(ListFilter {
            due: Some(DueRange::Between { from, to }),
            ..
        }) => {
            assert!(from <= to);
            (None, None)
        }
        Proposal::List(_) | Proposal::Undo => (None, None),
        Proposal::Several(each) => {
            for proposal in each {
                keeps_the_rules(proposal, context);
            }
            (None, None)
        }
        other => panic!("where there are no agents: {other:?}"),
    };
    if let Some(title) = title {
        assert_eq!(Title::parse(title.as_str()).as_ref(), Ok(title));
    }
    if let Some(due) = due {
        assert_eq!(context.due_rule.check(due, context.today), Ok(()));
    }
}

/// The proposal as arguments with every property; `None` for days that no one date names, and for
/// what has more than one way to be written.
fn written(proposal: Proposal) -> Option<(Value, Proposal)> {
    let arguments = match &proposal {
        Proposal::Add {
            title,
            description,
            priority,
            due,
        } => json!({
            "title": title, "description": description, "priority": priority, "due_date": due,
        }),
        Proposal::List(filter) => json!({
            "status_filter": filter.status,
            "query": filter.query,
            "due": range(filter.due.as_ref())?,
        }),
        Proposal::Change {
            tool: Tool::UpdateTask,
            reference,
            values,
        } => {
            let NewValues {
                title,
                description,
                priority,
                due,
                completed,
                take_back: false,
            } = values
            else {
                return None;
            };
            let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
            json!({
                "task": reference,
                "title": title,
                "description": description.clone().map(or_none),
                "priority": priority,
                "due_date": due.map(|due| or_none(due.map(|due| due.to_string()))),
                "status": completed.map(|done| if done { "completed" } else { "pending" }),
            })
        }
        Proposal::Change { reference, .. } => json!({ "task": reference }),
        Proposal::Undo => json!({}),
        Proposal::Ask { question, options } => json!({
            "question": question, "options": (!options.is_empty()).then_some(options),
        }),
        _ => return None,
    };
    Some((arguments, proposal))
}

fn range(due: Option<&DueRange>) -> Option<Value> {
    let named = |day: &NaiveDate| (1900..2200).contains(&day.year());
    match due {
        None => Some(Value::Null),
        Some(DueRange::Overdue { .. }) => Some(json!("overdue")),
        Some(DueRange::Undated) => Some(json!("none")),
        Some(DueRange::Between { from, to }) if from == to && named(from) => Some(json!(from)),
        Some(DueRange::Between { .. }) => None,
    }
}
