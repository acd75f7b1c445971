//! The statements. All of them are static text; what varies is bound.
//!
//! Lists come back as one JSON array in one row, as they do from SQLite, so that one parser
//! serves both. Every argument says its type, so that a statement means the same whether the
//! server infers types or is told them. Every statement names the user whose rows it touches,
//! but the operator's: listing logs, and purging.

/// Query for what a commit is checked against.
pub(super) const STATE: &str = include_str!("state.sql");

/// Writes units of users whose ledgers still stand where they were read.
pub(super) const WRITE: &str = include_str!("write.sql");

/// Everything a turn starts from.
pub(super) const LOAD: &str = include_str!("load.sql");

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

/// Notes that an attempt has not landed, which it then can't any more. A row when that is new.
/// It waits for whoever is just writing that attempt. $1 user, $2 attempt.
pub(super) const SETTLE: &str = "\
INSERT INTO commits (user_id, attempt_id) VALUES ($1::text, $2::text)
ON CONFLICT DO NOTHING";

/// Query that tells whether an attempt landed, once it was settled. $1 user, $2 attempt.
pub(super) const SETTLED: &str = "\
SELECT coalesce((SELECT turn_id IS NOT NULL FROM commits
    WHERE attempt_id = $2::text AND user_id = $1::text), false)";

/// The columns of a receipt, in the order of the parser. Erased ones tell nothing any more.
macro_rules! receipts {
    ($rest:literal) => {
        concat!(
            "SELECT coalesce(json_agg(json_build_array(id, conversation_id, turn_id, action, ",
            "task_id, before, after, reading, undoes, created_at, undone_by, run)), '[]')::text FROM (",
            "SELECT r.*, (SELECT u.id FROM receipts AS u ",
            "WHERE u.user_id = r.user_id AND u.undoes = r.id) AS undone_by ",
            "FROM receipts AS r WHERE r.user_id = $1::text AND r.erased = 0 AND ",
            $rest,
            ") AS found"
        )
    };
}

/// $1 user, $2 limit.
pub(super) const HISTORY: &str = receipts!("true ORDER BY r.seq DESC LIMIT $2::bigint");

/// $1 user, $2 limit, $3 conversation.
pub(super) const HISTORY_OF_CONVERSATION: &str = receipts!(
    "r.conversation_id = $3::text AND r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.user_id = $1::text AND c.conversation_id = $3::text AND c.turn_id IS NOT NULL \
          AND o.user_id = $1::text AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq DESC LIMIT $2::bigint"
);

/// $1 user, $2 conversation.
pub(super) const UNDOABLE: &str = receipts!(
    "r.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', 'delegate', \
        'cancel_delegation') \
     AND NOT EXISTS (SELECT 1 FROM receipts AS n \
        WHERE n.user_id = r.user_id AND n.undoes = r.id) \
     AND r.seq IN (\
        SELECT s.seq FROM commits AS t CROSS JOIN receipts AS s \
        WHERE t.turn_id = (\
            SELECT o.turn_id FROM commits AS c CROSS JOIN receipts AS o \
            WHERE c.user_id = $1::text AND c.conversation_id = $2::text \
              AND c.turn_id IS NOT NULL \
              AND o.user_id = $1::text AND o.seq BETWEEN c.first_seq AND c.last_seq \
              AND o.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', \
                'delegate', 'cancel_delegation') \
              AND NOT EXISTS (SELECT 1 FROM receipts AS u \
                WHERE u.user_id = o.user_id AND u.undoes = o.id) \
            ORDER BY o.seq DESC LIMIT 1) \
          AND t.user_id = $1::text AND s.user_id = $1::text \
          AND s.seq BETWEEN t.first_seq AND t.last_seq) \
     ORDER BY r.seq DESC"
);

/// $1 user, $2 receipt.
pub(super) const RECEIPT: &str = receipts!("r.id = $2::text");

