-- Pages of lists are read in the order of these indexes.

CREATE INDEX organization_member_order ON organization_member (organization_id, created_at);
CREATE INDEX workspace_member_order ON workspace_member (workspace_pk, added_at);
CREATE INDEX team_member_order ON team_member (organization_id, team_id, added_at);
CREATE INDEX stakeholder_order ON stakeholder (workspace_pk);
