//! The statements. All of them are static text, or one text for each number of units; what varies
//! is bound.
//!
//! Lists come back as one JSON array in one row, since each row the driver hands over costs
//! more than the text of ten. Every statement names the user whose rows it touches, but the
//! operator's: listing logs, and purging.

use std::sync::OnceLock;

use super::values::COLUMNS;
use super::writer::GROUP;

/// Takes the write lock and reads what a group is checked against.
pub(super) const BEGIN: &str = include_str!("begin.sql");

/// Statements that set up a connection for writing.
pub(super) const SETUP: &str = concat!(include_str!("write.sql"), include_str!("write_one.sql"));

macro_rules! write {
    () => {
        "INSERT INTO writing VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);"
    };
}

macro_rules! commit {
    () => {
        "SELECT 'written'; COMMIT; SELECT 'committed';"
    };
}

/// Writes a group's rows and commits: two statements, and each wakes the caller once.
pub(super) const WRITE_AND_COMMIT: &str = concat!(write!(), "COMMIT;");

/// Writes and commits a group that was checked against memory: refused where the log of one of
/// the users does not end with the event that was remembered. One statement, whose transaction is
/// its own: it takes the write lock before it reads, wakes the caller once, and needs no copy of
/// the pages it changes, since nothing of it can be taken back but all.
pub(super) const WRITE_AT_ONCE: &str = write!();

/// [`WRITE_AT_ONCE`], for units with few rows: for each of them the values of the view's columns, in
/// their order. Nothing for more of them than are written together.
///
/// There is a statement for each of [`SIZES`]: one for every number of units would be kept by the
/// driver too, and take the memory of thousands of rows. What is not bound is NULL, and a row
/// without a user is passed over.
pub(super) fn write_values(units: usize) -> Option<&'static str> {
    static TEXTS: [OnceLock<String>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
    let place = SIZES.partition_point(|size| *size < units);
    let (size, kept) = SIZES.get(place).zip(TEXTS.get(place))?;
    let text = || {
        let row = format!("(?{})", ", ?".repeat(COLUMNS - 1));
        format!(
            "INSERT INTO writing_one VALUES {row}{}",
            format!(", {row}").repeat(size - 1)
        )
    };
    Some(kept.get_or_init(text))
}

/// For how many units there is a statement: at most every third of its rows is left empty.
const SIZES: [usize; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, GROUP];

/// The same as [`WRITE_AND_COMMIT`], for a group that writes about runs. Its first row says that
/// everything was written and the commit is next, its second that it was committed.
pub(super) const WRITE_RUNS_AND_COMMIT: &str =
    concat!(write!(), include_str!("runs_write.sql"), commit!());

/// [`WRITE_APART`], for a unit that writes about runs.
pub(super) const WRITE_RUNS_APART: &str = concat!(
    "SAVEPOINT unit;",
    write!(),
    include_str!("runs_write.sql"),
    "RELEASE unit;"
);

/// Writes one unit's rows so that they can be taken back without the others'.
pub(super) const WRITE_APART: &str = concat!("SAVEPOINT unit;", write!(), "RELEASE unit;");

/// Takes one unit's rows back.
pub(super) const TAKE_BACK: &str = "ROLLBACK TO unit; RELEASE unit;";

/// Commits; rows as in [`WRITE_RUNS_AND_COMMIT`].
pub(super) const COMMIT: &str = commit!();

/// Copies back what no reader needs any more, and waits for nobody.
pub(super) const COPY_BACK: &str = "PRAGMA wal_checkpoint(PASSIVE)";

/// Everything a turn starts from.
pub(super) const LOAD: &str = include_str!("load.sql");

/// Query that settles whether an attempt landed; one that did not can't from now on.
pub(super) const SETTLE: &str = "\
INSERT INTO commits (user_id, attempt_id) VALUES ($1, $2) ON CONFLICT DO NOTHING;
SELECT turn_id IS NOT NULL FROM commits WHERE attempt_id = $2 AND user_id = $1";

