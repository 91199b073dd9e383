//! External links of components.

use rusqlite::{Connection, params};

use super::{all, columns, one, run};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        links::Link,
        workspaces::WorkspaceKey,
    },
    error::Result,
};

columns!(fn link -> Link { id, component_id, kind, url, target_id, title, icon, fetched_at, properties });

/// One of a component.
pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    id: i64,
) -> Result<Option<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? AND component_id = ? AND id = ?");
    one(conn, &sql, params![of.pk, component_id, id], |row| link(row, of.id))
}

/// All of a workspace, in order of creation.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? ORDER BY id");
    all(conn, &sql, [of.pk], |row| link(row, of.id))
}

/// Those of one component, in order of creation.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? AND component_id = ? ORDER BY id");
    all(conn, &sql, params![of.pk, component_id], |row| link(row, of.id))
}

impl Record for Link {
    const ENTITY: Entity = Entity::Link;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn insert(&mut self, to: &Logged<'_>) -> Result<()> {
        let written = &self.written;
        run(
            to.conn,
            "INSERT INTO external_link (id, workspace_pk, component_id, kind, url, target_id, title, icon, fetched_at,
                                        properties, revision, created_at, created_by, updated_at, updated_by)
             VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                self.id,
                to.scope.workspace_pk(),
                self.component_id,
                self.kind,
                self.url,
                self.target_id,
                self.title,
                self.icon,
                self.fetched_at,
                self.properties,
                written.revision,
                written.created_at,
                written.created_by,
                written.updated_at,
                written.updated_by
            ],
        )?;
        self.id = to.conn.last_insert_rowid();
        Ok(())
    }

    fn update(&self, to: &Logged<'_>) -> Result<()> {
        run(
            to.conn,
            "UPDATE external_link SET target_id = ?, title = ?, icon = ?, fetched_at = ?, properties = ?, revision = ?,
                                      updated_at = ?, updated_by = ? WHERE workspace_pk = ? AND id = ?",
            params![
                self.target_id,
                self.title,
                self.icon,
                self.fetched_at,
                self.properties,
                self.written.revision,
                self.written.updated_at,
                self.written.updated_by,
                to.scope.workspace_pk(),
                self.id
            ],
        )?;
        Ok(())
    }

    fn delete(&self, to: &Logged<'_>) -> Result<()> {
        let sql = "DELETE FROM external_link WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
