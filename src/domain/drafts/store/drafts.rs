//! Drafts.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{all, exists, one, run},
    domain::{
        core::has_changed_source,
        paging::{Page, Window},
        users::{self, Profile},
    },
    error::Result,
};

/// A draft as stored, with the current revisions.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredDraft {
    pub pk: i64,
    pub id: String,
    pub workspace_pk: Option<i64>,
    pub number: i64,
    pub title: String,
    pub description: Option<String>,
    pub author_id: i64,
    pub source_id: Option<String>,
    pub base_revision: i64,
    pub submitted_at: Option<i64>,
    pub last_ignored_review: i64,
    /// `merged` or `closed`.
    pub end_state: Option<String>,
    pub ended_at: Option<i64>,
    pub ended_by: Option<i64>,
    pub change_set: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
    /// Revision of its map.
    pub revision: Option<i64>,
}

/// A draft to insert.
pub(in crate::domain) struct NewDraftRow<'a> {
    pub id: &'a str,
    pub base_pk: i64,
    pub workspace_pk: i64,
    pub title: &'a str,
    pub description: Option<&'a str>,
    pub author_id: i64,
    pub source_id: Option<&'a str>,
    pub base_revision: i64,
    pub base_state: &'a [u8],
    pub submitted_at: Option<i64>,
    pub now: i64,
}

const COLUMNS: &str = "d.pk, d.id, d.workspace_pk, d.number, d.title, d.description, d.author_id, d.source_id,
    d.base_revision, d.submitted_at, d.last_ignored_review, d.end_state, d.ended_at, d.ended_by, d.change_set,
    d.created_at, d.updated_at, (SELECT w.revision FROM workspace w WHERE w.pk = d.workspace_pk) AS revision";

fn draft(row: &Row<'_>) -> rusqlite::Result<StoredDraft> {
    Ok(StoredDraft {
        pk: row.get("pk")?,
        id: row.get("id")?,
        workspace_pk: row.get("workspace_pk")?,
        number: row.get("number")?,
        title: row.get("title")?,
        description: row.get("description")?,
        author_id: row.get("author_id")?,
        source_id: row.get("source_id")?,
        base_revision: row.get("base_revision")?,
        submitted_at: row.get("submitted_at")?,
        last_ignored_review: row.get("last_ignored_review")?,
        end_state: row.get("end_state")?,
        ended_at: row.get("ended_at")?,
        ended_by: row.get("ended_by")?,
        change_set: row.get("change_set")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        revision: row.get("revision")?,
    })
}

/// The draft with this key.
pub(in crate::domain) fn find(conn: &Connection, pk: i64) -> Result<Option<StoredDraft>> {
    one(conn, &format!("SELECT {COLUMNS} FROM draft d WHERE d.pk = ?"), [pk], draft)
}

/// The unfinished draft that a sync of this source by this user has started.
pub(in crate::domain) fn of_source(
    conn: &Connection,
    base_pk: i64,
    author_id: i64,
    source_id: &str,
) -> Result<Option<StoredDraft>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM draft d WHERE d.base_pk = ? AND d.author_id = ? AND d.source_id = ? AND d.end_state IS NULL
         ORDER BY d.newest_first LIMIT 1"
    );
    one(conn, &sql, params![base_pk, author_id, source_id], draft)
}

