-- What a task was before a change and after it, and what was read, stands in the receipt's event too.
-- A file of SQLite has it there alone. Here the copies stay as long as a process of the release
-- before may read them.
COMMENT ON COLUMN receipts.before IS 'also in the receipt''s event';
COMMENT ON COLUMN receipts.after IS 'also in the receipt''s event';
COMMENT ON COLUMN receipts.reading IS 'also in the receipt''s event';
