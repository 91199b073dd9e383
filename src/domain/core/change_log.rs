//! The change log.

use std::collections::HashSet;

use rusqlite::{Connection, Params, Row, params};

use super::{Change, Entity, LoggedChange};
use crate::{
    db::sql::{all, exists, one},
    error::{Author, Result},
};

/// Selects what [`logged`] reads.
pub(in crate::domain) const SELECT: &str =
    "SELECT c.id, c.revision, c.batch, c.label, c.undo_of, r.reason, u.id AS actor, u.display_name, c.via, c.entity,
        c.entity_id, c.op, c.before, c.after, c.ts
    FROM change c LEFT JOIN user u ON u.id = c.actor LEFT JOIN change_reason r ON r.change_set = c.batch";

/// Reads a change. Column names are those of the log; `actor` and `display_name` are those of the user.
pub(in crate::domain) fn logged(row: &Row<'_>) -> rusqlite::Result<LoggedChange> {
    let actor: Option<i64> = row.get("actor")?;
    let actor = match actor {
        Some(id) => Some(Author { id, display_name: row.get("display_name")? }),
        None => None,
    };
    let change_set_id: String = row.get("batch")?;
    let label: Option<String> = row.get("label")?;
    Ok(LoggedChange {
        change: Change {
            id: row.get("id")?,
            revision: row.get("revision")?,
            batch: label.unwrap_or_else(|| change_set_id.clone()),
            change_set_id,
            undo_of: row.get("undo_of")?,
            reason: row.get("reason")?,
            actor,
            via: row.get("via")?,
            entity: row.get("entity")?,
            entity_id: row.get("entity_id")?,
            op: row.get("op")?,
            seq: None,
            row: None,
            ts: row.get("ts")?,
        },
        after: row.get("after")?,
    })
}

/// Id of the last logged change, even if it was removed from the log; 0 if there was none.
pub(in crate::domain) fn head(conn: &Connection) -> Result<i64> {
    Ok(one(conn, "SELECT seq FROM sqlite_sequence WHERE name = 'change'", [], |row| row.get(0))?.unwrap_or(0))
}

/// Id of the last change of a workspace and its directory that was removed from the log; 0 if the log is complete.
pub(in crate::domain) fn forgotten(conn: &Connection, workspace_pk: i64, organization_id: &str) -> Result<i64> {
    let sql =
        "SELECT max((SELECT forgotten FROM workspace WHERE pk = ?), (SELECT forgotten FROM organization WHERE id = ?))";
    Ok(one(conn, sql, params![workspace_pk, organization_id], |row| row.get(0))?.unwrap_or(0))
}

/// Whether the log contains all changes of a workspace after `revision`.
pub(in crate::domain) fn reaches(conn: &Connection, workspace_pk: i64, revision: i64) -> Result<bool> {
    // The oldest revision in the log may be incomplete.
    let sql = "SELECT forgotten = 0 OR EXISTS (SELECT 1 FROM change WHERE workspace_pk = pk AND revision <= ?)
               FROM workspace WHERE pk = ?";
    Ok(one(conn, sql, params![revision, workspace_pk], |row| row.get(0))?.unwrap_or(false))
}

/// Kind and id of the rows of a workspace that were written after `revision`, with repetitions. None if more than `limit`
/// were written, or the log does not contain all of them.
pub(in crate::domain) fn written_after(
    conn: &Connection,
    workspace_pk: i64,
    revision: i64,
    limit: u32,
) -> Result<Option<Vec<(String, String)>>> {
    if !reaches(conn, workspace_pk, revision)? {
        return Ok(None);
    }
    let sql = "SELECT entity, entity_id FROM change WHERE workspace_pk = ? AND revision > ? LIMIT ?";
    let written = all(conn, sql, params![workspace_pk, revision, limit + 1], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((written.len() <= limit as usize).then_some(written))
}

/// Whether the log contains all changes of a directory after `revision`.
pub(in crate::domain) fn reaches_in_directory(conn: &Connection, organization_id: &str, revision: i64) -> Result<bool> {
    let sql = "SELECT forgotten = 0 OR EXISTS (SELECT 1 FROM change WHERE workspace_pk IS NULL
                                               AND organization_id = organization.id AND revision <= ?)
               FROM organization WHERE id = ?";
    Ok(one(conn, sql, params![revision, organization_id], |row| row.get(0))?.unwrap_or(false))
}

