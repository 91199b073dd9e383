//! Links of people and teams to components.

use rusqlite::{Connection, Row, ToSql, params};

use super::{entries::LinkedEntry, people};
use crate::{
    db::sql::{all, exists, one},
    domain::{
        core::{
            Entity, HitKind, Owner, Record, RowMetadata, WorkspaceKey, WorkspaceRow, list_rows_by, metadata_at,
            row_columns, searched::Affected,
        },
        map::stakeholders::{Stakeholder, StakeholderLink, StakeholderTeam},
        paging::{Page, Window, page},
    },
    error::Result,
};

impl Record for StakeholderLink {
    const ENTITY: Entity = Entity::Stakeholder;
    const OWNERS: &'static [Owner] = &[Owner::Workspace, Owner::Organization];
    const COLUMNS: &'static [&'static str] = &["component_id", "person_id", "team_id", "link_type", "properties"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.component_id, &self.person_id, &self.team_id, &self.link_type, &self.properties]
    }

    fn set_number(&mut self, id: i64) {
        self.id = id;
    }

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::Row(HitKind::Component, self.component_id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        (&self.component_id, &self.person_id, &self.team_id) == (&other.component_id, &other.person_id, &other.team_id)
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

impl WorkspaceRow for StakeholderLink {
    const LIST: &'static str = "stakeholders";
    const ORDER: &'static str = "id";

    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            component_id: row.get(1)?,
            person_id: row.get(2)?,
            team_id: row.get(3)?,
            link_type: row.get(4)?,
            properties: row.get(5)?,
            workspace_id: workspace_id.to_owned(),
            metadata: metadata_at(row, 6)?,
        })
    }
}

/// Query for the stakeholders `within` a condition, with their person or team, in creation order.
fn select(within: &str) -> String {
    let columns = row_columns::<StakeholderLink>();
    format!(
        "SELECT s.*, t.name AS team_name, {} FROM (SELECT {columns}, organization_id FROM stakeholder WHERE {within}) s
         LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
         LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id ORDER BY s.id",
        people::CARD
    )
}

fn stakeholder(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Stakeholder> {
    let link = StakeholderLink::read(row, workspace_id)?;
    let person = link.person_id.clone().map(|id| people::card(row, id)).transpose()?;
    let team = |id| Ok::<_, rusqlite::Error>(StakeholderTeam { id, name: row.get("team_name")? });
    let team = link.team_id.clone().map(team).transpose()?;
    Ok(Stakeholder { link, person, team })
}

/// Stakeholders of a workspace, in creation order.
pub(in crate::domain) fn list(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    window: &Window<i64>,
) -> Result<Page<Stakeholder>> {
    let sql = select("workspace_pk = ? AND id > ? ORDER BY id LIMIT ?");
    let params = [of.pk, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, stakeholder(row, of.id)?)))
}

/// Stakeholders of a component, in creation order.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    window: &Window<i64>,
) -> Result<Page<Stakeholder>> {
    let sql = select("workspace_pk = ? AND component_id = ? AND id > ? ORDER BY id LIMIT ?");
    let params = params![of.pk, component_id, window.after, window.rows()];
    page(conn, &sql, params, window, |row| Ok((row.get("id")?, stakeholder(row, of.id)?)))
}

pub(in crate::domain) fn find(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
    id: i64,
) -> Result<Option<Stakeholder>> {
    let sql = select("workspace_pk = ? AND component_id = ? AND id = ?");
    one(conn, &sql, params![of.pk, component_id, id], |row| stakeholder(row, of.id))
}

/// Finds a stakeholder link of a workspace.
pub(in crate::domain) fn by_id(conn: &Connection, of: &WorkspaceKey<'_>, id: i64) -> Result<Option<Stakeholder>> {
    one(conn, &select("workspace_pk = ? AND id = ?"), params![of.pk, id], |row| stakeholder(row, of.id))
}

/// Whether another link connects the same person or team to the same component with the same role.
pub(in crate::domain) fn has_another(conn: &Connection, workspace_pk: i64, link: &StakeholderLink) -> Result<bool> {
    exists(
        conn,
        "SELECT EXISTS (SELECT 1 FROM stakeholder WHERE workspace_pk = ? AND component_id = ? AND link_type = ?
                        AND (person_id = ? OR team_id = ?) AND id <> ?)",
        params![workspace_pk, link.component_id, link.link_type, link.person_id, link.team_id, link.id],
    )
}

/// Number of links that use a directory entry, and how many of them are in deleted workspaces.
pub(in crate::domain) struct Uses {
    pub count: i64,
    pub of_deleted: i64,
}

pub(in crate::domain) fn uses<E: LinkedEntry>(conn: &Connection, organization_id: &str, id: &str) -> Result<Uses> {
    let sql = format!(
        "SELECT count(*), count(w.deleted_at) FROM stakeholder s JOIN workspace w ON w.pk = s.workspace_pk
         WHERE s.organization_id = ? AND s.{} = ?",
        E::LINKED_BY
    );
    let uses = one(conn, &sql, [organization_id, id], |row| Ok(Uses { count: row.get(0)?, of_deleted: row.get(1)? }))?;
    Ok(uses.unwrap_or(Uses { count: 0, of_deleted: 0 }))
}

/// Organizations with workspaces deleted before `before` that have links to one of these entries.
pub(in crate::domain) fn organizations_using<E: LinkedEntry>(
    conn: &Connection,
    ids: &[&str],
    before: i64,
) -> Result<Vec<String>> {
    let sql = format!(
        "SELECT DISTINCT s.organization_id FROM workspace w JOIN stakeholder s ON s.workspace_pk = w.pk
         WHERE w.deleted_at < ? AND s.{} IN (SELECT value FROM json_each(?))",
        E::LINKED_BY
    );
    all(conn, &sql, params![before, serde_json::to_string(ids)?], |row| row.get(0))
}

/// Keys of the workspaces with links that use a directory entry, including deleted workspaces.
pub(in crate::domain) fn workspaces_using<E: LinkedEntry>(
    conn: &Connection,
    organization_id: &str,
    id: &str,
) -> Result<Vec<i64>> {
    let by = E::LINKED_BY;
    let sql = format!(
        "SELECT DISTINCT workspace_pk FROM stakeholder WHERE organization_id = ? AND {by} = ? ORDER BY workspace_pk"
    );
    all(conn, &sql, [organization_id, id], |row| row.get(0))
}

/// Links in a workspace that use an entry of its organization's directory.
pub(in crate::domain) fn using<E: LinkedEntry>(
    conn: &Connection,
    within: &WorkspaceKey<'_>,
    id: &str,
) -> Result<Vec<StakeholderLink>> {
    list_rows_by(conn, within, E::LINKED_BY, id)
}
