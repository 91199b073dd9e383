-- History: how far back the log reaches, and how a follower finds what it missed.

-- The id of the last change that is no longer in the log; 0 while it has all.
ALTER TABLE workspace ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
ALTER TABLE organization ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

-- The entries of an index are in order of id where its columns are equal: this is what follows a change in a workspace.
CREATE INDEX change_follow ON change (workspace_pk);

-- States of a workspace that were given a name. Each holds all rows, and so outlives the log's memory of them.
CREATE TABLE version (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    name         TEXT NOT NULL,
    description  TEXT,
    revision     INTEGER NOT NULL,              -- of the workspace then
    snapshot     BLOB NOT NULL,                 -- gzip of JSON
    created_at   INTEGER NOT NULL,
    created_by   INTEGER
) STRICT;
CREATE INDEX version_workspace ON version (workspace_pk);
