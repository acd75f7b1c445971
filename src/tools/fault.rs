//! All faults of a call in one message (delegation design 2.8): JSON pointers, suggestions,
//! what is valid, and which model sent it.

use std::fmt::Display;

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use serde_json::{Map, Value};

use super::arguments::CallContext;
use super::schema::ToolEntry;
use super::suggest::suggestions;
use crate::domain::{Cause, Details, ErrorType, Tool, ToolError};

/// The faults found so far in one call's arguments.
#[derive(Debug, Default)]
pub(super) struct ArgumentFaults {
    found: Vec<(String, String)>,
    suggestions: Vec<String>,
    causes: Vec<Cause>,
}

impl ArgumentFaults {
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// A fault of one parameter, in words.
    pub(super) fn push(&mut self, parameter: &str, fault: impl Display) {
        self.found
            .push((format!("/{parameter}"), fault.to_string()));
    }

    /// A fault of one parameter that the user is told, too.
    pub(super) fn push_cause(&mut self, parameter: &str, fault: impl Display, cause: Cause) {
        self.push(parameter, fault);
        self.causes.push(cause);
    }

    /// A parameter that must be given and isn't.
    pub(super) fn missing(&mut self, name: &str) {
        self.note_missing(&format!("/{name}"), name);
    }

    pub(super) fn suggest(&mut self, suggestion: String) {
        if !self.suggestions.contains(&suggestion) {
            self.suggestions.push(suggestion);
        }
    }

    /// Checks `arguments` against the tool's schema and notes every fault.
    pub(super) fn check(&mut self, entry: &ToolEntry, arguments: &Map<String, Value>) {
        let Some(validator) = &entry.validator else {
            self.push("", "the tool's schema is broken");
            return;
        };
        let instance = Value::Object(arguments.clone());
        for error in validator.iter_errors(&instance) {
            self.note(&error);
        }
        for (list, value) in arguments {
            let types = format!("/properties/{list}/items/properties");
            for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                self.note_blanks(entry, &types, item.as_object(), &format!("/{list}/{index}"));
            }
        }
        self.note_blanks(entry, "/properties", Some(arguments), "");
    }

    /// Notes what must be given and is blank, which is as good as none: the schema's minLength can't
    /// see white space.
    fn note_blanks(
        &mut self,
        entry: &ToolEntry,
        types: &str,
        object: Option<&Map<String, Value>>,
        at: &str,
    ) {
        let types = entry.offered.pointer(types).and_then(Value::as_object);
        for (name, property) in types.into_iter().flatten() {
            let required = property.get("type").is_some_and(Value::is_string);
            let given = object.and_then(|object| object.get(name)?.as_str());
            let blank = |text: &str| !text.is_empty() && text.trim().is_empty();
            if required && given.is_some_and(blank) {
                self.note_missing(&format!("{at}/{name}"), name);
            }
        }
    }

    fn note(&mut self, error: &ValidationError<'_>) {
        let at = error.instance_path().to_string();
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                let keys: Vec<_> = unexpected.iter().map(|key| format!("'{key}'")).collect();
                let message = format!("additionalProperties {} not allowed", keys.join(", "));
                self.found.push((or_root(at), message));
            }
            ValidationErrorKind::Required { property } => {
                let name = property.as_str().unwrap_or_default().to_owned();
                self.note_missing(&format!("{at}/{name}"), &name);
            }
            ValidationErrorKind::MinLength { .. } => {
                let name = at.rsplit('/').next().unwrap_or_default().to_owned();
                self.note_missing(&at, &name);
            }
            ValidationErrorKind::MaxLength { limit } => {
                let length = error.instance().as_str().map_or(0, |s| s.chars().count());
                let message = format!("too long: {length} characters, at most {limit}");
                if at.ends_with("/title") {
                    self.causes.push(Cause::TitleLong { length });
                }
                self.found.push((at, message));
            }
            ValidationErrorKind::Enum { options } => {
                let options = words(options);
                let given = shortened(error.instance());
                if let Some(near) = nearest_names(&given, &options).first() {
                    self.suggest(format!("Use '{near}' instead of '{given}'"));
                }
                let message = format!("'{given}' is not one of {}", options.join(", "));
                self.causes.push(Cause::NotOneOf {
                    parameter: at.rsplit('/').next().unwrap_or_default().to_owned(),
                    value: given,
                    options,
                });
                self.found.push((at, message));
            }
            ValidationErrorKind::Type { kind } => {
                let message = format!(
                    "expected {}, got {}",
                    expected_type(kind),
                    type_name(error.instance())
                );
                // A wrong type in an enum is reported by the enum as well; one line is enough.
                self.found.retain(|(pointer, _)| *pointer != at);
                self.found.push((or_root(at), message));
            }
            _ => {
                let given = shortened(error.instance());
                let message = format!("'{given}' breaks the rule '{}'", error.kind().keyword());
                self.found.push((or_root(at), message));
            }
        }
    }

    fn note_missing(&mut self, pointer: &str, name: &str) {
        let please = match name {
            "title" => "Please provide a task title. Title cannot be empty.",
            "task" => "Please name the task by its title or its position in the list.",
            "question" => "Please provide the question.",
            "prompt" => "Please say what the agent is to do, with everything it needs to know.",
            "tasks" => "Please list the tasks.",
            "assign_to" => "Please name an agent, such as \"new:lace\".",
            _ => "Please provide it.",
        };
        let message = format!("Missing required parameter '{name}'. {please}");
        self.causes.extend(match name {
            "title" => Some(Cause::TitleEmpty),
            "task" => Some(Cause::NoTask),
            _ => None,
        });
        self.found.push((pointer.to_owned(), message));
    }

    /// The error, for model and user.
    pub(super) fn into_error(
        mut self,
        entry: &ToolEntry,
        arguments: &Map<String, Value>,
        context: &CallContext<'_>,
    ) -> ToolError {
        let (tool, provider) = (entry.tool, context.provider);
        let mut expected_tool = None;
        for suggestion in suggestions(tool, arguments, context.agents) {
            expected_tool.get_or_insert_with(|| suggestion.tool.as_str().to_owned());
            self.suggest(suggestion.text);
        }
        let parameters = entry.shown.clone();
        let lines: Vec<String> = self
            .found
            .iter()
            .map(|(pointer, message)| format!("{pointer}: {message}"))
            .collect();
        let text = told(tool, &lines, &self.suggestions, &parameters, provider);
        let first = self.found.first();
        ToolError::new(ErrorType::Validation, text)
            .with(Details {
                parameter: first.map(|(pointer, _)| pointer.trim_start_matches('/').to_owned()),
                value: first.and_then(|(pointer, _)| {
                    let name = pointer.trim_start_matches('/');
                    arguments.get(name).map(|value| cut(value, 500))
                }),
                constraint: first.map(|(_, message)| message.clone()),
                suggestion: self.suggestions.first().cloned(),
                suggestions: self.suggestions,
                schema_errors: lines,
                attempted_call: Some(cut(&Value::Object(arguments.clone()), 500)),
                valid_parameters: parameters,
                expected_tool: expected_tool.filter(|other| *other != tool.as_str()),
                provider_context: Some(provider.to_owned()),
            })
            .because(self.causes)
    }
}

