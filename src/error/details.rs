//! What errors name: workspaces, authors, rows and operations.

use serde::Serialize;
use serde_json::Value;

use super::truncated::truncated;
use crate::describe::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, Type, schema::SchemaType},
};

/// A workspace whose only owner is the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct OwnedWorkspace {
    /// Workspace id.
    pub id: String,
    /// Name of the workspace.
    pub name: String,
}

/// The author of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// User id.
    pub id: i64,
    /// Display name.
    pub display_name: String,
}

/// A row that prevents an undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedSince {
    /// Entity type, as in the history.
    pub entity: &'static str,
    /// Id of the row.
    pub id: String,
    /// Display name of the row.
    pub name: String,
    /// Why the undo is not possible.
    pub why: String,
    /// Author of the last change; absent if it was made by the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
    /// The change set that last wrote the row. If it is the caller's own, undo it first. Absent if the history no
    /// longer contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
}

/// An operation that conflicts with the current state of the workspace.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationConflict {
    /// Position of the operation in the request, starting at 0.
    pub index: usize,
    /// Entity type of the row that the operation writes.
    #[schema(example = "component")]
    pub kind: &'static str,
    /// Id of the row: an integer for stakeholders and links, otherwise a string; null if the server was to assign it.
    #[schema(schema_with = conflict_id)]
    pub id: Value,
    /// Reason. `stale`: the row has another revision. `deleted`: the row no longer exists. `taken`: the id, or the same
    /// stakeholder, already exists. `missing`: a referenced row does not exist. `has_parent`: the component is already
    /// part of another one. `cycle`: the component would contain itself. More values may be added.
    #[schema(example = "stale")]
    pub why: &'static str,
    /// Human-readable description.
    pub message: String,
    /// The current state of the conflicting row: for `stale` and `taken` the row itself, for `has_parent` the other
    /// relationship, otherwise null.
    #[schema(required, value_type = Option<Object>)]
    pub current: Option<Value>,
    /// Author of the last change or of the deletion; absent if it was made by the system or is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
}

impl OperationConflict {
    /// `why` of a conflict about a row that has changed since it was read.
    pub const STALE: &'static str = "stale";
}

/// The schema of the id of a row of any kind.
fn conflict_id() -> RefOr<Schema> {
    let types = SchemaType::Array(vec![Type::String, Type::Integer, Type::Null]);
    ObjectBuilder::new()
        .schema_type(types)
        .description(Some("Id of that row; null if the server was to choose it"))
        .into()
}

/// Describes the first conflict and the number of the others.
pub(super) fn describe_conflicts(conflicts: &[OperationConflict]) -> String {
    let Some(first) = conflicts.first() else { return "nothing was written".into() };
    let more = match conflicts.len() - 1 {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let text = truncated(format!("operations[{}]: {}", first.index, first.message));
    format!("{text}{more}; nothing was written, rebase the operations on the rows in `conflicts` and send them again")
}

/// Describes the first rows that prevent an undo.
pub(super) fn describe_changes(changed: &[ChangedSince]) -> String {
    const MAX_NAMED: usize = 3;
    let named = changed.iter().take(MAX_NAMED).map(|one| {
        let by = one.changed_by.as_ref().map(|by| format!(" by {}", by.display_name)).unwrap_or_default();
        truncated(format!("the {} `{}` {}{by}", one.entity, one.name, one.why))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    let more = match changed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("this can no longer be undone: {named}{more}")
}
