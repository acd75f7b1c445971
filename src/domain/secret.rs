//! Text that must never be shown: keys and passwords.

use std::fmt;

/// A secret; empty, it is none. It has no `Serialize`, and prints as `[redacted]`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_nothing_of_itself() {
        let secret = Secret::new("sk-canary");
        for shown in [
            format!("{secret}"),
            format!("{secret:?}"),
            format!("{:#?}", Some(&secret)),
        ] {
            assert!(!shown.contains("canary"), "{shown}");
        }
        assert_eq!(secret.expose(), "sk-canary");
    }
}
