//! Results of operations, and how rows are identified in them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    describe::{
        ToSchema,
        openapi::{KnownFormat, Object, ObjectBuilder, RefOr, Schema, SchemaFormat, Type, schema::SchemaType},
    },
    domain::{
        core::Entity,
        input::{Input, objects},
        map::{
            components::Component,
            decisions::Decision,
            links::Link,
            notes::Note,
            processes::Process,
            relationships::Relationship,
            stakeholders::Stakeholder,
            tours::Tour,
            views::{View, ViewLine, ViewPlace},
            workspaces::Workspace,
        },
        values::{Coordinate, Name, Properties, Text, words},
    },
    error::FieldPath,
};

/// Maximum number of operations per request.
pub const MAX_OPERATIONS: usize = 10_000;

/// Maximum total number of positions in the `move` operations of one request.
pub const MAX_POSITIONS: usize = 100_000;

words! {
    /// A kind of row that operations write.
    OperationKind {
        /// The workspace's own fields.
        Workspace = "workspace",
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A stakeholder.
        Stakeholder = "stakeholder",
        /// An external link.
        Link = "link",
        /// A process.
        Process = "process",
        /// A note, frame or image on the map.
        Note = "note",
        /// A view.
        View = "view",
        /// The position of a component in a view.
        ViewPlace = "view-place",
        /// How a relationship is drawn in a view.
        ViewLine = "view-line",
        /// A tour.
        Tour = "tour",
        /// A decision.
        Decision = "decision",
    }
}

impl OperationKind {
    /// The kind in the change log.
    pub(super) fn entity(self) -> Entity {
        match self {
            Self::Workspace => Entity::Workspace,
            Self::Component => Entity::Component,
            Self::Relationship => Entity::Relationship,
            Self::Stakeholder => Entity::Stakeholder,
            Self::Link => Entity::Link,
            Self::Process => Entity::Process,
            Self::Note => Entity::Note,
            Self::View => Entity::View,
            Self::ViewPlace => Entity::ViewPlace,
            Self::ViewLine => Entity::ViewLine,
            Self::Tour => Entity::Tour,
            Self::Decision => Entity::Decision,
        }
    }
}

/// The rows that a change set wrote, in their final state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationsResult {
    /// Change set id. Undo this change set to undo all operations at once.
    #[schema(example = "0193a1f0c7d87c3e9a3c5c1c2b6a7f10")]
    pub change_set_id: String,
    /// `X-Batch-Id` of the request; defaults to the change set id.
    pub batch_id: String,
    /// Workspace revision after the operations. Unchanged if no operation changed anything.
    #[schema(example = 12)]
    pub revision: i64,
    /// The workspace; present if its own fields were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub workspace: Option<Workspace>,
    /// Components that were created or updated.
    pub components: Vec<Component>,
    /// Relationships that were created or updated.
    pub relationships: Vec<Relationship>,
    /// Stakeholders that were created or updated.
    pub stakeholders: Vec<Stakeholder>,
    /// Links that were created.
    pub links: Vec<Link>,
    /// Processes that were created or updated.
    pub processes: Vec<Process>,
    /// Notes that were created or updated.
    pub notes: Vec<Note>,
    /// Views that were created or updated.
    pub views: Vec<View>,
    /// Positions in views that were created or updated.
    pub view_places: Vec<ViewPlace>,
    /// Lines in views that were created or updated.
    pub view_lines: Vec<ViewLine>,
    /// Tours that were created or updated.
    pub tours: Vec<Tour>,
    /// Decisions that were created or updated.
    pub decisions: Vec<Decision>,
    /// Rows that were deleted, including rows deleted together with their component, relationship or view.
    pub deleted: Vec<DeletedRow>,
    /// Ids assigned by the server, by the `ref` of the operation that created the row.
    pub refs: BTreeMap<String, i64>,
}

/// The new position of a component, on the map or in a view.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Position {
    /// Component id.
    #[schema(example = "checkout")]
    pub id: String,
    /// Horizontal canvas position, increasing to the right.
    pub x: Coordinate,
    /// Vertical canvas position, increasing downward.
    pub y: Coordinate,
    /// Revision of the component that the caller has read; in a view, of its position in the view. Another current
    /// revision is a conflict.
    #[schema(nullable = false)]
    pub revision: Option<i64>,
}

/// Workspace fields to update; absent fields are unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct WorkspaceFields {
    /// Display name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(Position, WorkspaceFields);
impl Input for WorkspaceFields {}

/// The path of a field of an operation, for error messages.
pub(super) fn path(index: usize, field: &str) -> FieldPath {
    FieldPath::item("operations", index).field(field)
}

/// A deleted row.
#[derive(Debug, Serialize, ToSchema)]
pub struct DeletedRow {
    /// Kind of row.
    pub kind: OperationKind,
    /// Row id: an integer for stakeholders and links, otherwise a string.
    #[schema(schema_with = row_id)]
    pub id: RowId,
}

/// The id of a row: an integer for stakeholders and links, otherwise a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum RowId {
    /// An id assigned by the server.
    Number(i64),
    /// An id chosen by the client, or the `ref` of a row that the same request creates.
    Text(String),
}

/// The value stored under an `Idempotency-Key`: enough to read the rows again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Applied {
    pub(super) change_set_id: String,
    pub(super) batch_id: String,
    pub(super) revision: i64,
    pub(super) refs: BTreeMap<String, i64>,
}

/// Schema of the id of a row of any kind.
pub(in crate::domain) fn row_id() -> RefOr<Schema> {
    either(Type::String, Type::Integer, "An integer for stakeholders and links, else a string").into()
}

pub(super) fn either(one: Type, other: Type, text: &str) -> Object {
    let types = SchemaType::Array(vec![one, other]);
    let format = SchemaFormat::KnownFormat(KnownFormat::Int64);
    ObjectBuilder::new().schema_type(types).format(Some(format)).description(Some(text)).build()
}
