//! Queries of components.

use rusqlite::{Connection, named_params};

use crate::{
    db::sql::{all, one},
    domain::map::model::query::ComponentQuery,
    error::Result,
};

/// The columns of a component that a query reads.
pub(in crate::domain) struct Found {
    pub id: String,
    pub type_id: String,
    pub name: String,
    pub lifecycle: Option<String>,
    pub updated_at: i64,
}

/// Source, target and type of a relationship.
pub(in crate::domain) type Ends = (String, String, String);

/// Number of components of a workspace.
pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<usize> {
    let sql = "SELECT count(*) FROM component WHERE workspace_pk = ?";
    let count: i64 = one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(0);
    Ok(usize::try_from(count).unwrap_or_default())
}

/// The components of a workspace that meet the conditions on the component and its owners.
pub(in crate::domain) fn components(
    conn: &Connection,
    workspace_pk: i64,
    query: &ComponentQuery,
) -> Result<Vec<Found>> {
    let sql = "SELECT c.id, c.type_id, c.name, CAST(json_extract(c.properties, '$.lifecycle') AS TEXT), c.updated_at
         FROM component c WHERE c.workspace_pk = :pk
         AND (:types IS NULL OR c.type_id IN (SELECT value FROM json_each(:types)))
         AND (:lifecycle IS NULL OR json_extract(c.properties, '$.lifecycle') = :lifecycle)
         AND (:tag IS NULL OR EXISTS (SELECT 1 FROM json_each(c.tags) WHERE lower(value) = lower(:tag)))
         AND (:technology IS NULL
              OR EXISTS (SELECT 1 FROM json_each(c.technology) WHERE lower(value) = lower(:technology)))
         AND (:owner IS NULL OR EXISTS (
             SELECT 1 FROM stakeholder s WHERE s.workspace_pk = c.workspace_pk AND s.component_id = c.id
             AND s.link_type = 'owner' AND (s.person_id = :owner OR s.team_id = :owner)))
         AND (:unowned IS NULL OR :unowned <> EXISTS (
             SELECT 1 FROM stakeholder s WHERE s.workspace_pk = c.workspace_pk AND s.component_id = c.id
             AND s.link_type = 'owner'))
         ORDER BY c.seq, c.id";
    let types = query.type_ids.as_ref().map(|types| serde_json::json!(types).to_string());
    let params = named_params! {
        ":pk": workspace_pk,
        ":types": types,
        ":lifecycle": query.lifecycle,
        ":tag": query.tag,
        ":technology": query.technology,
        ":owner": query.owner_id,
        ":unowned": query.without_owner,
    };
    all(conn, sql, params, |row| {
        Ok(Found {
            id: row.get(0)?,
            type_id: row.get(1)?,
            name: row.get(2)?,
            lifecycle: row.get(3)?,
            updated_at: row.get(4)?,
        })
    })
}

/// Source, target and type of all relationships of a workspace.
pub(in crate::domain) fn relationships(conn: &Connection, workspace_pk: i64) -> Result<Vec<Ends>> {
    let sql = "SELECT source_id, target_id, type_id FROM relationship WHERE workspace_pk = ?";
    all(conn, sql, [workspace_pk], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

/// The ids of the owners of a component, separated by commas.
pub(in crate::domain) fn owners(conn: &Connection, workspace_pk: i64, component_id: &str) -> Result<String> {
    let sql = "SELECT coalesce(group_concat(coalesce(person_id, team_id), ', '), '') FROM stakeholder
         WHERE workspace_pk = ? AND component_id = ? AND link_type = 'owner'";
    let owners = one(conn, sql, rusqlite::params![workspace_pk, component_id], |row| row.get(0))?;
    Ok(owners.unwrap_or_default())
}
