//! Relationships: the directed connections between components.

use serde::{Deserialize, Serialize};

use super::lines::RelationshipLine;
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        core::RowMetadata,
        input::{Input, Nullable, objects, stamped},
        values::{Id, Keywords, Properties, Text},
    },
};

/// A relationship that makes its target a part of its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) struct Parent {
    /// Id of the relationship.
    pub(in crate::domain) relationship_id: String,
    /// Id of the containing component.
    pub(in crate::domain) component_id: String,
}

/// The end of relationships at which a component is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The component is the source.
    Outgoing,
    /// The component is the target, and another one the source.
    Incoming,
}

/// A relationship from a component to another component or to itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// Position in creation order, or in the order of the last bulk request.
    #[serde(skip)]
    pub seq: i64,
    /// Id, unique in the workspace.
    #[schema(example = "web-calls-checkout")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Id of the source component.
    #[schema(example = "web")]
    pub source_id: String,
    /// Id of the target component.
    #[schema(example = "checkout")]
    pub target_id: String,
    /// Type id from the type catalog. `contains` makes the target a part of the source.
    #[schema(example = "calls")]
    pub type_id: String,
    /// Label; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub label: Option<String>,
    /// Technologies.
    #[serde(default)]
    #[schema(required)]
    pub technology: Keywords,
    /// How the relationship is drawn; null if never chosen.
    #[serde(default)]
    #[schema(required)]
    pub line: Option<RelationshipLine>,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Fields of a new relationship.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewRelationship {
    /// Default: derived from the ids of both components and the type.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Id of the source component.
    #[schema(example = "web")]
    pub source_id: String,
    /// Id of the target component.
    #[schema(example = "checkout")]
    pub target_id: String,
    /// Type id from the type catalog.
    #[schema(schema_with = catalogue::relation_type_ids)]
    pub type_id: String,
    /// Label.
    #[schema(nullable = false)]
    pub label: Option<Text>,
    /// Technologies.
    #[schema(nullable = false)]
    pub technology: Option<Keywords>,
    /// How the relationship is drawn.
    #[serde(default)]
    #[schema(value_type = Option<RelationshipLine>)]
    pub line: Nullable<RelationshipLine>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a relationship to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RelationshipPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Id of the source component.
    #[schema(nullable = false)]
    pub source_id: Option<String>,
    /// Id of the target component.
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// Type id from the type catalog.
    #[schema(schema_with = catalogue::relation_type_ids)]
    pub type_id: Option<String>,
    /// Label; `""` clears it.
    #[schema(nullable = false)]
    pub label: Option<Text>,
    /// Replaces all technologies.
    #[schema(nullable = false)]
    pub technology: Option<Keywords>,
    /// How the relationship is drawn, as a whole; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<RelationshipLine>)]
    pub line: Nullable<RelationshipLine>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a relationship in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);

objects!(NewRelationship, RelationshipPatch);
impl Input for NewRelationship {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for RelationshipPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
