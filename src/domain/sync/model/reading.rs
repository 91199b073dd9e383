//! The rows of a source, each with its key, file and line.

use serde::{Deserialize, Serialize};

use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, at_most, empty_or_at_most, objects, or_default, serialized_objects},
        map::processes::Mermaid,
        values::{Coordinate, FilePath, Id, KebabId, Keywords, Line, Name, Properties, RowKey, Text, WebAddress},
    },
};

/// Maximum number of components of a reading.
pub const MAX_COMPONENTS: usize = 20_000;
/// Maximum number of relationships of a reading.
pub const MAX_RELATIONSHIPS: usize = 50_000;
/// Maximum number of rows of any other kind in a reading.
pub const MAX_ENTRIES: usize = 20_000;
/// Maximum number of components or positions of a view in a reading.
pub const MAX_IN_VIEW: usize = 1_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 20_000 && MAX_RELATIONSHIPS == 50_000 && MAX_ENTRIES == 20_000);
const _: () = assert!(MAX_IN_VIEW == 1_000);
const _: () = assert!(import::MAX_COMPONENTS <= MAX_COMPONENTS);
const _: () = assert!(import::MAX_RELATIONSHIPS <= MAX_RELATIONSHIPS);

/// Where a row is in its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct RowOrigin {
    /// Key of the row, unique among the rows of its kind in the source. Must be the same when the source is read again.
    pub key: RowKey,
    /// What the key begins with if other files or projects of the source have the same: a project, for example. Default:
    /// the path of the file and a colon. A row whose key gets or loses this beginning stays the same row. A colon alone
    /// means that keys are unique in all files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub scope: Option<RowKey>,
    /// Path of the file.
    pub file: FilePath,
    /// Line in the file, from 1.
    #[schema(minimum = 1)]
    pub line: u32,
}

/// The rows of a source. Ids of rows are local to the reading: new rows get them if they are free on the map.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Reading {
    /// Name and description of what the source describes. Sync ignores it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspace: Option<ReadWorkspace>,
    /// People.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub people: Vec<ReadPerson>,
    /// Teams with their members.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub teams: Vec<ReadTeam>,
    /// Components.
    #[serde(deserialize_with = "at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(max_items = 20_000)]
    pub components: Vec<ReadComponent>,
    /// Relationships. Those of the type `contains` put components into others; a component is in at most one.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(max_items = 50_000)]
    pub relationships: Vec<ReadRelationship>,
    /// People and teams of components.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub stakeholders: Vec<ReadStakeholder>,
    /// External links of components.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub links: Vec<ReadLink>,
    /// Processes.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub processes: Vec<ReadProcess>,
    /// Views.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub views: Vec<ReadView>,
}

/// Name and description of what a source describes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct ReadWorkspace {
    /// Name.
    pub name: Name,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Text>,
}

/// A person in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct ReadPerson {
    /// Where the person is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: Id,
    /// Name.
    pub name: Name,
    /// Email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub email: Option<crate::domain::values::ContactEmail>,
    /// Title in the organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Line>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A team in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct ReadTeam {
    /// Where the team is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: Id,
    /// Name.
    pub name: Name,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
    /// Members.
    #[serde(default, deserialize_with = "empty_or_at_most::<MAX_ENTRIES, _, _>")]
    #[schema(max_items = 20_000)]
    pub members: Vec<ReadMember>,
}

/// A member of a team in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadMember {
    /// Id of a person in the reading.
    pub person_id: Id,
}

