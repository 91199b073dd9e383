//! What users decide about single rows of sources.

use serde::Deserialize;

use super::kinds::{SyncKind, SyncPreference};
use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, objects, or_default},
        values::{RowKey, SourceId, Text},
    },
};

/// A row of a source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SelectedRow {
    /// Kind of the row.
    pub kind: SyncKind,
    /// Key in the source.
    #[schema(value_type = RowKey)]
    pub key: String,
    /// Id of the source. Default: any source of the request.
    #[schema(value_type = SourceId, nullable = false, required = false)]
    pub source: Option<String>,
}

/// A decision about a row of a source. Exactly one of `accepted` and `split` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SourceRowPatch {
    /// Kind of the row.
    pub kind: SyncKind,
    /// Key in the source.
    pub key: RowKey,
    /// Whether it is meant that the map does not have the row. Checks do not count it anymore.
    #[schema(nullable = false)]
    pub accepted: Option<bool>,
    /// Why.
    #[schema(nullable = false)]
    pub reason: Option<Text>,
    /// Set to `true` if the row is not the one of the map that it was matched with. The next sync draws it as a row of its own,
    /// and never matches it with that row again.
    #[serde(default, deserialize_with = "or_default")]
    pub split: bool,
}

/// The decision about a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SyncResolution {
    /// Kind of the row: `component`, `relationship`, `process` or `view`.
    pub kind: SyncKind,
    /// Key in the source.
    #[schema(value_type = RowKey)]
    pub key: String,
    /// Id of the source. Default: any source of the request.
    #[schema(value_type = SourceId, nullable = false, required = false)]
    pub source: Option<String>,
    /// Field, as in the report. Without it, all conflicts of the row are decided.
    #[schema(nullable = false, example = "name")]
    pub field: Option<String>,
    /// The side whose value is taken.
    pub take: SyncPreference,
}

objects!(SelectedRow, SourceRowPatch, SyncResolution);
impl Input for SourceRowPatch {}
