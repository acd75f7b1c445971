-- Words are erased on request, and nothing else of the log ever changes.

-- Erasures that are under way: the number of the event that tells of it, and up to which event
-- the words are gone. A row goes with the last word.
CREATE TABLE erasures (
    user_id  TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    seq      INTEGER NOT NULL CHECK (seq >= 1),
    done_seq INTEGER NOT NULL CHECK (done_seq >= 0),
    PRIMARY KEY (user_id)
) STRICT, WITHOUT ROWID;

-- 1: the images and the reading were erased, and {} stands in their place.
ALTER TABLE receipts ADD COLUMN erased INTEGER NOT NULL DEFAULT 0 CHECK (erased IN (0, 1));

-- Of an event the words may go, in an erasure that was told to the log after it.
DROP TRIGGER audit_events_keep;
CREATE TRIGGER audit_events_keep BEFORE UPDATE ON audit_events
WHEN (NEW.user_id IS OLD.user_id AND NEW.seq IS OLD.seq AND NEW.turn_id IS OLD.turn_id
    AND NEW.kind IS OLD.kind AND NEW.prev_hash IS OLD.prev_hash AND NEW.hash IS OLD.hash
    AND NEW.created_at IS OLD.created_at
    AND instr(OLD.payload, '"salt":') > 0 AND instr(NEW.payload, '"salt":') = 0
    AND EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id AND OLD.seq < e.seq)
) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END;

DROP TRIGGER receipts_keep;
CREATE TRIGGER receipts_keep BEFORE UPDATE ON receipts
WHEN (NEW.user_id IS OLD.user_id AND NEW.seq IS OLD.seq AND NEW.id IS OLD.id
    AND NEW.turn_id IS OLD.turn_id AND NEW.conversation_id IS OLD.conversation_id
    AND NEW.action IS OLD.action AND NEW.task_id IS OLD.task_id AND NEW.undoes IS OLD.undoes
    AND NEW.created_at IS OLD.created_at AND NEW.erased = 1
    AND NEW."before" IS CASE WHEN OLD."before" IS NOT NULL THEN '{}' END
    AND NEW."after" IS CASE WHEN OLD."after" IS NOT NULL THEN '{}' END
    AND NEW.reading IS CASE WHEN OLD.reading IS NOT NULL THEN '{}' END
    AND EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id AND OLD.seq < e.seq)
) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
