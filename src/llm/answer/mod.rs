//! Reading one chat completion: a whole answer, or an error.
//!
//! Lenient where servers disagree about shapes, strict about wholeness: what was cut, what
//! carries an error and what says nothing never becomes an [`ModelAnswer`]. Holds no I/O and no
//! policy: what a call asks for is not looked at here.

mod calls;

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{ModelAnswer, ModelError};
use calls::calls_of;

/// Finish reasons that mean the answer stopped before its end, or was taken away. Even its
/// calls can't be trusted then: the last one may lack its arguments, or a sibling.
const CUT: [&str; 17] = [
    "length",
    "max_tokens",
    "max_output_tokens",
    "max_completion_tokens",
    "model_length",
    "model_context_window_exceeded",
    "content_filter",
    "content-filter",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "error",
    "abort",
    "cancelled",
    "incomplete",
    "insufficient_system_resource",
];

/// Finish reasons that announce calls.
const ANNOUNCES_CALLS: [&str; 3] = ["tool_calls", "function_call", "tool_use"];

/// Reads the body of a `200` from `/chat/completions`; `model` is who gets named as its author.
///
/// Tolerated: any other finish reason, content that is null, text or parts, calls that are
/// null or an empty list, the older `function_call`, arguments sent as an object, calls
/// without an id or with each other's.
///
/// # Errors
/// [`ModelError::Malformed`] says what makes it less than a whole answer.
///
/// ```
/// use candor::llm::parse_answer;
/// let body = br#"{"choices":[{"message":{"content":"Hi!"},"finish_reason":"stop"}]}"#;
/// assert_eq!(parse_answer(body, "openai (gpt-4)").unwrap().text.as_deref(), Some("Hi!"));
/// assert!(parse_answer(&body[..40], "openai (gpt-4)").is_err());
/// ```
pub fn parse_answer(body: &[u8], model: &str) -> Result<ModelAnswer, ModelError> {
    let body = serde_json::from_slice(body).map_err(|_| ModelError::Malformed("not JSON"))?;
    read_answer(&body, model)
}

/// [`parse_answer`], once it is JSON.
fn read_answer(body: &Value, model: &str) -> Result<ModelAnswer, ModelError> {
    let choice = body
        .get("choices")
        .and_then(Value::as_array)
        .and_then(|choices| choices.first());
    if present(body.get("error")).is_some()
        || present(choice.and_then(|choice| choice.get("error"))).is_some()
    {
        return Err(ModelError::Malformed("an error in place of an answer"));
    }
    let choice = choice.ok_or(ModelError::Malformed("no choice"))?;
    let message = choice
        .get("message")
        .and_then(Value::as_object)
        .ok_or(ModelError::Malformed("no message"))?;
    let reason = finish_reason(choice)?;
    let calls = calls_of(message)?;
    if calls.is_empty() && ANNOUNCES_CALLS.contains(&reason.as_str()) {
        return Err(ModelError::Malformed("calls announced and not sent"));
    }
    let text = text_of(message)?;
    Ok(ModelAnswer {
        text,
        calls,
        model: model.to_owned(),
        finish: reason,
        usage: usage_of(body),
    })
}

/// The finish reason in lower case, unless it says that the answer was cut.
fn finish_reason(choice: &Value) -> Result<String, ModelError> {
    let reason = choice
        .get("finish_reason")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|reason| !reason.is_empty())
        .ok_or(ModelError::Malformed("no finish reason"))?
        .to_ascii_lowercase();
    if CUT.contains(&reason.as_str()) {
        return Err(ModelError::Malformed("cut before its end"));
    }
    Ok(reason)
}

fn text_of(message: &Map<String, Value>) -> Result<Option<String>, ModelError> {
    let content = match present(message.get("content")) {
        None => Cow::Borrowed(""),
        Some(Value::String(text)) => Cow::Borrowed(text.as_str()),
        Some(Value::Array(parts)) => Cow::Owned(parts.iter().filter_map(text_of_part).collect()),
        Some(_) => return Err(ModelError::Malformed("content of an unknown shape")),
    };
    let content = without_reasoning(&content);
    if !content.is_empty() {
        return Ok(Some(content.to_owned()));
    }
    let refusal = message.get("refusal").and_then(Value::as_str);
    Ok(refusal
        .map(str::trim)
        .filter(|refusal| !refusal.is_empty())
        .map(str::to_owned))
}

