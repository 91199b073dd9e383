-- Sources: files in other places that describe parts of a map, and the rows of the map that they claim. Neither is in the
-- change log.

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
