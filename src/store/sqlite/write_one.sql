-- Writes the rows of units, as `writing` does, where none has more than the columns here have places
-- for: each row inserted is one unit, or nothing where it names no user. Nothing is put into JSON and
-- taken out of it again, which costs more than the rows do. The events of a unit stand one after
-- another: their numbers follow `seq`, and each names the hash of the one before, the first one
-- `prev_hash`.
--
-- Rows are copied to a table of their own first where what inserts them also reads the table they
-- go to, or selects them for a table with a trigger: neither is done here.
CREATE TEMP VIEW IF NOT EXISTS writing_one AS
SELECT NULL AS user_id, NULL AS turn_id, NULL AS conversation_id, NULL AS at, NULL AS attempt_id,
       NULL AS seq, NULL AS last_seq, NULL AS prev_hash,
       NULL AS t_id, NULL AS t_title, NULL AS t_description, NULL AS t_status, NULL AS t_priority,
       NULL AS t_due_date, NULL AS t_due_time, NULL AS t_due_zone, NULL AS t_repeat, NULL AS t_assignee,
       NULL AS t_created_at, NULL AS t_updated_at,
       NULL AS t_completed_at, NULL AS t_deleted_at, NULL AS t_version,
       NULL AS c_id, NULL AS c_title, NULL AS c_version, NULL AS c_frame,
       NULL AS q_closes, NULL AS q_id, NULL AS q_body, NULL AS q_expires_at,
       NULL AS r_id, NULL AS r_seq, NULL AS r_action, NULL AS r_task_id, NULL AS r_undoes,
       NULL AS r_created_at, NULL AS r_run,
       NULL AS k_key, NULL AS k_fingerprint, NULL AS k_status, NULL AS k_body,
       NULL AS m1_id, NULL AS m1_role, NULL AS m1_content,
       NULL AS m2_id, NULL AS m2_role, NULL AS m2_content,
       NULL AS e1_kind, NULL AS e1_payload, NULL AS e1_hash,
       NULL AS e2_kind, NULL AS e2_payload, NULL AS e2_hash,
       NULL AS e3_kind, NULL AS e3_payload, NULL AS e3_hash,
       NULL AS e4_kind, NULL AS e4_payload, NULL AS e4_hash,
       NULL AS e5_kind, NULL AS e5_payload, NULL AS e5_hash,
       NULL AS e6_kind, NULL AS e6_payload, NULL AS e6_hash;

CREATE TEMP TRIGGER IF NOT EXISTS write_one_task INSTEAD OF INSERT ON writing_one
WHEN NEW.t_id IS NOT NULL BEGIN
INSERT INTO tasks (user_id, id, title, description, status, priority, due_date, due_time, due_zone,
                   repeat, assignee, created_at, updated_at, completed_at, deleted_at, version)
VALUES (NEW.user_id, NEW.t_id, NEW.t_title, NEW.t_description, NEW.t_status, NEW.t_priority,
        NEW.t_due_date, NEW.t_due_time, NEW.t_due_zone, NEW.t_repeat, NEW.t_assignee, NEW.t_created_at,
        NEW.t_updated_at, NEW.t_completed_at,
        NEW.t_deleted_at, NEW.t_version)
ON CONFLICT (user_id, id) DO UPDATE SET
    title = excluded.title, description = excluded.description, status = excluded.status,
    priority = excluded.priority, due_date = excluded.due_date, due_time = excluded.due_time,
    due_zone = excluded.due_zone, repeat = excluded.repeat, assignee = excluded.assignee, updated_at = excluded.updated_at,
    completed_at = excluded.completed_at,
    deleted_at = excluded.deleted_at, version = excluded.version;
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_one INSTEAD OF INSERT ON writing_one
WHEN NEW.user_id IS NOT NULL BEGIN
INSERT INTO commits (attempt_id, user_id, turn_id, conversation_id, first_seq, last_seq,
                     head_hash, created_at)
