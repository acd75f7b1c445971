//! The body of a request to `/chat/completions`.
//!
//! The tools stand before the messages: every request of a process then begins with the
//! same bytes, as far as servers that cache by prefix are concerned.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::llm::{ModelRequest, PromptMessage, RawCall, ToolChoice, ToolSpec};

/// The body.
#[derive(Debug, Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    messages: Vec<Value>,
}

impl<'a> RequestBody<'a> {
    /// Builds the body that asks `model` this `request`, whose tools are written in `tools`.
    pub(super) fn new(model: &'a str, request: &ModelRequest, tools: Option<&'a RawValue>) -> Self {
        let choice = match request.choice {
            ToolChoice::Auto => json!("auto"),
            ToolChoice::Required => json!("required"),
            ToolChoice::None => json!("none"),
            ToolChoice::Named(name) => json!({"type": "function", "function": {"name": name}}),
        };
        Self {
            model,
            stream: false,
            tools,
            // Servers refuse a choice among no tools.
            tool_choice: (!request.tools.is_empty()).then_some(choice),
            messages: request.prompt.iter().map(message).collect(),
        }
    }
}

/// Tools as they stand in a body. They are the same for every turn and most of what is sent, so
/// they are written once.
#[derive(Debug)]
pub(super) struct WrittenTools {
    of: Arc<Vec<ToolSpec>>,
    strict: Option<Box<RawValue>>,
    lax: Option<Box<RawValue>>,
}

impl WrittenTools {
    pub(super) fn new(of: &Arc<Vec<ToolSpec>>) -> serde_json::Result<Self> {
        let text = |strict| {
            let tools: Vec<Value> = of.iter().map(|spec| tool(spec, strict)).collect();
            let text = serde_json::value::to_raw_value(&tools)?;
            Ok((!tools.is_empty()).then_some(text))
        };
        Ok(Self {
            of: Arc::clone(of),
            strict: text(true)?,
            lax: text(false)?,
        })
    }

    /// The tools, if there are any; as strict ones, or without a word of that.
    pub(super) fn text(&self, strict: bool) -> Option<&RawValue> {
        let text = if strict { &self.strict } else { &self.lax };
        text.as_deref()
    }

    /// Tells whether these tools, and not only equal ones, are the written ones.
    pub(super) fn is_of(&self, tools: &Arc<Vec<ToolSpec>>) -> bool {
        Arc::ptr_eq(&self.of, tools)
    }
}

fn tool(spec: &ToolSpec, strict: bool) -> Value {
    let (name, description) = (spec.name, &spec.description);
    let parameters = allowed(&spec.parameters);
    let function = match strict {
        true => json!({
            "name": name, "description": description, "strict": true, "parameters": parameters,
        }),
        false => json!({"name": name, "description": description, "parameters": parameters}),
    };
    json!({"type": "function", "function": function})
}

/// Keywords that every server takes in a strict schema. Lengths, ranges and defaults are refused by
/// some; the arguments are checked against the whole schema when they come back.
const KEYWORDS: [&str; 8] = [
    "type",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "anyOf",
];

/// A schema with nothing but those keywords.
fn allowed(schema: &Value) -> Value {
    let Value::Object(schema) = schema else {
        return schema.clone();
    };
    let kept = schema
        .iter()
        .filter(|(keyword, _)| KEYWORDS.contains(&keyword.as_str()));
    let kept = kept.map(|(keyword, value)| {
        let value = match (keyword.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let properties = properties.iter();
                let properties = properties.map(|(name, schema)| (name.clone(), allowed(schema)));
                Value::Object(properties.collect())
            }
            ("anyOf", Value::Array(choices)) => choices.iter().map(allowed).collect(),
            ("items", schema) => allowed(schema),
            (_, value) => value.clone(),
        };
        (keyword.clone(), value)
    });
    Value::Object(kept.collect::<Map<_, _>>())
}

fn message(prompt: &PromptMessage) -> Value {
    match prompt {
        PromptMessage::System(content) => json!({"role": "system", "content": content}),
        PromptMessage::User(content) => json!({"role": "user", "content": content}),
        PromptMessage::Assistant { content, calls } if calls.is_empty() => {
            // Null content is allowed beside calls only.
            json!({"role": "assistant", "content": content.as_deref().unwrap_or_default()})
        }
        PromptMessage::Assistant { content, calls } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        PromptMessage::Tool { call_id, content } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content})
        }
    }
}

fn call(call: &RawCall) -> Value {
    let arguments = wire_arguments(&call.arguments);
    let function = json!({"name": call.name, "arguments": arguments});
    json!({"id": call.id, "type": "function", "function": function})
}