/// Tells a model what is wrong with its call, line by line.
pub(super) fn told(
    tool: Tool,
    lines: &[String],
    suggestions: &[String],
    parameters: &[String],
    provider: &str,
) -> String {
    let list = |lines: &[String]| -> String {
        let lines = lines.iter().map(|line| format!("- {line}\n"));
        lines.collect()
    };
    let errors = list(lines);
    let suggestions = match suggestions {
        [] => String::new(),
        _ => format!("\nSuggestions:\n{}", list(suggestions)),
    };
    let parameters = parameters.join(", ");
    format!(
        "Tool call validation failed for '{tool}':\n\nSchema errors:\n{errors}{suggestions}\n\
         Valid parameters: {parameters}\nProvider: {provider}"
    )
}

/// The same value with every string cut at `limit` characters.
pub fn cut(value: &Value, limit: usize) -> Value {
    match value {
        Value::String(text) if text.chars().count() > limit => {
            let kept: String = text.chars().take(limit).collect();
            Value::String(format!("{kept}…"))
        }
        Value::Array(items) => {
            Value::Array(items.iter().take(50).map(|item| cut(item, limit)).collect())
        }
        Value::Object(map) => Value::Object(
            map.iter()
                .take(50)
                .map(|(key, item)| (key.chars().take(100).collect(), cut(item, limit)))
                .collect(),
        ),
        other => other.clone(),
    }
}

/// The names of `known` that resemble `given`, best first, at most three.
pub(super) fn nearest_names<'a>(given: &str, known: &'a [String]) -> Vec<&'a str> {
    use fuzzy_matcher::FuzzyMatcher;
    let matcher = fuzzy_matcher::skim::SkimMatcherV2::default().ignore_case();
    let given: String = given.chars().take(64).collect();
    let mut ranked: Vec<(i64, &str)> = known
        .iter()
        .filter_map(|name| {
            let forth = matcher.fuzzy_match(name, &given);
            let back = matcher.fuzzy_match(&given, name);
            let shared = name.split('_').filter(|part| given.contains(part)).count();
            let score = forth.max(back).unwrap_or(0) + 10 * i64::try_from(shared).unwrap_or(0);
            (score > 0).then_some((score, name.as_str()))
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    ranked.into_iter().take(3).map(|(_, name)| name).collect()
}

fn or_root(pointer: String) -> String {
    if pointer.is_empty() {
        "/".to_owned()
    } else {
        pointer
    }
}

fn words(options: &Value) -> Vec<String> {
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let words = options.iter().filter_map(Value::as_str);
    words.map(str::to_owned).collect()
}

fn shortened(value: &Value) -> String {
    let text = value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned);
    let kept: String = text.chars().take(60).collect();
    if kept.len() < text.len() {
        format!("{kept}…")
    } else {
        kept
    }
}

fn expected_type(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => one.to_string(),
        TypeKind::Multiple(set) => {
            let names: Vec<_> = set.iter().map(|one| one.to_string()).collect();
            names.join(" or ")
        }
    }
}

const fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
