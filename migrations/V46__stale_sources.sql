-- Owners are notified of sources that were not synchronized for a while.

CREATE INDEX source_synced ON source (synced_at, workspace_pk);

-- Owners are notified of all sources up to here, in the order of the index `source_synced`.
ALTER TABLE notification_cursor ADD COLUMN synced_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE notification_cursor ADD COLUMN synced_workspace_pk INTEGER NOT NULL DEFAULT 0;

-- Entries of inboxes, with another kind and another subject: a constraint changes only with its table.
CREATE TABLE notification_next (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      INTEGER NOT NULL REFERENCES user (id), -- the reader
    kind         TEXT NOT NULL CHECK (kind IN ('mention', 'reply', 'watched', 'review-request', 'draft-merged',
                 'invitation', 'stale-source')),
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    subject      TEXT NOT NULL CHECK (subject IN ('message', 'changes', 'draft', 'workspace', 'sources')),
    subject_id   TEXT NOT NULL,                 -- of the thread or draft; otherwise empty
    first_item   INTEGER NOT NULL,              -- first message of the thread, first change in the log, or time of the
                                                -- last sync of the first source; otherwise 0
    last_item    INTEGER NOT NULL,
    items        TEXT NOT NULL,                 -- JSON: kind and id of some changed rows
    count        INTEGER NOT NULL,              -- of change sets
    actor_id     INTEGER REFERENCES user (id),  -- null: the system
    is_listed    INTEGER NOT NULL CHECK (is_listed IN (0, 1)), -- 0: only sent by email
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,              -- when the last item was added
    newest_first INTEGER GENERATED ALWAYS AS (-updated_at) VIRTUAL,
    newest_id    INTEGER GENERATED ALWAYS AS (-id) VIRTUAL,
    read_at      INTEGER,
    mail_due_at  INTEGER,                       -- when it is sent by email; null: never, or already sent
    mailed_item  INTEGER NOT NULL DEFAULT 0     -- last item that was sent by email
) STRICT;
INSERT INTO notification_next (id, user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items, count,
    actor_id, is_listed, created_at, updated_at, read_at, mail_due_at, mailed_item)
SELECT id, user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items, count,
    actor_id, is_listed, created_at, updated_at, read_at, mail_due_at, mailed_item
FROM notification;
-- Ids of deleted entries are not used again: emails that wait refer to entries by their ids.
DELETE FROM sqlite_sequence WHERE name = 'notification_next';
INSERT INTO sqlite_sequence (name, seq) SELECT 'notification_next', seq FROM sqlite_sequence WHERE name = 'notification';
DROP TABLE notification;
ALTER TABLE notification_next RENAME TO notification;
CREATE INDEX notification_order ON notification (user_id, newest_first, newest_id);
CREATE INDEX notification_group ON notification (user_id, workspace_pk, kind, subject_id);
CREATE INDEX notification_actor ON notification (user_id, actor_id, newest_first);
CREATE INDEX notification_mail ON notification (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX notification_workspace ON notification (workspace_pk);
