//! Where components are drawn, and which of them a tool placed.

use std::collections::HashSet;

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, run},
    error::Result,
};

/// What determines where a component is drawn.
pub(in crate::domain) struct Spot {
    pub(in crate::domain) id: String,
    pub(in crate::domain) type_id: String,
    pub(in crate::domain) at: (f64, f64),
    pub(in crate::domain) size: Option<(f64, f64)>,
}

/// Where the components of a workspace are, in creation order.
pub(in crate::domain) fn spots(conn: &Connection, workspace_pk: i64) -> Result<Vec<Spot>> {
    let sql = "SELECT id, type_id, x, y, width, height FROM component WHERE workspace_pk = ? ORDER BY seq, id";
    all(conn, sql, [workspace_pk], |row| {
        let size: (Option<f64>, Option<f64>) = (row.get(4)?, row.get(5)?);
        Ok(Spot { id: row.get(0)?, type_id: row.get(1)?, at: (row.get(2)?, row.get(3)?), size: size.0.zip(size.1) })
    })
}

/// What determines where a note is drawn.
pub(in crate::domain) struct NoteSpot {
    pub(in crate::domain) is_image: bool,
    pub(in crate::domain) text: String,
    pub(in crate::domain) at: (f64, f64),
    pub(in crate::domain) width: Option<f64>,
    pub(in crate::domain) height: Option<f64>,
}

/// The notes and images of a workspace that are not drawn below its components.
pub(in crate::domain) fn notes(conn: &Connection, workspace_pk: i64) -> Result<Vec<NoteSpot>> {
    let sql = "SELECT kind = 'image', text, x, y, width, height FROM note
               WHERE workspace_pk = ? AND kind <> 'frame' AND layer >= 0";
    all(conn, sql, [workspace_pk], |row| {
        let (is_image, text, width, height) = (row.get(0)?, row.get(1)?, row.get(4)?, row.get(5)?);
        Ok(NoteSpot { is_image, text, at: (row.get(2)?, row.get(3)?), width, height })
    })
}

/// Source, target, type and label of a relationship.
pub(in crate::domain) type Ends = (String, String, String, Option<String>);

/// The ends of the relationships of a workspace, in creation order.
pub(in crate::domain) fn ends(conn: &Connection, workspace_pk: i64, only_type: Option<&str>) -> Result<Vec<Ends>> {
    let sql = "SELECT source_id, target_id, type_id, label FROM relationship
               WHERE workspace_pk = ?1 AND (?2 IS NULL OR type_id = ?2) ORDER BY seq, id";
    all(conn, sql, params![workspace_pk, only_type], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
}

/// Records that a tool call of a user placed a component.
pub(in crate::domain) fn mark(conn: &Connection, workspace_pk: i64, id: &str, user_id: i64) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO placed_component (workspace_pk, component_id, user_id) VALUES (?, ?, ?)";
    run(conn, sql, params![workspace_pk, id, user_id]).map(drop)
}

/// The components that tool calls of a user placed and that no user has moved since.
pub(in crate::domain) fn marked(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<HashSet<String>> {
    let sql = "SELECT component_id FROM placed_component WHERE workspace_pk = ? AND user_id = ?";
    Ok(all(conn, sql, [workspace_pk, user_id], |row| row.get(0))?.into_iter().collect())
}

/// Records that someone set the position of a component, even if to the same position.
pub(in crate::domain) fn unmark(conn: &Connection, workspace_pk: i64, id: &str) -> Result<()> {
    run(conn, "DELETE FROM placed_component WHERE workspace_pk = ? AND component_id = ?", params![workspace_pk, id])
        .map(drop)
}
