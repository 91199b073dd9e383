//! Counts for quota checks.

use rusqlite::{Connection, params};

use crate::{
    db::sql::one,
    domain::core::{record::Entity, scope::Scope},
    error::Result,
};

/// Number of rows of a kind in a workspace or in an organization. Deleted workspaces and drafts are not counted.
pub(in crate::domain) fn count(conn: &Connection, entity: Entity, scope: &Scope) -> Result<i64> {
    let table = entity.table();
    let counted = match scope.workspace_pk() {
        Some(pk) => one(conn, &format!("SELECT count(*) FROM {table} WHERE workspace_pk = ?"), [pk], |row| row.get(0)),
        None => {
            let living = if entity == Entity::Workspace { "AND base_pk IS NULL AND deleted_at IS NULL" } else { "" };
            let sql = format!("SELECT count(*) FROM {table} WHERE organization_id = ? {living}");
            one(conn, &sql, [scope.organization_id()], |row| row.get(0))
        }
    };
    Ok(counted?.unwrap_or_default())
}

/// Total size of the texts in a column of all rows of a kind in a workspace, in bytes.
pub(in crate::domain) fn text_bytes(conn: &Connection, entity: Entity, column: &str, workspace_pk: i64) -> Result<i64> {
    let table = entity.table();
    let sql = format!("SELECT coalesce(sum(octet_length({column})), 0) FROM {table} WHERE workspace_pk = ?");
    Ok(one(conn, &sql, [workspace_pk], |row| row.get(0))?.unwrap_or_default())
}

/// Adds `bytes` to the size of an organization's history, and returns the total size of its history and versions.
/// Triggers subtract the size of removed rows.
pub(in crate::domain) fn add(conn: &Connection, organization_id: &str, bytes: i64) -> Result<i64> {
    let sql = "INSERT INTO stored_bytes (organization_id, bytes) VALUES (?, ?)
               ON CONFLICT (organization_id) DO UPDATE SET bytes = bytes + excluded.bytes RETURNING bytes";
    Ok(one(conn, sql, params![organization_id, bytes], |row| row.get(0))?.unwrap_or_default())
}

/// Images of a workspace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::domain) struct StoredImages {
    /// Those that notes show.
    pub shown: ImageUsage,
    /// Others that were uploaded recently.
    pub unused: ImageUsage,
}

/// Number and total size of images.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::domain) struct ImageUsage {
    pub count: i64,
    pub bytes: i64,
}

/// Number of notes that show an image, and its size.
pub(in crate::domain) fn image(conn: &Connection, workspace_pk: i64, id: &str) -> Result<(i64, i64)> {
    let sql = "SELECT (SELECT count(*) FROM note n WHERE n.workspace_pk = i.workspace_pk AND n.image_id = i.id),
                      octet_length(content)
               FROM note_image i WHERE workspace_pk = ? AND id = ?";
    Ok(one(conn, sql, params![workspace_pk, id], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

/// Images of a workspace that notes show, and others that were uploaded after `since`.
pub(in crate::domain) fn images(conn: &Connection, workspace_pk: i64, since: i64) -> Result<StoredImages> {
    let sql = "WITH image AS (
                   SELECT octet_length(content) AS bytes, uploaded_at > ?2 AS is_recent,
                          EXISTS (SELECT 1 FROM note n WHERE n.workspace_pk = i.workspace_pk AND n.image_id = i.id) AS shown
                   FROM note_image i WHERE workspace_pk = ?1)
               SELECT coalesce(sum(shown), 0), coalesce(sum(iif(shown, bytes, 0)), 0),
                      coalesce(sum(NOT shown AND is_recent), 0), coalesce(sum(iif(NOT shown AND is_recent, bytes, 0)), 0)
               FROM image";
    let found = one(conn, sql, params![workspace_pk, since], |row| {
        let usage =
            |first: usize| Ok::<_, rusqlite::Error>(ImageUsage { count: row.get(first)?, bytes: row.get(first + 1)? });
        Ok(StoredImages { shown: usage(0)?, unused: usage(2)? })
    })?;
    Ok(found.unwrap_or_default())
}
