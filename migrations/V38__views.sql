-- Views: saved selections of the components of a map, some with positions of their own, and tours through them.

CREATE TABLE view (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT,
    position     INTEGER NOT NULL,              -- in the list of views
    definition   TEXT NOT NULL,                 -- JSON: which components it shows, and how
    layout       TEXT NOT NULL CHECK (layout IN ('shared', 'own')),
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX view_order ON view (workspace_pk, position, id);

-- Positions of components in a view. They are kept while the view does not show the component.
CREATE TABLE view_place (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    view_id      TEXT NOT NULL,
    component_id TEXT NOT NULL,
    x            REAL NOT NULL,
    y            REAL NOT NULL,
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, view_id, component_id),
    FOREIGN KEY (workspace_pk, view_id) REFERENCES view (workspace_pk, id),
    FOREIGN KEY (workspace_pk, component_id) REFERENCES component (workspace_pk, id)
) STRICT;
CREATE INDEX view_place_component ON view_place (workspace_pk, component_id);

-- How relationships are drawn in a view.
CREATE TABLE view_line (
    workspace_pk    INTEGER NOT NULL REFERENCES workspace (pk),
    view_id         TEXT NOT NULL,
    relationship_id TEXT NOT NULL,
    line            TEXT NOT NULL,              -- JSON, as in relationship.line
    revision        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    created_by      INTEGER,
    updated_at      INTEGER NOT NULL,
    updated_by      INTEGER,
    PRIMARY KEY (workspace_pk, view_id, relationship_id),
    FOREIGN KEY (workspace_pk, view_id) REFERENCES view (workspace_pk, id),
    FOREIGN KEY (workspace_pk, relationship_id) REFERENCES relationship (workspace_pk, id)
) STRICT;
CREATE INDEX view_line_relationship ON view_line (workspace_pk, relationship_id);

-- Sequences of views with explanations.
CREATE TABLE tour (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT,
    position     INTEGER NOT NULL,              -- in the list of tours
    stops        TEXT NOT NULL,                 -- JSON, in order
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    created_by   INTEGER,
    updated_at   INTEGER NOT NULL,
    updated_by   INTEGER,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX tour_order ON tour (workspace_pk, position, id);

-- Views that only their user can see. They are not in the change log.
CREATE TABLE personal_view (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    user_id      INTEGER NOT NULL REFERENCES user (id),
    id           TEXT NOT NULL,
    name         TEXT NOT NULL,
    description  TEXT,
    position     INTEGER NOT NULL,
    definition   TEXT NOT NULL,
    layout       TEXT NOT NULL CHECK (layout IN ('shared', 'own')),
    places       TEXT NOT NULL,                 -- JSON: positions of components
    lines        TEXT NOT NULL,                 -- JSON: how relationships are drawn
    revision     INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, user_id, id)
) STRICT;
CREATE INDEX personal_view_user ON personal_view (user_id);
