//! People and teams attached to components.

use rusqlite::{Connection, Row, params};

use super::{all, one, run, written};
use crate::{
    domain::{
        access::{Entity, Logged, Record, Written},
        stakeholders::{Stakeholder, StakeholderPerson, StakeholderTeam},
        workspaces::WorkspaceKey,
    },
    error::Result,
};

const SELECT: &str = "SELECT s.id, s.component_id, s.person_id, s.team_id, s.link_type, s.properties, s.revision,
        s.created_at, s.created_by, s.updated_at, s.updated_by,
        p.name AS person_name, p.email, p.photo_url, p.title, t.name AS team_name
    FROM stakeholder s
    LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
    LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id
    WHERE s.workspace_pk = ?";

fn stakeholder(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Stakeholder> {
    let (person_id, team_id): (Option<String>, Option<String>) = (row.get("person_id")?, row.get("team_id")?);
    let person = match &person_id {
        None => None,
        Some(id) => Some(StakeholderPerson {
            id: id.clone(),
            name: row.get("person_name")?,
            email: row.get("email")?,
            photo_url: row.get("photo_url")?,
            title: row.get("title")?,
        }),
    };
    let team = match &team_id {
        None => None,
        Some(id) => Some(StakeholderTeam { id: id.clone(), name: row.get("team_name")? }),
    };
    Ok(Stakeholder {
        id: row.get("id")?,
        workspace_id: workspace_id.to_owned(),
        component_id: row.get("component_id")?,
        person_id,
        team_id,
        link_type: row.get("link_type")?,
        properties: row.get("properties")?,
        person,
        team,
        written: written(row)?,
    })
}

/// All of a workspace, in order of creation.
pub(in crate::domain) fn list(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Stakeholder>> {
    all(conn, &format!("{SELECT} ORDER BY s.id"), [of.pk], |row| stakeholder(row, of.id))
}

/// Those of one component.
pub(in crate::domain) fn of_component(
    conn: &Connection,
    of: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<Vec<Stakeholder>> {
    let sql = format!("{SELECT} AND s.component_id = ? ORDER BY s.id");
    all(conn, &sql, params![of.pk, component_id], |row| stakeholder(row, of.id))
}

pub(in crate::domain) fn find(conn: &Connection, of: &WorkspaceKey<'_>, component_id: &str, id: i64) -> Result<Option<Stakeholder>> {
    let sql = format!("{SELECT} AND s.component_id = ? AND s.id = ?");
    one(conn, &sql, params![of.pk, component_id, id], |row| stakeholder(row, of.id))
}

impl Record for Stakeholder {
    const ENTITY: Entity = Entity::Stakeholder;

    fn key(&self) -> String {
        self.id.to_string()
    }

    fn written(&mut self) -> &mut Written {
        &mut self.written
    }

    fn insert(&mut self, to: &Logged<'_>) -> Result<()> {
        let written = &self.written;
        run(
            to.conn,
            "INSERT INTO stakeholder (id, workspace_pk, component_id, organization_id, person_id, team_id, link_type,
                                      properties, revision, created_at, created_by, updated_at, updated_by)
             VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                self.id,
                to.scope.workspace_pk(),
                self.component_id,
                to.scope.organization_id(),
                self.person_id,
                self.team_id,
                self.link_type,
                self.properties,
                written.revision,
                written.created_at,
                written.created_by,
                written.updated_at,
                written.updated_by
            ],
        )?;
        self.id = to.conn.last_insert_rowid();
        Ok(())
    }

    fn update(&self, to: &Logged<'_>) -> Result<()> {
        run(
            to.conn,
            "UPDATE stakeholder SET link_type = ?, properties = ?, revision = ?, updated_at = ?, updated_by = ?
             WHERE workspace_pk = ? AND id = ?",
            params![
                self.link_type,
                self.properties,
                self.written.revision,
                self.written.updated_at,
                self.written.updated_by,
                to.scope.workspace_pk(),
                self.id
            ],
        )?;
        Ok(())
    }

    fn delete(&self, to: &Logged<'_>) -> Result<()> {
        let sql = "DELETE FROM stakeholder WHERE workspace_pk = ? AND id = ?";
        run(to.conn, sql, params![to.scope.workspace_pk(), self.id])?;
        Ok(())
    }
}
