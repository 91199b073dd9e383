//! Notes, frames and images on the map.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceKey, WriteToken, metadata_at, searched::Affected},
        map::{
            model::{notes::ImageId, order::GAP},
            notes::Note,
        },
        paging::{Page, Window},
    },
    error::Result,
};

/// Columns of a row, in the order in which [`note`] reads them. Values are read by index: a lookup by name takes longer
/// than reading the value, and a bundle has tens of thousands of values.
const COLUMNS: &str = "id, seq, kind, text, color, x, y, width, height, layer, image_id, revision, created_at, \
     created_by, updated_at, updated_by";

fn note(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Note> {
    Ok(Note {
        id: row.get(0)?,
        seq: row.get(1)?,
        kind: row.get(2)?,
        text: row.get(3)?,
        color: row.get(4)?,
        x: row.get(5)?,
        y: row.get(6)?,
        width: row.get(7)?,
        height: row.get(8)?,
        layer: row.get(9)?,
        image_id: row.get(10)?,
        workspace_id: workspace_id.to_owned(),
        metadata: metadata_at(row, 11)?,
    })
}

/// Finds a row by id.
pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, id: &str) -> Result<Option<Note>> {
    let sql = format!("SELECT {COLUMNS} FROM note WHERE workspace_pk = ? AND id = ?");
    one(conn, &sql, params![of.pk, id], |row| note(row, of.id))
}

/// All rows, in list order.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Note>> {
    let sql = format!("SELECT {COLUMNS} FROM note WHERE workspace_pk = ? ORDER BY seq, id");
    all(conn, &sql, [of.pk], |row| note(row, of.id))
}

/// Size of the texts that are drawn, with at most the first `most` bytes of each.
pub(in crate::domain) fn text_bytes(conn: &Connection, workspace_pk: i64, most: usize) -> Result<usize> {
    let sql = "SELECT ifnull(sum(min(octet_length(text), ?)), 0) FROM note WHERE workspace_pk = ?";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let bytes: i64 = one(conn, sql, [most, workspace_pk], |row| row.get(0))?.unwrap_or_default();
    Ok(usize::try_from(bytes).unwrap_or_default())
}

/// A page of the rows, in list order.
pub(in crate::domain) fn page(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<(i64, String)>,
) -> Result<Page<Note>> {
    let sql =
        format!("SELECT {COLUMNS} FROM note WHERE workspace_pk = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?");
    let params = params![of.pk, window.after.0, window.after.1, window.rows()];
    crate::domain::paging::page(conn, &sql, params, window, |row| {
        let note = note(row, of.id)?;
        Ok(((note.seq, note.id.clone()), note))
    })
}

/// Whether the id is taken.
pub(in crate::domain) fn id_taken(conn: &Connection, workspace_pk: i64, id: &str) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM note WHERE workspace_pk = ? AND id = ?)";
    exists(conn, sql, params![workspace_pk, id])
}

/// Order value after the last row. Order values have gaps between them.
pub(in crate::domain) fn next_seq(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(seq), 0) + ? FROM note WHERE workspace_pk = ?";
    Ok(one(conn, sql, [GAP, workspace_pk], |row| row.get(0))?.unwrap_or(GAP))
}

impl Record for Note {
    const ENTITY: Entity = Entity::Note;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Note, self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn image(&self) -> Option<&str> {
        self.image_id.as_ref().map(ImageId::as_str)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO note (
                       workspace_pk, id, seq, kind, text, color, x, y, width, height, layer, image_id, revision,
                       created_at, created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (workspace_pk, id) DO UPDATE SET
                       seq = excluded.seq, kind = excluded.kind, text = excluded.text, color = excluded.color,
                       x = excluded.x, y = excluded.y, width = excluded.width, height = excluded.height,
                       layer = excluded.layer, image_id = excluded.image_id, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.workspace_pk(),
            self.id,
            self.seq,
            self.kind,
            self.text,
            self.color,
            self.x,
            self.y,
            self.width,
            self.height,
            self.layer,
            self.image_id,
            self.metadata.revision,
            self.metadata.created_at,
            self.metadata.created_by,
            self.metadata.updated_at,
            self.metadata.updated_by,
            to.replaces,
        ];
        run(to.conn, sql, params)?;
        Ok(())
    }

    fn delete(&self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "DELETE FROM note WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
