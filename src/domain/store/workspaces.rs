//! Workspaces.

use rusqlite::{Connection, Row, params};

use super::{exists, one, run, written};
use crate::{
    domain::{
        access::{Entity, Logged, Reach, Record, Written},
        paging::{Page, Window},
        values::AccessLevel,
        workspaces::Workspace,
    },
    error::{Error, Result},
};

const COLUMNS: &str = "w.pk, w.id, w.organization_id, w.name, w.description, w.visibility, w.properties,
    w.owner_user_id, w.revision, w.created_at, w.created_by, w.updated_at, w.updated_by, w.deleted_at";

/// A workspace, and the revision of the directory that it refers to.
pub(in crate::domain) struct Found {
    pub workspace: Workspace,
    pub directory_revision: i64,
}

fn workspace(row: &Row<'_>) -> rusqlite::Result<Workspace> {
    Ok(Workspace {
        pk: row.get("pk")?,
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        owner_user_id: row.get("owner_user_id")?,
        org_id: row.get("organization_id")?,
        visibility: row.get("visibility")?,
        properties: row.get("properties")?,
        written: written(row)?,
        my_role: None,
        deleted_at: row.get("deleted_at")?,
    })
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found { workspace: workspace(row)?, directory_revision: row.get("directory_revision")? })
}

/// The living workspace with this id.
pub(in crate::domain) fn living(conn: &Connection, id: &str) -> Result<Option<Found>> {
    let sql = format!(
        "SELECT {COLUMNS}, o.directory_revision FROM workspace w JOIN organization o ON o.id = w.organization_id
         WHERE w.id = ? AND w.deleted_at IS NULL"
    );
    one(conn, &sql, [id], found)
}

/// A workspace, living or deleted.
pub(in crate::domain) fn by_pk(conn: &Connection, pk: i64) -> Result<Option<Found>> {
    let sql = format!(
        "SELECT {COLUMNS}, o.directory_revision FROM workspace w JOIN organization o ON o.id = w.organization_id
         WHERE w.pk = ?"
    );
    one(conn, &sql, [pk], found)
}

/// Workspaces in order of creation. `show` gets each with the access level that `user_id` was given in it, and answers with
/// those that are listed; rows are read until the page is full.
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
        "SELECT {COLUMNS}, m.role AS level FROM workspace w
         LEFT JOIN workspace_member m ON m.workspace_pk = w.pk AND m.user_id = ?1
         WHERE w.pk > ?2 AND {within} AND w.deleted_at {deleted} ORDER BY w.pk"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut found = statement.query(params![user_id, window.after, organization_id])?;
    let (mut rows, most) = (Vec::new(), usize::try_from(window.rows()).ok());
    while most.is_none_or(|most| rows.len() < most)
        && let Some(row) = found.next()?
    {
        let level = row.get("level")?;
        rows.extend(show(workspace(row)?, level).map(|workspace| (workspace.pk, workspace)));
    }
    window.page(rows)
}

pub(in crate::domain) fn id_taken(conn: &Connection, id: &str) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM workspace WHERE id = ? AND deleted_at IS NULL)", [id])
}

/// Moves the revision of a workspace on, and answers with it.
pub(in crate::domain) fn step(conn: &Connection, pk: i64, now: i64, by: Option<i64>) -> Result<i64> {
    one(
        conn,
        "UPDATE workspace SET revision = revision + 1, updated_at = ?, updated_by = ? WHERE pk = ?
         RETURNING revision",
        params![now, by, pk],
        |row| row.get(0),
    )?
    .ok_or(Error::NotFound("workspace"))
}

impl Record for Workspace {
    const ENTITY: Entity = Entity::Workspace;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn is_marked_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn insert(&mut self, to: &Logged<'_>) -> Result<()> {
        let written = &self.written;
        run(
            to.conn,
            "INSERT INTO workspace (id, organization_id, name, description, visibility, properties, owner_user_id,
                                    revision, created_at, created_by, updated_at, updated_by)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                self.id,
                to.scope.organization_id(),
                self.name,
                self.description,
                self.visibility,
                self.properties,
                self.owner_user_id,
                written.revision,
                written.created_at,
                written.created_by,
                written.updated_at,
                written.updated_by
            ],
        )?;
        self.pk = to.conn.last_insert_rowid();
        Ok(())
    }

    fn update(&self, to: &Logged<'_>) -> Result<()> {
        // Revision and author were moved when the transaction took its revision.
        run(
            to.conn,
            "UPDATE workspace SET id = ?, name = ?, description = ?, visibility = ?, properties = ?, owner_user_id = ?,
                                  deleted_at = ? WHERE pk = ?",
            params![
                self.id,
                self.name,
                self.description,
                self.visibility,
                self.properties,
                self.owner_user_id,
                self.deleted_at,
                to.scope.workspace_pk()
            ],
        )?;
        Ok(())
    }

    /// A workspace goes for good only with everything in it: see [`purge`]. Deletion by a user marks it.
    fn delete(&self, _to: &Logged<'_>) -> Result<()> {
        Err(Error::internal("a workspace is marked as deleted, not removed"))
    }
}

/// Removes workspaces deleted before `before` with all that is in them. What the log tells of them stays.
pub(in crate::domain) fn purge(conn: &Connection, before: i64) -> Result<usize> {
    const OLD: &str = "workspace_pk IN (SELECT pk FROM workspace WHERE deleted_at < ?)";
    for table in ["version", "stakeholder", "external_link", "relationship", "process", "component", "workspace_member"]
    {
        run(conn, &format!("DELETE FROM {table} WHERE {OLD}"), [before])?;
    }
    run(conn, "DELETE FROM workspace WHERE deleted_at < ?", [before])
}
