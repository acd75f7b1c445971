-- Hashes of the tree below a block of sixteen events are made anew from the events, which hold
-- them: only the roots of blocks stay, and what stands above them. Block b is completed by event
-- 16 b + 15; its root's number follows from the numbers of all hashes before it, and each block
-- completes as many higher subtrees as b + 1 can be halved.
DROP TRIGGER audit_nodes_stay;

CREATE TEMP TABLE kept_nodes (node_index INTEGER PRIMARY KEY);

WITH RECURSIVE
halves (h, size) AS (
    SELECT 1, 2 UNION ALL SELECT h + 1, size * 2 FROM halves WHERE h < 40
),
blocks (b, root) AS (
    SELECT 0, 30
    UNION ALL
    SELECT b + 1, root + 31 + (SELECT count(*) FROM halves WHERE (b + 1) % size = 0)
    FROM blocks WHERE root < (SELECT coalesce(max(node_index), 0) FROM audit_nodes)
)
INSERT INTO kept_nodes
SELECT root FROM blocks
UNION ALL
SELECT root + h FROM blocks CROSS JOIN halves WHERE (b + 1) % size = 0;

DELETE FROM audit_nodes WHERE node_index NOT IN (SELECT node_index FROM kept_nodes);
DROP TABLE kept_nodes;

CREATE TRIGGER audit_nodes_stay BEFORE DELETE ON audit_nodes
BEGIN SELECT RAISE(ABORT, 'audit_nodes is append-only'); END;
