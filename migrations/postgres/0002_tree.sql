-- The Merkle tree over the events of all users. It grows beside the log, never in a turn's
-- own transaction, so that no two users wait for each other because of it.

-- How many events are in the tree: one row, which whoever lets the tree grow moves on.
CREATE TABLE audit_tree (
    one  BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
    size BIGINT  NOT NULL CHECK (size >= 0)
);
INSERT INTO audit_tree (size) VALUES (0);

-- Which event stands where: numbered from 0.
CREATE TABLE audit_leaves (
    leaf_index BIGINT PRIMARY KEY CHECK (leaf_index >= 0),
    user_id    TEXT   COLLATE "C" NOT NULL,
    seq        BIGINT NOT NULL,
    UNIQUE (user_id, seq),
    FOREIGN KEY (user_id, seq) REFERENCES audit_events (user_id, seq)
);

-- Hashes of leaves and of whole subtrees, in the order in which a growing tree completes them.
CREATE TABLE audit_nodes (
    node_index BIGINT PRIMARY KEY CHECK (node_index >= 0),
    hash       TEXT   NOT NULL CHECK (char_length(hash) = 64)
);

CREATE TRIGGER audit_leaves_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_leaves
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
CREATE TRIGGER audit_nodes_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_nodes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
