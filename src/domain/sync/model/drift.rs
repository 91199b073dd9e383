//! The drift report: where a map differs from its sources, and sources from each other.

use serde::Serialize;
use serde_json::Value;

use super::kinds::SyncKind;
use crate::{describe::ToSchema, domain::values::words};

words! {
    /// A kind of difference.
    DriftKind {
        /// A source has the row, but the map has not.
        OnlyInCode = "onlyInCode",
        /// The map has the row, but no source has. With `missingSince` if one had.
        OnlyOnMap = "onlyOnMap",
        /// A field differs between a source and the map.
        Differs = "differs",
        /// A field differs between two sources.
        SourcesDiffer = "sourcesDiffer",
        /// Seen in operation, but not on the map.
        SeenNotDrawn = "seenNotDrawn",
        /// On the map between components that were seen in operation, but not seen for the given days.
        DrawnNotSeen = "drawnNotSeen",
        /// A component without an owner.
        Unowned = "unowned",
    }
}

/// A difference.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftFinding {
    /// Kind of the difference.
    pub finding: DriftKind,
    /// Kind of the row.
    pub kind: SyncKind,
    /// Id on the map; null if the row is not on the map.
    pub id: Option<String>,
    /// Display name.
    pub name: String,
    /// Id of the component on the map at which a relationship starts that is not on the map, given together with
    /// `targetId` if both components are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source_id: Option<String>,
    /// Id of the component at which it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub target_id: Option<String>,
    /// Key in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// Id of the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source: Option<String>,
    /// Path of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub file: Option<String>,
    /// Line in the file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<u32>,
    /// Name of the field that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub field: Option<String>,
    /// Value in the source at the last sync; a hash for long values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub source_value: Option<Value>,
    /// Value on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub map_value: Option<Value>,
    /// Id of the other source.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub other_source: Option<String>,
    /// Value in the other source at its last sync.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub other_value: Option<Value>,
    /// Time of the first sync in which the row was missing, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub missing_since: Option<i64>,
    /// Time at which the row was last seen, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seen_at: Option<i64>,
    /// Display name of the user who last changed the row on the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_changed_by: Option<String>,
    /// Time of that change, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub last_changed_at: Option<i64>,
}

impl DriftFinding {
    /// A difference in a row, without details.
    pub(in crate::domain) fn new(
        finding: DriftKind,
        kind: SyncKind,
        id: Option<&str>,
        name: impl Into<String>,
    ) -> Self {
        Self {
            finding,
            kind,
            id: id.map(str::to_owned),
            name: name.into(),
            source_id: None,
            target_id: None,
            key: None,
            source: None,
            file: None,
            line: None,
            field: None,
            source_value: None,
            map_value: None,
            other_source: None,
            other_value: None,
            missing_since: None,
            seen_at: None,
            last_changed_by: None,
            last_changed_at: None,
        }
    }

    /// The same with the components of a relationship that is not on the map.
    pub(in crate::domain) fn between(self, source_id: &str, target_id: &str) -> Self {
        Self { source_id: Some(source_id.to_owned()), target_id: Some(target_id.to_owned()), ..self }
    }
}

/// Number of differences, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DriftCounts {
    /// Rows that a source has, but not the map.
    pub only_in_code: usize,
    /// Rows that the map has, but no source.
    pub only_on_map: usize,
    /// Fields that differ between a source and the map.
    pub differs: usize,
    /// Fields that differ between two sources.
    pub sources_differ: usize,
    /// Rows that were seen in operation, but are not on the map.
    pub seen_not_drawn: usize,
    /// Relationships on the map that were not seen.
    pub drawn_not_seen: usize,
    /// Components without an owner.
    pub unowned: usize,
}

impl DriftCounts {
    /// Counts a difference.
    pub(in crate::domain) fn add(&mut self, kind: DriftKind) {
        *match kind {
            DriftKind::OnlyInCode => &mut self.only_in_code,
            DriftKind::OnlyOnMap => &mut self.only_on_map,
            DriftKind::Differs => &mut self.differs,
            DriftKind::SourcesDiffer => &mut self.sources_differ,
            DriftKind::SeenNotDrawn => &mut self.seen_not_drawn,
            DriftKind::DrawnNotSeen => &mut self.drawn_not_seen,
            DriftKind::Unowned => &mut self.unowned,
        } += 1;
    }
}

/// A source that was not synchronized for a while, so that its files may have changed since.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StaleSource {
    /// Id.
    #[schema(example = "github.com/acme/shop:compose.yaml")]
    pub id: String,
    /// Display name.
    pub name: Option<String>,
    /// Id of the repository; null for files that were given by hand.
    pub repository: Option<String>,
    /// Revision of the files at the last sync.
    pub revision: Option<String>,
    /// Time of the last sync, in Unix milliseconds.
    pub last_sync_at: i64,
    /// Display name of the user of the last sync; null for the system and for deleted users.
    pub last_sync_by: Option<String>,
}

/// The drift report of a workspace.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Drift {
    /// Number of all differences, by kind.
    pub counts: DriftCounts,
    /// Number of sources of the workspace.
    pub sources: usize,
    /// Those that were not synchronized for a while, ordered by id.
    pub stale_sources: Vec<StaleSource>,
    /// The differences, ordered by kind and name.
    pub findings: Vec<DriftFinding>,
    /// Cursor of the next page. Absent on the last page and if `limit` is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub next_cursor: Option<String>,
}
