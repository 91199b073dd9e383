//! What time takes away: retried answers, sessions that ran out, workspaces that can no longer be restored, old history,
//! pictures that nothing leads to.

use super::{
    access::{PublicTx, RETRY_WINDOW, Reads, SystemTx},
    identity, images, settings, store, workspaces,
};
use crate::{clock::DAY, error::Result};

/// Most changes that one sweep removes, so that nobody has to wait for long.
const MOST_CHANGES: usize = 2_000;

/// How long what programs hold is remembered after it ended, in milliseconds: so long a copied token is known as such.
const CONNECTORS_KEPT: i64 = 90 * DAY;
/// How long a program is remembered that registered and that nobody let in, in milliseconds. Anybody can register.
const UNUSED_KEPT: i64 = 7 * DAY;

/// How many rows went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// First answers to creations, more than 24 hours old.
    pub answers: usize,
    /// Sessions that ran out, and states of those who did not come back from the wiki's provider.
    pub sessions: usize,
    /// Workspaces deleted more than 30 days ago.
    pub workspaces: usize,
    /// What programs held or asked for and can no longer use.
    pub connectors: usize,
    /// Pictures that nothing has led to for a week.
    pub images: usize,
    /// Memberships that the identity provider has not named for 30 days.
    pub memberships: usize,
    /// Audit events that are older than they are kept.
    pub events: usize,
    /// Changes of workspaces and directories that are older than the history is kept.
    pub changes: usize,
}

impl Removed {
    /// Whether there may be more to remove.
    pub fn is_not_all(&self) -> bool {
        self.changes >= MOST_CHANGES || self.events >= MOST_CHANGES
    }
}

/// Whether the database answers.
pub fn answer(tx: &PublicTx<'_>) -> Result<()> {
    store::users::any(tx.core().conn).map(drop)
}

/// Removes what nobody can use any more.
pub fn sweep(tx: &mut SystemTx<'_>) -> Result<Removed> {
    let workspaces = workspaces::purge(tx)?;
    let images = images::sweep(tx.core())?;
    let memberships = identity::lapse(tx)?;
    let (conn, now) = (tx.core().conn, tx.core().now);
    Ok(Removed {
        answers: store::idempotency::forget(conn, now - RETRY_WINDOW)?,
        sessions: store::sessions::forget(conn, now)? + store::wiki::forget(conn, now)?,
        workspaces,
        images,
        memberships,
        connectors: store::connectors::consent::forget(conn, now)?
            + store::connectors::forget(conn, now - CONNECTORS_KEPT, now - UNUSED_KEPT)?,
        events: match settings::audit_days(tx.core())? {
            Some(days) => store::audit::forget(conn, now - days * DAY, MOST_CHANGES)?,
            None => 0,
        },
        changes: match settings::history_days(tx.core())? {
            Some(days) => store::history::forget(conn, now - days * DAY, MOST_CHANGES)?,
            None => 0,
        },
    })
}
