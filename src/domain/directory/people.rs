//! The people shown on an organization's maps. Some of them are users.

pub use super::model::people::{NewPerson, Person, PersonCard, PersonDetails, PersonPatch, PersonTeam};
use super::{
    entries::{self, EntryIds},
    store, team_members,
};
use crate::{
    domain::{
        core::{Core, Directory, OrgAdminTx, OrgTx, OrgViewTx, Reads, RowMetadata, SelfTx},
        paging::{Page, Paging},
        slug,
        users::{self, photos},
        values::{ContactEmail, Id, Line, PhotoPatch, PhotoUrl, Properties, Text, UploadedPhoto},
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

/// Id of the person of the active organization that the caller is, if any.
pub fn of_caller(tx: &SelfTx<'_>) -> Result<Option<String>> {
    let Some(organization) = &tx.caller().organization else { return Ok(None) };
    let person = store::people::of_user(tx.core().conn, &organization.id, tx.caller().user_id)?;
    Ok(person.map(|person| person.id))
}

/// Id of a person of the active organization with this name, ignoring the case of the letters a to z.
pub fn named(tx: &OrgTx<'_>, name: &str) -> Result<Option<String>> {
    store::entries::id_of_name::<Person>(tx.core().conn, tx.organization_id()?, name)
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
    /// The photo that the person shows, if a user has uploaded it.
    pub(in crate::domain) fn uploaded_photo(&self) -> Option<UploadedPhoto<'_>> {
        self.photo_url.as_deref().and_then(UploadedPhoto::parse)
    }

    /// Whether creating `new` would result in this person. An uploaded photo is ignored if `new` has no photo, because
    /// exported files do not contain it.
    pub(in crate::domain) fn matches(&self, new: &NewPerson) -> bool {
        let photo_url = new.photo_url.as_ref().map(PhotoUrl::as_str);
        let is_same_photo =
            self.photo_url.as_deref() == photo_url || photo_url.is_none() && self.uploaded_photo().is_some();
        is_same_photo
            && self.name == new.name.as_str()
            && self.email.as_deref() == new.email.as_ref().map(ContactEmail::as_str)
            && self.title.as_deref() == new.title.as_ref().map(Line::as_str)
            && self.bio.as_deref() == new.bio.as_ref().map(Text::as_str)
            && self.contact == new.contact.clone().unwrap_or_default()
            && self.properties == new.properties.clone().unwrap_or_default()
    }
}

/// Updates a person.
pub fn update(tx: &mut OrgTx<'_>, id: &str, patch: PersonPatch) -> Result<Person> {
    let directory = tx.directory()?;
    if let Some(photo) = patch.photo_url.as_ref().map(PhotoPatch::as_str) {
        let old: Person = entries::find(&directory, id)?;
        photos::expect_settable("photoUrl", old.photo_url.as_deref(), photo)?;
    }
    let given = EntryIds { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    entries::update(directory, id, &given, |old: Person| Person {
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

/// Deletes a person that the caller created and that no stakeholder link uses.
pub fn delete_own(tx: &mut OrgTx<'_>, id: &str) -> Result<()> {
    let person: Person = entries::release_own(tx, id)?;
    if person.user_id.is_some() {
        return Err(Error::Forbidden("deleting a person with an account needs an organization admin"));
    }
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &person)?;
    directory.delete(&person)
}

/// Ensures that a user has a person in the organization.
///
/// A user who left and joins again gets the same person as before, because that person stays on the maps. The person
/// shows the photo of the account again, unless it has a photo of its own.
///
/// A person is never matched by email address: addresses in the directory are unverified, so matching by them would let
/// a user take over another person.
pub(in crate::domain) fn join(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let user = users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    if store::people::of_user(core.conn, organization_id, user_id)?.is_some() {
        return follow_photo(core, organization_id, user_id, (None, user.avatar_url.as_deref()));
    }
    let subject = users::subject(core.conn, user_id)?;
    let base = || slug::from_name(&user.display_name);
    let without_id = EntryIds { id: None, org_id: None };
    entries::create(Directory::new(core, organization_id.to_owned()), &without_id, base, |id, org_id, seq| Person {
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

/// Removes the photo that a user has uploaded from their person. Call this when the user leaves the organization, which
/// can then no longer read the photo.
pub(in crate::domain) fn leave(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    match store::people::of_user(core.conn, organization_id, user_id)? {
        Some(person) if person.uploaded_photo().is_some() => show_photo(core, &person, None),
        _ => Ok(()),
    }
}

/// Removes what identifies a user from their person, which keeps its id and its place on the maps.
pub(in crate::domain) fn erase(core: &Core<'_>, organization_id: &str, user_id: i64, name: &str) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let after = Person {
        name: name.to_owned(),
        email: None,
        photo_url: None,
        title: None,
        bio: None,
        contact: Properties::default(),
        properties: Properties::default(),
        external_subject: None,
        ..person.clone()
    };
    Directory::new(core, organization_id.to_owned()).update(&person, after).map(drop)
}

/// Updates the photo of a user on their person, unless the person has a photo of its own. A photo that the user has
/// uploaded is never the person's own, even if it is not the one before.
pub(in crate::domain) fn follow_photo(
    core: &Core<'_>,
    organization_id: &str,
    user_id: i64,
    (before, after): (Option<&str>, Option<&str>),
) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let photo = person.photo_url.as_deref().filter(|photo| !photo.is_empty());
    if photo.is_some() && photo != before && person.uploaded_photo().is_none() {
        return Ok(());
    }
    show_photo(core, &person, after)
}

/// Updates the photo of a person. `If-Match` is not compared, because the request concerns the user.
fn show_photo(core: &Core<'_>, person: &Person, photo: Option<&str>) -> Result<()> {
    let photo_url = photo.map(str::to_owned).or_else(|| person.photo_url.as_ref().map(|_| String::new()));
    let after = Person { photo_url, ..person.clone() };
    Directory::new(core, person.org_id.clone()).update(person, after).map(drop)
}

/// Updates the id of a user at their identity provider, on the person of that user.
pub(in crate::domain) fn rename_subject(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let subject = users::subject(core.conn, user_id)?;
    let anything = EntryIds { id: None, org_id: None };
    let rename = |old: Person| Person { external_subject: Some(subject), ..old };
    entries::update(Directory::new(core, organization_id.to_owned()), &person.id, &anything, rename).map(drop)
}