/// The columns of a receipt, in the order of the parser. Erased ones tell nothing any more. Its
/// images stand in its event alone, so that what is told of them is what the log covers.
macro_rules! receipts {
    ($($rest:tt)*) => {
        concat!(
            "SELECT json_group_array(json_array(id, conversation_id, turn_id, action, task_id, ",
            "before, after, reading, undoes, created_at, undone_by, run)) FROM (",
            "SELECT r.id, r.conversation_id, r.turn_id, r.action, r.task_id, ",
            "e.payload ->> 'before' AS before, e.payload ->> 'after' AS after, ",
            "e.payload ->> 'reading' AS reading, ",
            "r.undoes, r.created_at, r.run, (SELECT u.id FROM receipts AS u ",
            "WHERE u.user_id = r.user_id AND u.undoes = r.id) AS undone_by ",
            "FROM receipts AS r LEFT JOIN audit_events AS e ",
            "ON e.user_id = $1 AND e.seq = r.seq AND json_valid(e.payload) ",
            "WHERE r.user_id = $1 AND r.erased = 0 AND ",
            $($rest)*,
            ")"
        )
    };
}

/// Condition that a commit is one of a turn's: the first has the turn's own id, and only the others
/// stand in the index of turns.
macro_rules! of_turn {
    ($commit:literal, $turn:literal) => {
        concat!(
            "(",
            $commit,
            ".attempt_id = ",
            $turn,
            " AND ",
            $commit,
            ".turn_id = ",
            $commit,
            ".attempt_id OR ",
            $commit,
            ".turn_id = ",
            $turn,
            " AND ",
            $commit,
            ".turn_id <> ",
            $commit,
            ".attempt_id)"
        )
    };
}

/// $1 user, $2 limit.
pub(super) const HISTORY: &str = receipts!("TRUE ORDER BY r.seq DESC LIMIT $2");

/// $1 user, $2 limit, $3 conversation.
pub(super) const HISTORY_OF_CONVERSATION: &str = receipts!(
    "r.conversation_id = $3 AND r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.user_id = $1 AND c.conversation_id = $3 AND c.turn_id IS NOT NULL \
          AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq DESC LIMIT $2"
);

/// $1 user, $2 conversation.
pub(super) const UNDOABLE: &str = receipts!(
    "r.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', 'delegate', \
        'cancel_delegation') \
     AND undone_by IS NULL AND r.seq IN (\
        SELECT s.seq FROM (\
            SELECT o.turn_id AS turn FROM commits AS c CROSS JOIN receipts AS o \
            WHERE c.user_id = $1 AND c.conversation_id = $2 AND c.turn_id IS NOT NULL \
              AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq \
              AND o.action IN ('add_task', 'update_task', 'complete_task', 'delete_task', \
                'delegate', 'cancel_delegation') \
              AND NOT EXISTS (SELECT 1 FROM receipts AS u \
                WHERE u.user_id = o.user_id AND u.undoes = o.id) \
            ORDER BY o.seq DESC LIMIT 1) \
          CROSS JOIN commits AS t CROSS JOIN receipts AS s \
        WHERE t.user_id = $1 AND ",
    of_turn!("t", "turn"),
    " AND s.user_id = $1 AND s.seq BETWEEN t.first_seq AND t.last_seq) \
     ORDER BY r.seq DESC"
);

/// $1 user, $2 receipt.
pub(super) const RECEIPT: &str = receipts!("r.id = $2");

/// $1 user, $2 turn.
pub(super) const TURN: &str = receipts!(
    "r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.user_id = $1 AND ",
    of_turn!("c", "$2"),
    " AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq"
);

/// $1 user, $2 attempt.
pub(super) const ATTEMPT: &str = receipts!(
    "r.seq IN (\
        SELECT o.seq FROM commits AS c CROSS JOIN receipts AS o \
        WHERE c.attempt_id = $2 AND c.user_id = $1 \
          AND o.user_id = $1 AND o.seq BETWEEN c.first_seq AND c.last_seq) \
     ORDER BY r.seq"
);

