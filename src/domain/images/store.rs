//! External images: attempts to download each address, and the downloaded content.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, one, run},
    domain::map::links::LinkKind,
    error::{Error, Result},
    images::Image,
    wiki,
};

/// Source of an image, and the organization that uses it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::domain) struct ImageKey {
    pub organization_id: String,
    pub address: String,
}

impl ImageKey {
    /// Whether the image is a wiki upload, whose URL only the wiki can provide.
    pub fn is_upload(&self) -> bool {
        wiki::is_upload(&self.address)
    }
}

/// Result of the last download attempt. Times are in Unix milliseconds.
#[derive(Debug, Clone)]
pub(in crate::domain) struct DownloadAttempt {
    /// SHA-256 of the content, possibly from an earlier attempt.
    pub hash: Option<Vec<u8>>,
    pub problem: Option<String>,
    /// Number of failures since the last success.
    pub failures: i64,
    pub tried_at: i64,
    pub due_at: i64,
}

/// Condition: `image i` can be downloaded. Uploads require a working wiki connection.
const IS_AVAILABLE: &str = "(
    i.address NOT GLOB 'upload:*'
    OR EXISTS (SELECT 1 FROM wiki_connection c WHERE c.organization_id = i.organization_id AND c.broken_since IS NULL))";

/// Condition: a row uses the address of `image i`.
const IS_USED: &str = "(
    EXISTS (SELECT 1 FROM person p WHERE p.organization_id = i.organization_id AND p.photo_url = i.address)
    OR EXISTS (SELECT 1 FROM external_link l JOIN workspace w ON w.pk = l.workspace_pk
               WHERE l.icon = i.address AND w.organization_id = i.organization_id)
    OR EXISTS (SELECT 1 FROM wiki_connection c
               WHERE c.organization_id = i.organization_id AND c.workspace_icon = i.address))";

pub(in crate::domain) fn find(conn: &Connection, key: &ImageKey) -> Result<Option<DownloadAttempt>> {
    let sql = "SELECT hash, problem, failures, tried_at, due_at FROM image WHERE organization_id = ? AND address = ?";
    let read = |row: &Row<'_>| {
        Ok(DownloadAttempt {
            hash: row.get(0)?,
            problem: row.get(1)?,
            failures: row.get(2)?,
            tried_at: row.get(3)?,
            due_at: row.get(4)?,
        })
    };
    one(conn, sql, [&key.organization_id, &key.address], read)
}

/// Media type and bytes of the content with this hash.
pub(in crate::domain) fn content(conn: &Connection, hash: &[u8]) -> Result<(String, Vec<u8>)> {
    let sql = "SELECT media_type, bytes FROM image_content WHERE hash = ?";
    let found = one(conn, sql, [hash], |row| Ok((row.get(0)?, row.get(1)?)))?;
    found.ok_or_else(|| Error::internal("an image has no content"))
}

/// Number of images of an organization and their total size in bytes.
pub(in crate::domain) fn used(conn: &Connection, organization_id: &str) -> Result<(i64, i64)> {
    let sql = "SELECT count(*), coalesce(sum(c.size), 0) FROM image i LEFT JOIN image_content c ON c.hash = i.hash
               WHERE i.organization_id = ?";
    Ok(one(conn, sql, [organization_id], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

/// Stores content, unless content with the same hash exists.
pub(in crate::domain) fn insert(conn: &Connection, hash: &[u8], image: &Image) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO image_content (hash, media_type, size, bytes) VALUES (?1, ?2, length(?3), ?3)";
    run(conn, sql, params![hash, image.media_type, image.bytes]).map(drop)
}

/// Stores the result of a download attempt.
pub(in crate::domain) fn put(conn: &Connection, key: &ImageKey, attempt: &DownloadAttempt) -> Result<()> {
    let sql = "INSERT OR REPLACE INTO image (organization_id, address, hash, problem, failures, tried_at, due_at)
               VALUES (?, ?, ?, ?, ?, ?, ?)";
    let DownloadAttempt { hash, problem, failures, tried_at, due_at } = attempt;
    run(conn, sql, params![key.organization_id, key.address, hash, problem, failures, tried_at, due_at]).map(drop)
}

/// At most `limit` images that are used, due, and available for download, longest overdue first.
pub(in crate::domain) fn due(conn: &Connection, now: i64, limit: usize) -> Result<Vec<ImageKey>> {
    let sql = format!(
        "SELECT organization_id, address FROM image i
         WHERE due_at <= ? AND {IS_AVAILABLE} AND {IS_USED} ORDER BY due_at LIMIT ?"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(conn, &sql, params![now, limit], |row| Ok(ImageKey { organization_id: row.get(0)?, address: row.get(1)? }))
}

/// Kind, target, and URL of the most recently fetched link with this icon.
pub(in crate::domain) fn link_with_icon(
    conn: &Connection,
    icon: &ImageKey,
) -> Result<Option<(LinkKind, Option<String>, String)>> {
    let sql = "SELECT l.kind, l.target_id, l.url FROM external_link l JOIN workspace w ON w.pk = l.workspace_pk
               WHERE l.icon = ? AND w.organization_id = ? AND w.deleted_at IS NULL AND l.kind <> 'url'
               ORDER BY l.fetched_at DESC LIMIT 1";
    one(conn, sql, [&icon.address, &icon.organization_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// Deletes a failed attempt, so that the next request downloads the image again. Has no effect if the image has
/// content.
pub(in crate::domain) fn delete_failure(conn: &Connection, key: &ImageKey) -> Result<()> {
    let sql = "DELETE FROM image WHERE organization_id = ? AND address = ? AND hash IS NULL";
    run(conn, sql, [&key.organization_id, &key.address]).map(|_| ())
}

/// Deletes unused images whose last attempt was before `before`, and content that no image refers to. Returns how many
/// images were deleted.
pub(in crate::domain) fn delete_unused(conn: &Connection, before: i64) -> Result<usize> {
    let forgotten = run(conn, &format!("DELETE FROM image AS i WHERE tried_at < ? AND NOT {IS_USED}"), [before])?;
    run(conn, "DELETE FROM image_content WHERE hash NOT IN (SELECT hash FROM image WHERE hash IS NOT NULL)", [])?;
    Ok(forgotten)
}
