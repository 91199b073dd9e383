//! External links of components.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, WorkspaceRow, metadata_at, row_columns},
        map::links::Link,
        paging::{Page, Window, page},
    },
    error::Result,
};

impl Record for Link {
    const ENTITY: Entity = Entity::Link;
    const COLUMNS: &'static [&'static str] =
        &["component_id", "kind", "url", "target_id", "title", "icon", "fetched_at", "properties"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.component_id,
            &self.kind,
            &self.url,
            &self.target_id,
            &self.title,
            &self.icon,
            &self.fetched_at,
            &self.properties,
        ]
    }

    fn set_number(&mut self, id: i64) {
        self.id = id;
    }

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for Link {
    const LIST: &'static str = "links";
    const ORDER: &'static str = "id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
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
}

/// Links of a component, in creation order.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    window: &Window<i64>,
) -> Result<Page<Link>> {
    let columns = row_columns::<Link>();
    let sql = format!(
        "SELECT {columns} FROM external_link WHERE workspace_pk = ? AND component_id = ? AND id > ? ORDER BY id LIMIT ?"
    );
    let params = params![of.pk, component_id, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, Link::read(row, of.id)?)))
}
