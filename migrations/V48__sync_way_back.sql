-- What a source needs to give a row back: to the people who drew it, or to the row that was merged into it.

ALTER TABLE claim ADD COLUMN row_was TEXT CHECK (row_was IN ('new', 'unclaimed', 'claimed')); -- when the source first described it; null: unknown
ALTER TABLE claim ADD COLUMN merged_from TEXT;    -- row that it described before that was merged into this one
ALTER TABLE claim ADD COLUMN merged_at INTEGER;

ALTER TABLE source ADD COLUMN configuration TEXT; -- that lists the source; null: its files were named for a sync
