//! Counts of threads, and the settings of comments.

use rusqlite::{Connection, params};

use super::anchors::DETACHED;
use crate::{
    db::sql::{all, one, run},
    domain::comments::model::{AnchorCounts, AnchorType, Commenters, ThreadPoint},
    error::Result,
};

/// Who can comment in a workspace, and the length of all messages in bytes.
pub(in crate::domain) fn settings(conn: &Connection, workspace_pk: i64) -> Result<(Commenters, i64)> {
    let sql = "SELECT commenters, bytes FROM comment_settings WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

pub(in crate::domain) fn set_commenters(conn: &Connection, workspace_pk: i64, commenters: Commenters) -> Result<()> {
    let sql = "INSERT INTO comment_settings (workspace_pk, commenters) VALUES (?, ?)
               ON CONFLICT (workspace_pk) DO UPDATE SET commenters = excluded.commenters";
    run(conn, sql, params![workspace_pk, commenters]).map(drop)
}

/// The anchors of a workspace with their threads.
pub(in crate::domain) fn anchors(conn: &Connection, workspace_pk: i64) -> Result<Vec<AnchorCounts>> {
    let sql = format!(
        "SELECT t.*, {DETACHED} AS detached FROM (
             SELECT workspace_pk, anchor_type, anchor_id, sum(resolved_at IS NULL) AS open,
                    sum(resolved_at IS NULL AND kind = 'question') AS questions,
                    sum(resolved_at IS NULL AND kind = 'inaccurate') AS inaccurate,
                    sum(resolved_at IS NOT NULL) AS resolved
             FROM thread WHERE workspace_pk = ? GROUP BY anchor_type, anchor_id) t"
    );
    all(conn, &sql, [workspace_pk], |row| {
        let anchor_type: AnchorType = row.get("anchor_type")?;
        let id: String = row.get("anchor_id")?;
        Ok(AnchorCounts {
            anchor_type,
            id: (anchor_type != AnchorType::Workspace).then_some(id),
            detached: row.get("detached")?,
            open: row.get("open")?,
            questions: row.get("questions")?,
            inaccurate: row.get("inaccurate")?,
            resolved: row.get("resolved")?,
        })
    })
}

/// The messages of processes that exist with open threads, one for each thread: process, index and text.
pub(in crate::domain) fn open_steps(
    conn: &Connection,
    workspace_pk: i64,
) -> Result<Vec<(String, i64, Option<String>)>> {
    let sql = "SELECT t.anchor_id, t.step, t.step_text FROM thread t
               JOIN process p ON p.workspace_pk = t.workspace_pk AND p.id = t.anchor_id
               WHERE t.workspace_pk = ? AND t.anchor_type = 'process' AND t.step IS NOT NULL AND t.resolved_at IS NULL";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// Open threads at points, newest first.
pub(in crate::domain) fn points(conn: &Connection, workspace_pk: i64, limit: i64) -> Result<Vec<ThreadPoint>> {
    let sql = "SELECT id, anchor_type, anchor_id, x, y, kind FROM thread
               WHERE workspace_pk = ? AND x IS NOT NULL AND y IS NOT NULL AND resolved_at IS NULL
               ORDER BY newest_first, id LIMIT ?";
    all(conn, sql, [workspace_pk, limit], |row| {
        let anchor_type: AnchorType = row.get("anchor_type")?;
        let view_id: String = row.get("anchor_id")?;
        Ok(ThreadPoint {
            thread_id: row.get("id")?,
            view_id: (anchor_type == AnchorType::View).then_some(view_id),
            x: row.get("x")?,
            y: row.get("y")?,
            kind: row.get("kind")?,
        })
    })
}