/// $1 user, $2 turn.
pub(super) const TURN: &str = receipts!(
    "r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.turn_id = $2::text AND c.user_id = $1::text \
          AND o.user_id = $1::text AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq"
);

/// $1 user, $2 attempt.
pub(super) const ATTEMPT: &str = receipts!(
    "r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.attempt_id = $2::text AND c.user_id = $1::text \
          AND o.user_id = $1::text AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq"
);

/// A task as the parser reads it, with its reminders: of the table or the reading `t`.
macro_rules! tasks {
    ($rest:literal) => {
        concat!(
            "SELECT coalesce(json_agg(json_build_array(id, title, description, status, priority, ",
            "due_date, due_time, due_zone, repeat, assignee, created_at, updated_at, completed_at, ",
            "version, ",
            "(SELECT coalesce(json_agg(json_build_array(r.id, r.at, r.zone, r.today, r.state, ",
            "r.told)), '[]') FROM reminders AS r ",
            "WHERE r.user_id = $1::text AND r.task_id = t.id))), '[]')::text FROM ",
            $rest
        )
    };
}

/// $1 user, $2 status, $3 instant and $4 id of the cursor, $5 limit.
pub(super) const TASKS: &str = tasks!(
    "(SELECT * FROM tasks \
        WHERE user_id = $1::text AND deleted_at IS NULL \
          AND ($2::text IS NULL OR status = $2::text) \
          AND ($3::text IS NULL OR (created_at, id) < ($3::text, $4::text)) \
        ORDER BY created_at DESC, id DESC LIMIT $5::bigint) AS t"
);

/// $1 user, $2 task.
pub(super) const TASK: &str =
    tasks!("tasks AS t WHERE user_id = $1::text AND id = $2::text AND deleted_at IS NULL");

/// $1 user, $2 tasks.
pub(super) const DELETED_TASKS: &str = tasks!(
    "tasks AS t \
     WHERE user_id = $1::text AND id = ANY($2::text[]) AND deleted_at IS NOT NULL"
);

/// $1 user, $2 conversation, $3 message, $4 limit. NULL when there is no such conversation.
pub(super) const MESSAGES: &str = "\
SELECT CASE WHEN EXISTS (SELECT 1 FROM conversations
        WHERE user_id = $1::text AND id = $2::text) THEN
    (SELECT coalesce(json_agg(json_build_array(id, role, content, created_at)), '[]')::text FROM (
        SELECT id, role, content, created_at FROM messages
        WHERE user_id = $1::text AND conversation_id = $2::text
          AND ($3::text IS NULL OR id < $3::text)
        ORDER BY id DESC LIMIT $4::bigint) AS found) END";

/// $1 user.
pub(super) const CONVERSATIONS: &str = "\
SELECT coalesce(json_agg(json_build_array(id, title, created_at, updated_at)), '[]')::text FROM (
    SELECT * FROM conversations WHERE user_id = $1::text
    ORDER BY updated_at DESC, id DESC) AS found";

/// The columns of an audit event, in the order of the parser.
macro_rules! events {
    ($from:literal) => {
        concat!(
            "SELECT coalesce(json_agg(json_build_array(user_id, seq, turn_id, kind, payload, ",
            "prev_hash, hash, created_at)), '[]')::text FROM (",
            $from,
            ") AS found"
        )
    };
}

/// $1 user, $2 after, $3 kind, $4 limit (none: NULL).
pub(super) const EVENTS: &str = events!(
    "SELECT * FROM audit_events \
     WHERE user_id = $1::text AND seq > $2::bigint AND ($3::text IS NULL OR kind = $3::text) \
     ORDER BY seq LIMIT $4::bigint"
);

/// The span of a turn, and of a conversation if one is named.
/// $1 user, $2 after, $3 kind, $4 limit (none: NULL), $5 turn, $6 conversation.
pub(super) const EVENTS_OF_TURN: &str = events!(
    "SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e \
     WHERE c.turn_id = $5::text AND c.user_id = $1::text \
       AND ($6::text IS NULL OR c.conversation_id = $6::text) \
       AND e.user_id = $1::text AND e.seq BETWEEN c.first_seq AND c.last_seq \
       AND e.seq > $2::bigint AND ($3::text IS NULL OR e.kind = $3::text) \
     ORDER BY e.seq LIMIT $4::bigint"
);

