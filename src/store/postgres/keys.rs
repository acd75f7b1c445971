//! Keys of callers, and the limit that several processes hold together.

use super::ask::SqlQuery;
use super::connections::ConnectionPool;
use crate::store::backend::StoreError;
use crate::store::keys::{KeyWrite, QuotaOutcome, UseQuota};
use crate::store::rows::stamp;

/// Keys as an array of objects, the oldest first.
macro_rules! keys {
    ($which:literal) => {
        concat!(
            "SELECT coalesce(json_agg(json_build_object('prefix', prefix, 'hash', hash,
                'user_id', user_id, 'scope', scope, 'name', name, 'created_at', created_at,
                'expires_at', expires_at, 'revoked_at', revoked_at,
                'last_used_at', last_used_at) ORDER BY created_at, prefix), '[]')::text
            FROM api_keys",
            $which
        )
    };
}

const KEYS: &str = keys!("");

/// $1 prefix.
const KEY: &str = keys!(" WHERE prefix = $1::text");

/// May run twice: a second time it finds its own row. $1 prefix, $2 hash, $3 user, $4 scope,
/// $5 name, $6 made, $7 expires.
const CREATE: &str = "\
INSERT INTO api_keys AS k (prefix, hash, user_id, scope, name, created_at, expires_at)
VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text)
ON CONFLICT (prefix) DO UPDATE SET name = k.name WHERE k.hash = excluded.hash
RETURNING 1";

/// $1 prefix, $2 now. The first time counts.
const REVOKE: &str = "\
UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2::text) WHERE prefix = $1::text
RETURNING 1";

/// $1 prefix, $2 now, $3 the instant up to which the last use is too long ago.
const USED: &str = "\
UPDATE api_keys SET last_used_at = $2::text
WHERE prefix = $1::text AND (last_used_at IS NULL OR last_used_at <= $3::text)
RETURNING 1";

/// $1 name.
const SECRET: &str = "SELECT secret FROM secrets WHERE name = $1::text";

/// $1 name, $2 secret. The first one counts.
const DRAW: &str = "\
INSERT INTO secrets (name, secret) VALUES ($1::text, $2::text)
ON CONFLICT (name) DO NOTHING RETURNING 1";

/// The generic cell rate algorithm: every taking moves the row ahead of the clock by an interval,
/// never by more than the window. $1 bucket, $2 interval, $3 window, in microseconds.
const TAKE: &str = "\
WITH clock AS (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS at),
taken AS (
    INSERT INTO rate_limits AS r (bucket, ahead)
    SELECT $1::text, clock.at + $2::bigint FROM clock
    ON CONFLICT (bucket) DO UPDATE
    SET ahead = greatest(r.ahead, (SELECT at FROM clock)) + $2::bigint
    WHERE greatest(r.ahead, (SELECT at FROM clock)) + $2::bigint
        <= (SELECT at FROM clock) + $3::bigint
    RETURNING ahead)
SELECT json_build_array(true, taken.ahead - clock.at)::text FROM taken, clock
UNION ALL
SELECT json_build_array(false, r.ahead - clock.at)::text FROM rate_limits AS r, clock
WHERE r.bucket = $1::text AND NOT EXISTS (SELECT FROM taken)";

/// Buckets that are full again, and as good as none.
pub(super) const FORGET: &str = "\
DELETE FROM rate_limits
WHERE ahead < (extract(epoch FROM now()) * 1000000)::bigint";

impl ConnectionPool {
    pub(super) async fn keys(&self, prefix: Option<String>) -> Result<String, StoreError> {
        let ask = match prefix {
            Some(prefix) => SqlQuery::new(KEY).text(prefix),
            None => SqlQuery::new(KEYS),
        };
        self.text(&ask).await
    }

    pub(super) async fn secret(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.optional(&SqlQuery::new(SECRET).text(name)).await
    }

    /// False when the statement found nothing to write.
    pub(super) async fn write_key(&self, write: KeyWrite) -> Result<bool, StoreError> {
        let ask = match write {
            KeyWrite::Create(key) => SqlQuery::new(CREATE)
                .text(&key.prefix)
                .text(key.hash())
                .optional(key.user.as_ref().map(crate::domain::UserId::as_str))
                .text(key.scope.as_str())
                .text(&key.name)
                .text(stamp(key.created_at))
                .optional(key.expires_at.map(stamp)),
            KeyWrite::Revoke(prefix, now) => SqlQuery::new(REVOKE).text(prefix).text(stamp(now)),
            KeyWrite::Used(prefix, now, before) => {
                let ask = SqlQuery::new(USED).text(prefix);
                ask.text(stamp(now)).text(stamp(before))
            }
            KeyWrite::Secret(name, secret) => SqlQuery::new(DRAW).text(name).text(secret),
        };
        Ok(self.row(&ask).await?.is_some())
    }

    /// Sent twice when a connection breaks, it may take two: the limit errs on its own side.
    pub(super) async fn take_one(
        &self,
        bucket: &str,
        quota: UseQuota,
    ) -> Result<QuotaOutcome, StoreError> {
        let ask = SqlQuery::new(TAKE).text(bucket);
        let ask = ask.number(quota.interval).number(quota.window);
        let found = self.optional(&ask).await?;
        let found: Option<(bool, i64)> = found
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(|error| StoreError::Unavailable(error.into()))?;
        // None: another process made the row while this one was looking at where it is not.
        let (allowed, ahead) = found.unwrap_or((false, quota.window));
        Ok(QuotaOutcome { allowed, ahead })
    }
}
