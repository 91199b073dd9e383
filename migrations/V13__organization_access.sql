-- What members of the organization can do in a workspace while it is visible to the organization.

ALTER TABLE workspace ADD COLUMN organization_access TEXT NOT NULL DEFAULT 'view'
    CHECK (organization_access IN ('view', 'edit'));
