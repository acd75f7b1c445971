//! Part of a payload that the chain covers: personal text can be erased and the log stay whole.
//!
//! A payload is one JSON object. Members that hold somebody's words (a message, a title) are
//! *personal*. The chain covers a personal member by a salted hash of it, and everything else
//! as it stands. Erasing replaces each personal member by that hash and removes the salt:
//! what is covered stays the same bytes, and without the salt nobody can try out guesses.
//!
//! ```text
//! kept    {"kind":"chat","message":"Deleted: Read book","salt":"9f…"}
//! covered {"kind":"chat","message":{"sha256":"52…"}}
//! erased  {"kind":"chat","message":{"sha256":"52…"}}
//! ```

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::canonical::canonical;
use super::hex::hex;

/// The member that holds the salt. No payload may use it for anything else.
const SALT: &str = "salt";

/// Members that hold somebody's words, in payloads of any kind.
const PERSONAL: [&str; 13] = [
    "after",
    "answer",
    "answers",
    "arguments",
    "asked",
    "before",
    "composed",
    "dropped",
    "message",
    "prompt",
    "reading",
    "reason",
    "text",
];

/// Separates these hashes from all others made with the same function.
const DOMAIN: &[u8] = b"candor personal member 1\n";

/// Content of an event: an object, each member of which is personal or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventPayload(Value);

impl EventPayload {
    /// Makes a payload of what is told. What cannot be written (a map whose names are no texts) is
    /// told as such, since a log must not lose an event over it.
    pub fn of(told: &impl Serialize) -> Self {
        let value = serde_json::to_value(told);
        Self(value.unwrap_or_else(|error| format!("it can't be written: {error}").into()))
    }

    /// The same as JSON.
    pub const fn as_value(&self) -> &Value {
        &self.0
    }

    /// Writes it as it is kept: canonical, and salted where something personal is in it. Gives the
    /// SHA-256 of what the chain covers, too, as [`CoveredPayload::hash`] finds it again.
    ///
    /// `salt` must be unguessable, and another for each payload.
    pub(super) fn seal(&self, salt: impl FnOnce() -> String) -> (String, [u8; 32]) {
        let said = |name: &str, value: &Value| is_personal(name) && !value.is_null();
        let (kept, covered) = match &self.0 {
            Value::Object(told) if told.iter().any(|(name, value)| said(name, value)) => {
                let salt = salt();
                let (mut kept, mut covered) = (told.clone(), told.clone());
                kept.insert(SALT.to_owned(), Value::from(&*salt));
                covered.remove(SALT);
                for (name, value) in covered.iter_mut().filter(|(name, value)| said(name, value)) {
                    let hash = hex(&salted(&salt, name, &canonical(value)));
                    *value = json!({ "sha256": hash });
                }
                (canonical(&kept.into()), canonical(&covered.into()))
            }
            plain => (canonical(plain), canonical(plain)),
        };
        (kept, Sha256::digest(covered.as_bytes()).into())
    }
}

impl From<Value> for EventPayload {
    fn from(told: Value) -> Self {
        Self(told)
    }
}

/// Part of a payload that the chain covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredPayload<'a> {
    /// The covered bytes.
    pub text: Cow<'a, str>,
    /// True when the personal members are gone, and only their hashes stand.
    pub erased: bool,
}

impl<'a> CoveredPayload<'a> {
    /// Reads what is covered of a payload's text; none when the text is not as it was kept.
    pub fn of(payload: &'a str) -> Option<Self> {
        if !payload.starts_with('{') {
            // A bare value holds nothing personal, but it must still be one value.
            let whole: Result<&RawValue, _> = serde_json::from_str(payload);
            return whole.ok().map(|_| Self {
                text: Cow::Borrowed(payload),
                erased: false,
            });
        }
        let members: RawMembers<'_> = serde_json::from_str(payload).ok()?;
        let Some(salt) = members.salt() else {
            let gone = |(name, value): &(Cow<'_, str>, &RawValue)| {
                is_personal(name) && value.get().starts_with("{\"sha256\":\"")
            };
            return Some(Self {
                text: Cow::Borrowed(payload),
                erased: members.0.iter().any(gone),
            });
        };
        if !members.are_all_of(payload) {
            return None;
        }
        let mut text = String::with_capacity(payload.len());
        for (name, value) in &members.0 {
            if name == SALT {
                continue;
            }
            text.push(if text.is_empty() { '{' } else { ',' });
            match name {
                // A name that stands without escapes needs none.
                Cow::Borrowed(plain) => {
                    text.push('"');
                    text.push_str(plain);
                    text.push('"');
                }
                Cow::Owned(name) => text.push_str(&canonical(&Value::String(name.clone()))),
            }
            text.push(':');
            if is_personal(name) && value.get() != "null" {
                text.push_str("{\"sha256\":\"");
                text.push_str(&hex(&salted(&salt, name, value.get())));
                text.push_str("\"}");
            } else {
                text.push_str(value.get());
            }
        }
        text.push('}');
        Some(Self {
            text: Cow::Owned(text),
            erased: false,
        })
    }

    /// SHA-256 of the covered bytes.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }
}

/// The payload without its personal text; none when there is none in it, or no JSON.
pub fn erase(payload: &str) -> Option<String> {
    match CoveredPayload::of(payload)?.text {
        Cow::Owned(text) => Some(text),
        Cow::Borrowed(_) => None,
    }
}

fn is_personal(name: &str) -> bool {
    PERSONAL.binary_search(&name).is_ok()
}

