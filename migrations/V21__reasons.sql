-- Reasons of changes, as their authors gave them: one per change set, whose id is `change.batch`.
CREATE TABLE change_reason (
    change_set TEXT PRIMARY KEY,
    reason     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- A reason leaves the history with the last change of its change set.
CREATE TRIGGER change_reason_removed AFTER DELETE ON change BEGIN
    DELETE FROM change_reason
    WHERE change_set = old.batch AND NOT EXISTS (SELECT 1 FROM change WHERE batch = old.batch);
END;
