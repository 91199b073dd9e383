//! External links of components.

use rusqlite::{Connection, Row, params};

use super::{all, run, written};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        links::Link,
        workspaces::WorkspaceKey,
    },
    error::Result,
};

fn link(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Link> {
    Ok(Link {
        id: row.get("id")?,
        workspace_id: workspace_id.to_owned(),
        component_id: row.get("component_id")?,
        kind: row.get("kind")?,
        url: row.get("url")?,
        target_id: row.get("target_id")?,
        title: row.get("title")?,
        icon: row.get("icon")?,
        fetched_at: row.get("fetched_at")?,
        properties: row.get("properties")?,
        written: written(row)?,
    })
}

/// Those of one component, in order of creation.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Link>> {
    all(
        conn,
        "SELECT id, component_id, kind, url, target_id, title, icon, fetched_at, properties, revision, created_at,
                created_by, updated_at, updated_by
         FROM external_link WHERE workspace_pk = ? AND component_id = ? ORDER BY id",
        params![of.pk, component_id],
        |row| link(row, of.id),
    )
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
            "INSERT INTO external_link (workspace_pk, component_id, kind, url, target_id, title, icon, fetched_at,
                                        properties, revision, created_at, created_by, updated_at, updated_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
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
