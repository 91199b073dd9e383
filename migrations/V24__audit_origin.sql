-- Where audit events come from: the address of the client, and the request that is also in the log. NULL for jobs, the
-- command line, and events of earlier versions.

ALTER TABLE audit ADD COLUMN address TEXT;
ALTER TABLE audit ADD COLUMN request_id TEXT;
