-- Events of one user that stand beside each other in the tree share a row: a turn's do. The old
-- name of the column goes, so that a program that knows one event for each row appends nothing.
ALTER TABLE audit_leaves RENAME COLUMN seq TO first_seq;
ALTER TABLE audit_leaves ADD COLUMN events BIGINT NOT NULL DEFAULT 1 CHECK (events >= 1);
