//! The rules of organizations for share links.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{one, run},
    error::Result,
};

/// The rules of an organization as JSON; none if it has none of its own.
pub(in crate::domain) fn read(conn: &Connection, organization_id: &str) -> Result<Option<String>> {
    Ok(one(conn, "SELECT sharing FROM organization WHERE id = ?", [organization_id], |row| row.get(0))?.flatten())
}

pub(in crate::domain) fn write(conn: &Connection, organization_id: &str, json: &str) -> Result<()> {
    run(conn, "UPDATE organization SET sharing = ? WHERE id = ?", params![json, organization_id]).map(drop)
}
