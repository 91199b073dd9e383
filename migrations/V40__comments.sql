-- Comments: threads about components, relationships, processes, views and workspaces. They are not in the change log. An
-- anchor is no foreign key: a thread stays when its anchor is deleted, and has it again after an undo.

CREATE TABLE thread (
    workspace_pk  INTEGER NOT NULL REFERENCES workspace (pk),
    id            TEXT NOT NULL,                -- UUID in base64url
    anchor_type   TEXT NOT NULL CHECK (anchor_type IN ('component', 'relationship', 'process', 'view', 'workspace')),
    anchor_id     TEXT NOT NULL,                -- empty for a workspace
    anchor_name   TEXT NOT NULL,                -- when the thread was created, to be shown when the anchor is deleted
    step          INTEGER,                      -- index of a message of a process
    step_text     TEXT,                         -- its text when the thread was created
    x             REAL,
    y             REAL,
    kind          TEXT NOT NULL CHECK (kind IN ('comment', 'question', 'inaccurate')),
    resolved_at   INTEGER,                      -- null: open
    resolved_by   INTEGER REFERENCES user (id),
    resolver_name TEXT,                         -- of an imported thread
    last_message  INTEGER NOT NULL,             -- highest id of a message, also of deleted ones
    revision      INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    newest_first  INTEGER GENERATED ALWAYS AS (-created_at) VIRTUAL,
    created_by    INTEGER REFERENCES user (id), -- null for an imported thread
    updated_at    INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, id)
) STRICT;
CREATE INDEX thread_order ON thread (workspace_pk, newest_first, id);
CREATE INDEX thread_anchor ON thread (workspace_pk, anchor_type, anchor_id, step, kind, resolved_at);
CREATE INDEX thread_point ON thread (workspace_pk) WHERE x IS NOT NULL;

CREATE TABLE thread_message (
    workspace_pk INTEGER NOT NULL,
    thread_id    TEXT NOT NULL,
    id           INTEGER NOT NULL,              -- in the thread, from 1
    author_id    INTEGER REFERENCES user (id),  -- null for an imported message
    author_name  TEXT,                          -- of an imported message
    text         TEXT NOT NULL,                 -- Markdown
    created_at   INTEGER NOT NULL,
    edited_at    INTEGER,
    revision     INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, thread_id, id),
    FOREIGN KEY (workspace_pk, thread_id) REFERENCES thread (workspace_pk, id)
) STRICT;
CREATE INDEX thread_message_author ON thread_message (author_id, created_at);
CREATE TRIGGER thread_message_added AFTER INSERT ON thread_message BEGIN
    INSERT INTO comment_settings (workspace_pk, bytes) VALUES (new.workspace_pk, octet_length(new.text))
    ON CONFLICT (workspace_pk) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER thread_message_edited AFTER UPDATE OF text ON thread_message BEGIN
    UPDATE comment_settings SET bytes = bytes + octet_length(new.text) - octet_length(old.text)
    WHERE workspace_pk = new.workspace_pk;
END;
CREATE TRIGGER thread_message_deleted AFTER DELETE ON thread_message BEGIN
    UPDATE comment_settings SET bytes = bytes - octet_length(old.text) WHERE workspace_pk = old.workspace_pk;
END;

-- Users that a message mentions.
CREATE TABLE thread_mention (
    workspace_pk INTEGER NOT NULL,
    thread_id    TEXT NOT NULL,
    message_id   INTEGER NOT NULL,
    user_id      INTEGER NOT NULL REFERENCES user (id),
    PRIMARY KEY (workspace_pk, thread_id, message_id, user_id),
    FOREIGN KEY (workspace_pk, thread_id, message_id) REFERENCES thread_message (workspace_pk, thread_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX thread_mention_user ON thread_mention (user_id);

-- Who can comment in a workspace. Workspaces without a row have the defaults.
CREATE TABLE comment_settings (
    workspace_pk INTEGER PRIMARY KEY REFERENCES workspace (pk),
    commenters   TEXT NOT NULL DEFAULT 'viewers' CHECK (commenters IN ('viewers', 'editors')),
    bytes        INTEGER NOT NULL DEFAULT 0     -- length of all messages, which the triggers count
) STRICT;
