//! Statements about reminders, but for those that write them with their tasks.

/// The operator's: takes what is due. $1 this taking, $2 now and $3 until when, in milliseconds,
/// $4 limit; $5 users who can be given any here (null: everybody can), and $6 since when those of the
/// others have to be due. An array of them, and when the next of the others is to be looked at.
pub(super) const LEASE: &str = "\
UPDATE reminders SET owner = $1, fence = fence + 1, next_try = $3
WHERE state = 'waiting' AND (user_id, task_id, id) IN (
    SELECT user_id, task_id, id FROM reminders
    WHERE state = 'waiting' AND next_try <= $2
        AND ($5 IS NULL OR next_try <= $6 OR user_id IN (SELECT value FROM json_each($5)))
    ORDER BY next_try LIMIT $4);
SELECT json_array(
    (SELECT json_group_array(json_array(user_id, task_id, id, at, attempts, fence)) FROM (
        SELECT * FROM reminders WHERE state = 'waiting' AND next_try = $3 AND owner = $1
        ORDER BY at)),
    (SELECT min(at) FROM (
        SELECT (SELECT next_try FROM reminders
            WHERE state = 'waiting' AND owner IS NOT $1 AND ($5 IS NULL OR next_try > $2)
            ORDER BY next_try LIMIT 1) AS at
        UNION ALL
        SELECT (SELECT next_try + $2 - $6 FROM reminders
            WHERE state = 'waiting' AND owner IS NOT $1 AND $5 IS NOT NULL AND next_try > $6
            ORDER BY next_try LIMIT 1))))";

/// Nobody delivers anything: their processes are gone. What was put off stays so.
pub(super) const ABANDON: &str = "\
UPDATE reminders SET owner = NULL, fence = fence + 1,
    next_try = CAST(unixepoch(at) * 1000 AS INTEGER)
WHERE state = 'waiting' AND owner IS NOT NULL AND next_try > 0";

/// $1 user, $2 task, $3 reminder, $4 fence, $5 next try in milliseconds, $6 tries that failed.
pub(super) const PUT_OFF: &str = "\
UPDATE reminders SET owner = NULL, next_try = $5, attempts = attempts + $6
WHERE user_id = $1 AND task_id = $2 AND id = $3 AND fence = $4 AND state = 'waiting'
RETURNING id";

/// The operator's: what was put off further than anybody would from now. $1 now, $2 until when.
pub(super) const STEADY: &str = "\
UPDATE reminders SET owner = NULL, fence = fence + 1,
    next_try = max($1, CAST(unixepoch(at) * 1000 AS INTEGER))
WHERE state = 'waiting' AND next_try > $2 AND next_try > CAST(unixepoch(at) * 1000 AS INTEGER)";

/// $1 user, $2 limit.
pub(super) const REMINDERS: &str = "\
SELECT json_group_array(json_array(task_id, title,
    json_array(id, at, zone, today, state, told))) FROM (
    SELECT r.*, t.title FROM reminders AS r
        CROSS JOIN tasks AS t ON t.user_id = r.user_id AND t.id = r.task_id
    WHERE r.user_id = $1 AND t.deleted_at IS NULL
    ORDER BY r.at DESC, r.id DESC LIMIT $2)";

/// Query for what units that end reminders are checked against. $1 [user, task, reminder] triples.
pub(super) const FENCES: &str = "\
SELECT json_group_array(json_array(r.user_id, r.id, r.fence))
FROM json_each($1) AS w CROSS JOIN reminders AS r
WHERE r.user_id = w.value ->> 0 AND r.task_id = w.value ->> 1 AND r.id = w.value ->> 2";
