//! The SQL of rows, which is the same for all kinds: it follows from what [`Record`] and [`WorkspaceRow`] say of their tables.
//! The text of each statement is built once.

use std::sync::OnceLock;

use rusqlite::{Connection, ToSql, params, params_from_iter};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{
            record::{Entity, GAP, Owner, Record, WorkspaceRow, WriteToken},
            workspace::WorkspaceKey,
        },
        paging::{self, Page, Window},
    },
    error::{Error, Result},
};

/// A value for each kind.
type PerEntity<T> = [OnceLock<T>; Entity::ALL.len()];

struct Writes {
    insert: String,
    update: String,
    delete: String,
}

fn writes<R: Record>() -> &'static Writes {
    static ALL: PerEntity<Writes> = [const { OnceLock::new() }; Entity::ALL.len()];
    ALL[R::ENTITY as usize].get_or_init(|| {
        let table = R::ENTITY.table();
        let metadata = ["revision", "updated_at", "updated_by"];
        let owners: Vec<&str> = R::OWNERS.iter().map(|owner| owner.column()).collect();
        let columns = [&owners[..], R::KEY, R::COLUMNS, &metadata, &R::CREATED].concat();
        let is_number = |at: usize| R::IS_NUMBERED && at == owners.len();
        let value = |at: usize| if is_number(at) { format!("nullif(?{}, 0)", at + 1) } else { format!("?{}", at + 1) };
        let values: Vec<String> = (0..columns.len()).map(value).collect();
        // The parameters of an update are those of an insertion without the last two: the creation does not change.
        let equal = |at: usize| format!("{} = ?{}", columns[at], at + 1);
        let fields = owners.len() + R::KEY.len();
        let changed: Vec<String> = (fields..columns.len() - R::CREATED.len()).map(equal).collect();
        let key: Vec<String> = (0..1).chain(owners.len()..fields).map(equal).collect();
        Writes {
            insert: format!("INSERT INTO {table} ({}) VALUES ({})", columns.join(", "), values.join(", ")),
            update: format!("UPDATE {table} SET {} WHERE {}", changed.join(", "), key.join(" AND ")),
            delete: format!("DELETE FROM {table} WHERE {} = ? AND {} = ?", owners[0], R::KEY.join(" = ? AND ")),
        }
    })
}

/// Inserts a row, or updates it apart from its creation time and author.
pub(in crate::domain::core) fn put<R: Record>(row: &mut R, to: &WriteToken<'_>) -> Result<()> {
    row.prepare(to)?;
    let metadata = row.metadata().clone();
    let owners: Vec<_> = R::OWNERS.iter().map(|owner| owner_of(*owner, to)).collect();
    let mut params: Vec<&dyn ToSql> = owners.iter().map(|owner| owner as &dyn ToSql).collect();
    params.extend(row.values());
    params.extend([&metadata.revision as &dyn ToSql, &metadata.updated_at, &metadata.updated_by]);
    if to.is_new {
        params.extend([&metadata.created_at as &dyn ToSql, &metadata.created_by]);
    }
    let Writes { insert, update, .. } = writes::<R>();
    let changed = run(to.conn, if to.is_new { insert } else { update }, &*params)?;
    expect_one(row, changed)?;
    if to.is_new && R::IS_NUMBERED {
        row.set_number(to.conn.last_insert_rowid());
    }
    Ok(())
}

/// Deletes the row with the same key.
pub(in crate::domain::core) fn delete<R: Record>(row: &R, to: &WriteToken<'_>) -> Result<()> {
    let owner = owner_of(R::OWNERS[0], to);
    let key = row.values().into_iter().take(R::KEY.len());
    let key = params_from_iter([&owner as &dyn ToSql].into_iter().chain(key));
    expect_one(row, run(to.conn, &writes::<R>().delete, key)?)
}

/// Fails unless a statement that wrote `row` changed exactly one row. Otherwise the log would have a write that did not happen,
/// and undo would find a gap.
fn expect_one<R: Record>(row: &R, changed: usize) -> Result<()> {
    if changed == 1 {
        return Ok(());
    }
    let (kind, key) = (R::ENTITY.as_str(), row.key());
    Err(Error::internal(format!("a write of the {kind} `{key}` changed {changed} rows")))
}

fn owner_of<'t>(owner: Owner, to: &'t WriteToken<'_>) -> Box<dyn ToSql + 't> {
    match owner {
        Owner::Workspace => Box::new(to.scope.workspace_pk()),
        Owner::Organization => Box::new(to.scope.organization_id()),
    }
}

