//! Converts files of other tools to the rows that a sync takes. Nothing is stored.

use base64::{Engine, engine::general_purpose::STANDARD};
use import::{Deployment, Files, Format, Options, Refusal};

use super::model::{
    reading::Reading,
    readings::{ConvertedFiles, NewReading, ReadCounts, ReadDiagnostic, ReadFile, ReadingOptions},
};
use crate::{
    budget::{Budget, BudgetError, Holder, PATIENCE},
    domain::{
        core::{Call, Gate, access::Member},
        values::Name,
    },
    error::{Error, FieldPath, Problem, Result, truncated},
};

/// What a reading is expected to use beside ten times its files, in bytes. Few files use what `import::memory` allows, and few
/// threads read at a time.
const BASE_BYTES: usize = 16 << 20;

/// Converts files, on the threads for heavy work. The memory counts against the budget.
pub async fn convert(gate: &Gate, budget: &Budget, call: Call<Member>, new: NewReading) -> Result<ConvertedFiles> {
    let caller = gate.permit(call.without_retry(), Some(())).await?;
    read(gate, budget, caller.user_id, new).await
}

/// Converts files of a user whose permission is checked elsewhere. The reading ends with its request.
pub(in crate::domain) async fn read(
    gate: &Gate,
    budget: &Budget,
    user_id: i64,
    new: NewReading,
) -> Result<ConvertedFiles> {
    // Several jobs: the next one does not begin when the client has disconnected in the meantime.
    let (files, format, options) = gate.heavy_work(move || prepared(new)).await?;
    let bytes = BASE_BYTES + import::MEMORY_PER_BYTE * files.bytes();
    let _reservation = budget.admit(Holder::User(user_id), bytes, PATIENCE).await.map_err(full)?;
    let reading = gate.heavy_work_until(move |cancel| {
        let found = import::read_until(format, &files, &options, &|| cancel.is_cancelled());
        cancel.check()?;
        Ok((found.map_err(refused)?, files))
    });
    let (found, files) = reading.await?;
    gate.heavy_work(move || converted(format, &files, found)).await
}

/// The error when other work uses the memory.
fn full(error: BudgetError) -> Error {
    match error {
        BudgetError::Share => Error::TooManyRequests,
        BudgetError::Total => Error::Busy,
    }
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
        columns: given.columns.into_iter().map(|(key, heading)| (key, heading.into())).collect(),
    }
}

/// The error for files that cannot be read.
fn refused(refusal: Refusal) -> Error {
    Error::invalid("files", truncated(refusal.to_string()))
}

fn converted(format: Format, files: &Files, found: import::Reading) -> Result<ConvertedFiles> {
    let diagnostics = found.diagnostics.iter().cloned().map(ReadDiagnostic::from).collect();
    let (diagnostic_count, ignored) = (found.diagnostic_count, found.ignored.clone());
    let reading = Reading::of(found)?;
    let counts = ReadCounts {
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
        counts,
    })
}
