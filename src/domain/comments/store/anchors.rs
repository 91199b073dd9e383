//! What threads are about.

use rusqlite::{Connection, params};

use crate::{db::sql::one, domain::comments::model::AnchorType, error::Result};

/// SQL for the name of the anchor of the thread `t`; null if the anchor is deleted.
pub(in crate::domain) const NAME: &str = "CASE t.anchor_type
    WHEN 'component' THEN (SELECT a.name FROM component a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'relationship' THEN (SELECT s.name || ' → ' || e.name FROM relationship a
        JOIN component s ON s.workspace_pk = a.workspace_pk AND s.id = a.source_id
        JOIN component e ON e.workspace_pk = a.workspace_pk AND e.id = a.target_id
        WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'process' THEN (SELECT a.name FROM process a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'view' THEN (SELECT a.name FROM view a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    ELSE (SELECT a.name FROM workspace a WHERE a.pk = t.workspace_pk) END";

/// SQL for whether the anchor of the thread `t` is deleted.
pub(in crate::domain) const DETACHED: &str = "CASE t.anchor_type
    WHEN 'component' THEN NOT EXISTS (SELECT 1 FROM component a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'relationship' THEN
        NOT EXISTS (SELECT 1 FROM relationship a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'process' THEN NOT EXISTS (SELECT 1 FROM process a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    WHEN 'view' THEN NOT EXISTS (SELECT 1 FROM view a WHERE a.workspace_pk = t.workspace_pk AND a.id = t.anchor_id)
    ELSE 0 END";

/// The name of something that a thread can be about; none if it does not exist.
pub(in crate::domain) fn name(
    conn: &Connection,
    workspace_pk: i64,
    anchor_type: AnchorType,
    id: &str,
) -> Result<Option<String>> {
    let sql = format!("SELECT {NAME} FROM (SELECT ?1 AS workspace_pk, ?2 AS anchor_type, ?3 AS anchor_id) t");
    Ok(one(conn, &sql, params![workspace_pk, anchor_type, id], |row| row.get(0))?.flatten())
}
