//! The memory that all rows of a map need.

use std::sync::LazyLock;

use rusqlite::{Connection, Params, params};

use crate::{
    db::sql::{all, one},
    domain::core::record::Entity,
    error::Result,
};

/// Memory of a row in addition to its texts, in bytes.
const ROW: usize = 512;
/// Maximum number of logged changes that are weighed. That many exceed the memory for heavy jobs.
const MAX_CHANGES: i64 = 200_000;

/// The tables whose rows belong to the map, in the order in which their rows refer to each other. Other rows of a workspace
/// (members, versions, comments, share links, views of single users) do not belong to its map.
pub static MAP_TABLES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut tables: Vec<&str> = Entity::ALL.into_iter().filter(|kind| kind.is_of_map()).map(Entity::table).collect();
    let notes = tables.iter().position(|table| *table == Entity::Note.table()).unwrap_or_default();
    tables.insert(notes, "note_image");
    tables.extend(["source", "claim"]);
    tables
});

/// The tables whose rows are drawn.
const DRAWN_TABLES: [&str; 4] = ["component", "relationship", "stakeholder", "note"];

/// Memory for all rows of a map in bytes.
pub(in crate::domain) fn of_map(conn: &Connection, workspace_pk: i64) -> Result<usize> {
    of_tables(conn, workspace_pk, &MAP_TABLES, usize::MAX)
}

/// Memory for the rows of a map that are drawn, with at most the first `description_bytes` of descriptions.
pub(in crate::domain) fn of_drawn(conn: &Connection, workspace_pk: i64, description_bytes: usize) -> Result<usize> {
    of_tables(conn, workspace_pk, &DRAWN_TABLES, description_bytes)
}

fn of_tables(conn: &Connection, workspace_pk: i64, tables: &[&str], description_bytes: usize) -> Result<usize> {
    let most = i64::try_from(description_bytes).unwrap_or(i64::MAX);
    let mut bytes = 0;
    for table in tables {
        let texts = "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT'";
        let texts = all(conn, texts, [table], |row| {
            let name: String = row.get(0)?;
            let most = if name == "description" { most } else { i64::MAX };
            Ok(format!("+ min(ifnull(octet_length(\"{name}\"), 0), {most})"))
        })?;
        let sql = format!("SELECT count(*), sum(0 {}) FROM {table} WHERE workspace_pk = ?", texts.join(" "));
        bytes += of_rows(conn, &sql, [workspace_pk])?;
    }
    Ok(bytes)
}

/// Memory for the rows before the changes after a revision.
pub(in crate::domain) fn of_changes_after(conn: &Connection, workspace_pk: i64, revision: i64) -> Result<usize> {
    let sql = "SELECT count(*), sum(texts) FROM (
                   SELECT ifnull(octet_length(before), 0) AS texts FROM change
                   WHERE workspace_pk = ? AND revision > ? LIMIT ?)";
    of_rows(conn, sql, [workspace_pk, revision, MAX_CHANGES])
}

/// Memory for the rows before and after the changes of a change set.
pub(in crate::domain) fn of_change_set(conn: &Connection, workspace_pk: i64, id: &str) -> Result<usize> {
    let sql = "SELECT count(*), sum(texts) FROM (
                   SELECT ifnull(octet_length(before), 0) + ifnull(octet_length(after), 0) AS texts FROM change
                   WHERE batch = ?2 AND +workspace_pk = ?1 LIMIT ?3)";
    of_rows(conn, sql, params![workspace_pk, id, MAX_CHANGES])
}

/// Memory for rows, given their number and the size of their texts.
fn of_rows(conn: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<i64>>(1)?));
    let (rows, texts) = one(conn, sql, params, read)?.unwrap_or_default();
    let whole = |number: i64| usize::try_from(number).unwrap_or_default();
    Ok(whole(rows).saturating_mul(ROW).saturating_add(whole(texts.unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database() -> Connection {
        let conn = Connection::open_in_memory().unwrap();
        for table in MAP_TABLES.iter() {
            let sql = format!("CREATE TABLE {table} (workspace_pk INTEGER, x REAL, name TEXT, description TEXT)");
            conn.execute(&sql, []).unwrap();
        }
        conn.execute("CREATE TABLE change (id INTEGER PRIMARY KEY, workspace_pk, revision, batch, before, after)", [])
            .unwrap();
        conn
    }

    #[test]
    fn a_map_weighs_its_rows_and_all_of_their_texts() {
        let conn = database();
        assert_eq!(of_map(&conn, 1).unwrap(), 0);
        conn.execute_batch(
            "INSERT INTO component VALUES (1, 1.5, 'ab', 'cdé'), (1, 2.5, 'ab', NULL), (2, 0, 'of another map', '');
             INSERT INTO decision VALUES (1, 0, NULL, 'abc');",
        )
        .unwrap();
        assert_eq!(of_map(&conn, 1).unwrap(), 3 * ROW + 6 + 2 + 3);
    }

    #[test]
    fn a_drawn_map_weighs_the_beginnings_of_its_descriptions_and_no_other_rows() {
        let conn = database();
        conn.execute_batch(
            "INSERT INTO component VALUES (1, 1.5, 'abc', 'defgh'), (1, 2.5, 'a', NULL), (2, 0, 'of another map', '');
             INSERT INTO relationship VALUES (1, 0, 'abc', NULL);
             INSERT INTO decision VALUES (1, 0, NULL, 'abc');",
        )
        .unwrap();
        assert_eq!(of_drawn(&conn, 1, 2).unwrap(), 3 * ROW + 3 + 2 + 1 + 3);
    }

    #[test]
    fn a_past_state_weighs_the_rows_that_have_changed_since() {
        let conn = database();
        conn.execute_batch(
            "INSERT INTO change (workspace_pk, revision, before) VALUES (1, 1, 'old'), (1, 2, 'abcd'), (1, 3, NULL), (2, 3, 'x');",
        )
        .unwrap();
        assert_eq!(of_changes_after(&conn, 1, 1).unwrap(), 2 * ROW + 4);
        assert_eq!(of_changes_after(&conn, 1, 3).unwrap(), 0);
    }

    #[test]
    fn a_change_set_weighs_its_rows_before_and_after() {
        let conn = database();
        conn.execute_batch(
            "INSERT INTO change (workspace_pk, batch, before, after) VALUES
                 (1, 'a', 'ab', 'abc'), (1, 'a', NULL, 'abcd'), (1, 'c', 'x', 'y'), (2, 'a', 'x', 'y');",
        )
        .unwrap();
        assert_eq!(of_change_set(&conn, 1, "a").unwrap(), 2 * ROW + 5 + 4);
    }
}
