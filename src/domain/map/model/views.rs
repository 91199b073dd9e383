//! Views: saved selections of the components of a workspace.

use serde::{Deserialize, Deserializer, Serialize};

pub use super::view_definition::{
    AroundDirection, Depth, MAX_DEPTH, MAX_LISTED, MAX_SELECTORS, OutsideComponents, PropertyValues, ViewAround,
    ViewDefinition, ViewSelector, ViewShow,
};
use super::{lines::RelationshipLine, order};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    domain::{
        core::RowMetadata,
        input::{Input, objects, stamped},
        values::{Coordinate, Id, KebabId, Name, Text, words},
    },
    error::{Error, Problem, Result, reject},
};

/// The id of the whole map, and the segment of the path of personal views. No view can have these ids.
const RESERVED_IDS: [&str; 2] = ["all", "personal"];

words! {
    /// The positions of components in a view.
    #[derive(Default)]
    ViewLayout {
        /// Those on the map.
        #[default]
        Shared = "shared",
        /// Those of the view.
        Own = "own",
    }
}

/// Position in a list whose order users choose: an integer within ±2^52. Rows with equal positions are ordered by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListPosition(i64);

impl ListPosition {
    /// The position as a number.
    pub(in crate::domain) fn get(self) -> i64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for ListPosition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match i64::deserialize(deserializer)? {
            number if number.abs() <= order::MAX_POSITION => Ok(Self(number)),
            _ => Err(reject(Problem::range(-order::MAX_POSITION, order::MAX_POSITION))),
        }
    }
}

impl PartialSchema for ListPosition {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(-order::MAX_POSITION))
            .maximum(Some(order::MAX_POSITION))
            .into()
    }
}
impl ToSchema for ListPosition {}

/// A view: a saved selection of the components of a workspace, and how they are shown. New components that match its
/// definition are in the view without further changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Id in kebab case, unique in the workspace.
    #[schema(example = "payments")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name.
    #[schema(example = "Payments")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Position in the list of views, which is ordered by position and id.
    #[schema(example = 1_048_576_i64)]
    pub position: i64,
    /// Which components the view shows, and how.
    pub definition: ViewDefinition,
    /// The positions of components.
    pub layout: ViewLayout,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Fields of a new view.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewView {
    /// Default: derived from the name. `all` and `personal` are reserved.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of views. Default: at the end.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Which components the view shows, and how. Default: all components.
    #[schema(nullable = false)]
    pub definition: Option<ViewDefinition>,
    /// The positions of components. Default: `shared`.
    #[schema(nullable = false)]
    pub layout: Option<ViewLayout>,
}

/// Fields of a view to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ViewPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of views. To move a view between two others, use a number between their positions.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Replaces the whole definition.
    #[schema(nullable = false)]
    pub definition: Option<ViewDefinition>,
    /// The positions of components. `own` copies no positions.
    #[schema(nullable = false)]
    pub layout: Option<ViewLayout>,
}

/// A copy of a view to create.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewViewCopy {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Default: `Copy of` and the name of the view.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Position in the list of views. Default: after the copied view.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
}

/// The position of a component in a view whose layout is `own`. It is kept while the component is not in the view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewPlace {
    /// Id of the view.
    #[schema(example = "payments")]
    pub view_id: String,
    /// Id of the component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Horizontal canvas position, increasing to the right.
    pub x: f64,
    /// Vertical canvas position, increasing downward.
    pub y: f64,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// How a relationship is drawn in a view whose layout is `own`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewLine {
    /// Id of the view.
    #[schema(example = "payments")]
    pub view_id: String,
    /// Id of the relationship.
    #[schema(example = "web-calls-checkout")]
    pub relationship_id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// How the relationship is drawn.
    pub line: RelationshipLine,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// Position of a component in a view, to write.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewViewPlace {
    /// Id of the view.
    #[schema(example = "payments")]
    pub view_id: String,
    /// Id of the component.
    #[schema(example = "checkout")]
    pub component_id: Id,
    /// Horizontal canvas position, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position, increasing downward.
    pub y: Coordinate,
}

/// How a relationship is drawn in a view, to write.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewViewLine {
    /// Id of the view.
    #[schema(example = "payments")]
    pub view_id: String,
    /// Id of the relationship.
    #[schema(example = "web-calls-checkout")]
    pub relationship_id: Id,
    /// How the relationship is drawn.
    pub line: RelationshipLine,
}

impl ViewPlace {
    /// The key of the position of a component in a view.
    pub(in crate::domain) fn key_of(view_id: &str, component_id: &str) -> String {
        format!("{view_id}/{component_id}")
    }
}

impl ViewLine {
    /// The key of the line of a relationship in a view.
    pub(in crate::domain) fn key_of(view_id: &str, relationship_id: &str) -> String {
        format!("{view_id}/{relationship_id}")
    }
}

/// Rejects an id that no view can have.
pub(in crate::domain) fn check_id(id: Option<&KebabId>) -> Result<()> {
    match id.map(KebabId::as_str) {
        Some(id) if RESERVED_IDS.contains(&id) => {
            Err(Error::invalid("id", format!("`{id}` is reserved; choose another id")))
        }
        _ => Ok(()),
    }
}

/// Whether no view can have this id.
pub(in crate::domain) fn is_reserved(id: &str) -> bool {
    RESERVED_IDS.contains(&id)
}

/// Fields of a row in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);

objects!(NewView, ViewPatch, NewViewCopy, NewViewPlace, NewViewLine);
impl Input for NewView {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for ViewPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for NewViewCopy {}
impl Input for NewViewLine {
    const READ_ONLY: &'static [&'static str] = ROW;
}
