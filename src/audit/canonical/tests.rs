//! Canonical form, of JSON and of whatever else is written.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::Serialize;
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

/// Members out of order, beside each other and inside one another.
#[derive(Serialize)]
struct Told<'a> {
    title: &'a str,
    at: chrono::DateTime<chrono::Utc>,
    id: uuid::Uuid,
    inner: Inner,
    none: Option<u8>,
    some: Option<char>,
    pair: (i64, f32),
    unit: (),
    kinds: Vec<Kind>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize)]
struct Inner {
    z: Newtype,
    a: BTreeMap<u8, bool>,
}

#[derive(Serialize)]
struct Newtype(u64);

#[derive(Serialize)]
enum Kind {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct { z: u8, a: f64 },
}

/// Checks that what is written reads as the same JSON, with every member where its span says.
#[track_caller]
fn check_written(told: &impl Serialize) {
    let value = serde_json::to_value(told).unwrap();
    let CanonicalText { text, members } = CanonicalText::of(told);
    let read: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(as_doubles(&read), as_doubles(&value));
    assert_eq!(
        (canonical(&value), canonical(&read)),
        (text.clone(), text.clone())
    );
    let mut heads = Vec::new();
    for MemberSpan {
        name,
        head,
        value: at,
    } in &members
    {
        let head = text[head.clone()].strip_suffix(':').unwrap();
        assert_eq!(&serde_json::from_str::<String>(head).unwrap(), name);
        assert_eq!(text[at.clone()], canonical(&value[name]));
        heads.push(name.encode_utf16().collect::<Vec<_>>());
    }
    assert!(heads.is_sorted());
    assert_eq!(heads.len(), value.as_object().map_or(0, Map::len));
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
fn whatever_serde_writes_has_a_canonical_text() {
    let kinds = || {
        vec![
            Kind::Unit,
            Kind::Newtype(1),
            Kind::Tuple(2, 3),
            Kind::Struct { z: 4, a: 0.5 },
        ]
    };
    let rest = [
        ("b\"c", json!({"y": [{"b": 1, "a": "\n"}, []], "x": {}})),
        ("\u{fb33}", json!(null)),
        ("\u{1f600}", json!(1e21)),
        ("\\", json!(-0.0)),
    ];
    check_written(&Told {
        title: "two \"litres\"\u{1}",
        at: chrono::DateTime::from_timestamp(1_770_544_800, 5_000).unwrap(),
        id: uuid::Uuid::from_u128(7),
        inner: Inner {
            z: Newtype(u64::MAX),
            a: [(7, true), (10, false)].into(),
        },
        none: None,
        some: Some('"'),
        pair: (i64::MIN, 0.1),
        unit: (),
        kinds: kinds(),
        rest: rest.map(|(name, value)| (name.to_owned(), value)).into(),
    });
    for kind in kinds() {
        check_written(&kind);
    }
    check_written(&f64::NAN);
    check_written(&[json!({"b": 1, "a": 2})]);
}

#[test]
fn what_cannot_be_written_is_told_as_such() {
    let map: BTreeMap<Vec<u8>, u8> = [(vec![1], 1)].into();
    let written = CanonicalText::of(&json!({"told": 1}));
    assert_eq!(written.members.len(), 1);
    let written = CanonicalText::of(&map);
    assert!(
        written.text.starts_with("\"it can't be written: "),
        "{}",
        written.text
    );
    assert_eq!(written.members, []);
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
