//! Keys of callers: made once, kept as a hash, looked up by their prefix.
//!
//! A key reads `candor_PREFIX_SECRET`, in lower-case hexadecimal. The prefix names it in lists and
//! in the table; the secret has 256 bits, so one round of SHA-256 hides it and nobody can search
//! for it. Who may do what with a key is decided at the edge.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::backend::{Store, StoreError};
use super::kind::DatabaseKind;
use super::postgres::sql;
use super::query::StoreQuery;
use super::rows::stamp;
use super::sql::{SqlText, talk};
use crate::domain::{UserId, words};

/// Beginning of every key, so that scanners of leaked secrets can find it.
const MARK: &str = "candor_";

/// Shortest interval at which the time of the last use is written down.
const USES: TimeDelta = TimeDelta::minutes(1);

/// Bytes of a prefix, and of a secret.
const PARTS: (usize, usize) = (5, 32);

/// Bytes that a new key is made of.
pub const ENTROPY: usize = PARTS.0 + PARTS.1;

/// Bytes of a secret of the server's own.
pub const SECRET: usize = PARTS.1;

words! {
    /// Rights of a key. Each may what the one before may.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum KeyScope {
        /// Look.
        Read = "read",
        /// Look and change.
        Write = "write",
        /// Act for every user.
        Admin = "admin",
    }
}

/// A key that is to be made.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// Name for people: 1 to 100 characters.
    pub name: String,
    /// User of the key; none for an admin's.
    pub user: Option<UserId>,
    /// Its rights.
    pub scope: KeyScope,
    /// Time at which it stops being one.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A key as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ApiKey {
    /// Prefix that names it.
    pub prefix: String,
    /// Name for people.
    pub name: String,
    /// User of the key; none for an admin's.
    #[serde(rename = "user_id")]
    pub user: Option<UserId>,
    /// Its rights.
    pub scope: KeyScope,
    /// Time at which it was made.
    pub created_at: DateTime<Utc>,
    /// Time at which it stops being one.
    pub expires_at: Option<DateTime<Utc>>,
    /// Time at which it was taken back.
    pub revoked_at: Option<DateTime<Utc>>,
    /// Time of its last use, give or take a minute.
    pub last_used_at: Option<DateTime<Utc>>,
    hash: String,
}

impl ApiKey {
    /// Tells whether `text` is this key. Takes as long for a wrong one, however much of it is
    /// right.
    pub fn is(&self, text: &str) -> bool {
        hash(text).as_bytes().ct_eq(self.hash.as_bytes()).into()
    }
}

/// The prefix of what looks like a key.
pub fn prefix_of(text: &str) -> Option<&str> {
    let (prefix, secret) = text.strip_prefix(MARK)?.split_once('_')?;
    let hex = |text: &str, bytes: usize| {
        let digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        text.len() == 2 * bytes && text.bytes().all(digit)
    };
    (hex(prefix, PARTS.0) && hex(secret, PARTS.1)).then_some(prefix)
}

fn hash(text: &str) -> String {
    crate::audit::hex(&Sha256::digest(text.as_bytes()))
}

/// Amount that may be had: so many in such a time, all at once or one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseQuota {
    /// Microseconds between two.
    pub interval: i64,
    /// Microseconds in which all may be had.
    pub window: i64,
}

/// Outcome of asking for one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotaOutcome {
    /// True when it may be had.
    pub allowed: bool,
    /// Microseconds by which whoever asked is ahead of the clock.
    pub ahead: i64,
}

impl Store {
    /// Makes a key out of `entropy`, and gives its only copy.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: there is no such key then, or nobody knows it.
    pub async fn create_key(
        &self,
        new: NewKey,
        entropy: &[u8; ENTROPY],
        now: DateTime<Utc>,
    ) -> Result<(ApiKey, String), StoreError> {
        let (prefix, secret) = entropy.split_at(PARTS.0);
        let prefix = crate::audit::hex(prefix);
        let text = format!("{MARK}{prefix}_{}", crate::audit::hex(secret));
        let key = ApiKey {
            prefix,
            name: new.name,
            user: new.user,
            scope: new.scope,
            created_at: now,
            expires_at: new.expires_at,
            revoked_at: None,
            last_used_at: None,
            hash: hash(&text),
        };
        let write = StoreQuery::new(talk::CREATE_KEY)
            .text(&key.prefix)
            .text(&key.hash)
            .optional(key.user.as_ref().map(UserId::as_str))
            .text(key.scope.as_str())
            .text(&key.name)
            .text(stamp(key.created_at))
            .optional(key.expires_at.map(stamp));
        if self.change(&write).await?.is_none() {
            return Err(StoreError::Unavailable("this prefix is taken".into()));
        }
        Ok((key, text))
    }

