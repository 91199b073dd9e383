//! The check of the database file that a start has postponed.

use crate::{db::CheckOutcome, domain::core::Gate};

/// Checks the database file if the start has postponed that. Damage is logged, and from then on the server is not ready.
/// Returns whether the search index is damaged and has to be filled again.
pub async fn finish_check(gate: &Gate) -> bool {
    match gate.finish_check().await {
        Ok(None) => {}
        Ok(Some(CheckOutcome::Sound)) => tracing::debug!("checked the database file"),
        Ok(Some(CheckOutcome::DamagedSearchIndex)) => return true,
        Ok(Some(CheckOutcome::Damaged(error))) => {
            tracing::error!(error, "the database file is damaged; stop the server");
        }
        Err(error) => tracing::error!(%error, "cannot check the database file"),
    }
    false
}
