-- Reasons count as bytes that their organization stores, like the changes that they explain. The transaction that stores
-- a reason counts it.
UPDATE stored_bytes SET bytes = bytes + coalesce((
    SELECT sum(octet_length(r.reason)) FROM change_reason r
    WHERE (SELECT organization_id FROM change c WHERE c.batch = r.change_set LIMIT 1) = stored_bytes.organization_id), 0);

-- A reason leaves the history with the last change of its change set.
DROP TRIGGER change_reason_removed;
CREATE TRIGGER change_reason_removed AFTER DELETE ON change
WHEN NOT EXISTS (SELECT 1 FROM change WHERE batch = old.batch) BEGIN
    UPDATE stored_bytes
    SET bytes = max(0, bytes - coalesce((SELECT octet_length(reason) FROM change_reason WHERE change_set = old.batch), 0))
    WHERE organization_id = old.organization_id;
    DELETE FROM change_reason WHERE change_set = old.batch;
END;
