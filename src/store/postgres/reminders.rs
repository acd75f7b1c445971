//! Statements about reminders, but for those that write them with their tasks.

/// The operator's: takes what is due. $1 this taking, $2 now and $3 until when, in milliseconds,
/// $4 limit; $5 users who can be given any here (null: everybody can), and $6 since when those of the
/// others have to be due. An array of them, and when the next of the others is to be looked at.
pub(super) const LEASE: &str = "\
WITH due AS (
    SELECT user_id, task_id, id FROM reminders
    WHERE state = 'waiting' AND next_try <= $2::bigint
      AND ($5::text IS NULL OR next_try <= $6::bigint
          OR user_id IN (SELECT json_array_elements_text($5::json)))
    ORDER BY next_try LIMIT $4::bigint FOR UPDATE SKIP LOCKED
), leased AS (
    UPDATE reminders AS r SET owner = $1::text, fence = r.fence + 1, next_try = $3::bigint
    FROM due AS d
    WHERE r.user_id = d.user_id AND r.task_id = d.task_id AND r.id = d.id
    RETURNING r.user_id, r.task_id, r.id, r.at, r.attempts, r.fence
), others AS (
    SELECT r.next_try FROM reminders AS r
    WHERE r.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM leased AS l
        WHERE l.user_id = r.user_id AND l.task_id = r.task_id AND l.id = r.id)
)
SELECT json_build_array(
    (SELECT coalesce(json_agg(json_build_array(user_id, task_id, id, at, attempts, fence)
        ORDER BY at), '[]') FROM leased),
    least(
        (SELECT next_try FROM others WHERE $5::text IS NULL OR next_try > $2::bigint
            ORDER BY next_try LIMIT 1),
        (SELECT next_try + $2::bigint - $6::bigint FROM others
            WHERE $5::text IS NOT NULL AND next_try > $6::bigint
            ORDER BY next_try LIMIT 1)))::text";

/// $1 user, $2 task, $3 reminder, $4 fence, $5 next try in milliseconds, $6 tries that failed.
pub(super) const PUT_OFF: &str = "\
UPDATE reminders SET owner = NULL, next_try = $5::bigint, attempts = attempts + $6::bigint
WHERE user_id = $1::text AND task_id = $2::text AND id = $3::text AND fence = $4::bigint
  AND state = 'waiting'
RETURNING id";

/// The operator's: what was put off further than anybody would from now. $1 now, $2 until when.
pub(super) const STEADY: &str = "\
UPDATE reminders SET owner = NULL, fence = fence + 1,
    next_try = greatest($1::bigint, (extract(epoch FROM at::timestamptz) * 1000)::bigint)
WHERE state = 'waiting' AND next_try > $2::bigint
  AND next_try > (extract(epoch FROM at::timestamptz) * 1000)::bigint";

/// $1 user, $2 limit.
pub(super) const REMINDERS: &str = "\
SELECT coalesce(json_agg(json_build_array(task_id, title,
    json_build_array(id, at, zone, today, state, told))), '[]')::text FROM (
    SELECT r.*, t.title FROM reminders AS r
        JOIN tasks AS t ON t.user_id = r.user_id AND t.id = r.task_id
    WHERE r.user_id = $1::text AND t.deleted_at IS NULL
    ORDER BY r.at DESC, r.id DESC LIMIT $2::bigint) AS found";

/// Holds the user's ledger, as every commit does before it writes any other row. $1 user.
pub(super) const LEDGER: &str = "\
SELECT version FROM ledgers WHERE user_id = $1::text FOR UPDATE";

/// Query for what a unit that ends a reminder is checked against, which is held from here on. $1 user, $2 task,
/// $3 reminder.
pub(super) const FENCE: &str = "\
SELECT fence FROM reminders
WHERE user_id = $1::text AND task_id = $2::text AND id = $3::text FOR UPDATE";