struct Reads {
    columns: String,
    find: String,
    list: String,
    page: String,
    exists: String,
    last: String,
}

fn reads<R: WorkspaceRow>() -> &'static Reads {
    static ALL: PerEntity<Reads> = [const { OnceLock::new() }; Entity::ALL.len()];
    ALL[R::ENTITY as usize].get_or_init(|| {
        let (table, order) = (R::ENTITY.table(), R::ORDER);
        let [created_at, created_by] = R::CREATED;
        let columns = [R::KEY, R::COLUMNS, &["revision", created_at, created_by, "updated_at", "updated_by"]].concat();
        let columns = columns.join(", ");
        let select = format!("SELECT {columns} FROM {table} WHERE workspace_pk = ?");
        let key = format!("{} = ?", R::KEY.join(" = ? AND "));
        let position = order.split(',').next().unwrap_or(order);
        Reads {
            find: format!("{select} AND {key}"),
            list: format!("{select} ORDER BY {order}"),
            page: format!("{select} AND ({order}) > (?, ?) ORDER BY {order} LIMIT ?"),
            exists: format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE workspace_pk = ? AND {key})"),
            last: format!("SELECT max({position}) FROM {table} WHERE workspace_pk = ?"),
            columns,
        }
    })
}

/// The columns that [`WorkspaceRow::read`] reads.
pub(in crate::domain) fn columns<R: WorkspaceRow>() -> &'static str {
    &reads::<R>().columns
}

/// The row with this key: the values of its columns, joined by `/`. None if the text is not a key.
pub(in crate::domain) fn find<R: WorkspaceRow>(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    key: &str,
) -> Result<Option<R>> {
    let key: Vec<&str> = key.splitn(R::KEY.len(), '/').collect();
    if key.len() != R::KEY.len() {
        return Ok(None);
    }
    let params = [&of.pk as &dyn ToSql].into_iter().chain(key.iter().map(|value| value as &dyn ToSql));
    one(conn, &reads::<R>().find, params_from_iter(params), |row| R::read(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list<R: WorkspaceRow>(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<R>> {
    all(conn, &reads::<R>().list, [of.pk], |row| R::read(row, of.id))
}

/// The rows that have this value in a column, in list order.
pub(in crate::domain) fn list_by<R: WorkspaceRow>(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    column: &'static str,
    value: &str,
) -> Result<Vec<R>> {
    let (columns, table, order) = (columns::<R>(), R::ENTITY.table(), R::ORDER);
    let sql = format!("SELECT {columns} FROM {table} WHERE workspace_pk = ? AND {column} = ? ORDER BY {order}");
    all(conn, &sql, params![of.pk, value], |row| R::read(row, of.id))
}

/// A page of the rows that have an order value, in list order.
pub(in crate::domain) fn page<R: WorkspaceRow>(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<R>> {
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    paging::page(conn, &reads::<R>().page, params, window, |row| {
        let row = R::read(row, of.id)?;
        Ok(((row.list_position().unwrap_or_default(), row.key()), row))
    })
}

/// Whether there is a row with this id.
pub(in crate::domain) fn has<R: WorkspaceRow>(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    exists(conn, &reads::<R>().exists, params![workspace_pk, id])
}

/// The order value after the last row.
pub(in crate::domain) fn next_position<R: WorkspaceRow>(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let last: Option<i64> = one(conn, &reads::<R>().last, [workspace_pk], |row| row.get(0))?.flatten();
    Ok(last.unwrap_or(0) + GAP)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::core::{scope::Scope, workspace::Workspace};

    #[test]
    fn an_update_of_a_missing_row_fails_and_inserts_nothing() {
        let conn = crate::db::empty_in_memory();
        let row = json!({
            "id": "shop", "name": "Shop", "ownerUserId": 1, "orgId": "org_1", "visibility": "private",
            "organizationAccess": "view", "properties": {}, "revision": 1, "createdAt": 1, "updatedAt": 1, "myRole": null,
        });
        let mut row: Workspace = serde_json::from_value(row).unwrap();
        let scope = Scope::Workspace { pk: 1, organization_id: "org_1".into() };
        let written = put(&mut row, &WriteToken { conn: &conn, scope: &scope, is_new: false });
        assert!(written.unwrap_err().to_string().contains("changed 0 rows"));
        let rows: i64 = conn.query_row("SELECT count(*) FROM workspace", [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0);
    }
}
