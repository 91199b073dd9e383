//! Decisions as files: export of a workspace's decisions, and import of files of several tools.

mod apply;
mod read_files;

use std::collections::HashMap;

use adr::{Located, Record, Status};
use flate2::{Compression, write::GzEncoder};
use tar::{Builder, Header};

use self::{apply::Import, read_files::ReadFiles};
pub use super::model::decision_files::{
    DecisionDiagnostic, ImportedDecisions, MAX_DIAGNOSTICS, MAX_FILES, NewDecisionFile, NewDecisionFiles,
};
use super::{
    decisions::{Decision, DecisionStatus},
    store,
};
use crate::{
    domain::core::{Call, Gate, Reads, ViewTx, access::Editor},
    error::Result,
};

/// Exports all decisions as an archive, `tar` with gzip, of files `decisions/NNNN-title.md`.
pub fn export(tx: &ViewTx<'_>) -> Result<Vec<u8>> {
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, text, changed) in files(tx)? {
        tx.core().check_alive()?;
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(u64::try_from(changed / 1_000).unwrap_or_default());
        archive.append_data(&mut header, format!("decisions/{name}"), text.as_bytes())?;
    }
    Ok(archive.into_inner()?.finish()?)
}

/// The files of all decisions: name, text, and time of the last change in milliseconds.
fn files(tx: &ViewTx<'_>) -> Result<Vec<(String, String, i64)>> {
    let (conn, key) = (tx.core().conn, tx.key());
    let summaries = store::decisions::summaries(conn, &key)?;
    let numbers: HashMap<&str, u32> = summaries.iter().map(|row| (row.id.as_str(), number(row.number))).collect();
    let mut superseded_by: HashMap<&str, Vec<u32>> = HashMap::new();
    for row in &summaries {
        for id in &row.supersedes.0 {
            superseded_by.entry(id).or_default().push(number(row.number));
        }
    }
    let mut files = Vec::with_capacity(summaries.len());
    for summary in &summaries {
        tx.core().check_alive()?;
        // One text at a time.
        let Some(Decision { body, .. }) = tx.find(&summary.id)? else { continue };
        let own = number(summary.number);
        let by = superseded_by.get(summary.id.as_str()).into_iter().flatten().copied();
        let record = Record {
            title: Some(located(summary.title.clone())),
            status: Some(status_of(summary.status)),
            date: Some(summary.date.clone()),
            authors: Some(summary.authors.0.iter().cloned().map(located).collect()),
            components: Some(summary.component_ids.0.iter().cloned().map(located).collect()),
            supersedes: Some(
                summary.supersedes.0.iter().filter_map(|id| numbers.get(id.as_str())).copied().map(located).collect(),
            ),
            also_supersedes: Vec::new(),
            superseded_by: by.map(located).collect(),
            body,
        };
        files.push((adr::file_name(own, &summary.title), adr::write(own, &record), summary.metadata.updated_at));
    }
    Ok(files)
}

/// Imports files. A file whose number a decision has updates this decision; the others create decisions with their numbers.
pub async fn import(gate: &Gate, call: Call<Editor>, id: String, new: NewDecisionFiles) -> Result<ImportedDecisions> {
    gate.permit(call.clone().without_retry(), Some(id.clone())).await?;
    let read = gate.heavy_work(move || Ok(ReadFiles::of(new))).await?;
    gate.write(call.large(), id, move |tx| Import::plan(tx, read)?.write(tx)).await
}

fn located<T>(value: T) -> Located<T> {
    Located { value, line: 1 }
}

fn number(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

fn status_of(status: DecisionStatus) -> Status {
    match status {
        DecisionStatus::Proposed => Status::Proposed,
        DecisionStatus::Accepted => Status::Accepted,
        DecisionStatus::Superseded => Status::Superseded,
        DecisionStatus::Rejected => Status::Rejected,
    }
}
