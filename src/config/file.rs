//! `candor.toml` as a tree of keys: every reading names its key, and no key goes unread.
//!
//! Values are never quoted where a key of a server could stand by mistake: a fault of the
//! syntax tells its line and nothing of its text.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::Path;

use toml::{Table, Value};

use super::fault::ConfigError;
use super::variables::joined;

/// Name that faults are reported under.
pub const FILE: &str = "candor.toml";

/// Least likeness of a known key to an unknown one for both to be named, from 0 to 1.
const LIKENESS: f64 = 0.7;

/// The longest file that is read, in bytes.
const FILE_MAX: u64 = 1 << 20;

/// A fault of one key, with what it takes.
pub fn fault(
    key: &str,
    fault: impl std::fmt::Display,
    accepted: impl Into<Cow<'static, str>>,
) -> ConfigError {
    ConfigError::new(FILE, format!("{key} {fault}"), accepted)
}

/// The file's table.
///
/// # Errors
/// When it can't be read, or is no TOML: with the line, without its text.
pub fn open(path: &Path) -> Result<Table, ConfigError> {
    const TOML: &str = "TOML as in docs/DELEGATION.md";
    let long = std::fs::metadata(path).is_ok_and(|meta| meta.len() > FILE_MAX);
    let text = if long {
        None
    } else {
        std::fs::read_to_string(path).ok()
    };
    let text = text.ok_or_else(|| ConfigError::new(FILE, "the file can't be read", TOML))?;
    parse(&text)
}

/// The table of a file's text.
///
/// # Errors
/// When it is no TOML.
pub fn parse(text: &str) -> Result<Table, ConfigError> {
    text.parse::<Table>().map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.get(..start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let why = error.message().lines().next().unwrap_or_default();
        // What it met may be part of a key; what it wanted is not.
        let why = why
            .split(['`', '"', '\''])
            .next()
            .unwrap_or_default()
            .trim();
        let why = if why.is_empty() { "no TOML" } else { why };
        ConfigError::new(FILE, format!("line {line} can't be read: {why}"), "TOML")
    })
}

/// One table of the file, under its name: `[delegation]`, `[[providers]] 2`.
#[derive(Debug)]
pub struct FileSection<'a> {
    name: String,
    table: &'a Table,
}

