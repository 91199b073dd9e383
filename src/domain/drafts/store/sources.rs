//! The sources that were synced in a draft. A merge replaces the sources of the base with them.

use rusqlite::{Connection, params};
use serde_json::{Map, Value, json};

use crate::{
    db::sql::{all, one, run},
    error::Result,
};

/// Maximum number of file names, and of accepted rows, that are read per source.
const MAX_LISTED: usize = 100;

/// The sources that were synced in the draft `?1` since `?3`, and not later in the base `?2`: the values of the later sync are
/// those that the next one compares with.
const SYNCED: &str = "SELECT s.id FROM source s WHERE s.workspace_pk = ?1 AND s.synced_at >= ?3
    AND NOT EXISTS (SELECT 1 FROM source b WHERE b.workspace_pk = ?2 AND b.id = s.id AND b.synced_at > s.synced_at)";

/// The rows of sources for which the draft `?1` has another decision than the base `?2`: they were accepted as missing in the draft
/// since `?3`, or no longer are, or were split off. Of sources that are [`SYNCED`], the whole source counts.
const DECIDED: &str = "SELECT d.source_id, d.kind, d.key FROM claim d JOIN claim b USING (source_id, kind, key)
    WHERE d.workspace_pk = ?1 AND b.workspace_pk = ?2
    AND ((d.accepted_at >= ?3 AND b.accepted_at IS NOT d.accepted_at)
         OR (d.accepted_at IS NULL AND b.accepted_at < ?3)
         OR EXISTS (SELECT 1 FROM json_each(d.separate) WHERE value NOT IN (SELECT value FROM json_each(b.separate))))";

/// The sources of the base `?2` that the draft `?1` has removed since `?3`, with a sync or by hand. Sources that were synced in the base
/// since then stay.
const REMOVED: &str = "SELECT b.id FROM source b
    JOIN removed_source r ON r.workspace_pk = ?1 AND r.source_id = b.id AND r.removed_at >= ?3
    WHERE b.workspace_pk = ?2 AND b.synced_at < r.removed_at
    AND NOT EXISTS (SELECT 1 FROM source d WHERE d.workspace_pk = ?1 AND d.id = b.id)";

/// The id in the base of the row that a claim `r` of the draft `?1` refers to. Only stakeholders and links have other ids in a
/// draft; the id is `NULL` if the base does not have them.
const BASE_ROW: &str = "iif(r.kind IN ('stakeholder', 'link'),
    (SELECT CAST(m.base_id AS TEXT) FROM draft_row m
     WHERE m.workspace_pk = ?1 AND m.kind = r.kind AND m.draft_id = CAST(r.row_id AS INTEGER)), r.row_id)";

/// A source that was synced in a draft, compared with the source of the base that it replaces.
pub(in crate::domain) struct MergedSource {
    pub id: String,
    pub is_new: bool,
    /// Whether the draft has removed it.
    pub is_removed: bool,
    /// Field names with the values in the base and in the draft.
    pub fields: Vec<(&'static str, Value, Value)>,
}

impl MergedSource {
    /// The display name.
    pub(in crate::domain) fn name(&self) -> String {
        let name = self.fields.iter().find(|(field, _, _)| *field == "name");
        let name = name.and_then(|(_, base, draft)| draft.as_str().or(base.as_str()));
        name.unwrap_or(&self.id).to_owned()
    }

