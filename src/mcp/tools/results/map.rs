//! Results about workspaces and the contents of their maps.

use serde::Serialize;
use serde_json::Value;

use super::{ListedCounts, NextPage, Table};
use crate::{
    domain::{
        core::ViewTx,
        map::{
            search::{Hit, HitKind},
            tables::{self, Part},
            workspaces::Workspace,
        },
        sync::{
            DriftFinding, SyncCounts, SyncRow,
            drift::{DriftCounts, StaleSource},
        },
        values::{AccessLevel, OrganizationAccess, Visibility},
    },
    error::Result,
    mcp::results::truncate,
};

/// A workspace.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceSummary {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    visibility: Visibility,
    organization_access: OrganizationAccess,
    my_role: Option<AccessLevel>,
    revision: i64,
    /// Unix milliseconds.
    updated_at: i64,
}

impl WorkspaceSummary {
    /// The summary of a workspace, with its description as `shorten` returns it.
    pub fn new(workspace: &Workspace, shorten: impl Fn(&str) -> String) -> Self {
        Self {
            id: workspace.id.clone(),
            name: workspace.name.clone(),
            description: workspace.description.as_deref().filter(|text| !text.is_empty()).map(shorten),
            visibility: workspace.visibility,
            organization_access: workspace.organization_access,
            my_role: workspace.my_role,
            revision: workspace.metadata.revision,
            updated_at: workspace.metadata.updated_at,
        }
    }
}

/// A page of workspaces.
#[derive(Debug, Serialize)]
pub struct WorkspacePage {
    pub workspaces: Vec<WorkspaceSummary>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A workspace with the numbers of its rows.
#[derive(Debug, Serialize)]
pub struct WorkspaceHead {
    workspace: WorkspaceSummary,
    counts: RowCounts,
}

/// The numbers of rows of a workspace.
#[derive(Debug, Serialize)]
struct RowCounts {
    components: usize,
    relationships: usize,
    processes: usize,
    stakeholders: usize,
    notes: usize,
}

impl WorkspaceHead {
    /// Counts the rows of a workspace.
    pub fn read(tx: &ViewTx<'_>, workspace: WorkspaceSummary) -> Result<Self> {
        let counts = RowCounts {
            components: tables::count(tx, Part::Components)?,
            relationships: tables::count(tx, Part::Relationships)?,
            processes: tables::count(tx, Part::Processes)?,
            stakeholders: tables::count(tx, Part::Stakeholders)?,
            notes: tables::count(tx, Part::Notes)?,
        };
        Ok(Self { workspace, counts })
    }
}

/// A page of a workspace as tables.
#[derive(Debug, Serialize)]
pub struct WorkspaceTables {
    #[serde(flatten)]
    pub head: WorkspaceHead,
    pub tables: Vec<PartTable>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// Rows of one kind.
#[derive(Debug, Serialize)]
pub struct PartTable {
    pub name: Part,
    pub columns: &'static [&'static str],
    pub rows: Vec<tables::Row>,
}

/// A workspace as a text.
#[derive(Debug, Serialize)]
pub struct WorkspaceText {
    #[serde(flatten)]
    pub head: WorkspaceHead,
    /// A page of the outline, or the flowchart.
    pub text: String,
    /// What a flowchart contains if it is incomplete. It has no further pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<ListedCounts>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A search result.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    kind: HitKind,
    /// Id of the workspace that contains the result; for a workspace, its own id.
    workspace_id: String,
    id: String,
    /// For a relationship, its label.
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    type_id: Option<String>,
    /// Source of a relationship.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_id: Option<String>,
    /// Target of a relationship.
    #[serde(skip_serializing_if = "Option::is_none")]
    target_id: Option<String>,
    /// Line of the description, process text or note that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    excerpt: Option<String>,
}

impl From<Hit> for SearchHit {
    fn from(hit: Hit) -> Self {
        let Hit { kind, workspace_id, id, name, type_id, excerpt, ends, .. } = hit;
        let (source_id, target_id) = ends.unzip();
        Self { kind, workspace_id, id, name, type_id, source_id, target_id, excerpt }
    }
}

/// A page of search results.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    /// Revision of the workspace, if only one was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    pub hits: Vec<SearchHit>,
    /// `some` if no result has all words: the hits have most of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched: Option<&'static str>,
    /// Number of hits on all pages.
    pub total: usize,
    /// If there are no hits, similar words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub did_you_mean: Vec<String>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A page of the components that match a query.
#[derive(Debug, Serialize)]
pub struct QueryResults {
    /// Number of components on all pages.
    pub total: usize,
    #[serde(flatten)]
    pub table: Table,
}

/// A difference between two states of a workspace.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum DifferenceRow {
    /// Kind, id and name.
    Added([String; 3]),
    /// Kind, id, field, value before, value after.
    Changed(&'static str, String, String, Value, Value),
    /// Kind, id and name.
    Removed([String; 3]),
}

/// A page of the differences between two states of a workspace.
#[derive(Debug, Serialize)]
pub struct Differences {
    /// Revision of the workspace.
    pub revision: i64,
    /// Revision of the first state.
    pub from: i64,
    /// Revision of the second state.
    pub to: i64,
    /// Number of differences on all pages.
    pub total: usize,
    pub added: Vec<DifferenceRow>,
    pub changed: Vec<DifferenceRow>,
    pub removed: Vec<DifferenceRow>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A row of a sync preview.
#[derive(Debug, Serialize)]
pub struct PreviewRow {
    change: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    /// File and line.
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<PreviewField>,
}

/// A field that differs.
#[derive(Debug, Serialize)]
struct PreviewField {
    field: String,
    map: Value,
    source: Value,
    taken: &'static str,
}

impl PreviewRow {
    pub fn new(change: &'static str, row: SyncRow) -> Self {
        let fields = row.fields.into_iter().map(|field| PreviewField {
            field: field.field,
            map: field.map,
            source: field.source,
            taken: field.taken.as_str(),
        });
        Self {
            change,
            kind: row.kind.as_str(),
            id: row.id,
            name: truncate(&row.name),
            at: format!("{}:{}", truncate(&row.file), row.line),
            fields: fields.collect(),
        }
    }
}

/// A preview of a sync.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    pub format: String,
    pub is_in_step: bool,
    pub counts: SyncCounts,
    pub unchanged: usize,
    /// Messages about the files and the sync for the user.
    pub notes: Vec<String>,
    pub rows: Vec<PreviewRow>,
    /// Revision of the workspace.
    pub revision: i64,
    /// Whether rows are omitted.
    pub truncated: bool,
}

/// A page of the differences between a map and its sources.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    pub counts: DriftCounts,
    pub sources: usize,
    /// Some of the sources that were not synchronized for a while.
    pub stale_sources: Vec<StaleSource>,
    pub findings: Vec<DriftFinding>,
    /// Revision of the workspace.
    pub revision: i64,
    #[serde(flatten)]
    pub next: NextPage,
}
