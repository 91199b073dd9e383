-- The history: the change log, saved versions, and the number of bytes that they use.

-- The change log: every write in a workspace or directory, in the transaction of the write. There are no foreign keys: the
-- log outlives the rows that it describes.
CREATE TABLE change (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    workspace_pk    INTEGER,                    -- null: the directory
    revision        INTEGER NOT NULL,           -- of the workspace or the directory
    batch           TEXT NOT NULL,              -- id of the change set: the id of the request, chosen by the server
    undo_of         TEXT,                       -- change set or label that the change set has undone
    actor           INTEGER,                    -- user; null: the system
    via             TEXT NOT NULL,              -- interface: rest, mcp, cli, job
    credential      TEXT NOT NULL,              -- such as session:7 or token:3
    entity          TEXT NOT NULL,
    entity_id       TEXT NOT NULL,
    op              TEXT NOT NULL CHECK (op IN ('create', 'update', 'delete')),
    before          TEXT,
    after           TEXT,
    ts              INTEGER NOT NULL,
    label           TEXT                        -- the client's label for the change set (X-Batch-Id)
) STRICT;
CREATE INDEX change_workspace ON change (workspace_pk, revision);
CREATE INDEX change_directory ON change (organization_id, revision) WHERE workspace_pk IS NULL;
CREATE INDEX change_batch ON change (batch);
CREATE INDEX change_entity ON change (workspace_pk, entity, entity_id);
-- Index entries with equal columns are in the order of the id.
CREATE INDEX change_follow ON change (workspace_pk);
CREATE INDEX change_label ON change (label, actor) WHERE label IS NOT NULL;
CREATE INDEX change_actor ON change (workspace_pk, actor);
CREATE INDEX change_image_before ON change (workspace_pk, json_extract(before, '$.imageId')) WHERE entity = 'note';
CREATE INDEX change_image_after ON change (workspace_pk, json_extract(after, '$.imageId')) WHERE entity = 'note';
CREATE TRIGGER stored_bytes_change_removed AFTER DELETE ON change BEGIN
    UPDATE stored_bytes
    SET bytes = max(0, bytes - coalesce(octet_length(old.before), 0) - coalesce(octet_length(old.after), 0))
    WHERE organization_id = old.organization_id;
END;
-- A reason is removed with the last change of its change set.
CREATE TRIGGER change_reason_removed AFTER DELETE ON change
WHEN NOT EXISTS (SELECT 1 FROM change WHERE batch = old.batch) BEGIN
    UPDATE stored_bytes
    SET bytes = max(0, bytes - coalesce((SELECT octet_length(reason) FROM change_reason WHERE change_set = old.batch), 0))
    WHERE organization_id = old.organization_id;
    DELETE FROM change_reason WHERE change_set = old.batch;
END;

-- Reasons of changes, as given by their authors: one per change set.
CREATE TABLE change_reason (
    change_set TEXT PRIMARY KEY,
    reason     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Saved versions of workspaces. Each contains all rows, and so does not depend on the change log.
CREATE TABLE version (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    name         TEXT NOT NULL,
    description  TEXT,
    revision     INTEGER NOT NULL,              -- of the workspace when it was saved
    snapshot     BLOB NOT NULL,                 -- gzip of JSON
    created_at   INTEGER NOT NULL,
    created_by   INTEGER
) STRICT;
CREATE INDEX version_workspace ON version (workspace_pk);
CREATE TRIGGER stored_bytes_version_added AFTER INSERT ON version BEGIN
    INSERT INTO stored_bytes (organization_id, bytes)
    SELECT organization_id, octet_length(new.snapshot) FROM workspace WHERE pk = new.workspace_pk
    ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_bytes_version_removed AFTER DELETE ON version BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes - octet_length(old.snapshot))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = old.workspace_pk);
END;

-- Images in saved versions, whose rows are compressed.
CREATE TABLE version_image (
    version_id   INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    workspace_pk INTEGER NOT NULL,
    image_id     TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, image_id, version_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX version_image_version ON version_image (version_id);

-- Bytes that each organization uses for its change log, saved versions, note images, and drafts. The transaction that writes
-- a change counts it; triggers count the rest.
CREATE TABLE stored_bytes (
    organization_id TEXT PRIMARY KEY,
    bytes           INTEGER NOT NULL
) STRICT;
