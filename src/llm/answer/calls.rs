//! The calls of one message: named, with arguments, each with an id of its own.
//!
//! Arguments stay text: whether they are JSON, and fit the tool, is for `tools` to say.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::present;
use crate::llm::{ModelError, RawCall};

/// The longest call id that is echoed back to the server.
const ID_MAX: usize = 256;

/// The calls of a message, in order.
pub(super) fn calls_of(message: &Map<String, Value>) -> Result<Vec<RawCall>, ModelError> {
    let mut ids = AnswerIds::default();
    let listed = match present(message.get("tool_calls")) {
        None => &[][..],
        Some(Value::Array(calls)) => calls.as_slice(),
        Some(_) => return Err(ModelError::Malformed("calls that are no list")),
    };
    if let ([], Some(function)) = (listed, present(message.get("function_call"))) {
        return Ok(vec![raw_call(function, None, &mut ids)?]);
    }
    listed
        .iter()
        .map(|call| {
            let function = present(call.get("function"))
                .ok_or(ModelError::Malformed("a call that is no function"))?;
            raw_call(function, call.get("id"), &mut ids)
        })
        .collect()
}

fn raw_call(
    function: &Value,
    id: Option<&Value>,
    ids: &mut AnswerIds,
) -> Result<RawCall, ModelError> {
    let name = function
        .get("name")
        .and_then(Value::as_str)
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .ok_or(ModelError::Malformed("a call without a name"))?;
    let arguments = match present(function.get("arguments")) {
        // Servers differ in how they spell "none" for a tool that takes none.
        None => "{}".to_owned(),
        Some(Value::String(arguments)) if arguments.trim().is_empty() => "{}".to_owned(),
        Some(Value::String(arguments)) => arguments.clone(),
        Some(other) => other.to_string(),
    };
    Ok(RawCall {
        id: ids.next(id.and_then(Value::as_str)),
        name: name.to_owned(),
        arguments,
    })
}

/// The ids of one answer: each used once, made up by position where there is none.
#[derive(Debug, Default)]
struct AnswerIds {
    count: usize,
    uses: HashMap<String, usize>,
}

impl AnswerIds {
    fn next(&mut self, sent: Option<&str>) -> String {
        self.count += 1;
        let usable = |id: &&str| {
            !id.trim().is_empty() && id.len() <= ID_MAX && !id.chars().any(char::is_control)
        };
        let wanted = sent
            .filter(usable)
            .map_or_else(|| format!("call_{}", self.count), str::to_owned);
        let mut id = wanted.clone();
        while self.uses.contains_key(&id) {
            // Counting on from the last copy keeps a thousand equal ids linear.
            let uses = self.uses.entry(wanted.clone()).or_insert(1);
            *uses += 1;
            id = format!("{wanted}_{uses}");
        }
        self.uses.insert(id.clone(), 1);
        id
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(message: Value) -> Result<Vec<RawCall>, ModelError> {
        let Value::Object(message) = message else {
            panic!("a message is an object");
        };
        calls_of(&message)
    }

    fn function(name: &str, arguments: Value) -> Value {
        Value::from_iter([("name", json!(name)), ("arguments", arguments)])
    }

    fn check_calls(message: Value, expect: &[(&str, &str, &str)]) {
        let calls = read(message).unwrap();
        let calls: Vec<_> = calls
            .iter()
            .map(|it| (it.id.as_str(), it.name.as_str(), it.arguments.as_str()))
            .collect();
        assert_eq!(calls, expect);
    }

    #[test]
    fn calls_come_in_many_shapes() {
        check_calls(
            json!({"content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": function("undo", json!("{}"))},
                {"id": "b", "function": function("delete_task", json!("{\"task\":\"milk\"}"))},
            ]}),
            &[
                ("a", "undo", "{}"),
                ("b", "delete_task", "{\"task\":\"milk\"}"),
            ],
        );
        check_calls(
            json!({"function_call": function("complete_task", json!({"task": "2"}))}),
            &[("call_1", "complete_task", "{\"task\":\"2\"}")],
        );
        check_calls(
            json!({"tool_calls": [
                {"function": {"name": "undo"}},
                {"function": function("undo", json!(null))},
                {"function": function("undo", json!("  "))},
                {"function": function("undo", json!("{\"broken"))},
                {"function": function("undo", json!(["list"]))},
            ]}),
            &[
                ("call_1", "undo", "{}"),
                ("call_2", "undo", "{}"),
                ("call_3", "undo", "{}"),
                ("call_4", "undo", "{\"broken"),
                ("call_5", "undo", "[\"list\"]"),
            ],
        );
    }

    #[test]
    fn every_call_has_an_id_of_its_own() {
        let call = |id: Value| json!({"id": id, "function": function("undo", json!("{}"))});
        let calls = [
            json!("x"),
            json!("x"),
            json!("x_2"),
            json!(""),
            json!(7),
            json!(null),
            json!("call_4"),
            json!("x"),
            json!("line\nbreak"),
            json!("y".repeat(ID_MAX + 1)),
        ];
        let calls = read(json!({"tool_calls": calls.map(call)})).unwrap();
        let ids: Vec<_> = calls.iter().map(|call| call.id.as_str()).collect();
        let expect = [
            "x", "x_2", "x_2_2", "call_4", "call_5", "call_6", "call_4_2", "x_3", "call_9",
            "call_10",
        ];
        assert_eq!(ids, expect);
    }

    #[test]
    fn a_garbled_call_is_an_error() {
        let cases = [
            (json!({"tool_calls": "undo"}), "calls that are no list"),
            (
                json!({"tool_calls": ["undo"]}),
                "a call that is no function",
            ),
            (
                json!({"tool_calls": [{"type": "custom"}]}),
                "a call that is no function",
            ),
            (
                json!({"tool_calls": [{"function": {}}]}),
                "a call without a name",
            ),
            (
                json!({"tool_calls": [{"function": {"name": " "}}]}),
                "a call without a name",
            ),
            (json!({"function_call": {}}), "a call without a name"),
        ];
        for (message, expect) in cases {
            assert_eq!(read(message), Err(ModelError::Malformed(expect)));
        }
    }

    #[test]
    fn many_equal_ids_stay_linear() {
        let call = json!({"id": "x", "function": {"name": "undo"}});
        let calls: Vec<_> = std::iter::repeat_n(call, 50_000).collect();
        let calls = read(json!({"tool_calls": calls})).unwrap();
        assert_eq!(calls.last().unwrap().id, "x_50000");
    }
}
