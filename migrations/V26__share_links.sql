-- Share links: public, read-only addresses of maps, views, parts of maps, and processes.

CREATE TABLE share_link (
    id            TEXT PRIMARY KEY,             -- UUID v7 in base64url
    workspace_pk  INTEGER NOT NULL REFERENCES workspace (pk),
    generation    INTEGER NOT NULL,             -- increases when the link is rotated; the address depends on it
    owner_id      INTEGER NOT NULL REFERENCES user (id), -- the link works while this user is an owner of the workspace
    name          TEXT NOT NULL,
    target        TEXT NOT NULL,                -- JSON: what the link shows
    options       TEXT NOT NULL,                -- JSON: how the link shows it
    embed_origins TEXT NOT NULL,                -- JSON: list of origins whose pages may embed the link
    password_hash TEXT,                         -- Argon2id
    expires_at    INTEGER,                      -- null: never
    renewed_at    INTEGER NOT NULL,             -- when the expiry was set
    paused_at     INTEGER,                      -- when the owner of the link lost the permission
    created_at    INTEGER NOT NULL,
    created_by    INTEGER NOT NULL REFERENCES user (id),
    updated_at    INTEGER NOT NULL,
    uses          INTEGER NOT NULL DEFAULT 0,
    last_used_day TEXT                          -- UTC, as in 2026-11-25
) STRICT;
CREATE INDEX share_link_workspace ON share_link (workspace_pk, created_at, id);
CREATE INDEX share_link_owner ON share_link (owner_id);

-- JSON: the rules of the organization for share links. Null: those of the instance.
ALTER TABLE organization ADD COLUMN sharing TEXT;
