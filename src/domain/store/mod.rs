//! SQL and only SQL, in files named as in `domain`. Private to it.
//!
//! Rows of a workspace or directory are written through `Record` implementations, which the gate calls and logs;
//! everything else through plain functions. All statements are prepared once and cached.

pub(super) mod audit;
pub(super) mod changes;
pub(super) mod components;
pub(super) mod connectors;
pub(super) mod directory;
pub(super) mod history;
pub(super) mod idempotency;
pub(super) mod identities;
pub(super) mod images;
pub(super) mod instance;
pub(super) mod invitations;
pub(super) mod leaving;
pub(super) mod links;
pub(super) mod members;
pub(super) mod org_members;
pub(super) mod organizations;
pub(super) mod overview;
mod pages;
pub(super) mod people;
pub(super) mod processes;
pub(super) mod quotas;
pub(super) mod relationships;
pub(super) mod roles;
mod rows;
pub(super) mod sealed;
pub(super) mod second_factors;
pub(super) mod sessions;
pub(super) mod settings;
pub(super) mod stakeholders;
pub(super) mod tables;
pub(super) mod teams;
pub(super) mod tokens;
pub(super) mod users;
pub(super) mod versions;
pub(super) mod waitlist;
pub(super) mod wiki;
pub(super) mod workspaces;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use self::pages::page;
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