/// The first `limit` changes of a workspace and its directory after the change `id`, in log order.
pub(in crate::domain) fn after(
    conn: &Connection,
    workspace_pk: i64,
    organization_id: &str,
    id: i64,
    limit: u32,
) -> Result<Vec<LoggedChange>> {
    merged(
        conn,
        ("c.id > ? ORDER BY c.id", params![workspace_pk, id, limit]),
        ("c.id > ? ORDER BY c.id", params![organization_id, id, limit]),
        limit,
    )
}

/// The first `limit` changes after a revision of the workspace and a revision of its directory, in log order.
pub(in crate::domain) fn since(
    conn: &Connection,
    workspace_pk: i64,
    organization_id: &str,
    (revision, directory): (i64, i64),
    limit: u32,
) -> Result<Vec<LoggedChange>> {
    merged(
        conn,
        ("c.revision > ? ORDER BY c.revision, c.id", params![workspace_pk, revision, limit]),
        ("c.revision > ? ORDER BY c.revision, c.id", params![organization_id, directory, limit]),
        limit,
    )
}

/// Merges the changes of a workspace and of a directory in log order.
fn merged<W: Params, D: Params>(
    conn: &Connection,
    (in_workspace, workspace): (&str, W),
    (in_directory, directory): (&str, D),
    limit: u32,
) -> Result<Vec<LoggedChange>> {
    let sql = format!("{SELECT} WHERE c.workspace_pk = ? AND {in_workspace} LIMIT ?");
    let mut rows = all(conn, &sql, workspace, logged)?;
    let of_directory = "c.organization_id = ? AND c.workspace_pk IS NULL";
    let sql = format!("{SELECT} WHERE {of_directory} AND {in_directory} LIMIT ?");
    rows.extend(all(conn, &sql, directory, logged)?);
    rows.sort_by_key(|row| row.change.id);
    rows.truncate(limit as usize);
    Ok(rows)
}

/// A write of a row in a change set, with the row before and after it.
pub(in crate::domain) struct LoggedWrite {
    /// Position in the log.
    pub id: i64,
    /// Interface that it came through.
    pub via: String,
    /// Id of the change set.
    pub change_set: String,
    pub entity: Entity,
    pub entity_id: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Ids of the change sets that `name` stands for in a workspace: the change set with this id, and those that the user `actor`
/// labeled with it. Only those of this user, oldest first.
pub(in crate::domain) fn change_sets_named(
    conn: &Connection,
    workspace_pk: i64,
    actor: i64,
    name: &str,
) -> Result<Vec<String>> {
    let sql = "SELECT batch FROM change
               WHERE id IN (SELECT id FROM change WHERE batch = ?1
                            UNION SELECT id FROM change WHERE label = ?1 AND actor = ?2)
                 AND +actor = ?2 AND +workspace_pk = ?3
               GROUP BY batch ORDER BY min(id)";
    all(conn, sql, params![name, actor, workspace_pk], |row| row.get(0))
}

/// Writes of the user `actor` in a workspace that belong to these change sets, in log order.
pub(in crate::domain) fn written_by(
    conn: &Connection,
    workspace_pk: i64,
    actor: i64,
    change_sets: &[String],
) -> Result<Vec<LoggedWrite>> {
    let sql = "SELECT id, via, batch, entity, entity_id, before, after FROM change
               WHERE batch = ? AND +actor = ? AND +workspace_pk = ? ORDER BY id";
    let mut writes = Vec::new();
    for change_set in change_sets {
        writes.extend(all(conn, sql, params![change_set, actor, workspace_pk], |row| {
            Ok(LoggedWrite {
                id: row.get(0)?,
                via: row.get(1)?,
                change_set: row.get(2)?,
                entity: row.get(3)?,
                entity_id: row.get(4)?,
                before: row.get(5)?,
                after: row.get(6)?,
            })
        })?);
    }
    writes.sort_by_key(|write| write.id);
    Ok(writes)
}

/// Whether a workspace has changes with the change set or label `id`.
pub(in crate::domain) fn is_known(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM change WHERE batch = ?1 AND +workspace_pk = ?2)
                   OR EXISTS (SELECT 1 FROM change WHERE label = ?1 AND +workspace_pk = ?2)";
    exists(conn, sql, params![id, workspace_pk])
}

