-- The rows of maps. Every write increases `workspace.revision` and is recorded in `change`, except for tables that say
-- otherwise. Composite foreign keys make references between workspaces impossible. There is no ON DELETE CASCADE: the server
-- deletes dependent rows itself, so that all are recorded.

CREATE TABLE component (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,              -- order of creation
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
    tags         TEXT NOT NULL DEFAULT '[]',    -- JSON: list of texts
    technology   TEXT NOT NULL DEFAULT '[]',    -- JSON: list of texts
    width        REAL,                          -- null: by content
    height       REAL,
    opens        TEXT,                          -- view that explains the component, which may have been deleted
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX component_order ON component (workspace_pk, seq);
CREATE INDEX component_kind ON component (workspace_pk, json_extract(properties, '$.kind'))
    WHERE json_extract(properties, '$.kind') IS NOT NULL;
CREATE TRIGGER placed_component_moved AFTER UPDATE OF x, y ON component
WHEN new.x IS NOT old.x OR new.y IS NOT old.y BEGIN
    DELETE FROM placed_component WHERE workspace_pk = new.workspace_pk AND component_id = new.id;
END;
CREATE TRIGGER placed_component_deleted AFTER DELETE ON component BEGIN
    DELETE FROM placed_component WHERE workspace_pk = old.workspace_pk AND component_id = old.id;
END;

CREATE TABLE relationship (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,              -- order of creation
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
    technology   TEXT NOT NULL DEFAULT '[]',    -- JSON: list of texts
    line         TEXT,                          -- JSON: how the line is drawn; null: routed
    PRIMARY KEY (workspace_pk, id),
    FOREIGN KEY (workspace_pk, source_id) REFERENCES component (workspace_pk, id),
    FOREIGN KEY (workspace_pk, target_id) REFERENCES component (workspace_pk, id)
) STRICT;
CREATE INDEX relationship_order ON relationship (workspace_pk, seq);
CREATE INDEX relationship_source ON relationship (workspace_pk, source_id);
CREATE INDEX relationship_target ON relationship (workspace_pk, target_id);

-- People and teams with a role for a component.
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
CREATE INDEX stakeholder_order ON stakeholder (workspace_pk);

-- Links of components to web pages and to pages of the wiki.
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
CREATE INDEX external_link_icon ON external_link (icon) WHERE icon IS NOT NULL;

-- Sequence diagrams whose participants are components.
CREATE TABLE process (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,              -- order of creation
    name         TEXT NOT NULL,
    description  TEXT,
    mermaid      TEXT NOT NULL,
    participants TEXT NOT NULL DEFAULT '{}',    -- JSON: component ids by alias
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX process_order ON process (workspace_pk, seq);

-- Architecture decision records (ADR). `component_ids` and `supersedes` are no foreign keys: a reference stays when its row
-- is deleted, and works again after an undo.
CREATE TABLE decision (
    workspace_pk  INTEGER NOT NULL REFERENCES workspace (pk),
    id            TEXT NOT NULL,
    number        INTEGER NOT NULL,             -- unique in the workspace
    title         TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('proposed', 'accepted', 'superseded', 'rejected')),
    date          TEXT NOT NULL,                -- as in 2026-11-25
    authors       TEXT NOT NULL,                -- JSON: list of names
    component_ids TEXT NOT NULL,                -- JSON: list of the components that it concerns
    supersedes    TEXT NOT NULL,                -- JSON: list of the decisions that it replaces
    revision      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    created_by    INTEGER,
    updated_at    INTEGER NOT NULL,
    updated_by    INTEGER,
    body          TEXT NOT NULL,                -- Markdown; the last column, so that lists do not read it
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX decision_number ON decision (workspace_pk, number, id);

-- Images that notes show, stored once per workspace. They are not in the change log: they never change, and are removed when
-- no note, version or change refers to them.
CREATE TABLE note_image (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,                 -- from the SHA-256 of the content
    media_type   TEXT NOT NULL,
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    uploaded_at  INTEGER NOT NULL,              -- last upload of this image
    content      BLOB NOT NULL,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX note_image_age ON note_image (uploaded_at);
CREATE TRIGGER stored_bytes_note_image_added AFTER INSERT ON note_image BEGIN
    INSERT INTO stored_bytes (organization_id, bytes)
    SELECT organization_id, octet_length(new.content) FROM workspace WHERE pk = new.workspace_pk
    ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_bytes_note_image_removed AFTER DELETE ON note_image BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes - octet_length(old.content))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = old.workspace_pk);
END;

-- Notes, frames and images on the map.
CREATE TABLE note (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,              -- order of creation
    kind         TEXT NOT NULL CHECK (kind IN ('note', 'frame', 'image')),
    text         TEXT NOT NULL,                 -- Markdown, title of a frame, or description of an image
    color        TEXT,                          -- null: the default of the kind
    x            REAL NOT NULL,
    y            REAL NOT NULL,
    width        REAL,                          -- null: by content
    height       REAL,
    layer        INTEGER NOT NULL,
    image_id     TEXT,
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id),
    FOREIGN KEY (workspace_pk, image_id) REFERENCES note_image (workspace_pk, id)
) STRICT;
CREATE INDEX note_order ON note (workspace_pk, seq);
CREATE INDEX note_image_use ON note (workspace_pk, image_id) WHERE image_id IS NOT NULL;

-- Components that a tool call has placed, with the user of the call, until their position is set. They are not in the change
-- log.
CREATE TABLE placed_component (
    workspace_pk INTEGER NOT NULL,
    component_id TEXT NOT NULL,
    user_id      INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, component_id)
) STRICT, WITHOUT ROWID;

-- Sources: files in other places that describe parts of a map. They are not in the change log.
CREATE TABLE source (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,                 -- chosen by the client
    kind         TEXT NOT NULL,                 -- id of a format, as in compose
    name         TEXT,
    revision     TEXT,                          -- of the files, as in a commit id
    url          TEXT,
    synced_at    INTEGER NOT NULL,
    synced_by    INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;

-- Rows of the map that a source describes. They are not in the change log.
CREATE TABLE claim (
    workspace_pk  INTEGER NOT NULL,
    source_id     TEXT NOT NULL,
    kind          TEXT NOT NULL,                -- of the row, as in change.entity
    key           TEXT NOT NULL,                -- of the row in its source
    row_id        TEXT,                         -- the row may have been deleted; null: seen, but never on the map
    base          TEXT NOT NULL,                -- JSON: the fields as last synced
    file          TEXT NOT NULL,
    line          INTEGER NOT NULL,
    seen_at       INTEGER NOT NULL,             -- last sync in which the source had the row
    missing_since INTEGER,                      -- first sync in which it did not
    PRIMARY KEY (workspace_pk, source_id, kind, key),
    FOREIGN KEY (workspace_pk, source_id) REFERENCES source (workspace_pk, id)
) STRICT;
CREATE INDEX claim_row ON claim (workspace_pk, kind, row_id);