fn salted(salt: &str, name: &str, value: &str) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(DOMAIN);
    for part in [salt, name, value] {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

/// The members of an object in the order they stand, each value as its own text.
struct RawMembers<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl RawMembers<'_> {
    fn salt(&self) -> Option<String> {
        let member = self.0.iter().find(|(name, _)| name == SALT)?;
        serde_json::from_str(member.1.get()).ok()
    }

    /// Tells whether the text holds these members and nothing else, in order. What is put together
    /// again from members would hide white space, and where the salt stands.
    fn are_all_of(&self, text: &str) -> bool {
        let length: usize = (self.0.iter())
            .map(|(name, value)| name.len() + "\"\":,".len() + value.get().len())
            .sum();
        let names = self.0.iter().map(|(name, _)| name);
        length + "{}".len() == text.len() + ",".len() && names.is_sorted_by(|a, b| a < b)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for RawMembers<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = RawMembers<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(16);
                while let Some((name, value)) =
                    map.next_entry::<MemberName<'de>, &'de RawValue>()?
                {
                    members.push((name.0, value));
                }
                Ok(RawMembers(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A member's name, borrowed where it stands without escapes.
struct MemberName<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for MemberName<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MemberText;
        impl<'de> Visitor<'de> for MemberText {
            type Value = MemberName<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(MemberName(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(MemberName(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(MemberText)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> String {
        let payload = json!({"kind": "chat", "message": "Deleted: Read book", "reason": null});
        let payload = EventPayload::from(payload);
        payload.seal(|| "salt of this event".to_owned()).0
    }

    #[test]
    fn personal_names_are_sorted() {
        assert!(PERSONAL.is_sorted());
        assert!(!is_personal(SALT));
    }

    #[test]
    fn what_was_hashed_on_the_way_is_what_is_found_again() {
        let personal = |name: &str, value: Value| {
            let mut payload = json!({"zone": "UTC", "ab": [1.0, null], "\u{e9}": {"b": 1, "a": 2}});
            payload[name] = value;
            payload
        };
        let payloads = [
            json!(null),
            json!([]),
            json!({}),
            json!({"message": null, "status": 201}),
            personal("message", json!("line\nand \"quote\"")),
            personal("arguments", json!({"title": "x", "at": 1e21})),
            personal("text", json!({"sha256": "no hash"})),
            json!({"message": "m", "salt": "not the salt"}),
            json!({"after": {}, "before": "b", "zzz": 1, "reading": [1, 2]}),
        ];
        for payload in payloads {
            let sealed = EventPayload::of(&payload).seal(|| "salt of this event".to_owned());
            let (text, hash) = sealed;
            assert_eq!(CoveredPayload::of(&text).unwrap().hash(), hash, "{payload}");
            let kept: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(canonical(&kept), text);
        }
    }

    #[test]
    fn what_cannot_be_written_is_told_as_such() {
        let map = std::collections::BTreeMap::from([(vec![1], 1)]);
        let (text, _) = EventPayload::of(&map).seal(String::new);
        assert!(text.starts_with("\"it can't be written: "), "{text}");
    }

    #[test]
    fn erasing_keeps_what_is_covered_and_none_of_the_words() {
        let kept = sealed();
        assert!(kept.contains("Read book") && kept.contains("salt of this event"));
        let covered = CoveredPayload::of(&kept).unwrap();
        assert!(!covered.erased);
        let erased = erase(&kept).unwrap();
        assert!(!erased.contains("Read book") && !erased.contains("salt"));
        assert!(erased.contains("\"kind\":\"chat\"") && erased.contains("\"reason\":null"));
        let after = CoveredPayload::of(&erased).unwrap();
        assert!(after.erased);
        assert_eq!(after.hash(), covered.hash());
        assert_eq!(erase(&erased), None);
    }

    #[test]
    fn words_salt_and_the_rest_are_all_covered() {
        let kept = sealed();
        let covered = CoveredPayload::of(&kept).unwrap().hash();
        for (from, to) in [
            ("Read book", "Read Book"),
            ("salt of", "Salt of"),
            ("chat", "Chat"),
            ("null", "true"),
            ("\"reason\"", "\"season\""),
        ] {
            let changed = kept.replacen(from, to, 1);
            assert_ne!(changed, kept);
            let changed = CoveredPayload::of(&changed).map(|covered| covered.hash());
            assert_ne!(changed, Some(covered), "{from}");
        }
        for (from, to) in [
            ("{\"", "{ \""),
            (",\"", ", \""),
            ("\"message", "\"\\u006dessage"),
        ] {
            let changed = kept.replacen(from, to, 1);
            assert_eq!(CoveredPayload::of(&changed), None, "{changed}");
        }
        assert_eq!(CoveredPayload::of(&format!("{kept} ")), None);
        let members = kept.trim_matches(['{', '}']);
        let (rest, salt) = members.rsplit_once(',').unwrap();
        assert_eq!(CoveredPayload::of(&format!("{{{salt},{rest}}}")), None);
        // Taking the salt away does not pass for an erasure.
        let bare = kept.replace(",\"salt\":\"salt of this event\"", "");
        assert_ne!(CoveredPayload::of(&bare).unwrap().hash(), covered);
    }

    #[test]
    fn what_is_not_personal_is_covered_as_it_stands() {
        let payload = EventPayload::from(json!({"status": 201}));
        let payload = payload.seal(|| "unused".to_owned()).0;
        assert_eq!(payload, r#"{"status":201}"#);
        let covered = CoveredPayload::of(&payload).unwrap();
        assert_eq!((&*covered.text, covered.erased), (&*payload, false));
        assert_eq!(erase(&payload), None);
        assert_eq!(CoveredPayload::of("{\"a\":1"), None);
        assert_eq!(CoveredPayload::of("1 2"), None);
        assert_eq!(&*CoveredPayload::of("\"ok\"").unwrap().text, "\"ok\"");
    }
}