/// Drafts of a workspace, newest first. Rows that `show` does not return are not part of the page.
pub(in crate::domain) fn list<T>(
    conn: &Connection,
    base_pk: i64,
    window: &Window<i64>,
    show: impl Fn(StoredDraft) -> Result<Option<T>>,
) -> Result<Page<T>> {
    let sql = format!(
        "SELECT {COLUMNS}, d.newest_first FROM draft d WHERE d.base_pk = ? AND d.newest_first > ? ORDER BY d.newest_first"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut found = statement.query([base_pk, window.after])?;
    let (mut rows, most) = (Vec::new(), usize::try_from(window.rows()).ok());
    while most.is_none_or(|most| rows.len() < most)
        && let Some(row) = found.next()?
    {
        let place: i64 = row.get("newest_first")?;
        rows.extend(show(draft(row)?)?.map(|shown| (place, shown)));
    }
    window.page(rows)
}

/// Inserts a draft, with the next number of its base. Returns its key.
pub(in crate::domain) fn insert(conn: &Connection, new: &NewDraftRow<'_>) -> Result<i64> {
    let sql = "INSERT INTO draft (id, base_pk, workspace_pk, number, title, description, author_id, source_id, base_revision,
                   base_state, updated_revision, submitted_at, created_at, updated_at)
               VALUES (?1, ?2, ?3, (SELECT coalesce(max(number), 0) + 1 FROM draft WHERE base_pk = ?2), ?4, ?5, ?6, ?7, ?8,
                   ?9, (SELECT revision FROM workspace WHERE pk = ?3), ?11, ?10, ?10)";
    let NewDraftRow { id, base_pk, workspace_pk, title, description, author_id, source_id, base_revision, .. } = new;
    let params = params![
        id,
        base_pk,
        workspace_pk,
        title,
        description,
        author_id,
        source_id,
        base_revision,
        new.base_state,
        new.now,
        new.submitted_at
    ];
    run(conn, sql, params)?;
    Ok(conn.last_insert_rowid())
}

/// Writes the fields that users change.
pub(in crate::domain) fn update(conn: &Connection, draft: &StoredDraft, now: i64) -> Result<()> {
    let sql = "UPDATE draft SET title = ?, description = ?, submitted_at = ?, last_ignored_review = ?, end_state = ?,
                   ended_at = ?, ended_by = ?, change_set = ?, updated_at = ? WHERE pk = ?";
    let StoredDraft { title, description, submitted_at, last_ignored_review, end_state, ended_at, .. } = draft;
    let params = params![
        title,
        description,
        submitted_at,
        last_ignored_review,
        end_state,
        ended_at,
        draft.ended_by,
        draft.change_set,
        now,
        draft.pk
    ];
    run(conn, sql, params).map(drop)
}

/// The last four bytes of the serialized base state, which contain its uncompressed size.
pub(in crate::domain) fn base_state_end(conn: &Connection, pk: i64) -> Result<Option<Vec<u8>>> {
    Ok(one(conn, "SELECT substr(base_state, -4) FROM draft WHERE pk = ?", [pk], |row| row.get(0))?.flatten())
}

/// The serialized state of the base from which a draft was started or last updated. `None` if it was removed.
pub(in crate::domain) fn base_state(conn: &Connection, pk: i64) -> Result<Option<Vec<u8>>> {
    Ok(one(conn, "SELECT base_state FROM draft WHERE pk = ?", [pk], |row| row.get(0))?.flatten())
}

/// Stores the state of the base to which a draft was updated.
pub(in crate::domain) fn set_base_state(
    conn: &Connection,
    pk: i64,
    (revision, state): (i64, &[u8]),
    change_set: Option<&str>,
) -> Result<()> {
    let sql = "UPDATE draft SET base_revision = ?, base_state = ?,
                   updated_revision = (SELECT revision FROM workspace WHERE pk = workspace_pk) WHERE pk = ?";
    run(conn, sql, params![revision, state, pk])?;
    if let Some(change_set) = change_set {
        let sql = "INSERT OR IGNORE INTO draft_update (workspace_pk, change_set)
                   SELECT workspace_pk, ? FROM draft WHERE pk = ? AND workspace_pk IS NOT NULL";
        run(conn, sql, params![change_set, pk])?;
    }
    Ok(())
}

/// The serialized comparison of a draft that has ended.
pub(in crate::domain) fn comparison(conn: &Connection, pk: i64) -> Result<Option<Vec<u8>>> {
    Ok(one(conn, "SELECT comparison FROM draft WHERE pk = ?", [pk], |row| row.get(0))?.flatten())
}

/// Stores the comparison of a draft that has ended; none if it is reopened.
pub(in crate::domain) fn set_comparison(conn: &Connection, pk: i64, comparison: Option<&[u8]>) -> Result<()> {
    run(conn, "UPDATE draft SET comparison = ? WHERE pk = ?", params![comparison, pk]).map(drop)
}

