//! The limit that several processes hold together.

use super::connections::ConnectionPool;
use crate::store::backend::StoreError;
use crate::store::keys::{QuotaOutcome, UseQuota};
use crate::store::query::StoreQuery;

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

impl ConnectionPool {
    /// Sent twice when a connection breaks, it may take two: the limit errs on its own side.
    pub(super) async fn take_one(
        &self,
        bucket: &str,
        quota: UseQuota,
    ) -> Result<QuotaOutcome, StoreError> {
        let ask = StoreQuery::new(TAKE).text(bucket);
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
