//! The people shown on an organization's maps. Some of them are users.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{Core, Directory, OrgAdminTx, OrgTx, OrgViewTx, Reads, Written},
    directory::{self, Identity},
    input::{Input, objects, stamped},
    paging::{Page, Paging},
    slug, store, team_members,
    values::{ContactEmail, Id, Line, Name, PhotoUrl, Properties, TeamRole, Text},
};
use crate::error::{Error, Result};

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Position in creation order.
    #[serde(skip)]
    pub seq: i64,
    /// Id, unique in the organization.
    #[schema(example = "grace-hopper")]
    pub id: String,
    /// Id of the organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Grace Hopper")]
    pub name: String,
    /// Email address; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "grace@example.org")]
    pub email: Option<String>,
    /// URL of a photo; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub photo_url: Option<String>,
    /// Title in the organization; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "Head of payments")]
    pub title: Option<String>,
    /// Short biography; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub bio: Option<String>,
    /// Free-form contact details.
    pub contact: Properties,
    /// Free-form properties.
    pub properties: Properties,
    /// Id of the user account of this person. Stays set after the user leaves the organization. Set only by the server.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// Id of that user at their identity provider. Set only by the server.
    #[serde(rename = "clerkUserId", skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub external_subject: Option<String>,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// Fields of a new person.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewPerson {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Email address.
    #[schema(nullable = false)]
    pub email: Option<ContactEmail>,
    /// URL of a photo.
    #[schema(nullable = false)]
    pub photo_url: Option<PhotoUrl>,
    /// Title in the organization.
    #[schema(nullable = false)]
    pub title: Option<Line>,
    /// Short biography.
    #[schema(nullable = false)]
    pub bio: Option<Text>,
    /// Free-form contact details.
    #[schema(nullable = false)]
    pub contact: Option<Properties>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a person to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PersonPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Email address; `""` clears it.
    #[schema(nullable = false)]
    pub email: Option<ContactEmail>,
    /// URL of a photo; `""` clears it.
    #[schema(nullable = false)]
    pub photo_url: Option<PhotoUrl>,
    /// Title in the organization; `""` clears it.
    #[schema(nullable = false)]
    pub title: Option<Line>,
    /// Short biography; `""` clears it.
    #[schema(nullable = false)]
    pub bio: Option<Text>,
    /// Free-form contact details; replaces all existing ones.
    #[schema(nullable = false)]
    pub contact: Option<Properties>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(NewPerson, PersonPatch);
impl Input for NewPerson {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for PersonPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a person in responses that a client cannot write.
const ROW: &[&str] = stamped!("" ["userId", "clerkUserId"]);

/// A person as embedded in teams and components.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonCard {
    /// Person id.
    #[schema(example = "grace-hopper")]
    pub id: String,
    /// Name.
    #[schema(example = "Grace Hopper")]
    pub name: String,
    /// Email address.
    #[schema(required)]
    pub email: Option<String>,
    /// URL of a photo.
    #[schema(required)]
    pub photo_url: Option<String>,
    /// Title in the organization.
    #[schema(required)]
    pub title: Option<String>,
}

/// A team that a person belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonTeam {
    /// Team id.
    #[schema(example = "payments")]
    pub id: String,
    /// Name.
    #[schema(example = "Payments")]
    pub name: String,
    /// Role of the person in the team.
    pub role: TeamRole,
    /// Time when the person was added, in Unix milliseconds.
    pub added_at: i64,
}

/// A person with the teams they belong to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PersonDetails {
    /// The person.
    pub person: Person,
    /// Teams of the person, in the order in which the person was added.
    pub teams: Vec<PersonTeam>,
}

/// Lists the people that the caller can access, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Person>> {
    directory::list(tx, paging)
}

/// Reads a person with their teams. `org_id` selects the organization if several have a person with this id.
pub fn read(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<PersonDetails> {
    let person: Person = directory::read(tx, id, org_id)?;
    let teams = store::teams::of_person(tx.core().conn, &person.org_id, id)?;
    Ok(PersonDetails { person, teams })
}

/// Creates a person without a user account.
pub fn create(tx: &mut OrgTx<'_>, new: NewPerson) -> Result<Person> {
    let given = Identity { id: new.id.as_ref().map(Id::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::from_name(new.name.as_str());
    directory::create(tx.directory()?, &given, base, |id, org_id, seq| Person {
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
        written: Written::default(),
    })
}

impl Person {
    /// Whether creating `new` would result in this person.
    pub(super) fn is_said_by(&self, new: &NewPerson) -> bool {
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
    let given = Identity { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    directory::update(tx.directory()?, id, &given, |old: Person| Person {
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
    let person: Person = directory::release(tx, id, force)?;
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
pub(super) fn join(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    if store::people::of_user(core.conn, organization_id, user_id)?.is_some() {
        return Ok(());
    }
    let user = store::users::by_id(core.conn, user_id)?.ok_or(Error::NotFound("user"))?;
    let subject = store::users::subject(core.conn, user_id)?;
    let base = || slug::from_name(&user.display_name);
    let anybody = Identity { id: None, org_id: None };
    directory::create(Directory::new(core, organization_id.to_owned()), &anybody, base, |id, org_id, seq| Person {
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
        written: Written::default(),
    })
    .map(drop)
}

/// Updates the id of a user at their identity provider, on the person of that user.
pub(super) fn rename_subject(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let subject = store::users::subject(core.conn, user_id)?;
    let anything = Identity { id: None, org_id: None };
    let rename = |old: Person| Person { external_subject: Some(subject), ..old };
    directory::update(Directory::new(core, organization_id.to_owned()), &person.id, &anything, rename).map(drop)
}
