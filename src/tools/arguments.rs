//! From a raw call to a typed proposal: parse, check, convert; every fault named at once.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value};

use super::fault::{ArgumentFaults, cut, nearest_names, told};
use super::listing::DueRange;
use super::{Proposal, alias, delegate, schema};
use crate::domain::{Cause, Details, ErrorType, Lang, Repeat, Tool, ToolError, parse_time_of_day};
use crate::llm::RawCall;
use crate::temporal::{self, DueRule, Found};

/// Arguments longer than this are not even parsed.
const ARGUMENTS_MAX: usize = 64 * 1024;

/// Context that the reading of a call's arguments depends on.
#[derive(Debug, Clone, Copy)]
pub struct CallContext<'a> {
    /// The day it is.
    pub today: NaiveDate,
    /// The language of the user's words.
    pub lang: Lang,
    /// The rule for days that may be due dates.
    pub due_rule: DueRule,
    /// The model that sent the call, as `instance (model)`.
    pub provider: &'a str,
    /// Persona for work that names none; `None` where no work can be given to agents.
    pub agents: Option<&'a str>,
    /// The instant that reminders go by.
    pub remind_now: DateTime<Utc>,
    /// The zone of the request.
    pub zone: Tz,
}

/// Reads an argument that may be cleared: `None` not given, `Some(None)` to be cleared.
pub(super) fn given(words: Option<&str>) -> Option<Option<&str>> {
    let words = words?.trim();
    if words.is_empty() || words.eq_ignore_ascii_case("null") {
        return None;
    }
    Some(Some(words).filter(|words| !words.eq_ignore_ascii_case("none")))
}

impl CallContext<'_> {
    /// Reads a due date: `None` not given, `Some(None)` to be cleared.
    pub(super) fn due_date(
        &self,
        words: Option<&str>,
        faults: &mut ArgumentFaults,
    ) -> Option<Option<NaiveDate>> {
        let Some(words) = given(words)? else {
            return Some(None);
        };
        let Some(found) = self.day(words) else {
            let value = short(words);
            faults.push_cause(
                "due_date",
                format!("'{value}' is not a day: give YYYY-MM-DD or the user's words"),
                Cause::NotADay { value },
            );
            return None;
        };
        if let Err(fault) = self.due_rule.check(found.day, self.today) {
            faults.push_cause("due_date", fault, fault.into());
            return None;
        }
        Some(Some(found.day))
    }

    /// Reads a time of the due day: `None` not given, `Some(None)` to be cleared. A due date that is
    /// said with its time ("tomorrow at 6pm") gives it as well.
    pub(super) fn due_time(
        &self,
        words: Option<&str>,
        due_date: Option<&str>,
        faults: &mut ArgumentFaults,
    ) -> Option<Option<NaiveTime>> {
        let Some(given) = given(words) else {
            return self.time_in(due_date?).map(Some);
        };
        let Some(words) = given else {
            return Some(None);
        };
        let time = parse_time_of_day(words).or_else(|| {
            let then = temporal::while_told(words)
                .map(|left| self.remind_now + left)?
                .with_timezone(&self.zone);
            Some(then.time())
        });
        if time.is_none() {
            let value = short(words);
            let text = format!("{value} is no time of day; write HH:MM");
            faults.push_cause("due_time", text, Cause::NoTime { value });
        }
        time.map(Some)
    }

    /// Reads a rule by which a task repeats: `None` not given, `Some(None)` to be cleared.
    pub(super) fn repeat(
        &self,
        words: Option<&str>,
        faults: &mut ArgumentFaults,
    ) -> Option<Option<Repeat>> {
        let Some(words) = given(words)? else {
            return Some(None);
        };
        let mut langs = std::iter::once(&self.lang).chain(&Lang::ALL);
        let said = langs.find_map(|lang| temporal::repetition(words, self.today, *lang));
        let value = short(words);
        let (fault, cause) = match said.map_or_else(|| Repeat::parse(words), Ok) {
            Ok(rule) if rule.first(self.today).is_some() => return Some(Some(rule)),
            Ok(_) => {
                let fault = "ends before today: give a later UNTIL, or none".to_owned();
                (fault, Cause::RepetitionPast)
            }
            Err(fault) => {
                let value = value.clone();
                (fault, Cause::NoRepetition { value })
            }
        };
        faults.push_cause("repeat", format!("'{value}' {fault}"), cause);
        None
    }

    /// The day or days of these words: a model may say them in its own language.
    pub(super) fn day(&self, words: &str) -> Option<Found> {
        let found = temporal::read(words, self.today, self.lang);
        let mut others = Lang::ALL.iter();
        found.or_else(|| others.find_map(|lang| temporal::read(words, self.today, *lang)))
    }

    /// Reads the days of a listing.
    pub(super) fn due_range(
        &self,
        words: Option<&str>,
        faults: &mut ArgumentFaults,
    ) -> Option<DueRange> {
        let words = words?.trim();
        if words.is_empty() || words.eq_ignore_ascii_case("null") {
            return None;
        }
        if temporal::is_overdue(words) {
            return Some(DueRange::Overdue { before: self.today });
        }
        if temporal::is_undated(words) {
            return Some(DueRange::Undated);
        }
        let day = |words: &str| self.day(words);
        let Some((from, to)) = temporal::days_listed(words, self.today, &day) else {
            let value = short(words);
            let accepted = temporal::DAYS_ACCEPTED;
            let text = format!("'{value}' is not a day or a range; {accepted}");
            faults.push_cause("due", text, Cause::NotADay { value });
            return None;
        };
        Some(DueRange::Between { from, to }.looking_ahead(self.today))
    }
}

