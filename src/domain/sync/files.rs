//! Previews a sync with files, in one step.

use super::{
    model::{
        readings::{ConvertedFiles, NewReading, ReadFile},
        report::SyncReport,
        request::{NewSource, SyncRequest},
    },
    preview::preview,
    readings,
};
use crate::{
    domain::{
        core::{Call, Gate, access::Viewer},
        values::{FilePath, Line, SourceId},
    },
    error::{Error, Result},
};

/// A file as text.
#[derive(Debug)]
pub struct NewSourceFile {
    /// Path.
    pub name: FilePath,
    /// Content.
    pub content: String,
}

/// Files to compare with a map.
#[derive(Debug)]
pub struct FilePreview {
    /// All files of the source.
    pub files: Vec<NewSourceFile>,
    /// Id of the format. Default: recognized.
    pub format: Option<Line>,
    /// Id of the source. Default: a new one.
    pub source: Option<SourceId>,
    /// Whether components of the map are matched by name.
    pub adopt: bool,
    /// Whether rows that are gone would be deleted.
    pub prune: bool,
}

/// What a sync with files would do, the name of their format, and what the user should know about the files.
pub async fn preview_files(
    gate: &Gate,
    call: Call<Viewer>,
    id: String,
    wanted: FilePreview,
) -> Result<(SyncReport, String, Vec<String>)> {
    gate.permit(call.clone().without_retry(), Some(id.clone())).await?;
    let FilePreview { files, format, source, adopt, prune } = wanted;
    let files =
        files.into_iter().map(|file| ReadFile { name: file.name, content: Some(file.content), content_base64: None });
    let new = NewReading { files: files.collect(), format, options: None };
    let ConvertedFiles { format, format_name, reading, diagnostics, .. } = readings::read(gate, new).await?;
    let notes = diagnostics.into_iter().map(|note| format!("{}:{}: {}", note.file, note.line, note.text)).collect();
    let kind = Line::new(&format).map_err(|problem| Error::invalid("format", problem))?;
    let source = match source {
        Some(id) => id,
        None => SourceId::new("preview").map_err(|problem| Error::invalid("source", problem))?,
    };
    let source = NewSource { id: source, kind, name: None, revision: None, url: None, not_read: Vec::new() };
    let request = SyncRequest { adopt: Some(adopt), prune, draw: true, ..SyncRequest::of(source, reading) };
    Ok((preview(gate, call, id, request).await?, format_name, notes))
}
