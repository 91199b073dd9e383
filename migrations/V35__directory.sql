-- The directory of an organization: people, teams, roles and kinds. Every write increases `organization.directory_revision`
-- and is recorded in `change`.

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
    external_subject TEXT,                      -- `clerkUserId` in the API
    revision         INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    created_by       INTEGER,
    updated_at       INTEGER NOT NULL,
    updated_by       INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX person_user ON person (organization_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX person_order ON person (organization_id, seq);
CREATE INDEX person_photo ON person (organization_id, photo_url) WHERE photo_url IS NOT NULL;

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
CREATE INDEX team_order ON team (organization_id, seq);

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
CREATE INDEX team_member_order ON team_member (organization_id, team_id, added_at);

-- Roles of stakeholders: what a person or team does for a component.
CREATE TABLE role (
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
CREATE INDEX role_order ON role (organization_id, sort_order);

-- Kinds of components: a name, a look and fields for components of a catalog type.
CREATE TABLE kind (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    id              TEXT NOT NULL,
    seq             INTEGER NOT NULL,
    name            TEXT NOT NULL,
    base_type       TEXT NOT NULL,
    color           TEXT NOT NULL,
    icon            TEXT NOT NULL,
    logo            TEXT,
    description     TEXT,
    fields          TEXT NOT NULL DEFAULT '[]', -- JSON: the fields of the components, in order
    revision        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    PRIMARY KEY (organization_id, id)
) STRICT;
CREATE UNIQUE INDEX kind_name ON kind (organization_id, name COLLATE NOCASE);
CREATE INDEX kind_order ON kind (organization_id, seq);
