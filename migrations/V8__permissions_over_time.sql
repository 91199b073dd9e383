-- Permissions that are checked when they are used, and not only when something is created.

-- The credential that created an invitation, as in the change log: session:7, token:3. Null: the operator, or unknown.
ALTER TABLE invitation ADD COLUMN credential TEXT;

-- The permission that an invitation was created with. Null: created before this was recorded.
ALTER TABLE invitation ADD COLUMN authority TEXT CHECK (authority IN ('organization', 'waitlist'));

CREATE INDEX invitation_author ON invitation (created_by) WHERE accepted_at IS NULL;

-- The newest invitation that existed when an admin or an identity provider ended a membership. Neither it nor an older
-- one brings the user back.
CREATE TABLE ended_membership (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    user_id         INTEGER NOT NULL REFERENCES user (id),
    last_invitation INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    PRIMARY KEY (organization_id, user_id)
) STRICT;
