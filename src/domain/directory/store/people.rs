//! People.

use rusqlite::{Connection, Row, params};

use super::entries::{Entry, LinkedEntry};
use crate::{
    db::sql::{one, run},
    domain::{
        core::{Entity, Record, RowMetadata, WriteToken, metadata, searched::Affected},
        directory::people::{Person, PersonCard},
    },
    error::Result,
};

impl Entry for Person {
    const TABLE: &'static str = "person";
    const PLACE: &'static str = "seq";

    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            org_id: row.get("organization_id")?,
            id: row.get("id")?,
            seq: row.get("seq")?,
            name: row.get("name")?,
            email: row.get("email")?,
            photo_url: row.get("photo_url")?,
            title: row.get("title")?,
            bio: row.get("bio")?,
            contact: row.get("contact")?,
            properties: row.get("properties")?,
            user_id: row.get("user_id")?,
            external_subject: row.get("external_subject")?,
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

impl LinkedEntry for Person {
    const LINKED_BY: &'static str = "person_id";
}

impl Record for Person {
    const ENTITY: Entity = Entity::Person;

    fn key(&self) -> String {
        self.id.clone()
    }

    fn seq(&self) -> Option<i64> {
        Some(self.seq)
    }

    fn searched_in(&self) -> Option<Affected> {
        Some(Affected::OfPerson(self.id.clone()))
    }

    fn is_found_like(&self, other: &Self) -> bool {
        self.name == other.name
    }

    fn metadata(&mut self) -> &mut RowMetadata {
        &mut self.metadata
    }

    fn put(&mut self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "INSERT INTO person (
                       organization_id, id, seq, name, email, photo_url, title, bio, contact, properties,
                       user_id, external_subject, revision, created_at, created_by, updated_at, updated_by)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (organization_id, id) DO UPDATE SET
                       seq = excluded.seq, name = excluded.name, email = excluded.email,
                       photo_url = excluded.photo_url, title = excluded.title, bio = excluded.bio,
                       contact = excluded.contact, properties = excluded.properties, user_id = excluded.user_id,
                       external_subject = excluded.external_subject, revision = excluded.revision,
                       updated_at = excluded.updated_at, updated_by = excluded.updated_by
                   WHERE ?";
        let params = params![
            to.scope.organization_id(),
            self.id,
            self.seq,
            self.name,
            self.email,
            self.photo_url,
            self.title,
            self.bio,
            self.contact,
            self.properties,
            self.user_id,
            self.external_subject,
            self.metadata.revision,
            self.metadata.created_at,
            self.metadata.created_by,
            self.metadata.updated_at,
            self.metadata.updated_by,
            to.replaces,
        ];
        run(to.conn, sql, params)?;
        Ok(())
    }

    fn delete(&self, to: &WriteToken<'_>) -> Result<()> {
        let sql = "DELETE FROM person WHERE organization_id = ? AND id = ?";
        run(to.conn, sql, params![to.scope.organization_id(), self.id])?;
        Ok(())
    }
}

/// Columns of a [`PersonCard`], from `person p`. The id is selected separately.
pub(in crate::domain) const CARD: &str = "p.name AS person_name, p.email, p.photo_url, p.title";

pub(in crate::domain) fn card(row: &Row<'_>, id: String) -> rusqlite::Result<PersonCard> {
    Ok(PersonCard {
        id,
        name: row.get("person_name")?,
        email: row.get("email")?,
        photo_url: row.get("photo_url")?,
        title: row.get("title")?,
    })
}

/// Person of a user in an organization.
pub(in crate::domain) fn of_user(conn: &Connection, organization_id: &str, user_id: i64) -> Result<Option<Person>> {
    let sql = "SELECT * FROM person WHERE organization_id = ? AND user_id = ?";
    one(conn, sql, rusqlite::params![organization_id, user_id], Person::read)
}
