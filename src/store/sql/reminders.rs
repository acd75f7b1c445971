//! Statements about reminders, but for those that write them with their tasks.

use super::SqlText;

statements! {
    /// The operator's: takes what is due. $1 this taking, $2 now and $3 until when, in milliseconds,
    /// $4 limit; $5 users who can be given any here (null: everybody can), and $6 since when those of
    /// the others have to be due. An array of them, and when the next of the others is to be looked at.
    LEASE = SqlText::of(
        "UPDATE reminders SET owner = $1, fence = fence + 1, next_try = $3 \
         WHERE state = 'waiting' AND (user_id, task_id, id) IN (\
            SELECT user_id, task_id, id FROM reminders \
            WHERE state = 'waiting' AND next_try <= $2 \
                AND ($5 IS NULL OR next_try <= $6 OR user_id IN (SELECT value FROM json_each($5))) \
            ORDER BY next_try LIMIT $4); \
         SELECT json_array(\
            (SELECT json_group_array(json_array(user_id, task_id, id, at, attempts, fence)) FROM (\
                SELECT * FROM reminders WHERE state = 'waiting' AND next_try = $3 AND owner = $1 \
                ORDER BY at)), \
            (SELECT min(at) FROM (\
                SELECT (SELECT next_try FROM reminders \
                    WHERE state = 'waiting' AND owner IS NOT $1 AND ($5 IS NULL OR next_try > $2) \
                    ORDER BY next_try LIMIT 1) AS at \
                UNION ALL \
                SELECT (SELECT next_try + $2 - $6 FROM reminders \
                    WHERE state = 'waiting' AND owner IS NOT $1 AND $5 IS NOT NULL \
                      AND next_try > $6 \
                    ORDER BY next_try LIMIT 1))))",
        "WITH due AS (\
            SELECT user_id, task_id, id FROM reminders \
            WHERE state = 'waiting' AND next_try <= $2 \
              AND ($5 IS NULL OR next_try <= $6 \
                  OR user_id IN (SELECT json_array_elements_text($5::json))) \
            ORDER BY next_try LIMIT $4 FOR UPDATE SKIP LOCKED\
         ), leased AS (\
            UPDATE reminders AS r SET owner = $1, fence = r.fence + 1, next_try = $3 \
            FROM due AS d \
            WHERE r.user_id = d.user_id AND r.task_id = d.task_id AND r.id = d.id \
            RETURNING r.user_id, r.task_id, r.id, r.at, r.attempts, r.fence\
         ), others AS (\
            SELECT r.next_try FROM reminders AS r \
            WHERE r.state = 'waiting' AND NOT EXISTS (SELECT 1 FROM leased AS l \
                WHERE l.user_id = r.user_id AND l.task_id = r.task_id AND l.id = r.id)\
         ) SELECT json_build_array(\
            (SELECT coalesce(json_agg(json_build_array(user_id, task_id, id, at, attempts, fence) \
                ORDER BY at), '[]') FROM leased), \
            least(\
                (SELECT next_try FROM others WHERE $5 IS NULL OR next_try > $2 \
                    ORDER BY next_try LIMIT 1), \
                (SELECT next_try + $2 - $6 FROM others WHERE $5 IS NOT NULL AND next_try > $6 \
                    ORDER BY next_try LIMIT 1)))::text",
    );

    /// $1 user, $2 task, $3 reminder, $4 fence, $5 next try in milliseconds, $6 tries that failed.
    PUT_OFF = sql!(
        "UPDATE reminders SET owner = NULL, next_try = $5, attempts = attempts + $6 \
         WHERE user_id = $1 AND task_id = $2 AND id = $3 AND fence = $4 AND state = 'waiting' \
         RETURNING id"
    );

    /// The operator's: what was put off further than anybody would from now. $1 now, $2 until when.
    STEADY = sql!(
        "UPDATE reminders SET owner = NULL, fence = fence + 1, next_try = "
        greatest "($1, " (millis "at") ") WHERE state = 'waiting' AND next_try > $2 AND next_try > "
        (millis "at")
    );

    /// $1 user, $2 limit.
    REMINDERS = sql!(
        (list "task_id, title, " array "(id, at, zone, today, state, told)")
        "SELECT r.*, t.title FROM reminders AS r \
            CROSS JOIN tasks AS t \
         WHERE r.user_id = $1 AND t.user_id = r.user_id AND t.id = r.task_id \
           AND t.deleted_at IS NULL \
         ORDER BY r.at DESC, r.id DESC LIMIT $2"
        end
    );
}
