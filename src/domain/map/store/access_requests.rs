//! Access requests of a workspace.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{one, run},
    domain::{
        core::WorkspaceKey,
        map::access_requests::AccessRequest,
        paging::{Page, Window, page},
        users,
        values::RequestedLevel,
    },
    error::Result,
};

fn select() -> String {
    let profile = users::PROFILE;
    format!(
        "SELECT r.user_id, r.role, r.message, r.requested_at, {profile} FROM access_request r
         JOIN user u ON u.id = r.user_id WHERE r.workspace_pk = ?"
    )
}

fn request(row: &Row<'_>, workspace: &WorkspaceKey<'_>) -> rusqlite::Result<AccessRequest> {
    Ok(AccessRequest {
        user_id: row.get("user_id")?,
        workspace_id: workspace.id.to_owned(),
        role: row.get("role")?,
        message: row.get("message")?,
        requested_at: row.get("requested_at")?,
        user: users::profile(row)?,
    })
}

/// The request of a user.
pub(in crate::domain) fn by_user(
    conn: &Connection,
    workspace: &WorkspaceKey<'_>,
    user_id: i64,
) -> Result<Option<AccessRequest>> {
    one(conn, &format!("{} AND r.user_id = ?", select()), [workspace.pk, user_id], |row| request(row, workspace))
}

/// Requests, oldest first.
pub(in crate::domain) fn list(
    conn: &Connection,
    workspace: &WorkspaceKey<'_>,
    window: &Window<(i64, i64)>,
) -> Result<Page<AccessRequest>> {
    let order = "AND (r.requested_at, r.user_id) > (?, ?) ORDER BY r.requested_at, r.user_id LIMIT ?";
    let params = [workspace.pk, window.after.0, window.after.1, window.rows()];
    page(conn, &format!("{} {order}", select()), params, window, |row| {
        let request = request(row, workspace)?;
        Ok(((request.requested_at, request.user_id), request))
    })
}

pub(in crate::domain) fn insert(
    conn: &Connection,
    workspace_pk: i64,
    user_id: i64,
    (role, message): (RequestedLevel, Option<&str>),
    now: i64,
) -> Result<()> {
    let sql = "INSERT INTO access_request (workspace_pk, user_id, role, message, requested_at) VALUES (?, ?, ?, ?, ?)";
    run(conn, sql, params![workspace_pk, user_id, role, message, now]).map(drop)
}