/// Number of drafts of a workspace that have not ended, and of those by one user.
pub(in crate::domain) fn count_unfinished(conn: &Connection, base_pk: i64, author_id: i64) -> Result<(i64, i64)> {
    let sql = "SELECT count(*), coalesce(sum(author_id = ?2), 0) FROM draft WHERE base_pk = ?1 AND end_state IS NULL";
    Ok(one(conn, sql, [base_pk, author_id], |row| Ok((row.get(0)?, row.get(1)?)))?.unwrap_or_default())
}

/// Number of workspaces that a user has created as drafts of a workspace and that still exist, also hidden ones.
pub(in crate::domain) fn count_maps(conn: &Connection, base_pk: i64, author_id: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM workspace WHERE base_pk = ? AND created_by = ?";
    Ok(one(conn, sql, [base_pk, author_id], |row| row.get(0))?.unwrap_or_default())
}

/// Keys of at most `limit` drafts that ended before `before` and still have rows.
pub(in crate::domain) fn ended(conn: &Connection, before: i64, limit: usize) -> Result<Vec<i64>> {
    let sql = "SELECT pk FROM draft WHERE workspace_pk IS NOT NULL AND ended_at IS NOT NULL AND ended_at < ?
               ORDER BY ended_at LIMIT ?";
    all(conn, sql, params![before, i64::try_from(limit).unwrap_or(i64::MAX)], |row| row.get(0))
}

/// Removes the state and the map of a draft. The rows are removed like those of a workspace that was deleted long ago.
pub(in crate::domain) fn remove_map(conn: &Connection, pk: i64) -> Result<()> {
    run(conn, "UPDATE workspace SET deleted_at = 0 WHERE pk = (SELECT workspace_pk FROM draft WHERE pk = ?)", [pk])?;
    run(conn, "UPDATE draft SET workspace_pk = NULL, base_state = NULL WHERE pk = ?", [pk]).map(drop)
}

/// Users who were asked to review a draft, in order.
pub(in crate::domain) fn reviewers(conn: &Connection, pk: i64) -> Result<Vec<Profile>> {
    let sql = format!(
        "SELECT {} FROM draft_reviewer r JOIN user u ON u.id = r.user_id WHERE r.draft_pk = ? ORDER BY r.position",
        users::PROFILE
    );
    all(conn, &sql, [pk], users::profile)
}

/// Whether a user has changed the map of a draft or one of its sources. Earlier versions recorded only the last user of a sync.
pub(in crate::domain) fn has_changed(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM change WHERE workspace_pk = ?1 AND actor = ?2)
                   OR EXISTS (SELECT 1 FROM source s JOIN draft d ON d.workspace_pk = s.workspace_pk
                              WHERE s.workspace_pk = ?1 AND s.synced_by = ?2 AND s.synced_at >= d.created_at)";
    Ok(has_changed_source(conn, workspace_pk, user_id)? || exists(conn, sql, [workspace_pk, user_id])?)
}

/// Whether a user was asked to review a draft.
pub(in crate::domain) fn is_reviewer(conn: &Connection, pk: i64, user_id: i64) -> Result<bool> {
    let sql = "SELECT 1 FROM draft_reviewer WHERE draft_pk = ? AND user_id = ?";
    Ok(one(conn, sql, [pk, user_id], |_| Ok(()))?.is_some())
}

/// Replaces the users who were asked to review a draft.
pub(in crate::domain) fn set_reviewers(conn: &Connection, pk: i64, users: &[i64]) -> Result<()> {
    run(conn, "DELETE FROM draft_reviewer WHERE draft_pk = ?", [pk])?;
    for (position, user) in users.iter().enumerate() {
        let sql = "INSERT OR IGNORE INTO draft_reviewer (draft_pk, user_id, position) VALUES (?, ?, ?)";
        run(conn, sql, params![pk, user, i64::try_from(position).unwrap_or_default()])?;
    }
    Ok(())
}
