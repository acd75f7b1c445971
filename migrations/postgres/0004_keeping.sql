-- Words are erased on request, and nothing else of the log ever changes.

-- Erasures that are under way: the number of the event that tells of it, and up to which event
-- the words are gone. A row goes with the last word.
CREATE TABLE erasures (
    user_id  TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    seq      BIGINT NOT NULL CHECK (seq >= 1),
    done_seq BIGINT NOT NULL CHECK (done_seq >= 0),
    PRIMARY KEY (user_id)
);

-- 1: the images and the reading were erased, and {} stands in their place.
ALTER TABLE receipts ADD COLUMN erased SMALLINT NOT NULL DEFAULT 0 CHECK (erased IN (0, 1));

-- Of an event the words may go, in an erasure that was told to the log after it.
CREATE FUNCTION refuse_to_change_but_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (to_jsonb(NEW) - 'payload' = to_jsonb(OLD) - 'payload'
        AND OLD.payload LIKE '%"salt":%' AND NEW.payload NOT LIKE '%"salt":%'
        AND EXISTS (SELECT 1 FROM erasures AS e
            WHERE e.user_id = OLD.user_id AND OLD.seq < e.seq)
    ) IS NOT TRUE THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION refuse_to_change_but_images() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    words CONSTANT text[] := ARRAY['before', 'after', 'reading', 'erased'];
BEGIN
    IF (to_jsonb(NEW) - words = to_jsonb(OLD) - words
        AND NEW.erased = 1
        AND NEW.before IS NOT DISTINCT FROM CASE WHEN OLD.before IS NOT NULL THEN '{}' END
        AND NEW.after IS NOT DISTINCT FROM CASE WHEN OLD.after IS NOT NULL THEN '{}' END
        AND NEW.reading IS NOT DISTINCT FROM CASE WHEN OLD.reading IS NOT NULL THEN '{}' END
        AND EXISTS (SELECT 1 FROM erasures AS e
            WHERE e.user_id = OLD.user_id AND OLD.seq < e.seq)
    ) IS NOT TRUE THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END IF;
    RETURN NEW;
END
$$;

DROP TRIGGER audit_events_keep ON audit_events;
CREATE TRIGGER audit_events_stay BEFORE DELETE OR TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
CREATE TRIGGER audit_events_keep BEFORE UPDATE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_but_words();

DROP TRIGGER receipts_keep ON receipts;
CREATE TRIGGER receipts_stay BEFORE DELETE OR TRUNCATE ON receipts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
CREATE TRIGGER receipts_keep BEFORE UPDATE ON receipts
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_but_images();
