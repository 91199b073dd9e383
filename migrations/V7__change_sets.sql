-- Change sets. `change.batch` is the id of the change set, which the server chooses: the id of the request that wrote it.
-- Rows from before may hold a name that a client chose; together with the actor it still names one change set.

-- The client's label of the change set (X-Batch-Id), by user.
ALTER TABLE change ADD COLUMN label TEXT;
CREATE INDEX change_label ON change (label, actor) WHERE label IS NOT NULL;

-- The history of a workspace by one user, newest first.
CREATE INDEX change_actor ON change (workspace_pk, actor);
