//! Members of a workspace.

use rusqlite::{Connection, ToSql, params};

use crate::{
    db::sql::{all, exists, one},
    domain::{
        core::{Entity, Record, RowMetadata, WorkspaceKey, metadata},
        map::members::{ListedMember, Member},
        paging::{Page, Window, page},
        users::{self, Profile},
    },
    error::Result,
};

/// A user's membership.
pub(in crate::domain) fn by_user(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<Option<Member>> {
    one(
        conn,
        "SELECT user_id, role, revision, added_at AS created_at, added_by AS created_by, updated_at, updated_by
         FROM workspace_member WHERE workspace_pk = ? AND user_id = ?",
        params![workspace_pk, user_id],
        |row| Ok(Member { user_id: row.get("user_id")?, role: row.get("role")?, metadata: metadata(row)? }),
    )
}

/// Members, in the order in which they were added.
pub(in crate::domain) fn list(
    conn: &Connection,
    workspace: &WorkspaceKey<'_>,
    window: &Window<(i64, i64)>,
) -> Result<Page<ListedMember>> {
    let sql = format!(
        "SELECT m.rowid AS place, m.user_id, m.role, m.revision, m.added_at, m.added_by, {} FROM workspace_member m
         JOIN user u ON u.id = m.user_id WHERE m.workspace_pk = ? AND (m.added_at, m.rowid) > (?, ?)
         ORDER BY m.added_at, m.rowid LIMIT ?",
        users::PROFILE
    );
    page(conn, &sql, [workspace.pk, window.after.0, window.after.1, window.rows()], window, |row| {
        let member = ListedMember {
            user_id: row.get("user_id")?,
            workspace_id: workspace.id.to_owned(),
            role: row.get("role")?,
            revision: row.get("revision")?,
            added_at: row.get("added_at")?,
            added_by: row.get("added_by")?,
            user: users::profile(row)?,
        };
        Ok(((member.added_at, row.get("place")?), member))
    })
}

/// Members of the organization who are not members of the workspace, sorted by name.
pub(in crate::domain) fn candidates(
    conn: &Connection,
    workspace_pk: i64,
    organization_id: &str,
    window: &Window<(String, i64)>,
) -> Result<Page<Profile>> {
    let sql = format!(
        "SELECT {} FROM organization_member o JOIN user u ON u.id = o.user_id WHERE o.organization_id = ?2
         AND NOT EXISTS (SELECT 1 FROM workspace_member m WHERE m.workspace_pk = ?1 AND m.user_id = o.user_id)
         AND (u.display_name, u.id) > (?3, ?4) ORDER BY u.display_name, u.id LIMIT ?5",
        users::PROFILE
    );
    let params = params![workspace_pk, organization_id, window.after.0, window.after.1, window.rows()];
    page(conn, &sql, params, window, |row| {
        let profile = users::profile(row)?;
        Ok(((profile.display_name.clone(), profile.id), profile))
    })
}

/// Keys of the organization's workspaces that the user is a member of, including deleted ones, in creation order.
pub(in crate::domain) fn workspaces_of(conn: &Connection, organization_id: &str, user_id: i64) -> Result<Vec<i64>> {
    all(
        conn,
        "SELECT w.pk FROM workspace w JOIN workspace_member m ON m.workspace_pk = w.pk
         WHERE w.organization_id = ? AND m.user_id = ? ORDER BY w.pk",
        params![organization_id, user_id],
        |row| row.get(0),
    )
}

/// The owner who was added first, excluding `user_id`.
pub(in crate::domain) fn oldest_owner_but(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<Option<i64>> {
    one(
        conn,
        "SELECT user_id FROM workspace_member WHERE workspace_pk = ? AND user_id <> ? AND role = 'owner'
         ORDER BY added_at, rowid LIMIT 1",
        params![workspace_pk, user_id],
        |row| row.get(0),
    )
}

/// Members with the access level owner, by id.
pub(in crate::domain) fn owners(conn: &Connection, workspace_pk: i64, limit: usize) -> Result<Vec<i64>> {
    let sql = "SELECT user_id FROM workspace_member WHERE workspace_pk = ? AND role = 'owner' ORDER BY user_id LIMIT ?";
    all(conn, sql, params![workspace_pk, i64::try_from(limit).unwrap_or(i64::MAX)], |row| row.get(0))
}

/// Whether an owner of the workspace is a member of the organization.
pub(in crate::domain) fn has_owner_within(conn: &Connection, workspace_pk: i64, organization_id: &str) -> Result<bool> {
    exists(
        conn,
        "SELECT EXISTS (SELECT 1 FROM workspace_member w JOIN organization_member o ON o.user_id = w.user_id
         WHERE w.workspace_pk = ? AND w.role = 'owner' AND o.organization_id = ?)",
        params![workspace_pk, organization_id],
    )
}

impl Record for Member {
    const ENTITY: Entity = Entity::Member;
    const KEY: &'static [&'static str] = &["user_id"];
    const COLUMNS: &'static [&'static str] = &["role"];
    const CREATED: [&'static str; 2] = ["added_at", "added_by"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.user_id, &self.role]
    }

    fn key(&self) -> String {
        self.user_id.to_string()
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}
