//! Threads.

use rusqlite::{Connection, Row, params};

use super::anchors::{DETACHED, NAME};
use crate::{
    db::sql::{all, one, run},
    domain::{
        comments::model::{Anchor, AnchorType, ThreadFilter, ThreadKind},
        core::WorkspaceKey,
        paging::{Page, Window},
    },
    error::Result,
};

/// A thread as it is stored.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredThread {
    pub id: String,
    pub anchor: Anchor,
    pub detached: bool,
    pub kind: ThreadKind,
    pub resolved_at: Option<i64>,
    pub resolved_by: Option<i64>,
    /// The current name of the user who resolved it, or the name in the file that it was imported from.
    pub resolver: Option<String>,
    pub last_message: i64,
    pub revision: i64,
    pub created_at: i64,
    pub created_by: Option<i64>,
    pub updated_at: i64,
}

fn select() -> String {
    format!(
        "SELECT t.id, t.anchor_type, t.anchor_id, coalesce({NAME}, t.anchor_name) AS name, {DETACHED} AS detached,
                t.step, t.step_text, t.x, t.y, t.kind, t.resolved_at, t.resolved_by,
                coalesce((SELECT u.display_name FROM user u WHERE u.id = t.resolved_by), t.resolver_name) AS resolver,
                t.last_message, t.revision, t.created_at, t.created_by, t.updated_at
         FROM thread t"
    )
}

fn thread(row: &Row<'_>) -> rusqlite::Result<StoredThread> {
    let anchor_type: AnchorType = row.get("anchor_type")?;
    let id: String = row.get("anchor_id")?;
    Ok(StoredThread {
        id: row.get("id")?,
        anchor: Anchor {
            anchor_type,
            id: (anchor_type != AnchorType::Workspace).then_some(id),
            name: row.get("name")?,
            step: row.get("step")?,
            step_text: row.get("step_text")?,
            x: row.get("x")?,
            y: row.get("y")?,
        },
        detached: row.get("detached")?,
        kind: row.get("kind")?,
        resolved_at: row.get("resolved_at")?,
        resolved_by: row.get("resolved_by")?,
        resolver: row.get("resolver")?,
        last_message: row.get("last_message")?,
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        updated_at: row.get("updated_at")?,
    })
}

pub(in crate::domain) fn find(conn: &Connection, workspace_pk: i64, id: &str) -> Result<Option<StoredThread>> {
    one(conn, &format!("{} WHERE t.workspace_pk = ? AND t.id = ?", select()), params![workspace_pk, id], thread)
}

/// Threads, newest first. Those that `show` does not return are not part of the page: whether the process of a thread still
/// has its message is not known here.
pub(in crate::domain) fn page<T>(
    conn: &Connection,
    workspace: &WorkspaceKey<'_>,
    filter: &ThreadFilter,
    window: &Window<(i64, String)>,
    show: impl Fn(StoredThread) -> Result<Option<T>>,
) -> Result<Page<T>> {
    // Conditions are added only if they are given, so that SQLite can use the index of the anchor. The last term uses all
    // parameters, which SQLite requires.
    let mut sql = select();
    sql.push_str(" WHERE t.workspace_pk = ?1 AND (t.newest_first, t.id) > (?2, ?3)");
    for (is_given, condition) in [
        (filter.anchor_type.is_some(), "t.anchor_type = ?4"),
        (filter.anchor_id.is_some(), "t.anchor_id = ?5"),
        (filter.kind.is_some(), "t.kind = ?6"),
        (filter.state.is_some(), "iif(t.resolved_at IS NULL, 'open', 'resolved') = ?7"),
        (filter.detached.is_some(), &format!("({DETACHED} = ?8 OR t.step IS NOT NULL)")),
    ] {
        if is_given {
            sql.push_str(" AND ");
            sql.push_str(condition);
        }
    }
    sql.push_str(" AND coalesce(?4, ?5, ?6, ?7, ?8, 1) IS NOT NULL ORDER BY t.newest_first, t.id");
    let params = params![
        workspace.pk,
        window.after.0,
        window.after.1,
        filter.anchor_type,
        filter.anchor_id,
        filter.kind,
        filter.state,
        filter.detached
    ];
    let mut statement = conn.prepare_cached(&sql)?;
    let mut found = statement.query(params)?;
    let (mut rows, most) = (Vec::new(), usize::try_from(window.rows()).ok());
    while most.is_none_or(|most| rows.len() < most)
        && let Some(row) = found.next()?
    {
        let thread = thread(row)?;
        let key = (-thread.created_at, thread.id.clone());
        rows.extend(show(thread)?.map(|shown| (key, shown)));
    }
    window.page(rows)
}

/// All threads, oldest first.
pub(in crate::domain) fn rows(conn: &Connection, workspace_pk: i64) -> Result<Vec<StoredThread>> {
    let sql = format!("{} WHERE t.workspace_pk = ? ORDER BY t.created_at, t.id", select());
    all(conn, &sql, [workspace_pk], thread)
}

/// Ids of all threads.
pub(in crate::domain) fn ids(conn: &Connection, workspace_pk: i64) -> Result<Vec<String>> {
    all(conn, "SELECT id FROM thread WHERE workspace_pk = ?", [workspace_pk], |row| row.get(0))
}

pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM thread WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or_default())
}

pub(in crate::domain) fn insert(conn: &Connection, workspace_pk: i64, row: &StoredThread) -> Result<()> {
    let sql = "INSERT INTO thread (workspace_pk, id, anchor_type, anchor_id, anchor_name, step, step_text, x, y, kind,
                                   resolved_at, resolved_by, resolver_name, last_message, revision, created_at, created_by,
                                   updated_at)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let params = params![
        workspace_pk,
        row.id,
        row.anchor.anchor_type,
        row.anchor.id.as_deref().unwrap_or_default(),
        row.anchor.name,
        row.anchor.step,
        row.anchor.step_text,
        row.anchor.x,
        row.anchor.y,
        row.kind,
        row.resolved_at,
        row.resolved_by,
        row.resolver.as_ref().filter(|_| row.resolved_by.is_none()),
        row.last_message,
        row.revision,
        row.created_at,
        row.created_by,
        row.updated_at,
    ];
    run(conn, sql, params).map(drop)
}

/// Updates everything but the anchor's type and id, and the creation.
pub(in crate::domain) fn update(conn: &Connection, workspace_pk: i64, row: &StoredThread) -> Result<()> {
    let sql = "UPDATE thread SET x = ?, y = ?, kind = ?, resolved_at = ?, resolved_by = ?, resolver_name = NULL,
                                 last_message = ?, revision = ?, updated_at = ?
               WHERE workspace_pk = ? AND id = ?";
    let params = params![
        row.anchor.x,
        row.anchor.y,
        row.kind,
        row.resolved_at,
        row.resolved_by,
        row.last_message,
        row.revision,
        row.updated_at,
        workspace_pk,
        row.id,
    ];
    run(conn, sql, params).map(drop)
}

/// Deletes a thread with its messages.
pub(in crate::domain) fn delete(conn: &Connection, workspace_pk: i64, id: &str) -> Result<()> {
    for sql in [
        "DELETE FROM thread_mention WHERE workspace_pk = ? AND thread_id = ?",
        "DELETE FROM thread_message WHERE workspace_pk = ? AND thread_id = ?",
        "DELETE FROM thread WHERE workspace_pk = ? AND id = ?",
    ] {
        run(conn, sql, params![workspace_pk, id])?;
    }
    Ok(())
}
