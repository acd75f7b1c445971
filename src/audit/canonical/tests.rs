//! Canonical form of JSON.

use proptest::prelude::*;
use serde_json::json;

use super::*;

#[track_caller]
fn check(value: &Value, expect: &str) {
    assert_eq!(canonical(value), expect);
}

#[test]
fn keys_sort_by_utf16_units_at_every_depth() {
    check(
        &json!({"b": {"z": 1, "a": 2}, "a": []}),
        r#"{"a":[],"b":{"a":2,"z":1}}"#,
    );
    // U+1F600 is a surrogate pair (D83D…) and so sorts before U+FB33.
    check(
        &json!({"\u{fb33}": 1, "\u{1f600}": 2}),
        "{\"\u{1f600}\":2,\"\u{fb33}\":1}",
    );
}

#[test]
fn strings_escape_what_must_be_escaped_and_nothing_else() {
    check(
        &json!("a\"\\/\u{8}\u{c}\n\r\t\u{1}é\u{2028}"),
        "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001é\u{2028}\"",
    );
}

#[test]
fn numbers_are_written_as_ecmascript_writes_them() {
    for (float, expect) in [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.000_001, "0.000001"),
        (0.000_000_1, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (123_456.789, "123456.789"),
        (100.0, "100"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
        (333_333_333.333_333_3, "333333333.3333333"),
    ] {
        check(&json!(float), expect);
    }
    check(&json!(u64::MAX), "18446744073709551615");
    check(&json!(i64::MIN), "-9223372036854775808");
}

/// Checks that what is written reads as the same JSON, and is written so again.
#[track_caller]
fn check_written(value: &Value) {
    let text = canonical(value);
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(as_doubles(&read), as_doubles(value));
    assert_eq!(canonical(&read), text);
}

/// The same value with every number as a double.
fn as_doubles(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), as_doubles(value)));
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(as_doubles).collect(),
        // A large double may be written as a whole number.
        Value::Number(number) => number.as_f64().into(),
        plain => plain.clone(),
    }
}

#[test]
fn names_and_values_of_every_kind_read_back_as_they_were() {
    check_written(&json!({
        "title": "two \"litres\"\u{1}",
        "b\"c": {"y": [{"b": 1, "a": "\n"}, []], "x": {}},
        "\u{fb33}": null,
        "\u{1f600}": 1e21,
        "\\": -0.0,
        "numbers": [u64::MAX, i64::MIN, 0.1_f32],
    }));
}

proptest! {
    #[test]
    fn any_json_reads_back_as_it_was(value in any_json()) {
        check_written(&value);
    }

    #[test]
    fn whole_numbers_keep_every_digit(number in any::<i64>()) {
        check(&json!(number), &number.to_string());
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let name = || "[a-c\"\\\\é\u{fb33}\u{1f600}]{0,3}";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((name(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