/// The spans of a conversation. Arguments as in [`EVENTS_OF_TURN`].
pub(super) const EVENTS_OF_CONVERSATION: &str = events!(
    "SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e \
     WHERE $5::text IS NULL AND c.user_id = $1::text AND c.turn_id IS NOT NULL \
       AND c.last_seq > $2::bigint AND c.conversation_id = $6::text \
       AND e.user_id = $1::text AND e.seq BETWEEN c.first_seq AND c.last_seq \
       AND e.seq > $2::bigint AND ($3::text IS NULL OR e.kind = $3::text) \
     ORDER BY e.seq LIMIT $4::bigint"
);

/// The operator's: all users' events. Arguments as in [`EVENTS_OF_TURN`].
pub(super) const EVENTS_OF_ALL: &str = events!(
    "SELECT * FROM audit_events AS e \
     WHERE $1::text IS NULL AND e.seq > $2::bigint AND ($3::text IS NULL OR e.kind = $3::text) \
       AND ($5::text IS NULL OR e.turn_id = $5::text) \
       AND ($6::text IS NULL OR EXISTS (SELECT 1 FROM commits AS c \
            WHERE c.user_id = e.user_id AND c.conversation_id = $6::text \
              AND e.seq BETWEEN c.first_seq AND c.last_seq)) \
     ORDER BY e.user_id, e.seq LIMIT $4::bigint"
);

/// $1 user.
pub(super) const HEAD: &str = "\
SELECT (SELECT json_build_array(last_seq, head_hash)::text FROM commits
    WHERE user_id = $1::text AND turn_id IS NOT NULL ORDER BY last_seq DESC LIMIT 1)";

/// Everyone who has a log.
pub(super) const USERS: &str = "\
SELECT coalesce(json_agg(user_id ORDER BY user_id), '[]')::text FROM (
    SELECT user_id FROM commits WHERE turn_id IS NOT NULL
    UNION SELECT user_id FROM audit_events) AS found";

/// Query for the number of events in the tree.
pub(super) const TREE_SIZE: &str = "SELECT size FROM audit_tree";

/// Events beyond the tree: of each user in order, and no user's before those that were
/// committed earlier. $1 limit.
pub(super) const TREE_TIPS: &str = "\
SELECT coalesce(json_agg(json_build_array(user_id, seq, hash)), '[]')::text FROM (
    SELECT e.user_id, e.seq, e.hash
    FROM ledgers AS l CROSS JOIN LATERAL (
        SELECT * FROM audit_events AS t WHERE t.user_id = l.user_id AND t.seq > coalesce((
            SELECT i.first_seq + i.events - 1 FROM audit_leaves AS i WHERE i.user_id = l.user_id
            ORDER BY i.first_seq DESC LIMIT 1), 0)
        ORDER BY t.seq) AS e
    ORDER BY e.user_id, e.seq LIMIT $1::bigint) AS found";

/// Stored hashes, and the events of blocks with their numbers. $1 indexes, $2 first leaves of
/// blocks, $3 how many events a block has. The row that holds a block's first one begins before it.
pub(super) const TREE_NODES: &str = "\
SELECT json_build_array(
    (SELECT coalesce(json_agg(json_build_array(n.node_index, n.hash)), '[]')
        FROM json_array_elements_text($1::json) AS w
            JOIN audit_nodes AS n ON n.node_index = w::bigint),
    (SELECT coalesce(json_agg(json_build_array(l.leaf_index + e.seq - l.first_seq, e.hash)), '[]')
        FROM (SELECT w::bigint AS first FROM json_array_elements_text($2::json) AS w) AS block
            JOIN audit_leaves AS l ON l.leaf_index >= coalesce((
                    SELECT max(b.leaf_index) FROM audit_leaves AS b
                    WHERE b.leaf_index <= block.first), block.first)
                AND l.leaf_index < block.first + $3::bigint
            JOIN audit_events AS e ON e.user_id = l.user_id
                AND e.seq >= l.first_seq + greatest(block.first - l.leaf_index, 0)
                AND e.seq < l.first_seq + least(block.first + $3::bigint - l.leaf_index, l.events)
    ))::text";

