//! People.

use rusqlite::{Connection, Row, ToSql};

use super::entries::{Entry, LinkedEntry};
use crate::{
    db::sql::one,
    domain::{
        core::{Entity, Owner, Record, RowMetadata, metadata, searched::Affected},
        directory::people::{Person, PersonCard},
    },
    error::Result,
};

impl Entry for Person {
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
    const OWNERS: &'static [Owner] = &[Owner::Organization];
    const COLUMNS: &'static [&'static str] =
        &["seq", "name", "email", "photo_url", "title", "bio", "contact", "properties", "user_id", "external_subject"];

    fn values(&self) -> Vec<&dyn ToSql> {
        vec![
            &self.id,
            &self.seq,
            &self.name,
            &self.email,
            &self.photo_url,
            &self.title,
            &self.bio,
            &self.contact,
            &self.properties,
            &self.user_id,
            &self.external_subject,
        ]
    }

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
