//! Parts of OpenAI's API that are not offered: calls of the client's own tools, and answers in
//! JSON. A client that needs them is refused, since it could not read the sentence it would get.

use serde_json::Value;

/// A field, and why it can't be as it is.
pub(super) type FieldFault = (&'static str, &'static str);

const TOOLS: &str = "Tools of the client's are not offered: candor runs its own and answers in \
    words. Leave tools out, or send tool_choice \"none\". To call candor's tools use /mcp.";
const CHOICE: &str = "tool_choice must be \"auto\" or \"none\": no answer is a call of a tool.";
const FORMAT: &str = "Structured output (json_object, json_schema, parse()) is not offered: an \
    answer is text. What was done stands as data in the field candor of every answer.";

/// The first thing that is asked for and not offered: tools with the choice among them, then the
/// format of the answer, which stands in the field beside it.
pub(super) fn not_offered(
    (tools, choice): (Option<&Value>, Option<&Value>),
    (format, param): (Option<&Value>, &'static str),
) -> Option<FieldFault> {
    let none = choice.is_some_and(|choice| choice == "none");
    if tools.is_some_and(is_filled) && !none {
        return Some(("tools", TOOLS));
    }
    if choice.is_some_and(|choice| choice.is_object() || choice == "required") {
        return Some(("tool_choice", CHOICE));
    }
    let kind = format.and_then(|format| format.get("type"));
    let structured = kind.is_some_and(|kind| kind != "text");
    structured.then_some((param, FORMAT))
}

fn is_filled(tools: &Value) -> bool {
    match tools {
        Value::Array(tools) => !tools.is_empty(),
        other => !other.is_null(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn text_without_tools_is_offered_and_nothing_else() {
        let check = |body: Value, expect: Option<&str>| {
            let tools = (body.get("tools"), body.get("tool_choice"));
            let found = not_offered(tools, (body.get("format"), "response_format"));
            assert_eq!(found.map(|(param, _)| param), expect, "{body}");
        };
        let tool = json!([{"type": "function"}]);
        check(json!({}), None);
        check(json!({"tools": [], "tool_choice": "auto"}), None);
        check(
            json!({"tools": null, "tool_choice": null, "format": null}),
            None,
        );
        check(json!({"format": {"type": "text"}}), None);
        check(json!({"tools": tool, "tool_choice": "none"}), None);
        check(json!({"tools": tool}), Some("tools"));
        check(
            json!({"tools": tool, "tool_choice": "required"}),
            Some("tools"),
        );
        check(json!({"tool_choice": "required"}), Some("tool_choice"));
        let named = json!({"type": "function", "name": "x"});
        check(json!({"tool_choice": named}), Some("tool_choice"));
        for kind in ["json_object", "json_schema"] {
            check(json!({"format": {"type": kind}}), Some("response_format"));
        }
    }
}
