-- Sources of one repository are synchronized together, and a row can be described by several of them.

ALTER TABLE source ADD COLUMN repository TEXT;            -- scope of names; null: files that were given by hand
ALTER TABLE source ADD COLUMN origin TEXT;                -- of the repository, as in github.com/acme/shop
ALTER TABLE source ADD COLUMN rank INTEGER;               -- lower ranks count first; null: by format

ALTER TABLE claim ADD COLUMN inferred TEXT NOT NULL DEFAULT '[]';   -- JSON: names of fields that the source does not state
ALTER TABLE claim ADD COLUMN volatile TEXT NOT NULL DEFAULT '{}';   -- JSON: properties that change with each deployment
ALTER TABLE claim ADD COLUMN is_home INTEGER NOT NULL DEFAULT 0;    -- of the repository in which the row runs
ALTER TABLE claim ADD COLUMN separate TEXT NOT NULL DEFAULT '[]';   -- JSON: ids of rows that it is not
ALTER TABLE claim ADD COLUMN accepted_at INTEGER;                   -- someone accepted that the map does not have the row
ALTER TABLE claim ADD COLUMN accepted_by INTEGER;
ALTER TABLE claim ADD COLUMN accepted_reason TEXT;