/// Gives a row when the tree had the size that was read. $1 size, $2 leaves, $3 nodes, $4 by how
/// many events it grows.
pub(super) const TREE_GROW: &str = "\
WITH grown AS (
    UPDATE audit_tree SET size = size + $4::bigint
    WHERE size = $1::bigint RETURNING size
), leaves AS (
    INSERT INTO audit_leaves (leaf_index, user_id, first_seq, events)
    SELECT l.leaf_index, l.user_id, l.first_seq, l.events
    FROM grown, json_to_recordset($2::json) AS l (
        leaf_index BIGINT, user_id TEXT, first_seq BIGINT, events BIGINT)
), nodes AS (
    INSERT INTO audit_nodes (node_index, hash)
    SELECT n.node_index, n.hash
    FROM grown, json_to_recordset($3::json) AS n (node_index BIGINT, hash TEXT)
)
SELECT size FROM grown";

/// $1 user, $2 number.
pub(super) const TREE_LEAF: &str = "\
SELECT (SELECT CASE WHEN $2::bigint < first_seq + events
        THEN leaf_index + $2::bigint - first_seq END FROM (
    SELECT * FROM audit_leaves WHERE user_id = $1::text AND first_seq <= $2::bigint
    ORDER BY first_seq DESC LIMIT 1) AS held)";

/// $1 first, $2 limit. The row that holds the first one begins before it.
pub(super) const TREE_EVENTS: &str = events!(
    "SELECT e.* FROM audit_leaves AS l \
        JOIN audit_events AS e ON e.user_id = l.user_id \
            AND e.seq >= l.first_seq + greatest($1::bigint - l.leaf_index, 0) \
            AND e.seq < l.first_seq + l.events \
     WHERE l.leaf_index >= coalesce((SELECT max(b.leaf_index) FROM audit_leaves AS b \
            WHERE b.leaf_index <= $1::bigint), $1::bigint) \
        AND l.leaf_index < $1::bigint + $2::bigint \
     ORDER BY l.leaf_index, e.seq LIMIT $2::bigint"
);

/// $1 user, $2 receipt.
pub(super) const RECEIPT_EVENT: &str = events!(
    "SELECT e.* FROM receipts AS r \
        JOIN audit_events AS e ON e.user_id = r.user_id AND e.seq = r.seq \
     WHERE r.user_id = $1::text AND r.id = $2::text"
);

/// Versions of the migrations that ran; it fails when none ever did.
pub(super) const APPLIED: &str = "\
SELECT coalesce(json_agg(version), '[]')::text FROM _sqlx_migrations WHERE success";

/// Query that tells whether any migration ever ran.
pub(super) const MIGRATED: &str = "\
SELECT CASE WHEN to_regclass('_sqlx_migrations') IS NOT NULL THEN 'yes' END";

/// Deletes some rows for good, unless another process does so just now: the lock is asked for and
/// not waited for, and ends with the statement.
macro_rules! purge {
    ($table:literal, $age:literal) => {
        concat!(
            "WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(7162242086004) AS mine), ",
            "gone AS (DELETE FROM ",
            $table,
            " WHERE ctid = ANY (ARRAY(SELECT p.ctid FROM ",
            $table,
            " AS p CROSS JOIN turn WHERE turn.mine AND p.",
            $age,
            " < $1::text ORDER BY p.",
            $age,
            " LIMIT $2::bigint FOR UPDATE OF p SKIP LOCKED)) RETURNING 1) ",
            "SELECT count(*) FROM gone"
        )
    };
}

