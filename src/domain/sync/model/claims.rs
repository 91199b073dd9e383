//! Sources of a workspace, and the rows of the map that they claim.

use std::collections::{BTreeMap, BTreeSet};

use import::Format;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kinds::{RowWas, SyncKind};
use crate::{
    describe::ToSchema,
    domain::{
        input::{Input, at_most, empty_or_at_most, objects, or_default, serialized_objects},
        values::{FilePath, Id, Line, Name, RowKey, SourceId, Text, WebAddress, json_column},
    },
};

/// Maximum number of sources of a workspace.
pub const MAX_SOURCES: usize = 200;
/// Maximum number of reasons why something in a source was not read.
pub const MAX_NOT_READ: usize = 100;
/// Maximum number of claims of a workspace.
pub const MAX_CLAIMS: usize = 200_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_SOURCES == 200 && MAX_CLAIMS == 200_000);

/// Something in the files of a source that was not read, for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct NotRead {
    /// What it is, or why it was not read.
    #[schema(example = "NetworkPolicy")]
    pub reason: Line,
    /// How often the files have it.
    pub count: u32,
    /// Path of the first file that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub file: Option<FilePath>,
    /// Line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
}

/// What the files of a source have that was not read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(in crate::domain) struct Gaps(pub(in crate::domain) Vec<NotRead>);
json_column!(Gaps);

/// The fields of a row that a source can set, by name. Absent fields are unset. Long values are replaced by a hash where
/// only equality matters.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fields(pub(in crate::domain) BTreeMap<String, Value>);
json_column!(Fields);

/// Names of fields, or ids of rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Names(pub(in crate::domain) BTreeSet<String>);
json_column!(Names);

impl Names {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Someone accepted that the map does not have a row of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) struct Acceptance {
    pub(in crate::domain) at: i64,
    pub(in crate::domain) by: Option<i64>,
    pub(in crate::domain) reason: Option<String>,
}

/// A row that was merged into another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) struct MergedRow {
    pub(in crate::domain) id: String,
    /// Time of the merge.
    pub(in crate::domain) at: i64,
}

/// A row of a source, and the row of the map that it describes.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::domain) struct Claim {
    pub(in crate::domain) source_id: String,
    pub(in crate::domain) kind: SyncKind,
    pub(in crate::domain) key: String,
    /// The row on the map, which may have been deleted. None if it was seen but never drawn.
    pub(in crate::domain) row_id: Option<String>,
    /// The fields as last synced.
    pub(in crate::domain) base: Fields,
    /// Fields that the source does not state.
    pub(in crate::domain) inferred: Names,
    /// Properties that change with each deployment. The row does not have them.
    pub(in crate::domain) volatile: Fields,
    /// Whether the row runs in the repository of the source.
    pub(in crate::domain) is_home: bool,
    /// Rows of the map that this row is not, although it looks like them.
    pub(in crate::domain) separate: Names,
    /// How the row was when the source first described it. None if unknown.
    pub(in crate::domain) row_was: Option<RowWas>,
    /// The row that it described before that was merged into this one. The claim returns to it if the merge is undone.
    pub(in crate::domain) merged_from: Option<MergedRow>,
    pub(in crate::domain) accepted: Option<Acceptance>,
    pub(in crate::domain) file: String,
    pub(in crate::domain) line: u32,
    pub(in crate::domain) seen_at: i64,
    pub(in crate::domain) missing_since: Option<i64>,
}

/// A source as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domain) struct Source {
    pub(in crate::domain) id: String,
    pub(in crate::domain) kind: String,
    pub(in crate::domain) name: Option<String>,
    /// Id of the repository; none for files that were given by hand.
    pub(in crate::domain) repository: Option<String>,
    /// Where the repository is, as in `github.com/acme/shop`.
    pub(in crate::domain) origin: Option<String>,
    /// The configuration that lists it.
    pub(in crate::domain) configuration: Option<String>,
    /// Sources with lower ranks count first. None: by format.
    pub(in crate::domain) rank: Option<u32>,
    pub(in crate::domain) revision: Option<String>,
    pub(in crate::domain) url: Option<String>,
    pub(in crate::domain) synced_at: i64,
    pub(in crate::domain) synced_by: Option<i64>,
    pub(in crate::domain) not_read: Gaps,
}

impl Source {
    /// Whether the source says what was seen in operation.
    pub(in crate::domain) fn is_observed(&self) -> bool {
        Format::of_id(&self.kind).is_some_and(Format::is_observed)
    }
}

/// A source of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSource {
    /// Id, chosen by the client.
    #[schema(example = "github.com/acme/shop:compose.yaml")]
    pub id: String,
    /// Id of the format.
    #[schema(example = "compose")]
    pub kind: String,
    /// Name of the format.
    #[schema(example = "Docker Compose")]
    pub kind_name: String,
    /// Whether the source says what was seen in operation.
    pub is_observed: bool,
    /// Display name.
    pub name: Option<String>,
    /// Id of the repository; null for files that were given by hand.
    pub repository: Option<String>,
    /// Where the repository is.
    #[schema(example = "github.com/acme/shop")]
    pub origin: Option<String>,
    /// The configuration that lists the source; null if its files were named for the last sync.
    #[schema(example = "github.com/acme/shop/planroom.yaml")]
    pub configuration: Option<String>,
    /// Revision of the files at the last sync.
    pub revision: Option<String>,
    /// Address of the files.
    pub url: Option<String>,
    /// Time of the last sync, in Unix milliseconds.
    pub last_sync_at: i64,
    /// Display name of the user of the last sync; null for the system and for deleted users.
    pub last_sync_by: Option<String>,
    /// Whether this was longer ago than the instance allows (`sources.stale_after_days`).
    pub is_stale: bool,
    /// Number of rows that the source claims, by kind.
    #[schema(value_type = BTreeMap<String, u32>)]
    pub claims: BTreeMap<&'static str, u32>,
    /// Number of these rows that were missing in the last sync.
    pub missing: u32,
    /// What the files had at the last sync that was not read, by reason.
    #[schema(max_items = 100)]
    pub not_read: Vec<NotRead>,
}

