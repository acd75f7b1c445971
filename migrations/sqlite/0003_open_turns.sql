-- Turns that have changed something and have no reply yet. The row is written in the transaction
-- of a turn's first change and goes in the transaction of its reply: one that is here after its
-- process has died is a turn that was cut off, and is told from its receipts.
CREATE TABLE open_turns (
    user_id         TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    turn_id         TEXT    NOT NULL CHECK (length(turn_id) = 36),
    conversation_id TEXT    NOT NULL CHECK (length(conversation_id) = 36),
    -- The idempotency key that it holds, if it was asked for under one.
    key             TEXT,
    -- The process that works on it, how often that has said so, and until when it counts as
    -- alive: milliseconds since 1970 by the clock of the database.
    owner           TEXT    NOT NULL,
    beats           INTEGER NOT NULL CHECK (beats >= 0),
    lease_until     INTEGER NOT NULL,
    -- How far it came, as JSON of the layer that runs turns.
    journal         TEXT    NOT NULL,
    PRIMARY KEY (user_id, turn_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX open_turns_lease ON open_turns (lease_until);
