//! Results of tools that write in a workspace.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    super::upserts::Effect,
    ListedCounts,
    components::{ProcessProblems, StakeholderEntry},
    map::WorkspaceSummary,
};
use crate::{
    domain::map::{
        bulk::{BulkOutcome, IdsByKind},
        consequences::Loss,
        links::LinkKind,
        placement::Overlaps,
    },
    mcp::links::Links,
};

/// The result of a write: the fields of the tool, how to undo the write, and where to see it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WriteResult<T> {
    #[serde(flatten)]
    pub result: T,
    /// The change set for `undo`; absent if nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_set_id: Option<String>,
    /// Revision of the workspace after the write; absent if `result` has the revision of a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// URL in the web client; absent if `result` has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip)]
    pub links: Links,
}

impl<T> WriteResult<T> {
    /// Converts the fields of the tool.
    pub fn map<R>(self, convert: impl FnOnce(T) -> R) -> WriteResult<R> {
        let Self { result, change_set_id, revision, url, links } = self;
        WriteResult { result: convert(result), change_set_id, revision, url, links }
    }

    /// Replaces the URL.
    pub fn with_url(self, url: impl FnOnce(&Links, &T) -> String) -> Self {
        Self { url: Some(url(&self.links, &self.result)), ..self }
    }

    /// Removes the revision of the workspace.
    pub fn without_revision(self) -> Self {
        Self { revision: None, ..self }
    }
}

/// Overlaps of components that a call has caused.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OverlapReport {
    /// The first pairs of components that are drawn over each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    overlaps: Vec<(String, String)>,
    /// Number of all pairs, if not all are included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    overlap_count: Option<usize>,
}

impl From<Overlaps> for OverlapReport {
    fn from(Overlaps { pairs, count }: Overlaps) -> Self {
        let overlap_count = (count > pairs.len()).then_some(count);
        Self { overlaps: pairs, overlap_count }
    }
}

/// Processes that contain the old names of renamed components.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct OldNames {
    /// Ids of the first processes, by id of the component.
    #[serde(rename = "namedIn", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub processes: BTreeMap<String, Vec<String>>,
    /// Ids of the components with more processes, which search finds.
    #[serde(rename = "namedInMore", default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
}

/// Upserted rows by effect, in the order of the call.
#[derive(Debug, Default, Serialize)]
pub struct Upserted {
    created: Vec<String>,
    updated: Vec<String>,
    unchanged: Vec<String>,
    #[serde(flatten)]
    old_names: OldNames,
    #[serde(flatten)]
    overlaps: OverlapReport,
}

impl Upserted {
    /// Groups ids by effect.
    pub fn new(items: Vec<(String, Effect)>, overlaps: OverlapReport, old_names: OldNames) -> Self {
        let mut result = Self { old_names, overlaps, ..Self::default() };
        for (id, effect) in items {
            match effect {
                Effect::Created => result.created.push(id),
                Effect::Updated => result.updated.push(id),
                Effect::Unchanged => result.unchanged.push(id),
            }
        }
        result
    }
}

/// A saved workspace.
#[derive(Debug, Serialize)]
pub struct SavedWorkspace {
    pub workspace: WorkspaceSummary,
}

/// A saved process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedProcess {
    pub process_id: String,
    pub created: bool,
    /// Positions of edits that changed nothing, because the diagram already had their `newText` in this place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits_made_before: Vec<usize>,
    pub revision: i64,
    /// Aliases without a component.
    pub unresolved: Vec<String>,
    /// Number of messages.
    pub steps: usize,
    #[serde(flatten)]
    pub problems: ProcessProblems,
}

/// A saved view.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    pub view_id: String,
    pub created: bool,
    pub revision: i64,
    /// Number of components in the view.
    pub components: usize,
    /// Number of relationships in the view.
    pub relationships: usize,
    /// Ids in the definition without a component. They match nothing until the component exists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}

/// A saved link.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedLink {
    pub link_id: i64,
    pub kind: LinkKind,
    pub url: String,
    /// Title of the wiki page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the link was removed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
    /// URL of the component in the web client.
    pub component_url: String,
}

