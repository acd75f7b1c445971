//! Keys of callers, in their table.

use sqlx::SqliteConnection;

use super::readers::LentReader;
use crate::store::backend::StoreError;
use crate::store::keys::KeyWrite;
use crate::store::measure;
use crate::store::rows::stamp;

/// Keys as an array of objects, the oldest first.
macro_rules! keys {
    ($which:literal) => {
        concat!(
            "SELECT json_group_array(json_object('prefix', prefix, 'hash', hash,
                'user_id', user_id, 'scope', scope, 'name', name, 'created_at', created_at,
                'expires_at', expires_at, 'revoked_at', revoked_at,
                'last_used_at', last_used_at))
            FROM (SELECT * FROM api_keys",
            $which,
            " ORDER BY created_at, prefix)"
        )
    };
}

const KEYS: &str = keys!("");

/// $1 prefix.
const KEY: &str = keys!(" WHERE prefix = $1");

/// $1 prefix, $2 hash, $3 user, $4 scope, $5 name, $6 made, $7 expires.
const CREATE: &str = "\
INSERT INTO api_keys (prefix, hash, user_id, scope, name, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (prefix) DO NOTHING";

/// $1 prefix, $2 now. The first time counts.
const REVOKE: &str = "\
UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE prefix = $1";

/// $1 prefix, $2 now, $3 the instant up to which the last use is too long ago.
const USED: &str = "\
UPDATE api_keys SET last_used_at = $2
WHERE prefix = $1 AND (last_used_at IS NULL OR last_used_at <= $3)";

/// $1 name. Null when there is none.
const SECRET: &str = "SELECT (SELECT secret FROM secrets WHERE name = $1)";

/// $1 name, $2 secret. The first one counts.
const DRAW: &str = "\
INSERT INTO secrets (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";

/// False when the statement found nothing to write.
pub(super) async fn write(
    connection: &mut SqliteConnection,
    write: &KeyWrite,
) -> Result<bool, sqlx::Error> {
    let query = match write {
        KeyWrite::Create(key) => sqlx::query(CREATE)
            .bind(&key.prefix)
            .bind(key.hash())
            .bind(key.user.as_ref().map(crate::domain::UserId::as_str))
            .bind(key.scope.as_str())
            .bind(&key.name)
            .bind(stamp(key.created_at))
            .bind(key.expires_at.map(stamp)),
        KeyWrite::Revoke(prefix, now) => sqlx::query(REVOKE).bind(prefix).bind(stamp(*now)),
        KeyWrite::Used(prefix, now, before) => sqlx::query(USED)
            .bind(prefix)
            .bind(stamp(*now))
            .bind(stamp(*before)),
        KeyWrite::Secret(name, secret) => sqlx::query(DRAW).bind(*name).bind(secret),
    };
    measure::statement();
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

impl LentReader<'_> {
    pub(super) async fn keys(&mut self, prefix: Option<String>) -> Result<String, StoreError> {
        let query = match prefix {
            Some(prefix) => sqlx::query(KEY).bind(prefix),
            None => sqlx::query(KEYS),
        };
        self.text(query).await
    }

    pub(super) async fn secret(&mut self, name: &str) -> Result<Option<String>, StoreError> {
        self.optional(sqlx::query(SECRET).bind(name.to_owned()))
            .await
    }
}
