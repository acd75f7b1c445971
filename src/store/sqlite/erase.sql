-- Erases the rows that hold a user's words, once the log was told so. $1 user, $2 number of the
-- event that tells it.
INSERT INTO erasures (user_id, seq, done_seq) VALUES ($1, $2, 0)
ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq;
UPDATE receipts SET
    "before" = CASE WHEN "before" IS NOT NULL THEN '{}' END,
    "after" = CASE WHEN "after" IS NOT NULL THEN '{}' END,
    reading = CASE WHEN reading IS NOT NULL THEN '{}' END,
    erased = 1
WHERE user_id = $1 AND erased = 0;
DELETE FROM open_turns WHERE user_id = $1;
DELETE FROM tasks WHERE user_id = $1;
DELETE FROM agent_notices WHERE user_id = $1;
DELETE FROM agent_messages WHERE user_id = $1;
DELETE FROM agent_results WHERE user_id = $1;
DELETE FROM agent_runs WHERE user_id = $1;
DELETE FROM agent_numbers WHERE user_id = $1;
DELETE FROM agent_sessions WHERE user_id = $1;
DELETE FROM questions WHERE user_id = $1;
DELETE FROM messages WHERE user_id = $1;
DELETE FROM conversations WHERE user_id = $1;
DELETE FROM idempotency_keys WHERE user_id = $1;
