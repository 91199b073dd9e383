//! What time takes away: retried answers, sessions that ran out, workspaces that can no longer be restored, old history,
//! pictures that nothing leads to.

use super::{
    access::{Core, PublicTx, RETRY_WINDOW, Reads, SystemTx, forget_answers},
    identity, images, settings, store, workspaces,
};
use crate::{clock::DAY, error::Result};

/// Most changes that one sweep removes, so that nobody has to wait for long.
const MOST_CHANGES: usize = 2_000;

/// How long what programs hold is remembered after it ended, in milliseconds: so long a copied token is known as such.
const CONNECTORS_KEPT: i64 = 90 * DAY;
/// How long a program is remembered that registered and that nobody let in, in milliseconds. Anybody can register.
const UNUSED_KEPT: i64 = 7 * DAY;

/// What the clock may advance between two sweeps before it counts as a jump, in milliseconds.
const JUMP: i64 = 2 * DAY;

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

/// The time by which things are old enough to be removed: now, unless the clock has jumped.
///
/// A clock that is set a year ahead would otherwise delete a year of history within minutes. Between two sweeps this time
/// advances by twice what the clock does, and by a day at most if that was more than two days: it catches up with a clock
/// that is right after all, in as long as the server was stopped, and a wrong one is noticed meanwhile.
fn trusted_now(core: &Core<'_>) -> Result<i64> {
    let now = core.now;
    let (swept_to, swept_at) = match store::instance::last_sweep(core.conn)? {
        Some(last) => last,
        None => store::instance::last_change_at(core.conn)?.map_or((now, now), |at| (at, at)),
    };
    let passed = now.saturating_sub(swept_at).max(0);
    let step = if passed > JUMP { DAY } else { passed * 2 };
    let trusted = now.min(swept_to.saturating_add(step));
    if passed > JUMP {
        let days = passed / DAY;
        tracing::warn!(
            days,
            "the clock went ahead since the last cleanup; old data is deleted more slowly for a while"
        );
    }
    store::instance::note_sweep(core.conn, trusted, now)?;
    Ok(trusted)
}

/// Removes what nobody can use any more.
pub fn sweep(tx: &mut SystemTx<'_>) -> Result<Removed> {
    let now = trusted_now(tx.core())?;
    let workspaces = workspaces::purge(tx, now)?;
    let images = images::sweep(tx.core(), now)?;
    let memberships = identity::lapse(tx, now)?;
    let conn = tx.core().conn;
    Ok(Removed {
        answers: forget_answers(conn, now - RETRY_WINDOW)?,
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
