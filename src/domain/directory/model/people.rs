//! People.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{ContactEmail, Id, Line, Name, PhotoPatch, PhotoUrl, Properties, TeamRole, Text},
    },
};

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
    /// URL of a photo; absent if never set. For a photo that the user of this person has uploaded, a path on this server.
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
    pub metadata: RowMetadata,
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
    pub photo_url: Option<PhotoPatch>,
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
pub(in crate::domain) const ROW: &[&str] = stamped!("" ["userId", "clerkUserId"]);

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
