//! Images that notes show.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{one, run},
    domain::map::notes::ImageId,
    error::Result,
    images::EncodedImage,
};

/// Width and height of an image in pixels; none if the workspace does not have it.
pub(in crate::domain) fn size(conn: &Connection, workspace_pk: i64, id: &ImageId) -> Result<Option<(u32, u32)>> {
    let sql = "SELECT width, height FROM note_image WHERE workspace_pk = ? AND id = ?";
    one(conn, sql, params![workspace_pk, id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Media type and content of an image.
pub(in crate::domain) fn content(
    conn: &Connection,
    workspace_pk: i64,
    id: &ImageId,
) -> Result<Option<(String, Vec<u8>)>> {
    let sql = "SELECT media_type, content FROM note_image WHERE workspace_pk = ? AND id = ?";
    one(conn, sql, params![workspace_pk, id], |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?)))
}

/// Size of the images that notes show, in bytes.
pub(in crate::domain) fn bytes_shown(conn: &Connection, workspace_pk: i64) -> Result<usize> {
    let sql = "SELECT ifnull(sum(octet_length(content)), 0) FROM note_image
               WHERE workspace_pk = ?1 AND id IN (SELECT image_id FROM note WHERE workspace_pk = ?1)";
    let bytes: i64 = one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or_default();
    Ok(usize::try_from(bytes).unwrap_or_default())
}

/// Notes that an image was uploaded again. Returns whether the workspace has it.
pub(in crate::domain) fn touch(conn: &Connection, workspace_pk: i64, id: &ImageId, now: i64) -> Result<bool> {
    let sql = "UPDATE note_image SET uploaded_at = ? WHERE workspace_pk = ? AND id = ?";
    Ok(run(conn, sql, params![now, workspace_pk, id])? > 0)
}

/// Stores an image that the workspace does not have.
pub(in crate::domain) fn insert(
    conn: &Connection,
    workspace_pk: i64,
    id: &ImageId,
    image: &EncodedImage,
    now: i64,
) -> Result<()> {
    let sql = "INSERT INTO note_image (workspace_pk, id, media_type, width, height, content, uploaded_at)
               VALUES (?, ?, ?, ?, ?, ?, ?)";
    let EncodedImage { media_type, width, height, bytes } = image;
    run(conn, sql, params![workspace_pk, id, media_type, width, height, bytes, now]).map(drop)
}

/// Condition: a note, a saved version or a logged change refers to `note_image i`. The indexes are named because SQLite
/// would otherwise read all changes of notes; `+` removes the affinity of the column, which these indexes do not have.
const IS_USED: &str = "(
    EXISTS (SELECT 1 FROM note n WHERE n.workspace_pk = i.workspace_pk AND n.image_id = i.id)
    OR EXISTS (SELECT 1 FROM version_image v WHERE v.workspace_pk = i.workspace_pk AND v.image_id = i.id)
    OR EXISTS (SELECT 1 FROM change c INDEXED BY change_image_before WHERE c.entity = 'note'
               AND c.workspace_pk = i.workspace_pk AND json_extract(c.before, '$.imageId') = +i.id)
    OR EXISTS (SELECT 1 FROM change c INDEXED BY change_image_after WHERE c.entity = 'note'
               AND c.workspace_pk = i.workspace_pk AND json_extract(c.after, '$.imageId') = +i.id))";

/// Deletes at most `limit` unused images that were uploaded before `before`. Returns how many.
pub(in crate::domain) fn delete_unused(conn: &Connection, before: i64, limit: usize) -> Result<usize> {
    let sql = format!(
        "DELETE FROM note_image WHERE rowid IN (
             SELECT i.rowid FROM note_image i WHERE i.uploaded_at < ? AND NOT {IS_USED} LIMIT ?)"
    );
    run(conn, &sql, params![before, i64::try_from(limit).unwrap_or(i64::MAX)])
}

/// Stores which images a saved version contains.
pub(in crate::domain) fn insert_of_version<'i>(
    conn: &Connection,
    workspace_pk: i64,
    version_id: i64,
    images: impl Iterator<Item = &'i ImageId>,
) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO version_image (version_id, workspace_pk, image_id) VALUES (?, ?, ?)";
    for id in images {
        run(conn, sql, params![version_id, workspace_pk, id])?;
    }
    Ok(())
}

/// Copies the images that the notes of one workspace show to another one, which has no images.
pub(in crate::domain) fn copy(conn: &Connection, from: i64, to: i64, now: i64) -> Result<()> {
    let sql = "INSERT INTO note_image (workspace_pk, id, media_type, width, height, uploaded_at, content)
               SELECT ?1, id, media_type, width, height, ?2, content FROM note_image
               WHERE workspace_pk = ?3 AND id IN (SELECT image_id FROM note WHERE workspace_pk = ?3)";
    run(conn, sql, [to, now, from]).map(drop)
}

/// Copies an image to another workspace, unless it has it.
pub(in crate::domain) fn copy_one(conn: &Connection, from: i64, to: i64, id: &ImageId, now: i64) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO note_image (workspace_pk, id, media_type, width, height, uploaded_at, content)
               SELECT ?1, id, media_type, width, height, ?2, content FROM note_image
               WHERE workspace_pk = ?3 AND id = ?4";
    run(conn, sql, params![to, now, from, id]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::seeded;

    #[test]
    fn references_to_an_image_are_found_with_indexes() {
        let conn = seeded();
        let mut plan = conn.prepare(&format!("EXPLAIN QUERY PLAN SELECT 1 FROM note_image i WHERE {IS_USED}")).unwrap();
        let steps = plan.query_map([], |row| row.get::<_, String>("detail")).unwrap();
        let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
        for index in [
            "note_image_use",
            "PRIMARY KEY",
            "change_image_before (workspace_pk=? AND <expr>=?)",
            "change_image_after (workspace_pk=? AND <expr>=?)",
        ] {
            assert!(steps.iter().any(|step| step.contains(index)), "{index}: {steps:?}");
        }
        assert!(!steps.iter().any(|step| step.starts_with("SCAN c") || step.starts_with("SCAN n ")), "{steps:?}");
    }
}