/// Reads one raw call.
///
/// # Errors
/// `not_found` for a tool that doesn't exist, `validation` for arguments that are not a JSON
/// object or break the schema; every fault is in the one message.
pub fn propose(call: &RawCall, context: &CallContext<'_>) -> Result<(Tool, Proposal), ToolError> {
    let called = alias::called(&call.name, &call.arguments, context.agents.is_some());
    let Some(tool) = called.tool else {
        let offered = Tool::ALL
            .into_iter()
            .filter(|t| context.agents.is_some() || Tool::TASKS.contains(t));
        return Err(unknown_tool(&call.name, offered, context.provider));
    };
    let mut arguments = parse(tool, &call.arguments, context.provider)?;
    if let Some(persona) = context.agents {
        arguments = alias::translated(&called, arguments, persona);
    }
    if let Some(alias) = arguments.remove("task_id") {
        arguments.entry("task").or_insert(alias);
    }
    if tool == Tool::UpdateTask {
        clear_lone_null(&mut arguments);
    }
    let mut faults = ArgumentFaults::default();
    let Some(entry) = schema::registered_for(tool, &arguments, context.agents.is_some()) else {
        return Err(unknown_tool(
            &call.name,
            Tool::ALL.into_iter(),
            context.provider,
        ));
    };
    faults.check(entry, &arguments);
    if tool == Tool::Delegate {
        delegate::check(&arguments, &mut faults);
    }
    let mut proposal = None;
    if faults.is_empty() {
        let value = Value::Object(arguments.clone());
        proposal = (entry.propose)(value, context, &mut faults);
    } else {
        // Name a bad day or time beside the schema's faults, so that one answer can mend both.
        let words = |name: &str| arguments.get(name).and_then(Value::as_str);
        context.due_date(words("due_date"), &mut faults);
        context.due_time(words("due_time"), None, &mut faults);
        context.repeat(words("repeat"), &mut faults);
        context.due_range(words("due"), &mut faults);
        context.remind(words("remind"), (None, None), &mut faults);
    }
    match proposal {
        Some(proposal) if faults.is_empty() => Ok((tool, proposal)),
        _ => Err(faults.into_error(entry, &arguments, context)),
    }
}

/// Makes "none" of the one value of a change, where that is null: a model that says null of what
/// stays says it of all the others too.
fn clear_lone_null(arguments: &mut Map<String, Value>) {
    const CLEARED: [&str; 5] = ["description", "due_date", "due_time", "repeat", "remind"];
    let mut values = arguments.iter_mut().filter(|(name, _)| *name != "task");
    if let (Some((name, value)), None) = (values.next(), values.next())
        && value.is_null()
        && CLEARED.contains(&name.as_str())
    {
        *value = "none".into();
    }
}

