-- What a source needs to give a row back: to the people who drew it, or to the row that was merged into it.

ALTER TABLE claim ADD COLUMN row_was TEXT CHECK (row_was IN ('new', 'unclaimed', 'claimed')); -- when the source first described it; null: unknown
ALTER TABLE claim ADD COLUMN merged_from TEXT;    -- row that it described before that was merged into this one
ALTER TABLE claim ADD COLUMN merged_at INTEGER;

ALTER TABLE source ADD COLUMN configuration TEXT; -- that lists the source; null: its files were named for a sync

-- Sources that a draft has removed. A merge removes them from the base, which can have got others since the draft was started.
CREATE TABLE removed_source (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk), -- of the draft
    source_id    TEXT NOT NULL,
    removed_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, source_id)
) STRICT, WITHOUT ROWID;
