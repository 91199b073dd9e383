//! Sources that were not synchronized for a while: which ones these are, how many there are, and who is notified of them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    model::{claims::Source, drift::StaleSource},
    store::stale,
};
use crate::{
    clock::DAY,
    domain::{
        core::{self, Core, Gate, Reads, SystemTx, workspace_by_pk},
        map::members,
        notifications::{self, MAX_RECIPIENTS, Notice, NotificationKind, Subject},
        settings,
        values::AccessLevel,
    },
    error::Result,
};

/// How often stale sources are counted, and their owners notified.
const INTERVAL: Duration = Duration::from_mins(1);
/// Maximum number of syncs of whose sources a round notifies the owners. Others follow in the next round.
const MAX_SYNCS: usize = 200;

/// Sources whose last sync was not after this time are stale; none if no source ever is.
pub(super) fn synced_until(core: &Core<'_>) -> Result<Option<i64>> {
    Ok(settings::stale_after_days(core)?.map(|days| core.now - days * DAY))
}

/// Those of these sources that are stale, by id.
pub(super) fn stale<'s>(core: &Core<'_>, sources: impl IntoIterator<Item = &'s Source>) -> Result<Vec<StaleSource>> {
    let Some(until) = synced_until(core)? else { return Ok(Vec::new()) };
    let mut stale: Vec<&Source> = sources.into_iter().filter(|source| source.synced_at <= until).collect();
    stale.sort_by(|a, b| a.id.cmp(&b.id));
    let listed = |source: &Source| {
        let author = source.synced_by.map(|user| core::author(core.conn, user)).transpose()?.flatten();
        Ok(StaleSource {
            id: source.id.clone(),
            name: source.name.clone(),
            repository: source.repository.clone(),
            revision: source.revision.clone(),
            last_sync_at: source.synced_at,
            last_sync_by: author.map(|author| author.display_name),
        })
    };
    stale.into_iter().map(listed).collect()
}

/// Watches the sources of all workspaces. Clones share the count.
#[derive(Debug, Clone)]
pub struct SourceWatch {
    gate: Gate,
    stale: Arc<AtomicU64>,
}

impl SourceWatch {
    /// Creates the service.
    pub fn new(gate: Gate) -> Self {
        Self { gate, stale: Arc::default() }
    }

    /// The number of stale sources, for monitoring.
    pub fn count(&self) -> &Arc<AtomicU64> {
        &self.stale
    }

    /// Works until the future is dropped.
    pub async fn run(&self) {
        loop {
            if let Err(error) = self.work().await {
                tracing::warn!(%error, "cannot look for sources that are not synchronized; retrying in a minute");
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Counts stale sources, and notifies the owners of their workspaces of those that have become stale. Each transaction
    /// notifies a limited number of users.
    pub async fn work(&self) -> Result<()> {
        let count = self.gate.aside_view(count).await?;
        self.stale.store(count, Ordering::Relaxed);
        for _ in 0..MAX_SYNCS {
            if self.gate.aside_view(next).await?.is_none() || !self.gate.aside(notify_owners).await? {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn count(tx: &SystemTx<'_>) -> Result<u64> {
    match synced_until(tx.core())? {
        Some(until) => stale::count(tx.core().conn, until),
        None => Ok(0),
    }
}

/// The time and the workspace of the next sync whose sources have become stale.
fn next(tx: &SystemTx<'_>) -> Result<Option<(i64, i64)>> {
    let core = tx.core();
    let Some(until) = synced_until(core)? else { return Ok(None) };
    stale::next(core.conn, notifications::source_cursor(core.conn)?, until)
}

/// Notifies the owners of the workspace of the next sources that have become stale. Sources that were synchronized together
/// are one notification. Returns whether there were any.
///
/// Times of syncs are those of their transactions, so a source that is synchronized again comes later in the order and its
/// owners are notified again when it is stale. Sources that were older when they came to the workspace, such as those of an
/// imported file, are only marked.
fn notify_owners(tx: &mut SystemTx<'_>) -> Result<bool> {
    let Some((synced_at, workspace_pk)) = next(tx)? else { return Ok(false) };
    let core = tx.core();
    notifications::set_source_cursor(core.conn, (synced_at, workspace_pk))?;
    let found = workspace_by_pk(core.conn, workspace_pk)?.map(|found| found.workspace);
    // Sources of a draft come to its workspace with a merge.
    let Some(workspace) = found.filter(|workspace| workspace.base_pk.is_none()) else { return Ok(true) };
    let mut owners = members::owners(core.conn, workspace_pk, MAX_RECIPIENTS)?;
    for at in (0..owners.len()).rev() {
        if core.level_of(&workspace, owners[at])? != Some(AccessLevel::Owner) {
            owners.remove(at);
        }
    }
    let subject = Subject::Sources { synced_at };
    let notice = Notice { kind: NotificationKind::StaleSource, workspace_pk, subject, actor: None };
    notifications::notify(core, &notice, &owners)?;
    Ok(true)
}
