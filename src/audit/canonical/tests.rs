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

/// Writes what serde_json makes of it by the plain rule: sort, then write.
fn by_the_rule(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            let written = members.into_iter().map(|(name, value)| {
                let mut member = String::new();
                write_string(name, &mut member);
                member.push(':');
                by_the_rule(value, &mut member);
                member
            });
            out.push_str(&format!("{{{}}}", written.collect::<Vec<_>>().join(",")));
        }
        Value::Array(items) => {
            let written = items.iter().map(|item| {
                let mut text = String::new();
                by_the_rule(item, &mut text);
                text
            });
            out.push_str(&format!("[{}]", written.collect::<Vec<_>>().join(",")));
        }
        Value::Number(number) if number.is_f64() => write_float(number.as_f64().unwrap(), out),
        Value::String(text) => write_string(text, out),
        plain => out.push_str(&plain.to_string()),
    }
}

#[track_caller]
fn check_written(told: &impl Serialize) -> CanonicalText {
    let value = serde_json::to_value(told).unwrap();
    let (written, mut expect) = (CanonicalText::of(told), String::new());
    by_the_rule(&value, &mut expect);
    assert_eq!(written.text, expect);
    for member in &written.members {
        let (text, name) = (&written.text, member.name(&written.text));
        let head: String =
            serde_json::from_str(text[member.head()].strip_suffix(':').unwrap()).unwrap();
        let mut value_of = String::new();
        by_the_rule(&value[name], &mut value_of);
        assert_eq!((&*head, &text[member.value()]), (name, &*value_of));
    }
    let members = value.as_object().map_or(0, serde_json::Map::len);
    assert_eq!(written.members.len(), members);
    written
}

#[test]
fn what_is_written_at_once_is_what_its_json_would_be() {
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
    fn any_json_is_written_by_the_rule(value in any_json()) {
        check_written(&value);
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
