-- Keys of callers, made by `candor token`. The key itself is nowhere: only what it hashes to.
-- A key of scope admin is nobody's and may act for everybody; any other is one user's.
CREATE TABLE api_keys (
    prefix       TEXT COLLATE "C" NOT NULL CHECK (char_length(prefix) = 10),
    hash         TEXT NOT NULL CHECK (char_length(hash) = 64),
    user_id      TEXT COLLATE "C" CHECK (char_length(user_id) BETWEEN 1 AND 128),
    scope        TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    name         TEXT NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    created_at   TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    expires_at   TEXT CHECK (char_length(expires_at) = 27),
    revoked_at   TEXT CHECK (char_length(revoked_at) = 27),
    last_used_at TEXT COLLATE "C" CHECK (char_length(last_used_at) = 27),
    PRIMARY KEY (prefix),
    CHECK ((scope = 'admin') = (user_id IS NULL))
);

-- How far ahead of the clock whoever is limited has come, in microseconds of the epoch. Unlogged:
-- nothing waits for the disk because of it, and after a crash everybody begins anew.
CREATE UNLOGGED TABLE rate_limits (
    bucket TEXT   COLLATE "C" NOT NULL CHECK (char_length(bucket) BETWEEN 1 AND 200),
    ahead  BIGINT NOT NULL,
    PRIMARY KEY (bucket)
);

CREATE INDEX rate_limits_ahead ON rate_limits (ahead);
