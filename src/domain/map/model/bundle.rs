//! A complete workspace in one response.

use serde::Serialize;

use super::{
    components::Component,
    decisions::DecisionSummary,
    links::Link,
    notes::Note,
    processes::Process,
    relationships::Relationship,
    tours::Tour,
    views::{View, ViewLine, ViewPlace},
};
use crate::{
    describe::ToSchema,
    domain::{core::Workspace, directory::model::stakeholders::Stakeholder},
};

/// A workspace with all its rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// Identifier of the database's incarnation. It changes when the database is restored; revisions and ids may then
    /// refer to different contents.
    #[schema(example = "0f3a9c21d4b84e07a6c5f1e2938475ab")]
    pub incarnation: String,
    /// The workspace.
    pub workspace: Workspace,
    /// Components, in their order.
    pub components: Vec<Component>,
    /// Relationships, in their order.
    pub relationships: Vec<Relationship>,
    /// Stakeholders, with their people and teams.
    pub stakeholders: Vec<Stakeholder>,
    /// External links of components, in creation order. Present only in bundles of a past state; for the current state,
    /// read the links of each component.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub links: Option<Vec<Link>>,
    /// Processes, in their order.
    pub processes: Vec<Process>,
    /// Notes, frames and images, in their order. Present in bundles of a past state, and with `include=notes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub notes: Option<Vec<Note>>,
    /// Views, in their order. Present, like the next three lists, in bundles of a past state, and with `include=views`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub views: Option<Vec<View>>,
    /// Positions of components in views, in the order of their keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub view_places: Option<Vec<ViewPlace>>,
    /// Lines of relationships in views, in the order of their keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub view_lines: Option<Vec<ViewLine>>,
    /// Tours, in their order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tours: Option<Vec<Tour>>,
    /// Decisions by number, without their texts. Present in bundles of a past state, and with `include=decisions`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub decisions: Option<Vec<DecisionSummary>>,
    /// Order values (`seq`) of the rows.
    pub places: RowOrder,
}

/// Order values (`seq`) of rows by kind, each list parallel to the list of rows. Clients that follow the event stream
/// use them to insert a new or moved row by its `seq`. Rows with equal values are ordered by id, ascending.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowOrder {
    /// `seq` of each component.
    pub components: Vec<i64>,
    /// `seq` of each relationship.
    pub relationships: Vec<i64>,
    /// `seq` of each process.
    pub processes: Vec<i64>,
    /// `seq` of each note. Present if `notes` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub notes: Option<Vec<i64>>,
}

impl RowOrder {
    pub(in crate::domain) fn of(
        components: &[Component],
        relationships: &[Relationship],
        processes: &[Process],
        notes: Option<&[Note]>,
    ) -> Self {
        Self {
            components: components.iter().map(|row| row.seq).collect(),
            relationships: relationships.iter().map(|row| row.seq).collect(),
            processes: processes.iter().map(|row| row.seq).collect(),
            notes: notes.map(|notes| notes.iter().map(|row| row.seq).collect()),
        }
    }
}