/// The words of one part; pictures, sounds and reasoning have none.
fn text_of_part(part: &Value) -> Option<&str> {
    let kind = part.get("type").and_then(Value::as_str).unwrap_or("text");
    match (part, kind) {
        (Value::String(text), _) => Some(text),
        (_, "text" | "output_text") => part.get("text").and_then(Value::as_str),
        (_, "refusal") => part.get("refusal").and_then(Value::as_str),
        _ => None,
    }
}

/// Some servers leave a model's reasoning in front of what it says. It is not said to the user.
fn without_reasoning(text: &str) -> &str {
    let text = text.trim();
    match text.strip_prefix("<think>") {
        Some(thought) => thought
            .split_once("</think>")
            .map_or("", |(_, said)| said.trim()),
        None => text,
    }
}

fn usage_of(body: &Value) -> Option<(u64, u64)> {
    let usage = body.get("usage")?;
    let tokens = |name| usage.get(name).and_then(Value::as_u64);
    Some((tokens("prompt_tokens")?, tokens("completion_tokens")?))
}

fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const NAME: &str = "openai (gpt-4)";

    fn body(message: Value, reason: Value) -> Value {
        let choice = Value::from_iter([("message", message), ("finish_reason", reason)]);
        json!({ "choices": [choice] })
    }

    fn read(message: Value, reason: &str) -> Result<ModelAnswer, ModelError> {
        parse_answer(body(message, json!(reason)).to_string().as_bytes(), NAME)
    }

    fn check_text(content: &Value, expect: &str) {
        check_message(json!({"content": content}), expect);
    }

    fn check_message(message: Value, expect: &str) {
        let answer = read(message, "stop").unwrap();
        assert_eq!(answer.text.as_deref(), Some(expect));
        assert_eq!(answer.calls, []);
        assert_eq!(answer.model, NAME);
    }

    fn check_malformed(body: &str, expect: &'static str) {
        let outcome = parse_answer(body.as_bytes(), NAME);
        assert_eq!(outcome, Err(ModelError::Malformed(expect)), "{body}");
    }

    #[test]
    fn text_comes_in_many_shapes() {
        let said = json!({"role": "assistant", "content": " Hi there. "});
        check_message(said, "Hi there.");
        check_message(json!({"content": "Hi", "tool_calls": null}), "Hi");
        check_message(json!({"content": "Hi", "tool_calls": []}), "Hi");
        let parts = json!([
            {"type": "text", "text": "One, "},
            {"type": "reasoning", "text": "hidden"},
            {"type": "output_text", "text": "two, "},
            "three",
        ]);
        check_text(&parts, "One, two, three");
        check_message(json!({"content": null, "refusal": "No."}), "No.");
        check_text(&json!([{"type": "refusal", "refusal": "No."}]), "No.");
        check_text(&json!("<think>\nhm, a greeting\n</think>\n\nHi"), "Hi");
        let careful = "Use <think> with care";
        check_text(&json!(careful), careful);
    }

    #[test]
    fn a_whole_answer_may_end_for_any_other_reason() {
        for reason in "stop STOP end_turn eos tool_calls_done weird-9".split(' ') {
            assert!(read(json!({"content": "Hi"}), reason).is_ok(), "{reason}");
        }
        let call = json!({"tool_calls": [{"function": {"name": "undo", "arguments": {}}}]});
        assert!(read(call, "stop").is_ok());
    }

    #[test]
    fn usage_is_taken_where_it_is_whole() {
        let mut sent = body(json!({"content": "Hi"}), json!("stop"));
        assert_eq!(read_answer(&sent, NAME).unwrap().usage, None);
        sent["usage"] = json!({"prompt_tokens": 12});
        assert_eq!(read_answer(&sent, NAME).unwrap().usage, None);
        sent["usage"] = json!({"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15});
        assert_eq!(read_answer(&sent, NAME).unwrap().usage, Some((12, 3)));
    }

    #[test]
    fn less_than_a_whole_answer_is_an_error() {
        for text in [
            "",
            "   ",
            "Hello",
            "{\"choices\":",
            "data: {\"choices\":[]}\n\ndata: [DONE]\n",
        ] {
            check_malformed(text, "not JSON");
        }
        check_malformed(&"[".repeat(100_000), "not JSON");
        for value in [
            json!(null),
            json!([]),
            json!("text"),
            json!({}),
            json!({"choices": {}}),
        ] {
            check_malformed(&value.to_string(), "no choice");
        }
        check_malformed("{\"choices\":[]}", "no choice");
        check_malformed("{\"choices\":[null]}", "no message");
        let delta = json!({"choices": [{"delta": {"content": "Hi"}}]});
        check_malformed(&delta.to_string(), "no message");

        let hi = || json!({"content": "Hi"});
        for reason in [json!(null), json!(""), json!(3)] {
            check_malformed(&body(hi(), reason).to_string(), "no finish reason");
        }
        let unfinished = json!({"choices": [{"message": hi()}]});
        check_malformed(&unfinished.to_string(), "no finish reason");
        let called = json!({"tool_calls": [{"function": {"name": "undo"}}]});
        for reason in ["length", "content_filter", "MAX_TOKENS", "error"] {
            for message in [hi(), called.clone()] {
                let cut = body(message, json!(reason)).to_string();
                check_malformed(&cut, "cut before its end");
            }
        }

        let mut with_error = body(hi(), json!("stop"));
        with_error["error"] = json!(null);
        assert!(read_answer(&with_error, NAME).is_ok());
        with_error["error"] = json!({"message": "upstream died"});
        let mut inner = body(hi(), json!("stop"));
        inner["choices"][0]["error"] = json!({"code": 502});
        for sent in [with_error, json!({"error": "overloaded"}), inner] {
            check_malformed(&sent.to_string(), "an error in place of an answer");
        }
    }

    #[test]
    fn a_message_that_says_nothing_is_an_empty_answer() {
        // FR-001 names it: tool_calls that are None or an empty list. The turn says what is missing.
        for message in [
            json!({"content": null}),
            json!({"content": "  \n", "tool_calls": []}),
            json!({"content": "<think>and then it ended"}),
            json!({"content": []}),
        ] {
            let body = body(message, json!("stop")).to_string();
            let answer = parse_answer(body.as_bytes(), "m").unwrap();
            assert_eq!((answer.text, answer.calls.len()), (None, 0));
        }
        let unknown = body(json!({"content": {"text": "Hi"}}), json!("stop"));
        check_malformed(&unknown.to_string(), "content of an unknown shape");
        let announced = body(json!({"content": "On it."}), json!("tool_calls"));
        check_malformed(&announced.to_string(), "calls announced and not sent");
    }

    #[test]
    fn no_beginning_of_an_answer_is_an_answer() {
        let whole = body(
            json!({"content": "Hé", "tool_calls": [
                {"id": "a", "function": {"name": "delete_task"}},
            ]}),
            json!("tool_calls"),
        )
        .to_string();
        for end in 0..whole.len() {
            assert!(
                parse_answer(&whole.as_bytes()[..end], NAME).is_err(),
                "{end}"
            );
        }
        assert!(parse_answer(whole.as_bytes(), NAME).is_ok());
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let keys = "choices message content tool_calls function name arguments id finish_reason \
                    error usage type text function_call refusal";
        let key = prop::sample::select(keys.split_whitespace().collect::<Vec<_>>());
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            prop::sample::select(vec!["", "stop", "tool_calls", "text", "length", "{}"])
                .prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(6, 64, 4, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key.clone().prop_map(str::to_owned), inner, 0..5)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
            prop_assert!(parse_answer(&bytes, NAME).is_err());
        }

        #[test]
        fn any_message_is_whole_or_an_error(message in any_json()) {
            if let Ok(answer) = read_answer(&body(message, json!("stop")), NAME) {
                prop_assert!(answer.text.is_none_or(|text| !text.trim().is_empty()));
                let ids: std::collections::HashSet<_> =
                    answer.calls.iter().map(|call| &call.id).collect();
                prop_assert_eq!(ids.len(), answer.calls.len());
            }
        }
    }
}
