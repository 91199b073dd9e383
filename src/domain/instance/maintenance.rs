//! Maintenance: removes expired retry responses and sessions, deleted workspaces that can no longer be restored, old
//! history, and unused images.

use super::store;
use crate::{
    clock::DAY,
    db::inspect::release_pages,
    domain::{
        accounts::{
            connectors::{self, consent},
            email_confirmation, identity, sessions,
        },
        core::{Core, PublicTx, RETRY_WINDOW, Reads, SystemTx, delete_answers},
        drafts, history, images, mail,
        map::{note_images, workspaces},
        notifications, settings,
        transfer::sample,
        users, webhooks, wiki,
    },
    error::Result,
};

/// Maximum number of changes that a run removes, so that other writers do not wait long.
const MAX_REMOVED_ROWS: usize = 2_000;

/// Maximum number of unused pages that a run returns to the file system: 8 MiB.
const MAX_RELEASED_PAGES: u32 = 2_000;

/// Maximum number of maps of merged and closed drafts that a run removes.
const MAX_REMOVED_MAPS: usize = 10;

/// Maximum number of uploaded images that a run removes. Each can take 2 MiB.
const MAX_REMOVED_IMAGES: usize = 50;

/// How long expired or revoked credentials of connected apps are stored, in milliseconds. A copied token is recognized
/// as such for that long.
const REVOKED_CREDENTIAL_RETENTION: i64 = 90 * DAY;
/// How long a registered app that no user has authorized is stored, in milliseconds. Registration is open to everyone.
const UNUSED_CLIENT_RETENTION: i64 = 7 * DAY;

/// How long notifications are stored after they were read, in milliseconds.
const READ_NOTIFICATION_RETENTION: i64 = 90 * DAY;

/// An advance of the clock between two runs that counts as a jump, in milliseconds.
const MAX_CLOCK_STEP: i64 = 2 * DAY;

/// Number of removed rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// Stored responses for idempotent retries, more than 24 hours old.
    pub answers: usize,
    /// Expired sessions, and expired authorization requests at the wiki provider.
    pub sessions: usize,
    /// Workspaces deleted more than 30 days ago, and maps of drafts that ended more than 30 days ago.
    pub workspaces: usize,
    /// Expired or revoked credentials and requests of connected apps, and unused apps.
    pub connectors: usize,
    /// Expired links in emails, and emails that were sent or dropped more than a day ago.
    pub emails: usize,
    /// Notifications that were read more than 90 days ago, and expired links that end emails about them.
    pub notifications: usize,
    /// Deliveries of webhooks that are older than 30 days.
    pub deliveries: usize,
    /// Images that were unused for a week.
    pub images: usize,
    /// Uploaded images that nothing refers to.
    pub note_images: usize,
    /// Memberships that the identity provider has not confirmed for 30 days.
    pub memberships: usize,
    /// Audit events that are older than their retention period.
    pub events: usize,
    /// Changes of workspaces and directories that are older than the retention period of the history.
    pub changes: usize,
}

impl Removed {
    /// Whether more rows may be left to remove.
    pub fn is_not_all(&self) -> bool {
        self.changes >= MAX_REMOVED_ROWS || self.events >= MAX_REMOVED_ROWS || self.note_images >= MAX_REMOVED_IMAGES
    }
}

/// Checks that the database responds.
pub fn answer(tx: &PublicTx<'_>) -> Result<()> {
    users::any(tx.core().conn).map(drop)
}

/// The time to compute retention from: now, unless the clock has jumped.
///
/// A clock that is set a year ahead would otherwise delete a year of history within minutes. Between two runs this time
/// advances at most twice as fast as the clock, and by at most one day if the clock advanced by more than two days. If
/// the clock is right, this time catches up in about as long as the server was stopped. If it is wrong, an operator has
/// time to notice.
fn trusted_now(core: &Core<'_>) -> Result<i64> {
    let now = core.now;
    let (swept_to, swept_at) = match store::instance::last_sweep(core.conn)? {
        Some(last) => last,
        None => store::instance::last_change_at(core.conn)?.map_or((now, now), |at| (at, at)),
    };
    let passed = now.saturating_sub(swept_at).max(0);
    let step = if passed > MAX_CLOCK_STEP { DAY } else { passed * 2 };
    let trusted = now.min(swept_to.saturating_add(step));
    if passed > MAX_CLOCK_STEP {
        let days = passed / DAY;
        tracing::warn!(
            days,
            "the clock went ahead since the last cleanup, or the server was stopped: old data is deleted more slowly for a \
             while. Check the system clock"
        );
    }
    store::instance::note_sweep(core.conn, trusted, now)?;
    Ok(trusted)
}

/// Removes expired data.
pub fn sweep(tx: &mut SystemTx<'_>) -> Result<Removed> {
    let now = trusted_now(tx.core())?;
    let sample_users = sample::organizations_losing_it(tx.core(), now - workspaces::RESTORABLE_FOR)?;
    drafts::remove_old_maps(tx.core(), now, MAX_REMOVED_MAPS)?;
    let workspaces = workspaces::purge(tx, now)?;
    for organization_id in sample_users {
        sample::delete_unused_entries(tx.core(), organization_id)?;
    }
    let images = images::delete_unused(tx.core(), now)?;
    let memberships = identity::expire_memberships(tx, now)?;
    let conn = tx.core().conn;
    release_pages(conn, MAX_RELEASED_PAGES)?;
    Ok(Removed {
        answers: delete_answers(conn, now - RETRY_WINDOW)?,
        sessions: sessions::delete_expired(conn, now)? + wiki::delete_expired(conn, now)?,
        workspaces,
        images,
        note_images: note_images::delete_unused(tx.core(), now, MAX_REMOVED_IMAGES)?,
        memberships,
        connectors: consent::delete_expired(conn, now)?
            + connectors::delete_unused(conn, now - REVOKED_CREDENTIAL_RETENTION, now - UNUSED_CLIENT_RETENTION)?,
        emails: email_confirmation::delete_expired(conn, now)? + mail::delete_old(conn, now - mail::COUNTED_FOR)?,
        notifications: notifications::delete_old(conn, now - READ_NOTIFICATION_RETENTION, now, MAX_REMOVED_ROWS)?,
        deliveries: webhooks::delete_old(conn, now - webhooks::LOGGED_FOR)?,
        events: match settings::audit_days(tx.core())? {
            Some(days) => store::audit::delete_old(conn, now - days * DAY, MAX_REMOVED_ROWS)?,
            None => 0,
        },
        changes: match settings::history_days(tx.core())? {
            Some(days) => history::delete_old_changes(conn, now - days * DAY, MAX_REMOVED_ROWS)?,
            None => 0,
        },
    })
}
