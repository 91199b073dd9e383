//! Tables of a workspace: rows with an id, fields with the names of their columns, timestamps, and authors.

use rusqlite::ToSql;

/// A row id, chosen by the client or by SQLite.
pub(super) trait RowId: ToSql + ToString {
    /// Stores the id that SQLite chose.
    fn learn(&mut self, _chosen: i64) {}
}

impl RowId for String {}

impl RowId for i64 {
    fn learn(&mut self, chosen: i64) {
        *self = chosen;
    }
}

/// Implements reading and writing of a workspace table. All SQL is generated from one list of fields. Rows are either
/// *named*, with a text id and a separate position, or *numbered* by SQLite in creation order.
///
/// Fields are read by column index: a lookup by name takes longer than reading the value, and an export bundle has tens
/// of thousands of values.
macro_rules! rows {
    (named fn $read:ident -> $row:ident, $entity:ident in $table:literal { $($field:ident),+ $(,)? }) => {
        $crate::domain::store::rows::rows!(@table $read $row $entity $table [seq] [] { $($field),+ });

        /// Finds a row by id.
        pub(in crate::domain) fn find(
            conn: &rusqlite::Connection,
            of: &$crate::domain::access::WorkspaceKey<'_>,
            id: &str,
        ) -> $crate::error::Result<Option<$row>> {
            let sql = format!("SELECT {COLUMNS} FROM {} WHERE workspace_pk = ? AND id = ?", $table);
            $crate::domain::store::one(conn, &sql, rusqlite::params![of.pk, id], |row| $read(row, of.id))
        }

        /// All rows, in list order.
        pub(in crate::domain) fn list(
            conn: &rusqlite::Connection,
            of: &$crate::domain::access::WorkspaceKey<'_>,
        ) -> $crate::error::Result<Vec<$row>> {
            let sql = format!("SELECT {COLUMNS} FROM {} WHERE workspace_pk = ? ORDER BY seq, id", $table);
            $crate::domain::store::all(conn, &sql, [of.pk], |row| $read(row, of.id))
        }

        /// Whether the id is taken.
        pub(in crate::domain) fn id_taken(
            conn: &rusqlite::Connection,
            workspace_pk: i64,
            id: &str,
        ) -> $crate::error::Result<bool> {
            const SQL: &str = concat!("SELECT EXISTS (SELECT 1 FROM ", $table, " WHERE workspace_pk = ? AND id = ?)");
            $crate::domain::store::exists(conn, SQL, rusqlite::params![workspace_pk, id])
        }

        /// Position after the last row. Positions have gaps between them.
        pub(in crate::domain) fn next_seq(
            conn: &rusqlite::Connection,
            workspace_pk: i64,
        ) -> $crate::error::Result<i64> {
            const SQL: &str = concat!("SELECT coalesce(max(seq), 0) + ? FROM ", $table, " WHERE workspace_pk = ?");
            let gap = $crate::domain::bulk::GAP;
            Ok($crate::domain::store::one(conn, SQL, [gap, workspace_pk], |row| row.get(0))?.unwrap_or(gap))
        }
    };
    (numbered fn $read:ident -> $row:ident, $entity:ident in $table:literal $(with $beside:ident)?
     { $($field:ident),+ $(,)? }) => {
        $crate::domain::store::rows::rows!(@table $read $row $entity $table [] [$($beside)?] { $($field),+ });
    };
    (@table $read:ident $row:ident $entity:ident $table:literal [$($seq:ident)?] [$($beside:ident)?]
     { $($field:ident),+ }) => {
        const COLUMNS: &str = concat!(
            "id, ", $(stringify!($seq), ", ",)? $(stringify!($field), ", ",)+
            "revision, created_at, created_by, updated_at, updated_by"
        );

        fn $read(row: &rusqlite::Row<'_>, workspace_id: &str) -> rusqlite::Result<$row> {
            let mut places = 0..;
            let mut next = || places.next().unwrap_or_default();
            let id = row.get(next())?;
            $(let $seq = row.get(next())?;)?
            $(let $field = row.get(next())?;)+
            let written = $crate::domain::access::Written {
                revision: row.get(next())?,
                created_at: row.get(next())?,
                created_by: row.get(next())?,
                updated_at: row.get(next())?,
                updated_by: row.get(next())?,
            };
            Ok($row { id, $($seq,)? $($field,)+ workspace_id: workspace_id.to_owned(), written })
        }

        impl $crate::domain::access::Record for $row {
            const ENTITY: $crate::domain::access::Entity = $crate::domain::access::Entity::$entity;

            fn key(&self) -> String {
                self.id.to_string()
            }

            $(fn seq(&self) -> Option<i64> {
                Some(self.$seq)
            })?

            fn written(&mut self) -> &mut $crate::domain::access::Written {
                &mut self.written
            }

            fn insert(&mut self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                // An id of 0 means that SQLite chooses the id.
                const SQL: &str = concat!(
                    "INSERT INTO ", $table, " (workspace_pk, ", $(stringify!($beside), ", ",)? "id, ",
                    $(stringify!($seq), ", ",)? $(stringify!($field), ", ",)+
                    "revision, created_at, created_by, updated_at, updated_by) VALUES (?, ",
                    $($crate::domain::store::rows::mark!($beside),)? "nullif(?, 0), ",
                    $($crate::domain::store::rows::mark!($seq),)? $($crate::domain::store::rows::mark!($field),)+
                    "?, ?, ?, ?, ?)"
                );
                let written = &self.written;
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![
                    to.scope.workspace_pk(),
                    $(to.scope.$beside(),)?
                    self.id,
                    $(self.$seq,)?
                    $(self.$field,)+
                    written.revision,
                    written.created_at,
                    written.created_by,
                    written.updated_at,
                    written.updated_by
                ])?;
                $crate::domain::store::rows::RowId::learn(&mut self.id, to.conn.last_insert_rowid());
                Ok(())
            }

            fn update(&self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!(
                    "UPDATE ", $table, " SET ", $(stringify!($seq), " = ?, ",)? $(stringify!($field), " = ?, ",)+
                    "revision = ?, updated_at = ?, updated_by = ? WHERE workspace_pk = ? AND id = ?"
                );
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![
                    $(self.$seq,)?
                    $(self.$field,)+
                    self.written.revision,
                    self.written.updated_at,
                    self.written.updated_by,
                    to.scope.workspace_pk(),
                    self.id
                ])?;
                Ok(())
            }

            fn delete(&self, to: &$crate::domain::access::WriteToken<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!("DELETE FROM ", $table, " WHERE workspace_pk = ? AND id = ?");
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![to.scope.workspace_pk(), self.id])?;
                Ok(())
            }
        }
    };
}

/// An SQL placeholder for a field.
macro_rules! mark {
    ($field:ident) => {
        "?, "
    };
}

pub(in crate::domain::store) use {mark, rows};
