//! Reason why the program does not start: one line that names the variable, the fault and the cure.

use std::borrow::Cow;
use std::fmt;

/// A variable that can't be used. Its `Display` is one line and never shows a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    /// The variable's name.
    pub variable: &'static str,
    /// The fault in its value.
    pub fault: String,
    /// The values that the variable takes.
    pub accepted: Cow<'static, str>,
}

impl ConfigError {
    /// A fault that does not quote the value: for secrets and addresses that may hold one.
    pub fn new(
        variable: &'static str,
        fault: impl Into<String>,
        accepted: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            variable,
            fault: fault.into(),
            accepted: accepted.into(),
        }
    }

    /// A fault that quotes the value, escaped and cut, so that it stays one line.
    pub fn quoting(
        variable: &'static str,
        value: &str,
        fault: &str,
        accepted: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(variable, format!("{} {fault}", quoted(value)), accepted)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            variable,
            fault,
            accepted,
        } = self;
        write!(f, "{variable}: {fault}; accepted: {accepted}")
    }
}

impl std::error::Error for ConfigError {}

/// The longest part of a value that is shown, in characters.
const SHOWN: usize = 60;

fn quoted(value: &str) -> String {
    let mut shown: String = value.chars().take(SHOWN).collect();
    if value.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    format!("{shown:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_one_line_and_short() {
        let value = format!("a\nb{}", "x".repeat(500));
        let line = ConfigError::quoting("CANDOR_BIND", &value, "is no address", "HOST:PORT");
        let line = line.to_string();
        assert!(!line.contains('\n'), "{line}");
        assert!(line.chars().count() < 130, "{line}");
        assert!(line.starts_with("CANDOR_BIND: \"a\\nbxxx"), "{line}");
        assert!(
            line.ends_with("…\" is no address; accepted: HOST:PORT"),
            "{line}"
        );
    }
}
