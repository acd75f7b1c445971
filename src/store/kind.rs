//! Kind of the database at an address.

use super::backend::OpenError;

/// The kinds of databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::store) enum DatabaseKind {
    Sqlite,
    Postgres,
}

impl DatabaseKind {
    pub(in crate::store) const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgresql",
        }
    }

    pub(in crate::store) fn of(url: &str) -> Result<Self, OpenError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            // An address may hold a password: only its scheme is repeated.
            other => Err(OpenError::Url(other.unwrap_or(url).to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_tells_its_kind_and_a_strange_one_no_password() {
        let check = |url: &str, expect: DatabaseKind| {
            assert_eq!(DatabaseKind::of(url).unwrap(), expect, "{url}");
        };
        check("sqlite::memory:", DatabaseKind::Sqlite);
        check("sqlite://candor.db", DatabaseKind::Sqlite);
        check("postgres://u:p@h/x", DatabaseKind::Postgres);
        check("postgresql:///x", DatabaseKind::Postgres);
        for strange in ["mysql://u:secret@h/x", "sqlite", "", "sqlites:x"] {
            let error = DatabaseKind::of(strange).unwrap_err();
            assert!(matches!(error, OpenError::Url(_)), "{strange}");
            assert!(!error.to_string().contains("secret@"), "{error}");
        }
    }
}
