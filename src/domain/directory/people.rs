//! The people shown on an organization's maps. Some of them are users.

pub use super::model::people::{NewPerson, Person, PersonCard, PersonDetails, PersonPatch, PersonTeam};
use super::{
    entries::{self, EntryIds},
    store, team_members,
};
use crate::{
    domain::{
        core::{Core, Directory, OrgAdminTx, OrgTx, OrgViewTx, Reads, RowMetadata},
        paging::{Page, Paging},
        slug, users,
        values::{ContactEmail, Id, Line, PhotoUrl, Properties, Text},
    },
    error::{Error, Result},
};

/// Lists the people that the caller can access, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Person>> {
    entries::list(tx, paging)
}

/// Reads a person with their teams. `org_id` selects the organization if several have a person with this id.
pub fn read(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<PersonDetails> {
    let person: Person = entries::read(tx, id, org_id)?;
    let teams = store::teams::of_person(tx.core().conn, &person.org_id, id)?;
    Ok(PersonDetails { person, teams })
}

/// Creates a person without a user account.
pub fn create(tx: &mut OrgTx<'_>, new: NewPerson) -> Result<Person> {
    let given = EntryIds { id: new.id.as_ref().map(Id::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::from_name(new.name.as_str());
    entries::create(tx.directory()?, &given, base, |id, org_id, seq| Person {
        seq,
        id,
        org_id,
        name: new.name.clone().into(),
        email: new.email.map(String::from),
        photo_url: new.photo_url.map(String::from),
        title: new.title.map(String::from),
        bio: new.bio.map(String::from),
        contact: new.contact.unwrap_or_default(),
        properties: new.properties.unwrap_or_default(),
        user_id: None,
        external_subject: None,
        metadata: RowMetadata::default(),
    })
}

impl Person {
    /// Whether creating `new` would result in this person.
    pub(in crate::domain) fn matches(&self, new: &NewPerson) -> bool {
        self.name == new.name.as_str()
            && self.email.as_deref() == new.email.as_ref().map(ContactEmail::as_str)
            && self.photo_url.as_deref() == new.photo_url.as_ref().map(PhotoUrl::as_str)
            && self.title.as_deref() == new.title.as_ref().map(Line::as_str)
            && self.bio.as_deref() == new.bio.as_ref().map(Text::as_str)
            && self.contact == new.contact.clone().unwrap_or_default()
            && self.properties == new.properties.clone().unwrap_or_default()
    }
}

/// Updates a person.
pub fn update(tx: &mut OrgTx<'_>, id: &str, patch: PersonPatch) -> Result<Person> {
    let given = EntryIds { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    entries::update(tx.directory()?, id, &given, |old: Person| Person {
        name: patch.name.map_or(old.name, String::from),
        email: patch.email.map(String::from).or(old.email),
        photo_url: patch.photo_url.map(String::from).or(old.photo_url),
        title: patch.title.map(String::from).or(old.title),
        bio: patch.bio.map(String::from).or(old.bio),
        contact: patch.contact.unwrap_or(old.contact),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    })
}

/// Deletes a person and their team memberships. Fails with [`Error::InUse`] while the person is a stakeholder, unless
/// `force` is set: then these stakeholder links are deleted too.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str, force: bool) -> Result<()> {
    let person: Person = entries::release(tx, id, force)?;
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &person)?;
    directory.delete(&person)
}

/// Ensures that a user has a person in the organization.
///
/// A user who left and joins again gets the same person as before, because that person stays on the maps.
///
/// A person is never matched by email address: addresses in the directory are unverified, so matching by them would let
/// a user take over another person.
pub(in crate::domain) fn join(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    if store::people::of_user(core.conn, organization_id, user_id)?.is_some() {
        return Ok(());
    }
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let subject = users::subject(core.conn, user_id)?;
    let base = || slug::from_name(&user.display_name);
    let anybody = EntryIds { id: None, org_id: None };
    entries::create(Directory::new(core, organization_id.to_owned()), &anybody, base, |id, org_id, seq| Person {
        seq,
        id,
        org_id,
        name: user.display_name.clone(),
        email: user.email,
        photo_url: user.avatar_url,
        title: None,
        bio: None,
        contact: Properties::default(),
        properties: Properties::default(),
        user_id: Some(user_id),
        external_subject: Some(subject),
        metadata: RowMetadata::default(),
    })
    .map(drop)
}

/// Updates the photo of a user on their person, unless the person has a photo of its own.
pub(in crate::domain) fn follow_photo(
    core: &Core<'_>,
    organization_id: &str,
    user_id: i64,
    (before, after): (Option<&str>, Option<&str>),
) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let photo = person.photo_url.as_deref().filter(|photo| !photo.is_empty());
    if photo.is_some() && photo != before {
        return Ok(());
    }
    let anything = EntryIds { id: None, org_id: None };
    let change =
        |old: Person| Person { photo_url: after.map(str::to_owned).or(old.photo_url.map(|_| String::new())), ..old };
    entries::update(Directory::new(core, organization_id.to_owned()), &person.id, &anything, change).map(drop)
}

/// Updates the id of a user at their identity provider, on the person of that user.
pub(in crate::domain) fn rename_subject(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let subject = users::subject(core.conn, user_id)?;
    let anything = EntryIds { id: None, org_id: None };
    let rename = |old: Person| Person { external_subject: Some(subject), ..old };
    entries::update(Directory::new(core, organization_id.to_owned()), &person.id, &anything, rename).map(drop)
}
