-- Kinds of components that an organization shares: a name, a look and fields for components of a catalogue type.

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

-- Components refer to a kind by a property. Only those that have it are in the index.
CREATE INDEX component_kind ON component (workspace_pk, json_extract(properties, '$.kind'))
    WHERE json_extract(properties, '$.kind') IS NOT NULL;
