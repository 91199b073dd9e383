//! What users watch, and who watches a change.

use rusqlite::{Connection, params};

use super::CAN_VIEW;
use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::Entity,
        inbox::model::{Watch, WatchKind},
        paging::{self, Page, Window},
    },
    error::Result,
};

/// What is watched: a workspace by key, a component of it, or a team.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Target<'a> {
    pub kind: WatchKind,
    pub organization_id: &'a str,
    pub workspace_pk: Option<i64>,
    pub id: &'a str,
}

/// SQL for whether the member `o` can see what `x` watches in the workspace `w`, component `c`, or team `t`.
fn is_visible() -> String {
    format!(
        "(x.kind = 'team' AND t.id IS NOT NULL
          OR w.pk IS NOT NULL AND {CAN_VIEW} AND (x.kind = 'workspace' OR c.id IS NOT NULL))"
    )
}

const FROM: &str = "FROM watch x
    CROSS JOIN organization_member o ON o.organization_id = x.organization_id AND o.user_id = x.user_id
    LEFT JOIN workspace w ON w.pk = x.workspace_pk AND w.deleted_at IS NULL
    LEFT JOIN component c ON x.kind = 'component' AND c.workspace_pk = x.workspace_pk AND c.id = x.target_id
    LEFT JOIN team t ON x.kind = 'team' AND t.organization_id = x.organization_id AND t.id = x.target_id";

/// What a user watches in an organization and can see, in the order in which it was added.
pub(in crate::domain) fn page(
    conn: &Connection,
    (user_id, organization_id): (i64, &str),
    window: &Window<i64>,
) -> Result<Page<Watch>> {
    let sql = format!(
        "SELECT x.id, x.kind, x.target_id, x.created_at, w.id AS workspace_id, w.name AS workspace_name,
                coalesce(c.name, t.name, w.name) AS name
         {FROM} WHERE x.user_id = ? AND x.organization_id = ? AND x.id > ? AND {} ORDER BY x.id LIMIT ?",
        is_visible()
    );
    let params = params![user_id, organization_id, window.after, window.rows()];
    paging::page(conn, &sql, params, window, |row| {
        let kind: WatchKind = row.get("kind")?;
        let target: String = row.get("target_id")?;
        let watch = Watch {
            kind,
            workspace_id: row.get("workspace_id")?,
            workspace_name: row.get("workspace_name")?,
            id: (kind != WatchKind::Workspace).then_some(target),
            name: row.get("name")?,
            created_at: row.get("created_at")?,
        };
        Ok((row.get("id")?, watch))
    })
}

pub(in crate::domain) fn count(conn: &Connection, user_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM watch WHERE user_id = ?";
    Ok(one(conn, sql, [user_id], |row| row.get(0))?.unwrap_or_default())
}

/// Whether a user watches something.
pub(in crate::domain) fn is_watched(conn: &Connection, user_id: i64, target: &Target<'_>) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM watch WHERE user_id = ? AND organization_id = ? AND kind = ?
                              AND coalesce(workspace_pk, 0) = ? AND target_id = ?)";
    let Target { kind, organization_id, workspace_pk, id } = target;
    exists(conn, sql, params![user_id, organization_id, kind, workspace_pk.unwrap_or_default(), id])
}

pub(in crate::domain) fn insert(conn: &Connection, user_id: i64, target: &Target<'_>, now: i64) -> Result<()> {
    let sql = "INSERT INTO watch (user_id, kind, organization_id, workspace_pk, target_id, created_at)
               VALUES (?, ?, ?, ?, ?, ?)";
    let Target { kind, organization_id, workspace_pk, id } = target;
    run(conn, sql, params![user_id, kind, organization_id, workspace_pk, id, now]).map(drop)
}

pub(in crate::domain) fn delete(conn: &Connection, user_id: i64, target: &Target<'_>) -> Result<()> {
    let sql = "DELETE FROM watch WHERE user_id = ? AND organization_id = ? AND kind = ?
               AND coalesce(workspace_pk, 0) = ? AND target_id = ?";
    let Target { kind, organization_id, workspace_pk, id } = target;
    run(conn, sql, params![user_id, organization_id, kind, workspace_pk.unwrap_or_default(), id]).map(drop)
}

/// Deletes what a user watches and can no longer see.
pub(in crate::domain) fn delete_hidden(conn: &Connection, user_id: i64) -> Result<()> {
    let sql = format!(
        "DELETE FROM watch WHERE user_id = ?1 AND id NOT IN (SELECT x.id {FROM} WHERE x.user_id = ?1 AND {})",
        is_visible()
    );
    run(conn, &sql, [user_id]).map(drop)
}

pub(in crate::domain) fn is_any(conn: &Connection) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM watch)", [])
}

pub(in crate::domain) fn component_exists(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM component WHERE workspace_pk = ? AND id = ?)", params![workspace_pk, id])
}

pub(in crate::domain) fn team_exists(conn: &Connection, organization_id: &str, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM team WHERE organization_id = ? AND id = ?)", [organization_id, id])
}

/// A user who watches a workspace, or some of its components.
#[derive(Debug, Clone, Copy)]
pub(in crate::domain) struct Watcher {
    pub user_id: i64,
    pub watches_workspace: bool,
}

