//! Share links, as far as the permission of a request depends on them.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    error::Result,
};

/// What decides whether the address of a link is valid.
pub(in crate::domain) struct ShareAuthority {
    pub workspace_pk: i64,
    pub generation: i64,
    pub owner_id: i64,
    pub is_paused: bool,
}

pub(in crate::domain) fn authority(conn: &Connection, id: &str) -> Result<Option<ShareAuthority>> {
    let sql = "SELECT workspace_pk, generation, owner_id, paused_at IS NOT NULL FROM share_link WHERE id = ?";
    one(conn, sql, [id], |row| {
        Ok(ShareAuthority {
            workspace_pk: row.get(0)?,
            generation: row.get(1)?,
            owner_id: row.get(2)?,
            is_paused: row.get(3)?,
        })
    })
}

/// A link that is not paused: id, key of its workspace, and its owner.
pub(in crate::domain) type RunningLink = (String, i64, i64);

const RUNNING: &str = "SELECT id, workspace_pk, owner_id FROM share_link WHERE paused_at IS NULL";

/// The links of a workspace that are not paused.
pub(in crate::domain) fn running_in(conn: &Connection, workspace_pk: i64) -> Result<Vec<RunningLink>> {
    all(conn, &format!("{RUNNING} AND workspace_pk = ?"), [workspace_pk], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}

/// The links of a user that are not paused.
pub(in crate::domain) fn running_of(conn: &Connection, owner_id: i64) -> Result<Vec<RunningLink>> {
    all(conn, &format!("{RUNNING} AND owner_id = ?"), [owner_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

pub(in crate::domain) fn pause(conn: &Connection, id: &str, now: i64) -> Result<()> {
    run(conn, "UPDATE share_link SET paused_at = ? WHERE id = ?", params![now, id]).map(drop)
}
