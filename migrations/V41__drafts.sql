-- Drafts: proposed changes of a workspace. The map of a draft is a workspace that refers to its base, which determines who
-- can access it.

CREATE TABLE draft (
    pk                  INTEGER PRIMARY KEY AUTOINCREMENT,
    id                  TEXT NOT NULL UNIQUE,   -- also of its workspace
    base_pk             INTEGER NOT NULL REFERENCES workspace (pk),
    workspace_pk        INTEGER UNIQUE REFERENCES workspace (pk), -- null: its rows were removed
    number              INTEGER NOT NULL,
    newest_first        INTEGER GENERATED ALWAYS AS (-number) VIRTUAL,
    title               TEXT NOT NULL,
    description         TEXT,                   -- Markdown
    author_id           INTEGER NOT NULL REFERENCES user (id),
    source_id           TEXT,                   -- of the sync that opened it
    base_revision       INTEGER NOT NULL,       -- of the base when the draft was created or last updated from it
    base_state          BLOB,                   -- the base at that revision, as in version.snapshot; null: removed
    updated_revision    INTEGER NOT NULL,       -- of the draft after the last update from its base
    submitted_at        INTEGER,                -- null: not submitted
    last_ignored_review INTEGER NOT NULL DEFAULT 0, -- requests for changes up to this one were answered by a new submission
    end_state           TEXT CHECK (end_state IN ('merged', 'closed')), -- null: not ended
    ended_at            INTEGER,
    ended_by            INTEGER REFERENCES user (id),
    change_set          TEXT,                   -- of the merge, in the base
    comparison          BLOB,                   -- gzip of JSON: the comparison with the base at the end
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    UNIQUE (base_pk, number)
) STRICT;
CREATE INDEX draft_order ON draft (base_pk, newest_first);
CREATE INDEX draft_author ON draft (author_id);
CREATE INDEX draft_end ON draft (ended_at) WHERE workspace_pk IS NOT NULL AND ended_at IS NOT NULL;
CREATE TRIGGER stored_bytes_draft_added AFTER INSERT ON draft BEGIN
    INSERT INTO stored_bytes (organization_id, bytes)
    SELECT organization_id, coalesce(octet_length(new.base_state), 0) FROM workspace WHERE pk = new.base_pk
    ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_bytes_draft_changed AFTER UPDATE OF base_state, comparison ON draft BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes
        + coalesce(octet_length(new.base_state), 0) + coalesce(octet_length(new.comparison), 0)
        - coalesce(octet_length(old.base_state), 0) - coalesce(octet_length(old.comparison), 0))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = new.base_pk);
END;
CREATE TRIGGER stored_bytes_draft_removed AFTER DELETE ON draft BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes
        - coalesce(octet_length(old.base_state), 0) - coalesce(octet_length(old.comparison), 0))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = old.base_pk);
END;

-- Users who are asked for a review.
CREATE TABLE draft_reviewer (
    draft_pk INTEGER NOT NULL REFERENCES draft (pk),
    user_id  INTEGER NOT NULL REFERENCES user (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (draft_pk, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE draft_review (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    draft_pk    INTEGER NOT NULL REFERENCES draft (pk),
    reviewer_id INTEGER NOT NULL REFERENCES user (id),
    verdict     TEXT NOT NULL CHECK (verdict IN ('approved', 'changes-requested', 'comment')),
    text        TEXT,                           -- Markdown
    revision    INTEGER NOT NULL,               -- of the draft: an approval lapses when it changes
    created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX draft_review_order ON draft_review (draft_pk, id);

-- Stakeholders and links have ids that are unique in the instance: the id in the base for each one in a draft.
CREATE TABLE draft_row (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk), -- of the draft
    kind         TEXT NOT NULL CHECK (kind IN ('stakeholder', 'link')),
    draft_id     INTEGER NOT NULL,
    base_id      INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, kind, draft_id),
    UNIQUE (workspace_pk, kind, base_id)
) STRICT, WITHOUT ROWID;

-- Change sets that brought changes of the base into a draft. Undoing one would revert these changes at the next merge.
CREATE TABLE draft_update (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk), -- of the draft
    change_set   TEXT NOT NULL,
    PRIMARY KEY (workspace_pk, change_set)
) STRICT, WITHOUT ROWID;