/// Users other than `actor` with ids after `after` who watch the workspace, one of these components, or one of these
/// teams, by id. Components and teams are lists in JSON.
pub(in crate::domain) fn watchers(
    conn: &Connection,
    workspace_pk: i64,
    (components, teams): (&str, &str),
    (actor, after, limit): (i64, i64, i64),
) -> Result<Vec<Watcher>> {
    let sql = "SELECT user_id, max(is_all) AS is_all FROM (
            SELECT user_id, 1 AS is_all FROM watch WHERE workspace_pk = ?1 AND kind = 'workspace'
            UNION ALL
            SELECT user_id, 0 FROM watch WHERE workspace_pk = ?1 AND kind = 'component'
            AND target_id IN (SELECT value FROM json_each(?2))
            UNION ALL
            SELECT x.user_id, 0 FROM stakeholder s
            JOIN watch x ON x.kind = 'team' AND x.organization_id = s.organization_id AND x.target_id = s.team_id
            JOIN workspace w ON w.pk = s.workspace_pk AND w.base_pk IS NULL
            WHERE s.workspace_pk = ?1 AND s.component_id IN (SELECT value FROM json_each(?2))
            UNION ALL
            SELECT user_id, 0 FROM watch WHERE kind = 'team'
            AND organization_id = (SELECT organization_id FROM workspace WHERE pk = ?1 AND base_pk IS NULL)
            AND target_id IN (SELECT value FROM json_each(?6)))
        WHERE user_id > ?4 AND user_id <> ?3 GROUP BY user_id ORDER BY user_id LIMIT ?5";
    all(conn, sql, params![workspace_pk, components, actor, after, limit, teams], |row| {
        Ok(Watcher { user_id: row.get("user_id")?, watches_workspace: row.get("is_all")? })
    })
}

/// Those of these components of a workspace that a user watches, by themselves or as components of a team.
pub(in crate::domain) fn watched_components(
    conn: &Connection,
    workspace_pk: i64,
    components: &str,
    user_id: i64,
) -> Result<Vec<String>> {
    let sql = "SELECT target_id FROM watch WHERE user_id = ?3 AND workspace_pk = ?1 AND kind = 'component'
               AND target_id IN (SELECT value FROM json_each(?2))
               UNION
               SELECT s.component_id FROM stakeholder s
               JOIN watch x ON x.kind = 'team' AND x.organization_id = s.organization_id AND x.target_id = s.team_id
               WHERE s.workspace_pk = ?1 AND s.component_id IN (SELECT value FROM json_each(?2)) AND x.user_id = ?3
               LIMIT 20";
    all(conn, sql, params![workspace_pk, components, user_id], |row| row.get(0))
}

/// Users other than `actor` with ids after `after` who follow a thread and are not mentioned by the message, by id.
pub(in crate::domain) fn followers(
    conn: &Connection,
    (workspace_pk, thread_id, message_id): (i64, &str, i64),
    (actor, after, limit): (i64, i64, i64),
) -> Result<Vec<i64>> {
    let sql = "SELECT user_id FROM thread_follow f WHERE workspace_pk = ?1 AND thread_id = ?2 AND is_following
               AND user_id > ?5 AND user_id <> ?4
               AND NOT EXISTS (SELECT 1 FROM thread_mention m WHERE m.workspace_pk = f.workspace_pk
                               AND m.thread_id = f.thread_id AND m.message_id = ?3 AND m.user_id = f.user_id)
               ORDER BY user_id LIMIT ?6";
    all(conn, sql, params![workspace_pk, thread_id, message_id, actor, after, limit], |row| row.get(0))
}

/// Users whom a message mentions.
pub(in crate::domain) fn mentioned(
    conn: &Connection,
    (workspace_pk, thread_id, message_id): (i64, &str, i64),
) -> Result<Vec<i64>> {
    let sql = "SELECT user_id FROM thread_mention WHERE workspace_pk = ? AND thread_id = ? AND message_id = ?";
    all(conn, sql, params![workspace_pk, thread_id, message_id], |row| row.get(0))
}

/// A change in a workspace by a user.
pub(in crate::domain) struct WatchedChange {
    pub id: i64,
    pub workspace_pk: i64,
    pub change_set: String,
    pub actor: i64,
    pub entity: Entity,
    pub entity_id: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Changes in workspaces by users after the change `after`, in log order, and the last position that was read.
pub(in crate::domain) fn changes(conn: &Connection, after: i64, limit: usize) -> Result<(Vec<WatchedChange>, i64)> {
    let sql = "SELECT id, workspace_pk, batch, actor, entity, entity_id, before, after FROM change WHERE id > ?
               ORDER BY id LIMIT ?";
    let read = all(conn, sql, params![after, i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
        let id: i64 = row.get("id")?;
        let (Some(workspace_pk), Some(actor)) = (row.get("workspace_pk")?, row.get("actor")?) else {
            return Ok((id, None));
        };
        let change = WatchedChange {
            id,
            workspace_pk,
            change_set: row.get("batch")?,
            actor,
            entity: row.get("entity")?,
            entity_id: row.get("entity_id")?,
            before: row.get("before")?,
            after: row.get("after")?,
        };
        Ok((id, Some(change)))
    })?;
    let last = read.last().map_or(after, |(id, _)| *id);
    Ok((read.into_iter().filter_map(|(_, change)| change).collect(), last))
}

/// The change set of a change.
pub(in crate::domain) fn change_set_of(conn: &Connection, id: i64) -> Result<Option<String>> {
    one(conn, "SELECT batch FROM change WHERE id = ?", [id], |row| row.get(0))
}
