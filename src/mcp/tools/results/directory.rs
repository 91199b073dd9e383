//! Results about the organization: the caller, the directory, the type catalogue, the wiki.

use serde::{Deserialize, Serialize};

use super::{Named, NextPage};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue::{CATALOGUE, DependsOn, IconType, LifecycleState, RelationType},
        directory::{
            component_kinds::{ComponentKind, FieldType, KindField},
            people::Person,
            teams::Team,
        },
        values::{FieldKey, Label},
        wiki::{WikiChild, WikiKind},
    },
    mcp::results::truncate,
};

/// A team.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamSummary {
    pub id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Person ids of the leads.
    pub lead_ids: Vec<String>,
    /// Person ids of the other members.
    pub member_ids: Vec<String>,
}

impl TeamSummary {
    pub fn new(team: Team, lead_ids: Vec<String>, member_ids: Vec<String>) -> Self {
        let description = team.description.as_deref().map(truncate);
        Self { id: team.id, name: team.name, description, lead_ids, member_ids }
    }
}

/// A person.
#[derive(Debug, Serialize)]
pub struct PersonSummary {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

impl From<Person> for PersonSummary {
    fn from(Person { id, name, email, title, .. }: Person) -> Self {
        Self { id, name, email, title }
    }
}

/// A page of the directory.
#[derive(Debug, Default, Serialize)]
pub struct Directory {
    pub roles: Vec<Named<String>>,
    pub teams: Vec<TeamSummary>,
    pub people: Vec<PersonSummary>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A type, lifecycle state or role.
type Choice = Named<&'static str>;

impl From<&IconType> for Choice {
    fn from(IconType { id, name, .. }: &IconType) -> Self {
        Self { id, name }
    }
}

impl From<&LifecycleState> for Choice {
    fn from(LifecycleState { id, name, .. }: &LifecycleState) -> Self {
        Self { id, name }
    }
}

/// A type of relationship.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelationshipType {
    id: &'static str,
    name: &'static str,
    /// Whether the relationship has a direction.
    directed: bool,
    /// Which end depends on the other.
    depends_on: DependsOn,
}

impl From<&RelationType> for RelationshipType {
    fn from(&RelationType { id, name, directed, depends_on, .. }: &RelationType) -> Self {
        Self { id, name, directed, depends_on }
    }
}

/// A field of a kind.
#[derive(Debug, Serialize)]
pub struct FieldSummary {
    key: FieldKey,
    #[serde(rename = "type")]
    field_type: FieldType,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Label>,
}

/// A kind of component.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct KindSummary {
    id: String,
    name: String,
    base_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldSummary>,
}

impl From<ComponentKind> for KindSummary {
    fn from(kind: ComponentKind) -> Self {
        let field = |KindField { key, field_type, choices, .. }| FieldSummary { key, field_type, choices };
        let ComponentKind { id, name, base_type, description, fields, .. } = kind;
        let description = description.filter(|text| !text.is_empty()).map(|text| truncate(&text));
        Self { id, name, base_type, description, fields: fields.0.into_iter().map(field).collect() }
    }
}

/// The type catalogue, without colors and icons, which do not help a model.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeLists {
    component_types: Vec<Choice>,
    relation_types: Vec<RelationshipType>,
    lifecycle_states: Vec<Choice>,
    /// Roles of a stakeholder that every organization starts with.
    stakeholder_link_types: Vec<Choice>,
}

impl TypeLists {
    /// All types.
    pub fn complete() -> Self {
        Self {
            component_types: CATALOGUE.component_types.iter().map(Choice::from).collect(),
            relation_types: CATALOGUE.relation_types.iter().map(RelationshipType::from).collect(),
            lifecycle_states: CATALOGUE.lifecycle_states.iter().map(Choice::from).collect(),
            stakeholder_link_types: CATALOGUE.stakeholder_link_types.iter().map(Choice::from).collect(),
        }
    }
}

/// The type catalogue, and kinds of the organization.
#[derive(Debug, Serialize)]
pub struct Catalogue {
    #[serde(flatten)]
    pub types: TypeLists,
    pub kinds: Vec<KindSummary>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// The caller.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallerDetails {
    /// User id.
    pub id: i64,
    pub display_name: String,
    pub login: Option<String>,
    /// Whether the user is an instance administrator.
    pub is_admin: bool,
    /// The active organization; null for none.
    pub org_slug: Option<String>,
    /// `org:admin` or `org:member`.
    pub org_role: Option<String>,
    /// The user's entry in the directory; null for none.
    pub person_id: Option<String>,
    /// Whether this connection can write at all; access to a workspace is its `myRole`.
    pub can_write: bool,
    /// URL of the web client.
    pub url: String,
}

/// A page or database of the wiki.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WikiEntry {
    kind: WikiKind,
    id: String,
    title: String,
    url: String,
    /// Whether it can have children.
    has_children: bool,
    /// RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_edited_at: Option<String>,
}

impl From<WikiChild> for WikiEntry {
    fn from(child: WikiChild) -> Self {
        let WikiChild { kind, target_id: id, title, url, has_children, last_edited_at, .. } = child;
        Self { kind, id, title: truncate(&title), url, has_children, last_edited_at }
    }
}

/// A page of the children of a page or database.
#[derive(Debug, Serialize)]
pub struct WikiChildren {
    pub entries: Vec<WikiEntry>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A saved or deleted entry of the directory.
#[derive(Debug, Serialize)]
pub struct SavedEntry {
    pub kind: EntryKind,
    pub id: String,
    pub created: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
    /// URL of the entry in the web client.
    pub url: String,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum EntryKind {
    /// A person.
    Person,
    /// Teams in an organization's directory.
    Team,
}
