//! Queries of components.

use serde::{Deserialize, Serialize};

use crate::describe::ToSchema;

/// Conditions, all of which a component meets. Absent conditions always hold.
#[derive(Debug, Default)]
pub struct ComponentQuery {
    /// The workspace; otherwise all that the caller can read.
    pub workspace_id: Option<String>,
    /// The component is in this view of the workspace. Only with `workspace_id`.
    pub view_id: Option<String>,
    /// The type is one of these.
    pub type_ids: Option<Vec<String>>,
    /// The lifecycle state.
    pub lifecycle: Option<String>,
    /// A person or team with the role `owner` has this id.
    pub owner_id: Option<String>,
    /// Whether no person or team has the role `owner`.
    pub without_owner: Option<bool>,
    /// The component is directly contained in this one.
    pub parent_id: Option<String>,
    /// A tag, in any case.
    pub tag: Option<String>,
    /// A technology, in any case.
    pub technology: Option<String>,
    /// Whether there is no relationship other than containment.
    pub unrelated: Option<bool>,
}

/// The order of the components of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SortBy {
    /// Those with most direct dependents first.
    Dependents,
    /// Those with most direct dependencies first.
    Dependencies,
    /// By name.
    #[default]
    Name,
    /// The latest update first.
    UpdatedAt,
}
