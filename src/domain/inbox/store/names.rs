//! Current names of what entries are about.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one},
    domain::{
        core::Entity,
        inbox::model::{DraftEvent, NamedRow},
        notifications::{ChangedRow, MAX_ITEMS},
        values::AccessLevel,
    },
    error::Result,
};

/// The rows that exist, with their names.
pub(in crate::domain) fn of_rows(conn: &Connection, workspace_pk: i64, rows: &[ChangedRow]) -> Result<Vec<NamedRow>> {
    let mut named = Vec::new();
    for ChangedRow { kind, id } in rows {
        let column = match kind {
            Entity::Component | Entity::Process | Entity::View | Entity::Tour => "name",
            Entity::Decision => "title",
            // Watchers are notified of the components that these belong to, or not at all.
            Entity::Workspace
            | Entity::Member
            | Entity::Relationship
            | Entity::Stakeholder
            | Entity::Link
            | Entity::Note
            | Entity::ViewPlace
            | Entity::ViewLine
            | Entity::Person
            | Entity::Team
            | Entity::TeamMember
            | Entity::Role
            | Entity::Kind => continue,
        };
        let sql = format!("SELECT {column} FROM {} WHERE workspace_pk = ? AND id = ?", kind.table());
        if let Some(name) = one(conn, &sql, params![workspace_pk, id], |row| row.get(0))? {
            named.push(NamedRow { kind: kind.as_str().to_owned(), id: id.clone(), name });
        }
    }
    Ok(named)
}

/// The fields of a draft that titles of entries contain.
pub(in crate::domain) struct NamedDraft {
    pub title: String,
    pub author_id: i64,
    /// `merged` or `closed`; none if it has not ended.
    pub end: Option<DraftEvent>,
}

/// The draft with this id.
pub(in crate::domain) fn of_draft(conn: &Connection, id: &str) -> Result<Option<NamedDraft>> {
    one(conn, "SELECT title, author_id, end_state FROM draft WHERE id = ?", [id], |row| {
        Ok(NamedDraft { title: row.get("title")?, author_id: row.get("author_id")?, end: row.get("end_state")? })
    })
}

/// The verdict and the text of a review.
pub(in crate::domain) fn of_review(conn: &Connection, id: i64) -> Result<Option<(DraftEvent, Option<String>)>> {
    one(conn, "SELECT verdict, text FROM draft_review WHERE id = ?", [id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// The number of sources of a workspace whose last sync was between two times, and the names of some of them.
pub(in crate::domain) fn of_sources(
    conn: &Connection,
    workspace_pk: i64,
    (first, last): (i64, i64),
) -> Result<(i64, Vec<String>)> {
    let which = "FROM source WHERE workspace_pk = ? AND synced_at BETWEEN ? AND ?";
    let params = [workspace_pk, first, last];
    let count = one(conn, &format!("SELECT count(*) {which}"), params, |row| row.get(0))?;
    let sql = format!("SELECT coalesce(name, id) {which} ORDER BY id LIMIT {MAX_ITEMS}");
    Ok((count.unwrap_or_default(), all(conn, &sql, params, |row| row.get(0))?))
}

/// The access level that a user has in a workspace as a member of it.
pub(in crate::domain) fn of_access(conn: &Connection, workspace_pk: i64, user_id: i64) -> Result<Option<AccessLevel>> {
    let sql = "SELECT role FROM workspace_member WHERE workspace_pk = ? AND user_id = ?";
    one(conn, sql, [workspace_pk, user_id], |row| row.get(0))
}
