//! Notes, frames and images on the map.

use rusqlite::{Connection, Row, ToSql};

use crate::{
    db::sql::one,
    domain::{
        core::{Entity, HitKind, Record, RowMetadata, WorkspaceRow, metadata_at, searched::Affected},
        map::{model::notes::ImageId, notes::Note},
    },
    error::Result,
};

/// Size of the texts that are drawn, with at most the first `most` bytes of each.
pub(in crate::domain) fn text_bytes(conn: &Connection, workspace_pk: i64, most: usize) -> Result<usize> {
    let sql = "SELECT ifnull(sum(min(octet_length(text), ?)), 0) FROM note WHERE workspace_pk = ?";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let bytes: i64 = one(conn, sql, [most, workspace_pk], |row| row.get(0))?.unwrap_or_default();
    Ok(usize::try_from(bytes).unwrap_or_default())
}

impl Record for Note {
    const ENTITY: Entity = Entity::Note;
    const COLUMNS: &'static [&'static str] =
        &["seq", "kind", "text", "color", "x", "y", "width", "height", "layer", "image_id"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.seq,
            &self.kind,
            &self.text,
            &self.color,
            &self.x,
            &self.y,
            &self.width,
            &self.height,
            &self.layer,
            &self.image_id,
        ]
    }

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
}

impl WorkspaceRow for Note {
    const LIST: &'static str = "notes";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
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
}