/// Stakeholders after a write.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct StakeholderChanges {
    /// For one component, all; for several, those that were attached or stay.
    pub stakeholders: Vec<StakeholderEntry>,
    /// Number of attached stakeholders.
    pub added: usize,
    /// Number of detached stakeholders.
    pub removed: usize,
    /// The detached stakeholders.
    pub detached: Vec<StakeholderEntry>,
}

/// Arranged components.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arrangement {
    pub dry_run: bool,
    /// Number of moved components.
    pub moved: usize,
    /// Ids and new positions, in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<Vec<(String, f64, f64)>>,
    #[serde(flatten)]
    pub overlaps: OverlapReport,
}

/// Deleted rows.
#[derive(Debug, Serialize, Deserialize)]
pub struct Deleted {
    /// Ids.
    pub deleted: Vec<String>,
}

/// Deleted components, and the consequences.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletedComponents {
    /// Ids.
    deleted: Vec<String>,
    /// Whether this was a dry run, which deleted nothing.
    dry_run: bool,
    #[serde(flatten)]
    loss: Loss,
    /// How to get the others, if a list is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

impl DeletedComponents {
    pub fn new(deleted: Vec<String>, dry_run: bool, loss: Loss) -> Self {
        let is_cut =
            loss.orphan_count > loss.orphans.len() || loss.processes_broken_count > loss.processes_broken.len();
        let hint = "lists contain at most 50 ids; for the others, use a dry run with fewer components, or \
                    query_components with parentId";
        Self { deleted, dry_run, loss, hint: is_cut.then(|| hint.to_owned()) }
    }
}

/// A replaced model, or a dry run.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplacedModel {
    pub dry_run: bool,
    /// Number of components after the write; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    components: Option<usize>,
    /// Number of relationships after the write; absent in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    relationships: Option<usize>,
    /// Applies the dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_id: Option<String>,
    /// Revision of the workspace after the write; in a dry run, the `expectedRevision` to send.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    #[serde(flatten)]
    overlaps: OverlapReport,
    /// What the dry run would create.
    #[serde(skip_serializing_if = "Option::is_none")]
    created: Option<AffectedIds>,
    /// What the dry run would update.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated: Option<AffectedIds>,
    /// What the dry run would delete.
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<AffectedIds>,
}

impl From<BulkOutcome> for ReplacedModel {
    fn from(outcome: BulkOutcome) -> Self {
        match outcome {
            BulkOutcome::Done(done) => Self {
                components: Some(done.components.len()),
                relationships: Some(done.relationships.len()),
                revision: Some(done.workspace.metadata.revision),
                overlaps: done.overlaps.into(),
                ..Self::default()
            },
            BulkOutcome::Tried(tried) => Self {
                dry_run: true,
                overlaps: tried.overlaps.into(),
                created: Some(tried.created.into()),
                updated: Some(tried.updated.into()),
                deleted: Some(tried.deleted.into()),
                ..Self::default()
            },
        }
    }
}

/// The numbers of components and relationships, and the ids of the first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AffectedIds {
    component_count: usize,
    relationship_count: usize,
    /// Numbers of included ids, if not all are included.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<ListedCounts>,
    components: Vec<String>,
    relationships: Vec<String>,
}

impl From<IdsByKind> for AffectedIds {
    fn from(ids: IdsByKind) -> Self {
        /// Maximum bytes of ids per kind: a result has six such lists.
        const MAX_ID_BYTES: usize = 5_000;
        let first = |ids: Vec<String>| -> Vec<String> {
            let mut left = MAX_ID_BYTES;
            let fits = move |id: &String| {
                let fits = id.len() + 8 <= left;
                left = left.saturating_sub(id.len() + 8);
                fits
            };
            ids.into_iter().take_while(fits).collect()
        };
        let (component_count, relationship_count) = (ids.components.len(), ids.relationships.len());
        let (components, relationships) = (first(ids.components), first(ids.relationships));
        let is_whole = (components.len(), relationships.len()) == (component_count, relationship_count);
        let listed =
            (!is_whole).then_some(ListedCounts { components: components.len(), relationships: relationships.len() });
        Self { component_count, relationship_count, listed, components, relationships }
    }
}
