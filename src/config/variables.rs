//! Sources of values: flags, then the environment, then `.env`.
//!
//! Never writes to the process environment: what `.env` says stays in this map.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;

use super::fault::ConfigError;

/// Every variable the program knows (CONTRACT §1), `OTEL_*` aside.
pub const KNOWN: &[&str] = &[
    "CANDOR_AUTH",
    "CANDOR_BIND",
    "CANDOR_CONFIG",
    "CANDOR_CORS_ORIGINS",
    "CANDOR_DUE_DATES",
    "CANDOR_FAST_PATH",
    "CANDOR_INTROSPECT_CLIENT",
    "CANDOR_INTROSPECT_SECRET",
    "CANDOR_INTROSPECT_URL",
    "CANDOR_JWKS",
    "CANDOR_JWT_AUDIENCE",
    "CANDOR_JWT_ISSUER",
    "CANDOR_JWT_SECRET",
    "CANDOR_LOG",
    "CANDOR_MCP_CONFIRM",
    "CANDOR_MIGRATE",
    "CANDOR_MISSING_TOOL",
    "CANDOR_REPLY_LANGUAGE",
    "CANDOR_MODEL_DOWN",
    "CANDOR_MODEL_TIMEOUT_MS",
    "CANDOR_RATE_LIMIT",
    "CANDOR_TIMEZONE",
    "CANDOR_TODAY",
    "CANDOR_TODO_BACKEND",
    "CANDOR_USER_HEADER",
    "CANDOR_WEBHOOK_SECRET",
    "CANDOR_WEBHOOK_URL",
    "DATABASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "OPENAI_FALLBACK_MODELS",
    "OPENAI_MODEL",
    "OPENAI_PROVIDER_ID",
    "RUST_LOG",
];

/// Variables and their values, before any is understood.
#[derive(Clone, Default)]
pub struct Variables(BTreeMap<String, String>);

impl Variables {
    /// Variables from pairs; of equal names the first counts.
    pub fn from_pairs<N: Into<String>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut variables = Self::default();
        for (name, value) in pairs {
            variables.fill(name.into(), value.into());
        }
        variables
    }

    /// The process environment, and below it the `.env` file at `dotenv`, when there is one.
    ///
    /// # Errors
    /// When a known variable is not text, or the file can't be read as `NAME=value` lines.
    pub fn collect(dotenv: &Path) -> Result<Self, ConfigError> {
        let mut variables = Self::default();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str() else { continue };
            match (
                value.into_string(),
                KNOWN.iter().find(|known| **known == name),
            ) {
                (Ok(value), _) => variables.fill(name.to_owned(), value),
                (Err(_), Some(known)) => {
                    return Err(ConfigError::new(known, "its value is not UTF-8", "text"));
                }
                (Err(_), None) => {}
            }
        }
        variables.add_file(dotenv)?;
        Ok(variables)
    }

    /// Overrides one variable, as a flag does.
    pub fn set(&mut self, name: &'static str, value: String) {
        self.0.insert(name.to_owned(), value);
    }

    /// The trimmed value; an empty one counts as unset, as compose files write it.
    pub fn text(&self, name: &str) -> Option<&str> {
        let value = self.0.get(name)?.trim();
        (!value.is_empty()).then_some(value)
    }

    /// The parts of a comma list that are not blank.
    pub fn list(&self, name: &str) -> impl Iterator<Item = &str> {
        let parts = self.text(name).unwrap_or_default().split(',');
        parts.map(str::trim).filter(|part| !part.is_empty())
    }

    /// The value as `understand` has it; none where the variable is unset.
    ///
    /// # Errors
    /// When it is not understood: quotes it, with its fault and what is accepted.
    pub fn read<T>(
        &self,
        name: &'static str,
        fault: &str,
        accepted: impl Into<Cow<'static, str>>,
        understand: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(value) = self.text(name) else {
            return Ok(None);
        };
        let read = understand(value).map(Some);
        read.ok_or_else(|| ConfigError::quoting(name, value, fault, accepted))
    }

    /// Meaning of one of these words; none where the variable is unset.
    ///
    /// # Errors
    /// For any other word.
    pub fn word<T: Copy>(
        &self,
        name: &'static str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, ConfigError> {
        let accepted = joined(words.iter().map(|(word, _)| *word));
        self.read(name, "is not one of its words", accepted, |value| {
            let found = words.iter().find(|(word, _)| *word == value);
            found.map(|(_, meant)| *meant)
        })
    }

    /// Tells whether it is `on`, and not `off`; none where it is unset.
    ///
    /// # Errors
    /// For any other word.
    pub fn switch(&self, name: &'static str) -> Result<Option<bool>, ConfigError> {
        self.word(name, &[("on", true), ("off", false)])
    }

    /// Names that look like ours and are not: a typing error that would otherwise go unnoticed.
    pub fn strangers(&self) -> impl Iterator<Item = &str> {
        let ours = |name: &&str| name.starts_with("CANDOR_") && !KNOWN.contains(name);
        self.0.keys().map(String::as_str).filter(ours)
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ConfigError> {
        const LINES: &str = "one NAME=value per line, values with spaces in quotes";
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(_) => return Err(ConfigError::new(".env", "the file can't be read", LINES)),
        };
        self.add_lines(&text)
            .map_err(|fault| ConfigError::new(".env", fault, LINES))
    }

    /// Adds the lines of a file, which an editor may have begun with a byte-order mark.
    fn add_lines(&mut self, text: &str) -> Result<(), String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for line in dotenvy::from_read_iter(text.as_bytes()) {
            // The error quotes the line, which may hold a key: only the name is passed on.
            let (name, value) = line.map_err(|error| match &error {
                dotenvy::Error::LineParse(line, _) => unreadable(line, text),
                _ => "the file can't be read".to_owned(),
            })?;
            self.fill(name, value);
        }
        Ok(())
    }

    fn fill(&mut self, name: String, value: String) {
        // A variable that is set but empty does not hide a value below it.
        let held = self
            .0
            .get(&name)
            .is_some_and(|held| !held.trim().is_empty());
        if !held {
            self.0.insert(name, value);
        }
    }
}

