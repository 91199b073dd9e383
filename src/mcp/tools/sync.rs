//! Tools that compare a map with files in other places.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        input::{at_most, objects},
        paging::Paging,
        sync::{
            self, DriftFinding, DriftKind, NewSourceFile, SyncCounts, SyncReport, SyncRow,
            drift::{self, DriftCounts, DriftQuery},
        },
        values::{FilePath, Line, SourceId},
    },
    error::Result,
    mcp::results::{SpaceLeft, page, truncate},
};

/// Maximum number of files of a call.
const MAX_FILES: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_FILES == 50);

/// A file as text.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct SourceFile {
    /// Path.
    #[schema(value_type = String)]
    name: FilePath,
    /// Text.
    content: String,
}

objects!(SourceFile);

/// Which files to compare with which map.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SyncPreview {
    /// Id of the workspace.
    workspace_id: String,
    /// All files of the source.
    #[serde(deserialize_with = "at_most::<MAX_FILES, _, _>")]
    #[schema(inline, min_items = 1, max_items = 50)]
    files: Vec<SourceFile>,
    /// Default: recognized.
    #[schema(value_type = String, nullable = false, required = false)]
    format: Option<Line>,
    /// Id of a source that was synchronized before, as in drift. Default: a new one.
    #[schema(value_type = String, nullable = false, required = false)]
    source: Option<SourceId>,
    /// Match components of the map by name. Default: true.
    #[schema(value_type = bool, nullable = false, required = false)]
    adopt: Option<bool>,
    /// Delete what is gone. Default: false.
    #[serde(default)]
    prune: bool,
}

/// Which differences.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DriftArguments {
    /// Id of the workspace.
    workspace_id: String,
    /// Only this kind.
    #[schema(inline, nullable = false)]
    finding: Option<DriftKind>,
    /// Days without a call after which it counts as not seen. Default: 30.
    #[schema(nullable = false)]
    days: Option<u32>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    SyncPreview: "What a sync of a map with files would change, without writing: compose, Kubernetes, Terraform \
            JSON, Structurizr, LikeC4, Backstage, C4 and flowcharts in Mermaid or PlantUML, draw.io, CSV, service \
            graphs. Rows have `change`: added, changed, conflict, vanished, returned, removed, adopted, \
            deletedOnMap. The user runs the sync with `planroom sync` or in the web client.",
    DriftArguments: "Where a map and its sources (files, traces) differ, with file and line: onlyInCode, onlyOnMap \
            (with missingSince if it is gone from code), differs, sourcesDiffer, seenNotDrawn, drawnNotSeen, \
            unowned. Compares with the last sync of each source; sync_preview reads files.",
);

/// A row of a preview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    change: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    name: String,
    /// File and line.
    at: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Difference>,
}

/// A field that differs.
#[derive(Debug, Serialize)]
struct Difference {
    field: String,
    map: Value,
    source: Value,
    taken: &'static str,
}

/// A preview.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    format: String,
    is_in_step: bool,
    counts: SyncCounts,
    unchanged: usize,
    /// What the user should know about the files and the sync.
    notes: Vec<String>,
    rows: Vec<Row>,
    /// Of the workspace.
    revision: i64,
    /// Whether rows are left out.
    truncated: bool,
}

/// Differences between a map and its sources.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    counts: DriftCounts,
    sources: usize,
    findings: Vec<DriftFinding>,
    /// Of the workspace.
    revision: i64,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Previews a sync with files.
pub async fn sync_preview(gate: Gate, call: Call<Viewer>, ask: SyncPreview) -> Result<Preview> {
    let SyncPreview { workspace_id, files, format, source, adopt, prune } = ask;
    let files = files.into_iter().map(|file| NewSourceFile { name: file.name, content: file.content }).collect();
    let wanted = sync::FilePreview { files, format, source, adopt: adopt.unwrap_or(true), prune };
    let (report, format, mut notes) = sync::preview_files(&gate, call, workspace_id, wanted).await?;
    notes.extend(report.diagnostics.iter().map(|note| format!("{}:{}: {}", note.file, note.line, note.text)));
    if let Some(guard) = &report.mass_removal {
        notes.push(format!("{} of {} rows of this source are gone", guard.vanishing, guard.claimed));
    }
    notes
        .extend(report.rename_candidates.iter().map(|one| format!("{} may have been renamed to {}", one.from, one.to)));
    notes.truncate(20);
    let notes: Vec<String> = notes.iter().map(|note| truncate(note)).collect();
    let (is_in_step, counts, unchanged, revision) =
        (report.is_in_step, report.counts.clone(), report.unchanged, report.revision);
    let (rows, next) = page(rows(report), None, &mut SpaceLeft::after(&(&notes, &counts)))?;
    Ok(Preview { format, is_in_step, counts, unchanged, notes, rows, revision, truncated: next.is_some() })
}

fn rows(report: SyncReport) -> impl Iterator<Item = Row> {
    let lists = [
        ("added", report.added),
        ("changed", report.changed),
        ("conflict", report.conflicts),
        ("vanished", report.vanished),
        ("returned", report.returned),
        ("removed", report.removed),
        ("adopted", report.adopted),
        ("deletedOnMap", report.deleted_on_map),
    ];
    lists.into_iter().flat_map(|(change, list)| list.into_iter().map(move |row| Row::of(change, row)))
}

impl Row {
    fn of(change: &'static str, row: SyncRow) -> Self {
        let fields = row.fields.into_iter().map(|field| Difference {
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

/// Where a map differs from its sources.
pub async fn drift(gate: Gate, call: Call<Viewer>, ask: DriftArguments) -> Result<Differences> {
    let DriftArguments { workspace_id, finding, days, cursor } = ask;
    let whole = gate.whole_map(&call, workspace_id.clone(), drift::weigh).await?;
    gate.read(call.large(), workspace_id, move |tx: &ViewTx<'_>| {
        let found = drift::report(tx, &DriftQuery { finding, days }, &Paging::default(), &whole)?;
        let mut space = SpaceLeft::after(&(&found.counts, &found.sources));
        let (findings, next_cursor) = page(found.findings, cursor.as_deref(), &mut space)?;
        let (truncated, revision) = (next_cursor.is_some(), tx.workspace().metadata.revision);
        Ok(Differences { counts: found.counts, sources: found.sources, findings, revision, truncated, next_cursor })
    })
    .await
}
