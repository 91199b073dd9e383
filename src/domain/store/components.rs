//! Components.

use rusqlite::Connection;

use super::{all, rows::rows};
use crate::{domain::components::Component, error::Result};

rows!(named fn component -> Component, Component in "component" { type_id, name, description, x, y, properties });

/// Coordinates of the components, in creation order.
pub(in crate::domain) fn positions(conn: &Connection, workspace_pk: i64) -> Result<Vec<(f64, f64)>> {
    let sql = "SELECT x, y FROM component WHERE workspace_pk = ? ORDER BY seq";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?)))
}
