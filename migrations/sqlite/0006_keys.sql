-- Keys of callers, made by `candor token`. The key itself is nowhere: only what it hashes to.
-- A key of scope admin is nobody's and may act for everybody; any other is one user's.
CREATE TABLE api_keys (
    prefix       TEXT NOT NULL CHECK (length(prefix) = 10),
    hash         TEXT NOT NULL CHECK (length(hash) = 64),
    user_id      TEXT CHECK (length(user_id) BETWEEN 1 AND 128),
    scope        TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
    name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
    created_at   TEXT NOT NULL CHECK (length(created_at) = 27),
    expires_at   TEXT CHECK (length(expires_at) = 27),
    revoked_at   TEXT CHECK (length(revoked_at) = 27),
    last_used_at TEXT CHECK (length(last_used_at) = 27),
    PRIMARY KEY (prefix),
    CHECK ((scope = 'admin') = (user_id IS NULL))
) STRICT, WITHOUT ROWID;
