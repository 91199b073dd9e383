//! Reading the change log backwards: past changes, and rows before a change.

use rusqlite::{Connection, ToSql, params};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{
            Entity, LoggedChange,
            change_log::{SELECT, logged},
        },
        history::ChangeQuery,
    },
    error::Result,
};

/// A change, with the row before it as JSON.
pub(in crate::domain) struct ChangeWithBefore {
    pub logged: LoggedChange,
    pub before: Option<String>,
}

/// Changes of a workspace, newest first, and whether there are more. Returns at most as many as the page allows, and at
/// most `bytes` bytes of row JSON, but at least the first change.
pub(in crate::domain) fn page(
    conn: &Connection,
    workspace_pk: i64,
    page: &ChangeQuery,
    bytes: usize,
) -> Result<(Vec<ChangeWithBefore>, bool)> {
    let of = filter(page);
    let sql = format!(
        "{SELECT} WHERE {of} AND c.id < coalesce(?2, 9223372036854775807) AND (?3 IS NULL OR c.entity = ?3)
           AND (?4 IS NULL OR c.entity_id = ?4) AND (?5 IS NULL OR c.actor = ?5)
           AND (?6 IS NULL OR c.batch = ?6 OR c.label = ?6) AND (?7 IS NULL OR c.batch = ?7)
         ORDER BY c.id DESC"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params![
        workspace_pk,
        page.before,
        page.entity,
        page.entity_id,
        page.actor,
        page.batch,
        page.change_set
    ])?;
    let (mut found, mut size) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let past = ChangeWithBefore { logged: logged(row)?, before: row.get("before")? };
        // The newest come first, so all others are older too.
        let change = &past.logged.change;
        if page.after_revision.is_some_and(|revision| change.revision <= revision)
            || page.since.is_some_and(|since| change.ts < since)
        {
            break;
        }
        size += [&past.before, &past.logged.after].into_iter().flatten().map(String::len).sum::<usize>();
        if found.len() == page.limit || (size > bytes && !found.is_empty()) {
            return Ok((found, true));
        }
        found.push(past);
    }
    Ok((found, false))
}

/// Condition that selects the changes. Written so that SQLite uses an index with exactly the requested changes, in
/// reverse log order.
fn filter(page: &ChangeQuery) -> &'static str {
    match page {
        ChangeQuery { change_set: Some(_), .. } => "c.batch = ?7 AND +c.workspace_pk = ?1",
        ChangeQuery { batch: Some(_), .. } => {
            "c.id IN (SELECT id FROM change WHERE batch = ?6 UNION ALL SELECT id FROM change WHERE label = ?6)
             AND +c.workspace_pk = ?1"
        }
        ChangeQuery { entity: Some(_), entity_id: Some(_), .. } => {
            "c.workspace_pk = ?1 AND c.entity = ?3 AND c.entity_id = ?4"
        }
        ChangeQuery { actor: Some(_), .. } => "c.workspace_pk = ?1 AND c.actor = ?5",
        _ => "c.workspace_pk = ?1",
    }
}

/// Revision of a workspace at a time in Unix milliseconds; none if the log does not reach back to it.
pub(in crate::domain) fn revision_at(conn: &Connection, workspace_pk: i64, time: i64) -> Result<Option<i64>> {
    let sql = "SELECT revision FROM change WHERE workspace_pk = ? AND +ts <= ? ORDER BY id DESC LIMIT 1";
    one(conn, sql, [workspace_pk, time], |row| row.get(0))
}

/// Users with this display name who changed a workspace, at most `most`.
pub(in crate::domain) fn users_named(conn: &Connection, workspace_pk: i64, name: &str, most: u32) -> Result<Vec<i64>> {
    let sql = "SELECT id FROM user WHERE display_name = ?1 COLLATE NOCASE
               AND EXISTS (SELECT 1 FROM change WHERE workspace_pk = ?2 AND actor = user.id) ORDER BY id LIMIT ?3";
    all(conn, sql, params![name, workspace_pk, most], |row| row.get(0))
}