/// A task as the parser reads it, with its reminders: of the table or the reading `$of`.
macro_rules! tasks {
    ($of:literal, $rest:literal) => {
        concat!(
            "SELECT json_group_array(json_array(",
            $of,
            ".id, title, description, status, priority, ",
            "due_date, due_time, due_zone, repeat, assignee, created_at, updated_at, completed_at, ",
            "version, ",
            "json((SELECT json_group_array(json_array(r.id, r.at, r.zone, r.today, r.state, r.told)) ",
            "FROM reminders AS r WHERE r.user_id = $1 AND r.task_id = ",
            $of,
            ".id)))) FROM ",
            $rest
        )
    };
}

/// $1 user, $2 status, $3 instant and $4 id of the cursor, $5 limit (-1: none).
pub(super) const TASKS: &str = tasks!(
    "page",
    "(SELECT * FROM tasks \
        WHERE user_id = $1 AND deleted_at IS NULL AND ($2 IS NULL OR status = $2) \
          AND ($3 IS NULL OR (created_at, id) < ($3, $4)) \
        ORDER BY created_at DESC, id DESC LIMIT $5) AS page"
);

/// $1 user, $2 task.
pub(super) const TASK: &str = tasks!(
    "t",
    "tasks AS t WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL"
);

/// $1 user, $2 tasks.
pub(super) const DELETED_TASKS: &str = tasks!(
    "t",
    "json_each($2) AS w CROSS JOIN tasks AS t \
     WHERE t.user_id = $1 AND t.id = w.value AND t.deleted_at IS NOT NULL"
);

/// $1 user, $2 conversation, $3 message, $4 limit. NULL when there is no such conversation.
pub(super) const MESSAGES: &str = "\
SELECT CASE WHEN EXISTS (SELECT 1 FROM conversations WHERE user_id = $1 AND id = $2) THEN
    (SELECT json_group_array(json_array(id, role, content, created_at)) FROM (
        SELECT id, role, content, created_at FROM messages
        WHERE user_id = $1 AND conversation_id = $2 AND ($3 IS NULL OR id < $3)
        ORDER BY id DESC LIMIT $4)) END";

/// $1 user.
pub(super) const CONVERSATIONS: &str = "\
SELECT json_group_array(json_array(id, title, created_at, updated_at)) FROM (
    SELECT * FROM conversations WHERE user_id = $1 ORDER BY updated_at DESC, id DESC)";

/// $1 user, $2 after, $3 kind, $4 limit (-1: none).
pub(super) const EVENTS: &str = "\
SELECT json_group_array(json_array(user_id, seq, turn_id, kind, payload, prev_hash, hash,
    created_at)) FROM (
    SELECT * FROM audit_events
    WHERE user_id = $1 AND seq > $2 AND ($3 IS NULL OR kind = $3)
    ORDER BY seq LIMIT $4)";

/// The span of a turn, and of a conversation if one is named.
/// $1 user, $2 after, $3 kind, $4 limit (-1: none), $5 turn, $6 conversation.
pub(super) const EVENTS_OF_TURN: &str = concat!(
    "SELECT json_group_array(json_array(user_id, seq, turn_id, kind, payload, prev_hash, hash,
    created_at)) FROM (
    SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e
    WHERE c.user_id = $1 AND ",
    of_turn!("c", "$5"),
    " AND ($6 IS NULL OR c.conversation_id = $6)
      AND e.user_id = $1 AND e.seq BETWEEN c.first_seq AND c.last_seq
      AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3)
    ORDER BY e.seq LIMIT $4)"
);

/// The spans of a conversation. Arguments as in [`EVENTS_OF_TURN`].
pub(super) const EVENTS_OF_CONVERSATION: &str = "\
SELECT json_group_array(json_array(user_id, seq, turn_id, kind, payload, prev_hash, hash,
    created_at)) FROM (
    SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e
    WHERE c.user_id = $1 AND c.turn_id IS NOT NULL AND c.last_seq > $2
      AND c.conversation_id = $6
      AND e.user_id = $1 AND e.seq BETWEEN c.first_seq AND c.last_seq
      AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3)
    ORDER BY e.seq LIMIT $4)";

