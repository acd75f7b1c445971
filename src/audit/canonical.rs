//! One text per JSON value, so that equal payloads have equal hashes (RFC 8785).
//!
//! Keys are sorted by their UTF-16 code units, there is no white space, and numbers are
//! written as ECMAScript writes them. One deviation: integers beyond 2^53 keep all their
//! digits instead of being rounded to a double, since a log must not change what it is told.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// The canonical text of a value.
///
/// ```
/// use candor::audit::canonical;
/// let value = serde_json::json!({"b": 1.0, "a": ["x", null]});
/// assert_eq!(canonical(&value), r#"{"a":["x",null],"b":1}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    let mut out = String::new();
    write(value, &mut out);
    out
}

pub(super) fn write(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by(|(a, _), (b, _)| by_utf16(a, b));
            out.push('{');
            for (index, (key, item)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write(item, out);
            }
            out.push('}');
        }
    }
}

fn write_number(number: &Number, out: &mut String) {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(integer), _, _) => out.push_str(&integer.to_string()),
        (_, Some(integer), _) => out.push_str(&integer.to_string()),
        (_, _, Some(float)) => write_float(float, out),
        _ => out.push_str(&number.to_string()),
    }
}

/// ECMAScript's `Number::toString`: the shortest digits that read back as the same double,
/// in plain notation from 1e-6 up to 1e21 and with an exponent outside.
fn write_float(float: f64, out: &mut String) {
    if float == 0.0 {
        // Negative zero too.
        out.push('0');
        return;
    }
    let scientific = format!("{:e}", float.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if float < 0.0 {
        out.push('-');
    }
    let (first, rest) = digits.split_at(1);
    match usize::try_from(exponent) {
        Ok(shift) if shift < 21 => {
            let (whole, fraction) = rest.split_at(rest.len().min(shift));
            out.push_str(first);
            out.push_str(whole);
            out.extend(std::iter::repeat_n('0', shift - whole.len()));
            if !fraction.is_empty() {
                out.push('.');
                out.push_str(fraction);
            }
        }
        Err(_) if exponent >= -6 => {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            out.push_str("0.");
            out.extend(std::iter::repeat_n('0', zeros));
            out.push_str(&digits);
        }
        _ => {
            out.push_str(first);
            if !rest.is_empty() {
                out.push('.');
                out.push_str(rest);
            }
            out.push_str(if exponent < 0 { "e-" } else { "e+" });
            out.push_str(&exponent.unsigned_abs().to_string());
        }
    }
}

/// UTF-16 orders as bytes do, but where a character beyond U+FFFF meets one near the end below.
pub(super) fn by_utf16(a: &str, b: &str) -> Ordering {
    if a.is_ascii() || b.is_ascii() {
        a.cmp(b)
    } else {
        a.encode_utf16().cmp(b.encode_utf16())
    }
}

pub(super) fn write_string(text: &str, out: &mut String) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    // What has to be escaped is ASCII, so that a text is cut between characters there.
    while let Some(at) = rest
        .bytes()
        .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
    {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut special = special.chars();
        match special.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\t') => out.push_str("\\t"),
            Some('\n') => out.push_str("\\n"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\r') => out.push_str("\\r"),
            Some(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            None => {}
        }
        rest = special.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
}
