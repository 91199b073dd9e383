-- Components that a call of a tool placed, with the user of the call, until anyone sets their position.

CREATE TABLE placed_component (
    workspace_pk INTEGER NOT NULL,
    component_id TEXT NOT NULL,
    user_id      INTEGER NOT NULL,
    PRIMARY KEY (workspace_pk, component_id)
) STRICT, WITHOUT ROWID;

-- However a component is moved or deleted, including by undo.
CREATE TRIGGER placed_component_moved AFTER UPDATE OF x, y ON component
WHEN new.x IS NOT old.x OR new.y IS NOT old.y BEGIN
    DELETE FROM placed_component WHERE workspace_pk = new.workspace_pk AND component_id = new.id;
END;
CREATE TRIGGER placed_component_deleted AFTER DELETE ON component BEGIN
    DELETE FROM placed_component WHERE workspace_pk = old.workspace_pk AND component_id = old.id;
END;
