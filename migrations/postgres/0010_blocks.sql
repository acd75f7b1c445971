-- Hashes of the tree below a block of sixteen events are made anew from the events, which hold
-- them: only the roots of blocks stay, and what stands above them. Block b is completed by event
-- 16 b + 15; its root's number is 32 b + 30 less the ones in b, and each block completes as many
-- higher subtrees as b + 1 can be halved.
DROP TRIGGER audit_nodes_keep ON audit_nodes;

DELETE FROM audit_nodes WHERE node_index NOT IN (
    SELECT 32 * b + 30 - length(replace(b::bit(60)::text, '0', '')) + h
    FROM generate_series(0::bigint, (SELECT coalesce(max(node_index), 0) / 31 FROM audit_nodes)) AS b
        CROSS JOIN generate_series(0, 40) AS h
    WHERE (b + 1) % (1::bigint << h) = 0
);

CREATE TRIGGER audit_nodes_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_nodes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
