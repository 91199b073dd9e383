-- Accounts: users, how they sign in, their sessions and tokens, and the apps that they have authorized.
--
-- Times in all tables are Unix milliseconds, if not stated otherwise. Free-form objects are JSON text. Secrets are stored as
-- SHA-256 hashes, or encrypted with a key of the instance ("sealed"). No constraint is deferred: a deferred one would fail a
-- whole group of writes.

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
    last_login_at INTEGER,
    password_open_until INTEGER,                -- until then, the password is accepted even if passwords are disabled
    -- Whether an administrator or an identity provider set the email address. An address that the user entered is not
    -- confirmed, and links no account to an identity provider.
    is_email_confirmed  INTEGER NOT NULL DEFAULT 1 CHECK (is_email_confirmed IN (0, 1))
) STRICT;

-- Accounts of users at identity providers.
CREATE TABLE user_identity (
    issuer     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    user_id    INTEGER NOT NULL REFERENCES user (id),
    created_at INTEGER NOT NULL,
    said_at    INTEGER NOT NULL DEFAULT 0,      -- Unix seconds: when the newest token was issued; older ones change nothing
    PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX user_identity_user ON user_identity (user_id);

-- Authenticator apps for two-factor authentication.
CREATE TABLE user_second_factor (
    user_id        INTEGER PRIMARY KEY REFERENCES user (id),
    secret         BLOB NOT NULL,               -- sealed
    confirmed_at   INTEGER,
    last_step      INTEGER,                     -- of the last code, because a code works once
    recovery_codes TEXT NOT NULL DEFAULT '[]'   -- SHA-256 of each unused code
) STRICT;

-- Photos that users have uploaded.
CREATE TABLE user_photo (
    user_id     INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    tag         TEXT NOT NULL,                  -- from the SHA-256 of the content; user.avatar_url refers to it
    media_type  TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL,
    content     BLOB NOT NULL
) STRICT;

-- Links that confirm the email address of an account. A user has at most one.
CREATE TABLE email_confirmation (
    user_id    INTEGER PRIMARY KEY REFERENCES user (id),
    token_hash BLOB NOT NULL UNIQUE,
    email      TEXT NOT NULL,                   -- the link confirms only this address
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX email_confirmation_expiry ON email_confirmation (expires_at);

-- Links that set a new password. A user has at most one.
CREATE TABLE password_reset (
    user_id    INTEGER PRIMARY KEY REFERENCES user (id),
    token_hash BLOB NOT NULL UNIQUE,
    email      TEXT NOT NULL,                   -- valid while this is the confirmed address of the account
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX password_reset_expiry ON password_reset (expires_at);

-- Sessions in the web client. Each use of a refresh token replaces it.
CREATE TABLE session (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id           INTEGER NOT NULL REFERENCES user (id),
    family_hash       BLOB NOT NULL UNIQUE,     -- of the part that all refresh tokens of the session have in common
    refresh_hash      BLOB NOT NULL,            -- of the valid refresh token
    previous_hash     BLOB,                     -- of the previous one, valid for 30 s more, for two tabs at once
    successor         BLOB,                     -- sealed: the response to the previous one
    rotated_at        INTEGER,
    user_agent        TEXT,
    created_at        INTEGER NOT NULL,
    last_used_at      INTEGER NOT NULL,
    expires_at        INTEGER NOT NULL,         -- 14 days after the last use, at most 90 days after the start
    ended_at          INTEGER,
    ends_at           INTEGER                   -- end of the session, even if it is used; null: 90 days after the start
) STRICT;
CREATE INDEX session_user ON session (user_id);

-- Tokens that users have created for scripts.
CREATE TABLE api_token (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id         INTEGER NOT NULL REFERENCES user (id),
    organization_id TEXT REFERENCES organization (id), -- null: created without an active organization
    name            TEXT NOT NULL,
    prefix          TEXT NOT NULL,
    token_hash      BLOB NOT NULL UNIQUE,
    created_at      INTEGER NOT NULL,
    last_used_at    INTEGER,
    revoked_at      INTEGER
) STRICT;
CREATE INDEX api_token_user ON api_token (user_id);

-- Apps that have registered to access the API on behalf of users.
CREATE TABLE oauth_client (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,                -- JSON array
    metadata      TEXT NOT NULL DEFAULT '{}',
    created_at    INTEGER NOT NULL
) STRICT;

-- Authorization requests of apps that the user has not answered yet.
CREATE TABLE oauth_request (
    request_hash   BLOB PRIMARY KEY,            -- SHA-256 of the secret that the browser carries
    client_id      TEXT NOT NULL REFERENCES oauth_client (id),
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    state          TEXT,
    scope          TEXT NOT NULL,
    resource       TEXT,
    user_id        INTEGER REFERENCES user (id), -- the first user who has seen it, and the only one who can answer it
    expires_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_request_client ON oauth_request (client_id);
CREATE INDEX oauth_request_expiry ON oauth_request (expires_at);

-- Apps that a user has authorized, each for one organization.
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

-- Authorization codes, which an app exchanges for tokens.
CREATE TABLE oauth_code (
    code_hash      BLOB PRIMARY KEY,
    grant_id       INTEGER NOT NULL REFERENCES oauth_grant (id),
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    resource       TEXT,
    expires_at     INTEGER NOT NULL,
    used_at        INTEGER
) STRICT;

-- Access and refresh tokens of apps.
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