/// The operator's: all users' events. Arguments as in [`EVENTS_OF_TURN`].
pub(super) const EVENTS_OF_ALL: &str = "\
SELECT json_group_array(json_array(user_id, seq, turn_id, kind, payload, prev_hash, hash,
    created_at)) FROM (
    SELECT * FROM audit_events AS e
    WHERE $1 IS NULL AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3)
      AND ($5 IS NULL OR e.turn_id = $5)
      AND ($6 IS NULL OR EXISTS (SELECT 1 FROM commits AS c
        WHERE c.user_id = e.user_id AND c.conversation_id = $6
          AND e.seq BETWEEN c.first_seq AND c.last_seq))
    ORDER BY e.user_id, e.seq LIMIT $4)";

/// $1 user.
pub(super) const HEAD: &str = "\
SELECT (SELECT json_array(last_seq, head_hash) FROM commits
    WHERE user_id = $1 AND turn_id IS NOT NULL ORDER BY last_seq DESC LIMIT 1)";

/// Everyone who has a log.
pub(super) const USERS: &str = "\
SELECT json_group_array(user_id) FROM (
    SELECT user_id FROM commits WHERE turn_id IS NOT NULL
    UNION SELECT user_id FROM audit_events ORDER BY user_id)";

/// Query for the number of events in the tree.
pub(super) const TREE_SIZE: &str = "\
SELECT coalesce((SELECT leaf_index + events FROM audit_leaves
    ORDER BY leaf_index DESC LIMIT 1), 0)";

/// Events beyond the tree, in commit order: one writer appends and nobody deletes, so that
/// row ids count events. $1 size of the tree, $2 limit.
pub(super) const TREE_TIPS: &str = "\
SELECT json_group_array(json_array(user_id, seq, hash)) FROM (
    SELECT user_id, seq, hash FROM audit_events WHERE rowid > $1 ORDER BY rowid LIMIT $2)";

/// Stored hashes, and the events of blocks with their numbers. $1 indexes, $2 first leaves of
/// blocks, $3 how many events a block has. The row that holds a block's first one begins before it.
pub(super) const TREE_NODES: &str = "\
SELECT json_array(
    (SELECT json_group_array(json_array(n.node_index, n.hash))
        FROM json_each($1) AS w CROSS JOIN audit_nodes AS n WHERE n.node_index = w.value),
    (SELECT json_group_array(json_array(l.leaf_index + e.seq - l.first_seq, e.hash))
        FROM json_each($2) AS w CROSS JOIN audit_leaves AS l CROSS JOIN audit_events AS e
        WHERE l.leaf_index >= coalesce((SELECT max(b.leaf_index) FROM audit_leaves AS b
                WHERE b.leaf_index <= w.value), w.value)
          AND l.leaf_index < w.value + $3 AND e.user_id = l.user_id
          AND e.seq >= l.first_seq + max(w.value - l.leaf_index, 0)
          AND e.seq < l.first_seq + min(w.value + $3 - l.leaf_index, l.events)))";

/// $1 leaves, $2 nodes, as objects.
pub(super) const TREE_GROW: &str = "\
INSERT INTO audit_leaves (leaf_index, user_id, first_seq, events)
SELECT value ->> 'leaf_index', value ->> 'user_id', value ->> 'first_seq', value ->> 'events'
FROM jsonb_each($1);
INSERT INTO audit_nodes (node_index, hash)
SELECT value ->> 'node_index', value ->> 'hash' FROM jsonb_each($2)";

/// $1 user, $2 number.
pub(super) const TREE_LEAF: &str = "\
SELECT (SELECT CASE WHEN $2 < first_seq + events THEN leaf_index + $2 - first_seq END FROM (
    SELECT * FROM audit_leaves WHERE user_id = $1 AND first_seq <= $2
    ORDER BY first_seq DESC LIMIT 1))";

