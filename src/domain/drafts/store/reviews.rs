//! Reviews of drafts.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        drafts::model::{DraftReview, ReviewState},
        users,
    },
    error::Result,
};

/// The last verdict of a reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) struct LastVerdict {
    pub id: i64,
    pub reviewer_id: i64,
    pub verdict: ReviewState,
    pub revision: i64,
    pub created_at: i64,
}

/// The last verdicts of all reviewers of a draft, apart from comments.
pub(in crate::domain) fn last_verdicts(conn: &Connection, draft_pk: i64) -> Result<Vec<LastVerdict>> {
    // With max(), the other columns are of the same row.
    let sql = "SELECT max(id), reviewer_id, verdict, revision, created_at FROM draft_review
               WHERE draft_pk = ? AND verdict <> 'comment' GROUP BY reviewer_id";
    all(conn, sql, [draft_pk], |row| {
        Ok(LastVerdict {
            id: row.get(0)?,
            reviewer_id: row.get(1)?,
            verdict: row.get(2)?,
            revision: row.get(3)?,
            created_at: row.get(4)?,
        })
    })
}

/// The last approval or request for changes by a user; without one, their last comment.
pub(in crate::domain) fn last_of(conn: &Connection, draft_pk: i64, reviewer_id: i64) -> Result<Option<LastVerdict>> {
    let sql = "SELECT id, verdict, revision, created_at FROM draft_review WHERE draft_pk = ? AND reviewer_id = ?
               ORDER BY verdict = 'comment', id DESC LIMIT 1";
    one(conn, sql, [draft_pk, reviewer_id], |row| {
        let (verdict, revision, created_at) = (row.get(1)?, row.get(2)?, row.get(3)?);
        Ok(LastVerdict { id: row.get(0)?, reviewer_id, verdict, revision, created_at })
    })
}

/// The newest reviews of a draft, oldest first.
pub(in crate::domain) fn newest(conn: &Connection, draft_pk: i64, limit: i64) -> Result<Vec<DraftReview>> {
    let sql = format!(
        "SELECT * FROM (SELECT r.id AS review_id, r.verdict, r.text, r.revision, r.created_at AS reviewed_at, {}
         FROM draft_review r JOIN user u ON u.id = r.reviewer_id WHERE r.draft_pk = ? ORDER BY r.id DESC LIMIT ?)
         ORDER BY review_id",
        users::PROFILE
    );
    all(conn, &sql, [draft_pk, limit], |row| {
        Ok(DraftReview {
            id: row.get("review_id")?,
            reviewer: users::profile(row)?,
            verdict: row.get("verdict")?,
            text: row.get("text")?,
            revision: row.get("revision")?,
            created_at: row.get("reviewed_at")?,
            is_current: false,
        })
    })
}

/// Id of the last review of a draft before its map had this revision; 0 without one.
pub(in crate::domain) fn last_before(conn: &Connection, draft_pk: i64, revision: i64) -> Result<i64> {
    let sql = "SELECT coalesce(max(id), 0) FROM draft_review WHERE draft_pk = ? AND revision < ?";
    Ok(one(conn, sql, [draft_pk, revision], |row| row.get(0))?.unwrap_or_default())
}

/// Moves the requests for changes of one revision of a draft to a later one with the same map.
pub(in crate::domain) fn move_requests(
    conn: &Connection,
    draft_pk: i64,
    (from, to): (Option<i64>, Option<i64>),
) -> Result<()> {
    let sql = "UPDATE draft_review SET revision = ?3
               WHERE draft_pk = ?1 AND revision = ?2 AND verdict = 'changes-requested'";
    run(conn, sql, params![draft_pk, from, to]).map(drop)
}

/// Users who have reviewed a draft, at most 200.
pub(in crate::domain) fn authors(conn: &Connection, draft_pk: i64) -> Result<Vec<i64>> {
    let sql = "SELECT DISTINCT reviewer_id FROM draft_review WHERE draft_pk = ? LIMIT 200";
    all(conn, sql, [draft_pk], |row| row.get(0))
}

/// Time of the `nth` last review of any draft by a user, if it was written after `since`.
pub(in crate::domain) fn nth_last(conn: &Connection, reviewer_id: i64, since: i64, nth: i64) -> Result<Option<i64>> {
    // Reviews have no index by user; later ones have higher ids.
    let sql = "SELECT created_at FROM draft_review
               WHERE id > coalesce((SELECT id FROM draft_review WHERE created_at <= ?2 ORDER BY id DESC LIMIT 1), 0)
               AND reviewer_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?3 - 1";
    one(conn, sql, [reviewer_id, since, nth], |row| row.get(0))
}

/// Number of reviews of a draft by a user.
pub(in crate::domain) fn count(conn: &Connection, draft_pk: i64, reviewer_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM draft_review WHERE draft_pk = ? AND reviewer_id = ?";
    Ok(one(conn, sql, [draft_pk, reviewer_id], |row| row.get(0))?.unwrap_or_default())
}

/// Inserts a review. Returns its id.
pub(in crate::domain) fn insert(
    conn: &Connection,
    (draft_pk, reviewer_id): (i64, i64),
    (verdict, text): (ReviewState, Option<&str>),
    revision: i64,
    now: i64,
) -> Result<i64> {
    let sql = "INSERT INTO draft_review (draft_pk, reviewer_id, verdict, text, revision, created_at)
               VALUES (?, ?, ?, ?, ?, ?)";
    run(conn, sql, params![draft_pk, reviewer_id, verdict, text, revision, now])?;
    Ok(conn.last_insert_rowid())
}
