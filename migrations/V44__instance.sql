-- The instance: its identity, settings, audit log, answers to repeated requests, and the search index.

-- The identity of this database file. A single row.
CREATE TABLE instance (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    incarnation   TEXT NOT NULL,                -- random; replaced when an older state is restored
    is_copy       INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1)), -- 1 in backups: opening one starts a new incarnation
    swept_to      INTEGER,                      -- up to when old data is removed: earlier than the clock if that has jumped
    swept_at      INTEGER                       -- time of the clock when old data was last removed
) STRICT;
INSERT INTO instance (id, incarnation) VALUES (1, lower(hex(randomblob(16))));

CREATE TABLE setting (
    key        TEXT PRIMARY KEY,
    value      TEXT NOT NULL,                   -- JSON; secrets sealed
    updated_at INTEGER NOT NULL,
    updated_by INTEGER REFERENCES user (id)
) STRICT;

-- The audit log: sign-ins, permissions, tokens and administration. Events are removed by age.
CREATE TABLE audit (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    ts              INTEGER NOT NULL,
    kind            TEXT NOT NULL,
    actor_id        INTEGER,
    organization_id TEXT,
    details         TEXT NOT NULL DEFAULT '{}', -- JSON, without contents of rows and without secrets
    repeat_key      TEXT,                       -- repeated failures are one event an hour, with a count
    address         TEXT,                       -- of the client; null: a job or the command line
    request_id      TEXT                        -- also in the log of the server
) STRICT;
CREATE INDEX audit_kind ON audit (kind, id);
CREATE INDEX audit_age ON audit (ts);
CREATE UNIQUE INDEX audit_repeat ON audit (repeat_key) WHERE repeat_key IS NOT NULL;
CREATE INDEX audit_actor ON audit (actor_id, id) WHERE actor_id IS NOT NULL;

-- Responses that are kept for 24 hours, so that a repeated request gets the first response and is not executed again.
CREATE TABLE idempotency (
    user_id     INTEGER NOT NULL REFERENCES user (id),
    key         TEXT NOT NULL,                  -- id of the organization and the client's key
    fingerprint BLOB NOT NULL,                  -- SHA-256 of method, path and body
    answer      BLOB NOT NULL,                  -- sealed: some responses contain a secret that is shown once
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- Workspaces, components, relationships, processes and other rows in the search index. The server creates and fills
-- `search_index`, an FTS5 table of trigrams, and `search_term`, its vocabulary: see src/domain/core/search.rs. The key is
-- the order of equally good results and the restriction to a workspace: the key of the workspace shifted by 32 bits, the
-- kind shifted by 28 bits, and a number.
CREATE TABLE search_document (
    document     INTEGER PRIMARY KEY,
    workspace_pk INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    row_id       TEXT NOT NULL,
    name         TEXT NOT NULL                  -- in lowercase
) STRICT;
CREATE UNIQUE INDEX search_document_row ON search_document (row_id, workspace_pk, kind);
CREATE INDEX search_document_name ON search_document (workspace_pk, name);

-- The state of the search index. A single row.
CREATE TABLE search_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL                    -- of the code that filled the index; 0: to be filled
) STRICT;
INSERT INTO search_state (id, version) VALUES (1, 0);
