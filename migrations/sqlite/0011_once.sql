-- What a task was before a change and after it, and what was read, stands in the receipt's event,
-- which its log covers: a second copy beside the receipt took up a page of each commit and was
-- believed without that cover. The copies of older releases stay and are not read. The checks that
-- asked for them go, in place, since no row changes by it.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    '(reading IS NOT NULL)),
    CHECK ((reading IS NULL) = (task_id IS NOT NULL)),',
    '(task_id IS NULL)),'),
    '
    CHECK ((reading IS NULL) = (before IS NOT NULL OR after IS NOT NULL))
', '
    CHECK (reading IS NULL OR (task_id IS NULL AND before IS NULL AND after IS NULL))
')
WHERE type = 'table' AND name = 'receipts';
PRAGMA writable_schema = RESET;

-- The first commit of a turn has the turn's own id, and is found by it: only the others, and those
-- of older releases, need an index of turns.
-- That an index is made also tells other connections to read the schema anew.
DROP INDEX commits_turn;
CREATE INDEX commits_turn ON commits (turn_id, user_id) WHERE turn_id <> attempt_id;
