//! Place of the data: `DATABASE_URL`.

use std::fmt;
use std::path::Path;

use super::fault::ConfigError;
use super::variables::Variables;

/// An address of a database. It may hold a password, so only SQLite's is shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

impl DatabaseUrl {
    /// Reads `DATABASE_URL`; unset, it is `candor.db` in the working directory.
    ///
    /// # Errors
    /// When it is neither SQLite's nor PostgreSQL's.
    pub fn read(variables: &Variables) -> Result<Self, ConfigError> {
        const NAME: &str = "DATABASE_URL";
        const ACCEPTED: &str = "sqlite:FILE such as sqlite://candor.db, or postgres://…";
        let value = variables.text(NAME).unwrap_or("sqlite://candor.db");
        let Some((scheme, rest)) = value.split_once(':') else {
            return Err(ConfigError::new(NAME, "it has no scheme", ACCEPTED));
        };
        match scheme {
            "sqlite" | "postgres" | "postgresql" if rest.trim_matches('/').is_empty() => {
                Err(ConfigError::new(NAME, "it names no database", ACCEPTED))
            }
            "sqlite" | "postgres" | "postgresql" => Ok(Self(value.to_owned())),
            _ => Err(ConfigError::new(NAME, "its scheme is not known", ACCEPTED)),
        }
    }

    /// The file of an SQLite database.
    pub fn file(&self) -> Option<&Path> {
        let rest = self.0.strip_prefix("sqlite:")?;
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let file = rest.split('?').next().unwrap_or_default();
        (!file.is_empty() && file != ":memory:").then(|| Path::new(file))
    }

    /// The whole address, for the store alone.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.split_once(':') {
            Some(("sqlite", _)) => f.write_str(&self.0),
            Some((scheme, _)) => write!(f, "{scheme}://[redacted]"),
            None => f.write_str("[redacted]"),
        }
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_database_is_known() {
        let check = |url: &str, expect: Option<&str>| {
            let variables = Variables::from_pairs([("DATABASE_URL", url)]);
            let read = DatabaseUrl::read(&variables).unwrap();
            assert_eq!(read.file(), expect.map(Path::new), "{url}");
        };
        check("", Some("candor.db"));
        check("sqlite:a/b.db?mode=rwc", Some("a/b.db"));
        check("sqlite:///srv/c.db", Some("/srv/c.db"));
        check("sqlite::memory:", None);
        check("postgres://h/x", None);
    }

    #[test]
    fn shown_without_its_password() {
        let check = |value: &str, expect: &str| {
            let variables = Variables::from_pairs([("DATABASE_URL", value)]);
            let read = DatabaseUrl::read(&variables);
            let shown = read.map_or_else(|error| error.to_string(), |url| format!("{url:?}"));
            assert!(shown.starts_with(expect), "{shown}");
            assert!(!shown.contains("canary"), "{shown}");
        };
        check("", "sqlite://candor.db");
        check("sqlite::memory:", "sqlite::memory:");
        check("postgres://me:canary@db/candor", "postgres://[redacted]");
        check(
            "mysql://me:canary@db/candor",
            "DATABASE_URL: its scheme is not known; accepted:",
        );
        check("canary.db", "DATABASE_URL: it has no scheme; accepted:");
        check("sqlite://", "DATABASE_URL: it names no database; accepted:");
    }
}