    /// The source as in the draft, or as in the base if the draft has removed it.
    pub(in crate::domain) fn row(&self) -> Map<String, Value> {
        let value = |base: &Value, draft: &Value| if self.is_removed { base.clone() } else { draft.clone() };
        let row = self.fields.iter().map(|(field, base, draft)| ((*field).to_owned(), value(base, draft)));
        [("id".to_owned(), self.id.clone().into())].into_iter().chain(row).collect()
    }
}

/// The sources that a merge of the draft `from` replaces or removes in the base `to`, by id.
pub(in crate::domain) fn merged(conn: &Connection, (from, to): (i64, i64), since: i64) -> Result<Vec<MergedSource>> {
    let sql = format!(
        "SELECT d.id, b.id IS NULL, d.id IN ({SYNCED}), b.kind, d.kind, b.name, d.name, b.url, d.url, b.revision, d.revision
         FROM source d LEFT JOIN source b ON b.workspace_pk = ?2 AND b.id = d.id
         WHERE d.workspace_pk = ?1 AND (d.id IN ({SYNCED}) OR d.id IN (SELECT source_id FROM ({DECIDED}))) ORDER BY d.id"
    );
    let text = |text: Option<String>| text.map_or(Value::Null, Value::from);
    let mut found = all(conn, &sql, params![from, to, since], |row| {
        let names = ["kind", "name", "url", "sourceRevision"];
        let fields = names.into_iter().zip((3..).step_by(2));
        // Of a source that was only decided about, the merge takes the decisions.
        let base = usize::from(!row.get::<_, bool>(2)?);
        let fields = fields.map(|(name, at)| Ok((name, text(row.get(at)?), text(row.get(at + 1 - base)?))));
        let source = MergedSource {
            id: row.get(0)?,
            is_new: row.get(1)?,
            is_removed: false,
            fields: fields.collect::<rusqlite::Result<_>>()?,
        };
        Ok((source, base == 0))
    })?;
    for (source, is_synced) in &mut found {
        let accepted = |pk| accepted(conn, pk, &source.id);
        source.fields.push(("accepted", accepted(to)?, accepted(from)?));
        let split = |pk| split(conn, pk, &source.id);
        source.fields.push(("splitOff", split(to)?, split(from)?));
        if !*is_synced {
            continue;
        }
        let files = |pk| files(conn, pk, &source.id);
        source.fields.push(("files", files(to)?, files(from)?));
        let (before, after, different) = rows(conn, (from, to), &source.id)?;
        let before = if source.is_new { Value::Null } else { json!({ "rows": before, "different": 0 }) };
        source.fields.push(("lastSynced", before, json!({ "rows": after, "different": different })));
    }
    let mut found: Vec<MergedSource> = found.into_iter().map(|(source, _)| source).collect();
    let sql = format!("SELECT id, name FROM source WHERE workspace_pk = ?2 AND id IN ({REMOVED}) ORDER BY id");
    found.extend(all(conn, &sql, params![from, to, since], |row| {
        let fields = vec![("name", text(row.get(1)?), Value::Null)];
        Ok(MergedSource { id: row.get(0)?, is_new: false, is_removed: true, fields })
    })?);
    found.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(found)
}

/// The file names of a source, and `…` if there are more than [`MAX_LISTED`].
fn files(conn: &Connection, workspace_pk: i64, source_id: &str) -> Result<Value> {
    let sql = "SELECT DISTINCT file FROM claim WHERE workspace_pk = ? AND source_id = ? ORDER BY file LIMIT ?";
    listed(conn, sql, workspace_pk, source_id)
}

/// The rows of a source of which someone accepted that the map does not have them, with the reasons.
fn accepted(conn: &Connection, workspace_pk: i64, source_id: &str) -> Result<Value> {
    let sql = "SELECT kind || ' ' || key || coalesce(': ' || accepted_reason, '') FROM claim
               WHERE workspace_pk = ? AND source_id = ? AND accepted_at IS NOT NULL ORDER BY kind, key LIMIT ?";
    listed(conn, sql, workspace_pk, source_id)
}

/// The rows of a source that were split off, with the components that they are not.
fn split(conn: &Connection, workspace_pk: i64, source_id: &str) -> Result<Value> {
    let sql = "SELECT key || ': not ' || (SELECT group_concat(value, ', ') FROM json_each(separate)) FROM claim
               WHERE workspace_pk = ? AND source_id = ? AND separate <> '[]' ORDER BY kind, key LIMIT ?";
    listed(conn, sql, workspace_pk, source_id)
}

/// The texts that `sql` finds, and `…` if there are more than [`MAX_LISTED`]; null if there are none.
fn listed(conn: &Connection, sql: &str, workspace_pk: i64, source_id: &str) -> Result<Value> {
    let limit = i64::try_from(MAX_LISTED + 1).unwrap_or(i64::MAX);
    let mut names = all(conn, sql, params![workspace_pk, source_id, limit], |row| row.get::<_, String>(0))?;
    if names.len() > MAX_LISTED {
        names.truncate(MAX_LISTED);
        names.push("…".to_owned());
    }
    Ok(if names.is_empty() { Value::Null } else { names.into() })
}

/// The number of rows of a source in the base, in the draft, and of those that a merge changes: their last-synced values, their
/// rows on the map, their files, or what was decided about them.
fn rows(conn: &Connection, (from, to): (i64, i64), source_id: &str) -> Result<(i64, i64, i64)> {
    let state = |row: &str, pk: &str| {
        format!(
            "SELECT r.kind, r.key, {row} AS row_id, r.base, r.file, r.missing_since IS NOT NULL, r.separate, r.accepted_at
             FROM claim r
             WHERE r.workspace_pk = {pk} AND r.source_id = ?3"
        )
    };
    let (draft, base) = (state(BASE_ROW, "?1"), state("r.row_id", "?2"));
    let sql = format!(
        "SELECT (SELECT count(*) FROM claim WHERE workspace_pk = ?2 AND source_id = ?3),
                (SELECT count(*) FROM claim WHERE workspace_pk = ?1 AND source_id = ?3),
                (SELECT count(*) FROM (SELECT * FROM ({draft}) EXCEPT SELECT * FROM ({base})))
                + (SELECT count(*) FROM claim b WHERE b.workspace_pk = ?2 AND b.source_id = ?3 AND NOT EXISTS
                   (SELECT 1 FROM claim d WHERE d.workspace_pk = ?1 AND d.source_id = ?3 AND (d.kind, d.key) = (b.kind, b.key)))"
    );
    let counts = one(conn, &sql, params![from, to, source_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(counts.unwrap_or_default())
}

/// Copies what was decided in a draft about rows of sources that the merge does not replace.
fn merge_decisions(conn: &Connection, (from, to): (i64, i64), since: i64) -> Result<()> {
    let sql = format!(
        "UPDATE claim SET accepted_at = d.accepted_at, accepted_by = d.accepted_by, accepted_reason = d.accepted_reason,
                separate = (SELECT json_group_array(value) FROM (SELECT value FROM json_each(claim.separate)
                            UNION SELECT value FROM json_each(d.separate))),
                is_home = claim.is_home AND coalesce(claim.row_id NOT IN (SELECT value FROM json_each(d.separate)), 1),
                row_was = iif(claim.row_id IN (SELECT value FROM json_each(d.separate)), NULL, claim.row_was),
                merged_from = iif(claim.row_id IN (SELECT value FROM json_each(d.separate)), NULL, claim.merged_from),
                row_id = iif(claim.row_id IN (SELECT value FROM json_each(d.separate)), NULL, claim.row_id)
         FROM claim d
         WHERE claim.workspace_pk = ?2 AND d.workspace_pk = ?1
           AND (d.source_id, d.kind, d.key) = (claim.source_id, claim.kind, claim.key)
           AND claim.source_id NOT IN ({SYNCED}) AND (claim.source_id, claim.kind, claim.key) IN ({DECIDED})"
    );
    run(conn, &sql, params![from, to, since])?;
    Ok(())
}

/// Gives claims of sources that the merge does not replace to the rows into which a sync in the draft has merged theirs, and takes
/// the ends of relationships that changed with them.
fn merge_merged_rows(conn: &Connection, (from, to): (i64, i64), since: i64) -> Result<()> {
    let sql = format!(
        "UPDATE claim SET row_id = d.row_id, merged_from = d.merged_from, merged_at = d.merged_at, row_was = d.row_was,
                is_home = d.is_home, base = d.base
         FROM claim d
         WHERE claim.workspace_pk = ?2 AND d.workspace_pk = ?1 AND claim.kind NOT IN ('stakeholder', 'link')
           AND (d.source_id, d.kind, d.key) = (claim.source_id, claim.kind, claim.key)
           AND claim.source_id NOT IN ({SYNCED})
           AND ((d.merged_at >= ?3 AND claim.row_id IS d.merged_from)
                OR (d.row_id IS claim.row_id AND d.base IS NOT claim.base AND EXISTS
                    (SELECT 1 FROM source b WHERE b.workspace_pk = ?2 AND b.id = claim.source_id AND b.synced_at < ?3)))"
    );
    run(conn, &sql, params![from, to, since]).map(drop)
}

/// Replaces the sources of the base `to` with those that were synced in the draft `from` since `since`.
pub(in crate::domain) fn merge(conn: &Connection, (from, to): (i64, i64), since: i64) -> Result<()> {
    merge_decisions(conn, (from, to), since)?;
    merge_merged_rows(conn, (from, to), since)?;
    let removed = all(conn, REMOVED, params![from, to, since], |row| row.get::<_, String>(0))?;
    for id in removed {
        run(conn, "DELETE FROM claim WHERE workspace_pk = ? AND source_id = ?", params![to, id])?;
        run(conn, "DELETE FROM source WHERE workspace_pk = ? AND id = ?", params![to, id])?;
    }
    for (table, key) in [("claim", "source_id"), ("source", "id")] {
        let sql = format!("DELETE FROM {table} WHERE workspace_pk = ?2 AND {key} IN ({SYNCED})");
        run(conn, &sql, params![from, to, since])?;
    }
    for (table, key) in [("source", "id"), ("claim", "source_id")] {
        let columns = all(conn, "SELECT name FROM pragma_table_info(?)", [table], |row| row.get::<_, String>(0))?;
        let columns: Vec<String> = columns.into_iter().filter(|column| column != "workspace_pk").collect();
        let values: Vec<&str> = columns
            .iter()
            .map(|column| match (table, column.as_str()) {
                ("claim", "row_id") => BASE_ROW,
                // The base may not have the id.
                ("claim", "merged_from") => "iif(r.kind IN ('stakeholder', 'link'), NULL, r.merged_from)",
                (_, column) => column,
            })
            .collect();
        let sql = format!(
            "INSERT INTO {table} (workspace_pk, {}) SELECT ?2, {} FROM {table} r
             WHERE r.workspace_pk = ?1 AND r.{key} IN ({SYNCED})",
            columns.join(", "),
            values.join(", ")
        );
        run(conn, &sql, params![from, to, since])?;
    }
    Ok(())
}
