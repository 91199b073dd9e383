//! External links of components.

use rusqlite::{Connection, params};

use super::{all, one, page, rows::rows};
use crate::{
    domain::{
        access::WorkspaceKey,
        links::Link,
        paging::{Page, Window},
    },
    error::Result,
};

rows!(
    numbered fn link -> Link, Link in "external_link"
    { component_id, kind, url, target_id, title, icon, fetched_at, properties }
);

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
