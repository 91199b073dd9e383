//! SQL and only SQL, in files named as in `domain`. Private to it.
//!
//! Rows of a workspace or directory are written through `Record` implementations, which the gate calls and logs;
//! everything else through plain functions. All statements are prepared once and cached.

pub(super) mod audit;
pub(super) mod changes;
pub(super) mod components;
pub(super) mod directory;
pub(super) mod idempotency;
pub(super) mod invitations;
pub(super) mod leaving;
pub(super) mod links;
pub(super) mod members;
pub(super) mod org_members;
pub(super) mod organizations;
pub(super) mod overview;
pub(super) mod people;
pub(super) mod processes;
pub(super) mod relationships;
pub(super) mod roles;
pub(super) mod second_factors;
pub(super) mod sessions;
pub(super) mod settings;
pub(super) mod stakeholders;
pub(super) mod teams;
pub(super) mod tokens;
pub(super) mod users;
pub(super) mod waitlist;
pub(super) mod workspaces;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::access::Written;
use crate::error::Result;

/// The row that `sql` finds, if any.
fn one<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    Ok(conn.prepare_cached(sql)?.query_row(params, read).optional()?)
}

/// All rows that `sql` finds.
fn all<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>> {
    Ok(conn.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<_>>()?)
}

/// Whether `sql`, a `SELECT EXISTS (…)`, says yes.
fn exists(conn: &Connection, sql: &str, params: impl Params) -> Result<bool> {
    Ok(conn.prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
}

/// Runs `sql` for its effect; answers how many rows it touched.
fn run(conn: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    Ok(conn.prepare_cached(sql)?.execute(params)?)
}

/// Reads rows of a map, whose fields are named as their columns. From one list come the SQL's columns, `COLUMNS`, and
/// the function that reads them by their place in it: to look a column up by its name takes longer than to read it, and
/// a bundle has tens of thousands.
macro_rules! columns {
    (fn $read:ident -> $row:ident { $($field:ident),+ $(,)? }) => {
        const COLUMNS: &str =
            concat!($(stringify!($field), ", ",)+ "revision, created_at, created_by, updated_at, updated_by");

        fn $read(row: &rusqlite::Row<'_>, workspace_id: &str) -> rusqlite::Result<$row> {
            let mut places = 0..;
            let mut next = || places.next().unwrap_or_default();
            $(let $field = row.get(next())?;)+
            let written = Written {
                revision: row.get(next())?,
                created_at: row.get(next())?,
                created_by: row.get(next())?,
                updated_at: row.get(next())?,
                updated_by: row.get(next())?,
            };
            Ok($row { $($field,)+ workspace_id: workspace_id.to_owned(), written })
        }
    };
}
use columns;

/// The five columns that every row of a workspace or directory has.
fn written(row: &Row<'_>) -> rusqlite::Result<Written> {
    Ok(Written {
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        updated_at: row.get("updated_at")?,
        updated_by: row.get("updated_by")?,
    })
}
