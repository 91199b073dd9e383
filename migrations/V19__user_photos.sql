-- Photos that users upload for their account. They belong to a user, not to an organization.

CREATE TABLE user_photo (
    user_id     INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
    tag         TEXT NOT NULL,                  -- from the SHA-256 of the content; user.avatar_url refers to it
    media_type  TEXT NOT NULL,
    uploaded_at INTEGER NOT NULL,
    content     BLOB NOT NULL
) STRICT;

-- The audit log of one user.
CREATE INDEX audit_actor ON audit (actor_id, id) WHERE actor_id IS NOT NULL;