impl<'a> FileSection<'a> {
    /// A table, all of whose keys must be `known`.
    ///
    /// # Errors
    /// For a key that is not, naming the nearest one that is.
    pub fn new(
        name: impl Into<String>,
        table: &'a Table,
        known: &[&'static str],
        accepted: impl Into<Cow<'static, str>>,
    ) -> Result<Self, ConfigError> {
        let name = name.into();
        for key in table.keys() {
            if known.contains(&key.as_str()) {
                continue;
            }
            let shown: String = key.escape_debug().take(60).collect();
            let key_there = format!("{name} {shown}");
            let fault = match nearest(key, known) {
                Some(near) => format!("is not a key; did you mean {near}?"),
                None => "is not a key".to_owned(),
            };
            return Err(self::fault(key_there.trim(), fault, accepted));
        }
        Ok(Self { name, table })
    }

    /// A fault of one of its keys.
    pub fn fault(
        &self,
        key: &str,
        fault: impl std::fmt::Display,
        accepted: impl Into<Cow<'static, str>>,
    ) -> ConfigError {
        self::fault(format!("{} {key}", self.name).trim(), fault, accepted)
    }

    /// A text that is not blank; an empty one counts as not given.
    ///
    /// # Errors
    /// For anything but text on one line.
    pub fn text(
        &self,
        key: &str,
        accepted: impl Into<Cow<'static, str>>,
    ) -> Result<Option<&'a str>, ConfigError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.chars().any(char::is_control) => {
                Err(self.fault(key, "holds a control character", accepted))
            }
            Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
            Some(_) => Err(self.fault(key, "is not text", accepted)),
        }
    }

    /// A list of texts, none of them blank.
    pub fn texts(&self, key: &str, accepted: &'static str) -> Result<Vec<String>, ConfigError> {
        let list = match self.table.get(key) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(_) => return Err(self.fault(key, "is not a list", accepted)),
        };
        let text = |value: &Value| {
            let text = value.as_str().map(str::trim)?;
            let fits = !text.is_empty() && !text.chars().any(char::is_control);
            fits.then(|| text.to_owned())
        };
        let texts: Option<Vec<_>> = list.iter().map(text).collect();
        texts.ok_or_else(|| self.fault(key, "holds what is not text on one line", accepted))
    }

    /// One word of `words`, or `default`.
    pub fn word<T: Copy>(
        &self,
        key: &str,
        words: &[(&str, T)],
        default: Option<T>,
    ) -> Result<T, ConfigError> {
        let accepted = joined(words.iter().map(|(word, _)| *word));
        let Some(value) = self.text(key, accepted.clone())? else {
            return default.ok_or_else(|| self.fault(key, "is missing", accepted));
        };
        let found = words.iter().find(|(word, _)| *word == value);
        found.map(|(_, meant)| *meant).ok_or_else(|| {
            let shown: String = value.chars().take(60).collect();
            self.fault(
                key,
                format!("= {shown:?} is not one of its words"),
                accepted,
            )
        })
    }

    /// A whole number within `range`.
    pub fn number(
        &self,
        key: &str,
        range: RangeInclusive<i64>,
        accepted: &'static str,
    ) -> Result<Option<u64>, ConfigError> {
        let fault = match self.table.get(key) {
            None => return Ok(None),
            Some(Value::Integer(number)) if range.contains(number) => {
                return Ok(Some(number.unsigned_abs()));
            }
            Some(Value::Integer(number)) => format!("= {number} is out of its range"),
            Some(_) => "is not a whole number".to_owned(),
        };
        Err(self.fault(key, fault, accepted))
    }

    /// `true` or `false`.
    pub fn switch(&self, key: &str, default: bool) -> Result<bool, ConfigError> {
        match self.table.get(key) {
            None => Ok(default),
            Some(Value::Boolean(value)) => Ok(*value),
            Some(_) => Err(self.fault(key, "is neither true nor false", "true, false")),
        }
    }

    /// Tells whether the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A command line: text that is split at spaces, or a list of its parts.
    pub fn command(&self, key: &str, accepted: &'static str) -> Result<Vec<String>, ConfigError> {
        match self.table.get(key) {
            Some(Value::String(_)) => {
                let line = self.text(key, accepted)?.unwrap_or_default();
                Ok(line.split_whitespace().map(str::to_owned).collect())
            }
            _ => self.texts(key, accepted),
        }
    }
}

/// The known key most like this one, if any is like it at all.
fn nearest(key: &str, known: &[&'static str]) -> Option<&'static str> {
    let likeness = |name: &&'static str| strsim::jaro_winkler(&key.to_lowercase(), name);
    let ranked = known.iter().copied().map(|name| (likeness(&name), name));
    let best = ranked.max_by(|one, other| one.0.total_cmp(&other.0));
    best.filter(|(like, _)| *like >= LIKENESS)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_toml_is_told_by_its_line_and_not_by_its_text() {
        for text in [
            "a = 1\nkey = sk-canary\n",
            "a = 1\n[providers\n",
            "a = 1\napi_key = \"sk-canary\n",
            "a = 1\na = \"sk-canary\"\n",
        ] {
            let line = parse(text).unwrap_err().to_string();
            assert!(line.starts_with("candor.toml: line "), "{line}");
            assert!(!line.contains("canary") && !line.contains('\n'), "{line}");
        }
    }

    #[test]
    fn the_nearest_key_is_named_where_one_is_near() {
        let known = ["default_persona", "max_depth"];
        assert_eq!(nearest("default_persnoa", &known), Some("default_persona"));
        assert_eq!(nearest("MaxDepth", &known), Some("max_depth"));
        assert_eq!(nearest("zzz", &known), None);
    }
}
