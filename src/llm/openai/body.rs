//! The body of a request to `/chat/completions`.
//!
//! The tools stand before the messages: every request of a process then begins with the
//! same bytes, as far as servers that cache by prefix are concerned.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::llm::{ModelRequest, PromptMessage, RawCall, ToolChoice, ToolSpec};

/// The body; borrows all its text.
#[derive(Debug, Serialize)]
pub(super) struct RequestBody<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<BodyChoice>,
    messages: Vec<BodyMessage<'a>>,
}

impl<'a> RequestBody<'a> {
    /// Builds the body that asks `model` this `request`, whose tools are written in `tools`.
    pub(super) fn new(
        model: &'a str,
        temperature: Option<f32>,
        request: &'a ModelRequest,
        tools: Option<&'a RawValue>,
    ) -> Self {
        let choice = match request.choice {
            ToolChoice::Auto => BodyChoice::Mode("auto"),
            ToolChoice::Required => BodyChoice::Mode("required"),
            ToolChoice::None => BodyChoice::Mode("none"),
            ToolChoice::Named(name) => BodyChoice::Tool {
                kind: "function",
                function: FunctionName { name },
            },
        };
        Self {
            model,
            stream: false,
            temperature,
            tools,
            // Servers refuse a choice among no tools.
            tool_choice: (!request.tools.is_empty()).then_some(choice),
            messages: request.prompt.iter().map(BodyMessage::new).collect(),
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
            let tools: Vec<BodyTool<'_>> =
                of.iter().map(|spec| BodyTool::new(spec, strict)).collect();
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

/// A mode, or the one tool that must be called.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum BodyChoice {
    Mode(&'static str),
    Tool {
        #[serde(rename = "type")]
        kind: &'static str,
        function: FunctionName,
    },
}

#[derive(Debug, Serialize)]
struct FunctionName {
    name: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum BodyTool<'a> {
    Function { function: BodyFunction<'a> },
}

#[derive(Debug, Serialize)]
struct BodyFunction<'a> {
    name: &'static str,
    description: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    parameters: Value,
}

impl<'a> BodyTool<'a> {
    fn new(spec: &'a ToolSpec, strict: bool) -> Self {
        let function = BodyFunction {
            name: spec.name,
            description: &spec.description,
            strict: strict.then_some(true),
            parameters: allowed(&spec.parameters),
        };
        Self::Function { function }
    }
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

#[derive(Debug, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum BodyMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: &'a str,
    },
    Assistant {
        content: Option<&'a str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<BodyCall<'a>>,
    },
    Tool {
        tool_call_id: &'a str,
        content: &'a str,
    },
}

impl<'a> BodyMessage<'a> {
    fn new(prompt: &'a PromptMessage) -> Self {
        match prompt {
            PromptMessage::System(content) => Self::System { content },
            PromptMessage::User(content) => Self::User { content },
            PromptMessage::Assistant { content, calls } => Self::Assistant {
                // Null content is allowed beside calls only.
                content: content.as_deref().or(calls.is_empty().then_some("")),
                tool_calls: calls.iter().map(BodyCall::new).collect(),
            },
            PromptMessage::Tool { call_id, content } => Self::Tool {
                tool_call_id: call_id,
                content,
            },
        }
    }
}

#[derive(Debug, Serialize)]
struct BodyCall<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Debug, Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> BodyCall<'a> {
    fn new(call: &'a RawCall) -> Self {
        let function = CalledFunction {
            name: &call.name,
            arguments: wire_arguments(&call.arguments),
        };
        Self {
            id: &call.id,
            kind: "function",
            function,
        }
    }
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

    use serde_json::json;

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
        serde_json::to_value(RequestBody::new("gpt-4", None, request, written.text(true))).unwrap()
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
            let body = RequestBody::new("gpt-4", Some(0.2), &request, written.text(true));
            serde_json::to_string(&body).unwrap()
        };
        let (one, other) = (text("add milk"), text("undo"));
        let (prefix, _) = one.split_once("add milk").unwrap();
        assert!(prefix.contains("\"temperature\":0.2,\"tools\":[{"));
        assert!(other.starts_with(prefix));
    }
}
