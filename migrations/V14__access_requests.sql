-- Requests for edit access to a workspace, by users who can only view it. A request is deleted when its user's access
-- changes.

CREATE TABLE access_request (
    workspace_pk INTEGER NOT NULL REFERENCES workspace (pk),
    user_id      INTEGER NOT NULL REFERENCES user (id),
    role         TEXT NOT NULL CHECK (role IN ('editor')),
    message      TEXT,
    requested_at INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, user_id)
) STRICT;
CREATE INDEX access_request_user ON access_request (user_id);
