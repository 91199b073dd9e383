//! Views that only their user sees.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    lines::RelationshipLine,
    views::{ListPosition, ViewDefinition, ViewLayout},
};
use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects, optional_at_most, serialized_objects},
        values::{Coordinate, Id, KebabId, Name, Text},
    },
    error::{Error, FieldPath, Problem, Result},
};

/// Maximum number of positions in a personal view.
pub const MAX_PLACES: usize = 5_000;
/// Maximum number of lines in a personal view.
pub const MAX_LINES: usize = 2_000;
/// Maximum length of the positions and lines of a personal view together, in bytes of compact JSON.
const MAX_BYTES: usize = 512 << 10;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_PLACES == 5_000 && MAX_LINES == 2_000);

/// A view that only its user sees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalView {
    /// Id in kebab case, unique among the personal views of the user in the workspace.
    #[schema(example = "my-services")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name.
    #[schema(example = "My services")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Position in the list of personal views, which is ordered by position and id.
    #[schema(example = 1_048_576_i64)]
    pub position: i64,
    /// Which components the view shows, and how.
    pub definition: ViewDefinition,
    /// The positions of components.
    pub layout: ViewLayout,
    /// Positions of components in the view. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub places: Option<Vec<PersonalPlace>>,
    /// How relationships are drawn in the view. Absent in lists.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub lines: Option<Vec<PersonalLine>>,
    /// Number of writes to the view; send it in `If-Match`.
    #[schema(example = 1)]
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// Time of the last update in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
}

/// The position of a component in a personal view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PersonalPlace {
    /// Id of the component, which does not need to exist.
    #[schema(example = "checkout")]
    pub component_id: Id,
    /// Horizontal canvas position, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position, increasing downward.
    pub y: Coordinate,
}

/// How a relationship is drawn in a personal view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PersonalLine {
    /// Id of the relationship, which does not need to exist.
    #[schema(example = "web-calls-checkout")]
    pub relationship_id: Id,
    /// How the relationship is drawn.
    pub line: RelationshipLine,
}

/// Fields of a new personal view.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewPersonalView {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of personal views. Default: at the end.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Which components the view shows, and how. Default: all components.
    #[schema(nullable = false)]
    pub definition: Option<ViewDefinition>,
    /// The positions of components. Default: `shared`.
    #[schema(nullable = false)]
    pub layout: Option<ViewLayout>,
    /// Positions of components in the view. Default: none.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_PLACES, _, _>")]
    #[schema(nullable = false, max_items = 5_000)]
    pub places: Option<Vec<PersonalPlace>>,
    /// How relationships are drawn in the view. Default: none. Positions and lines together have at most 512 KiB of JSON.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_LINES, _, _>")]
    #[schema(nullable = false, max_items = 2_000)]
    pub lines: Option<Vec<PersonalLine>>,
}

/// Fields of a personal view to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct PersonalViewPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of personal views.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Replaces the whole definition.
    #[schema(nullable = false)]
    pub definition: Option<ViewDefinition>,
    /// The positions of components.
    #[schema(nullable = false)]
    pub layout: Option<ViewLayout>,
    /// Replaces all positions.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_PLACES, _, _>")]
    #[schema(nullable = false, max_items = 5_000)]
    pub places: Option<Vec<PersonalPlace>>,
    /// Replaces all lines.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_LINES, _, _>")]
    #[schema(nullable = false, max_items = 2_000)]
    pub lines: Option<Vec<PersonalLine>>,
}

/// Checks that components and relationships are not repeated, and the total size.
pub(in crate::domain) fn check_rows(places: &[PersonalPlace], lines: &[PersonalLine]) -> Result<()> {
    let mut seen = HashSet::new();
    if let Some(index) = places.iter().position(|one| !seen.insert(one.component_id.as_str())) {
        let field = FieldPath::item("places", index).field("componentId");
        return Err(Error::invalid(field, "the view has another position of this component"));
    }
    let mut seen = HashSet::new();
    if let Some(index) = lines.iter().position(|one| !seen.insert(one.relationship_id.as_str())) {
        let field = FieldPath::item("lines", index).field("relationshipId");
        return Err(Error::invalid(field, "the view has another line of this relationship"));
    }
    let actual = serde_json::to_vec(places)?.len() + serde_json::to_vec(lines)?.len();
    if actual > MAX_BYTES {
        let problem = Problem::TooLarge { max: MAX_BYTES, actual, unit: "bytes of JSON, with the positions" };
        return Err(Error::invalid("lines", problem));
    }
    Ok(())
}

/// Fields of a row in responses that a client cannot write.
const ROW: &[&str] = &["workspaceId", "revision", "createdAt", "updatedAt"];

serialized_objects!(PersonalPlace, PersonalLine);
objects!(PersonalPlace, PersonalLine, NewPersonalView, PersonalViewPatch);
impl Input for NewPersonalView {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for PersonalViewPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
