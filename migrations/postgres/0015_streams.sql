-- Users who have an event stream open, by the server at which it is open, so that a server can tell
-- whether a reminder could be delivered at another one.

CREATE TABLE stream_servers (
    id    TEXT   COLLATE "C" PRIMARY KEY CHECK (char_length(id) = 36),
    -- Milliseconds since 1970 by the database's clock; a server that died is not heard of again.
    until BIGINT NOT NULL
);

CREATE TABLE open_streams (
    user_id   TEXT COLLATE "C" NOT NULL,
    server_id TEXT COLLATE "C" NOT NULL REFERENCES stream_servers (id) ON DELETE CASCADE,
    PRIMARY KEY (user_id, server_id)
);

CREATE INDEX open_streams_of_server ON open_streams (server_id);
