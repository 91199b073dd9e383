//! The change log.

use rusqlite::{Connection, Params, Row, params};

use super::{all, one, run};
use crate::{
    domain::live::{Change as Told, Logged},
    error::{Author, Result},
};

/// One row of the log. `before` and `after` are JSON images.
pub(in crate::domain) struct Change<'a> {
    pub organization_id: &'a str,
    pub workspace_pk: Option<i64>,
    pub revision: i64,
    pub batch: &'a str,
    pub undo_of: Option<&'a str>,
    pub actor: Option<i64>,
    pub via: &'a str,
    pub credential: &'a str,
    pub entity: &'a str,
    pub entity_id: &'a str,
    pub op: &'a str,
    pub before: Option<&'a str>,
    pub after: Option<&'a str>,
    pub ts: i64,
}

/// Adds a row. Answers with its id.
pub(in crate::domain) fn insert(conn: &Connection, change: &Change<'_>) -> Result<i64> {
    run(
        conn,
        "INSERT INTO change (organization_id, workspace_pk, revision, batch, undo_of, actor, via, credential, entity,
                             entity_id, op, before, after, ts)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            change.organization_id,
            change.workspace_pk,
            change.revision,
            change.batch,
            change.undo_of,
            change.actor,
            change.via,
            change.credential,
            change.entity,
            change.entity_id,
            change.op,
            change.before,
            change.after,
            change.ts,
        ],
    )?;
    Ok(conn.last_insert_rowid())
}

const SELECT: &str = "SELECT c.id, c.revision, c.batch, c.undo_of, u.id AS actor, u.display_name, c.via, c.entity,
        c.entity_id, c.op, c.after, c.ts
    FROM change c LEFT JOIN user u ON u.id = c.actor";