/// Says that a turn is worked on, and how far it came if that is new; a row if it is still open.
/// $1 user, $2 turn, $3 owner, $4 journal.
pub(super) const BEAT: &str = "\
UPDATE open_turns SET beats = beats + 1,
    lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 5000,
    journal = coalesce($4::text, journal)
WHERE user_id = $1::text AND turn_id = $2::text AND owner = $3::text
RETURNING beats";

/// The operator's: turns that nobody works on. A lease that is too long was given by a clock
/// that was turned back since. $1 limit.
pub(super) const CUT_TURNS: &str = "\
SELECT coalesce(json_agg(json_build_array(user_id, conversation_id)), '[]')::text FROM (
    SELECT user_id, conversation_id FROM open_turns
    WHERE lease_until <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint
       OR lease_until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 5000
    ORDER BY lease_until LIMIT $1::bigint) AS found";

/// The operator's: turns without a reply, and runs that wait, are worked on, or wait for the user.
pub(super) const WAITING: &str = "\
SELECT json_build_array(
    (SELECT count(*) FROM open_turns),
    (SELECT count(*) FROM agent_runs WHERE state = 'pending'),
    (SELECT count(*) FROM agent_runs WHERE state = 'running'),
    (SELECT count(*) FROM agent_runs WHERE state = 'input_required'),
    (SELECT count(*) FROM reminders WHERE state = 'waiting'))::text";

/// $1 instant before which deleted tasks go, $2 limit.
pub(super) const PURGE_TASKS: &str = purge!("tasks", "deleted_at");

/// $1 instant before which keys go, $2 limit.
pub(super) const PURGE_KEYS: &str = purge!("idempotency_keys", "created_at");

/// Query that counts what there is to erase, as one object. $1 user.
pub(super) const ERASABLE: &str = "\
SELECT json_build_object(
    'tasks', (SELECT count(*) FROM tasks WHERE user_id = $1::text),
    'conversations', (SELECT count(*) FROM conversations WHERE user_id = $1::text),
    'messages', (SELECT count(*) FROM messages WHERE user_id = $1::text),
    'questions', (SELECT count(*) FROM questions WHERE user_id = $1::text),
    'open_turns', (SELECT count(*) FROM open_turns WHERE user_id = $1::text),
    'keys', (SELECT count(*) FROM idempotency_keys WHERE user_id = $1::text),
    'runs', (SELECT count(*) FROM agent_runs WHERE user_id = $1::text),
    'receipts', (SELECT count(*) FROM receipts WHERE user_id = $1::text AND erased = 0),
    'events', (SELECT count(*) FROM audit_events
        WHERE user_id = $1::text AND payload LIKE '%\"salt\":%'))::text";

/// Keeps others from committing for a user until the transaction ends. $1 user.
pub(super) const HOLD: &str = "\
SELECT version FROM ledgers WHERE user_id = $1::text FOR UPDATE";

/// An erasure begins, or one that was under way goes further. $1 user, $2 number of its event.
pub(super) const BEGIN_ERASURE: &str = "\
INSERT INTO erasures (user_id, seq, done_seq) VALUES ($1::text, $2::bigint, 0)
ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq";

/// Erases the rows of a user that hold words, one statement after another. $1 user.
pub(super) const ERASE: [&str; 13] = [
    "UPDATE receipts SET before = CASE WHEN before IS NOT NULL THEN '{}' END, \
        after = CASE WHEN after IS NOT NULL THEN '{}' END, \
        reading = CASE WHEN reading IS NOT NULL THEN '{}' END, erased = 1 \
     WHERE user_id = $1::text AND erased = 0",
    "DELETE FROM tasks WHERE user_id = $1::text",
    "DELETE FROM agent_notices WHERE user_id = $1::text",
    "DELETE FROM agent_messages WHERE user_id = $1::text",
    "DELETE FROM agent_results WHERE user_id = $1::text",
    "DELETE FROM agent_runs WHERE user_id = $1::text",
    "DELETE FROM agent_numbers WHERE user_id = $1::text",
    "DELETE FROM agent_sessions WHERE user_id = $1::text",
    "DELETE FROM open_turns WHERE user_id = $1::text",
    "DELETE FROM questions WHERE user_id = $1::text",
    "DELETE FROM messages WHERE user_id = $1::text",
    "DELETE FROM conversations WHERE user_id = $1::text",
    "DELETE FROM idempotency_keys WHERE user_id = $1::text",
];

