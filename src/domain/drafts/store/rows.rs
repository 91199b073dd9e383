//! Ids of the stakeholders and links of a draft, which have other ids in the base.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    domain::core::Entity,
    error::Result,
};

/// The stored ids of a draft: kind, id in the draft, and id in the base.
pub(in crate::domain) fn ids(conn: &Connection, workspace_pk: i64) -> Result<Vec<(Entity, i64, i64)>> {
    let sql = "SELECT kind, draft_id, base_id FROM draft_row WHERE workspace_pk = ?";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// Stores ids.
pub(in crate::domain) fn insert_ids(conn: &Connection, workspace_pk: i64, ids: &[(Entity, i64, i64)]) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO draft_row (workspace_pk, kind, draft_id, base_id) VALUES (?, ?, ?, ?)";
    for (kind, draft, base) in ids {
        run(conn, sql, params![workspace_pk, kind.as_str(), draft, base])?;
    }
    Ok(())
}

/// The last id that was assigned to a stakeholder or link of the instance.
pub(in crate::domain) fn last_id(conn: &Connection, kind: Entity) -> Result<i64> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?";
    Ok(one(conn, sql, [kind.table()], |row| row.get(0))?.unwrap_or_default())
}
