//! One text per JSON value, so that equal payloads have equal hashes (RFC 8785).
//!
//! Keys are sorted by their UTF-16 code units, there is no white space, and numbers are
//! written as ECMAScript writes them. One deviation: integers beyond 2^53 keep all their
//! digits instead of being rounded to a double, since a log must not change what it is told.

use std::cmp::Ordering;

use serde_json::Value;

/// The canonical text of a value.
///
/// ```
/// use candor::audit::canonical;
/// let value = serde_json::json!({"b": 1.0, "a": ["x", null]});
/// assert_eq!(canonical(&value), r#"{"a":["x",null],"b":1}"#);
/// ```
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by(|(a, _), (b, _)| by_utf16(a, b));
            out.push('{');
            for (nth, (name, item)) in members.into_iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                write_string(name, out);
                out.push(':');
                write_value(item, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (nth, item) in items.iter().enumerate() {
                if nth > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::String(text) => write_string(text, out),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => write_float(float, out),
            None => out.push_str(&number.to_string()),
        },
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Null => out.push_str("null"),
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
fn by_utf16(a: &str, b: &str) -> Ordering {
    if a.is_ascii() || b.is_ascii() {
        a.cmp(b)
    } else {
        a.encode_utf16().cmp(b.encode_utf16())
    }
}

/// Writes a text. serde_json escapes what RFC 8785 does, in the same way.
pub(super) fn write_string(text: &str, out: &mut String) {
    let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(is_plain) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

#[cfg(test)]
mod tests;
