-- Organizations, their members, and how users become members.

CREATE TABLE organization (
    id                 TEXT PRIMARY KEY,        -- org_…
    slug               TEXT NOT NULL UNIQUE,
    name               TEXT NOT NULL,
    issuer             TEXT,                    -- identity provider that manages the members; null: managed here
    directory_revision INTEGER NOT NULL DEFAULT 0,
    created_at         INTEGER NOT NULL,
    forgotten          INTEGER NOT NULL DEFAULT 0, -- last change of the directory that was removed from the log; 0: none
    sharing            TEXT                     -- JSON: rules for share links; null: those of the instance
) STRICT;

CREATE TABLE organization_member (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    user_id         INTEGER NOT NULL REFERENCES user (id),
    role            TEXT NOT NULL CHECK (role IN ('org:admin', 'org:member')),
    mirrored_until  INTEGER,                    -- memberships of an identity provider expire
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT;
CREATE INDEX organization_member_user ON organization_member (user_id);
CREATE INDEX organization_member_order ON organization_member (organization_id, created_at);

-- Memberships that an administrator or an identity provider has ended. Earlier invitations do not restore them.
CREATE TABLE ended_membership (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    user_id         INTEGER NOT NULL REFERENCES user (id),
    last_invitation INTEGER NOT NULL,           -- the newest invitation that existed
    ended_at        INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT;

-- Links with which users join an organization.
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
    accepted_at     INTEGER,
    credential      TEXT,                       -- that created it, as in the change log; null: the operator, or unknown
    authority       TEXT CHECK (authority IN ('organization', 'waitlist')) -- with which it was created; null: unknown
) STRICT;
CREATE INDEX invitation_organization ON invitation (organization_id);
CREATE INDEX invitation_author ON invitation (created_by) WHERE accepted_at IS NULL;

-- Email addresses of people who asked for an account.
CREATE TABLE waitlist (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    email      TEXT NOT NULL COLLATE NOCASE UNIQUE,
    name       TEXT,
    company    TEXT,
    note       TEXT,
    created_at INTEGER NOT NULL,
    invited_at INTEGER
) STRICT;
