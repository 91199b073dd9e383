//! Removes the maps of drafts that ended long ago. Their comparison stays.

use super::store;
use crate::{clock::DAY, domain::core::Core, error::Result};

/// How long the map of a merged or closed draft is stored, in milliseconds.
const RETENTION: i64 = 30 * DAY;

/// Removes the maps of at most `limit` drafts that ended more than 30 days ago. Returns how many were removed.
pub(in crate::domain) fn remove_old_maps(core: &Core<'_>, now: i64, limit: usize) -> Result<usize> {
    let ended = store::drafts::ended(core.conn, now - RETENTION, limit)?;
    for pk in &ended {
        store::drafts::remove_map(core.conn, *pk)?;
    }
    Ok(ended.len())
}
