//! Parts of a JSON text as slices of it, so that a task is known by its line.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Unreadable;
use super::draft::Draft;

/// Values that stand one after another in a text; most hold one.
pub(super) fn values(text: &str) -> Result<Vec<&RawValue>, Unreadable> {
    let unreadable = |error: serde_json::Error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let text = error.to_string();
        let fault = text.split(" at line ").next().unwrap_or_default();
        Unreadable(format!("it is not JSON: {fault} ({place})"))
    };
    let values = serde_json::Deserializer::from_str(text).into_iter();
    let values: Result<Vec<&RawValue>, _> = values.collect();
    let values = values.map_err(unreadable)?;
    if values.is_empty() {
        return Err(Unreadable("it is not JSON: it is empty".to_owned()));
    }
    Ok(values)
}

/// The fields of an object.
pub(super) fn object(value: &RawValue) -> Option<BTreeMap<String, &RawValue>> {
    serde_json::from_str(value.get()).ok()
}

/// The elements of an array.
pub(super) fn elements(value: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(value.get()).ok()
}

/// A string; none for any other value.
pub(super) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The objects of a text that tell a layout: the root, its elements, and the elements of its
/// fields.
pub(super) fn objects(text: &str) -> Vec<BTreeMap<String, &RawValue>> {
    let mut found = Vec::new();
    for root in values(text).unwrap_or_default() {
        let mut within = elements(root).unwrap_or_default();
        if let Some(root) = object(root) {
            within.extend(root.values().filter_map(|value| elements(value)).flatten());
            found.push(root);
        }
        found.extend(within.into_iter().filter_map(object));
    }
    found
}

impl Draft {
    /// Counts a field that is not kept: elements of an array, or one value that says anything.
    pub(super) fn leave(&mut self, name: &str, value: &Value) {
        let number = match value {
            Value::Null | Value::Bool(false) => 0,
            Value::Number(number) => usize::from(number.as_f64() != Some(0.0)),
            Value::String(text) => usize::from(!text.trim().is_empty()),
            Value::Array(items) => items.len(),
            Value::Object(fields) => usize::from(!fields.is_empty()),
            Value::Bool(true) => 1,
        };
        self.left_out.count(name, number);
    }

    /// Counts fields that are not kept, but for those that say nothing of the task.
    pub(super) fn leave_all(&mut self, fields: &BTreeMap<String, Value>, silent: &[&str]) {
        for (name, value) in fields {
            if !silent.contains(&name.as_str()) {
                self.leave(name, value);
            }
        }
    }
}

/// Reads a task's object, or says what is wrong with it.
pub(super) fn task<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| {
        let object = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(text).is_ok();
        let text = error.to_string();
        let fault = text.split(" at line ").next().unwrap_or_default();
        if object {
            format!("it is no task of this program: {fault}")
        } else {
            "a task is an object with a title".to_owned()
        }
    })
}
