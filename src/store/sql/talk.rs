//! Statements about tasks, conversations, receipts, turns without a reply, and callers' keys.

use super::SqlText;

/// A receipt with the one that took it back, in the order of the parser. Erased ones tell nothing
/// any more.
macro_rules! receipts {
    ($($rest:tt)+) => {
        sql!(
            (list "id, conversation_id, turn_id, action, task_id, before, after, reading, undoes, \
                created_at, undone_by, run")
            "SELECT r.id, r.conversation_id, r.turn_id, r.action, r.task_id, r.seq, r.undoes, \
                r.created_at, r.run, (SELECT u.id FROM receipts AS u \
                    WHERE u.user_id = r.user_id AND u.undoes = r.id) AS undone_by, "
            images
            " WHERE r.user_id = $1 AND r.erased = 0 AND "
            $($rest)+
            end
        )
    };
}

/// A task with its reminders, in the order of the parser.
macro_rules! tasks {
    ($($from:tt)+) => {
        sql!(
            (list "page.id, title, description, status, priority, due_date, due_time, due_zone, \
                repeat, assignee, created_at, updated_at, completed_at, version, "
                (nested "r.id, r.at, r.zone, r.today, r.state, r.told",
                    "reminders AS r WHERE r.user_id = $1 AND r.task_id = page.id"))
            $($from)+
            ") AS page"
        )
    };
}

/// The columns of a caller's key, in the order of their type.
macro_rules! keys {
    ($which:literal) => {
        sql!(
            (list "prefix, name, user_id, scope, created_at, expires_at, revoked_at, \
                last_used_at, hash")
            "SELECT * FROM api_keys"
            $which
            " ORDER BY created_at, prefix"
            end
        )
    };
}

/// Deletes some rows for good in PostgreSQL, unless another process does so just now: the lock is
/// asked for and not waited for, and ends with the statement.
macro_rules! purge {
    ($table:literal, $age:literal, $also:literal) => {
        concat!(
            "WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(7162242086004) AS mine), ",
            $also,
            "gone AS (DELETE FROM ",
            $table,
            " WHERE ctid = ANY (ARRAY(SELECT p.ctid FROM ",
            $table,
            " AS p CROSS JOIN turn WHERE turn.mine AND p.",
            $age,
            " < $1 ORDER BY p.",
            $age,
            " LIMIT $2 FOR UPDATE OF p SKIP LOCKED)) RETURNING 1) ",
            "SELECT count(*)::text FROM gone"
        )
    };
}

