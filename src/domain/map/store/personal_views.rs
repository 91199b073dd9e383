//! Views that only their user sees.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{exists, one, run},
    domain::{
        core::WorkspaceKey,
        map::personal_views::PersonalView,
        paging::{Page, Window},
    },
    error::{Error, Result},
};

/// Columns of a row, in the order in which [`view`] reads them, without the positions and lines.
const COLUMNS: &str = "id, name, description, position, definition, layout, revision, created_at, updated_at";

fn view(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<PersonalView> {
    Ok(PersonalView {
        id: row.get(0)?,
        workspace_id: workspace_id.to_owned(),
        name: row.get(1)?,
        description: row.get(2)?,
        position: row.get(3)?,
        definition: row.get(4)?,
        layout: row.get(5)?,
        places: None,
        lines: None,
        revision: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
    })
}

/// Finds a view of a user by id, with its positions and lines.
pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    user_id: i64,
    id: &str,
) -> Result<Option<PersonalView>> {
    let sql =
        format!("SELECT {COLUMNS}, places, lines FROM personal_view WHERE workspace_pk = ? AND user_id = ? AND id = ?");
    let found: Option<(PersonalView, String, String)> =
        one(conn, &sql, params![of.pk, user_id, id], |row| Ok((view(row, of.id)?, row.get(9)?, row.get(10)?)))?;
    let Some((view, places, lines)) = found else { return Ok(None) };
    let places = serde_json::from_str(&places).map_err(Error::internal)?;
    let lines = serde_json::from_str(&lines).map_err(Error::internal)?;
    Ok(Some(PersonalView { places: Some(places), lines: Some(lines), ..view }))
}

/// A page of the views of a user, in list order, without their positions and lines.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    user_id: i64,
    window: &Window<(i64, String)>,
) -> Result<Page<PersonalView>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM personal_view WHERE workspace_pk = ? AND user_id = ? AND (position, id) > (?, ?)
         ORDER BY position, id LIMIT ?"
    );
    let params = params![of.pk, user_id, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let view = view(row, of.id)?;
        Ok(((view.position, view.id.clone()), view))
    })
}

/// Number of views of a user, and the position of the last one.
pub(in crate::domain) fn count_and_last_position(
    conn: &Connection,
    workspace_pk: i64,
    user_id: i64,
) -> Result<(i64, i64)> {
    let sql = "SELECT count(*), coalesce(max(position), 0) FROM personal_view WHERE workspace_pk = ? AND user_id = ?";
    Ok(one(conn, sql, [workspace_pk, user_id], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

/// Whether a user has a view with this id.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, user_id: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM personal_view WHERE workspace_pk = ? AND user_id = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, user_id, id])
}

pub(in crate::domain) fn insert(conn: &Connection, workspace_pk: i64, user_id: i64, row: &PersonalView) -> Result<()> {
    let sql = "INSERT INTO personal_view (workspace_pk, user_id, id, name, description, position, definition, layout,
                      places, lines, revision, created_at, updated_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let params = params![
        workspace_pk,
        user_id,
        row.id,
        row.name,
        row.description,
        row.position,
        row.definition,
        row.layout,
        serde_json::to_string(row.places.as_deref().unwrap_or_default())?,
        serde_json::to_string(row.lines.as_deref().unwrap_or_default())?,
        row.revision,
        row.created_at,
        row.updated_at,
    ];
    run(conn, sql, params).map(drop)
}

pub(in crate::domain) fn update(conn: &Connection, workspace_pk: i64, user_id: i64, row: &PersonalView) -> Result<()> {
    let sql =
        "UPDATE personal_view SET name = ?, description = ?, position = ?, definition = ?, layout = ?, places = ?,
                      lines = ?, revision = ?, updated_at = ?
               WHERE workspace_pk = ? AND user_id = ? AND id = ?";
    let params = params![
        row.name,
        row.description,
        row.position,
        row.definition,
        row.layout,
        serde_json::to_string(row.places.as_deref().unwrap_or_default())?,
        serde_json::to_string(row.lines.as_deref().unwrap_or_default())?,
        row.revision,
        row.updated_at,
        workspace_pk,
        user_id,
        row.id,
    ];
    run(conn, sql, params).map(drop)
}

pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, user_id: i64, id: &str) -> Result<()> {
    let sql = "DELETE FROM personal_view WHERE workspace_pk = ? AND user_id = ? AND id = ?";
    run(conn, sql, params![workspace_pk, user_id, id]).map(drop)
}
