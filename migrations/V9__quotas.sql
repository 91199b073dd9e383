-- Quotas and retention.

-- Bytes that each organization keeps in its change log and its saved versions. Additions to the log are counted by the
-- transaction that makes them; all else by the triggers below.
CREATE TABLE stored_bytes (
    organization_id TEXT PRIMARY KEY,
    bytes           INTEGER NOT NULL
) STRICT;
INSERT INTO stored_bytes (organization_id, bytes)
SELECT organization_id, sum(bytes) FROM (
    SELECT organization_id, coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0) AS bytes FROM change
    UNION ALL
    SELECT w.organization_id, octet_length(v.snapshot) FROM version v JOIN workspace w ON w.pk = v.workspace_pk
) GROUP BY organization_id;

CREATE TRIGGER stored_bytes_change_removed AFTER DELETE ON change BEGIN
    UPDATE stored_bytes
    SET bytes = max(0, bytes - coalesce(octet_length(old.before), 0) - coalesce(octet_length(old.after), 0))
    WHERE organization_id = old.organization_id;
END;
CREATE TRIGGER stored_bytes_version_added AFTER INSERT ON version BEGIN
    INSERT INTO stored_bytes (organization_id, bytes)
    SELECT organization_id, octet_length(new.snapshot) FROM workspace WHERE pk = new.workspace_pk
    ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_bytes_version_removed AFTER DELETE ON version BEGIN
    UPDATE stored_bytes SET bytes = max(0, bytes - octet_length(old.snapshot))
    WHERE organization_id = (SELECT organization_id FROM workspace WHERE pk = old.workspace_pk);
END;

-- Events are removed by age. What strangers repeat (a wrong password) is one event an hour, with a count.
CREATE INDEX audit_age ON audit (ts);
ALTER TABLE audit ADD COLUMN repeat_key TEXT;
CREATE UNIQUE INDEX audit_repeat ON audit (repeat_key) WHERE repeat_key IS NOT NULL;
