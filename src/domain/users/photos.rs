//! Photos that users have uploaded for their account, one for each user.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{one, run},
    domain::values::UploadedPhoto,
    error::{Error, Problem, Remedy, Result},
    images::EncodedImage,
};

/// Stores the photo of a user in place of the one before. Returns its address.
pub(in crate::domain) fn put(conn: &Connection, user_id: i64, image: &EncodedImage, now: i64) -> Result<String> {
    let tag = image.tag();
    let sql = "INSERT INTO user_photo (user_id, tag, media_type, uploaded_at, content) VALUES (?, ?, ?, ?, ?)
               ON CONFLICT (user_id) DO UPDATE SET tag = excluded.tag, media_type = excluded.media_type,
                   uploaded_at = excluded.uploaded_at, content = excluded.content";
    run(conn, sql, params![user_id, tag, image.media_type, now, image.bytes])?;
    Ok(UploadedPhoto { user_id, tag: &tag }.address())
}

pub(in crate::domain) fn delete(conn: &Connection, user_id: i64) -> Result<()> {
    run(conn, "DELETE FROM user_photo WHERE user_id = ?", [user_id])?;
    Ok(())
}

/// Entity tag of the photo of a user.
pub(in crate::domain) fn tag(conn: &Connection, user_id: i64) -> Result<Option<String>> {
    one(conn, "SELECT tag FROM user_photo WHERE user_id = ?", [user_id], |row| row.get(0))
}

/// Media type and content of the photo of a user.
pub(in crate::domain) fn content(conn: &Connection, user_id: i64) -> Result<Option<(String, Vec<u8>)>> {
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    one(conn, "SELECT media_type, content FROM user_photo WHERE user_id = ?", [user_id], read)
}

/// Rejects the address of an uploaded photo as a new value, because only an upload can set it.
pub(in crate::domain) fn expect_settable(field: &'static str, before: Option<&str>, after: &str) -> Result<()> {
    if before != Some(after) && UploadedPhoto::parse(after).is_some() {
        let problem = Problem::Solvable("must not name an uploaded photo".into(), Remedy::UploadPhoto);
        return Err(Error::invalid(field, problem));
    }
    Ok(())
}
