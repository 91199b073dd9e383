-- Notifications: what users watch, the entries of their inboxes, and how they want to be notified. Entries contain
-- references only. What they say, and whether they are shown, is determined when they are read.

-- Workspaces, components, and components of teams that a user watches. A component is no foreign key: it has its watchers
-- again after an undo.
CREATE TABLE watch (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id         INTEGER NOT NULL REFERENCES user (id),
    kind            TEXT NOT NULL CHECK (kind IN ('workspace', 'component', 'team')),
    organization_id TEXT NOT NULL REFERENCES organization (id),
    workspace_pk    INTEGER REFERENCES workspace (pk), -- null: a team
    target_id       TEXT NOT NULL,              -- of the component or team; empty for a workspace
    created_at      INTEGER NOT NULL,
    CHECK ((kind = 'team') = (workspace_pk IS NULL))
) STRICT;
CREATE UNIQUE INDEX watch_user ON watch (user_id, organization_id, kind, coalesce(workspace_pk, 0), target_id);
CREATE INDEX watch_order ON watch (user_id, organization_id, id);
CREATE INDEX watch_workspace ON watch (workspace_pk, kind, target_id, user_id);
CREATE INDEX watch_team ON watch (organization_id, target_id) WHERE kind = 'team';

-- Users who follow a thread of comments, or have left it. Neither is a foreign key of the thread.
CREATE TABLE thread_follow (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    thread_id    TEXT NOT NULL,
    user_id      INTEGER NOT NULL REFERENCES user (id),
    is_following INTEGER NOT NULL CHECK (is_following IN (0, 1)),
    PRIMARY KEY (workspace_pk, thread_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_follow_user ON thread_follow (user_id);
INSERT INTO thread_follow (workspace_pk, thread_id, user_id, is_following)
SELECT DISTINCT workspace_pk, thread_id, author_id, 1 FROM thread_message WHERE author_id IS NOT NULL;

-- Entries of inboxes. A user has a limited number.
CREATE TABLE notification (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id      INTEGER NOT NULL REFERENCES user (id), -- the reader
    kind         TEXT NOT NULL
                 CHECK (kind IN ('mention', 'reply', 'watched', 'review-request', 'draft-merged', 'invitation')),
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    subject      TEXT NOT NULL CHECK (subject IN ('message', 'changes', 'draft', 'workspace')),
    subject_id   TEXT NOT NULL,                 -- of the thread or draft; empty for changes and the workspace
    first_item   INTEGER NOT NULL,              -- first message of the thread, or first change in the log; otherwise 0
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
    mail_due_at  INTEGER,                       -- when it is sent by email; null: not at all, or it was
    mailed_item  INTEGER NOT NULL DEFAULT 0     -- last item that was sent by email
) STRICT;
CREATE INDEX notification_order ON notification (user_id, newest_first, newest_id);
CREATE INDEX notification_group ON notification (user_id, workspace_pk, kind, subject_id);
CREATE INDEX notification_actor ON notification (user_id, actor_id, newest_first);
CREATE INDEX notification_mail ON notification (mail_due_at) WHERE mail_due_at IS NOT NULL;
CREATE INDEX notification_workspace ON notification (workspace_pk);

-- Messages of threads whose followers and watchers are not notified yet.
CREATE TABLE notification_message (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    thread_id    TEXT NOT NULL,
    message_id   INTEGER NOT NULL,
    actor_id     INTEGER NOT NULL REFERENCES user (id),
    after_user   INTEGER NOT NULL DEFAULT 0     -- users up to this id are notified
) STRICT;

-- How a user wants to be notified; without a row, the defaults.
CREATE TABLE notification_setting (
    user_id INTEGER NOT NULL REFERENCES user (id),
    kind    TEXT NOT NULL,
    inbox   INTEGER NOT NULL CHECK (inbox IN (0, 1)),
    email   TEXT NOT NULL CHECK (email IN ('immediate', 'digest', 'off')),
    PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE notification_schedule (
    user_id     INTEGER PRIMARY KEY REFERENCES user (id),
    digest_hour INTEGER NOT NULL CHECK (digest_hour BETWEEN 0 AND 23) -- UTC
) STRICT;

-- Links in emails that end emails of a kind. Only their hash is stored.
CREATE TABLE unsubscribe_link (
    token_hash BLOB PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES user (id),
    scope      TEXT NOT NULL,                   -- a kind, or digest
    expires_at INTEGER NOT NULL,
    used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX unsubscribe_link_user ON unsubscribe_link (user_id);
CREATE INDEX unsubscribe_link_expiry ON unsubscribe_link (expires_at);

-- The last change in the log whose watchers are notified. Earlier changes are not news.
CREATE TABLE notification_cursor (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    change_id INTEGER NOT NULL
) STRICT;
INSERT INTO notification_cursor (id, change_id)
VALUES (1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'change'), 0));
