//! Updates the data at the start of a server.

use std::path::Path;

use crate::{
    db::{self, OpenError},
    domain::{
        accounts::sessions,
        core::{Gate, Via},
        map, organizations,
    },
    error::Result,
};

/// What [`prepare`] did.
struct Prepared {
    /// Number of documents in the search index, if it was filled.
    documents: Option<usize>,
    /// Number of organizations that got a directory.
    organizations: usize,
    /// Number of ended sessions.
    sessions: usize,
}

/// Updates the data for this version and configuration: fills the search index if it is missing or damaged, creates the
/// directories that organizations of old versions lack, and ends sessions that the configuration no longer accepts. It runs on a separate thread because the caller's
/// thread may be asynchronous and must not block on a future.
pub(super) fn prepare(gate: &Gate, data_dir: &Path) -> std::result::Result<(), OpenError> {
    let failed = |reason: String| OpenError::Other { path: data_dir.join(db::FILE_NAME).display().to_string(), reason };
    let work = || -> Result<Prepared> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        let prepared = gate.system(Via::Job, |tx| {
            // First, because the other steps write rows.
            let documents = map::search::ensure_index(tx)?;
            let organizations = organizations::create_missing_directories(tx)?;
            Ok(Prepared { documents, organizations, sessions: sessions::end_password_sessions(tx)? })
        });
        runtime.block_on(prepared)
    };
    let prepared = std::thread::scope(|scope| scope.spawn(work).join());
    let prepared = prepared.map_err(|panic| failed(crate::blocking::panic_error(&*panic).to_string()))?;
    let Prepared { documents, organizations, sessions } = prepared.map_err(|error| failed(error.to_string()))?;
    if let Some(documents) = documents.filter(|documents| *documents > 0) {
        tracing::info!(documents, "filled the search index");
    }
    if organizations > 0 {
        tracing::info!(organizations, "created the missing people and roles of organizations");
    }
    if sessions > 0 {
        tracing::info!(sessions, "ended sessions that began with a password (sso_only)");
    }
    Ok(())
}
