//! Queries shared by people, teams, and roles, the entries of an organization's directory.

use rusqlite::{Connection, Row, params};

use super::{all, exists, one, page};
use crate::{
    domain::{
        access::{Reach, Record},
        paging::{Page, Window},
    },
    error::Result,
};

/// A directory entry with an id: a person, a team, or a role.
pub(in crate::domain) trait Entry: Record {
    /// Table name; also the name of the kind.
    const TABLE: &'static str;
    /// Column with the position in the list.
    const PLACE: &'static str;
    /// Column of `stakeholder` that refers to the entry.
    const LINKED_BY: &'static str;
    /// Reads a row of the table.
    fn read(row: &Row<'_>) -> rusqlite::Result<Self>;
    /// Id of the entry.
    fn id(&self) -> &str;
    /// Id of the organization.
    fn org_id(&self) -> &str;
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

pub(in crate::domain) fn id_taken<E: Entry>(conn: &Connection, organization_id: &str, id: &str) -> Result<bool> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM {} WHERE organization_id = ? AND id = ?)", E::TABLE);
    exists(conn, &sql, [organization_id, id])
}

/// Position after the last entry.
pub(in crate::domain) fn next_place<E: Entry>(conn: &Connection, organization_id: &str) -> Result<i64> {
    let (table, place) = (E::TABLE, E::PLACE);
    let sql = format!("SELECT coalesce(max({place}), -1) + 1 FROM {table} WHERE organization_id = ?");
    Ok(one(conn, &sql, params![organization_id], |row| row.get(0))?.unwrap_or_default())
}

/// Implements reading and writing of a directory table. All SQL is generated from one list of fields, which have the
/// names of their columns.
macro_rules! entry {
    ($row:ident in $table:literal, placed by $place:ident, linked by $linked:literal, with { $($field:ident),+ $(,)? }) => {
        impl $crate::domain::store::directory::Entry for $row {
            const TABLE: &'static str = $table;
            const PLACE: &'static str = stringify!($place);
            const LINKED_BY: &'static str = $linked;

            fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                Ok(Self {
                    org_id: row.get("organization_id")?,
                    id: row.get("id")?,
                    $($field: row.get(stringify!($field))?,)+
                    written: $crate::domain::store::written(row)?,
                })
            }

            fn id(&self) -> &str {
                &self.id
            }

            fn org_id(&self) -> &str {
                &self.org_id
            }
        }

        impl $crate::domain::access::Record for $row {
            const ENTITY: $crate::domain::access::Entity = $crate::domain::access::Entity::$row;

            fn key(&self) -> String {
                self.id.clone()
            }

            fn seq(&self) -> Option<i64> {
                Some(self.$place)
            }

            fn written(&mut self) -> &mut $crate::domain::access::Written {
                &mut self.written
            }

            fn insert(&mut self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!(
                    "INSERT INTO ", $table, " (organization_id, id, ", $(stringify!($field), ", ",)+
                    "revision, created_at, created_by, updated_at, updated_by) VALUES (?, ?, ",
                    $($crate::domain::store::rows::mark!($field),)+ "?, ?, ?, ?, ?)"
                );
                let written = &self.written;
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![
                    to.scope.organization_id(),
                    self.id,
                    $(self.$field,)+
                    written.revision,
                    written.created_at,
                    written.created_by,
                    written.updated_at,
                    written.updated_by
                ])?;
                Ok(())
            }

            fn update(&self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!(
                    "UPDATE ", $table, " SET ", $(stringify!($field), " = ?, ",)+
                    "revision = ?, updated_at = ?, updated_by = ? WHERE organization_id = ? AND id = ?"
                );
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![
                    $(self.$field,)+
                    self.written.revision,
                    self.written.updated_at,
                    self.written.updated_by,
                    to.scope.organization_id(),
                    self.id
                ])?;
                Ok(())
            }

            fn delete(&self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!("DELETE FROM ", $table, " WHERE organization_id = ? AND id = ?");
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![to.scope.organization_id(), self.id])?;
                Ok(())
            }
        }
    };
}
pub(in crate::domain::store) use entry;
