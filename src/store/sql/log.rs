//! Statements about the audit log, its tree, and what can be erased.

use super::SqlText;

/// Events in the order of the parser.
macro_rules! events {
    ($($from:tt)+) => {
        sql!(
            (list "user_id, seq, turn_id, kind, payload, prev_hash, hash, created_at")
            $($from)+
            end
        )
    };
}

/// The number of events in SQLite's tree.
macro_rules! tree_size {
    () => {
        "coalesce((SELECT l.leaf_index + l.events FROM audit_leaves AS l \
            WHERE l.leaf_index = (SELECT max(m.leaf_index) FROM audit_leaves AS m)), 0)"
    };
}

statements! {
    /// $1 user, $2 after, $3 kind, $4 limit.
    EVENTS = events!(
        "SELECT * FROM audit_events \
         WHERE user_id = $1 AND seq > $2 AND ($3 IS NULL OR kind = $3) ORDER BY seq LIMIT $4"
    );

    /// The span of a turn, and of a conversation if one is named.
    /// $1 user, $2 after, $3 kind, $4 limit, $5 turn, $6 conversation.
    EVENTS_OF_TURN = events!(
        "SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e WHERE c.user_id = $1 AND "
        (turn "c", "$5")
        " AND ($6 IS NULL OR c.conversation_id = $6) \
           AND e.user_id = $1 AND e.seq BETWEEN c.first_seq AND c.last_seq \
           AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3) \
         ORDER BY e.seq LIMIT $4"
    );

    /// The spans of a conversation. Arguments as in [`EVENTS_OF_TURN`].
    EVENTS_OF_CONVERSATION = events!(
        "SELECT e.* FROM commits AS c CROSS JOIN audit_events AS e \
         WHERE $5 IS NULL AND c.user_id = $1 AND c.turn_id IS NOT NULL AND c.last_seq > $2 \
           AND c.conversation_id = $6 \
           AND e.user_id = $1 AND e.seq BETWEEN c.first_seq AND c.last_seq \
           AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3) \
         ORDER BY e.seq LIMIT $4"
    );

    /// The operator's: all users' events. Arguments as in [`EVENTS_OF_TURN`].
    EVENTS_OF_ALL = events!(
        "SELECT * FROM audit_events AS e \
         WHERE $1 IS NULL AND e.seq > $2 AND ($3 IS NULL OR e.kind = $3) \
           AND ($5 IS NULL OR e.turn_id = $5) \
           AND ($6 IS NULL OR EXISTS (SELECT 1 FROM commits AS c \
                WHERE c.user_id = e.user_id AND c.conversation_id = $6 \
                  AND e.seq BETWEEN c.first_seq AND c.last_seq)) \
         ORDER BY e.user_id, e.seq LIMIT $4"
    );

    /// $1 user.
    HEAD = sql!(
        "SELECT " array "(last_seq, head_hash)" text " FROM commits \
         WHERE user_id = $1 AND turn_id IS NOT NULL ORDER BY last_seq DESC LIMIT 1"
    );

    /// The operator's: everyone who has a log.
    USERS = sql!(
        (values "user_id")
        "SELECT user_id FROM commits WHERE turn_id IS NOT NULL \
         UNION SELECT user_id FROM audit_events ORDER BY user_id"
        end
    );

    /// $1 user, $2 receipt.
    RECEIPT_EVENT = events!(
        "SELECT e.* FROM receipts AS r CROSS JOIN audit_events AS e \
         WHERE r.user_id = $1 AND r.id = $2 AND e.user_id = $1 AND e.seq = r.seq"
    );

    /// Query for the number of events in the tree.
    TREE_SIZE = SqlText::of(
        concat!("SELECT CAST(", tree_size!(), " AS TEXT)"),
        "SELECT size::text FROM audit_tree",
    );

    /// Events beyond the tree. In SQLite in commit order: one writer appends and nobody deletes, so
    /// that row ids count events. In PostgreSQL of each user in order, and no user's before those
    /// that were committed earlier. $1 size of the tree, $2 limit.
    TREE_TIPS = SqlText::of(
        "SELECT json_group_array(json_array(user_id, seq, hash)) FROM (\
            SELECT user_id, seq, hash FROM audit_events WHERE rowid > $1 ORDER BY rowid LIMIT $2)",
        "SELECT coalesce(json_agg(json_build_array(user_id, seq, hash)), '[]')::text FROM (\
            SELECT e.user_id, e.seq, e.hash \
            FROM ledgers AS l CROSS JOIN LATERAL (\
                SELECT * FROM audit_events AS t WHERE t.user_id = l.user_id AND t.seq > coalesce((\
                    SELECT i.first_seq + i.events - 1 FROM audit_leaves AS i \
                    WHERE i.user_id = l.user_id ORDER BY i.first_seq DESC LIMIT 1), 0) \
                ORDER BY t.seq) AS e \
            WHERE $1 >= 0 ORDER BY e.user_id, e.seq LIMIT $2) AS found",
    );

    /// Stored hashes, and the events of blocks with their numbers. $1 indexes, $2 first leaves of
    /// blocks, $3 how many events a block has. The row that holds a block's first one begins before
    /// it.
    TREE_NODES = sql!(
        "SELECT " array "("
        (nested "n.node_index, n.hash",
            (each "$1") " CROSS JOIN audit_nodes AS n WHERE n.node_index = CAST(w.value AS BIGINT)")
        ", "
        (nested "l.leaf_index + e.seq - l.first_seq, e.hash",
            (each "$2") " CROSS JOIN audit_leaves AS l CROSS JOIN audit_events AS e \
            WHERE l.leaf_index >= coalesce((SELECT max(b.leaf_index) FROM audit_leaves AS b \
                    WHERE b.leaf_index <= CAST(w.value AS BIGINT)), CAST(w.value AS BIGINT)) \
              AND l.leaf_index < CAST(w.value AS BIGINT) + $3 AND e.user_id = l.user_id \
              AND e.seq >= l.first_seq + " greatest "(CAST(w.value AS BIGINT) - l.leaf_index, 0) \
              AND e.seq < l.first_seq + " least
            "(CAST(w.value AS BIGINT) + $3 - l.leaf_index, l.events)")
        ")" text
    );

    /// Lets the tree grow, if it has the size that was read: a row then.
    /// $1 size, $2 leaves and $3 nodes as objects, $4 by how many events it grows.
    TREE_GROW = SqlText::of(
        concat!(
            "INSERT INTO audit_nodes (node_index, hash) \
             SELECT value ->> 'node_index', value ->> 'hash' FROM jsonb_each($3) WHERE $1 = ",
            tree_size!(),
            "; INSERT INTO audit_leaves (leaf_index, user_id, first_seq, events) \
             SELECT value ->> 'leaf_index', value ->> 'user_id', value ->> 'first_seq', \
                value ->> 'events' \
             FROM jsonb_each($2) WHERE $1 = ",
            tree_size!(),
            "; SELECT CASE WHEN changes() > 0 THEN 'grown' END"
        ),
        "WITH grown AS (\
            UPDATE audit_tree SET size = size + $4 WHERE size = $1 RETURNING size\
         ), leaves AS (\
            INSERT INTO audit_leaves (leaf_index, user_id, first_seq, events) \
            SELECT l.leaf_index, l.user_id, l.first_seq, l.events \
            FROM grown, json_to_recordset($2::json) AS l (\
                leaf_index BIGINT, user_id TEXT, first_seq BIGINT, events BIGINT)\
         ), nodes AS (\
            INSERT INTO audit_nodes (node_index, hash) \
            SELECT n.node_index, n.hash \
            FROM grown, json_to_recordset($3::json) AS n (node_index BIGINT, hash TEXT)\
         ) SELECT 'grown' FROM grown",
    ).repeatable();

    /// $1 user, $2 number.
    TREE_LEAF = sql!(
        "SELECT CAST((SELECT CASE WHEN $2 < l.first_seq + l.events \
            THEN l.leaf_index + $2 - l.first_seq END FROM audit_leaves AS l \
            WHERE l.user_id = $1 AND l.first_seq <= $2 \
            ORDER BY l.first_seq DESC LIMIT 1) AS TEXT)"
    );

    /// $1 first, $2 limit. The row that holds the first one begins before it.
    TREE_EVENTS = events!(
        "SELECT e.* FROM audit_leaves AS l CROSS JOIN audit_events AS e \
         WHERE l.leaf_index >= coalesce((SELECT max(b.leaf_index) FROM audit_leaves AS b \
                WHERE b.leaf_index <= $1), $1) \
           AND l.leaf_index < $1 + $2 AND e.user_id = l.user_id \
           AND e.seq >= l.first_seq + " greatest "($1 - l.leaf_index, 0) \
           AND e.seq < l.first_seq + l.events \
         ORDER BY l.leaf_index, e.seq LIMIT $2"
    );

    /// Query for where the logs of some users stand. $1 users.
    HEADS = sql!(
        (list "value, seq")
        "SELECT w.value, (SELECT coalesce(max(c.last_seq), 0) FROM commits AS c \
            WHERE c.user_id = w.value AND c.turn_id IS NOT NULL) AS seq FROM "
        (each "$1")
        end
    );

    /// Query that counts what there is to erase, in the order of the report. $1 user.
    ERASABLE = sql!(
        "SELECT " array "((SELECT count(*) FROM tasks WHERE user_id = $1), \
            (SELECT count(*) FROM conversations WHERE user_id = $1), \
            (SELECT count(*) FROM messages WHERE user_id = $1), \
            (SELECT count(*) FROM questions WHERE user_id = $1), \
            (SELECT count(*) FROM open_turns WHERE user_id = $1), \
            (SELECT count(*) FROM idempotency_keys WHERE user_id = $1), \
            (SELECT count(*) FROM agent_runs WHERE user_id = $1), \
            (SELECT count(*) FROM receipts WHERE user_id = $1 AND erased = 0), \
            (SELECT count(*) FROM audit_events WHERE user_id = $1 AND " instr
        "(payload, '\"salt\":') > 0))" text
    );

    /// An erasure begins, or one that was under way goes further, and the rows that hold words go. $1
    /// user, $2 number of its event.
    ERASE = sql!("INSERT INTO erasures (user_id, seq, done_seq) VALUES ($1, $2, 0)
        ON CONFLICT (user_id) DO UPDATE SET seq = excluded.seq").then(&[
        sql!("UPDATE receipts SET
            \"before\" = CASE WHEN \"before\" IS NOT NULL THEN '{}' END,
            \"after\" = CASE WHEN \"after\" IS NOT NULL THEN '{}' END,
            reading = CASE WHEN reading IS NOT NULL THEN '{}' END, erased = 1
            WHERE user_id = $1 AND erased = 0"),
        sql!("DELETE FROM tasks WHERE user_id = $1"),
        sql!("DELETE FROM agent_notices WHERE user_id = $1"),
        sql!("DELETE FROM agent_messages WHERE user_id = $1"),
        sql!("DELETE FROM agent_results WHERE user_id = $1"),
        sql!("DELETE FROM agent_runs WHERE user_id = $1"),
        sql!("DELETE FROM agent_numbers WHERE user_id = $1"),
        sql!("DELETE FROM agent_sessions WHERE user_id = $1"),
        sql!("DELETE FROM open_turns WHERE user_id = $1"),
        sql!("DELETE FROM questions WHERE user_id = $1"),
        sql!("DELETE FROM messages WHERE user_id = $1"),
        sql!("DELETE FROM conversations WHERE user_id = $1"),
        sql!("DELETE FROM idempotency_keys WHERE user_id = $1"),
    ]);

    /// Some events that an erasure under way covers and that still hold words. $1 user, $2 limit.
    WORDED = sql!((list "seq, payload")
        "SELECT a.seq, a.payload FROM erasures AS e CROSS JOIN audit_events AS a
        WHERE e.user_id = $1 AND a.user_id = $1 AND a.seq > e.done_seq AND a.seq < e.seq AND "
        instr "(a.payload, '\"salt\":') > 0
        ORDER BY a.seq LIMIT $2" end);

    /// Puts payloads without words in the place of those with, and ends the erasure where none is left:
    /// looked for, since another one may have begun meanwhile. $1 user, $2 events, $3 the last.
    BARE = SqlText::of(
        "UPDATE audit_events AS a SET payload = b.value ->> 'payload'
        FROM json_each($2) AS b WHERE a.user_id = $1 AND a.seq = b.value ->> 'seq';
        UPDATE erasures SET done_seq = max(done_seq, $3) WHERE user_id = $1",
        "WITH bared AS (
            UPDATE audit_events AS a SET payload = b.payload
            FROM json_to_recordset($2::json) AS b (seq bigint, payload text)
            WHERE a.user_id = $1::text AND a.seq = b.seq)
        UPDATE erasures SET done_seq = greatest(done_seq, $3::bigint) WHERE user_id = $1::text",
    ).then(&[sql!("DELETE FROM erasures WHERE user_id = $1 AND NOT EXISTS (
        SELECT 1 FROM audit_events AS a WHERE a.user_id = $1
            AND a.seq > erasures.done_seq AND a.seq < erasures.seq AND "
        instr "(a.payload, '\"salt\":') > 0)")]);

    /// Users whose erasure is under way.
    ERASING = sql!((values "user_id") "SELECT user_id FROM erasures ORDER BY user_id" end);
}