/// A component in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadComponent {
    /// Where the component is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: Id,
    /// Component type id from the type catalog.
    #[schema(schema_with = crate::domain::catalogue::component_type_ids)]
    pub type_id: String,
    /// Name.
    pub name: Name,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Horizontal position. Used only for the first components of a map.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Tags.
    #[serde(default, skip_serializing_if = "Keywords::is_empty", deserialize_with = "or_default")]
    pub tags: Keywords,
    /// Technologies.
    #[serde(default, skip_serializing_if = "Keywords::is_empty", deserialize_with = "or_default")]
    pub technology: Keywords,
    /// Free-form properties. `lifecycle` is a state id from the type catalog.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
    /// Whether the component only groups others in the source. Default: `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", deserialize_with = "or_default")]
    pub is_box: bool,
    /// Whether the source names the id that the component has on the map (`planroom.id`). Default: `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", deserialize_with = "or_default")]
    pub has_own_id: bool,
    /// Fields that the source does not state, but that follow from a key, an image or a host: `name`, `type` or `technology`.
    /// They never replace values that another source states or that a user set.
    #[serde(default, skip_serializing_if = "Keywords::is_empty", deserialize_with = "or_default")]
    pub inferred: Keywords,
    /// Name in files and addresses, if the component has another display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code_name: Option<Name>,
    /// Namespace that distinguishes the component from others with the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub namespace: Option<Name>,
}

/// A relationship in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadRelationship {
    /// Where the relationship is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: Id,
    /// Id of the source component in the reading.
    pub source_id: Id,
    /// Id of the target component in the reading.
    pub target_id: Id,
    /// Relationship type id from the type catalog.
    #[schema(schema_with = crate::domain::catalogue::relation_type_ids)]
    pub type_id: String,
    /// Label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub label: Option<Text>,
    /// Technologies.
    #[serde(default, skip_serializing_if = "Keywords::is_empty", deserialize_with = "or_default")]
    pub technology: Keywords,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// A person or team of a component in a source. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadStakeholder {
    /// Where the stakeholder is in the source.
    pub origin: RowOrigin,
    /// Id of a component in the reading.
    pub component_id: Id,
    /// Id of a person in the reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub person_id: Option<Id>,
    /// Id of a team in the reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub team_id: Option<Id>,
    /// Role.
    #[schema(example = "owner")]
    pub link_type: KebabId,
}

/// An external link of a component in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadLink {
    /// Where the link is in the source.
    pub origin: RowOrigin,
    /// Id of a component in the reading.
    pub component_id: Id,
    /// Address.
    pub url: WebAddress,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Name>,
}

/// A process in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct ReadProcess {
    /// Where the process is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: KebabId,
    /// Name.
    pub name: Name,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// A Mermaid sequence diagram.
    pub mermaid: Mermaid,
    /// Participant alias to the id of a component in the reading.
    pub participants: Properties,
}

/// A view in a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadView {
    /// Where the view is in the source.
    pub origin: RowOrigin,
    /// Id.
    pub id: KebabId,
    /// Name.
    pub name: Name,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Ids of the components that the view shows, in the reading.
    #[serde(deserialize_with = "at_most::<MAX_IN_VIEW, _, _>")]
    #[schema(max_items = 1_000)]
    pub component_ids: Vec<Id>,
    /// Whether relationships of components that the view does not show are drawn on the components that contain them. Used
    /// only when the view is created. Default: `false`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", deserialize_with = "or_default")]
    pub implied_relationships: bool,
    /// Positions of components in the view. Used only when the view is created.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "empty_or_at_most::<MAX_IN_VIEW, _, _>"
    )]
    #[schema(max_items = 1_000)]
    pub places: Vec<ReadPlace>,
}

/// The position of a component in a view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ReadPlace {
    /// Id of a component in the reading.
    pub component_id: Id,
    /// Horizontal position of the left edge.
    pub x: Coordinate,
    /// Vertical position of the top edge.
    pub y: Coordinate,
}

objects!(
    RowOrigin,
    Reading,
    ReadWorkspace,
    ReadPerson,
    ReadTeam,
    ReadMember,
    ReadComponent,
    ReadRelationship,
    ReadStakeholder,
    ReadLink,
    ReadProcess,
    ReadView,
    ReadPlace
);
serialized_objects!(
    RowOrigin,
    Reading,
    ReadWorkspace,
    ReadPerson,
    ReadTeam,
    ReadMember,
    ReadComponent,
    ReadRelationship,
    ReadStakeholder,
    ReadLink,
    ReadProcess,
    ReadView,
    ReadPlace
);

impl Input for Reading {
    const LARGE: bool = true;
}
