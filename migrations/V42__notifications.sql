-- Notifications: what users watch, their inboxes, how they want to be notified, and emails. Entries contain references only.
-- What they say, and whether they are shown, is determined when they are read.

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

-- Users who follow a thread of comments, or have left it. The thread is no foreign key.
CREATE TABLE thread_follow (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    thread_id    TEXT NOT NULL,
    user_id      INTEGER NOT NULL REFERENCES user (id),
    is_following INTEGER NOT NULL CHECK (is_following IN (0, 1)),
    PRIMARY KEY (workspace_pk, thread_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_follow_user ON thread_follow (user_id);

-- Entries of inboxes. Their number per user is limited.
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
    mail_due_at  INTEGER,                       -- when it is sent by email; null: never, or already sent
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

-- The last change in the log whose watchers are notified. A single row.
CREATE TABLE notification_cursor (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    change_id INTEGER NOT NULL
) STRICT;
INSERT INTO notification_cursor (id, change_id) VALUES (1, 0);

-- How a user wants to be notified. Without a row, the defaults apply.
CREATE TABLE notification_setting (
    user_id INTEGER NOT NULL REFERENCES user (id),
    kind    TEXT NOT NULL,
    inbox   INTEGER NOT NULL CHECK (inbox IN (0, 1)),
    email   TEXT NOT NULL CHECK (email IN ('immediate', 'digest', 'off')),
    PRIMARY KEY (user_id, kind)
) STRICT, WITHOUT ROWID;

-- When a user gets the daily summary by email.
CREATE TABLE notification_schedule (
    user_id     INTEGER PRIMARY KEY REFERENCES user (id),
    digest_hour INTEGER NOT NULL CHECK (digest_hour BETWEEN 0 AND 23) -- UTC
) STRICT;

-- Emails that wait for the mail server. A row stays for a day after its email was sent or dropped, without the email, so
-- that the limits per user, organization and recipient count it.
CREATE TABLE mail_message (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    kind            TEXT NOT NULL,              -- such as invitation, confirmation or reset
    recipient_hash  BLOB NOT NULL,              -- SHA-256 of the address
    user_id         INTEGER REFERENCES user (id), -- whose action caused it
    organization_id TEXT REFERENCES organization (id), -- on whose behalf it is sent
    letter          BLOB,                       -- address, subject and text, sealed; null: sent or dropped
    incarnation     TEXT NOT NULL,              -- of the database: emails in a restored backup are not sent again
    attempts        INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,           -- when it is sent, or tried again
    expires_at      INTEGER NOT NULL            -- when it is dropped
) STRICT;
CREATE INDEX mail_message_due ON mail_message (due_at) WHERE letter IS NOT NULL;
CREATE INDEX mail_message_age ON mail_message (created_at);
CREATE INDEX mail_message_user ON mail_message (user_id, created_at);
CREATE INDEX mail_message_organization ON mail_message (organization_id, created_at);
CREATE INDEX mail_message_recipient ON mail_message (recipient_hash, created_at);

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
