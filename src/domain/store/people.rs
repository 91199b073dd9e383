//! People.

use rusqlite::{Connection, Row};

use super::{directory::Entry, directory::entry, one};
use crate::{
    domain::people::{Person, PersonCard},
    error::Result,
};

entry!(Person in "person", placed by seq, linked by "person_id", with {
    seq, name, email, photo_url, title, bio, contact, properties, user_id, external_subject,
});

/// Columns of a [`PersonCard`], from `person p`. The id is selected separately.
pub(in crate::domain::store) const CARD: &str = "p.name AS person_name, p.email, p.photo_url, p.title";

pub(in crate::domain::store) fn card(row: &Row<'_>, id: String) -> rusqlite::Result<PersonCard> {
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