statements! {
    /// Everything a turn starts from. $1 user, $2 conversation, $3 idempotency key.
    LOAD = SqlText::of(
        include_str!("../sqlite/load.sql"),
        include_str!("../postgres/load.sql"),
    );

    /// $1 user, $2 limit.
    HISTORY = receipts!("TRUE ORDER BY r.seq DESC LIMIT $2");

    /// $1 user, $2 limit, $3 conversation.
    HISTORY_OF_CONVERSATION = receipts!(
        "r.conversation_id = $3 AND r.seq IN (\
            SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
            WHERE c.user_id = $1 AND c.conversation_id = $3 AND c.turn_id IS NOT NULL \
              AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
         ORDER BY r.seq DESC LIMIT $2"
    );

    /// $1 user, $2 conversation.
    UNDOABLE = receipts!(
        "r.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', 'delegate', \
            'cancel_delegation') \
         AND NOT EXISTS (SELECT 1 FROM receipts AS n \
            WHERE n.user_id = r.user_id AND n.undoes = r.id) \
         AND r.seq IN (\
            SELECT s.seq FROM (\
                SELECT o.turn_id AS turn FROM commits AS c CROSS JOIN receipts AS o \
                WHERE c.user_id = $1 AND c.conversation_id = $2 AND c.turn_id IS NOT NULL \
                  AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq \
                  AND o.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', \
                    'delegate', 'cancel_delegation') \
                  AND NOT EXISTS (SELECT 1 FROM receipts AS u \
                    WHERE u.user_id = o.user_id AND u.undoes = o.id) \
                ORDER BY o.seq DESC LIMIT 1) AS latest \
              CROSS JOIN commits AS t CROSS JOIN receipts AS s \
            WHERE t.user_id = $1 AND "
        (turn "t", "latest.turn")
        " AND s.user_id = $1 AND s.seq BETWEEN t.first_seq AND t.last_seq) \
         ORDER BY r.seq DESC"
    );

    /// $1 user, $2 receipt.
    RECEIPT = receipts!("r.id = $2");

    /// $1 user, $2 turn.
    TURN = receipts!(
        "r.seq IN (\
            SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
            WHERE c.user_id = $1 AND "
        (turn "c", "$2")
        " AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
         ORDER BY r.seq"
    );

    /// $1 user, $2 attempt.
    ATTEMPT = receipts!(
        "r.seq IN (\
            SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
            WHERE c.attempt_id = $2 AND c.user_id = $1 \
              AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
         ORDER BY r.seq"
    );

    /// Notes that an attempt has not landed, which it then can't any more; it waits for whoever is
    /// just writing that attempt. $1 user, $2 attempt.
    SETTLE = sql!(
        "INSERT INTO commits (user_id, attempt_id) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    ).repeatable();

    /// Query that tells whether an attempt landed, once it was settled. $1 user, $2 attempt.
    SETTLED = sql!(
        "SELECT CASE WHEN turn_id IS NOT NULL THEN 'landed' END FROM commits \
         WHERE attempt_id = $2 AND user_id = $1"
    );

    /// $1 user, $2 status, $3 instant and $4 id of the cursor, $5 limit.
    TASKS = tasks!(
        "SELECT * FROM tasks \
         WHERE user_id = $1 AND deleted_at IS NULL AND ($2 IS NULL OR status = $2) \
           AND ($3 IS NULL OR (created_at, id) < ($3, $4)) \
         ORDER BY created_at DESC, id DESC LIMIT $5"
    );

    /// $1 user, $2 task.
    TASK = tasks!("SELECT * FROM tasks WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL");

    /// $1 user, $2 tasks.
    DELETED_TASKS = tasks!(
        "SELECT t.* FROM " (each "$2") " CROSS JOIN tasks AS t \
         WHERE t.user_id = $1 AND t.id = w.value AND t.deleted_at IS NOT NULL"
    );

    /// $1 user, $2 conversation, $3 message, $4 limit. NULL when there is no such conversation.
    MESSAGES = sql!(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM conversations WHERE user_id = $1 AND id = $2) \
         THEN ("
        (list "id, role, content, created_at")
        "SELECT id, role, content, created_at FROM messages \
         WHERE user_id = $1 AND conversation_id = $2 AND ($3 IS NULL OR id < $3) \
         ORDER BY id DESC LIMIT $4"
        end
        ") END"
    );

    /// $1 user.
    CONVERSATIONS = sql!(
        (list "id, title, created_at, updated_at")
        "SELECT * FROM conversations WHERE user_id = $1 ORDER BY updated_at DESC, id DESC"
        end
    );

    /// The numbers that lists of the Todo-Backend contract are sorted by. $1 user.
    ORDERS = sql!(
        (list "task_id, position")
        "SELECT * FROM todo_backend_orders WHERE user_id = $1"
        end
    );

    /// A row when there is such a task. $1 user, $2 task, $3 number.
    PUT_ORDER = sql!(
        "INSERT INTO todo_backend_orders (user_id, task_id, position) \
         SELECT user_id, id, $3 FROM tasks \
         WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL \
         ON CONFLICT (user_id, task_id) DO UPDATE SET position = excluded.position \
         RETURNING 'done'"
    ).repeatable();

    /// Says that a turn is worked on, and how far it came if that is new; a row if it is still open.
    /// $1 user, $2 turn, $3 owner, $4 journal.
    BEAT = sql!(
        "UPDATE open_turns SET beats = beats + 1, lease_until = " now " + 5000, \
            journal = coalesce($4, journal) \
         WHERE user_id = $1 AND turn_id = $2 AND owner = $3 RETURNING 'done'"
    ).repeatable();

    /// The operator's: turns that nobody works on. A lease that is too long was given by a clock
    /// that was turned back since. $1 limit.
    CUT_TURNS = sql!(
        (list "user_id, conversation_id")
        "SELECT user_id, conversation_id FROM open_turns \
         WHERE lease_until <= " now " OR lease_until > " now " + 5000 \
         ORDER BY lease_until LIMIT $1"
        end
    );

    /// The operator's: turns without a reply, runs that wait, are worked on, or wait for the user,
    /// and reminders.
    QUEUE_DEPTHS = sql!(
        "SELECT " array "((SELECT count(*) FROM open_turns), \
            (SELECT count(*) FROM agent_runs WHERE state = 'pending'), \
            (SELECT count(*) FROM agent_runs \
             WHERE state IN ('running', 'input_required') AND state = 'running'), \
            (SELECT count(*) FROM agent_runs \
             WHERE state IN ('running', 'input_required') AND state = 'input_required'), \
            (SELECT count(*) FROM reminders WHERE state = 'waiting' AND next_try > 0))" text
    );

    KEYS = keys!("");

    /// $1 prefix.
    KEY = keys!(" WHERE prefix = $1");

    /// A row when the prefix is free; PostgreSQL may be asked twice, and then finds its own row.
    /// $1 prefix, $2 hash, $3 user, $4 scope, $5 name, $6 made, $7 expires.
    CREATE_KEY = SqlText::of(
        "INSERT INTO api_keys (prefix, hash, user_id, scope, name, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (prefix) DO NOTHING RETURNING 'done'",
        "INSERT INTO api_keys AS k (prefix, hash, user_id, scope, name, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7) \
         ON CONFLICT (prefix) DO UPDATE SET name = k.name WHERE k.hash = excluded.hash \
         RETURNING 'done'",
    ).repeatable();

    /// $1 prefix, $2 now. The first time counts.
    REVOKE_KEY = sql!(
        "UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE prefix = $1 \
         RETURNING 'done'"
    ).repeatable();

    /// $1 prefix, $2 now, $3 the instant up to which the last use is too long ago.
    USE_KEY = sql!(
        "UPDATE api_keys SET last_used_at = $2 \
         WHERE prefix = $1 AND (last_used_at IS NULL OR last_used_at <= $3) RETURNING 'done'"
    ).repeatable();

    /// $1 name.
    SECRET = sql!("SELECT secret FROM secrets WHERE name = $1");

    /// $1 name, $2 secret. The first one counts.
    DRAW_SECRET = sql!(
        "INSERT INTO secrets (name, secret) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"
    ).repeatable();

    /// The operator's: removes tasks that were deleted before $1 for good, at most $2, and counts them.
    PURGE_TASKS = SqlText::of(
        "DELETE FROM tasks WHERE (user_id, id) IN (\
            SELECT user_id, id FROM tasks WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2); \
         SELECT CAST(changes() AS TEXT)",
        purge!("tasks", "deleted_at", ""),
    ).repeatable();

    /// The same of idempotency keys; and where the server counts for all processes, of buckets that
    /// are full again, and as good as none.
    PURGE_KEYS = SqlText::of(
        "DELETE FROM idempotency_keys WHERE rowid IN (\
            SELECT rowid FROM idempotency_keys WHERE created_at < $1 \
            ORDER BY created_at LIMIT $2); \
         SELECT CAST(changes() AS TEXT)",
        purge!(
            "idempotency_keys",
            "created_at",
            "full_buckets AS (DELETE FROM rate_limits \
                WHERE ahead < (extract(epoch FROM now()) * 1000000)::bigint), "
        ),
    ).repeatable();

    /// Query that tells whether any migration ever ran.
    MIGRATED = SqlText::of(
        "SELECT CASE WHEN EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations') \
         THEN 'yes' END",
        "SELECT CASE WHEN to_regclass('_sqlx_migrations') IS NOT NULL THEN 'yes' END",
    );

    /// Versions of the migrations that ran; it fails when none ever did.
    APPLIED = sql!((values "version") "SELECT version FROM _sqlx_migrations WHERE success" end);
}
