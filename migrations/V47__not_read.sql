-- What the files of a source have that was not read.

ALTER TABLE source ADD COLUMN not_read TEXT NOT NULL DEFAULT '[]';   -- JSON: reasons, each with a number
