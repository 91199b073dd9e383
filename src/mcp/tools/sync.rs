//! Tools that compare a map with files in other places.

use serde::Deserialize;

use super::{
    results::map::{Drift, Preview, PreviewRow},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        input::{at_most, objects},
        paging::Paging,
        sync::{
            self, DriftKind, NewSourceFile, SyncReport,
            drift::{self, DriftQuery},
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

/// The files to compare with a map.
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
    /// Delete rows that the source no longer has. Default: false.
    #[serde(default)]
    prune: bool,
}

/// Maximum number of stale sources in a result.
const MAX_STALE: usize = 20;

/// Which differences to list.
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
            (with missingSince if code no longer has it), differs, sourcesDiffer, seenNotDrawn, drawnNotSeen, \
            unowned. Compares with the last sync of each source; staleSources (at most 20) were not synchronized for \
            long. sync_preview reads files.",
);

/// Previews a sync with files.
pub async fn sync_preview(gate: Gate, call: Call<Viewer>, request: SyncPreview) -> Result<Preview> {
    let SyncPreview { workspace_id, files, format, source, adopt, prune } = request;
    let files = files.into_iter().map(|file| NewSourceFile { name: file.name, content: file.content }).collect();
    let request = sync::FilePreview { files, format, source, adopt: adopt.unwrap_or(true), prune };
    let (report, format, mut notes) = sync::preview_files(&gate, call, workspace_id, request).await?;
    notes.extend(report.diagnostics.iter().map(|note| format!("{}:{}: {}", note.file, note.line, note.text)));
    if let Some(guard) = &report.mass_removal {
        notes.push(format!("{} of {} rows of this source would be removed", guard.vanishing, guard.claimed));
    }
    notes
        .extend(report.rename_candidates.iter().map(|row| format!("{} may have been renamed to {}", row.from, row.to)));
    notes.truncate(20);
    let notes: Vec<String> = notes.iter().map(|note| truncate(note)).collect();
    let (is_in_step, counts, unchanged, revision) =
        (report.is_in_step, report.counts.clone(), report.unchanged, report.revision);
    let (rows, next) = page(rows(report), None, &mut SpaceLeft::after(&(&notes, &counts)))?;
    Ok(Preview { format, is_in_step, counts, unchanged, notes, rows, revision, truncated: next.is_some() })
}

fn rows(report: SyncReport) -> impl Iterator<Item = PreviewRow> {
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
    lists.into_iter().flat_map(|(change, list)| list.into_iter().map(move |row| PreviewRow::new(change, row)))
}

/// Lists the differences between a map and its sources.
pub async fn drift(gate: Gate, call: Call<Viewer>, request: DriftArguments) -> Result<Drift> {
    let DriftArguments { workspace_id, finding, days, cursor } = request;
    let whole = gate.whole_map(&call, workspace_id.clone(), drift::weigh).await?;
    gate.read(call.large(), workspace_id, move |tx: &ViewTx<'_>| {
        let sync::Drift { counts, sources, mut stale_sources, findings, .. } =
            drift::report(tx, &DriftQuery { finding, days }, &Paging::default(), &whole)?;
        stale_sources.truncate(MAX_STALE);
        let mut space = SpaceLeft::after(&(&counts, &sources, &stale_sources));
        let (findings, next_cursor) = page(findings, cursor.as_deref(), &mut space)?;
        let revision = tx.workspace().metadata.revision;
        Ok(Drift { counts, sources, stale_sources, findings, revision, next: next_cursor.into() })
    })
    .await
}