/// Servers that lay the conversation out by template parse the arguments of earlier calls, and
/// refuse the whole request over broken ones; the call's result says what was wrong with them.
fn wire_arguments(arguments: &str) -> &str {
    let readable = serde_json::from_str::<Value>(arguments).is_ok_and(|value| value.is_object());
    if readable { arguments } else { "{}" }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::domain::Lang;
    use crate::intent::Reading;

    fn request(
        prompt: Vec<PromptMessage>,
        tools: Vec<ToolSpec>,
        choice: ToolChoice,
    ) -> ModelRequest {
        let reading = Reading {
            lang: Lang::En,
            clauses: Vec::new(),
        };
        ModelRequest {
            prompt,
            tools: Arc::new(tools),
            choice,
            reading: Arc::new(reading),
            within: Duration::from_secs(1),
        }
    }

    fn undo() -> ToolSpec {
        ToolSpec {
            name: "undo",
            description: "Takes back the latest change.".to_owned(),
            parameters: json!({"type": "object", "properties": {}}),
        }
    }

    fn wire(request: &ModelRequest) -> Value {
        let written = WrittenTools::new(&request.tools).unwrap();
        serde_json::to_value(RequestBody::new("gpt-4", request, written.text(true))).unwrap()
    }

    #[test]
    fn every_kind_of_message_has_its_shape() {
        let call = |arguments: &str| RawCall {
            id: "a".to_owned(),
            name: "undo".to_owned(),
            arguments: arguments.to_owned(),
        };
        let said = |content: Option<&str>, calls| PromptMessage::Assistant {
            content: content.map(str::to_owned),
            calls,
        };
        let prompt = vec![
            PromptMessage::System("rules".to_owned()),
            PromptMessage::User("undo".to_owned()),
            said(None, vec![call("{\"n\": 1}"), call("{\"n\": ")]),
            PromptMessage::Tool {
                call_id: "a".to_owned(),
                content: "{\"ok\":true}".to_owned(),
            },
            said(Some("Done?"), Vec::new()),
            said(None, Vec::new()),
        ];
        let called = |arguments: &str| {
            json!({"id": "a", "type": "function",
                   "function": {"name": "undo", "arguments": arguments}})
        };
        let body = wire(&request(prompt, Vec::new(), ToolChoice::Auto));
        let expect = json!({
            "model": "gpt-4",
            "stream": false,
            "messages": [
                {"role": "system", "content": "rules"},
                {"role": "user", "content": "undo"},
                {"role": "assistant", "content": null,
                 "tool_calls": [called("{\"n\": 1}"), called("{}")]},
                {"role": "tool", "tool_call_id": "a", "content": "{\"ok\":true}"},
                {"role": "assistant", "content": "Done?"},
                {"role": "assistant", "content": ""},
            ],
        });
        assert_eq!(body, expect);
    }

    #[test]
    fn tools_are_strict_functions() {
        let undo_alone = json!({"type": "function", "function": {"name": "undo"}});
        let choices = [
            (ToolChoice::Auto, json!("auto")),
            (ToolChoice::Required, json!("required")),
            (ToolChoice::None, json!("none")),
            (ToolChoice::Named("undo"), undo_alone),
        ];
        for (choice, expect) in choices {
            let body = wire(&request(Vec::new(), vec![undo()], choice));
            assert_eq!(body["tool_choice"], expect);
            let tool = json!([{"type": "function", "function": {
                "name": "undo", "description": "Takes back the latest change.", "strict": true,
                "parameters": {"type": "object", "properties": {}},
            }}]);
            assert_eq!(body["tools"], tool);
        }
    }

    #[test]
    fn a_schema_has_only_what_strict_mode_allows() {
        let schema = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "minLength": 1, "maxLength": 255, "description": "It."},
                "default": {"type": ["integer", "null"], "minimum": 1, "default": 5, "format": "x"},
                "tags": {"type": "array", "maxItems": 3, "items": {"type": "string", "pattern": "^a"}},
                "place": {"anyOf": [{"type": "string", "maxLength": 3}, {"type": "null"}]},
                "level": {"type": "string", "enum": ["low", "high"]},
            },
            "required": ["title"],
            "additionalProperties": false,
            "$schema": "x",
            "title": "X",
        });
        let expect = json!({
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": "It."},
                "default": {"type": ["integer", "null"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "place": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "level": {"type": "string", "enum": ["low", "high"]},
            },
            "required": ["title"],
            "additionalProperties": false,
        });
        assert_eq!(allowed(&schema), expect);
    }

    #[test]
    fn requests_begin_with_the_same_bytes() {
        let text = |words: &str| {
            let prompt = vec![PromptMessage::User(words.to_owned())];
            let request = request(prompt, vec![undo()], ToolChoice::Auto);
            let written = WrittenTools::new(&request.tools).unwrap();
            let body = RequestBody::new("gpt-4", &request, written.text(true));
            serde_json::to_string(&body).unwrap()
        };
        let (one, other) = (text("add milk"), text("undo"));
        let (prefix, _) = one.split_once("add milk").unwrap();
        assert!(prefix.contains("\"tools\":[{"));
        assert!(other.starts_with(prefix));
    }
}