/// Words as an error lists them.
pub(super) fn joined<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().collect::<Vec<_>>().join(", ")
}

/// Describes a line that can't be read: its number in the file and the name it gives a value, if it
/// is one.
fn unreadable(line: &str, text: &str) -> String {
    let first = line.lines().next().unwrap_or_default().trim();
    let before = text.lines().position(|line| line.trim() == first);
    let at = before.map_or_else(
        || "a line".to_owned(),
        |before| format!("line {}", before + 1),
    );
    let name = line.split('=').next().unwrap_or_default().trim();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == ' ';
    if line.contains('=') && name.len() <= 60 && name.chars().all(plain) {
        format!("{at}, {name}, can't be read")
    } else {
        format!("{at} can't be read")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_unset_and_hides_nothing() {
        let variables =
            Variables::from_pairs([("A", " "), ("A", "below"), ("B", " b "), ("C", "")]);
        assert_eq!(variables.text("A"), Some("below"));
        assert_eq!(variables.text("B"), Some("b"));
        assert_eq!(variables.text("C"), None);
    }

    #[test]
    fn a_typing_error_is_noticed() {
        let variables = Variables::from_pairs([("CANDOR_DUE_DATE", "year"), ("CANDOR_BIND", "x")]);
        assert_eq!(
            variables.strangers().collect::<Vec<_>>(),
            ["CANDOR_DUE_DATE"]
        );
    }

    #[test]
    fn a_broken_line_is_named_without_its_value() {
        let check = |text: &str, expect: &str| {
            let fault = Variables::default().add_lines(text).unwrap_err();
            assert_eq!(fault, expect, "{text}");
        };
        check(
            "A=1\n\n# B\nOPENAI_API_KEY='sk-canary\n",
            "line 4, OPENAI_API_KEY, can't be read",
        );
        check("A=1\r\nsk canary\r\n", "line 2 can't be read");
        check("\u{feff}sk canary", "line 1 can't be read");
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_name() {
        let mut variables = Variables::default();
        variables.add_lines("\u{feff}CANDOR_LOG=json\nA=1").unwrap();
        assert_eq!(variables.text("CANDOR_LOG"), Some("json"));
    }
}