    /// All keys, revoked ones too, the oldest first.
    pub async fn keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        self.list("api_keys", &StoreQuery::new(talk::KEYS)).await
    }

    /// The key of this prefix, revoked or not.
    pub async fn key(&self, prefix: &str) -> Result<Option<ApiKey>, StoreError> {
        let ask = StoreQuery::new(talk::KEY).text(prefix);
        Ok(self.list("api_keys", &ask).await?.pop())
    }

    /// Takes a key back, at once and everywhere. False when there is none.
    pub async fn revoke_key(&self, prefix: &str, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let write = StoreQuery::new(talk::REVOKE_KEY)
            .text(prefix)
            .text(stamp(now));
        Ok(self.change(&write).await?.is_some())
    }

    /// Tells whether a use of `key` at `now` is worth writing down.
    pub fn notes_use(key: &ApiKey, now: DateTime<Utc>) -> bool {
        key.last_used_at.is_none_or(|last| last <= now - USES)
    }

    /// Writes down that a key was used, at most once a minute.
    pub async fn key_used(&self, prefix: &str, now: DateTime<Utc>) -> Result<(), StoreError> {
        let write = StoreQuery::new(talk::USE_KEY)
            .text(prefix)
            .text(stamp(now))
            .text(stamp(now - USES));
        self.change(&write).await.map(drop)
    }

    /// The secret of that name, the same for all processes over one database. It is made of
    /// `entropy` when there is none yet.
    pub async fn secret(
        &self,
        name: &'static str,
        entropy: &[u8; SECRET],
    ) -> Result<[u8; SECRET], StoreError> {
        let ask = StoreQuery::new(talk::SECRET).text(name);
        let found = match self.optional(&ask).await? {
            Some(found) => Some(found),
            None => {
                let write = StoreQuery::new(talk::DRAW_SECRET).text(name);
                self.change(&write.text(crate::audit::hex(entropy))).await?;
                // Another process may have been faster: what is there counts.
                self.optional(&ask).await?
            }
        };
        let found = found.as_deref().and_then(crate::audit::unhex);
        found.ok_or_else(|| StoreError::Corrupt {
            table: "secrets",
            id: name.to_owned(),
            reason: "it is not 32 bytes in hexadecimal".to_owned(),
        })
    }

    /// Takes one out of `bucket`, for all processes over one database together. None where each
    /// process has to count for itself.
    pub async fn take(
        &self,
        bucket: &str,
        quota: UseQuota,
    ) -> Result<Option<QuotaOutcome>, StoreError> {
        // For one process a write for every turn would cost more than a turn.
        if self.backend().kind() == DatabaseKind::Sqlite {
            return Ok(None);
        }
        // Sent twice when a connection breaks, it may take two: the limit errs on its own side.
        let ask = StoreQuery::new(SqlText::from(sql::TAKE).repeatable())
            .text(bucket)
            .number(quota.interval)
            .number(quota.window);
        let found = self.change(&ask).await?;
        let found = found.map(|text| serde_json::from_str(&text)).transpose()?;
        // None: another process made the row while this one was looking at where it is not.
        let (allowed, ahead) = found.unwrap_or((false, quota.window));
        Ok(Some(QuotaOutcome { allowed, ahead }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_key() {
        let secret = "0".repeat(64);
        let check =
            |text: &str, expect: Option<&str>| assert_eq!(prefix_of(text), expect, "{text}");
        check(&format!("candor_0a1b2c3d4e_{secret}"), Some("0a1b2c3d4e"));
        check(&format!("candor_0a1b2c3d4e_{secret}0"), None);
        check(&format!("candor_0A1B2C3D4E_{secret}"), None);
        check(&format!("candor_0a1b2c3d4_{secret}"), None);
        check(&format!("0a1b2c3d4e_{secret}"), None);
        check("candor_0a1b2c3d4e", None);
        check("eyJhbGciOiJIUzI1NiJ9.e30.x", None);
    }

    #[tokio::test]
    async fn a_key_is_shown_once_kept_as_a_hash_and_taken_back() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let now = DateTime::UNIX_EPOCH;
        let new = |name: &str, user: Option<&str>, scope| NewKey {
            name: name.to_owned(),
            user: user.map(|user| UserId::parse(user).unwrap()),
            scope,
            expires_at: None,
        };
        let entropy = std::array::from_fn(|at| u8::try_from(at).unwrap());
        let made = store.create_key(new("one", Some("ann"), KeyScope::Read), &entropy, now);
        let (made, text) = made.await.unwrap();
        assert_eq!(prefix_of(&text), Some("0001020304"));
        let kept = store.key("0001020304").await.unwrap().unwrap();
        assert_eq!(kept, made);
        assert!(kept.is(&text));
        assert!(!text.contains(&kept.hash));
        let mut wrong = text.clone();
        wrong.replace_range(text.len() - 1.., "0");
        assert!(!kept.is(&wrong));
        // The same prefix is not given twice.
        let again = store.create_key(new("two", None, KeyScope::Admin), &entropy, now);
        assert!(again.await.is_err());
        let other = std::array::from_fn(|_| 7);
        let admin = store.create_key(new("two", None, KeyScope::Admin), &other, now);
        assert_eq!(admin.await.unwrap().0.user, None);
        assert_eq!(store.keys().await.unwrap().len(), 2);
        assert_eq!(store.key("ffffffffff").await.unwrap(), None);

        let used = |at: DateTime<Utc>| {
            let store = store.clone();
            async move {
                store.key_used("0001020304", at).await.unwrap();
                store.key("0001020304").await.unwrap().unwrap().last_used_at
            }
        };
        let later = |seconds| now + TimeDelta::seconds(seconds);
        assert_eq!(used(now).await, Some(now));
        assert_eq!(used(later(59)).await, Some(now));
        assert_eq!(used(later(60)).await, Some(later(60)));

        assert!(store.revoke_key("0001020304", later(1)).await.unwrap());
        assert!(store.revoke_key("0001020304", later(2)).await.unwrap());
        assert!(!store.revoke_key("ffffffffff", now).await.unwrap());
        let kept = store.key("0001020304").await.unwrap().unwrap();
        assert_eq!(kept.revoked_at, Some(later(1)));
        // A secret is drawn once.
        let drawn = store.secret("seal", &[1; SECRET]).await.unwrap();
        assert_eq!(drawn, [1; SECRET]);
        let again = store.secret("seal", &[2; SECRET]).await.unwrap();
        assert_eq!(again, [1; SECRET]);
        let other = store.secret("other", &[2; SECRET]).await.unwrap();
        assert_eq!(other, [2; SECRET]);
        let quota = UseQuota {
            interval: 1,
            window: 1,
        };
        assert_eq!(store.take("ann", quota).await.unwrap(), None);
    }
}
