//! Converts files of other tools to the rows that a sync takes. Nothing is stored.

use std::{cmp::Reverse, collections::BTreeMap};

use base64::{Engine, engine::general_purpose::STANDARD};
use import::{Deployment, Files, Format, Options, Refusal, Severity};

use super::model::{
    claims::{MAX_NOT_READ, NotRead},
    reading::Reading,
    readings::{ConvertedFiles, NewReading, ReadFile, ReadingCounts, ReadingDiagnostic, ReadingOptions},
};
use crate::{
    domain::{
        core::{Call, Gate, access::Member},
        values::{FilePath, Line, Name},
    },
    error::{Error, FieldPath, Problem, Result, truncated},
};

/// Memory that a reading is expected to use in addition to ten times the size of its files, in bytes. It is less than
/// `import::memory` allows, because few files need that much.
const BASE_BYTES: usize = 16 << 20;

/// Converts files, on the threads for heavy work.
pub async fn convert(gate: &Gate, call: Call<Member>, new: NewReading) -> Result<ConvertedFiles> {
    gate.permit(call.without_retry(), Some(())).await?;
    read(gate, new).await
}

/// Converts files of a caller whose permission is checked elsewhere. Waits for memory, and ends when the request is canceled.
pub(in crate::domain) async fn read(gate: &Gate, new: NewReading) -> Result<ConvertedFiles> {
    // Several jobs: the next one does not begin when the client has disconnected in the meantime.
    let (files, format, options) = gate.heavy_work(move || prepared(new)).await?;
    let _memory = gate.memory(BASE_BYTES + import::MEMORY_PER_BYTE * files.bytes()).await?;
    let reading = gate.heavy_work_until(move |cancel| {
        let found = import::read_until(format, &files, &options, &|| cancel.is_cancelled());
        cancel.check()?;
        Ok((found.map_err(refused)?, files))
    });
    let (found, files) = reading.await?;
    gate.heavy_work(move || converted(format, &files, found)).await
}

/// The files and options of a request.
fn prepared(new: NewReading) -> Result<(Files, Format, Options)> {
    let mut files = Files::new();
    for (at, file) in new.files.into_iter().enumerate() {
        let ReadFile { name, content, content_base64 } = file;
        let field = |name: &str| FieldPath::item("files", at).field(name);
        let bytes = match (content, content_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(text)) => STANDARD
                .decode(text.trim())
                .map_err(|_| Error::invalid(field("contentBase64"), "must be base64 with padding"))?,
            (None, None) => {
                return Err(Error::invalid(field("content"), Problem::required(", or `contentBase64` instead")));
            }
            (Some(_), Some(_)) => {
                return Err(Error::invalid(field("contentBase64"), "must be left out where `content` is given"));
            }
        };
        if name.as_str().is_empty() {
            return Err(Error::invalid(field("name"), "must not be empty"));
        }
        files.add(name.as_str(), bytes).map_err(refused)?;
    }
    let format = match &new.format {
        Some(id) => Format::of_id(id.as_str()).ok_or_else(|| unknown_format("format", id.as_str()))?,
        None => import::recognize(&files).map_err(refused)?,
    };
    if files.is_empty() {
        return Err(Error::invalid("files", Problem::Items { min: 1, max: Some(import::MAX_FILES) }));
    }
    Ok((files, format, options(new.options.unwrap_or_default())))
}

/// The error for an unknown format.
pub(super) fn unknown_format(field: &'static str, id: &str) -> Error {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.id()).collect();
    Error::invalid(field, format!("`{id}` is not a format; use one of: {}", known.join(", ")))
}

fn options(given: ReadingOptions) -> Options {
    let deployment = match given.deployment.as_ref().map(Name::as_str) {
        None | Some("single") => Deployment::Single,
        Some("none") => Deployment::None,
        Some("all") => Deployment::All,
        Some(name) => Deployment::Environment(name.to_owned()),
    };
    Options {
        name: given.name.map(String::from),
        deployment,
        motivation: given.motivation,
        systems: given.systems,
        repository: given.repository.map(String::from),
        columns: given.columns.into_iter().map(|(key, heading)| (key, heading.into())).collect(),
    }
}

/// The error for files that cannot be read.
fn refused(refusal: Refusal) -> Error {
    Error::invalid("files", truncated(refusal.to_string()))
}

/// What a reader left out of the files, by reason, the most frequent first: items without a counterpart on a map, and warnings.
pub fn not_read(found: &import::Reading) -> Vec<NotRead> {
    let mut reasons: BTreeMap<String, NotRead> = BTreeMap::new();
    let mut note = |text: &str, count: usize, place: Option<(&str, u32)>| {
        let cut: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(Line::MAX_CHARS).collect();
        let Ok(reason) = Line::cleaned(&cut) else { return };
        let (file, line) = place.unzip();
        let file = file.and_then(|file| FilePath::new(file).ok());
        let one = reasons.entry(cut).or_insert(NotRead { reason, count: 0, file, line });
        one.count = one.count.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
    };
    for (name, count) in &found.ignored {
        note(name, *count, None);
    }
    for one in found.diagnostics.iter().filter(|one| one.severity != Severity::Info) {
        note(&one.text, 1, Some((&one.file, one.line)));
    }
    let mut all: Vec<NotRead> = reasons.into_values().collect();
    all.sort_by_key(|one| Reverse(one.count));
    all.truncate(MAX_NOT_READ);
    all
}

fn converted(format: Format, files: &Files, found: import::Reading) -> Result<ConvertedFiles> {
    let diagnostics = found.diagnostics.iter().cloned().map(ReadingDiagnostic::from).collect();
    let (diagnostic_count, ignored, not_read) = (found.diagnostic_count, found.ignored.clone(), not_read(&found));
    let reading = Reading::of(found)?;
    let counts = ReadingCounts {
        components: reading.components.len(),
        relationships: reading.relationships.len(),
        people: reading.people.len(),
        teams: reading.teams.len(),
        stakeholders: reading.stakeholders.len(),
        links: reading.links.len(),
        processes: reading.processes.len(),
        views: reading.views.len(),
    };
    Ok(ConvertedFiles {
        format: format.id().to_owned(),
        format_name: format.name().to_owned(),
        is_observed: format.is_observed(),
        files: files.read_names(),
        reading,
        diagnostics,
        diagnostic_count,
        ignored,
        not_read,
        counts,
    })
}
