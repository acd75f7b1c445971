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

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::canonical::{canonical, write_string};
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

/// Writes a payload as it is kept: canonical, and salted where something personal is in it. Gives the
/// SHA-256 of what the chain covers, too, as [`CoveredPayload::hash`] finds it again.
///
/// `salt` must be unguessable, and another for each payload.
pub(super) fn seal(payload: &Value, salt: impl FnOnce() -> String) -> (String, [u8; 32]) {
    let said = |name: &str, value: &Value| is_personal(name) && !value.is_null();
    let (kept, covered) = match payload {
        Value::Object(told) if told.iter().any(|(name, value)| said(name, value)) => {
            let salt = salt();
            let (mut kept, mut covered) = (told.clone(), told.clone());
            kept.insert(SALT.to_owned(), Value::from(&*salt));
            covered.remove(SALT);
            for (name, value) in covered.iter_mut().filter(|(name, value)| said(name, value)) {
                *value = json!({ "sha256": hex(&salted(&salt, name, &canonical(value))) });
            }
            (canonical(&kept.into()), canonical(&covered.into()))
        }
        plain => (canonical(plain), canonical(plain)),
    };
    (kept, Sha256::digest(covered.as_bytes()).into())
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
        let salt = members.get(SALT);
        let salt = salt.and_then(|salt| serde_json::from_str::<String>(salt.get()).ok());
        let Some(salt) = salt else {
            let gone = |(name, value): (&MemberName<'_>, &&RawValue)| {
                is_personal(&name.0) && value.get().starts_with("{\"sha256\":\"")
            };
            return Some(Self {
                text: Cow::Borrowed(payload),
                erased: members.iter().any(gone),
            });
        };
        let mut kept = String::with_capacity(payload.len());
        let mut text = String::with_capacity(payload.len());
        for (MemberName(name), value) in &members {
            put_member(&mut kept, name, value.get());
            if is_personal(name) && value.get() != "null" {
                let hash = hex(&salted(&salt, name, value.get()));
                put_member(&mut text, name, &format!("{{\"sha256\":\"{hash}\"}}"));
            } else if name != SALT {
                put_member(&mut text, name, value.get());
            }
        }
        kept.push('}');
        text.push('}');
        // What is put together from members hides white space, and where each of them stands.
        (kept == payload).then_some(Self {
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

/// The members of an object, each value as its own text.
type RawMembers<'a> = BTreeMap<MemberName<'a>, &'a RawValue>;

/// A member's name, borrowed where it stands without escapes.
#[derive(PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct MemberName<'a>(#[serde(borrow)] Cow<'a, str>);

impl Borrow<str> for MemberName<'_> {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// Adds a member to the text of an object.
fn put_member(text: &mut String, name: &str, value: &str) {
    text.push(if text.is_empty() { '{' } else { ',' });
    write_string(name, text);
    text.push(':');
    text.push_str(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed() -> String {
        let payload = json!({"kind": "chat", "message": "Deleted: Read book", "reason": null});
        seal(&payload, || "salt of this event".to_owned()).0
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
            let (text, hash) = seal(&payload, || "salt of this event".to_owned());
            assert_eq!(CoveredPayload::of(&text).unwrap().hash(), hash, "{payload}");
            let kept: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(canonical(&kept), text);
        }
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
        let payload = seal(&json!({"status": 201}), || "unused".to_owned()).0;
        assert_eq!(payload, r#"{"status":201}"#);
        let covered = CoveredPayload::of(&payload).unwrap();
        assert_eq!((&*covered.text, covered.erased), (&*payload, false));
        assert_eq!(erase(&payload), None);
        assert_eq!(CoveredPayload::of("{\"a\":1"), None);
        assert_eq!(CoveredPayload::of("1 2"), None);
        assert_eq!(&*CoveredPayload::of("\"ok\"").unwrap().text, "\"ok\"");
    }
}
