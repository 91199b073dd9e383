-- The search index. It is derived from other rows, so the server creates and fills `search_index`, an FTS5 table of
-- trigrams, and `search_term`, its vocabulary: at the first start, after a release that changes how texts are indexed, and
-- when the index is damaged. See src/domain/core/search.rs.

-- A workspace, component, relationship or process in the index. The key is the order of equally good results and the
-- restriction to a workspace: the workspace's key shifted by 32 bits, the kind shifted by 28 bits, and a number.
CREATE TABLE search_document (
    document     INTEGER PRIMARY KEY,
    workspace_pk INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    row_id       TEXT NOT NULL,
    name         TEXT NOT NULL                  -- in lowercase
) STRICT;
CREATE UNIQUE INDEX search_document_row ON search_document (row_id, workspace_pk, kind);
CREATE INDEX search_document_name ON search_document (workspace_pk, name);

CREATE TABLE search_state (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL                    -- of the code that filled the index; 0: to be filled
) STRICT;
INSERT INTO search_state (id, version) VALUES (1, 0);