/// Reads the columns of a change, whose names are as in the log; `actor` and `display_name` are those of the user.
pub(super) fn logged(row: &Row<'_>) -> rusqlite::Result<Logged> {
    let actor: Option<i64> = row.get("actor")?;
    let actor = match actor {
        Some(id) => Some(Author { id, display_name: row.get("display_name")? }),
        None => None,
    };
    Ok(Logged {
        change: Told {
            id: row.get("id")?,
            revision: row.get("revision")?,
            batch: row.get("batch")?,
            undo_of: row.get("undo_of")?,
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

/// The last change that was ever logged, be it in the log still or not; 0 while there was none.
pub(in crate::domain) fn head(conn: &Connection) -> Result<i64> {
    Ok(one(conn, "SELECT seq FROM sqlite_sequence WHERE name = 'change'", [], |row| row.get(0))?.unwrap_or(0))
}

/// The last change of a workspace and its directory that the log no longer has; 0 when it has all.
pub(in crate::domain) fn forgotten(conn: &Connection, workspace_pk: i64, organization_id: &str) -> Result<i64> {
    let sql =
        "SELECT max((SELECT forgotten FROM workspace WHERE pk = ?), (SELECT forgotten FROM organization WHERE id = ?))";
    Ok(one(conn, sql, params![workspace_pk, organization_id], |row| row.get(0))?.unwrap_or(0))
}

/// Whether the log has all that was written in a workspace after `revision`.
pub(in crate::domain) fn reaches(conn: &Connection, workspace_pk: i64, revision: i64) -> Result<bool> {
    // Of the oldest revision that it knows, it may know a part only.
    let sql = "SELECT forgotten = 0 OR EXISTS (SELECT 1 FROM change WHERE workspace_pk = pk AND revision <= ?)
               FROM workspace WHERE pk = ?";
    Ok(one(conn, sql, params![revision, workspace_pk], |row| row.get(0))?.unwrap_or(false))
}

/// The same of a directory.
pub(in crate::domain) fn reaches_in_directory(conn: &Connection, organization_id: &str, revision: i64) -> Result<bool> {
    let sql = "SELECT forgotten = 0 OR EXISTS (SELECT 1 FROM change WHERE workspace_pk IS NULL
                                               AND organization_id = organization.id AND revision <= ?)
               FROM organization WHERE id = ?";
    Ok(one(conn, sql, params![revision, organization_id], |row| row.get(0))?.unwrap_or(false))
}

/// What was written in a workspace and its directory after the change `id`, in order: the first `most` of it.
pub(in crate::domain) fn after(
    conn: &Connection,
    workspace_pk: i64,
    organization_id: &str,
    id: i64,
    most: u32,
) -> Result<Vec<Logged>> {
    merged(
        conn,
        ("c.id > ? ORDER BY c.id", params![workspace_pk, id, most]),
        ("c.id > ? ORDER BY c.id", params![organization_id, id, most]),
        most,
    )
}

/// The same after a revision of the workspace and one of the directory.
pub(in crate::domain) fn since(
    conn: &Connection,
    workspace_pk: i64,
    organization_id: &str,
    (revision, directory): (i64, i64),
    most: u32,
) -> Result<Vec<Logged>> {
    merged(
        conn,
        ("c.revision > ? ORDER BY c.revision, c.id", params![workspace_pk, revision, most]),
        ("c.revision > ? ORDER BY c.revision, c.id", params![organization_id, directory, most]),
        most,
    )
}

/// The changes of a workspace and of a directory, in one order.
fn merged<W: Params, D: Params>(
    conn: &Connection,
    (in_workspace, workspace): (&str, W),
    (in_directory, directory): (&str, D),
    most: u32,
) -> Result<Vec<Logged>> {
    let sql = format!("{SELECT} WHERE c.workspace_pk = ? AND {in_workspace} LIMIT ?");
    let mut rows = all(conn, &sql, workspace, logged)?;
    let of_directory = "c.organization_id = ? AND c.workspace_pk IS NULL";
    let sql = format!("{SELECT} WHERE {of_directory} AND {in_directory} LIMIT ?");
    rows.extend(all(conn, &sql, directory, logged)?);
    rows.sort_by_key(|row| row.change.id);
    rows.truncate(most as usize);
    Ok(rows)
}

/// What a batch did to one row, by its images.
pub(in crate::domain) struct Image {
    pub actor: Option<i64>,
    pub entity: String,
    pub entity_id: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// What a batch wrote in a workspace, in its order.
pub(in crate::domain) fn of_batch(conn: &Connection, workspace_pk: i64, batch: &str) -> Result<Vec<Image>> {
    let sql =
        "SELECT actor, entity, entity_id, before, after FROM change WHERE batch = ? AND +workspace_pk = ? ORDER BY id";
    all(conn, sql, params![batch, workspace_pk], |row| {
        Ok(Image {
            actor: row.get(0)?,
            entity: row.get(1)?,
            entity_id: row.get(2)?,
            before: row.get(3)?,
            after: row.get(4)?,
        })
    })
}

/// Who wrote a row last; none when that was the system.
pub(in crate::domain) fn last_author(
    conn: &Connection,
    workspace_pk: i64,
    entity: &str,
    entity_id: &str,
) -> Result<Option<Author>> {
    let sql = "SELECT u.id, u.display_name FROM change c LEFT JOIN user u ON u.id = c.actor
               WHERE c.workspace_pk = ? AND c.entity = ? AND c.entity_id = ? ORDER BY c.id DESC LIMIT 1";
    let author = one(conn, sql, params![workspace_pk, entity, entity_id], |row| {
        let id: Option<i64> = row.get(0)?;
        id.map(|id| Ok(Author { id, display_name: row.get(1)? })).transpose()
    })?;
    Ok(author.flatten())
}

/// The newest change of a row, when it is an update by the same user in the same batch: its id and its image before.
pub(in crate::domain) fn same_gesture(
    conn: &Connection,
    workspace_pk: i64,
    (entity, entity_id): (&str, &str),
    (actor, batch): (Option<i64>, &str),
) -> Result<Option<(i64, Option<String>)>> {
    let sql = "SELECT id, before, op = 'update' AND actor IS ? AND batch = ? FROM change
               WHERE workspace_pk = ? AND entity = ? AND entity_id = ? ORDER BY id DESC LIMIT 1";
    let newest = one(conn, sql, params![actor, batch, workspace_pk, entity, entity_id], |row| {
        let same: bool = row.get(2)?;
        Ok(if same { Some((row.get(0)?, row.get(1)?)) } else { None })
    })?;
    Ok(newest.flatten())
}

/// Takes a change out of the log, because one that tells more takes its place.
pub(in crate::domain) fn replace(conn: &Connection, id: i64) -> Result<()> {
    run(conn, "DELETE FROM change WHERE id = ?", [id]).map(drop)
}
