//! Statements of this database's own way to commit and to erase. All of them are static text; what
//! varies is bound. Every argument says its type, so that a statement means the same whether the
//! server infers types or is told them.

/// Query for what a commit is checked against.
pub(super) const STATE: &str = include_str!("state.sql");

/// Writes units of users whose ledgers still stand where they were read.
pub(super) const WRITE: &str = include_str!("write.sql");

/// The settings that every session, or every transaction, holds to, whatever the role, the
/// database or the server prefer: a commit returns when it is on disk (or later, where the server
/// is set so), a statement sees what was committed before it, and nothing waits for ever.
macro_rules! settings {
    ($before:literal, $local:literal) => {
        concat!(
            $before,
            "SELECT set_config('synchronous_commit', ",
            "CASE current_setting('synchronous_commit') WHEN 'remote_apply' ",
            "THEN 'remote_apply' ELSE 'on' END, ",
            $local,
            "), set_config('statement_timeout', '10s', ",
            $local,
            "), set_config('lock_timeout', '5s', ",
            $local,
            "), set_config('idle_in_transaction_session_timeout', '10s', ",
            $local,
            ")"
        )
    };
}

/// Sets a new session up.
pub(super) const SESSION: &str = settings!(
    "SET default_transaction_isolation = 'read committed'; ",
    "false"
);

/// Begins a transaction that is set up for itself: behind a pooler the next one may be another
/// session's.
pub(super) const BEGIN: &str = settings!("BEGIN ISOLATION LEVEL READ COMMITTED; ", "true");

/// Query that tells whether the server keeps what it acknowledged when the power goes: `off` if one
/// of the two settings is (it sorts before `on`).
pub(super) const DURABLE: &str = "\
SELECT least(current_setting('fsync'), current_setting('full_page_writes'))";

/// Begins the transaction of the migrations, which nobody else runs meanwhile. A statement that
/// an earlier migration left prepared in this session would be in the way.
pub(super) const BEGIN_MIGRATIONS: &str = "\
BEGIN ISOLATION LEVEL READ COMMITTED; DEALLOCATE ALL; \
SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL synchronous_commit = on; \
SELECT pg_advisory_xact_lock(7162242086001)";

/// Leaves no statement behind in a session that others may use.
pub(super) const END_MIGRATIONS: &str = "DEALLOCATE ALL";

/// Keeps others from committing for a user until the transaction ends. $1 user.
pub(super) const HOLD: &str = "\
SELECT version FROM ledgers WHERE user_id = $1::text FOR UPDATE";

/// Says at whose event streams a server delivers, and for how long that holds: `new` where nothing
/// was known of it, so that nothing is of its other streams. What others said in their time goes with
/// its time. $1 server, $2 milliseconds, $3 users whose first stream was opened, $4 whose last was closed.
pub(in crate::store) const HOLD_STREAMS: &str = "\
WITH clock AS (
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now
), held AS (
    INSERT INTO stream_servers AS s (id, until) SELECT $1::text, now + $2::bigint FROM clock
    ON CONFLICT (id) DO UPDATE SET until = excluded.until
    RETURNING s.xmax = 0 AS made
), over AS (
    DELETE FROM stream_servers WHERE id IN (
        SELECT s.id FROM stream_servers AS s CROSS JOIN clock
        WHERE s.until < now AND s.id <> $1::text FOR UPDATE OF s SKIP LOCKED)
), closed AS (
    DELETE FROM open_streams WHERE server_id = $1::text AND user_id = ANY ($4::text[])
), opened AS (
    INSERT INTO open_streams (user_id, server_id) SELECT unnest($3::text[]), $1::text
    ON CONFLICT DO NOTHING
) SELECT CASE WHEN made THEN 'new' ELSE 'known' END FROM held";

/// One row where a stream of the user is open at a server. $1 user.
pub(in crate::store) const STREAMS_ELSEWHERE: &str = "\
SELECT 'open' FROM open_streams AS o JOIN stream_servers AS s ON s.id = o.server_id
WHERE o.user_id = $1::text AND s.until > extract(epoch FROM clock_timestamp()) * 1000
LIMIT 1";

/// The generic cell rate algorithm: every taking moves the row ahead of the clock by an interval,
/// never by more than the window. $1 bucket, $2 interval, $3 window, in microseconds.
pub(in crate::store) const TAKE: &str = "\
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

/// The least that this server takes for a durable commit. It goes to the write-ahead log, with the
/// commit, and no table keeps it. $1 what is said.
pub(in crate::store) const BARE_MESSAGE: &str =
    "SELECT pg_logical_emit_message(true, 'candor', $1)::text";

/// Tells listeners that something changed. $1 users.
pub(super) const NOTIFY: &str = "\
SELECT count(pg_notify('candor_changes', w.name)::text) FROM unnest($1::text[]) AS w (name)";

/// Query for what a unit that ends a reminder is checked against, which is held from here on. $1 user,
/// $2 task, $3 reminder.
pub(super) const FENCE: &str = "\
SELECT fence FROM reminders
WHERE user_id = $1::text AND task_id = $2::text AND id = $3::text FOR UPDATE";
