//! Members of JSON objects.

use serde_json::Value;

/// Gives an object a member, in place of one of that name; what is no object stays as it is.
pub fn put_member(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value.into());
    }
}