fn parse(tool: Tool, text: &str, provider: &str) -> Result<Map<String, Value>, ToolError> {
    let fault = |message: String, attempted: Option<Value>, suggestion: Option<String>| {
        let parameters = schema::registered(tool)
            .map(|entry| entry.parameters.clone())
            .unwrap_or_default();
        let lines = vec![format!("/: {message}")];
        let text = told(tool, &lines, suggestion.as_slice(), &parameters, provider);
        ToolError::new(ErrorType::Validation, text).with(Details {
            schema_errors: lines,
            constraint: Some(message),
            attempted_call: attempted,
            suggestion,
            valid_parameters: parameters,
            provider_context: Some(provider.to_owned()),
            ..Details::default()
        })
    };
    if text.len() > ARGUMENTS_MAX {
        let message = format!(
            "arguments are too long: {} bytes, at most {ARGUMENTS_MAX}",
            text.len()
        );
        return Err(fault(message, None, None));
    }
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => {
            let attempted = cut(&Value::String(text.to_owned()), 500);
            let message = format!("arguments are not valid JSON: {error}");
            return Err(fault(message, Some(attempted), None));
        }
    };
    if let Some(inner) = unwrapped(tool, &value) {
        let shown = cut(&inner, 100);
        let suggestion = format!("Send the arguments alone, unwrapped: {shown}");
        let message = "arguments are wrapped twice".to_owned();
        return Err(fault(message, Some(cut(&value, 500)), Some(suggestion)));
    }
    match value {
        Value::Object(map) => Ok(map),
        other => {
            let message = "arguments must be a JSON object".to_owned();
            Err(fault(message, Some(cut(&other, 500)), None))
        }
    }
}

/// The arguments inside a double wrapping (`"{…}"`, `{name, arguments}`), if they would be valid.
fn unwrapped(tool: Tool, value: &Value) -> Option<Value> {
    let inner = match value {
        Value::String(text) => serde_json::from_str(text).ok()?,
        Value::Object(map) => {
            let inner = ["arguments", "args", "parameters", "input"]
                .iter()
                .find_map(|key| map.get(*key))?;
            match inner {
                Value::String(text) => serde_json::from_str(text).ok()?,
                other => other.clone(),
            }
        }
        _ => return None,
    };
    let entry = schema::registered(tool)?;
    (inner.is_object() && entry.accepts(&inner)).then_some(inner)
}

/// The error for a name that none of the `offered` tools has: it names the nearest of them.
pub fn unknown_tool(name: &str, offered: impl Iterator<Item = Tool>, provider: &str) -> ToolError {
    let known: Vec<String> = offered.map(|tool| tool.as_str().to_owned()).collect();
    let name: String = name.chars().take(80).collect();
    let near: Vec<String> = match nearest_names(&name, &known) {
        near if near.is_empty() => known.clone(),
        near => near.into_iter().map(str::to_owned).collect(),
    };
    let text = format!(
        "There is no tool '{name}'. Nearest: {}\nValid tools: {}\nProvider: {provider}",
        near.join(", "),
        known.join(", ")
    );
    ToolError::new(ErrorType::NotFound, text).with(Details {
        parameter: Some("name".to_owned()),
        value: Some(Value::String(name)),
        suggestion: near.first().map(|name| format!("Use '{name}' instead")),
        suggestions: near,
        provider_context: Some(provider.to_owned()),
        ..Details::default()
    })
}

