-- What the processes on this database keep from everybody else: each secret is drawn once, by
-- whoever needs it first, and never leaves the server.
CREATE TABLE secrets (
    name   TEXT COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    secret TEXT NOT NULL CHECK (char_length(secret) = 64),
    PRIMARY KEY (name)
);
