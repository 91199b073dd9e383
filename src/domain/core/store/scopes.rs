//! Workspaces, and the revisions of workspaces and directories.

use rusqlite::{Connection, Row, ToSql, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{
            record::{Entity, Owner, Record, RowMetadata, WriteToken, metadata},
            searched::{Affected, HitKind},
            workspace::{Protection, Workspace},
        },
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// The columns of a workspace, from `workspace w`. A draft has the access rules of its base, and is deleted with it.
pub(in crate::domain) const COLUMNS: &str =
    "w.pk, w.id, w.organization_id, w.name, w.description, w.properties, w.revision, w.created_at, w.created_by,
    w.updated_at, w.updated_by, w.base_pk, w.required_approvals, w.owners_exempt,
    iif(w.base_pk IS NULL, NULL, (SELECT b.id FROM workspace b WHERE b.pk = w.base_pk)) AS base_id,
    iif(w.base_pk IS NULL, w.visibility,
        (SELECT b.visibility FROM workspace b WHERE b.pk = w.base_pk)) AS visibility,
    iif(w.base_pk IS NULL, w.organization_access,
        (SELECT b.organization_access FROM workspace b WHERE b.pk = w.base_pk)) AS organization_access,
    iif(w.base_pk IS NULL, w.owner_user_id,
        (SELECT b.owner_user_id FROM workspace b WHERE b.pk = w.base_pk)) AS owner_user_id,
    iif(w.base_pk IS NULL, w.deleted_at,
        coalesce(w.deleted_at, (SELECT b.deleted_at FROM workspace b WHERE b.pk = w.base_pk))) AS deleted_at";

/// A workspace, and the revision of the directory that it refers to.
pub(in crate::domain) struct FoundWorkspace {
    pub workspace: Workspace,
    pub directory_revision: i64,
}

/// Reads [`COLUMNS`].
pub(in crate::domain) fn workspace(row: &Row<'_>) -> rusqlite::Result<Workspace> {
    let required_approvals: Option<i64> = row.get("required_approvals")?;
    let owners_exempt = row.get("owners_exempt")?;
    Ok(Workspace {
        pk: row.get("pk")?,
        base_pk: row.get("base_pk")?,
        protection: required_approvals.map(|required_approvals| Protection { required_approvals, owners_exempt }),
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        owner_user_id: row.get("owner_user_id")?,
        org_id: row.get("organization_id")?,
        visibility: row.get("visibility")?,
        organization_access: row.get("organization_access")?,
        properties: row.get("properties")?,
        metadata: metadata(row)?,
        my_role: None,
        access_requests: None,
        access_requested_at: None,
        base_id: row.get("base_id")?,
        is_protected: None,
        deleted_at: row.get("deleted_at")?,
    })
}

fn found(row: &Row<'_>) -> rusqlite::Result<FoundWorkspace> {
    Ok(FoundWorkspace { workspace: workspace(row)?, directory_revision: row.get("directory_revision")? })
}

/// Returns the workspace with this id, unless it is deleted.
pub(in crate::domain) fn living(conn: &Connection, id: &str) -> Result<Option<FoundWorkspace>> {
    let sql = format!(
        "SELECT {COLUMNS}, o.directory_revision FROM workspace w JOIN organization o ON o.id = w.organization_id
         WHERE w.id = ? AND w.deleted_at IS NULL"
    );
    let found = one(conn, &sql, [id], found)?;
    // A draft is deleted with its base.
    Ok(found.filter(|found| found.workspace.deleted_at.is_none()))
}

/// Returns a workspace, deleted or not.
pub(in crate::domain) fn by_pk(conn: &Connection, pk: i64) -> Result<Option<FoundWorkspace>> {
    let sql = format!(
        "SELECT {COLUMNS}, o.directory_revision FROM workspace w JOIN organization o ON o.id = w.organization_id
         WHERE w.pk = ?"
    );
    one(conn, &sql, [pk], found)
}

/// Returns the access level of a user from their membership in a workspace, or in the base of a draft.
pub(in crate::domain) fn workspace_level(
    conn: &Connection,
    workspace_pk: i64,
    user_id: i64,
) -> Result<Option<AccessLevel>> {
    one(
        conn,
        "SELECT role FROM workspace_member
         WHERE workspace_pk = (SELECT coalesce(base_pk, pk) FROM workspace WHERE pk = ?) AND user_id = ?",
        params![workspace_pk, user_id],
        |row| row.get(0),
    )
}

/// Increments the revision of a workspace and returns the new revision.
pub(in crate::domain) fn step_workspace(conn: &Connection, pk: i64, now: i64, by: Option<i64>) -> Result<i64> {
    one(
        conn,
        "UPDATE workspace SET revision = revision + 1, updated_at = ?, updated_by = ? WHERE pk = ?
         RETURNING revision",
        params![now, by, pk],
        |row| row.get(0),
    )?
    .ok_or(Error::NotFound("workspace"))
}

/// The workspaces whose comparison of drafts depends on a workspace, each with the id of the draft: the base of a draft, and
/// the drafts of a base.
pub(in crate::domain) fn related_drafts(conn: &Connection, pk: i64) -> Result<Vec<(i64, String)>> {
    let sql = "SELECT base_pk, id FROM workspace WHERE pk = ?1 AND base_pk IS NOT NULL
               UNION ALL SELECT pk, id FROM workspace WHERE base_pk = ?1 AND deleted_at IS NULL";
    all(conn, sql, [pk], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Increments the revision of an organization's directory and returns the new revision.
pub(in crate::domain) fn step_directory(conn: &Connection, id: &str) -> Result<i64> {
    one(
        conn,
        "UPDATE organization SET directory_revision = directory_revision + 1 WHERE id = ?
         RETURNING directory_revision",
        [id],
        |row| row.get(0),
    )?
    .ok_or(Error::NotFound("organization"))
}

/// Returns the name of an organization; none if it does not exist.
pub(in crate::domain) fn organization_name(conn: &Connection, id: &str) -> Result<Option<String>> {
    one(conn, "SELECT name FROM organization WHERE id = ?", [id], |row| row.get(0))
}

/// Sets how a workspace is protected.
pub(in crate::domain) fn set_protection(conn: &Connection, pk: i64, protection: Option<Protection>) -> Result<()> {
    let (required, exempt) = (
        protection.map(|protection| protection.required_approvals),
        protection.is_none_or(|protection| protection.owners_exempt),
    );
    let sql = "UPDATE workspace SET required_approvals = ?, owners_exempt = ? WHERE pk = ?";
    run(conn, sql, params![required, exempt, pk]).map(drop)
}

impl Record for Workspace {
    const ENTITY: Entity = Entity::Workspace;
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const KEY: &'static [&'static str] = &["pk"];
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "description",
        "visibility",
        "organization_access",
        "properties",
        "owner_user_id",
        "deleted_at",
    ];
    const IS_NUMBERED: bool = true;

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.pk,
            &self.id,
            &self.name,
            &self.description,
            &self.visibility,
            &self.organization_access,
            &self.properties,
            &self.owner_user_id,
            &self.deleted_at,
        ]
    }

    fn set_number(&mut self, pk: i64) {
        self.pk = pk;
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn is_marked_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    fn searched_in(&self) -> Option<Affected> {
        // By key: a workspace can be restored under another id.
        Some(Affected::Row(HitKind::Workspace, String::new()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.id, &self.name, &self.description) == (&other.id, &other.name, &other.description)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn prepare(&mut self, to: &WriteToken<'_>) -> Result<()> {
        // A state that is read from the log has no key.
        self.pk = to.scope.workspace_pk().unwrap_or_default();
        Ok(())
    }
}