pub(super) fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::AddProposal;

    fn context() -> CallContext<'static> {
        CallContext {
            today: NaiveDate::from_ymd_opt(2026, 2, 8).unwrap(),
            lang: Lang::En,
            due_rule: DueRule::Year,
            provider: "openai-dev (gpt-4)",
            agents: None,
            remind_now: "2026-02-08T10:00:00Z".parse().unwrap(),
            zone: Tz::UTC,
        }
    }

    fn call(name: &str, arguments: &str) -> Result<(Tool, Proposal), ToolError> {
        let call = RawCall {
            id: "call_1".to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        };
        propose(&call, &context())
    }

    #[track_caller]
    fn fault(name: &str, arguments: &str, expect: &[&str]) {
        let error = call(name, arguments).unwrap_err();
        for part in expect {
            assert!(
                error.error.contains(part),
                "{part:?} not in:\n{}",
                error.error
            );
        }
        let wire = error.to_wire();
        assert_eq!(wire["ok"], wire["success"]);
        assert_eq!(wire["ok"], false);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        fault(
            "add_task",
            r#"{"title":"  ","priority":"urgent","due_date":"2025-12-31","user_id":"x"}"#,
            &[
                "Tool call validation failed for 'add_task':\n\nSchema errors:\n",
                "- /title: Missing required parameter 'title'. Please provide a task title.",
                "- /priority: 'urgent' is not one of low, medium, high",
                "- /due_date: 2025-12-31 is in the past",
                "- /: additionalProperties 'user_id' not allowed",
                "\n\nValid parameters: title, description, due_date, due_time, priority, remind, repeat\nProvider: openai-dev (gpt-4)",
            ],
        );
        fault(
            "add_task",
            "{}",
            &["- /title: Missing required parameter 'title'"],
        );
        fault(
            "add_task",
            r#"{"title":7}"#,
            &["/title: expected string, got number"],
        );
        fault(
            "delete_task",
            r#"{"task":["a"]}"#,
            &["/task: expected string, got array"],
        );
        fault(
            "add_task",
            r#"{"title":"a\nb"}"#,
            &["/title: Title must be one line"],
        );
        fault(
            "add_task",
            r#"{"title":"a","due_date":"tomorrow","due_time":"25:00"}"#,
            &["- /due_time: 25:00 is no time of day; write HH:MM"],
        );
        fault(
            "update_task",
            r#"{"task":"a","due_time":"5pm","nonsense":1}"#,
            &["- /due_time: 5pm is no time of day", "'nonsense'"],
        );
    }

    #[test]
    fn broken_arguments_are_errors_and_never_panics() {
        let long = format!("{{\"title\":\"{}\"}}", "x".repeat(200_000));
        for arguments in [
            "[]",
            "null",
            "7",
            "\"x\"",
            "{",
            "nonsense",
            "{\"task\":",
            &long,
        ] {
            assert!(call("delete_task", arguments).is_err(), "{arguments:.40}");
        }
        fault(
            "delete_task",
            r#"{"name":"delete_task","arguments":{"task":"Read book"}}"#,
            &["wrapped twice", "Read book"],
        );
        fault(
            "delete_task",
            r#""{\"task\":\"Read book\"}""#,
            &["wrapped twice"],
        );
    }

    #[test]
    fn unknown_tools_get_the_nearest_names() {
        let error = call("remove_task", r#"{"task":"a"}"#).unwrap_err();
        assert_eq!(error.error_type, ErrorType::NotFound);
        assert!(error.error.contains("delete_task"), "{}", error.error);
    }

    #[test]
    fn a_call_for_another_tool_is_recognised_by_its_live_schema() {
        fault(
            "complete_task",
            r#"{"task":"a","priority":"high"}"#,
            &["Use 'update_task' instead"],
        );
    }

    #[test]
    fn aliases_nulls_and_empty_arguments_are_accepted() {
        assert!(call("delete_task", r#"{"task_id":"Read book"}"#).is_ok());
        assert!(call("undo", "").is_ok());
        let all = r#"{"title":"a","description":null,"priority":null,"due_date":null}"#;
        assert!(call("add_task", all).is_ok());
        let (_, proposal) = call("add_task", r#"{"title":"a","due_date":"tomorrow"}"#).unwrap();
        let Proposal::Add(AddProposal { due, .. }) = proposal else {
            panic!("{proposal:?}")
        };
        assert_eq!(due, NaiveDate::from_ymd_opt(2026, 2, 9));
        // A day that is written with its time gives both.
        for day in ["tomorrow at 5pm", "2026-02-09T17:00"] {
            let arguments = serde_json::json!({"title": "a", "due_date": day}).to_string();
            let (_, proposal) = call("add_task", &arguments).unwrap();
            assert!(matches!(
                proposal,
                Proposal::Add(AddProposal {
                    due: Some(_),
                    time: Some(time),
                    ..
                }) if time.to_string() == "17:00:00"
            ));
        }
        // A null alone clears; one among others leaves as it is.
        for (arguments, cleared) in [
            (r#"{"task":"a","due_date":null}"#, true),
            (r#"{"task":"a","due_date":null,"priority":null}"#, false),
        ] {
            let (_, proposal) = call("update_task", arguments).unwrap();
            assert!(matches!(
                proposal,
                Proposal::Change { values, .. } if (values.due == Some(None)) == cleared
            ));
        }
        let time = r#"{"task":"a","due_time":"17:00"}"#;
        let (_, proposal) = call("update_task", time).unwrap();
        let Proposal::Change { values, .. } = proposal else {
            panic!("{proposal:?}")
        };
        assert_eq!(values.time, Some(NaiveTime::from_hms_opt(17, 0, 0)));
    }

    #[test]
    fn a_while_from_now_is_a_time_in_any_language() {
        let context = context();
        let mut faults = ArgumentFaults::default();
        let time = |words| context.due_time(Some(words), None, &mut ArgumentFaults::default());
        assert_eq!(time("in 2 hours"), Some(NaiveTime::from_hms_opt(12, 0, 0)));
        assert_eq!(
            time("in einer halben Stunde"),
            Some(NaiveTime::from_hms_opt(10, 30, 0))
        );
        assert_eq!(time("call her in 2 hours"), None);
        let remind = context
            .remind(Some("2 ghante mein"), (None, None), &mut faults)
            .flatten();
        let at: DateTime<Utc> = "2026-02-08T12:00:00Z".parse().unwrap();
        assert_eq!(remind.map(|remind| remind.at), Some(at));
        assert!(faults.is_empty());
    }
}
