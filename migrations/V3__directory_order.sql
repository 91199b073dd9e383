-- The place behind the last entry of a directory is asked once for each new entry; without these
-- an import of thousands of people reads all earlier ones again for each.
CREATE INDEX person_order ON person (organization_id, seq);
CREATE INDEX team_order ON team (organization_id, seq);
CREATE INDEX role_order ON role (organization_id, sort_order);