/// $1 first, $2 limit. The row that holds the first one begins before it.
pub(super) const TREE_EVENTS: &str = "\
SELECT json_group_array(json_array(user_id, seq, turn_id, kind, payload, prev_hash, hash,
    created_at)) FROM (
    SELECT e.* FROM audit_leaves AS l CROSS JOIN audit_events AS e
    WHERE l.leaf_index >= coalesce((
            SELECT max(b.leaf_index) FROM audit_leaves AS b WHERE b.leaf_index <= $1), $1)
      AND l.leaf_index < $1 + $2 AND e.user_id = l.user_id
      AND e.seq >= l.first_seq + max($1 - l.leaf_index, 0) AND e.seq < l.first_seq + l.events
    ORDER BY l.leaf_index, e.seq LIMIT $2)";

/// $1 user, $2 receipt.
pub(super) const RECEIPT_EVENT: &str = "\
SELECT json_group_array(json_array(e.user_id, e.seq, e.turn_id, e.kind, e.payload, e.prev_hash,
    e.hash, e.created_at))
FROM receipts AS r CROSS JOIN audit_events AS e
WHERE r.user_id = $1 AND r.id = $2 AND e.user_id = $1 AND e.seq = r.seq";

/// Versions of the migrations that ran; it fails when none ever did.
pub(super) const APPLIED: &str = "\
SELECT json_group_array(version) FROM _sqlx_migrations WHERE success";

/// Query that tells whether any migration ever ran.
pub(super) const MIGRATED: &str = "\
SELECT CASE WHEN EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')
    THEN 'yes' END";

/// Writes nothing, and fails where nothing can be written.
pub(super) const WRITABLE: &str = "DELETE FROM _sqlx_migrations WHERE FALSE";

/// Says that a turn is worked on, and how far it came if that is new. $1 user, $2 turn,
/// $3 owner, $4 journal.
pub(super) const BEAT: &str = "\
UPDATE open_turns SET beats = beats + 1,
    lease_until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 5000,
    journal = coalesce($4, journal)
WHERE user_id = $1 AND turn_id = $2 AND owner = $3";

/// Nobody works on any turn: their processes are gone.
pub(super) const ABANDON: &str = "UPDATE open_turns SET lease_until = 0 WHERE lease_until <> 0";

/// The operator's: turns that nobody works on. A lease that is too long was given by a clock
/// that was turned back since. $1 limit.
pub(super) const CUT_TURNS: &str = "\
SELECT json_group_array(json_array(user_id, conversation_id)) FROM (
    SELECT user_id, conversation_id FROM open_turns
    WHERE lease_until <= CAST(unixepoch('subsec') * 1000 AS INTEGER)
       OR lease_until > CAST(unixepoch('subsec') * 1000 AS INTEGER) + 5000
    ORDER BY lease_until LIMIT $1)";

/// The operator's: turns without a reply, and runs that wait, are worked on, or wait for the user.
pub(super) const WAITING: &str = "\
SELECT json_array(
    (SELECT count(*) FROM open_turns),
    (SELECT count(*) FROM agent_runs WHERE state = 'pending'),
    (SELECT count(*) FROM agent_runs
     WHERE state IN ('running', 'input_required') AND state = 'running'),
    (SELECT count(*) FROM agent_runs
     WHERE state IN ('running', 'input_required') AND state = 'input_required'),
    (SELECT count(*) FROM reminders WHERE state = 'waiting' AND next_try > 0))";

/// $1 instant before which deleted tasks go, $2 limit.
pub(super) const PURGE_TASKS: &str = "\
DELETE FROM tasks WHERE (user_id, id) IN (
    SELECT user_id, id FROM tasks WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2)";

/// $1 instant before which keys go, $2 limit.
pub(super) const PURGE_KEYS: &str = "\
DELETE FROM idempotency_keys WHERE rowid IN (
    SELECT rowid FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)";

