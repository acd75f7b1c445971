-- The Merkle tree over the events of all users. It grows beside the log, never in a turn's
-- own transaction, so that no two users wait for each other because of it.

-- Which event stands where: numbered from 0 in the order in which events were committed.
CREATE TABLE audit_leaves (
    leaf_index INTEGER PRIMARY KEY CHECK (leaf_index >= 0),
    user_id    TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    UNIQUE (user_id, seq),
    FOREIGN KEY (user_id, seq) REFERENCES audit_events (user_id, seq)
) STRICT;

-- Hashes of leaves and of whole subtrees, in the order in which a growing tree completes them.
CREATE TABLE audit_nodes (
    node_index INTEGER PRIMARY KEY CHECK (node_index >= 0),
    hash       TEXT    NOT NULL CHECK (length(hash) = 64)
) STRICT;

CREATE TRIGGER audit_leaves_keep BEFORE UPDATE ON audit_leaves
BEGIN SELECT RAISE(ABORT, 'audit_leaves is append-only'); END;
CREATE TRIGGER audit_leaves_stay BEFORE DELETE ON audit_leaves
BEGIN SELECT RAISE(ABORT, 'audit_leaves is append-only'); END;
CREATE TRIGGER audit_nodes_keep BEFORE UPDATE ON audit_nodes
BEGIN SELECT RAISE(ABORT, 'audit_nodes is append-only'); END;
CREATE TRIGGER audit_nodes_stay BEFORE DELETE ON audit_nodes
BEGIN SELECT RAISE(ABORT, 'audit_nodes is append-only'); END;