/// A row of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedClaim {
    /// Kind of the row.
    pub kind: SyncKind,
    /// Key in the source.
    pub key: String,
    /// Id of the row on the map, which may have been deleted; null if it was seen but never drawn.
    pub id: Option<String>,
    /// Path of the file.
    pub file: String,
    /// Line in the file, from 1.
    pub line: u32,
    /// Time of the last sync in which the source had the row, in Unix milliseconds.
    pub seen_at: i64,
    /// Time of the first sync in which it did not; null if the source has the row.
    pub missing_since: Option<i64>,
    /// Properties that change with each deployment, such as the tag of an image. The row on the map does not have them.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub volatile: Fields,
    /// How the row was when the source first described it; null if unknown.
    pub row_was: Option<RowWas>,
    /// Time at which someone accepted that the map does not have the row, in Unix milliseconds; null if no user did.
    pub accepted_at: Option<i64>,
    /// Display name of that user; null if unknown.
    pub accepted_by: Option<String>,
    /// Why.
    pub accepted_reason: Option<String>,
}

impl ListedClaim {
    /// Lists a claim, with the display name of the user who accepted that the map does not have the row.
    pub(in crate::domain) fn new(claim: Claim, accepted_by: Option<String>) -> Self {
        let (accepted_at, accepted_reason) = claim.accepted.map(|accepted| (accepted.at, accepted.reason)).unzip();
        Self {
            kind: claim.kind,
            key: claim.key,
            id: claim.row_id,
            file: claim.file,
            line: claim.line,
            seen_at: claim.seen_at,
            missing_since: claim.missing_since,
            volatile: claim.volatile,
            row_was: claim.row_was,
            accepted_at,
            accepted_by,
            accepted_reason: accepted_reason.flatten(),
        }
    }
}

/// A source in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentSource {
    /// Id.
    pub id: SourceId,
    /// Id of the format.
    pub kind: Line,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Revision of the files at the last sync.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub revision: Option<Line>,
    /// Address of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub url: Option<WebAddress>,
    /// Id of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub repository: Option<SourceId>,
    /// Where the repository is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub origin: Option<Line>,
    /// The configuration that lists the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub configuration: Option<Line>,
    /// Sources with lower ranks count first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rank: Option<u32>,
    /// Time of the last sync, in Unix milliseconds.
    pub synced_at: i64,
    /// What the files had at the last sync that was not read, by reason.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "empty_or_at_most::<MAX_NOT_READ, _, _>"
    )]
    #[schema(max_items = 100)]
    pub not_read: Vec<NotRead>,
    /// The components, relationships, processes and views of the source.
    #[serde(deserialize_with = "at_most::<MAX_CLAIMS, _, _>")]
    #[schema(max_items = 200_000)]
    pub claims: Vec<DocumentClaim>,
}

/// A row of a source in a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DocumentClaim {
    /// Kind of the row.
    pub kind: SyncKind,
    /// Key in the source.
    pub key: RowKey,
    /// Id of the row in the file, or of a deleted row.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// The fields as last synced, at most 32 KiB of JSON.
    #[schema(value_type = crate::domain::values::Properties)]
    pub base: Fields,
    /// Fields that the source does not state.
    #[serde(default, skip_serializing_if = "Names::is_empty", deserialize_with = "or_default")]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub inferred: Names,
    /// Properties that change with each deployment, at most 32 KiB of JSON.
    #[serde(default, skip_serializing_if = "Fields::is_empty", deserialize_with = "or_default")]
    #[schema(value_type = crate::domain::values::Properties)]
    pub volatile: Fields,
    /// Whether the row runs in the repository of the source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not", deserialize_with = "or_default")]
    pub is_home: bool,
    /// Ids of rows of the map that this row is not.
    #[serde(default, skip_serializing_if = "Names::is_empty", deserialize_with = "or_default")]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub separate: Names,
    /// How the row was when the source first described it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub row_was: Option<RowWas>,
    /// Id of the row that it described before that was merged into this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub merged_from: Option<Id>,
    /// Time of that merge, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub merged_at: Option<i64>,
    /// Time at which someone accepted that the map does not have the row, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub accepted_at: Option<i64>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub accepted_reason: Option<Text>,
    /// Path of the file.
    pub file: FilePath,
    /// Line in the file, from 1.
    pub line: u32,
    /// Time of the last sync in which the source had the row, in Unix milliseconds.
    pub seen_at: i64,
    /// Time of the first sync in which it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub missing_since: Option<i64>,
}

objects!(NotRead, DocumentSource, DocumentClaim);
serialized_objects!(NotRead, DocumentSource, DocumentClaim);
impl Input for DocumentSource {}
