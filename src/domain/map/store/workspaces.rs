//! Workspaces.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{exists, run},
    domain::{
        core::{MAP_TABLES, Reach, WORKSPACE_COLUMNS as COLUMNS, Workspace, read_workspace as workspace, search},
        paging::{Page, Window},
        values::AccessLevel,
    },
    error::Result,
};

pub(in crate::domain) use crate::domain::core::{workspace_by_id as living, workspace_by_pk as by_pk};

/// Workspaces in creation order, without drafts, with the number of their access requests and the time of that of `user_id`. `show`
/// receives each workspace with the access level of `user_id`, and returns the workspace if it is listed. Rows are read until the page is full.
pub(in crate::domain) fn list(
    conn: &Connection,
    reach: &Reach,
    user_id: i64,
    deleted: bool,
    window: &Window<i64>,
    show: impl Fn(Workspace, Option<AccessLevel>) -> Option<Workspace>,
) -> Result<Page<Workspace>> {
    let deleted = if deleted { "IS NOT NULL" } else { "IS NULL" };
    let (within, organization_id) = match reach {
        Reach::Organization(id) => ("w.organization_id = ?3", Some(id)),
        Reach::Everything => ("?3 IS NULL", None),
    };
    let sql = format!(
        "SELECT {COLUMNS}, m.role AS level, r.requested_at,
                (SELECT count(*) FROM access_request r WHERE r.workspace_pk = w.pk) AS access_requests
         FROM workspace w LEFT JOIN workspace_member m ON m.workspace_pk = w.pk AND m.user_id = ?1
         LEFT JOIN access_request r ON r.workspace_pk = w.pk AND r.user_id = ?1
         WHERE w.pk > ?2 AND {within} AND w.base_pk IS NULL AND w.deleted_at {deleted} ORDER BY w.pk"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut found = statement.query(params![user_id, window.after, organization_id])?;
    let (mut rows, most) = (Vec::new(), usize::try_from(window.rows()).ok());
    while most.is_none_or(|most| rows.len() < most)
        && let Some(row) = found.next()?
    {
        let level = row.get("level")?;
        let (access_requests, access_requested_at) = (row.get("access_requests")?, row.get("requested_at")?);
        let found = Workspace { access_requests, access_requested_at, ..workspace(row)? };
        rows.extend(show(found, level).map(|workspace| (workspace.pk, workspace)));
    }
    window.page(rows)
}

pub(in crate::domain) fn id_taken(conn: &Connection, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM workspace WHERE id = ? AND deleted_at IS NULL)", [id])
}

/// Permanently removes the drafts of workspaces deleted before `before`, except their rows, which are removed like those of
/// deleted workspaces.
fn purge_drafts(conn: &Connection, before: i64) -> Result<()> {
    const OF_DELETED: &str =
        "draft_pk IN (SELECT d.pk FROM draft d JOIN workspace b ON b.pk = d.base_pk WHERE b.deleted_at < ?)";
    for table in ["draft_review", "draft_reviewer"] {
        run(conn, &format!("DELETE FROM {table} WHERE {OF_DELETED}"), [before])?;
    }
    run(conn, "DELETE FROM draft WHERE base_pk IN (SELECT pk FROM workspace WHERE deleted_at < ?)", [before])?;
    let sql = "UPDATE workspace SET deleted_at = (SELECT b.deleted_at FROM workspace b WHERE b.pk = workspace.base_pk)
               WHERE base_pk IN (SELECT pk FROM workspace WHERE deleted_at < ?)";
    run(conn, sql, [before]).map(drop)
}

/// Permanently removes workspaces deleted before `before`, with their content. Their changes stay in the log.
pub(in crate::domain) fn purge(conn: &Connection, before: i64) -> Result<usize> {
    const DELETED_BEFORE: &str = "workspace_pk IN (SELECT pk FROM workspace WHERE deleted_at < ?)";
    purge_drafts(conn, before)?;
    search::remove_workspaces(conn, before)?;
    // Rows of the map are removed before the rows that they refer to.
    let of_map = MAP_TABLES.iter().rev().copied();
    let of_workspace = [
        "draft_row",
        "removed_source",
        "draft_update",
        "version_image",
        "version",
        "personal_view",
        "access_request",
        "share_link",
        "notification_message",
        "notification",
        "watch",
        "thread_follow",
        "thread_mention",
        "thread_message",
        "thread",
        "comment_settings",
        "webhook_workspace",
        "workspace_member",
    ];
    for table in of_map.chain(of_workspace) {
        run(conn, &format!("DELETE FROM {table} WHERE {DELETED_BEFORE}"), [before])?;
    }
    run(conn, "DELETE FROM workspace WHERE deleted_at < ?", [before])
}
