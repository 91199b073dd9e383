-- The first migration: every table, also those whose endpoints come later.
--
-- Times are Unix milliseconds. Free-form objects are JSON text. Secrets are kept as SHA-256 or encrypted.
-- There is no ON DELETE CASCADE inside a workspace: the domain deletes children itself, so that the change log sees
-- every row. No constraint is deferred: a deferred one would pass a request's savepoint and fail the whole group.

-- People who sign in, and how ------------------------------------------------------------------------------------------

CREATE TABLE user (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    login         TEXT NOT NULL COLLATE NOCASE UNIQUE,
    display_name  TEXT NOT NULL,
    email         TEXT,
    avatar_url    TEXT,
    password_hash TEXT,                         -- Argon2id, PHC string; null for external accounts
    is_admin      INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1)),
    is_suspended  INTEGER NOT NULL DEFAULT 0 CHECK (is_suspended IN (0, 1)),
    created_at    INTEGER NOT NULL,
    last_login_at INTEGER
) STRICT;

CREATE TABLE user_identity (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    INTEGER NOT NULL REFERENCES user (id),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX user_identity_user ON user_identity (user_id);

CREATE TABLE user_second_factor (
    user_id        INTEGER PRIMARY KEY REFERENCES user (id),
    secret         BLOB NOT NULL,               -- sealed
    confirmed_at   INTEGER,
    last_step      INTEGER,                     -- a code works once
    recovery_codes TEXT NOT NULL DEFAULT '[]'   -- SHA-256 of each unused code
) STRICT;

CREATE TABLE organization (
    id                 TEXT PRIMARY KEY,        -- org_…
    slug               TEXT NOT NULL UNIQUE,
    name               TEXT NOT NULL,
    issuer             TEXT,                    -- null: kept here; else mirrored from that identity provider
    directory_revision INTEGER NOT NULL DEFAULT 0,
    created_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE organization_member (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    user_id         INTEGER NOT NULL REFERENCES user (id),
    role            TEXT NOT NULL CHECK (role IN ('org:admin', 'org:member')),
    mirrored_until  INTEGER,                    -- memberships of an external provider lapse
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT;
CREATE INDEX organization_member_user ON organization_member (user_id);

CREATE TABLE invitation (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    token_hash      BLOB NOT NULL UNIQUE,
    email           TEXT,
    role            TEXT NOT NULL CHECK (role IN ('org:admin', 'org:member')),
    created_by      INTEGER REFERENCES user (id),
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    accepted_by     INTEGER REFERENCES user (id),
    accepted_at     INTEGER
) STRICT;
CREATE INDEX invitation_organization ON invitation (organization_id);

CREATE TABLE session (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id           INTEGER NOT NULL REFERENCES user (id),
    family_hash       BLOB NOT NULL UNIQUE,     -- what all its refresh tokens have in common
    refresh_hash      BLOB NOT NULL,            -- the one that is good
    previous_hash     BLOB,                     -- good for 30 s after rotation: two tabs at once
    successor         BLOB,                     -- what the previous one is answered with, sealed
    rotated_at        INTEGER,
    user_agent        TEXT,
    created_at        INTEGER NOT NULL,
    last_used_at      INTEGER NOT NULL,
    expires_at        INTEGER NOT NULL,         -- 14 days after the last use, 90 after the beginning at the latest
    ended_at          INTEGER
) STRICT;
CREATE INDEX session_user ON session (user_id);

CREATE TABLE api_token (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id         INTEGER NOT NULL REFERENCES user (id),
    organization_id TEXT REFERENCES organization (id), -- null: a legacy token
    name            TEXT NOT NULL,
    prefix          TEXT NOT NULL,
    token_hash      BLOB NOT NULL UNIQUE,
    created_at      INTEGER NOT NULL,
    last_used_at    INTEGER,
    revoked_at      INTEGER
) STRICT;
CREATE INDEX api_token_user ON api_token (user_id);

CREATE TABLE oauth_client (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,                -- JSON array
    metadata      TEXT NOT NULL DEFAULT '{}',
    created_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE oauth_grant (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    client_id       TEXT NOT NULL REFERENCES oauth_client (id),
    user_id         INTEGER NOT NULL REFERENCES user (id),
    organization_id TEXT NOT NULL REFERENCES organization (id),
    scope           TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    last_used_at    INTEGER,
    revoked_at      INTEGER
) STRICT;
CREATE INDEX oauth_grant_user ON oauth_grant (user_id);
CREATE INDEX oauth_grant_client ON oauth_grant (client_id);

CREATE TABLE oauth_code (
    code_hash      BLOB PRIMARY KEY,
    grant_id       INTEGER NOT NULL REFERENCES oauth_grant (id),
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    resource       TEXT,
    expires_at     INTEGER NOT NULL,
    used_at        INTEGER
) STRICT;

CREATE TABLE oauth_token (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    grant_id   INTEGER NOT NULL REFERENCES oauth_grant (id),
    kind       TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    token_hash BLOB NOT NULL UNIQUE,
    scope      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    rotated_at INTEGER,
    revoked_at INTEGER
) STRICT;
CREATE INDEX oauth_token_grant ON oauth_token (grant_id);

-- The directory of an organization: people, teams, roles -----------------------------------------------------------------
-- A write here moves organization.directory_revision and is recorded in change.

CREATE TABLE person (
    organization_id  TEXT NOT NULL REFERENCES organization (id),
    id               TEXT NOT NULL,
    seq              INTEGER NOT NULL,          -- order of creation
    name             TEXT NOT NULL,
    email            TEXT,
    photo_url        TEXT,
    title            TEXT,
    bio              TEXT,
    contact          TEXT NOT NULL DEFAULT '{}',
    properties       TEXT NOT NULL DEFAULT '{}',
    user_id          INTEGER REFERENCES user (id),
    external_subject TEXT,                      -- clerkUserId of the API
    revision         INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    created_by       INTEGER,
    updated_at       INTEGER NOT NULL,
    updated_by       INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX person_user ON person (organization_id, user_id) WHERE user_id IS NOT NULL;

CREATE TABLE team (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    id              TEXT NOT NULL,
    seq             INTEGER NOT NULL,
    name            TEXT NOT NULL,
    description     TEXT,
    properties      TEXT NOT NULL DEFAULT '{}',
    revision        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;

CREATE TABLE team_member (
    organization_id TEXT NOT NULL,
    team_id         TEXT NOT NULL,
    person_id       TEXT NOT NULL,
    role            TEXT NOT NULL CHECK (role IN ('lead', 'member')),
    revision        INTEGER NOT NULL,
    added_at        INTEGER NOT NULL,
    added_by        INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    PRIMARY KEY (organization_id, team_id, person_id),
    FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id),
    FOREIGN KEY (organization_id, person_id) REFERENCES person (organization_id, id)
) STRICT;
CREATE INDEX team_member_person ON team_member (organization_id, person_id);

CREATE TABLE role (                             -- what a person or team does for a component
    organization_id TEXT NOT NULL REFERENCES organization (id),
    id              TEXT NOT NULL,
    name            TEXT NOT NULL,
    color           TEXT NOT NULL,
    icon            TEXT,
    icon_name       TEXT,
    sort_order      INTEGER NOT NULL DEFAULT 0,
    revision        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;

-- Workspaces and what is in them -----------------------------------------------------------------------------------------
-- Children refer to workspace.pk: a deleted and recreated id is another workspace. Composite foreign keys make a link
-- across workspaces unstorable.

CREATE TABLE workspace (
    pk              INTEGER PRIMARY KEY AUTOINCREMENT,
    id              TEXT NOT NULL,
    organization_id TEXT NOT NULL REFERENCES organization (id),
    name            TEXT NOT NULL,
    description     TEXT,
    visibility      TEXT NOT NULL CHECK (visibility IN ('org', 'members', 'private')),
    properties      TEXT NOT NULL DEFAULT '{}',
    owner_user_id   INTEGER NOT NULL REFERENCES user (id),
    revision        INTEGER NOT NULL,           -- moved by every write inside
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    deleted_at      INTEGER                     -- restorable for 30 days
) STRICT;
CREATE UNIQUE INDEX workspace_living ON workspace (id) WHERE deleted_at IS NULL;
CREATE INDEX workspace_organization ON workspace (organization_id);

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

CREATE TABLE component (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    type_id      TEXT NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT,
    x            REAL NOT NULL,
    y            REAL NOT NULL,
    properties   TEXT NOT NULL DEFAULT '{}',
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX component_order ON component (workspace_pk, seq);

CREATE TABLE relationship (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    source_id    TEXT NOT NULL,
    target_id    TEXT NOT NULL,
    type_id      TEXT NOT NULL,
    label        TEXT,
    properties   TEXT NOT NULL DEFAULT '{}',
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id),
    FOREIGN KEY (workspace_pk, source_id) REFERENCES component (workspace_pk, id),
    FOREIGN KEY (workspace_pk, target_id) REFERENCES component (workspace_pk, id)
) STRICT;
CREATE INDEX relationship_order ON relationship (workspace_pk, seq);
CREATE INDEX relationship_source ON relationship (workspace_pk, source_id);
CREATE INDEX relationship_target ON relationship (workspace_pk, target_id);

CREATE TABLE stakeholder (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_pk    INTEGER NOT NULL REFERENCES workspace (pk),
    component_id    TEXT NOT NULL,
    organization_id TEXT NOT NULL,
    person_id       TEXT,
    team_id         TEXT,
    link_type       TEXT NOT NULL,
    properties      TEXT NOT NULL DEFAULT '{}',
    revision        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    CHECK ((person_id IS NULL) <> (team_id IS NULL)),
    FOREIGN KEY (workspace_pk, component_id) REFERENCES component (workspace_pk, id),
    FOREIGN KEY (organization_id, person_id) REFERENCES person (organization_id, id),
    FOREIGN KEY (organization_id, team_id) REFERENCES team (organization_id, id),
    FOREIGN KEY (organization_id, link_type) REFERENCES role (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX stakeholder_person ON stakeholder (workspace_pk, component_id, link_type, person_id)
    WHERE person_id IS NOT NULL;
CREATE UNIQUE INDEX stakeholder_team ON stakeholder (workspace_pk, component_id, link_type, team_id)
    WHERE team_id IS NOT NULL;
CREATE INDEX stakeholder_component ON stakeholder (workspace_pk, component_id);
CREATE INDEX stakeholder_by_person ON stakeholder (organization_id, person_id);
CREATE INDEX stakeholder_by_team ON stakeholder (organization_id, team_id);
CREATE INDEX stakeholder_by_role ON stakeholder (organization_id, link_type);

CREATE TABLE external_link (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    component_id TEXT NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('url', 'wiki-page', 'wiki-database')),
    url          TEXT NOT NULL,
    target_id    TEXT,
    title        TEXT,
    icon         TEXT,
    fetched_at   INTEGER,
    properties   TEXT NOT NULL DEFAULT '{}',
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    FOREIGN KEY (workspace_pk, component_id) REFERENCES component (workspace_pk, id)
) STRICT;
CREATE INDEX external_link_component ON external_link (workspace_pk, component_id);

CREATE TABLE process (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT,
    mermaid      TEXT NOT NULL,
    participants TEXT NOT NULL DEFAULT '{}',    -- JSON: alias to component id
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX process_order ON process (workspace_pk, seq);

-- What happened ----------------------------------------------------------------------------------------------------------

-- Every write in a workspace or directory, in its own transaction. No foreign keys: the log outlives what it tells of.
CREATE TABLE change (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    workspace_pk    INTEGER,                    -- null: the directory
    revision        INTEGER NOT NULL,           -- of the workspace or the directory
    batch           TEXT NOT NULL,              -- one gesture, undone as one
    undo_of         TEXT,
    actor           INTEGER,                    -- user; null: the system
    via             TEXT NOT NULL,              -- rest, mcp, cli, job
    credential      TEXT NOT NULL,              -- session:7, token:3
    entity          TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    op              TEXT NOT NULL CHECK (op IN ('create', 'update', 'delete')),
    before          TEXT,
    after           TEXT,
    ts              INTEGER NOT NULL
) STRICT;
CREATE INDEX change_workspace ON change (workspace_pk, revision);
CREATE INDEX change_directory ON change (organization_id, revision) WHERE workspace_pk IS NULL;
CREATE INDEX change_batch ON change (batch);
CREATE INDEX change_entity ON change (workspace_pk, entity, entity_id);

CREATE TABLE audit (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    ts              INTEGER NOT NULL,
    kind            TEXT NOT NULL,
    actor_id        INTEGER,
    organization_id TEXT,
    details         TEXT NOT NULL DEFAULT '{}'  -- no row images, no secrets
) STRICT;
CREATE INDEX audit_kind ON audit (kind, id);

-- The rest ---------------------------------------------------------------------------------------------------------------

CREATE TABLE wiki_connection (
    organization_id TEXT PRIMARY KEY REFERENCES organization (id),
    kind            TEXT NOT NULL CHECK (kind IN ('oauth', 'token')),
    access_token    BLOB NOT NULL,              -- sealed
    refresh_token   BLOB,                       -- sealed
    bot_id          TEXT,
    workspace_id    TEXT,
    workspace_name  TEXT,
    workspace_icon  TEXT,
    owner_name      TEXT,
    broken_since    INTEGER,
    connected_by    INTEGER REFERENCES user (id),
    connected_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE setting (
    key        TEXT PRIMARY KEY,
    value      TEXT NOT NULL,                   -- JSON; secrets sealed
    updated_at INTEGER NOT NULL,
    updated_by INTEGER REFERENCES user (id)
) STRICT;

CREATE TABLE waitlist (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    email      TEXT NOT NULL COLLATE NOCASE UNIQUE,
    name       TEXT,
    company    TEXT,
    note       TEXT,
    created_at INTEGER NOT NULL,
    invited_at INTEGER
) STRICT;

-- Answers kept for 24 hours, so that a POST sent again is answered again and not done again.
CREATE TABLE idempotency (
    user_id     INTEGER NOT NULL REFERENCES user (id),
    key         TEXT NOT NULL,                  -- the organization's id and the client's key
    fingerprint BLOB NOT NULL,                  -- SHA-256 of method, path and body
    answer      BLOB NOT NULL,                  -- sealed: some answers hold a secret that is shown once
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
) STRICT;
CREATE INDEX idempotency_age ON idempotency (created_at);
