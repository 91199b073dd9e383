//! Teams and their members.

use rusqlite::{Connection, Row, ToSql, params};

use super::{
    entries::{Entry, LinkedEntry},
    people,
};
use crate::{
    db::sql::{all, one},
    domain::{
        core::{Entity, Owner, Record, RowMetadata, metadata, searched::Affected},
        directory::{
            people::PersonTeam,
            team_members::{Membership, TeamMember},
            teams::Team,
        },
        paging::{Page, Window, page},
    },
    error::Result,
};

impl Entry for Team {
    const PLACE: &'static str = "seq";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            org_id: row.get("organization_id")?,
            id: row.get("id")?,
            seq: row.get("seq")?,
            name: row.get("name")?,
            description: row.get("description")?,
            properties: row.get("properties")?,
            metadata: metadata(row)?,
        })
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn org_id(&self) -> &str {
        &self.org_id
    }
}

impl LinkedEntry for Team {
    const LINKED_BY: &'static str = "team_id";
}

impl Record for Team {
    const ENTITY: Entity = Entity::Team;
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const COLUMNS: &'static [&'static str] = &["seq", "name", "description", "properties"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.id, &self.seq, &self.name, &self.description, &self.properties]
    }

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::OfTeam(self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        self.name == other.name
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}

fn membership(row: &Row<'_>) -> rusqlite::Result<Membership> {
    Ok(Membership {
        team_id: row.get("team_id")?,
        person_id: row.get("person_id")?,
        role: row.get("role")?,
        metadata: metadata(row)?,
    })
}

const MEMBERSHIP: &str = "SELECT team_id, person_id, role, revision, added_at AS created_at, added_by AS created_by,
    updated_at, updated_by FROM team_member WHERE organization_id = ?";

/// A person's membership in a team.
pub(in crate::domain) fn membership_of(
    conn: &Connection,
    organization_id: &str,
    team_id: &str,
    person_id: &str,
) -> Result<Option<Membership>> {
    let sql = format!("{MEMBERSHIP} AND team_id = ? AND person_id = ?");
    one(conn, &sql, [organization_id, team_id, person_id], membership)
}

/// All memberships of a person, or in a team: `column` is `person_id` or `team_id`.
pub(in crate::domain) fn memberships(
    conn: &Connection,
    organization_id: &str,
    column: &str,
    id: &str,
) -> Result<Vec<Membership>> {
    let sql = format!("{MEMBERSHIP} AND {column} = ? ORDER BY added_at, rowid");
    all(conn, &sql, [organization_id, id], membership)
}

/// All people of an organization with their teams: person id and team id.
pub(in crate::domain) fn teams_of_people(conn: &Connection, organization_id: &str) -> Result<Vec<(String, String)>> {
    let sql = "SELECT person_id, team_id FROM team_member WHERE organization_id = ? ORDER BY rowid";
    all(conn, sql, [organization_id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Members of a team, in the order in which they were added.
pub(in crate::domain) fn members(
    conn: &Connection,
    organization_id: &str,
    team_id: &str,
    window: &Window<(i64, i64)>,
) -> Result<Page<TeamMember>> {
    let sql = format!(
        "SELECT m.rowid AS place, m.team_id, m.person_id, m.role, m.revision, m.added_at, m.added_by, {} FROM team_member m
         JOIN person p ON p.organization_id = m.organization_id AND p.id = m.person_id
         WHERE m.organization_id = ? AND m.team_id = ? AND (m.added_at, m.rowid) > (?, ?)
         ORDER BY m.added_at, m.rowid LIMIT ?",
        people::CARD
    );
    let params = params![organization_id, team_id, window.after.0, window.after.1, window.rows()];
    page(conn, &sql, params, window, |row| {
        let person_id: String = row.get("person_id")?;
        let member = TeamMember {
            team_id: row.get("team_id")?,
            person_id: person_id.clone(),
            role: row.get("role")?,
            revision: row.get("revision")?,
            added_at: row.get("added_at")?,
            added_by: row.get("added_by")?,
            person: people::card(row, person_id)?,
        };
        Ok(((member.added_at, row.get("place")?), member))
    })
}

/// Teams of a person, in the order in which the person was added.
pub(in crate::domain) fn of_person(
    conn: &Connection,
    organization_id: &str,
    person_id: &str,
) -> Result<Vec<PersonTeam>> {
    all(
        conn,
        "SELECT t.id, t.name, m.role, m.added_at FROM team_member m
         JOIN team t ON t.organization_id = m.organization_id AND t.id = m.team_id
         WHERE m.organization_id = ? AND m.person_id = ? ORDER BY m.added_at, m.rowid",
        [organization_id, person_id],
        |row| Ok(PersonTeam { id: row.get(0)?, name: row.get(1)?, role: row.get(2)?, added_at: row.get(3)? }),
    )
}

impl Record for Membership {
    const ENTITY: Entity = Entity::TeamMember;
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const KEY: &'static [&'static str] = &["team_id", "person_id"];
    const COLUMNS: &'static [&'static str] = &["role"];
    const CREATED: [&'static str; 2] = ["added_at", "added_by"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![&self.team_id, &self.person_id, &self.role]
    }

    /// Both ids as a JSON array, because ids may contain any separator character.
    fn key(&self) -> String {
        serde_json::json!([self.team_id, self.person_id]).to_string()
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }
}