/// Query that counts what there is to erase, as one object. $1 user.
pub(super) const ERASABLE: &str = "\
SELECT json_object(
    'tasks', (SELECT count(*) FROM tasks WHERE user_id = $1),
    'conversations', (SELECT count(*) FROM conversations WHERE user_id = $1),
    'messages', (SELECT count(*) FROM messages WHERE user_id = $1),
    'questions', (SELECT count(*) FROM questions WHERE user_id = $1),
    'open_turns', (SELECT count(*) FROM open_turns WHERE user_id = $1),
    'keys', (SELECT count(*) FROM idempotency_keys WHERE user_id = $1),
    'runs', (SELECT count(*) FROM agent_runs WHERE user_id = $1),
    'receipts', (SELECT count(*) FROM receipts WHERE user_id = $1 AND erased = 0),
    'events', (SELECT count(*) FROM audit_events
        WHERE user_id = $1 AND instr(payload, '\"salt\":') > 0))";

/// Erases the rows of a user that hold words.
pub(super) const ERASE: &str = include_str!("erase.sql");

/// Some events that an erasure under way covers and that still hold words; NULL when none is
/// under way. $1 user, $2 limit.
pub(super) const WORDED: &str = "\
SELECT CASE WHEN EXISTS (SELECT 1 FROM erasures WHERE user_id = $1) THEN
    (SELECT json_group_array(json_array(seq, payload)) FROM (
        SELECT a.seq, a.payload FROM erasures AS e CROSS JOIN audit_events AS a
        WHERE e.user_id = $1 AND a.user_id = $1 AND a.seq > e.done_seq AND a.seq < e.seq
          AND instr(a.payload, '\"salt\":') > 0
        ORDER BY a.seq LIMIT $2)) END";

/// Puts payloads without words in the place of those with. $1 user, $2 events, $3 the last.
pub(super) const BARE: &str = "\
UPDATE audit_events AS a SET payload = b.value ->> 'payload'
FROM json_each($2) AS b WHERE a.user_id = $1 AND a.seq = b.value ->> 'seq';
UPDATE erasures SET done_seq = min(seq, $3) WHERE user_id = $1";

/// An erasure has ended. $1 user.
pub(super) const ERASED: &str = "DELETE FROM erasures WHERE user_id = $1";

/// Users whose erasure is under way.
pub(super) const ERASING: &str = "\
SELECT json_group_array(user_id) FROM (SELECT user_id FROM erasures ORDER BY user_id)";

/// Query for what was committed after a number. $1 user, $2 number, $3 limit.
pub(super) const CHANGES: &str = "\
SELECT json_group_array(json_array(last_seq, turn_id, conversation_id, json(tasks), erasure,
    created_at)) FROM (
    SELECT c.last_seq, c.turn_id, c.conversation_id, c.created_at,
        (SELECT json_group_array(json_array(r.id, r.action, r.task_id) ORDER BY r.seq)
            FROM receipts AS r
            WHERE r.user_id = $1 AND r.seq BETWEEN c.first_seq AND c.last_seq
              AND r.task_id IS NOT NULL) AS tasks,
        EXISTS (SELECT 1 FROM audit_events AS e WHERE e.user_id = $1
            AND e.seq BETWEEN c.first_seq AND c.last_seq AND e.kind = 'erasure') AS erasure
    FROM commits AS c
    WHERE c.user_id = $1 AND c.turn_id IS NOT NULL AND c.last_seq > $2
    ORDER BY c.last_seq LIMIT $3)";

/// Query for where the logs of some users stand. $1 users.
pub(super) const HEADS: &str = "\
SELECT json_group_array(json_array(w.value, (SELECT coalesce(max(c.last_seq), 0)
    FROM commits AS c WHERE c.user_id = w.value AND c.turn_id IS NOT NULL)))
FROM json_each($1) AS w";

/// Query for what is wrong with the file's structure; one row `ok` when nothing is.
pub(super) const INTEGRITY: &str = "PRAGMA integrity_check(1)";

