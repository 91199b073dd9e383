-- Notes, frames and images on the map.

-- Images that notes show, stored once per workspace. They are not in the change log: they never change, and are removed when
-- no note, version or change refers to them.
CREATE TABLE note_image (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,                 -- from the SHA-256 of the content
    media_type   TEXT NOT NULL,
    width        INTEGER NOT NULL,
    height       INTEGER NOT NULL,
    uploaded_at  INTEGER NOT NULL,              -- last upload, of several of the same image
    content      BLOB NOT NULL,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX note_image_age ON note_image (uploaded_at);

CREATE TABLE note (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    id           TEXT NOT NULL,
    seq          INTEGER NOT NULL,
    kind         TEXT NOT NULL CHECK (kind IN ('note', 'frame', 'image')),
    text         TEXT NOT NULL,                 -- Markdown, title of a frame, or description of an image
    color        TEXT,                          -- NULL: the default of the kind
    x            REAL NOT NULL,
    y            REAL NOT NULL,
    width        REAL,                          -- NULL: by content
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

-- Images in saved versions, whose rows are compressed.
CREATE TABLE version_image (
    version_id   INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    workspace_pk INTEGER NOT NULL,
    image_id     TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, image_id, version_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX version_image_version ON version_image (version_id);

-- Images in the change log.
CREATE INDEX change_image_before ON change (workspace_pk, json_extract(before, '$.imageId')) WHERE entity = 'note';
CREATE INDEX change_image_after ON change (workspace_pk, json_extract(after, '$.imageId')) WHERE entity = 'note';

-- Images count as bytes that their organization stores.
CREATE TRIGGER stored_bytes_note_image_added AFTER INSERT ON note_image BEGIN
    INSERT INTO stored_bytes (organization_id, bytes)
    SELECT organization_id, octet_length(new.content) FROM workspace WHERE pk = new.workspace_pk
    ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_bytes_note_image_removed AFTER DELETE ON note_image BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes - octet_length(old.content))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = old.workspace_pk);
END;