/// Keeps others from the same erasure; no row when none is under way. $1 user.
pub(super) const HOLD_ERASURE: &str = "\
SELECT seq FROM erasures WHERE user_id = $1::text FOR UPDATE";

/// Some events that an erasure under way covers and that still hold words. $1 user, $2 limit.
pub(super) const WORDED: &str = "\
SELECT coalesce(json_agg(json_build_array(seq, payload)), '[]')::text FROM (
    SELECT a.seq, a.payload FROM erasures AS e
        JOIN audit_events AS a ON a.user_id = e.user_id AND a.seq > e.done_seq AND a.seq < e.seq
    WHERE e.user_id = $1::text AND a.payload LIKE '%\"salt\":%'
    ORDER BY a.seq LIMIT $2::bigint) AS found";

/// Puts payloads without words in the place of those with. $1 user, $2 events.
pub(super) const BARE: &str = "\
UPDATE audit_events AS a SET payload = b.payload
FROM json_to_recordset($2::json) AS b (seq bigint, payload text)
WHERE a.user_id = $1::text AND a.seq = b.seq";

/// Up to where the words are gone. $1 user, $2 the last event.
pub(super) const BARED: &str = "\
UPDATE erasures SET done_seq = $2::bigint WHERE user_id = $1::text";

/// An erasure has ended. $1 user.
pub(super) const ERASED: &str = "DELETE FROM erasures WHERE user_id = $1::text";

/// Users whose erasure is under way.
pub(super) const ERASING: &str = "\
SELECT coalesce(json_agg(user_id ORDER BY user_id), '[]')::text FROM erasures";

/// Query for what was committed after a number. $1 user, $2 number, $3 limit.
pub(super) const CHANGES: &str = "\
SELECT coalesce(json_agg(json_build_array(last_seq, turn_id, conversation_id, tasks, erasure,
    created_at)), '[]')::text FROM (
    SELECT c.last_seq, c.turn_id, c.conversation_id, c.created_at,
        (SELECT coalesce(json_agg(json_build_array(r.id, r.action, r.task_id) ORDER BY r.seq), '[]')
            FROM receipts AS r WHERE r.user_id = $1::text
              AND r.seq BETWEEN c.first_seq AND c.last_seq AND r.task_id IS NOT NULL) AS tasks,
        EXISTS (SELECT 1 FROM audit_events AS e WHERE e.user_id = $1::text
            AND e.seq BETWEEN c.first_seq AND c.last_seq AND e.kind = 'erasure')::int AS erasure
    FROM commits AS c
    WHERE c.user_id = $1::text AND c.turn_id IS NOT NULL AND c.last_seq > $2::bigint
    ORDER BY c.last_seq LIMIT $3::bigint) AS found";

/// Query for where the logs of some users stand. $1 users.
pub(super) const HEADS: &str = "\
SELECT coalesce(json_agg(json_build_array(w.name, (SELECT coalesce(max(c.last_seq), 0)
    FROM commits AS c WHERE c.user_id = w.name AND c.turn_id IS NOT NULL))), '[]')::text
FROM unnest($1::text[]) AS w (name)";

/// Tells listeners that something changed. $1 users.
pub(super) const NOTIFY: &str = "\
SELECT count(pg_notify('candor_changes', w.name)::text) FROM unnest($1::text[]) AS w (name)";
