//! Reads the change log, and queues what webhooks report of it.

use super::{
    MAX_WAITING, MAX_WAITING_UNMERGED,
    places::Sending,
    store::{self, changes::ScannedChange},
};
use crate::{
    domain::{
        core::{Core, Reads, SystemTx, change_log, webhook_message_id},
        settings,
    },
    error::Result,
};

/// Maximum number of changes that are read at once.
const MAX_SCANNED: u32 = 2_000;
/// Maximum number of change sets that are queued at once.
const MAX_QUEUED: usize = 200;

/// A range of consecutive changes of a workspace that belong to one change set.
#[derive(Debug)]
pub(super) struct Range {
    first: ScannedChange,
    last: i64,
}

/// What there is to do.
#[derive(Debug)]
pub(super) enum Work {
    /// Nothing, and the changes up to this id need not be read again.
    Nothing(i64),
    /// The queue ends, and nothing up to this change is sent. Says why.
    Skip(i64, &'static str),
    /// Ranges to queue, and up to which change the log was read. Without ranges, only to merge what waits.
    Queue(Vec<Range>, i64),
}

/// Determines what there is to do. `read_to` is the change up to which the log was already read.
pub(super) fn plan(tx: &SystemTx<'_>, read_to: i64) -> Result<Work> {
    let core = tx.core();
    let conn = core.conn;
    let Some((position, incarnation)) = store::changes::position(conn)? else { return Ok(Work::Nothing(read_to)) };
    let head = change_log::head(conn)?;
    if incarnation != core.incarnation().as_str() {
        return Ok(Work::Skip(head, "a backup of the database was restored"));
    }
    let wanted = store::changes::wanted_after(conn)?;
    if !settings::webhooks_are_on(core)? {
        let is_waiting = store::queue::waiting(conn)? > 0 || wanted.is_some_and(|after| after < head);
        let skip = Work::Skip(head, "webhooks are turned off for this instance");
        return Ok(if is_waiting { skip } else { Work::Nothing(head) });
    }
    let is_crowded = !store::queue::crowded(conn, (MAX_WAITING, MAX_WAITING_UNMERGED))?.is_empty();
    let done = |at: i64| if is_crowded { Work::Queue(Vec::new(), at) } else { Work::Nothing(at) };
    let Some(wanted) = wanted else { return Ok(done(head)) };
    let start = position.max(wanted).max(read_to);
    if start >= head {
        return Ok(done(start));
    }
    let wanting = store::changes::wanting(conn)?;
    let mut read_to = start;
    let mut ranges: Vec<Range> = Vec::new();
    for change in store::changes::scan(conn, start, MAX_SCANNED)? {
        core.check_alive()?;
        let continues = ranges.last().is_some_and(|range| range.continues_with(&change));
        if !continues && ranges.len() == MAX_QUEUED {
            break;
        }
        read_to = change.id;
        if let Some(range) = ranges.last_mut().filter(|_| continues) {
            range.last = change.id;
        } else if change.workspace_pk.is_some() && wanting.contains(&change.organization_id) {
            ranges.push(Range { last: change.id, first: change });
        }
    }
    Ok(if ranges.is_empty() { done(read_to) } else { Work::Queue(ranges, read_to) })
}

impl Range {
    /// Whether a change belongs to this range. Changes of other workspaces in between do not matter.
    fn continues_with(&self, change: &ScannedChange) -> bool {
        self.first.workspace_pk == change.workspace_pk && self.first.change_set == change.change_set
    }
}

/// Skips all changes up to `head` and ends what waits.
pub(super) fn skip(tx: &mut SystemTx<'_>, head: i64, why: &str) -> Result<()> {
    let core = tx.core();
    let ended = store::queue::end_pending(core.conn, None, why)?;
    if ended > 0 {
        tracing::warn!(ended, why, "ended deliveries of webhooks");
    }
    store::changes::skip_to(core.conn, head)?;
    store::changes::set_position(core.conn, head, core.incarnation().as_str())
}

/// Queues ranges of changes, and merges what waits for webhooks with long queues.
pub(super) fn queue(tx: &mut SystemTx<'_>, ranges: &[Range], read_to: i64, sending: &Sending) -> Result<()> {
    let core = tx.core();
    let conn = core.conn;
    for range in ranges {
        store::changes::queue(conn, (&range.first, range.last), &webhook_message_id(), core.now)?;
    }
    if !ranges.is_empty() {
        store::changes::set_position(conn, read_to, core.incarnation().as_str())?;
    }
    for webhook_id in store::queue::crowded(conn, (MAX_WAITING, MAX_WAITING_UNMERGED))? {
        let sending = sending.delivery_of(&webhook_id);
        merge(tx, &webhook_id, sending)?;
        let keep = MAX_WAITING_UNMERGED;
        let dropped =
            store::queue::drop_oldest(tx.core().conn, &webhook_id, (keep, sending), "too many deliveries waited")?;
        if dropped > 0 {
            tracing::warn!(webhook = webhook_id, dropped, "dropped deliveries of a webhook, because too many waited");
        }
    }
    Ok(())
}

/// Merges the changes of each workspace that wait for a webhook into the newest delivery about it.
fn merge(tx: &SystemTx<'_>, webhook_id: &str, sending: Option<i64>) -> Result<()> {
    let conn = tx.core().conn;
    let waiting = store::queue::pending_changes(conn, webhook_id, sending)?;
    let mut workspaces: Vec<i64> = waiting.iter().map(|(_, workspace, ..)| *workspace).collect();
    workspaces.sort_unstable();
    workspaces.dedup();
    for workspace in workspaces {
        let of_workspace: Vec<_> = waiting.iter().filter(|(_, other, ..)| *other == workspace).collect();
        let [replaced @ .., (id, _, first, last)] = of_workspace.as_slice() else { continue };
        if replaced.is_empty() {
            continue;
        }
        let first = replaced.iter().map(|(_, _, first, _)| *first).fold(*first, i64::min);
        let last = replaced.iter().map(|(.., last)| *last).fold(*last, i64::max);
        let replaced: Vec<i64> = replaced.iter().map(|(id, ..)| *id).collect();
        store::queue::merge(conn, *id, (first, last), &replaced)?;
    }
    Ok(())
}

/// Begins reading the change log, before the first webhook is stored.
pub(super) fn begin(core: &Core<'_>) -> Result<i64> {
    let head = change_log::head(core.conn)?;
    if store::changes::position(core.conn)?.is_none() {
        store::changes::set_position(core.conn, head, core.incarnation().as_str())?;
    }
    Ok(head)
}
