//! The report of a synchronization, or of its preview.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{kinds::SyncKind, readings::ReadingDiagnostic, request::SyncedSource};
use crate::{describe::ToSchema, domain::values::words};

/// Maximum number of rows of a list in a report.
pub const MAX_LISTED: usize = 2_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_LISTED == 2_000);

words! {
    /// The value that a field gets.
    SyncSide {
        /// That of the source.
        Source = "source",
        /// That of the map.
        Map = "map",
        /// The field is not changed and remains a conflict.
        None = "none",
    }
}

/// A place of a row in the files of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SyncPlace {
    /// Id of the source.
    pub source: String,
    /// Key in the source.
    pub key: String,
    /// Path of the file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
}

/// A row of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncRow {
    /// Kind of the row.
    pub kind: SyncKind,
    /// Key in the source.
    pub key: String,
    /// Id on the map: an integer as text for stakeholders and links. Null if the row is not on the map yet.
    pub id: Option<String>,
    /// Display name.
    pub name: String,
    /// Path of the file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// When the row was first missing in the source, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub missing_since: Option<i64>,
    /// The fields that differ; absent if the list has none.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub fields: Vec<SyncField>,
    /// Id of the source; absent if the request has only one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub source: Option<String>,
    /// Names of the components that depend on a component that is gone, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schema(max_items = 20)]
    pub dependents: Vec<String>,
    /// Id of the repository from which a component has moved here.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub moved_from: Option<String>,
    /// Id of the component into which one that was drawn twice is merged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub merged_into: Option<String>,
    /// Where other sources of the request have a component that is added or adopted, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schema(max_items = 20)]
    pub also_in: Vec<SyncPlace>,
    /// Time at which someone accepted that the map does not have the row, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub accepted_at: Option<i64>,
}

impl SyncRow {
    /// A row without further details.
    pub(in crate::domain) fn new(kind: SyncKind, key: &str, id: Option<&str>, name: impl Into<String>) -> Self {
        Self {
            kind,
            key: key.to_owned(),
            id: id.map(str::to_owned),
            name: name.into(),
            file: String::new(),
            line: 1,
            missing_since: None,
            fields: Vec::new(),
            source: None,
            dependents: Vec::new(),
            moved_from: None,
            merged_into: None,
            also_in: Vec::new(),
            accepted_at: None,
        }
    }
}

/// A field of a row that the source or the map has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SyncField {
    /// Name of the field: `name`, `type`, `parent`, `description`, `technology`, `tags`, `lifecycle`, `label`, `source`,
    /// `target`, `mermaid`, `participants`, `components`, or `properties.` and the name of a property.
    #[schema(example = "technology")]
    pub field: String,
    /// The value as last synced; null if there was none, and a hash for long values.
    pub base: Value,
    /// The value in the source, or null.
    pub source: Value,
    /// The value on the map, or null.
    pub map: Value,
    /// The value that the field gets.
    pub taken: SyncSide,
}

/// A component that may have been renamed in its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenameCandidate {
    /// Key that is gone.
    pub from: String,
    /// Key that is new.
    pub to: String,
    /// Name on the map.
    pub name: String,
    /// Name of the new component.
    pub new_name: String,
}

/// What the guard against the removal of many rows says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MassRemoval {
    /// Number of rows that are gone from the source.
    pub vanishing: usize,
    /// Number of rows that the source had.
    pub claimed: usize,
    /// Whether the request allows it. Otherwise, the sync is rejected.
    pub is_allowed: bool,
    /// Id of the source; absent if it is the only one, or if it is about all sources.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub source: Option<String>,
}

/// Number of rows in the lists of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncCounts {
    /// In `added`.
    pub added: usize,
    /// In `changed`.
    pub changed: usize,
    /// In `conflicts`.
    pub conflicts: usize,
    /// In `vanished`.
    pub vanished: usize,
    /// In `returned`.
    pub returned: usize,
    /// In `removed`.
    pub removed: usize,
    /// In `adopted`.
    pub adopted: usize,
    /// In `deletedOnMap`.
    pub deleted_on_map: usize,
}

/// The result of a synchronization, or of its preview. Each list contains at most 2,000 rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// The source, or the first one.
    pub source: SyncedSource,
    /// Id of the repository; null for files that were given by hand.
    #[serde(default)]
    pub repository: Option<String>,
    /// All sources.
    #[schema(max_items = 200)]
    #[serde(default)]
    pub sources: Vec<SyncedSource>,
    /// Change set id. Undo this change set to undo the sync. Null if no row was written, and in a preview.
    pub change_set_id: Option<String>,
    /// Workspace revision afterward.
    pub revision: i64,
    /// Whether the map is what the sources say: there is nothing to add, change, adopt, mark, or remove, no conflict, and no
    /// row that was deleted on the map unless someone has accepted it.
    pub is_in_step: bool,
    /// Rows that are new.
    #[schema(max_items = 2_000)]
    pub added: Vec<SyncRow>,
    /// Rows that take values of the source.
    #[schema(max_items = 2_000)]
    pub changed: Vec<SyncRow>,
    /// Rows with fields that the source and the map have changed differently.
    #[schema(max_items = 2_000)]
    pub conflicts: Vec<SyncRow>,
    /// Rows that are gone from the source and stay on the map, marked.
    #[schema(max_items = 2_000)]
    pub vanished: Vec<SyncRow>,
    /// Rows that are in the source again and lose the mark.
    #[schema(max_items = 2_000)]
    pub returned: Vec<SyncRow>,
    /// Rows that are deleted: with `prune`, those that are gone; and stakeholders and links that the source no longer has.
    #[schema(max_items = 2_000)]
    pub removed: Vec<SyncRow>,
    /// Rows of the map that become those of the source, with the fields that differ.
    #[schema(max_items = 2_000)]
    pub adopted: Vec<SyncRow>,
    /// Rows of the source that were deleted on the map and stay deleted.
    #[schema(max_items = 2_000)]
    pub deleted_on_map: Vec<SyncRow>,
    /// Components that may have been renamed.
    #[schema(max_items = 100)]
    pub rename_candidates: Vec<RenameCandidate>,
    /// Number of rows that are the same in the source and on the map, or that the map has changed.
    pub unchanged: usize,
    /// What the user should know.
    #[schema(max_items = 200)]
    pub diagnostics: Vec<ReadingDiagnostic>,
    /// Set if too many rows of a source, or of all sources, are gone.
    pub mass_removal: Option<MassRemoval>,
    /// Number of rows in the lists, including those that are left out.
    pub counts: SyncCounts,
}
