//! Copies the rows of a workspace into a new draft, in parts, so that other writers need not wait for all of them.

use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

use super::rows::last_id;
use crate::{
    db::sql::{all, one, run},
    domain::core::{Entity, MAP_TABLES},
    error::Result,
};

/// Maximum number of rows that a part copies.
pub(in crate::domain) const MAX_ROWS: usize = 2_500;

/// The place at which the next part begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::domain) struct Position {
    /// Index of the table.
    table: usize,
    /// Number of the last copied row.
    row: i64,
}

/// Number of rows of the tables that can have many.
pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<usize> {
    let mut count = 0;
    for table in MAP_TABLES.iter() {
        let sql = format!("SELECT count(*) FROM {table} WHERE workspace_pk = ?");
        let rows = one(conn, &sql, [workspace_pk], |row| row.get::<_, i64>(0))?.unwrap_or_default();
        count += usize::try_from(rows).unwrap_or_default();
    }
    Ok(count)
}

/// Copies at most `limit` rows from `position` on. Returns where the next part begins; none at the end.
pub(in crate::domain) fn part(
    conn: &Connection,
    (from, to): (i64, i64),
    mut position: Position,
    limit: usize,
) -> Result<Option<Position>> {
    let mut left = i64::try_from(limit).unwrap_or(i64::MAX);
    while let Some(name) = MAP_TABLES.get(position.table) {
        let shown =
            if *name == "note_image" { "AND id IN (SELECT image_id FROM note WHERE workspace_pk = ?1)" } else { "" };
        let sql = format!(
            "SELECT count(*), max(place) FROM (SELECT rowid AS place FROM {name}
             WHERE workspace_pk = ?1 AND rowid > ?2 {shown} ORDER BY rowid LIMIT ?3)"
        );
        let found = one(conn, &sql, params![from, position.row, left], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?))
        })?;
        let Some((count, Some(last))) = found else {
            position = Position { table: position.table + 1, row: 0 };
            continue;
        };
        rows(conn, name, shown, (from, to), (position.row, last))?;
        position.row = last;
        left -= count;
        if left <= 0 {
            return Ok(Some(position));
        }
    }
    Ok(None)
}

/// Copies the rows of a table after one row up to another one.
fn rows(conn: &Connection, name: &str, shown: &str, (from, to): (i64, i64), (after, last): (i64, i64)) -> Result<()> {
    // Numbers of rows are unique in the instance.
    let kind = Entity::ALL.into_iter().find(|kind| kind.has_number() && kind.table() == name);
    let columns = all(conn, "SELECT name FROM pragma_table_info(?)", [name], |row| row.get::<_, String>(0))?;
    let columns = columns.into_iter().filter(|column| column != "workspace_pk" && (kind.is_none() || column != "id"));
    let columns: Vec<String> = columns.collect();
    let listed = columns.join(", ");
    if let Some(kind) = kind {
        let sql = format!(
            "INSERT INTO draft_row (workspace_pk, kind, draft_id, base_id)
             SELECT ?1, ?2, ?3 + row_number() OVER (ORDER BY id), id FROM {}
             WHERE workspace_pk = ?4 AND id > ?5 AND id <= ?6",
            kind.table()
        );
        run(conn, &sql, params![to, kind.as_str(), last_id(conn, kind)?, from, after, last])?;
        let sql = format!(
            "INSERT INTO {name} (workspace_pk, id, {listed})
             SELECT ?1, (SELECT m.draft_id FROM draft_row m WHERE m.workspace_pk = ?1 AND m.kind = ?2 AND m.base_id = r.id),
                    {listed}
             FROM {name} r WHERE r.workspace_pk = ?3 AND r.id > ?4 AND r.id <= ?5 ORDER BY r.id"
        );
        return run(conn, &sql, params![to, kind.as_str(), from, after, last]).map(drop);
    }
    let value = |column: &String| match (name, column.as_str()) {
        ("claim", "row_id") => claimed_row(),
        // Images that no note shows yet are removed when they are old.
        ("note_image", "uploaded_at") => "CAST(unixepoch('subsec') * 1000 AS INTEGER)".to_owned(),
        (_, column) => format!("r.{column}"),
    };
    let values: Vec<String> = columns.iter().map(value).collect();
    let sql = format!(
        "INSERT INTO {name} (workspace_pk, {listed})
         SELECT ?2, {} FROM {name} r
         WHERE r.workspace_pk = ?1 AND r.rowid > ?3 AND r.rowid <= ?4 {shown} ORDER BY r.rowid",
        values.join(", ")
    );
    run(conn, &sql, params![from, to, after, last]).map(drop)
}

/// The row of a claim `r` in the draft `?2`.
fn claimed_row() -> String {
    let numbered = Entity::ALL.into_iter().filter(|kind| kind.has_number());
    let numbered: Vec<String> = numbered.map(|kind| format!("'{}'", kind.as_str())).collect();
    format!(
        "iif(r.kind IN ({}),
         (SELECT CAST(m.draft_id AS TEXT) FROM draft_row m
          WHERE m.workspace_pk = ?2 AND m.kind = r.kind AND m.base_id = CAST(r.row_id AS INTEGER)), r.row_id)",
        numbered.join(", ")
    )
}
