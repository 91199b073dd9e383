-- Other systems: webhooks, the wiki, and images of other servers.

-- Webhooks of organizations.
CREATE TABLE webhook (
    id               TEXT PRIMARY KEY,             -- UUID v7 in base64url
    organization_id  TEXT NOT NULL REFERENCES organization (id),
    name             TEXT NOT NULL,
    format           TEXT NOT NULL CHECK (format IN ('standard', 'slack', 'teams')),
    host             TEXT NOT NULL,                -- of the URL, for logs
    url              BLOB NOT NULL,                -- sealed: the URLs of Slack and Teams are secrets
    secret           BLOB NOT NULL,                -- sealed
    old_secret       BLOB,                         -- sealed; signs too until old_secret_until
    old_secret_until INTEGER,
    events           TEXT NOT NULL,                -- JSON: list of event types
    is_filtered      INTEGER NOT NULL,             -- whether only workspaces in webhook_workspace are reported
    is_enabled       INTEGER NOT NULL,
    after_change     INTEGER NOT NULL,             -- changes up to this id are not sent
    disabled_reason  TEXT CHECK (disabled_reason IN ('failing', 'gone', 'keys')), -- null: not by the server
    disabled_at      INTEGER,
    failing_since    INTEGER,                      -- first failed try after the last successful one
    failures         INTEGER NOT NULL DEFAULT 0,   -- failed tries after the last successful one
    paused_until     INTEGER NOT NULL DEFAULT 0,   -- no tries before this time
    tried_at         INTEGER NOT NULL DEFAULT 0,   -- last try; 0: never
    delivered_at     INTEGER,                      -- last successful try
    last_status      INTEGER,                      -- HTTP status of the last try
    last_error       TEXT,                         -- of the last try
    created_at       INTEGER NOT NULL,
    created_by       INTEGER REFERENCES user (id),
    updated_at       INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_organization ON webhook (organization_id, created_at, id);

-- Workspaces to which a webhook is restricted.
CREATE TABLE webhook_workspace (
    webhook_id   TEXT NOT NULL REFERENCES webhook (id),
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    PRIMARY KEY (webhook_id, workspace_pk)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_workspace_pk ON webhook_workspace (workspace_pk);

-- The queue and the log of deliveries. The content is read when it is sent, so a row contains only what it is about.
CREATE TABLE webhook_delivery (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    newest_first INTEGER GENERATED ALWAYS AS (-id) VIRTUAL,
    webhook_id   TEXT NOT NULL REFERENCES webhook (id),
    message_id   TEXT NOT NULL,                    -- the header webhook-id, the same for all tries
    event        TEXT NOT NULL,
    workspace_pk INTEGER,                          -- no foreign key: the workspace may be removed
    subject      TEXT,                             -- id of a thread or a user
    part         INTEGER,                          -- id of a message in the thread
    actor_id     INTEGER REFERENCES user (id),
    first_change INTEGER,                          -- range in the change log
    last_change  INTEGER,
    created_at   INTEGER NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'skipped')),
    due_at       INTEGER NOT NULL,
    tries        INTEGER NOT NULL DEFAULT 0,
    tried_at     INTEGER,
    status       INTEGER,                          -- HTTP status of the last try
    duration_ms  INTEGER,
    error        TEXT
) STRICT;
CREATE INDEX webhook_delivery_log ON webhook_delivery (webhook_id, newest_first);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at, id) WHERE state = 'pending';
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);

-- How far the change log is read. A single row.
CREATE TABLE webhook_position (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    change_id   INTEGER NOT NULL,
    incarnation TEXT NOT NULL                      -- of the database: change ids are different after a restore
) STRICT;

-- Connections of organizations to the wiki.
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

-- Users who are at the provider of the wiki to connect it.
CREATE TABLE wiki_pending (
    state_hash      BLOB PRIMARY KEY,           -- SHA-256 of the secret that the browser carries
    user_id         INTEGER NOT NULL REFERENCES user (id),
    organization_id TEXT NOT NULL REFERENCES organization (id),
    expires_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX wiki_pending_expiry ON wiki_pending (expires_at);

-- Photos and icons of other servers, which are fetched once and served from here.
CREATE TABLE image (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    address         TEXT NOT NULL,              -- URL
    hash            BLOB REFERENCES image_content (hash), -- null: not fetched yet
    problem         TEXT,                       -- why the last try failed; null: it succeeded
    failures        INTEGER NOT NULL,           -- since the last success
    tried_at        INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,           -- next try, if the image is still used
    PRIMARY KEY (organization_id, address)
) STRICT;
CREATE INDEX image_hash ON image (hash) WHERE hash IS NOT NULL;
CREATE INDEX image_due ON image (due_at);

-- Contents of these images. Equal contents are stored once.
CREATE TABLE image_content (
    hash       BLOB PRIMARY KEY,                -- SHA-256
    media_type TEXT NOT NULL,
    size       INTEGER NOT NULL,
    bytes      BLOB NOT NULL
) STRICT;
