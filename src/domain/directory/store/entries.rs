//! Queries shared by people, teams, roles, and kinds, the entries of an organization's directory.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one},
    domain::{
        core::{Entity, Reach, Record},
        paging::{Page, Window, page},
    },
    error::Result,
};

/// A directory entry with an id: a person, a team, a role, or a kind.
pub(in crate::domain) trait Entry: Record {
    /// Table name; also the name of the kind.
    const TABLE: &'static str = Self::ENTITY.table();
    /// Column with the position in the list.
    const PLACE: &'static str;
    /// Reads a row of the table.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self>;
    /// Id of the entry.
    fn id(&self) -> &str;
    /// Id of the organization.
    fn org_id(&self) -> &str;
}

/// A directory entry that stakeholders refer to.
pub(in crate::domain) trait LinkedEntry: Entry {
    /// Column of `stakeholder` that refers to the entry.
    const LINKED_BY: &'static str;
}

/// Id of an entry of an organization that is called so, ignoring the case of the letters a to z.
pub(in crate::domain) fn id_of_name<E: Entry>(
    conn: &Connection,
    organization_id: &str,
    name: &str,
) -> Result<Option<String>> {
    let sql = format!(
        "SELECT id FROM {} WHERE organization_id = ? AND name = ? COLLATE NOCASE ORDER BY {}, id LIMIT 1",
        E::TABLE,
        E::PLACE
    );
    one(conn, &sql, [organization_id, name], |row| row.get(0))
}

/// Sort key of directory entries: organization, position, time of creation, row number.
pub(in crate::domain) type Order = (String, i64, i64, i64);

/// Entries of an organization in list order, or of all organizations one after another.
pub(in crate::domain) fn list<E: Entry>(conn: &Connection, reach: &Reach, window: &Window<Order>) -> Result<Page<E>> {
    let order = format!("{}, created_at, rowid", E::PLACE);
    let columns = format!("*, {} AS sort_place, rowid AS sort_row", E::PLACE);
    let (organization_id, place, created_at, row_id) = &window.after;
    let read = |row: &Row<'_>| {
        let entry = E::read(row)?;
        let key = (entry.org_id().to_owned(), row.get("sort_place")?, row.get("created_at")?, row.get("sort_row")?);
        Ok((key, entry))
    };
    match reach {
        Reach::Organization(id) => {
            let sql = format!(
                "SELECT {columns} FROM {} WHERE organization_id = ? AND ({order}) > (?, ?, ?) ORDER BY {order} LIMIT ?",
                E::TABLE
            );
            page(conn, &sql, params![id, place, created_at, row_id, window.rows()], window, read)
        }
        Reach::Everything => {
            let sql = format!(
                "SELECT {columns} FROM {} WHERE (organization_id, {order}) > (?, ?, ?, ?)
                 ORDER BY organization_id, {order} LIMIT ?",
                E::TABLE
            );
            page(conn, &sql, params![organization_id, place, created_at, row_id, window.rows()], window, read)
        }
    }
}

/// Entries with this id: at most one in an organization, possibly several across organizations.
pub(in crate::domain) fn named<E: Entry>(conn: &Connection, reach: &Reach, id: &str) -> Result<Vec<E>> {
    match reach {
        Reach::Organization(organization_id) => Ok(find(conn, organization_id, id)?.into_iter().collect()),
        Reach::Everything => {
            let sql = format!("SELECT * FROM {} WHERE id = ? ORDER BY organization_id", E::TABLE);
            all(conn, &sql, [id], E::read)
        }
    }
}

pub(in crate::domain) fn find<E: Entry>(conn: &Connection, organization_id: &str, id: &str) -> Result<Option<E>> {
    let sql = format!("SELECT * FROM {} WHERE organization_id = ? AND id = ?", E::TABLE);
    one(conn, &sql, [organization_id, id], E::read)
}

pub(in crate::domain) fn id_taken(conn: &Connection, organization_id: &str, kind: Entity, id: &str) -> Result<bool> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {} WHERE organization_id = ? AND id = ?)", kind.table());
    exists(conn, &sql, [organization_id, id])
}

/// Position after the last entry.
pub(in crate::domain) fn next_place<E: Entry>(conn: &Connection, organization_id: &str) -> Result<i64> {
    let (table, place) = (E::TABLE, E::PLACE);
    let sql = format!("SELECT coalesce(max({place}), -1) + 1 FROM {table} WHERE organization_id = ?");
    Ok(one(conn, &sql, params![organization_id], |row| row.get(0))?.unwrap_or_default())
}
