//! External links of components.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at},
        map::links::Link,
        paging::{Page, Window, page},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`link`] reads them. Values are read by index: a lookup by name takes longer
/// than reading the value, and a bundle has tens of thousands of values.
const COLUMNS: &str = "id, component_id, kind, url, target_id, title, icon, fetched_at, properties, revision, created_at, \
     created_by, updated_at, updated_by";

fn link(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Link> {
    Ok(Link {
        id: row.get(0)?,
        component_id: row.get(1)?,
        kind: row.get(2)?,
        url: row.get(3)?,
        target_id: row.get(4)?,
        title: row.get(5)?,
        icon: row.get(6)?,
        fetched_at: row.get(7)?,
        properties: row.get(8)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 9)?,
    })
}

impl Record for Link {
    const ENTITY: Entity = Entity::Link;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        // An id of 0 means that SQLite chooses the id.
        let sql = "INSERT INTO external_link (
                       workspace_pk, id, component_id, kind, url, target_id, title, icon, fetched_at,
                       properties, revision, created_at, created_by, updated_at, updated_by)
                   VALUES (?, nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (id) DO UPDATE SET
                       component_id = excluded.component_id, kind = excluded.kind, url = excluded.url,
                       target_id = excluded.target_id, title = excluded.title, icon = excluded.icon,
                       fetched_at = excluded.fetched_at, properties = excluded.properties,
                       revision = excluded.revision, updated_at = excluded.updated_at,
                       updated_by = excluded.updated_by
                   WHERE ? AND workspace_pk = excluded.workspace_pk";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.component_id,
            self.kind,
            self.url,
            self.target_id,
            self.title,
            self.icon,
            self.fetched_at,
            self.properties,
            self.metadata.revision,
            self.metadata.created_at,
            self.metadata.created_by,
            self.metadata.updated_at,
            self.metadata.updated_by,
            to.replaces,
        ];
        run(to.conn, sql, params)?;
        if self.id == 0 {
            self.id = to.conn.last_insert_rowid();
        }
        Ok(())
    }

    fn delete(&self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "DELETE FROM external_link WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}

/// Finds a link of a component.
pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    id: i64,
) -> Result<Option<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? AND component_id = ? AND id = ?");
    one(conn, &sql, params![of.pk, component_id, id], |row| link(row, of.id))
}

/// Finds a link of a workspace.
pub(in crate::domain) fn by_id(conn: &Connection, of: &WorkspaceKey<'_>, id: i64) -> Result<Option<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| link(row, of.id))
}

/// Links of a workspace, in creation order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Link>> {
    let sql = format!("SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? ORDER BY id");
    all(conn, &sql, [of.pk], |row| link(row, of.id))
}

/// Links of a component, in creation order.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    window: &Window<i64>,
) -> Result<Page<Link>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM external_link WHERE workspace_pk = ? AND component_id = ? AND id > ? ORDER BY id LIMIT ?"
    );
    let params = params![of.pk, component_id, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, link(row, of.id)?)))
}