/// Rows that a change set of a user wrote in a workspace, without duplicates, in the order of their first write.
pub(in crate::domain) fn rows_written(
    conn: &Connection,
    workspace_pk: i64,
    actor: Option<i64>,
    change_set: &str,
) -> Result<Vec<(Entity, String)>> {
    let sql = "SELECT entity, entity_id FROM change WHERE batch = ? AND actor IS ? AND +workspace_pk = ?
               GROUP BY entity, entity_id ORDER BY min(id)";
    all(conn, sql, params![change_set, actor, workspace_pk], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Whether the fields of the workspace were written after the revision `since`, up to the revision `until`.
pub(in crate::domain) fn workspace_written(
    conn: &Connection,
    workspace_pk: i64,
    (since, until): (i64, i64),
) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM change WHERE workspace_pk = ?1 AND entity = 'workspace'
                              AND +revision > ?2 AND +revision <= ?3)";
    exists(conn, sql, params![workspace_pk, since, until])
}

/// The last write of a row.
#[derive(Debug, Default)]
pub(in crate::domain) struct LastWrite {
    /// Author of the write; none for the system.
    pub author: Option<Author>,
    /// Id of the change set.
    pub change_set: Option<String>,
}

/// Author and change set of the last write of a row.
pub(in crate::domain) fn last_write(
    conn: &Connection,
    workspace_pk: i64,
    entity: &str,
    entity_id: &str,
) -> Result<LastWrite> {
    let sql = "SELECT u.id, u.display_name, c.batch FROM change c LEFT JOIN user u ON u.id = c.actor
               WHERE c.workspace_pk = ? AND c.entity = ? AND c.entity_id = ? ORDER BY c.id DESC LIMIT 1";
    let found = one(conn, sql, params![workspace_pk, entity, entity_id], |row| {
        Ok(LastWrite { author: author(row)?, change_set: row.get(2)? })
    })?;
    Ok(found.unwrap_or_default())
}

/// The time of the last write of a row in Unix milliseconds, and whether it was an undo.
pub(in crate::domain) fn last_write_time(
    conn: &Connection,
    workspace_pk: i64,
    entity: &str,
    entity_id: &str,
) -> Result<Option<(i64, bool)>> {
    let sql = "SELECT ts, undo_of IS NOT NULL FROM change WHERE workspace_pk = ? AND entity = ? AND entity_id = ?
               ORDER BY id DESC LIMIT 1";
    one(conn, sql, params![workspace_pk, entity, entity_id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The last write of a row that does not belong to the given change sets of a user.
pub(in crate::domain) fn last_write_beside(
    conn: &Connection,
    workspace_pk: i64,
    entity: &str,
    entity_id: &str,
    (actor, change_sets): (i64, &HashSet<String>),
) -> Result<LastWrite> {
    let sql = "SELECT u.id, u.display_name, c.batch, c.actor FROM change c LEFT JOIN user u ON u.id = c.actor
               WHERE c.workspace_pk = ? AND c.entity = ? AND c.entity_id = ? ORDER BY c.id DESC";
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query(params![workspace_pk, entity, entity_id])?;
    while let Some(row) = rows.next()? {
        let (change_set, by): (String, Option<i64>) = (row.get(2)?, row.get(3)?);
        if by != Some(actor) || !change_sets.contains(&change_set) {
            return Ok(LastWrite { author: author(row)?, change_set: Some(change_set) });
        }
    }
    Ok(LastWrite::default())
}

/// The user in the first two columns, if any.
fn author(row: &Row<'_>) -> rusqlite::Result<Option<Author>> {
    let id: Option<i64> = row.get(0)?;
    id.map(|id| Ok(Author { id, display_name: row.get(1)? })).transpose()
}
