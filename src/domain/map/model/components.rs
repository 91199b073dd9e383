//! Components: the nodes of the map.

use serde::{Deserialize, Serialize};

use super::links::Link;
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        core::RowMetadata,
        directory::model::stakeholders::Stakeholder,
        input::{Input, Nullable, objects, stamped},
        values::{Coordinate, Id, KebabId, Keywords, Name, Properties, Size, Text},
    },
};

/// A component: a node of the map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// Order value: position in creation order, or in the list of the last bulk replacement.
    #[serde(skip)]
    pub seq: i64,
    /// Component id, unique in the workspace.
    #[schema(example = "checkout")]
    pub id: String,
    /// Workspace id.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Component type id from the type catalog.
    #[schema(example = "service")]
    pub type_id: String,
    /// Display name.
    #[schema(example = "Checkout")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Horizontal canvas position, increasing to the right.
    pub x: f64,
    /// Vertical canvas position, increasing downward.
    pub y: f64,
    /// Width on the canvas; null for the width of the content.
    #[serde(default)]
    #[schema(required)]
    pub width: Option<Size>,
    /// Height on the canvas; null for the height of the content.
    #[serde(default)]
    #[schema(required)]
    pub height: Option<Size>,
    /// Tags.
    #[serde(default)]
    #[schema(required)]
    pub tags: Keywords,
    /// Technologies.
    #[serde(default)]
    #[schema(required)]
    pub technology: Keywords,
    /// Id of the view that explains the component, or null. The view may have been deleted.
    #[serde(default)]
    #[schema(required, example = "payments")]
    pub opens: Option<String>,
    /// Free-form properties; `lifecycle` is a state id from the type catalog.
    pub properties: Properties,
    /// Revision, timestamps and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// A component to create.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewComponent {
    /// Component id; derived from the name when absent.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Component type id from the type catalog.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: String,
    /// Display name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Horizontal canvas position. Without `x` and `y`, the component is placed in a free spot: in its group, beside related
    /// components, or at the end of the map.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical canvas position, increasing downward.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Width on the canvas, for example of an empty group. Default: null, the width of the content.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub width: Nullable<Size>,
    /// Height on the canvas. Default: null, the height of the content.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub height: Nullable<Size>,
    /// Tags.
    #[schema(nullable = false)]
    pub tags: Option<Keywords>,
    /// Technologies.
    #[schema(nullable = false)]
    pub technology: Option<Keywords>,
    /// Id of the view that explains the component. Default: null.
    #[serde(default)]
    #[schema(value_type = Option<KebabId>)]
    pub opens: Nullable<KebabId>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Component fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ComponentPatch {
    /// Cannot be changed; accepted if equal to the current id.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Component type id from the type catalog.
    #[schema(schema_with = catalogue::component_type_ids)]
    pub type_id: Option<String>,
    /// Display name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Horizontal canvas position, increasing to the right.
    #[schema(nullable = false)]
    pub x: Option<Coordinate>,
    /// Vertical canvas position, increasing downward.
    #[schema(nullable = false)]
    pub y: Option<Coordinate>,
    /// Width on the canvas; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub width: Nullable<Size>,
    /// Height on the canvas; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    pub height: Nullable<Size>,
    /// Replaces all tags.
    #[schema(nullable = false)]
    pub tags: Option<Keywords>,
    /// Replaces all technologies.
    #[schema(nullable = false)]
    pub technology: Option<Keywords>,
    /// Id of the view that explains the component; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<KebabId>)]
    pub opens: Nullable<KebabId>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// The new position of a component.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Move {
    /// Component id.
    pub id: String,
    /// Horizontal canvas position, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position, increasing downward.
    pub y: Coordinate,
}

/// A component with its links and stakeholders.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ComponentDetails {
    /// The component.
    pub component: Component,
    /// External links of the component.
    pub links: Vec<Link>,
    /// People and teams attached to the component.
    pub stakeholders: Vec<Stakeholder>,
}

/// Fields of a component in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);

objects!(NewComponent, ComponentPatch, Move);
impl Input for NewComponent {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for ComponentPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for Vec<Move> {}
