-- A time of the due day, with the zone that it is meant in: both or neither, and none without a day.
ALTER TABLE tasks ADD COLUMN due_time TEXT
    CHECK (due_time IS NULL OR due_time GLOB '[0-2][0-9]:[0-5][0-9]' AND due_date IS NOT NULL);
ALTER TABLE tasks ADD COLUMN due_zone TEXT CHECK ((due_time IS NULL) = (due_zone IS NULL));
