-- Decisions: architecture decision records (ADR) of a workspace. `component_ids` and `supersedes` are no foreign keys: a
-- reference stays when the row that it refers to is deleted, and works again when the deletion is undone.

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