VALUES (NEW.attempt_id, NEW.user_id, NEW.turn_id, NEW.conversation_id, NEW.seq + 1, NEW.last_seq,
        coalesce(NEW.e6_hash, NEW.e5_hash, NEW.e4_hash, NEW.e3_hash, NEW.e2_hash, NEW.e1_hash,
                 NEW.prev_hash),
        NEW.at);

INSERT INTO conversations (user_id, id, title, version, frame, created_at, updated_at)
SELECT NEW.user_id, NEW.c_id, coalesce(NEW.c_title, ''), NEW.c_version,
       coalesce(NEW.c_frame, '{}'), NEW.at, NEW.at
WHERE NEW.c_id IS NOT NULL
ON CONFLICT (user_id, id) DO UPDATE SET
    version = excluded.version, frame = coalesce(NEW.c_frame, frame),
    updated_at = excluded.updated_at;

INSERT INTO messages (user_id, conversation_id, id, role, content, created_at)
SELECT NEW.user_id, NEW.c_id, NEW.m1_id, NEW.m1_role, NEW.m1_content, NEW.at
WHERE NEW.m1_id IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.c_id, NEW.m2_id, NEW.m2_role, NEW.m2_content, NEW.at
WHERE NEW.m2_id IS NOT NULL;

DELETE FROM questions
WHERE NEW.q_closes AND user_id = NEW.user_id AND conversation_id = NEW.c_id;

INSERT INTO questions (user_id, conversation_id, id, body, expires_at)
SELECT NEW.user_id, NEW.c_id, NEW.q_id, NEW.q_body, NEW.q_expires_at WHERE NEW.q_id IS NOT NULL;

INSERT INTO receipts (user_id, seq, id, turn_id, conversation_id, action, task_id, undoes,
                      created_at, run)
SELECT NEW.user_id, NEW.r_seq, NEW.r_id, NEW.turn_id, NEW.conversation_id, NEW.r_action,
       NEW.r_task_id, NEW.r_undoes, NEW.r_created_at, NEW.r_run
WHERE NEW.r_id IS NOT NULL;

INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at)
SELECT NEW.user_id, NEW.k_key, NEW.k_fingerprint, NEW.k_status, NEW.k_body, NEW.at
WHERE NEW.k_key IS NOT NULL;

INSERT INTO audit_events (user_id, seq, turn_id, kind, payload, prev_hash, hash, created_at)
SELECT NEW.user_id, NEW.seq + 1, NEW.turn_id, NEW.e1_kind, NEW.e1_payload, NEW.prev_hash,
       NEW.e1_hash, NEW.at WHERE NEW.e1_kind IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.seq + 2, NEW.turn_id, NEW.e2_kind, NEW.e2_payload, NEW.e1_hash,
       NEW.e2_hash, NEW.at WHERE NEW.e2_kind IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.seq + 3, NEW.turn_id, NEW.e3_kind, NEW.e3_payload, NEW.e2_hash,
       NEW.e3_hash, NEW.at WHERE NEW.e3_kind IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.seq + 4, NEW.turn_id, NEW.e4_kind, NEW.e4_payload, NEW.e3_hash,
       NEW.e4_hash, NEW.at WHERE NEW.e4_kind IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.seq + 5, NEW.turn_id, NEW.e5_kind, NEW.e5_payload, NEW.e4_hash,
       NEW.e5_hash, NEW.at WHERE NEW.e5_kind IS NOT NULL
UNION ALL
SELECT NEW.user_id, NEW.seq + 6, NEW.turn_id, NEW.e6_kind, NEW.e6_payload, NEW.e5_hash,
       NEW.e6_hash, NEW.at WHERE NEW.e6_kind IS NOT NULL;
END;

-- The last trigger made is the first to run. Were it not, each write with events would be refused: it
-- would find its own.
CREATE TEMP TRIGGER IF NOT EXISTS write_one_where_it_stands INSTEAD OF INSERT ON writing_one
WHEN NEW.user_id IS NOT NULL AND NEW.seq IS NOT coalesce(
    (SELECT max(e.seq) FROM audit_events AS e WHERE e.user_id = NEW.user_id), 0) BEGIN
SELECT RAISE(ABORT, 'another process wrote for this user');
END;
