//! Refreshing links: once a day, all pages and databases that an organization's links point to are looked up again. The
//! lookups run sequentially and slowly, so that most of the provider's rate limit remains for users.

use std::{collections::BTreeMap, sync::PoisonError};

pub(in crate::domain) use super::model::RefreshRuns;
pub use super::model::WikiRefresh;
use super::{
    Wiki, connection,
    store::{self, WikiLink},
};
use crate::{
    clock::DAY,
    domain::{
        core::{Call, OrgConnectionTx, Reads, SystemTx, access::ConnectionManager},
        map::links,
    },
    error::{Error, Result},
    wiki::{ObjectKind, Resolved},
};

/// Interval between the starts of two refreshes, in milliseconds.
const REFRESH_INTERVAL: i64 = DAY;
/// Maximum number of links per refresh.
const MAX_LINKS: usize = 20_000;
/// Number of consecutive failures after which a refresh stops, because the wiki is likely down.
const MAX_CONSECUTIVE_FAILURES: usize = 5;

impl Wiki {
    /// Requests a refresh of all links of the active organization. Has no effect while a refresh is running.
    pub async fn request_refresh(&self, call: Call<ConnectionManager>) -> Result<()> {
        let read = |tx: &OrgConnectionTx<'_>| {
            connection::of(tx.core(), tx.organization_id()?).map(|connection| connection.organization_id)
        };
        let id = self.gate().read(call, (), read).await?;
        if self.progress(&id).is_none_or(|progress| !progress.running) {
            // The next status says that it is running, although the job has not begun it yet.
            self.with_runs(|runs| runs.awaited.insert(id.clone()));
            self.enqueue(&id);
        }
        Ok(())
    }

    /// Clears the cached wiki data of an organization and requests a refresh. Called when a connection begins or ends.
    /// A running refresh may have used the previous connection for some links, so another refresh follows it.
    pub(super) fn reset(&self, organization_id: &str) {
        self.0.client.clear_cache(organization_id);
        self.enqueue(organization_id);
    }

    fn enqueue(&self, organization_id: &str) {
        self.with_runs(|runs| {
            if !runs.requested.iter().any(|id| id == organization_id) {
                runs.requested.push(organization_id.to_owned());
            }
        });
        self.0.wake.notify_one();
    }

    /// Waits until a refresh is requested.
    pub async fn requested(&self) {
        self.0.wake.notified().await;
    }

    /// Progress of the current or last refresh of an organization.
    pub(super) fn progress(&self, organization_id: &str) -> Option<WikiRefresh> {
        let now = self.gate().now();
        self.with_runs(|runs| {
            if runs.awaited.contains(organization_id) {
                Some(WikiRefresh::begun(now))
            } else {
                runs.last.get(organization_id).cloned()
            }
        })
    }

    /// Returns the organizations whose refresh is due, and marks these refreshes as running. The caller must run each
    /// of them.
    pub async fn due(&self) -> Result<Vec<String>> {
        let connected = self.gate().aside_view(|tx| store::working(tx.core().conn)).await?;
        let now = self.gate().now();
        Ok(self.with_runs(|runs| {
            let requested = std::mem::take(&mut runs.requested);
            runs.awaited.clear();
            let mut due = Vec::new();
            // Disconnected organizations need no entry.
            runs.last.retain(|id, progress| progress.running || connected.contains(id));
            for id in connected {
                let last = runs.last.get(&id);
                let is_due =
                    requested.contains(&id) || last.is_none_or(|last| last.started_at + REFRESH_INTERVAL <= now);
                if last.is_some_and(|last| last.running) {
                    runs.requested.extend(requested.contains(&id).then_some(id));
                } else if is_due {
                    runs.last.insert(id.clone(), WikiRefresh::begun(now));
                    due.push(id);
                }
            }
            due
        }))
    }

    /// Refreshes all links of an organization.
    pub async fn refresh(&self, organization_id: &str) {
        if let Err(error) = self.refresh_links(organization_id).await {
            tracing::warn!(organization = organization_id, %error, "cannot refresh all wiki links of an organization; retrying in ten minutes");
        }
        let now = self.gate().now();
        self.update_progress(organization_id, |progress| (progress.running, progress.finished_at) = (false, Some(now)));
    }

    async fn refresh_links(&self, organization_id: &str) -> Result<()> {
        let id = organization_id.to_owned();
        let targets = self.gate().aside_view(move |tx| targets(tx, &id)).await?;
        self.update_progress(organization_id, |progress| progress.total = targets.len());
        let mut failures = 0;
        for ((target, likely), links_to_wiki) in targets {
            tokio::time::sleep(self.background_delay()).await;
            // Read before each lookup, because the connection may have new tokens or may have ended.
            let connection = self.connection(organization_id).await?;
            match self.resolve(connection, target, likely.into()).await {
                Ok(resolved) => {
                    failures = 0;
                    let changed = self.gate().aside(move |tx| apply(tx, &links_to_wiki, &resolved)).await?;
                    self.update_progress(organization_id, |progress| progress.changed += changed);
                }
                Err(error @ (Error::WikiAccessDenied | Error::WikiMisconfigured)) => return Err(error),
                Err(error) => {
                    failures = if matches!(error, Error::WikiNotFound) { 0 } else { failures + 1 };
                    self.update_progress(organization_id, |progress| progress.failed += 1);
                    if failures >= MAX_CONSECUTIVE_FAILURES {
                        return Err(error);
                    }
                }
            }
            self.update_progress(organization_id, |progress| progress.done += 1);
        }
        Ok(())
    }

    fn update_progress(&self, organization_id: &str, update: impl FnOnce(&mut WikiRefresh)) {
        self.with_runs(|runs| runs.last.get_mut(organization_id).map(update));
    }

    fn with_runs<T>(&self, work: impl FnOnce(&mut RefreshRuns) -> T) -> T {
        work(&mut self.0.runs.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A page or database that links point to: its id, and whether it is likely a database.
type Target = (String, LikelyDatabase);

/// Whether a target is likely a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LikelyDatabase(bool);

impl From<LikelyDatabase> for ObjectKind {
    fn from(likely: LikelyDatabase) -> Self {
        if likely.0 { Self::Database } else { Self::Page }
    }
}

/// Targets of an organization's links, each with its links.
fn targets(tx: &SystemTx<'_>, organization_id: &str) -> Result<BTreeMap<Target, Vec<WikiLink>>> {
    let mut targets: BTreeMap<Target, Vec<WikiLink>> = BTreeMap::new();
    for link in store::links_to_wiki(tx.core().conn, organization_id, MAX_LINKS)? {
        // A link without a valid target cannot be looked up.
        if let Ok(Some((id, likely))) = links::target_of(link.kind, link.target_id.as_deref(), &link.url) {
            targets.entry((id, LikelyDatabase(likely == ObjectKind::Database))).or_default().push(link);
        }
    }
    Ok(targets)
}

/// Updates links whose target has changed. Writes nothing for unchanged links, so that the history contains only real
/// changes. Returns how many links changed.
fn apply(tx: &mut SystemTx<'_>, links_to_wiki: &[WikiLink], resolved: &Resolved) -> Result<usize> {
    let mut changed = 0;
    for link in links_to_wiki {
        let Some(mut workspace) = tx.open_workspace(link.workspace_pk)? else { continue };
        let is_changed = links::refresh_in_background(&mut workspace, &link.component_id, link.id, resolved)?;
        changed += usize::from(is_changed);
    }
    Ok(changed)
}
