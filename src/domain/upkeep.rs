//! What time takes away: retried answers, sessions that ran out, workspaces that can no longer be restored.

use super::{
    access::{PublicTx, RETRY_WINDOW, Reads, SystemTx},
    store, workspaces,
};
use crate::error::Result;

/// How many rows went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// First answers to creations, more than 24 hours old.
    pub answers: usize,
    /// Sessions that ran out.
    pub sessions: usize,
    /// Workspaces deleted more than 30 days ago.
    pub workspaces: usize,
}

/// Whether the database answers.
pub fn answer(tx: &PublicTx<'_>) -> Result<()> {
    store::users::any(tx.core().conn).map(drop)
}

/// Removes what nobody can use any more.
pub fn sweep(tx: &mut SystemTx<'_>) -> Result<Removed> {
    let (conn, now) = (tx.core().conn, tx.core().now);
    Ok(Removed {
        answers: store::idempotency::forget(conn, now - RETRY_WINDOW)?,
        sessions: store::sessions::forget(conn, now)?,
        workspaces: workspaces::purge(tx)?,
    })
}
