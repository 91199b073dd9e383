//! Tables of a workspace: rows with an id, fields named as their columns, and the stamps of who wrote them when.

use rusqlite::ToSql;

/// An id: chosen by a caller, or by SQLite.
pub(super) trait RowId: ToSql + ToString {
    /// Takes what SQLite chose.
    fn learn(&mut self, _chosen: i64) {}
}

impl RowId for String {}

impl RowId for i64 {
    fn learn(&mut self, chosen: i64) {
        *self = chosen;
    }
}

/// Reads and writes a table of a workspace. All of its SQL comes from one list of fields. Rows are *named*, by an id that
/// is text, and have an order of their own; or *numbered*, by SQLite and in the order in which they came.
///
/// Fields are read by their place in the list: to look a column up by its name takes longer than to read it, and a bundle
/// has tens of thousands.
macro_rules! rows {
    (named fn $read:ident -> $row:ident, $entity:ident in $table:literal { $($field:ident),+ $(,)? }) => {
        $crate::domain::store::rows::rows!(@table $read $row $entity $table [seq] [] { $($field),+ });

        /// The row of this id.
        pub(in crate::domain) fn find(
            conn: &rusqlite::Connection,
            of: &$crate::domain::access::WorkspaceKey<'_>,
            id: &str,
        ) -> $crate::error::Result<Option<$row>> {
            let sql = format!("SELECT {COLUMNS} FROM {} WHERE workspace_pk = ? AND id = ?", $table);
            $crate::domain::store::one(conn, &sql, rusqlite::params![of.pk, id], |row| $read(row, of.id))
        }

        /// All rows, in their order.
        pub(in crate::domain) fn list(
            conn: &rusqlite::Connection,
            of: &$crate::domain::access::WorkspaceKey<'_>,
        ) -> $crate::error::Result<Vec<$row>> {
            let sql = format!("SELECT {COLUMNS} FROM {} WHERE workspace_pk = ? ORDER BY seq, id", $table);
            $crate::domain::store::all(conn, &sql, [of.pk], |row| $read(row, of.id))
        }

        /// Whether a row has this id.
        pub(in crate::domain) fn id_taken(
            conn: &rusqlite::Connection,
            workspace_pk: i64,
            id: &str,
        ) -> $crate::error::Result<bool> {
            const SQL: &str = concat!("SELECT EXISTS (SELECT 1 FROM ", $table, " WHERE workspace_pk = ? AND id = ?)");
            $crate::domain::store::exists(conn, SQL, rusqlite::params![workspace_pk, id])
        }

        /// A place behind the last row, with room between them.
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

            fn insert(&mut self, to: &$crate::domain::access::Logged<'_>) -> $crate::error::Result<()> {
                // A number of 0 is none yet: SQLite chooses one.
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

            fn update(&self, to: &$crate::domain::access::Logged<'_>) -> $crate::error::Result<()> {
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

            fn delete(&self, to: &$crate::domain::access::Logged<'_>) -> $crate::error::Result<()> {
                const SQL: &str = concat!("DELETE FROM ", $table, " WHERE workspace_pk = ? AND id = ?");
                $crate::domain::store::run(to.conn, SQL, rusqlite::params![to.scope.workspace_pk(), self.id])?;
                Ok(())
            }
        }
    };
}

/// A place for a value in SQL, for each field.
macro_rules! mark {
    ($field:ident) => {
        "?, "
    };
}

pub(in crate::domain::store) use {mark, rows};