/// A row whose reference leads nowhere.
pub(super) const DANGLING: &str = "\
SELECT \"table\" || ' refers to a missing row of ' || parent FROM pragma_foreign_key_check LIMIT 1";

/// Query that tells whether there is a table of commits.
pub(super) const HAS_COMMITS: &str = "SELECT count(*) FROM sqlite_schema WHERE name = 'commits'";

/// Query for the number of commits.
pub(super) const COMMITS: &str = "SELECT count(*) FROM commits WHERE turn_id IS NOT NULL";

/// Writes all of it into an empty file. $1 its name.
pub(super) const COPY: &str = "VACUUM INTO $1";

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use sqlx::{Connection, Row, SqliteConnection};

    /// Finds what a statement scans from end to end.
    pub(in crate::store::sqlite) async fn scans(
        connection: &mut SqliteConnection,
        statement: &str,
    ) -> Vec<String> {
        // The driver takes static text alone, in tests as well.
        let explain: &'static str = Box::leak(format!("EXPLAIN QUERY PLAN {statement}").into());
        let rows = sqlx::query(explain).fetch_all(connection).await.unwrap();
        rows.iter()
            .map(|row| row.get::<String, _>("detail"))
            .filter(|step| step.starts_with("SCAN ") && !step.contains("VIRTUAL TABLE"))
            // A subquery's few rows, and constants.
            .filter(|step| step != "SCAN page")
            .filter(|step| !step.contains("(subquery") && !step.contains("CONSTANT ROW"))
            .collect()
    }

    #[tokio::test]
    async fn no_statement_reads_a_whole_table() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        super::super::MIGRATIONS.run(&mut connection).await.unwrap();
        let parts = [
            BEGIN,
            WRITE_AND_COMMIT,
            WRITE_APART,
            WRITE_RUNS_APART,
            LOAD,
            SETTLE,
            ERASE,
            BARE,
        ];
        let whole = [
            HISTORY,
            HISTORY_OF_CONVERSATION,
            UNDOABLE,
            RECEIPT,
            TURN,
            ATTEMPT,
            TASKS,
            TASK,
            DELETED_TASKS,
            MESSAGES,
            CONVERSATIONS,
            EVENTS,
            EVENTS_OF_TURN,
            EVENTS_OF_CONVERSATION,
            HEAD,
            PURGE_TASKS,
            PURGE_KEYS,
            TREE_TIPS,
            TREE_NODES,
            TREE_LEAF,
            TREE_EVENTS,
            RECEIPT_EVENT,
            ERASABLE,
            WORDED,
            CHANGES,
            HEADS,
        ];
        let bare = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("--"));
            lines.collect::<Vec<_>>().join("\n")
        };
        sqlx::raw_sql(SETUP).execute(&mut connection).await.unwrap();
        // What a trigger does is not explained with what sets it off.
        let trigger = |text: &str| {
            let (head, rest) = text.split_once(" BEGIN\n").unwrap();
            let (body, _) = rest.split_once("END;").unwrap();
            let when = head.split_once("WHEN ").map_or("1", |(_, when)| when);
            let body = format!("SELECT 1 WHERE {when};\n{body}");
            let body = body.replace("RAISE(ABORT, 'another process wrote for this user')", "1");
            let mut parts = body.split("NEW.");
            let first = parts.next().unwrap().to_owned();
            parts.fold(first, |text, part| {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                format!("{text}$1{}", part.trim_start_matches(name))
            })
        };
        let setup = bare(SETUP);
        let triggers = setup.split("CREATE TEMP TRIGGER").skip(1).map(trigger);
        let parts: Vec<String> = parts.map(bare).into_iter().chain(triggers).collect();
        let statements = parts.iter().flat_map(|text| text.split(';')).chain(whole);
        for bare in statements {
            if !["SELECT", "DELETE", "UPDATE"]
                .iter()
                .any(|verb| bare.contains(verb))
            {
                continue;
            }
            let found = scans(&mut connection, bare).await;
            assert!(found.is_empty(), "{bare}: {found:?}");
        }
    }
}
