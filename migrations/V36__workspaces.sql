-- Workspaces, and who can access them. Tables refer to `workspace.pk`, because the id of a deleted workspace can be used
-- again for another one.

CREATE TABLE workspace (
    pk              INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    name            TEXT NOT NULL,
    description     TEXT,
    visibility      TEXT NOT NULL CHECK (visibility IN ('org', 'members', 'private')),
    properties      TEXT NOT NULL DEFAULT '{}',
    owner_user_id   INTEGER NOT NULL REFERENCES user (id),
    revision        INTEGER NOT NULL,           -- increased by every write in the workspace
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    deleted_at      INTEGER,                    -- can be restored for 30 days
    forgotten       INTEGER NOT NULL DEFAULT 0, -- last change of the workspace that was removed from the log; 0: none
    -- What members of the organization can do while the workspace is visible to them.
    organization_access TEXT NOT NULL DEFAULT 'view' CHECK (organization_access IN ('view', 'edit')),
    base_pk             INTEGER REFERENCES workspace (pk), -- of the map of a draft
    required_approvals  INTEGER,                -- protected workspaces change only by merging drafts; null: not protected
    owners_exempt       INTEGER NOT NULL DEFAULT 1 CHECK (owners_exempt IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX workspace_living ON workspace (id) WHERE deleted_at IS NULL;
CREATE INDEX workspace_organization ON workspace (organization_id);
CREATE INDEX workspace_base ON workspace (base_pk) WHERE base_pk IS NOT NULL;

CREATE TABLE workspace_member (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    user_id      INTEGER NOT NULL REFERENCES user (id),
    role         TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
    revision     INTEGER NOT NULL,
    added_at     INTEGER NOT NULL,
    added_by     INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, user_id)
) STRICT;
CREATE INDEX workspace_member_user ON workspace_member (user_id);
CREATE INDEX workspace_member_order ON workspace_member (workspace_pk, added_at);

-- Requests for edit access by users who can only view a workspace. A request is deleted when the access of its user changes.
CREATE TABLE access_request (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    user_id      INTEGER NOT NULL REFERENCES user (id),
    role         TEXT NOT NULL CHECK (role IN ('editor')),
    message      TEXT,
    requested_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, user_id)
) STRICT;
CREATE INDEX access_request_user ON access_request (user_id);

-- Public, read-only addresses of maps, views, parts of maps, and processes.
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
