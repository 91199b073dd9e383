//! People: the figures of an organization's maps, some of them its users.

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
    /// Place in the order of creation.
    #[serde(skip)]
    pub seq: i64,
    /// Unique in the organization.
    #[schema(example = "grace-hopper")]
    pub id: String,
    /// The organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Grace Hopper")]
    pub name: String,
    /// E-mail address; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "grace@example.org")]
    pub email: Option<String>,
    /// Address of a photograph; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub photo_url: Option<String>,
    /// What they are in the organization; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false, example = "Head of payments")]
    pub title: Option<String>,
    /// Something about them; absent when it was never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub bio: Option<String>,
    /// How to reach them, free-form.
    pub contact: Properties,
    /// Free-form.
    pub properties: Properties,
    /// The user who is this person, also when they have left; set by the server alone.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub user_id: Option<i64>,
    /// The same user's id with their identity provider; set by the server alone.
    #[serde(rename = "clerkUserId", skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub external_subject: Option<String>,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A person to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewPerson {
    /// Made from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// The active organization; accepted when equal.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// E-mail address.
    #[schema(nullable = false)]
    pub email: Option<ContactEmail>,
    /// Address of a photograph.
    #[schema(nullable = false)]
    pub photo_url: Option<PhotoUrl>,
    /// What they are in the organization.
    #[schema(nullable = false)]
    pub title: Option<Line>,
    /// Something about them.
    #[schema(nullable = false)]
    pub bio: Option<Text>,
    /// How to reach them, free-form.
    #[schema(nullable = false)]
    pub contact: Option<Properties>,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// What to change of a person; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PersonPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// E-mail address.
    #[schema(nullable = false)]
    pub email: Option<ContactEmail>,
    /// Address of a photograph.
    #[schema(nullable = false)]
    pub photo_url: Option<PhotoUrl>,
    /// What they are in the organization.
    #[schema(nullable = false)]
    pub title: Option<Line>,
    /// Something about them.
    #[schema(nullable = false)]
    pub bio: Option<Text>,
    /// Replaces all contacts.
    #[schema(nullable = false)]
    pub contact: Option<Properties>,
    /// Replaces all properties.
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

/// What a person has beside their own fields.
const ROW: &[&str] = stamped!("" ["userId", "clerkUserId"]);

/// A person as teams and components show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonCard {
    /// Person id.
    #[schema(example = "grace-hopper")]
    pub id: String,
    /// Name.
    #[schema(example = "Grace Hopper")]
    pub name: String,
    /// E-mail address.
    #[schema(required)]
    pub email: Option<String>,
    /// Address of a photograph.
    #[schema(required)]
    pub photo_url: Option<String>,
    /// What they are in the organization.
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
    /// What the person is in it.
    pub role: TeamRole,
    /// Unix milliseconds.
    pub added_at: i64,
}

/// A person, and the teams they belong to.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PersonDetails {
    /// The person.
    pub person: Person,
    /// Their teams, in the order in which they came to them.
    pub teams: Vec<PersonTeam>,
}

/// The people within the caller's reach, in order of creation.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Person>> {
    directory::list(tx, paging)
}

/// A person with their teams. `org_id` tells people of equal ids in several organizations apart.
pub fn read(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<PersonDetails> {
    let person: Person = directory::read(tx, id, org_id)?;
    let teams = store::teams::of_person(tx.core().conn, &person.org_id, id)?;
    Ok(PersonDetails { person, teams })
}

/// Creates a person, who is nobody's account.
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
    /// Whether a creator who says `new` would make them so.
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

/// Changes a person.
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

/// Deletes a person, who leaves all teams. While they are a stakeholder of anything: [`Error::InUse`], unless `force`
/// takes those links away too.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str, force: bool) -> Result<()> {
    let person: Person = directory::release(tx, id, force)?;
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &person)?;
    directory.delete(&person)
}

/// Makes the person that a user is in an organization, unless they are somebody there since an earlier time: who leaves
/// stays on the maps, and is found again.
///
/// Whatever e-mail address the user has, a person who happens to have the same stays somebody else: no address here is
/// known to be anybody's, and to be somebody takes more than to say so.
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

/// Notes by which id the identity provider of a user knows them from now on, on the person that they are.
pub(super) fn rename_subject(core: &Core<'_>, organization_id: &str, user_id: i64) -> Result<()> {
    let Some(person) = store::people::of_user(core.conn, organization_id, user_id)? else { return Ok(()) };
    let subject = store::users::subject(core.conn, user_id)?;
    let anything = Identity { id: None, org_id: None };
    let rename = |old: Person| Person { external_subject: Some(subject), ..old };
    directory::update(Directory::new(core, organization_id.to_owned()), &person.id, &anything, rename).map(drop)
}