/// Oldest revision of a workspace in the log; none if the log is empty.
pub(in crate::domain) fn first_revision(conn: &Connection, workspace_pk: i64) -> Result<Option<i64>> {
    let sql = "SELECT min(revision) FROM change WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.flatten())
}

/// Kind and id of the rows of a workspace that were written after a revision.
pub(in crate::domain) fn written_after(
    conn: &Connection,
    workspace_pk: i64,
    revision: i64,
) -> Result<Vec<(Entity, String)>> {
    let sql = "SELECT DISTINCT entity, entity_id FROM change WHERE workspace_pk = ? AND revision > ?";
    all(conn, sql, params![workspace_pk, revision], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// A row before its first change after a revision; without JSON, the row did not exist.
pub(in crate::domain) struct Before {
    pub entity: Entity,
    pub entity_id: String,
    pub json: Option<String>,
}

/// Rows of a workspace that were written after a revision, as they were at that revision. The workspace itself always
/// has JSON: if it was deleted at that revision, the JSON from when it was restored.
pub(in crate::domain) fn before(conn: &Connection, workspace_pk: i64, revision: i64) -> Result<Vec<Before>> {
    let sql = "SELECT entity, entity_id, CASE entity WHEN 'workspace' THEN coalesce(before, after) ELSE before END
               FROM change WHERE id IN (SELECT min(id) FROM change WHERE workspace_pk = ? AND revision > ?
                                        GROUP BY entity, entity_id) ORDER BY id";
    all(conn, sql, params![workspace_pk, revision], |row| {
        Ok(Before { entity: row.get(0)?, entity_id: row.get(1)?, json: row.get(2)? })
    })
}

/// Time and author of a workspace revision; none if the log does not reach back to it.
pub(in crate::domain) fn stamp_at(
    conn: &Connection,
    workspace_pk: i64,
    revision: i64,
) -> Result<Option<(i64, Option<i64>)>> {
    let sql =
        "SELECT ts, actor FROM change WHERE workspace_pk = ? AND revision <= ? ORDER BY revision DESC, id DESC LIMIT 1";
    one(conn, sql, params![workspace_pk, revision], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Removes changes made before `before` from the logs of workspaces and directories, oldest first in each log. Removes
/// at least `limit` changes if there are that many, and at most twice as many. The changes of a revision are removed
/// together, unless the revision has more than `limit` changes. Returns how many were removed.
pub(in crate::domain) fn delete_old_changes(conn: &Connection, before: i64, limit: usize) -> Result<usize> {
    let mut removed = 0;
    while removed < limit
        && let Some(log) = Log::with_changes_before(conn, before)?
    {
        let last = log.last_to_remove(conn, before, limit)?;
        let sql = format!("DELETE FROM change WHERE {} AND id <= ?", log.changes());
        removed += run(conn, &sql, params![log.key(), last])?;
        run(conn, log.note(), params![last, log.key()])?;
    }
    Ok(removed)
}

/// The owner of a log.
enum Log {
    /// A workspace, possibly deleted.
    Workspace(i64),
    /// An organization's directory.
    Directory(String),
}

impl Log {
    /// Finds a log whose oldest change was made before `before`.
    fn with_changes_before(conn: &Connection, before: i64) -> Result<Option<Self>> {
        // Jumps from key to key in the index, because there are many more changes than workspaces.
        let sql = "WITH RECURSIVE of (pk) AS (
                       SELECT min(workspace_pk) FROM change
                       UNION ALL SELECT (SELECT min(workspace_pk) FROM change WHERE workspace_pk > of.pk) FROM of
                       WHERE of.pk IS NOT NULL)
                   SELECT pk FROM of
                   WHERE (SELECT ts FROM change c WHERE c.workspace_pk = of.pk ORDER BY c.id LIMIT 1) < ? LIMIT 1";
        if let Some(pk) = one(conn, sql, [before], |row| row.get(0))? {
            return Ok(Some(Self::Workspace(pk)));
        }
        let sql = "SELECT id FROM organization
                   WHERE (SELECT ts FROM change c WHERE c.organization_id = organization.id AND c.workspace_pk IS NULL
                          ORDER BY c.revision, c.id LIMIT 1) < ? LIMIT 1";
        Ok(one(conn, sql, [before], |row| row.get(0))?.map(Self::Directory))
    }

    fn key(&self) -> &dyn ToSql {
        match self {
            Self::Workspace(pk) => pk,
            Self::Directory(organization_id) => organization_id,
        }
    }

    /// Condition for the changes of the log.
    fn changes(&self) -> &'static str {
        match self {
            Self::Workspace(_) => "workspace_pk = ?",
            Self::Directory(_) => "workspace_pk IS NULL AND organization_id = ?",
        }
    }

    /// Statement that stores the id of the last removed change.
    fn note(&self) -> &'static str {
        match self {
            Self::Workspace(_) => "UPDATE workspace SET forgotten = ? WHERE pk = ?",
            Self::Directory(_) => "UPDATE organization SET forgotten = ? WHERE id = ?",
        }
    }

    /// Id of the last change to remove when about `limit` of the changes before `before` are removed.
    fn last_to_remove(&self, conn: &Connection, before: i64, limit: usize) -> Result<i64> {
        let order = match self {
            Self::Workspace(_) => "id",
            Self::Directory(_) => "revision, id",
        };
        let sql = format!("SELECT id, revision, ts FROM change WHERE {} ORDER BY {order}", self.changes());
        let mut statement = conn.prepare_cached(&sql)?;
        let mut rows = statement.query([self.key()])?;
        let (mut last, mut whole, mut revision, mut count) = (0, 0, 0, 0);
        while let Some(row) = rows.next()? {
            if row.get::<_, i64>("ts")? >= before {
                return Ok(last);
            }
            if row.get::<_, i64>("revision")? != revision {
                (whole, revision) = (last, row.get("revision")?);
            }
            if count == limit {
                return Ok(if whole == 0 { last } else { whole });
            }
            (last, count) = (row.get("id")?, count + 1);
        }
        Ok(last)
    }
}

/// Change set of the oldest change of a workspace in the log, if older changes were removed. Some changes of this
/// change set may have been removed too.
pub(in crate::domain) fn cut_change_set(conn: &Connection, workspace_pk: i64) -> Result<Option<String>> {
    let sql = "SELECT (SELECT batch FROM change WHERE workspace_pk = pk ORDER BY id LIMIT 1)
               FROM workspace WHERE pk = ? AND forgotten > 0";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filtered_changes_are_read_with_an_index() {
        let conn = crate::db::empty_in_memory();
        let page = |actor: Option<i64>, batch: Option<&str>, change_set: Option<&str>| {
            let (batch, change_set) = (batch.map(str::to_owned), change_set.map(str::to_owned));
            ChangeQuery::new(None, None, (None, None), actor, (batch, change_set)).unwrap()
        };
        let cases = [
            (page(Some(1), None, None), vec!["change_actor"]),
            (page(None, Some("label"), None), vec!["change_batch", "change_label"]),
            (page(None, None, Some("id")), vec!["change_batch"]),
        ];
        for (page, indexes) in cases {
            let sql =
                format!("EXPLAIN QUERY PLAN SELECT c.id FROM change c WHERE {} ORDER BY c.id DESC", filter(&page));
            let mut plan = conn.prepare(&sql).unwrap();
            let parameters: Vec<Option<i64>> = vec![None; plan.parameter_count()];
            let steps = plan.query_map(rusqlite::params_from_iter(parameters), |row| row.get::<_, String>("detail"));
            let steps: Vec<String> = steps.unwrap().map(|step| step.unwrap()).collect();
            for index in indexes {
                assert!(steps.iter().any(|step| step.contains(index)), "{index}: {steps:?}");
            }
            assert!(!steps.iter().any(|step| step.starts_with("SCAN c")), "{steps:?}");
        }
    }
}
